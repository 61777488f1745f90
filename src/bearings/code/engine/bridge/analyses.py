"""Parses an external `coderef`'s output on impact, complexity, patterns, coverage, references and drift.

Its format is undocumented: fields are looked up by several names, in snake and camel case, at the top or one level
down. Missing fields stay empty; a document without the fields that a question needs is no answer.
"""

import enum
import re
import types
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import msgspec
from msgspec.structs import replace

from bearings.code.models import SymbolKind
from bearings.code.question import Question
from bearings.code.questions.complexity import AskComplexity, ComplexityReply
from bearings.code.questions.coverage import AskCoverage, CoverageReply, Overall
from bearings.code.questions.diagram import Diagram, DiagramFormat, DiagramReply
from bearings.code.questions.drift import CompareIndex, DriftPart, DriftReply
from bearings.code.questions.impact import AskImpact, ImpactReply
from bearings.code.questions.patterns import AskPatterns, PatternsReply
from bearings.code.questions.validate import NO_REFERENCE, FindingPart, Validate, ValidateReply
from bearings.code.replies.element import not_indexed, path_line
from bearings.code.replies.pages import page_of
from bearings.code.replies.tidying import all_escaped, joined, line_of, outdated_line
from bearings.errors import BadOutput, Unsupported
from bearings.untrusted import clean_line, named

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
            complexity: ComplexityReply = _read(ComplexityReply, document)
            element, note = complexity.element or question.element, _note(complexity.note or "")
            return replace(complexity, element=element, note=note, index=not_indexed())
        case AskPatterns():
            patterns: PatternsReply = _read(PatternsReply, document)
            return replace(patterns, patterns_total=len(patterns.patterns), index=not_indexed())
        case AskCoverage():
            coverage = _read(CoverageReply, {"unit": "lines", "report": "external coderef", **document})
            return replace(
                coverage,
                age_s=coverage.age_s or 0.0,
                overall=_read(Overall, document),
                files=len(coverage.by_file or ()),
                next_cursor=None,
                omitted=0,
                untested_total=len(coverage.untested_files),
                note=_note(coverage.note or ""),
                index=not_indexed(),
            )
        case Validate():
            return _validated(document, question)
        case CompareIndex():
            return _drifted(document, question)
    raise TypeError(question)


def _impact(document: Mapping[str, Any], question: AskImpact) -> ImpactReply:
    """The whole impact; what follows from the listed elements is counted in them."""
    impact: ImpactReply = _read(ImpactReply, document, {"unresolved_uses": "hidden", "unresolved_sites": "sites"})
    is_unknown = _read(bool, _field(document, "partly_unknown"))

    def known(items: Sequence[object]) -> int | None:
        return None if is_unknown else len(items)

    depths = [hit.depth or 1 for hit in impact.affected]
    files = sorted({hit.file for hit in impact.affected if hit.file})
    element = impact.element or question.element
    return replace(
        replace(impact, element=element).ready(),
        operation=question.operation,
        affected_total=known(impact.affected),
        by_depth={str(depth): depths.count(depth) for depth in sorted(set(depths))},
        affected=[replace(hit, text=None) for hit in impact.affected],
        affected_files=files,
        affected_files_total=known(files),
        affected_tests_total=known(impact.affected_tests),
        ripple_effects_total=known(impact.ripple_effects),
        note=joined(line_of(_note(impact.note or "")), outdated_line(question.element, element)),
        namesakes=line_of(impact.namesakes or ""),
        index=not_indexed(),
    )


def _validated(document: Mapping[str, Any], question: Validate) -> ValidateReply:
    """A page of the faults that are listed."""
    findings: list[FindingPart] = _read(list[FindingPart], _field(document, "findings"))
    references, invalid = _read(int, _field(document, "references")), sum(one.severity != "warning" for one in findings)
    page = page_of(["findings", *findings], len(findings), question.cursor)
    return ValidateReply(
        files_checked=_read(int, _field(document, "files")),
        references_found=references,
        valid=references - invalid,
        invalid_found=invalid,
        warned_found=_read(int, _field(document, "warned")),
        invalid=[],
        note=None if references else NO_REFERENCE,
        index=not_indexed(),
        _findings=all_escaped(findings[page.offset : page.offset + question.most]),
        _page=page,
    )


def _drifted(document: Mapping[str, Any], question: CompareIndex) -> DriftReply:
    """A page of the elements that are listed; a status without a number is counted in them."""
    drifts: list[DriftPart] = _read(list[DriftPart], _field(document, "drifts"))
    listed: list[str] = [drift.status for drift in drifts]
    statuses = ("unchanged", "missing", "ambiguous", "renamed", "moved")
    page = page_of(["drifts", *drifts], len(drifts), question.cursor)
    return DriftReply.counting(
        {status: _read(int, _field(document, status)) or listed.count(status) for status in statuses},
        _read(int, _field(document, "shifted")),
        _read(int | None, _field(document, "modified_total")),
        index_path=path_line(_read(str, _field(document, "index_path")) or question.index_path),
        index_timestamp=clean_line(_read(str, _field(document, "timestamp")), 40) or None,
        references=all_escaped(drifts[page.offset : page.offset + question.most]),
        added=[path_line(name) for name in _read(list[str], _field(document, "added"))],
        added_elements=_read(int, _field(document, "added_total")),
        modified=[path_line(name) for name in _read(list[str], _field(document, "modified"))],
        _page=page,
    )


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


def _read(type_: Any, value: Any, names: Mapping[str, str] = MappingProxyType({})) -> Any:
    """A value converted to a type; the type's empty value if it does not fit."""
    origin = get_origin(type_)
    if origin is Annotated:
        return _read(get_args(type_)[0], value)
    if isinstance(type_, type) and issubclass(type_, msgspec.Struct):
        fields = [field for field in msgspec.structs.fields(type_) if not field.name.startswith("_")]
        return type_(**{one.name: _read(one.type, _field(value, names.get(one.name, one.name))) for one in fields})
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
