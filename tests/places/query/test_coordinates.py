"""Coordinates: every usual form gives the point; an impossible one is reported, never guessed."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.places.models import Point
from bearings.places.query import parse

PARIS = Point(48.8566, 2.3522)

POINTS = [
    ("40.7, -74", 40.7, -74),
    ("40.7,-74.0", 40.7, -74),
    ("40.7 -74", 40.7, -74),
    ("  40.7 ;  −74.0 ", 40.7, -74),
    ("40.7 / –74.0", 40.7, -74),
    ("40.7, −74.0", 40.7, -74),
    ("40.7， -74.0", 40.7, -74),
    ("４０．７，－７４", 40.7, -74),
    ("٤٠.٧، -٧٤", 40.7, -74),
    ("(40.7, -74)", 40.7, -74),
    ("[40.7, -74]", 40.7, -74),
    ("+40.7, -074.0", 40.7, -74),
    (".5, -.5", 0.5, -0.5),
    ("0, 0", 0, 0),
    ("-90, 180", -90, 180),
    ("33 S 151 E", -33, 151),
    ("40.7N 74W", 40.7, -74),
    ("40.7 N, 74.0 W", 40.7, -74),
    ("40.7°N 74°W", 40.7, -74),
    ("40.7° N, 74° W", 40.7, -74),
    ("N40.7 W74", 40.7, -74),
    ("N 40.7°, W 74°", 40.7, -74),
    ("74 W, 40.7 N", 40.7, -74),
    ("40.7 north, 74 west", 40.7, -74),
    ("north 40.7 west 74", 40.7, -74),
    ("48.8566 nord, 2.3522 est", *PARIS),
    ("40.7 Norte 74 Oeste", 40.7, -74),
    ("52,52 Nord; 13,405 Ost", 52.52, 13.405),
    ("40°26′46″N 79°58′56″W", 40.446111, -79.982222),
    ("40° 26' 46\" N, 79° 58' 56\" W", 40.446111, -79.982222),
    ("40°26'46''N 79°58'56''W", 40.446111, -79.982222),
    ("40º26’46”N 79º58’56”W", 40.446111, -79.982222),
    ("N40°26′46″ W79°58′56″", 40.446111, -79.982222),
    ("40:26:46N,79:58:56W", 40.446111, -79.982222),
    ("40:26:46, -79:58:56", 40.446111, -79.982222),
    ("40d26m46sN 79d58m56sW", 40.446111, -79.982222),
    ("40d 26m 46s N 79d 58m 56s W", 40.446111, -79.982222),
    ("40 26 46 N 79 58 56 W", 40.446111, -79.982222),
    ("40 26 46, -79 58 56", 40.446111, -79.982222),
    ("40-26-46N 79-58-56W", 40.446111, -79.982222),
    ("40 deg 26 min 46 sec N 79 deg 58 min 56 sec W", 40.446111, -79.982222),
    ("40 26.767 N 79 58.933 W", 40.446117, -79.982217),
    ("40°26.767'N 79°58.933'W", 40.446117, -79.982217),
    ("40° 26.767', -79° 58.933'", 40.446117, -79.982217),
    ("404456N0735911W", 40.748889, -73.986389),
    ("4044N 07359W", 40.733333, -73.983333),
    ("375400N930000W", 37.9, -93),
    ("3754N 9300W", 37.9, -93),
    ("375651 N 093000 W", 37.9475, -9.5),
    ("+40.7486-073.9864/", 40.7486, -73.9864),
    ("+4044-07359/", 40.733333, -73.983333),
    ("+404456-0735911+10.5CRSWGS_84/", 40.748889, -73.986389),
    ("geo:40.7,-74", 40.7, -74),
    ("geo:40.7,-74.0,12.5;u=35", 40.7, -74),
    ("geo:40.7,-74;crs=wgs84?z=11", 40.7, -74),
    ("POINT(-74 40.7)", 40.7, -74),
    ("SRID=4326;POINT (-74.0 40.7)", 40.7, -74),
    ("lat 40.7 lon -74", 40.7, -74),
    ("lat: 40.7, lng: -74", 40.7, -74),
    ("Latitude: 40.7, Longitude: -74", 40.7, -74),
    ("lat=40.7&lon=-74", 40.7, -74),
    ("lon -74 lat 40.7", 40.7, -74),
    ("lat/lon: 40.7, -74", 40.7, -74),
    ("lon/lat: -74, 40.7", 40.7, -74),
    ("lon, lat -74, 40.7", 40.7, -74),
    ("latitude 40.7 N, longitude 74 W", 40.7, -74),
    ("48,8566; 2,3522", *PARIS),
    ("48,8566 2,3522", *PARIS),
    ("48,8566, 2,3522", *PARIS),
    ("https://www.google.com/maps/@40.7,-74.0,12z", 40.7, -74),
    ("https://maps.google.com/?q=40.7,-74.0", 40.7, -74),
    ("https://www.openstreetmap.org/#map=12/40.7/-74.0", 40.7, -74),
    ("https://www.openstreetmap.org/?mlat=40.7&mlon=-74.0#map=12/40.7/-74.0", 40.7, -74),
]


@pytest.mark.parametrize(("query", "lat", "lon"), POINTS, ids=[query for query, *_ in POINTS])
def test_a_usual_form_gives_the_point(query: str, lat: float, lon: float) -> None:
    read = parse(query)
    assert read.problem is None
    assert read.point is not None
    assert read.point == pytest.approx((lat, lon), abs=1e-6)
    assert read.readings == ()


BESIDE = [
    ("40.7128, -74.0060, 10m", (40.7128, -74.006), "10m"),
    ("40.7128 N, 74.0060 W, alt 33 ft", (40.7128, -74.006), "alt 33 ft"),
    ("Paris 48.8566, 2.3522", PARIS, "Paris"),
    ("Paris, France: 48.8566, 2.3522", PARIS, "Paris, France"),
    ("48.8566, 2.3522 (near the Seine)", PARIS, "near the Seine"),
    ("Sydney S33.8 E151.2", (-33.8, 151.2), "Sydney"),
    ("Eiffel Tower 48°51'29\"N 2°17'40\"E", (48.858056, 2.294444), "Eiffel Tower"),
]


@pytest.mark.parametrize(("query", "point", "beside"), BESIDE, ids=[query for query, *_ in BESIDE])
def test_a_position_beside_a_name_or_a_height_is_the_position(
    query: str, point: tuple[float, float], beside: str
) -> None:
    read = parse(query)
    assert read.point == pytest.approx(point, abs=1e-6)
    assert read.beside == (beside,)


@pytest.mark.parametrize(
    "query", ["Price 12.50, 14.99", "Route 5, 51.5034", "48.85 N 2.35 O Paris", "Main Street 12, Springfield 62701"]
)
def test_other_numbers_beside_words_are_no_position(query: str) -> None:
    assert parse(query).point is None


PROBLEMS = [
    ("91, 181", "not on Earth"),
    ("91.0 N, 10 E", "not on Earth"),
    ("100, 50", "not on Earth"),
    ("geo:91,0", "not on Earth"),
    ("POINT(40 100)", "not on Earth"),
    ("geo:4.5,7.1;crs=moon-2011", "not WGS 84"),
    ("40.7", "one number"),
    ("40.7° N", "a latitude without a longitude"),
    ("74.0 W", "a longitude without a latitude"),
    ("40.7 N, 30.1 N", "two latitudes"),
    ("-40.7 S, 10 E", "both a minus sign and a hemisphere"),
    ("40°75' N, 10° E", "from 0 to below 60"),
    ("40.5° 10' N, 10° E", "fraction"),
    ("48° N, 11° O", "O is east in German"),
    ("lat 40.7 W, lon 74 N", "is no direction of latitude"),
    ("-5.0, 41, 9, 51", "four numbers"),
    ("1.5, 2.5, 3.5", "3 numbers"),
]


@pytest.mark.parametrize(("query", "said"), PROBLEMS, ids=[query for query, _ in PROBLEMS])
def test_an_impossible_pair_is_a_problem(query: str, said: str) -> None:
    read = parse(query)
    assert read.point is None
    assert read.problem is not None
    assert said in read.problem.problem
    assert read.problem.remedy.strip()


def test_a_pair_that_makes_sense_when_swapped_names_the_swap() -> None:
    problem = parse("139.69, 35.68").problem
    assert problem is not None
    assert "35.68, 139.69" in problem.remedy


@pytest.mark.parametrize(
    "query",
    [
        "42",
        "750 07",
        "10115",
        "N1",
        "E 40",
        "A 7",
        "Route 66",
        "1770",
        "Fort 5",
        "South West",
        "North, East",
        "lat",
        "1, 2, 3",
        "Mt. 5",
        "100 Mile House",
        "St. 12 N",
        "Seven 7 Sisters",
        "",
        "°",
        "−",
        ",",
        "deg",
        "'",
        "40 miles",
        "24/7",
        "9/11",
        "2024-05-06",
        "+1 555 1234567",
        "10:30",
        "1984, 2020",
        "12 75, 3",
    ],
)
def test_a_name_with_numbers_is_no_coordinate(query: str) -> None:
    read = parse(query)
    assert (read.point, read.problem) == (None, None)


LATS = st.floats(-90, 90).map(lambda value: round(value, 6))
LONS = st.floats(-180, 180).map(lambda value: round(value, 6))
COMMAS = st.sampled_from([",", ", ", " , ", "; ", " / ", "，", " "])
MINUSES = st.sampled_from(["-", "−", "–"])


def decimal(value: float) -> str:
    return f"{value:.6f}"


@given(LATS, LONS, COMMAS, MINUSES)
def test_decimal_degrees_round_trip(lat: float, lon: float, comma: str, minus: str) -> None:
    written = f"{decimal(lat)}{comma}{decimal(lon)}".replace("-", minus)
    assert parse(written).point == pytest.approx((lat, lon), abs=1e-9)


@pytest.mark.slow
@given(LATS, LONS, st.sampled_from(["{0}{2} {1}{3}", "{2}{0}, {3}{1}", "{0}° {2}; {1}° {3}", "{1} {3}, {0} {2}"]))
def test_hemispheres_round_trip(lat: float, lon: float, form: str) -> None:
    written = form.format(decimal(abs(lat)), decimal(abs(lon)), "S" if lat < 0 else "N", "W" if lon < 0 else "E")
    assert parse(written).point == pytest.approx((lat, lon), abs=1e-9)


@given(LATS, LONS)
def test_labels_geo_uris_and_wkt_round_trip(lat: float, lon: float) -> None:
    a, b = decimal(lat), decimal(lon)
    for written in (f"geo:{a},{b}", f"lat {a} lon {b}", f"lon={b}, lat={a}", f"lat/lon: {a}, {b}", f"POINT({b} {a})"):
        assert parse(written).point == pytest.approx((lat, lon), abs=1e-9), written


SEXAGESIMAL = [
    "{0}°{1}′{2}″{h}",
    "{h}{0}°{1}'{2}\"",
    "{0}:{1}:{2}{h}",
    "{0} {1} {2} {h}",
    "{0}d{1}m{2}s{h}",
    "{0}º {1}’ {2}” {h}",
    "{0}-{1}-{2}{h}",
]


@given(
    st.integers(0, 89), st.integers(0, 179), st.tuples(*[st.integers(0, 59)] * 4), st.sampled_from("NS"),
    st.sampled_from("EW"), st.sampled_from(SEXAGESIMAL), st.sampled_from([" ", ", "]),
)  # fmt: skip
def test_degrees_minutes_seconds_round_trip(
    lat: int, lon: int, parts: tuple[int, ...], north: str, east: str, form: str, comma: str
) -> None:
    first = form.format(lat, parts[0], parts[1], h=north)
    second = form.format(lon, parts[2], parts[3], h=east)
    expected = (
        (lat + parts[0] / 60 + parts[1] / 3600) * (1 if north == "N" else -1),
        (lon + parts[2] / 60 + parts[3] / 3600) * (1 if east == "E" else -1),
    )
    assert parse(first + comma + second).point == pytest.approx(expected, abs=1e-9)


@given(st.floats(90.001, 1e6), st.floats(180.001, 1e6))
def test_a_pair_beyond_the_earth_is_a_problem_whichever_comes_first(lat: float, lon: float) -> None:
    for pair in pairwise((lat, lon, lat)):
        written = ", ".join(f"{value:.3f}" for value in pair)
        assert parse(written).problem is not None, written
