"""Default settings, for callers such as hooks that can't wait until settings are loaded."""

from pathlib import Path

MAX_FILE_BYTES = 2_000_000


def cache_path() -> Path:
    """The directory for stored facts, which need not exist yet."""
    import platformdirs

    return platformdirs.user_cache_path("bearings", appauthor=False) / "code"
