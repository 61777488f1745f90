"""Clients, rows and recorded replies for the tests of the Nominatim source."""

import json
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest

from bearings.places.nominatim.client import NominatimClient
from bearings.places.nominatim.settings import NominatimSettings
from tests.places.remote.conftest import FakeClock
from tests.places.remote.server import Server, says, serving

MakeClient = Callable[..., NominatimClient]


def row(**changes: Any) -> dict[str, Any]:
    """A row as Nominatim sends it; None removes a key."""
    whole = {
        "place_id": 1,
        "licence": "Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright",
        "osm_type": "relation",
        "osm_id": 42,
        "lat": "51.7800000",
        "lon": "0.9200000",
        "category": "boundary",
        "type": "administrative",
        "place_rank": 16,
        "importance": 0.4,
        "addresstype": "town",
        "name": "Seaford",
        "display_name": "Seaford, Shire, Land",
        "address": {"town": "Seaford", "county": "Shire", "country": "Land", "country_code": "xx"},
        "boundingbox": ["51.7500000", "51.8000000", "0.8900000", "0.9500000"],
    }
    return {key: value for key, value in (whole | changes).items() if value is not None}


def settings(**values: Any) -> NominatimSettings:
    """Settings of a private server without a pace, independent of environment and files."""
    return NominatimSettings.model_validate({"base_url": "http://127.0.0.1:9", **values})


def oracle_replies() -> list[dict[str, Any]]:
    """Recorded exchanges with a real server; skips without BEARINGS_DATA, fails if that has none."""
    data = os.environ.get("BEARINGS_DATA")
    if not data:
        pytest.skip("BEARINGS_DATA is not set: no recorded replies of a real Nominatim")
    files = sorted((Path(data) / "oracle" / "replies").glob("*.json"))
    assert files, "BEARINGS_DATA is set, but has no oracle/replies"
    return [json.loads(file.read_text("utf-8")) | {"file": file.name} for file in files]


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Remove all settings from the environment."""
    for name in list(os.environ):
        if name.startswith(("NOMINATIM_", "GEOCODER_", "BEARINGS_SHARED")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    """A server with one town."""
    async with serving(says([row()])) as running:
        yield running


@pytest.fixture
async def make_client(tmp_path: Path, clock: FakeClock) -> AsyncIterator[MakeClient]:
    """Makes clients with private settings, a fake clock and directories of this test; closes them."""
    made: list[NominatimClient] = []

    def make(
        url: str = "http://127.0.0.1:9", *, transport: httpx2.AsyncBaseTransport | None = None, **values: Any
    ) -> NominatimClient:
        client = NominatimClient(
            settings(base_url=url, **values),
            cache_dir=tmp_path / "cache",
            pace_dir=tmp_path / "pace",
            clock=clock,
            transport=transport,
        )
        made.append(client)
        return client

    yield make
    for client in made:
        await client.close()
