"""Writes what the map view draws below its data: `python packaging/views/world.py | node web/map/world.mjs`.

Outlines of countries, lakes and large rivers are Natural Earth's (public domain), as the atlas's committed data have
them; names are the core atlas's (GeoNames, CC BY 4.0). What is cut at 180° is joined, because a globe has no such cut.
The output is one JSON object: a FeatureCollection for each layer, and the labels.
"""

import json
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import shapely
from shapely import affinity

sys.path.append(str(Path(__file__).parents[1] / "atlas"))

from builder import codec

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

ROOT = Path(__file__).parents[2]
DATA = ROOT / "packaging" / "atlas" / "data"
CORE = ROOT / "src" / "bearings" / "places" / "atlas" / "core.sqlite"

RIVER_FAME, LAKE_FAME = 0.45, 0.42
"""Of Natural Earth's scale ranks: the rivers and lakes of maps at 1:15 million."""

CITIES = 2_000
"""Most cities: about 50 kB of the view."""

Position = tuple[float, float]


def collection(name: str, fame: float) -> dict[str, Any]:
    """The features of a layer that are at least so well known, as GeoJSON."""
    features = [
        {"type": "Feature", "properties": {"fame": feature.fame}, "geometry": on_globe(feature.shape)}
        for feature in sorted(codec.read(DATA / f"{name}.xz"), key=lambda one: one.key)
        if feature.shape is not None and feature.fame >= fame
    ]
    return {"type": "FeatureCollection", "features": features}


def on_globe(shape: "BaseGeometry") -> dict[str, Any]:
    """The shape without edges along 180° and at the pole. Outer rings run clockwise, as d3-geo expects."""
    if shape.geom_type.endswith("LineString"):
        lines = [list(line.coords) for line in shapely.get_parts(shapely.line_merge(shape))]
        return {"type": "MultiLineString", "coordinates": lines}
    parts = list(shapely.get_parts(shape))
    bounds = [part.bounds for part in parts]
    if any(west <= -180 for west, *_ in bounds) and any(east >= 180 for _, _, east, _ in bounds):
        parts = list(joined(parts))
    return {"type": "MultiPolygon", "coordinates": [rings(part) for part in parts]}


def joined(parts: "Sequence[BaseGeometry]") -> "Iterator[BaseGeometry]":
    """The parts with those that meet at 180° made one; its longitudes go on beyond 180."""
    eastern = [affinity.translate(part, 360) if part.bounds[2] < 0 else part for part in parts]
    touching = [part for part in eastern if part.bounds[0] <= 180 <= part.bounds[2]]
    yield from (part for part in eastern if not part.bounds[0] <= 180 <= part.bounds[2])
    yield from shapely.get_parts(shapely.union_all(touching))


def rings(part: Any) -> list[list[Position]]:
    """The rings of a polygon, with longitudes from -180 to 180 and without its way along the pole."""
    turned = shapely.geometry.polygon.orient(part, -1.0)
    return [list(ring(line.coords)) for line in (turned.exterior, *turned.interiors)]


def ring(positions: Iterable[Position]) -> Iterator[Position]:
    """The positions of a ring on the globe, the first one again at its end."""
    kept = [(lon - 360 if lon > 180 else lon, lat) for lon, lat in positions]
    if any(lat < -89 for _, lat in kept):
        kept = [(lon, lat) for lon, lat in kept if lat > -89 and abs(lon) < 180]
        kept.append(kept[0])
    yield from kept


def labels() -> dict[str, list[list[Any]]]:
    """Names and their positions by kind, the best-known first."""
    query = "SELECT name, round(lon, 2), round(lat, 2) FROM place WHERE type = ? ORDER BY importance DESC, id LIMIT ?"
    most = {"ocean": 20, "sea": 100, "country": 300, "city": CITIES}
    with sqlite3.connect(f"file:{CORE}?mode=ro", uri=True) as core:
        return {kind: list(map(list, core.execute(query, (kind, limit)))) for kind, limit in most.items()}


def main() -> None:
    """Writes everything to stdout."""
    world = {
        "countries": collection("countries", 0.0),
        "lakes": collection("lakes", LAKE_FAME),
        "rivers": collection("rivers", RIVER_FAME),
        "labels": labels(),
    }
    json.dump(world, sys.stdout, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    main()
