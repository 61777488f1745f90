"""Context managers: classes with both methods, and decorated generators."""

from collections.abc import Iterator

from bearings.code.analyses.patterns.evidence import Found, below, files, idioms
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import MarkKind


def find(snapshot: Snapshot) -> Iterator[Found]:
    """Each class and each function."""
    for path, facts in files(snapshot):
        ends, makers = idioms(facts).context_ends, idioms(facts).context_makers
        if not (ends or makers):
            continue
        names: dict[str, set[str]] = {}
        for symbol in facts.symbols[1:]:
            names.setdefault(symbol.parent, set()).add(symbol.name)
        for symbol in facts.symbols[1:]:
            if any(both <= names.get(symbol.id, set()) for both in ends):
                yield Found("context manager classes", path, symbol.line, symbol.id, symbol.signature[:100])
        for mark in facts.marks:
            if mark.kind is MarkKind.DECORATOR and mark.text.rpartition(".")[2] in makers:
                made = below(facts, mark.line)
                yield Found("context manager functions", path, mark.line, made.id if made else path, f"@{mark.text}")
