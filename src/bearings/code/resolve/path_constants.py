"""The strings of other files that a path names: `<settings.API_V1_STR>/items` has the prefix that `settings` holds.

The first part of the name is an import. The string is that of the only constant or property in the imported file that
has the last part as its name and a path as its value.
"""

import re
from collections.abc import Callable, Mapping

from bearings.code.file_facts import FileFacts, Import
from bearings.code.models import Symbol, SymbolKind

_NAME = r"([A-Za-z_]\w*(?:\.\w+)+|[A-Z][A-Z0-9_]+)"
_NAMED = re.compile(rf"<{_NAME}>|\$?\{{{_NAME}\}}")
"""A name in a path, as languages write it: in angle brackets for an expression, in braces in a string.

It has a dot or is in upper case; others are parameters of the path.
"""
_VALUE = re.compile(r"""[=:]\s*["'`](/[\w./-]*)["'`][,;]?(?:\s*as const;?)?$""")
"""The end of a declaration that gives a name a path."""
_VALUES = frozenset({SymbolKind.CONSTANT, SymbolKind.VARIABLE, SymbolKind.PROPERTY})


class PathConstants:
    """Fills the paths of a project in. `find` returns the file that another one imports by a specifier, or None."""

    def __init__(self, facts: Mapping[str, FileFacts], find: Callable[[str, str], str | None]) -> None:
        self._facts = facts
        self._find = find
        self.read: set[str] = set()
        """The files whose constants were looked at, and those that import them."""

    def filled(self, file: str, path: str) -> str:
        """A path of a file with the strings of other files in place of their names; names of unknown ones stay."""
        if "<" not in path and "{" not in path:
            return path
        return _NAMED.sub(lambda found: self._string(file, found[1] or found[2]) or found[0], path)

    def _string(self, file: str, dotted: str) -> str | None:
        """The string that a dotted name of a file means; None if it is not known, or not the only one."""
        root, *rest = dotted.split(".")
        entry = next((entry for entry in self._facts[file].imports if entry.local == root), None)
        if entry is None:
            return None
        self.read.add(file)
        source = self._source(file, entry)
        if source is None:
            return None
        self.read.add(source)
        name = rest[-1] if rest else entry.name
        found = {path_of(symbol) for symbol in self._facts[source].symbols if symbol.name == name}
        return found.pop() or None if len(found) == 1 else None

    def _source(self, file: str, entry: Import) -> str | None:
        """The file of an import: that of a module, or that of a module's name."""
        inner = f"{entry.module}{'' if entry.module.endswith('.') else '.'}{entry.name}"
        return self._find(file, inner) or self._find(file, entry.module)


def has_name(path: str) -> bool:
    """Whether a path has a name in it whose string is not known: it may have any number of segments."""
    return _NAMED.search(path) is not None


def path_of(symbol: Symbol) -> str:
    """The path that a constant or property has as its value; empty for another value."""
    found = _VALUE.search(symbol.signature) if symbol.kind in _VALUES else None
    return found[1] if found is not None else ""
