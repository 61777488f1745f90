"""How the tests of TypeScript and JavaScript are run, as far as package.json tells."""

import json
import shlex
from collections.abc import Mapping, Sequence

_RUNNERS = {"vitest": "npx vitest run", "jest": "npx jest", "mocha": "npx mocha", "ava": "npx ava"}


def command(files: Sequence[str], manifests: Mapping[str, bytes]) -> str:
    """Some files of tests, by the project's runner."""
    return f"{_runner(manifests)} {shlex.join(files)}"


def _runner(manifests: Mapping[str, bytes]) -> str:
    """The runner that the outermost package.json asks for; npm test where it names none that is known."""
    for path, data in sorted(manifests.items(), key=lambda item: item[0].count("/")):
        if path.endswith("package.json"):
            wanted = _wanted(data)
            for name, runner in _RUNNERS.items():
                if name in wanted:
                    return runner
    return "npm test --"


def _wanted(data: bytes) -> set[str]:
    """The packages that a package.json asks for."""
    try:
        manifest = json.loads(data)
        return {name for field in ("devDependencies", "dependencies") for name in manifest.get(field) or {}}
    except (ValueError, AttributeError, TypeError, RecursionError):
        return set()
