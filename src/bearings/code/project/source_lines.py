"""Lines of source as a snapshot has them: a file that was changed since is noticed, never quoted under old numbers.

    lines = Lines(root, index.digest, max_bytes)
    lines.at("src/auth.ts", 24)      # "return login(user);"

Files that are no sources are read as they are now.
"""

from collections.abc import Callable
from pathlib import Path

from bearings.code.languages import language_of
from bearings.code.languages.shared.encoding import as_utf8
from bearings.code.project.sources import Source, as_narrow, digest_of, is_binary, read_source

_KEPT = 64
"""Files whose lines are kept at once: those of one answer come file by file."""


class Changed(Exception):
    """A file is not as the snapshot has it."""


class Lines:
    """Reads files of one project. `digest` gives that of a file's content in the snapshot, empty for no source."""

    def __init__(self, root: Path, digest: Callable[[str], bytes], max_bytes: int) -> None:
        self._root = root
        self._digest = digest
        self._max_bytes = max_bytes
        self._kept: dict[str, list[bytes]] = {}

    def data(self, path: str) -> bytes:
        """The bytes of a source as it was indexed. Raises Changed."""
        source = read_source(self._root, path, self._max_bytes)
        if not isinstance(source, Source) or digest_of(source.data) != self._digest(path):
            raise Changed(path)
        return source.data

    def of(self, path: str) -> list[bytes]:
        """The lines of a file, in UTF-8; none of one that is no text, or can't be read. Raises Changed."""
        if path not in self._kept:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            self._kept[path] = as_utf8(language_of(path), self._bytes(path)).split(b"\n")
        return self._kept[path]

    def at(self, path: str, number: int) -> str:
        """One line without its indentation; empty where the file has no such line. Raises Changed."""
        lines = self.of(path)
        return lines[number - 1].decode("utf-8", "replace").strip() if 0 < number <= len(lines) else ""

    def _bytes(self, path: str) -> bytes:
        if self._digest(path):
            return self.data(path)
        source = read_source(self._root, path, self._max_bytes, binary=True)
        data = as_narrow(source.data) if isinstance(source, Source) else b""
        return b"" if is_binary(data) else data
