"""What is known of every file without a look into it: made while its facts are at hand."""

from collections import Counter
from collections.abc import Iterable, Sequence
from operator import attrgetter

import msgspec

from bearings.code.keys import file_of
from bearings.code.models import Edge, FileFacts, Outside, Symbol, SymbolKind

MAYBE_OWN = frozenset({"ambiguous", "unresolved"})
"""Why a use leads to no symbol that may mean one of the project's."""


_NONE: frozenset[str] = frozenset()


class Card(msgspec.Struct, frozen=True, array_like=True):
    """What is known of every file without a look into it.

    `names`: of its symbols, the last part, of endpoints all. `elements`: how many ids it has. `targets`: the files that
    its edges lead to. `unknown`: the names of uses that may mean something of the project's. `types`: how many symbols
    of each type are in it beside its module, in the order of their lines. `broken`: whether it was not wholly read.
    `repeated`: the qualified names that several of its symbols have. `given_up`: whether it takes too much to parse.
    """

    names: frozenset[str]
    elements: int
    targets: frozenset[str]
    unknown: frozenset[str]
    types: dict[SymbolKind, int]
    broken: bool
    generated: bool
    repeated: frozenset[str]
    given_up: bool = False


def card_of(facts: FileFacts, edges: Iterable[Edge], outside: Iterable[Outside]) -> Card:
    """A file's card; `edges` and `outside` are its uses."""
    symbols = facts.symbols[1:]
    repeated = _repeated([symbol.qualified_name for symbol in symbols])
    elements = len({(symbol.qualified_name, symbol.line) for symbol in symbols}) if repeated else len(symbols)
    return Card(
        frozenset(map(_called, symbols)),
        elements + 1,
        frozenset([file_of(target) for target in {edge.target for edge in edges}]),
        frozenset([last_name(use) for use in outside if use.why in MAYBE_OWN]),
        types_of(sorted(symbols, key=_line)),
        facts.errors > 0,
        facts.generated,
        repeated,
        facts.given_up,
    )


def _repeated(names: Sequence[str]) -> frozenset[str]:
    """Those that come more than once."""
    if len(set(names)) == len(names):
        return _NONE
    return frozenset([name for name, count in Counter(names).items() if count > 1])


def types_of(symbols: Iterable[Symbol]) -> dict[SymbolKind, int]:
    """How many symbols there are of each type, in the order in which the types come."""
    return dict(Counter([symbol.type for symbol in symbols]))


_line = attrgetter("line")


def last_name(use: Outside) -> str:
    """What a use is called, the last part of it."""
    return use.name.rpartition(".")[2]


def _called(symbol: Symbol) -> str:
    """What a symbol is looked for under."""
    name = symbol.qualified_name
    return name if symbol.kind is SymbolKind.ENDPOINT else name.rpartition(".")[2]
