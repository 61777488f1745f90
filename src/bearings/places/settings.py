"""Settings of the places wing: flags > environment > file > defaults."""

from pathlib import Path

from pydantic import Field, field_validator

from bearings.settings import EnvSettings, Refused, Taken, variables


def _users_cache() -> Path:
    """The system's directory for caches."""
    import platformdirs

    return platformdirs.user_cache_path("bearings", appauthor=False)


def _users_maps() -> Path:
    """The system's directory for a program's data."""
    import platformdirs

    return platformdirs.user_data_path("bearings", appauthor=False) / "maps"


class PlacesSettings(EnvSettings, alias_generator=variables("GEOCODER_")):
    """The backend, its directory of files, and the language of names. The geocoder refuses impossible values."""

    # nominatim asks the public server even without NOMINATIM_EMAIL: that is the user's decision
    backend: Refused[str] = Field(
        "auto", description="Source that answers: auto, nominatim, osm-index or gazetteer. Only auto falls back."
    )
    cache_dir: Refused[Path] = Field(
        default_factory=_users_cache,
        description="Directory of the full atlas and of cached answers; default: the user's cache directory.",
    )
    atlas: Refused[str] = Field(
        "", description="File of the atlas that the gazetteer reads, or core; default: the full one that is found."
    )
    index: Refused[str] = Field(
        "", description="The imported map to ask, by name or path; default: all that were imported."
    )
    index_dir: Refused[Path] = Field(
        default_factory=_users_maps, description="Directory of imported maps; default: the user's data directory."
    )
    import_memory_mb: Refused[int] = Field(0, ge=0, description="Megabytes of an import; 0: by its files.")
    import_timeout: Refused[float] = Field(0.0, ge=0, description="Seconds of an import; 0: by its files.")
    language: Taken[str] = Field("en", description='Language of names: a BCP 47 tag, or "local".')

    @field_validator("cache_dir", "index_dir")
    @classmethod
    def _expanded(cls, path: Path) -> Path:
        return path.expanduser()
