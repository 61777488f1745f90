"""Shapes: valid GeoJSON, boxes that agree, tolerances that hold, main parts."""

import json
import math
from typing import Any

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from bearings.places import geometry, shapes
from bearings.places.models import BBox, Point
from bearings.places.outlines import Outline
from bearings.places.replies.found import Boundary
from bearings.places.replies.shaped import MOST_POSITIONS, fields_of


def star(lon: float, lat: float, radii: list[float]) -> shapely.Polygon:
    """A polygon that never crosses itself, clockwise, which RFC 7946 forbids."""
    turn = 2 * math.pi / len(radii)
    return shapely.Polygon(
        [(lon + r * math.cos(-n * turn), lat + r * math.sin(-n * turn)) for n, r in enumerate(radii)]
    )


radii = st.lists(st.floats(0.5, 4), min_size=5, max_size=60)
stars = st.builds(star, st.floats(-175, 175), st.floats(-80, 80), radii)
ISLANDS = st.lists(
    st.tuples(st.integers(-17, 17), st.integers(-8, 8), radii), min_size=1, max_size=6, unique_by=lambda i: i[:2]
)
archipelagos = ISLANDS.map(lambda many: shapes.joined([star(x * 10, y * 10, r) for x, y, r in many]))


def rings(told: dict[str, Any]) -> list[list[list[list[float]]]]:
    """The polygons of a GeoJSON geometry."""
    return [told["coordinates"]] if told["type"] == "Polygon" else told["coordinates"]


def is_geojson(told: dict[str, Any]) -> bool:
    """Whether polygons follow RFC 7946: closed, in range, counterclockwise outside and clockwise inside."""
    for outside, *holes in rings(told):
        for ring in (outside, *holes):
            closed = len(ring) >= 4 and ring[0] == ring[-1]
            in_range = all(-180 <= lon <= 180 and -90 <= lat <= 90 for lon, lat in ring)
            if not (closed and in_range and bool(shapely.is_ccw(shapely.LinearRing(ring))) is (ring is outside)):
                return False
    return bool(shapely.from_geojson(json.dumps(told)).is_valid)


@given(archipelagos)
def test_any_shape_becomes_valid_geojson_with_the_same_box(shape: shapely.MultiPolygon) -> None:
    told = shapes.geojson(shape)
    assert is_geojson(told)
    box = shapes.box_of(shapely.from_geojson(json.dumps(told)))
    assert box == pytest.approx(shapes.box_of(shape), abs=1e-6)


@given(archipelagos, st.floats(0.01, 3))
def test_no_corner_of_a_simpler_shape_is_farther_off_than_it_says(shape: Any, tolerance: float) -> None:
    found = shapes.simplified(shape, tolerance)
    assert found.shape.is_valid
    large = [part for part in shapes.parts_of(shape) if shapes.box_diagonal(part) > tolerance]
    corners = shapely.points(shapely.get_coordinates(large or shapes.parts_of(shape)[:1]))
    if large:
        assert shapely.distance(corners, found.shape.boundary).max() <= tolerance * 1.001
    back = shapely.points(shapely.get_coordinates(found.shape))
    assert shapely.distance(back, shape.boundary).max() <= tolerance * 1.001
    assert found.left_out == len(shapes.parts_of(shape)) - max(1, len(large))


@given(archipelagos, st.integers(40, 200))
def test_a_shape_fits_its_budget_or_is_in_its_least_form(shape: Any, most: int) -> None:
    found = shapes.fitted(shape, simpler=False, most=most)
    assert shapes.positions(found.shape) <= most
    assert found.shape.is_valid
    whole = shapes.positions(shape) <= most
    assert (found.tolerance_deg == 0) is whole
    assert not whole or found.shape is shape


def test_a_box_across_180_degrees_is_cut_there_and_comes_back() -> None:
    box = BBox(177, -20, -178, -16)
    shape = shapes.of_box(box)
    assert is_geojson(shapes.geojson(shape))
    assert len(shapes.parts_of(shape)) == 2
    assert shapes.box_of(shape) == box


def square(lon: float, lat: float, side: float) -> shapely.Polygon:
    return shapely.box(lon, lat, lon + side, lat + side)


@pytest.mark.parametrize(
    ("parts", "kept"),
    [
        ([square(0, 40, 8), square(10, 41, 1)], 2),  # 2° of longitude at 41° are 170 km
        ([square(0, 40, 8), square(12, 41, 1)], 1),  # 4° are 335 km
        ([square(0, 40, 8), square(10, 41, 1), square(13, 41, 1)], 3),  # from island to island
        ([square(0, 40, 8), square(40, 40, 7)], 2),  # two halves
        ([square(0, 40, 8), square(40, 40, 5)], 1),
        ([square(172, -40, 8), square(-180, -41, 2)], 2),  # on both sides of 180°
        ([square(0, 70, 8), square(13, 71, 1)], 2),  # 5° are 180 km here
    ],
)
def test_a_main_part_is_a_connected_group(parts: list[shapely.Polygon], kept: int) -> None:
    main = shapes.main_part(shapes.joined(parts))
    assert shapes.parts_of(main) == parts[:kept]


def test_a_point_or_a_line_is_its_own_main_part_and_its_own_geojson() -> None:
    line = shapely.LineString([(0, 0), (20, 20)])
    assert shapes.main_part(line) is line
    assert shapes.geojson(line)["coordinates"] == [[0, 0], [20, 20]]
    assert shapes.geojson(shapes.of_point(Point(1, 2))) == {"type": "Point", "coordinates": [2.0, 1.0]}


@pytest.mark.slow
@given(st.lists(archipelagos, min_size=1, max_size=8))
def test_a_reply_holds_no_more_positions_than_it_may(many: list[Any]) -> None:
    outlines = [Outline(shape) for shape in many]
    for most in (400, MOST_POSITIONS["simplified"]):
        fields = fields_of(outlines, "full", most)
        counts = [shapes.positions(shapely.from_geojson(one["geometry"].to_json())) for one in fields]
        assert sum(counts) <= most
        for one, shape, count in zip(fields, many, counts, strict=True):
            assert (one["geometry_tolerance_m"] > 0) is (count < shapes.positions(shape))


def test_a_missing_outline_has_a_reason_and_tolerances_add_up() -> None:
    nothing, rough = fields_of([Outline(None, note="No outline."), Outline(square(0, 0, 1), 500.0)], "full", 100)
    assert nothing == {"geometry_note": "No outline."}
    assert rough["geometry_tolerance_m"] == 500.0


def test_a_degree_s_width_limits_the_error_of_a_tolerance() -> None:
    for lat in (0, 45, 80):
        for dlat, dlon in ((1, 0), (0, 1), (0.6, 0.8)):
            assert geometry.distance_m(Point(lat, 0), Point(lat + dlat, dlon)) <= shapes.DEG_M * 1.0001


def area(**fields: Any) -> Boundary:
    return Boundary(level="country", name="Fiji", **fields)


def test_a_large_and_a_small_part_are_told_in_words():
    islands = shapes.joined([square(0, 0, 10), *(square(20 + step, 0, 0.001) for step in range(50))])
    (fields,) = fields_of([Outline(islands, note="As of 2018.")], "simplified", 30)
    (line,) = area(**fields).outline_line()
    said = "geometry: Polygon, 5 positions, within 1572.5 m"
    assert line == f"{said}. As of 2018. 50 parts smaller than 1.6 km left out."
    assert area(**fields | {"geometry_note": None}).outline_line() == [said]
    assert area(geometry_note="No outline.").outline_line() == ["geometry: none. No outline."]
    assert area().outline_line() == []
