"""Converts Svelte's components to TSX."""

import re

from bearings.code.languages.embedded import markup
from bearings.code.languages.embedded.sheet import IDENTIFIER, ProgramSheet

_PLACE = re.compile(markup.COMPONENTS + r"|(?<=\s)(?:use|transition|in|out|animate):(?P<name>[A-Za-z_$]\w*)")
_STORE = re.compile(r"(?<![\w$.])\$(?=[A-Za-z_])")
_TOKEN = re.compile(
    r"""\([^()]*\)\s*(?::[^=(){};]*)?=>|\$\w+\s*=>|\bfunction\b[^()]{0,200}\([^()]*\)"""  # parameters
    r"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'"""
    r"""|(?P<opening>\$?\{|[(\[])|(?P<closing>[)\]}])"""
    r"""|(?<![\w$])(?:(?<=\.\.\.)|(?<!\.))\$(?P<store>[A-Za-z_]\w*)(?P<ends>(?=\s*[,}]))?"""
)
_LOOK_BACK = 200
"""The most characters between a name and the comma or brace before it."""
_RUNES = frozenset("state derived effect props bindable inspect host".split())
_PROPS = re.compile(r"\}\s*:\s*([A-Z]\w*)\s*=\s*\$props\b")
_PATTERN = re.compile(r"\b(?:let|const)\s*\{")
_BLOCK = re.compile(r"\s*([#:@])([a-z]+(?:\s+if)?)\b(.*)", re.DOTALL)


def program(path: str, text: str) -> str:
    """Return the scripts of a component, and the code that its markup uses; `$store` becomes `store`."""
    sheet, typed = ProgramSheet(path, text), _PROPS.search(text)
    sheet.props = typed[1] if typed is not None else ""
    markup.read(sheet, text, 0, _PLACE, _braces, _without_stores if sheet.props else _without_runes)
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
        if name and awaited:
            sheet.statement(row, f"const {name.strip()}=(await ({awaited.strip()}))")
        else:
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


def _without_runes(code: str) -> str:
    """Return a script with `export let { size } = …` for `let { size } = $props()`; without stores, too."""
    start, end = -1, code.find("$props(")
    for declared in _PATTERN.finditer(code, 0, max(end, 0)):
        start = declared.start()
    return _without_stores(f"{code[:start]}export {code[start:]}" if start >= 0 else code)


def _without_stores(code: str) -> str:
    """Return a script with `store.$` for `$store`, the value of a store that it declares or imports."""
    known, opened = set(IDENTIFIER.findall(code)) - _RUNES, [""]

    def mended(found: re.Match[str]) -> str:
        name = found["store"]
        if found["opening"]:
            opened.append(found[0])
        elif found["closing"] and len(opened) > 1:
            opened.pop()
        if name not in known:
            return found[0]
        before = code[max(found.start() - _LOOK_BACK, 0) : found.start()].rstrip()
        is_shorthand = found["ends"] is not None and opened[-1] == "{" and before.endswith(("{", ","))
        return f"${name}: {name}.$" if is_shorthand else f"{name}.$"

    return _TOKEN.sub(mended, code)


def _without_dollars(code: str) -> str:
    return _STORE.sub("", code)
