"""Bytes → FileFacts: pure, one file at a time, for any bytes at all."""

import re
from collections.abc import Iterable
from typing import Any

from bearings.code.languages import SPECS
from bearings.code.languages.embedded import program_of
from bearings.code.languages.shared.builder import Builder, TooDeep
from bearings.code.languages.shared.comment_lines import Rows, rows
from bearings.code.languages.shared.encoding import as_utf8, is_generated
from bearings.code.languages.shared.metrics import measured
from bearings.code.languages.shared.regions import Region, region_at
from bearings.code.languages.shared.trees import Captures, LibraryReader, Tree, reader
from bearings.code.languages.shared.value_names import mentions
from bearings.code.languages.spec import Capability, Visitor
from bearings.code.models import FileFacts, Language

_NUMBERED = ("call", "new")
_FUNCTIONS = ("function",)
_STEPS = 1_000
_BYTES_A_STEP = 16
"""The budget of a source: so many steps, and one more for so many bytes.

Of 6,300 files in packages the densest takes one for 37 bytes, and broken ones take no more; a table of digits takes one
for 20. Sources made to hurt take several a byte: the grammar follows up to six readings at once, after every error.
"""

_TALL = 20_000
_TOWER = re.compile(rb"(?:[\[({]\s{0,9}){%d}" % _TALL)
"""Brackets that open without end: recovering from them costs a step the square of their number. No code has that."""

_STEEP = 1_000
"""Brackets inside each other: a tree so deep costs the query the square of its depth. No code has that either."""

_WEIGHT = 12_000_000
_WEIGHT_A_BYTE = 40
"""The budget of a query (see Tree.weight): so much, and more by the size of the source. py-tree-sitter takes 0.1 s for
a million. Of 1,500 files in packages the heaviest weighs 12 a byte; a sum of 1,500 strings weighs 7,000,000.
"""


def parse_file(path: str, language: Language, source: bytes) -> FileFacts:
    """The facts of one file. Never raises, whatever the bytes; what can't be read is counted in `errors`.

    A file that takes more than its budget of steps to parse, or that is nested deeper than any code, is given up: it
    gives its module alone, with one error.
    """
    generated, source = is_generated(source), as_utf8(language, source)
    masked = SPECS[language].masked
    source = masked(source) if masked is not None else source
    source = program_of(path, source)
    tree = _tree(language, source)
    try:
        if tree is not None:
            return _facts(path, language, source, tree, generated=generated)
    except TooDeep:
        pass
    return Builder(path, language, source).facts(1, generated=generated, given_up=True)


def _facts(path: str, language: Language, source: bytes, tree: Tree, *, generated: bool) -> FileFacts:
    """What a syntax tree says. Raises TooDeep."""
    if _is_deep(tree, source):
        raise TooDeep
    captures, spec = tree.captures(), SPECS[language]
    builder = Builder(path, language, source, tree)
    visitor = spec.visitor(builder)
    _sweep(builder, visitor, captures)
    visitor.finish()
    return builder.facts(
        tree.errors,
        measured(builder, captures) if spec.can(Capability.MEASURES) else (),
        tuple(spec.marks(builder, captures)) if spec.marks is not None else (),
        mentions(builder, captures),
        generated=generated,
    )


def _is_deep(tree: Tree, source: bytes) -> bool:
    return tree.is_steep(_STEEP) or tree.weight() > _WEIGHT + _WEIGHT_A_BYTE * len(source)


def rows_of(language: Language, source: bytes) -> Rows:
    """Where the comments and decorators of a file are; none where the grammar can't get through it."""
    source = as_utf8(language, source)
    tree = None if _is_hopeless(language, source) else LibraryReader(language).parse(source, _budget(source))
    return Rows() if tree is None else rows(language, tree.tree, shaped=not _is_deep(tree, source))


def regions_of(language: Language, text: bytes, places: Iterable[int]) -> list[Region]:
    """What each of some bytes of a source is part of, in UTF-8; nothing where the grammar can't get through it."""
    tree = None if _is_hopeless(language, text) else LibraryReader(language).parse(text, _budget(text))
    return [region_at(tree.tree, place) for place in places] if tree is not None else []


def _sweep(builder: Builder, visitor: Visitor, captures: Captures) -> None:
    """Hand every captured node to its method in the order of the source, outermost first, with frames up to date."""
    names, methods = visitor.handlers()
    starts, ends, _, _ = captures.events(_NUMBERED)
    builder.number(zip(starts, ends, strict=True))
    builder.function_starts = captures.events(_FUNCTIONS)[0]
    starts, ends, ranks, nodes = captures.events(names)
    frames = builder.frames
    start_objects: list[Any] = starts  # handed on as they are: once compiled, an int is no object
    end_objects: list[Any] = ends
    for place in range(len(nodes)):
        start = starts[place]
        while frames[-1].end <= start:
            frames.pop()
        methods[ranks[place]](visitor, nodes[place], start_objects[place], end_objects[place])


def _tree(language: Language, source: bytes) -> Tree | None:
    """The syntax tree; None where the budget of steps ran out. Steps are counted, not timed: same bytes, same tree."""
    return None if _is_hopeless(language, source) else reader(language).parse(source, _budget(source))


def _budget(source: bytes) -> int:
    return _STEPS + len(source) // _BYTES_A_STEP


def _is_hopeless(language: Language, source: bytes) -> bool:
    """Whether a step of the parser would take too long for the budget to end it."""
    is_hopeless = SPECS[language].is_hopeless
    return _is_tower(source) or (is_hopeless is not None and is_hopeless(source))


def _is_tower(source: bytes) -> bool:
    """Counting brackets first, as the search would take a tenth of the parser's time."""
    is_possible = len(source) >= _TALL and len(source) - len(source.translate(None, b"([{")) >= _TALL
    return is_possible and _TOWER.search(source) is not None
