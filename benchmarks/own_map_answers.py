"""How right a map of the four extracts of $BEARINGS_DATA answers, beside what real Nominatim 5.3.3 said on the same.

The rows stand in $BEARINGS_DATA/oracle (its README says how they were made). For names, addresses and boxes the truth
is the object; for points it is Nominatim's own answer, so that a difference is no error by itself: `Differences` says
which of both is nearer in metres, and which names the municipality whose polygon holds the point.
"""

import json
import math
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bearings.places import geometry
from bearings.places.engine.areas import Areas
from bearings.places.models import BBox, Place, Point, SearchQuery
from bearings.places.osm.answers import OsmMap
from bearings.places.osm.reverse import Reverse
from bearings.places.osm.tags import TOWN_RANKS

ADDRESS_M, SAME_NAME_M = 50.0, 500.0
LEAST_OVERLAP = 0.95
_DETAILED_ZOOM = 18
_ANY_FLAG, _SEEN_M = 0xFF, 3_000.0
_SETTLEMENTS = ("city", "town", "village", "municipality", "hamlet")


@dataclass
class Score:
    """By what was asked: right answers, Nominatim's right answers (for points: not counted), questions."""

    right: Counter[str] = field(default_factory=Counter)
    nominatim: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)

    def add(self, kind: str, right: bool, nominatim: bool = False) -> None:
        """Counts an answer."""
        self.asked[kind] += 1
        self.right[kind] += right
        self.nominatim[kind] += nominatim

    def share(self, kind: str) -> float:
        """Right answers of all."""
        return self.right[kind] / self.asked[kind]


@dataclass
class Differences:
    """Where a map and Nominatim name another road or settlement for a point."""

    roads: int = 0
    roads_of_one_object: int = 0
    roads_nearer: int = 0
    settlements: int = 0
    settlements_of_the_polygon: int = 0
    settlements_of_the_polygon_by_nominatim: int = 0


def rows(oracle: Path, name: str) -> list[dict[str, Any]]:
    """The rows of a file of the oracle."""
    return [json.loads(line) for line in (oracle / name).read_text("utf-8").splitlines()]


def first(osm: OsmMap, text: str) -> Place | None:
    """The first answer to a query."""
    query = SearchQuery(text=text, limit=1, language="local")
    return next((osm.place_of(hit, query) for hit in osm.search(query).hits), None)


def scored(osm: OsmMap, oracle: Path) -> tuple[Score, Differences]:
    """All rows of the oracle."""
    score, differences = Score(), Differences()
    for row in rows(oracle, "search.jsonl"):
        place = first(osm, row["query"])
        ours = place is not None and _is_right(row, (place.osm_type, place.osm_id), place.name, place.point)
        theirs = row["nominatim"]
        score.add(
            row["form"], ours, theirs is not None and _is_right(row, _object(theirs), theirs["name"], _at(theirs))
        )
    for row in rows(oracle, "bbox.jsonl"):
        place, theirs = first(osm, row["query"]), row.get("nominatim")
        box = BBox(*(float(theirs["boundingbox"][at]) for at in (2, 0, 3, 1))) if theirs else None
        truth = BBox(*row["bbox"])
        score.add("box", place is not None and _overlaps(place.bbox, truth), box is not None and _overlaps(box, truth))
    for row in rows(oracle, "reverse.jsonl"):
        _score_point(osm, row, score, differences)
    for row in rows(oracle, "nearby.jsonl"):
        found = osm.nearby(Point(row["lat"], row["lon"]), row["radius_m"], row["category"], 60, "local")
        got = {(near.place.osm_type, near.place.osm_id) for near in found}
        wanted = {(one["osm_type"], one["osm_id"]) for one in row["expect"]}
        for one in wanted:
            score.add(f"nearby {row['category']}", one in got)
        for one in got:
            score.add("nearby, what is given", one in wanted)
    for row in rows(oracle, "admin.jsonl"):
        levels, _ = osm.levels(Point(row["lat"], row["lon"]), "local", "none")
        names = {folded(level.name) for level in levels}
        for level in row["levels"]:
            score.add("administrative areas", folded(level["name"]) in names)
    return score, differences


def _score_point(osm: OsmMap, row: dict[str, Any], score: Score, differences: Differences) -> None:
    point, theirs = Point(row["lat"], row["lon"]), row["nominatim"]
    found = osm.reverse(point, row["zoom"], "local", ())
    if "error" in theirs:
        score.add("point, nothing there", found is None)
    if not theirs.get("osm_id"):
        return
    is_same = found is not None and (found[0].osm_type, found[0].osm_id) == _object(theirs)
    if row["zoom"] != _DETAILED_ZOOM:
        score.add(f"point at zoom {row['zoom']}, object", is_same)
        return
    ours = found[0].address if found else {}
    score.add("point, object", is_same)
    for key in ("road", "house_number"):
        if theirs["address"].get(key):
            score.add(f"point, {key.replace('_', ' ')}", folded(ours.get(key)) == folded(theirs["address"][key]))
    if theirs["address"].get("road") and folded(ours.get("road")) != folded(theirs["address"]["road"]):
        differences.roads += 1
        differences.roads_of_one_object += is_same
        differences.roads_nearer += not is_same and found is not None and found[1] <= _distance(osm, point, theirs)
    settled = [theirs["address"][key] for key in _SETTLEMENTS if theirs["address"].get(key)]
    if settled:
        names = {folded(ours.get(key)) for key in _SETTLEMENTS}
        score.add("point, settlement", folded(settled[0]) in names)
        town = next((area for area in Reverse(osm.map, Areas(osm.map)).polygons(point) if _is_town(area)), None)
        if town is not None and folded(settled[0]) not in names:
            differences.settlements += 1
            differences.settlements_of_the_polygon += folded(town.name) in names
            differences.settlements_of_the_polygon_by_nominatim += folded(town.name) in map(folded, settled)


def folded(name: str | None) -> str:
    """A name without accents, case, white space and signs."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", name or "").casefold()))


def _is_town(area: Any) -> bool:
    return area.category == "boundary" and area.rank in TOWN_RANKS


def _object(reply: dict[str, Any]) -> tuple[str, int]:
    return reply["osm_type"], int(reply["osm_id"])


def _at(reply: dict[str, Any]) -> Point:
    return Point(float(reply["lat"]), float(reply["lon"]))


def _is_right(row: dict[str, Any], found: tuple[Any, Any], name: str | None, at: Point) -> bool:
    wanted = row["expect"]
    distance = geometry.distance_m(at, _at(wanted))
    if row["form"] == "address":
        return distance <= ADDRESS_M
    return found == _object(wanted) or (folded(name) == folded(wanted["name"]) and distance <= SAME_NAME_M)


def _overlaps(one: BBox, other: BBox) -> bool:
    wide = min(one.east, other.east) - max(one.west, other.west)
    high = min(one.north, other.north) - max(one.south, other.south)
    both = max(0.0, wide) * max(0.0, high)
    areas = [(box.east - box.west) * (box.north - box.south) for box in (one, other)]
    return both / (sum(areas) - both) >= LEAST_OVERLAP


def _distance(osm: OsmMap, point: Point, reply: dict[str, Any]) -> float:
    """The distance of Nominatim's object from a point; infinite if it is farther than what is looked for."""
    number = int(reply["osm_id"]) * 4 + ("node", "way", "relation").index(reply["osm_type"])
    ids = {row.id for row in osm.map.of_osm([number]).values()}
    shapes = Reverse(osm.map, Areas(osm.map)).near(point, _ANY_FLAG, _SEEN_M)
    return next((near.distance_m for near in shapes if near.feature in ids), math.inf)


def page(score: Score, differences: Differences) -> str:
    """The tables of answers."""
    from benchmarks.measure import table

    forms = [kind for kind in score.asked if not kind.startswith(("point", "nearby", "admin"))]
    found = [
        [kind.replace("_", " "), f"{score.right[kind]}", f"{score.nominatim[kind]}", f"{score.asked[kind]}"]
        for kind in forms
    ]
    others = [
        [kind, f"{score.right[kind]} of {score.asked[kind]}", f"{score.share(kind):.3f}"]
        for kind in score.asked
        if kind not in forms
    ]
    return (
        "Searches: the object first, or the same name within 500 m; an address within 50 m; a box that overlaps by "
        ".95.\n\n"
        + table(["query", "bearings", "Nominatim", "of"], found)
        + "\nPoints: the same as Nominatim says. Nearby and areas: what the data hold.\n\n"
        + table(["question", "right", "share"], others)
        + f"\nOf {differences.roads} other roads, {differences.roads_of_one_object} stand at the same object between "
        f"several streets, {differences.roads_nearer} of ours are nearer in metres (Nominatim measures in degrees). Of "
        f"{differences.settlements} other settlements, {differences.settlements_of_the_polygon} of ours and "
        f"{differences.settlements_of_the_polygon_by_nominatim} of Nominatim's are the municipality whose polygon "
        "holds the point (Nominatim names that of the street's middle, or the nearest village beside the "
        "municipality).\n"
    )
