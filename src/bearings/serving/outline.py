"""Find request ids in JSON text that no parser accepts: truncated, nested too deep, not UTF-8, or longer than memory.

A client waits for an answer to its id, so a refusal names the id if it can be read. `Outline` follows only quotes and
brackets. It keeps the outermost level of each object and replaces nested values by `[]`:

    {"id": 7, "method": "x", "params": {"a": [NaN]}}   becomes   {"id": 7, "method": "x", "params": []}
"""

import json
import math
import re
from typing import Any

Id = str | int | float
"""The ids that a reply can carry. MCP allows text and integers only; JSON-RPC also allows fractions."""

KEPT_BYTES = 16 * 1024
"""Bytes of one object's outermost level to search for its id; a usual request has about a hundred."""

MOST_MARKS = 100_000
"""Runs of nested brackets to follow before giving up: a tenth of a second."""

OUTERMOST_MARKS = 10
"""A run of brackets at the outermost level takes as long as ten nested ones, and counts as ten."""

MOST_IDS = 16
"""Objects on one line whose ids are read: a client that forgets a newline sends two."""

_NESTED = b"[]"

_TEXT = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_FLAT = rb'(?>(?:[^"\[\]{}]++|' + _TEXT + rb"){0,99})"
_SKIPPED = re.compile(_FLAT, re.DOTALL)
_PAIRS = rb"(?>(?:" + _FLAT + rb"[\[{]" + _FLAT + rb"[\]}]){0,99})"
_NEXT_BELOW = re.compile(_PAIRS + _FLAT + rb'([\[{]++|[\]}]++|")?', re.DOTALL)
"""Atomic groups, as possessive repetition of a group goes too far before Python 3.11.5: the part of a repetition that
did not match was kept. They remember each repetition, so that a match takes few of them and the next one goes on."""

_REST_OF_TEXT = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_BRACKETS = re.compile(rb"[\[{]++|[\]}]++")
_MEMBER = re.compile(rb"(" + _TEXT + rb")\s*+:\s*+(" + _TEXT + rb"|-?[0-9][0-9.eE+-]*+)(?=[\s,}])", re.DOTALL)


class Outline:
    """The outermost level of the objects in a text that arrives in pieces. Memory is bounded by KEPT_BYTES."""

    def __init__(self) -> None:
        self._depth = 0
        self._in_text = False
        self._escaped = False
        self._marks = 0
        self._head = bytearray()
        self._ids: list[Id] = []

    def feed(self, piece: bytes) -> None:
        """Follow the next piece of the text."""
        at = 0
        while at < len(piece) and self._marks < MOST_MARKS:
            if self._in_text:
                end = self._end_of_text(piece, at)
                self._keep(piece[at:end])
                at = end
                continue
            end = self._end_of_nested(piece, at) if self._depth > 1 else _end_of(_SKIPPED, piece, at)
            self._keep(piece[at:end])
            at = self._follow_mark(piece, end) if end < len(piece) else end

    def ids(self) -> list[Id]:
        """The id of each outermost object that has a readable one, in order. Call it once, at the end of the text."""
        self._finish_object()
        return self._ids

    def _end_of_nested(self, piece: bytes, at: int) -> int:
        """The position of the mark that leaves the nested values, or begins a text that continues in the next piece."""
        while at < len(piece) and (match := _NEXT_BELOW.match(piece, at)):
            mark = match[1]
            if mark is None:
                at = match.end()
                continue
            depth = self._depth + (len(mark) if mark[0] in b"{[" else -len(mark))
            if depth <= 1 or mark == b'"' or self._marks >= MOST_MARKS:
                return match.start(1)
            self._depth = depth
            self._marks += 1
            at = match.end()
        return len(piece)

    def _end_of_text(self, piece: bytes, at: int) -> int:
        """The end of a text that began in an earlier piece, with its quote; or of an escape in it; or of the piece."""
        if self._escaped:
            self._escaped = False
            return at + 1
        end = _end_of(_REST_OF_TEXT, piece, at)
        if end == len(piece):
            return end
        self._in_text = piece[end] != ord('"')
        self._escaped = self._in_text
        return end + 1

    def _follow_mark(self, piece: bytes, at: int) -> int:
        """Follow a run of brackets, or the quote of a text that continues in the next piece; returns its end."""
        brackets = _BRACKETS.match(piece, at)
        if brackets is None:
            self._in_text = True
            self._keep(piece[at : at + 1])
            return at + 1
        self._marks += OUTERMOST_MARKS
        run = brackets.group()
        if run[:1] in b"{[":
            self._open(run)
        else:
            self._close(len(run))
        return brackets.end()

    def _open(self, run: bytes) -> None:
        if self._depth == 0:
            self._head[:] = run[:1]
            self._depth = 1
            run = run[1:]
        if run:
            self._keep(_NESTED)
            self._depth += len(run)

    def _close(self, count: int) -> None:
        if 0 < self._depth <= count:
            self._depth = 1
            self._keep(b"}")
            self._finish_object()
        self._depth = max(0, self._depth - count)

    def _keep(self, text: bytes) -> None:
        if self._depth == 1 and self._head.startswith(b"{"):
            self._head += text[: KEPT_BYTES - len(self._head)]

    def _finish_object(self) -> None:
        """Take the id of the object that ends here; the last of several, as JSON parsers do."""
        if len(self._ids) < MOST_IDS:
            written = [value for name, value in _MEMBER.findall(self._head) if name == b'"id"']
            if written and (request_id := _scalar(written[-1])) is not None:
                self._ids.append(request_id)
        self._head.clear()


def _end_of(pattern: re.Pattern[bytes], piece: bytes, at: int) -> int:
    """The end of the matches from `at`, one after another; every pattern here also matches the empty text."""
    while (match := pattern.match(piece, at)) and match.end() > at:
        at = match.end()
    return at


def _scalar(written: bytes) -> Id | None:
    """The id written so; None if no reply can carry it."""
    try:
        return as_id(json.loads(written))
    except ValueError:  # a malformed number, text that is not UTF-8, an integer of more than 4,300 digits
        return None


def as_id(value: Any) -> Id | None:
    """`value` if a reply can carry it as its id: text in UTF-8, or a finite number; otherwise None."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, str) and any("\ud800" <= c <= "\udfff" for c in value):
        return None
    return value
