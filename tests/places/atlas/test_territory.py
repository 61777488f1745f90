"""Countries from two sources with different borders: who gets the land between."""

import importlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from shapely import union_all
from shapely.geometry import Point, box
from shapely.geometry.base import BaseGeometry

SCRIPT = Path(__file__).parents[3] / "packaging" / "atlas"

WEST, EAST = box(0, 0, 1, 1), box(1, 0, 2, 1)


@pytest.fixture(scope="module")
def making() -> Iterator[Any]:
    before = list(sys.path)
    sys.path.insert(0, str(SCRIPT))
    yield lambda name: importlib.import_module(f"making.{name}")
    sys.path[:] = before


def land(making: Any, west: BaseGeometry, east: BaseGeometry) -> tuple[BaseGeometry, BaseGeometry]:
    """The two countries, drawn as squares that meet at 1° east, with the given claims."""
    found = making("territory").of_countries({"EE": EAST, "WW": WEST}, {"EE": east, "WW": west})
    return found["WW"], found["EE"]


def alike(one: BaseGeometry, other: BaseGeometry) -> bool:
    return bool(one.symmetric_difference(other).area < 1e-4)


def test_a_strip_at_a_border_is_the_countrys_that_alone_claims_it(making: Any):
    west, east = land(making, box(0, 0, 1.02, 1), box(1.02, 0, 2, 1))
    assert alike(west, box(0, 0, 1.02, 1))
    assert alike(east, box(1.02, 0, 2, 1))


def test_a_strip_that_both_claim_stays_where_it_is_drawn(making: Any):
    west, east = land(making, box(0, 0, 1.02, 1), box(0.98, 0, 2, 1))
    assert alike(west, WEST)
    assert alike(east, EAST)


def test_a_province_that_another_country_claims_stays_where_it_is_drawn(making: Any):
    west, east = land(making, box(0, 0, 1.5, 1), box(1.5, 0, 2, 1))
    assert alike(west, WEST)
    assert alike(east, EAST)


def test_a_coast_follows_its_claims_and_an_unclaimed_province_stays(making: Any):
    west, east = land(making, box(0.02, -0.01, 1, 0.99), box(1, 0, 1.7, 1))
    assert alike(west, box(0.02, -0.01, 1, 0.99))
    assert alike(east, EAST)


def test_a_gap_between_two_claims_stays_where_it_is_drawn(making: Any):
    west, east = land(making, box(0, 0, 0.99, 1), box(1.01, 0, 2, 1))
    assert alike(union_all([west, east]), box(0, 0, 2, 1))
    assert alike(west, WEST)


def test_an_enclave_near_a_border_is_the_countrys_that_claims_it(making: Any):
    village = box(1.05, 0.4, 1.08, 0.43)
    west, east = land(making, union_all([WEST, village]), EAST.difference(village))
    assert alike(west, union_all([WEST, village]))
    assert not east.contains(village.centroid)


@pytest.mark.parametrize(
    ("island", "settled", "kept"),
    [
        (Point(3, 0.5).buffer(0.002), [], False),
        (Point(3, 0.5).buffer(0.002), [(3.01, 0.5)], True),
        (Point(1.5, 0.5).buffer(0.002), [], True),
        (Point(3, 0.5).buffer(0.1), [], True),
    ],
    ids=["a rock far away", "a small island with people", "a rock near the land", "a large island without people"],
)
def test_rocks_far_away_are_left_out(making: Any, island: BaseGeometry, settled: list[tuple[float, float]], kept: bool):
    found = making("territory").without_rocks(union_all([WEST, island]), settled)
    assert found.intersects(island) is kept
    assert found.covers(WEST)


def test_a_country_of_rocks_alone_keeps_them(making: Any):
    islands = union_all([Point(0, 0).buffer(0.01), Point(5, 0).buffer(0.01)])
    assert making("territory").without_rocks(islands, []).equals(islands)


@dataclass
class Row:
    line: int
    name: str = ""
    iso: str = ""


@dataclass
class Towns:
    """Settlements by the line of their region."""

    points: list[tuple[int, Point]]

    def votes(self, shape: BaseGeometry, rows: list[Row]) -> Any:
        from collections import Counter

        lines = {row.line for row in rows}
        return Counter(line for line, point in self.points if line in lines and shape.intersects(point))

    def total(self, line: int) -> int:
        return sum(line == other for other, _ in self.points)


def regions(making: Any) -> tuple[list[Any], list[Row]]:
    """Two regions, the western with a county at the border that is not its own, and one far in the other."""
    piece, rows = making("geoboundaries").Piece, [Row(1, "West"), Row(2, "East")]
    west = [piece("a", "West", WEST), piece("b", "West", box(1, 0, 1.2, 1)), piece("c", "West", box(3, 0, 3.1, 0.1))]
    east = [piece("d", "East", box(1.2, 0, 4, 1).difference(west[2].shape))]
    return [making("regions")._of(parts, row.name, row) for parts, row in zip((west, east), rows, strict=True)], rows


def test_a_county_at_a_border_goes_to_the_region_that_its_towns_are_of_and_an_exclave_stays(making: Any):
    areas, rows = regions(making)
    towns = Towns([(1, Point(0.5, 0.5)), (2, Point(1.1, 0.5)), (2, Point(1.1, 0.6)), (2, Point(3.05, 0.05))])
    west, east = making("regions")._mended(areas, rows, towns)
    assert [piece.name for piece in west.pieces] == ["a", "c"]
    assert [piece.name for piece in east.pieces] == ["b", "d"]
    assert east.shape.covers(Point(1.1, 0.5))


def test_a_hole_whose_towns_are_of_a_region_that_has_no_area_is_that_region(making: Any):
    areas, rows = regions(making)
    city, towns = Row(3, "City"), Towns([(3, Point(5.5, 0.5)), (3, Point(5.6, 0.5)), (3, Point(9, 9))])
    gaps = [union_all([box(5, 0, 6, 1), box(6, 0, 7, 0.01)]), box(7.5, 0, 8, 1)]
    (found,) = making("regions")._unclaimed(gaps, areas, [*rows, city], towns)
    assert found.subdivision == city
    assert found.shape.bounds == pytest.approx((5, 0, 6.02, 1), abs=0.01)
