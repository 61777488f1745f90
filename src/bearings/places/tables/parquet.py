"""Parquet and GeoParquet 1.1 (https://geoparquet.org/releases/v1.1.0/).

A Parquet file can't grow after its end is written. So the draft is a stream of Arrow's record batches, which can, and
is made into Parquet at the end, batch by batch.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bearings.errors import InvalidInput, Unsupported, WriteFailed
from bearings.places.tables.draft import Draft, DraftWriter
from bearings.places.tables.geojson import GEOMETRY, point
from bearings.places.tables.json_text import cell
from bearings.places.tables.rows import BATCH, Batch, Columns, Row, added_names

if TYPE_CHECKING:
    import pyarrow as pa

_ROW_GROUP = 64 * BATCH

_GEO = b"geo"

_WGS_84 = (None, ("OGC", "CRS84"), ("EPSG", 4326))
"""The systems of coordinates that are degrees of longitude and latitude; None: GeoParquet's default, which is one."""


def arrow() -> Any:
    """The module pyarrow. Raises Unsupported if it is not installed."""
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ImportError as error:
        hint = "Install it: pip install '.[tables]' in a checkout. Or use CSV or JSON lines."
        raise Unsupported("Parquet needs pyarrow, which is not installed", hint) from error
    return pa


class ParquetReader:
    """Reads a Parquet file; a position is a number of rows.

    `flat`: geometries are a column too, for a format that has no features.
    """

    def __init__(self, path: Path, *, flat: bool) -> None:
        pa = arrow()
        self._flat = flat
        try:
            self._file = pa.parquet.ParquetFile(path)
        except (pa.ArrowInvalid, OSError) as error:
            problem = f"is no Parquet file: {str(error).splitlines()[0]}"
            raise InvalidInput("in", str(path), problem, "Give a Parquet file.") from error
        self._schema = _plain(self._file.schema_arrow)
        self.size = self._file.metadata.num_rows
        self._geometry = _geometry_column(path, self._schema.metadata or {})
        names = tuple(self._schema.names)
        if len(set(names)) < len(names):
            raise InvalidInput("in", str(path), "has two columns of one name", "Rename one of them.")
        types = dict(zip(names, self._schema.types, strict=True))
        self.columns = Columns(names, names, types, has_geometry=self._geometry is not None)

    def batches(self, start: int, columns: Collection[str] | None = None) -> Iterator[Batch]:
        """See Reader."""
        pa = arrow()
        end, waiting = start, self._schema.empty_table()
        for batch in self._from(start):
            waiting = pa.concat_tables([waiting, batch])
            while waiting.num_rows >= BATCH:
                end += BATCH
                yield self._batch(waiting.slice(0, BATCH), end, columns)
                waiting = waiting.slice(BATCH)
        if waiting.num_rows:
            yield self._batch(waiting, end + waiting.num_rows, columns)

    def _from(self, start: int) -> Iterator["pa.Table"]:
        """The rows from a number on, in pieces of any length."""
        pa, metadata = arrow(), self._file.metadata
        group = 0
        while group < metadata.num_row_groups and start >= metadata.row_group(group).num_rows:
            start -= metadata.row_group(group).num_rows
            group += 1
        for batch in self._file.iter_batches(BATCH, row_groups=list(range(group, metadata.num_row_groups))):
            rest = batch.slice(start)
            start = max(0, start - batch.num_rows)
            if rest.num_rows:
                yield pa.Table.from_batches([rest]).cast(self._schema)

    def _batch(self, table: "pa.Table", end: int, columns: Collection[str] | None) -> Batch:
        wanted = table if columns is None else table.select([name for name in table.column_names if name in columns])
        rows = wanted.to_pylist()
        features: list[Mapping[str, Any]] = []
        if self._geometry is not None and (columns is None or self._geometry in columns):
            features = [{GEOMETRY: _geojson(row.pop(self._geometry))} for row in rows]
            if self._flat:
                for row, feature in zip(rows, features, strict=True):
                    row[self._geometry] = feature[GEOMETRY]
        return Batch(rows, end, {}, features, table.combine_chunks().to_batches()[0])

    @property
    def metadata(self) -> Mapping[bytes, bytes]:
        """The metadata of the file's schema, GeoParquet's among it."""
        return self._schema.metadata or {}


def _plain(schema: "pa.Schema") -> "pa.Schema":
    """The schema without dictionaries, which a batch alone can't carry."""
    pa = arrow()
    fields = [
        field.with_type(field.type.value_type) if pa.types.is_dictionary(field.type) else field for field in schema
    ]
    return pa.schema(fields, schema.metadata)


def _geometry_column(path: Path, metadata: Mapping[bytes, bytes]) -> str | None:
    """The primary geometry of a GeoParquet file; None for another file. Raises InvalidInput for one not in degrees."""
    try:
        geo = json.loads(metadata[_GEO])
        name = str(geo["primary_column"])
        column = geo["columns"][name]
        crs = (column.get("crs") or {}).get("id")
        system = None if crs is None else (crs["authority"], crs["code"])
        encoding = column["encoding"]
    except (KeyError, ValueError, TypeError, AttributeError):
        return None
    if system not in _WGS_84 or encoding != "WKB":
        problem = f"has geometries as {encoding} in {':'.join(map(str, system or ('OGC', 'CRS84')))}"
        raise InvalidInput("in", str(path), problem, "Give WKB in degrees: to_crs(4326) in GeoPandas.")
    return name


def _geojson(wkb: bytes | None) -> Mapping[str, Any] | None:
    """A geometry as GeoJSON; None for none, and for what is none."""
    import shapely

    shape = shapely.from_wkb(wkb, on_invalid="ignore") if wkb else None
    return None if shape is None or shape.is_empty else shape.__geo_interface__


class ParquetWriter(DraftWriter):
    """Writes a Parquet file; with the points that were found, if it is GeoParquet and has no geometry."""

    def __init__(
        self, draft: Draft, columns: Columns, added: Sequence[str], numbers: Collection[int], *, geo: bool,
        metadata: Mapping[bytes, bytes] | None = None,
    ) -> None:  # fmt: skip
        pa = arrow()
        super().__init__(draft)
        self._columns = columns
        self._draws = geo and _GEO not in (metadata or {})
        (drawn,) = added_names((*columns.keys, *added), (GEOMETRY,))
        own = [pa.field(key, _type(columns.types.get(key, "string"))) for key in columns.keys]
        more = [pa.field(name, pa.float64() if number in numbers else pa.string()) for number, name in enumerate(added)]
        fields = [*own, *more, *([pa.field(drawn, pa.binary())] if self._draws else [])]
        self._schema = pa.schema(fields, {**(metadata or {}), **(_geo(drawn) if self._draws else {})})
        if draft.sync() == 0:
            draft.write(self._schema.serialize().to_pybytes())

    def write(self, batch: Batch, added: Sequence[tuple[Any, ...]]) -> None:
        """See Writer."""
        pa = arrow()
        types = self._schema.types
        width = len(self._columns.keys)
        if batch.arrow is not None:
            own = [batch.arrow.column(key) for key in self._columns.keys]
        else:
            own = [_array(batch.rows, key, type_) for key, type_ in zip(self._columns.keys, types, strict=False)]
        more = [pa.array(values, type_) for values, type_ in zip(zip(*added, strict=True), types[width:], strict=False)]
        drawn = [pa.array(_drawn(batch, added), pa.binary())] if self._draws else []
        record = pa.RecordBatch.from_arrays([*own, *more, *drawn], schema=self._schema)
        self._draft.write(record.serialize().to_pybytes())

    def finish(self, path: Path) -> None:
        """See Writer."""
        pa = arrow()
        self._draft.sync()
        made = self._draft.path.with_suffix(".made")
        try:
            with (
                pa.ipc.open_stream(pa.memory_map(str(self._draft.path))) as stream,
                pa.parquet.ParquetWriter(made, self._schema, compression="zstd") as parquet,
            ):
                for group in _groups(stream):
                    parquet.write_table(group, row_group_size=_ROW_GROUP)
            made.replace(path)
        except OSError as error:
            made.unlink(missing_ok=True)
            raise WriteFailed(f"{path} can't be written: {error}", "Free the disk; then go on.") from error
        self._draft.close()
        self._draft.path.unlink()


def _geo(column: str) -> Mapping[bytes, bytes]:
    """GeoParquet's metadata for a column of geometries of any type."""
    columns = {column: {"encoding": "WKB", "geometry_types": []}}
    return {_GEO: json.dumps({"version": "1.1.0", "primary_column": column, "columns": columns}).encode()}


def _groups(batches: Any) -> Iterator["pa.Table"]:
    """Tables of _ROW_GROUP rows each."""
    pa = arrow()
    group: list[Any] = []
    for batch in batches:
        group.append(batch)
        if len(group) * BATCH >= _ROW_GROUP:
            yield pa.Table.from_batches(group)
            group = []
    if group:
        yield pa.Table.from_batches(group)


def _type(name: Any) -> Any:
    pa = arrow()
    return pa.type_for_alias(name) if isinstance(name, str) else name


def _array(rows: Sequence[Row], key: str, type_: Any) -> Any:
    """The values of a column."""
    pa = arrow()
    values = [row.get(key) for row in rows]
    if not pa.types.is_string(type_):
        return pa.array(values, type_)
    texts = [None if value is None else str(cell(value)) for value in values]
    return pa.array([text and text.encode("utf-8", "replace").decode() for text in texts], type_)


def _drawn(batch: Batch, added: Sequence[tuple[Any, ...]]) -> list[bytes | None]:
    """The geometries of rows in well-known binary: their own, else the points that were found."""
    import shapely
    from shapely.geometry import shape

    shells = batch.features or [{}] * len(added)
    geometries = [shell.get(GEOMETRY) or point(more[0], more[1]) for shell, more in zip(shells, added, strict=True)]
    return [None if each is None else shapely.to_wkb(shape(dict(each))) for each in geometries]
