"""A map of the four extracts of $BEARINGS_DATA against what is true there, and what real Nominatim said."""

import json
import math
import os
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bearings.places.atlas.store import CORE_PATH
from bearings.places.atlas.world import AtlasWorld
from bearings.places.categories import Category
from bearings.places.index.database import Index
from bearings.places.models import BBox, Place, Point, SearchQuery
from bearings.places.osm.answers import OsmMap
from bearings.places.osm.making import make
from bearings.places.osm.map import Map
from bearings.progress import NoProgress

pytestmark = pytest.mark.slow

LEAST_NAMES, LEAST_TYPOS, LEAST_ADDRESSES, LEAST_BOXES = 56, 52, 58, 59
"""Of 57, 57, 58 and 60."""


def oracle() -> Path:
    """The folder of the oracle."""
    if "BEARINGS_DATA" not in os.environ:
        pytest.skip("BEARINGS_DATA is not set: no extracts")
    return Path(os.environ["BEARINGS_DATA"], "oracle")


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (oracle() / name).read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OsmMap]:
    """The map of all four."""
    files = sorted((oracle().parent / "osm").glob("*.osm.pbf"))
    assert len(files) == 4
    path = tmp_path_factory.mktemp("four") / "four.map"
    world = Index(CORE_PATH)
    made = make(path, files, AtlasWorld(world), NoProgress())
    world.close()
    assert made.size < 41_000_000, "an eighth of Nominatim's database"
    opened = Map(path)
    yield OsmMap(opened)
    opened.close()


def first(osm: OsmMap, text: str) -> Place | None:
    query = SearchQuery(text=text, limit=1, language="local")
    return next((osm.place_of(hit, query) for hit in osm.search(query).hits), None)


def folded(name: str | None) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", name or "").casefold()))


def metres(place: Place, want: dict[str, Any]) -> float:
    scale = math.cos(math.radians(want["lat"]))
    return 111_195 * math.hypot(place.point.lat - want["lat"], (place.point.lon - want["lon"]) * scale)


def test_names_addresses_and_typos(four: OsmMap):
    right: Counter[str] = Counter()
    for row in rows("search.jsonl"):
        place, want = first(four, row["query"]), row["expect"]
        if place is not None and row["form"] == "address":
            right["address"] += metres(place, want) <= 50
        elif place is not None:
            same = (place.osm_type, place.osm_id) == (want["osm_type"], want["osm_id"])
            right[row["form"]] += same or (folded(place.name) == folded(want["name"]) and metres(place, want) <= 500)
    names = ("name_locality", "no_comma", "locality_first", "lower_noaccent", "with_country")
    assert min(right[form] for form in names) >= LEAST_NAMES, right
    assert right["typo"] >= LEAST_TYPOS, right
    assert right["address"] >= LEAST_ADDRESSES, right


def test_boxes(four: OsmMap):
    right = 0
    for row in rows("bbox.jsonl"):
        place = first(four, row["query"])
        right += place is not None and overlap(place.bbox, BBox(*row["bbox"])) >= 0.95
    assert right >= LEAST_BOXES


def overlap(one: BBox, other: BBox) -> float:
    wide = min(one.east, other.east) - max(one.west, other.west)
    high = min(one.north, other.north) - max(one.south, other.south)
    both = max(0.0, wide) * max(0.0, high)
    areas = [(box.east - box.west) * (box.north - box.south) for box in (one, other)]
    return both / (sum(areas) - both)


def test_points(four: OsmMap):
    counted: Counter[str] = Counter()
    same: Counter[str] = Counter()
    for row in rows("reverse.jsonl"):
        theirs = row["nominatim"]
        found = four.reverse(Point(row["lat"], row["lon"]), row["zoom"], "local", ())
        if "error" in theirs:
            assert found is None, "nothing is invented"
        elif row["zoom"] == 18 and theirs.get("osm_id"):
            ours = found[0].address if found else {}
            counted["object"] += 1
            same["object"] += found is not None and (found[0].osm_type, found[0].osm_id) == (
                theirs["osm_type"], theirs["osm_id"],
            )  # fmt: skip
            for key in ("road", "house_number"):
                if theirs["address"].get(key):
                    counted[key] += 1
                    same[key] += folded(ours.get(key)) == folded(theirs["address"][key])
    shares = {key: same[key] / counted[key] for key in counted}
    assert shares["object"] >= 0.85, shares
    assert shares["road"] >= 0.90, shares
    assert shares["house_number"] >= 0.90, shares


def test_what_is_near_is_complete(four: OsmMap):
    for row in rows("nearby.jsonl"):
        point, category = Point(row["lat"], row["lon"]), Category(row["category"])
        found = four.nearby(point, row["radius_m"], [category], 60, "local")
        got = {(near.place.osm_type, near.place.osm_id) for near in found}
        missing = {(one["osm_type"], one["osm_id"]) for one in row["expect"]} - got
        assert missing == set(), row["category"]
        assert len(got) <= len(row["expect"]) + 2


def test_areas(four: OsmMap):
    for row in rows("admin.jsonl"):
        levels, _ = four.levels(Point(row["lat"], row["lon"]), "local", "none")
        got = {folded(level.name) for level in levels}
        assert {folded(level["name"]) for level in row["levels"]} <= got, row
