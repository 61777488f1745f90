"""Decorators, by name."""

from collections.abc import Iterator

from bearings.code.questions.patterns.evidence import File, Found


def find(file: File) -> Iterator[Found]:
    """Each use of a decorator, and the decorated element."""
    for text, line, element in file.decorated(bool):
        yield Found(f"@{text}", file.path, line, element, f"@{text}")
