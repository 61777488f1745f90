"""Guess a command's project before its line is parsed.

A worker process starts on the guessed project while Python still imports the command line's modules. A wrong guess
wastes that head start only.

    bearings code scan src    → src
    bearings code query f     → the current folder
    bearings code scan --help → None
"""

import os
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from bearings.cli.spelling import Spelling
from bearings.code import defaults

if TYPE_CHECKING:
    from bearings.code.engine.wire import Hello

_SETTINGS_PREFIX = "CODEREF_"
"""The start of variables that set what a default greeting would contain."""

_NO_PROJECT = frozenset({"--help", "-h", "--no-ast", "--no-use-ast", "--at", "--head"})
"""Words of a line that asks no question, or one that needs no index of the files on disk."""


def likely_hello(command: str, spelling: Spelling, line: Sequence[str]) -> "Hello | None":
    """The greeting for a worker, given default settings; None if a setting is set, or the project can't be guessed.

    Reading settings takes as long as a worker needs to be ready, so neither `.env` nor a named file is read.
    """
    variables = [variable.upper() for variable in os.environ]
    has_settings = any(name == "BEARINGS_ENV_FILE" or name.startswith(_SETTINGS_PREFIX) for name in variables)
    if Path(".env").exists() or has_settings:
        return None
    project = likely_project(command, spelling, line)
    if project is None:
        return None
    from bearings.code.engine.wire import Hello

    return Hello(str(project), str(defaults.cache_path()), defaults.MAX_FILE_BYTES)


def likely_project(command: str, spelling: Spelling, line: Sequence[str]) -> Path | None:
    """The line's project, as far as it can be seen before the options are known; otherwise None.

    Invalid words are reported later, when their meaning is known.
    """
    try:
        project = _project_of(command, spelling, line)
        str(project).encode()  # a name that is not text can't be sent to another process
    except (OSError, RuntimeError, ValueError):
        return None
    return project


def _project_of(command: str, spelling: Spelling, line: Sequence[str]) -> Path | None:
    if command not in line:  # the help of all commands makes each one
        return None
    words = line[line.index(command) + 1 :]
    options = ("--project", *spelling.aliases.get("project_path", ()))
    # `--project=src` or `-Csrc`: the option and its value are one word, which is left to the real parser.
    is_ambiguous = any("=" in word or (word not in options and word[:2] in options) for word in words)
    if spelling.project == "none" or is_ambiguous or not _NO_PROJECT.isdisjoint(words):
        return None
    project_words = [word for previous, word in pairwise(words) if previous in options]
    if spelling.project == "word":
        neighbours = pairwise(["", *words])
        folders = [pair for pair in neighbours if not pair[1].startswith("-") and os.path.isdir(pair[1])]  # noqa: PTH112 - raises nothing
        if any(previous.startswith("-") for previous, _ in folders):  # it may be an option's value
            return None
        project_words = [word for _, word in folders] or project_words
    return Path(os.path.realpath(Path(project_words[-1] if project_words else ".").expanduser()))
