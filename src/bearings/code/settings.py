"""The settings of the code wing. Flags override the environment, the environment a file, a file the defaults."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from bearings.code import defaults
from bearings.settings import EnvSettings, Lowered, Refused, Taken, variables


class CodeSettings(EnvSettings, alias_generator=variables("CODEREF_")):
    """The engine's limits and its cache directory."""

    engine: Refused[Literal["auto", "native", "cli"]] = Field(
        "auto", description="native; cli: an external coderef; auto: that one where CODEREF_CLI_PATH is set."
    )
    cli_path: Refused[Path | None] = Field(
        None, description="Directory of an external coderef, which holds dist/cli.js; else one is looked for on PATH."
    )
    timeout_s: Lowered[float] = Field(
        120.0, gt=0, le=3600, validation_alias="CODEREF_TIMEOUT", description="Seconds that one call may take."
    )
    max_file_bytes: Lowered[int] = Field(
        defaults.MAX_FILE_BYTES,
        ge=1_000,
        le=100_000_000,
        description="Larger source files are left out of the index, and named.",
    )
    cache_dir: Refused[Path | None] = Field(
        None, description="Directory for stored facts about source files; by default in the user's cache directory."
    )

    fleet: Refused[Path | None] = Field(
        None,
        validation_alias="BEARINGS_FLEET",
        description="Catalogue of many repositories (bearings code fleet scan), for coderef_query with fleet .",
    )

    socket: Taken[bool] = Field(
        True, description="0: a server over stdio does not answer this user's commands, which then take longer."
    )

    def cache_path(self) -> Path:
        """The directory for stored facts, which need not exist yet."""
        if self.cache_dir is not None:
            return self.cache_dir.expanduser()
        return defaults.cache_path()
