"""Edges as arrays: what they answer is what `chains` answers, also on corners, edges and beside them."""

import random

import numpy as np
import pytest
import shapely

from bearings.places.engine import chains
from bearings.places.engine.edges import in_steps, shape_of
from bearings.places.models import Point

DRAWN = random.Random(9)


def star(corners: int, decimals: int, *, hole: bool) -> shapely.Polygon:
    """A polygon of many corners about (8, 47), with a hole of its form if wanted."""
    angles = sorted(DRAWN.uniform(0, 2 * np.pi) for _ in range(corners))
    rim = [(8 + DRAWN.uniform(1, 2) * np.cos(angle), 47 + DRAWN.uniform(1, 2) * np.sin(angle)) for angle in angles]
    inner = [[(8 + (lon - 8) / 3, 47 + (lat - 47) / 3) for lon, lat in rim]] if hole else []
    return shapely.Polygon(np.round(rim, decimals), [np.round(ring, decimals) for ring in inner])


CASES = [
    star(corners, decimals, hole=hole) for corners in (3, 40, 900) for decimals in (2, 5) for hole in (False, True)
]


def near(whole: shapely.Polygon) -> list[Point]:
    """Points in, beside, and exactly on corners and edges."""
    corners = shapely.get_coordinates(whole)[:60]
    middles = (corners[:-1] + corners[1:]) / 2
    drawn = np.random.default_rng(3).uniform((5.5, 44.5), (10.5, 49.5), (200, 2))
    places = [*corners, *middles, *np.add(corners, (0.003, 0)), *np.add(corners, (0, 1e-9)), *drawn, *drawn.round(2)]
    return [Point(float(lat), float(lon)) for lon, lat in places]


@pytest.mark.parametrize("whole", CASES)
def test_shapes_contain_what_chains_contain(whole: shapely.Polygon) -> None:
    stored, points = chains.packed(whole), near(whole)
    decimals, shape = shape_of(stored)
    lats, lons = in_steps(np.array(points), decimals).T
    held = shapely.intersects_xy(shape, lons, lats).tolist()
    assert held == [chains.covers(stored, point) for point in points]
    assert {True, False} == set(held)


@pytest.mark.parametrize("whole", CASES)
def test_a_shape_is_the_polygon(whole: shapely.Polygon) -> None:
    decimals, shape = shape_of(chains.packed(whole))
    np.testing.assert_allclose(
        shapely.get_coordinates(shape) / 10**decimals, shapely.get_coordinates(whole), atol=1e-12
    )
    assert len(shape.interiors) == len(whole.interiors)
