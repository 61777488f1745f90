"""The words by which a source may name an element, and the elements that run without being named."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from bearings.code.file_facts import Export, MarkKind
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import SPECS, spec_of
from bearings.code.languages.embedded import is_embedded
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import USES, Edge, Outside, Symbol, SymbolKind
from bearings.code.project.sources import Source
from bearings.code.project.tree import read_from
from bearings.code.project.words import Word
from bearings.code.search.members import relatives
from bearings.code.symbol_tags import TAGGED, component_names, declared_parts, tag_of

_INDEXES = frozenset({"index", "__init__", "mod", "main"})
"""Stems of files that are imported by their folder's name."""

_WHOLE = frozenset({"default", "="})
"""Exports that importers may give any name."""

_RUN = frozenset({"main", "init", "default"})
"""Names that a language or its runtime calls."""

_FUNCTIONS = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
_EXPRESSIONS = frozenset({SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.COMPONENT, SymbolKind.HOOK})
"""Kinds whose declaration may be an expression that is passed on: `call(function named() {})`."""
_MOST_BYTES = 8_000_000
_COMMENT = re.compile(rb"\s*(?://|/?\*|$)")
_REMARK = re.compile(rb"\s*(?://|/?\*)")
_NEAR = 10
"""The lines above an element in which the call that takes it may end, after comments."""
_MOST_USERS = 20

BY_LIBRARIES = frozenset({"toString", "toJSON", "valueOf", "then", "String", "Error", "ServeHTTP", "MarshalJSON"})
"""Methods that a language's standard library calls."""

_PARAMETER = "{[<:*"
"""The start of the first parameter in a route."""


def is_called_unnamed(symbol: Symbol) -> bool:
    """Whether the language or its library calls a method without its name, such as `toString`, `[Symbol.iterator]`."""
    spec = spec_of(symbol.file) if symbol.kind is SymbolKind.METHOD else None
    return spec is not None and (symbol.name in spec.called_unnamed or symbol.name.endswith("]"))


def words_of(snapshot: Snapshot, symbol: Symbol) -> tuple[Word, ...]:
    """The words in a file that uses the element, by the language's rules: its name, its aliases, its file's name.

    Names composed at run time, such as `getattr(x, "on_" + name)`, are not among them.
    """
    if symbol.kind is SymbolKind.MODULE:
        return tuple(dict.fromkeys((_file_word(symbol.file), *_tags(snapshot, symbol))))
    if symbol.kind is SymbolKind.ENDPOINT:
        return (Word(_literal(symbol.detail.path if symbol.detail else symbol.name)),)
    declared = _named(snapshot, symbol)
    if declared.file not in snapshot.facts:  # from an earlier state of the project
        return (Word(declared.name),)
    return tuple(
        dict.fromkeys([Word(declared.name), *_aliases(snapshot, declared.name, declared), *_tags(snapshot, declared)])
    )


def declared_at(snapshot: Snapshot, symbol: Symbol) -> tuple[int, int]:
    """The first and last line between which the declaration's own name is."""
    declared = _named(snapshot, symbol)
    return declared.line, declared.end_line


def runs_unnamed(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether a language, a framework, a test runner or a shell may run the element without naming it."""
    name = symbol.name
    if symbol.kind in (SymbolKind.MODULE, SymbolKind.ENDPOINT) or name in _RUN or is_test(symbol.file):
        return True
    # `__enter__`, `__str__`: Python runs them by syntax; `pytest_configure`: pytest finds its hooks by their names.
    spec = spec_of(symbol.file)
    if (name.startswith("__") and name.endswith("__")) or (spec and spec.hooks and re.match(spec.hooks, name)):
        return True
    facts = snapshot.facts[symbol.file]
    if is_decorated(snapshot, symbol) or (symbol.kind is SymbolKind.CLASS and _is_registered(snapshot, symbol)):
        return True
    # A member of a class with bases: their code may call it.
    owner = _outline(snapshot, symbol.file).indexes.get(symbol.parent)
    shape = facts.shapes[owner] if owner is not None and owner < len(facts.shapes) else None
    return shape is not None and bool(shape.bases or shape.implements)


def is_scanned(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether code of its own module or class goes through all that these declare: `globals()`, `dir(self)`."""
    spec = spec_of(symbol.file)
    is_known = spec is not None and spec.idioms().scans is not None and symbol.parent in snapshot.graph.symbols
    return is_known and _is_gone_through(snapshot, symbol.parent)


@lru_cache(maxsize=1)
def _is_gone_through(snapshot: Snapshot, owner_id: str) -> bool:
    """Whether a module or class, or a relative of it, goes through what it declares."""
    around = (relatives(snapshot, owner_id, upwards=up) for up in (True, False))
    known = _scanning(snapshot)
    for id_ in (owner_id, *(one.id for all_ in around for one in all_)):
        if id_ not in known:
            known[id_] = _scans(snapshot, snapshot.graph.symbols[id_])
        if known[id_]:
            return True
    return False


@lru_cache(maxsize=1)
def _scanning(_snapshot: Snapshot) -> dict[str, bool]:
    """Whether modules and classes go through what they declare, by their ids, as far as that was looked up."""
    return {}


def _scans(snapshot: Snapshot, owner: Symbol) -> bool:
    spec = spec_of(owner.file)
    scans = spec.idioms().scans if spec is not None else None
    lines = lines_in(snapshot, owner.file)[max(owner.line - 1, 0) : owner.end_line]
    group = "module" if owner.kind is SymbolKind.MODULE else "members"
    return scans is not None and any(found[group] for found in scans.finditer(b"\n".join(lines)))


@lru_cache(maxsize=2)
def lines_in(snapshot: Snapshot, file: str) -> Sequence[bytes]:
    """The lines of a file; none if the file can't be read."""
    source = read_from(snapshot.tree, file, _MOST_BYTES)
    return source.data.split(b"\n") if isinstance(source, Source) else []


def upwards(lines: Sequence[bytes], number: int) -> Iterator[bytes]:
    """The line of a number, and those above it, the nearest first."""
    return (lines[above] for above in range(min(number, len(lines)) - 1, -1, -1))


def is_handed_out(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether the comment right above an element gives it to the compiler or a framework."""
    spec = spec_of(symbol.file)
    hands_out = spec.idioms().hands_out if spec is not None else None
    if hands_out is None:
        return False
    above = takewhile(_REMARK.match, upwards(lines_in(snapshot, symbol.file), symbol.line - 1))
    return any(hands_out.match(line) for line in above)


def is_value(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether a function or a class is passed on where it is written, so that it needs no name."""
    spec = spec_of(symbol.file)
    value = spec.idioms().function_value if spec is not None and symbol.kind in _EXPRESSIONS else None
    lines = lines_in(snapshot, symbol.file)[max(symbol.line - _NEAR, 0) : symbol.line] if value is not None else ()
    if value is None or not lines:
        return False
    # `define(\n    "cart",\n    // of the shop\n    class Cart {`: an argument may begin on a line of its own.
    code = (line for line in reversed(lines[:-1]) if not _COMMENT.match(line))
    before = next(code, b"") if lines[-1][:1].isspace() else b""
    return value.search(before + b"\n" + lines[-1]) is not None


def _is_registered(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether a base of a class may store its subclasses: by a method that is told of them, a metaclass, or a list."""
    graph, spec = snapshot.graph, spec_of(symbol.file)
    if spec is None or not spec.told_of_subclasses:
        return False
    bases = relatives(snapshot, symbol.id, upwards=True)
    if any(graph.members(base, spec.told_of_subclasses) for base in bases):
        return True
    if any(re.search(spec.metaclass, one.signature) for one in (symbol, *bases)):
        return True
    listed = graph.unresolved_by_name.get(spec.lists_subclasses, ()) if bases else ()
    listing = {use.name.rpartition(".")[0].rpartition(".")[2] for use in listed}
    return not listing.isdisjoint(("cls", "self", "…", *(base.name for base in bases)))


def running_names(snapshot: Snapshot, symbol: Symbol) -> frozenset[str]:
    """The names of a function and of its users outside tests. A test that runs the function holds one of them.

    Empty if something may run one of them without a name, if nothing is known to use one, or if they are many.
    """
    graph = snapshot.graph
    seen, waiting, names = {symbol.id}, [symbol], set()
    while waiting:
        here = waiting.pop()
        # Its uses, and those of its name that lead nowhere: not its own code, nor the assignment that declares it.
        unresolved = graph.unresolved(here)
        named: list[Edge | Outside] = [*graph.edges_to(here.id, USES), *unresolved]
        uses = [use for use in named if use.source != here.id and (use.source, use.line) != (here.file, here.line)]
        is_plain = here.kind in _FUNCTIONS and not is_called_unnamed(here)
        runs_by_name = is_plain and not runs_unnamed(snapshot, here) and words_of(snapshot, here) == (Word(here.name),)
        # One user that something may run unnamed is enough: then a test may run the function without any of the names.
        if not uses or len(seen) > _MOST_USERS or not runs_by_name:
            return frozenset()
        names.add(here.name)
        for id_ in {use.source for use in uses if not is_test(use.file)} - seen:
            if id_ not in graph.symbols:
                return frozenset()
            seen.add(id_)
            waiting.append(graph.symbols[id_])
    return frozenset(names)


def _named(snapshot: Snapshot, symbol: Symbol) -> Symbol:
    """The symbol whose name users write: for a constructor its class."""
    owner = snapshot.graph.symbols.get(symbol.parent)
    is_class = owner is not None and owner.kind is not SymbolKind.MODULE
    return owner if symbol.kind is SymbolKind.CONSTRUCTOR and owner is not None and is_class else symbol


def _aliases(snapshot: Snapshot, name: str, symbol: Symbol) -> Iterator[Word]:
    """The names under which a file exports an element: `export {a as b}`; for a default export the file's name."""
    for export in snapshot.facts[symbol.file].exports if symbol.parent == symbol.file else ():
        if export.module or export.name == "*" or export.name.startswith(TAGGED):
            continue
        if export.name in _WHOLE:
            if export.local == name or _is_wrapped(snapshot, symbol, export):
                yield _file_word(symbol.file)
        elif export.local == name != export.name:
            yield Word(export.name)


def _tags(snapshot: Snapshot, symbol: Symbol) -> Iterator[Word]:
    """The tags of a component: by the folders and the name of its file, and those under which it is registered."""
    facts = snapshot.facts.get(symbol.file)
    is_whole = symbol.kind is SymbolKind.MODULE
    is_component = is_embedded(symbol.file) and (is_whole or symbol.kind is SymbolKind.COMPONENT)
    below = f"/{symbol.file}".rpartition("/components/" if "/components/" in f"/{symbol.file}" else "/")[2]
    names = component_names(below.rpartition(".")[0]) if is_component else ()
    exports = [row for row in facts.exports if row.name.startswith(TAGGED)] if facts is not None else []
    tags = [row for row in exports if not declared_parts(row.name)[1]]
    registered = [row.name[1:-1] for row in tags if is_whole or row.local == symbol.name]
    for name in dict.fromkeys((*names, *registered)):
        yield Word(name)
        if "-" in tag_of(name):
            yield Word(tag_of(name))


def _is_wrapped(snapshot: Snapshot, symbol: Symbol, export: Export) -> bool:
    """Whether an export wraps the element, as in `export default observer(symbol)`, or its class."""
    # `export default login` names it; `export default observer(login)` is an expression around it.
    if type(export.local) is str and export.local.isidentifier():
        return False
    inside = (edge.line for edge in snapshot.graph.edges_to(symbol.id) if edge.file == symbol.file)
    return symbol.line == export.line or any(line >= export.line for line in inside)


def _file_word(path: str) -> Word:
    """The word for a file in an import: its name without the extension, or its folder's name."""
    folder, _, name = path.rpartition("/")
    stem = name.rpartition(".")[0].removesuffix(".d") or name
    # `import cart` loads cart/__init__.py, and `./cart` loads cart/index.ts.
    stem = folder.rpartition("/")[2] if stem in _INDEXES and folder else stem
    spec = spec_of(path)
    return Word(stem, is_path=spec is None or spec.module_separator == "/")


def _literal(path: str) -> str:
    """The part of a route before its first parameter, as in callers' URLs."""
    parts = path.split("/")
    known = next((at for at, part in enumerate(parts) if part and part[0] in _PARAMETER), len(parts))
    return "/".join(parts[:known])


_MOST_HEAD = 5
"""The lines below its first decorator on which an element may have another one."""


class _Outline(NamedTuple):
    """Of a file: the first index of each symbol by its id, and the lines of decorators and of ends, in order.

    `idle` are the lines of decorators that give what they stand at to no framework.
    """

    indexes: dict[str, int]
    decorators: list[int]
    ends: list[int]
    idle: frozenset[int]


@lru_cache(maxsize=1)
def _outline(snapshot: Snapshot, file: str) -> _Outline:
    facts = snapshot.facts[file]
    indexes = {symbol.id: index for index, symbol in reversed(list(enumerate(facts.symbols)))}
    is_idle = SPECS[facts.language].idioms().idle_decorators
    marks = [mark for mark in facts.marks if mark.kind == MarkKind.DECORATOR]
    idle = [mark for mark in marks if is_idle is not None and is_idle.match(mark.text)]
    used = frozenset(marks).difference(idle)
    ends = sorted(symbol.end_line for symbol in facts.symbols[1:])
    return _Outline(indexes, sorted(mark.line for mark in used), ends, frozenset(mark.line for mark in idle))


def is_decorated(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether a decorator is on the first line of the element or above it, with no other element between them.

    One that is not idle may follow an idle one with which the element begins.
    """
    _, decorators, ends, idle = _outline(snapshot, symbol.file)
    last = min(symbol.end_line, symbol.line + _MOST_HEAD) if symbol.line in idle else symbol.line
    above = bisect_right(decorators, last)
    if not above or SPECS[snapshot.facts[symbol.file].language].is_declared:  # its element includes a decorator
        return above > 0 and decorators[above - 1] >= symbol.line
    between = bisect_left(ends, decorators[above - 1])
    return between == len(ends) or ends[between] >= symbol.line
