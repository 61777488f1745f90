"""Uses of environment variables. A variable is no element: its uses are edges to `env:NAME`, which the graph lacks.

uses_of_variable(snapshot, "DATABASE_URL")    # who reads and writes it
variables_of(snapshot, "src/db.py#connect:8") # what the function's own code needs
"""

from collections.abc import Iterator

from bearings.code.file_facts import FileFacts
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Confidence, Edge

_MARK = "env:"
_REASON = "environment variable"


def variable_id(name: str) -> str:
    """The name of a variable in questions and replies."""
    return f"{_MARK}{name}"


def variable_in(snapshot: Snapshot, text: str) -> str:
    """The variable that a text names, with or without `env:`; empty if no source uses it."""
    name = text.strip().removeprefix(_MARK)
    return name if snapshot.graph.variables.get(name) else ""


def is_variable(text: str) -> bool:
    """Whether a text can only be the name of a variable."""
    return text.strip().startswith(_MARK)


def uses_of_variable(snapshot: Snapshot, name: str) -> list[Edge]:
    """The reads and writes of a variable, by file and line."""
    files = sorted(snapshot.graph.variables.get(name, ()))
    target = variable_id(name)
    return [edge for path in files for edge in _edges(snapshot.facts[path]) if edge.target == target]


def variables_of(snapshot: Snapshot, symbol_id: str) -> list[Edge]:
    """The reads and writes in the own code of a symbol, by line."""
    symbol = snapshot.graph.symbols.get(symbol_id)
    if symbol is None or not snapshot.graph.summaries[symbol.file].variables:
        return []
    return [edge for edge in _edges(snapshot.facts[symbol.file]) if edge.source == symbol_id]


def _edges(facts: FileFacts) -> Iterator[Edge]:
    for use in facts.environment:
        source = facts.symbols[use.symbol].id
        yield Edge(source, variable_id(use.name), use.kind, facts.path, use.line, Confidence.EXACT, _REASON)
