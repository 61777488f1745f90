"""The elements that a name may mean: the project's own definitions come before their stand-ins in tests.

elements found                                elements that `save` means
src/store.ts#Store.save, tests/a.test.ts#save Store.save
api/user.go#save, web/user.ts#save            both, the most used first
push = queue.push, Queue.push                 Queue.push: the variable only renames it
"""

import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from bearings.code.expressions import split
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.languages.spec import Capability
from bearings.code.models import IMPORTS, VARIABLES, Symbol, SymbolKind
from bearings.code.resolve.giving_up import NeedsIndex
from bearings.code.search.capabilities import lacks
from bearings.code.search.members import CONTAINERS, places, with_members
from bearings.code.search.place_formats import readings
from bearings.code.search.reach import without_guesses
from bearings.untrusted import named

_COUNTED = 100
"""The most elements of one name whose uses are counted."""

_STAND_INS = re.compile(
    r"(?:^|/)(?:__(?:tests?|e2e|mocks?|stories|fixtures)__|mocks?|stories|fixtures|testdata|test[-_]?(?:utils?|helpers?))/"
    r"|(?:^|/)mocks?[._-][^/]*$|[._-](?:mocks?|stories|story|fixtures?)\.\w+$|\.[a-z]+test\.\w+$",
    re.IGNORECASE,
)
_GENERATED = re.compile(
    r"(?:^|/)(?:generated|__generated__)/|[._-]gen(?:erated)?\.\w+$|_pb2?(?:_grpc)?\.\w+$|\.pb\."
    r"|\.d\.[cm]?ts$|\.pyi$"
)


@lru_cache(maxsize=1 << 14)
def is_stand_in(path: str) -> bool:
    """Whether a file belongs to tests: it tests, or holds mocks, stories or fixtures."""
    return is_test(path) or _STAND_INS.search(path) is not None


def bare_name(spelling: str, symbol: Symbol) -> str:
    """The caller's spelling without a file, if it is the end of the symbol's qualified name; else empty.

    For the symbol Store.save: "save" for `save` and for `def save():`, "" for `src/store.ts#Store.save` and `load`.
    """
    names = (spelling.strip(), *(one.name for one in readings(spelling) if not one.path))
    return next((name for name in names if name and f".{symbol.qualified_name}".endswith(f".{name}")), "")


def likely_elements(snapshot: Snapshot, spelling: str, symbols: Sequence[Symbol]) -> list[Symbol]:
    """The elements that a spelling may mean, of those that were found for it; the most used first.

    Methods of classes join the elements that have a bare name alone; all longer names, if these only stand in.
    Stand-ins, generated elements, declarations (`.d.ts`) and variables that only rename are left out beside others.
    """
    name = bare_name(spelling, symbols[0])
    # `save` alone may mean Store.save, too; `Store.save` may not mean Big.Store.save beside a Store of the project.
    if name and name == symbols[0].qualified_name:
        stand_in = min(rank(snapshot, symbol) for symbol in symbols)
        longer = snapshot.graph.longer_names(name)
        symbols = [
            *symbols,
            *(one for one in longer if (stand_in or _is_method(snapshot, one)) and not _is_inside_one_of(one, symbols)),
        ]
    if len(symbols) == 1:
        return [*symbols]
    ranks = [rank(snapshot, symbol) for symbol in symbols]
    remaining = [symbol for symbol, symbol_rank in zip(symbols, ranks, strict=True) if symbol_rank == min(ranks)]
    remaining = one_of_each(snapshot, remaining)
    return by_use(snapshot, remaining) if len(remaining) > 1 else remaining


def one_of_each(snapshot: Snapshot, symbols: Sequence[Symbol]) -> list[Symbol]:
    """The first place of each of some elements."""
    seen: set[str] = set()
    found = []
    for symbol in symbols:
        if symbol.id not in seen:
            all_places = places(snapshot, symbol)
            seen.update(one.id for one in all_places)
            found.append(all_places[0])
    return found


def by_use(snapshot: Snapshot, symbols: Sequence[Symbol]) -> list[Symbol]:
    """Elements, the most used first; uses in tests count between those with the same number of other ones."""
    counts = [_count(snapshot, symbol) for symbol in symbols[:_COUNTED]]
    counts += [(0, 0)] * (len(symbols) - len(counts))
    order = sorted(range(len(symbols)), key=lambda at: (*counts[at], symbols[at].exported, -at), reverse=True)
    return [symbols[at] for at in order]


def _count(snapshot: Snapshot, symbol: Symbol) -> tuple[float, int]:
    """The number of uses outside tests, and of all. Where counting takes an index, there are many."""
    try:
        files = list(_users(snapshot, symbol))
    except NeedsIndex:
        return math.inf, 0
    return sum(not is_stand_in(file) for file in files), len(files)


def uses_of(snapshot: Snapshot, symbol: Symbol) -> int | None:
    """The number of uses of an element and its members from outside, without imports; None if uses are guesses."""
    return None if lacks(symbol.file, Capability.EDGES) else sum(1 for _ in _users(snapshot, symbol))


def _users(snapshot: Snapshot, symbol: Symbol) -> Iterator[str]:
    """The file of each of these uses."""
    members = with_members(snapshot, symbol)
    for member in members:
        for edge in without_guesses(snapshot.graph.edges_to(member)):
            if edge.kind not in IMPORTS and (len(members) == 1 or edge.source not in members):
                yield edge.file


def labels(snapshot: Snapshot, symbols: Sequence[Symbol]) -> list[str]:
    """The number of uses of each element in brackets; empty where counting takes an index, or uses are guesses."""
    counts = [
        (math.inf, 0) if lacks(one.file, Capability.EDGES) else _count(snapshot, one) for one in symbols[:_COUNTED]
    ]
    return ["" if outside_tests == math.inf else _counted(uses) for outside_tests, uses in counts]


def is_alias(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether a variable only renames something: `push = queue.push`, `const { push } = queue`, a private `a = b`."""
    if symbol.kind not in VARIABLES:
        return False
    facts = snapshot.facts[symbol.file]
    at = next((at for at, one in enumerate(facts.symbols) if one.id == symbol.id), 0)
    value = facts.shapes[at].value
    if value is None:
        return False
    # `push = queue.push` ends with its own name; a private `a = b` is the bare name of something else.
    root, steps = split(value)
    return [root, *steps][-1] == symbol.name or (isinstance(value, str) and not symbol.exported)


def rank(snapshot: Snapshot, symbol: Symbol) -> int:
    """0 for own definitions, 1 for generated ones, declarations (`.d.ts`) and mere renames, 2 for those in tests."""
    if is_stand_in(symbol.file):
        return 2
    is_generated = snapshot.graph.summaries[symbol.file].generated or _GENERATED.search(symbol.file)
    return 1 if is_generated or is_alias(snapshot, symbol) else 0


def _is_method(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether an element is a method of a class or interface, not a function in an object literal."""
    owner = snapshot.graph.symbols.get(symbol.parent)
    return symbol.kind is SymbolKind.METHOD and owner is not None and owner.kind in CONTAINERS


def _is_inside_one_of(symbol: Symbol, outer_symbols: Sequence[Symbol]) -> bool:
    return any(
        symbol.file == one.file and symbol.qualified_name.startswith(f"{one.qualified_name}.") for one in outer_symbols
    )


_SHOWN = 5
_MOST_COUNTED = 50
"""The most elements of one name whose uses are counted."""


class Namesake(NamedTuple):
    """An element of the same name, and the number of its uses; None: unknown."""

    symbol: Symbol
    uses: int | None


def namesakes(snapshot: Snapshot, spelling: str | None, symbol: Symbol) -> list[Namesake]:
    """The elements that a bare name may mean beside `symbol`, which was taken for it; the most used first."""
    name = bare_name(spelling, symbol) if spelling and symbol.kind is not SymbolKind.MODULE else ""
    if not name:
        return []
    own_ids = with_members(snapshot, symbol)
    by_id = {one.id: one for one in (*snapshot.graph.find(name), *snapshot.graph.longer_names(name))}
    others = one_of_each(snapshot, [other for id_, other in by_id.items() if id_ not in own_ids])
    rows = [
        Namesake(other, uses_of(snapshot, other) if place < _MOST_COUNTED else None)
        for place, other in enumerate(others)
    ]
    rows.sort(key=lambda row: (is_stand_in(row.symbol.file), -(row.uses or 0)))
    return rows


def namesakes_note(snapshot: Snapshot, spelling: str | None, symbol: Symbol) -> str:
    """Other places of an element, and which was taken for a bare name, with the others; empty if there are none."""
    own = [named(f"{one.file}:{one.line}") for one in places(snapshot, symbol) if one.id != symbol.id]
    more = f" and {len(own) - _SHOWN} more" if len(own) > _SHOWN else ""
    note = f"{named(symbol.id)} is one element with {', '.join(own[:_SHOWN])}{more}." if own else ""
    return " ".join(filter(None, (note, _taken_note(snapshot, spelling, symbol))))


def _taken_note(snapshot: Snapshot, spelling: str | None, symbol: Symbol) -> str:
    rows = namesakes(snapshot, spelling, symbol)
    if not rows:
        return ""
    uses = uses_of(snapshot, symbol)
    chosen, name, asked = named(symbol.id), named(rows[0].symbol.name), bare_name(spelling or "", symbol)
    used = [row for row in rows if row.uses and not is_stand_in(row.symbol.file)]
    if uses == 0 and len(used) == 1:
        other = named(_spelling(snapshot, used[0].symbol, asked))
        return f"Probably not what you mean: {chosen} has no use, but {other} has {used[0].uses}: ask for {other}."
    shown = (used or rows)[:_SHOWN]
    spellings = [named(_spelling(snapshot, row.symbol, asked)) for row in shown]
    others = ", ".join(f"{other}{_counted(row.uses)}" for other, row in zip(spellings, shown, strict=True))
    more = f" and {len(rows) - len(shown)} more" if len(rows) > len(shown) else ""
    start = (
        f"Maybe not what you mean: {chosen} has no use" if uses == 0 and used else f"{chosen} was taken{_counted(uses)}"
    )
    ask = spellings[0] if len(rows) == 1 else "one of these"
    return f"{start}; {name} is also {others}{more}: ask for {ask} to get it."


def _spelling(snapshot: Snapshot, symbol: Symbol, spelling: str) -> str:
    """The qualified name if it means this element alone, else its id."""
    name = symbol.qualified_name
    return name if name != spelling and snapshot.graph.find(name) == [symbol] else symbol.id


def _counted(uses: int | None) -> str:
    """A number of uses in brackets; empty if it is unknown."""
    return "" if uses is None else f" ({uses} {'use' if uses == 1 else 'uses'})"


def symbols_of(rows: Sequence[Namesake]) -> list[Symbol]:
    """The elements of some rows that a reply shows."""
    return [row.symbol for row in rows[:_SHOWN]]
