"""Bytes → a syntax tree and what the query of its language finds there, by the quickest reader that is installed.

`FlatReader` has trees as arrays, in the C module (native/); `LibraryReader` asks py-tree-sitter, where there is no C
module. Both say the same of a source (tests/contract); only the time they take differs.
"""

from functools import cache
from itertools import accumulate, count
from operator import sub
from typing import Protocol, TypeAlias

from tree_sitter import Node, Parser, Point, QueryCursor
from tree_sitter import Tree as LibraryTree

from bearings.code.languages.shared.grammars import capsule, faults, grammar, query, query_text
from bearings.code.languages.shared.node_text import PlainReading, Reading
from bearings.code.languages.shared.patterns import shapes
from bearings.code.models import Language

INTERFACE = 2
"""The C module's, as native/syntax.c has it: one that was built from older sources is not used."""

Events: TypeAlias = tuple[list[int], list[int], list[int], list[Node]]
"""Where nodes start and end, the ranks of their captures, and they themselves: lists of one length."""

_OTHERS = bytes(set(range(256)) - set(b"()[]{}"))
_LEVELS = bytes.maketrans(b"([{)]}", b"\2\2\2\0\0\0")

_CHUNK = 1 << 10
"""Bytes that the parser is handed at a time: reading so many counts as a step, read again or not (native/flatten.h)."""

_FEW = 2_000
_SAMPLES = 64
"""A tree of few nodes weighs nothing; of others so many are looked at (native/tree.h has the same numbers)."""

_CROWD = 16
"""A step down costs as much as so many siblings inside an error."""


class Captures(Protocol):
    """What a query found in a tree."""

    def of(self, name: str, /) -> list[Node]:
        """The nodes of a capture, in any order."""

    def spans(self, name: str, field: str = "", /) -> list[tuple[int, int]]:
        """Where its nodes start and end, or with a `field` the first child of each that has one there; in any order."""

    def among(self, name: str, texts: set[str], /) -> list[tuple[int, str]]:
        """Where those of its nodes start whose text is one of some, and that text."""

    def events(self, names: tuple[str, ...], /) -> Events:
        """The nodes of some captures in the order of the source, the outermost first; of one extent, the lowest rank.

        A capture's rank is its place in `names`.
        """


class Tree(Reading, Protocol):
    """A syntax tree, and the source that it is of."""

    @property
    def errors(self) -> int:
        """How many nodes are errors, or made up."""

    def is_steep(self, levels: int, /) -> bool:
        """Whether nodes are nested so deep, and brackets with them, those in strings and comments among these."""

    def weight(self) -> int:
        """What querying it costs, about: of each node its depth, and of those that an error holds how many it holds.

        py-tree-sitter's cursor takes that many steps. 64 nodes stand for the others, the same ones for every reader.
        """

    def captures(self) -> Captures:
        """What the query of the language finds."""


class Reader(Protocol):
    """Parses one language."""

    def parse(self, source: bytes, steps: int) -> Tree | None:
        """The tree; None where the parser needs more than so many steps.

        A step is a hundred of the parser's own operations, or 1 KiB that it reads. A scanner may read to the end of the
        source for every token, as for `/*` without an end: operations alone would not count that. Every reader counts
        the same steps.
        """


class _LibraryCaptures:
    def __init__(self, found: dict[str, list[Node]], reading: Reading) -> None:
        self._found = found
        self._reading = reading

    def of(self, name: str, /) -> list[Node]:
        return self._found.get(name, [])

    def spans(self, name: str, field: str = "", /) -> list[tuple[int, int]]:
        if not field:
            return [node.byte_range for node in self.of(name)]
        inside = [node.child_by_field_name(field) for node in self.of(name)]
        return [node.byte_range for node in inside if node is not None]

    def among(self, name: str, texts: set[str], /) -> list[tuple[int, str]]:
        text_of = self._reading.text
        return [(node.start_byte, text) for node in self.of(name) if (text := text_of(node)) in texts]

    def events(self, names: tuple[str, ...], /) -> Events:
        found: list[tuple[int, int, int, int, Node]] = []
        for rank, name in enumerate(names):
            found += [(node.start_byte, -node.end_byte, rank, index, node) for index, node in enumerate(self.of(name))]
        found.sort()
        starts, ends = [start for start, *_ in found], [-end for _, end, *_ in found]
        return starts, ends, [rank for _, _, rank, *_ in found], [node for *_, node in found]


class _LibraryTree(PlainReading):
    def __init__(self, language: Language, tree: LibraryTree, source: bytes) -> None:
        super().__init__(source)
        self.source = source
        self.tree = tree
        self._language = language

    @property
    def errors(self) -> int:
        if not self.tree.root_node.has_error:
            return 0
        found = QueryCursor(faults(self._language)).captures(self.tree.root_node)
        return max(1, sum(map(len, found.values())))

    def is_steep(self, levels: int, /) -> bool:
        if not _is_bracketed(self.source, levels):
            return False
        cursor = self.tree.walk()
        while cursor.depth < levels:
            if cursor.goto_first_child():
                continue
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return False
        return True

    def weight(self) -> int:
        count = self.tree.root_node.descendant_count
        if count < _FEW:
            return 0
        cursor, stride, found = self.tree.walk(), count // _SAMPLES, 0
        for index in range(0, count, stride):
            cursor.goto_descendant(index)
            found += cursor.depth
            if cursor.goto_parent() and (node := cursor.node) is not None and node.is_error:
                found += node.child_count // _CROWD
        return found * stride

    def captures(self) -> _LibraryCaptures:
        return _LibraryCaptures(QueryCursor(query(self._language)).captures(self.tree.root_node), self)


class LibraryReader:
    """py-tree-sitter."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._parser = Parser(grammar(language))

    def parse(self, source: bytes, steps: int) -> _LibraryTree | None:
        """See Reader."""
        left = steps

        def read(offset: int, _point: Point) -> bytes:
            nonlocal left
            left -= 1
            return source[offset : offset + _CHUNK]

        def is_over(_offset: int, _has_error: bool) -> bool:
            nonlocal left
            left -= 1
            return left < 0

        try:
            tree = self._parser.parse(read, progress_callback=is_over)
        except ValueError:
            self._parser.reset()
            return None
        return None if left < 0 else _LibraryTree(self._language, tree, source)


class FlatReader:
    """The C module. Raises ImportError where there is none of use, ValueError where it can't read a language."""

    def __init__(self, language: Language) -> None:
        from bearings.code.languages import syntax

        if getattr(syntax, "INTERFACE", None) != INTERFACE:
            raise ImportError("the C module is of another version: build it anew, with packaging/native.py")
        self._grammar = syntax.Grammar(capsule(language))
        self._patterns = syntax.Patterns(self._grammar, shapes(query_text(language)))

    def parse(self, source: bytes, steps: int) -> Tree | None:
        """See Reader."""
        return self._grammar.parse(source, self._patterns, steps)


def _is_bracketed(source: bytes, levels: int) -> bool:
    """Whether brackets are that deep. Few files need be counted."""
    if sum(map(source.count, (b"(", b"[", b"{"))) < levels:
        return False
    steps = source.translate(_LEVELS, _OTHERS)  # 2 up, 0 down
    heights = list(map(sub, accumulate(steps), count(1)))
    rise: int = max(map(sub, heights, accumulate(heights, min)))
    return rise >= levels


@cache
def reader(language: Language) -> Reader:
    """The reader of a language, made once a process."""
    try:
        return FlatReader(language)
    except (ImportError, ValueError):
        return LibraryReader(language)
