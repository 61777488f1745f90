"""Shortens long runs of comments.

After every comment, some grammars read on to the next code, to see whether the statement or the block ends: Python's
does so everywhere, TypeScript's before a chained call. A run of comments then costs the square of its length.
"""

import re
from functools import cache

_KEPT = 8
"""Comments to keep at either end of a run: those belong to the code beside it."""

_NOT_OUTSIDE = rb"(?![^\n]*(?:\"\"\"|'''|`|\*/))"
"""Such a line may end a string or a comment of several lines, so that it is no line of comments."""
_TEXT = re.compile(rb"[^\s]")


@cache
def _lines(mark: bytes) -> re.Pattern[bytes]:
    """A blank line, or a comment that has whole lines of its own; `mark` starts one that ends with its line."""
    block = rb"/\*(?:[^*]|\*(?!/))*\*/[ \t]*|" if mark == b"//" else b""
    return re.compile(rb"^[ \t]*(?:%s%s%s[^\n]*)?\r?\n" % (block, _NOT_OUTSIDE, re.escape(mark)), re.MULTILINE)


def shortened(source: bytes, mark: bytes) -> bytes:
    """Return a source with spaces for the comments in the middle of long runs; its length stays the same."""
    parts, begin, run = list[bytes](), 0, list[tuple[int, int]]()
    for match in (*_lines(mark).finditer(source), None):
        if run and (match is None or match.start() != run[-1][1]):
            if len(run) > 2 * _KEPT:
                first, last = run[_KEPT][0], run[-_KEPT][0]
                parts += [source[begin:first], _TEXT.sub(b" ", source[first:last])]
                begin = last
            run = []
        if match is not None:
            run.append(match.span())
    return b"".join((*parts, source[begin:]))
