"""The map of the little town, and maps of files written for one test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bearings.places.osm.answers import OsmMap
from bearings.places.osm.making import make
from bearings.places.osm.map import Map
from bearings.progress import NoProgress
from tests.places.worlds import NoWorld

TOWN = Path(__file__).parents[2] / "data" / "town" / "town.osm"

MakeMap = Callable[..., OsmMap]
"""Makes a map of some nodes, ways and relations, as `osm` writes them."""


@pytest.fixture(scope="session")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OsmMap]:
    """The map of tests/data/town."""
    path = tmp_path_factory.mktemp("town") / "town.map"
    make(path, [TOWN], NoWorld(), NoProgress())
    opened = Map(path)
    yield OsmMap(opened)
    opened.close()


@pytest.fixture
def make_map(tmp_path: Path) -> Iterator[MakeMap]:
    """Makes maps that are closed after the test."""
    made: list[Map] = []

    def of(*elements: str) -> OsmMap:
        file = tmp_path / f"{len(made)}.osm"
        file.write_text(osm(*elements), encoding="utf-8")
        make(tmp_path / f"{len(made)}.map", [file], NoWorld(), NoProgress())
        made.append(Map(tmp_path / f"{len(made)}.map"))
        return OsmMap(made[-1])

    yield of
    for each in made:
        each.close()


def osm(*elements: str) -> str:
    """An OpenStreetMap file."""
    return f'<osm version="0.6">{"".join(elements)}</osm>'


def node(number: int, lat: float, lon: float, **tags: str) -> str:
    """A node; "__" in a key stands for a colon."""
    return f'<node id="{number}" version="1" lat="{lat}" lon="{lon}">{_tags(tags)}</node>'


def way(number: int, *nodes: int, **tags: str) -> str:
    """A way through nodes."""
    refs = "".join(f'<nd ref="{each}"/>' for each in nodes)
    return f'<way id="{number}" version="1">{refs}{_tags(tags)}</way>'


def _tags(tags: dict[str, str]) -> str:
    return "".join(f'<tag k="{key.replace("__", ":")}" v="{value}"/>' for key, value in tags.items())
