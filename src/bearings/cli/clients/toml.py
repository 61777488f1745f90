"""TOML edited as text: tables are appended, and removed by tomlkit, which leaves the rest alone.

A table may stand at the end of any file, so appending one never moves a byte. tomlkit is imported on demand.
"""

import tomllib
from collections.abc import Mapping
from typing import Any

from bearings.cli.clients.jsonc import Broken, is_blank


def parse(text: str) -> dict[str, Any]:
    """The whole table. Raises Broken with the position."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except RecursionError:
        raise Broken("it is nested too deep") from None
    except tomllib.TOMLDecodeError as error:
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
    """`text` without the tables `[key.NAME]`."""
    import tomlkit

    mark = "\ufeff" if text.startswith("\ufeff") else ""
    document = tomlkit.parse(text.removeprefix("\ufeff"))
    tables: Any = document.get(key, {})
    for name in names & set(tables):
        del tables[name]
    return mark + tomlkit.dumps(document)


def pruned(text: str, key: str) -> str:
    """`text` without the table `[key]` if it is empty."""
    import tomlkit

    mark = "\ufeff" if text.startswith("\ufeff") else ""
    document = tomlkit.parse(text.removeprefix("\ufeff"))
    if document.get(key) != {}:
        return text
    del document[key]
    return mark + tomlkit.dumps(document)


def _inline(members: Mapping[str, Any]) -> Any:
    import tomlkit

    table = tomlkit.inline_table()
    table.update(members)
    return table
