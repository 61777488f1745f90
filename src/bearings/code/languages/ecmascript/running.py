"""The command that runs tests of TypeScript and JavaScript, according to package.json."""

import posixpath
import re
import shlex
from collections.abc import Mapping, Sequence
from functools import lru_cache

from bearings import parsing

_SUPPORT = re.compile(r"(|.*/)cypress/support/(?:e2e|component|index)\.[cm]?[jt]sx?")
_SETUP = re.compile(rb"\b(?:setupFiles\w*|globalSetup)[\"']?\s*:\s*(\[[^\]]*\]|[^,\n}]+)")
"""Settings of Jest and Vitest whose files run before the tests."""
_QUOTED = re.compile(rb"[\"']([^\"'\n]+)[\"']")
_ENDING = re.compile(r"\.[cm]?[jt]sx?$")
_RUNNERS = {"vitest": "npx vitest run", "jest": "npx jest", "mocha": "npx mocha", "ava": "npx ava"}


def command(files: Sequence[str], manifests: Mapping[str, bytes]) -> str:
    """Return the command that runs the files with the project's test runner."""
    return f"{_runner(manifests)} {shlex.join(files)}"


def loading(path: str, manifests: Mapping[str, bytes]) -> str:
    """Return the start of the paths of tests for which a runner loads a file: as a set-up file, or Cypress' support."""
    support = _SUPPORT.fullmatch(path)
    if support is not None:
        return f"{re.escape(support[1])}cypress/"
    inside = _set_up(tuple(manifests.items())).get(_ENDING.sub("", path))
    return f"{re.escape(inside)}(?!cypress/)" if inside is not None else ""


@lru_cache(maxsize=2)
def _set_up(manifests: tuple[tuple[str, bytes], ...]) -> dict[str, str]:
    """Return the set-up files without their endings, each with the start of the paths of the tests it runs before."""
    found: dict[str, str] = {}
    for manifest, data in manifests:
        inside = manifest[: manifest.rfind("/") + 1]
        for setting in _SETUP.finditer(data):
            for quoted in _QUOTED.findall(setting[1]):
                name = quoted.decode("utf-8", "replace").removeprefix("<rootDir>/")
                found.setdefault(_ENDING.sub("", posixpath.normpath(inside + name)), inside)
    return found


def _runner(manifests: Mapping[str, bytes]) -> str:
    """Return the runner that the outermost package.json depends on; `npm test` if it names none that is known."""
    for path, data in sorted(manifests.items(), key=lambda item: item[0].count("/")):
        if path.endswith("package.json"):
            packages = _dependencies(data)
            for name, runner in _RUNNERS.items():
                if name in packages:
                    return runner
    return "npm test --"


def _dependencies(data: bytes) -> set[str]:
    """Return the names of all dependencies in a package.json; none if it is malformed."""
    try:
        manifest = parsing.from_json(data)
        return {name for field in ("devDependencies", "dependencies") for name in manifest.get(field) or {}}
    except (ValueError, AttributeError, TypeError):
        return set()
