"""Elements that are alive without a use: what calls them, or stores them, does not name them."""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import SPECS
from bearings.code.models import Edge, EdgeKind, Outside, Symbol, SymbolKind
from bearings.code.questions.unused.namespaces import is_handed_whole
from bearings.code.search.element_words import BY_LIBRARIES, is_decorated, lines_in, runs_unnamed
from bearings.code.search.members import is_handler, relatives, with_members
from bearings.code.search.reach import IMPORTS

CONVENTION = "called by convention"
STORED = "values that a call may store"
WHOLE = "in modules that are handed over whole"
PLACE = "constants that a later one counts on"

_HOLDERS = frozenset({SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.PROPERTY})
"""Kinds whose methods are members of an object literal, which any code may receive."""

_FILLS = frozenset({"push", "unshift", "set", "add", "append", "insert", "extend", "concat", "setdefault", "update"})
"""Methods of lists, sets and maps that store their arguments, or give a list to be stored in their place."""

_REGISTERS = frozenset(
    """subscribe watch watchEffect effect observe on once listen register connect setInterval setTimeout
    addEventListener addListener""".split()
)
"""Methods and functions of libraries that go on without the value that they give: `const stop = watch(…)`."""

_STARTS = re.compile(
    r"(?:on|start|run|init|initialize|register|subscribe|watch|mount|connect|observe|spawn|setup)(?![a-z])"
)
"""The beginning of the names of functions that do more than to give a value: `const server = startServer()`."""

_PLAIN = frozenset("Array Date Error Map Object RegExp Set URL URLSearchParams WeakMap WeakSet".split())
"""Classes whose construction has no effect."""

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

_MAKES = frozenset({EdgeKind.NEW, EdgeKind.CALL, EdgeKind.REFERENCE})
_MAKERS = frozenset({EdgeKind.NEW, EdgeKind.CALL})
_MOST_USES = 50

_TYPES = frozenset({SymbolKind.INTERFACE, SymbolKind.TYPE})

_BLOCKS = frozenset(
    {
        SymbolKind.MODULE, SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.COMPONENT, SymbolKind.HOOK,
        SymbolKind.CONSTRUCTOR,
    }
)  # fmt: skip
"""Kinds whose code may hold object literals: a method in one is a member of such an object."""


def why_alive(snapshot: Snapshot, symbol: Symbol) -> str:
    """Why an element may be alive although nothing names it; empty if nothing speaks for that."""
    facts = snapshot.facts[symbol.file]
    idioms = SPECS[facts.language].idioms()
    is_own = symbol.exported and symbol.parent == symbol.file
    # toString, ServeHTTP, `[Symbol.iterator]`, a test, a decorated function: nothing has to name them.
    is_called = symbol.name in BY_LIBRARIES or symbol.name.endswith("]") or runs_unnamed(snapshot, symbol)
    is_called = is_called or bool(symbol.exported and _RUNNERS.search(facts.build))
    is_called = is_called or (is_own and symbol.name in idioms.looked_up)
    is_called = is_called or bool(idioms.hands_on and _BY_PAGES.match(symbol.name) and _is_script(snapshot, symbol))
    if is_called or _is_handed_over(snapshot, symbol) or _extends_outside(snapshot, symbol):
        return CONVENTION
    if is_own and symbol.kind not in _TYPES and is_handed_whole(snapshot, symbol.file):
        return WHOLE
    # `const stop = watch(() => …)` is a function.
    return STORED if symbol.kind in (*_HOLDERS, SymbolKind.FUNCTION) and _is_stored(snapshot, symbol) else ""


def _extends_outside(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether a package's class is above a class, which may register it: `class Shop(AppConfig)`. Python alone."""
    if symbol.kind is not SymbolKind.CLASS or not SPECS[snapshot.facts[symbol.file].language].told_of_subclasses:
        return False
    classes = (symbol, *relatives(snapshot, symbol.id, upwards=True))
    bases = (use for one in classes for use in snapshot.graph.outside_by_source.get(one.id, ()))
    return any(use.kind is EdgeKind.EXTENDS and use.why == "external" for use in bases)


def _is_stored(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether the call that makes a value may store it: `const open = register({…})`, where `register` fills a list."""
    graph = snapshot.graph
    given = [use for use in graph.outside_by_source.get(symbol.parent, ()) if use.line == symbol.line]
    made = [edge for edge in graph.edges_from(symbol.parent, _MAKERS) if edge.line == symbol.line]
    calls = [use.name.rpartition(".")[2] for use in given if use.kind is EdgeKind.CALL]
    calls += [graph.symbols[edge.target].name for edge in made]
    if any(name in _REGISTERS or _STARTS.match(name) for name in calls):
        return True
    is_constructed = any(use.kind is EdgeKind.NEW and use.name not in _PLAIN for use in given)
    if is_constructed or any(edge.kind is EdgeKind.NEW for edge in made):
        return True
    makers = {edge.target for edge in made}
    outside = (use.name for maker in makers for use in graph.outside_by_source.get(maker, ()))
    return any(name.rpartition(".")[2] in _FILLS for name in outside) or any(
        graph.edges_from(maker, {EdgeKind.WRITE}) for maker in makers
    )


def _is_handed_over(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether outside code may call a member: of an object literal, a decorated class, an interface."""
    owner = snapshot.graph.symbols.get(symbol.parent)
    # Go: any type with `Close()` may be an io.Closer somewhere, also one that only its package can name.
    if symbol.kind is SymbolKind.METHOD and SPECS[snapshot.facts[symbol.file].language].implicit_interfaces:
        return symbol.name[:1].isupper()
    if owner is None:
        return False
    # `socket.onopen = () => …`: of an object that is no element; `configure({onError() {}})`: in one that is passed.
    if is_handler(symbol, owner) or (symbol.kind is SymbolKind.METHOD and owner.kind in _BLOCKS):
        return True
    if owner.kind is SymbolKind.MODULE:
        return False
    if owner.kind is SymbolKind.INTERFACE and symbol.kind is SymbolKind.METHOD:
        return True  # an object of a library may have it
    return owner.kind in _HOLDERS or is_decorated(snapshot, owner) or _is_passed(snapshot, owner.id)


@lru_cache(maxsize=1)
def _is_passed(snapshot: Snapshot, owner_id: str) -> bool:
    """Whether code outside gets a class or an object of it: `app.add_route("/", Carts())`, `{ view: Cart }`.

    A constant that holds an object counts as the object.
    """
    graph = snapshot.graph
    owner = graph.symbols[owner_id]
    uses = [edge for edge in graph.edges_to(owner_id, _MAKES) if edge.source != owner_id]
    made_at = {(edge.source, edge.line) for edge in uses if edge.kind is not EdgeKind.REFERENCE}
    held = {
        symbol.id: symbol.name
        for file in dict.fromkeys(edge.file for edge in uses)
        for symbol in snapshot.facts[file].symbols
        if symbol.kind in _HOLDERS and (symbol.parent, symbol.line) in made_at
    }
    uses += [edge for id_ in held for edge in graph.edges_to(id_, _MAKES)]
    idioms = SPECS[snapshot.facts[owner.file].language].idioms()
    inside = with_members(snapshot, owner).values() if uses or idioms.hands_on else ()
    others = [one.name for one in inside if _gives_no_object(snapshot, one, owner)]
    body = b"\n".join(lines_in(snapshot, owner.file)[owner.line - 1 : owner.end_line])
    if idioms.own_lookup is not None and idioms.own_lookup.search(body):
        return True
    # `shop.attach(this)`: what gets an object from the inside.
    takers = (use for one in inside if idioms.hands_on for use in graph.outside_by_source.get(one.id, ()))
    if any(_is_argument(snapshot, use, "this", r"\s*[,)]") for use in takers if not _BINDS.search(use.name)):
        return True
    is_result = rf"(?!\s*(?:\([^()]*\))?\s*\.\s*(?:{'|'.join(map(re.escape, others))})\s*\()" if others else ""
    for edge in uses[:_MOST_USES]:
        name = re.escape(held.get(edge.target, owner.name))
        is_entry = re.search(rf"[\w\"'\]]\s*:\s*{name}\b\s*[,}})]?\s*$", _text(snapshot, edge))
        if (is_entry and not _is_in_own_table(snapshot, edge)) or _is_argument(snapshot, edge, name, is_result):
            return True
        if idioms.hands_on and re.search(idioms.hands_on.format(name=name), _text(snapshot, edge, above=2)):
            exports = ((row.line, row.local) for row in snapshot.facts[edge.file].exports)
            if (edge.line, held.get(edge.target, owner.name)) not in exports:
                return True
    keys = re.compile(rf"\bkeyof\s+(?:typeof\s+)?{re.escape(owner.name)}\b")
    return any(keys.search(_text(snapshot, edge)) for edge in graph.edges_to(owner_id, {EdgeKind.TYPE}))


def _text(snapshot: Snapshot, edge: Edge | Outside, above: int = 0) -> str:
    """The line of a use, and as many characters of the line above it."""
    *before, line = lines_in(snapshot, edge.file)[max(edge.line - 2, 0) : edge.line] or [b""]
    text = b"\n".join([*(one.rstrip()[-above:] for one in before if above), line])
    return text.decode("utf-8", "replace")


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
    text, outside = _text(snapshot, edge), _outside(snapshot, edge.file).get(edge.line, set()) - _LOOKS
    argument = rf"\s*\((?:[^)]|\([^()]*\))*\b{name}\b{behind}"
    return any(re.search(rf"\b{re.escape(call)}{argument}", text) for call in outside if call)


def _gives_no_object(snapshot: Snapshot, member: Symbol, owner: Symbol) -> bool:
    """Whether a method is one of a class, and gives no object of it: `lib.run(cart.total())` passes no cart."""
    if member.parent != owner.id or member.kind is not SymbolKind.METHOD:
        return False
    text = b"\n".join(lines_in(snapshot, member.file)[member.line - 1 : member.end_line]).decode("utf-8", "replace")
    given = rf"(?:return|yield|->|=>)[^\n]*\b(?:self|Self|this|cls|{re.escape(owner.name)})\b(?!\s*\.)"
    return re.search(given, text) is None


def _is_in_own_table(snapshot: Snapshot, edge: Edge) -> bool:
    """Whether a class is in a table whose entries only the project calls: `TABLE = {`, `"a": Cart`, `TABLE["a"]()`."""
    around = (one for one in snapshot.graph.outline(edge.file) if one.line < edge.line <= one.end_line)
    table = next((one for one in around if one.kind in _HOLDERS), None)
    opening = lines_in(snapshot, edge.file)[table.line - 1 : table.line] if table else []
    if table is None or not any(re.search(rb"=\s*\{\s*(?:(?:#|//).*)?$", line) for line in opening):
        return False
    uses = [use for use in snapshot.graph.edges_to(table.id) if use.kind not in IMPORTS]
    name = re.escape(table.name)
    calls = re.compile(rf"\b{name}\s*(?:\[[^\]]*\]|\.get\([^()]*\))\s*\(")
    return bool(uses) and all(
        calls.search(_text(snapshot, use)) and not _is_argument(snapshot, use, name) for use in uses
    )


def is_merged(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether an interface may add to one that a library declares: `interface Window {}` in a file without exports."""
    return symbol.kind is SymbolKind.INTERFACE and _is_script(snapshot, symbol)


def _is_script(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether all files see a declaration, as those of a file without imports and exports."""
    return symbol.parent == symbol.file and _is_seen_by_all(snapshot, symbol.file)


@lru_cache(maxsize=1)
def _is_seen_by_all(snapshot: Snapshot, file: str) -> bool:
    facts = snapshot.facts[file]
    return not (facts.exports or facts.imports or any(one.exported for one in facts.symbols[1:]))


def upwards(lines: Sequence[bytes], number: int) -> Iterator[bytes]:
    """The line of a number, and those above it, the nearest first."""
    return (lines[above] for above in range(min(number, len(lines)) - 1, -1, -1))


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


def holding_places(snapshot: Snapshot, unused: Collection[Symbol]) -> Iterator[str]:
    """The ids of unused constants without which a later one has another value: of Go's `a = iota`, `b`, `c` in a group.

    The later one is in use: `c` is 2 because of `a` and `b`.
    """
    gone = {symbol.id for symbol in unused if symbol.kind is SymbolKind.CONSTANT}
    for file in dict.fromkeys(symbol.file for symbol in unused if symbol.id in gone):
        continues = SPECS[snapshot.facts[file].language].idioms().continues
        if continues is None:
            continue
        is_counted_on = False
        for symbol in reversed(snapshot.facts[file].symbols):
            if symbol.kind is SymbolKind.CONSTANT:
                if is_counted_on and symbol.id in gone:
                    yield symbol.id
                is_next = continues.search(symbol.signature) is not None
                is_counted_on = is_next and (is_counted_on or symbol.id not in gone)
