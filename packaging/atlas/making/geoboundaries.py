"""GeoBoundaries' second-level pieces, each with the first-level area that it is of."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from builder import geoboundaries

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

_NEAR_DEG = 0.1
"""A piece this near a territory that has none, and not on its country's land, is the territory's."""


@dataclass(slots=True)
class Piece:
    """A second-level area of geoBoundaries."""

    name: str
    state: str
    shape: "BaseGeometry"


def pieces_of(shapes: "Mapping[str, BaseGeometry]") -> dict[str, list[Piece]]:
    """GeoBoundaries' pieces by alpha-2 code; those of a territory without any of its own lie in its outline."""
    import shapely

    alpha2 = geoboundaries.alpha2()
    named, rows = geoboundaries.states(), list(geoboundaries.pieces())
    own = {alpha2[country] for country, *_ in rows if country in alpha2}
    homes: dict[str, Counter[str]] = defaultdict(Counter)
    for country, state, *_ in rows:
        homes[state][country] += 1
    bare = [code for code in shapes if code not in own]
    tree = shapely.STRtree([shapes[code] for code in bare])
    found: dict[str, list[Piece]] = defaultdict(list)
    for country, code, name, shape in rows:
        state = named[code] if homes[code].most_common(1)[0][0] == country else ""
        point = shape.representative_point()
        near = tree.query(point, predicate="dwithin", distance=_NEAR_DEG).tolist()
        territory = min(near, key=lambda index: shapes[bare[index]].distance(point)) if near else None
        home = alpha2.get(country)
        if territory is not None and (home not in shapes or not shapes[home].intersects(point)):
            found[bare[territory]].append(Piece(name, state, shape))
        elif home in shapes:
            found[home].append(Piece(name, state, shape))
    return found
