"""Parses sources into syntax trees and runs the language's query on them, with the fastest available reader.

`FlatReader` uses the C module (native/), which stores trees as arrays. `LibraryReader` uses py-tree-sitter, where the C
module is missing. Both give the same results for every source (tests/contract) whose tree isn't heavy (`is_heavy`);
only their speed differs.
"""

from functools import cache
from itertools import accumulate, count
from operator import sub
from typing import Protocol

from tree_sitter import Node, Parser, Point, QueryCursor
from tree_sitter import Tree as LibraryTree

from bearings.code.languages.shared.captures import Captures, Events
from bearings.code.languages.shared.grammars import capsule, faults, grammar, query, query_text
from bearings.code.languages.shared.node_text import PlainReading, Reading
from bearings.code.languages.shared.patterns import shapes
from bearings.code.models import Language

INTERFACE = 4
"""The interface version of the C module, as in native/syntax.c. A module built from older sources is not used."""

_NO_BRACKETS = bytes(set(range(256)) - set(b"()[]{}"))
_BRACKET_STEPS = bytes.maketrans(b"([{)]}", b"\2\2\2\0\0\0")

_CHUNK = 1 << 10
"""Bytes that the parser reads at a time. Each read counts as a step, a repeated one as well (native/flatten.h)."""

_SMALL_TREE = 2_000
_SAMPLES = 64
"""Trees with fewer nodes than `_SMALL_TREE` weigh nothing. The weight of others is estimated from `_SAMPLES` nodes."""

_SIBLINGS_A_LEVEL = 16
"""The number of siblings in an error that cost the cursor as much as one level of depth."""

_WEIGHT = 60_000_000
_WEIGHT_A_BYTE = 40
"""The budget of py-tree-sitter's query: `_WEIGHT`, and `_WEIGHT_A_BYTE` for each byte of source.

A sum of 6,000 strings weighs as much, as does a union of 4,000. It takes 0.1 to 5 s, by how many patterns of the
language wait for the end of a node. Of 1,500 files in packages the heaviest weighs 12 a byte.
"""


class Tree(Reading, Protocol):
    """The syntax tree of a source, and the source itself."""

    @property
    def errors(self) -> int:
        """The number of error nodes and of missing nodes."""

    def is_steep(self, levels: int, /) -> bool:
        """Whether both the nodes and the brackets are nested to this depth; brackets in strings and comments count."""

    def captures(self) -> Captures:
        """Run the query of the language."""


class Reader(Protocol):
    """A parser of one language."""

    def parse(self, source: bytes, steps: int) -> Tree | None:
        """Return the tree, or None if the parser needs more than `steps` steps.

        A step is 100 of the parser's operations, or 1 KiB that it reads. Reads have to count, because a scanner may
        read to the end of the source for every token, as for an unclosed `/*`. Every reader counts the same steps.
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
        """Return an estimate of the cost of querying the tree.

        Each node costs its depth; a child of an error node also costs a share of the number of its siblings.
        """
        count = self.tree.root_node.descendant_count
        if count < _SMALL_TREE:
            return 0
        cursor, stride, found = self.tree.walk(), count // _SAMPLES, 0
        for index in range(0, count, stride):
            cursor.goto_descendant(index)
            found += cursor.depth
            if cursor.goto_parent() and (node := cursor.node) is not None and node.is_error:
                found += node.child_count // _SIBLINGS_A_LEVEL
        return found * stride

    def captures(self) -> _LibraryCaptures:
        return _LibraryCaptures(QueryCursor(query(self._language)).captures(self.tree.root_node), self)


class LibraryReader:
    """Parses with py-tree-sitter."""

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
    """Parses with the C module.

    Raises ImportError if the module is missing or of another version, ValueError if it can't read the language.
    """

    def __init__(self, language: Language) -> None:
        from bearings.code.languages import syntax

        if getattr(syntax, "INTERFACE", None) != INTERFACE:
            raise ImportError("the C module has another version: rebuild it with packaging/native.py")
        self._grammar = syntax.Grammar(capsule(language))
        self._patterns = syntax.Patterns(self._grammar, shapes(query_text(language)))

    def parse(self, source: bytes, steps: int) -> Tree | None:
        """See Reader."""
        return self._grammar.parse(source, self._patterns, steps)


def is_heavy(tree: Tree) -> bool:
    """Whether py-tree-sitter would take too long to query the tree; the C module's time grows with its nodes alone."""
    return isinstance(tree, _LibraryTree) and tree.weight() > _WEIGHT + _WEIGHT_A_BYTE * len(tree.source)


def _is_bracketed(source: bytes, levels: int) -> bool:
    """Whether brackets are nested to this depth. Most files have too few brackets to need the exact computation."""
    if sum(map(source.count, (b"(", b"[", b"{"))) < levels:
        return False
    steps = source.translate(_BRACKET_STEPS, _NO_BRACKETS)  # 2 for an opening bracket, 0 for a closing one
    heights = list(map(sub, accumulate(steps), count(1)))
    rise: int = max(map(sub, heights, accumulate(heights, min)))
    return rise >= levels


@cache
def reader(language: Language) -> Reader:
    """Return the reader of a language; it is created once per process."""
    try:
        return FlatReader(language)
    except (ImportError, ValueError):
        return LibraryReader(language)
