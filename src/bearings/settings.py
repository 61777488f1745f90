"""How the servers serve. Each wing has a class of its own; flags > environment > .env > default."""

import logging
import os
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator

ENV_FILE = Path(".env")
"""In the working directory."""


def environment() -> dict[str, str]:
    """What the environment says, by names in capitals. What is empty says nothing."""
    return {name.upper(): value for name, value in os.environ.items() if value}


def file_values(path: Path = ENV_FILE) -> dict[str, str]:
    """The same of a file. Raises UnicodeDecodeError for one that is not UTF-8."""
    if not path.is_file():
        return {}
    from dotenv import dotenv_values

    return {name.upper(): value for name, value in dotenv_values(path, encoding="utf-8").items() if value}


class EnvSettings(BaseModel):
    """The base of every settings class: values as they are passed by name, else from the environment, else from a file.

    pydantic-settings does the same, but takes 0.06 s of every command to be imported.
    """

    model_config = ConfigDict(extra="ignore", populate_by_name=True, validate_default=True)

    def __init__(self, *, _env_file: Path | None = ENV_FILE, **values: Any) -> None:
        found = {**(file_values(_env_file) if _env_file else {}), **environment()}
        fields = type(self).model_fields
        variables = {name: self.variable(name) for name in fields if name not in values}
        given = {
            variable if fields[name].validation_alias else name: found[variable]  # errors name it as it was given
            for name, variable in variables.items()
            if variable in found
        }
        super().__init__(**given, **values)

    @classmethod
    def variable(cls, name: str) -> str:
        """The environment variable of a setting, given its name or its alias."""
        field = cls.model_fields.get(name)
        alias = field.validation_alias if field else None
        return alias if isinstance(alias, str) else name.upper()


class ServeSettings(EnvSettings):
    """Transport, address and limits of a server."""

    mcp_stdio: str | None = Field(None, description="Any value but 0, false or empty forces stdio.")
    token: SecretStr | None = Field(
        None, validation_alias="BEARINGS_TOKEN", description="Bearer token that HTTP clients must send."
    )
    roots: str = Field(
        "",
        validation_alias="BEARINGS_ROOTS",
        description="Directories that code tools may read, separated as in PATH; empty: see docs/deploy.md.",
    )
    tokens: str = Field(
        "",
        validation_alias="BEARINGS_TOKENS",
        description="File of named tokens for HTTP clients, in TOML, read again when it changes: see docs/deploy.md.",
    )
    trusted_proxies: str = Field(
        "",
        validation_alias="BEARINGS_TRUSTED_PROXIES",
        description="Addresses and networks, with commas between them, whose X-Forwarded-For names the client.",
    )
    allowed_hosts: str = Field(
        "",
        validation_alias="BEARINGS_ALLOWED_HOSTS",
        description="Hosts that HTTP requests may name, with commas between them; on loopback, its own names too.",
    )
    allowed_origins: str = Field(
        "",
        validation_alias="BEARINGS_ALLOWED_ORIGINS",
        description="Origins of web pages that may send HTTP requests, such as https://app.example.org.",
    )
    access_log: Literal["", "json"] = Field(
        "", validation_alias="BEARINGS_ACCESS_LOG", description="json: a line on stderr for each call over HTTP."
    )
    peer_connections: int = Field(
        256, ge=1, validation_alias="BEARINGS_PEER_CONNECTIONS", description="Connections that an address may have."
    )
    peer_streams: int = Field(
        64, ge=1, validation_alias="BEARINGS_PEER_STREAMS", description="Event streams that an HTTP client may have."
    )
    peer_sessions: int = Field(
        128, ge=1, validation_alias="BEARINGS_PEER_SESSIONS", description="Sessions that an HTTP client may have."
    )
    peer_calls: int = Field(
        64, ge=1, validation_alias="BEARINGS_PEER_CALLS", description="Calls that an HTTP client may have at once."
    )
    request_timeout: float = Field(
        15.0, gt=0, validation_alias="BEARINGS_REQUEST_TIMEOUT", description="Seconds for an HTTP request to come in."
    )
    idle_timeout: int = Field(
        15, ge=1, validation_alias="BEARINGS_IDLE_TIMEOUT", description="Seconds that an idle connection stays open."
    )
    session_timeout: float = Field(
        1800.0, gt=0, validation_alias="BEARINGS_SESSION_TIMEOUT", description="Seconds that an unused session is kept."
    )
    drain_timeout: float = Field(
        10.0, ge=0, validation_alias="BEARINGS_DRAIN_TIMEOUT", description="Seconds that calls may go on after SIGTERM."
    )
    log_level: str = Field("WARNING", validation_alias="BEARINGS_LOG_LEVEL", description="Level of the log on stderr.")

    @field_validator("log_level")
    @classmethod
    def _level(cls, value: str) -> str:
        """One of logging's names, in capitals."""
        level = value.strip().upper()
        if level not in logging.getLevelNamesMapping():
            raise ValueError("use DEBUG, INFO, WARNING, ERROR or CRITICAL")
        return level

    @property
    def forces_stdio(self) -> bool:
        """Whether MCP_STDIO asks for stdio."""
        return (self.mcp_stdio or "").strip().casefold() not in ("", "0", "false")

    def root_paths(self) -> tuple[Path, ...]:
        """The roots as paths, in order."""
        return tuple(Path(part).expanduser() for part in self.roots.split(os.pathsep) if part)
