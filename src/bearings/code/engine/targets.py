"""From what a caller calls an element to the symbol itself."""

import os
import re
from collections.abc import Iterable, Sequence

from bearings.code.graph import Graph
from bearings.code.models import Symbol
from bearings.code.notation.parsing import parse
from bearings.code.project import is_test
from bearings.code.refresh import Snapshot
from bearings.errors import Ambiguous, ElementNotFound, InvalidInput, shown
from bearings.untrusted import named, unescaped

_SPELLINGS = "Name it as parse, AuthService.login, src/auth.ts#login, src/auth.ts#login:24, or src/auth.ts."
_MAX_CANDIDATES = 20
_SUGGESTED = 8


def one(snapshot: Snapshot, element: str, field: str) -> Symbol:
    """The one symbol that `element` names, an old line number or not, hidden characters as replies escape them or not.

    Raises ElementNotFound, Ambiguous, or InvalidInput for no name at all.
    """
    name = _plain(snapshot, element, field)
    if not name:
        raise InvalidInput(field, element, "names nothing", _SPELLINGS)
    found = _found(snapshot, name) or ("\\" in name and _found(snapshot, unescaped(name))) or []
    if not found:
        raise _not_found(snapshot, element, name)
    if len(found) > 1:
        raise Ambiguous(element, [symbol.id for symbol in found[:_MAX_CANDIDATES]], len(found))
    return found[0]


def _found(snapshot: Snapshot, name: str) -> list[Symbol]:
    return snapshot.graph.find(name) or _modules(snapshot, name) or _moved(snapshot, name)


def _moved(snapshot: Snapshot, name: str) -> list[Symbol]:
    """What `path#name:line` means now, where nothing of that name stands on that line any more."""
    path, hash_, rest = name.partition("#")
    element, _, line = rest.rpartition(":")
    if not (hash_ and element and line.isdecimal()):
        return []
    return snapshot.graph.find(f"{path}#{element}") or _modules(snapshot, f"{path}#{element}")


def _plain(snapshot: Snapshot, element: str, field: str) -> str:
    """The spelling that the graph knows: no CodeRef dress, no root, no `./`."""
    name = element.strip()
    if name.startswith("@") and "/" in name:
        return _meant(snapshot, name, field)
    root = f"{snapshot.root}{os.sep}"
    if name.startswith(root):
        name = name.removeprefix(root).replace(os.sep, "/")
    return name.removeprefix("./")


def _meant(snapshot: Snapshot, element: str, field: str) -> str:
    """What a CodeRef means, as the graph knows it."""
    parsed = parse(element)
    if parsed.ref is None:
        problem = parsed.problems[-1]
        remedy = f"Did you mean {problem.suggestion}?" if problem.suggestion else "Such as @Fn/src/auth.ts#login:24."
        raise InvalidInput(field, element, f"is no CodeRef: {problem.message} (at {problem.offset})", remedy)
    ref = parsed.ref
    if not ref.name:
        there = [s.id for s in _modules_symbols(snapshot, ref.path) if ref.start and s.line == ref.start]
        return there[0] if len(there) == 1 else ref.path
    return f"{ref.path}#{ref.name}" + (f":{ref.start}" if ref.start else "")


def _modules_symbols(snapshot: Snapshot, path: str) -> list[Symbol]:
    """The symbols of the files that a path's tail names, but for the modules themselves."""
    return [symbol for file, facts in snapshot.facts.items() if _is_tail(path, file) for symbol in facts.symbols[1:]]


def _modules(snapshot: Snapshot, name: str) -> list[Symbol]:
    """Modules, or symbols in them, that a path's tail names, with or without the extension."""
    path, hash_, rest = name.partition("#")
    if not path or not (hash_ or re.search(r"[/.]", path)):
        return []
    files = [file for file in snapshot.facts if _is_tail(path, file)]
    if not hash_:
        return [snapshot.facts[file].symbols[0] for file in files]
    return [symbol for file in files for symbol in snapshot.graph.find(f"{file}#{rest}")]


def _is_tail(path: str, file: str) -> bool:
    stem = file.rpartition(".")[0]
    return f"/{file}".endswith(f"/{path}") or f"/{stem}".endswith(f"/{path}")


def _not_found(snapshot: Snapshot, element: str, name: str) -> ElementNotFound:
    path = name.partition("#")[0]
    for skipped in snapshot.skipped:
        if path == skipped.path or (skipped.path.endswith("/") and path.startswith(skipped.path)):
            return ElementNotFound(
                f"{shown(element)}: {named(skipped.path)} is not indexed ({skipped.reason})", "Ask for another element."
            )
    own = [symbol.id for symbol in snapshot.graph.containing(name, 2 * _SUGGESTED)]
    held = sorted(own, key=is_test)[:_SUGGESTED]  # the sort keeps the order otherwise
    near = _unique([*held, *_spelled(snapshot.graph, snapshot.graph.suggest(name, 5))])
    hint = (
        f"Did you mean {', '.join(named(name) for name in list(near)[:_SUGGESTED])}?"
        if near
        else f"{_SPELLINGS} coderef_scan lists all elements."
    )
    return ElementNotFound(f"no element of the project is called {shown(element)}", hint)


def _spelled(graph: Graph, names: Sequence[str]) -> list[str]:
    """Suggestions, each spelled so that asking for it is not ambiguous."""
    return list(_unique(symbol.id for name in names for symbol in graph.find(name)[:2]))[:5]


def _unique(items: Iterable[str]) -> dict[str, None]:
    return dict.fromkeys(items)
