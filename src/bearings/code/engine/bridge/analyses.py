"""Parses an external `coderef`'s output on impact, complexity, patterns, coverage, references and drift.

Its format is undocumented: fields are looked up by several names, in snake and camel case, at the top or one level
down. Missing fields stay empty; a document without the fields that a question needs is no answer.
"""

import enum
import re
import types
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import msgspec

from bearings.code.models import SymbolKind
from bearings.code.question import Question
from bearings.code.questions.complexity import AskComplexity, ComplexityReply
from bearings.code.questions.coverage import AskCoverage, Coverage
from bearings.code.questions.diagram import Diagram, DiagramFormat, DiagramReply
from bearings.code.questions.drift import CompareIndex, DriftPage
from bearings.code.questions.impact import AskImpact, Impact
from bearings.code.questions.patterns import AskPatterns, PatternsReply
from bearings.code.questions.validate import Validate, ValidatePage
from bearings.code.replies.element import not_indexed, path_line
from bearings.errors import BadOutput, Unsupported
from bearings.paging import decode, fingerprint
from bearings.untrusted import named

_NAMES: Mapping[str, tuple[str, ...]] = {
    "affected": ("affected_elements", "impacted", "dependents"),
    "affected_tests": ("tests",),
    "by_file": ("files", "file_coverage"),
    "cognitive_complexity": ("cognitive",),
    "covered": ("covered_lines",),
    "cyclomatic_complexity": ("cyclomatic", "complexity"),
    "drifts": ("references", "drift", "drifted"),
    "element": ("id", "target", "name"),
    "error": ("message", "reason"),
    "evidence": ("examples", "locations", "instances", "matches"),
    "file": ("path", "file_path"),
    "findings": ("invalid", "errors", "invalid_references", "issues"),
    "line": ("line_number",),
    "lines_of_code": ("loc", "lines"),
    "nesting_depth": ("nesting", "max_nesting", "max_nesting_depth"),
    "parameters": ("params", "parameter_count"),
    "percent": ("percentage", "pct", "coverage_percent", "line_coverage"),
    "reference": ("ref", "coderef"),
    "references": ("references_found", "total_references", "total"),
    "risk_level": ("risk",),
    "suggestions": ("suggestion",),
    "total": ("lines_total", "total_lines"),
    "type": ("kind", "pattern_type"),
    "untested_files": ("uncovered_files",),
}
"""Alternative names of fields in snake case; camel case matches too."""


_HINT = "This coderef prints another format; the native engine needs no external coderef."
_DIAGRAM_START: Mapping[DiagramFormat, re.Pattern[str]] = {
    "mermaid": re.compile(r"^(?:---\n|%%|graph |flowchart )", re.MULTILINE),
    "dot": re.compile(r"^(?://.*\n)?\s*(?:strict )?(?:di)?graph\b", re.MULTILINE),
}


class Command(NamedTuple):
    """The words of a command, the list that may come in pages, and the fields that an answer needs."""

    words: tuple[str, ...]
    rows: str
    needed: tuple[str, ...]


ANALYSES = (AskImpact, AskComplexity, AskPatterns, AskCoverage, Validate, CompareIndex)


def command_of(question: Question[Any]) -> Command:
    """The command of a question."""
    match question:
        case AskImpact():
            depth = str(question.max_depth)
            words = ("impact", question.element, "--operation", question.operation, "--depth", depth)
            return Command(words, "affected", ("affected", "risk_level"))
        case AskComplexity():
            return Command(("complexity", question.element), "", ("cyclomatic_complexity",))
        case AskPatterns():
            words = ("patterns", *(("--type", question.pattern_type) if question.pattern_type else ()))
            return Command((*words, "--limit", str(question.most)), "", ("patterns",))
        case AskCoverage():
            return Command(("coverage",), "", ("percent",))
        case Validate():
            return Command(("validate", "--pattern", question.pattern), "findings", ("findings",))
        case CompareIndex():
            return Command(("drift", "--index", question.index_path), "drifts", ("drifts",))
    raise TypeError(question)


def diagram_command(question: Diagram) -> tuple[str, ...]:
    """The words of a diagram command, which prints the diagram as text. Raises Unsupported for what it can't draw."""
    if question.format == "json" or question.inside is not None:
        raise Unsupported("the external coderef draws text only, of no opened folder", "Set CODEREF_ENGINE=native.")
    element = (question.element,) if question.element else ()
    kind = ("--type", question.diagram_type, "--format", question.format, "--depth", str(question.depth))
    return ("diagram", *element, *kind)


def diagram_in(question: Diagram, stdout: bytes) -> DiagramReply:
    """The diagram in the output, after any banner. Raises BadOutput."""
    text = stdout.decode("utf-8", "replace")
    start = _DIAGRAM_START[question.format].search(text)
    if start is None:
        raise BadOutput(f"coderef diagram printed no {question.format}", _HINT)
    return DiagramReply(
        diagram_type=question.diagram_type,
        format=question.format,
        element=path_line(question.element or "") or None,
        diagram=text[start.start() :].strip() + "\n",
        boxes=0,
        arrows=0,
        note="the external coderef drew it, and does not say how much it shows",
    )


def answer_of(question: Question[Any], documents: Sequence[Any]) -> object:
    """The answer in a command's documents, which are its pages. Raises BadOutput."""
    ask = command_of(question)
    document = _document_with(documents[0], ask)
    if ask.rows:
        document = {
            **document,
            ask.rows: [row for page in documents for row in _list(_field(_document_with(page, ask), ask.rows))],
        }
    match question:
        case AskImpact():
            return _impact(document, question)
        case AskComplexity():
            found: ComplexityReply = _read(ComplexityReply, document)
            element, note = found.element or question.element, _note(found.note or "")
            return msgspec.structs.replace(found, element=element, note=note, index=not_indexed())
        case AskPatterns():
            patterns: PatternsReply = _read(PatternsReply, document)
            return msgspec.structs.replace(patterns, patterns_total=len(patterns.patterns), index=not_indexed())
        case AskCoverage():
            coverage: Coverage = _read(Coverage, {"unit": "lines", "report": "external coderef", **document})
            return msgspec.structs.replace(coverage, note=_note(coverage.note))
        case Validate():
            return _page(ValidatePage, document, "findings", question)
    return _page(DriftPage, document, "drifts", question)


def _impact(document: Mapping[str, Any], question: AskImpact) -> Impact:
    found: Impact = _read(Impact, document)
    depths = [hit.depth or 1 for hit in found.affected]
    return msgspec.structs.replace(
        found,
        total=len(found.affected),
        offset=0,
        of="",
        affected=tuple(msgspec.structs.replace(hit, text=None) for hit in found.affected),
        element=found.element or question.element,
        operation=question.operation,
        by_depth={str(depth): depths.count(depth) for depth in sorted(set(depths))},
        affected_files=tuple(sorted({hit.file for hit in found.affected if hit.file})),
        note=_note(found.note),
    )


def _page(type_: type[Any], document: Mapping[str, Any], rows: str, question: Any) -> object:
    """A page of a list that was read entirely."""
    page = _read(type_, document)
    items = getattr(page, rows)
    of = fingerprint([rows, *items])
    offset = decode(question.cursor, of)
    counts: dict[str, Any] = {"total": len(items), "of": of, "offset": offset}
    if isinstance(page, DriftPage):
        counted = {
            status: _read(int, _field(document, status))
            for status in ("unchanged", "missing", "ambiguous", "renamed", "moved")
        }
        listed: list[str] = [drift.status for drift in page.drifts]
        counts["statuses"] = {status: count or listed.count(status) for status, count in counted.items()}
        counts["index_path"] = page.index_path or question.index_path
    else:
        counts["invalid"] = sum(finding.severity != "warning" for finding in page.findings)
    return msgspec.structs.replace(page, **counts, **{rows: items[offset : offset + question.most]})


def _note(note: str) -> str:
    return named(note) or "The external coderef gave this answer: fields that it does not print are empty."


def _document_with(document: Any, ask: Command) -> Mapping[str, Any]:
    """The object with the needed fields: the document, or one inside it. Raises BadOutput."""
    inside = [document, *(document.values() if isinstance(document, dict) else ())]
    if isinstance(document, list) and ask.needed in (("patterns",), ("findings",), ("drifts",)):
        return {ask.needed[0]: document}
    for each in inside:
        if isinstance(each, dict) and all(_field(each, name) is not None for name in ask.needed):
            return each
    raise BadOutput(
        f"coderef {ask.words[0]} printed no {' and '.join(ask.needed)}",
        _HINT,
    )


def _field(document: Any, name: str) -> Any:
    """A field by any of its names. A string in place of an object gives its element, reference and file."""
    if not isinstance(document, dict):
        words = {"element": document, "reference": document, "file": str(document).partition("#")[0]}
        return words.get(name) if isinstance(document, str) else None
    for spelling in (name, *_NAMES.get(name, ())):
        first, *rest = spelling.split("_")
        for key in (spelling, first + "".join(word.capitalize() for word in rest)):
            if document.get(key) is not None:
                return document[key]
    overall = document.get("overall") or document.get("summary")
    return _field(overall, name) if isinstance(overall, dict) and overall is not document else None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _read(type_: Any, value: Any) -> Any:
    """A value converted to a type; the type's empty value if it does not fit."""
    origin = get_origin(type_)
    if origin is Annotated:
        return _read(get_args(type_)[0], value)
    if isinstance(type_, type) and issubclass(type_, msgspec.Struct):
        fields = msgspec.structs.fields(type_)
        return type_(**{field.name: _read(field.type, _field(value, field.name)) for field in fields})
    if origin in (tuple, list, Sequence):
        rows = value if isinstance(value, list) else [value] if isinstance(value, str) else []
        return (list if origin is list else tuple)(_read(get_args(type_)[0], row) for row in rows)
    if origin in (types.UnionType, Union) and value is None and type(None) in get_args(type_):
        return None
    if origin in (types.UnionType, Union):
        return _read(next(each for each in get_args(type_) if each is not type(None)), value)
    if origin is Literal:
        return next((word for word in get_args(type_) if str(value).lower() == word.lower()), get_args(type_)[0])
    return _plain(type_, value)


def _plain(type_: Any, value: Any) -> Any:
    if isinstance(type_, type) and issubclass(type_, enum.Enum):
        return next((kind for kind in type_ if str(value).lower() == kind.value), SymbolKind.VARIABLE)
    if get_origin(type_) is dict or type_ is dict:
        return (
            {str(key): each for key, each in value.items() if isinstance(each, int)} if isinstance(value, dict) else {}
        )
    if type_ in (int, float):
        number = value if isinstance(value, (int, float)) and not isinstance(value, bool) else 0
        return type_(number)
    if type_ is bool:
        return value is True
    return value if isinstance(value, str) else ""
