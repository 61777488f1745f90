"""The settings of the code wing. Flags override the environment, the environment a file, a file the defaults."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from bearings.code import defaults
from bearings.settings import DotEnv, EnvSettings


class CodeSettings(EnvSettings):
    """The engine's limits and its cache directory."""

    engine: Annotated[Literal["auto", "native", "cli"], DotEnv.REFUSED] = Field(
        "auto",
        validation_alias="CODEREF_ENGINE",
        description="native; cli: an external coderef; auto: that one where CODEREF_CLI_PATH is set.",
    )
    cli_path: Annotated[Path | None, DotEnv.REFUSED] = Field(
        None,
        validation_alias="CODEREF_CLI_PATH",
        description="Directory of an external coderef, which holds dist/cli.js; else one is looked for on PATH.",
    )
    timeout_s: Annotated[float, DotEnv.LOWERED] = Field(
        120.0, gt=0, le=3600, validation_alias="CODEREF_TIMEOUT", description="Seconds that one call may take."
    )
    max_file_bytes: Annotated[int, DotEnv.LOWERED] = Field(
        defaults.MAX_FILE_BYTES,
        ge=1_000,
        le=100_000_000,
        validation_alias="CODEREF_MAX_FILE_BYTES",
        description="Larger source files are left out of the index, and named.",
    )
    cache_dir: Annotated[Path | None, DotEnv.REFUSED] = Field(
        None,
        validation_alias="CODEREF_CACHE_DIR",
        description="Directory for stored facts about source files; by default in the user's cache directory.",
    )

    fleet: Annotated[Path | None, DotEnv.REFUSED] = Field(
        None,
        validation_alias="BEARINGS_FLEET",
        description="Catalogue of many repositories (bearings code fleet scan), for coderef_query with fleet .",
    )

    socket: Annotated[bool, DotEnv.TAKEN] = Field(
        True,
        validation_alias="CODEREF_SOCKET",
        description="0: a server over stdio does not answer this user's commands, which then take longer.",
    )

    def cache_path(self) -> Path:
        """The directory for stored facts, which need not exist yet."""
        if self.cache_dir is not None:
            return self.cache_dir.expanduser()
        return defaults.cache_path()
