"""Polygons as chains of edges: stored without loss, and equal to GEOS in the points that they contain."""

import math
from functools import cache
from typing import Any

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from bearings.places.engine import chains
from bearings.places.models import Point

STAR = [
    (round(math.cos(turn / 500 * math.tau) * (1 + turn % 7 / 5), 4), round(math.sin(turn / 500 * math.tau) * 1.5, 4))
    for turn in range(500)
]
"""More edges than a chain holds."""

SHAPES: dict[str, Any] = {
    "box": shapely.box(-2, -1, 2, 1),
    "world": shapely.box(-180, -90, 180, 90),
    "hole": shapely.Polygon([(-3, -3), (3, -3), (3, 3), (-3, 3)], [[(-1, -1), (1, -1), (0.5, 1.25)]]),
    "bay": shapely.Polygon([(-3, -3), (3, -3), (3, 3), (0, -2.5), (-3, 3)]),
    "star": shapely.Polygon(STAR).buffer(0).simplify(0),
    "ring": shapely.Point(0, 0).buffer(2, quad_segs=200) - shapely.Point(0.3, 0).buffer(1, quad_segs=100),
    "islet": shapely.box(0.00001, 0.00001, 0.00002, 0.00002),
}
OUTLINES = {name: chains.packed(shape) for name, shape in SHAPES.items()}

shapes = pytest.mark.parametrize("name", SHAPES)
coordinates = st.one_of(st.floats(-4, 4), st.integers(-40, 40).map(lambda tenths: tenths / 10))


@cache
def rebuilt(name: str) -> shapely.Polygon:
    return chains.polygon(OUTLINES[name])


@shapes
def test_a_polygon_comes_back_as_it_was(name: str):
    tolerance = 1e-7 if name == "ring" else 0.0
    assert rebuilt(name).equals_exact(SHAPES[name], tolerance)
    assert rebuilt(name).is_valid


@shapes
@given(lon=coordinates, lat=coordinates)
@settings(deadline=None)
def test_a_point_is_in_the_polygon_that_contains_it(name: str, lon: float, lat: float):
    at, shape = shapely.Point(lon, lat), rebuilt(name)
    if shape.boundary.distance(at) > 1e-9:
        assert chains.covers(OUTLINES[name], Point(lat, lon)) == shape.covers(at)


@shapes
def test_corners_and_points_between_two_of_a_level_are_on_the_edge(name: str):
    for ring in (rebuilt(name).exterior, *rebuilt(name).interiors):
        for (lon, lat), (to_lon, to_lat) in zip(ring.coords, ring.coords[1:], strict=False):
            assert chains.covers(OUTLINES[name], Point(lat, lon))
            if lat == to_lat or lon == to_lon:
                assert chains.covers(OUTLINES[name], Point((lat + to_lat) / 2, (lon + to_lon) / 2))


@shapes
@given(lon=coordinates, lat=coordinates)
@settings(deadline=None)
def test_the_foot_is_the_nearest_position_on_the_edge(name: str, lon: float, lat: float):
    at, boundary = shapely.Point(lon, lat), rebuilt(name).boundary
    foot = chains.foot(OUTLINES[name], Point(lat, lon))
    nearest = shapely.Point(foot.lon, foot.lat)
    assert boundary.distance(nearest) == pytest.approx(0, abs=1e-9)
    assert at.distance(nearest) == pytest.approx(boundary.distance(at), abs=1e-9)


@shapes
def test_a_compressed_polygon_is_the_same(name: str):
    small = chains.compressed(OUTLINES[name])
    assert len(small) <= len(OUTLINES[name])
    assert chains.plain(small) == OUTLINES[name]
    assert chains.polygon(small) == rebuilt(name)


def test_steps_take_the_bytes_that_they_need():
    near, far, farthest = (chains.packed(shapely.box(0, 0, size, size)) for size in (100, 20_000, 90_000.5))
    assert len(near) < len(far) < len(farthest)
