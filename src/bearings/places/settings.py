"""What a user may set for places: flags > environment > `.env` > defaults."""

from pathlib import Path

from pydantic import Field, field_validator

from bearings.settings import EnvSettings


def _users_cache() -> Path:
    """Where this system keeps caches."""
    import platformdirs

    return platformdirs.user_cache_path("bearings", appauthor=False)


class PlacesSettings(EnvSettings):
    """The backend, where it keeps its files, and the language of names. The geocoder refuses what makes no sense."""

    backend: str = Field(
        "auto",
        validation_alias="GEOCODER_BACKEND",
        description="Which source answers: auto, nominatim or gazetteer. Only auto falls back.",
    )
    cache_dir: Path = Field(
        default_factory=_users_cache,
        validation_alias="GEOCODER_CACHE_DIR",
        description="Directory of the built index and of cached answers; default: the user's cache directory.",
    )
    language: str = Field(
        "en", validation_alias="GEOCODER_LANGUAGE", description='Language of names: a BCP 47 tag, or "local".'
    )

    @field_validator("cache_dir")
    @classmethod
    def _expanded(cls, path: Path) -> Path:
        return path.expanduser()
