"""The reader and the writer for each format."""

from collections.abc import Sequence
from pathlib import Path

from bearings.errors import InvalidInput
from bearings.places.tables.delimited import DelimitedReader, DelimitedWriter, delimiter_of
from bearings.places.tables.draft import Draft
from bearings.places.tables.geojson import GeoJsonReader, GeoJsonWriter
from bearings.places.tables.json_lines import JsonLinesReader, JsonLinesWriter
from bearings.places.tables.rows import Format, Reader, Writer

_DELIMITERS = {Format.CSV: ",", Format.TSV: "\t"}

_WITH_GEOMETRY = frozenset((Format.GEOJSON, Format.GEOPARQUET))


def reader(path: Path, out: Format, delimiter: str | None = None) -> Reader:
    """The reader of a file whose rows are to be written as `out`. Raises InvalidInput, Unsupported."""
    form = Format.of("in", path)
    if not path.is_file():
        raise InvalidInput("in", str(path), "is no file", "Give the path of a table.")
    match form:
        case Format.CSV | Format.TSV:
            return DelimitedReader(path, _between(form, delimiter))
        case Format.JSON_LINES:
            return JsonLinesReader(path)
        case Format.GEOJSON:
            return GeoJsonReader(path, flat=out not in _WITH_GEOMETRY)
        case Format.PARQUET | Format.GEOPARQUET:
            from bearings.places.tables.parquet import ParquetReader

            return ParquetReader(path, flat=out is not Format.GEOJSON)
        case Format.XLSX:
            from bearings.places.tables.xlsx import XlsxReader

            return XlsxReader(path)


def writer(
    form: Format,
    draft: Draft,
    table: Reader,
    added: Sequence[str],
    numbers: Sequence[int],
    delimiter: str | None = None,
    decimal: str = ".",
) -> Writer:
    """The writer of a table's rows with the `added` columns, of which some hold `numbers` (by index)."""
    match form:
        case Format.CSV | Format.TSV:
            return DelimitedWriter(draft, _between(form, delimiter), table.columns, added, decimal)
        case Format.JSON_LINES:
            return JsonLinesWriter(draft, added)
        case Format.GEOJSON:
            return GeoJsonWriter(draft, added)
        case Format.PARQUET | Format.GEOPARQUET:
            from bearings.places.tables.parquet import ParquetWriter

            metadata = getattr(table, "metadata", None)
            return ParquetWriter(draft, table.columns, added, numbers, geo=form is Format.GEOPARQUET, metadata=metadata)
        case Format.XLSX:
            from bearings.places.tables.xlsx import XlsxWriter

            return XlsxWriter(draft, table.columns, added)


def guessed_delimiter(path: Path) -> str | None:
    """The character between the fields of a file, if that is CSV."""
    return delimiter_of(path) if path.is_file() and Format.of("in", path) is Format.CSV else None


def _between(form: Format, delimiter: str | None) -> str:
    """The character between fields; `delimiter`, if given, is that of CSV."""
    return delimiter if delimiter is not None and form is Format.CSV else _DELIMITERS[form]
