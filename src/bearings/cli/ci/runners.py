"""Test files as arguments of a test runner."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

RUNNERS: Mapping[str, str] = {
    "pytest": "Python",
    "vitest": "TypeScript and JavaScript",
    "jest": "TypeScript and JavaScript",
    "go": "Go",
}
"""The group of languages whose tests each runner runs."""

_BY_PACKAGE = "go"
"""The runner that takes packages, not files."""


class Selected(NamedTuple):
    """The arguments, and how many files can't be named: their names hold characters that replies escape."""

    arguments: tuple[str, ...]
    unnamed: int


def selected(runner: str, files: Iterable[str], project: Path) -> Selected:
    """The arguments for the files of the runner's languages, in their order, relative to the project."""
    from bearings.code.languages import spec_of

    mine = [file for file in files if (spec := spec_of(file)) is not None and spec.group == RUNNERS[runner]]
    named = [file for file in mine if (project / file).is_file()]
    words = dict.fromkeys(_package(file) if runner == _BY_PACKAGE else _word(file) for file in named)
    return Selected(tuple(words), len(mine) - len(named))


def _package(file: str) -> str:
    return f"./{file.rpartition('/')[0]}".removesuffix("/") or "."


def _word(file: str) -> str:
    """A file as a word that no runner takes for an option."""
    return f"./{file}" if file.startswith("-") else file
