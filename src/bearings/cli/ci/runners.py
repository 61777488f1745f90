"""Test files as arguments of a test runner: `tests/test_a.py` for pytest, `./sum` for go."""

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
    """The arguments, and how many files can't be named: their names hold characters that replies escape.

    All files exist, because the changes end with the files on disk.
    """

    arguments: tuple[str, ...]
    unnamed: int


def selected(runner: str, files: Iterable[str], project: Path) -> Selected:
    """The arguments for the files of the runner's languages, in their order, relative to the project."""
    from bearings.code.languages import spec_of

    own_files = [file for file in files if (spec := spec_of(file)) is not None and spec.group == RUNNERS[runner]]
    named = [file for file in own_files if (project / file).is_file()]
    arguments = dict.fromkeys(_package(file) if runner == _BY_PACKAGE else _path_argument(file) for file in named)
    return Selected(tuple(arguments), len(own_files) - len(named))


def _package(file: str) -> str:
    """The package of a Go file: `./sum` for `sum/sum_test.go`, `.` for `main_test.go`."""
    return f"./{file.rpartition('/')[0]}".removesuffix("/")


def _path_argument(file: str) -> str:
    """A file as an argument that no runner takes for an option."""
    return f"./{file}" if file.startswith("-") else file
