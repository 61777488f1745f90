"""The lists of the atlas's test sets, and what counts as right."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import shapely
from benchmarks.atlas import districts, judges, points, score, sets, shapes
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("name", "columns", "least"),
    [("writings", 5, 250), ("regions", 2, 200), ("physical", 6, 200), ("scope", 2, 150), ("points", 4, 30)],
)
def test_a_list_holds_as_many_different_rows_as_the_table_promises(name: str, columns: int, least: int) -> None:
    rows = sets.rows(name)
    assert {len(row) for row in rows} == {columns}
    assert len({tuple(row[:2]) for row in rows}) == len(rows) >= least


@pytest.mark.parametrize("make", [sets.writings, sets.regions, sets.physical, sets.scope])
def test_a_list_makes_one_question_a_row(make: Callable[[], Iterator[sets.Question]]) -> None:
    questions = list(make())
    assert len(questions) == len(sets.rows(make.__name__))


@pytest.mark.parametrize("name", ["points", "physical"])
def test_every_point_of_a_list_is_on_earth(name: str) -> None:
    first = {"points": 0, "physical": 2}[name]
    for row in sets.rows(name):
        assert -90 <= float(row[first]) <= 90
        assert -180 <= float(row[first + 1]) <= 180


def found(kind: str, code: str = "us", lat: float = 0.0, name: str = "Here", region: str = "") -> dict[str, Any]:
    address = {"country_code": code, "ISO3166-2-lvl4": region}
    return {"name": name, "type": kind, "lat": lat, "lon": 0.0, "address": address}


def test_a_town_is_no_country_region_or_sea() -> None:
    assert judges.country("us")(found("country"))
    assert not judges.country("us")(found("town"))
    assert judges.region("US-WY", "Wyoming")(found("state", region="US-WY"))
    assert not judges.region("US-WY", "Wyoming")(found("city", region="US-WY"))
    assert not judges.region("US-WY", "Wyoming")(found("city", region="US-MI", name="Wyoming"))
    assert judges.feature(0, 0, 10)(found("sea"))
    assert not judges.feature(0, 0, 10)(found("town"))


def test_a_city_is_right_near_its_point_in_its_country() -> None:
    assert judges.city("us", 0, 0, 20)(found("city", lat=0.1))
    assert not judges.city("us", 0, 0, 10)(found("city", lat=0.1))
    assert not judges.city("fr", 0, 0, 20)(found("city", lat=0.1))


def test_a_disputed_point_wants_both_claims_and_an_ocean_may_be_silent() -> None:
    reply = {
        "display_name": "Crimea",
        "type": "state",
        "address": {"country_code": "ua"},
        "claims": ["Ukraine", "Russia"],
    }
    assert score.as_it_is(reply, "claims Ukraine+Russia")
    assert not score.as_it_is({**reply, "claims": ["Russia"]}, "claims Ukraine+Russia")
    assert score.as_it_is(None, "ocean Pacific")
    assert not score.as_it_is(None, "sea Baltic")


def test_a_box_across_180_degrees_is_the_smaller_one() -> None:
    fiji = shapely.MultiPolygon([shapely.box(177, -19, 180, -18), shapely.box(-180, -19, -178, -18)])
    assert shapes.box_of(fiji) == (177, -19, -178, -18)
    assert shapes.iou((177, -19, -178, -18), (177, -19, 182, -18)) == pytest.approx(1)


@given(
    st.tuples(st.floats(-179, 170), st.floats(-80, 70), st.floats(0.1, 9), st.floats(0.1, 9)),
    st.tuples(st.floats(-179, 170), st.floats(-80, 70), st.floats(0.1, 9), st.floats(0.1, 9)),
)
def test_boxes_are_alike_both_ways_and_wholly_like_themselves(one: shapes.Box, other: shapes.Box) -> None:
    one, other = ((west, south, west + wide, south + high) for west, south, wide, high in (one, other))
    assert shapes.iou(one, one) == pytest.approx(1)
    assert shapes.iou(one, other) == pytest.approx(shapes.iou(other, one))
    assert 0 <= shapes.iou(one, other) <= 1 + 1e-9


@given(st.floats(-80, 80), st.floats(-170, 170))
def test_a_circle_reaches_as_far_as_it_says(lat: float, lon: float) -> None:
    for x, y in shapes.circle(lon, lat, points.APART_KM).exterior.coords:
        assert judges.distance_km((lat, lon), (y, x)) == pytest.approx(points.APART_KM, rel=0.02)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("St. Croix", "Saint Croix County"),
        ("Alacant/Alicante", "Alicante"),
        ("Đà Lạt", "Thành Phố Đà Lạt"),
        ("Aabenraa", "Åbenrå Kommune"),
        ("古塔区", "古塔"),
        ("Kanton Glarus", "Glarus"),
    ],
)
def test_spellings_of_one_district_have_a_form_in_common(name: str, other: str) -> None:
    assert districts.forms(name) & districts.forms(other)


def test_different_districts_have_no_form_in_common() -> None:
    assert not districts.forms("Washington County") & districts.forms("Washtenaw County")


@pytest.mark.slow
def test_points_lie_within_the_area_and_away_from_its_edge() -> None:
    areas = {"Small": shapely.box(0, 0, 0.001, 0.001), "Large": shapely.box(1, 1, 2, 2)}
    drawn = list(districts.drawn(areas, None))
    assert len(drawn) == districts.POINTS
    for name, at, probes in drawn:
        assert shapely.contains_xy(areas[name], *at)
        assert name == "Small" or shapes.holds_circle(areas[name], *at, districts.INSIDE_KM)
        assert len(probes) == districts.PROBES
