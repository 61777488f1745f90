"""The parts that all formats of tables share: batches of rows, readers, writers.

A position is a place in a table from which a reader can go on: an offset in bytes, or a number of rows, by the format.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from bearings.errors import InvalidInput

BATCH = 1000
"""Rows of a batch: a fraction of a second for an embedded source. A run that is killed repeats at most one batch."""

Row = dict[str, Any]
"""The values of a row by column."""


class Format(StrEnum):
    """The formats of tables, by the suffix of a file's name."""

    CSV = "csv"
    TSV = "tsv"
    JSON_LINES = "jsonl"
    GEOJSON = "geojson"
    PARQUET = "parquet"
    GEOPARQUET = "geoparquet"
    XLSX = "xlsx"

    @classmethod
    def of(cls, field: str, path: Path) -> "Format":
        """The format of a file. Raises InvalidInput for another suffix."""
        suffix = path.suffix.casefold().removeprefix(".")
        try:
            return cls({"ndjson": "jsonl", "json": "geojson", "tab": "tsv"}.get(suffix, suffix))
        except ValueError:
            known = ", ".join(f".{each}" for each in cls)
            raise InvalidInput(field, str(path), "has no suffix of a table", f"Name it as one of: {known}.") from None


@dataclass(frozen=True, slots=True)
class Batch:
    """Consecutive rows, and the position behind them.

    `faults` are the rows that could not be read, by index; such a row holds what could be read. `features` are the rows
    as GeoJSON features without properties, if the format has geometries. `arrow` is the RecordBatch of the rows.
    """

    rows: Sequence[Row]
    end: int
    faults: Mapping[int, str] = field(default_factory=dict)
    features: Sequence[Mapping[str, Any]] = ()
    arrow: Any = None


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a table: their keys in rows, which are unique, and their titles as the file has them.

    `types` are Arrow's types or their names, by key; a column without one is text. `decimal` is the mark in
    numbers that are text.
    """

    keys: tuple[str, ...]
    titles: tuple[str, ...]
    types: Mapping[str, Any] = field(default_factory=dict)
    has_geometry: bool = False
    decimal: str = "."


class Reader(Protocol):
    """Reads a table."""

    @property
    def columns(self) -> Columns:
        """The columns of all rows."""
        ...

    @property
    def size(self) -> int:
        """The position behind the last row, for the progress."""
        ...

    def batches(self, start: int, columns: Collection[str] | None = None) -> Iterator[Batch]:
        """The rows from a position on (0: all), in batches of BATCH; the last one may be shorter.

        If only some `columns` are wanted, rows may lack the others.
        """
        ...


class Writer(Protocol):
    """Writes a table into a draft, from which an interrupted run can continue, and in the end into its file."""

    def write(self, batch: Batch, added: Sequence[tuple[Any, ...]]) -> None:
        """Add rows, each with the values that it gets."""
        ...

    def sync(self) -> int:
        """Bring all that was written to the disk; returns the draft's length in bytes."""
        ...

    def finish(self, path: Path) -> None:
        """Make the file, whole or not at all, and remove the draft."""
        ...

    def close(self) -> None:
        """Close the draft, which stays."""
        ...


def in_batches(rows: Iterable[tuple[Row, str, int]]) -> Iterator[Batch]:
    """Batches of rows, each given with what is wrong with it ("" for nothing) and the position behind it."""
    rows = iter(rows)
    while some := list(islice(rows, BATCH)):
        faults = {index: fault for index, (_, fault, _) in enumerate(some) if fault}
        yield Batch([row for row, _, _ in some], some[-1][2], faults)


def unique(titles: Sequence[str]) -> tuple[str, ...]:
    """Keys for titles: a repeated or empty one gets a number."""
    keys: dict[str, None] = {}
    for number, title in enumerate(titles, 1):
        key, again = title or f"column {number}", 2
        while key in keys:
            key, again = f"{title}.{again}", again + 1
        keys[key] = None
    return tuple(keys)


def added_names(keys: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """The names of the columns that rows get: "geocoded_lat" where the table has a "lat" already, and so on."""
    taken = set(keys)
    free = []
    for name in names:
        while name in taken:
            name = f"geocoded_{name}"
        taken.add(name)
        free.append(name)
    return tuple(free)
