"""Elements that are alive without a use: a contract calls them, or what stores them does not name them."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import SPECS
from bearings.code.models import IMPORTS, TYPES, WRITTEN_CALLS, Edge, EdgeKind, Outside, Symbol, SymbolKind
from bearings.code.questions.unused.declared import CONVENTION, STORED, why_alive_by_types
from bearings.code.questions.unused.namespaces import is_handed_whole
from bearings.code.questions.unused.registers import (
    BLOCKS,
    HOLDERS,
    MAKES,
    MOST_USES,
    code_of,
    is_dynamic,
    is_named_class,
    is_named_module,
    is_picked,
    is_stored,
    made_in,
    text_at,
)
from bearings.code.search.element_words import BY_LIBRARIES, is_decorated, is_scanned, lines_in, runs_unnamed, upwards
from bearings.code.search.members import is_handler, relatives, with_members

WHOLE = "in modules that are handed over whole"
NAMED = "in modules that a string names"

_LOOKS = frozenset(
    """isinstance issubclass assert_type reveal_type print repr str log warn error debug info stringify
    keys values entries push append add set""".split()
)
"""Functions that call no method of their argument, beside those of the language, or store it for the project."""

_BINDS = re.compile(
    r"\.(?:apply|assign|bind|call|captureStackTrace|defineProperty|delete|every|filter|forEach|freeze|get|has|map|some"
    r"|setPrototypeOf)$|^super$"
)
"""Functions to which code gives `this` that call no method of it."""

_RUNNERS = re.compile(r"(?<![!\w])(?:mage|ruleguard)\b")
"""Build tags of Go for tools that run each exported function of a file by its name."""

_BY_PAGES = re.compile(r"on(?:[A-Z]|message$|fetch$)|do(?:Get|Post)$")
"""Names of functions that a page's scripts or a host may call: `onYouTubeIframeAPIReady`."""

_COLLECTED = "TestCase"
"""The class of the standard library whose subclasses are found by a runner."""
_DOCTEST = re.compile(rb"^\s*>>> ", re.MULTILINE)

_CALL = re.compile(r"\b(\w+)\s*(?=\(((?:[^()]|\([^()]*\))*))")
_NESTED = re.compile(r"\([^()]*\)")
_NAME = re.compile(r"(?<![\w.])((?:self\.)?\w+)\b(?!\s*[.=])")
"""Calls, with their arguments; what other calls have in these; a variable among them."""

_PLAIN_BASES = frozenset({"object", "ABC", "Generic", "Protocol"})

_LOOKS_UP = re.compile(rb"\bgetattr\([^,()]+,\s*[\w.]+\s*[,)]")
"""Code that takes a member by a name that it computes."""


def why_alive(snapshot: Snapshot, symbol: Symbol) -> str:
    """Why an element may be alive although nothing names it; empty if nothing speaks for that."""
    facts = snapshot.facts[symbol.file]
    if SPECS[facts.language].is_declared:
        return why_alive_by_types(snapshot, symbol)
    idioms = SPECS[facts.language].idioms()
    is_own = symbol.exported and symbol.parent == symbol.file
    # toString, ServeHTTP, `[Symbol.iterator]`, a test, a decorated function: nothing has to name them.
    is_called = symbol.name in BY_LIBRARIES or symbol.name.endswith("]") or runs_unnamed(snapshot, symbol)
    is_called = is_called or bool(symbol.exported and _RUNNERS.search(facts.build))
    is_called = is_called or (is_own and symbol.name in idioms.looked_up)
    is_called = is_called or bool(_BY_PAGES.match(symbol.name) and is_global(snapshot, symbol))
    if is_called or _is_handed_over(snapshot, symbol) or _extends_outside(snapshot, symbol):
        return CONVENTION
    # A class with `test_sum` may be mixed into tests of other projects.
    if symbol.name.startswith("test_") or _has_doctest(snapshot, symbol):
        return CONVENTION
    if is_scanned(snapshot, symbol) or is_picked(snapshot, symbol):
        return CONVENTION
    if is_own and symbol.kind not in TYPES and is_handed_whole(snapshot, symbol.file):
        return WHOLE
    # `const stop = watch(() => …)` is a function.
    if symbol.kind in (*HOLDERS, SymbolKind.FUNCTION) and is_stored(snapshot, symbol):
        return STORED
    is_judged = is_own and symbol.kind not in TYPES and is_dynamic(symbol)
    is_loaded = not symbol.name.isupper()
    return NAMED if is_judged and is_named_module(snapshot, symbol.file, is_loaded=is_loaded) else ""


def _has_doctest(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether a function's docstring holds examples, which doctest runs: `>>> cart.total()`. Python alone."""
    return symbol.kind in BLOCKS and is_dynamic(symbol) and _DOCTEST.search(code_of(snapshot, symbol)) is not None


def _extends_outside(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether a package's class is above a class, which may register it: `class Shop(AppConfig)`. Python alone."""
    if symbol.kind is not SymbolKind.CLASS or not is_dynamic(symbol):
        return False
    classes = (symbol, *relatives(snapshot, symbol.id, upwards=True))
    bases = _outside_bases(snapshot, classes)
    return any(use.why == "external" or use.name.rpartition(".")[2] == _COLLECTED for use in bases)


@lru_cache(maxsize=1)
def _is_mixed_in(snapshot: Snapshot, owner_id: str) -> bool:
    """Whether a class below one has a base outside, whose code may call what the one declares. Python alone."""
    is_judged = is_dynamic(snapshot.graph.symbols[owner_id])
    heirs = relatives(snapshot, owner_id, upwards=False)[:MOST_USES] if is_judged else ()
    bases = _outside_bases(
        snapshot, (one for heir in heirs for one in (heir, *relatives(snapshot, heir.id, upwards=True)))
    )
    return any(use.name.rpartition(".")[2] not in _PLAIN_BASES for use in bases)


def _outside_bases(snapshot: Snapshot, classes: Iterable[Symbol]) -> Iterator[Outside]:
    uses = (use for one in classes for use in snapshot.graph.outside_by_source.get(one.id, ()))
    return (use for use in uses if use.kind is EdgeKind.EXTENDS)


def _is_handed_over(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether outside code may call a member: of an object literal, a decorated class, an interface."""
    owner = snapshot.graph.symbols.get(symbol.parent)
    # Go: any type with `Close()` may be an io.Closer somewhere, also one that only its package can name.
    if symbol.kind is SymbolKind.METHOD and SPECS[snapshot.facts[symbol.file].language].implicit_interfaces:
        return symbol.name[:1].isupper()
    if owner is None:
        return False
    # `socket.onopen = () => …`: of an object that is no element; `configure({onError() {}})`: in one that is passed.
    if is_handler(symbol, owner) or (symbol.kind is SymbolKind.METHOD and owner.kind in BLOCKS):
        return True
    if owner.kind is SymbolKind.MODULE:
        return False
    if owner.kind is SymbolKind.INTERFACE and symbol.kind is SymbolKind.METHOD:
        return True  # an object of a library may have it
    if owner.kind in HOLDERS or is_decorated(snapshot, owner) or _is_mixed_in(snapshot, owner.id):
        return True
    if not symbol.name.startswith("_") and is_named_class(snapshot, owner):
        return True
    # `class Meta` in a form: the package's code reads it.
    outer = snapshot.graph.symbols.get(owner.parent) if owner.kind is SymbolKind.CLASS else None
    return (outer is not None and _extends_outside(snapshot, outer)) or _is_passed(snapshot, owner.id)


@lru_cache(maxsize=1)
def _is_passed(snapshot: Snapshot, owner_id: str) -> bool:
    """Whether code outside gets a class or an object of it: `app.add_route("/", Carts())`, `{ view: Cart }`.

    A constant that holds an object counts as the object.
    """
    graph = snapshot.graph
    owner = graph.symbols[owner_id]
    uses = [edge for edge in graph.edges_to(owner_id, MAKES) if edge.source != owner_id]
    made = (edge for edge in uses if edge.kind is not EdgeKind.REFERENCE)
    held = {
        symbol.id: symbol.name
        for edge in made
        for symbol in _values(snapshot, edge.file).get((edge.source, edge.line), ())
    }
    uses += [edge for id_ in held for edge in graph.edges_to(id_, MAKES)]
    idioms = SPECS[snapshot.facts[owner.file].language].idioms()
    inside = with_members(snapshot, owner).values() if uses or idioms.hands_on else ()
    others = [one.name for one in inside if _gives_no_object(snapshot, one, owner)]
    if idioms.own_lookup is not None and idioms.own_lookup.search(code_of(snapshot, owner)):
        return True
    # `shop.attach(this)`: what gets an object from the inside.
    takers = (use for one in inside if idioms.hands_on for use in graph.outside_by_source.get(one.id, ()))
    if any(_is_argument(snapshot, use, "this", r"\s*[,)]") for use in takers if not _BINDS.search(use.name)):
        return True
    is_result = rf"(?!\s*(?:\([^()]*\))?\s*\.\s*(?:{'|'.join(map(re.escape, others))})\s*\()" if others else ""
    for edge in uses[:MOST_USES]:
        name = re.escape(held.get(edge.target, owner.name))
        is_entry = re.search(rf"[\w\"'\]]\s*:\s*{name}\b\s*[,}})]?\s*$", text_at(snapshot, edge))
        source = graph.symbols.get(edge.source)
        is_in_class = edge.kind is EdgeKind.REFERENCE and source is not None and source.kind is SymbolKind.CLASS
        if is_in_class and re.match(rf"\s+\w+\s*=\s*{name}\s*$", text_at(snapshot, edge)):
            return True  # `config_form = Cart`: whatever reads it may make a class below it
        if (is_entry and not _is_in_own_table(snapshot, edge)) or _is_argument(snapshot, edge, name, is_result):
            return True
        if idioms.hands_on and re.search(idioms.hands_on.format(name=name), text_at(snapshot, edge, above=2)):
            exports = ((row.line, row.local) for row in snapshot.facts[edge.file].exports)
            if (edge.line, held.get(edge.target, owner.name)) not in exports:
                return True
        if edge.kind is not EdgeKind.REFERENCE and _is_passed_on(snapshot, edge, name):
            return True
        if is_dynamic(owner) and _is_looked_up(snapshot, edge, name):
            return True
    keys = re.compile(rf"\bkeyof\s+(?:typeof\s+)?{re.escape(owner.name)}\b")
    return any(keys.search(text_at(snapshot, edge)) for edge in graph.edges_to(owner_id, {EdgeKind.TYPE}))


def _is_looked_up(snapshot: Snapshot, edge: Edge, name: str) -> bool:
    """Whether a call, on a line or the one above, gives a class to code that computes names: `Proxy(api, Carts)`."""
    if not re.search(rf"(?:[(,]\s*|^\s+)(?:\w+\.)*{name}\s*(?:[,)(]|$)", text_at(snapshot, edge)):
        return False
    by_line = made_in(snapshot, edge.source)
    made = (one for line in (edge.line - 1, edge.line) for one in by_line.get(line, ((), ()))[0])
    takers = {one.target for one in made if one.kind in WRITTEN_CALLS and one.target != edge.target}
    return any(_LOOKS_UP.search(code_of(snapshot, snapshot.graph.symbols[id_])) for id_ in takers)


@lru_cache(maxsize=2)
def _values(snapshot: Snapshot, file: str) -> Mapping[tuple[str, int], Sequence[Symbol]]:
    """A file's variables, constants and properties, by what they are in and their lines."""
    values: dict[tuple[str, int], list[Symbol]] = {}
    for symbol in snapshot.facts[file].symbols:
        if symbol.kind in HOLDERS:
            values.setdefault((symbol.parent, symbol.line), []).append(symbol)
    return values


def _is_passed_on(snapshot: Snapshot, edge: Edge, name: str) -> bool:
    """Whether a function keeps an object of a class in a variable, and passes that to a function outside."""
    maker = snapshot.graph.symbols.get(edge.source)
    held = re.search(rf"((?:self\.)?\w+)\s*(?::[^=]+)?=[^=]*\b{name}\s*\(", text_at(snapshot, edge))
    if held is None or maker is None or maker.kind is SymbolKind.MODULE:
        return False
    if held[1].startswith("self."):
        maker = snapshot.graph.symbols.get(maker.parent, maker)
    lines = _arguments(snapshot, edge.file).get(held[1], [])
    first = bisect_left(lines, maker.line)
    return first < len(lines) and lines[first] <= maker.end_line


@lru_cache(maxsize=2)
def _arguments(snapshot: Snapshot, file: str) -> dict[str, list[int]]:
    """The lines of a file's calls of functions outside, by the names among their arguments."""
    found: dict[str, list[int]] = {}
    text = b"\n".join(lines_in(snapshot, file)).decode("utf-8", "replace")
    outside = set().union(*_outside(snapshot, file).values()) - _LOOKS
    line = end = 0
    for call in _CALL.finditer(text):
        line, end = line + text.count("\n", end, call.start()), call.start()
        if call[1] in outside:
            for name in _NAME.findall(_NESTED.sub("()", call[2])):
                found.setdefault(name, []).append(line + 1)
    return found


@lru_cache(maxsize=2)
def _outside(snapshot: Snapshot, file: str) -> dict[int, set[str]]:
    """The last names of a file's uses of what is outside the project, by line."""
    names: dict[int, set[str]] = {}
    for id_ in snapshot.graph.within(file):
        for use in snapshot.graph.outside_by_source.get(id_, ()):
            names.setdefault(use.line, set()).add(use.name.rpartition(".")[2])
    return names


def _is_argument(snapshot: Snapshot, edge: Edge | Outside, name: str, behind: str = "") -> bool:
    """Whether a call of a function outside has a name, and a pattern `behind` it, among its arguments in a line."""
    text, outside = text_at(snapshot, edge), _outside(snapshot, edge.file).get(edge.line, set()) - _LOOKS
    argument = rf"\s*\((?:[^)]|\([^()]*\))*\b{name}\b{behind}"
    return any(re.search(rf"\b{re.escape(call)}{argument}", text) for call in outside if call)


def _gives_no_object(snapshot: Snapshot, member: Symbol, owner: Symbol) -> bool:
    """Whether a method is one of a class, and gives no object of it: `lib.run(cart.total())` passes no cart."""
    if member.parent != owner.id or member.kind is not SymbolKind.METHOD:
        return False
    text = code_of(snapshot, member).decode("utf-8", "replace")
    given = rf"(?:return|yield|->|=>)[^\n]*\b(?:self|Self|this|cls|{re.escape(owner.name)})\b(?!\s*\.)"
    return re.search(given, text) is None


def _is_in_own_table(snapshot: Snapshot, edge: Edge) -> bool:
    """Whether a class is in a table whose entries only the project calls: `TABLE = {`, `"a": Cart`, `TABLE["a"]()`."""
    around = (one for one in snapshot.graph.outline(edge.file) if one.line < edge.line <= one.end_line)
    table = next((one for one in around if one.kind in HOLDERS), None)
    opening = lines_in(snapshot, edge.file)[table.line - 1 : table.line] if table else []
    if table is None or not any(re.search(rb"=\s*\{\s*(?:(?:#|//).*)?$", line) for line in opening):
        return False
    uses = [use for use in snapshot.graph.edges_to(table.id) if use.kind not in IMPORTS]
    name = re.escape(table.name)
    calls = re.compile(rf"\b{name}\s*(?:\[[^\]]*\]|\.get\([^()]*\))\s*\(")
    return bool(uses) and all(
        calls.search(text_at(snapshot, use)) and not _is_argument(snapshot, use, name) for use in uses
    )


def is_merged(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether an interface may add to one that a library declares: `interface Window {}` in a file without exports."""
    return symbol.kind is SymbolKind.INTERFACE and is_global(snapshot, symbol)


def is_global(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether other scripts see a declaration: one of a script that is no module, as it neither imports nor exports."""
    is_script = SPECS[snapshot.facts[symbol.file].language].idioms().augments is not None
    return is_script and symbol.parent == symbol.file and _is_seen_by_all(snapshot, symbol.file)


@lru_cache(maxsize=1)
def _is_seen_by_all(snapshot: Snapshot, file: str) -> bool:
    facts = snapshot.facts[file]
    return not (facts.exports or facts.imports or any(one.exported for one in facts.symbols[1:]))


def opening_lines(lines: Sequence[bytes], number: int) -> Iterator[bytes]:
    """The line of a number, and those that open the blocks around it, by their indentation, the innermost first."""
    least = 1_000
    for line in upwards(lines, number):
        indentation = len(line) - len(line.lstrip())
        if line.strip() and indentation < least:
            least = indentation
            yield line
        if not least:
            return
