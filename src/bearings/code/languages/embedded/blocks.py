"""Finds the HTML elements that contain no markup: scripts, styles, comments."""

import re
from collections.abc import Iterator
from typing import NamedTuple

ATTRIBUTES = r"""(?:[^>"'{]|"[^"]*"|'[^']*'|\{[^{}]*\})*"""
_BLOCK = re.compile(rf"<!--.*?-->|<(script|style)\b({ATTRIBUTES})>(.*?)</\1\s*>", re.DOTALL | re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([\w:-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?""")
_NO_LINE_END = re.compile(r"[^\n]")
_SCRIPTS = frozenset({"", "module", "ts", "tsx", "js", "jsx", "typescript", "javascript"})


class Script(NamedTuple):
    """A script: the offsets of its element, its code, and the offset of the code."""

    start: int
    end: int
    code: str
    at: int


def scripts(text: str, start: int = 0) -> Iterator[Script]:
    """Yield the scripts of a file that are programs, in order. A script from a relative file becomes an import."""
    for found in _BLOCK.finditer(text, start):
        if (found[1] or "").lower() != "script":
            continue
        given = attributes(found[2])
        is_code = {given.get("type", "").rpartition("/")[2], given.get("lang", "")} <= _SCRIPTS
        if is_code and given.get("src", "").startswith("."):
            yield Script(found.start(), found.end(), f'import "{given["src"]}"', found.start())
        elif is_code:
            yield Script(found.start(), found.end(), found[3], found.start(3))


def without_comments(text: str) -> str:
    """Return the text with spaces for comments, styles and scripts that are no programs."""
    programs = {script.start for script in scripts(text)}
    return _BLOCK.sub(lambda found: found[0] if found.start() in programs else blank(found[0]), text)


def blank(text: str) -> str:
    """Return spaces for a text, with its line ends."""
    return _NO_LINE_END.sub(" ", text)


def attributes(text: str) -> dict[str, str]:
    """Return attributes by name in lower case; the value is empty if there is none."""
    return {found[1].lower(): found[2] or found[3] or "" for found in _ATTRIBUTE.finditer(text)}
