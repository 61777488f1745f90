"""docs/adding-a-backend.md, followed: its code becomes a backend that answers through the geocoder."""

import importlib
import json
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import cast

import pytest

import bearings.places
from bearings.errors import BadResponse, Blocked, Unsupported
from bearings.places.backends import CAN, ENABLE, POLICY
from bearings.places.geocoder import Geocoder
from bearings.places.models import Backend, SearchQuery
from bearings.places.settings import PlacesSettings
from bearings.places.source import PlaceSource
from tests.docs import recipes
from tests.places.remote.conftest import FakeClock
from tests.places.remote.server import Server, answers, says, serving

pytestmark = pytest.mark.anyio

PAGE = recipes.ROOT / "docs" / "adding-a-backend.md"
FOUND = {"found": [{"title": "Seaford", "lat": 50.77, "lon": 0.1}]}
QUERY = SearchQuery(text="Seaford")

MakeSource = Callable[..., PlaceSource]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with serving(says(FOUND)) as running:
        yield running


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A directory with the page's modules. A test can't add to an enum, so Waymark takes a member without a source."""
    recipes.write(PAGE, tmp_path)
    source = tmp_path / "src/bearings/places/waymark/source.py"
    source.write_text(source.read_text("utf-8").replace("Backend.WAYMARK", "Backend.OSM_INDEX"), "utf-8")
    return tmp_path / "src" / "bearings" / "places"


@pytest.fixture
def make_source(written: Path, tmp_path: Path, clock: FakeClock) -> Iterator[MakeSource]:
    """Makes a Waymark source for a URL; one clock and one directory for all."""
    with recipes.grown(bearings.places, written):
        settings = importlib.import_module("bearings.places.waymark.settings")
        client = importlib.import_module("bearings.places.waymark.client")
        source = importlib.import_module("bearings.places.waymark.source")

        def make(url: str, **values: float) -> PlaceSource:
            chosen = settings.WaymarkSettings(base_url=url, **values)
            made = client.WaymarkClient(chosen, cache_dir=tmp_path / "cache", pace_dir=tmp_path / "pace", clock=clock)
            return cast("PlaceSource", source.WaymarkSource(made))

        yield make


def test_the_page_has_the_modules_that_it_announces():
    assert [Path(path).name for path in recipes.modules(PAGE)] == ["settings.py", "wire.py", "client.py", "source.py"]


@pytest.mark.parametrize(("name", "path"), recipes.names(PAGE))
def test_every_name_stands_in_the_file_that_the_page_says(name: str, path: str):
    assert name in (recipes.ROOT / path).read_text("utf-8")


def test_every_backend_has_its_row_in_each_table():
    assert set(CAN) == set(ENABLE) == set(POLICY) == set(Backend)


def test_the_code_has_the_house_s_style(written: Path):
    checked = recipes.in_style(written)
    assert checked.returncode == 0, checked.stdout + checked.stderr


async def test_the_backend_answers_through_the_geocoder(make_source: MakeSource, server: Server):
    geocoder = Geocoder(make_source(server.url), settings=PlacesSettings(backend="auto"))
    reply = await geocoder.geocode("Seaford")
    assert [place.name for place in reply.results] == ["Seaford"]
    assert server.asked[0].path == "/find"
    assert server.asked[0].params == {"q": "Seaford", "limit": "5"}
    with pytest.raises(Unsupported, match="waymark has no reverse geocoding"):
        await geocoder.reverse_geocode(50.77, 0.1)
    await geocoder.aclose()


async def test_answers_come_from_its_own_cache(make_source: MakeSource, server: Server, tmp_path: Path):
    for url in (server.url, server.url):  # the second source has the disk alone
        source = make_source(url)
        found = await source.search(QUERY)
        await source.aclose()
    assert found.provenance.cached
    assert len(server.asked) == 1
    assert (tmp_path / "cache" / "waymark-v1.sqlite3").exists()


async def test_requests_keep_its_own_pace(make_source: MakeSource, server: Server, clock: FakeClock):
    first, second = make_source(server.url, interval=7), make_source(server.url, interval=7)
    start = clock.time
    await first.search(QUERY)
    await second.search(SearchQuery(text="Strood"))
    assert clock.time - start == pytest.approx(7)
    assert (await first.status()).counters["interval_s"] == 7
    await first.aclose()
    await second.aclose()


async def test_faults_are_errors_in_its_own_words_and_are_not_cached(
    make_source: MakeSource, server: Server, clock: FakeClock
):
    source = make_source(server.url)
    server.behave = answers(200, "<html>")
    with pytest.raises(BadResponse) as caught:
        await source.search(QUERY)
    assert "WAYMARK_BASE_URL" in caught.value.hint
    server.behave = answers(403, json.dumps(FOUND))
    with pytest.raises(Blocked, match="HTTP 403") as banned:
        await source.search(QUERY)
    assert banned.value.hint == "Stop, and ask the server's operator."
    clock.time += 1000
    server.behave = says(FOUND)
    assert (await source.search(QUERY)).places
    await source.aclose()


async def test_an_answer_with_unreadable_rows_is_not_stored(make_source: MakeSource, server: Server):
    source = make_source(server.url)
    server.behave = says({"found": [*FOUND["found"], {"title": "Nowhere", "lat": "north", "lon": 0}]})
    for _ in range(2):
        assert [place.name for place in (await source.search(QUERY)).places] == ["Seaford"]
    assert len(server.asked) == 2
    await source.aclose()
