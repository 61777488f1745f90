"""Decorators, by name."""

from collections.abc import Iterator

from bearings.code.analyses.patterns.evidence import File, Found, below
from bearings.code.file_facts import MarkKind


def find(file: File) -> Iterator[Found]:
    """Each use of a decorator, and the decorated element."""
    for mark in file.facts.marks:
        if mark.kind is MarkKind.DECORATOR and mark.text:
            symbol = below(file.facts, mark.line)
            element = symbol.id if symbol else file.path
            yield Found(f"@{mark.text}", file.path, mark.line, element, f"@{mark.text}")
