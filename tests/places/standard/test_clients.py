"""Clients that know Nominatim alone ask a running server: geopy, Leaflet's control, and what QGIS's locator sends."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from geopy.geocoders import Nominatim  # type: ignore[import-untyped]

from bearings.serving.tokens import digest_of

ROOT = Path(__file__).parents[3]
LEAFLET = ("leaflet-control-geocoder@4.0.0", "leaflet@1.9.4", "jsdom@26.1.0")


@pytest.fixture(scope="module")
def server(town_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of `bearings places serve http --api` over the map of the little town."""
    with serving(town_folder, tmp_path_factory.mktemp("cache")) as url:
        yield url


@contextmanager
def serving(maps: Path, cache: Path, *words: str, **variables: str) -> Iterator[str]:
    """A server in a process of its own."""
    environment = {
        **os.environ, "GEOCODER_INDEX_DIR": str(maps), "GEOCODER_BACKEND": "osm-index",
        "GEOCODER_CACHE_DIR": str(cache), "BEARINGS_LOG_LEVEL": "INFO", **variables,
    }  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-m", "bearings", "places", "serve", "http", "--port", "0", "--api", *words], cwd=ROOT,
        env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    found = next((match for line in process.stderr if (match := re.search(r"running on (http://\S+)", line))), None)
    assert found, "the server ended before it listened"
    yield found[1]
    process.terminate()
    process.wait(30)
    process.stderr.close()


@pytest.mark.slow
def test_geopy(server: str):
    client = Nominatim(user_agent="bearings tests", domain=server.removeprefix("http://"), scheme="http", timeout=30)
    found = client.geocode("5 Harbour Street, Port Aurel", language="en", addressdetails=True, namedetails=True)
    assert found.raw["address"]["town"] == "Port Aurel"
    assert (found.latitude, found.longitude) == (float(found.raw["lat"]), float(found.raw["lon"]))
    several = client.geocode({"city": "Port Aurel"}, exactly_one=False, geometry="geojson", language="en")
    assert several[0].raw["geojson"]["type"] in ("Polygon", "MultiPolygon")
    there = client.reverse((-26.5027, 179.75), language="en", zoom=18)
    assert there.raw["address"]["country"] == "Velmora"
    assert client.geocode("Qzxvkjw") is None
    assert client.reverse((10, 10)) is None


@pytest.mark.slow
def test_what_qgis_sends(server: str):
    """QgsNominatimGeocoder: https://github.com/qgis/QGIS/blob/master/src/core/geocoding/qgsnominatimgeocoder.cpp"""
    parameters = {"format": "json", "addressdetails": "1", "q": "Port Aurel", "viewbox": "179,-27,180,-26"}
    answer = httpx2.get(f"{server}/search", params=parameters, headers={"User-Agent": "Mozilla/5.0 QGIS/34000"})
    assert answer.headers["content-type"] == "application/json; charset=utf-8"
    for result in answer.json():
        south, north, west, east = map(float, result["boundingbox"])
        assert south <= float(result["lat"]) <= north
        assert west <= float(result["lon"]) <= east
        assert {"display_name", "class", "type", "place_id", "osm_type", "address"} <= result.keys()


@pytest.mark.slow
def test_a_page_of_an_allowed_origin_may_read_and_others_may_not(server: str):
    url = f"{server}/search?q=Port+Aurel"
    own = httpx2.get(url, headers={"Origin": "http://localhost:3000"})
    assert (own.status_code, own.headers["access-control-allow-origin"]) == (200, "http://localhost:3000")
    other = httpx2.get(url, headers={"Origin": "https://evil.example"})
    assert (other.status_code, "access-control-allow-origin" in other.headers) == (403, False)
    assert httpx2.post(url).status_code == 405


@pytest.mark.slow
def test_endpoints_go_with_their_tools(town_folder: Path, tmp_path: Path):
    tokens = tmp_path / "tokens.toml"
    tokens.write_text(
        f'[all]\nsha256 = "{digest_of(b"all")}"\n[points]\nsha256 = "{digest_of(b"points")}"\n'
        'toolsets = ["reverse_geocode"]\n'
    )
    words = ("--toolsets", "geocode,reverse_geocode")
    with serving(town_folder, tmp_path, *words, BEARINGS_TOKENS=str(tokens)) as url:

        def status(path: str, token: str = "") -> int:
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            return httpx2.get(f"{url}/{path}", headers=headers).status_code

        assert status("search?q=Velmora") == 401
        assert status("search?q=Velmora", "all") == 200
        assert status("status", "all") == 404, "the server does not offer the tool"
        assert status("search?q=Velmora", "points") == 403
        assert status("reverse?lat=-26.5&lon=179.75", "points") == 200


def leaflet(folder: Path) -> Any:
    """The folder of Leaflet's modules; skips without npm or a registry."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("node and npm are needed")
    done = subprocess.run(
        ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--prefix", str(folder), *LEAFLET],
        capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if done.returncode and re.search("ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENETUNREACH", done.stderr):
        pytest.skip("the npm registry can't be reached")
    assert done.returncode == 0, done.stderr
    return folder / "node_modules"


@pytest.mark.slow
def test_leaflets_control(server: str, tmp_path: Path):
    modules = leaflet(tmp_path)
    script = Path(__file__).with_name("leaflet.mjs")
    done = subprocess.run(
        ["node", str(script), f"{server}/", str(modules)], capture_output=True, text=True, timeout=120,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    for one in (*shown["found"], *shown["there"]):
        west, south, east, north = map(float, one["bbox"].split(","))
        assert (south <= one["lat"] <= north, west <= one["lon"] <= east, one["country"]) == (True, True, "Velmora")
    assert shown["found"][0]["name"].startswith("Harbour Street 5")
