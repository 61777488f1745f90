"""A map of the four extracts of $BEARINGS_DATA against what is true there, and what real Nominatim said."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.own_map_answers import Differences, Score, scored

from bearings.places.atlas.index import Index
from bearings.places.atlas.store import CORE_PATH
from bearings.places.atlas.world import AtlasWorld
from bearings.places.osm.answers import OsmMap
from bearings.places.osm.making import make
from bearings.places.osm.map import Map
from bearings.progress import NoProgress

pytestmark = pytest.mark.slow

Scored = tuple[Score, Differences]


@pytest.fixture
def answers(tmp_path: Path) -> Iterator[Scored]:
    """What a map of all four answers to every row of the oracle."""
    if "BEARINGS_DATA" not in os.environ:
        pytest.skip("BEARINGS_DATA is not set: no extracts")
    oracle = Path(os.environ["BEARINGS_DATA"], "oracle")
    files = sorted((oracle.parent / "osm").glob("*.osm.pbf"))
    assert len(files) == 4
    path = tmp_path / "four.map"
    world = Index(CORE_PATH)
    made = make(path, files, AtlasWorld(world), NoProgress())
    world.close()
    assert made.size < 41_000_000, "an eighth of Nominatim's database"
    opened = Map(path)
    yield scored(OsmMap(opened), oracle)
    opened.close()


def test_the_oracle_is_answered(answers: Scored):
    score, differences = answers
    for form in ("name_locality", "no_comma", "locality_first", "lower_noaccent", "with_country"):
        assert score.right[form] >= 56, form
    assert score.right["typo"] >= 52
    assert score.right["address"] == 58
    assert score.right["box"] >= 59

    assert score.share("point, nothing there") == 1
    assert score.share("point, object") >= 0.85
    assert score.share("point at zoom 14, object") >= 0.9
    for zoom in (3, 5, 8, 10):
        assert score.share(f"point at zoom {zoom}, object") == 1

    # Another road is nearer or beside the same object; another settlement is the municipality around the point.
    assert min(score.share("point, road"), score.share("point, house number")) >= 0.9
    assert differences.roads_of_one_object + differences.roads_nearer >= differences.roads - 3
    assert score.share("point, settlement") >= 0.9
    assert differences.settlements_of_the_polygon == differences.settlements

    near = [kind for kind in score.asked if kind.startswith("nearby ")]
    assert len(near) == 7
    assert [score.share(kind) for kind in near] == [1] * 7
    assert score.share("nearby, what is given") >= 0.99
    assert score.share("administrative areas") == 1
