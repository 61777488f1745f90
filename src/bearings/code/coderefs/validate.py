"""Checks of references: why a reference has no target, and suggestions."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from bearings.code.coderefs.reference_search import Found
from bearings.code.coderefs.reference_targets import Places, moved_to
from bearings.code.models import Symbol
from bearings.code.notation.model import CodeRef, RefType
from bearings.code.replies.element import REF_TYPES


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a reference. `fixable`: the first suggestion may replace it without review."""

    code: str
    message: str
    suggestions: tuple[str, ...] = ()
    fixable: bool = False
    severity: str = "error"


def faults_of(found: Found, places: Places) -> list[Fault]:
    """Errors and warnings of one reference; empty for a valid one."""
    faults = [
        Fault(
            problem.code,
            f"{problem.message} (character {problem.offset + 1})",
            (problem.suggestion,) if problem.suggestion else (),
            bool(problem.suggestion) and problem.code not in ("unknown_type", "bad_metadata"),
            problem.severity,
        )
        for problem in found.problems
    ]
    return faults if found.ref is None else faults + list(_target_faults(found.ref, places))


def _target_faults(ref: CodeRef, places: Places) -> Iterator[Fault]:
    if ref.type is RefType.DIRECTORY and not ref.element and places.is_directory(ref.path):
        return
    files = places.files(ref.path)
    if not files:
        yield _missing_file(ref, places)
    elif ref.name == "default" and places.default(files):
        return
    elif ref.name:
        yield from _element_faults(ref, files, places)
    elif len(files) > 1:
        yield _ambiguous(ref, files)
    else:
        yield from _line_faults(ref, files[0], places)


def _missing_file(ref: CodeRef, places: Places) -> Fault:
    moved = places.elsewhere(ref.name) if ref.name else []
    suggested = _texts([moved_to(ref, symbol) for symbol in moved[:3]] or _to_files(ref, places.near_files(ref.path)))
    return Fault("missing_file", f"no file of the project is {ref.path}", suggested, len(moved) == 1)


def _to_files(ref: CodeRef, files: Iterable[str]) -> list[CodeRef]:
    return [replace(ref, path=file) for file in files]


def _ambiguous(ref: CodeRef, files: list[str]) -> Fault:
    return Fault("ambiguous", f"{ref.path} may be {len(files)} files", _texts(_to_files(ref, files[:3])))


def _element_faults(ref: CodeRef, files: list[str], places: Places) -> Iterator[Fault]:
    symbols = places.elements(files, ref.name)
    if not symbols:
        yield _missing_element(ref, files, places)
        return
    if len({symbol.file for symbol in symbols}) > 1:
        yield _ambiguous(ref, sorted({symbol.file for symbol in symbols}))
        return
    there = [symbol for symbol in symbols if not ref.start or symbol.line <= ref.start <= symbol.end_line]
    if not there:
        lines = ", ".join(str(symbol.line) for symbol in symbols[:5])
        message = f"{ref.name} is at line {lines}, not {ref.start}"
        suggested = _texts(ref.at(symbol.line) for symbol in symbols[:3])
        yield Fault("stale_line", message, suggested, len(symbols) == 1, "warning")
    yield from _type_faults(ref, (there or symbols)[0])


def _type_faults(ref: CodeRef, symbol: Symbol) -> Iterator[Fault]:
    expected = REF_TYPES[symbol.kind]
    if ref.type in REF_TYPES.values() and ref.type is not expected:
        message = f"{ref.name} is a {symbol.kind}, which is written @{expected}"
        yield Fault("wrong_type", message, (str(replace(ref, type=expected)),), True, "warning")


def _missing_element(ref: CodeRef, files: list[str], places: Places) -> Fault:
    near = places.near_elements(files, ref.name)
    moved = places.elsewhere(ref.name)
    suggested = _texts(moved_to(ref, symbol) for symbol in (*moved[:3], *near))
    message = f"{files[0]} has no element {ref.name}"
    return Fault("missing_element", message, suggested[:3], len(moved) == 1 and not near)


def _line_faults(ref: CodeRef, file: str, places: Places) -> Iterator[Fault]:
    lines = places.lines(file)
    if lines is not None and max(ref.start, ref.end) > max(1, lines):
        message = f"{file} has {lines} lines, not {max(ref.start, ref.end)}"
        yield Fault("missing_line", message, (str(replace(ref, start=0, end=0)),))


def _texts(refs: Iterable[CodeRef]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(str, refs)))
