"""TOML edited as text: tables are appended, and removed line by line. The caller checks the meaning of what is left.

A table may stand at the end of any file, so appending one never moves a byte. tomlkit, imported on demand, writes it.
It parses nothing: it takes quadratic time for many keys of several parts.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from bearings import parsing
from bearings.cli.clients.jsonc import Broken, is_blank


@lru_cache(maxsize=4)
def parse(text: str) -> Mapping[str, Any]:
    """The whole table. Raises Broken with the position."""
    try:
        return parsing.toml(text)
    except ValueError as error:
        raise Broken(str(error)) from None


def inserted(text: str, key: str, members: Mapping[str, Any]) -> str:
    """`text` with the tables `[key.NAME]`. The result is invalid if `key` is written as a value, `key = {…}`."""
    import tomlkit

    tables = tomlkit.table(is_super_table=True)
    for name, member in members.items():
        table = tomlkit.table()
        for field, value in member.items():
            table[field] = _inline(value) if isinstance(value, dict) else value
        tables[name] = table
        table.add(tomlkit.nl())
    document = tomlkit.document()
    document[key] = tables
    newline = "\r\n" if "\r\n" in text else "\n"
    gap = "" if is_blank(text) else newline if text.endswith("\n") else newline * 2
    return text + gap + tomlkit.dumps(document).strip("\n").replace("\n", newline) + newline


def removed(text: str, key: str, names: set[str]) -> str:
    """`text` without the tables `[key.NAME]`. Comments before the next table stay."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    ours = re.compile(_header(key, *names) + r"[.\]]")
    kept_lines: list[str] = []
    comments: list[str] = []
    is_ours = False
    for line in text.removeprefix(mark).splitlines(keepends=True):
        if line.lstrip().startswith("["):
            is_ours = ours.match(line) is not None
        if not is_ours:
            kept_lines += [*comments, line]
            comments.clear()
        elif line.lstrip().startswith("#") or (comments and not line.strip()):
            comments.append(line)
        else:
            comments.clear()
    return mark + "".join([*kept_lines, *comments])


def pruned(text: str, key: str) -> str:
    """`text` without the table `[key]` if it is empty."""
    rest = dict(parse(text))
    if rest.pop(key, None) != {}:
        return text
    after = re.sub(_header(key) + r"\][^\n]*\n?", "", text, count=1, flags=re.MULTILINE)
    return after if parse(after) == rest else text


def _header(key: str, *names: str) -> str:
    """A pattern for the header of the table `[key]`, or of one of `[key.NAME]`, up to what follows the name."""
    name_parts = [[key], names] if names else [[key]]
    parts = (rf"[ \t]*[\"']?(?:{'|'.join(map(re.escape, alternatives))})[\"']?[ \t]*" for alternatives in name_parts)
    return r"(?<![^\n\ufeff])[ \t]*\[" + r"\.".join(parts)


def _inline(members: Mapping[str, Any]) -> Any:
    import tomlkit

    table = tomlkit.inline_table()
    table.update(members)
    return table
