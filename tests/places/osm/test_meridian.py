"""Shapes that cross 180 degrees, and shapes as large as the world."""

import numpy as np
import pytest
import shapely

from bearings.places import geometry
from bearings.places.models import BBox, Point, SearchQuery
from bearings.places.osm import cells, meridian, placing
from bearings.places.osm.answers import OsmMap
from bearings.places.osm.cells import STEPS
from tests.places.osm.conftest import MakeMap, node, way


def test_what_does_not_cross_stays():
    for wkt in ("LINESTRING (-179 0, 0 0, 179 1)", "POLYGON ((-179 0, 0 -5, 179 0, 0 5, -179 0))", "POINT (180 0)"):
        shape = shapely.from_wkt(wkt)
        assert meridian.cut(shape) is shape


def test_a_line_is_cut():
    line = meridian.cut(shapely.LineString([(179.9, 0), (-179.9, 0.2), (-179.8, 0.2), (179.8, 0)]))
    assert shapely.total_bounds(line).tolist() == [-180.0, 0.0, 180.0, 0.2]
    assert line.length == pytest.approx(0.83, abs=0.001)


def test_a_polygon_is_cut_and_keeps_its_hole():
    outer = [(179.8, 0), (-179.8, 0), (-179.8, 1), (179.8, 1), (179.8, 0)]
    hole = [(-179.9, 0.4), (-179.7 - 0.15, 0.4), (-179.85, 0.6), (-179.9, 0.6), (-179.9, 0.4)]
    found = meridian.cut(shapely.Polygon(outer, [hole]))
    assert found.area == pytest.approx(0.4 - 0.01)
    assert not found.contains(shapely.Point(-179.87, 0.5))
    assert found.contains(shapely.Point(179.9, 0.5))


def test_what_goes_round_a_pole_stays():
    ring = shapely.Polygon([(-180, -90), (-180, -60), (-60, -60), (60, -60), (180, -60), (180, -90), (-180, -90)])
    around = shapely.Polygon([(-120, -70), (0, -70), (120, -70), (-120, -70)])
    assert meridian.cut(around) is around
    assert meridian.cut(ring).area == pytest.approx(ring.area)


@pytest.fixture
def dateline(make_map: MakeMap) -> OsmMap:
    """A street, a wood and a municipality across 180 degrees, and a café on its western side."""
    corners = [(-1.0, 179.5), (-1.0, -179.5), (1.0, -179.5), (1.0, 179.5)]
    wood = [(0.01, 179.995), (0.01, -179.995), (0.02, -179.995), (0.02, 179.995)]
    return make_map(
        *(node(number, *at) for number, at in enumerate((*corners, *wood), 1)),
        node(11, 0.0, 179.999), node(12, 0.0, -179.999), node(13, 0.0, -179.99),
        node(14, 0.0001, 179.9999, amenity="cafe", name="Café Ouest"),
        node(15, 0.0001, -179.9995, addr__housenumber="7", addr__street="Rainbow Street"),
        way(1, 1, 2, 3, 4, 1, boundary="administrative", admin_level="8", name="Dateline"),
        way(2, 5, 6, 7, 8, 5, natural="wood", name="Hain"),
        way(3, 11, 12, highway="residential", name="Rainbow Street"),
        way(4, 12, 13, highway="residential", name="Rainbow Street"),
    )  # fmt: skip


@pytest.mark.parametrize("lon", [179.9995, 180.0, -180.0, -179.9995])
def test_a_street_across_180_degrees_is_at_its_points(dateline: OsmMap, lon: float):
    found = dateline.reverse(Point(-0.0001, lon), 16, "local", ())
    assert found is not None
    place, distance_m = found
    assert place.name == "Rainbow Street"
    assert distance_m == pytest.approx(11.1, abs=0.2)
    assert place.address["municipality" if "municipality" in place.address else "city"] == "Dateline"
    assert dateline.reverse(Point(-0.0001, 100.0), 16, "local", ()) is None


def test_what_is_across_180_degrees_is_near(dateline: OsmMap):
    found = dateline.reverse(Point(0.0001, -179.99999), 18, "local", ("poi",))
    assert found is not None
    assert found[0].name == "Café Ouest"
    assert found[1] == pytest.approx(12.2, abs=0.2)


@pytest.mark.parametrize(
    ("name", "box"),
    [
        ("Rainbow Street", BBox(179.999, 0.0, -179.99, 0.0)),
        ("Hain", BBox(179.995, 0.01, -179.995, 0.02)),
        ("Dateline", BBox(179.5, -1.0, -179.5, 1.0)),
    ],
)
def test_boxes_and_middles_are_small(dateline: OsmMap, name: str, box: BBox):
    query = SearchQuery(text=name, language="local", geometry="full")
    place = dateline.place_of(dateline.search(query).hits[0], query)
    assert place.bbox == pytest.approx(geometry.with_area(box))
    assert abs(place.point.lon) > 179.99
    assert place.outline is not None
    assert place.outline.shape is not None
    assert min(abs(edge) for edge in shapely.get_coordinates(place.outline.shape)[:, 0]) >= 179.5


def test_houses_between_two_numbers_across_180_degrees(make_map: MakeMap):
    osm = make_map(
        *(
            node(number, 0.0, lon, addr__housenumber=str(house), addr__street="Rainbow Street")
            for number, (lon, house) in enumerate(((179.9, 2), (-179.9, 10)), 1)
        ),
        way(1, 1, 2, addr__interpolation="even"),
        way(2, 1, 2, highway="residential", name="Rainbow Street"),
    )
    (hit,) = osm.search(SearchQuery(text="Rainbow Street 8")).hits
    assert hit.row.point == pytest.approx((0.0, -179.95))


def test_a_shape_as_large_as_the_world_is_imported(make_map: MakeMap):
    osm = make_map(
        node(1, -60, -170), node(2, -60, 0), node(3, -60, 170), node(4, 60, 170), node(5, 60, 0), node(6, 60, -170),
        node(7, 0, 0, amenity="cafe", name="Café Null"),
        way(1, 1, 2, 3, 4, 5, 6, 1, natural="water", name="Ocean"),
    )  # fmt: skip
    (hit,) = osm.search(SearchQuery(text="Ocean")).hits
    assert hit.row.bbox == pytest.approx(BBox(-170, -60, 170, 60))
    assert hit.row.point == pytest.approx((0, 0), abs=0.01)


def test_an_edge_across_the_world_takes_the_cells_along_it():
    line = placing.lines_of(np.array([shapely.LineString([(0, 0), (100, 50)])]))
    met = {cell for _, cell, _ in placing.runs(line)}
    assert 20_000 < len(met) < 500_000
    assert cells.cell_of(50 * STEPS, 25 * STEPS) in met


def test_cells_are_counted_as_they_are_listed():
    boxes = ((0, 0, 10, 10), (-123_456, 789, 2_000_000, 900_000), (0, 89 * STEPS, 60_000, 90 * STEPS))
    counts = placing.counts_of(placing.spans(np.array(boxes)))
    assert counts.tolist() == [len(cells.cells_of(box)) for box in boxes]


def test_a_box_across_180_degrees_has_the_cells_of_both_sides():
    line = shapely.LineString([(179.99, 0), (180, 0)]), shapely.LineString([(-180, 0), (-179.99, 0)])
    lines = placing.lines_of(np.array([shapely.MultiLineString(line)]))
    spans = placing.spans(np.array([(1799900000, 0, -1799900000, 0)], dtype=np.int32))
    met = {cell for _, cell, _ in placing.whole(lines, spans)}
    sides = ((1799900000, 0, 1800000000, 0), (-1800000000, 0, -1799900000, 0))
    assert met == {cell for side in sides for cell in cells.cells_of(side)}
