"""Queries as programs and people spoil them: wrong encodings, remarks, PO boxes, offsets."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bearings.places.models import Offset
from bearings.places.query import parse
from bearings.places.query.mending import mended
from bearings.places.query.remarks import without_post, without_remarks

MENDED = [
    ("M&uuml;nchen", "München"),
    ("Villeneuve d&#39;Ascq", "Villeneuve d'Ascq"),
    ("New%20York", "New York"),
    ("MÃ¼nchen", "München"),
    ("Å\x81Ã³dÅº", "Łódź"),
    ("AT&T", "AT&T"),
    ("100% Wool", "100% Wool"),
    ("Zürich", "Zürich"),
    ("%FF%20", "%FF%20"),  # no UTF-8
]


@pytest.mark.parametrize(("text", "meant"), MENDED)
def test_a_spoilt_text_is_mended(text: str, meant: str):
    assert mended(text) == meant
    assert parse(text).mended == (text != meant)


@given(st.text(max_size=60))
def test_text_that_was_read_with_another_encoding_comes_back(text: str):
    assume(mended(text) == text)
    assert mended(text.encode("utf-8").decode("latin-1")) == text


REMARKS = [
    ("Wuppertal (remote option)", "Wuppertal", ("remote option",)),
    ("Fully Remote - Bengaluru, Karnataka", "Bengaluru, Karnataka", ("Fully Remote",)),
    ("Vancouver, BC (hybrid)", "Vancouver, BC", ("hybrid",)),
    ("Not recorded, Bristol Bay, Alaska", "Bristol Bay, Alaska", ("Not recorded",)),
    ("Oregon / unknown", "Oregon", ("unknown",)),
    ("None, Lebanon", "Lebanon", ("None",)),
    ("N/A", "", ("N/A",)),
    ("null", "", ("null",)),
    ("nan", "", ("nan",)),
    ("Nan", "Nan", ()),  # a city of Thailand
    ("Georgia (country)", "Georgia (country)", ()),
    ("Stratford-upon-Avon", "Stratford-upon-Avon", ()),
]


@pytest.mark.parametrize(("text", "place", "aside"), REMARKS)
def test_remarks_are_set_aside(text: str, place: str, aside: tuple[str, ...]):
    assert without_remarks(text) == (place, aside)


POST = [
    (("PO Box 100", "Oslo"), ("Oslo",), ("PO Box 100",)),
    (("75008 Paris Cedex 08",), ("75008 Paris",), ("Cedex 08",)),
    (("Apt 4B", "New York"), ("New York",), ("Apt 4B",)),
    (("c/o Jane Doe", "Leeds"), ("Leeds",), ("c/o Jane Doe",)),
    (("Block Island", "RI"), ("Block Island", "RI"), ()),
    (("Flat Rock", "MI"), ("Flat Rock", "MI"), ()),
]


@pytest.mark.parametrize(("parts", "left", "aside"), POST)
def test_what_is_for_the_post_alone_is_set_aside(parts, left, aside):
    assert without_post(parts) == (left, aside)


OFFSETS = [
    ("10 km north of Batumi", Offset(0.0, 10_000.0, "10 km north"), ("Batumi",)),
    (
        "1 mile South, 1 mile West of Fort Collins",
        Offset(-1609.3, -1609.3, "1 mile South, 1 mile West"),
        ("Fort Collins",),
    ),
    ("500 m NE of Gori", Offset(353.6, 353.6, "500 m NE"), ("Gori",)),
    ("North of England", None, ("North of England",)),
]


@pytest.mark.parametrize(("text", "offset", "parts"), OFFSETS)
def test_an_offset_is_read_from_the_place(text: str, offset: Offset | None, parts: tuple[str, ...]):
    read = parse(text)
    assert (read.offset, read.parts) == (offset, parts)


def test_a_query_without_its_postcode_is_read_too():
    read = parse("Beverly Hills, CA 90210")
    assert read.plain is not None
    assert (read.plain.parts, read.plain.aside) == (("Beverly Hills", "CA"), ("90210",))
    assert parse("Beverly Hills, CA").plain is None


def test_an_empty_mark_has_no_parts():
    assert parse("N/A").parts == ()
    assert parse("N/A").aside == ("N/A",)


TABLES = [
    ("Remote within Canada", ("Canada",)),
    ("Remote (Germany)", ("Germany",)),
    ("US-Remote", ("US",)),
    ("Paris or remote", ("Paris",)),
    ("Halle (Saale) HQ", ("Halle (Saale)",)),
    ("Paris office", ("Paris",)),
    ("Chile s.l.", ("Chile",)),
    ("Peru, unknown locality", ("Peru",)),
    ("city: Lyon", ("Lyon",)),
    ("America/Sao_Paulo", ("Sao Paulo",)),
    ("America/Argentina/Ushuaia", ("Ushuaia",)),
    ("N/K", ()),
    ("#N/A", ()),
]


@pytest.mark.parametrize(("text", "parts"), TABLES)
def test_what_tables_write_beside_a_place_is_set_aside(text: str, parts: tuple[str, ...]):
    assert parse(text).parts == parts


DIRECTIONS = [
    ("30 km südlich von Hannover", Offset(0.0, -30_000.0, "30 km südlich"), "Hannover"),
    ("12 km al oeste de Lima", Offset(-12_000.0, 0.0, "12 km al oeste"), "Lima"),
    ("5 km au nord de Dakar", Offset(0.0, 5000.0, "5 km au nord"), "Dakar"),
]


@pytest.mark.parametrize(("text", "offset", "place"), DIRECTIONS)
def test_an_offset_is_read_in_other_languages(text: str, offset: Offset, place: str):
    read = parse(text)
    assert (read.offset, read.parts) == (offset, (place,))


AROUND = [
    ("cerca de Sevilla", "Sevilla"),
    ("près de Toulouse", "Toulouse"),
    ("Umgebung von Salzburg", "Salzburg"),
    ("in the vicinity of Kyoto", "Kyoto"),
    ("road to Mombasa", "Mombasa"),
    ("a 5 km de Cuernavaca", "Cuernavaca"),
]


@pytest.mark.parametrize(("text", "name"), AROUND)
def test_the_surroundings_of_a_place_are_read_in_other_languages(text: str, name: str):
    assert name in [reading.name for reading in parse(text).readings if reading.about]
