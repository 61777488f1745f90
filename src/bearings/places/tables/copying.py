"""Copies of files that stand at a URL: an atlas or a map that the workers of a cluster read."""

import hashlib
from pathlib import Path, PurePosixPath
from typing import Any

from bearings.errors import InvalidInput, Unavailable, Unsupported
from bearings.private import private_folder

_PATIENCE_S = 600
"""How long one process waits for another one's copy."""


def local_copy(location: str, cache_dir: Path) -> str:
    """The path of a copy in the cache directory, made now unless an equal one is there; a path is given back as it is.

    `location` is any URL that fsspec reads ("s3://bucket/malta.sqlite"). The name of a copy holds what the storage says
    of the file's state, so that a new edition is copied anew. Raises Unsupported, InvalidInput, Unavailable.
    """
    if "://" not in location:
        return location
    try:
        import fsspec
    except ImportError as error:
        hint = "Install it: pip install 'bearings-mcp[dask]'. Or give a path."
        raise Unsupported(f"{location}: reading a URL needs fsspec, which is not installed", hint) from error
    try:
        system, path = fsspec.core.url_to_fs(location)
        state = hashlib.sha256(f"{location} {system.ukey(path)}".encode()).hexdigest()[:20]
        return str(_copied(system, path, cache_dir / "copies" / f"{state}-{PurePosixPath(path).name}"))
    except FileNotFoundError as error:
        raise InvalidInput("location", location, "is no file", "Give a URL that the workers can read.") from error
    except (ValueError, ImportError) as error:  # an unknown protocol, one whose library is missing
        raise InvalidInput("location", location, f"can't be read: {error}", "Give a path, or another URL.") from error
    except OSError as error:
        raise Unavailable(f"{location} can't be read: {error}", "Check that this machine may read it.") from error


def _copied(system: Any, path: str, copy: Path) -> Path:
    """The copy, whole or not at all; one process makes it."""
    import filelock

    if not copy.exists():
        private_folder(copy.parent)
        with filelock.FileLock(copy.with_name(f"{copy.name}.lock"), timeout=_PATIENCE_S, mode=0o600):
            if not copy.exists():
                draft = copy.with_name(f"{copy.name}.part")
                system.get_file(path, str(draft))
                draft.replace(copy)
    return copy
