"""Makes a map from OpenStreetMap files: reads them, works out what lies where, writes the index."""

import os
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from bearings.errors import InvalidInput, WriteFailed
from bearings.places.engine.world import World
from bearings.places.osm import reading
from bearings.places.osm.schema import ATTRIBUTION, SCHEMA_VERSION, SORTED_SUFFIX, STAGING_SUFFIX, Made, draft
from bearings.places.osm.sorting import Unsorted, sort
from bearings.places.osm.staging import BATCH, Staging
from bearings.places.osm.streets import streets
from bearings.places.osm.surroundings import surroundings
from bearings.places.osm.writer import MapWriter
from bearings.progress import Progress

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

_PER_BYTE = 0.02
"""Places in a byte of .osm.pbf, for the estimate: between .013 and .021 in four extracts."""

_SORT = "Sort it: osmium sort IN -o OUT."

_READ, _AROUND, _STREETS = 0.5, 0.7, 0.8
"""The share of the whole work that is done after each step."""


def make(
    path: Path, files: Sequence[Path], world: World, progress: Progress, within: "BaseGeometry | None" = None
) -> Made:
    """Makes the map `path` from files, whole or not at all. An object in several files is taken from the first.

    `within` cuts: objects that don't touch it are left out. The caller holds the folder (`library.importing`).

    Raises InvalidInput for a file that is no OpenStreetMap data or holds no place, WriteFailed if the disk is full.
    """
    try:
        began = time.monotonic()
        before = list(map(_state, files))
        headers = [reading.header(file) for file in files]
        stage = draft(path, STAGING_SUFFIX)
        lost = reading.Lost()
        try:
            with closing(_staged(stage, files, progress, within, lost)) as staging:
                if not len(staging):
                    cut = " within the given area" if within is not None else ""
                    given = ", ".join(file.name for file in files)
                    raise InvalidInput("file", given, f"holds no place{cut}", "Give another extract.")
                for file, state in zip(files, before, strict=True):
                    if _state(file) != state:
                        raise InvalidInput("file", file.name, "changed while it was read", "Give it when it is whole.")
                places, names = _written(path, files, headers, staging, world, progress)
                return Made(places, names, path.stat().st_size, time.monotonic() - began, lost.count)
        finally:
            stage.unlink(missing_ok=True)
    except (OSError, sqlite3.Error) as error:
        raise WriteFailed(
            f"{path} can't be written ({error})", "Free disk space, or set GEOCODER_INDEX_DIR."
        ) from error


def _staged(
    stage: Path, files: Sequence[Path], progress: Progress, within: "BaseGeometry | None", lost: reading.Lost
) -> Staging:
    """The places of the files; those that are not sorted are read from sorted copies, which go afterwards."""
    in_order = {file: file for file in files}
    try:
        while True:
            staging = Staging(stage, within)
            try:
                lost.count = 0
                _read(staging, in_order, progress, lost)
            except Unsorted as error:
                staging.close()
                os.truncate(stage, 0)
                _put_in_order(in_order, error.path, stage, progress)
            except BaseException:
                staging.close()
                raise
            else:
                return staging
    finally:
        for file, read in in_order.items():
            if read != file:
                read.unlink(missing_ok=True)


def _put_in_order(in_order: dict[Path, Path], unsorted: Path, stage: Path, progress: Progress) -> None:
    """Writes a sorted copy of a file, and puts it in the file's place. Raises InvalidInput if it can't be sorted."""
    if unsorted not in in_order:
        original = next(file for file, read in in_order.items() if read == unsorted)
        raise InvalidInput("file", original.name, "has its objects in no order", _SORT)
    progress.update(0.0, 1.0, f"sorting {unsorted.name}")
    copy = draft(stage, SORTED_SUFFIX)
    in_order[unsorted] = copy
    try:
        sort(unsorted, copy)
    except (RuntimeError, ValueError) as error:
        raise reading.unreadable(unsorted, error) from error


def _written(
    path: Path, files: Sequence[Path], headers: Sequence[reading.Header], staging: Staging, world: World,
    progress: Progress,
) -> tuple[int, int]:  # fmt: skip
    """Writes the map; returns the number of its places and names."""
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
        return len(staging), writer.names


def _read(staging: Staging, files: Mapping[Path, Path], progress: Progress, lost: reading.Lost) -> None:
    """Stages the places of files, each read from the file that it maps to."""
    total = sum(file.stat().st_size for file in files) * _PER_BYTE
    seen: set[int] = set()
    for file, read in files.items():
        features = reading.features(read, lost)
        own: list[int] = []
        while batch := list(islice(features, BATCH)):
            fresh = [feature for feature in batch if feature.osm not in seen]
            if len(files) > 1:
                own += (feature.osm for feature in fresh if feature.osm >= 0)
            staging.add(fresh)
            progress.update(min(_READ, _READ * len(staging) / total), 1.0, f"reading {file.name}")
        seen.update(own)


def _state(file: Path) -> tuple[int, int, int]:
    """Inode, size and time of a file, which change with its content; zeros for one that is gone."""
    try:
        status = file.stat()
    except OSError:
        return 0, 0, 0
    return status.st_ino, status.st_size, status.st_mtime_ns


def _share(progress: Progress, start: float, end: float, message: str) -> Callable[[float], None]:
    return lambda done: progress.update(start + (end - start) * done, 1.0, message)
