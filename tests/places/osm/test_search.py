"""Search in a map: any order, any abbreviation, addresses, typos, what is left."""

import pytest

from bearings.places.models import BBox, Match, Point, SearchQuery, Structured
from bearings.places.osm.answers import OsmMap
from tests.places.osm.conftest import MakeMap, node, way


def found(osm: OsmMap, text: str, **values: object) -> list[str]:
    query = SearchQuery(text=text, language="local", **values)  # type: ignore[arg-type]
    return [osm.place_of(hit, query).display_name for hit in osm.search(query).hits]


@pytest.fixture
def city(make_map: MakeMap) -> OsmMap:
    """Two towns, 11 km apart, with streets, houses and a café of the same names."""
    elements = []
    for number, (town, lat) in enumerate((("Neustadt", 50.0), ("Altdorf", 50.1))):
        at = 100 * number
        elements += [
            node(at + 1, lat, 8.0, place="town", name=town, name__fr=f"{town}-ville"),
            node(at + 2, lat + 0.001, 8.0), node(at + 3, lat + 0.001, 8.004), node(at + 4, lat + 0.001, 8.008),
            node(at + 5, lat + 0.0012, 8.003, addr__housenumber="12", addr__street="Hauptstraße",
                 addr__postcode=f"1000{number}"),
            node(at + 6, lat + 0.0012, 8.005, addr__housenumber="14-16", addr__street="Hauptstraße"),
            node(at + 7, lat + 0.002, 8.001, amenity="cafe", name="Café Central"),
            node(at + 8, lat + 0.003, 8.001, amenity="pharmacy", name="Löwen-Apotheke am Markt"),
            node(at + 9, lat - 0.002, 8.004),
        ]  # fmt: skip
    for number in (0, 1):
        at = 100 * number
        elements += [
            way(at + 1, at + 2, at + 3, highway="residential", name="Hauptstraße"),
            way(at + 2, at + 3, at + 4, highway="residential", name="Hauptstraße"),
            way(at + 3, at + 3, at + 9, highway="residential", name="Lindenweg"),
        ]
    return make_map(*elements)


@pytest.mark.parametrize(
    "query",
    [
        "Café Central, Altdorf",
        "cafe central altdorf",
        "Altdorf, Café Central",
        "altdorf cafe central",
        "Café Central in Altdorf",
    ],
)
def test_words_come_in_any_order(city: OsmMap, query: str):
    assert found(city, query) == ["Café Central, Hauptstraße, Altdorf"]


@pytest.mark.parametrize(
    "query",
    [
        "Hauptstraße 12, Altdorf",
        "12 Hauptstr. Altdorf",
        "Altdorf, Haupt-Strasse 12",
        "Hauptstrasse 12, 10001 Altdorf",
        "hauptstr 12 10001",
    ],
)
def test_an_address_is_found_however_it_is_written(city: OsmMap, query: str):
    assert found(city, query) == ["Hauptstraße 12, Altdorf"]


def test_a_range_of_house_numbers_has_both_of_its_ends(city: OsmMap):
    for number in ("14", "16", "14-16"):
        assert found(city, f"Hauptstraße {number}, Neustadt") == ["Hauptstraße 14-16, Neustadt"]


def test_a_house_number_that_is_not_there_is_said(city: OsmMap):
    answer = city.search(SearchQuery(text="Hauptstraße 99, Altdorf"))
    assert [hit.unused for hit in answer.hits] == [("99",)]
    assert answer.hits[0].row.category == "highway"
    assert answer.hits[0].confidence < 0.75


def test_ways_of_one_street_are_one_street_in_each_town(city: OsmMap):
    assert found(city, "Hauptstraße") == ["Hauptstraße, Neustadt", "Hauptstraße, Altdorf"]
    (hit,) = city.search(SearchQuery(text="Hauptstraße, Altdorf")).hits
    place = city.place_of(hit, SearchQuery(geometry="full"))
    assert place.bbox == pytest.approx((8.0, 50.101, 8.008, 50.1011), abs=2e-4)
    assert place.outline is not None
    assert place.outline.shape is not None
    assert place.outline.shape.length == pytest.approx(0.008)


def test_two_places_of_one_name_share_the_confidence(city: OsmMap):
    hits = city.search(SearchQuery(text="Café Central")).hits
    assert [round(hit.confidence, 2) for hit in hits] == [0.48, 0.48]
    (sure,) = city.search(SearchQuery(text="Café Central, Altdorf")).hits
    assert (sure.confidence, sure.match) == (0.97, Match.EXACT)


def test_a_typo_in_a_name_or_in_its_town_is_put_right(city: OsmMap):
    for query, wrong, right in (
        ("Lindnweg, Altdorf", "lindnweg", "Lindenweg"),
        ("Hauptstrsse, Altdorf", "hauptstrsse", "Hauptstraße"),
    ):
        (hit,) = city.search(SearchQuery(text=query)).hits
        place = city.place_of(hit, SearchQuery())
        assert (place.match, place.corrected_from, place.corrected_to) == (Match.CORRECTED, wrong, right)
    assert found(city, "Café Central, Altdrof") == ["Café Central, Hauptstraße, Altdorf"]


def test_two_edits_are_a_suggestion(city: OsmMap):
    answer = city.search(SearchQuery(text="Lndnweg, Altdorf"))
    assert answer.hits == ()
    answer = city.search(SearchQuery(text="Cfa Central, Altdorf"))
    assert answer.hits == ()
    assert [hit.row.name for hit in answer.suggestions] == ["Café Central"]


def test_a_part_of_a_name_will_do(city: OsmMap):
    (hit,) = city.search(SearchQuery(text="Löwenapotheke am Markt, Altdorf")).hits
    assert hit.match is Match.EXACT, "hyphens and spaces aside"
    (hit,) = city.search(SearchQuery(text="apotheke markt, Altdorf")).hits
    assert (hit.match, hit.row.name) == (Match.PREFIX, "Löwen-Apotheke am Markt")
    assert hit.confidence < 0.85


def test_an_unknown_word_finds_nothing(city: OsmMap):
    assert found(city, "Café Central, Berlin") == []
    assert found(city, "Altdorf an der Donau") == []


def test_filters_hold(city: OsmMap):
    around = BBox(7.9, 50.05, 8.1, 50.2)
    assert found(city, "Café Central", viewbox=around, bounded=True) == ["Café Central, Hauptstraße, Altdorf"]
    assert found(city, "Café Central", near=Point(50.1, 8.0))[0].endswith("Altdorf")
    assert found(city, "Café Central", viewbox=BBox(7.9, 49.9, 8.1, 50.05))[0].endswith("Neustadt")
    assert found(city, "Altdorf", layer=("poi",)) == []
    assert found(city, "Café Central", country_codes=("fr",)) == []


def test_a_query_in_parts_names_the_first(city: OsmMap):
    query = SearchQuery(structured=Structured(street="Hauptstraße 12", city="Altdorf"), language="local")
    assert [city.place_of(hit, query).display_name for hit in city.search(query).hits] == ["Hauptstraße 12, Altdorf"]
    query = SearchQuery(structured=Structured(amenity="Altdorf", city="Café Central"))
    assert city.search(query).hits == ()


def test_names_of_other_languages_are_found_and_given(city: OsmMap):
    (hit,) = city.search(SearchQuery(text="Altdorf-Ville")).hits
    assert hit.match is Match.ALTERNATE
    assert city.place_of(hit, SearchQuery(language="fr-CH")).name == "Altdorf-ville"
    assert city.place_of(hit, SearchQuery(language="pt")).name == "Altdorf"


@pytest.mark.parametrize(
    "query", ["cafes near Altdorf", "cafe in Altdorf", "coffee, cafes in Altdorf", "altdorf cafes"]
)
def test_objects_of_a_kind_are_found_near_a_place(city: OsmMap, query: str):
    answer = city.search(SearchQuery(text=query))
    if query.startswith("coffee"):
        assert answer.hits == (), "a word that is no place"
        return
    assert [hit.row.point.lat for hit in answer.hits if "in" in query or "altdorf " in query] in ([50.102], [])
    assert answer.hits[0].row.name == "Café Central"
    assert answer.hits[0].row.point.lat > 50.05
    assert (answer.kind, answer.hits[0].match) == (query.replace("altdorf ", "").split()[0], Match.NEAREST)


def test_objects_of_a_kind_near_a_point(city: OsmMap):
    answer = city.search(SearchQuery(text="pharmacies", near=Point(50.1, 8.0)))
    assert [round(hit.row.point.lat, 3) for hit in answer.hits] == [50.103, 50.003]
    assert city.search(SearchQuery(text="pharmacies")).hits == ()
    assert city.search(SearchQuery(text="drugstore in Neustadt")).hits[0].row.name == "Löwen-Apotheke am Markt"


@pytest.mark.parametrize(
    "query",
    ["Hauptstraße & Lindenweg, Altdorf", "Lindenweg / Hauptstr., Altdorf", "corner Hauptstrasse and Lindenweg Altdorf"],
)
def test_a_crossing_is_where_two_streets_meet(city: OsmMap, query: str):
    hits = city.search(SearchQuery(text=query)).hits
    assert [hit.row.type for hit in hits] == ["crossing"]
    assert hits[0].row.point == pytest.approx((50.101, 8.004))
    place = city.place_of(hits[0], SearchQuery(geometry="full"))
    assert " / " in place.name
    assert (place.osm_id, place.address["highway"]) == (None, place.name)


def test_streets_that_do_not_meet_have_no_crossing(make_map: MakeMap):
    nodes = [
        node(1, 50.0, 8.0, place="town", name="Neustadt"),
        node(2, 50.001, 8.0), node(3, 50.001, 8.01),
        node(4, 50.003, 8.0), node(5, 50.003, 8.01),
        node(6, 50.002, 8.012), node(7, 50.004, 8.012), node(8, 50.004, 8.002),
    ]  # fmt: skip
    ways = [
        way(1, 2, 3, highway="residential", name="Hauptstraße"),
        way(2, 4, 5, highway="residential", name="Parallelweg"),
        way(3, 6, 7, 8, highway="residential", name="Bogenweg"),
    ]
    osm = make_map(*nodes, *ways)
    for query in (
        "Hauptstraße & Parallelweg, Neustadt",
        "Parallelweg & Bogenweg, Neustadt",
        "Hauptstraße & Hauptstraße",
    ):
        assert [hit.row.type for hit in osm.search(SearchQuery(text=query)).hits if hit.row.type == "crossing"] == []
    assert found(osm, "Hauptstraße & Parallelweg, Atlantis") == []


def test_a_misspelt_street_with_a_number_is_put_right_though_its_name_is_known_elsewhere(make_map: MakeMap):
    osm = make_map(
        node(1, 50.0, 8.0, place="town", name="Neustadt"), node(2, 51.0, 8.0, place="town", name="Altdorf"),
        node(3, 50.0, 8.001, addr__housenumber="54", addr__street="Santa Marija"),
        node(4, 51.0, 8.001, addr__housenumber="1", addr__street="Santa Maria"),
    )  # fmt: skip
    (hit,) = osm.search(SearchQuery(text="santa maria 54 neustadt")).hits
    assert (hit.row.house, hit.match) == ("54", Match.CORRECTED)
    (hit,) = osm.search(SearchQuery(text="santa maria 1 altdorf")).hits
    assert (hit.row.house, hit.match) == ("1", Match.EXACT)


def test_a_town_of_addresses_is_an_area_of_that_name_in_another_language(make_map: MakeMap):
    corners = [
        node(10 + n, lat, lon) for n, (lat, lon) in enumerate(((49.9, 7.9), (49.9, 8.1), (50.1, 8.1), (50.1, 7.9)))
    ]
    area = way(1, 10, 11, 12, 13, 10, boundary="administrative", admin_level="8", name="Tas-Sliema", name__en="Sliema")
    osm = make_map(*corners, node(20, 50.0, 8.0, shop="books", name="Libro", addr__city="Sliema"), area)
    (hit,) = osm.search(SearchQuery(text="Sliema")).hits
    assert (hit.row.osm_type, hit.row.osm_id) == ("way", 1)


@pytest.mark.parametrize(
    "query", ["Hauptstr. 12 Whg. 3, Neustadt", "flat 2, Hauptstr 12, Neustadt", "Hauptstrasse 12, 2nd floor, Neustadt"]
)
def test_units_of_a_building_are_left(city: OsmMap, query: str):
    (hit,) = city.search(SearchQuery(text=query)).hits
    assert (hit.row.house, hit.match, len(hit.unused)) == ("12", Match.EXACT, 1)


def test_a_name_that_looks_like_a_unit_is_a_name(make_map: MakeMap):
    osm = make_map(node(1, 50.0, 8.0, amenity="bar", name="Top 5"), node(2, 50.0, 8.0, place="town", name="Neustadt"))
    (hit,) = osm.search(SearchQuery(text="Top 5, Neustadt")).hits
    assert (hit.row.name, hit.unused) == ("Top 5", ())


def test_a_misspelt_town_comes_before_names_that_hold_the_word(make_map: MakeMap):
    osm = make_map(node(1, 50.0, 8.0, place="town", name="Valletta"),
                   node(2, 50.0, 8.001, tourism="hotel", name="Hotel Valetta"))  # fmt: skip
    first, second = osm.search(SearchQuery(text="Valetta")).hits
    assert (first.row.name, first.match, first.right) == ("Valletta", Match.CORRECTED, "valletta")
    assert (second.row.name, second.match) == ("Hotel Valetta", Match.PREFIX)


@pytest.mark.parametrize(
    ("query", "unused"),
    [
        ("Café Central, Hauptstraße, Neustadt", ()),
        ("neustadt hauptstr cafe central", ()),
        ("Café Central, Hauptstraße 99, Altdorf", ("99",)),
    ],
)
def test_an_object_is_found_with_its_street(city: OsmMap, query: str, unused: tuple[str, ...]):
    (hit,) = city.search(SearchQuery(text=query)).hits
    assert (hit.row.name, hit.match, hit.unused) == ("Café Central", Match.EXACT, unused)


def test_an_object_of_another_street_is_not_meant(city: OsmMap):
    assert all(hit.row.type != "cafe" for hit in city.search(SearchQuery(text="Café Central, Bahnhofstraße")).hits)


def test_an_object_is_found_with_its_street_and_house_number(make_map: MakeMap):
    osm = make_map(
        node(1, 50.0, 8.0), node(2, 50.0, 8.01),
        node(3, 50.0001, 8.001, shop="books", name="Libri", addr__housenumber="5", addr__street="Quay"),
        node(4, 50.0001, 8.009, shop="books", name="Libri", addr__housenumber="9", addr__street="Quay"),
        way(1, 1, 2, highway="residential", name="Quay"),
    )  # fmt: skip
    first, *_ = osm.search(SearchQuery(text="Libri, Quay 9")).hits
    assert (first.row.house, first.unused) == ("9", ())


def test_a_postcode_lies_in_the_areas_of_the_extract(make_map: MakeMap):
    corners = [node(10 + n, lat, lon) for n, (lat, lon) in enumerate(((49, 7), (49, 9), (51, 9), (51, 7)))]
    ring = (10, 11, 12, 13, 10)
    osm = make_map(
        *corners, node(1, 50.0, 8.0, addr__housenumber="1", addr__street="Quay", addr__postcode="1100"),
        way(1, *ring, boundary="administrative", admin_level="2", name="Velmora", ISO3166_1="XV"),
        way(2, *ring, boundary="administrative", admin_level="4", name="Great Region"),
    )  # fmt: skip
    assert found(osm, "1100, Velmora") == ["1100, Great Region, Velmora"]


def test_a_misspelt_town_is_put_right_without_a_comma_and_behind_a_number(city: OsmMap):
    for query in ("Hauptstrasse Neustdat", "Hauptstrasse 12, Neustdat", "Hauptstrasse 12 Neustdat"):
        hits = city.search(SearchQuery(text=query)).hits
        assert [hit.match for hit in hits] == [Match.CORRECTED], query
        assert hits[0].right == "neustadt"


def test_what_is_at_the_point_comes_first(city: OsmMap):
    for lat, town in ((50.001, "Neustadt"), (50.101, "Altdorf")):
        first, second = city.search(SearchQuery(text="Café Central", near=Point(lat, 8.001))).hits
        assert town in city.place_of(first, SearchQuery(text="x", language="local")).display_name
        assert first.confidence > 0.9 > 0.1 > second.confidence


def test_a_kind_may_be_filtered_by_layer_and_box(city: OsmMap):
    in_town = SearchQuery(text="pharmacies in Neustadt", layer=("poi",))
    assert [hit.row.type for hit in city.search(in_town).hits] == ["pharmacy"]
    assert city.search(SearchQuery(text="pharmacies in Neustadt", layer=("railway",))).hits == ()
    boxed = SearchQuery(text="pharmacy", viewbox=BBox(7.9, 50.05, 8.1, 50.2), bounded=True)
    (hit,) = city.search(boxed).hits
    assert hit.row.point.lat == pytest.approx(50.103)


def test_a_kind_alone_beside_a_point_is_asked_for_plainly(make_map: MakeMap):
    osm = make_map(node(1, 50.0, 8.0, amenity="cafe", name="Cafe"), node(2, 50.1, 8.0, amenity="cafe", name="Central"))
    answer = osm.search(SearchQuery(text="cafe", near=Point(50.099, 8.0)))
    assert [hit.row.name for hit in answer.hits] == ["Central", "Cafe"]
    assert answer.plainly
    assert not osm.search(SearchQuery(text="cafe")).plainly


def test_a_church_of_a_saint_is_a_name(make_map: MakeMap):
    osm = make_map(
        node(1, 50.0, 8.0, place="town", name="Neustadt"), node(2, 50.0, 8.001), node(3, 50.0, 8.002),
        node(4, 50.0, 8.0, amenity="place_of_worship", name="Saint Roch"),
        way(1, 2, 3, highway="residential", name="Saint Jonas"),
    )  # fmt: skip
    hits = osm.search(SearchQuery(text="Church of Saint Jonas, Neustadt")).hits
    assert all(hit.match is not Match.NEAREST for hit in hits)


def test_in_a_country_the_most_important_of_a_kind_come_first(make_map: MakeMap):
    corners = [node(10 + n, lat, lon) for n, (lat, lon) in enumerate(((49, 7), (49, 9), (51, 9), (51, 7)))]
    osm = make_map(
        *corners, node(1, 50.0, 8.0, aeroway="aerodrome", name="Field"),
        node(2, 50.7, 8.7, aeroway="aerodrome", name="Main", wikipedia="en:Main"),
        way(1, 10, 11, 12, 13, 10, boundary="administrative", admin_level="2", name="Velmora"),
    )  # fmt: skip
    assert [hit.row.name for hit in osm.search(SearchQuery(text="airports in Velmora")).hits] == ["Main", "Field"]


ROAD = (node(1, 50.0, 8.0), node(2, 50.0, 8.004), node(3, 50.0, 8.008))


@pytest.mark.parametrize("street", ["Bastion Street", "Triq is-Sur", "bastion st"])
def test_a_house_is_found_by_every_name_of_its_street(make_map: MakeMap, street: str):
    osm = make_map(
        *ROAD,
        node(4, 50.0003, 8.003, addr__housenumber="190", addr__street="Triq Is-Sur"),
        way(1, 1, 2, highway="residential", name="Bastion Street", name__mt="Triq is-Sur"),
    )
    assert found(osm, f"{street} 190") == ["Bastion Street 190"]


def test_a_house_without_a_street_is_found_by_the_street_that_points_show(make_map: MakeMap):
    osm = make_map(
        *ROAD, node(4, 50.0003, 8.003, addr__housenumber="2"), way(1, 1, 2, highway="residential", name="Obergass")
    )
    assert found(osm, "Obergass 2") == ["Obergass 2"]
    assert found(osm, "Obergass 3") == ["Obergass"]


@pytest.mark.parametrize("number", ["4bis", "4 bis", "4BIS"])
def test_a_number_with_a_word_behind_it_is_found(make_map: MakeMap, number: str):
    osm = make_map(
        *ROAD, node(4, 50.0003, 8.003, addr__housenumber="4bis", addr__street="Rue de la Colle"),
        way(1, 1, 2, highway="residential", name="Rue de la Colle"),
    )  # fmt: skip
    assert found(osm, f"Rue de la Colle {number}") == ["Rue de la Colle 4bis"]


def test_a_house_belongs_to_the_street_of_its_other_name_rather_than_to_the_nearest(make_map: MakeMap):
    osm = make_map(
        *ROAD, node(5, 50.001, 8.0), node(6, 50.001, 8.004),
        node(4, 50.0009, 8.003, addr__housenumber="5", addr__street="Triq is-Sur"),
        way(1, 1, 2, highway="residential", name="Bastion Street", name__mt="Triq is-Sur"),
        way(2, 5, 6, highway="residential", name="Main Street"),
    )  # fmt: skip
    assert found(osm, "Bastion Street 5") == ["Bastion Street 5"]


def test_a_street_is_found_by_a_name_that_only_one_of_its_parts_has(make_map: MakeMap):
    osm = make_map(
        *ROAD,
        way(1, 1, 2, highway="residential", name="Bastion Street", name__mt="Triq is-Sur"),
        way(2, 2, 3, highway="residential", name="Bastion Street", name__it="Via Bastione"),
    )
    for name in ("Triq is-Sur", "Via Bastione"):
        assert found(osm, name) == ["Bastion Street"]


def test_a_correction_names_the_word_that_was_put_right(city: OsmMap):
    query = SearchQuery(text="Hauptstraße, Neustdat", language="local")
    place = city.place_of(city.search(query).hits[0], query)
    assert (place.name, place.corrected_from, place.corrected_to) == ("Hauptstraße", "neustdat", "neustadt")
    query = SearchQuery(text="Neustdat", language="local")
    place = city.place_of(city.search(query).hits[0], query)
    assert (place.name, place.corrected_to) == ("Neustadt", "Neustadt")


def test_an_airport_with_flights_comes_before_a_field(make_map: MakeMap):
    corners = [node(10 + n, lat, lon) for n, (lat, lon) in enumerate(((49, 7), (49, 9), (51, 9), (51, 7)))]
    osm = make_map(
        *corners, node(1, 50.0, 8.0, aeroway="aerodrome", name="Field", wikidata="Q1"),
        node(2, 50.7, 8.7, aeroway="aerodrome", name="Main", wikidata="Q2", iata="XVM"),
        way(1, 10, 11, 12, 13, 10, boundary="administrative", admin_level="2", name="Velmora"),
    )  # fmt: skip
    assert [hit.row.name for hit in osm.search(SearchQuery(text="airports in Velmora")).hits] == ["Main", "Field"]
