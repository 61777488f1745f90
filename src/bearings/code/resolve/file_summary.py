"""A summary of each file, made while its facts are in memory, so that searches can skip most files."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from operator import attrgetter
from sys import intern

import msgspec

from bearings.code.facts.encoded_map import MANY_FILES, EncodedMap
from bearings.code.file_facts import FileFacts
from bearings.code.models import Edge, Outside, Symbol, SymbolKind
from bearings.code.symbol_keys import file_of

MAYBE_OWN = frozenset({"ambiguous", "unresolved"})
"""Reasons of outside uses that may mean a symbol of the project."""


_NONE: frozenset[str] = frozenset()


class FileSummary(msgspec.Struct, frozen=True, array_like=True):
    """The summary of a file.

    `names` are the last parts of its symbols' names, and whole endpoints. `elements` is the number of its ids.
    `targets` are the files that its edges lead to. `unknown` are the names of uses that may mean a symbol of the
    project. `types` counts its symbols by type, without the module, in the order of their lines. `broken`: it has
    syntax errors. `repeated` are the qualified names that several of its symbols have. `given_up`: parsing it takes too
    long. `variables` are the environment variables that it reads or writes. `unresolved`: resolving it was given up.
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
    variables: frozenset[str] = _NONE
    unresolved: bool = False


class SummaryCounts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The fields of an encoded FileSummary that hold no names, in an eighth of the time."""

    names: msgspec.Raw
    elements: int
    targets: msgspec.Raw
    unknown: msgspec.Raw
    types: dict[SymbolKind, int]
    broken: bool
    generated: bool
    repeated: msgspec.Raw
    given_up: bool
    variables: msgspec.Raw
    unresolved: bool


_SUMMARY = msgspec.msgpack.Decoder(FileSummary)
_COUNTS = msgspec.msgpack.Decoder(SummaryCounts)


class EncodedSummaries(EncodedMap[FileSummary]):
    """The summaries of a large project. Raises MsgspecError for rows that are none."""

    def __init__(self, rows: Mapping[str, bytes] | None = None) -> None:
        super().__init__(msgspec.msgpack.encode, _SUMMARY.decode, rows)

    def holding(self, text: str) -> Iterator[str]:
        """The files whose summaries hold a text; which field has it, is to be looked up."""
        data = text.encode("utf-8", "surrogatepass")
        return (path for path, row in self.rows.items() if data in row)


def summaries_for(files: int) -> MutableMapping[str, FileSummary]:
    """A mapping for the summaries of so many files."""
    return EncodedSummaries() if files >= MANY_FILES else {}


def counts_of(summaries: Mapping[str, FileSummary]) -> Iterable[tuple[str, FileSummary | SummaryCounts]]:
    """The fields of each file's summary that hold no names."""
    if isinstance(summaries, EncodedSummaries):
        return ((path, _COUNTS.decode(row)) for path, row in summaries.rows.items())
    return summaries.items()


def summary_of(
    facts: FileFacts, edges: Iterable[Edge], outside: Iterable[Outside], given_up: bool = False
) -> FileSummary:
    """A file's summary; the rest are its FileUses."""
    symbols = facts.symbols[1:]
    names = [symbol.qualified_name for symbol in symbols]
    repeated = _NONE
    if len(set(names)) < len(names):
        repeated = frozenset([name for name, count in Counter(names).items() if count > 1])
    elements = len({(symbol.qualified_name, symbol.line) for symbol in symbols}) if repeated else len(symbols)
    return FileSummary(
        frozenset([symbol.name for symbol in symbols]),
        elements + 1,
        frozenset([intern(file_of(target)) for target in {edge.target for edge in edges}]),
        frozenset([last_name(use) for use in outside if use.why in MAYBE_OWN]),
        types_of(sorted(symbols, key=attrgetter("line"))),
        facts.errors > 0,
        facts.generated,
        repeated,
        facts.given_up,
        frozenset([use.name for use in facts.environment]) if facts.environment else _NONE,
        given_up,
    )


def types_of(symbols: Iterable[Symbol]) -> dict[SymbolKind, int]:
    """The number of symbols of each type, in the order of first occurrence."""
    return dict(Counter([symbol.type for symbol in symbols]))


def last_name(use: Outside) -> str:
    """The last part of a used name."""
    return use.name.rpartition(".")[2]
