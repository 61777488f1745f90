"""The clients, from the table catalog.toml, and where a user's files are on this machine."""

import os
import re
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

_PATIENCE_S = 5
"""Seconds. The hook itself gives up long before; this covers a machine that is slow to start it."""

_FROM_VARIABLE = re.compile(r"\$\{(\w+)(?::-~/?(.*?))?\}/(.*)")
"""The path `${CODEX_HOME:-~/.codex}/config.toml`: the variable, its default below the home directory, the rest."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The facts that locate a user's files: the system as `sys.platform` names it, variables, the home directory."""

    system: str
    environ: Mapping[str, str]
    home: Path

    @classmethod
    def here(cls) -> "Machine":
        """This machine."""
        return cls(sys.platform, os.environ, Path.home())

    def path(self, written: str) -> Path:
        """A user's file or directory as the table writes it."""
        match = _FROM_VARIABLE.fullmatch(written)
        if match is None:
            return self.home / written.removeprefix("~/")
        variable, default, rest = match.groups()
        return (self._settings() if variable == "SETTINGS" else self._named(variable, self.home / default)) / rest

    def _settings(self) -> Path:
        """The directory for desktop applications' settings."""
        if self.system == "win32":
            return self._named("APPDATA", self.home / "AppData" / "Roaming")
        if self.system == "darwin":
            return self.home / "Library" / "Application Support"
        return self._named("XDG_CONFIG_HOME", self.home / ".config")

    def _named(self, variable: str, default: Path) -> Path:
        """The directory that a variable names; the default if it is not set."""
        return Path(self.environ.get(variable, "").strip() or default)


class Format(StrEnum):
    """The format of a file."""

    JSON = "JSON"
    JSONC = "JSON with comments"
    TOML = "TOML"


class HookPoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A client's configuration for commands to run after its tools and at prompts; see the head of the table."""

    user: str
    project: str
    format: Format
    event: str
    matcher: str
    grouped: bool = False
    timeout: int = _PATIENCE_S
    head: dict[str, Any] = {}
    note: str = ""
    prompt: str = ""

    def at_prompts(self) -> "HookPoint":
        """The same for the event of a prompt, which has no tool to match."""
        return msgspec.structs.replace(self, event=self.prompt, matcher="")

    def entry(self, command: str) -> dict[str, Any]:
        """An item of the list around a shell command."""
        run = {"type": "command", "command": command}
        matched = {"matcher": self.matcher} if self.matcher else {}
        if self.grouped:
            return {**matched, "hooks": [{**run, "timeout": self.timeout}]}
        return {**run, **matched, "timeout": self.timeout}


class Client(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A program that starts MCP servers; see the head of the table. None: the client has no such file."""

    name: str
    title: str
    key: str
    format: Format
    user: str
    after: str
    typed: bool = False
    project: str | None = None
    user_skills: str | None = None
    project_skills: str | None = None
    paragraph: str = ""
    includer: str = ""
    hooks: HookPoint | None = None


@cache
def clients() -> tuple[Client, ...]:
    """All clients, in the order of the table."""
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return msgspec.convert(table["client"], tuple[Client, ...])
