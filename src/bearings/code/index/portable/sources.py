"""The files of a commit as they are here, which an index is compared with."""

from collections.abc import Iterable
from contextlib import closing

from bearings.code.facts.packing import encoded
from bearings.code.facts.store import key_of
from bearings.code.index.change_detection import ChangeDetector
from bearings.code.index.portable.container import Refused
from bearings.code.languages import EXTRACTOR_VERSION, language_of
from bearings.code.models import Language, ProjectFiles
from bearings.code.parse import parse_file
from bearings.code.project.git.commit_tree import CommitTree
from bearings.code.project.names import is_manifest
from bearings.code.project.sources import Source
from bearings.code.project.tree import read_from
from bearings.progress import Progress

_ROOM = 64 * 2**10
_ROOM_A_FILE = 4 * 2**10
_ROOM_A_BYTE = 16
"""The most bytes of a file's facts, and of its uses: `_ROOM`, and `_ROOM_A_BYTE` for each byte of source.

A whole body has up to `_ROOM_A_FILE` and `_ROOM_A_BYTE` for each byte, and `_ROOM`. Those of django and of a large
TypeScript project take two bytes for each byte of source; no file takes five.
"""

_BATCH = 500


def languages_of(paths: Iterable[str]) -> set[Language]:
    """The languages of the files that are read, or too large for it."""
    return {language for path in paths if (language := language_of(path)) is not None}


class CommitSources:
    """The files of the commit as they are here: their state, manifests, lines and sizes."""

    def __init__(self, tree: CommitTree, max_file_bytes: int, progress: Progress) -> None:
        self.tree = tree
        self.max_file_bytes = max_file_bytes
        self.manifests: dict[str, bytes] = {}
        self.lines: dict[str, int] = {}
        self.sizes: dict[str, int] = {}
        self.languages: dict[str, Language] = {}
        with closing(ChangeDetector(tree, max_file_bytes)) as detector:
            stale = detector.detect().stale
            for number, path in enumerate(stale):
                if not number % _BATCH:
                    progress.update(number, len(stale), "reading files")
                source, _ = detector.read(path)
                if source is not None:
                    self._add(path, source.data)
        self.state = detector.tree
        self.revision = detector.revision

    def _add(self, path: str, data: bytes) -> None:
        if is_manifest(path):
            self.manifests[path] = data
        language = language_of(path)
        if language is not None:
            self.languages[path] = language
            self.lines[path], self.sizes[path] = data.count(b"\n") + 1, len(data)

    @property
    def project(self) -> ProjectFiles:
        """The resolver's view of the commit."""
        return ProjectFiles(frozenset(self.state.listing.paths), dict(sorted(self.manifests.items())))

    @property
    def keys(self) -> dict[str, bytes]:
        """The key of each file's facts in the store."""
        return {
            path: key_of(path, language, self.state.known[path].digest, EXTRACTOR_VERSION)
            for path, language in sorted(self.languages.items())
        }

    def room(self, path: str) -> int:
        """The most bytes that a file's facts, or its uses, may take."""
        return _ROOM + _ROOM_A_BYTE * self.sizes[path]

    @property
    def room_of_all(self) -> int:
        """The most bytes that a body may have."""
        return _ROOM + sum(_ROOM_A_FILE + _ROOM_A_BYTE * size for size in self.sizes.values())

    def facts_of(self, path: str) -> bytes:
        """A file's encoded facts, found here. Raises Refused."""
        source = read_from(self.tree, path, self.max_file_bytes)
        if not isinstance(source, Source):
            raise Refused(f"has facts for {path[:200]!r}, which can't be read")
        return encoded(parse_file(path, self.languages[path], source.data))
