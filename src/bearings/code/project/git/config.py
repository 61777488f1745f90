"""The variables of a git configuration file, without includes and uninterpreted."""

import re
from collections.abc import Iterator

_SECTION = re.compile(r'\s*\[\s*([A-Za-z0-9.-]+)\s*(?:"((?:[^"\\]|\\.)*)"\s*)?\]')
_VARIABLE = re.compile(r"\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$", re.DOTALL)
_COMMENT = re.compile(r'((?:"(?:[^"\\]|\\.)*"|\\.|[^"\\#;])*)', re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "b": "\b"}


def variables(data: bytes) -> dict[str, str]:
    """Values by `section.name` in lower case, the last of each; those of subsections are left out.

    A variable without a value is "true", as in git. Invalid lines are skipped.
    """
    return dict(_variables(data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")))


def _variables(text: str) -> Iterator[tuple[str, str]]:
    section = ""
    for line in re.split(r"(?<!\\)\r?\n", text):
        rest = line
        if head := _SECTION.match(line):
            section = "" if head[2] is not None else head[1].lower()
            rest = line[head.end() :]
        if section and not rest.lstrip().startswith(("#", ";")) and (variable := _VARIABLE.match(rest)):
            yield f"{section}.{variable[1].lower()}", "true" if variable[2] is None else _value(variable[2])


def _value(text: str) -> str:
    """A value without comment, quotes, escapes and continued lines."""
    value = _COMMENT.match(text)
    whole = (value[1] if value else "").strip().replace("\\\r\n", "").replace("\\\n", "")
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), re.sub(r'(?<!\\)"', "", whole))
