"""Keys: ids of symbols without their lines, so that what is known of other files outlasts edits above a symbol."""

from collections.abc import Iterable, Mapping
from sys import intern

from bearings.code.models import Edge, FileFacts

_MARK = "\0"
"""What no path and no name holds."""


def keys_of(facts: FileFacts) -> list[str]:
    """The key of each symbol: of a module its path; else path, qualified name, and how many came before of that name.

    Two states of a file that have the same qualified names in the same order have the same keys.
    """
    path = facts.path
    counts: dict[str, int] = {}
    keys = [path]
    for symbol in facts.symbols[1:]:
        name = symbol.qualified_name
        before = counts[name] = counts.get(name, -1) + 1
        keys.append(intern(f"{path}{_MARK}{name}{_MARK}{before}" if before else f"{path}{_MARK}{name}"))
    return keys


def file_of(key: str) -> str:
    """The file of the symbol that has this key."""
    return key.partition(_MARK)[0]


def with_ids(edges: Iterable[Edge], ids: Mapping[str, str]) -> list[Edge]:
    """Edges whose targets are keys, with their ids instead; without those that `ids` does not have."""
    return [
        edge
        if (target := ids[edge.target]) == edge.target
        else Edge(edge.source, target, edge.kind, edge.file, edge.line, edge.confidence, edge.reason)
        for edge in edges
        if edge.target in ids
    ]
