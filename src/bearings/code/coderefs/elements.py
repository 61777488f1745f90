"""The elements of a project as entries of an index, each with a fingerprint of its text."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from bearings.code.coderefs.fingerprint import Print, print_of, sketch_of
from bearings.code.formats.index_json import Entry
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Symbol, SymbolKind
from bearings.code.project.sources import Source
from bearings.code.project.tree import Tree, read_from
from bearings.code.replies.element import ref_of

_ANY_SIZE = 100_000_000
"""No limit here: the project index has already left out large files."""


class Texts:
    """The text of symbols. One file at a time is in memory."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._file = ""
        self._lines: list[bytes] = []

    def print_of(self, symbol: Symbol) -> Print:
        """The fingerprint of a symbol's lines; that of an empty text if its file is gone."""
        if symbol.file != self._file:
            source = read_from(self._tree, symbol.file, _ANY_SIZE)
            self._file = symbol.file
            self._lines = source.data.splitlines() if isinstance(source, Source) else []
        return print_of(b"\n".join(self._lines[symbol.line - 1 : symbol.end_line]), symbol.name)


class Known(NamedTuple):
    """The part of a fingerprint that stays in memory: its hash, and the number of tokens."""

    hash: str
    tokens: int


@lru_cache(maxsize=1)
def prints_of(snapshot: Snapshot) -> Mapping[str, Known]:
    """The hashes and sizes of all elements' fingerprints, by id."""
    texts = Texts(snapshot.tree)
    prints = ((symbol.id, texts.print_of(symbol)) for symbol in elements_of(snapshot))
    return {id_: Known(text.hash, len(text.tokens)) for id_, text in prints}


def elements_of(snapshot: Snapshot) -> Iterator[Symbol]:
    """All symbols but modules, by file and line."""
    for facts in snapshot.facts.values():
        yield from sorted(
            (symbol for symbol in facts.symbols if symbol.kind is not SymbolKind.MODULE), key=lambda symbol: symbol.line
        )


def entries_of(snapshot: Snapshot, symbols: Iterable[Symbol]) -> list[Entry]:
    """The symbols as entries of an index. Pass the symbols of one file together."""
    texts = Texts(snapshot.tree)
    return [_entry(symbol, texts.print_of(symbol)) for symbol in symbols]


def _entry(symbol: Symbol, text: Print) -> Entry:
    return Entry(
        type=symbol.kind,
        name=symbol.name,
        qualified_name=symbol.qualified_name,
        file=symbol.file,
        line=symbol.line,
        end_line=symbol.end_line,
        exported=symbol.exported,
        ref=str(ref_of(symbol)),
        signature=symbol.signature,
        hash=text.hash,
        sketch=sketch_of(text.tokens),
    )
