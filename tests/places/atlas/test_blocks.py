"""Blocks of points: each answer is the one that the point alone gets."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bearings.places import geometry
from bearings.places.atlas.answers import Atlas
from bearings.places.atlas.blocks import BlockAtlas
from bearings.places.atlas.index import Index
from bearings.places.atlas.source import GazetteerSource
from bearings.places.atlas.store import open_atlas
from bearings.places.models import Point
from bearings.places.source import BlockSource
from tests.soak import SOAK, soak

EDGES = [
    Point(90, 0), Point(-90, 12), Point(0, 180), Point(0, -180), Point(-16.8, 180), Point(-16.8, -179.99),
    Point(71, 180), Point(49, -100), Point(0, 0), Point(46.45, 6.6), Point(31.76, -106.49), Point(47.2, 9.5),
    Point(51.44, 4.93), Point(41.9, 12.45), Point(-77.8, 166.7), Point(35, 76), Point(22.16, 113.56),
]  # fmt: skip
"""Poles, both sides of 180°, borders, enclaves, lakes, disputed areas, Antarctica."""


def drawn(index: Index, count: int) -> list[Point]:
    """Points all over the world, near settlements, and on settlements; some twice."""
    chance = random.Random(47)
    settled = index.query("SELECT lat, lon FROM place WHERE layer = 'settlement' ORDER BY id")
    points = [Point(chance.uniform(-90, 90), chance.uniform(-180, 180)) for _ in range(count)]
    points += [Point(*chance.choice(settled)) for _ in range(count // 4)]
    for _ in range(count):
        lat, lon = chance.choice(settled)
        beside = Point(lat + chance.gauss(0, 0.2), geometry.normalise_lon(lon + chance.gauss(0, 0.2)))
        points.append(beside._replace(lat=min(90.0, max(-90.0, beside.lat))))
    return [*EDGES, *points, *points[:10]]


@pytest.fixture(scope="module")
def core() -> Iterator[Path]:
    index, _ = open_atlas("core", Path("/nowhere"))
    yield index.path
    index.close()


def compare(path: Path, count: int, zoom: int, language: str = "en") -> None:
    alone, blocks = Atlas(Index(path)), BlockAtlas(path)
    points = drawn(alone.index, count)
    expected = [alone.reverse(point, zoom, language) for point in points]
    bare = [place and replace(place, disputed=()) for place in expected]
    assert blocks.reverse_all(points, zoom, language, time_zones=True) == bare
    bare = [place and replace(place, time_zone=None) for place in bare]
    for size in (1, 7, 100):  # other blocks, after this one: nothing of a block outlives it
        together = [
            place
            for start in range(0, 200, size)
            for place in blocks.reverse_all(points[start : start + size], zoom, language, time_zones=False)
        ]
        assert together[:200] == bare[: len(together)][:200]
    for atlas in (alone, blocks):
        atlas.index.close()


@pytest.mark.slow
@pytest.mark.parametrize("zoom", [3, 5, 8, 10, 12, 18])
def test_blocks_of_the_core_answer_as_single_points(core: Path, zoom: int) -> None:
    compare(core, 150, zoom)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("zoom", "language"),
    [
        (12, "ja"),
        *(pytest.param(*one, marks=soak) for one in [(3, "en"), (5, "fr"), (8, "local"), (10, "de"), (18, "en")]),
    ],
)
def test_blocks_of_the_full_atlas_answer_as_single_points(full_atlas: Path, zoom: int, language: str) -> None:
    compare(full_atlas, 500 if SOAK else 200, zoom, language)


def test_equal_places_of_a_block_are_one(core: Path) -> None:
    blocks = BlockAtlas(core)
    found = blocks.reverse_all([Point(48.85, 2.35), Point(45.0, 3.0), Point(0, 0)], 3, "en", time_zones=False)
    assert found[0] is found[1]
    assert found[0] is not None
    assert found[0].name == "France"
    assert blocks.reverse_all([], 18, "en", time_zones=True) == []
    blocks.index.close()


@pytest.mark.slow
@pytest.mark.anyio
async def test_the_source_answers_blocks(tmp_path: Path) -> None:
    source = GazetteerSource(tmp_path, "core")
    assert isinstance(source, BlockSource)
    points = [Point(48.85, 2.35), Point(46.95, 7.45), Point(0, -30)]
    together = await source.reverse_all(points, zoom=18, language="en", time_zones=True)
    alone = [await source.reverse(point, zoom=18, language="en") for point in points]
    assert together == alone
    assert [each.place for each in await source.reverse_all(points, zoom=18, language="en", layer=("poi",))] == [
        None
    ] * 3
    await source.aclose()
    assert (await source.reverse_all(points, zoom=18, language="en", time_zones=True)) == alone
    await source.aclose()
