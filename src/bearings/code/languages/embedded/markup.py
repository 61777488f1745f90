"""Reads markup with code in braces, as in Svelte and Astro."""

import re
from collections.abc import Callable

from bearings.code.languages.embedded.blocks import scripts, without_comments
from bearings.code.languages.embedded.sheet import ProgramSheet, closing

_LONGEST = 20_000
"""The most characters of an expression in braces."""

COMPONENTS = r"\{|<(?P<tag>[A-Z][\w.]*|[a-z]\w*(?:\.\w[\w.]*|-[\w-]+))"

Braces = Callable[[ProgramSheet, int, str], None]
"""Adds the code between two braces, which starts at a row, to the sheet."""


def read(sheet: ProgramSheet, text: str, start: int, place: re.Pattern[str], braces: Braces) -> None:
    """Add the scripts of a file, and the components and the code in braces of the markup between them.

    `place` matches an opening brace, a component (group `tag`) or a name that is used (group `name`).
    """
    at, text = start, text[:start] + without_comments(text[start:])
    for script in scripts(text, start):
        _section(sheet, text, at, script.start, place, braces)
        sheet.script(text.count("\n", 0, script.at), script.code)
        at = script.end
    _section(sheet, text, at, len(text), place, braces)


def _section(sheet: ProgramSheet, text: str, start: int, end: int, place: re.Pattern[str], braces: Braces) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start == end:
        return
    row, counted, after = text.count("\n", 0, start), start, start
    sheet.section(row, text.count("\n", 0, end))
    while (found := place.search(text, after, end)) is not None:
        at, after = found.start(), found.end()
        row, counted = row + text.count("\n", counted, at), at
        if found["tag"]:
            sheet.element(row, found["tag"])
        elif text[at] != "{":
            sheet.expression(row, found["name"])
        elif (closed := closing(text, at, min(end, at + _LONGEST))) >= 0:
            braces(sheet, row, text[at + 1 : closed])
            after = closed + 1
