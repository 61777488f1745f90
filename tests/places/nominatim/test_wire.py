"""Nominatim's names and ours: requests, and models made from answers."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.errors import BearingsError, InvalidInput
from bearings.places import geometry
from bearings.places.categories import Tag
from bearings.places.models import BBox, Point, SearchQuery, Structured
from bearings.places.nominatim import boxes, wire
from tests.places.nominatim.conftest import oracle_replies, row

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=20,
)
KEYS = [*row(), "error", "geojson", "class"]


@st.composite
def nearly_rows(draw: st.DrawFn) -> dict[str, Any]:
    """A good row with arbitrary values in some fields."""
    return row() | draw(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=4))


def one(**changes: Any) -> Any:
    return wire.place(row(**changes))


def test_a_row_becomes_a_place() -> None:
    place = one()
    assert place.point == Point(51.78, 0.92)
    assert place.bbox == BBox(0.89, 51.75, 0.95, 51.8)
    assert (place.bbox_kind, place.place_rank, place.importance) == ("exact", 16, 0.4)
    assert (place.osm_type, place.osm_id, place.category, place.type) == ("relation", 42, "boundary", "administrative")
    assert place.address == {"town": "Seaford", "county": "Shire", "country": "Land", "country_code": "xx"}


@pytest.mark.parametrize("key", ["lat", "lon", "category", "type", "place_rank", "display_name"])
@pytest.mark.parametrize("value", [None, float("nan"), "", [], {}, "nonsense", 1e999, True])
def test_a_row_without_a_point_kind_rank_or_name_is_no_place(key: str, value: object) -> None:
    if key in ("category", "type", "display_name") and value == "nonsense":
        return
    assert one(**{key: value}) is None


@pytest.mark.parametrize("changes", [{"lat": "91"}, {"lon": "180.1"}, {"place_rank": 31}, {"place_rank": -1}])
def test_a_row_off_the_earth_or_the_scale_is_no_place(changes: dict[str, Any]) -> None:
    assert one(**changes) is None


@pytest.mark.parametrize(
    "box",
    [
        None,
        [],
        ["51.75", "51.8", "0.89"],
        ["51.75", "51.8", "0.89", "0.95", "1"],
        ["a", "b", "c", "d"],
        ["nan", "51.8", "0.89", "0.95"],
        ["51.8", "51.75", "0.89", "0.95"],
        [None, "51.8", "0.89", "0.95"],
        "51.75,51.8,0.89,0.95",
        [10**400, 1, 2, 3],
    ],
)
def test_a_box_that_is_none_is_estimated_from_the_rank_and_marked(box: object) -> None:
    place = one(boundingbox=box)
    assert place.bbox_kind == "estimated"
    assert place.bbox == pytest.approx(BBox(0.76, 51.62, 1.08, 51.94))


@pytest.mark.parametrize("rank", range(31))
@pytest.mark.parametrize("where", [Point(0, 0), Point(90, 180), Point(-90, -180), Point(-16.5, 179.99)])
def test_an_estimated_box_has_an_area_and_holds_its_point(rank: int, where: Point) -> None:
    box = boxes.around_rank(where, rank)
    assert geometry.is_valid(box)
    assert geometry.area_km2(box) > 0
    assert geometry.contains(box, where)


@pytest.mark.parametrize(("osm_type", "kind"), [("node", "estimated"), ("way", "exact"), (None, "estimated")])
def test_the_box_that_a_server_draws_around_a_node_is_an_estimate(osm_type: str | None, kind: str) -> None:
    assert one(osm_type=osm_type, osm_id=None if osm_type is None else 7).bbox_kind == kind


def test_a_box_of_no_size_gets_one() -> None:
    place = one(boundingbox=["51.78", "51.78", "0.92", "0.92"])
    assert geometry.area_km2(place.bbox) > 0


@pytest.mark.parametrize(("osm_type", "osm_id"), [(None, 5), ("node", None), ("node", "x"), ("star", 5), ("node", -1)])
def test_an_osm_object_has_a_type_and_an_id_or_neither(osm_type: str | None, osm_id: object) -> None:
    place = one(osm_type=osm_type, osm_id=osm_id)
    assert (place.osm_type, place.osm_id) == (None, None)


def test_zero_is_a_number_like_others() -> None:
    place = one(lat=0, lon="0", osm_id=0, place_rank=0, importance=0)
    assert (place.point, place.osm_id, place.place_rank, place.importance) == (Point(0, 0), 0, 0, 0)


@pytest.mark.parametrize("value", [None, "x", float("nan"), -0.002, 1.5])
def test_importance_is_within_0_and_1_or_unknown(value: object) -> None:
    assert one(importance=value).importance is None


def test_address_values_that_are_no_text_are_left_out_or_spelt() -> None:
    odd = {
        "house_number": 12,
        "road": None,
        "city": ["x"],
        "state": {"a": 1},
        "county": math.nan,
        "town": True,
        "x": " ",
    }
    assert one(address=odd).address == {"house_number": "12"}
    assert one(address=["x"]).address == {}


@pytest.mark.parametrize(
    ("name", "display_name", "address", "expected"),
    [
        ("Balu", "Balu, 17, Champagner-Platz", {"house_number": "17"}, "Balu"),
        ("", "24, Rotenboden, Land", {"house_number": "24"}, "24, Rotenboden"),
        (None, "Vaduz, Land", {}, "Vaduz"),
        ("", ", Land", {}, ", Land"),
    ],
)
def test_a_place_without_a_name_is_called_by_the_first_part_of_its_full_name(
    name: str | None, display_name: str, address: dict[str, str], expected: str
) -> None:
    assert one(name=name, display_name=display_name, address=address).name == expected


def test_bad_rows_are_left_out_counted_and_the_rest_keep_their_order() -> None:
    found = wire.rows([row(osm_id=1), None, row(osm_id=2, name=""), {"error": "x"}, row(osm_id=3)])
    assert [place.osm_id for place in found.places] == [1, 2, 3]
    assert found.skipped == 2
    assert found.named == {0, 2}


@pytest.mark.parametrize("raw", [None, "text", 3, {}, [None], [{}], {"places": []}])
def test_json_without_a_place_is_no_answer(raw: object) -> None:
    with pytest.raises(wire.NotWhatNominatimSends):
        wire.rows(raw)


def test_unable_to_geocode_is_an_answer_and_other_errors_are_errors() -> None:
    assert wire.located({"error": "Unable to geocode"}).places == ()
    for raw in ({"error": "x"}, {"error": {"code": 500}}):
        with pytest.raises(wire.SaysError):
            wire.located(raw)
        with pytest.raises(wire.SaysError):
            wire.rows(raw)


@pytest.mark.parametrize("body", [b"", b"[", b"<html>", b"NaN", b'{"a": Infinity}', b"\xff\xfe\xfa", b"[" * 100_000])
def test_other_text_than_json_is_a_value_error(body: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - any of them
        wire.decode(body)


@pytest.mark.parametrize(
    ("body", "rows"),
    [(b"[]", []), (b" [ ] ", []), (b"\n[1 ,\t2 , [3]]\r\n", [1, 2, [3]]), ('["é"]'.encode("utf-16"), ["é"])],
)
def test_a_list_is_read_row_by_row(body: bytes, rows: list[object]) -> None:
    assert wire.decode(body) == json.loads(body) == rows


@pytest.mark.parametrize("body", [b"[1 2]", b"[1,]", b"[,1]", b"[1]]", b"[1] x", b"[1", b"[", b"[1;2]"])
def test_a_list_that_is_none_is_a_value_error(body: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - any of them
        wire.decode(body)


@pytest.mark.slow
@given(JSON.filter(lambda raw: "Infinity" not in json.dumps(raw) and "NaN" not in json.dumps(raw)))
def test_json_is_read_as_the_library_reads_it(raw: object) -> None:
    body = json.dumps(raw).encode()
    assert wire.decode(body) == json.loads(body)


def test_more_rows_than_anybody_asks_for_are_not_read() -> None:
    rows = "1," * wire.MOST_ROWS
    assert len(wire.decode(f"[{rows[:-1]}]".encode())) == wire.MOST_ROWS
    with pytest.raises(wire.TooManyRows):
        wire.decode(f"[{rows}1, not read any more".encode())


def test_values_longer_than_osm_allows_are_left_out() -> None:
    assert wire.place(row(display_name="x" * 5_001)) is None
    assert wire.place(row(type="x" * 1_001)) is None
    place = wire.place(row(name="x" * 1_001, address={"town": "y" * 1_001, "z" * 1_001: "a", "country": "Land"}))
    assert place is not None
    assert (len(place.name), place.address) == (1_000, {"country": "Land"})


@pytest.mark.slow
@given(JSON | st.lists(nearly_rows() | JSON, max_size=3))
def test_any_json_is_places_or_a_refusal_and_never_half_a_place(raw: object) -> None:
    for parse in (wire.rows, wire.located, wire.outlined):
        try:
            found = parse(raw)
        except (wire.NotWhatNominatimSends, wire.SaysError):
            continue
        for place in found.places:
            assert geometry.is_valid(place.bbox)
            assert geometry.area_km2(place.bbox) > 0
            assert place.name
            assert place.display_name
            assert place.category
            assert place.type
            assert (place.osm_type is None) == (place.osm_id is None)
            assert all(isinstance(part, str) for pair in place.address.items() for part in pair)
        assert all(geometry.is_valid(box) for box in found.boxes.values())


@given(st.binary(max_size=200))
def test_any_bytes_are_json_or_a_value_error(body: bytes) -> None:
    try:
        wire.decode(body)
    except ValueError:
        return


# Questions


def test_a_search_says_everything_it_was_told() -> None:
    query = SearchQuery(
        text="  The\tStrood ",
        limit=7,
        country_codes=("gb", "fr"),
        language="de",
        bounded=True,
        layer=("poi", "address"),
    )
    assert wire.search(query, BBox(0.5, 51, 1.5, 52)) == {
        "format": "jsonv2",
        "addressdetails": "1",
        "accept-language": "de",
        "q": "The Strood",
        "limit": "7",
        "namedetails": "1",
        "countrycodes": "gb,fr",
        "viewbox": "0.500000,51.000000,1.500000,52.000000",
        "bounded": "1",
        "layer": "address,poi",
    }


def test_a_search_by_parts_has_no_q() -> None:
    params = wire.search(SearchQuery(structured=Structured(city="Vaduz", postalcode="9490")), None)
    assert "q" not in params
    assert (params["city"], params["postalcode"]) == ("Vaduz", "9490")


def test_near_prefers_close_places_and_excludes_none() -> None:
    params = wire.search(SearchQuery(text="Strood", near=Point(51.8, 0.9)), None)
    west, south, east, north = map(float, params["viewbox"].split(","))
    assert west < 0.9 < east
    assert south < 51.8 < north
    assert "bounded" not in params


def test_near_180_the_larger_side_is_preferred() -> None:
    west, _, east, _ = map(
        float, wire.search(SearchQuery(text="x", near=Point(-16.5, 179.95)), None)["viewbox"].split(",")
    )
    assert -180 <= west < east <= 180


@pytest.mark.parametrize("limit", [-1, 0, 41, 1000])
def test_the_limit_stays_within_the_server_s(limit: int) -> None:
    assert 1 <= int(wire.search(SearchQuery(text="x", limit=limit), None)["limit"]) <= 40


@pytest.mark.parametrize("text", ["", "  ", "\x00", "\ud800", "\u200b\n"])
def test_a_query_without_a_printable_character_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        wire.search(SearchQuery(text=text), None)


@given(st.text())
def test_any_query_can_be_sent_or_is_refused(text: str) -> None:
    try:
        params = wire.search(SearchQuery(text=text), None)
    except BearingsError:
        return
    params["q"].encode()


@pytest.mark.parametrize(
    ("value", "text"), [(0.0, "0.000000"), (-0.0, "0.000000"), (-1e-9, "0.000000"), (5, "5.000000"), (1e-5, "0.000010")]
)
def test_coordinates_are_sent_without_exponent_or_minus_zero(value: float, text: str) -> None:
    params = wire.reverse(Point(value, value), 18, "en", ())
    assert (params["lat"], params["lon"]) == (text, text)


def test_a_search_by_tag_names_the_tag_and_the_point() -> None:
    asked = Tag("amenity", "cafe"), Point(51.78, 0.92), BBox(0.9, 51.7, 1, 51.9), "en"
    params = wire.tagged(*asked)
    assert params["q"] == "[amenity=cafe] 51.780000,0.920000"
    assert (params["bounded"], params["dedupe"], params["limit"]) == ("1", "0", "40")
    assert "exclude_place_ids" not in params
    assert wire.tagged(*asked, seen=[7, 5]) == params | {"exclude_place_ids": "7,5"}


def test_local_names_are_asked_for_with_a_tag_that_no_name_has() -> None:
    assert wire.reverse(Point(1, 2), 18, "local", ("poi",))["accept-language"] == "zxx"


def test_a_question_typed_differently_is_the_same_question() -> None:
    keys = {
        wire.canonical("search", wire.search(SearchQuery(text=text), None))
        for text in ("Café  de Paris", "cafe\u0301 de paris", " CAFÉ DE PARIS\n")
    }
    assert len(keys) == 1


@pytest.mark.parametrize(
    "other", [SearchQuery(text="x", limit=6), SearchQuery(text="x", language="fr"), SearchQuery(text="y")]
)
def test_another_question_is_another_key(other: SearchQuery) -> None:
    assert wire.canonical("search", wire.search(SearchQuery(text="x"), None)) != wire.canonical(
        "search", wire.search(other, None)
    )


# Polygons


def polygon(*rings: list[list[float]]) -> dict[str, Any]:
    return {"type": "MultiPolygon", "coordinates": [[ring] for ring in rings]}


def square(west: float, south: float, east: float, north: float) -> list[list[float]]:
    return [[west, south], [east, south], [east, north], [west, north], [west, south]]


def test_a_polygon_on_both_sides_of_180_has_a_box_across_it() -> None:
    fiji = polygon(square(177, -19, 180, -16), square(-180, -18, -178, -17))
    assert boxes.of_polygon(fiji, 0.01) == pytest.approx(BBox(176.99, -19.01, -177.99, -15.99))


def test_a_polygon_round_the_pole_stays_world_wide() -> None:
    assert boxes.of_polygon(polygon(square(-180, -90, 180, -60)), 0.01) == pytest.approx(BBox(-180, -90, 180, -59.99))


@pytest.mark.parametrize(
    "raw",
    [
        None,
        {},
        {"type": "Point", "coordinates": [1, 2]},
        {"type": "Polygon", "coordinates": None},
        {"type": "Polygon", "coordinates": []},
        {"type": "MultiPolygon", "coordinates": [[square(1, 1, 2, 2)], None]},
        {"type": "Polygon", "coordinates": [[["x", 1], [10**400, 2], [True, False]]]},
        {"type": "Polygon", "coordinates": [square(1, 1, 300, 2)]},
    ],
)
def test_an_incomplete_polygon_has_no_box(raw: object) -> None:
    assert boxes.of_polygon(raw, 0.01) is None


def test_the_boxes_of_a_lookup_are_by_osm_id() -> None:
    rows = [row(geojson=polygon(square(1, 2, 3, 4))), row(osm_type="way", osm_id=5)]
    assert wire.outlined(rows).boxes == {"R42": pytest.approx(BBox(0.99, 1.99, 3.01, 4.01))}


# A real server's replies


def test_recorded_replies_are_read_whole() -> None:
    read = 0
    for reply in oracle_replies():
        path, params = reply["request"]["path"], reply["request"]["params"]
        if reply["status"] != 200 or params.get("format") != "jsonv2" or "json_callback" in params:
            continue
        raw = wire.decode(reply["body"].encode())
        found = wire.located(raw) if path == "/reverse" else wire.rows(raw)
        assert found.skipped == 0
        expected = [raw] if isinstance(raw, dict) else raw
        assert len(found.places) == (0 if expected and "error" in expected[0] else len(expected))
        for place, said in zip(found.places, expected, strict=False):
            assert (place.osm_type, place.osm_id) == (said.get("osm_type"), said.get("osm_id"))
            assert place.address == said.get("address", {})
            assert place.display_name == said["display_name"]
            assert json.dumps(place.place_rank) == json.dumps(said["place_rank"])
        read += 1
    assert read > 40


def test_recorded_status_is_read() -> None:
    [body] = [r["body"] for r in oracle_replies() if r["request"]["params"] == {"format": "json"}]
    said = wire.server(wire.decode(body.encode()))
    assert said.ok
    assert said.software_version == "5.3.3"
    assert said.data_updated is None
    with pytest.raises(wire.NotWhatNominatimSends):
        wire.server([])
