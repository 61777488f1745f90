"""Elements that registers, modules and groups of constants store, so that nothing has to name them."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import SPECS, spec_of
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import IMPORTS, WRITTEN_CALLS, Edge, EdgeKind, Outside, Symbol, SymbolKind
from bearings.code.project.words import Budget, Texts
from bearings.code.search.element_words import lines_in
from bearings.code.search.members import relatives

PLACE = "constants that a later one counts on"
ENUMERATED = "values of a type that counts them"

HOLDERS = frozenset({SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.PROPERTY})
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

_NAMED_MODULE = re.compile(rb"""(?<!getLogger\()(?:["']|[A-Z]\s*=\s*)((?:\w+\.)+\w+)(?:["']|\s)""")
"""A string, or a value in a configuration, that may name a module: `DJANGO_SETTINGS_MODULE = shop.settings`."""
_SETTINGS = re.compile(rb"SETTINGS_MODULE\W+(\w+)\b(?!\.)")
"""The name of a module of settings beside the file: `os.environ["DJANGO_SETTINGS_MODULE"] = "settings"`."""
_LOADS = re.compile(rb"\b(?:import_module|__import__|import_string)\(")
"""Code that loads modules by their names, and may go on to take what they declare."""
_IN_TEST, _IN_CODE, _IN_LOADER = range(3)
_STARRED = re.compile(r"^\s*from\s+[\w.]+\s+import\s+\*")

LISTS = re.compile(rb"\b(?:vars|dir|getmembers)\(|\.__dict__\b")
"""Code that goes through what a module declares."""
_KEYED = re.compile(rb"[\w\])]\[[^\]\n]+\]\s*=[^=]")
"""Code that stores under a key: `ALL[name] = value`."""
_GIVES_ITSELF = re.compile(rb"[(,=][ \t]*self[ \t]*(?:[,);#]|$)", re.MULTILINE)
"""Code of a constructor that stores the object elsewhere: `ALL.append(self)`."""

MAKES = frozenset({EdgeKind.NEW, EdgeKind.CALL, EdgeKind.REFERENCE})
MOST_USES = 50

BLOCKS = frozenset(
    {
        SymbolKind.MODULE, SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.COMPONENT, SymbolKind.HOOK,
        SymbolKind.CONSTRUCTOR,
    }
)  # fmt: skip
"""Kinds whose code may hold object literals: a method in one is a member of such an object."""


def is_dynamic(symbol: Symbol) -> bool:
    """Whether a language tells classes of their subclasses, and lists what modules declare: Python."""
    spec = spec_of(symbol.file)
    return spec is not None and bool(spec.told_of_subclasses)


def is_picked(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether code that goes through modules may pick a class by its base, or an object by its class.

    `for one in vars(module).values(): if issubclass(one, Plugin)`. Python alone.
    """
    if not is_dynamic(symbol):
        return False
    if symbol.kind is SymbolKind.CLASS:
        return any(_picks(snapshot, base.id, "issubclass") for base in relatives(snapshot, symbol.id, upwards=True))
    edges, _ = made_in(snapshot, symbol.parent).get(symbol.line, ((), ())) if symbol.kind in HOLDERS else ((), ())
    return any(_picks(snapshot, edge.target, "isinstance") for edge in edges)


@lru_cache(maxsize=1)
def _picking(_snapshot: Snapshot) -> dict[tuple[str, str], bool]:
    """What _picks found for classes and checks."""
    return {}


def _picks(snapshot: Snapshot, class_id: str, check: str) -> bool:
    """Whether code compares with a class, for an object in a file that lists what modules declare."""
    known, key = _picking(snapshot), (class_id, check)
    if key not in known:
        uses = (
            edge for edge in snapshot.graph.edges_to(class_id)[:MOST_USES] if f"{check}(" in text_at(snapshot, edge)
        )
        known[key] = any(check == "issubclass" or _lists(snapshot, edge.file) for edge in uses)
    return known[key]


@lru_cache(maxsize=2)
def _lists(snapshot: Snapshot, file: str) -> bool:
    return any(LISTS.search(line) for line in lines_in(snapshot, file))


@lru_cache(maxsize=2)
def is_named_module(snapshot: Snapshot, file: str, *, is_loaded: bool) -> bool:
    """Whether a string names a module, or one that takes all of it: `from .base import *`. Python alone.

    With `is_loaded`, only strings count in code that loads modules by their names.
    """
    seen, waiting = {file}, [file]
    while waiting:
        path = waiting.pop()
        if _named(snapshot).get(_tail(path), -1) >= (_IN_LOADER if is_loaded else _IN_TEST):
            return True
        for edge in snapshot.graph.edges_to(path, IMPORTS):
            if edge.file not in seen and _STARRED.match(text_at(snapshot, edge)):
                seen.add(edge.file)
                waiting.append(edge.file)
    return False


def is_named_class(snapshot: Snapshot, owner: Symbol) -> bool:
    """Whether a string names a class for a framework: `"shop.middleware.Basket"`. Python alone."""
    name = b".".join((_tail(owner.file).rpartition(b".")[2], owner.name.encode()))
    return is_dynamic(owner) and _named(snapshot).get(name, -1) >= _IN_CODE


def _tail(path: str) -> bytes:
    """The last two parts of the dotted name of a file's module."""
    return ".".join(path.rpartition(".")[0].removesuffix("/__init__").split("/")[-2:]).encode()


@lru_cache(maxsize=1)
def _named(snapshot: Snapshot) -> Mapping[bytes, int]:
    """The last two parts of dotted names in strings of sources and configurations, with the best place of each."""
    texts = Texts(snapshot.tree, {*snapshot.facts, *snapshot.project.manifests}, Budget(seconds=30.0))
    places: dict[bytes, int] = {}
    for file, data in texts.read():
        place = _IN_TEST if is_test(file) else _IN_LOADER if _LOADS.search(data) else _IN_CODE
        tails = {b".".join(name.split(b".")[-2:]) for name in _NAMED_MODULE.findall(data)}
        tails.update(_tail(f"{file.rpartition('/')[0]}/{name.decode()}.py") for name in _SETTINGS.findall(data))
        places.update((tail, max(place, places.get(tail, place))) for tail in tails)
    return places


def is_stored(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether the call that makes a value may store it: `const open = register({…})`, where `register` fills a list."""
    edges, given = made_in(snapshot, symbol.parent).get(symbol.line, ((), ()))
    made = [edge for edge in edges if edge.kind in WRITTEN_CALLS]
    calls = [use.name.rpartition(".")[2] for use in given if use.kind is EdgeKind.CALL]
    calls += [snapshot.graph.symbols[edge.target].name for edge in made]
    if any(name in _REGISTERS or _STARTS.match(name) for name in calls):
        return True
    is_constructed = any(use.kind is EdgeKind.NEW and use.name not in _PLAIN for use in given)
    if is_constructed or any(edge.kind is EdgeKind.NEW and not is_dynamic(symbol) for edge in made):
        return True
    return any(_stores(snapshot, edge.target) for edge in made)


@lru_cache(maxsize=2)
def _stores(snapshot: Snapshot, maker_id: str) -> bool:
    """Whether a function may store what it makes, or a class its objects."""
    graph = snapshot.graph
    maker = graph.symbols[maker_id]
    if maker.kind is SymbolKind.CLASS:
        classes = (maker, *relatives(snapshot, maker_id, upwards=True))
        made = (one for cls in classes for one in graph.members(cls, "__init__"))
        return any(_GIVES_ITSELF.search(code_of(snapshot, one).partition(b"\n")[2]) for one in made)
    outside = graph.outside_by_source.get(maker_id, ())
    if any(use.name.rpartition(".")[2] in _FILLS for use in outside) or graph.edges_from(maker_id, {EdgeKind.WRITE}):
        return True
    return maker.kind in BLOCKS and _KEYED.search(code_of(snapshot, maker)) is not None


@lru_cache(maxsize=2)
def made_in(snapshot: Snapshot, parent: str) -> Mapping[int, tuple[Sequence[Edge], Sequence[Outside]]]:
    """What a symbol calls, constructs and refers to, inside and outside the project, by line."""
    by_line: dict[int, tuple[list[Edge], list[Outside]]] = {}
    for edge in snapshot.graph.edges_from(parent, MAKES):
        by_line.setdefault(edge.line, ([], []))[0].append(edge)
    for use in snapshot.graph.outside_by_source.get(parent, ()):
        by_line.setdefault(use.line, ([], []))[1].append(use)
    return by_line


def code_of(snapshot: Snapshot, symbol: Symbol) -> bytes:
    """The lines of an element."""
    return b"\n".join(lines_in(snapshot, symbol.file)[symbol.line - 1 : symbol.end_line])


def text_at(snapshot: Snapshot, edge: Edge | Outside, above: int = 0) -> str:
    """The line of a use, and as many characters of the line above it."""
    *before, line = lines_in(snapshot, edge.file)[max(edge.line - 2, 0) : edge.line] or [b""]
    text = b"\n".join([*(one.rstrip()[-above:] for one in before if above), line])
    return text.decode("utf-8", "replace")


def enumerated(snapshot: Snapshot, unused: Collection[Symbol]) -> Iterator[str]:
    """The ids of unused constants that a group of a named type counts: Go's `Red Colour = iota`, `Blue`.

    A number or a text may become one. Members of an enumeration in other languages are not judged either.
    """
    gone = {symbol.id for symbol in unused if symbol.kind is SymbolKind.CONSTANT}
    for file in dict.fromkeys(symbol.file for symbol in unused if symbol.id in gone):
        idioms, is_counted = SPECS[snapshot.facts[file].language].idioms(), False
        if idioms.counts is None or idioms.continues is None:
            continue
        for symbol in snapshot.facts[file].symbols:
            if symbol.kind is SymbolKind.CONSTANT:
                is_next = is_counted and idioms.continues.search(symbol.signature) is not None
                is_counted = is_next or idioms.counts.search(symbol.signature) is not None
                if is_counted and symbol.id in gone:
                    yield symbol.id


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
