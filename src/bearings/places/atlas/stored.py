"""Whole outlines of an index: all polygons of a place together."""

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bearings.places import shapes
from bearings.places.atlas.index import Index
from bearings.places.engine import chains

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry


def stored(index: Index, places: Sequence[int]) -> "dict[int, BaseGeometry]":
    """The shapes of places by id; a place without polygons is left out."""
    marks = ",".join("?" * len(places))
    parts: dict[int, list[BaseGeometry]] = defaultdict(list)
    for place, outline in index.query(f"SELECT place, outline FROM area WHERE place IN ({marks}) ORDER BY id", places):  # noqa: S608
        parts[place].append(chains.polygon(outline))
    return {place: _whole(found) for place, found in parts.items()}


def _whole(parts: "list[BaseGeometry]") -> "BaseGeometry":
    """One valid shape from polygons, which may overlap slightly because they were simplified one by one."""
    import shapely

    whole = shapes.joined(parts)
    if whole.is_valid:
        return whole
    united = shapely.union_all([part if part.is_valid else shapely.make_valid(part) for part in parts])
    return shapes.joined([part for part in shapes.parts_of(united) if part.geom_type == "Polygon"])
