"""How the servers serve. Each wing has a class of its own; flags > environment > .env > default."""

import logging
from pathlib import Path

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict


class EnvSettings(BaseSettings):
    """The base of every settings class: values from the environment and from `.env` in the working directory."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", env_ignore_empty=True, extra="ignore", populate_by_name=True
    )


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
        import os

        return tuple(Path(part).expanduser() for part in self.roots.split(os.pathsep) if part)
