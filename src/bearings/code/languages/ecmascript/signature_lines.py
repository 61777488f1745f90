"""Generic call signatures that stand on lines of their own, which the grammar reads as part of the line before.

interface Route {
  <P>(handler: Handler<P>): Route
  <P, Q>(first: Handler<P>, second: Handler<Q>): Route       the blank before `<` becomes `;`
}
"""

import re

_GENERIC = re.compile(rb"[ \t]+<[ \t]*(?:\w|$)")
_COMMENT = (b"//", b"/*", b"*")
_ENDS_TYPE = re.compile(rb"[\w>\])}'\"]$")
_MOST_COMMENT_LINES = 40
"""The longest comment between two signatures, in lines."""


def with_separators(source: bytes) -> bytes:
    """The source with `;` before the signatures that follow a type; as long as before."""
    lines = source.split(b"\n")
    for number, line in enumerate(lines):
        if not _GENERIC.match(line.rstrip()):
            continue
        above = (each.strip() for each in reversed(lines[max(0, number - _MOST_COMMENT_LINES) : number]))
        code = next((each for each in above if each and not each.startswith(_COMMENT)), b"")
        if _ENDS_TYPE.search(code):
            place = line.index(b"<")
            lines[number] = line[: place - 1] + b";" + line[place:]
    return b"\n".join(lines)
