"""Decorators, by name."""

from collections.abc import Iterator

from bearings.code.analyses.patterns.evidence import Found, below, files
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import MarkKind


def find(snapshot: Snapshot) -> Iterator[Found]:
    """Each use of a decorator, and the decorated element."""
    for path, facts in files(snapshot):
        for mark in facts.marks:
            if mark.kind is MarkKind.DECORATOR and mark.text:
                symbol = below(facts, mark.line)
                yield Found(f"@{mark.text}", path, mark.line, symbol.id if symbol else path, f"@{mark.text}")
