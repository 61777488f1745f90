"""Plus codes, MGRS and geohashes: each is read to its middle and written back; what may be a word is no cell."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bearings.places.models import Cell, Point, ShortCode
from bearings.places.query import grids, parse

CELLS = [
    ("8FVC9G8F+6X", "plus code", 47.3655625, 8.5249375, 13.9),
    ("8fvc9g8f+6x", "plus code", 47.3655625, 8.5249375, 13.9),
    ("8FVC0000+", "plus code", 47.5, 8.5, 111_195),
    ("8FVC9G8F+", "plus code", 47.36625, 8.52625, 278),
    ("32TLT8213500464", "MGRS", 46.947232, 7.451185, 1),
    ("32T LT 82135 00464", "MGRS", 46.947464, 7.451376, 1),
    ("31U DQ 482 119", "MGRS", 48.858397, 2.294475, 100),
    ("33UXP", "MGRS", 48.285416, 17.022071, 100_000),
    ("mgrs: 33uxp", "MGRS", 48.285416, 17.022071, 100_000),
    ("33uxp0500444998", "MGRS", 48.249523, 16.414558, 1),
    ("ZAB9645452981", "MGRS", 85.0, 10.0, 1),
    ("geohash:u33dc", "geohash", 52.536621, 13.425293, 4_886),
    ("Geohash U33DC1R6CVM2", "geohash", 52.522015, 13.413359, 0.0186),
    ("https://geohash.org/u33dc1", "geohash", 52.522888, 13.408813, 611),
]


@pytest.mark.parametrize(("query", "grid", "lat", "lon", "side_m"), CELLS, ids=[query for query, *_ in CELLS])
def test_a_cell_is_read_to_its_middle(query: str, grid: str, lat: float, lon: float, side_m: float) -> None:
    read = parse(query)
    assert read.cell is not None
    assert read.cell.grid == grid
    assert read.point == pytest.approx((lat, lon), abs=3e-3)
    assert read.cell.side_m == pytest.approx(side_m, rel=0.02)


SHORT = [
    ("9G8F+6X Zürich", "9G8F+6X", "Zürich"),
    ("9g8f+6x, Zürich, Switzerland", "9G8F+6X", "Zürich, Switzerland"),
    ("Zürich 9G8F+6X", "9G8F+6X", "Zürich"),
]


@pytest.mark.parametrize(("query", "code", "place"), SHORT, ids=[query for query, *_ in SHORT])
def test_a_short_plus_code_is_near_the_place_beside_it(query: str, code: str, place: str) -> None:
    short = parse(query).short
    assert short == ShortCode(code, place)
    assert grids.completed(ShortCode(code, place), Point(47.37, 8.54)).code == "8FVC9G8F+6X"


def test_a_name_beside_a_full_plus_code_is_not_used() -> None:
    read = parse("8FVC9G8F+6X, Zürich")
    assert (read.cell.code, read.beside) == ("8FVC9G8F+6X", ("Zürich",))


@pytest.mark.parametrize("query", ["u33dc1r6", "9q8yyk", "u4pruydqqvj"])
def test_a_bare_geohash_is_only_a_possibility(query: str) -> None:
    read = parse(query)
    assert read.point is None
    assert read.may_be is not None
    assert read.readings


@pytest.mark.parametrize(
    "query",
    [
        "33uxp", "5e av 12", "YYZ 12 34", "berlin", "gcpvjs", "201605", "ba2490", "12345b", "u33dc", "sw1a2aa",
        "1012jb", "k1p5j3", "ec1v9hx", "C+", "22 + 33", "geohash: hello",
    ],
)  # fmt: skip
def test_words_codes_and_postcodes_are_no_cells(query: str) -> None:
    read = parse(query)
    assert (read.point, read.cell, read.short, read.may_be) == (None, None, None, None)


@given(st.floats(-90, 90), st.floats(-180, 180))
@example(89.99999999999999, 0.0)
@example(90.0, 180.0)
@example(0.0, 179.99999999999997)
@example(-90.0, -180.0)
@example(-1e-9, 0.0)
@example(-5.1e-6, 0.0)
@example(-80.0, 0.0)
@example(84.0, 12.0)
def test_what_a_reply_writes_is_read_again(lat: float, lon: float) -> None:
    point = Point(lat, lon)
    for written in (grids.plus_code(point), grids.mgrs_of(point)):
        cell = grids.read(written)
        assert isinstance(cell, Cell)
        assert cell.point.lat == pytest.approx(lat, abs=2e-4)
        if abs(lat) < 89:
            turn = abs(cell.point.lon - lon) % 360
            assert min(turn, 360 - turn) < 2e-3
