"""Follows a name through files that only pass it on: `module.exports = { api: apiRouter }`, `export * from "./x"`.

This reads exports and imports as they are written, without the resolver: a whole project's routers are found at once.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from bearings.code.expressions import Result
from bearings.code.file_facts import Export, FileFacts

_WHOLE = frozenset({"=", "default", "*", ""})
"""The exported or imported names that stand for a module as a whole."""
_MOST = 5
"""The most files that pass a name on."""


class _Step(NamedTuple):
    """A name, and the module that has it; None for the file itself."""

    name: str
    module: str | None


class PassedOn:
    """The names of a project. `find` returns the place that a file imports by a specifier; None for one outside."""

    def __init__(self, facts: Mapping[str, FileFacts], find: Callable[[str, str], str | None]) -> None:
        self._facts = facts
        self._find = find
        self.read: set[str] = set()
        """The files that were followed."""

    def source(self, file: str, specifier: str, name: str) -> tuple[str, str] | None:
        """The place where an imported name is declared, and its name there; None outside of the project."""
        place = self._find(file, specifier)
        for _ in range(_MOST):
            facts = self._facts.get(place) if place is not None else None
            if place is None or facts is None:
                break
            self.read.add(place)
            step = _step(facts, name)
            if step.module is None:
                return place, step.name
            inner = self._find(place, step.module)
            if inner is None:
                break
            place, name = inner, step.name
        return (place, name) if place is not None else None


def _step(facts: FileFacts, name: str) -> _Step:
    """What a file has under an exported name: a name of its own, or one of another module."""
    for row in facts.exports:
        if row.name == name or (name in _WHOLE and row.name in _WHOLE):
            step = _exported(facts, row)
            if step is not None:
                return step
    passing = [row for row in facts.exports if row.name in ("=", "*")]
    steps = [step for row in passing if (step := _exported(facts, row)) is not None and step.module is not None]
    entry = next((entry for entry in facts.imports if entry.local == name and not entry.scope), None)
    if entry is not None:
        return _Step(entry.name, entry.module)
    return _Step(name, steps[0].module if len(steps) == 1 and name not in _WHOLE else None)


def _exported(facts: FileFacts, row: Export) -> _Step | None:
    """The next step from an export; None if its value is neither a name nor a module."""
    if type(row.local) is Result:
        site = row.local.site
        entry = next((one for one in facts.imports if one.site == site), None)
    elif type(row.local) is not str:
        return None
    elif row.module:
        return _Step(row.local, row.module)
    else:
        entry = next((one for one in facts.imports if one.local == row.local and not one.scope), None)
        if entry is None:
            return _Step(row.local, None)
    return _Step(entry.name, entry.module) if entry is not None else None
