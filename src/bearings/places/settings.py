"""Settings of the places wing: flags > environment > file > defaults."""

from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator

from bearings.settings import DotEnv, EnvSettings


def _users_cache() -> Path:
    """The system's directory for caches."""
    import platformdirs

    return platformdirs.user_cache_path("bearings", appauthor=False)


def _users_maps() -> Path:
    """The system's directory for a program's data."""
    import platformdirs

    return platformdirs.user_data_path("bearings", appauthor=False) / "maps"


class PlacesSettings(EnvSettings):
    """The backend, its directory of files, and the language of names. The geocoder refuses impossible values."""

    # nominatim asks the public server even without NOMINATIM_EMAIL: that is the user's decision
    backend: Annotated[str, DotEnv.REFUSED] = Field(
        "auto",
        validation_alias="GEOCODER_BACKEND",
        description="Source that answers: auto, nominatim, osm-index or gazetteer. Only auto falls back.",
    )
    cache_dir: Annotated[Path, DotEnv.REFUSED] = Field(
        default_factory=_users_cache,
        validation_alias="GEOCODER_CACHE_DIR",
        description="Directory of the full atlas and of cached answers; default: the user's cache directory.",
    )
    atlas: Annotated[str, DotEnv.REFUSED] = Field(
        "",
        validation_alias="GEOCODER_ATLAS",
        description="File of the atlas that the gazetteer reads, or core; default: the full one that is found.",
    )
    index: Annotated[str, DotEnv.REFUSED] = Field(
        "",
        validation_alias="GEOCODER_INDEX",
        description="The imported map to ask, by name or path; default: all that were imported.",
    )
    index_dir: Annotated[Path, DotEnv.REFUSED] = Field(
        default_factory=_users_maps,
        validation_alias="GEOCODER_INDEX_DIR",
        description="Directory of imported maps; default: the user's data directory.",
    )
    import_memory_mb: Annotated[int, DotEnv.REFUSED] = Field(
        0, ge=0, validation_alias="GEOCODER_IMPORT_MEMORY_MB", description="Megabytes of an import; 0: by its files."
    )
    import_timeout: Annotated[float, DotEnv.REFUSED] = Field(
        0.0, ge=0, validation_alias="GEOCODER_IMPORT_TIMEOUT", description="Seconds of an import; 0: by its files."
    )
    language: Annotated[str, DotEnv.TAKEN] = Field(
        "en", validation_alias="GEOCODER_LANGUAGE", description='Language of names: a BCP 47 tag, or "local".'
    )

    @field_validator("cache_dir", "index_dir")
    @classmethod
    def _expanded(cls, path: Path) -> Path:
        return path.expanduser()
