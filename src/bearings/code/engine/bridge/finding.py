"""Finds an external `coderef`: `$CODEREF_CLI_PATH/dist/cli.js` under node, else one on PATH that is not bearings'.

Programs inside the project are never run: see bearings.programs.
"""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from bearings import programs
from bearings.code.engine.bridge.command import Run
from bearings.errors import BearingsError, CliNotFound, shown

OWN_MARK = "(bearings-mcp)"
"""The mark in the version text of bearings' own `coderef`."""

_VERSION_S = 10.0
_VERSION = re.compile(r"(?<![\d.])(\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?)\b")
_REMEDY = (
    "Set CODEREF_CLI_PATH to the directory that holds dist/cli.js, or CODEREF_ENGINE=native to use the native engine."
)


class Program(NamedTuple):
    """The first words of a command line, and the version of the program."""

    arguments: tuple[str, ...]
    version: str


def environment_for(given: Mapping[str, str], project: Path) -> dict[str, str]:
    """A child's environment: native, so that it does not call bearings again; its PATH has nothing inside `project`."""
    environment = {name: value for name, value in given.items() if name != "CODEREF_CLI_PATH"}
    if "PATH" in given:
        environment["PATH"] = programs.search_path(project, given["PATH"])
    return {**environment, "CODEREF_ENGINE": "native"}


def find_program(cli_path: Path | None, given: Mapping[str, str], project: Path) -> Program:
    """The external command for `project` with its version. Raises CliNotFound, which lists the rejected candidates."""
    environment = environment_for(given, project)
    if cli_path is not None:
        return _checked(_by_path(cli_path.expanduser(), environment, project), environment)
    rejected = []
    for path in _on_path(environment, project):
        try:
            return _checked((path,), environment)
        except _OwnCommand:
            rejected.append(f"{path} belongs to bearings")
        except CliNotFound as error:
            rejected.append(error.error)
    raise CliNotFound(f"there is no external coderef: {'; '.join(rejected) or 'none is on PATH'}", _REMEDY)


class _OwnCommand(Exception):
    """The command belongs to this package, so it is no external one."""


def _by_path(directory: Path, environment: Mapping[str, str], project: Path) -> tuple[str, str]:
    # Absolute: the command runs in the project, where a relative path means another file.
    script = directory.absolute() / "dist" / "cli.js"
    if programs.belongs_to(script, project):
        raise CliNotFound(
            f"CODEREF_CLI_PATH = {shown(str(directory))}: is inside the project {shown(str(project))}, "
            "whose own programs are never run",
            "Install coderef outside the project, or set CODEREF_ENGINE=native to use the native engine.",
        )
    if not script.is_file():
        raise CliNotFound(f"CODEREF_CLI_PATH = {shown(str(directory))}: has no dist/cli.js", _REMEDY)
    node = programs.find_program("node", project, environment.get("PATH"))
    if node is None:
        raise CliNotFound(f"node, which runs {shown(str(script))}, is not on PATH", "Install node. " + _REMEDY)
    return node, str(script)


def _on_path(environment: Mapping[str, str], project: Path) -> Iterator[str]:
    """Every `coderef` on PATH outside the project, in the order of PATH."""
    for directory in environment.get("PATH", "").split(os.pathsep):
        program = programs.find_program("coderef", project, directory)
        if program:
            yield program


def _checked(arguments: tuple[str, ...], environment: Mapping[str, str]) -> Program:
    run = Run([*arguments, "--version"], None, environment)
    name = arguments[-1]
    try:
        finished = run.wait(_VERSION_S, "--version")
    except BearingsError as error:
        raise CliNotFound(f"{name} --version failed ({error.error})", _REMEDY) from error
    text = finished.stdout[:4000].decode("utf-8", "replace")
    if OWN_MARK in text:
        raise _OwnCommand
    version = _VERSION.search(text)
    if finished.status or version is None:
        why = (
            f"status {finished.status}{f': {finished.stderr}' if finished.stderr else ''}"
            if finished.status
            else "no version in it"
        )
        raise CliNotFound(f"{name} --version does not print a version of coderef ({why})", _REMEDY)
    return Program(arguments, version[1])
