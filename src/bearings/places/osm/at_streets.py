"""Objects that a query names together with their street: "Schloss Apotheke, Äulestrasse, Vaduz"."""

import json
from collections.abc import Iterator
from itertools import islice

from bearings.places.osm import tags, words
from bearings.places.osm.asked import Asked, Named, Span, overlap
from bearings.places.osm.map import Row
from bearings.places.osm.schema import OBJECT

_MOST = 300
"""Objects of a name whose streets are looked at."""


def at_streets(asked: Asked) -> Iterator[tuple[Named, Span, tuple[int, ...]]]:
    """Objects whose street, areas and number spell the other words: each with its run of words, and the words left."""
    for span in asked.targets():
        found = [named for named in asked.of_span(span) if named.role == OBJECT]
        left_of = {named.place: asked.left(span, named.around) for named in islice(found, _MOST)}
        rows = asked.map.rows(place for place, left in left_of.items() if left)
        roads = asked.map.rows({row.street for row in rows.values() if row.street and row.rank == tags.OBJECT_RANK})
        for named in found[:_MOST]:
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


def _run_of(asked: Asked, road: Row, target: Span) -> Span | None:
    """The longest run of words beside the target that names the street."""
    others = json.loads(road.names) if road.names else {}
    keys = frozenset(key for name, _ in tags.spellings(road.name or "", others) for key in words.keys_of(name))
    runs = [span for span, key in asked.keys.items() if key in keys and not overlap(span, target)]
    return max(runs, key=lambda run: run[1] - run[0], default=None)
