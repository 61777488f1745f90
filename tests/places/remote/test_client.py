"""`RemoteClient` for two backends that share a machine: each has its own pace, cache and words for errors."""

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from bearings.errors import BadResponse, RateLimited
from bearings.places.remote.answer_store import DiskAnswers
from bearings.places.remote.cache import ReplyCache
from bearings.places.remote.client import Question, Reading, RemoteClient
from bearings.places.remote.disk import Disk
from bearings.places.remote.faults import not_json
from tests.places.remote.conftest import FakeClock, a_server
from tests.places.remote.server import Server, answers, by_path, says, serving

pytestmark = pytest.mark.anyio

LIMIT = 1_000_000


class Numbers:
    """A backend that asks for lists of numbers: `/one` and `/two`."""

    def __init__(self, name: str, url: str, directory: Path, clock: FakeClock, interval_s: float = 0) -> None:
        self.server = a_server(f"{name}.example.org", interval_s, url)
        store = DiskAnswers(Disk(directory / "cache", name, LIMIT))
        cache = ReplyCache(ttl_s=60, entries=9, store=store, clock=clock)
        self.remote = RemoteClient(self.server, cache, clock=clock, pace_dir=directory / "pace")

    def question(self, path: str) -> Question[list[int]]:
        return Question(path, {}, path, self.read)

    def read(self, body: bytes) -> Reading[list[int]] | BadResponse:
        try:
            numbers = json.loads(body)
        except (ValueError, RecursionError):
            return not_json(self.server)
        whole = [number for number in numbers if isinstance(number, int)]
        return Reading(whole, empty=not numbers, skipped=len(numbers) - len(whole))


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with serving(by_path(one=says([1]), two=says([2]), none=says([]), some=says([1, "x"]))) as running:
        yield running


@pytest.fixture
async def pair(server: Server, tmp_path: Path, clock: FakeClock) -> AsyncIterator[tuple[Numbers, Numbers]]:
    both = Numbers("slow", server.url, tmp_path, clock, 10), Numbers("quick", server.url, tmp_path, clock)
    yield both
    for backend in both:
        await backend.remote.close()


async def test_each_backend_has_its_own_pace(pair: tuple[Numbers, Numbers], clock: FakeClock, tmp_path: Path) -> None:
    slow, quick = pair
    start = clock.time
    for path in ("one", "two"):
        assert (await quick.remote.ask(quick.question(path))).value
    assert clock.time == start
    for path in ("one", "two"):
        assert (await slow.remote.ask(slow.question(path))).value
    assert clock.time - start == pytest.approx(10)
    assert [path.name for path in (tmp_path / "pace").glob("*.json")] == ["slow.example.org.json"]


async def test_each_backend_has_its_own_cache(pair: tuple[Numbers, Numbers], server: Server, tmp_path: Path) -> None:
    slow, quick = pair
    assert not (await slow.remote.ask(slow.question("one"))).cached
    assert not (await quick.remote.ask(quick.question("one"))).cached
    await slow.remote.clear_cache()
    assert (await quick.remote.ask(quick.question("one"))).cached
    assert len(server.asked) == 2
    files = {path.name for path in (tmp_path / "cache").glob("*.sqlite3")}
    assert files == {"slow-v1.sqlite3", "quick-v1.sqlite3"}


@pytest.mark.parametrize("body", [b"{broken", b"", b"\xff\xfe", b'[1, "x"]', b"[" * 100_000, b"[1" + b" " * 200_000])
async def test_a_damaged_answer_is_asked_anew(
    server: Server, tmp_path: Path, clock: FakeClock, pair: tuple[Numbers, Numbers], body: bytes
) -> None:
    _, first = pair
    await first.remote.ask(first.question("one"))
    with closing(sqlite3.connect(tmp_path / "cache/quick-v1.sqlite3")) as db, db:
        db.execute("UPDATE reply SET body = ?", (body,))
    for requests in (2, 2):
        other = Numbers("quick", server.url, tmp_path, clock)
        assert (await other.remote.ask(other.question("one"))).value == [1]
        assert len(server.asked) == requests
        await other.remote.close()


async def test_a_refusal_of_one_server_does_not_stop_the_other(pair: tuple[Numbers, Numbers], server: Server) -> None:
    slow, quick = pair
    served, server.behave = server.behave, answers(429, "")
    with pytest.raises(RateLimited):
        await slow.remote.ask(slow.question("one"))
    server.behave = served
    assert (await quick.remote.ask(quick.question("one"))).value == [1]
    with pytest.raises(RateLimited):
        await slow.remote.ask(slow.question("one"))


async def test_a_reading_decides_what_is_stored(
    pair: tuple[Numbers, Numbers], server: Server, clock: FakeClock
) -> None:
    _, quick = pair
    for path in ("some", "some", "none", "none"):
        await quick.remote.ask(quick.question(path))
    assert [asked.path for asked in server.asked] == ["/some", "/some", "/none"]
    assert quick.remote.skipped_rows == 2


async def test_a_fresh_answer_is_requested_each_time(pair: tuple[Numbers, Numbers], server: Server) -> None:
    _, quick = pair
    for _ in range(2):
        assert await quick.remote.fresh(quick.question("one")) == [1]
    assert (await quick.remote.cache_stats()).size == 0
    assert quick.remote.requests == len(server.asked) == 2
    server.behave = answers(200, "<html>")
    with pytest.raises(BadResponse, match="not JSON"):
        await quick.remote.fresh(quick.question("one"))
