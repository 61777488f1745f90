"""Makes a map from OpenStreetMap files: reads them, works out what lies where, writes the index."""

import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from bearings.errors import InvalidInput, WriteFailed
from bearings.places.index.world import World
from bearings.places.osm import reading
from bearings.places.osm.schema import SCHEMA_VERSION, STAGING_SUFFIX
from bearings.places.osm.staging import BATCH, Staging
from bearings.places.osm.streets import streets
from bearings.places.osm.surroundings import surroundings
from bearings.places.osm.writer import MapWriter
from bearings.progress import Progress

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

ATTRIBUTION = "© OpenStreetMap contributors, ODbL 1.0 (https://www.openstreetmap.org/copyright)"

_PER_BYTE = 0.02
"""Places in a byte of .osm.pbf, for the estimate: between .013 and .021 in four extracts."""

_READ, _AROUND, _STREETS = 0.5, 0.7, 0.8
"""The share of the whole work that is done after each step."""


@dataclass(frozen=True, slots=True)
class Made:
    """What an import made: the number of places and of names, the bytes of the file, the seconds that it took."""

    places: int
    names: int
    size: int
    seconds: float


def make(
    path: Path, files: Sequence[Path], world: World, progress: Progress, within: "BaseGeometry | None" = None
) -> Made:
    """Makes the map `path` from files, whole or not at all. An object in several files is taken from the first.

    `within` cuts: objects that don't touch it are left out. The caller holds the folder (`library.importing`).

    Raises InvalidInput for a file that is no OpenStreetMap data or holds no place, WriteFailed if the disk is full.
    """
    try:
        return _made(path, files, world, progress, within)
    except (OSError, sqlite3.Error) as error:
        raise WriteFailed(
            f"{path} can't be written ({error})", "Free disk space, or set GEOCODER_INDEX_DIR."
        ) from error


def _made(path: Path, files: Sequence[Path], world: World, progress: Progress, within: "BaseGeometry | None") -> Made:
    began = time.monotonic()
    headers = [reading.header(file) for file in files]
    stage = path.with_name(f"{path.name}{STAGING_SUFFIX}")
    stage.unlink(missing_ok=True)
    try:
        with closing(Staging(stage, within)) as staging:
            _read(staging, files, progress)
            if not len(staging):
                cut = " within the given area" if within is not None else ""
                names = ", ".join(file.name for file in files)
                raise InvalidInput("file", names, f"holds no place{cut}", "Give another extract.")
            return _written(path, files, headers, staging, world, progress, began)
    finally:
        stage.unlink(missing_ok=True)


def _written(
    path: Path, files: Sequence[Path], headers: Sequence[reading.Header], staging: Staging, world: World,
    progress: Progress, began: float,
) -> Made:  # fmt: skip
    staging.query("COMMIT")
    staging.query("BEGIN")
    around = surroundings(staging, world, _share(progress, _READ, _AROUND, "what lies where"))
    of_streets = streets(staging, around.town)
    progress.update(_STREETS, 1.0, "streets")
    with MapWriter(path) as writer:
        writer.write(staging, around, of_streets, _share(progress, _STREETS, 1.0, "writing"))
        dates = [header.timestamp for header in headers if header.timestamp]
        writer.set_meta(
            {
                "schema_version": str(SCHEMA_VERSION),
                "attribution": ATTRIBUTION,
                "files": ", ".join(file.name for file in files),
                "data_version": max(dates, default=""),
                "imported": datetime.now(UTC).isoformat(timespec="seconds"),
                "places": str(len(staging)),
            }
        )
        names = writer.names
    return Made(len(staging), names, path.stat().st_size, time.monotonic() - began)


def _read(staging: Staging, files: Sequence[Path], progress: Progress) -> None:
    total = sum(file.stat().st_size for file in files) * _PER_BYTE
    seen: set[int] = set()
    for file in files:
        features = reading.features(file)
        own: list[int] = []
        while batch := list(islice(features, BATCH)):
            fresh = [feature for feature in batch if feature.osm not in seen]
            if len(files) > 1:
                own += (feature.osm for feature in fresh)
            staging.add(fresh)
            progress.update(min(_READ, _READ * len(staging) / total), 1.0, f"reading {file.name}")
        seen.update(own)


def _share(progress: Progress, start: float, end: float, message: str) -> Callable[[float], None]:
    return lambda done: progress.update(start + (end - start) * done, 1.0, message)
