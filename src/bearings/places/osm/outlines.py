"""The outlines of a map's places, put together from its areas and cells."""

from typing import TYPE_CHECKING

from bearings.places import geometry, shapes
from bearings.places.engine.areas import polygons
from bearings.places.osm import cells
from bearings.places.osm.cells import AREA, STEPS
from bearings.places.osm.map import Map, Row
from bearings.places.outlines import Outline

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

_AS_POINT = "OpenStreetMap has this place as a point."
_WITHOUT = "The map has no outline of this place."
_MOST_CELLS = 4_096
"""Cells read for one outline: a street or river of 300 km."""


def outline(osm: Map, row: Row) -> Outline:
    """The whole outline of a place; of a street, that of all its parts."""
    if row.osm is None:
        return Outline(None, note=_WITHOUT)
    parts = polygons(osm, [row.id]).get(row.id)
    shape = shapes.joined(parts) if parts else _from_cells(osm, row)
    if shape is not None:
        return Outline(shape)
    return Outline(shapes.of_point(row.point), note=_AS_POINT)


def _from_cells(osm: Map, row: Row) -> "BaseGeometry | None":
    import shapely

    box = osm.whole_box(row)
    if box is None:
        return None
    rings: list[BaseGeometry] = []
    lines: dict[bytes, BaseGeometry] = {}
    is_street = row.street == row.id
    for piece in geometry.split(box):
        met = cells.cells_of([round(edge * STEPS) for edge in piece], margin=0)
        for number in met[:_MOST_CELLS]:
            cell = osm.cell(number)
            for flags, positions in cell.shapes(row.id, is_street=is_street) if cell is not None else ():
                key = positions.tobytes()
                if key not in lines and len(positions) > 1:
                    lines[key] = shapely.LineString(positions)
                    if flags & AREA:
                        rings.append(lines[key])
    if rings:
        formed = shapely.polygonize(rings)
        areas = [part for part in formed.geoms if part.geom_type == "Polygon"]
        whole = shapely.build_area(shapely.GeometryCollection(rings)) if areas else None
        if whole is not None and not whole.is_empty:
            return shapes.joined(shapes.parts_of(whole))
    if not lines:
        return None
    merged = shapely.line_merge(shapely.union_all(list(lines.values())))
    return shapes.joined([part for part in shapes.parts_of(merged) if part.geom_type == "LineString"])
