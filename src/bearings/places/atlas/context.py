"""Check the rest of a query against the areas that contain a place.

A natural feature has at most one parent, and none if it lies in several countries: Lake Geneva is in France, Mount
Everest in Nepal. Its outline decides or, without one (peaks, rivers, some ranges), its box: so the Danube may count as
in Italy, whose north its box overlaps.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from bearings.places import geometry
from bearings.places.atlas import naming, spellings, territories
from bearings.places.atlas.index import LAST_AREA_RANK, LAST_CITY_RANK, Index, Row
from bearings.places.engine import chains, text
from bearings.places.models import BBox, Layer, Point

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

_LAST_REGION_RANK = 8
_LONGEST_NAME_WORDS = 7

_NEAR_M = 50_000.0
"""The largest distance of a place from the area that a query names, if none is inside. Chosen: regions get new borders,
and many people place a town near a border in the next region."""

MEMBERS = "members."
"""A key of `meta`, before the id of a continent or macro-region: the ids of its countries."""

_LAST_COUNTRY_RANK = 4

_CROSSING = frozenset(
    {Layer.MACRO_REGION, Layer.ISLAND, Layer.PHYSICAL, Layer.SEA, Layer.LAKE, Layer.RIVER, Layer.PARK}
)
"""The layers whose places cross borders."""


class Contexts:
    """Checks contexts against one index, with a cache for the length of one query."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._areas: dict[tuple[str, int], frozenset[int]] = {}
        self._known: dict[tuple[str, int], bool] = {}

    def is_known(self, part: str, last_rank: int = LAST_AREA_RANK) -> bool:
        """Whether the words of a part can be names of areas at all; to the rank of cities, also of large cities."""
        if (part, last_rank) not in self._known:
            self._known[part, last_rank] = self._spells(part, bool, last_rank)
        return self._known[part, last_rank]

    def may_hold(self, part: str) -> bool:
        """Whether the words of a part can be names of areas or large cities, in which places and districts lie."""
        return self.is_known(part, LAST_CITY_RANK)

    def fits(self, row: Row, parts: tuple[str, ...], *, itself: bool = False) -> bool:
        """Whether every part is spelt, word for word, by names or codes of areas that contain the place.

        `itself`: the place is among them, for an area named as its own context: "Nunavut, Nunavut, Canada".
        """
        if not parts:
            return True
        around = self._around(row) | ({row.id} if itself else set())
        lands = self._index.lands()

        def hold(areas: frozenset[int]) -> bool:
            boxes = [lands[area] for area in areas & lands.keys()]
            return bool(areas & around) or any(geometry.contains(box, row.point) for box in boxes)

        return all(self._spells(part, hold, LAST_CITY_RANK) for part in parts)

    def reaches(self, row: Row, parts: tuple[str, ...]) -> bool:
        """As `fits`, for natural features: whether the feature lies at least partly in areas of these names."""
        if row.layer not in _CROSSING:
            return False
        around = self._around(row)

        def meets(areas: frozenset[int]) -> bool:
            return bool(areas & around) or _crosses(self._index, row, areas)

        return all(self._spells(part, meets) for part in parts)

    def is_country(self, key: str) -> bool:
        """Whether a key names a country."""
        areas = (self._index.area(area) for area in self.named(key))
        return any(area is not None and area.layer is Layer.COUNTRY for area in areas)

    def is_known_in(self, part: str, area: str) -> bool:
        """Whether a part can locate a place in `area`: it names an area inside, or any country or region.

        A county or town of another country does not: Yuma is not one of the Dominican Republic's counties.
        """
        named = self.named(area)

        def tells(areas: frozenset[int]) -> bool:
            rows = [row for each in areas if (row := self._index.area(each)) is not None]
            return any(
                row.place_rank <= _LAST_REGION_RANK
                or row.id in named
                or any(above.id in named for above in self._index.ancestors(row))
                for row in rows
            )

        return self._spells(part, tells)

    def is_near(self, row: Row, parts: tuple[str, ...]) -> bool:
        """Whether a place lies in areas of these names, or near their outlines."""
        if not parts:
            return True
        around = self._around(row)

        def near(areas: frozenset[int]) -> bool:
            return bool(areas & around) or _lies_near(self._index, row.point, areas, _NEAR_M)

        return all(self._spells(part, near) for part in parts)

    def _around(self, row: Row) -> frozenset[int]:
        """The areas that contain a place; a territory's sovereign is one: "Guam, USA"."""
        sovereign = territories.SOVEREIGNS.get(row.country_code or "")
        above = None if sovereign is None else self._index.country(sovereign)
        return frozenset((*(each.id for each in self._index.ancestors(row)), *(() if above is None else (above,))))

    def _spells(self, part: str, admits: Callable[[frozenset[int]], bool], last_rank: int = LAST_AREA_RANK) -> bool:
        """Whether a part is a sequence of names, each of an admitted area."""
        # "illinois usa" is "illinois" and then "usa": `reached` has the words up to which names of areas can be read.
        words = part.split(" ")
        reached = {0}
        for start in range(len(words)):
            if start in reached:
                for end in range(start + 1, min(len(words), start + _LONGEST_NAME_WORDS) + 1):
                    if admits(self.named(" ".join(words[start:end]), last_rank)):
                        reached.add(end)
        return len(words) in reached

    def named(self, key: str, last_rank: int = LAST_AREA_RANK) -> frozenset[int]:
        """The areas that a key names or stands for; for a continent that shares no country's name, its countries.

        To the rank of cities, large cities too.
        """
        if (key, last_rank) not in self._areas:
            rank_of: dict[int, int] = {}
            for variant in dict.fromkeys((*text.variants(key), naming.plain(key), *spellings.codes_of(key))):
                rank_of.update(self._index.areas_named(variant))
            lands = self._index.lands()
            areas = {place for place, rank in rank_of.items() if rank <= last_rank or place in lands}
            if min(rank_of.values(), default=0) > _LAST_COUNTRY_RANK:
                areas.update(*(self._members(place) for place in rank_of))
            self._areas[key, last_rank] = frozenset(areas)
        return self._areas[key, last_rank]

    def _members(self, continent: int) -> Iterator[int]:
        """The countries of a continent or macro-region; empty for other areas."""
        return map(int, self._index.meta.get(f"{MEMBERS}{continent}", "").split())


def _crosses(index: Index, feature: Row, areas: Iterable[int]) -> bool:
    """Whether an outline of the areas, by their ids, overlaps the feature."""
    import shapely

    wanted = set(areas)
    if not wanted:
        return False
    outlines = _outlines(index, feature.bbox, wanted)
    own = _outlines(index, feature.bbox, {feature.id}) if outlines else []
    shapes = own or [shapely.box(*piece) for piece in geometry.split(feature.bbox)]
    return any(outline.intersects(shape) for outline in outlines for shape in shapes)


def _lies_near(index: Index, point: Point, areas: Iterable[int], limit_m: float) -> bool:
    """Whether a point is inside an outline of the areas, by their ids, or within the limit of it."""
    import shapely

    wanted = set(areas)
    here = shapely.Point(point.lon, point.lat)
    for outline in _outlines(index, geometry.around(point, limit_m), wanted) if wanted else ():
        nearest = shapely.shortest_line(outline, here).coords[0]
        if geometry.distance_m(Point(nearest[1], nearest[0]), point) <= limit_m:
            return True
    return False


def _outlines(index: Index, box: BBox, places: set[int]) -> "list[BaseGeometry]":
    """The places' polygons that overlap the box of each piece."""
    rows = index.select_meeting(
        "SELECT outline FROM area_rtree JOIN area USING (id)", box, f"AND place IN ({','.join('?' * len(places))})",
        tuple(places),
    )  # fmt: skip
    return [chains.polygon(stored) for (stored,) in rows]
