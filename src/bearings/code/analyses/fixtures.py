"""pytest's fixtures: a test uses the fixtures that its parameters are named after, without a reference to them."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePosixPath

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import SPECS, spec_of
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import BindingKind, FileFacts, MarkKind, Symbol

_FIXTURE = ("fixture", "yield_fixture")


def is_shared(path: str) -> bool:
    """Whether the file's fixtures are visible to all tests beside and below it."""
    spec = spec_of(path)
    return spec is not None and PurePosixPath(path).name == spec.fixture_file


@lru_cache(maxsize=1)
def fixture_users(snapshot: Snapshot) -> Mapping[str, list[tuple[Symbol, int]]]:
    """The functions that take each fixture, by the fixture's id, with the line of the parameter.

    A fixture of a `conftest.py` is visible beside and below it, any other in its own file. The nearest wins.
    """
    tests = {
        path: facts
        for path, facts in snapshot.facts.items()
        if SPECS[facts.language].fixture_file and (is_test(path) or is_shared(path))
    }
    fixtures = {path: _fixtures(facts) for path, facts in tests.items()}
    found: dict[str, list[tuple[Symbol, int]]] = {}
    for path, facts in tests.items():
        known = _visible(path, SPECS[facts.language].fixture_file, fixtures)
        for binding in facts.bindings:
            if binding.kind is BindingKind.PARAMETER and binding.name in known:
                user = facts.symbols[facts.scopes[binding.scope].symbol]
                fixture = next((id_ for id_ in known[binding.name] if id_ != user.id), None)
                if fixture is not None:
                    found.setdefault(fixture, []).append((user, binding.line))
    return found


def _fixtures(facts: FileFacts) -> dict[str, str]:
    """A file's fixtures by name: functions below a decorator of that name."""
    lines = sorted(
        mark.line for mark in facts.marks if mark.kind is MarkKind.DECORATOR and mark.text.endswith(_FIXTURE)
    )
    functions = sorted((symbol for symbol in facts.symbols[1:]), key=lambda symbol: symbol.line)
    found: dict[str, str] = {}
    for line in lines:
        below = next((symbol for symbol in functions if symbol.line >= line), None)
        if below is not None:
            found[below.name] = below.id
    return found


def _visible(path: str, name_of_shared: str, fixtures: Mapping[str, Mapping[str, str]]) -> dict[str, list[str]]:
    """The fixtures that are visible to a file's tests, by name, the nearest first."""
    folders = [str(folder) for folder in PurePosixPath(path).parents]
    shared = [name_of_shared if folder == "." else f"{folder}/{name_of_shared}" for folder in folders]
    found: dict[str, list[str]] = {}
    for file in dict.fromkeys([path, *shared]):
        for name, id_ in fixtures.get(file, {}).items():
            found.setdefault(name, []).append(id_)
    return found
