"""Which external `coderef` there is: `$CODEREF_CLI_PATH/dist/cli.js` under node, else one on PATH that is not ours.

None of it may lie inside the project that is asked about: see bearings.programs.
"""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from bearings import programs
from bearings.code.engine.bridge.command import Run
from bearings.errors import BearingsError, CliNotFound, shown

OURS = "(bearings-mcp)"
"""What our own `coderef --version` says."""

_ASK_S = 10.0
_VERSION = re.compile(r"(?<![\d.])(\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?)\b")
_REMEDY = "Set CODEREF_CLI_PATH to the directory that holds dist/cli.js, or CODEREF_ENGINE=native for our own engine."


class Program(NamedTuple):
    """A command line to begin with, and the version that it answers."""

    arguments: tuple[str, ...]
    version: str


def environment_for(given: Mapping[str, str], project: Path) -> dict[str, str]:
    """A child's environment: told to be native, so that nothing that we start calls us; its PATH outside `project`."""
    environment = {name: value for name, value in given.items() if name != "CODEREF_CLI_PATH"}
    if "PATH" in given:
        environment["PATH"] = programs.search_path(project, given["PATH"])
    return {**environment, "CODEREF_ENGINE": "native"}


def find_program(cli_path: Path | None, given: Mapping[str, str], project: Path) -> Program:
    """The external command for `project`, its version asked for. Raises CliNotFound, saying what was looked at."""
    environment = environment_for(given, project)
    if cli_path is not None:
        return _checked(_by_path(cli_path.expanduser(), environment, project), environment)
    looked = []
    for path in _on_path(environment, project):
        try:
            return _checked((path,), environment)
        except _OurOwn:
            looked.append(f"{path} is our own")
        except CliNotFound as error:
            looked.append(error.error)
    raise CliNotFound(f"there is no external coderef: {'; '.join(looked) or 'none is on PATH'}", _REMEDY)


class _OurOwn(Exception):
    """The command is this package's: asking it would be asking ourselves."""


def _by_path(directory: Path, environment: Mapping[str, str], project: Path) -> tuple[str, str]:
    script = directory.absolute() / "dist" / "cli.js"  # it is run in the project, where a relative path leads elsewhere
    if programs.belongs_to(script, project):
        raise CliNotFound(
            f"CODEREF_CLI_PATH = {shown(str(directory))}: lies inside the project {shown(str(project))}, "
            "whose own programs are never run",
            "Install coderef outside the project, or set CODEREF_ENGINE=native for our own engine.",
        )
    if not script.is_file():
        raise CliNotFound(f"CODEREF_CLI_PATH = {shown(str(directory))}: has no dist/cli.js", _REMEDY)
    node = programs.find_program("node", project, environment.get("PATH"))
    if node is None:
        raise CliNotFound(f"node, which would run {shown(str(script))}, is not on PATH", "Install node. " + _REMEDY)
    return node, str(script)


def _on_path(environment: Mapping[str, str], project: Path) -> Iterator[str]:
    """Every `coderef` on PATH outside the project, in its order."""
    for directory in environment.get("PATH", "").split(os.pathsep):
        found = programs.find_program("coderef", project, directory)
        if found:
            yield found


def _checked(arguments: tuple[str, ...], environment: Mapping[str, str]) -> Program:
    run = Run([*arguments, "--version"], None, environment)
    name = arguments[-1]
    try:
        said = run.wait(_ASK_S, "--version")
    except BearingsError as error:
        raise CliNotFound(f"{name} does not tell its version ({error.error})", _REMEDY) from error
    text = said.stdout[:4000].decode("utf-8", "replace")
    if OURS in text:
        raise _OurOwn
    version = _VERSION.search(text)
    if said.status or version is None:
        why = f"status {said.status}{f': {said.stderr}' if said.stderr else ''}" if said.status else "no version in it"
        raise CliNotFound(f"{name} --version gives no answer of a coderef ({why})", _REMEDY)
    return Program(arguments, version[1])
