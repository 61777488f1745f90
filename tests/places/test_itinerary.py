"""Batches, routes and matrices: order, partial answers, repeated questions, and the time limit."""

import itertools
from dataclasses import replace
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.errors import BearingsError, Blocked, InvalidInput, NotFound, RateLimited, Unavailable
from bearings.places import geometry
from bearings.places.arguments import Spot, spots
from bearings.places.geocoder import Geocoder
from bearings.places.itinerary import BUDGET_S, Itinerary
from bearings.places.models import Backend, BBox, Found, Point, Provenance, SearchQuery
from bearings.places.query import parse
from bearings.places.replies import BatchReply, MatrixReply, RouteReply, Stop
from bearings.places.replies.journeys import Journey, together
from bearings.places.settings import PlacesSettings
from bearings.untrusted import clean_line
from tests.places.memory_source import FIJI, MemorySource, ObjectSource, Partly, SlowSource, Timepiece

pytestmark = pytest.mark.anyio

SOURCE = Provenance(Backend.GAZETTEER, "GeoNames.")
DOWN = Unavailable("the server can't be reached", "Try later.")


class Heard:
    def __init__(self) -> None:
        self.reports: list[tuple[float, float | None]] = []

    def update(self, done: float, total: float | None, message: str) -> None:
        self.reports.append((done, total))


def itinerary(*sources: MemorySource, clock: Timepiece | None = None, backend: str = "auto") -> Itinerary:
    settings = PlacesSettings(_env_file=None, backend=backend)
    return Itinerary(Geocoder(*(sources or (MemorySource(),)), settings=settings, clock=clock or Timepiece()))


def outcomes(reply: BatchReply) -> list[str]:
    """The first place of each item, or its error's code."""
    return [item.error.code if item.error else (item.results or [])[0].display_name for item in reply.items]


# Batches


async def test_each_query_gets_its_answer_or_its_error_in_order() -> None:
    source = MemorySource(refusals={"Cairo": NotFound("gone", "Look.")})
    queries = ["Boulder", " ", "Atlantis", "a" * 501, "Cairo", "東京"]
    reply = await itinerary(source).batch_geocode(queries)
    assert outcomes(reply) == [
        "Boulder, Colorado, United States",
        "invalid_input",
        "not_found",
        "invalid_input",
        "not_found",
        "Tokyo, Japan",
    ]
    assert [item.query for item in reply.items[:3]] == ["Boulder", "", "Atlantis"]
    assert (reply.total, reply.answered, reply.failed, reply.remaining) == (6, 2, 4, [])
    assert reply.items[1].error.error.startswith("queries.1")
    assert "gazetteer backend has" in (reply.hint or "")


async def test_an_error_in_a_batch_has_the_body_that_a_tools_error_has() -> None:
    reply = await itinerary(ObjectSource(failure=RateLimited("busy", "Wait.", retry_after_s=7.0))).batch_geocode(
        ["Suva"]
    )
    assert reply.structured()["items"] == [
        {
            "query": "Suva",
            "error": {
                "success": False,
                "error": "busy",
                "code": "rate_limited",
                "hint": "Wait.",
                "retryable": True,
                "retry_after_s": 7.0,
            },
        }
    ]
    assert (reply.answered, reply.source.backend) == (0, "nominatim")


async def test_an_item_of_a_batch_lists_its_unused_words() -> None:
    reply = await itinerary(Partly(0.3, "4711")).batch_geocode(["Fiji"])
    assert reply.items[0].unused == ["4711"]
    assert "   not used: 4711" in reply.to_text().splitlines()
    assert (await itinerary().batch_geocode(["Fiji"])).items[0].unused is None


async def test_an_unsure_stop_is_refused_with_the_possible_places() -> None:
    reply = await itinerary(Partly(0.3, "4711")).route_waypoints(["Fiji", [1, 2]])
    assert reply.points[0].error.error == "no place matches all of 'Fiji'"
    assert reply.points[0].error.hint == "Not used: '4711'. Without it, ask for one of: «Fiji»."
    with pytest.raises(NotFound, match="may be several places"):
        await itinerary(Partly(0.49)).distance_matrix(["Fiji", "Fiji"])


async def test_queries_that_differ_in_white_space_are_asked_once() -> None:
    source, heard = MemorySource(), Heard()
    reply = await itinerary(source).batch_geocode(["Paris", "Suva", " Paris ", "Munich,\n Bavaria", "Munich, Bavaria"])
    assert [query.text for query in source.asked] == ["Paris", "Suva", "Munich, Bavaria"]
    assert outcomes(reply)[0] == outcomes(reply)[2]
    await itinerary().batch_geocode(["Paris", "Suva", "Paris"], progress=heard)
    assert heard.reports[-2:] == [(1, 2), (2, 2)]


async def test_the_filters_of_a_batch_reach_every_search() -> None:
    source = MemorySource()
    reply = await itinerary(source).batch_geocode(["Paris", "Boulder"], limit=3, country_codes="us", language="fr")
    assert {(one.limit, one.country_codes, one.language) for one in source.asked} == {(3, ("us",), "fr")}
    assert outcomes(reply)[0] == "Paris, Texas, United States"


@pytest.mark.parametrize("given", [{"country_codes": "france"}, {"language": "no such"}])
async def test_a_filter_that_makes_no_sense_refuses_the_batch(given: dict[str, Any]) -> None:
    source = MemorySource()
    with pytest.raises(InvalidInput):
        await itinerary(source).batch_geocode(["Paris"], **given)
    assert source.prepared == 0


async def test_after_the_time_limit_the_answers_come_back_and_the_rest_is_named() -> None:
    clock = Timepiece()
    source = SlowSource(clock, BUDGET_S / 2.5)
    reply = await itinerary(source, clock=clock).batch_geocode(["Paris", "Suva", "Cairo", "Paris", "Moscow"])
    assert [item.query for item in reply.items] == ["Paris", "Suva", "Paris"]
    assert (reply.remaining, reply.total, reply.failed) == (["Cairo", "Moscow"], 5, 0)
    assert "another" in (reply.hint or "")
    assert [query.text for query in source.asked] == ["Paris", "Suva"]
    assert "not asked: Cairo; Moscow" in reply.to_text()


async def test_a_batch_that_is_cancelled_asks_no_more() -> None:
    clock = Timepiece()
    source = SlowSource(clock, 1)
    with anyio.CancelScope() as scope:

        class Impatient:
            def update(self, done: float, total: float | None, message: str) -> None:
                if done == 2:
                    scope.cancel()

        await itinerary(source, clock=clock).batch_geocode(["Paris", "Suva", "Cairo"], progress=Impatient())
    assert scope.cancelled_caught
    assert [query.text for query in source.asked] == ["Paris", "Suva"]


@pytest.mark.parametrize("trouble", [DOWN, RateLimited("busy", "Wait."), Blocked("refused", "Stop.")])
async def test_a_server_in_trouble_is_not_asked_for_the_rest_and_each_item_says_so(trouble: BearingsError) -> None:
    source = ObjectSource(refusals={"Suva": trouble})
    reply = await itinerary(source).batch_geocode(["Paris", "Suva", "Cairo", "Moscow"])
    assert [query.text for query in source.asked] == ["Paris", "Suva"]
    assert outcomes(reply)[1:] == [trouble.code] * 3
    assert [item.error.error.startswith("not asked") for item in reply.items[1:]] == [False, True, True]
    assert reply.answered == 1


async def test_a_stand_in_answers_the_rest_of_a_batch_and_its_items_say_so() -> None:
    source, stand_in = ObjectSource(refusals={"Suva": DOWN}), MemorySource()
    reply = await itinerary(source, stand_in).batch_geocode(["Paris", "Suva", "Cairo", "Atlantis"])
    assert [query.text for query in stand_in.asked] == ["Suva", "Cairo", "Atlantis"]
    assert outcomes(reply)[3] == "unavailable"
    assert (reply.source.backend, reply.source.degraded, reply.source.reason) == ("gazetteer", True, DOWN.error)
    assert [item.source.backend if item.source else None for item in reply.items] == ["nominatim", None, None, None]


async def test_a_batch_reads_as_text_and_repeats_nothing() -> None:
    reply = await itinerary().batch_geocode(["Fiji", "Atlantis", "Fiji"])
    lines = reply.to_text().splitlines()
    assert lines[:3] == ["2 of 3 answered, 1 failed, 0 not asked", "1. Fiji:", "   1. Fiji: -17.8, 178"]
    assert any(line.startswith("2. Atlantis: not_found: no place matches 'Atlantis'") for line in lines)
    assert "3. Fiji: as 1." in lines
    assert lines[-1].startswith("Source: gazetteer")


@pytest.mark.parametrize(
    ("source", "line"),
    [
        (replace(SOURCE, degraded=True, reason="down"), "   source: gazetteer, degraded: down"),
        (SOURCE, "   source: gazetteer"),
    ],
)
async def test_an_item_from_another_source_says_so_in_text(source: Provenance, line: str) -> None:
    reply = BatchReply.of([("Fiji", Found((FIJI,), source))], [], Provenance(Backend.NOMINATIM, "OSM."), None)
    assert line in reply.to_text().splitlines()


class Fussy(MemorySource):
    """Can't be prepared."""

    async def prepare(self, progress: Any) -> None:
        raise DOWN


async def test_a_source_that_can_not_be_made_ready_is_met_again_at_the_first_question() -> None:
    assert outcomes(await itinerary(Fussy()).batch_geocode(["Paris"])) == ["unavailable"]


@pytest.mark.slow
@given(st.lists(st.sampled_from(["Paris", "Boulder", "Suva", "Atlantis", "", " Paris", "x" * 501]), min_size=1))
def test_a_batch_keeps_count_and_order(queries: list[str]) -> None:
    source = MemorySource()
    reply = anyio.run(lambda: itinerary(source).batch_geocode(queries))
    assert [item.query for item in reply.items] == [clean_line(query, 500) for query in queries]
    assert (reply.answered + reply.failed, reply.total) == (len(queries), len(queries))
    assert len(source.asked) == len({query.text for query in source.asked})


# Routes


async def test_a_route_has_legs_between_neighbours_a_total_and_a_box() -> None:
    reply = await itinerary().route_waypoints(["Paris", [48.137, 11.575], {"name": "camp", "lat": 55.75, "lon": 37.62}])
    assert [(point.name, point.display_name) for point in reply.points] == [
        ("Paris", "Paris, Île-de-France, France"),
        (None, None),
        ("camp", None),
    ]
    assert [(leg.start, leg.end) for leg in reply.legs] == [(0, 1), (1, 2)]
    assert reply.legs[0].distance_m == pytest.approx(684_600, rel=0.01)
    assert (reply.complete, reply.remaining, reply.hint) == (True, [], None)
    assert reply.bbox == [2.3522, 48.137, 37.62, 55.75]


async def test_a_waypoint_not_found_stands_in_its_place_and_breaks_the_line() -> None:
    reply = await itinerary().route_waypoints(["Paris", "Atlantis", "Cairo", "Moscow"])
    assert [point.error.code if point.error else None for point in reply.points] == [None, "not_found", None, None]
    assert [(leg.start, leg.end) for leg in reply.legs] == [(2, 3)]
    assert reply.complete is False
    assert "not complete" in reply.to_text()
    assert "gazetteer backend has" in (reply.hint or "")


async def test_a_route_across_180_degrees_takes_the_smallest_arc() -> None:
    reply = await itinerary().route_waypoints([[-18, 179], [-17, -179]])
    assert reply.bbox == [179, -18, -179, -17]
    assert reply.bboxes == [[179, -18, 180, -17], [-180, -18, -179, -17]]


async def test_a_route_of_one_place_has_a_box_with_an_area() -> None:
    reply = await itinerary().route_waypoints(["Suva", "Suva"])
    west, south, east, north = reply.bbox
    assert west < east
    assert south < north
    assert reply.total_distance_m == 0


async def test_a_route_of_positions_asks_no_source() -> None:
    source = MemorySource(failure=DOWN)
    reply = await itinerary(source).route_waypoints([[0, 0], [0, 1]])
    assert (source.prepared, source.asked) == (0, [])
    assert reply.source.backend == "gazetteer"


async def test_a_waypoint_that_time_did_not_suffice_for_says_so() -> None:
    clock = Timepiece()
    reply = await itinerary(SlowSource(clock, 30), clock=clock).route_waypoints(["Paris", "Suva", "Cairo"])
    assert [point.error.code if point.error else None for point in reply.points] == [None, "timeout", "timeout"]
    assert reply.remaining == ["Suva", "Cairo"]
    assert (reply.legs, reply.total_distance_m, reply.complete) == ([], 0, False)


@pytest.mark.parametrize(
    ("source", "error"), [(MemorySource(), NotFound), (ObjectSource(failure=DOWN), Unavailable)], ids=["none", "down"]
)
async def test_without_any_point_the_first_error_is_raised(source: MemorySource, error: type[BearingsError]) -> None:
    for question in (
        itinerary(source).route_waypoints(["Atlantis", "Lemuria"]),
        itinerary(source).distance_matrix(["Atlantis", "Lemuria"]),
    ):
        with pytest.raises(error):
            await question


async def test_a_route_reads_as_text() -> None:
    reply = await itinerary().route_waypoints(["Fiji", [-17.8, -178], "Atlantis"])
    assert reply.to_text().splitlines()[:5] == [
        "0. Fiji: Fiji (country) -17.8, 178",
        "1. -17.8, -178 (+423.5 km)".replace("423.5", f"{reply.legs[0].distance_m / 1000:.1f}"),
        "2. Atlantis: not_found: no place matches 'Atlantis'. Try another spelling, or its region or country too.",
        f"total {reply.total_distance_m / 1000:.1f} km, great circle "
        "(not complete: the legs of points not found are missing)",
        "bbox [178, -17.80005, 180, -17.79995] and [-180, -17.80005, -178, -17.79995]",
    ]


positions = st.builds(Point, st.floats(-90, 90), st.floats(-180, 180))
known = st.lists(st.one_of(st.none(), positions), min_size=2, max_size=12).filter(any)


def journey(points: list[Point | None]) -> Journey:
    stops = [Stop() if point is None else Stop.at(point) for point in points]
    return Journey(stops, points, [], SOURCE, None)


@given(known)
def test_the_total_is_the_sum_of_the_legs_and_each_leg_joins_neighbours(points: list[Point | None]) -> None:
    reply = RouteReply.of(journey(points))
    assert reply.total_distance_m == pytest.approx(sum(leg.distance_m for leg in reply.legs), abs=0.05)
    both = [n for n, (a, b) in enumerate(itertools.pairwise(points)) if a is not None and b is not None]
    assert [(leg.start, leg.end) for leg in reply.legs] == [(n, n + 1) for n in both]
    assert reply.complete is (None not in points)
    grown = BBox(*reply.bbox)
    assert all(
        geometry.distance_m(point, geometry.center(grown)) < 1 or geometry.contains(geometry.padded(grown, 1e-3), point)
        for point in points
        if point
    )


# Matrices


@given(known)
def test_a_matrix_is_square_symmetric_and_zero_on_its_diagonal(points: list[Point | None]) -> None:
    rows = MatrixReply.of(journey(points)).distances_m
    assert [len(row) for row in rows] == [len(points)] * len(points)
    assert rows == [list(column) for column in zip(*rows, strict=True)]
    for number, point in enumerate(points):
        assert rows[number][number] == (None if point is None else 0)
        for other, end in enumerate(points):
            distance = rows[number][other]
            assert (distance is None) is (point is None or end is None)
            if point is not None and end is not None:
                assert distance == pytest.approx(geometry.distance_m(point, end), abs=0.06)


async def test_names_in_a_matrix_are_asked_once_and_those_not_found_are_null() -> None:
    source = MemorySource()
    reply = await itinerary(source).distance_matrix(["Paris", "Atlantis", " Paris ", [48.8566, 2.3522], "Cairo"])
    assert [query.text for query in source.asked] == ["Paris", "Atlantis", "Cairo"]
    assert reply.distances_m[0][:4] == [0, None, 0, 0]
    assert reply.distances_m[1] == [None] * 5
    assert reply.distances_m[0][4] == reply.distances_m[4][0] == pytest.approx(3_210_000, rel=0.01)
    assert (reply.complete, reply.points[1].error.code) == (False, "not_found")


async def test_a_matrix_reads_as_its_lower_triangle() -> None:
    reply = await itinerary().distance_matrix([[0, 0], [0, 1], "Atlantis", [0, 2]])
    assert reply.to_text().splitlines()[4:8] == [
        "metres (great circle) from each point to those before it:",
        "1: 111194.9",
        "2: - -",
        "3: 222389.9 111194.9 -",
    ]


async def test_the_largest_matrix_has_a_hundred_rows() -> None:
    reply = await itinerary().distance_matrix([[n / 2, n] for n in range(100)])
    assert len(reply.structured()["distances_m"]) == 100


# Spellings of a point


@pytest.mark.parametrize(
    ("given", "spot"),
    [
        (" Paris ", Spot("Paris")),
        ("Paris, Texas", Spot("Paris, Texas")),
        ("48.8, 2.35", Spot(point=Point(48.8, 2.35))),
        ("-18,-179.5", Spot(point=Point(-18, -179.5))),
        ([48.8, 2], Spot(point=Point(48.8, 2))),
        (["48.8", "2"], Spot(point=Point(48.8, 2))),
        ((48.8, 2), Spot(point=Point(48.8, 2))),
        ({"lat": 48.8, "lon": 2}, Spot(point=Point(48.8, 2))),
        ({"latitude": 48.8, "lng": 2, "name": None}, Spot(point=Point(48.8, 2))),
        ({"name": " camp ", "lat": 48.8, "lon": 2}, Spot("camp", Point(48.8, 2))),
        ({"name": " ", "lat": 48.8, "lon": 2}, Spot(None, Point(48.8, 2))),
        ({"name": "Paris"}, Spot("Paris")),
    ],
)
def test_a_point_is_a_name_a_position_or_both(given: object, spot: Spot) -> None:
    assert spots("points", [given]) == (spot,)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        (None, "points.1"),
        (5, "points.1"),
        ([], "points.1"),
        ([1], "points.1"),
        ([1, 2, 3], "points.1"),
        (["a", "b"], "points.1"),
        ([True, 2], "points.1"),
        ([91, 0], "points.1"),
        ([0, 181], "points.1"),
        ([float("nan"), 0], "points.1"),
        ([10**400, 0], "points.1"),
        ("95.5, 10", "points.1"),
        (" ", "points.1"),
        ("a" * 501, "points.1"),
        ({}, "points.1"),
        ({"lat": 1}, "points.1"),
        ({"name": "Paris", "lon": 1}, "points.1"),
        ({"lat": {}, "lon": 1}, "points.1.lat"),
        ({"lat": 1, "lon": "x"}, "points.1.lon"),
        ({"name": 5}, "points.1.name"),
        ({"name": " "}, "points.1.name"),
        ({"lat": 1, "lon": 2, "alt\x1b": 3}, "points.1.alt\\x1b"),
    ],
)
async def test_a_malformed_point_is_refused_by_its_number(given: object, field: str) -> None:
    source = MemorySource()
    with pytest.raises(InvalidInput) as refused:
        await itinerary(source).distance_matrix(["Paris", given])
    assert refused.value.field == field
    assert refused.value.hint
    assert source.prepared == 0


# One source for many answers


def test_many_answers_are_as_old_as_the_oldest_and_degraded_if_one_is() -> None:
    osm = Provenance(Backend.NOMINATIM, "OSM.", host="here", cached=True, age_s=5)
    old = Provenance(Backend.NOMINATIM, "OSM.", host="here", cached=False, age_s=50)
    poor = Provenance(Backend.GAZETTEER, "GeoNames.", degraded=True, reason="down")
    assert together([], SOURCE) == SOURCE
    assert together([osm, osm], SOURCE) == osm
    assert together([osm, old], SOURCE) == Provenance(Backend.NOMINATIM, "OSM.", host="here", cached=False, age_s=50)
    mixed = together([osm, poor], SOURCE)
    assert (mixed.backend, mixed.reason, mixed.attribution, mixed.age_s) == (
        Backend.GAZETTEER,
        "down",
        "OSM.; GeoNames.",
        5,
    )


async def test_coordinates_in_any_form_are_places_of_a_batch_and_points_of_a_route() -> None:
    batch = await itinerary().batch_geocode(["40°0′54″N 105°16′14″W", "91, 181"])
    [found] = batch.items[0].results or []
    assert (found.lat, found.lon, found.name) == (40.015, -105.2705556, "Boulder")
    assert batch.items[1].error is not None
    assert "queries.1" in batch.items[1].error.error
    assert batch.items[1].error.code == "invalid_input"
    route = await itinerary().route_waypoints(["geo:40.015,-105.27", {"name": "48°51′24″N 2°21′8″E"}])
    assert [(stop.lat, stop.lon) for stop in route.points] == [(40.015, -105.27), (48.8566667, 2.3522222)]


@pytest.mark.parametrize("spot", ["91, 181", "EPSG:4326", {"name": "91, 181"}])
async def test_a_point_that_can_be_no_place_is_refused_by_its_number(spot: object) -> None:
    with pytest.raises(InvalidInput, match=r"points\.1"):
        await itinerary().distance_matrix(["Paris", spot])


async def test_a_search_of_a_batch_is_a_search_like_any_other() -> None:
    source = MemorySource()
    await itinerary(source).batch_geocode(["Paris"])
    assert source.asked == [SearchQuery(text="Paris", limit=1, parsed=parse("Paris"))]
