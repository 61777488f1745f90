"""Distances and boxes: properties over the whole sphere, and the usual problem cases of boxes."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bearings.places import geometry
from bearings.places.models import BBox, Point

HALF_ROUND_M = math.pi * geometry.EARTH_RADIUS_M
WORLD = BBox(-180.0, -90.0, 180.0, 90.0)

FIJI = BBox(176.0, -21.9, -177.2, -12.0)
NEW_ZEALAND = BBox(165.5, -53.0, -175.5, -29.0)
RUSSIA = BBox(19.6, 41.2, -168.9, 81.9)
ANTARCTICA = BBox(-180.0, -90.0, 180.0, -60.0)
KIRIBATI = BBox(169.5, -11.5, -150.2, 4.8)
PARIS = BBox(2.22, 48.81, 2.47, 48.91)

lats = st.floats(-90, 90)
lons = st.one_of(st.floats(-180, 180), st.sampled_from([-180.0, 180.0, 0.0, 179.9999999, -179.9999999]))
points = st.builds(Point, lats, lons)
fractions = st.floats(0, 5)


@st.composite
def boxes(draw: st.DrawFn) -> BBox:
    south, north = sorted((draw(lats), draw(lats)))
    return BBox(draw(lons), south, draw(lons), north)


def corners(box: BBox) -> list[Point]:
    return [Point(lat, lon) for lat in (box.south, box.north) for lon in (box.west, box.east)]


# Distances


@pytest.mark.parametrize(
    ("a", "b", "km"),
    [
        (Point(0, 0), Point(0, 0), 0),
        (Point(48.8566, 2.3522), Point(51.5074, -0.1278), 343.6),
        (Point(-18.14, 178.44), Point(-13.83, -171.77), 1150.7),
        (Point(90, 0), Point(-90, 77), 20015.1),
        (Point(0, 179.5), Point(0, -179.5), 111.2),
        (Point(90, 12), Point(90, -100), 0),
    ],
)
def test_distances_are_great_circles(a: Point, b: Point, km: float) -> None:
    assert geometry.distance_m(a, b) / 1000 == pytest.approx(km, abs=0.1)


@given(points, points)
def test_distance_is_symmetric_and_at_most_half_way_round(a: Point, b: Point) -> None:
    assert geometry.distance_m(a, b) == pytest.approx(geometry.distance_m(b, a), abs=1e-6)
    assert 0 <= geometry.distance_m(a, b) <= HALF_ROUND_M + 1e-6


@given(points, points, points)
def test_no_detour_is_shorter_than_the_straight_way(a: Point, b: Point, c: Point) -> None:
    # haversine loses digits near antipodes: about a metre there
    assert geometry.distance_m(a, c) <= geometry.distance_m(a, b) + geometry.distance_m(b, c) + 2


@given(points, points)
def test_the_midpoint_is_as_far_from_both_ends(a: Point, b: Point) -> None:
    assume(geometry.distance_m(a, b) < HALF_ROUND_M - 10_000)
    middle = geometry.midpoint(a, b)
    half = geometry.distance_m(a, b) / 2
    assert geometry.distance_m(a, middle) == pytest.approx(half, abs=1)
    assert geometry.distance_m(middle, b) == pytest.approx(half, abs=1)
    assert abs(middle.lon) <= 180


def test_the_midpoint_lies_on_the_short_side_of_180_degrees() -> None:
    middle = geometry.midpoint(Point(0, 170), Point(0, -160))
    assert middle == pytest.approx((0, -175))


# Longitudes


@pytest.mark.parametrize(
    ("lon", "same"),
    [(0, 0), (180, 180), (-180, -180), (181, -179), (-181, 179), (540, 180), (720, 0), (-900, -180), (359, -1)],
)
def test_a_longitude_is_brought_into_range(lon: float, same: float) -> None:
    assert geometry.normalise_lon(lon) == same


@given(st.floats(-1e6, 1e6))
def test_normalising_a_longitude_twice_changes_nothing(lon: float) -> None:
    once = geometry.normalise_lon(lon)
    assert -180 <= once <= 180
    assert geometry.normalise_lon(once) == once
    assert math.cos(math.radians(once)) == pytest.approx(math.cos(math.radians(lon)), abs=1e-6)


# Single boxes


@pytest.mark.parametrize(
    ("box", "same"),
    [
        (BBox(170, 0, -180, 1), BBox(170, 0, 180, 1)),
        (BBox(180, 0, -170, 1), BBox(-180, 0, -170, 1)),
        (BBox(-200, 0, 200, 1), BBox(-180, 0, 180, 1)),
        (BBox(170, 0, 190, 1), BBox(170, 0, -170, 1)),
        (BBox(180, 0, 180, 1), BBox(180, 0, 180, 1)),
        (BBox(-180, 0, -180, 1), BBox(-180, 0, -180, 1)),
        (FIJI, FIJI),
    ],
)
def test_a_canonical_box_has_no_edge_on_the_wrong_side_of_180(box: BBox, same: BBox) -> None:
    assert geometry.canonical(box) == same


@given(boxes())
def test_making_a_box_canonical_twice_changes_nothing(box: BBox) -> None:
    once = geometry.canonical(box)
    assert geometry.canonical(once) == once
    assert geometry.width(once) == pytest.approx(geometry.width(box))


@pytest.mark.parametrize(
    ("box", "degrees"),
    [(FIJI, 6.8), (NEW_ZEALAND, 19), (RUSSIA, 171.5), (ANTARCTICA, 360), (KIRIBATI, 40.3), (PARIS, 0.25)],
)
def test_width_goes_the_short_way_across_180(box: BBox, degrees: float) -> None:
    assert geometry.width(box) == pytest.approx(degrees)


@pytest.mark.parametrize(
    ("box", "middle"),
    [
        (FIJI, Point(-16.95, 179.4)),
        (KIRIBATI, Point(-3.35, -170.35)),
        (RUSSIA, Point(61.55, 105.35)),
        (PARIS, Point(48.86, 2.345)),
    ],
)
def test_the_center_is_inside_the_box(box: BBox, middle: Point) -> None:
    assert geometry.center(box) == pytest.approx(middle)
    assert geometry.contains(box, geometry.center(box))


@pytest.mark.parametrize(
    ("box", "km2"),
    [
        (WORLD, 4 * math.pi * 6371.0**2),
        (BBox(0, 0, 180, 90), math.pi * 6371.0**2),
        (BBox(0, 0, 1, 1), 12363.7),
        (BBox(179.5, 0, -179.5, 1), 12363.7),
        (BBox(0, 0, 0, 1), 0),
    ],
)
def test_areas_are_those_of_the_sphere(box: BBox, km2: float) -> None:
    assert geometry.area_km2(box) == pytest.approx(km2, rel=1e-5)


@given(boxes())
def test_pieces_run_eastward_and_their_areas_add_up(box: BBox) -> None:
    pieces = geometry.split(box)
    assert len(pieces) in (1, 2)
    assert all(piece.west <= piece.east for piece in pieces)
    assert sum(map(geometry.area_km2, pieces)) == pytest.approx(geometry.area_km2(box), rel=1e-9, abs=1e-6)
    if geometry.width(box) > 0:
        assert all(piece.west < piece.east for piece in pieces)


@pytest.mark.parametrize(
    ("box", "pieces"),
    [
        (FIJI, [(176.0, 180.0), (-180.0, -177.2)]),
        (KIRIBATI, [(169.5, 180.0), (-180.0, -150.2)]),
        (BBox(170, 0, 180, 1), [(170, 180)]),
        (BBox(170, 0, -180, 1), [(170, 180)]),
        (BBox(180, 0, -170, 1), [(-180, -170)]),
        (ANTARCTICA, [(-180, 180)]),
    ],
)
def test_a_box_is_split_at_180_and_never_into_a_sliver(box: BBox, pieces: list[tuple[float, float]]) -> None:
    assert [(piece.west, piece.east) for piece in geometry.split(box)] == pieces


@pytest.mark.parametrize(
    ("box", "valid"),
    [
        (FIJI, True),
        (WORLD, True),
        (BBox(0, 1, 1, 0), False),
        (BBox(0, 0, 181, 1), False),
        (BBox(-181, 0, 1, 1), False),
        (BBox(0, -91, 1, 1), False),
        (BBox(0, 0, math.nan, 1), False),
        (BBox(0, 0, math.inf, 1), False),
    ],
)
def test_a_valid_box_has_ordered_latitudes_in_range(box: BBox, valid: bool) -> None:
    assert geometry.is_valid(box) is valid


# Padding, widening, circles


@given(boxes(), fractions)
def test_padding_holds_the_original_and_never_passes_the_world(box: BBox, fraction: float) -> None:
    grown = geometry.padded(box, fraction)
    assert geometry.is_valid(grown)
    assert geometry.encloses(grown, box)
    assert geometry.width(grown) <= 360


@given(boxes())
def test_no_padding_changes_nothing(box: BBox) -> None:
    assert geometry.padded(box, 0) == geometry.canonical(box)


@pytest.mark.parametrize(
    ("box", "fraction", "grown"),
    [
        (FIJI, 0.5, BBox(172.6, -26.85, -173.8, -7.05)),
        (BBox(-10, 0, 10, 10), 0.1, BBox(-12, -1, 12, 11)),
        (BBox(170, -20, 179, -10), 0.5, BBox(165.5, -25, -176.5, -5)),
        (BBox(-179, -20, -170, -10), 1, BBox(172, -30, -161, 0)),
        (BBox(-10, 80, 10, 88), 1, BBox(-30, 72, 30, 90)),
        (ANTARCTICA, 1, BBox(-180, -90, 180, -30)),
        (RUSSIA, 5, WORLD),
        (RUSSIA, 0.6, BBox(-180, 16.78, 180, 90)),
    ],
)
def test_padding_wraps_at_180_and_stops_at_the_poles(box: BBox, fraction: float, grown: BBox) -> None:
    assert geometry.padded(box, fraction) == pytest.approx(grown)


@given(boxes())
def test_a_widened_box_has_an_area_and_holds_the_original(box: BBox) -> None:
    grown = geometry.with_area(box)
    assert geometry.is_valid(grown)
    assert geometry.area_km2(grown) > 0
    assert geometry.width(grown) >= geometry.LEAST_SIDE_DEG * 0.999
    assert geometry.area_km2(grown) >= geometry.area_km2(box) * (1 - 1e-9)


@pytest.mark.parametrize("box", [FIJI, NEW_ZEALAND, RUSSIA, ANTARCTICA, KIRIBATI, PARIS])
def test_a_box_with_an_area_is_not_widened(box: BBox) -> None:
    assert geometry.with_area(box) == box


@given(points, st.floats(0, 2e7), st.floats(0, 360))
def test_a_circle_lies_in_the_box_around_it(point: Point, radius_m: float, bearing: float) -> None:
    box = geometry.around(point, radius_m)
    assert geometry.is_valid(box)
    rim = _destination(point, radius_m * 0.999, bearing)
    if abs(rim.lat) == 90:
        rim = Point(rim.lat, point.lon)  # a pole has every longitude
    slack = geometry.padded(geometry.with_area(box), 1e-6)
    assert geometry.contains(slack, rim)


def _destination(start: Point, distance: float, bearing: float) -> Point:
    angle, turn = distance / geometry.EARTH_RADIUS_M, math.radians(bearing)
    lat, lon = math.radians(start.lat), math.radians(start.lon)
    sine = math.sin(lat) * math.cos(angle) + math.cos(lat) * math.sin(angle) * math.cos(turn)
    end = math.asin(max(-1.0, min(1.0, sine)))
    east = math.atan2(math.sin(turn) * math.sin(angle) * math.cos(lat), math.cos(angle) - math.sin(lat) * math.sin(end))
    return Point(math.degrees(end), geometry.normalise_lon(math.degrees(lon + east)))


@pytest.mark.parametrize(
    ("point", "radius_m", "box"),
    [
        (Point(0, 0), 111_194.93, BBox(-1, -1, 1, 1)),
        (Point(0, 179.5), 111_194.93, BBox(178.5, -1, -179.5, 1)),
        (Point(90, 0), 111_194.93, BBox(-180, 89, 180, 90)),
        (Point(-89.5, 30), 111_194.93, BBox(-180, -90, 180, -88.5)),
    ],
)
def test_the_box_around_a_point_knows_the_poles(point: Point, radius_m: float, box: BBox) -> None:
    assert geometry.around(point, radius_m) == pytest.approx(box, abs=1e-3)


# Unions and relations


@given(st.lists(boxes(), min_size=1, max_size=6))
def test_a_union_holds_its_parts(parts: list[BBox]) -> None:
    whole = geometry.union(parts)
    assert geometry.is_valid(whole)
    assert all(geometry.encloses(whole, part) for part in parts)


@given(st.lists(boxes(), min_size=1, max_size=6))
def test_the_union_with_a_part_again_changes_nothing(parts: list[BBox]) -> None:
    whole = geometry.union(parts)
    assert geometry.width(geometry.union([whole, *parts])) == pytest.approx(geometry.width(whole))
    assert geometry.union(reversed(parts)) == whole


@pytest.mark.slow
@given(boxes())
def test_the_union_of_one_box_is_that_box(box: BBox) -> None:
    assume(geometry.width(box) < 359)
    assert geometry.union([box]) == geometry.canonical(box)


@given(st.lists(points, min_size=1, max_size=8))
def test_a_box_of_points_holds_them_on_the_smallest_arc(some: list[Point]) -> None:
    box = geometry.enclosing(some)
    assert all(geometry.contains(box, point) for point in some)
    ring = sorted({point.lon % 360 for point in some})
    widest = max(b - a for a, b in zip(ring, [*ring[1:], ring[0] + 360], strict=True))
    assert geometry.width(box) == pytest.approx(360 - widest, abs=1e-9)


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        ([BBox(170, 0, 175, 1), BBox(-175, 2, -170, 3)], BBox(170, 0, -170, 3)),
        ([FIJI, NEW_ZEALAND], BBox(165.5, -53.0, -175.5, -12.0)),
        ([FIJI, KIRIBATI], BBox(169.5, -21.9, -150.2, 4.8)),
        ([PARIS, FIJI], BBox(2.22, -21.9, -177.2, 48.91)),
        ([RUSSIA, BBox(-170, 50, 20, 60)], BBox(-180, 41.2, 180, 81.9)),
        ([PARIS, ANTARCTICA], BBox(-180, -90, 180, 48.91)),
        ([BBox(-180, 0, -170, 1), BBox(170, 0, 180, 1)], BBox(170, 0, -170, 1)),
    ],
)
def test_a_union_takes_the_smallest_arc(parts: list[BBox], whole: BBox) -> None:
    assert geometry.union(parts) == whole


def test_a_union_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no box"):
        geometry.union([])


@given(boxes())
def test_a_box_contains_its_corners_and_meets_itself(box: BBox) -> None:
    assert all(geometry.contains(box, corner) for corner in corners(box))
    assert geometry.intersects(box, box)
    assert geometry.encloses(box, box)


@given(boxes(), boxes())
def test_meeting_is_mutual_and_follows_from_holding(a: BBox, b: BBox) -> None:
    assert geometry.intersects(a, b) == geometry.intersects(b, a)
    if geometry.encloses(a, b):
        assert geometry.intersects(a, b)


@pytest.mark.parametrize(
    ("a", "b", "meet"),
    [
        (NEW_ZEALAND, BBox(-176, -40, -170, -30), True),
        (FIJI, KIRIBATI, False),
        (FIJI, PARIS, False),
        (BBox(170, 0, 180, 1), BBox(-180, 0, -170, 1), True),
        (BBox(0, 0, 1, 1), BBox(1, 1, 2, 2), True),
        (BBox(0, 0, 1, 1), BBox(0, 2, 1, 3), False),
        (BBox(0, 3, 1, 4), BBox(0, 0, 1, 1), False),
        (BBox(-10, 0, 10, 1), BBox(-1, 0, 1, 1), True),
    ],
)
def test_boxes_meet_across_180_and_at_edges(a: BBox, b: BBox, meet: bool) -> None:
    assert geometry.intersects(a, b) is meet


@pytest.mark.parametrize(
    ("outer", "inner", "held"),
    [
        (KIRIBATI, BBox(175, -5, -175, 0), True),
        (KIRIBATI, PARIS, False),
        (WORLD, FIJI, True),
        (BBox(170, 0, 180, 1), BBox(-180, 0, -180, 1), True),
        (PARIS, BBox(2.3, 48, 2.4, 48.9), False),
        (FIJI, BBox(170, -20, 178, -19), False),
    ],
)
def test_a_box_encloses_boxes_wholly_inside(outer: BBox, inner: BBox, held: bool) -> None:
    assert geometry.encloses(outer, inner) is held
