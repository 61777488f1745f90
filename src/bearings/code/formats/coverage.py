"""Coverage reports → covered lines by file. Formats: lcov, Istanbul, coverage.py's data and JSON, Cobertura."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from xml.etree.ElementTree import ParseError, XMLParser

from bearings.code.formats.coverage_data import executed
from bearings.untrusted import named

Lines = dict[str, tuple[set[int], set[int]]]
"""By path in the report: the executable lines, and the executed ones among them."""


class Format(NamedTuple):
    """A report format with its file names. `has_executed_only`: it has executed lines, but not the executable ones."""

    name: str
    files: tuple[str, ...]
    read: Callable[[bytes], Lines]
    has_executed_only: bool = False


class Unreadable(Exception):
    """The file is not a report of its format."""


_MOST_LINES = 1_000_000
"""The most lines and files of one report: reading them takes a second or two."""

_SHOWN = 200
"""The most characters of a report in an error message."""

_RECORD = re.compile(rb"^[ \t]*(?:SF:(.*)|DA:(\d{1,9}),(\d{1,18}))", re.MULTILINE)


def _lcov(data: bytes) -> Lines:
    """`SF:path`, then `DA:line,hits`, up to `end_of_record` (geninfo's manual page)."""
    lines_by_file: Lines = {}
    lines, hit = set[int](), set[int]()
    room = _MOST_LINES
    for match in _RECORD.finditer(data):
        room = _count_down(room)
        path, line, hits = match.groups()
        if path is not None:
            lines, hit = lines_by_file.setdefault(path.decode("utf-8", "replace").strip(), (set(), set()))
        elif lines_by_file:
            lines.add(number := int(line))
            if int(hits):
                hit.add(number)
    if not lines_by_file:
        raise Unreadable("it has no SF: record")
    return lines_by_file


def _istanbul(data: bytes) -> Lines:
    """`{path: {statementMap: {id: {start: {line}}}, s: {id: hits}}}`."""
    lines_by_file: Lines = {}
    for path, file in _object(json.loads(data)).items():
        hits = _object(_object(file).get("s"))
        lines_by_file.setdefault(path, (set(), set()))
        for key, span in _object(_object(file).get("statementMap")).items():
            line = _object(_object(span).get("start")).get("line")
            if isinstance(line, int):
                _add_line(lines_by_file, path, line, is_executed=bool(hits.get(key)))
    return lines_by_file


def _coverage_py(data: bytes) -> Lines:
    """`{files: {path: {executed_lines, missing_lines}}}`, as `coverage json` writes it."""
    files = _object(json.loads(data)).get("files")
    if not isinstance(files, dict):
        raise Unreadable("it has no files")
    lines_by_file: Lines = {}
    for path, file in files.items():
        executed_lines = {line for line in _object(file).get("executed_lines", ()) if isinstance(line, int)}
        missed = {line for line in _object(file).get("missing_lines", ()) if isinstance(line, int)}
        lines_by_file[path] = (executed_lines | missed, executed_lines)
    return lines_by_file


def _coverage_data(data: bytes) -> Lines:
    """coverage.py's data file `.coverage`."""
    return {path: (lines, lines) for path, lines in executed(data).items()}


def _cobertura(data: bytes) -> Lines:
    """`<class filename><lines><line number hits>`; paths are below one of `<source>`."""
    # expat limits entity expansion since 2.4.1, and never loads external entities
    report = _Cobertura()
    parser = XMLParser(target=report)  # noqa: S314
    parser.feed(data)
    parser.close()
    return report.lines_by_file


class _Cobertura:
    """Collects lines while parsing: a tree of all elements would take fifty times the report's size in memory."""

    def __init__(self) -> None:
        self.lines_by_file: Lines = {}
        self._classes: list[str] = []
        self._begun = False
        self._room = _MOST_LINES

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element. Raises Unreadable."""
        if not self._begun and tag != "coverage":
            raise Unreadable(f"its root is {named(tag[:_SHOWN])}")
        self._begun = True
        if tag == "class":
            self._classes.append(attributes.get("filename") or "")
            self.lines_by_file.setdefault(self._classes[-1], (set(), set()))
        elif tag == "line" and self._classes:
            number, hits = attributes.get("number") or "", attributes.get("hits") or ""
            if number.isdecimal():
                _add_line(
                    self.lines_by_file, self._classes[-1], int(number), is_executed=hits.isdecimal() and int(hits) > 0
                )
        self._room = _count_down(self._room)

    def end(self, tag: str) -> None:
        """Handle the end of an element."""
        if tag == "class":
            self._classes.pop()


def _count_down(room: int) -> int:
    """The number of lines that may still be read, after one more. Raises Unreadable if there is room for none."""
    if room <= 0:
        raise Unreadable(f"it has more than {_MOST_LINES:,} lines")
    return room - 1


def _add_line(lines_by_file: Lines, path: str, line: int, *, is_executed: bool) -> None:
    lines, hit = lines_by_file.setdefault(path, (set(), set()))
    lines.add(line)
    if is_executed:
        hit.add(line)


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


FORMATS = (
    Format("lcov", ("lcov.info",), _lcov),
    Format("istanbul", ("coverage-final.json",), _istanbul),
    Format("coverage.py", ("coverage.json",), _coverage_py),
    Format("coverage.py", (".coverage",), _coverage_data, has_executed_only=True),
    Format("cobertura", ("coverage.xml", "cobertura-coverage.xml", "cobertura.xml"), _cobertura),
)


def read(format_: Format, data: bytes) -> Lines:
    """The lines of a report. Raises Unreadable with the reason."""
    try:
        return format_.read(data)
    except (ValueError, TypeError, AttributeError, RecursionError, ParseError) as error:
        raise Unreadable(named(str(error)[:_SHOWN])) from error
