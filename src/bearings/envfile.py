"""Settings in a file: one that the user names (`--env-file`, BEARINGS_ENV_FILE), or `.env` in the working directory.

The working directory may be another person's project, so its `.env` is untrusted. It is read only if it is a regular
file inside that directory, up to a size limit, and without replacing `${VAR}`. `settings.py` decides which of its
settings count. A file that the user names is read whole, wherever it is.
"""

import io
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bearings.errors import InvalidInput
from bearings.regular import NO_LINK, NoRegularFile, read_any, read_regular

DOT_ENV = ".env"
"""The file's name in the working directory."""

VARIABLE = "BEARINGS_ENV_FILE"

MAX_STRANGER_BYTES = 32 * 1024
"""The size limit for the `.env` of a working directory: python-dotenv reads that much in 0.3 s at worst."""

MAX_STRANGER_LINE = 1000
"""Characters. python-dotenv's time grows with the square of a line's blanks: 65,000 of them took 24 s."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
"""Lines as python-dotenv splits them; `str.splitlines` also splits at form feeds, which are blanks there."""

MAX_NAMED_BYTES = 1024 * 1024

PIPE_S = 30.0
"""The time in which a pipe must end: a program that decrypts settings may ask a server."""

_AS_UTF8 = "Save it as UTF-8."


@dataclass(frozen=True, slots=True)
class EnvFile:
    """Variables by name, in capitals, without empty ones.

    `named`: the user named this file, so all of it counts. `unread` is the reason if nothing was read.
    """

    name: str
    named: bool = False
    values: Mapping[str, str] = field(default_factory=dict)
    unread: str = ""


def environment() -> dict[str, str]:
    """The environment's variables by name, in capitals, without empty ones."""
    return {name.upper(): value for name, value in os.environ.items() if value}


def named_file(path: str) -> EnvFile:
    """The file that the user names: a regular file or a pipe, in UTF-8. Raises InvalidInput with the file's name."""
    from dotenv import dotenv_values

    try:
        content = read_any(Path(os.path.expanduser(path)), MAX_NAMED_BYTES, PIPE_S)  # noqa: PTH111 - raises nothing for ~nobody
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "is no path"
        raise InvalidInput(VARIABLE, path, f"can't be read ({why})", "Name a file that can be read.") from None
    if len(content) > MAX_NAMED_BYTES:
        raise InvalidInput(VARIABLE, path, f"has more than {MAX_NAMED_BYTES:,} bytes", "Name a smaller file.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInput(VARIABLE, path, "is not UTF-8", _AS_UTF8) from None
    return EnvFile(path, named=True, values=_set(dotenv_values(stream=io.StringIO(text))))


def working_directory_file() -> EnvFile | None:
    """The `.env` of the working directory; None if it is missing or not a regular file (some virtualenvs are)."""
    try:
        content = _regular_file(DOT_ENV)
    except OSError as error:
        return EnvFile(DOT_ENV, unread=f"can't be read ({error.strerror})")
    except _LeadsOut:
        return EnvFile(DOT_ENV, unread="is a link that leads out of the working directory")
    if content is None:
        return None
    if len(content) > MAX_STRANGER_BYTES:
        return EnvFile(DOT_ENV, unread=f"has more than {MAX_STRANGER_BYTES:,} bytes")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return EnvFile(DOT_ENV, unread="is not UTF-8")
    return EnvFile(DOT_ENV, values=_strangers_values(text))


class _LeadsOut(Exception):
    """The file is a link to a place outside the working directory."""


def _regular_file(name: str) -> bytes | None:
    """The content, at most one byte over the limit; None if there is no regular file. Raises OSError."""
    path = name
    try:
        if os.path.islink(name):  # noqa: PTH114
            path = os.path.realpath(name)
            if not Path(path).is_relative_to(os.path.realpath(os.curdir)):
                raise _LeadsOut
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return None
        return read_regular(path, MAX_STRANGER_BYTES, NO_LINK)[0]  # it may have become a link or a pipe since then
    except (FileNotFoundError, NotADirectoryError, NoRegularFile):
        return None


def _strangers_values(text: str) -> dict[str, str]:
    """The variables as written, without replacement. Skips malformed and too long lines silently."""
    from dotenv.parser import parse_stream

    lines = (line for line in _LINE.findall(text) if len(line) <= MAX_STRANGER_LINE)
    return _set({binding.key: binding.value for binding in parse_stream(io.StringIO("".join(lines))) if binding.key})


def _set(values: Mapping[str, str | None]) -> dict[str, str]:
    return {name.upper(): value for name, value in values.items() if value}
