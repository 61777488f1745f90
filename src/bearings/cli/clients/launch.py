"""The command that starts a server of this installation, from any directory and without a PATH.

A client is no shell: desktop programs have a short PATH, and the working directory may be an untrusted project. So the
command has the launcher's absolute path. Under `uvx` that path lies in a cache that may be cleared at any time; then
`uvx` itself starts the launcher, from the source that this copy was installed from.

    LaunchCommand("/home/u/bearings/.venv/bin/bearings-places", ("stdio",))
    LaunchCommand("/home/u/.local/bin/uvx", ("--from", "bearings-mcp", "bearings-places", "stdio"))
"""

import importlib.metadata
import importlib.util
import json
import os
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath
from urllib.parse import urlsplit
from urllib.request import url2pathname

from bearings.errors import NotFound
from bearings.programs import find_program

SERVERS = {"bearings-places": "places", "bearings-code": "code"}
"""The servers and their wings. A server has its launcher's name."""

PACKAGE, PROGRAM = "bearings-mcp", "bearings"
_UV_BUCKETS = ("archive-v", "environments-v", "builds-v")
"""Directories in uv's cache that hold the environments of `uvx`, without their version.

https://docs.astral.sh/uv/concepts/tools/#tool-environments
"""


@dataclass(frozen=True, slots=True)
class LaunchCommand:
    """A program and its arguments."""

    program: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Installation:
    """The installation of this copy: its environment and interpreter, its scripts, its source."""

    prefix: Path
    python: Path
    scripts: Path
    source: str = PACKAGE
    with_atlas: bool = False

    @classmethod
    def here(cls) -> "Installation":
        """This installation."""
        return cls(
            Path(sys.prefix),
            Path(sys.executable).absolute(),
            Path(sysconfig.get_path("scripts")),
            source_of(importlib.metadata.distribution(PACKAGE).read_text("direct_url.json")),
            importlib.util.find_spec("bearings_atlas") is not None,
        )

    @property
    def is_in_uv_cache(self) -> bool:
        """Whether it lies in uv's cache."""
        return any(part.startswith(_UV_BUCKETS) for part in self.prefix.parts)


def source_of(direct_url: str | None) -> str:
    """The source for a new installation: a path, a URL, or the package's name if it came from an index.

    `direct_url` is the record of PEP 610.
    """
    if direct_url is None:
        return PACKAGE
    record = json.loads(direct_url)
    url = str(record["url"])
    if urlsplit(url).scheme == "file":
        return url2pathname(urlsplit(url).path)
    vcs = record.get("vcs_info")
    return f"{vcs['vcs']}+{url}@{vcs['commit_id']}" if vcs else url


def launch_command(server: str, installation: Installation, environ: Mapping[str, str]) -> LaunchCommand:
    """The command that starts `server`. Raises NotFound if this runs from uv's cache and `uvx` is gone."""
    if installation.is_in_uv_cache:
        atlas = ("--with", "bearings-atlas") if installation.with_atlas else ()
        return LaunchCommand(_uvx(environ), ("--from", installation.source, *atlas, server, "stdio"))
    launcher = _script(server, installation)
    if launcher is not None:
        return LaunchCommand(launcher, ("stdio",))
    return LaunchCommand(str(installation.python), ("-P", "-m", "bearings", SERVERS[server], "serve", "stdio"))


def typed_command(installation: Installation, environ: Mapping[str, str]) -> str:
    """The words to type for `bearings` in a shell; "" if that word alone works."""
    if installation.is_in_uv_cache:
        return shlex.join(("uvx", "--from", installation.source, PROGRAM))
    if find_program(PROGRAM, os.curdir, environ.get("PATH")):
        return ""
    return shlex.join(_program(installation))


def hook_command(client: str, installation: Installation, environ: Mapping[str, str]) -> str:
    """The shell command of a client's hook. Raises NotFound as `launch_command`."""
    if installation.is_in_uv_cache:
        words: tuple[str, ...] = (_uvx(environ), "--from", installation.source, PROGRAM)
    else:
        words = _program(installation)
    if os.name == "nt":  # backslashes are escapes in Git's Bash, which some clients use there
        return subprocess.list2cmdline([word.replace("\\", "/") for word in (*words, "hook", client)])
    return shlex.join((*words, "hook", client))


def _program(installation: Installation) -> tuple[str, ...]:
    """The words that run `bearings` of this installation."""
    script = _script(PROGRAM, installation)
    return (script,) if script else (str(installation.python), "-P", "-m", PROGRAM)


def _script(name: str, installation: Installation) -> str | None:
    """The absolute path of a script of this installation."""
    folders = (installation.python.parent, installation.scripts)
    paths = (folder / file for folder in folders for file in (name, f"{name}.exe"))
    return next((str(path) for path in paths if path.is_file()), None)


def _uvx(environ: Mapping[str, str]) -> str:
    """The `uvx` beside the running `uv`, which UV names; otherwise the first on PATH."""
    folder = os.path.dirname(environ.get("UV", ""))  # noqa: PTH120 - "" for a name alone
    program = (folder and find_program("uvx", None, folder)) or find_program("uvx", os.curdir, environ.get("PATH"))
    if program is None:
        hint = "Install uv, which brings it: https://docs.astral.sh/uv."
        raise NotFound("bearings runs from uv's cache, and there is no uvx", hint)
    return program


def starts(entry: object, server: str) -> bool:
    """Whether a client's entry starts `server`, of this installation or another."""
    if not isinstance(entry, dict):
        return False
    arguments = entry.get("args", [])
    words = [entry.get("command"), *(arguments if isinstance(arguments, list) else [])]
    names = [PureWindowsPath(word).name.removesuffix(".exe") for word in words if isinstance(word, str)]
    names = names[: names.index("--toolsets")] if "--toolsets" in names else names
    return server in names or names[-4:] == ["bearings", SERVERS[server], "serve", "stdio"]
