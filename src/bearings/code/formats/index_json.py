"""`.coderef-index.json`: the elements of a project at one time, for comparison with later states.

Written: `{"version", "timestamp", "elements", "metadata": {"totalFiles", "totalElements", "languages"}}`. The forms
of @coderef/core's `.coderef/index.json` can be read too: a bare list (its version 1), an object with `elements` (2),
and the verbose and compact forms of version 3.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from bearings.untrusted import escape_json

VERSION = "1.0.0"
_MARK = re.compile(rb'\s*\{\s*"version"\s*:\s*"[^"]{0,20}"\s*,\s*"(?:timestamp|generatedAt)"')
_COMPACT = {"type": "t", "name": "n", "file": "f", "line": "l", "exported": "e"}

INDEX_PATH = ".coderef-index.json"
"""The usual place of an index in a project."""


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An element. Fields that a foreign index lacks are empty or 0.

    `hash` identifies its text without its name and white space; two `sketch`es can be compared for similarity (see
    coderefs.fingerprint).
    """

    type: str
    name: str
    qualified_name: str
    file: str
    line: int
    end_line: int = 0
    exported: bool = False
    ref: str = ""
    signature: str = ""
    hash: str = ""
    sketch: str = ""


def encode(elements: Sequence[Entry], timestamp: str, languages: Sequence[str]) -> bytes:
    """The document, compact, in UTF-8."""
    files = len({element.file for element in elements})
    metadata = {"totalFiles": files, "totalElements": len(elements), "languages": languages}
    document = {"version": VERSION, "timestamp": timestamp, "elements": elements, "metadata": metadata}
    return escape_json(msgspec.json.encode(document))


def is_export(head: bytes) -> bool:
    """Whether a file that begins with `head` is an index, written by this program or another."""
    return _MARK.match(head) is not None


def decode(data: bytes, root: str) -> tuple[str, list[Entry]]:
    """The time of an index (empty if it has none), and its elements; paths below `root` become relative.

    Raises ValueError, with the reason.
    """
    try:
        document = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError(f"it is no JSON ({error})") from None
    rows = document.get("elements") if isinstance(document, dict) else document
    if not isinstance(rows, list):
        raise ValueError('it has no list of "elements"')  # noqa: TRY004 - of data, not of an argument
    head: Mapping[str, Any] = document if isinstance(document, dict) else {}
    roots = [root, *([head["projectPath"]] if isinstance(head.get("projectPath"), str) else [])]
    timestamp = head.get("timestamp") or head.get("generatedAt") or ""
    return str(timestamp)[:40], [_entry(row, number, roots) for number, row in enumerate(rows)]


def _entry(row: Any, number: int, roots: Sequence[str]) -> Entry:
    if not isinstance(row, dict):
        raise ValueError(f"element {number} is no object")  # noqa: TRY004 - as above
    if "n" in row and "f" in row:
        row = {name: row[short] for name, short in _COMPACT.items() if short in row}
    name, file = row.get("name"), row.get("file")
    if not (isinstance(name, str) and isinstance(file, str) and name and file):
        raise ValueError(f"element {number} has no name or no file")
    named = {key: row[key] for key in ("signature", "hash", "sketch", "ref") if isinstance(row.get(key), str)}
    return Entry(
        type=str(row.get("type") or "unknown"),
        name=name.rpartition(".")[2] or name,
        qualified_name=row["qualified_name"] if isinstance(row.get("qualified_name"), str) else name,
        file=_relative(file, roots),
        line=_number(row.get("line")),
        end_line=_number(row.get("end_line") or row.get("endLine")),
        exported=row.get("exported") is True,
        **named,
    )


def _number(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _relative(file: str, roots: Sequence[str]) -> str:
    file = file.replace("\\", "/")
    for root in roots:
        prefix = root.replace("\\", "/").rstrip("/") + "/"
        if file.startswith(prefix):
            return file.removeprefix(prefix)
    return file.removeprefix("./")
