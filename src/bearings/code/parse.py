"""Bytes → FileFacts: pure, one file at a time, for any bytes at all."""

import re
from collections.abc import Callable
from functools import cache
from itertools import accumulate, count
from operator import sub

from tree_sitter import Node, Parser, Point, QueryCursor, Tree

from bearings.code.languages.builder import Builder, TooDeep
from bearings.code.languages.ecmascript import EcmaScript
from bearings.code.languages.go import Go
from bearings.code.languages.go_marks import go_marks
from bearings.code.languages.grammars import faults, grammar, query
from bearings.code.languages.marks import marks
from bearings.code.languages.mentions import mentions
from bearings.code.languages.metrics import measured
from bearings.code.languages.python import Python
from bearings.code.languages.rows import Rows, rows
from bearings.code.languages.text import as_utf8, is_generated
from bearings.code.models import FileFacts, Language, Mark

_Visitor = Python | EcmaScript | Go
_VISITORS: dict[Language, type[Python] | type[Go]] = {Language.PYTHON: Python, Language.GO: Go}
_NUMBERED = ("call", "new")
_Event = tuple[int, int, int, int, Node, Callable[[Node, int, int], None]]
"""Start, minus end (so that the outermost come first), rank, place among its like, the node, and what takes it."""
_CHUNK = 1 << 16
_STEPS = 10_000
"""The parser reports once in so many steps: measured, at most one report for every 30 bytes, sound source or not."""


_TALL = 20_000
_TOWER = re.compile(rb"(?:[\[({]\s{0,9}){%d}" % _TALL)
"""Brackets that open without end: recovering from them costs a step the square of their number. No code has that."""

_STEEP = 1_000
"""Brackets inside each other: a tree so deep costs the query the square of its depth. No code has that either."""

_OTHERS = bytes(set(range(256)) - set(b"()[]{}"))
_LEVELS = bytes.maketrans(b"([{)]}", b"\2\2\2\0\0\0")


def parse_file(path: str, language: Language, source: bytes) -> FileFacts:
    """The facts of one file. Never raises, whatever the bytes; what can't be read is counted in `errors`.

    A file that the grammar can't get through within its budget of steps, or that is nested deeper than any code, gives
    its module alone, with one error.
    """
    generated, source = is_generated(source), as_utf8(language, source)
    tree = _tree(language, source)
    try:
        if tree is not None:
            return _facts(path, language, source, tree, generated=generated)
    except TooDeep:
        pass
    return Builder(path, language, source).facts(1, generated=generated)


def _facts(path: str, language: Language, source: bytes, tree: Tree, *, generated: bool) -> FileFacts:
    """What a syntax tree says. Raises TooDeep."""
    if _may_be_steep(source) and _is_steep(tree):
        raise TooDeep
    captures = QueryCursor(query(language)).captures(tree.root_node)
    builder = Builder(path, language, source)
    visitor = _VISITORS.get(language, EcmaScript)(builder)
    _sweep(builder, visitor, captures)
    visitor.finish()
    return builder.facts(
        _errors(tree, language),
        measured(builder, captures),
        _marks(builder, captures),
        mentions(builder, captures),
        generated=generated,
    )


def _marks(builder: Builder, captures: dict[str, list[Node]]) -> tuple[Mark, ...]:
    if builder.language is Language.GO:
        return go_marks(builder, captures)
    return marks(builder.source, captures)


def rows_of(language: Language, source: bytes) -> Rows:
    """Where the comments and decorators of a file are; none where the grammar can't get through it."""
    tree = _tree(language, as_utf8(language, source))
    return rows(language, tree) if tree is not None else Rows()


def _sweep(builder: Builder, visitor: _Visitor, captures: dict[str, list[Node]]) -> None:
    """Hand every captured node to its method in the order of the source, outermost first, with frames up to date."""
    handlers = visitor.handlers()
    events: list[_Event] = []
    calls: list[tuple[int, int]] = []
    for rank, (name, method) in enumerate(handlers.items()):
        found = [
            (node.start_byte, -node.end_byte, rank, index, node, method)
            for index, node in enumerate(captures.get(name, ()))
        ]
        events += found
        if name in _NUMBERED:
            calls += [(start, end) for start, end, _, _, _, _ in found]
        elif name == "function":
            builder.function_starts = sorted([start for start, _, _, _, _, _ in found])
    builder.number([(start, -end) for start, end in sorted(calls)])
    events.sort()
    frames = builder.frames
    for start, end, _, _, node, method in events:
        while frames[-1].end <= start:
            frames.pop()
        method(node, start, -end)


def _tree(language: Language, source: bytes) -> Tree | None:
    """The syntax tree; None where the budget of steps ran out. Steps are counted, not timed: same bytes, same tree."""
    if _is_tower(source):
        return None
    parser = _parser(language)
    if len(source) <= _CHUNK:
        return parser.parse(source)
    left = _STEPS + len(source)

    def read(offset: int, _point: Point) -> bytes:
        return source[offset : offset + _CHUNK]

    def is_over(_offset: int, _has_error: bool) -> bool:
        nonlocal left
        left -= 1
        return left < 0

    try:
        return parser.parse(read, progress_callback=is_over)
    except ValueError:
        parser.reset()
        return None


def _may_be_steep(source: bytes) -> bool:
    """Whether brackets are that deep, those in strings and comments among them. Few files need be counted."""
    if sum(map(source.count, (b"(", b"[", b"{"))) < _STEEP:
        return False
    steps = source.translate(_LEVELS, _OTHERS)  # 2 up, 0 down
    levels = list(map(sub, accumulate(steps), count(1)))
    rise: int = max(map(sub, levels, accumulate(levels, min)))
    return rise >= _STEEP


def _is_steep(tree: Tree) -> bool:
    """Whether the tree itself is that deep."""
    cursor = tree.walk()
    while cursor.depth < _STEEP:
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return False
    return True


def _is_tower(source: bytes) -> bool:
    """Counting brackets first, as the search would take a tenth of the parser's time."""
    is_possible = len(source) >= _TALL and sum(map(source.count, (b"(", b"[", b"{"))) >= _TALL
    return is_possible and _TOWER.search(source) is not None


@cache
def _parser(language: Language) -> Parser:
    return Parser(grammar(language))


def _errors(tree: Tree, language: Language) -> int:
    """How many nodes of a tree are errors, or made up."""
    if not tree.root_node.has_error:
        return 0
    return max(1, sum(map(len, QueryCursor(faults(language)).captures(tree.root_node).values())))
