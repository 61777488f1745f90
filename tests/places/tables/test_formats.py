"""Every format in, every format out: the same rows, whole or stopped and gone on with."""

import json
from datetime import datetime
from itertools import product
from pathlib import Path
from typing import Any

import geopandas
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bearings.errors import InvalidInput, Unsupported
from bearings.places.tables.draft import Draft
from bearings.places.tables.rows import Batch, Columns, Format, added_names, unique
from bearings.places.tables.xlsx import XlsxWriter
from tests.places.tables.tables import Asked, made
from tests.soak import soak

ROWS: list[dict[str, Any]] = [
    {"city": "Paris", "people": 2100000, "share": 0.5, "old": True, "note": 'a "b", c\nd'},
    {"city": "Boulder", "people": None, "share": 1.0, "old": False, "note": "é"},
    {"city": "Atlantis", "people": 0, "share": None, "old": None, "note": ""},
]


def table(path: Path, rows: list[dict[str, Any]]) -> Path:
    """The rows as a file in the format of its suffix."""
    frame = pd.DataFrame(rows)
    match Format.of("in", path):
        case Format.CSV | Format.TSV as form:
            frame.to_csv(path, index=False, sep="," if form is Format.CSV else "\t")
        case Format.JSON_LINES:
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        case Format.GEOJSON:
            features = [{"type": "Feature", "id": n, "geometry": None, "properties": row} for n, row in enumerate(rows)]
            path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
        case Format.PARQUET | Format.GEOPARQUET:
            pq.write_table(pa.Table.from_pylist(rows), path)
        case Format.XLSX:
            frame.to_excel(path, index=False, engine="xlsxwriter")
    return path


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The rows of a file; empty cells are None."""
    match Format.of("in", path):
        case Format.CSV | Format.TSV as form:
            frame = pd.read_csv(path, sep="," if form is Format.CSV else "\t", dtype=str, keep_default_na=False)
            return [{key: value or None for key, value in row.items()} for row in frame.to_dict("records")]
        case Format.JSON_LINES:
            return [json.loads(line) for line in path.read_text().splitlines()]
        case Format.GEOJSON:
            return [feature["properties"] for feature in json.loads(path.read_text())["features"]]
        case Format.XLSX:
            frame = pd.read_excel(path, engine="calamine", dtype=object)
            return [
                {key: None if pd.isna(value) else value for key, value in row.items()}
                for row in frame.to_dict("records")
            ]
        case _:
            rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
            return [{key: value for key, value in row.items() if key != "geometry"} for row in rows]


@pytest.mark.parametrize(("into", "out"), list(product(Format, Format)))
def test_rows_keep_their_columns_and_get_a_place(tmp_path: Path, into: Format, out: Format) -> None:
    path = table(tmp_path / f"in.{into}", ROWS)
    summary = made(path, tmp_path / f"out.{out}", query=("city",))
    found = rows_of(tmp_path / f"out.{out}")
    assert [row["city"] for row in found] == ["Paris", "Boulder", "Atlantis"]
    assert [row["note"] or "" for row in found] == [row["note"] for row in ROWS]
    assert [row["lat"] and float(row["lat"]) for row in found] == [48.8566, 40.015, None]
    assert found[1]["name"] == "Boulder, Colorado, United States"
    assert (float(found[0]["confidence"]), found[0]["error"]) == (0.5, None)
    assert found[2]["error"] == "no place matches 'Atlantis'"
    assert summary.state.rows == 3


@pytest.mark.parametrize("into", [Format.JSON_LINES, Format.GEOJSON, Format.PARQUET, Format.GEOPARQUET])
@pytest.mark.parametrize("out", [Format.JSON_LINES, Format.GEOJSON, Format.PARQUET, Format.GEOPARQUET])
def test_types_stay(tmp_path: Path, into: Format, out: Format) -> None:
    made(table(tmp_path / f"in.{into}", ROWS), tmp_path / f"out.{out}", query=("city",))
    found = rows_of(tmp_path / f"out.{out}")
    for name in ("people", "share", "old"):
        assert [row[name] for row in found] == [row[name] for row in ROWS]


@pytest.mark.parametrize("form", list(Format))
def test_a_table_without_rows_stays_one(tmp_path: Path, form: Format) -> None:
    (tmp_path / "in.csv").write_text("city\n")
    made(tmp_path / "in.csv", tmp_path / f"out.{form}", query=("city",))
    if form not in (Format.JSON_LINES, Format.GEOJSON):  # these have no columns without rows
        assert made(tmp_path / f"out.{form}", tmp_path / "again.csv", query=("city",)).state.rows == 0
        assert (tmp_path / "again.csv").read_text().startswith("city,lat,")
    else:
        with pytest.raises(InvalidInput, match="is no column"):
            made(tmp_path / f"out.{form}", tmp_path / "again.csv", query=("city",))


@pytest.mark.slow
@pytest.mark.parametrize("form", list(Format))
def test_a_run_that_was_stopped_equals_one_that_was_not(tmp_path: Path, form: Format) -> None:
    cities = ["Paris, France", "Boulder", "Munich", "Tokyo", "nowhere"]
    path = table(tmp_path / f"in.{form}", [{"city": cities[number % 5], "n": number} for number in range(3500)])
    made(path, tmp_path / f"whole.{form}", query=("city",))
    for stop in (0, 1, 3):
        out = tmp_path / f"stopped-{stop}.{form}"
        with pytest.raises(KeyboardInterrupt):
            made(path, out, Asked(until=stop), query=("city",))
        assert not out.exists()
        workers = Asked()
        summary = made(path, out, workers, query=("city",))
        assert summary.went_on_at == stop * 1000
        assert len(workers.subjects) == (5 if stop == 0 else 0)
        assert out.read_bytes() == (tmp_path / f"whole.{form}").read_bytes()
    assert {each.suffix for each in tmp_path.iterdir()} == {f".{form}"}


def test_geoparquet_is_read_by_geopandas(tmp_path: Path) -> None:
    made(table(tmp_path / "in.csv", ROWS), tmp_path / "out.geoparquet", query=("city",))
    frame = geopandas.read_parquet(tmp_path / "out.geoparquet")
    assert frame.crs == "OGC:CRS84"
    assert (frame.geometry[1].x, frame.geometry[1].y) == (-105.2705, 40.015)
    assert frame.geometry[2] is None


@pytest.mark.parametrize("into", ["geojson", "geoparquet"])
@pytest.mark.parametrize("out", list(Format))
def test_points_of_the_file_are_named_and_stay(tmp_path: Path, into: str, out: Format) -> None:
    points = geopandas.points_from_xy([2.35, -105.27, 0.0], [48.85, 40.01, 0.0])
    frame = geopandas.GeoDataFrame({"id": [1, 2, 3]}, geometry=points, crs=4326)
    path = tmp_path / f"in.{into}"
    frame.to_parquet(path) if into == "geoparquet" else frame.to_file(path, driver="GeoJSON")
    made(path, tmp_path / f"out.{out}")
    found = rows_of(tmp_path / f"out.{out}")
    assert [(row["name"] or "").split(",")[0] for row in found] == ["Paris", "Boulder", ""]
    if out in (Format.GEOJSON, Format.GEOPARQUET):
        is_parquet = out is Format.GEOPARQUET
        back = (geopandas.read_parquet if is_parquet else geopandas.read_file)(tmp_path / f"out.{out}")
        assert list(back.geometry) == list(points)
    elif out is not Format.PARQUET:
        shapes = [row["geometry"] for row in found]
        assert [json.loads(each) if isinstance(each, str) else each for each in shapes][1]["coordinates"] == [
            -105.27,
            40.01,
        ]


def test_geometries_in_metres_are_refused(tmp_path: Path) -> None:
    frame = geopandas.GeoDataFrame({"id": [1]}, geometry=geopandas.points_from_xy([600000.0], [200000.0]), crs=2056)
    frame.to_parquet(tmp_path / "in.geoparquet")
    with pytest.raises(InvalidInput, match="EPSG:2056") as refused:
        made(tmp_path / "in.geoparquet", tmp_path / "out.csv")
    assert "to_crs(4326)" in refused.value.hint


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("in.parquet", b"PAR1 not", "is no Parquet file"),
        ("in.geojson", b'{"type":"FeatureCollection","features":[{]}', "is no JSON"),
        ("in.geojson", b'{"type":"Point"}', "has no features"),
        ("in.xlsx", b"", "is no workbook"),
        ("in.xls", b"", "has no suffix of a table"),
    ],
)
def test_files_that_are_no_tables_are_refused(tmp_path: Path, name: str, content: bytes, says: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InvalidInput, match=says):
        made(tmp_path / name, tmp_path / "out.csv", query=("city",))
    assert [each.name for each in tmp_path.iterdir()] == [name]


def test_bad_lines_of_json_are_kept_with_their_error(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes(
        b'{"city":"Boulder"}\n{oops\n\n[1]\n{"city":"Boulder","more":{"a":[1]}}\n\xff\n'
    )
    made(tmp_path / "in.jsonl", tmp_path / "out.jsonl", query=("city",))
    found = rows_of(tmp_path / "out.jsonl")
    assert [row["lat"] for row in found] == [40.015, None, None, 40.015, None]
    assert [row.get("row") for row in found] == [None, "{oops", [1], None, "\ufffd"]
    assert found[2]["error"] == "is no JSON object"
    assert found[3]["more"] == {"a": [1]}


def test_halves_of_surrogate_pairs_stay_escaped(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"city":"Boulder","x":"\\ud800"}\n{"city":"\\udfff"}\n')
    made(tmp_path / "in.jsonl", tmp_path / "out.jsonl", query=("city",))
    found = rows_of(tmp_path / "out.jsonl")
    assert (found[0]["x"], found[1]["error"]) == ("\ud800", "is not in UTF-8")
    made(tmp_path / "in.jsonl", tmp_path / "out.parquet", query=("city",))
    assert rows_of(tmp_path / "out.parquet")[0]["x"] == "?"


def test_features_that_are_none_are_kept_with_their_error(tmp_path: Path) -> None:
    features = [1, {"type": "Feature", "properties": None, "geometry": None}, {"properties": [1]}]
    (tmp_path / "in.geojson").write_text(json.dumps({"features": features}))
    made(tmp_path / "in.geojson", tmp_path / "out.geojson")
    errors = [row["error"] for row in rows_of(tmp_path / "out.geojson")]
    assert errors == ["is no GeoJSON feature", "has no point as its geometry", "is no GeoJSON feature"]


def test_dictionaries_dates_and_bytes_of_parquet(tmp_path: Path) -> None:
    day = pd.Timestamp("2026-11-25")
    columns = {
        "city": pa.array(["Boulder"]).dictionary_encode(),
        "day": pa.array([day]),
        "raw": pa.array([b"\x00\xff"]),
    }
    pq.write_table(pa.table(columns), tmp_path / "in.parquet")
    for suffix in ("parquet", "jsonl", "csv"):
        made(tmp_path / "in.parquet", tmp_path / f"out.{suffix}", query=("city",))
    assert pq.read_table(tmp_path / "out.parquet").column("raw").to_pylist() == [b"\x00\xff"]
    assert rows_of(tmp_path / "out.jsonl")[0]["raw"] == "00ff"
    assert rows_of(tmp_path / "out.csv")[0]["day"] == "2026-11-25 00:00:00"


def test_dates_numbers_and_formulas_of_workbooks(tmp_path: Path) -> None:
    moment = datetime(2026, 11, 25, 12, 30)
    row = {"city": "Boulder", "day": moment.date(), "at": moment, "n": 3, "part": 0.25, "big": 10**17, "sum": "=1+1"}
    pq.write_table(pa.Table.from_pylist([row | {"yes": True}]), tmp_path / "in.parquet")
    made(tmp_path / "in.parquet", tmp_path / "out.xlsx", query=("city",))
    made(tmp_path / "out.xlsx", tmp_path / "again.xlsx", query=("city",))
    (found,) = rows_of(tmp_path / "again.xlsx")
    values = ["Boulder", moment.replace(hour=0, minute=0), moment, 3, 0.25, "100000000000000000", "=1+1", True, 40.015]
    assert list(found.values())[:9] == values
    assert (found["geocoded_lat"], found["geocoded_match"]) == (40.015, "exact")
    made(tmp_path / "out.xlsx", tmp_path / "out.csv", query=("city",))
    assert rows_of(tmp_path / "out.csv")[0]["day"] == "2026-11-25"


def test_blank_rows_and_long_text_of_workbooks(tmp_path: Path) -> None:
    frame = pd.DataFrame({"city": ["Boulder", None, "Paris"], "note": ["x" * 30_000, None, ""]})
    frame.to_excel(tmp_path / "in.xlsx", index=False, engine="xlsxwriter")
    made(tmp_path / "in.xlsx", tmp_path / "out.jsonl", query=("city", "note"))
    (long, paris) = rows_of(tmp_path / "out.jsonl")
    assert long["error"].endswith("500 are allowed")
    assert (paris["city"], paris["note"], paris["lat"]) == ("Paris", None, 48.8566)
    (tmp_path / "long.jsonl").write_text(json.dumps({"city": "Paris", "note": "y" * 40_000}))
    made(tmp_path / "long.jsonl", tmp_path / "long.xlsx", query=("city",))
    assert len(rows_of(tmp_path / "long.xlsx")[0]["note"]) == 32_767


@soak
def test_a_sheet_has_no_more_rows_than_excel_reads(tmp_path: Path) -> None:
    writer = XlsxWriter(Draft(tmp_path / "draft", None), Columns(("n",), ("n",)), ())
    rows = [{"n": 1}] * 1000
    for _ in range(1048):
        writer.write(Batch(rows, 0), [()] * 1000)
    with pytest.raises(Unsupported, match="1,048,576 rows at most"):
        writer.write(Batch(rows, 0), [()] * 1000)
    writer.close()


def test_names_that_are_taken_are_told_apart() -> None:
    assert unique(["a", "a", "", "a.2"]) == ("a", "a.2", "column 3", "a.2.2")
    assert added_names(["name", "lat", "geocoded_lat"], ["lat", "lon", "name"]) == (
        "geocoded_geocoded_lat",
        "lon",
        "geocoded_name",
    )
