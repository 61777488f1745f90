"""The committed data of the atlas: complete, valid, and with famous places at their positions."""

import os
import subprocess
import sys
import zoneinfo
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
import shapely

from bearings.places import geometry
from bearings.places.models import BBox, Point
from builder import codec, committed, continents
from builder.feature import Feature, Layer

DATA = Path(__file__).parents[3] / "packaging" / "atlas" / "data"

LEAST = {
    "airports": 850, "continents": 6, "countries": 245, "disputed": 70, "islands": 540, "lakes": 1_900, "parks": 350,
    "physical": 1_300, "ports": 1_050, "regions": 3_650, "rivers": 2_800, "seas": 280, "time_zones": 400,
}  # fmt: skip

MOST_BYTES = 12_000_000

WITHOUT_REGIONS = frozenset(
    "AI AQ AS AW AX BL BM BQ BV CC CK CW CX EH FK FO GF GG GI GP GS GU HK HM IM IO JE KI KY MF MO MP MQ MS NC NF NU PF "
    "PM PN PR RE SH SJ SX TC TF TK UM VA VG VI WF YT".split()
)  # fmt: skip
"""Territories and city states for which no source has first-level polygons; most have no such level."""


@cache
def contents(name: str) -> codec.Contents:
    return codec.read(DATA / f"{name}.xz")


def features(name: str) -> Sequence[Feature]:
    return contents(name).features


@cache
def named(layer: str) -> dict[str, tuple[Feature, ...]]:
    found: dict[str, list[Feature]] = {}
    for feature in features(layer):
        for name in {feature.name, *(other.text for other in feature.names)}:
            found.setdefault(name, []).append(feature)
    return {name: tuple(places) for name, places in found.items()}


def test_all_together_it_is_small():
    assert sum(path.stat().st_size for path in DATA.glob("*.xz")) <= MOST_BYTES


def test_the_files_are_those_that_are_known():
    assert {path.stem for path in DATA.glob("*.xz")} == set(LEAST)


@pytest.mark.parametrize(("layer", "least"), LEAST.items())
def test_a_layer_has_its_features(layer: str, least: int):
    found = features(layer)
    assert len(found) >= least
    assert len({feature.key for feature in found}) == len(found)
    assert all(feature.name == feature.name.strip() and feature.name for feature in found)


@pytest.mark.parametrize("layer", LEAST)
def test_a_layer_says_where_it_is_from(layer: str):
    header = contents(layer).header
    assert "" not in {header.source, header.version, header.licence}


@pytest.mark.parametrize("layer", LEAST)
def test_shapes_are_valid_and_on_the_globe(layer: str):
    shapes = [feature.shape for feature in features(layer) if feature.shape is not None]
    assert shapely.is_valid(shapes).all()
    assert not shapely.is_empty(shapes).any()
    if shapes:
        west, south, east, north = shapely.total_bounds(shapes)
        assert (west, south, east, north) == pytest.approx((0, 0, 0, 0), abs=180)
        assert min(south, -north) >= -90


@pytest.mark.parametrize("layer", LEAST)
def test_boxes_hold_the_points(layer: str):
    wrong = [feature.name for feature in features(layer) if not near(feature, feature.point, 0.01)]
    assert wrong == []
    assert all(feature.fame is not None and 0 <= feature.fame <= 1 for feature in features(layer))


def near(feature: Feature, point: Point, degrees: float) -> bool:
    """Whether the point lies in the feature's box, or within that distance of it."""
    box = feature.bbox
    wide = [BBox(part.west - degrees, part.south - degrees, part.east + degrees, part.north + degrees)
            for part in geometry.split(box)]  # fmt: skip
    return any(part.west <= point.lon <= part.east and part.south <= point.lat <= part.north for part in wide)


def test_every_country_has_regions_or_is_known_to_have_none():
    with_regions = {region.country_code for region in features("regions")}
    without = {country.code for country in features("countries")} - with_regions
    assert without - WITHOUT_REGIONS == set()


def test_most_regions_have_a_code():
    found = features("regions")
    assert len([region for region in found if region.code]) >= 0.93 * len(found)
    assert len({region.country_code for region in found if region.code}) >= 190


@pytest.mark.parametrize(
    ("code", "box"),
    [
        ("US-CA", (-124.41, 32.53, -114.13, 42.01)),
        ("US-TX", (-106.65, 25.84, -93.51, 36.50)),
        ("US-FL", (-87.63, 24.52, -80.03, 31.00)),
        ("US-CO", (-109.06, 36.99, -102.04, 41.00)),
        ("US-WY", (-111.06, 40.99, -104.05, 45.01)),
        ("US-MI", (-90.42, 41.70, -82.41, 48.19)),
        ("US-NY", (-79.76, 40.50, -71.86, 45.02)),
        ("US-HI", (-160.25, 18.91, -154.81, 22.24)),
        ("US-RI", (-71.86, 41.15, -71.12, 42.02)),
        ("US-ME", (-71.08, 43.06, -66.95, 47.46)),
        ("DE-BY", (8.98, 47.27, 13.84, 50.56)),
        ("IT-25", (8.50, 44.68, 11.43, 46.64)),
        ("CA-QC", (-79.76, 44.99, -57.11, 62.58)),
        ("AU-VIC", (140.96, -39.16, 149.98, -33.98)),
        ("AR-B", (-63.39, -41.04, -56.66, -33.26)),
        ("BR-SP", (-53.11, -25.31, -44.16, -19.78)),
        ("GB-ENG", (-6.42, 49.86, 1.77, 55.81)),
        ("ES-AN", (-7.52, 35.94, -1.63, 38.73)),
        ("ZA-WC", (17.76, -34.83, 24.22, -30.43)),
        ("CN-SC", (97.35, 26.05, 108.54, 34.31)),
        ("CN-NX", (104.28, 35.24, 107.65, 39.38)),
        ("CN-GZ", (103.60, 24.62, 109.59, 29.22)),
        ("MG-T", (45.47, -20.28, 48.04, -17.71)),
    ],
)
def test_a_region_is_where_it_is(code: str, box: tuple[float, float, float, float]):
    (region,) = (region for region in features("regions") if region.code == code)
    own, true = shapely.box(*region.bbox), shapely.box(*box)
    assert own.intersection(true).area / own.union(true).area >= 0.93


@pytest.mark.parametrize(
    ("lat", "lon", "code"),
    [
        (50.85, 4.35, "BE-BRU"),
        (51.05, 3.72, "BE-VLG"),
        (50.45, 30.52, "UA-30"),
        (47.5, 19.05, "HU-BU"),
        (55.75, 37.62, "RU-MOW"),
        (45.46, 9.19, "IT-25"),
        (41.15, 24.14, "GR-A"),
        (53.35, -6.26, "IE-D"),
        (35.69, 139.69, "JP-13"),
        (38.9, -77.04, "US-DC"),
        (59.94, 30.31, "RU-SPE"),
        (36.0, 106.24, "CN-NX"),
        (41.14, -104.82, "US-WY"),
    ],
)
def test_a_town_is_in_its_region_alone(lat: float, lon: float, code: str):
    shapes = {region.code: region.shape for region in features("regions")}
    assert [own for own, shape in shapes.items() if shape and shapely.intersects_xy(shape, lon, lat)] == [code]


def test_regions_of_a_country_do_not_overlap():
    german = [region for region in features("regions") if region.country_code == "DE"]
    shapes = [region.shape for region in german if region.shape is not None]
    assert sum(shape.area for shape in shapes) == pytest.approx(shapely.union_all(shapes).area, rel=1e-3)


def test_madagascars_regions_lie_in_the_provinces_that_have_codes():
    (own,) = [region for region in features("regions") if region.name == "Analamanga"]
    assert (own.code, own.inside) == (None, ("iso:MG-T",))


@pytest.mark.parametrize(
    ("code", "box"),
    [
        ("AD", (1.41, 42.43, 1.79, 42.66)),
        ("LU", (5.74, 49.45, 6.53, 50.18)),
        ("BB", (-59.65, 13.04, -59.42, 13.34)),
        ("MT", (14.18, 35.80, 14.58, 36.08)),
        ("GB", (-8.65, 49.86, 1.77, 60.86)),
        ("VE", (-73.35, 0.65, -59.80, 12.20)),
        ("EG", (24.70, 22.00, 36.90, 31.67)),
        ("JO", (34.96, 29.18, 39.30, 33.37)),
        ("NZ", (165.87, -52.62, -176.17, -29.23)),
    ],
)
def test_a_country_is_where_it_is(code: str, box: tuple[float, float, float, float]):
    (country,) = (country for country in features("countries") if country.code == code)
    west, south, east, north = box
    own = shapely.box(*country.bbox._replace(east=country.bbox.east % 360) if west > east else country.bbox)
    true = shapely.box(west, south, east % 360 if west > east else east, north)
    assert own.intersection(true).area / own.union(true).area >= 0.95


@pytest.mark.parametrize(
    ("lat", "lon", "code"),
    [
        (47.697, 8.690, "DE"),
        (45.969, 8.972, "IT"),
        (42.464, 1.981, "ES"),
        (47.141, 9.521, "LI"),
        (35.889, -5.32, "ES"),
        (54.7, 20.5, "RU"),
        (39.21, 45.41, "AZ"),
        (-9.2, 124.36, "TL"),
    ],
    ids="Büsingen Campione Llívia Vaduz Ceuta Kaliningrad Nakhchivan Oecusse".split(),
)
def test_an_enclave_is_in_its_country_alone(lat: float, lon: float, code: str):
    shapes = {country.code: country.shape for country in features("countries")}
    assert [own for own, shape in shapes.items() if shape and shapely.intersects_xy(shape, lon, lat)] == [code]


def test_france_is_without_its_overseas_departments():
    france = next(country for country in features("countries") if country.code == "FR")
    assert near(france, Point(42.15, 9.1), 0)
    assert not near(france, Point(4.0, -53.0), 0)
    assert {"GF", "GP", "MQ", "RE", "YT"} <= {country.code for country in features("countries")}


FAMOUS = [
    ("physical", "Mount Everest", "peak", 27.99, 86.93),
    ("physical", "Everest", "peak", 27.99, 86.93),
    ("physical", "K2", "peak", 35.88, 76.51),
    ("physical", "Mount Kilimanjaro", "peak", -3.07, 37.35),
    ("physical", "Kilimanjaro", "peak", -3.07, 37.35),
    ("physical", "Mont Blanc", "peak", 45.83, 6.86),
    ("physical", "Matterhorn", "peak", 45.98, 7.66),
    ("physical", "Mount Fuji", "peak", 35.36, 138.73),
    ("physical", "Denali", "peak", 63.07, -151.0),
    ("physical", "Aconcagua", "peak", -32.65, -70.01),
    ("physical", "Mount Elbrus", "peak", 43.35, 42.44),
    ("physical", "Uluru", "peak", -25.34, 131.03),
    ("physical", "Ben Nevis", "peak", 56.8, -5.0),
    ("physical", "Alps", "mountain_range", 46.5, 9.0),
    ("physical", "Caucasus", "mountain_range", 43.3, 42.5),
    ("physical", "Andes", "mountain_range", -20.0, -68.0),
    ("physical", "Himalayas", "mountain_range", 28.5, 84.0),
    ("physical", "Rocky Mountains", "mountain_range", 44.0, -110.0),
    ("physical", "Pyrenees", "mountain_range", 42.6, 0.5),
    ("physical", "Ural Mountains", "mountain_range", 60.0, 59.5),
    ("physical", "Urals", "mountain_range", 60.0, 59.5),
    ("physical", "Apennines", "mountain_range", 43.5, 12.5),
    ("physical", "Sahara", "desert", 23.0, 10.0),
    ("physical", "Sahara Desert", "desert", 23.0, 10.0),
    ("physical", "Gobi Desert", "desert", 43.0, 105.0),
    ("physical", "Kalahari", "desert", -23.0, 22.0),
    ("physical", "Atacama Desert", "desert", -24.0, -69.3),
    ("physical", "Mojave Desert", "desert", 35.0, -116.0),
    ("physical", "Grand Canyon", "gorge", 36.1, -113.3),
    ("physical", "Tibetan Plateau", "plateau", 33.0, 88.0),
    ("physical", "Siberia", "region", 62.0, 105.0),
    ("physical", "Patagonia", "region", -45.0, -70.0),
    ("physical", "Iberian Peninsula", "plateau", 40.0, -4.0),
    ("physical", "Sinai Peninsula", "peninsula", 29.5, 33.8),
    ("physical", "Kamchatka", "peninsula", 56.0, 159.0),
    ("physical", "Nile Delta", "delta", 30.9, 31.1),
    ("physical", "Cape of Good Hope", "cape", -34.36, 18.47),
    ("physical", "Cape Horn", "cape", -55.98, -67.27),
    ("physical", "Niagara Falls", "waterfall", 43.08, -79.07),
    ("physical", "Victoria Falls", "waterfall", -17.92, 25.86),
    ("physical", "Great Plains", "plain", 42.0, -102.0),
    ("islands", "Madagascar", "island", -19.0, 46.7),
    ("islands", "Greenland", "island", 72.0, -40.0),
    ("islands", "Sicily", "island", 37.5, 14.0),
    ("islands", "Sardinia", "island", 40.0, 9.0),
    ("islands", "Corsica", "island", 42.2, 9.1),
    ("islands", "Bali", "island", -8.4, 115.1),
    ("islands", "Tahiti", "island", -17.65, -149.4),
    ("islands", "Great Britain", "island", 53.0, -1.5),
    ("islands", "Honshu", "island", 36.0, 138.0),
    ("islands", "Tasmania", "island", -42.0, 146.6),
    ("islands", "Hawaiian Islands", "archipelago", 20.8, -156.5),
    ("islands", "Canary Islands", "archipelago", 28.3, -16.5),
    ("islands", "Galápagos Islands", "archipelago", -0.5, -91.0),
    ("islands", "Easter Island", "island", -27.1, -109.35),
    ("seas", "Atlantic Ocean", "ocean", 0.0, -30.0),
    ("seas", "Pacific Ocean", "ocean", 0.0, -150.0),
    ("seas", "Mediterranean Sea", "sea", 36.0, 18.0),
    ("seas", "Mediterranean", "sea", 43.5, 15.0),
    ("seas", "Black Sea", "sea", 43.0, 34.0),
    ("seas", "Red Sea", "sea", 20.0, 38.0),
    ("seas", "Gulf of Mexico", "gulf", 25.0, -90.0),
    ("seas", "English Channel", "channel", 50.0, -2.0),
    ("seas", "Bay of Bengal", "bay", 15.0, 88.0),
    ("seas", "Strait of Gibraltar", "strait", 35.95, -5.6),
    ("seas", "Bering Strait", "strait", 65.9, -169.0),
    ("seas", "San Francisco Bay", "bay", 37.7, -122.3),
    ("seas", "Great Barrier Reef", "reef", -18.0, 147.0),
    ("lakes", "Lake Superior", "lake", 47.5, -87.5),
    ("lakes", "Lake Huron", "lake", 45.3, -80.9),
    ("lakes", "Lake Tahoe", "lake", 39.1, -120.03),
    ("lakes", "Lake Geneva", "lake", 46.4, 6.5),
    ("lakes", "Lake Baikal", "lake", 53.5, 108.0),
    ("lakes", "Lake Victoria", "lake", -1.0, 33.0),
    ("lakes", "Lake Titicaca", "lake", -15.8, -69.4),
    ("lakes", "Lago Titicaca", "lake", -15.8, -69.4),
    ("lakes", "Dead Sea", "salt_lake", 31.5, 35.5),
    ("lakes", "Lake Constance", "lake", 47.6, 9.4),
    ("lakes", "Loch Ness", "lake", 57.3, -4.45),
    ("lakes", "Lake Egridir", "lake", 38.1, 30.9),
    ("lakes", "Great Salt Lake", "salt_lake", 41.2, -112.5),
    ("lakes", "Crater Lake", "lake", 42.94, -122.1),
    ("rivers", "Rhine", "river", 51.0, 6.8),
    ("rivers", "Nile", "river", 26.0, 32.7),
    ("rivers", "Danube", "river", 47.5, 19.05),
    ("rivers", "Amazon", "river", -3.3, -60.0),
    ("rivers", "Mississippi River", "river", 35.0, -90.3),
    ("rivers", "Volga", "river", 53.2, 49.5),
    ("rivers", "Yangtze", "river", 30.5, 114.0),
    ("rivers", "Ganges", "river", 25.3, 83.0),
    ("rivers", "Thames", "river", 51.5, -0.5),
    ("rivers", "Colorado River", "river", 36.1, -112.1),
    ("parks", "Yellowstone National Park", "national_park", 44.6, -110.5),
    ("parks", "Yosemite National Park", "national_park", 37.85, -119.55),
    ("parks", "Grand Canyon National Park", "national_park", 36.2, -112.5),
    ("ports", "Port of Rotterdam", "port", 51.9, 4.4),
    ("disputed", "Western Sahara", "claimed", 24.5, -13.5),
    ("disputed", "Golan Heights", "claimed", 33.0, 35.75),
    ("continents", "Europe", "continent", 50.0, 20.0),
]


@pytest.mark.parametrize(("layer", "name", "kind", "lat", "lon"), FAMOUS)
def test_a_famous_place_is_where_it_is(layer: str, name: str, kind: str, lat: float, lon: float):
    found = [feature for feature in named(layer).get(name, ()) if feature.kind == kind]
    assert any(near(feature, Point(lat, lon), 0.1) for feature in found), [(place.kind, place.bbox) for place in found]


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("Rhine", (4.5, 46.7, 9.5, 51.9)),
        ("Nile", (30.3, 0.0, 33.9, 31.2)),
        ("Danube", (8.5, 43.7, 29.0, 48.9)),
        ("Amazon", (-73.0, -4.4, -53.0, -1.7)),
        ("Mississippi", (-95.0, 29.5, -89.5, 47.4)),
    ],
)
def test_a_river_is_whole_and_one(name: str, least: tuple[float, float, float, float]):
    (river,) = (river for river in features("rivers") if river.name == name and river.fame > 0.5)
    assert geometry.encloses(river.bbox, BBox(*least))


def test_features_of_several_files_come_one_after_another():
    assert tuple(committed.features(DATA, "seas", "ports")) == (*features("seas"), *features("ports"))


@pytest.mark.slow
@pytest.mark.usefixtures("build_packages")
def test_macro_regions_are_unions_of_countries():
    found = {feature.code or feature.codes[0]: feature for feature in continents.features(DATA) if feature.codes}
    europe, caribbean = found["150"], found["029"]
    assert europe.layer is Layer.CONTINENT
    assert caribbean.layer is Layer.MACRO_REGION
    assert caribbean.shape is not None
    assert shapely.intersects_xy(caribbean.shape, -79.5, 22.0)
    assert found["009"].name == "Oceania"
    assert found["009"].bbox.south > -60  # without Antarctica
    named = {feature.name: feature for feature in continents.features(DATA)}
    by_hand = committed.table(DATA, "macro_regions")
    assert {name for name, *_ in by_hand} <= named.keys()
    assert geometry.contains(named["Balkans"].bbox, Point(42.7, 23.3))
    assert continents.members(DATA)["Benelux"] == ("BE", "NL", "LU")


def test_places_by_hand_have_boxes_and_lie_in_areas_of_the_atlas():
    places = list(committed.by_hand(DATA))
    codes = {feature.code for layer in ("countries", "regions") for feature in features(layer)}
    assert len({place.key for place in places}) == len(places) >= 450
    for place in places:
        west, south, east, north = place.bbox
        assert -90 <= south < north <= 90, place.name
        assert -180 <= west < east <= 180 or place.name == "Russian Far East"
        assert 0 <= place.fame <= 1
        assert {area.removeprefix("iso:") for area in place.inside} <= codes, place.name
        assert place.name not in {other.text for other in place.names}


@pytest.mark.parametrize(
    ("name", "lat", "lon"),
    [("Yorkshire", 53.96, -1.08), ("Cotswolds", 51.93, -1.72), ("San Francisco Bay Area", 37.8, -122.27),
     ("Twin Cities", 44.95, -93.1), ("Basse-Normandie", 49.18, -0.37), ("Kruger National Park", -24.99, 31.59),
     ("Serengeti National Park", -2.33, 34.83), ("Mersea Island", 51.79, 0.93), ("Thrace", 41.68, 26.56),
     ("Sub-Saharan Africa", -1.29, 36.82), ("Berlin Tempelhof Airport", 52.473, 13.404)],
)  # fmt: skip
def test_a_place_by_hand_is_where_it_is(name: str, lat: float, lon: float):
    (place,) = (place for place in committed.by_hand(DATA) if place.name == name)
    assert geometry.contains(place.bbox, Point(lat, lon))


@pytest.mark.parametrize(
    ("lat", "lon", "zone"),
    [
        (40.7, -74.0, "America/New_York"),
        (33.45, -112.07, "America/Phoenix"),
        (39.74, -104.99, "America/Denver"),
        (55.75, 37.62, "Europe/Moscow"),
        (56.48, 84.97, "Asia/Tomsk"),
        (-53.16, -70.91, "America/Punta_Arenas"),
        (-45.57, -72.07, "America/Coyhaique"),
        (31.69, -106.42, "America/Ciudad_Juarez"),
        (32.5, 80.1, "Asia/Shanghai"),
        (43.8, 87.6, "Asia/Urumqi"),
        (-33.87, 151.2, "Australia/Sydney"),
        (-28.0, 153.4, "Australia/Brisbane"),
        (-77.85, 166.67, "Antarctica/McMurdo"),
    ],
)
def test_a_town_is_in_its_time_zone(lat: float, lon: float, zone: str):
    shapes = {feature.name: feature.shape for feature in zones()}
    at = shapely.points(lon, lat)
    near = [name for name, shape in shapes.items() if shape and shapely.dwithin(shape, at, 0.02)]
    assert near == [zone]


def test_every_zone_is_one_that_programs_know_and_every_country_has_one():
    assert {zone.name for zone in zones()} <= zoneinfo.available_timezones()
    kept = {key for zone in zones() for key in zone.inside}
    assert {country.key for country in features("countries")} - kept <= {"iso:BV", "iso:HM", "iso:AQ"}


@pytest.mark.slow
def test_the_zones_of_a_country_do_not_overlap():
    drawn = [(zone, zone.shape) for zone in zones() if zone.shape is not None]
    tree = shapely.STRtree([shape for _, shape in drawn])
    for one, other in tree.query([shape for _, shape in drawn], predicate="intersects").T.tolist():
        if one < other and set(drawn[one][0].inside) & set(drawn[other][0].inside):
            both = drawn[one][1].intersection(drawn[other][1]).area
            assert both < 0.005, (drawn[one][0].name, drawn[other][0].name, both)


def zones() -> Sequence[Feature]:
    return features("time_zones")


def test_a_disputed_area_names_all_sides():
    sides = {area.name: area.inside for area in features("disputed")}
    assert sides["Arunachal Pradesh"] == ("held:IN", "claimed:CN")
    assert sides["Falkland Islands"] == ("held:GB", "claimed:AR")
    assert sides["Crimea"] == ("held:RU", "claimed:UA")
    assert sides["Western Sahara"] == ("held:MA", "claimed:EH")
    assert sides["Abkhazia"] == ("held:self", "claimed:GE")
    assert sides["Ross Dependency"] == ("claimed:NZ",)
    assert [name for name, known in sides.items() if not known] == []
    assert all(committed.claims_source(area) for area in features("disputed"))


@pytest.mark.parametrize("name", LEAST)
def test_a_source_says_where_it_is_from(name: str):
    header = contents(name).header
    assert "Natural Earth" in header.source or "geoBoundaries" in header.source
    assert header.version
    assert set(header.licence.split(", ")) <= {"public domain", "CC BY 4.0", "CC0 1.0"}


@pytest.mark.slow
def test_the_files_count_themselves():
    told = subprocess.run(
        [sys.executable, "-m", committed.__name__, DATA], check=True, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(DATA.parent), *sys.path))},
    ).stdout  # fmt: skip
    lines = dict(line.split(maxsplit=1) for line in told.splitlines())
    assert set(lines) == set(LEAST)
    assert lines["countries"].startswith("250 ")
    assert "country 250" in lines["countries"]
