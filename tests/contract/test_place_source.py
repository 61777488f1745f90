"""The contract of every source of places, for any data: one suite, each implementation.

An implementation must know the names in its `World`. None knows land near 0, 0 or in the middle of the seas.
"""

import os
from collections.abc import Awaitable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TypeVar, get_args
from zoneinfo import ZoneInfo

import anyio
import pytest

from bearings.errors import BearingsError, Unsupported
from bearings.places import address, geometry, shapes
from bearings.places.categories import Category, belongs
from bearings.places.models import BBox, Match, Place, Point, Provenance, SearchQuery, Structured
from bearings.places.outlines import Detail, Outline, Parts
from bearings.places.source import PlaceSource
from bearings.progress import NoProgress
from tests.contract.conftest import MakeSource
from tests.contract.worlds import World

Answer = TypeVar("Answer")

pytestmark = pytest.mark.anyio

SEAS = [Point(0.0, 0.0), Point(-40.0, -120.0), Point(30.0, -40.0)]
PARTS: tuple[Parts, ...] = get_args(Parts)
ZOOMS = [3, 5, 8, 10, 12, 13, 14, 16, 18]

HOSTILE = [
    "'; DROP TABLE places; --",
    '" OR 1=1',
    "* NEAR/3 (AND",
    'a" "b* ^c -d :e {f} [g]',
    "%_%",
    "\\",
    "\x00",
    "\ud800",
    "\u202egnirob\u202c",
    "a" * 500,
    "é" * 500,
    "🏔️" * 100,
    ", , ,",
    "\n\t ",
    "',',",
    "１２３",
]


def sane(place: Place) -> bool:
    """Whether a place is plausible: named, in a box of positive area, and its point in the box or within 50 km."""
    near = geometry.contains(place.bbox, place.point) or any(
        geometry.contains(geometry.around(place.point, 50_000), corner)
        for corner in (Point(place.bbox.south, place.bbox.west), Point(place.bbox.north, place.bbox.east))
    )
    named = bool(place.name.strip() and place.display_name.strip() and place.category and place.type)
    ranked = 0 <= place.place_rank <= 30 and (place.importance is None or 0 <= place.importance <= 1)
    return named and ranked and near and geometry.is_valid(place.bbox) and geometry.area_km2(place.bbox) > 0


def honest(provenance: Provenance, source: PlaceSource) -> bool:
    """Whether an answer has its backend and an attribution."""
    return provenance.backend == source.backend and bool(provenance.attribution.strip())


async def answered(question: Awaitable[Answer], refusal: type[BearingsError] = BearingsError) -> Answer | None:
    """The answer; None if the source refuses with a remedy."""
    try:
        return await question
    except refusal as error:
        if not error.hint:
            raise
        return None


# Searching


async def test_a_known_name_is_found_first_where_it_is(source: PlaceSource, world: World) -> None:
    for known in world.known:
        found = await source.search(SearchQuery(text=known.query))
        best = found.places[0]
        assert best.address["country_code"] == known.country, known.query
        assert geometry.distance_m(best.point, known.where) / 1000 < known.within_km, known.query


async def test_a_query_in_parts_finds_the_same_place_as_the_text(source: PlaceSource, world: World) -> None:
    found = await source.search(SearchQuery(structured=world.parts))
    assert geometry.distance_m(found.places[0].point, world.city.where) / 1000 < world.city.within_km


@pytest.mark.parametrize("limit", [1, 2, 40])
async def test_no_more_places_come_than_were_asked_for_and_all_are_sane(
    source: PlaceSource, world: World, limit: int
) -> None:
    for known in world.known:
        found = await source.search(SearchQuery(text=known.query, limit=limit))
        assert 1 <= len(found.places) <= limit, known.query
        assert [place for place in found.places if not sane(place)] == []
        assert honest(found.provenance, source)


async def test_no_place_comes_from_outside_the_countries_asked_for(source: PlaceSource, world: World) -> None:
    city = world.city
    for codes in [(city.country,), (world.abroad[0], city.country), *((code,) for code in world.abroad)]:
        found = await source.search(SearchQuery(text=city.query, country_codes=codes, limit=40))
        assert {place.address["country_code"] for place in found.places} <= set(codes)
        if city.country in codes:
            assert geometry.distance_m(found.places[0].point, city.where) / 1000 < city.within_km


async def test_no_place_comes_from_outside_a_bounded_viewbox(source: PlaceSource, world: World) -> None:
    for viewbox in (world.around, world.elsewhere, BBox(170, -25, -170, -10), BBox(179.9, -27, -179.9, -26)):
        for known in world.known:
            found = await source.search(SearchQuery(text=known.query, viewbox=viewbox, bounded=True, limit=40))
            assert all(geometry.intersects(place.bbox, viewbox) for place in found.places)


async def test_a_viewbox_that_holds_the_place_does_not_hide_it(source: PlaceSource, world: World) -> None:
    found = await source.search(SearchQuery(text=world.city.query, viewbox=world.around, bounded=True))
    assert geometry.distance_m(found.places[0].point, world.city.where) / 1000 < world.city.within_km


async def test_a_country_across_180_degrees_has_a_narrow_box(source: PlaceSource, world: World) -> None:
    found = await source.search(SearchQuery(text=world.wide.query, limit=1))
    box = found.places[0].bbox
    assert geometry.width(box) < world.wide_deg
    assert geometry.contains(box, world.wide_holds)


@pytest.mark.parametrize("query", ["qzxvkjw", "wqpzx vvbnk", "xqzzyqx, qqzv", "99999999"])
async def test_nothing_is_invented_for_nonsense(source: PlaceSource, query: str) -> None:
    found = await source.search(SearchQuery(text=query))
    assert found.places == ()
    assert honest(found.provenance, source)


async def test_an_address_never_becomes_a_place_in_another_country(source: PlaceSource) -> None:
    found = await source.search(SearchQuery(text="10 Downing Street, London", limit=40))
    assert {place.address["country_code"] for place in found.places} <= {"gb"}


# The match of an answer


async def test_a_place_says_how_its_name_fits_and_how_sure_it_is(source: PlaceSource, world: World) -> None:
    for known in world.known:
        found = await source.search(SearchQuery(text=known.query))
        best = found.places[0]
        assert best.match in (Match.EXACT, Match.ALTERNATE), known.query
        assert (best.confidence or 0.0) >= 0.5, known.query
        assert found.unused == ()
        assert all(place.confidence is not None and 0.0 <= place.confidence <= 1.0 for place in found.places)


@pytest.mark.parametrize("limit", [1, 5])
async def test_how_sure_a_place_is_does_not_hang_on_how_many_are_wanted(
    source: PlaceSource, world: World, limit: int
) -> None:
    for known in world.known:
        few = await source.search(SearchQuery(text=known.query, limit=limit))
        more = await source.search(SearchQuery(text=known.query))
        assert few.places[0].confidence == more.places[0].confidence, known.query


async def test_a_number_that_names_nothing_is_not_answered_or_told(source: PlaceSource, world: World) -> None:
    for known in world.known:
        found = await source.search(SearchQuery(text=f"4711 {known.query}"))
        assert not found.places or "4711" in found.unused, known.query


async def test_a_place_at_a_point_holds_it_or_is_the_nearest(source: PlaceSource, world: World) -> None:
    for point, _ in world.lands:
        for zoom in ZOOMS:
            place = (await source.reverse(point, zoom=zoom, language="en")).place
            assert place is not None
            assert place.match in (Match.COORDINATE, Match.WITHIN, Match.NEAREST)
            assert place.match is not Match.COORDINATE or geometry.contains(place.bbox, point)


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
async def test_hostile_text_raises_nothing_but_our_errors(source: PlaceSource, text: str) -> None:
    for query in (SearchQuery(text=text), SearchQuery(structured=Structured(city=text, country=text))):
        found = await answered(source.search(query))
        assert found is None or len(found.places) <= query.limit
        assert found is None or all(sane(place) for place in found.places)


@pytest.mark.parametrize("language", ["en", "fr", "ja", "pt-BR", "local", "zxx"])
async def test_any_language_gets_the_same_place(source: PlaceSource, world: World, language: str) -> None:
    found = await source.search(SearchQuery(text=world.foreign.query, language=language, limit=1))
    assert geometry.distance_m(found.places[0].point, world.foreign.where) / 1000 < world.foreign.within_km
    assert sane(found.places[0])


# Outlines and parts


def shaped(outline: Outline | None) -> bool:
    """Whether an outline has a valid shape on Earth without parts across 180°, or a reason for having none."""
    if outline is None or outline.shape is None:
        return outline is not None and bool(outline.note)
    west, south, east, north = outline.shape.bounds
    on_earth = -180 <= west <= east <= 180 and -90 <= south <= north <= 90
    cut = all(part.bounds[2] - part.bounds[0] <= 180 or part.bounds[1] < -60 for part in shapes.parts_of(outline.shape))
    return on_earth and cut and outline.shape.is_valid and outline.tolerance_m >= 0


@pytest.mark.parametrize("detail", ["simplified", "full"])
async def test_each_place_has_an_outline_or_says_why_not(source: PlaceSource, world: World, detail: Detail) -> None:
    for known in world.known:
        plain = await source.search(SearchQuery(text=known.query, limit=2))
        found = await source.search(SearchQuery(text=known.query, limit=2, geometry=detail))
        assert [replace(place, outline=None) for place in found.places] == list(plain.places), "only outlines are more"
        assert all(place.outline is None for place in plain.places)
        assert all(shaped(place.outline) for place in found.places), known.query


async def test_the_box_of_an_outline_is_the_box_of_the_place(source: PlaceSource, world: World) -> None:
    for known in (world.wide, world.country):
        found = await source.search(SearchQuery(text=known.query, limit=1, geometry="full"))
        place = found.places[0]
        assert place.outline is not None
        assert place.outline.shape is not None
        margin = (place.outline.tolerance_m + 100) / shapes.DEG_M + 0.01
        box = shapes.box_of(place.outline.shape)
        wider = geometry.padded(place.bbox, margin / min(geometry.width(place.bbox), geometry.height(place.bbox)))
        assert geometry.encloses(wider, box), known.query
        if found.provenance.data != "core":  # it has no small islands
            assert all(abs(edge - true) <= margin for edge, true in zip(box, place.bbox, strict=True)), known.query


@pytest.mark.slow
async def test_areas_have_outlines_too(source: PlaceSource, world: World) -> None:
    for point, _ in world.lands:
        areas = await source.admin(point, language="en", geometry="simplified")
        assert all(shaped(area.outline) for area in areas.levels)
        assert any(area.outline.shape is not None for area in areas.levels)


async def test_a_main_part_lies_in_the_whole_and_all_parts_hold_it(source: PlaceSource, world: World) -> None:
    for known in (world.wide, world.country):
        boxes = {}
        for parts in PARTS:
            query = SearchQuery(text=known.query, limit=1, parts=parts, geometry="simplified")
            place = (await source.search(query)).places[0]
            assert sane(place)
            assert place.bbox_kind == "exact"
            assert shaped(place.outline)
            boxes[parts] = place.bbox
        own = geometry.padded(boxes["own"], 0.02)
        assert geometry.encloses(own, boxes["main"]), known.query
        assert geometry.encloses(geometry.padded(boxes["all"], 0.02), boxes["own"]), known.query


# Points


@pytest.mark.parametrize("point", SEAS)
async def test_no_country_is_at_sea(source: PlaceSource, point: Point) -> None:
    located = await source.reverse(point, zoom=18, language="en")
    areas = await source.admin(point, language="en")
    assert located.place is None or "country" not in located.place.address
    assert areas.levels == ()
    assert honest(located.provenance, source)
    assert honest(areas.provenance, source)


async def test_a_greater_zoom_is_never_coarser(source: PlaceSource, world: World) -> None:
    for point, _ in world.lands:
        answers = [await source.reverse(point, zoom=zoom, language="en") for zoom in ZOOMS]
        places = [answer.place for answer in answers if answer.place is not None]
        ranks = [place.place_rank for place in places]
        assert len(places) == len(ZOOMS)
        assert all(map(sane, places))
        assert ranks == sorted(ranks)
        assert ranks[0] == 4, "zoom 3 is the country"


async def test_the_areas_of_a_point_run_from_its_country_inward(source: PlaceSource, world: World) -> None:
    for point, country in world.lands:
        areas = await source.admin(point, language="en")
        order = [address.LEVELS.index(area.level) for area in areas.levels]
        assert areas.levels[0].level == "country"
        assert (areas.levels[0].code or "").lower() == country
        assert order == sorted(order)
        assert all(area.name.strip() for area in areas.levels)
        assert areas.address["country_code"] == country


@pytest.mark.parametrize(
    "point", [Point(90.0, 0.0), Point(-90.0, 0.0), Point(-18.0, 180.0), Point(-18.0, -180.0), Point(0.0, 180.0)]
)
async def test_poles_and_180_degrees_are_points_like_any_other(source: PlaceSource, point: Point) -> None:
    located = await source.reverse(point, zoom=10, language="en")
    areas = await source.admin(point, language="en")
    assert located.place is None or sane(located.place)
    assert len({area.level for area in areas.levels}) == len(areas.levels)


async def test_a_time_zone_that_is_told_is_one_that_programs_know_and_near_the_sun_s(
    source: PlaceSource, world: World
) -> None:
    for point, _ in world.lands:
        located = await source.reverse(point, zoom=18, language="en")
        told = located.place.time_zone if located.place else None
        if told is not None:
            offset = datetime(2026, 1, 15, tzinfo=ZoneInfo(told.id)).utcoffset()
            assert offset is not None
            assert abs(offset.total_seconds() / 3600 - point.lon / 15) <= 3
            assert not told.nautical


async def test_no_dispute_is_made_up(source: PlaceSource, world: World) -> None:
    for point, _ in world.lands:
        located = await source.reverse(point, zoom=18, language="en")
        areas = await source.admin(point, language="en")
        assert (located.place.disputed if located.place else ()) == areas.disputed == ()


# Optional abilities


NEAR = [
    (["amenity"], 2_000.0, 5),
    (["amenity", "shop"], 20_000.0, 1),
    ([str(category) for category in Category], 1_000.0, 3),
    (["transport"], 50_000.0, 40),
]


@pytest.mark.parametrize(("categories", "radius_m", "limit"), NEAR, ids=["one", "two", "all", "far"])
@pytest.mark.parametrize("elsewhere", [None, Point(-18.14, 179.9999), Point(89.9, 0.0)], ids=["home", "180°", "pole"])
async def test_nearby_places_are_sorted_within_the_radius_and_accounted_for(
    source: PlaceSource, world: World, elsewhere: Point | None, categories: list[str], radius_m: float, limit: int
) -> None:
    point = elsewhere or world.home
    question = source.nearby(point, radius_m=radius_m, categories=categories, limit=limit, language="en")
    around = await answered(question, Unsupported)
    if around is None:
        return
    distances = [near.distance_m for near in around.places]
    assert distances == sorted(distances)
    assert all(distance <= radius_m for distance in distances)
    assert all(near.distance_m == pytest.approx(geometry.distance_m(point, near.place.point)) for near in around.places)
    assert all(near.place.name.strip() and sane(near.place) for near in around.places)
    assert len(around.places) <= limit * len({*around.answered, *around.failed})
    assert len(set(map(repr, around.places))) == len(around.places), "each object once"
    accounted = [*around.answered, *around.failed, *around.unsupported]
    assert set(categories) <= set(accounted)
    assert len(set(accounted)) == len(accounted), "no category is two things"
    assert not (around.complete and (around.failed or around.unsupported))
    assert all(name.strip() for name in around.here.values())
    assert honest(around.provenance, source)


async def test_nearby_places_have_an_answered_category(source: PlaceSource, world: World) -> None:
    question = source.nearby(world.home, radius_m=5_000, categories=["amenity", "shop"], limit=5, language="en")
    around = await answered(question, Unsupported)
    for near in around.places if around else ():
        kinds = {str(one) for one in Category if belongs(one, near.place.category, near.place.type)}
        told = {*around.answered, *around.failed}
        assert (kinds or {near.place.category}) & told, f"{near.place.category}={near.place.type} was not asked for"


async def test_nothing_is_near_in_the_middle_of_the_sea(source: PlaceSource) -> None:
    question = source.nearby(SEAS[1], radius_m=1_000, categories=["natural"], limit=5, language="en")
    around = await answered(question, Unsupported)
    assert around is None or around.places == ()


async def test_objects_are_looked_up_or_another_backend_is_named(source: PlaceSource) -> None:
    found = await answered(source.lookup(["N0", "R999999999999"], language="en"), Unsupported)
    assert found is None or found.places == ()


async def test_a_place_that_was_found_can_be_looked_up_by_its_id(source: PlaceSource, world: World) -> None:
    searched = await source.search(SearchQuery(text=world.country.query, limit=1))
    place = searched.places[0]
    if place.osm_type is None:
        return
    osm_id = f"{place.osm_type[0].upper()}{place.osm_id}"
    found = await answered(source.lookup([osm_id, "N0"], language="en"), Unsupported)
    if found is None:
        return
    assert [(one.osm_type, one.osm_id) for one in found.places] == [(place.osm_type, place.osm_id)]
    assert sane(found.places[0])
    assert honest(found.provenance, source)
    with_outline = await source.lookup([osm_id, "N0"], language="en", geometry="simplified")
    assert shaped(with_outline.places[0].outline)


# Life cycle


async def test_status_prepares_nothing(make_source: MakeSource, tmp_path: Path) -> None:
    fresh = make_source(tmp_path)
    status = await fresh.status()
    assert status.backend == fresh.backend
    assert status.attribution
    assert status.detail
    assert os.listdir(tmp_path) == []  # noqa: PTH208 - a quick look, from an async test
    await fresh.aclose()


async def test_status_is_ready_once_prepared(source: PlaceSource) -> None:
    assert (await source.status()).ready


async def test_preparing_and_closing_twice_is_harmless(make_source: MakeSource, source_directory: Path) -> None:
    made = make_source(source_directory)
    for _ in range(2):
        await made.prepare(NoProgress())
    for _ in range(2):
        await made.aclose()


async def test_a_source_prepares_itself_when_asked(
    make_source: MakeSource, source_directory: Path, world: World
) -> None:
    made = make_source(source_directory)
    found = await made.search(SearchQuery(text=world.city.query))
    assert found.places
    await made.aclose()


async def test_a_cancelled_search_leaves_the_source_usable(source: PlaceSource, world: World) -> None:
    with anyio.CancelScope() as scope:
        scope.cancel()
        await source.search(SearchQuery(text=world.city.query, limit=40))
    found = await source.search(SearchQuery(text=world.city.query))
    assert found.places


async def test_questions_at_once_get_the_answers_that_they_get_alone(source: PlaceSource, world: World) -> None:
    names = [known.query for known in world.known]
    alone = {name: (await source.search(SearchQuery(text=name))).places for name in names}
    together: dict[int, tuple[str, tuple[Place, ...]]] = {}

    async def ask(number: int, name: str) -> None:
        together[number] = (name, (await source.search(SearchQuery(text=name))).places)

    async with anyio.create_task_group() as group:
        for number in range(20):
            group.start_soon(ask, number, names[number % len(names)])
    assert len(together) == 20
    assert all(places == alone[name] for name, places in together.values())
