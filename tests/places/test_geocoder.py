"""The service: refused arguments, questions to the source, replies, and hints without an answer."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import bearings
from bearings.envfile import EnvFile
from bearings.errors import InvalidInput, NotFound, RateLimited, Unavailable, Unsupported
from bearings.places import arguments
from bearings.places.atlas.source import GazetteerSource
from bearings.places.geocoder import Geocoder
from bearings.places.models import BBox, LatLon, Point, SourceStatus, Structured
from bearings.places.nominatim.client import NominatimClient
from bearings.places.nominatim.settings import NominatimSettings
from bearings.places.nominatim.source import NominatimSource
from bearings.places.replies import NearbyReply
from bearings.places.settings import PlacesSettings
from bearings.places.source import PlaceSource
from bearings.progress import NoProgress
from tests.places.memory_source import ANTARCTICA, FIJI, MemorySource, ObjectSource, Partly, Standstill

pytestmark = pytest.mark.anyio


class Counting(ObjectSource):
    """A Nominatim with a detailed status."""

    async def status(self) -> SourceStatus:
        counters = {
            "requests": 7.0,
            "cache_size": 3.0,
            "cache_max": 1024.0,
            "cache_hits": 1.0,
            "cache_misses": 3.0,
            "cache_hit_rate": 0.25,
            "interval_s": 1.05,
            "next_slot_s": 0.0,
            "cooldown_s": 60.0,
        }
        return SourceStatus(
            self.backend,
            ready=True,
            detail="here",
            attribution="Everybody.",
            data_versions={"hand-made": "2"},
            counters=counters,
            cache_path="answers.db",
            cooldown_reason="asked to wait",
            usage_policy="Be kind.",
        )


def settings(**values: Any) -> PlacesSettings:
    return PlacesSettings(_env_file=None, **values)


def geocoder(source: MemorySource | None = None, clock: Standstill | None = None, **values: Any) -> Geocoder:
    return Geocoder(source or MemorySource(), settings=settings(**values), clock=clock or Standstill())


# Arguments


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({}, "query"),
        ({"query": " \t"}, "query"),
        ({"query": "a" * 501}, "query"),
        ({"query": "Paris", "structured": Structured(city="Paris")}, "structured"),
        ({"structured": Structured()}, "structured"),
        ({"structured": Structured(city=" ")}, "structured"),
        ({"structured": Structured(street="a" * 501)}, "structured.street"),
        ({"query": "Paris", "bounded": True}, "bounded"),
        ({"query": "Paris", "country_codes": "france"}, "country_codes"),
        ({"query": "Paris", "country_codes": ["fr", "1x"]}, "country_codes"),
        ({"query": "London", "country_codes": "UK"}, "country_codes"),
        ({"query": "Paris", "language": "english language"}, "language"),
        ({"query": "Paris", "language": ""}, "language"),
        ({"query": "Paris", "layer": "address,shops"}, "layer"),
        ({"query": "Paris", "near": LatLon(lat=91, lon=0)}, "near"),
        ({"query": "Paris", "near": LatLon(lat=0, lon=float("nan"))}, "near"),
        ({"query": "Paris", "viewbox": [1, 2, 3]}, "viewbox"),
        ({"query": "Paris", "viewbox": [0, 10, 1, 5]}, "viewbox"),
        ({"query": "Paris", "viewbox": [0, 10, 1, 95]}, "viewbox"),
        ({"query": "Paris", "viewbox": [0, 10, 0, 11]}, "viewbox"),
        ({"query": "Paris", "viewbox": [0, 10, 1, 10]}, "viewbox"),
    ],
)
async def test_an_invalid_argument_is_refused_by_name_before_the_source_is_asked(
    arguments: dict[str, Any], field: str
) -> None:
    source = MemorySource()
    with pytest.raises(InvalidInput) as refused:
        await geocoder(source).geocode(**arguments)
    assert refused.value.field == field
    assert refused.value.hint
    assert source.prepared == 0


@pytest.mark.parametrize(
    ("given", "codes"),
    [
        (None, ()),
        ("", ()),
        ("gb,fr", ("gb", "fr")),
        (" GB , fr,gb,", ("gb", "fr")),
        (["DE"], ("de",)),
        ([], ()),
    ],
)
async def test_country_codes_come_as_text_or_list(given: str | Sequence[str] | None, codes: tuple[str, ...]) -> None:
    assert arguments.country_codes(given) == codes


@pytest.mark.parametrize("tag", ["en", "pt-BR", "zh-Hant-TW", "ast", "de-CH-1996", "local"])
def test_language_tags_pass(tag: str) -> None:
    assert arguments.language("language", tag) == tag


@pytest.mark.parametrize(
    ("given", "box"),
    [
        (None, None),
        ([170, -20, -170, -10], BBox(170, -20, -170, -10)),
        ([170, -20, -180, -10], BBox(170, -20, 180, -10)),
        ([-180, -90, 180, 90], BBox(-180, -90, 180, 90)),
    ],
)
def test_a_viewbox_may_cross_180_degrees(given: list[float] | None, box: BBox | None) -> None:
    assert arguments.viewbox(given) == box


async def test_everything_asked_reaches_the_source() -> None:
    source = MemorySource()
    await geocoder(source, language="de").geocode(
        " Paris ",
        limit=3,
        country_codes="FR",
        near=LatLon(lat=48, lon=2),
        viewbox=[2, 48, 3, 49],
        bounded=True,
        layer="address",
    )
    await geocoder(source, language="de").geocode(
        structured=Structured(city=" Paris ", country="France", state=" "), language="local"
    )
    free, parts = source.asked
    assert (free.text, free.limit, free.country_codes, free.language) == ("Paris", 3, ("fr",), "de")
    assert (free.near, free.viewbox, free.bounded, free.layer) == (
        Point(48, 2),
        BBox(2, 48, 3, 49),
        True,
        ("address",),
    )
    assert (parts.text, parts.structured) == (None, Structured(city="Paris", country="France"))
    assert parts.language == "local"


# Answers


@pytest.mark.parametrize("query", ["東京", "Москва", "القاهرة", "München", "Munich, Bavaria"])
async def test_cities_are_found_in_their_own_script(query: str) -> None:
    reply = await geocoder().geocode(query)
    assert reply.count == 1
    assert reply.results[0].precision == "city"
    assert reply.hint is None


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ({"query": "Atlantis"}, ["gazetteer backend has", "Check the spelling", "points of interest import a map"]),
        (
            {"query": "10 Downing Street, London"},
            ["no streets", "street address", "bearings places import FILE.osm.pbf"],
        ),
        ({"structured": Structured(street="High Street", city="Paris")}, ["street address"]),
        ({"structured": Structured(city="Atlantis")}, ["Check the spelling"]),
        ({"query": "Paris", "country_codes": "jp"}, ["Only jp was searched"]),
        ({"query": "Paris", "viewbox": [10, 10, 20, 20], "bounded": True}, ["bounded=false"]),
        ({"query": "Atlantis", "layer": "poi"}, ["without layer"]),
    ],
)
async def test_an_empty_list_has_a_helpful_hint(question: dict[str, Any], says: list[str]) -> None:
    reply = await geocoder().geocode(**question)
    assert (reply.results, reply.count) == ([], 0)
    assert [words for words in says if words not in (reply.hint or "")] == []


async def test_a_point_is_named_as_finely_as_zoom_asks() -> None:
    service = geocoder()
    names = [(await service.reverse_geocode(48.86, 2.35, zoom=zoom)).name for zoom in (3, 5, 18)]
    assert names == ["France", "Île-de-France", "Paris"]


async def test_a_reverse_answer_tells_how_far_its_place_is() -> None:
    reply = await geocoder().reverse_geocode(48.86, 2.35)
    assert (reply.asked.lat, reply.asked.lon) == (48.86, 2.35)
    assert (reply.found.lat, reply.found.lon) == (48.8566, 2.3522)
    assert reply.distance_m == pytest.approx(410.7, abs=1)


async def test_open_sea_is_not_found_and_the_hint_has_a_next_step() -> None:
    service = geocoder()
    for question in (service.reverse_geocode(0, 0), service.admin_boundaries(0, 0)):
        with pytest.raises(NotFound, match="nothing at 0, 0") as missing:
            await question
        assert missing.value.hint.startswith("This is probably open sea.")


async def test_a_layer_that_hides_everything_is_named_in_the_hint() -> None:
    with pytest.raises(NotFound) as missing:
        await geocoder().reverse_geocode(0, 0, layer="poi")
    assert "without layer" in missing.value.hint


async def test_a_box_across_180_degrees_comes_whole_and_in_two() -> None:
    reply = await geocoder().bbox_from_place("Fiji")
    assert reply.bbox == [176.9, -20.7, -178.2, -12.4]
    assert reply.bboxes == [[176.9, -20.7, 180, -12.4], [-180, -20.7, -178.2, -12.4]]
    assert reply.center.lon == pytest.approx(179.35)
    assert reply.hint is None


async def test_a_box_says_what_of_the_query_it_does_not_use() -> None:
    reply = await geocoder().bbox_from_place("Fiji (remote)")
    assert reply.hint == "Not used: 'remote'."


async def test_padding_adds_its_fraction_on_each_side() -> None:
    reply = await geocoder().bbox_from_place("Colorado", padding=0.5)
    assert reply.bbox == pytest.approx([-112.65, 35, -98.45, 43])


@pytest.mark.parametrize(("query", "padding"), [("Antarctica", 0), ("Russia", 5)])
async def test_a_box_round_the_world_says_so(query: str, padding: float) -> None:
    reply = await geocoder().bbox_from_place(query, padding=padding)
    assert (reply.bbox[0], reply.bbox[2]) == (-180, 180)
    assert len(reply.bboxes) == 1
    assert "all longitudes" in (reply.hint or "")


async def test_a_place_without_extent_gets_a_box_with_an_area() -> None:
    speck = replace(FIJI, bbox=BBox(178.0, -17.8, 178.0, -17.8))
    reply = await geocoder(MemorySource([speck])).bbox_from_place("Fiji")
    assert reply.area_km2 > 0


async def test_a_box_of_an_unknown_place_is_not_found() -> None:
    with pytest.raises(NotFound, match="Atlantis") as missing:
        await geocoder().bbox_from_place("Atlantis")
    assert "gazetteer" in missing.value.hint


async def test_the_river_is_offered_for_an_unknown_basin() -> None:
    assert "ask for the river" in ((await geocoder().geocode("Atlantis basin")).hint or "")


async def test_a_box_for_a_query_with_an_unused_word_is_refused_with_the_place_without_it() -> None:
    with pytest.raises(NotFound, match="no place matches all of 'Fiji'") as refused:
        await geocoder(Partly(0.3, "4711")).bbox_from_place("Fiji")
    assert refused.value.hint == "Not used: '4711'. Without it, ask for one of: «Fiji»."
    assert (await geocoder(Partly(0.9, "96799")).bbox_from_place("Fiji")).place_name == "Fiji"


async def test_the_town_of_a_shop_comes_with_the_remedy() -> None:
    reply = await geocoder(Partly(0.3, "cafes near")).geocode("Fiji")
    assert (reply.count, reply.unused) == (1, ["cafes near"])
    assert "import a map of the area" in (reply.hint or "")
    assert (await geocoder(Partly(0.9, "the")).geocode("Fiji")).hint is None


async def test_a_box_of_an_unlikely_place_is_refused() -> None:
    with pytest.raises(NotFound, match="may be several places"):
        await geocoder(Partly(0.0)).bbox_from_place("Fiji")


async def test_boundaries_run_from_the_country_inward_with_codes() -> None:
    reply = await geocoder().admin_boundaries(40.015, -105.2705)
    assert [(area.level, area.name, area.code) for area in reply.boundaries] == [
        ("country", "United States", "US"),
        ("state", "Colorado", "US-CO"),
        ("city", "Boulder", None),
    ]
    assert (reply.country_code, reply.state, reply.city, reply.iso3166_2) == ("us", "Colorado", "Boulder", "US-CO")


async def test_the_pole_is_a_place_like_any_other() -> None:
    reply = await geocoder().reverse_geocode(-90, 0)
    assert reply.name == ANTARCTICA.name


# Nearby places


async def near(source: MemorySource, **arguments: Any) -> NearbyReply:
    return await geocoder(source).nearby_places(48.8566, 2.3522, **arguments)


async def test_nearby_places_come_by_distance_with_the_address_of_the_point() -> None:
    reply = await near(ObjectSource(), radius_km=2, categories=["shop", "transport"])
    assert [(place.name, place.category, place.osm_id) for place in reply.places] == [
        ("Hôtel de Ville", "railway", 13),
        ("Shakespeare and Company", "shop", 14),
    ]
    assert [place.distance_m for place in reply.places] == pytest.approx([89.3, 581.3], abs=1)
    assert reply.here == {"street": "Rue de Rivoli", "city": "Paris"}
    assert reply.categories.answered == ["shop", "transport"]
    assert (reply.complete, reply.hint, reply.count) == (True, None, 2)


async def test_a_kind_is_asked_for_by_its_tag() -> None:
    reply = await near(MemorySource(), categories=["cafe", "shop=bakery"])
    assert reply.categories.unsupported == ["amenity=cafe", "shop=bakery"]
    assert "has no amenity=cafe, shop=bakery" in (reply.hint or "")


async def test_a_limit_holds_for_each_category() -> None:
    reply = await near(ObjectSource(), radius_km=50, limit=1, categories="amenity,shop")
    assert sorted(place.name for place in reply.places) == ["Le Procope", "Shakespeare and Company"]


async def test_nothing_near_says_how_far_was_looked() -> None:
    reply = await near(ObjectSource(objects=()), radius_km=0.5)
    assert (reply.places, reply.count) == ([], 0)
    assert "within 0.5 km: try a greater radius_km" in (reply.hint or "")
    assert reply.to_text().startswith("here: street Rue de Rivoli, city Paris\nNothing found.\n")


async def test_nothing_within_the_greatest_radius_does_not_ask_for_a_greater() -> None:
    reply = await near(ObjectSource(objects=()), radius_km=50)
    assert "within 50 km." in (reply.hint or "")


async def test_a_category_that_failed_is_told_and_nothing_is_complete() -> None:
    reply = await near(ObjectSource(failing=["shop"]), categories="amenity,shop")
    assert (reply.categories.answered, reply.categories.failed) == (["amenity"], ["shop"])
    assert reply.complete is False
    assert "shop failed: ask again for these alone" in (reply.hint or "")


async def test_a_gazetteer_gives_settlements_and_names_the_setting_that_gives_more() -> None:
    reply = await near(MemorySource(), categories=None)
    assert [(place.name, place.type) for place in reply.places] == [("Paris", "city")]
    assert len(reply.categories.unsupported) == 7
    assert reply.complete is False
    assert "NOMINATIM_EMAIL" in (reply.hint or "")
    assert "not complete" in reply.to_text()


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"categories": "pubs"}, "categories"),
        ({"categories": ["amenity", "place"]}, "categories"),
        ({"radius_km": 0}, "radius_km"),
        ({"radius_km": 50.1}, "radius_km"),
        ({"radius_km": float("nan")}, "radius_km"),
        ({"language": "no such"}, "language"),
    ],
)
async def test_a_nearby_question_is_checked_before_the_source_is_asked(given: dict[str, Any], field: str) -> None:
    source = ObjectSource()
    with pytest.raises(InvalidInput) as refused:
        await near(source, **given)
    assert refused.value.field == field
    assert source.prepared == 0
    if field == "categories":
        assert "amenity, tourism, natural, historic, leisure, shop, transport" in refused.value.hint


@pytest.mark.parametrize("given", [None, "", [], "Amenity, amenity,tourism,natural,historic,leisure,shop,transport"])
def test_categories_come_as_text_or_list_and_none_means_all(given: str | list[str] | None) -> None:
    assert len(arguments.categories(given)) == 7


# Objects by id


async def test_objects_come_in_the_order_asked_and_those_that_are_not_there_are_named() -> None:
    reply = await geocoder(ObjectSource()).lookup_places(["n14", "W5", " N011 ", "N14"])
    assert [result.name for result in reply.results] == ["Shakespeare and Company", "Café de la Paix"]
    assert (reply.not_found, reply.count) == (["W5"], 2)
    assert reply.to_text().splitlines()[-2] == "Not found: W5"


@pytest.mark.parametrize("osm_id", ["", "14", "X1", "N", "N-1", "N1.5", "node/1", "N" + "9" * 19, "N１"])
async def test_a_malformed_osm_id_is_refused_by_its_number(osm_id: str) -> None:
    source = ObjectSource()
    with pytest.raises(InvalidInput, match="is no OSM id") as refused:
        await geocoder(source).lookup_places(["N1", osm_id])
    assert refused.value.field == "osm_ids.1"
    assert source.prepared == 0


async def test_a_gazetteer_has_no_objects_and_names_the_setting_that_gives_them() -> None:
    with pytest.raises(Unsupported) as refused:
        await geocoder().lookup_places(["N1"])
    assert "NOMINATIM_EMAIL" in refused.value.hint
    assert refused.value.hint.startswith("Choose a backend")


# Status


async def test_the_status_sorts_a_source_s_counters_and_names_the_stand_ins() -> None:
    service = Geocoder(Counting(), MemorySource(), settings=settings(), clock=Standstill())
    status = await service.status()
    assert status.fallbacks == ["gazetteer"]
    assert status.cache == {"size": 3, "max": 1024, "hits": 1, "misses": 3, "hit_rate": 0.25, "path": "answers.db"}
    limiter = {"interval_s": 1.05, "next_slot_s": 0, "cooldown_s": 60, "state": "cooling down"}
    assert status.limiter == {**limiter, "reason": "asked to wait"}
    assert status.counters == {"requests": 7}
    assert status.data_versions == {"hand-made": "2"}
    assert await service.usage_policy() == "Be kind."


def a_nominatim(directory: Path) -> NominatimSource:
    values = NominatimSettings.model_validate({"base_url": "http://127.0.0.1:9", "email": None, "rate_limit": None})
    return NominatimSource(NominatimClient(values, cache_dir=directory, pace_dir=directory), values)


@pytest.mark.parametrize("make", [MemorySource, GazetteerSource, a_nominatim])
async def test_status_has_the_fields_of_the_servers_before_with_every_backend(
    make: Callable[..., PlaceSource], tmp_path: Path
) -> None:
    source = make() if make is MemorySource else make(tmp_path)
    service = Geocoder(source, settings=settings(cache_dir=tmp_path), clock=Standstill())
    status = (await service.status()).structured()
    assert status["uptime_s"] >= 0
    assert (status["requests_total"], status["errors_total"]) == (0, 0)
    assert (status["version"], status["backend"]) == (bearings.__version__, source.backend)
    assert {"size", "max", "hits", "misses", "hit_rate", "path"} <= set(status["cache"])
    assert {"interval_s", "next_slot_s", "cooldown_s", "state"} <= set(status["limiter"])
    assert status["attribution"]
    await service.aclose()


async def test_without_a_path_of_its_own_only_an_embedded_source_keeps_files_in_the_cache_directory() -> None:
    embedded = await geocoder(cache_dir=Path("somewhere")).status()
    remote = await geocoder(ObjectSource(), cache_dir=Path("somewhere")).status()
    unused = {"size": 0, "max": 0, "hits": 0, "misses": 0, "hit_rate": 0}
    assert (embedded.cache, remote.cache) == ({**unused, "path": "somewhere"}, unused)
    assert embedded.limiter == {"interval_s": 0, "next_slot_s": 0, "cooldown_s": 0, "state": "no limit"}


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (MemorySource(), "No request leaves this machine"),
        (ObjectSource(), "https://operations.osmfoundation.org/policies/nominatim/"),
    ],
)
async def test_the_usage_policy_is_that_of_the_backend(source: MemorySource, says: str) -> None:
    assert says in await geocoder(source).usage_policy()


async def test_a_failure_that_a_stand_in_covered_is_the_last_error_all_the_same() -> None:
    down = ObjectSource(failure=RateLimited("slow down", "Wait.", retry_after_s=60))
    service = Geocoder(down, MemorySource(), settings=settings(), clock=Standstill())
    await service.geocode("Paris")
    status = await service.status()
    assert status.errors_total == 0
    assert status.last_error.code == "rate_limited"


async def test_an_unsupported_question_does_not_count_as_a_backend_s_error() -> None:
    service = geocoder()
    with pytest.raises(Unsupported):
        await service.lookup_places(["N1"])
    assert (await service.status()).last_error is None


async def test_the_service_is_ready_while_a_stand_in_is() -> None:
    cooling, standing = ObjectSource(), MemorySource()
    await standing.prepare(NoProgress())
    assert not await geocoder(cooling).is_ready()
    together = Geocoder(cooling, standing, settings=settings(), clock=Standstill())
    assert (await together.is_ready(), (await together.status()).ready) == (True, False)


async def test_status_counts_and_keeps_the_last_error_without_waking_the_source() -> None:
    source, clock = MemorySource(failure=Unavailable("no answer", "Try later.")), Standstill()
    service = geocoder(source, clock)
    before = await service.status()
    with pytest.raises(Unavailable):
        await service.geocode("Paris")
    await clock.sleep(12.34)
    source.failure = None
    await service.reverse_geocode(48.86, 2.35)
    after = await service.status()
    assert (before.ready, before.requests_total, before.last_error) == (False, 0, None)
    assert (after.ready, after.requests_total, after.errors_total) == (True, 2, 1)
    assert after.uptime_s == 12.3
    assert after.last_error is not None
    assert (after.last_error.code, after.last_error.age_s) == ("unavailable", 12.3)


async def test_a_question_without_an_answer_is_no_trouble_of_the_backend() -> None:
    service = geocoder()
    with pytest.raises(NotFound):
        await service.reverse_geocode(0, 0)
    status = await service.status()
    assert (status.requests_total, status.errors_total, status.last_error) == (1, 1, None)


async def test_closing_the_service_closes_its_sources() -> None:
    source, other = MemorySource(), ObjectSource()
    await Geocoder(source, other, settings=settings()).aclose()
    assert (source.closed, other.closed) == (1, 1)


def test_a_language_setting_that_is_none_is_refused_by_its_name() -> None:
    with pytest.raises(InvalidInput) as refused:
        geocoder(language="*")
    assert refused.value.field == "GEOCODER_LANGUAGE"


def test_backends_are_listed_with_their_abilities_and_how_to_enable_them() -> None:
    cards = {card.name: card for card in geocoder().backends()}
    states = {name: (card.active, card.fallback, card.available) for name, card in cards.items()}
    assert states == {
        "nominatim": (False, False, False),
        "osm-index": (False, False, False),
        "gazetteer": (True, False, True),
    }
    assert "NOMINATIM_EMAIL" in cards["nominatim"].enable


def test_a_stand_in_is_listed_as_one() -> None:
    service = Geocoder(ObjectSource(), MemorySource(), settings=settings())
    cards = {card.name: (card.active, card.fallback) for card in service.backends()}
    assert (cards["nominatim"], cards["gazetteer"]) == ((True, False), (False, True))


# Settings


def test_settings_come_from_the_environment_names(tmp_path: Path) -> None:
    said = {"GEOCODER_BACKEND": "gazetteer", "GEOCODER_LANGUAGE": "local", "GEOCODER_CACHE_DIR": str(tmp_path)}
    read = PlacesSettings(_env_file=EnvFile("mine", named=True, values=said))
    assert (read.backend, read.language, read.cache_dir) == ("gazetteer", "local", tmp_path)


def test_files_go_to_the_users_cache_unless_set() -> None:
    assert settings().cache_dir.parts[-1] == "bearings"
    assert settings(cache_dir=Path("~/here")).cache_dir == Path.home() / "here"


# Coordinates as queries


async def test_coordinates_answer_with_the_place_there_put_exactly_there() -> None:
    reply = await geocoder().geocode("40° 0′ 54″ N, 105° 16′ 14″ W")
    [found] = reply.results
    assert found.display_name == "Boulder, Colorado, United States"
    assert (found.lat, found.lon) == (40.015, -105.2705556)
    assert "Read as coordinates: latitude 40.015, longitude -105.2705556." in (reply.hint or "")
    assert "Read as coordinates" in reply.to_text()


async def test_coordinates_at_sea_answer_with_the_bare_point() -> None:
    reply = await geocoder().geocode("-30, -30")
    [found] = reply.results
    assert (found.display_name, found.type, found.lat, found.lon) == ("-30, -30", "coordinate", -30, -30)
    assert found.bbox_kind == "estimated"
    assert "knows no place there" in (reply.hint or "")


CODES = [
    ("85GP2P8H+", "Boulder", "exact", [-105.2725, 40.015, -105.27, 40.0175], 1.0, "plus code 85GP2P8H+"),
    ("2PGH+22 Boulder", "Boulder", "exact", [-105.2725, 40.025, -105.272375, 40.025125], 1.0, "plus code 85GP2PGH+22"),
    ("geohash:9xj", "Colorado", "exact", [-105.46875, 39.375, -104.0625, 40.78125], 1.0, "geohash 9xj"),
    ("9xj5sm", "Boulder", "exact", [-105.2819824, 40.0177002, -105.2709961, 40.0231934], 0.5, "geohash 9xj5sm"),
]


@pytest.mark.parametrize(("query", "name", "kind", "box", "confidence", "hint"), CODES, ids=[each[0] for each in CODES])
async def test_a_cell_answers_with_its_box_and_the_place_that_is_as_coarse(
    query: str, name: str, kind: str, box: list[float], confidence: float, hint: str
) -> None:
    reply = await geocoder().geocode(query)
    [found] = reply.results
    assert (found.name, found.bbox_kind, found.match, found.confidence) == (name, kind, "coordinate", confidence)
    assert found.bbox == pytest.approx(box, abs=1e-5)
    assert f"Read as {hint}:" in (reply.hint or "")


async def test_a_square_of_the_military_grid_has_an_estimated_box() -> None:
    [found] = (await geocoder().geocode("13T DE 77 29")).results
    assert found.bbox_kind == "estimated"
    assert found.bbox[2] - found.bbox[0] == pytest.approx(1 / 111.2 / 0.766, rel=0.02)


async def test_a_short_plus_code_near_no_place_finds_nothing() -> None:
    reply = await geocoder().geocode("9G8F+6X Atlantis")
    assert (reply.results, reply.hint is None) == ([], False)


async def test_what_stands_beside_coordinates_is_not_used() -> None:
    reply = await geocoder().geocode("Paris 40.0150, -105.2700, 10m")
    assert reply.results == []
    reply = await geocoder().geocode("Paris 40.0150, -105.2700")
    assert (reply.results[0].name, reply.unused) == ("Boulder", ["Paris"])


@pytest.mark.parametrize("narrowed", [{"country_codes": "fr"}, {"viewbox": [0, 40, 10, 50], "bounded": True}])
async def test_coordinates_outside_the_requested_area_find_nothing(narrowed: dict[str, Any]) -> None:
    assert (await geocoder().geocode("40.015, -105.27", **narrowed)).results == []


@pytest.mark.parametrize("query", ["91, 181", "EPSG:4326", "9G8F+6X", "///filled.count.soap", "R112298"])
async def test_an_impossible_place_is_refused_with_a_remedy_before_the_source_is_asked(query: str) -> None:
    source = MemorySource()
    asking = geocoder(source)
    for question in (asking.geocode(query), asking.bbox_from_place(query)):
        with pytest.raises(InvalidInput) as refused:
            await question
        assert refused.value.field == "query"
        assert refused.value.hint.endswith(".")
    assert source.prepared == 0


async def test_the_box_of_coordinates_holds_them() -> None:
    for query, kind in (("40.015, -105.27", "estimated"), ("-30, -30", "estimated")):
        reply = await geocoder().bbox_from_place(query)
        west, south, east, north = reply.bbox
        lat, lon = map(float, query.split(", "))
        assert west < lon < east
        assert south < lat < north
        assert reply.bbox_kind == kind
        assert "Read as coordinates" in (reply.hint or "")


async def test_an_empty_answer_to_a_postcode_names_the_postcode() -> None:
    reply = await geocoder().geocode("10115 Nirgendwo")
    assert "10115 looks like a postcode" in (reply.hint or "")
