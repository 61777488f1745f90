"""The backend that answers, its stand-ins, and the error if none answers."""

from dataclasses import replace
from typing import Any

import pytest

from bearings.errors import (
    BadResponse,
    BearingsError,
    Blocked,
    DeadlineExceeded,
    InvalidInput,
    NotFound,
    RateLimited,
    Unavailable,
    Unsupported,
    WriteFailed,
)
from bearings.places.backends import Choice, Preference, SourceChain, advisers_to_add, choose, preferences
from bearings.places.geocoder import Geocoder
from bearings.places.models import Backend, Found, SearchQuery
from bearings.places.settings import PlacesSettings
from bearings.progress import NoProgress
from tests.places.memory_source import POIS, MemorySource, ObjectSource, Standstill

pytestmark = pytest.mark.anyio

NOMINATIM, INDEX, GAZETTEER = Backend.NOMINATIM, Backend.OSM_INDEX, Backend.GAZETTEER


class IndexSource(ObjectSource):
    """The same world as an imported index."""

    @property
    def backend(self) -> Backend:
        return INDEX


def down(**more: Any) -> ObjectSource:
    return ObjectSource(failure=Unavailable("the server can't be reached", "Try later."), **more)


def geocoder(*sources: MemorySource, backend: str = "auto") -> Geocoder:
    return Geocoder(*sources, settings=PlacesSettings(_env_file=None, backend=backend), clock=Standstill())


# Preferences


@pytest.mark.parametrize(
    ("known", "order"),
    [
        ({}, [GAZETTEER]),
        ({"consent": True}, [NOMINATIM, GAZETTEER]),
        ({"own_url": True}, [NOMINATIM, GAZETTEER]),
        ({"own_url": True, "consent": True}, [NOMINATIM, GAZETTEER]),
        ({"index": True}, [INDEX, GAZETTEER]),
        ({"index": True, "consent": True}, [INDEX, NOMINATIM, GAZETTEER]),
        ({"index": True, "own_url": True}, [NOMINATIM, INDEX, GAZETTEER]),
        ({"index": True, "own_url": True, "consent": True}, [NOMINATIM, INDEX, GAZETTEER]),
    ],
)
def test_auto_prefers_an_own_server_then_an_index_then_the_public_server(
    known: dict[str, bool], order: list[Backend]
) -> None:
    assert [preference.backend for preference in preferences("auto", **known)] == order


@pytest.mark.parametrize(
    ("known", "says"),
    [
        ({}, "neither NOMINATIM_EMAIL nor NOMINATIM_BASE_URL is set"),
        ({"consent": True}, "NOMINATIM_EMAIL is set"),
        ({"own_url": True, "consent": True}, "NOMINATIM_BASE_URL is set"),
        ({"index": True}, "imported"),
    ],
)
def test_the_first_preference_tells_the_setting_that_made_it_so(known: dict[str, bool], says: str) -> None:
    assert says in preferences(" Auto ", **known)[0].why


@pytest.mark.parametrize("backend", Backend)
def test_an_explicit_backend_comes_alone(backend: Backend) -> None:
    found = preferences(f" {backend.value.upper()}", own_url=True, consent=True, index=True)
    assert found == (Preference(backend, f"GEOCODER_BACKEND is {backend}"),)


def test_an_index_that_was_not_imported_is_refused() -> None:
    with pytest.raises(Unsupported, match="imported"):
        preferences("osm-index")


def test_a_backend_that_does_not_exist_is_refused_with_those_that_do() -> None:
    for refuse in (lambda: preferences("google"), lambda: choose("google", [MemorySource()])):
        with pytest.raises(InvalidInput) as refused:
            refuse()
        assert "auto, nominatim, gazetteer, osm-index" in refused.value.hint


# The choice among the available sources


@pytest.mark.parametrize(
    ("backend", "chosen", "behind"),
    [
        ("auto", NOMINATIM, [INDEX, GAZETTEER]),
        (" AUTO ", NOMINATIM, [INDEX, GAZETTEER]),
        ("gazetteer", GAZETTEER, []),
        ("nominatim", NOMINATIM, []),
        ("osm-index", INDEX, []),
    ],
)
def test_only_auto_has_stand_ins(backend: str, chosen: Backend, behind: list[Backend]) -> None:
    choice = choose(backend, [ObjectSource(), IndexSource(), MemorySource()])
    assert choice.source.backend == chosen
    assert [source.backend for source in choice.stand_ins] == behind
    assert backend.strip().casefold() in choice.why


def test_the_atlas_stands_in_for_a_map() -> None:
    choice = choose("auto", [IndexSource(), ObjectSource(), MemorySource()])
    assert [source.backend for source in choice.stand_ins] == [GAZETTEER]
    assert choose("auto", [MemorySource()]).stand_ins == ()


def test_the_reason_is_told_with_the_choice() -> None:
    reasons = preferences("auto", own_url=True)
    assert choose("auto", [ObjectSource(), MemorySource()], reasons).why == (
        "GEOCODER_BACKEND is auto and NOMINATIM_BASE_URL is set"
    )
    assert choose("auto", [ObjectSource(), MemorySource()]).why == "GEOCODER_BACKEND is auto"
    assert "it is the only backend" in choose("auto", [MemorySource()]).why


@pytest.mark.parametrize("backend", ["nominatim", "osm-index"])
def test_a_backend_that_is_not_there_is_refused(backend: str) -> None:
    with pytest.raises(Unsupported) as refused:
        geocoder(MemorySource(), backend=backend)
    assert "Set GEOCODER_BACKEND to gazetteer" in refused.value.hint


# Falling back

FAILURES = [
    Unavailable("is down", "Wait."),
    DeadlineExceeded("is slow", "Wait."),
    RateLimited("is busy", "Wait.", retry_after_s=5),
    Blocked("refuses", "Stop."),
    BadResponse("babbles", "Report it."),
]


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: failure.code)
async def test_a_server_that_does_not_answer_is_stood_in_for_and_the_answer_says_so(failure: BearingsError) -> None:
    reply = await geocoder(ObjectSource(failure=failure), MemorySource()).geocode("Paris", limit=1)
    assert reply.results[0].name == "Paris"
    assert (reply.source.backend, reply.source.degraded, reply.source.reason) == ("gazetteer", True, failure.error)


async def test_each_kind_of_question_falls_back() -> None:
    service = geocoder(down(), MemorySource())
    replies = [
        await service.geocode("Paris"),
        await service.reverse_geocode(48.86, 2.35),
        await service.bbox_from_place("Fiji"),
        await service.admin_boundaries(48.86, 2.35),
    ]
    assert [(reply.source.backend, reply.source.degraded) for reply in replies] == [("gazetteer", True)] * 4


async def test_the_first_error_stands_where_no_stand_in_has_an_answer() -> None:
    service = geocoder(down(), MemorySource())
    for question in (
        service.geocode("Atlantis"),
        service.reverse_geocode(0, 0),
        service.bbox_from_place("Atlantis"),
        service.admin_boundaries(0, 0),
        service.lookup_places(["N1"]),
        service.nearby_places(48.8566, 2.3522, categories="amenity"),
    ):
        with pytest.raises(Unavailable, match="can't be reached"):
            await question


async def test_the_first_error_stands_where_the_stand_in_fails_too() -> None:
    full = MemorySource(failure=WriteFailed("the disk is full", "Free it."))
    with pytest.raises(Unavailable):
        await geocoder(down(), full).geocode("Paris")


async def test_the_first_stand_in_that_knows_answers() -> None:
    reply = await geocoder(down(), IndexSource(()), MemorySource()).geocode("Paris")
    assert reply.source.backend == "gazetteer"
    around = await geocoder(down(), IndexSource(), MemorySource()).nearby_places(48.8566, 2.3522)
    assert (around.source.backend, around.source.degraded) == ("osm-index", True)


@pytest.mark.parametrize(
    ("service", "error"),
    [
        (geocoder(down(), MemorySource(), backend="nominatim"), Unavailable),
        (geocoder(ObjectSource(failure=NotFound("nothing", "")), MemorySource()), NotFound),
        (geocoder(ObjectSource(failure=InvalidInput("q", 1, "is bad", "")), MemorySource()), InvalidInput),
        (geocoder(ObjectSource(failure=Unsupported("no", "Never.")), MemorySource()), Unsupported),
    ],
    ids=["explicit", "not found", "invalid", "unsupported"],
)
async def test_other_errors_and_a_backend_chosen_by_name_do_not_fall_back(
    service: Geocoder, error: type[BearingsError]
) -> None:
    with pytest.raises(error) as raised:
        await service.geocode("Paris")
    assert "NOMINATIM" not in raised.value.hint


async def test_an_empty_answer_is_an_answer_and_does_not_fall_back() -> None:
    stand_in = MemorySource()
    reply = await geocoder(ObjectSource(()), stand_in).geocode("Paris")
    assert (reply.count, reply.source.backend, reply.source.degraded) == (0, "nominatim", None)


# Suggesting


@pytest.mark.parametrize("backend", ["auto", "nominatim"])
async def test_the_embedded_sources_suggest_places_that_a_nominatim_does_not_find(backend: str) -> None:
    reply = await geocoder(ObjectSource(()), MemorySource(), backend=backend).geocode("Paris")
    assert (reply.results, reply.source.backend) == ([], "nominatim")
    assert [(one.name, one.backend) for one in reply.suggestions or ()] == [("Paris", "gazetteer")] * 2
    assert "Did you mean Paris, Île-de-France, France (from the gazetteer)?" in reply.to_text()


async def test_suggestions_carry_their_source_s_attribution() -> None:
    class Other(MemorySource):
        async def search(self, query: SearchQuery) -> Found:
            found = await super().search(query)
            return replace(found, provenance=replace(found.provenance, attribution="By others"))

    reply = await geocoder(ObjectSource(()), Other()).geocode("Paris")
    assert reply.attribution.endswith("; By others")


async def test_a_source_that_finds_something_is_not_advised() -> None:
    adviser = MemorySource()
    reply = await geocoder(ObjectSource(), adviser).geocode("Paris")
    assert reply.results
    assert (reply.suggestions, adviser.asked) == (None, [])


async def test_an_adviser_that_fails_or_knows_nothing_is_passed_over() -> None:
    broken = MemorySource(failure=Unsupported("no street", ""))
    reply = await geocoder(ObjectSource(()), broken).geocode("Paris")
    assert (reply.results, reply.suggestions) == ([], None)
    reply = await geocoder(ObjectSource(()), IndexSource(()), MemorySource()).geocode("Paris")
    assert [one.backend for one in reply.suggestions or ()] == ["gazetteer"] * 2


async def test_a_tool_with_one_place_as_answer_names_the_possible_ones() -> None:
    service = geocoder(ObjectSource(()), MemorySource())
    with pytest.raises(NotFound) as refused:
        await service.bbox_from_place("Paris")
    assert refused.value.hint.startswith("The gazetteer knows what may be meant. Did you mean one of: «Paris, ")


@pytest.mark.parametrize(
    ("setting", "made"),
    [("nominatim", (Backend.GAZETTEER,)), ("auto", ()), ("gazetteer", ())],
)
def test_a_nominatim_alone_is_given_an_adviser(setting: str, made: tuple[Backend, ...]) -> None:
    chosen = [preference.backend for preference in preferences(setting, own_url=True)]
    assert advisers_to_add(chosen) == made


# One round of questions


async def asked(chain: SourceChain, text: str) -> Found:
    return await chain.ask(lambda source: source.search(SearchQuery(text=text)))


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: failure.code)
async def test_a_server_in_lasting_trouble_is_left_alone_for_the_rest_of_a_round(failure: BearingsError) -> None:
    source, noted = ObjectSource(refusals={"Paris": failure}), list[BearingsError]()
    chain = SourceChain(choose("auto", [source, MemorySource()]), NoProgress(), noted.append)
    first, second = await asked(chain, "Paris"), await asked(chain, "Boulder")
    lasting = not isinstance(failure, DeadlineExceeded | BadResponse)
    assert len(source.asked) == (1 if lasting else 2)
    assert (first.provenance.degraded, second.provenance.degraded) == (True, lasting)
    assert first.provenance.reason == failure.error
    assert noted == [failure]


async def test_a_source_in_trouble_is_not_asked_and_the_error_says_so() -> None:
    source = ObjectSource(refusals={"Paris": RateLimited("busy", "Wait.", retry_after_s=7)})
    chain = SourceChain(choose("nominatim", [source]), NoProgress(), lambda _: None)
    for text, message in (
        ("Paris", "busy"),
        ("Boulder", "not asked, because busy"),
        ("Suva", "not asked, because busy"),
    ):
        with pytest.raises(RateLimited) as refused:
            await asked(chain, text)
        assert (refused.value.error, refused.value.hint, refused.value.retry_after_s) == (message, "Wait.", 7)
    assert len(source.asked) == 1


async def test_objects_of_an_index_are_found_while_the_server_is_down() -> None:
    reply = await geocoder(down(), IndexSource(), MemorySource()).lookup_places(["N11"])
    assert [result.name for result in reply.results] == [POIS[0].name]
    assert reply.source.degraded


async def test_a_stand_in_that_is_no_source_of_the_rest_of_the_world_answers_too() -> None:
    choice = Choice(down(), "", stand_ins=(IndexSource(),), beyond=(MemorySource(),))
    chain = SourceChain(choice, NoProgress(), lambda _: None)
    assert (await chain.search(SearchQuery("Paris"))).provenance.backend is INDEX
