"""Context managers in Python: classes with both ends, and generators that are made one."""

from collections.abc import Iterator

from bearings.code.analyses.patterns.sight import Found, below, files
from bearings.code.models import Language, MarkKind
from bearings.code.refresh import Snapshot

_ENDS = ({"__enter__", "__exit__"}, {"__aenter__", "__aexit__"})
_MADE = frozenset({"contextmanager", "asynccontextmanager"})


def find(snapshot: Snapshot) -> Iterator[Found]:
    """Each class and each function."""
    for path, facts in files(snapshot):
        if facts.language is not Language.PYTHON:
            continue
        names: dict[str, set[str]] = {}
        for symbol in facts.symbols[1:]:
            names.setdefault(symbol.parent, set()).add(symbol.name)
        for symbol in facts.symbols[1:]:
            if any(ends <= names.get(symbol.id, set()) for ends in _ENDS):
                yield Found("context manager classes", path, symbol.line, symbol.id, symbol.signature[:100])
        for mark in facts.marks:
            if mark.kind is MarkKind.DECORATOR and mark.text.rpartition(".")[2] in _MADE:
                made = below(facts, mark.line)
                yield Found("context manager functions", path, mark.line, made.id if made else path, f"@{mark.text}")
