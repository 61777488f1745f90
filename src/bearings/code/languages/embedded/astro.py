"""Converts Astro's components to TSX: a script between two lines of `---`, then markup with code in braces."""

import re

from bearings.code.languages.embedded import markup
from bearings.code.languages.embedded.blocks import blank
from bearings.code.languages.embedded.sheet import ProgramSheet

_FENCE = re.compile(r"\s*---[^\n]*\n(.*?)^---[^\n]*$", re.DOTALL | re.MULTILINE)
_PLACE = re.compile(markup.COMPONENTS + r"|(?P<name>(?!))")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TEXT = re.compile(r"(?<=[>}])[^<>{}]*(?=[<{])")
_QUOTE = re.compile(r"[\"'`]")
_VOID = re.compile(r"<((?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b[^<>]*?)/?>")


def program(path: str, text: str) -> str:
    """Return the scripts of a component, and the code that its markup uses."""
    sheet, fence = ProgramSheet(path, text), _FENCE.match(text)
    if fence is not None:
        sheet.script(text.count("\n", 0, fence.start(1)), fence[1])
    markup.read(sheet, text, fence.end() if fence is not None else 0, _PLACE, _braces)
    return sheet.program()


def _braces(sheet: ProgramSheet, row: int, code: str) -> None:
    without = _COMMENT.sub(lambda found: blank(found[0]), code)
    without = _TEXT.sub(lambda found: _QUOTE.sub(" ", found[0]), without)
    sheet.expression(row, _VOID.sub(r"<\1/>", without).removeprefix("..."))
