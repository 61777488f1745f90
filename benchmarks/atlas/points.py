"""Points for `reverse_geocode`, drawn with a fixed seed, and what they lie in by the references.

A point is "inside" where a circle of 5 km around it lies in one polygon of the reference, and "near" otherwise.
"""

import hashlib
import itertools
import json
import math
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from benchmarks.atlas import shapes
from benchmarks.atlas.judges import distance_km, folded
from benchmarks.atlas.packages import CACHE
from benchmarks.atlas.sets import SEED, cities

APART_KM = 5.0
SPREAD_KM = 20.0
DISSOLVED = frozenset({"mg"})
"""Countries whose codes in ISO 3166-2 are of regions that are no more: Madagascar's provinces, dissolved in 2009."""
DISPUTED = ((32.4, 44.3, 36.7, 46.2), (-17.2, 20.7, -8.6, 27.7), (8.0, 74.0, 35.0, 81.0))
"""Crimea; Western Sahara; Svalbard, whose ISO code country-coder does not say."""
City = Mapping[str, Any]


@dataclass(frozen=True)
class Spot:
    """A point and what the reference says of it."""

    lat: float
    lon: float
    wanted: str
    near: bool
    group: str = ""


def _kept(name: str, make: Callable[[], Iterator[Spot]]) -> list[Spot]:
    """Spots of a set, from the cache if they were made before by the same code."""
    drawn_by = hashlib.sha256(b"".join(Path(str(module)).read_bytes() for module in (__file__, shapes.__file__)))
    file = CACHE / f"{name}-{SEED}-{drawn_by.hexdigest()[:8]}.json"
    if not file.exists():
        rows = [(spot.lat, spot.lon, spot.wanted, spot.near, spot.group) for spot in make()]
        file.write_text(json.dumps(rows), encoding="utf-8")
    return [Spot(*row) for row in json.loads(file.read_text(encoding="utf-8"))]


def in_countries() -> list[Spot]:
    """2,000 points inside and 500 near: half by area, half the same number for each country; land by OpenStreetMap.

    Where country-coder says another country, or two, the point is left out: who owns it is no question of geometry.
    """
    return _kept("countries", _in_countries)


def _in_countries() -> Iterator[Spot]:
    land = shapes.land()
    area = [shape.area * math.cos(math.radians(shape.centroid.y)) for shape in land.values()]
    draw = random.Random(SEED)

    def agreed(code: str, lon: float, lat: float) -> bool:
        apart = any(w <= lon <= e and s <= lat <= n for w, s, e, n in DISPUTED)
        return not apart and shapes.countries_at(lon, lat) == {code}

    codes = [code for code in land if code != "aq"]
    by_area = draw.choices(list(land), area, k=4000)
    yield from _drawn(land, iter(by_area), draw, agreed, 1000, 250)
    yield from _drawn(land, (code for _ in range(40) for code in codes), draw, agreed, 1000, 250)


def in_states() -> list[Spot]:
    """1,500 points inside the fifty states and 300 near their borders, thirty-six a state."""
    return _kept("states", lambda: _in(shapes.us_states(), 1500, 300))


def in_regions() -> list[Spot]:
    """1,000 points inside and 200 near in the first-level regions of seven countries, wanted as "BR-SP"."""
    areas = {"-".join(key): area for key, area in shapes.dcw_regions().items()}
    return _kept("regions", lambda: _in(areas, 1000, 200))


def _in(areas: Mapping[str, BaseGeometry], inside: int, near: int) -> Iterator[Spot]:
    areas = {name: area for name, area in areas.items() if not area.is_empty}
    turns = (name for _ in range(60) for name in sorted(areas))
    return _drawn(areas, turns, random.Random(SEED), lambda *_: True, inside, near)


def _drawn(
    areas: Mapping[str, BaseGeometry],
    turns: Iterator[str],
    draw: random.Random,
    agreed: Callable[[str, float, float], bool],
    inside: int,
    near: int,
) -> Iterator[Spot]:
    """One point a turn in the area of that name, until there are enough inside and near."""
    for area in areas.values():
        shapely.prepare(area)
    boxes = {name: parts(area) for name, area in areas.items()}
    left = {False: inside, True: near}
    for name in turns:
        for _ in range(20):
            lon, lat = somewhere(*boxes[name], draw)
            if not areas[name].contains(shapely.Point(lon, lat)) or not agreed(name, lon, lat):
                continue
            edge = not shapes.holds_circle(areas[name], lon, lat, APART_KM)
            if left[edge]:
                left[edge] -= 1
                yield Spot(round(lat, 5), round((lon + 180) % 360 - 180, 5), name, edge, name)
                break
        if not any(left.values()):
            return


def parts(area: BaseGeometry) -> tuple[list[shapes.Box], list[float]]:
    """Boxes of its polygons, and the sums of their sizes so far."""
    parts = [part for part in getattr(area, "geoms", [area]) if part.area > 0]
    return [part.bounds for part in parts], list(itertools.accumulate(part.area for part in parts))


def somewhere(boxes: Sequence[shapes.Box], sizes: Sequence[float], draw: random.Random) -> tuple[float, float]:
    """A point of the box of one of its polygons, the polygon by size, even on the sphere."""
    ((west, south, east, north),) = draw.choices(boxes, cum_weights=sizes)
    low, high = (math.sin(math.radians(edge)) for edge in (south, north))
    return draw.uniform(west, east), math.degrees(math.asin(draw.uniform(low, high)))


def in_towns(count: int = 1500) -> list[Spot]:
    """Towns of SimpleMaps whose region has one ISO 3166-2 code by its name, no other region's town within 20 km.

    No polygons: the reference is what the data say of each town. At most 40 a country.
    """
    return _kept("towns", lambda: _in_towns(count))


def _in_towns(count: int) -> Iterator[Spot]:
    codes = _codes()
    grid: dict[tuple[int, int], list[City]] = defaultdict(list)
    for row in cities():
        grid[int(row["lat"] // 0.5), int(row["lng"] // 0.5)].append(row)
    rest = list(cities())
    taken: dict[str, int] = defaultdict(int)
    random.Random(SEED).shuffle(rest)
    for row in rest:
        code = codes.get((row["iso2"], folded(row["admin_name"] or "")))
        if (
            code
            and row["iso2"] not in DISSOLVED
            and taken[row["iso2"]] < 40
            and sum(taken.values()) < count
            and _alone(row, grid)
        ):
            taken[row["iso2"]] += 1
            yield Spot(row["lat"], row["lng"], code, False, row["iso2"])


def _alone(row: City, grid: Mapping[tuple[int, int], list[City]]) -> bool:
    y, x = int(row["lat"] // 0.5), int(row["lng"] // 0.5)
    around = (other for dy in (-1, 0, 1) for dx in (-1, 0, 1) for other in grid[y + dy, x + dx])
    here = (row["lat"], row["lng"])
    return not any(
        (other["iso2"], other["admin_name"]) != (row["iso2"], row["admin_name"])
        and distance_km(here, (other["lat"], other["lng"])) < SPREAD_KM
        for other in around
    )


@cache
def outer() -> dict[str, str]:
    """ISO 3166-2 code of a part → code of the region that it is a part of: DO-21 → DO-41."""
    import pycountry

    return {one.code: one.parent_code for one in pycountry.subdivisions if one.parent_code}


def _codes() -> dict[tuple[str, str], str]:
    """(country, folded name) → ISO 3166-2 code of a first-level subdivision, where one alone has that name."""
    import pycountry

    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in pycountry.subdivisions:
        if one.parent_code is None:
            for name in re.split(r"[,;/\[\]()]", one.name):
                found[one.country_code.lower(), folded(name)].add(one.code)
    return {key: min(codes) for key, codes in found.items() if len(codes) == 1 and key[1]}
