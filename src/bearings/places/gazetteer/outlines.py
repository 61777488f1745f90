"""Country polygons from Natural Earth, in parts, each under the ISO code of the people who live in it.

Natural Earth's countries hold some territories that ISO 3166 counts apart: French Guiana is a part of France's
polygon. A part in which settlements of such a territory lie is given to it.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bearings.places.gazetteer import packages
from bearings.places.models import BBox, Point

if TYPE_CHECKING:
    from shapely.geometry import Polygon


@dataclass(slots=True)
class CountryShape:
    """What Natural Earth knows of a country: its parts, none of which crosses 180°, names, and a point for a label."""

    parts: "list[Polygon]" = field(default_factory=list)
    names: Mapping[str, str] = field(default_factory=dict)
    others: tuple[str, ...] = ()
    label: Point | None = None
    _population: float = -1.0

    def absorb(self, outline: packages.Outline) -> None:
        """Adds a record of the same code; names and label are those of the most populous."""
        self.parts.extend(_polygons(outline))
        if outline.population > self._population:
            self._population = outline.population
            self.names, self.others, self.label = outline.names, outline.others, Point(*outline.label)


def shapes(settlements: Iterable[tuple[str, Point]]) -> dict[str, CountryShape]:
    """Shapes by alpha-2 code. `settlements` are (code, point) of places people live in."""
    found: dict[str, CountryShape] = defaultdict(CountryShape)
    for outline in packages.outlines():
        found[outline.code].absorb(outline)
    without = [(code, point) for code, point in settlements if code not in found]
    _give_parts(found, without)
    return dict(found)


def boxes(shape: CountryShape) -> list[BBox]:
    """The box of each part."""
    return [BBox(*part.bounds) for part in shape.parts]


def _polygons(outline: packages.Outline) -> "list[Polygon]":
    from shapely.geometry import shape
    from shapely.validation import make_valid

    whole = shape(outline.shape)
    pieces = getattr(whole, "geoms", [whole])
    repaired = [piece if piece.is_valid else make_valid(piece) for piece in pieces]
    flat = [part for piece in repaired for part in getattr(piece, "geoms", [piece])]
    return [part for part in flat if part.geom_type == "Polygon"]


def _give_parts(found: dict[str, CountryShape], settlements: list[tuple[str, Point]]) -> None:
    """Moves each part to the territory most of whose settlements, among those without a shape, lie in it."""
    from shapely import STRtree, points

    parts = [(code, part) for code, shape in found.items() for part in shape.parts]
    tree = STRtree([part for _, part in parts])
    inside = tree.query(points([(point.lon, point.lat) for _, point in settlements]), predicate="within")
    votes: dict[int, Counter[str]] = defaultdict(Counter)
    for settlement, part in inside.T.tolist():
        votes[part][settlements[settlement][0]] += 1
    for index, counts in votes.items():
        owner, part = parts[index]
        found[owner].parts = [other for other in found[owner].parts if other is not part]
        found[counts.most_common(1)[0][0]].parts.append(part)
