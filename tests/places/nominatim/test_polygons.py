"""Geometries from a Nominatim: valid ones are parsed, others ignored."""

import math
from typing import Any

import pytest
import shapely

from bearings.places.nominatim import polygons

SQUARE = [[0, 0], [2, 0], [2, 2], [0, 2], [0, 0]]

HOLE = [[0.5, 0.5], [1, 0.5], [1, 1], [0.5, 0.5]]


def polygon(*rings: Any) -> dict[str, Any]:
    return {"type": "Polygon", "coordinates": list(rings)}


def comb(teeth: int) -> list[list[float]]:
    """Long slanting teeth whose boxes all overlap."""
    width = 1 / teeth
    there = [[number * width + (50 if number % 2 else 0), 50.0 if number % 2 else 0.0] for number in range(teeth)]
    return [*there, [60, -10], [-1, -10], there[0]]


SANE = [
    ({"type": "Point", "coordinates": [2.5, 48, 100]}, "POINT (2.5 48)"),
    ({"type": "LineString", "coordinates": [[0, 0], [1, 1]]}, "LINESTRING (0 0, 1 1)"),
    ({"type": "MultiLineString", "coordinates": [[[0, 0], [1, 1]]]}, "LINESTRING (0 0, 1 1)"),
    (polygon(SQUARE), "POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))"),
    ({"type": "MultiPolygon", "coordinates": [[SQUARE], []]}, "POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))"),
    (polygon(SQUARE, HOLE), "POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0), (0.5 0.5, 1 0.5, 1 1, 0.5 0.5))"),
]  # fmt: skip

INSANE: list[Any] = [
    None, 7, "Polygon", [], {}, {"type": "Polygon"}, {"type": ["Polygon"], "coordinates": []},
    {"type": "GeometryCollection", "geometries": []},
    {"type": "Polygon", "coordinates": None}, polygon(), polygon([]), polygon(SQUARE[:2]), polygon(5),
    {"type": "MultiPolygon", "coordinates": [SQUARE]}, {"type": "Polygon", "coordinates": [[SQUARE]]},
    polygon([[0, 0], [2, 0], [2, "2"], [0, 0]]), polygon([[0, 0], [2, 0], [2, None], [0, 0]]),
    polygon([[0, 0], [2, 0], [2, True], [0, 0]]), polygon([[0, 0], [2, 0], [2], [0, 0]]),
    polygon([[0, 0], [2, 0], [2, 91], [0, 0]]), polygon([[0, 0], [181, 0], [2, 2], [0, 0]]),
    polygon([[0, 0], [2, 0], [2, 10**400], [0, 0]]), polygon([[0, 0], [2, 0], [2, math.inf], [0, 0]]),
    polygon([[0, 0], [2, 0], [2, 2, 2, 2], [0, 0]]),
    polygon([[n % 180, n % 90] for n in range(polygons.MOST_POSITIONS + 1)]),
    polygon([[0, 0], [0, 0], [0, 0], [0, 0]]),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "wkt"), SANE)
def test_a_valid_geometry_is_a_shape(raw: dict[str, Any], wkt: str) -> None:
    assert shapely.equals(polygons.read(raw), shapely.from_wkt(wkt))


@pytest.mark.parametrize("raw", INSANE, ids=range(len(INSANE)))
def test_an_invalid_geometry_is_none(raw: Any) -> None:
    assert polygons.read(raw) is None


def test_a_little_shape_that_crosses_itself_is_mended_and_a_large_one_is_none() -> None:
    bow = [[0, 0], [2, 2], [2, 0], [0, 2], [0, 0]]
    mended = polygons.read(polygon(bow))
    assert mended.is_valid
    assert mended.area == pytest.approx(2)
    zigzag = [[n % 2 * 100, n / 1000] for n in range(2_000)] + [[50, -50], [0, 0]]
    crossing = [*zigzag[:1000], *reversed(zigzag[1000:]), zigzag[0]]
    assert polygons.read(polygon(crossing)) is None


@pytest.mark.slow
def test_a_shape_that_takes_long_to_check_is_none() -> None:
    assert polygons.read(polygon(comb(400))) is not None
    assert polygons.read(polygon(comb(20_000))) is None
    coast = [[math.cos(n / 2_000 * math.pi) * 10, math.sin(n / 2_000 * math.pi) * 10] for n in range(4_000)]
    assert polygons.read(polygon([*coast, coast[0]])) is not None


def test_nesting_without_end_is_none() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert polygons.read({"type": "MultiPolygon", "coordinates": deep}) is None
