"""Cells: the nearest shape is what shapely says, wherever the cells are cut."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from bearings.places.models import Point
from bearings.places.osm import cells, placing
from bearings.places.osm.cells import (
    AREA,
    MARGIN,
    SIDE,
    STEPS,
    STREET,
    Cell,
    Entry,
    cell_of,
    cells_of,
    edge_m,
    packed,
)

NEAR = st.integers(-SIDE - MARGIN, 2 * SIDE)
POSITIONS = st.tuples(NEAR, NEAR)
LINES = st.lists(POSITIONS, min_size=2, max_size=12)
M_PER_STEP = math.radians(1 / STEPS) * 6_371_000


def stored(*positions: tuple[int, int]) -> bytes:
    return np.array(positions, dtype="<i4").tobytes()


def test_a_cell_holds_what_was_packed():
    cell = Cell(
        packed(
            [Entry(7, 3, STREET, stored((0, 0), (10, 0))), Entry(9, 0, AREA, stored((0, 0), (4, 0), (4, 4), (0, 0)))]
        )
    )
    assert (cell.features.tolist(), cell.streets.tolist(), cell.flags.tolist()) == ([7, 9], [3, 0], [STREET, AREA])
    ((flags, positions),) = cell.shapes(9, is_street=False)
    assert flags == AREA
    assert (positions * STEPS).round().tolist() == [[0, 0], [4, 0], [4, 4], [0, 0]]
    assert [flags for flags, _ in cell.shapes(3, is_street=True)] == [STREET]


def test_an_empty_cell_has_nothing_near():
    assert list(Cell(packed([])).near(0, 0, 0xFF)) == []


@pytest.mark.slow
@given(st.lists(LINES, min_size=1, max_size=5), POSITIONS)
def test_distances_are_those_of_a_plane(lines: list[list[tuple[int, int]]], at: tuple[int, int]):
    cell = Cell(packed([Entry(number, 0, STREET, stored(*line)) for number, line in enumerate(lines, 1)]))
    found = list(cell.near(*at, STREET))
    expected = {
        number: shapely.LineString(line).distance(shapely.Point(at)) * M_PER_STEP
        for number, line in enumerate(lines, 1)
    }
    assert [near.feature for near in found] == sorted(
        expected, key=lambda number: (round(expected[number], 6), number)
    ) or len({round(each, 3) for each in expected.values()}) < len(expected)
    assert all(near.distance_m == pytest.approx(expected[near.feature], abs=0.05) for near in found)


@given(st.lists(POSITIONS, min_size=3, max_size=8, unique=True), POSITIONS)
def test_a_point_in_a_ring_is_inside(ring: list[tuple[int, int]], at: tuple[int, int]):
    polygon = shapely.Polygon(ring)
    if not polygon.is_valid or polygon.area == 0 or polygon.boundary.distance(shapely.Point(at)) < 1:
        return
    cell = Cell(packed([Entry(1, 0, AREA, stored(*ring, ring[0]))]))
    (near,) = cell.near(*at, AREA)
    assert (near.distance_m == 0) is polygon.contains(shapely.Point(at))


def test_a_hole_is_not_inside():
    outer, inner = [(0, 0), (100, 0), (100, 100), (0, 100), (0, 0)], [(40, 40), (60, 40), (60, 60), (40, 60), (40, 40)]
    cell = Cell(packed([Entry(1, 0, AREA, stored(*outer)), Entry(1, 0, AREA, stored(*inner))]))
    assert min(near.distance_m for near in cell.near(50, 50, AREA)) > 0
    assert min(near.distance_m for near in cell.near(20, 20, AREA)) == 0


@given(st.lists(POSITIONS, min_size=2, max_size=30), POSITIONS)
def test_a_cut_line_is_as_near_as_a_whole_one(line: list[tuple[int, int]], at: tuple[int, int]):
    own = cell_of(*at)
    lines = placing.lines_of(np.array([shapely.LineString(np.array(line) / STEPS)]))
    parts = [Entry(1, 0, STREET, run) for _, cell, run in placing.runs(lines) if cell == own]
    distance = shapely.LineString(line).distance(shapely.Point(at)) * M_PER_STEP
    if distance < edge_m(own, Point(at[1] / STEPS, at[0] / STEPS)):
        assert min(near.distance_m for near in Cell(packed(parts)).near(*at, STREET)) == pytest.approx(
            distance, abs=0.05
        )


def test_cells_of_a_box_are_those_that_it_meets():
    assert cells_of([1, 1, 2, 2], margin=0) == [cell_of(1, 1)]
    assert len(cells_of([1, 1, 2, 2])) == 4, "a corner's margins"
    assert set(cells_of([0, 0, SIDE, 0], margin=0)) == {cell_of(0, 0), cell_of(SIDE, 0)}
    assert cell_of(-180 * STEPS, 0) == cell_of(180 * STEPS, 0), "180 degrees are one meridian"
    assert cells.box(-STEPS, 0, STEPS, STEPS) == (-1.0, 0.0, 1.0, 1.0)
