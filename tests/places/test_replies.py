"""Replies: rounding, cleaning, absent fields, and their text form."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.places import geometry, replies
from bearings.places.models import (
    AdminLevel,
    Backend,
    BBox,
    Disputed,
    Found,
    Party,
    Place,
    Point,
    Provenance,
    TimeZone,
)
from bearings.reply import Reply

SOURCE = Provenance(Backend.GAZETTEER, "GeoNames, CC BY 4.0.", data_version="2026-05")
UPSTREAM = Provenance(
    Backend.NOMINATIM,
    "© OpenStreetMap contributors",
    host="nominatim.example",
    cached=True,
    age_s=61.26,
    degraded=True,
    reason="the\nserver is down",
)
BOULDER = Place(
    name="Boulder",
    display_name="Boulder, Colorado, United States",
    point=Point(40.01499984, -105.27049999),
    bbox=BBox(-105.3, 39.9, -105.1, 40.1),
    bbox_kind="estimated",
    category="place",
    type="city",
    place_rank=16,
    importance=0.612345,
    osm_type="relation",
    osm_id=112298,
    address={"country": "United States", "city": "Boulder", "country_code": "us"},
)
BARE = replace(BOULDER, importance=None, osm_type=None, osm_id=None, address={})
DENVER, AT_SEA = TimeZone("America/Denver"), TimeZone("Etc/GMT+7", nautical=True)
HERE = Disputed("Here", "buffer_zone", (Party("Here"),), (Party("Hither", "HI"), Party("Thither", "TH")), "An Atlas")
FIJI = replace(
    BOULDER, name="Fiji", display_name="Fiji", bbox=BBox(176.9, -20.7, -178.2, -12.4), bbox_kind="exact", place_rank=4
)


def geocoded(*places: Place, source: Provenance = SOURCE) -> replies.GeocodeReply:
    return replies.GeocodeReply.of(Found(places, source), "Ask for the city.")


def test_a_result_is_rounded_and_ordered_and_says_where_it_came_from() -> None:
    assert geocoded(BOULDER).structured() == {
        "success": True,
        "source": {"backend": "gazetteer", "cached": False, "data_version": "2026-05"},
        "attribution": "GeoNames, CC BY 4.0.",
        "results": [
            {
                "name": "Boulder",
                "display_name": "Boulder, Colorado, United States",
                "category": "place",
                "type": "city",
                "precision": "city",
                "place_rank": 16,
                "importance": 0.6123,
                "bbox": [-105.3, 39.9, -105.1, 40.1],
                "bbox_kind": "estimated",
                "osm_type": "relation",
                "osm_id": 112298,
                "address": {"city": "Boulder", "country": "United States", "country_code": "us"},
                "lat": 40.0149998,
                "lon": -105.2705,
            }
        ],
        "count": 1,
    }


def test_a_degraded_answer_says_why_on_one_line() -> None:
    assert geocoded(BARE, source=UPSTREAM).structured()["source"] == {
        "backend": "nominatim",
        "host": "nominatim.example",
        "cached": True,
        "age_s": 61.3,
        "degraded": True,
        "reason": "the server is down",
    }


def card(
    name: str, can: str, *, active: bool = False, fallback: bool = False, available: bool = False
) -> replies.BackendCard:
    return replies.BackendCard(
        name=name, active=active, fallback=fallback, available=available, can=can, enable="Set it."
    )


TEXTS: list[tuple[Reply, str]] = [
    (
        geocoded(BOULDER, BARE),
        """\
1. Boulder, Colorado, United States: 40.0149998, -105.2705
   city (place=city, place_rank 16, importance 0.6123)
   bbox [-105.3, 39.9, -105.1, 40.1] (estimated); relation 112298
   address: city Boulder; country United States; country_code us
2. Boulder, Colorado, United States: 40.0149998, -105.2705
   city (place=city, place_rank 16)
   bbox [-105.3, 39.9, -105.1, 40.1] (estimated)
Source: gazetteer, 2026-05. GeoNames, CC BY 4.0.""",
    ),
    (geocoded(), "Nothing found. Ask for the city.\nSource: gazetteer, 2026-05. GeoNames, CC BY 4.0."),
    (
        replies.ReverseReply.of(Point(40.0, -105.0), BARE, UPSTREAM),
        """\
Boulder, Colorado, United States
found at 40.0149998, -105.2705, 23099.0 m from 40, -105
plus code 85GQ2222+22; MGRS 13TEE0000027757
city (place=city, place_rank 16)
bbox [-105.3, 39.9, -105.1, 40.1] (estimated)
Source: nominatim, nominatim.example, cached, 61 s old, degraded, the server is down. © OpenStreetMap contributors""",
    ),
    (
        replies.ReverseReply.of(Point(40.0, -105.0), replace(BARE, time_zone=DENVER, disputed=(HERE,)), SOURCE),
        """\
Boulder, Colorado, United States
found at 40.0149998, -105.2705, 23099.0 m from 40, -105
plus code 85GQ2222+22; MGRS 13TEE0000027757
city (place=city, place_rank 16)
bbox [-105.3, 39.9, -105.1, 40.1] (estimated)
time zone: America/Denver
disputed: Here (buffer zone); administered by itself; claimed by Hither (HI), Thither (TH) (source: An Atlas)
Source: gazetteer, 2026-05. GeoNames, CC BY 4.0.""",
    ),
    (
        replies.ReverseReply.of(Point(40.0, -105.0), replace(BARE, time_zone=AT_SEA), SOURCE),
        """\
Boulder, Colorado, United States
found at 40.0149998, -105.2705, 23099.0 m from 40, -105
plus code 85GQ2222+22; MGRS 13TEE0000027757
city (place=city, place_rank 16)
bbox [-105.3, 39.9, -105.1, 40.1] (estimated)
time zone: Etc/GMT+7 (nautical: by longitude; the sign is IANA's, + is west of Greenwich)
Source: gazetteer, 2026-05. GeoNames, CC BY 4.0.""",
    ),
    (
        replies.BboxReply.of(FIJI, FIJI.bbox, SOURCE, "Mind the date line."),
        """\
Fiji
bbox [176.9, -20.7, -178.2, -12.4] (exact)
in pieces: [176.9, -20.7, 180, -12.4] and [-180, -20.7, -178.2, -12.4]
center -16.55, 179.35; area 481603 km²
relation 112298
Mind the date line.
Source: gazetteer, 2026-05. GeoNames, CC BY 4.0.""",
    ),
    (
        replies.AdminReply.of(
            [
                AdminLevel("country", "United States", "us", 2, "relation", 148838),
                AdminLevel("state", "Colorado", "US-CO"),
                AdminLevel("city", "Boulder"),
            ],
            {"country": "United States", "city": "Boulder", "postcode": "80302", "ISO3166-2-lvl4": "US-CO"},
            SOURCE,
        ),
        """\
country: United States (US, admin_level 2, relation 148838)
state: Colorado (US-CO)
city: Boulder
postcode: 80302
iso3166_2: US-CO
Source: gazetteer, 2026-05. GeoNames, CC BY 4.0.""",
    ),
    (
        replies.StatusReply(
            version="1.0",
            uptime_s=5.0,
            backend="gazetteer",
            why="it is the only one",
            fallbacks=["osm-index"],
            ready=False,
            detail="not built yet",
            language="en",
            requests_total=2,
            errors_total=1,
            last_error=replies.LastError(code="not_found", error="nothing", age_s=1.5),
            cache={"size": 2, "hit_rate": 0.5, "path": "somewhere"},
            limiter={"cooldown_s": 12.5, "reason": "asked to wait"},
            counters={},
            data_versions={"geonames": "2026-05"},
            attribution="GeoNames, CC BY 4.0.",
        ),
        """\
bearings 1.0, up 5.0 s
backend gazetteer (it is the only one): not ready; not built yet
if it doesn't answer: osm-index
language en; 2 requests, 1 failed
last error 1.5 s ago: not_found: nothing
cache: size 2; hit_rate 0.5; path somewhere
limiter: cooldown_s 12.5; reason asked to wait
data: geonames 2026-05
GeoNames, CC BY 4.0.""",
    ),
    (
        replies.CapabilitiesReply(
            version="1.0",
            tools=[
                replies.ToolCard(
                    name="find",
                    description="Find it.\n\nMore.",
                    parameters={"properties": {"query": {}, "limit": {}}, "required": ["query"]},
                )
            ],
            backends=[
                card("gazetteer", "Cities.", active=True, available=True),
                card("nominatim", "Streets.", available=True),
                card("osm-index", "Shops."),
                card("osm-index", "Shops.", fallback=True, available=True),
            ],
            tips=["Be exact."],
            integration=["Pass bboxes on."],
            usage_policy="Be kind.",
            attribution="GeoNames.",
        ),
        """\
bearings 1.0: geocoding tools
find(query, limit?): Find it.
backend gazetteer (active): Cities.
backend nominatim (available): Streets. Set it.
backend osm-index (off): Shops. Set it.
backend osm-index (fallback): Shops. Set it.
Be exact.
Pass bboxes on.
Be kind.
GeoNames.""",
    ),
]


@pytest.mark.parametrize(("reply", "text"), TEXTS, ids=[type(reply).__name__ for reply, _ in TEXTS])
def test_a_reply_reads_as_terse_text(reply: Reply, text: str) -> None:
    assert reply.to_text() == text


@pytest.mark.parametrize(
    ("rank", "name"),
    [
        (2, "continent"),
        (4, "country"),
        (8, "region"),
        (12, "county"),
        (16, "city"),
        (18, "town"),
        (19, "village"),
        (20, "neighbourhood"),
        (26, "street"),
        (30, "house"),
        (31, "house"),
    ],
)
def test_precision_follows_from_the_rank(rank: int, name: str) -> None:
    assert replies.precision(replace(BOULDER, place_rank=rank)) == name


@pytest.mark.parametrize(("category", "type_"), [("place", "region"), ("boundary", "protected_area")])
def test_the_precision_of_a_region_without_a_rank_is_its_kind(category: str, type_: str) -> None:
    assert replies.precision(replace(BOULDER, category=category, type=type_, place_rank=22)) == type_


def test_a_postcode_has_its_own_precision() -> None:
    assert replies.precision(replace(BOULDER, type="postcode", place_rank=21)) == "postcode"


def test_text_from_a_source_is_cleaned_in_both_forms() -> None:
    hostile = replace(BOULDER, name="\u202eevil\x1b[2J\nname", display_name="a\nb\x07", address={"ro\u202ead": "x\ty"})
    reply = geocoded(hostile)
    assert reply.results[0].name == "evil name"
    assert reply.results[0].display_name == "a b"
    assert reply.results[0].address == {"road": "x y"}
    assert reply.to_text().count("\n") == 4


def test_a_box_without_area_is_given_one() -> None:
    reply = replies.BboxReply.of(BOULDER, BBox(180.0, 10.0, 180.0, 10.0), SOURCE)
    assert reply.area_km2 > 0
    assert all(west < east and south < north for west, south, east, north in reply.bboxes)


edges = st.floats(-180, 180)


@given(edges, st.floats(-90, 90), edges, st.floats(-90, 90))
def test_every_box_of_a_reply_runs_eastward_and_has_an_area(west: float, a: float, east: float, b: float) -> None:
    reply = replies.BboxReply.of(BOULDER, BBox(west, min(a, b), east, max(a, b)), SOURCE)
    assert all(piece[0] < piece[2] and piece[1] < piece[3] for piece in reply.bboxes)
    assert geometry.contains(BBox(*reply.bbox), Point(reply.center.lat, reply.center.lon))
    assert reply.area_km2 > 0


@pytest.mark.parametrize(
    ("value", "text"), [(1e-07, "0.0000001"), (-0.00000001, "0"), (100.0, "100"), (-105.25, "-105.25")]
)
def test_degrees_have_no_exponent_and_no_minus_zero(value: float, text: str) -> None:
    assert replies.degrees(replies.rounded(value)) == text


def test_an_unknown_field_is_a_bug() -> None:
    with pytest.raises(TypeError):
        replies.Stop(lat=1, lon=2, height=3)  # type: ignore[call-arg]
