"""Parses one source file into FileFacts: a pure function of path, language and bytes that accepts any bytes."""

import logging
import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Container, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from bearings.code.file_facts import FileFacts
from bearings.code.framework_facts import EnvironmentUse
from bearings.code.languages import SPECS
from bearings.code.languages.ecmascript.setting_values import Setting
from bearings.code.languages.ecmascript.settings import read as read_settings
from bearings.code.languages.embedded import program_of
from bearings.code.languages.shared.builder import Builder, TooDeep
from bearings.code.languages.shared.captures import Captures
from bearings.code.languages.shared.comment_lines import Rows, rows
from bearings.code.languages.shared.comment_runs import shortened
from bearings.code.languages.shared.declared_environment import uses_by_text
from bearings.code.languages.shared.encoding import as_utf8, is_generated
from bearings.code.languages.shared.environment import environment_uses, written
from bearings.code.languages.shared.importing import Wanted, imports_added
from bearings.code.languages.shared.metrics import measured
from bearings.code.languages.shared.occurrences import Occurrence, occurrences
from bearings.code.languages.shared.regions import Region, region_at
from bearings.code.languages.shared.removals import Removal, When, removals_at, statement_at, when_read
from bearings.code.languages.shared.respelling import Spell
from bearings.code.languages.shared.signatures import Signatures
from bearings.code.languages.shared.spans import Span, free_names, indented, lines_in_strings, span_of, unit_of
from bearings.code.languages.shared.trees import LibraryReader, Tree, is_heavy, reader
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

_LONGEST_SETTINGS = 200_000
"""Bytes of a configuration file; webpack's of a large application has 30,000."""

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
    tree = _parsed(reader(language).parse, language, source)
    mended = SPECS[language].mended
    if tree is not None and mended is not None and tree.errors and (other := mended(source)) != source:
        better = _parsed(reader(language).parse, language, other)
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
    if _is_deep(tree):
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


def _is_deep(tree: Tree) -> bool:
    return tree.is_steep(_DEEPEST) or is_heavy(tree)


def rows_of(language: Language, source: bytes) -> Rows:
    """Return the lines of a file's comments and decorators; none if the parser exceeds its budget."""
    source = as_utf8(language, source)
    tree = _parsed(LibraryReader(language).parse, language, source)
    return Rows() if tree is None else rows(language, tree.tree, shaped=not _is_deep(tree))


def regions_of(language: Language, text: bytes, places: Iterable[int]) -> list[Region]:
    """Return the region (code, comment or string) of each byte offset of a UTF-8 source.

    The list is empty if the parser exceeds its budget.
    """
    tree = _parsed(LibraryReader(language).parse, language, text)
    if tree is None:
        return []
    kept = tree.source  # blank where a comment was left out
    places = tuple(places)
    is_kept = (kept[place : place + 1] == text[place : place + 1] for place in places)
    return [region_at(tree.tree, place) if same else "comment" for place, same in zip(places, is_kept, strict=True)]


def occurrences_of(language: Language, text: bytes, name: str) -> list[Occurrence] | None:
    """Return the occurrences of a name in a UTF-8 source.

    None if the language has no rules for names, or the parser exceeds its budget.
    """
    rules = SPECS[language].name_rules
    tree = _parsed(LibraryReader(language).parse, language, text) if rules is not None else None
    return None if rules is None or tree is None else occurrences(tree.tree, text, name, rules())


def removals_of(language: Language, text: bytes, names: Iterable[tuple[int, int]]) -> list[Removal | None]:
    """Return what goes with each name, by its first and last byte in a UTF-8 source; None for one that can't go."""
    rules = SPECS[language].name_rules
    tree = _parsed(LibraryReader(language).parse, language, text) if rules is not None else None
    removal = rules().removal if rules is not None else None
    if removal is None or tree is None:
        return [None for _ in names]
    return removals_at(tree.tree, text, names, removal)


class Use(NamedTuple):
    """An occurrence of a name, when it is looked up, and the bytes of the statement that declares or imports it."""

    one: Occurrence
    when: When
    statement: tuple[int, int] | None


def uses_of(language: Language, text: bytes, names: Iterable[str]) -> dict[str, list[Use]]:
    """Return the occurrences of names in a UTF-8 source.

    None of any if its language can't remove elements, or the parser exceeds its budget.
    """
    rules = SPECS[language].name_rules
    removal = rules().removal if rules is not None else None
    tree = _parsed(LibraryReader(language).parse, language, text) if removal is not None else None
    if rules is None or removal is None or tree is None:
        return {}
    root = tree.tree
    return {
        name: [
            Use(one, when_read(root, one.start, one.end, removal), statement_at(root, one.start, one.end, removal))
            for one in occurrences(root, text, name, rules())
        ]
        for name in names
    }


def imports_of(language: Language, text: bytes, wanted: Iterable[Wanted]) -> list[Removal] | None:
    """Return the insertions into a UTF-8 source that import names.

    None if the language has no rules for imports, or the parser exceeds its budget.
    """
    rules = SPECS[language].import_rules
    tree = _parsed(LibraryReader(language).parse, language, text) if rules is not None else None
    return None if rules is None or tree is None else imports_added(tree.tree, text, wanted, rules())


def replaced(language: Language, text: bytes, line: int, name: str, where: str, new: str) -> tuple[Span, bytes] | None:
    """Return the span of a UTF-8 source for a text (see span_of), and the bytes of the text, indented for it.

    None also if the language has no rules for imports, if the parser exceeds its budget, or if it can't tell which
    lines of the text begin inside a string.
    """
    read, rules = LibraryReader(language).parse, SPECS[language].import_rules
    tree = _parsed(read, language, text)
    if tree is None or rules is None or (span := span_of(tree.tree, text, line, name, where, new, rules())) is None:
        return None
    new = new.replace("\r\n", "\n").strip("\n").rstrip()
    ending = text[span.end :].partition(b"\n")[0].decode("utf-8", "replace").strip() if where == "element" else ""
    new = new.removesuffix(ending).rstrip()  # the rest of its line stays: a semicolon, a comment
    new = new[:-1] if new[-1:] == ending[:1] in (";", ",") else new
    if span.indent is None or not new:
        return (span, new.strip().encode()) if new else None
    newline, count, found = b"\r\n" if b"\r\n" in text else b"\n", new.count("\n") + 1, list[frozenset[int]]()
    written = b"\n".join(span.indent + part.encode() for part in new.split("\n"))
    for _ in range(2):
        written = written.replace(b"\n", newline)
        start = span.start + len(span.before)
        source = text[: span.start] + span.before + written + span.after + text[span.end :]
        tree = _parsed(read, language, source)
        if tree is None:
            return None
        found.append(lines_in_strings(tree.tree, source, start, count))
        written = indented(new, span.indent, found[0], unit_of(text, rules().indent))
    return (span, written.replace(b"\n", newline)) if found[0] == found[1] else None


def free_names_of(
    language: Language, text: bytes, start: int, end: int, among: Collection[str] | None = None
) -> dict[str, bool]:
    """Return the names between two bytes of a UTF-8 source that it doesn't declare, and whether types alone have them.

    It is empty if the language has no rules for names, or the parser exceeds its budget.
    """
    rules = SPECS[language].name_rules
    tree = _parsed(LibraryReader(language).parse, language, text) if rules is not None else None
    return {} if rules is None or tree is None else free_names(tree.tree, text, start, end, rules(), among)


def line_of_error(language: Language, source: bytes) -> int:
    """Return the 1-based line of the first syntax error; 1 if the parser exceeds its budget or finds none."""
    tree = _parsed(LibraryReader(language).parse, language, as_utf8(language, source))
    node = tree.tree.root_node if tree is not None else None
    while node is not None and not (node.is_error or node.is_missing):
        inner = next((child for child in node.children if child.has_error or child.is_missing), None)
        if inner is None:
            break
        node = inner
    return node.start_point.row + 1 if node is not None and node.has_error else 1


def signatures_of(language: Language, text: bytes) -> Signatures | None:
    """Return the reader of the functions and calls of a UTF-8 source; None as in `occurrences_of`."""
    rules = SPECS[language].signature_rules
    tree = _parsed(LibraryReader(language).parse, language, text) if rules is not None else None
    return None if rules is None or tree is None else Signatures(tree.tree, rules())


def respelled_in(language: Language, text: bytes, spell: Spell) -> list[tuple[int, int, bytes]] | None:
    """Return the edits of a UTF-8 source that give modules other names: first byte, last byte, and what stands there.

    None if files of the language can't be moved, or the parser exceeds its budget.
    """
    respelled = SPECS[language].respelled
    tree = _parsed(LibraryReader(language).parse, language, text) if respelled is not None else None
    return list(respelled(tree.tree.root_node, text, spell)) if respelled is not None and tree is not None else None


def settings_of(language: Language, path: str, source: bytes, folder: str, keys: Container[str]) -> list[Setting]:
    """Return the literal settings of a configuration in a language, or in JSON; see languages/ecmascript/settings.py.

    None of it runs. The list is empty if the file is too long, or the parser exceeds its budget.
    """
    text = b"(" + source + b")" if source.lstrip()[:1] == b"{" else source
    tree = _parsed(LibraryReader(language).parse, language, text) if len(text) <= _LONGEST_SETTINGS else None
    if tree is None or _is_deep(tree):
        return []
    return read_settings(tree.tree.root_node, text, path, folder, keys)


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


def _parsed(parse: Callable[[bytes, int], _Tree | None], language: Language, source: bytes) -> _Tree | None:
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
