"""Keys: ids of symbols without lines, so that edges from other files survive edits above a symbol."""

from collections.abc import Iterable, Mapping
from sys import intern
from typing import Protocol

from bearings.code.models import Edge, Symbol

MARK = "\0"
"""A character that no path and no name contains. It separates a key's path, qualified name and number."""


class Listed(Protocol):
    """A file's path and its symbols in the order of the source: its facts, or a part of them."""

    @property
    def path(self) -> str: ...  # noqa: D102

    @property
    def symbols(self) -> tuple[Symbol, ...]: ...  # noqa: D102


def keys_of(facts: Listed) -> list[str]:
    """The key of each symbol: a module's path; else path, qualified name, and the number of earlier namesakes.

    Two states of a file with the same qualified names in the same order have the same keys.
    """
    seconds = seconds_of(facts)
    return [key_at(facts, index, seconds) for index in range(len(facts.symbols))]


def key_at(facts: Listed, index: int, seconds: Mapping[int, int]) -> str:
    """The key of one symbol; `seconds` is the result of seconds_of."""
    if not index:
        return facts.path
    before = seconds.get(index, 0)
    key = f"{facts.path}{MARK}{facts.symbols[index].qualified_name}"
    return intern(f"{key}{MARK}{before}" if before else key)


def name_of(path: str, symbol_id: str) -> str:
    """The qualified name in the id of a file's symbol, which is not its module."""
    return symbol_id[len(path) + 1 : symbol_id.rfind(":")]


def key_of(path: str, symbol_id: str) -> str:
    """The key of a symbol id, provided that no other symbol of the file has its qualified name."""
    return path if symbol_id == path else path + MARK + name_of(path, symbol_id)


def seconds_of(facts: Listed) -> dict[int, int]:
    """The number of earlier symbols with the same qualified name, by index; only where there are any."""
    names = [symbol.qualified_name for symbol in facts.symbols]
    if len(set(names)) == len(names):
        return {}
    counts: dict[str, int] = {}
    found: dict[int, int] = {}
    for index, name in enumerate(names[1:], 1):
        before = counts.get(name, 0)
        counts[name] = before + 1
        if before:
            found[index] = before
    return found


def file_of(key: str) -> str:
    """The file of a key's symbol."""
    return key.partition(MARK)[0]


def with_ids(edges: Iterable[Edge], ids: Mapping[str, str]) -> list[Edge]:
    """Replaces the keys of edges' targets by ids; edges whose target is not in `ids` are dropped."""
    return [
        edge
        if (target := ids[edge.target]) == edge.target
        else Edge(edge.source, target, edge.kind, edge.file, edge.line, edge.confidence, edge.reason)
        for edge in edges
        if edge.target in ids
    ]
