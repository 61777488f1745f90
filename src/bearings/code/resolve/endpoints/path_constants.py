"""The strings of other files that a path names: `<settings.API_V1_STR>/items` has the prefix that `settings` holds.

The first part of the name is an import, and the last part is the name of a constant in the imported file. If an object
or a class is imported, it is the name of a property. Only one of that name may be there.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from bearings.code.file_facts import FileFacts
from bearings.code.models import Symbol
from bearings.code.resolve.referents import HOLDERS

_NAME = r"([A-Za-z_]\w*(?:\.\w+)+|[A-Z][A-Z0-9_]+)"
_NAMED = re.compile(rf"<{_NAME}>|\$?\{{{_NAME}\}}")
"""A name in a path, as languages write it: in angle brackets for an expression, in braces in a string.

It has a dot or is in upper case; others are parameters of the path.
"""
_VALUE = re.compile(r"""[=:]\s*["'`](/[\w./-]*)["'`][,;]?(?:\s*as const;?)?$""")
"""The end of a declaration that gives a name a path."""
_LONGEST = 500
"""The most characters of a path."""
_WHOLE = frozenset({"", "*"})
"""The imported names that stand for a module."""


class PathConstants:
    """Fills the paths of a project in. `find` returns the files that another one imports by a specifier."""

    def __init__(self, facts: Mapping[str, FileFacts], find: Callable[[str, str], Sequence[str]]) -> None:
        self._facts = facts
        self._find = find
        self.read: set[str] = set()
        """The files whose constants were looked at, and those that import them."""

    def filled(self, file: str, path: str) -> str:
        """A path of a file with the strings of other files in place of their names; names of unknown ones stay."""
        if "<" not in path and "{" not in path:
            return path[:_LONGEST]
        return _NAMED.sub(lambda match: self._string(file, match[1] or match[2]) or match[0], path[:_LONGEST])

    def _string(self, file: str, dotted: str) -> str | None:
        """The string that a dotted name of a file means; None if it is not known, or not the only one."""
        root, *rest = dotted.split(".")
        entry = next((entry for entry in self._facts[file].imports if entry.local == root), None)
        if entry is None:
            return None
        self.read.add(file)
        inner = self._find(file, f"{entry.module}{'' if entry.module.endswith('.') else '.'}{entry.name}")
        sources = inner or self._find(file, entry.module)
        self.read.update(sources)
        name = rest[-1] if rest else entry.name
        is_member = len(rest) > (1 if inner or entry.name in _WHOLE else 0)
        symbols = (symbol for source in sources if source in self._facts for symbol in self._facts[source].symbols)
        strings = {
            path_of(one)
            for one in symbols
            if one.name == name and ((one.qualified_name != name) == is_member or one.qualified_name == dotted)
        }
        return strings.pop() or None if len(strings) == 1 else None


def has_name(path: str) -> bool:
    """Whether a path has a name in it whose string is not known: it may have any number of segments."""
    return _NAMED.search(path) is not None


def path_of(symbol: Symbol) -> str:
    """The path that a constant or property has as its value; empty for another value."""
    match = _VALUE.search(symbol.signature) if symbol.kind in HOLDERS else None
    return match[1] if match is not None else ""
