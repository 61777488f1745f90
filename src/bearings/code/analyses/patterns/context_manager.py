"""Context managers: classes with both methods, and decorated generators."""

from collections.abc import Iterator

from bearings.code.analyses.patterns.evidence import File, Found, below
from bearings.code.file_facts import MarkKind


def find(file: File) -> Iterator[Found]:
    """Each class and each function."""
    path, facts, makers = file.path, file.facts, file.idioms.context_makers
    yield from _classes(file)
    for mark in facts.marks if makers else ():
        if mark.kind is MarkKind.DECORATOR and mark.text.rpartition(".")[2] in makers:
            made = below(facts, mark.line)
            yield Found("context manager functions", path, mark.line, made.id if made else path, f"@{mark.text}")


def _classes(file: File) -> Iterator[Found]:
    """The classes with both methods."""
    ends = file.idioms.context_ends
    wanted = frozenset[str]().union(*ends)
    names: dict[str, set[str]] = {}
    for symbol in file.facts.symbols[1:] if ends else ():
        if symbol.inside and symbol.name in wanted:
            names.setdefault(symbol.parent, set()).add(symbol.name)
    for symbol in file.facts.symbols[1:] if names else ():
        if any(both <= names.get(symbol.id, set()) for both in ends):
            yield Found("context manager classes", file.path, symbol.line, symbol.id, symbol.signature[:100])
