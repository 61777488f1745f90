"""Frames of pandas, Polars and PyArrow: what they gain, and what they keep."""

from typing import Any

import pandas as pd
import polars
import pyarrow as pa
import pytest

import bearings.places
from bearings.errors import InvalidInput, Unsupported

CORE: dict[str, Any] = {"backend": "gazetteer", "atlas": "core"}
COLUMNS: dict[str, list[Any]] = {
    "city": ["Paris", "Bern", None, "qzxj vvv", "Paris"],
    "land": ["France", None, None, None, "France"],
    "lat": [48.86, 46.95, None, 91.0, 48.86],
    "lon": [2.35, 7.45, 1.0, 0.0, 2.35],
}
FRAMES = [pd.DataFrame(COLUMNS, index=[5, 5, 3, 2, 1]), polars.DataFrame(COLUMNS), pa.table(COLUMNS)]


def values(frame: Any, name: str) -> list[Any]:
    """A column's values; None for what is missing."""
    column = frame[name]
    listed = column.to_pylist() if isinstance(frame, pa.Table) else column.to_list()
    return [None if value != value else value for value in listed]


@pytest.mark.parametrize("frame", FRAMES, ids=["pandas", "polars", "pyarrow"])
def test_frames_gain_places_by_name(frame: Any) -> None:
    found = bearings.places.geocode_frame(frame, "city", "land", columns="iso", **CORE)
    assert type(found) is type(frame)
    assert values(found, "iso") == ["FR-IDF", "CH-BE", None, None, "FR-IDF"]
    assert values(found, "name")[0] == "Paris, Île-de-France, France"
    assert values(found, "error")[2:4] == ["city and land: empty", "no place matches 'qzxj vvv'"]
    assert values(found, "geocoded_lat")[1] == pytest.approx(46.95, abs=0.1)
    assert values(found, "lat") == COLUMNS["lat"]
    assert "unused" in list(getattr(found, "column_names", found.columns))


@pytest.mark.parametrize("frame", FRAMES, ids=["pandas", "polars", "pyarrow"])
def test_frames_gain_the_places_of_points(frame: Any) -> None:
    found = bearings.places.reverse_frame(frame, "lat", "lon", zoom=3, columns="time_zone,country", **CORE)
    assert values(found, "country") == ["France", "Switzerland", None, None, "France"]
    assert values(found, "time_zone")[:2] == ["Europe/Paris", "Europe/Zurich"]
    assert values(found, "error")[2:4] == ["lat: empty", "lat, lon = [91.0, 0.0]: is not on Earth"]
    assert values(found, "distance_m")[0] == 0.0


def test_the_index_of_pandas_stays() -> None:
    found = bearings.places.geocode_frame(FRAMES[0], "city", **CORE)
    assert list(found.index) == [5, 5, 3, 2, 1]


@pytest.mark.slow
def test_many_points_of_a_frame_are_those_of_single_questions() -> None:
    points = [(lat / 2, lon / 2) for lat in range(80, 110, 3) for lon in range(0, 60, 3)]
    frame = polars.DataFrame(points, schema=["y", "x"], orient="row")
    found = bearings.places.reverse_frame(frame, "y", "x", **CORE)
    with bearings.places.open(**CORE) as places:
        for row in found.iter_rows(named=True):
            alone = places.reverse(row["y"], row["x"])
            assert (row["name"], row["distance_m"], row["precision"]) == (
                alone.display_name, alone.distance_m, alone.precision,
            )  # fmt: skip


@pytest.mark.slow
def test_frames_are_answered_by_several_processes() -> None:
    frame = pd.DataFrame(
        {"y": [n % 160 - 80 + n / 1e5 for n in range(9_000)], "x": [n % 359 - 180 for n in range(9_000)]}
    )
    one, two = (bearings.places.reverse_frame(frame, "y", "x", zoom=5, workers=count, **CORE) for count in (1, 2))
    pd.testing.assert_frame_equal(one, two)


def test_what_can_not_be_is_refused() -> None:
    with pytest.raises(InvalidInput, match="query = 'town': is no column"):
        bearings.places.geocode_frame(FRAMES[0], "town", **CORE)
    with pytest.raises(InvalidInput, match="is no setting"):
        bearings.places.geocode_frame(FRAMES[0], "city", backends="core")
    many = pd.DataFrame({"city": ["Paris"] * 101})
    with pytest.raises(Unsupported, match="not asked for more than 100 rows"):
        bearings.places.geocode_frame(many, "city", backend="nominatim", nominatim_email="me@example.org")
    with pytest.raises(TypeError, match="dataframe"):
        bearings.places.geocode_frame([1], "city", **CORE)
