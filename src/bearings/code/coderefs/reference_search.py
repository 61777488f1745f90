"""Search for references: in comments of sources, and anywhere in other text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bearings.code.formats import dot, graph_json, graph_jsonld, index_json, mermaid
from bearings.code.languages import language_of
from bearings.code.notation.model import CodeRef, Problem, RefType
from bearings.code.notation.parsing import START, parse_at

_FIRST_COMMENT = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)|(//|#|/\*|<!--)|^\s*(\*)""")
_TAG = re.compile(r"^\s*(?://|#|/?\*|--|;|<!--)+\s*$")
"""The start of a comment line that holds nothing but a reference."""
_ELEMENT_OR_LINE = re.compile(r"[#:]")
_LONGEST = 2_000
"""The longest line to search; longer ones are data."""

_EXPORTS = (dot, graph_json, graph_jsonld, index_json, mermaid)


@dataclass(frozen=True, slots=True)
class Found:
    """A reference or an attempt at one: its text, line (from 1), column (from 0), and the parsed reference."""

    line: int
    column: int
    text: str
    ref: CodeRef | None
    problems: tuple[Problem, ...]


def found_in(path: str, data: bytes) -> Iterator[Found]:
    """The references in a file, in order; in sources, those in comments only. `@scope/package` is no reference."""
    if b"@" not in data:
        return
    is_source = language_of(path) is not None
    for number, raw in enumerate(data.splitlines(), 1):
        if b"@" not in raw or b"/" not in raw or len(raw) > _LONGEST:
            continue
        line = raw.decode("utf-8", "replace")
        begins = _comment_start(line) if is_source else 0
        at = 0
        while match := START.search(line, at):
            at = match.end()
            if match.start() < begins:
                continue
            reference = _read(line, match, number)
            if reference is not None:
                yield reference
                at = match.start() + len(reference.text)


def is_export(data: bytes) -> bool:
    """Whether a file was written by an export, so that its references are no author's."""
    return any(kind.is_export(data[:64]) for kind in _EXPORTS)


def _read(line: str, match: re.Match[str], number: int) -> Found | None:
    start = match.start()
    if match[1] not in RefType.__members__.values() and not _is_meant(line, match):
        return None
    parsed = parse_at(line, start)
    end = parsed.end if parsed.ref is not None else _end_of_word(line, start)
    return Found(number, start, line[start:end], parsed.ref, parsed.problems)


def _is_meant(line: str, match: re.Match[str]) -> bool:
    """Whether text with an unknown type is a faulty tag: alone in a comment, with an element (#) or a line (:)."""
    rest = line[match.end() :].split()
    return bool(_TAG.match(line[: match.start()])) and len(rest) == 1 and bool(_ELEMENT_OR_LINE.search(rest[0]))


def _end_of_word(line: str, start: int) -> int:
    match = re.compile(r"\S*").match(line, start)
    return match.end() if match else start


def _comment_start(line: str) -> int:
    """The column of the first comment of a line of code; the line's length if it has none."""
    for match in _FIRST_COMMENT.finditer(line):
        if match[2] or match[3]:
            return match.start()
    return len(line)
