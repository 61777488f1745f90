"""GeoJSON (RFC 7946): a feature collection, whose features' properties are the columns."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from bearings.errors import InvalidInput, Unsupported
from bearings.places.tables.draft import Draft, DraftWriter
from bearings.places.tables.json_text import dumped, encoded, surveyed
from bearings.places.tables.rows import BATCH, Batch, Columns, Row

GEOMETRY = "geometry"

_HEAD = b'{"type":"FeatureCollection","features":['


class GeoJsonReader:
    """Reads a feature collection; a position is a number of features.

    `flat`: the geometry is a column too, for a format that has no features.
    """

    def __init__(self, path: Path, *, flat: bool) -> None:
        self._path = path
        self._flat = flat
        columns, self.size = surveyed(self._row(feature)[0] for feature in self._features())
        if not self.size and not _is_collection(path):
            raise InvalidInput("in", str(path), "has no features", "Give a GeoJSON feature collection.")
        self.columns = Columns(columns.keys, columns.titles, columns.types, has_geometry=True)

    def batches(self, start: int, columns: Collection[str] | None = None) -> Iterator[Batch]:  # noqa: ARG002
        """See Reader."""
        features = islice(self._features(), start, None)
        end = start
        while batch := list(islice(features, BATCH)):
            end += len(batch)
            rows = [self._row(feature) for feature in batch]
            faults = {index: fault for index, (_, fault) in enumerate(rows) if fault}
            yield Batch([row for row, _ in rows], end, faults, [_shell(feature) for feature in batch])

    def _row(self, feature: Any) -> tuple[Row, str]:
        """The properties, and what is wrong with the feature."""
        if not isinstance(feature, dict) or not isinstance(feature.get("properties") or {}, dict):
            return {}, "is no GeoJSON feature"
        row: Row = dict(feature.get("properties") or {})
        if self._flat:
            row.setdefault(GEOMETRY, feature.get(GEOMETRY))
        return row, ""

    def _features(self) -> Iterator[Any]:
        try:
            import ijson
        except ImportError as error:
            hint = "Install it: pip install '.[tables]' in a checkout. Or give JSON lines."
            raise Unsupported("reading GeoJSON needs ijson, which is not installed", hint) from error
        with self._path.open("rb") as file:
            try:
                yield from ijson.items(file, "features.item", use_float=True)
            except (ijson.JSONError, UnicodeDecodeError) as error:
                problem = f"is no JSON: {str(error).splitlines()[0]}"
                raise InvalidInput("in", str(self._path), problem, "Give a GeoJSON feature collection.") from error


def _is_collection(path: Path) -> bool:
    """Whether a file without features has the list for them, near its beginning."""
    with path.open("rb") as file:
        return b'"features"' in file.read(65_536)


def _shell(feature: Any) -> Mapping[str, Any]:
    """A feature without its properties."""
    return {key: value for key, value in feature.items() if key != "properties"} if isinstance(feature, dict) else {}


def point_of(feature: Mapping[str, Any]) -> tuple[float, float] | None:
    """The (lat, lon) of a feature that is a point; None for another."""
    match feature.get(GEOMETRY):
        case {"type": "Point", "coordinates": [float() | int() as lon, float() | int() as lat, *_]}:
            return float(lat), float(lon)
    return None


def point(lat: float | None, lon: float | None) -> Mapping[str, Any] | None:
    """The geometry of a point; None for none."""
    return None if lat is None or lon is None else {"type": "Point", "coordinates": [lon, lat]}


class GeoJsonWriter(DraftWriter):
    """Writes a feature collection. A row keeps the geometry that it has; another one gets the point that was found."""

    def __init__(self, draft: Draft, added: Sequence[str]) -> None:
        super().__init__(draft)
        self._added = added
        self._is_first = draft.sync() == 0
        if self._is_first:
            draft.write(_HEAD)
        self._is_first = draft.sync() == len(_HEAD)

    def write(self, batch: Batch, added: Sequence[tuple[Any, ...]]) -> None:
        """See Writer."""
        shells = batch.features or [{}] * len(batch.rows)
        features = (
            dumped(self._feature(row, shell, more)) for row, shell, more in zip(batch.rows, shells, added, strict=True)
        )
        text = ",\n".join(features)
        self._draft.write(encoded(f"{'' if self._is_first else ','}\n{text}"))
        self._is_first = False

    def _feature(self, row: Row, shell: Mapping[str, Any], more: tuple[Any, ...]) -> Mapping[str, Any]:
        properties = {**row, **dict(zip(self._added, more, strict=True))}
        geometry = shell.get(GEOMETRY) or point(more[0], more[1])
        return {**shell, "type": "Feature", GEOMETRY: geometry, "properties": properties}

    def finish(self, path: Path) -> None:
        """See Writer."""
        self._draft.write(b"\n]}\n")
        self._draft.become(path)
