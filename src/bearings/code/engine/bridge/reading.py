"""Parses the output of an external `coderef`: its JSON, elements from `scan`, edges from `query`."""

import json
import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, TypeVar

from bearings.code.file_facts import FileFacts
from bearings.code.grouping import grouped
from bearings.code.languages import DEFAULT_LANGUAGE, language_of
from bearings.code.models import Confidence, Edge, EdgeKind, Symbol, SymbolKind
from bearings.code.questions.query.traversal import Hop
from bearings.errors import BadOutput, shown
from bearings.untrusted import named

E = TypeVar("E", bound=StrEnum)

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_OPEN = re.compile(r"[\[{]")
_MAX_TRIES = 5_000
"""The number of brackets that may open no JSON. A banner has few; output with more is not meant for programs."""


def json_in(stdout: bytes, words: str) -> Any:
    """The JSON array or object at the end of the output, else the largest one in it. Raises BadOutput."""
    text = _ANSI.sub("", stdout.decode("utf-8", "replace").removeprefix("\ufeff"))
    decoder = json.JSONDecoder()
    best: tuple[int, Any] | None = None
    at = 0
    for _ in range(_MAX_TRIES):
        match = _OPEN.search(text, at)
        if match is None:
            break
        try:
            value, end = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            at = match.end()
            continue
        # Scanning [1/3]… {"elements": […]}: what ends the output is the document.
        if not text[end:].strip():
            return value
        if best is None or end - match.start() > best[0]:
            best = (end - match.start(), value)
        at = end
    if best is None:
        head = text.strip()[:120]
        raise BadOutput(
            f"coderef {words} printed no JSON{f': {shown(head)}' if head else ', and nothing else'}",
            "Run the same command by hand; the native engine needs no external coderef.",
        )
    return best[1]


_HINT = "This coderef prints another format; the native engine needs no external coderef."
_EDGES = {"calls": EdgeKind.CALL, "imports": EdgeKind.IMPORT, "depends-on": EdgeKind.REFERENCE, "path": EdgeKind.CALL}


def rows_of(document: Any, key: str, words: str) -> list[Mapping[str, Any]]:
    """The list that a document is or contains. Raises BadOutput."""
    rows = document.get(key) if isinstance(document, dict) else document
    if isinstance(rows, dict):
        rows = rows.get(key)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise BadOutput(f"coderef {words} printed no list of {key}", _HINT)
    return rows


def facts_of(rows: Sequence[Mapping[str, Any]], root: str) -> dict[str, FileFacts]:
    """Elements by file, as facts without anything else."""
    by_file = grouped((symbol.file, symbol) for symbol in (_symbol(row, root) for row in rows))
    return {file: _facts(file, symbols) for file, symbols in sorted(by_file.items())}


def _facts(file: str, symbols: list[Symbol]) -> FileFacts:
    last = max(symbol.end_line for symbol in symbols)
    module = Symbol(file, file, SymbolKind.MODULE, 1, last, True)
    ordered = sorted((s for s in symbols if s.kind is not SymbolKind.MODULE), key=lambda symbol: symbol.line)
    return FileFacts(file, language_of(file) or DEFAULT_LANGUAGE, last, (module, *ordered))


def _symbol(row: Mapping[str, Any], root: str) -> Symbol:
    name, file, line = row.get("qualified_name") or row.get("name"), row.get("file"), row.get("line")
    if not (isinstance(name, str) and isinstance(file, str) and isinstance(line, int) and name and file and line > 0):
        raise BadOutput("coderef scan printed an element without name, file or line", _HINT)
    last = row.get("end_line", row.get("endLine"))
    return Symbol(
        file=_relative(file, root),
        qualified_name=name,
        kind=_member(str(row.get("type")).lower(), SymbolKind, SymbolKind.VARIABLE),
        line=line,
        end_line=last if isinstance(last, int) and last >= line else line,
        exported=row.get("exported") is True,
    )


def _member(value: Any, kind: type[E], otherwise: E) -> E:
    """The member of an enumeration with a value, or another."""
    try:
        return kind(value)
    except ValueError:
        return otherwise


def hop_of(row: Mapping[str, Any], query_type: str, target: str, root: str) -> Hop:
    """The edge of a query's result, which names both ends, or an element whose other end is the target."""
    back = query_type.endswith("-me")
    other = _id(row, root)
    source = _text(row, "from", "source") or (other if back else target)
    end = _text(row, "to", "target") or (target if back else other)
    if not source or not end or (not other and not _text(row, "to", "target") and not _text(row, "from", "source")):
        raise BadOutput("coderef query printed a result without an element", _HINT)
    file = row.get("file")
    depth, line = row.get("depth"), row.get("line")
    return Hop(
        depth if isinstance(depth, int) and depth > 0 else 1,
        Edge(
            _relative(source, root),
            _relative(end, root),
            _member(str(row.get("type")).lower().rstrip("s"), EdgeKind, _EDGES[query_type.removesuffix("-me")]),
            _relative(file, root) if isinstance(file, str) else "",
            line if isinstance(line, int) and line > 0 else 0,
            _member(row.get("confidence"), Confidence, Confidence.INFERRED),
            named(str(row.get("reason") or "")) or "said by the external coderef",
        ),
    )


def _id(row: Mapping[str, Any], root: str) -> str:
    name, file, line = row.get("name") or row.get("element"), row.get("file"), row.get("line")
    if not isinstance(name, str):
        return str(row["id"]) if isinstance(row.get("id"), str) else ""
    return f"{_relative(file, root)}#{name}{f':{line}' if line else ''}" if isinstance(file, str) and file else name


def _text(row: Mapping[str, Any], *names: str) -> str:
    return next((value for name in names if isinstance(value := row.get(name), str)), "")


def _relative(path: str, root: str) -> str:
    path = path.replace("\\", "/")
    prefix = root.replace("\\", "/").rstrip("/") + "/"
    return path.removeprefix(prefix).removeprefix("./")
