"""Finds the symbol for the name or place that a caller gives.

AuthService.login   src/auth.ts#login   src/auth.ts:24   @Fn/src/auth.ts#login:24   File "src/auth.py", line 24
"""

import os
import re
from collections.abc import Collection, Sequence

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import EXTENSIONS
from bearings.code.models import Symbol, SymbolKind
from bearings.code.notation.parsing import parse
from bearings.code.project.skipped import Skipped
from bearings.code.search.candidates import by_use, is_alias, is_stand_in, labels, likely_elements, one_of_each
from bearings.code.search.capabilities import is_loaded_whole
from bearings.code.search.left_out import left_out_note
from bearings.code.search.place_formats import Reading, readings
from bearings.code.search.printed_paths import Files
from bearings.errors import Ambiguous, ElementNotFound, InvalidInput, shown
from bearings.untrusted import named, unescaped

_SPELLINGS = "Name it as parse, AuthService.login, src/auth.ts#login, src/auth.ts:24, or src/auth.ts."
_MAX_CANDIDATES = 20
_SUGGESTED = 8


def find_element(snapshot: Snapshot, element: str, *, together: bool = False) -> Symbol:
    """The symbol that `element` names. Line numbers may be outdated; hidden characters may be escaped as in replies.

    Spellings of replies win over the forms that other programs print (place_formats.py). A place, `path:line`, means
    the innermost element at that line. If candidates.py leaves several elements, Ambiguous lists them, the most used
    first. `together`, for edits: definitions of one name in one scope, such as a getter and its setter, are one
    element, and only variables that rename are left out. Raises ElementNotFound, Ambiguous, or InvalidInput for an
    empty name.
    """
    if together:
        matches = _named(snapshot, element, "element")
        remaining = [one for one in matches if len(matches) == 1 or not is_alias(snapshot, one)] or matches
        remaining = one_of_each(snapshot, remaining)
        if len({(one.file, one.inside, one.qualified_name) for one in remaining}) == 1:
            remaining = remaining[:1]
        else:
            remaining = sorted(by_use(snapshot, remaining), key=lambda one: is_stand_in(one.file))
    else:
        remaining = find_elements(snapshot, element, "element")
    if len(remaining) > 1:
        shown_ones = remaining[:_MAX_CANDIDATES]
        ids = [symbol.id for symbol in shown_ones]
        uses = labels(snapshot, shown_ones)
        raise Ambiguous(element, ids, len(remaining), uses).instead_of("element", ids[0])
    return remaining[0]


def find_elements(snapshot: Snapshot, element: str, field: str) -> list[Symbol]:
    """As `find_element`, with all elements that the text may mean; never empty."""
    return likely_elements(snapshot, _normalized(snapshot, element, field), _named(snapshot, element, field))


def _named(snapshot: Snapshot, element: str, field: str) -> list[Symbol]:
    """All elements of a spelling, at least one. Raises ElementNotFound, or InvalidInput for an empty name."""
    name = _normalized(snapshot, element, field)
    if not name:
        raise InvalidInput(field, element, "names nothing", _SPELLINGS)
    # A spelling of replies, maybe escaped; else the likeliest reading of a traceback or a compiler's line.
    symbols = (
        _by_spelling(snapshot, name)
        or ("\\" in name and _by_spelling(snapshot, unescaped(name)))
        or next((found for reading in readings(name) if (found := _of_reading(snapshot, reading))), [])
        or _requested(snapshot, name)
    )
    if not symbols:
        raise _not_found(snapshot, element, name, field)
    return symbols


def _by_spelling(snapshot: Snapshot, name: str) -> list[Symbol]:
    """The symbols of a spelling of replies, also of `path#name:line` and `name:line` with a line that is outdated."""
    if symbols := snapshot.graph.find(name) or _modules(snapshot, name):
        return symbols
    path, hash_, rest = name.partition("#")
    element, _, line = (rest if hash_ else name).rpartition(":")
    if not (element and line.isdecimal()):
        return []
    if not hash_:  # Store.save:24, neither src/store.ts:24 nor store.ts:24
        symbols = [one for one in snapshot.graph.find(element) if one.kind is not SymbolKind.MODULE]
        return [one for one in symbols if one.line <= int(line) <= one.end_line] or symbols
    return snapshot.graph.find(f"{path}#{element}") or _modules(snapshot, f"{path}#{element}")


def _requested(snapshot: Snapshot, name: str) -> list[Symbol]:
    """What answers a request as one types it: `GET /users/5`, `/users/{id}`, a URL, `traces.byId`, `Query.order`."""
    from bearings.code.search import routes  # what most questions don't need

    if "/" not in name:
        return routes.procedures_of(snapshot, name) or routes.resolvers_of(snapshot, name)
    request = routes.request_in(name)
    if request is None or (not request.method and "." in request.path.rpartition("/")[2]):
        return []  # an absolute path of a file
    return routes.endpoints_of(snapshot, request, only_best=True)


def _normalized(snapshot: Snapshot, element: str, field: str) -> str:
    """The graph's spelling of an element: without CodeRef notation, root and `./`."""
    name, root = element.strip(), f"{snapshot.root}{os.sep}"
    if not (name.startswith("@") and "/" in name):
        return (
            name.removeprefix(root).replace(os.sep, "/").removeprefix("./")
            if name.startswith(root)
            else name.removeprefix("./")
        )
    # @Fn/src/auth.ts#login:24 is a CodeRef, @injectable the name of a decorator.
    parsed = parse(name)
    if parsed.ref is None:
        problem = parsed.problems[-1]
        remedy = f"Did you mean {problem.suggestion}?" if problem.suggestion else "Such as @Fn/src/auth.ts#login:24."
        raise InvalidInput(field, name, f"is no CodeRef: {problem.message} (at {problem.offset})", remedy)
    ref = parsed.ref
    if ref.name:
        return f"{ref.path}#{ref.name}" + (f":{ref.start}" if ref.start else "")
    files = [facts for file, facts in snapshot.facts.items() if _is_tail(ref.path, file)]
    at_line = [one.id for facts in files for one in facts.symbols[1:] if ref.start and one.line == ref.start]
    return at_line[0] if len(at_line) == 1 else ref.path


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


def _of_reading(snapshot: Snapshot, reading: Reading) -> list[Symbol]:
    if not reading.path:
        return snapshot.graph.find(reading.name) or _dotted(snapshot, reading.name.split("."))
    files = _files(snapshot, reading.path)
    if reading.line:
        return [symbol for file in files for symbol in _at(snapshot, file, reading)]
    if not reading.name:
        return [snapshot.facts[file].symbols[0] for file in files]
    inside = [symbol for file in files for symbol in snapshot.graph.find(f"{file}#{reading.name}")]
    return inside or _of_package(snapshot, reading)


def _files(snapshot: Snapshot, printed: str) -> list[str]:
    """The files of a path: an exact path, a tail, or an absolute path on another machine."""
    path = printed.removeprefix(f"{snapshot.root}/").strip("/")
    if path in snapshot.facts:
        return [path]
    if (tails := [file for file in snapshot.facts if _is_tail(path, file)]) or "/" not in path:
        return tails
    return Files(snapshot.facts, snapshot.root.name).meant(printed)[0]


def _at(snapshot: Snapshot, file: str, reading: Reading) -> list[Symbol]:
    """The innermost element at a line; the element of the reading's name if the line is outdated."""
    module, *symbols = snapshot.facts[file].symbols
    around_line = [symbol for symbol in symbols if symbol.line <= reading.line <= symbol.end_line]
    leaf = reading.name.rpartition(".")[2]
    named = [symbol for symbol in around_line if symbol.name == leaf] or [s for s in symbols if s.name == leaf]
    # `File "cart.py", line 7, in total`: the line may be outdated, the name is not.
    if named and (len(named) == 1 or named[0] in around_line):
        around_line = named
    if around_line:
        return [
            max(around_line, key=lambda symbol: (symbol.kind is not SymbolKind.ENDPOINT, symbol.line, -symbol.end_line))
        ]
    return [module] if reading.line <= module.end_line else []


def _dotted(snapshot: Snapshot, parts: Sequence[str]) -> list[Symbol]:
    """The symbols of `pkg.mod.Class.method`: the module of that path, else elements in a module or package."""
    if len(parts) == 1:
        return []
    path = "/".join(parts)
    if files := [file for file in snapshot.facts if _is_tail(path, file) or _is_tail(f"{path}/__init__", file)]:
        return [snapshot.facts[file].symbols[0] for file in files]
    # pkg.mod.Class.method: pkg/mod is tried as the module before pkg is.
    splits = ((parts[:n], parts[n:]) for n in range(len(parts) - 1, 0, -1))
    return next(
        (symbols for folder, rest in splits if (symbols := _in_folder(snapshot, "/".join(folder), ".".join(rest)))), []
    )


def _in_folder(snapshot: Snapshot, folder: str, name: str) -> list[Symbol]:
    """The elements called `name` in the module or folder of a path's tail, the nearest ones."""
    named = snapshot.graph.find(name)
    for place in (_stem, _folder, lambda file: f"{_folder(file)}/"):
        if symbols := [symbol for symbol in named if _is_inside(folder, place(symbol.file))]:
            return symbols
    return []


def _of_package(snapshot: Snapshot, reading: Reading) -> list[Symbol]:
    """The symbols of a Go frame, `github.com/me/app/shop` and `Cart.Add`: only the path's tail is a folder."""
    # Go prints the package main without its path: main.run(…).
    if reading.path == "main":
        return [symbol for symbol in snapshot.graph.find(reading.name) if is_loaded_whole(symbol.file)]
    parts = reading.path.split("/") if "/" in reading.path else ["/".join(reading.path.split("."))]
    tails = ("/".join(parts[n:]) for n in range(len(parts)))
    return next((symbols for tail in tails if (symbols := _in_folder(snapshot, tail, reading.name))), [])


def _is_inside(folder: str, place: str) -> bool:
    """Whether a place ends in the folder; if the place ends in a slash, whether it contains the folder."""
    return f"/{folder}/" in f"/{place}" if place.endswith("/") else f"/{place}".endswith(f"/{folder}")


def _stem(file: str) -> str:
    return file.rpartition(".")[0]


def _folder(file: str) -> str:
    return file.rpartition("/")[0]


def _not_found(snapshot: Snapshot, element: str, name: str, field: str) -> ElementNotFound:
    found_readings = readings(name)
    path = next((reading.path for reading in found_readings if reading.path), name.partition("#")[0])
    for skipped in snapshot.skipped:
        if path == skipped.path or (skipped.path.endswith("/") and path.startswith(skipped.path)):
            return ElementNotFound(
                f"{shown(element)}: {named(skipped.path)} is not indexed ({skipped.reason})", "Ask for another element."
            )
    if not snapshot.facts:
        return ElementNotFound(no_source(snapshot.skipped), "Ask about another directory.")
    problem = f"no element of the project is called {shown(element)}"
    for file in next(
        (files for reading in found_readings if reading.line and (files := _files(snapshot, reading.path))), []
    ):
        lines = snapshot.facts[file].symbols[0].end_line
        problem = f"{shown(element)} names no element: {named(file)} has {lines} lines"
        return ElementNotFound(problem, f"Ask for {named(file)}, or for a line of it.").instead_of(field, file)
    suggestions = _near(snapshot, name, found_readings)
    hint = (
        f"Did you mean {', '.join(named(name) for name in suggestions[:_SUGGESTED])}?"
        if suggestions
        else f"{_SPELLINGS} coderef_scan lists all elements."
    )
    if words := re.findall(r"[\w$]+", name):
        left = left_out_note(snapshot, None, words[-1])
        hint += f" Not read: {left}." if left else ""
    return ElementNotFound(problem, hint).instead_of(field, *suggestions[:1])


def no_source(skipped: Collection[Skipped]) -> str:
    """A sentence on a project without sources."""
    left = f" The files that were left out ({len(skipped)}) are listed as skipped by coderef_scan." if skipped else ""
    return f"The project has no source file in a supported language ({' '.join(EXTENSIONS)}).{left}"


def _near(snapshot: Snapshot, name: str, found_readings: Sequence[Reading]) -> list[str]:
    """Suggestions, best first: files of that name, names that contain the words, similar names."""
    names = list(dict.fromkeys([name, *(reading.name for reading in found_readings if reading.name)]))
    containing = [symbol.id for name in names for symbol in snapshot.graph.containing(name, 2 * _SUGGESTED)]
    containing = sorted(containing, key=lambda id_: is_stand_in(id_.partition("#")[0]))[:_SUGGESTED]  # a stable sort
    graph = snapshot.graph
    alike = [[one.id for spelled in graph.suggest(name, 5) for one in graph.find(spelled)[:2]] for name in names]
    similar = [id_ for ids in alike for id_ in list(dict.fromkeys(ids))[:5]]
    file_names = {reading.path.rpartition("/")[2] for reading in found_readings if reading.path}
    files = [file for file in snapshot.facts if file.rpartition("/")[2] in file_names]
    return list(dict.fromkeys([*files[:_SUGGESTED], *containing, *similar]))
