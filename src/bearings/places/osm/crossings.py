"""Places that a query names by a street: where two meet, "Hauptstraße & Bahnhofstraße, Vaduz"; an object beside one."""

import json
from collections.abc import Iterator
from itertools import combinations, islice

from bearings.places import geometry
from bearings.places.models import Point
from bearings.places.osm import tags, words
from bearings.places.osm.asked import Asked, Named, Span, overlap
from bearings.places.osm.map import Map, Row
from bearings.places.osm.outlines import outline
from bearings.places.osm.schema import OBJECT
from bearings.places.osm.tags import OBJECT_RANK
from bearings.places.shapes import DEG_M

_MET_M = 30.0
"""Streets that come so near each other meet: their lines are those of the carriageways' middles."""

_MOST_PAIRS = 200
_WORDS = frozenset(
    {"and", "corner", "crossing", "intersection", "ecke", "kreuzung", "angle", "croisement", "esquina", "angolo"}
)
"""Words between or before two streets, beside those between a name and its area."""

_MOST_NAMED = 300
"""Objects of a name whose streets are looked at."""

_SPELT = 8
"""Names of streets that are looked at: more are of streets in many towns."""


def crossings(asked: Asked) -> Iterator[tuple[Row, Named]]:
    """The crossings of streets that a query names, each as a place without an object, and the first of its streets."""
    runs = [span for span in asked.targets() if _streets(asked, span)]
    tried: set[tuple[int, int]] = set()
    pairs = ((first_run, other) for first_run, other in combinations(runs, 2) if not overlap(first_run, other))
    for first_run, other in islice(pairs, _MOST_PAIRS):
        for first in _streets(asked, first_run):
            rest = asked.left(first_run, first.around, other)
            if not all(asked.words[word] in _WORDS for word in rest):
                continue
            for second in _streets(asked, other):
                key = (min(first.place, second.place), max(first.place, second.place))
                if first.place == second.place or key in tried:
                    continue
                tried.add(key)
                crossing = _crossing(asked.map, first.place, second.place)
                if crossing is not None:
                    yield crossing, first


def at_streets(asked: Asked) -> Iterator[tuple[Named, Span, tuple[int, ...]]]:
    """Objects that a query names with their street: "Schloss Apotheke, Äulestrasse, Vaduz".

    Street, areas and number spell the other words. Each comes with its run of words, and the words left.
    """
    for span in asked.targets():
        objects = [named for named in asked.of_span(span) if named.role == OBJECT]
        left_of = {named.place: asked.left(span, named.around) for named in islice(objects, _MOST_NAMED)}
        rows = asked.map.rows(place for place, left in left_of.items() if left)
        roads = asked.map.rows({row.street for row in rows.values() if row.street and row.rank == OBJECT_RANK})
        for named in objects[:_MOST_NAMED]:
            row = rows.get(named.place)
            road = roads.get(row.street) if row is not None and row.street else None
            if row is None or road is None:
                continue
            run = _run_of(asked, road, span)
            if run is not None:
                left = [word for word in left_of[named.place] if not run[0] <= word < run[1]]
                own = {"".join(asked.words[word] for word in left)} & set(words.house_keys(row.house or ""))
                if own or all(words.is_number(asked.words[word]) for word in left):
                    yield named, span, () if own else tuple(left)


def _streets(asked: Asked, span: Span) -> list[Named]:
    """The streets that a run of words names: few, and one for each town."""
    named = asked.of_span(span)
    rows = asked.map.rows([each.place for each in named[: 4 * _SPELT]])
    return [each for each in named if each.place in rows and _is_street(rows[each.place])][:_SPELT]


def _is_street(row: Row) -> bool:
    return row.category == "highway" and row.rank < OBJECT_RANK


def _crossing(osm: Map, one: int, other: int) -> Row | None:
    """Where two streets meet; None if they don't."""
    import shapely

    rows = osm.rows([one, other])
    boxes = [osm.whole_box(row) for row in rows.values()]
    if any(box is None for box in boxes):
        return None
    first, second = (box for box in boxes if box is not None)
    if not geometry.intersects(
        geometry.with_area(first, 4 * _MET_M / DEG_M), geometry.with_area(second, 4 * _MET_M / DEG_M)
    ):
        return None
    lines = [outline(osm, row).shape for row in rows.values()]
    if lines[0] is None or lines[1] is None:
        return None
    near = shapely.shortest_line(lines[0], lines[1])
    (lon, lat), (to_lon, to_lat) = shapely.get_coordinates(near).tolist()
    if geometry.distance_m(Point(lat, lon), Point(to_lat, to_lon)) > _MET_M:
        return None
    row = rows[one]
    return row._replace(
        id=-row.id, osm=None, type="crossing", name=f"{row.name} / {rows[other].name}", names=None, mains=None,
        point=Point((lat + to_lat) / 2, (lon + to_lon) / 2), bbox=None, street=None, rank=OBJECT_RANK,
    )  # fmt: skip


def _run_of(asked: Asked, road: Row, target: Span) -> Span | None:
    """The longest run of words beside the target that names the street."""
    others = json.loads(road.names) if road.names else {}
    keys = frozenset(key for name, _ in tags.spellings(road.name or "", others) for key in words.keys_of(name))
    runs = [span for span, key in asked.keys.items() if key in keys and not overlap(span, target)]
    return max(runs, key=lambda run: run[1] - run[0], default=None)
