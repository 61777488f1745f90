"""Nominatim's endpoints over the map of the little town, asked without HTTP."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from bearings.endpoint import Request, Response
from bearings.places.geocoder import Geocoder
from bearings.places.osm.making import make
from bearings.places.osm.source import OsmSource
from bearings.places.settings import PlacesSettings
from bearings.places.standard.endpoints import endpoints
from bearings.progress import NoProgress
from tests.places.osm.conftest import TOWN
from tests.places.worlds import NoWorld

Ask = Callable[..., Awaitable[Response]]
"""Asks a path with parameters, and with `languages` as the header."""


@pytest.fixture(scope="session")
def town_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the map of tests/data/town."""
    folder = tmp_path_factory.mktemp("standard")
    make(folder / "town.map", [TOWN], NoWorld(), NoProgress())
    return folder


@pytest.fixture
async def ask(town_folder: Path) -> AsyncIterator[Ask]:
    """What the endpoints answer."""
    geocoder = Geocoder(OsmSource(town_folder), settings=PlacesSettings(_env_file=None, backend="osm-index"))
    at = {path: endpoint for endpoint in endpoints(geocoder) for path in endpoint.paths}

    async def answer(path: str, languages: str = "", **parameters: object) -> Response:
        named = {name.replace("__", "-"): str(value) for name, value in parameters.items()}
        return await at[path].answer(Request(named, languages))

    yield answer
    await geocoder.aclose()


def recorded() -> list[tuple[str, dict[str, Any]]]:
    """(name, exchange) of every recorded reply of a real Nominatim over the same town."""
    folder = TOWN.parents[1] / "replies"
    return [(file.stem, json.loads(file.read_text("utf-8"))) for file in sorted(folder.glob("*.json"))]
