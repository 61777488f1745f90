"""The full atlas: places found, their positions and their order."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bearings.places import geometry
from bearings.places.atlas.answers import Atlas
from bearings.places.atlas.index import Index
from bearings.places.models import BBox, Match, Point, SearchQuery, Structured
from builder import wellknown


@pytest.fixture(scope="session")
def atlas(full_atlas: Path) -> Iterator[Atlas]:
    index = Index(full_atlas)
    yield Atlas(index)
    index.close()


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ("Springfield, Illinois", "US-IL"),
        ("Cambridge, MA", "US-MA"),
        ("Cambridge UK", "GB-ENG"),
        ("Cambridge", "GB-ENG"),
        ("Paris", "FR-IDF"),
        ("Paris, Texas", "US-TX"),
        ("Paris Texas", "US-TX"),
        ("Paris, France", "FR-IDF"),
        ("France, Paris", "FR-IDF"),
        ("Boulder, CO, USA", "US-CO"),
        ("Boulder CO", "US-CO"),
        ("東京", "JP-13"),
        ("日本東京", "JP-13"),
        ("Москва", "RU-MOW"),
        ("Île-de-France", "FR-IDF"),
        ("Ile de France", "FR-IDF"),
        ("Deutschland", "de"),
        ("Allemagne", "de"),
        ("ドイツ", "de"),
        ("Россия", "ru"),
        ("Fiji", "fj"),
        ("Köln", "DE-NW"),
        ("Cologne", "DE-NW"),
        ("Koeln", "DE-NW"),
        ("Muenchen", "DE-BY"),
        ("Munchen", "DE-BY"),
        ("Bavaria", "DE-BY"),
        ("NYC", "US-NY"),
        ("New York", "US-NY"),
        ("Washington DC", "US-DC"),
        ("Washington D.C.", "US-DC"),
        ("San Fransisco", "US-CA"),
        ("Garmisch", "DE-BY"),
        ("St Louis", "US-MO"),
        ("Saint Louis, MO", "US-MO"),
        ("Georgia", "ge"),
        ("Georgia USA", "US-GA"),
        ("Luxembourg", "lu"),
        ("UK", "gb"),
        ("U.S.A.", "us"),
        ("UAE", "ae"),
        ("The Hague", "NL-ZH"),
        ("Victoria BC", "CA-BC"),
        ("London, Ontario, Canada", "CA-ON"),
        ("London Ontario", "CA-ON"),
        ("Vancouver, Washington", "US-WA"),
        ("Birmingham, Alabama", "US-AL"),
        ("Perth, Scotland", "GB-SCT"),
        ("Orange County, California", "US-CA"),
        ("Boulder County", "US-CO"),
        ("Kyiv", "UA-30"),
        ("Côte d'Ivoire", "ci"),
        ("Ivory Coast", "ci"),
        ("Trinidad & Tobago", "tt"),
        ("القاهرة", "EG-C"),
        ("서울", "KR-11"),
        ("Wrocław", "PL-02"),
        ("Wroclaw", "PL-02"),
        ("Zürich, Switzerland", "CH-ZH"),
        ("San Jose, Costa Rica", "CR-SJ"),
        ("Melbourne, VIC", "AU-VIC"),
        ("Ouagadougou", "BF-03"),
        ("Korea", "kr"),
        ("North Korea", "kp"),
        ("Holland", "nl"),
        ("Holland, Michigan", "US-MI"),
        ("America", "us"),
        ("Bali", "ID-BA"),
        ("Orkney", "GB-SCT"),
        ("Cornwall", "GB-ENG"),
        ("Cornwall, Ontario", "CA-ON"),
        ("Victoria", "AU-VIC"),
        ("Socotra", "YE-SU"),
        ("LA", "US-CA"),
        ("Laos", "la"),
    ],
)
def test_a_name_is_found_where_it_is(atlas: Atlas, query: str, where: str):
    place = atlas.search(SearchQuery(text=query, limit=1)).places[0]
    known = {place.address["country_code"], place.address.get("ISO3166-2-lvl4")}
    assert where in known, place.display_name


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("Londno", "London"),
        ("Pariss", "Paris"),
        ("Berlni", "Berlin"),
        ("Barcelna", "Barcelona"),
        ("Brusels", "Brussels"),
    ],
)
def test_a_misspelt_city_is_found_where_what_else_is_as_near_is_a_village(atlas: Atlas, query: str, name: str):
    place = atlas.search(SearchQuery(text=query)).places[0]
    assert (place.name, place.match) == (name, Match.CORRECTED)
    assert (place.confidence or 0.0) < 0.9


@pytest.mark.parametrize("query", ["Salemo", "Jinnin"])
def test_a_misspelt_city_is_suggested_where_others_are_as_likely(atlas: Atlas, query: str):
    found = atlas.search(SearchQuery(text=query))
    assert not found.places
    assert found.suggestions


def test_suggestions_that_read_alike_are_told_once(atlas: Atlas):
    said = [place.display_name for place in atlas.search(SearchQuery(text="Salburg")).suggestions]
    assert len(said) == len(set(said)) > 1


@pytest.mark.parametrize(
    ("query", "name", "type_"),
    [
        ("Java", "Java", "island"), ("Sumatra", "Sumatra", "island"),
        ("Celebes", "Sulawesi", "island"), ("Kalimantan", "Borneo", "island"), ("Patagonia", "Patagonia", "region"),
        ("Siberia", "Siberia", "region"), ("Alps", "Alps", "mountain_range"), ("Sahara", "Sahara", "desert"),
        ("Mount Everest", "Mount Everest", "peak"), ("Lake Tahoe", "Lake Tahoe", "lake"),
        ("Grand Canyon", "Grand Canyon", "gorge"), ("Danube", "Danube", "river"), ("Donau", "Danube", "river"),
        ("Baltic Sea", "Baltic Sea", "sea"), ("Gulf of Mexico", "Gulf of Mexico", "gulf"),
        ("Yellowstone National Park", "Yellowstone National Park", "national_park"), ("Europe", "Europe", "continent"),
        ("Southeast Asia", "Southeast Asia", "region"), ("Heathrow Airport", "London Heathrow Airport", "aerodrome"),
        ("JFK", "John F Kennedy International Airport", "aerodrome"),
        ("Yorkshire", "Yorkshire", "region"), ("Cotswolds", "Cotswolds", "region"), ("Kent", "Kent", "county"),
        ("Bay Area", "San Francisco Bay Area", "region"), ("Bengal", "Bengal", "historic_region"),
        ("Basse-Normandie", "Basse-Normandie", "historic_region"), ("Balkans", "Balkans", "region"),
        ("Sahel", "Sahel", "plain"), ("Alaska", "Alaska", "state"), ("Kilimanjaro", "Mount Kilimanjaro", "peak"),
        ("Serengeti", "Serengeti National Park", "national_park"), ("Mersea Island", "Mersea Island", "island"),
        ("Berlin airport", "Berlin Brandenburg Airport", "aerodrome"), ("Milano", "Milan", "city"),
        ("Logan Airport", "General Edward Lawrence Logan International Airport", "aerodrome"),
        ("CN-HK", "Hong Kong", "country"), ("NL-CW", "Curacao", "country"),
        ("Pando, Bolivia, Plurinational State of", "Pando", "state"),
        ("Columbia, Missouri, United States", "Columbia", "city"),
        ("Congo, Dem. Rep.", "Democratic Republic of the Congo", "country"), ("Korea, Rep.", "South Korea", "country"),
    ],
)  # fmt: skip
def test_natural_features_and_other_places_are_found(atlas: Atlas, query: str, name: str, type_: str):
    place = atlas.search(SearchQuery(text=query, limit=1)).places[0]
    assert (place.name, place.type) == (name, type_)
    assert place.address.get("country_code", "").islower() or "country_code" not in place.address


def test_the_box_of_an_island_is_exact_and_holds_its_cities(atlas: Atlas):
    java = atlas.search(SearchQuery(text="Java", limit=1)).places[0]
    assert java.bbox_kind == "exact"
    for name in ("Jakarta", "Surabaya", "Yogyakarta, Indonesia"):
        assert geometry.contains(java.bbox, atlas.search(SearchQuery(text=name, limit=1)).places[0].point)
    assert geometry.width(java.bbox) < 13
    assert "Java" not in {area.name for area in atlas.levels(Point(-7.25, 112.75), "en")[0]}


@pytest.mark.parametrize(("island", "town"), [("Lesbos", "Mytilene"), ("Victoria Island", "Cambridge Bay, Canada")])
def test_an_island_that_natural_earth_has_a_remnant_of_is_whole(atlas: Atlas, island: str, town: str):
    found = atlas.search(SearchQuery(text=island, limit=1)).places[0]
    assert (found.type, found.bbox_kind) == ("island", "exact")
    assert geometry.contains(found.bbox, atlas.search(SearchQuery(text=town, limit=1)).places[0].point)


@pytest.mark.slow
def test_every_code_of_the_well_known_is_one_of_the_atlas(atlas: Atlas):
    known = {code for (code,) in atlas.index.query("SELECT code FROM place WHERE code IS NOT NULL")}
    named = {*wellknown.NAMES, *wellknown.IMPORTANCE}
    assert named <= known


@pytest.mark.parametrize(
    "query",
    [
        "221B Baker Street", "asdfghjkl", "qwertyuiop", "Main Street", "90210", "SW1A 2AA", "London, France",
        "xyzzy plugh", "Nowhereville", "Foulness Island", "South Pole", "NONE", "N/A", "New York; London; Tokyo",
    ],
)  # fmt: skip
def test_a_query_that_names_no_place_stays_empty(atlas: Atlas, query: str):
    assert atlas.search(SearchQuery(text=query)).places == ()


@pytest.mark.parametrize(
    ("country", "box"),
    [
        ("Fiji", BBox(174.59, -21.71, -178.22, -12.48)),
        ("Russia", BBox(19.61, 41.19, -168.99, 81.86)),
        ("United States", BBox(172.46, 18.92, -66.98, 71.41)),
        ("Antarctica", BBox(-180, -90, 180, -60.52)),
        ("France", BBox(-5.14, 41.37, 9.56, 51.09)),
    ],
)
def test_a_country_s_box_is_exact_and_spans_the_smallest_arc(atlas: Atlas, country: str, box: BBox):
    place = atlas.search(SearchQuery(text=country, limit=1)).places[0]
    assert place.bbox_kind == "exact"
    assert place.bbox == pytest.approx(box, abs=0.01)


@pytest.mark.parametrize(
    ("lat", "lon", "names"),
    [
        (51.5034, -0.1276, ["United Kingdom", "England", "London"]),
        (40.0150, -105.2705, ["United States", "Colorado", "Boulder"]),
        (-18.14, 178.44, ["Fiji", "Central", "Suva"]),
        (48.8584, 2.2945, ["France", "Île-de-France", "Paris"]),
        (4.93, -52.33, ["French Guiana", "Guyane", "Cayenne"]),
        (66.0, -172.0, ["Russia", "Chukotskiy avtonomnyy okrug", "Chukotsky District"]),
        (0.0, -30.0, ["South Atlantic Ocean"] * 3),
        (-80.0, 0.0, ["Antarctica", "Antarctica", "Antarctica"]),
    ],
)
def test_a_point_is_in_its_country_region_and_settlement(atlas: Atlas, lat: float, lon: float, names: list[str | None]):
    found = [atlas.reverse(Point(lat, lon), zoom, "en") for zoom in (3, 5, 10)]
    assert [place and place.name for place in found] == names


def test_a_town_far_off_is_the_nearest_place_but_governs_nothing(atlas: Atlas):
    desert, town = Point(-23.97, 133.88), Point(-23.70, 133.88)
    assert atlas.reverse(desert, 18, "en").name == "Hugh"  # of the same county, whereas Alice Springs is nearer
    assert [area.level for area in atlas.levels(desert, "en")[0]] == ["country", "state", "county"]
    assert "Alice Springs" in {area.name for area in atlas.levels(town, "en")[0]}


def test_countries_are_named_in_the_language_asked_for(atlas: Atlas):
    query = SearchQuery(text="Germany", limit=1, language="ja")
    assert atlas.search(query).places[0].name == "ドイツ"
    assert atlas.search(SearchQuery(text="Tokyo", limit=1, language="local")).places[0].address["country"] == "日本"


@pytest.mark.slow
def test_every_box_has_an_area_and_holds_its_point_and_every_area_a_country(atlas: Atlas):
    index = atlas.index
    (faulty,) = index.query("SELECT count(*) FROM place WHERE north <= south OR west = east")
    assert faulty == (0,)
    governed = "layer IN ('region', 'county', 'settlement')"
    (orphans,) = index.query(
        f"SELECT count(*) FROM place WHERE {governed} AND (parent IS NULL OR country_code IS NULL)"
    )
    assert orphans == (0,)
    sample = index.rows(range(1, 5000)).values()
    assert [row.name for row in sample if row.place_rank > 4 and not geometry.contains(row.bbox, row.point)] == []


@pytest.mark.parametrize(
    ("query", "type_"),
    [("New York", "city"), ("Tokyo", "city"), ("Georgia", "country"), ("Luxembourg", "country"), ("Mexico", "country")],
)
def test_the_larger_of_two_of_the_same_name_comes_first(atlas: Atlas, query: str, type_: str):
    assert atlas.search(SearchQuery(text=query, limit=1)).places[0].type == type_


def test_a_region_without_a_code_tells_that_of_the_province_around_it(atlas: Atlas):
    place = atlas.reverse(Point(-18.75, 47.35), 18, "en")
    address = place.address if place else {}
    assert (address["state"], address["ISO3166-2-lvl4"], address["country_code"]) == ("Analamanga", "MG-T", "mg")


_ADDRESSES = [
    ("10 Downing Street, London", "London", ("10 Downing Street",)),
    ("234 Barnum Road, Devens, MA 01433", "Devens", ("234 Barnum Road", "01433")),
    ("51 Bourke Rd Alexandria Sydney", "Alexandria", ("51 Bourke Rd",)),
    ("hauptstraße 24 eibelstadt", "Eibelstadt", ("hauptstraße 24",)),
    ("81929 DE München Landshamer Straße 33", "Munich", ("81929", "Landshamer Straße 33")),
    ("łąkowa 2 koszalin", "Koszalin", ("łąkowa 2",)),
    ("700 BROADWAY NEW YORK, N.Y.", "New York City", ("700 BROADWAY",)),
    ("г. Череповец, ул. Ленина, д. 5", "Cherepovets", ("г.", "ул. Ленина д. 5")),
    ("茨城県取手市井野台", "Toride", ("井野台",)),
    ("上海市山西路", "Shanghai", ("山西路",)),
    ("경기도 수원시 영통구", "Suwon", ("영통구",)),
    ("Texas Austin 78701 USA", "Austin", ("78701",)),
    ("Beth Israel Medical Center, Boston, USA", "Boston", ("Beth Israel Medical Center",)),
    ("hotels in Paris", "Paris", ("hotels in",)),
]


@pytest.mark.parametrize(("query", "town", "unused"), _ADDRESSES, ids=[query for query, _, _ in _ADDRESSES])
def test_an_address_gives_its_town_and_names_what_is_not_used(
    atlas: Atlas, query: str, town: str, unused: tuple[str, ...]
):
    answer = atlas.search(SearchQuery(text=query, limit=1))
    assert (answer.places[0].name, answer.unused) == (town, unused)
    assert (answer.places[0].confidence or 0) < 0.8


_AS_WRITTEN = [
    ("10115 Berlin", "Berlin, Germany", ("10115",)),
    ("Beverly Hills, CA 90210", "Beverly Hills, Los Angeles County, California, United States", ("90210",)),
    ("75008 Paris Cedex 08", "Paris, Île-de-France, France", ("Cedex 08", "75008")),
    ("Wuppertal (remote option)", "Wuppertal, Düsseldorf District, Nordrhein-Westfalen, Germany", ("remote option",)),
    ("Oregon / unknown", "Oregon, United States", ("unknown",)),
    ("M&uuml;nchen", "Munich, Upper Bavaria, Bayern, Germany", ()),
    ("New%20York", "New York City, New York, United States", ()),
    ("Midi PyrÃ©nÃ©es Airport", None, ()),
    ("Seattle area", "Seattle, King County, Washington, United States", ("area",)),
    ("Greater Oslo Region", "Oslo, Norway", ("Greater", "Region")),
    ("northern Italy", "Italy", ("northern",)),
    ("Bengaluru/Bangalore", "Bengaluru, Bangalore Urban, Karnātaka, India", ()),
    ("RU", "Russia", ()),
    ("CAN", "Canada", ()),
    ("LA", "Los Angeles, California, United States", ()),
    ("Ky.", "Kentucky, United States", ()),
    ("Hartford, Conn.", "Hartford, Capitol Planning Region, Connecticut, United States", ()),
    ("AMENIA, N. Y.", "Amenia, Dutchess County, New York, United States", ()),
    ("Persia", "Iran", ()),
    ("Brno, Czechoslovakia", "Brno, Brno-město, Jihomoravský kraj, Czechia", ()),
    ("Puerto Rico, USA", "Puerto Rico", ()),
    ("Kowloon, Hong Kong, China", "Kowloon, Hong Kong", ()),
    ("Flughafen München", "Munich International Airport, Bayern, Germany", ()),
    ("ES-XX", None, ()),
]


@pytest.mark.parametrize(("query", "place", "unused"), _AS_WRITTEN, ids=[query for query, _, _ in _AS_WRITTEN])
def test_a_query_is_read_as_people_write_it(atlas: Atlas, query: str, place: str | None, unused: tuple[str, ...]):
    answer = atlas.search(SearchQuery(text=query, limit=1))
    assert (answer.places[0].display_name if answer.places else None, answer.unused) == (place, unused)


_BY_LEVEL = [
    ({"country": "ru"}, "Russia", ()),
    ({"state": "Georgia", "country": "us"}, "Georgia, United States", ()),
    ({"state": "NSW"}, "New South Wales, Australia", ()),
    ({"county": "Cook"}, "Cook County, Illinois, United States", ()),
    ({"state": "Paris"}, "Paris, Île-de-France, France", ("state",)),
    ({"city": "Berlin", "postalcode": "10115"}, "Berlin, Germany", ("10115",)),
]


@pytest.mark.parametrize(("levels", "place", "unused"), _BY_LEVEL)
def test_a_structured_query_asks_for_its_level(
    atlas: Atlas, levels: dict[str, str], place: str, unused: tuple[str, ...]
):
    answer = atlas.search(SearchQuery(structured=Structured(**levels), limit=1))
    assert (answer.places[0].display_name, answer.unused) == (place, unused)


@pytest.mark.parametrize(
    ("lat", "lon", "country_code", "name"),
    [
        (27.50641, -99.50754, "us", "Laredo"),
        (42.96562, 129.84199, "cn", "Tumen"),
        (42.07892, -8.48076, "pt", "Monção"),
        (-26.255, -53.63972, "br", "Dionísio Cerqueira"),
        (31.7619, -106.485, "us", "El Paso"),
        (31.73, -106.485, "mx", "Ciudad Juárez"),
        (51.44, 4.93, "be", "Baarle-Hertog"),
        (22.19, 113.54, "mo", "Macau"),  # GeoNames has four parishes of Macau in Zhuhai
        (22.2017, 113.5278, "cn", "Zhuhai"),  # across the harbour
        (22.149, 113.558, "mo", "Taipa"),
    ],
)
def test_a_town_at_a_border_is_in_its_own_country(atlas: Atlas, lat: float, lon: float, country_code: str, name: str):
    place = atlas.reverse(Point(lat, lon), 12, "en")
    assert place is not None
    assert (place.address["country_code"], place.name) == (country_code, name)


@pytest.mark.parametrize(
    ("lat", "lon", "name", "match"),
    [
        (51.81126, 5.79792, "Nijmegen", Match.WITHIN),  # nearer to Malden, of another municipality
        (69.6833, 18.95, "Tromsø", Match.WITHIN),
        (-23.4, -46.6, "São Paulo", Match.WITHIN),
        (52.52, 13.405, "Berlin", Match.COORDINATE),
        (50.3364087, 8.3754539, "Neu-Anspach", Match.NEAREST),  # a Regierungsbezirk is no municipality
    ],
)
def test_the_outline_of_a_municipality_decides_its_town(atlas: Atlas, lat: float, lon: float, name: str, match: Match):
    place = atlas.reverse(Point(lat, lon), 12, "en")
    assert place is not None
    assert (place.name, place.match) == (name, match)


@pytest.mark.parametrize(
    ("query", "box"),
    [
        ("Aleutian Islands", BBox(172.46, 51.22, -163.06, 55.06)),
        ("Taveuni", BBox(179.89, -17.01, -179.83, -16.69)),
        ("Tuvalu", BBox(176.13, -10.79, 179.91, -5.68)),
        ("Kiribati", BBox(169.52, -11.46, -150.19, 4.72)),
        ("Chatham Islands", BBox(-176.88, -44.35, -176.16, -43.69)),
    ],
)
def test_the_box_of_islands_holds_all_of_them(atlas: Atlas, query: str, box: BBox):
    place = atlas.search(SearchQuery(text=query, limit=1)).places[0]
    assert place.bbox == pytest.approx(box, abs=0.01)


@pytest.mark.parametrize(("lat", "lon"), [(-60.0, 180.0), (75.0, 180.0), (-60.0, -180.0)])
def test_a_point_at_180_degrees_is_at_sea(atlas: Atlas, lat: float, lon: float):
    place = atlas.reverse(Point(lat, lon), 18, "en")
    assert place is not None
    assert place.type == "ocean"


def test_an_island_of_few_people_is_no_ocean(atlas: Atlas):
    place = atlas.reverse(Point(-31.55, 159.08), 18, "en")
    assert place is not None
    assert place.address["country_code"] == "au"


@pytest.mark.parametrize(
    ("code", "lat", "lon"), [("BRU", 50.9014, 4.4844), ("LUX", 49.6233, 6.2044), ("LGG", 50.637, 5.443)]
)
def test_belgium_s_airports_are_where_they_are(atlas: Atlas, code: str, lat: float, lon: float):
    place = atlas.search(SearchQuery(text=f"{code} airport", limit=1)).places[0]
    assert place.point == pytest.approx(Point(lat, lon), abs=0.01)
