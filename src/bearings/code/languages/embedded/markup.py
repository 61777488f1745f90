"""Markup with code in braces, as Svelte and Astro have it."""

import re
from collections.abc import Callable

from bearings.code.languages.embedded.blocks import scripts, without_asides
from bearings.code.languages.embedded.sheet import Sheet, closing

_LONGEST = 20_000
"""Characters of one expression."""

COMPONENTS = r"\{|<(?P<tag>[A-Z][\w.]*|[a-z]\w*\.\w[\w.]*)"

Braces = Callable[[Sheet, int, str], None]
"""What is done with the code between two braces, at a row."""


def read(sheet: Sheet, text: str, start: int, place: re.Pattern[str], braces: Braces) -> None:
    """Scripts as they stand; of the markup between them the components and the code in braces.

    `place` finds both; its group `tag` is a component, and `name`, if it has one, a name that stands for itself.
    """
    at, text = start, text[:start] + without_asides(text[start:])
    for script in scripts(text, start):
        _stretch(sheet, text, at, script.start, place, braces)
        sheet.script(text.count("\n", 0, script.at), script.code)
        at = script.end
    _stretch(sheet, text, at, len(text), place, braces)


def _stretch(sheet: Sheet, text: str, start: int, end: int, place: re.Pattern[str], braces: Braces) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start == end:
        return
    row, counted, after = text.count("\n", 0, start), start, start
    sheet.stretch(row, text.count("\n", 0, end))
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
