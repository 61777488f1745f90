"""Settings of the servers. Each wing has a class of its own; flags > environment > file > default."""

import logging
import os
import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AliasGenerator, BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from bearings.envfile import EnvFile, environment


class DotEnv(StrEnum):
    """Whether the `.env` of the working directory may set a setting; that file is untrusted: see envfile.py.

    Each setting has one of these beside its type. A setting without one is refused.
    """

    REFUSED = "names a program, an address, a path or a secret"
    LOWERED = "raises a limit"
    """Allowed if the value is not above the default."""
    QUIETER = "logs what was asked"
    """A log level: allowed if it is not below the default."""
    TAKEN = ""


_T = TypeVar("_T")
Refused = Annotated[_T, DotEnv.REFUSED]
Lowered = Annotated[_T, DotEnv.LOWERED]
Quieter = Annotated[_T, DotEnv.QUIETER]
Taken = Annotated[_T, DotEnv.TAKEN]

NOT_USABLE = "is not usable"

_USER_INFORMATION = re.compile(r"(?<=://).*@", re.DOTALL)
"""The user information of a URL: up to the last @, because a password that is not encoded may hold any character."""


def variables(prefix: str) -> AliasGenerator:
    """The variables of a class: the name of a setting behind `prefix`, in capitals, unless it has an alias."""
    return AliasGenerator(validation_alias=lambda name: prefix + name.upper())


def without_credentials(value: str) -> str:
    """A setting's value for display: a URL without its user information."""
    return _USER_INFORMATION.sub("…@", value)


class EnvSettings(BaseModel):
    """The base of every settings class: values passed by name, then the environment, then a file.

    pydantic-settings does the same, but its import takes 0.06 s of every command.
    """

    model_config = ConfigDict(extra="ignore", populate_by_name=True, validate_default=True)

    def __init__(self, *, _env_file: EnvFile | None = None, **values: Any) -> None:
        sources = {**(type(self).taken_from(_env_file) if _env_file else {}), **environment()}
        names = [self.variable(name) for name in type(self).model_fields if name not in values]
        super().__init__(**{name: sources[name] for name in names if name in sources}, **values)

    @classmethod
    def variable(cls, name: str) -> str:
        """The environment variable of a setting, which is its alias."""
        return str(cls.model_fields[name].validation_alias or name.upper())

    @classmethod
    def taken_from(cls, file: EnvFile) -> Mapping[str, str]:
        """The variables of `file` that count: all of a file that the user named, otherwise those not refused."""
        if file.named:
            return file.values
        refused = cls.refused_in(file)
        return {name: value for name, value in file.values.items() if name not in refused}

    @classmethod
    def refused_in(cls, file: EnvFile) -> dict[str, str]:
        """The variables of `file` that set something in this class and are refused, each with the reason."""
        if file.named:
            return {}
        of_ours = {cls.variable(name): name for name in cls.model_fields}
        reasons = {
            variable: cls._refusal(name, file.values[variable])
            for variable, name in of_ours.items()
            if variable in file.values
        }
        return {variable: reason for variable, reason in reasons.items() if reason}

    @classmethod
    def _refusal(cls, name: str, value: str) -> str:
        """The reason to refuse this value from an untrusted file; "" if it is allowed."""
        field = cls.model_fields[name]
        decision = next((mark for mark in field.metadata if isinstance(mark, DotEnv)), DotEnv.REFUSED)
        if decision is DotEnv.REFUSED:
            return str(decision)
        try:
            settings = cls.model_construct()
            cls.__pydantic_validator__.validate_assignment(settings, name, value)
        except ValidationError:
            return NOT_USABLE
        usable = getattr(settings, name)
        if decision is DotEnv.QUIETER:
            levels = logging.getLevelNamesMapping()
            return str(decision) if levels[usable] < levels[field.default] else ""
        raised = decision is DotEnv.LOWERED and isinstance(usable, int | float) and usable > field.default
        return str(decision) if raised else ""


class FileSettings(EnvSettings, alias_generator=variables("BEARINGS_")):
    """The file of the other settings. It is read first, so no file can name it."""

    env_file: Refused[str] = Field(
        "",
        description="File of settings, all of which are taken; without it only harmless ones, from `.env` in the "
        "working directory. As --env-file.",
    )


class ServeSettings(EnvSettings, alias_generator=variables("BEARINGS_")):
    """Transport, address and limits of a server."""

    mcp_stdio: Taken[str | None] = Field(
        None, validation_alias="MCP_STDIO", description="Any value but 0, false or empty forces stdio."
    )
    token: Refused[SecretStr | None] = Field(None, description="Bearer token that HTTP clients must send.")
    roots: Refused[str] = Field(
        "", description="Directories that code tools may read, separated as in PATH; empty: see docs/deploy.md."
    )
    toolsets: Refused[str] = Field(
        "", description="Tools to serve: core, seed, edit, all, or names, with commas; empty: all."
    )
    tokens: Refused[str] = Field(
        "",
        description="File of named tokens for HTTP clients, in TOML, read again when it changes: see docs/deploy.md.",
    )
    trusted_proxies: Refused[str] = Field(
        "", description="Addresses and networks, with commas between them, whose X-Forwarded-For names the client."
    )
    allowed_hosts: Refused[str] = Field(
        "", description="Hosts that HTTP requests may name, with commas between them; on loopback, its own names too."
    )
    allowed_origins: Refused[str] = Field(
        "", description="Origins of web pages that may send HTTP requests, such as https://app.example.org."
    )
    access_log: Refused[Literal["", "json"]] = Field("", description="json: a line on stderr for each call over HTTP.")
    peer_connections: Refused[int] = Field(256, ge=1, description="Connections that an address may have.")
    peer_streams: Refused[int] = Field(64, ge=1, description="Event streams that an HTTP client may have.")
    peer_sessions: Refused[int] = Field(128, ge=1, description="Sessions that an HTTP client may have.")
    peer_calls: Refused[int] = Field(64, ge=1, description="Calls that an HTTP client may have at once.")
    request_timeout: Refused[float] = Field(15.0, gt=0, description="Seconds for an HTTP request to arrive.")
    idle_timeout: Refused[int] = Field(15, ge=1, description="Seconds that an idle connection stays open.")
    session_timeout: Refused[float] = Field(1800.0, gt=0, description="Seconds that an unused session stays open.")
    drain_timeout: Refused[float] = Field(10.0, ge=0, description="Seconds that calls may go on after SIGTERM.")
    log_level: Quieter[str] = Field("WARNING", description="Level of the log on stderr.")

    @field_validator("log_level")
    @classmethod
    def _level(cls, value: str) -> str:
        """One of logging's level names, in capitals."""
        level = value.strip().upper()
        if level not in logging.getLevelNamesMapping():
            raise ValueError("use DEBUG, INFO, WARNING, ERROR or CRITICAL")
        return level

    @property
    def forces_stdio(self) -> bool:
        """Whether MCP_STDIO asks for stdio."""
        return (self.mcp_stdio or "").strip().casefold() not in ("", "0", "false")

    def root_paths(self) -> tuple[Path, ...]:
        """The roots as paths, in the given order."""
        return tuple(Path(part).expanduser() for part in self.roots.split(os.pathsep) if part)
