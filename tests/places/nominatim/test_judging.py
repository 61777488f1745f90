"""The confidence of each place in a Nominatim's answer, among the others."""

import json
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.places.models import BBox, Match, Place, Point, SearchQuery, Structured
from bearings.places.nominatim import wire
from bearings.places.nominatim.judging import judged, located
from tests.nominatim_server.record import REPLIES
from tests.places.nominatim.test_spelling import HIGH_STREET, HOUSE, MUNICH, place


def sure(query: str, *places: Place) -> list[float]:
    """The confidence of each place."""
    said, _ = judged(SearchQuery(text=query, limit=10), places, [{"name": one.name} for one in places])
    return [one.confidence or 0.0 for one in said]


def elsewhere(of: Place, lat: float, lon: float, **changes: str) -> Place:
    """The same name in another place."""
    box = BBox(lon, lat, lon + 0.01, lat + 0.01)
    address = {**of.address, **changes}
    full = ", ".join([of.name, *list(address.values())[1:]])
    return replace(of, point=Point(lat, lon), bbox=box, address=address, display_name=full)


def test_a_place_that_spells_every_word_is_meant() -> None:
    assert sure("High Street, Colchester", HIGH_STREET) == [0.99]


def test_an_unused_house_number_makes_a_place_unlikely() -> None:
    said, unused = judged(SearchQuery(text="12 High Street, Colchester"), [HIGH_STREET], [{}])
    assert said[0].match is Match.EXACT
    assert (said[0].confidence or 1.0) < 0.5
    assert unused == ("12",)
    assert sure("12a High Street, Colchester", HOUSE) == [0.99]


def test_a_postcode_that_was_not_used_is_no_great_matter() -> None:
    [confidence] = sure("High Street, Colchester, 99999", HIGH_STREET)
    assert 0.9 < confidence < 0.99


def test_namesakes_share_by_importance() -> None:
    other = elsewhere(HIGH_STREET, 52.9, 1.1, town="Norwich")
    assert sure("High Street", HIGH_STREET, other) == [0.495, 0.495]
    first, second = sure("High Street", replace(HIGH_STREET, importance=0.1), other)
    assert first > 0.8
    assert second < 0.2


def test_a_place_is_never_surer_than_the_one_before_it() -> None:
    other = elsewhere(replace(HIGH_STREET, importance=0.9), 52.9, 1.1, town="Norwich")
    first, second = sure("High Street", HIGH_STREET, other)
    assert first >= second


def test_pieces_of_a_street_and_rows_in_one_house_do_not_compete() -> None:
    piece = replace(elsewhere(HIGH_STREET, 51.812, 0.9), osm_id=2)
    assert sure("High Street, Colchester", HIGH_STREET, piece) == [0.99, 0.99]
    shop = replace(HOUSE, name="Hare & Sons", display_name=f"Hare & Sons, {HOUSE.display_name}")
    assert sure("12a High Street, Colchester", HOUSE, shop) == [0.99, 0.99]


def test_a_town_and_its_area_do_not_compete() -> None:
    node = replace(MUNICH, osm_type="node", osm_id=1, bbox=BBox(0.905, 51.805, 0.906, 51.806))
    assert sure("Munich", MUNICH, node) == [0.99, 0.99]


def test_a_name_that_only_contains_the_word_hardly_competes() -> None:
    street = elsewhere(place("Triq Sir Frederick Ponsonby"), 52.9, 1.1, town="Norwich")
    first, second = sure("Ponsonby", place("Ponsonby"), street)
    assert first > 0.85
    assert second < 0.15


def test_places_of_a_kind_are_not_one_of_them() -> None:
    cafes = [
        elsewhere(place(name, category="amenity", type="cafe", importance=None), lat, 0.9)
        for name, lat in (("Tide Table", 51.8), ("Shore", 51.9))
    ]
    said, unused = judged(SearchQuery(text="cafes in Colchester"), cafes, [{}, {}])
    assert [one.match for one in said] == [None, None]
    assert all((one.confidence or 1.0) < 0.5 for one in said)
    assert unused == ()


def test_no_place_has_nothing_unused() -> None:
    assert judged(SearchQuery(text="Atlantis 5"), [], []) == ((), ())


@given(
    st.lists(st.tuples(st.sampled_from(["Ash", "Elm", "Oak Lane"]), st.floats(0, 1), st.floats(-80, 80)), max_size=8),
    st.text(max_size=20),
)
def test_confidence_is_a_share_for_any_rows(rows: list[tuple[str, float, float]], more: str) -> None:
    places = [
        elsewhere(place(name, importance=importance), lat, 0.5, town=f"Town {number}")
        for number, (name, importance, lat) in enumerate(rows)
    ]
    said, _ = judged(SearchQuery(text=f"Ash {more}"), places, [{} for _ in places])
    assert [replace(one, match=None, confidence=None) for one in said] == places
    assert all(0.0 <= (one.confidence or 0.0) <= 1.0 for one in said)


INSIDE, OUTSIDE = Point(51.805, 0.905), Point(51.9, 0.905)


@pytest.mark.parametrize(
    ("at", "point", "match"),
    [
        (replace(MUNICH, osm_type="relation", category="boundary"), INSIDE, Match.COORDINATE),
        (replace(MUNICH, osm_type="relation", category="boundary"), OUTSIDE, Match.NEAREST),
        (replace(MUNICH, osm_type="node", category="place"), INSIDE, Match.NEAREST),
        (replace(HIGH_STREET, osm_type="way"), INSIDE, Match.NEAREST),
        (replace(HOUSE, osm_type="way", category="building"), INSIDE, Match.COORDINATE),
        (replace(HOUSE, osm_type=None), INSIDE, Match.NEAREST),
        (replace(MUNICH, osm_type=None, place_rank=4), INSIDE, Match.COORDINATE),
    ],
)
def test_a_place_at_a_point_holds_it_or_is_near(at: Place, point: Point, match: Match) -> None:
    assert located(at, point).match is match


@pytest.mark.parametrize(
    ("name", "match", "unused", "is_sure"),
    [
        ("town", Match.EXACT, (), True),
        ("town-russian-name", Match.ALTERNATE, (), True),
        ("town-japanese-name", Match.EXACT, (), True),
        ("town-alt-name", Match.ALTERNATE, (), True),
        ("street-accents", Match.EXACT, (), True),
        ("street-in-one-place", Match.EXACT, (), True),
        ("street-in-two-places", Match.EXACT, (), False),
        ("address", Match.EXACT, (), True),
        ("address-interpolated", Match.EXACT, (), True),
        ("address-without-street", Match.ALTERNATE, (), True),
        ("address-unknown-number", Match.EXACT, ("4711",), False),
        ("postcode", Match.CODE, (), True),
        ("poi-apostrophe", Match.EXACT, (), True),
        ("poi-numeric-name", Match.EXACT, (), True),
        ("structured-street-city", Match.EXACT, (), True),
        ("phrase-in-place", None, (), False),
        ("nothing-downing-street", None, (), None),
    ],
)
def test_answers_of_a_real_server_are_judged(
    name: str, match: Match | None, unused: tuple[str, ...], is_sure: bool | None
) -> None:
    exchange = json.loads((REPLIES / f"search-{name}.json").read_text("utf-8"))
    params = exchange["request"]["params"]
    parts = {field.name: params.get(field.name) for field in fields(Structured)}
    structured = None if params.get("q") else Structured(**parts)
    asked = SearchQuery(text=params.get("q"), structured=structured, language=params.get("accept-language", "local"))
    rows = wire.rows(wire.decode(exchange["body"].encode()))
    said, left = judged(asked, rows.places, rows.names)
    assert left == unused
    assert [one.match for one in said[:1]] == ([] if is_sure is None else [match])
    assert [(one.confidence or 0.0) >= 0.5 for one in said[:1]] == ([] if is_sure is None else [is_sure])
