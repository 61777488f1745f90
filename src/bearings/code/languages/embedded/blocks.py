"""Elements of HTML that hold something else: scripts, styles, comments."""

import re
from collections.abc import Iterator
from typing import NamedTuple

ATTRIBUTES = r"""(?:[^>"'{]|"[^"]*"|'[^']*'|\{[^{}]*\})*"""
_BLOCK = re.compile(rf"<!--.*?-->|<(script|style)\b({ATTRIBUTES})>(.*?)</\1\s*>", re.DOTALL | re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([\w:-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?""")
_NO_LINE_END = re.compile(r"[^\n]")
_SCRIPTS = frozenset({"", "module", "ts", "tsx", "js", "jsx", "typescript", "javascript"})


class Script(NamedTuple):
    """A script: its element from where to where; its code, and where that begins."""

    start: int
    end: int
    code: str
    at: int


def scripts(text: str, start: int = 0) -> Iterator[Script]:
    """The scripts of a file that are programs, in order."""
    for found in _BLOCK.finditer(text, start):
        if (found[1] or "").lower() != "script":
            continue
        given = attributes(found[2])
        is_code = {given.get("type", "").rpartition("/")[2], given.get("lang", "")} <= _SCRIPTS
        if is_code and given.get("src", "").startswith("."):
            yield Script(found.start(), found.end(), f'import "{given["src"]}"', found.start())
        elif is_code:
            yield Script(found.start(), found.end(), found[3], found.start(3))


def without_asides(text: str) -> str:
    """The text with spaces in place of comments, styles and scripts that are no programs."""
    kept = {script.start for script in scripts(text)}
    return _BLOCK.sub(lambda found: found[0] if found.start() in kept else blank(found[0]), text)


def blank(text: str) -> str:
    """Spaces in place of a text, on as many lines."""
    return _NO_LINE_END.sub(" ", text)


def attributes(text: str) -> dict[str, str]:
    """Attributes with their values, in lower case; empty for none."""
    return {found[1].lower(): found[2] or found[3] or "" for found in _ATTRIBUTE.finditer(text)}
