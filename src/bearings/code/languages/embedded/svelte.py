"""Converts Svelte's components to TSX."""

import re

from bearings.code.languages.embedded import markup
from bearings.code.languages.embedded.sheet import ProgramSheet

_PLACE = re.compile(markup.COMPONENTS + r"|(?<=\s)(?:use|transition|in|out|animate):(?P<name>[A-Za-z_$]\w*)")
_STORE = re.compile(r"(?<![\w$.])\$(?=[A-Za-z_])")
_BLOCK = re.compile(r"\s*([#:@])([a-z]+(?:\s+if)?)\b(.*)", re.DOTALL)


def program(path: str, text: str) -> str:
    """Return the scripts of a component, and the code that its markup uses; `$store` becomes `store`."""
    sheet = ProgramSheet(path, text)
    markup.read(sheet, text, 0, _PLACE, _braces)
    return sheet.program()


def _braces(sheet: ProgramSheet, row: int, code: str) -> None:
    if code.lstrip()[:1] == "/":
        return
    block = _BLOCK.match(code)
    if block is None:
        sheet.expression(row, _without_dollars(code.strip().removeprefix("...")))
        return
    word, rest = block[2], _without_dollars(block[3])
    row += code[: block.start(3)].count("\n")
    if word == "each":
        listed, _, pattern = rest.rpartition(" as ")
        sheet.bind(pattern.partition("(")[0])
        sheet.expression(row, listed)
    elif word in ("await", "then", "catch"):
        awaited, _, name = rest.partition(" then ") if word == "await" else ("", "", rest)
        sheet.bind(name)
        sheet.expression(row, awaited)
    elif word == "const":
        name, _, value = rest.partition("=")
        sheet.bind(name)
        sheet.expression(row, value)
    elif word == "snippet":
        sheet.bind(rest)
    else:
        sheet.expression(row, rest)


def _without_dollars(code: str) -> str:
    return _STORE.sub("", code)
