"""The bounding boxes of the tools pass the checks of `chuk-mcp-dem` and `chuk-mcp-stac` unchanged."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from mcp import Client, StdioServerParameters

from tests.bridge import their_words
from tests.nominatim_server.fixture import real_nominatim
from tests.soak import soak

__all__ = ["real_nominatim"]

pytestmark = [pytest.mark.slow, pytest.mark.anyio, soak]

SERVERS = ("chuk-mcp-dem==0.2.3", "chuk-mcp-stac==0.3")
UNREACHABLE = re.compile(r"NewConnectionError|ConnectTimeout|Max retries|No matching distribution|Name or service not")

EARTH = [
    "Fiji", "New Zealand", "Russia", "Antarctica", "Kiribati", "United States", "Tuvalu", "France", "Germany",
    "Vatican City", "Boulder, Colorado", "Suva", "Paris", "東京", "Longyearbyen", "Chatham Islands", "London",
]  # fmt: skip
TOWN = [
    "5 Harbour Street, Port Aurel", "12a Harbour Street, Port Aurel", "Velmora", "Port Aurel", "Great Region",
    "Outer Isles", "Dawn Landing", "Maritime Museum", "The Strand Causeway", "Kettle Bay",
]  # fmt: skip

Box = list[float]
Judge = Callable[[list[Box]], list[dict[str, Any]]]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def judge(request: pytest.FixtureRequest) -> Judge:
    """Runs the checks of the two servers; skips if they can't be downloaded."""
    home = request.config.rootpath / ".pytest_cache" / "bridge"
    home.mkdir(parents=True, exist_ok=True)
    python = home / "venv" / "bin" / "python"
    with FileLock(home / "lock"):
        done = home / "installed"
        if not done.exists() or done.read_text() != " ".join(SERVERS):
            subprocess.run([sys.executable, "-m", "venv", "--clear", str(home / "venv")], check=True)
            pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *SERVERS]
            installed = subprocess.run(pip, capture_output=True, text=True, check=False, timeout=600)
            if installed.returncode and UNREACHABLE.search(installed.stderr):
                pytest.skip(f"{' and '.join(SERVERS)} can't be downloaded here")
            assert installed.returncode == 0, installed.stderr[-2000:]
            done.write_text(" ".join(SERVERS))

    def verdicts(boxes: list[Box]) -> list[dict[str, Any]]:
        words = [str(python), str(Path(their_words.__file__))]
        told = subprocess.run(
            words, input=json.dumps(boxes), capture_output=True, text=True, check=True, timeout=300, cwd=home
        )
        said: list[dict[str, Any]] = json.loads(told.stdout)
        return said

    return verdicts


async def boxes_of(queries: list[str], padding: float, **environment: str) -> dict[str, list[Box]]:
    """The boxes that the server returns over stdio for each place."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("GEOCODER_", "NOMINATIM_"))}
    words = ["-m", "bearings", "places", "serve", "stdio"]
    server = StdioServerParameters(command=sys.executable, args=words, env={**clean, **environment})
    found = {}
    async with Client(server) as client:
        for query in queries:
            reply = await client.call_tool("bbox_from_place", {"query": query, "padding": padding})
            assert not reply.is_error, f"{query}: {reply.structured_content}"
            found[query] = reply.structured_content["bboxes"]
    return found


def accepted(judge: Judge, found: dict[str, list[Box]]) -> None:
    """Asserts that all boxes pass the checks and arrive unchanged."""
    boxes = [box for pieces in found.values() for box in pieces]
    for box, said in zip(boxes, judge(boxes), strict=True):
        assert said == {"errors": [], "dem": box, "stac": [box]}


@pytest.mark.parametrize("padding", [0.0, 0.5, 5.0])
async def test_boxes_of_places_around_the_world_are_accepted(judge: Judge, places_cache: Path, padding: float) -> None:
    found = await boxes_of(EARTH, padding, GEOCODER_BACKEND="gazetteer", GEOCODER_CACHE_DIR=str(places_cache))
    accepted(judge, found)
    if not padding:
        assert {name for name, pieces in found.items() if len(pieces) == 2} >= {"Fiji", "Russia", "New Zealand"}


@pytest.mark.parametrize("padding", [0.0, 0.5])
async def test_boxes_of_streets_addresses_and_a_country_across_180_are_accepted(
    judge: Judge, real_nominatim: str, tmp_path: Path, padding: float
) -> None:
    found = await boxes_of(TOWN, padding, NOMINATIM_BASE_URL=real_nominatim, GEOCODER_CACHE_DIR=str(tmp_path))
    accepted(judge, found)
    assert len(found["Velmora"]) == 2


def test_boxes_that_they_refuse_are_refused_here_too(judge: Judge) -> None:
    backwards, upside_down, flat = [178.0, -20.0, -178.0, -15.0], [0.0, 10.0, 1.0, 5.0], [1.0, 1.0, 1.0, 2.0]
    assert all(said["errors"] for said in judge([backwards, upside_down, flat]))
