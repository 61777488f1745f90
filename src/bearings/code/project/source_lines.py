"""Lines of source in the state of a snapshot. A file that has changed since is detected, never quoted by old numbers.

    lines = Lines(tree, index.digest, max_bytes)
    lines.at("src/auth.ts", 24)      # "return login(user);"

Other files are read in their present state.
"""

from collections.abc import Callable

from bearings.code.languages import language_of
from bearings.code.languages.shared.encoding import as_utf8
from bearings.code.project.sources import Source, as_narrow, digest_of, is_binary
from bearings.code.project.tree import Tree, read_from

_KEPT = 64
"""The most files whose lines are cached: an answer asks for lines file by file."""


class Changed(Exception):
    """A file has changed since the snapshot."""


class Lines:
    """Reads files of one project. `digest` returns the snapshot's digest of a file, empty for no source."""

    def __init__(self, tree: Tree, digest: Callable[[str], bytes], max_bytes: int) -> None:
        self._tree = tree
        self._digest = digest
        self._max_bytes = max_bytes
        self._lines_by_path: dict[str, list[bytes]] = {}

    def data(self, path: str) -> bytes:
        """The bytes of a source in its indexed state. Raises Changed."""
        source = read_from(self._tree, path, self._max_bytes)
        if not isinstance(source, Source) or digest_of(source.data) != self._digest(path):
            raise Changed(path)
        return source.data

    def of(self, path: str) -> list[bytes]:
        """The lines of a file in UTF-8; empty for a binary or unreadable file. Raises Changed."""
        if path not in self._lines_by_path:
            if len(self._lines_by_path) >= _KEPT:
                self._lines_by_path.clear()
            self._lines_by_path[path] = as_utf8(language_of(path), self._bytes(path)).split(b"\n")
        return self._lines_by_path[path]

    def at(self, path: str, number: int) -> str:
        """One line without its indentation; empty if the file has no such line. Raises Changed."""
        lines = self.of(path)
        return lines[number - 1].decode("utf-8", "replace").strip() if 0 < number <= len(lines) else ""

    def _bytes(self, path: str) -> bytes:
        if self._digest(path):
            return self.data(path)
        source = read_from(self._tree, path, self._max_bytes, binary=True)
        data = as_narrow(source.data) if isinstance(source, Source) else b""
        return b"" if is_binary(data) else data
