"""Converts MDX to TSX: imports and exports between paragraphs of Markdown, with components and code in braces."""

import re

from bearings.code.languages.embedded import markup
from bearings.code.languages.embedded.blocks import blank
from bearings.code.languages.embedded.sheet import ProgramSheet

_MATTER = re.compile(r"---[^\n]*\n(.*?)^---[^\n]*$", re.DOTALL | re.MULTILINE)
_LAYOUT = re.compile(r"^layout:\s*[\"']?([^\s\"']+)", re.MULTILINE)
_CODE = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[^\n]*$|\Z)|`[^`\n]*`|\\[{<]", re.DOTALL | re.MULTILINE)
_MODULE = re.compile(r"^(?:import|export)\b.*?(?=\r?\n[ \t]*\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_PLACE = re.compile(markup.COMPONENTS + r"|(?P<name>(?!))")


def program(path: str, text: str) -> str:
    """Return the imports and exports of a page, its layout as an import, and the code that its prose uses."""
    sheet, matter = ProgramSheet(path, text), _MATTER.match(text)
    start = matter.end() if matter is not None else 0
    layout = _LAYOUT.search(text, 0, start)
    if layout is not None:
        sheet.script(text.count("\n", 0, layout.start()), f'import "{layout[1]}"')
    prose = _CODE.sub(lambda found: blank(found[0]), text)
    for code in _MODULE.finditer(prose, start):
        sheet.script(text.count("\n", 0, code.start()), text[code.start() : code.end()])
    markup.read(sheet, _MODULE.sub(lambda found: blank(found[0]), prose), start, _PLACE, _braces)
    return sheet.program()


def _braces(sheet: ProgramSheet, row: int, code: str) -> None:
    sheet.expression(row, code.removeprefix("..."))
