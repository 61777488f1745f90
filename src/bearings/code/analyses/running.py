"""How a project's tests are run, as far as its manifests tell."""

import json
import shlex
from collections.abc import Sequence

from bearings.code.answers.changes import ProposedTests
from bearings.code.languages import language_of
from bearings.code.models import Language
from bearings.code.refresh import Snapshot

_MOST = 12
"""Files on one command line: who runs more runs them all."""

_RUNNERS = {"vitest": "npx vitest run", "jest": "npx jest", "mocha": "npx mocha", "ava": "npx ava"}


def commands(snapshot: Snapshot, tests: Sequence[ProposedTests]) -> tuple[str, ...]:
    """A command for each language's first tests, in their order."""
    python = [row.file for row in tests if language_of(row.file) is Language.PYTHON][:_MOST]
    go = [row.file for row in tests if language_of(row.file) is Language.GO][:_MOST]
    script = [row.file for row in tests if language_of(row.file) not in (Language.PYTHON, Language.GO, None)][:_MOST]
    found = []
    if python:
        found.append(f"python -m pytest {shlex.join(python)}")
    if script:
        found.append(f"{_runner(snapshot)} {shlex.join(script)}")
    if go:
        packages = dict.fromkeys(f"./{file.rpartition('/')[0]}".rstrip("/") for file in go)
        found.append(f"go test {shlex.join(packages)}")
    return tuple(found)


def _runner(snapshot: Snapshot) -> str:
    """The runner that the outermost package.json asks for; npm test where it names none that is known."""
    for path, data in sorted(snapshot.project.manifests.items(), key=lambda item: item[0].count("/")):
        if path.endswith("package.json"):
            wanted = _wanted(data)
            for name, command in _RUNNERS.items():
                if name in wanted:
                    return command
    return "npm test --"


def _wanted(data: bytes) -> set[str]:
    """The packages that a package.json asks for."""
    try:
        manifest = json.loads(data)
        return {name for field in ("devDependencies", "dependencies") for name in manifest.get(field) or {}}
    except (ValueError, AttributeError, TypeError, RecursionError):
        return set()
