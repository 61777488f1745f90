"""Reads markup with code in braces, as in Svelte and Astro."""

import re
from collections.abc import Callable
from itertools import islice

from bearings.code.languages.embedded.blocks import scripts, without_comments
from bearings.code.languages.embedded.sheet import ProgramSheet, closing

_LONGEST = 20_000
"""The most characters of an expression in braces."""

_MARK = re.compile(r"""[<>"'{]""")
_MOST_ATTRIBUTES = 200
"""The most attributes of a tag."""
_NAME = re.compile(r"(?<=\s)\{?(?:bind:)?([A-Za-z_]\w*)(?=[\s}/=]|$)")
COMPONENTS = r"\{|<(?P<tag>[A-Z][\w.]*|[a-z]\w*(?:\.\w[\w.]*|-[\w-]+))"

Braces = Callable[[ProgramSheet, int, str], None]
"""Adds the code between two braces, which starts at a row, to the sheet."""


def read(
    sheet: ProgramSheet,
    text: str,
    start: int,
    place: re.Pattern[str],
    braces: Braces,
    mend: Callable[[str], str] = str,
) -> None:
    """Add the scripts of a file, as `mend` gives them, and the components and code in braces of the markup between.

    `place` matches an opening brace, a component (group `tag`) or a name that is used (group `name`).
    """
    at, text = start, text[:start] + without_comments(text[start:])
    for script in scripts(text, start):
        _section(sheet, text, at, script.start, place, braces)
        sheet.script(text.count("\n", 0, script.at), mend(script.code))
        at = script.end
    _section(sheet, text, at, len(text), place, braces)


def attributes_in(bare: str, names: re.Pattern[str] = _NAME) -> dict[str, int]:
    """Return the attributes of a tag, as `tag_at` gives it, by default without those of events.

    The result holds their names, as group 1 of a pattern finds them, each with the number of rows below the tag's name.
    """
    found: dict[str, int] = {}
    row, counted = 0, 0
    for name in islice(names.finditer(bare), _MOST_ATTRIBUTES):
        row, counted = row + bare.count("\n", counted, name.start(1)), name.start(1)
        found.setdefault(name[1], row)
    return found


def tag_at(text: str, at: int) -> tuple[str, int]:
    """Return the attributes of a tag whose name ends at an offset, and the tag's end.

    They are without quoted text and braces but `{name}`. A tag that starts before the end is in a value.
    """
    end, bare = min(len(text), at + _LONGEST), ""
    while (mark := _MARK.search(text, at, end)) is not None and mark[0] not in "<>":
        start = mark.start()
        after = (closing(text, start, end) if mark[0] == "{" else text.find(mark[0], start + 1, end)) + 1
        if not after:
            break
        bare += text[at:start]
        is_name = text[start + 1 : after - 1].isidentifier() and not text[at:start].rstrip().endswith("=")
        bare, at = bare + (text[start:after] if is_name else " " + "\n" * text.count("\n", start, after)), after
    end = mark.start() if mark is not None else end
    return bare + text[at:end], end


def _section(sheet: ProgramSheet, text: str, start: int, end: int, place: re.Pattern[str], braces: Braces) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start == end:
        return
    row, counted, after, tag_end = text.count("\n", 0, start), start, start, start
    sheet.section(row, text.count("\n", 0, end))
    while (found := place.search(text, after, end)) is not None:
        at, after = found.start(), found.end()
        row, counted = row + text.count("\n", counted, at), at
        if found["tag"]:
            bare, tag_end = tag_at(text, after) if at >= tag_end else ("", tag_end)
            sheet.element(row, found["tag"], attributes_in(bare))
        elif text[at] != "{":
            sheet.expression(row, found["name"])
        elif (closed := closing(text, at, min(end, at + _LONGEST))) >= 0:
            braces(sheet, row, text[at + 1 : closed])
            after = closed + 1
