"""Parses one source file into FileFacts: a pure function of path, language and bytes that accepts any bytes."""

import logging
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from bearings.code.file_facts import FileFacts
from bearings.code.framework_facts import EnvironmentUse
from bearings.code.languages import SPECS
from bearings.code.languages.embedded import program_of
from bearings.code.languages.shared.builder import Builder, TooDeep
from bearings.code.languages.shared.captures import Captures
from bearings.code.languages.shared.comment_runs import shortened
from bearings.code.languages.shared.declared_environment import uses_by_text
from bearings.code.languages.shared.encoding import as_utf8, is_generated
from bearings.code.languages.shared.environment import environment_uses, written
from bearings.code.languages.shared.metrics import measured
from bearings.code.languages.shared.trees import Tree, is_heavy, reader
from bearings.code.languages.shared.value_names import mentions
from bearings.code.languages.spec import Capability, Visitor
from bearings.code.models import Language
from bearings.untrusted import escape_line, named

_Tree = TypeVar("_Tree")
_LOG = logging.getLogger(__name__)
_NUMBERED = ("call", "new")
_FUNCTIONS = ("function",)
_STEPS = 1_000
_BYTES_A_STEP = 16
"""The parser's budget: `_STEPS`, and one more step for each `_BYTES_A_STEP` bytes of source (see Reader.parse).

Of 6,300 files in packages the densest takes one step for 37 bytes, and broken files take no more; a table of digits
takes one for 20. Adversarial sources take several steps a byte, because after every error the parser follows up to six
interpretations at once.
"""

_LONGEST_BRACKET_RUN = 20_000
_BRACKET_RUN = re.compile(rb"(?:[\[({]\s{0,9}){%d}" % _LONGEST_BRACKET_RUN)
"""A run of unclosed opening brackets: one step of error recovery costs the square of their number. No real code has it.
"""

_DEEPEST = 1_000
"""Levels of nested brackets: querying a tree that deep costs the square of its depth. No real code has that either."""


def parse_file(path: str, language: Language, source: bytes) -> FileFacts:
    """Return the facts of one file. Never raises; syntax errors are counted in `errors`.

    Parsing stops if a file exceeds its budget of steps, is nested deeper than any real code, or meets a fault of ours,
    which is logged. The facts are then the module alone, with one error and `given_up` set.
    """
    generated, source = is_generated(source), as_utf8(language, source)
    masked = SPECS[language].masked
    source = masked(source) if masked is not None else source
    source = program_of(path, source)
    tree = parsed(reader(language).parse, language, source)
    mended = SPECS[language].mended
    if tree is not None and mended is not None and tree.errors and (other := mended(source)) != source:
        better = parsed(reader(language).parse, language, other)
        if better is not None and better.errors < tree.errors:
            tree, source = better, other
    try:
        if tree is not None:
            return _facts(path, language, source, tree, generated=generated)
    except TooDeep:
        pass
    except Exception as error:  # noqa: BLE001 - whatever it is, only this file is left out
        _LOG.warning("%s: given up: %s: %s", named(path), type(error).__name__, escape_line(str(error), 200))
    return Builder(path, language, source).facts(1, generated=generated, given_up=True)


def _facts(path: str, language: Language, source: bytes, tree: Tree, *, generated: bool) -> FileFacts:
    """Extract the facts from a syntax tree. Raises TooDeep."""
    if is_deep(tree):
        raise TooDeep
    captures, spec = tree.captures(), SPECS[language]
    builder = Builder(path, language, source, tree)
    builder.is_untyped = spec.types_in_comments
    visitor = spec.visitor(builder)
    rules = spec.environment() if spec.environment is not None else None
    found = written(source, rules) if rules is not None else ()
    scopes = _visit(builder, visitor, captures, [one.start for one in found])
    visitor.finish()
    values = mentions(builder, captures, spec.paths_sharing_names)
    uses: tuple[EnvironmentUse, ...] = ()
    if rules is not None and not spec.is_declared:
        uses = environment_uses(builder, rules, captures, found, scopes, values)
    elif rules is not None:
        uses = uses_by_text(builder, rules, captures, found)
    return builder.facts(
        tree.errors,
        measured(builder, captures) if spec.can(Capability.MEASURES) else (),
        tuple(spec.marks(builder, captures)) if spec.marks is not None else (),
        values,
        uses,
        generated=generated,
    )


def is_deep(tree: Tree) -> bool:
    """Whether nodes are nested deeper than in any real code."""
    return tree.is_steep(_DEEPEST) or is_heavy(tree)


def _visit(builder: Builder, visitor: Visitor, captures: Captures, stops: Sequence[int]) -> list[int]:
    """Call the visitor's method for every captured node, in the order of the source, outermost first.

    Frames that end before a node are popped first, so that the top frame encloses it. Return the scope at each of
    `stops`, which are bytes in ascending order.
    """
    names, methods = visitor.handlers()
    starts, ends, _, _ = captures.events(_NUMBERED)
    builder.number_calls(zip(starts, ends, strict=True))
    builder.function_starts = captures.events(_FUNCTIONS)[0]
    starts, ends, ranks, nodes = captures.events(names)
    frames = builder.frames
    start_objects: list[Any] = starts  # typed Any so that mypyc passes the int objects on without unboxing them
    end_objects: list[Any] = ends
    scopes: list[int] = []
    begin = 0
    for end in (*(bisect_right(starts, stop) for stop in stops), len(nodes)):
        for place in range(begin, end):
            start = starts[place]
            while frames[-1].end <= start:
                frames.pop()
            methods[ranks[place]](nodes[place], start_objects[place], end_objects[place])
        begin = end
        if len(scopes) < len(stops):
            scopes.append(next(frame.scope for frame in reversed(frames) if frame.end > stops[len(scopes)]))
    return scopes


def parsed(parse: Callable[[bytes, int], _Tree | None], language: Language, source: bytes) -> _Tree | None:
    """Return the syntax tree, or None if the budget of steps ran out, also without the middles of long comments.

    Steps are counted, not timed, so that the same bytes always give the same tree.
    """
    if _stalls_parser(language, source):
        return None
    tree = parse(source, _budget(source))
    shorter = shortened(source, SPECS[language].comment.encode()) if tree is None else source
    return parse(shorter, _budget(source)) if shorter != source else tree


def _budget(source: bytes) -> int:
    return _STEPS + len(source) // _BYTES_A_STEP


def _stalls_parser(language: Language, source: bytes) -> bool:
    """Whether a single step of the parser would take too long, so that the budget can't stop it."""
    stalls_parser = SPECS[language].stalls_parser
    return _has_bracket_run(source) or (stalls_parser is not None and stalls_parser(source))


def _has_bracket_run(source: bytes) -> bool:
    """Whether a source holds a run of brackets that is too long.

    Brackets are counted first, because the search takes a tenth of the parser's time.
    """
    if len(source) < _LONGEST_BRACKET_RUN:
        return False
    brackets = len(source) - len(source.translate(None, b"([{"))
    return brackets >= _LONGEST_BRACKET_RUN and _BRACKET_RUN.search(source) is not None
