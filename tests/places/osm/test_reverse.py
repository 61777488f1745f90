"""Points of a map: the nearest street, house or object; inside a building, the building."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.places.engine.areas import Areas
from bearings.places.geometry import normalise_lon
from bearings.places.models import Match, Place, Point
from bearings.places.osm.answers import OsmMap
from bearings.places.osm.reverse import Reverse
from bearings.places.osm.schema import ADMIN, PLACE
from tests.places.osm.conftest import MakeMap, node, way

LAT = 50.0
STREET = (node(1, LAT, 8.0), node(2, LAT, 8.01), way(1, 1, 2, highway="residential", name="Lindenweg"))


def at(osm: OsmMap, lat: float, lon: float, zoom: int = 18, layer: tuple[str, ...] = ()) -> tuple[Place, float]:
    found = osm.reverse(Point(lat, lon), zoom, "local", layer)
    assert found is not None
    return found


def test_a_street_is_the_nearest(make_map: MakeMap):
    osm = make_map(*STREET)
    place, distance = at(osm, LAT + 0.001, 8.005)
    assert (place.name, place.osm_type, place.osm_id, place.match) == ("Lindenweg", "way", 1, Match.NEAREST)
    assert distance == pytest.approx(111.2, abs=0.2)
    assert osm.reverse(Point(LAT + 0.007, 8.005), 18, "local", ()) is None


def test_a_house_beside_its_street_answers_for_it(make_map: MakeMap):
    osm = make_map(*STREET, node(3, LAT + 0.0003, 8.0051, addr__housenumber="7", addr__street="Lindenweg"))
    place, _ = at(osm, LAT + 0.0001, 8.005)
    assert (place.name, place.address["house_number"], place.address["road"]) == ("Lindenweg 7", "7", "Lindenweg")
    assert at(osm, LAT + 0.0001, 8.002)[0].name == "Lindenweg", "another house is too far along the street"
    assert at(osm, LAT + 0.0001, 8.005, zoom=17)[0].name == "Lindenweg"


BUILDING = (
    node(11, LAT + 0.001, 8.004), node(12, LAT + 0.001, 8.006),
    node(13, LAT + 0.002, 8.006), node(14, LAT + 0.002, 8.004),
    way(2, 11, 12, 13, 14, 11, building="yes", addr__housenumber="9", addr__street="Lindenweg"),
)  # fmt: skip


def test_a_building_answers_for_what_is_inside(make_map: MakeMap):
    osm = make_map(*STREET, *BUILDING)
    place, distance = at(osm, LAT + 0.0015, 8.005)
    assert (place.name, place.match, distance) == ("Lindenweg 9", Match.COORDINATE, 0)
    assert place.bbox == pytest.approx((8.004, 50.001, 8.006, 50.002))


def test_a_shop_in_the_building_answers_before_it(make_map: MakeMap):
    osm = make_map(
        *STREET, *BUILDING, node(15, LAT + 0.0016, 8.0055, shop="books", name="Libro", addr__housenumber="9")
    )
    assert at(osm, LAT + 0.0015, 8.005)[0].name == "Libro"
    osm = make_map(
        *STREET, *BUILDING, node(15, LAT + 0.0016, 8.0055, shop="books", name="Libro", addr__housenumber="11")
    )
    assert at(osm, LAT + 0.0015, 8.005)[0].name == "Lindenweg 9", "a shop of another number is in another house"


@pytest.mark.slow
def test_what_is_in_another_cell_is_near_too(make_map: MakeMap):
    nodes = [node(number, LAT, 8.0 + number * 0.001) for number in range(1, 30)]
    osm = make_map(
        *nodes, way(1, 1, 29, highway="primary", name="Long Road"), way(2, 3, 4, highway="service", name="Yard")
    )
    for step in range(-50, 51):
        place, _ = at(osm, LAT + step * 0.0001, 8.0153)
        assert place.name == "Long Road", step


def test_an_unnamed_road_is_called_so(make_map: MakeMap):
    osm = make_map(node(1, LAT, 8.0), node(2, LAT, 8.01), way(1, 1, 2, highway="residential"))
    place, _ = at(osm, LAT, 8.005)
    assert (place.name, place.address) == ("unnamed road", {})


def test_zoom_asks_for_areas(town: OsmMap):
    names = {zoom: at(town, -26.505756, 179.745478, zoom)[0].name for zoom in (3, 10, 14, 18)}
    assert names[3] == "Velmoro"
    assert names[10] == "Porto Aŭrelo"
    assert names[18] not in (names[3], names[10])


def test_a_point_across_the_border_of_a_quarter_keeps_its_city(make_map: MakeMap):
    corners = [node(20 + number, lat, lon) for number, (lat, lon) in enumerate(QUARTERS)]
    west, east = (20, 21, 24, 23, 20), (21, 22, 25, 24, 21)
    quarters = [
        way(5 + number, *ring, boundary="administrative", admin_level="10", name=name)
        for number, (ring, name) in enumerate(((west, "West"), (east, "East")))
    ]
    city = node(30, LAT + 0.001, 8.02, place="city", name="Altstadt")
    osm = make_map(node(1, LAT, 8.0), node(2, LAT, 8.02), *corners, city,
                   way(1, 1, 2, highway="residential", name="Lindenweg"), *quarters)  # fmt: skip
    for lon, quarter in ((8.004, "West"), (8.016, "East")):
        place, _ = at(osm, LAT + 0.0001, lon)
        assert (place.address["suburb"], place.address["city"], place.address["road"]) == (
            quarter,
            "Altstadt",
            "Lindenweg",
        )


QUARTERS = [
    (LAT - 0.01, 7.99),
    (LAT - 0.01, 8.01),
    (LAT - 0.01, 8.03),
    (LAT + 0.01, 7.99),
    (LAT + 0.01, 8.01),
    (LAT + 0.01, 8.03),
]


def test_a_point_at_sea_beside_a_street_has_its_town(make_map: MakeMap):
    corners = [node(20 + number, lat, lon) for number, (lat, lon) in enumerate(QUARTERS)]
    town = way(5, 20, 22, 25, 23, 20, boundary="administrative", admin_level="8", name="Port")
    osm = make_map(node(1, LAT + 0.0099, 8.0), node(2, LAT + 0.0099, 8.02), *corners,
                   way(1, 1, 2, highway="residential", name="Quay"), town)  # fmt: skip
    place, _ = at(osm, LAT + 0.0105, 8.01)
    assert (place.address["road"], place.address["city"]) == ("Quay", "Port")


def test_a_postcode_is_of_the_same_country(make_map: MakeMap):
    corners = [node(20 + number, lat, lon) for number, (lat, lon) in enumerate(QUARTERS)]
    countries = [
        way(5 + number, *ring, boundary="administrative", admin_level="2", name=name)
        for number, (ring, name) in enumerate((((20, 21, 24, 23, 20), "West"), ((21, 22, 25, 24, 21), "East")))
    ]
    osm = make_map(
        node(1, LAT, 8.0095, shop="books", name="Libri"), *corners, *countries,
        node(2, LAT, 8.0105, addr__housenumber="1", addr__street="Quay", addr__postcode="6800"),
        node(3, LAT, 8.001, addr__housenumber="1", addr__street="Quay", addr__postcode="9486"),
    )  # fmt: skip
    place, _ = at(osm, LAT, 8.0095)
    assert (place.name, place.address["postcode"]) == ("Libri", "9486")


@given(lat=st.floats(-26.6, -26.4), lon=st.floats(179.5, 180.2).map(normalise_lon))
def test_cells_know_the_areas_that_hold_a_point(town: OsmMap, lat: float, lon: float):
    areas, point = Areas(town.map), Point(lat, lon)
    rows = Reverse(town.map, areas).polygons(point)
    assert {row.id for row in rows} == set(areas.containing(point, ADMIN, PLACE))


def test_the_innermost_area_is_that_of_the_highest_rank(make_map: MakeMap):
    """A country of two parts: the part around the point is no larger than the region."""
    corners = [node(20 + number, lat, lon) for number, (lat, lon) in enumerate(QUARTERS)]
    ring = (20, 22, 25, 23, 20)
    osm = make_map(
        *corners, way(5, *ring, boundary="administrative", admin_level="2", name="Velmora"),
        way(6, *ring, boundary="administrative", admin_level="4", name="Great Region"),
    )  # fmt: skip
    assert at(osm, LAT, 8.0, zoom=5)[0].name == "Great Region"
    assert at(osm, LAT, 8.0, zoom=3)[0].name == "Velmora"


@pytest.mark.parametrize(
    ("layer", "name"), [("natural", "Mount Sable"), ("poi", "Libri"), ("manmade", "Mast"), ("railway", "Halt")]
)
def test_a_layer_is_a_filter(make_map: MakeMap, layer: str, name: str):
    osm = make_map(
        *STREET, node(3, LAT, 8.0051, shop="books", name="Libri"),
        node(4, LAT, 8.0052, natural="peak", name="Mount Sable"),
        node(5, LAT, 8.0053, man_made="mast", name="Mast"), node(6, LAT, 8.0054, railway="halt", name="Halt"),
    )  # fmt: skip
    assert at(osm, LAT, 8.005, layer=(layer,))[0].name == name
    assert at(osm, LAT, 8.005, layer=("address",))[0].name == "Lindenweg"


def test_nothing_across_a_border_is_found(make_map: MakeMap):
    corners = [node(20 + number, lat, lon) for number, (lat, lon) in enumerate(QUARTERS)]
    osm = make_map(
        *corners, node(1, LAT, 8.0), node(2, LAT, 8.009), node(3, LAT, 8.011), node(4, LAT, 8.02),
        node(5, LAT, 8.0, place="city", name="Altstadt"),
        way(1, 1, 2, highway="residential", name="Here"), way(2, 3, 4, highway="residential", name="There"),
        way(6, 20, 21, 24, 23, 20, boundary="administrative", admin_level="2", name="Velmora"),
    )  # fmt: skip
    assert at(osm, LAT, 8.0099)[0].name == "Here"
    assert at(osm, LAT, 8.0101)[0].name == "There"
    assert osm.reverse(Point(LAT + 0.008, 8.012), 10, "local", ()) is None, "the city is abroad"


def test_confidence_falls_with_the_distance(make_map: MakeMap):
    osm = make_map(*STREET)
    near, far = (at(osm, LAT + away, 8.005)[0].confidence for away in (0.0001, 0.005))
    assert near == 1.0
    assert far == pytest.approx(0.66, abs=0.02)


def test_the_pole_is_asked_at_once(make_map: MakeMap):
    osm = make_map(*STREET, node(3, 89.9999, 100.0, tourism="attraction", name="North"))
    assert at(osm, 90.0, -80.0)[0].name == "North"
    assert len(osm.map.cells_in([-1_800_000_000, 899_000_000, 1_800_000_000, 900_000_000])) < 1_000


def test_a_street_beyond_a_border_is_in_no_town_of_the_neighbour(make_map: MakeMap):
    corners = [node(20 + number, lat, lon) for number, (lat, lon) in enumerate(QUARTERS)]
    osm = make_map(
        *corners, node(1, LAT, 8.002), node(2, LAT, 8.009), node(3, LAT, 8.011), node(4, LAT, 8.02),
        node(5, LAT, 8.0, place="city", name="Altstadt"),
        way(1, 1, 2, highway="residential", name="Here"), way(2, 3, 4, highway="residential", name="There"),
        way(6, 20, 21, 24, 23, 20, boundary="administrative", admin_level="2", name="Velmora"),
    )  # fmt: skip
    assert at(osm, LAT, 8.005)[0].address["city"] == "Altstadt"
    assert "city" not in at(osm, LAT, 8.015)[0].address
