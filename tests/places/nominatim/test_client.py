"""The client: its requests, its cache, shared answers, and its end."""

import asyncio
import gzip
import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from bearings.errors import BearingsError, Blocked, Unavailable
from bearings.places.models import Point, SearchQuery, Structured
from bearings.places.nominatim.client import NominatimClient
from tests.places.nominatim.conftest import MakeClient, row, settings
from tests.places.remote.conftest import FakeClock
from tests.places.remote.server import Asked, Server, answers, by_path, in_turn, says

pytestmark = pytest.mark.anyio

SEAFORD = SearchQuery(text="Seaford")


class Counting(httpx2.AsyncBaseTransport):
    """A transport for tests: answers with one town once it is released."""

    def __init__(self) -> None:
        self.requests: list[httpx2.Request] = []
        self.go = anyio.Event()
        self.cancelled = 0

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return httpx2.Response(200, json=[row()])


async def settle() -> None:
    """Let everything run that can run."""
    await anyio.wait_all_tasks_blocked()


async def until(condition: Callable[[], bool]) -> None:
    """Return once the condition holds, also for work in threads."""
    with anyio.fail_after(10):
        while not condition():
            await anyio.lowlevel.checkpoint()


async def test_a_request_names_the_client_and_the_language(make_client: MakeClient, server: Server) -> None:
    client = make_client(server.url + "/geo/", email="me@example.org", user_agent="tests/1")
    found = await client.search(SearchQuery(text="Seaford", language="de"))
    assert [place.name for place in found.value.places] == ["Seaford"]
    [asked] = server.asked
    assert asked.path == "/geo/search"
    assert asked.headers["user-agent"] == "tests/1"
    assert asked.params["accept-language"] == "de"
    assert asked.params["email"] == "me@example.org"
    assert (asked.params["format"], asked.params["addressdetails"]) == ("jsonv2", "1")


async def test_the_user_agent_names_us_and_the_email_stays_home_unless_set(
    make_client: MakeClient, server: Server
) -> None:
    await make_client(server.url).search(SEAFORD)
    assert server.asked[0].headers["user-agent"].startswith("bearings/")
    assert "email" not in server.asked[0].params


async def test_every_kind_of_question_has_its_page(make_client: MakeClient, server: Server) -> None:
    server.behave = by_path(
        search=says([row()]), reverse=says(row()), lookup=says([row()]), status=says({"status": 0, "message": "OK"})
    )
    client = make_client(server.url)
    assert (await client.search(SearchQuery(structured=Structured(city="Seaford")))).value.places
    place = (await client.reverse(Point(51.78, 0.92), zoom=18, language="en")).value
    assert place is not None
    assert place.name == "Seaford"
    assert (await client.lookup(["R42", "N1"], language="en")).value.places
    assert (await client.status()).ok
    assert [asked.path for asked in server.asked] == ["/search", "/reverse", "/lookup", "/status"]
    assert server.asked[2].params["osm_ids"] == "R42,N1"
    assert client.requests == 4


async def test_a_second_call_is_answered_from_memory_and_says_how_old(
    make_client: MakeClient, server: Server, clock: FakeClock
) -> None:
    client = make_client(server.url)
    first = await client.search(SEAFORD)
    clock.time += 60
    second = await client.search(SearchQuery(text="  SEAFORD "))
    assert len(server.asked) == 1
    assert (first.cached, first.age_s) == (False, 0)
    assert (second.cached, second.age_s) == (True, 60)
    assert second.value == first.value
    stats = await client.cache_stats()
    assert (stats.hits, stats.misses, stats.size, stats.disk_size) == (1, 1, 1, 1)


async def test_a_new_process_answers_from_disk_without_a_request(make_client: MakeClient, server: Server) -> None:
    await make_client(server.url).search(SEAFORD)
    again = await make_client(server.url).search(SEAFORD)
    assert again.cached
    assert len(server.asked) == 1


async def test_the_contact_is_no_part_of_the_question(make_client: MakeClient, server: Server) -> None:
    await make_client(server.url, email="a@example.org").search(SEAFORD)
    await make_client(server.url, email="b@example.org").search(SEAFORD)
    assert len(server.asked) == 1


async def test_another_server_is_another_question(make_client: MakeClient, server: Server) -> None:
    await make_client(server.url).search(SEAFORD)
    await make_client(server.url + "/other").search(SEAFORD)
    assert len(server.asked) == 2


async def test_credentials_in_the_url_are_sent_and_shown_nowhere(make_client: MakeClient, server: Server) -> None:
    client = make_client(server.url.replace("http://", "http://me:secret@"))
    await client.search(SEAFORD)
    assert server.asked[0].headers["authorization"].startswith("Basic ")
    assert "secret" not in client.host


async def test_nothing_there_is_none_and_is_believed_for_a_while(
    make_client: MakeClient, server: Server, clock: FakeClock
) -> None:
    server.behave = says({"error": "Unable to geocode"})
    client = make_client(server.url)
    for _ in range(2):
        assert (await client.reverse(Point(0, 0), zoom=18, language="en")).value is None
    assert len(server.asked) == 1
    clock.time += 301
    await client.reverse(Point(0, 0), zoom=18, language="en")
    assert len(server.asked) == 2


async def test_an_answer_with_unreadable_rows_is_used_but_not_kept(make_client: MakeClient, server: Server) -> None:
    server.behave = says([row(), {"lat": None}])
    client = make_client(server.url)
    for _ in range(2):
        assert len((await client.search(SEAFORD)).value.places) == 1
    assert len(server.asked) == 2
    assert client.skipped_rows == 2


async def test_an_answer_may_be_compressed(make_client: MakeClient, server: Server) -> None:
    server.behave = answers(200, gzip.compress(json.dumps([row()]).encode()), Content_Encoding="gzip")
    assert (await make_client(server.url).search(SEAFORD)).value.places
    assert server.asked[0].headers["accept-encoding"] == "gzip"


@pytest.mark.slow
async def test_a_thousand_identical_calls_are_one_request(make_client: MakeClient) -> None:
    transport = Counting()
    client = make_client(transport=transport)
    async with anyio.create_task_group() as group:
        for _ in range(1000):
            group.start_soon(client.search, SEAFORD)
        await until(lambda: bool(transport.requests))
        transport.go.set()
    assert len(transport.requests) == 1
    assert client.requests == 1


async def test_a_cancelled_caller_leaves_the_others_their_answer(make_client: MakeClient) -> None:
    transport = Counting()
    client = make_client(transport=transport)
    answers: list[Any] = []

    async def ask() -> None:
        answers.append(await client.search(SEAFORD))

    async with anyio.create_task_group() as group:
        hasty = [asyncio.create_task(client.search(SEAFORD)) for _ in range(3)]
        group.start_soon(ask)
        await until(lambda: bool(transport.requests))
        for task in hasty:
            task.cancel()
        await settle()
        transport.go.set()
    assert len(answers) == 1
    assert (len(transport.requests), transport.cancelled) == (1, 0)


async def test_without_callers_the_request_stops_and_a_new_call_asks_again(make_client: MakeClient) -> None:
    transport = Counting()
    client = make_client(transport=transport)
    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(client.search, SEAFORD)
        await until(lambda: bool(transport.requests))
        group.cancel_scope.cancel()
    await until(lambda: transport.cancelled == 1)
    transport.go.set()
    assert (await client.search(SEAFORD)).value.places
    assert len(transport.requests) == 2


@pytest.mark.slow
async def test_a_caller_cancelled_in_the_queue_causes_no_request(make_client: MakeClient) -> None:
    transport = Counting()
    client = make_client(transport=transport, rate_limit=1.05)
    first = asyncio.create_task(client.search(SEAFORD))
    await until(lambda: bool(transport.requests))
    second = asyncio.create_task(client.search(SearchQuery(text="Strood")))
    await settle()
    second.cancel()
    await settle()
    transport.go.set()
    await first
    await settle()
    assert len(transport.requests) == 1


async def test_closing_stops_requests_under_way(make_client: MakeClient) -> None:
    transport = Counting()
    client = make_client(transport=transport)
    call = asyncio.create_task(client.search(SEAFORD))
    await until(lambda: bool(transport.requests))
    await client.close()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert transport.cancelled == 1
    await client.close()


async def test_an_error_without_a_waiter_makes_no_warning(make_client: MakeClient, server: Server) -> None:
    server.behave = answers(500, "down")
    client = make_client(server.url)
    with pytest.raises(Unavailable):
        await client.search(SEAFORD)


async def test_state_is_known_while_a_call_is_slow(make_client: MakeClient) -> None:
    transport = Counting()
    client = make_client(transport=transport, rate_limit=1.05)
    call = asyncio.create_task(client.search(SEAFORD))
    await until(lambda: bool(transport.requests))
    with anyio.fail_after(5):
        assert (await client.cache_stats()).misses == 1
        assert (await client.limiter_status()).interval_s == 1.05
    transport.go.set()
    await call


async def test_clearing_forgets_in_every_process(make_client: MakeClient, server: Server) -> None:
    here, there = make_client(server.url), make_client(server.url)
    await here.search(SEAFORD)
    await there.search(SEAFORD)
    await there.clear_cache()
    assert not (await here.search(SEAFORD)).cached
    assert len(server.asked) == 2


async def test_off_means_that_nothing_is_written(server: Server, tmp_path: Path) -> None:
    client = NominatimClient(
        settings(base_url=server.url, cache_disk="off"), cache_dir=tmp_path / "cache", pace_dir=tmp_path
    )
    await client.search(SEAFORD)
    await client.search(SEAFORD)
    assert (len(server.asked), (await client.cache_stats()).path) == (1, None)
    await client.clear_cache()
    await client.close()
    assert not list(tmp_path.glob("**/*sqlite*"))  # noqa: ASYNC240 - after the work


async def test_a_ttl_of_0_keeps_nothing(make_client: MakeClient, server: Server) -> None:
    client = make_client(server.url, cache_ttl=0)
    await client.search(SEAFORD)
    await client.search(SEAFORD)
    assert len(server.asked) == 2
    assert (await client.cache_stats()).disk_size == 0


async def test_files_are_private(make_client: MakeClient, server: Server, tmp_path: Path) -> None:
    await make_client(server.url, rate_limit=0.01).search(SEAFORD)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]  # noqa: ASYNC240 - after the work
    assert len(files) >= 3
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("cache", "pace")} == {0o700}
    stored = b"".join(path.read_bytes() for path in files)
    assert b'"q"' not in stored


async def test_a_dropped_connection_is_tried_once_more(
    make_client: MakeClient, server: Server, clock: FakeClock
) -> None:
    async def drop_once(asked: Asked, writer: asyncio.StreamWriter) -> None:
        raise ConnectionResetError

    server.behave = in_turn(drop_once, says([row()]))
    assert (await make_client(server.url).search(SEAFORD)).value.places
    assert len(server.asked) == 2
    assert clock.slept == [0.5]


async def test_a_second_try_takes_a_slot_of_its_own(make_client: MakeClient, server: Server, clock: FakeClock) -> None:
    server.behave = in_turn(answers(503, ""), says([row()]))
    client = make_client(server.url, rate_limit=10)
    start = clock.time
    await client.search(SEAFORD)
    assert clock.time - start >= 10
    assert client.requests == 2


async def test_waiting_for_a_turn_is_not_counted_as_waiting_for_the_answer(
    make_client: MakeClient, clock: FakeClock
) -> None:
    transport = Counting()
    transport.go.set()
    client = make_client(transport=transport, rate_limit=3000, timeout=1)
    for text in ("a", "b", "c"):
        await client.search(SearchQuery(text=text))
    assert sum(clock.slept) == pytest.approx(6000)


async def test_a_cool_down_answers_at_once_and_from_memory_all_the_same(
    make_client: MakeClient, server: Server, clock: FakeClock
) -> None:
    client = make_client(server.url)
    await client.search(SEAFORD)
    server.behave = answers(429, "slow down", Retry_After="30")
    for text in ("x", "y"):
        with pytest.raises(BearingsError) as caught:
            await client.search(SearchQuery(text=text))
        assert caught.value.retry_after_s == 30
    assert len(server.asked) == 2
    assert (await client.search(SEAFORD)).cached
    clock.time += 30
    server.behave = says([row()])
    assert (await client.search(SearchQuery(text="y"))).value.places


async def test_a_ban_cites_the_policy_and_names_the_settings(make_client: MakeClient, server: Server) -> None:
    server.behave = answers(403, "banned")
    with pytest.raises(Blocked) as caught:
        await make_client(server.url).search(SEAFORD)
    for word in ("https://operations.osmfoundation.org/policies/nominatim/", "NOMINATIM_EMAIL", "NOMINATIM_BASE_URL"):
        assert word in caught.value.hint


# In real time, with a real connection: the slot is taken once the connection is open


@pytest.mark.slow
async def test_a_slot_that_comes_after_the_deadline_is_waited_for(server: Server, tmp_path: Path) -> None:
    client = NominatimClient(
        settings(base_url=server.url, rate_limit=1.2, timeout=0.8), cache_dir=None, pace_dir=tmp_path / "pace"
    )
    for text in ("a", "b"):
        assert (await client.search(SearchQuery(text=text))).value.places
    first, second = (asked.at for asked in server.asked)
    assert second - first >= 1.15
    await client.close()


async def test_a_caller_cancelled_with_an_open_connection_frees_the_slot(server: Server, tmp_path: Path) -> None:
    client = NominatimClient(settings(base_url=server.url, rate_limit=1000), cache_dir=None, pace_dir=tmp_path / "pace")
    await client.search(SEAFORD)
    before = (await client.limiter_status()).next_slot_s
    async with anyio.create_task_group() as group:
        group.start_soon(client.search, SearchQuery(text="Strood"))
        with anyio.fail_after(10):
            while (await client.limiter_status()).next_slot_s <= before:
                await anyio.lowlevel.checkpoint()
        group.cancel_scope.cancel()
    with anyio.fail_after(10):
        while (await client.limiter_status()).next_slot_s > before:
            await anyio.lowlevel.checkpoint()
    assert len(server.asked) == 1
    await client.close()
