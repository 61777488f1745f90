"""The committed files of the atlas: features of one layer, small, and the same bytes for the same features.

A file is LZMA over MessagePack: a header, one record a feature, and the coordinates of all shapes in one column each
for longitude and latitude. Coordinates are whole steps of `STEP_DEG`; each is stored as its difference from the one
before it, and the four bytes of all differences stand in four planes, which LZMA packs best.
"""

import lzma
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from bearings.places.models import BBox, Point
from builder.feature import Feature, Layer, Name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

FORMAT = 1
STEPS_PER_DEG = 10_000
STEP_DEG = 1 / STEPS_PER_DEG
"""About 11 m: well below the error of the sources at 1:10 million."""


class Header(msgspec.Struct):
    """Where the features of a file come from."""

    source: str
    version: str
    licence: str
    format: int = FORMAT


class _Record(msgspec.Struct, array_like=True):
    """A feature. Positions are in steps; `shape` is the letter of a table and the row in it."""

    key: str
    layer: Layer
    kind: str
    name: str
    point: tuple[int, int]
    bbox: tuple[int, int, int, int]
    exact: bool
    names: list[tuple[str, str]]
    codes: list[str]
    code: str | None
    country_code: str | None
    inside: list[str]
    population: int
    fame: float
    elevation_m: float | None
    shape: tuple[str, int] | None


class _Table(msgspec.Struct, array_like=True):
    """Shapes of one type as ragged arrays: parts of a shape, rings of a part, positions of a ring."""

    lon: bytes
    lat: bytes
    offsets: list[bytes]


class _File(msgspec.Struct, array_like=True):
    header: Header
    records: list[_Record]
    tables: dict[str, _Table]


@dataclass(frozen=True, slots=True)
class Contents:
    """The content of a file."""

    header: Header
    features: Sequence[Feature]

    def __iter__(self) -> Iterator[Feature]:
        return iter(self.features)


def encode(header: Header, features: Iterable[Feature]) -> bytes:
    """The bytes of a file. Shapes lose what is finer than a step: snap them before, see `snapped`."""
    shapes: dict[str, list[BaseGeometry]] = {"lines": [], "polygons": []}
    records = [_record(feature, shapes) for feature in features]
    tables = {name: _table(rows) for name, rows in shapes.items() if rows}
    packed = msgspec.msgpack.encode(_File(header, records, tables))
    return lzma.compress(packed, check=lzma.CHECK_CRC64, preset=9 | lzma.PRESET_EXTREME)


def decode(content: bytes) -> Contents:
    """Reads what `encode` wrote. A multi-part shape of one part comes back as that part. Raises ValueError."""
    try:
        file = msgspec.msgpack.decode(lzma.decompress(content), type=_File)
    except (lzma.LZMAError, msgspec.MsgspecError) as error:
        raise ValueError(f"Not a file of atlas features: {error}") from error
    if file.header.format != FORMAT:
        raise ValueError(f"The file has format {file.header.format}; this version reads {FORMAT}")
    shapes = {name: _shapes(name, table) for name, table in file.tables.items()}
    return Contents(file.header, [_feature(record, shapes) for record in file.records])


def read(path: Path) -> Contents:
    """The contents of the file at `path`."""
    return decode(path.read_bytes())


def snapped(shape: "BaseGeometry") -> "BaseGeometry":
    """The shape with every position on a whole step, still valid; parts that vanish at that size are left out."""
    import shapely

    return shapely.set_precision(shape, STEP_DEG)


def _record(feature: Feature, shapes: "dict[str, list[BaseGeometry]]") -> _Record:
    return _Record(
        feature.key,
        feature.layer,
        feature.kind,
        feature.name,
        (_steps(feature.point.lat), _steps(feature.point.lon)),
        (_steps(feature.bbox.west), _steps(feature.bbox.south), _steps(feature.bbox.east), _steps(feature.bbox.north)),
        feature.bbox_kind == "exact",
        [(name.text, name.language) for name in feature.names],
        list(feature.codes),
        feature.code,
        feature.country_code,
        list(feature.inside),
        feature.population,
        feature.fame,
        feature.elevation_m,
        None if feature.shape is None else _place(feature.shape, shapes),
    )


def _feature(record: _Record, shapes: "dict[str, list[BaseGeometry]]") -> Feature:
    return Feature(
        record.key,
        record.layer,
        record.kind,
        record.name,
        Point(*(steps / STEPS_PER_DEG for steps in record.point)),
        BBox(*(steps / STEPS_PER_DEG for steps in record.bbox)),
        "exact" if record.exact else "estimated",
        tuple(Name(*name) for name in record.names),
        tuple(record.codes),
        record.code,
        record.country_code,
        tuple(record.inside),
        record.population,
        record.fame,
        record.elevation_m,
        None if record.shape is None else shapes[record.shape[0]][record.shape[1]],
    )


def _steps(degrees: float) -> int:
    return round(degrees * STEPS_PER_DEG)


def _place(shape: "BaseGeometry", shapes: "dict[str, list[BaseGeometry]]") -> tuple[str, int]:
    """Appends the shape to the table of its type."""
    table = "lines" if shape.geom_type in {"LineString", "MultiLineString"} else "polygons"
    shapes[table].append(shape)
    return table, len(shapes[table]) - 1


def _table(shapes: "list[BaseGeometry]") -> _Table:
    import numpy as np
    import shapely
    from shapely.geometry import MultiLineString, MultiPolygon

    many: Any = MultiLineString if shapes[0].geom_type.endswith("LineString") else MultiPolygon
    whole: list[Any] = [shape if shape.geom_type.startswith("Multi") else many([shape]) for shape in shapes]
    _, positions, offsets = shapely.to_ragged_array(whole, include_z=False)
    steps = np.rint(positions * STEPS_PER_DEG).astype(np.int64)
    return _Table(_planes(steps[:, 0]), _planes(steps[:, 1]), [_planes(np.asarray(level)) for level in offsets])


def _shapes(name: str, table: _Table) -> "list[BaseGeometry]":
    import numpy as np
    import shapely

    positions = np.column_stack((_values(table.lon), _values(table.lat))) / STEPS_PER_DEG
    kind = shapely.GeometryType.MULTILINESTRING if name == "lines" else shapely.GeometryType.MULTIPOLYGON
    offsets = tuple(_values(level) for level in table.offsets)
    found = shapely.from_ragged_array(kind, positions, offsets)
    return [shape.geoms[0] if len(shape.geoms) == 1 else shape for shape in found]


def _planes(values: "NDArray[np.int64]") -> bytes:
    """Differences, their signs folded into the lowest bit, lowest bytes of all first."""
    import numpy as np

    steps = np.diff(values, prepend=0)
    folded = ((steps << 1) ^ (steps >> 63)).astype("<u4")
    return folded.view(np.uint8).reshape(-1, 4).T.tobytes()


def _values(planes: bytes) -> "NDArray[np.int64]":
    import numpy as np

    columns = np.frombuffer(planes, np.uint8).reshape(4, -1).T
    folded = np.ascontiguousarray(columns).view("<u4").ravel().astype(np.int64)
    values: NDArray[np.int64] = np.cumsum((folded >> 1) ^ -(folded & 1))
    return values
