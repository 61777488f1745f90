"""The elements that a name may mean: the project's own definitions come before their stand-ins in tests.

found                                         meant by `save`
src/store.ts#Store.save, tests/a.test.ts#save Store.save
api/user.go#save, web/user.ts#save            both, the most used first
push = queue.push, Queue.push                 Queue.push: the variable only renames it
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from bearings.code.expressions import split
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.languages.spec import Capability
from bearings.code.models import Symbol, SymbolKind
from bearings.code.search.capabilities import lacks
from bearings.code.search.members import CONTAINERS, with_members
from bearings.code.search.place_formats import readings
from bearings.code.search.reach import IMPORTS, certain

_COUNTED = 100
"""The most elements of one name whose uses are counted."""

_STAND_INS = re.compile(
    r"(?:^|/)(?:__(?:tests?|e2e|mocks?|stories|fixtures)__|mocks?|stories|fixtures|testdata|test[-_]?(?:utils?|helpers?))/"
    r"|(?:^|/)mocks?[._-][^/]*$|[._-](?:mocks?|stories|story|fixtures?)\.\w+$|\.[a-z]+test\.\w+$",
    re.IGNORECASE,
)
_GENERATED = re.compile(r"(?:^|/)(?:generated|__generated__)/|[._-]gen(?:erated)?\.\w+$|_pb2?(?:_grpc)?\.\w+$|\.pb\.")
_VARIABLES = frozenset({SymbolKind.VARIABLE, SymbolKind.CONSTANT})


@lru_cache(maxsize=1 << 14)
def is_stand_in(path: str) -> bool:
    """Whether a file belongs to tests: it tests, or holds mocks, stories or fixtures."""
    return is_test(path) or _STAND_INS.search(path) is not None


def bare_name(asked: str, symbol: Symbol) -> str:
    """The part of a symbol's qualified name that the caller's text is, without a file; empty if it is more or less."""
    names = (asked.strip(), *(one.name for one in readings(asked) if not one.path))
    return next((name for name in names if name and f".{symbol.qualified_name}".endswith(f".{name}")), "")


def meant(snapshot: Snapshot, asked: str, found: Sequence[Symbol]) -> list[Symbol]:
    """Those of the elements found for a text that it may mean, the most used first.

    Methods of classes join the elements that have a bare name alone; all longer names, if these only stand in.
    Stand-ins, generated elements and variables that only rename something are left out beside others.
    """
    name = bare_name(asked, found[0])
    if name and name == found[0].qualified_name:
        stand_in = min(rank(snapshot, symbol) for symbol in found)
        longer = snapshot.graph.longer_names(name)
        found = [
            *found,
            *(one for one in longer if (stand_in or _is_method(snapshot, one)) and not _within(one, found)),
        ]
    if len(found) == 1:
        return [*found]
    ranks = [rank(snapshot, symbol) for symbol in found]
    left = [symbol for symbol, its in zip(found, ranks, strict=True) if its == min(ranks)]
    return by_use(snapshot, left) if len(left) > 1 else left


def by_use(snapshot: Snapshot, symbols: Sequence[Symbol]) -> list[Symbol]:
    """Elements, the most used first; uses in tests count between those with the same number of other ones."""
    users = [list(_users(snapshot, symbol)) for symbol in symbols[:_COUNTED]]
    counts = [(sum(not is_stand_in(file) for file in files), len(files)) for files in users]
    counts += [(0, 0)] * (len(symbols) - len(counts))
    order = sorted(range(len(symbols)), key=lambda at: (*counts[at], symbols[at].exported, -at), reverse=True)
    return [symbols[at] for at in order]


def uses_of(snapshot: Snapshot, symbol: Symbol) -> int | None:
    """The number of uses of an element and its members from outside, without imports; None if uses are guesses."""
    return None if lacks(symbol.file, Capability.EDGES) else sum(1 for _ in _users(snapshot, symbol))


def _users(snapshot: Snapshot, symbol: Symbol) -> Iterator[str]:
    """The file of each of these uses."""
    members = with_members(snapshot, symbol)
    for member in members:
        for edge in certain(snapshot.graph.edges_to(member)):
            if edge.kind not in IMPORTS and (len(members) == 1 or edge.source not in members):
                yield edge.file


def is_alias(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether a variable only renames something: `push = queue.push`, `const { push } = queue`, a private `a = b`."""
    if symbol.kind not in _VARIABLES:
        return False
    facts = snapshot.facts[symbol.file]
    at = next((at for at, one in enumerate(facts.symbols) if one.id == symbol.id), 0)
    value = facts.shapes[at].value
    if value is None:
        return False
    root, steps = split(value)
    return [root, *steps][-1] == symbol.name or (isinstance(value, str) and not symbol.exported)


def rank(snapshot: Snapshot, symbol: Symbol) -> int:
    """0 for the project's own definitions, 1 for generated ones and mere renames, 2 for definitions in tests."""
    if is_stand_in(symbol.file):
        return 2
    is_made = snapshot.graph.summaries[symbol.file].generated or _GENERATED.search(symbol.file)
    return 1 if is_made or is_alias(snapshot, symbol) else 0


def _is_method(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether an element is a method of a class or interface, not a function in an object literal."""
    owner = snapshot.graph.symbols.get(symbol.parent)
    return symbol.kind is SymbolKind.METHOD and owner is not None and owner.kind in CONTAINERS


def _within(symbol: Symbol, found: Sequence[Symbol]) -> bool:
    return any(symbol.file == one.file and symbol.qualified_name.startswith(f"{one.qualified_name}.") for one in found)
