"""Areas that are to tile a country: cut to it, without overlaps, and without gaps between them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bearings.places.shapes import polygons_of

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

GRID_DEG = 1e-5
_COAST_DEG = 0.03
"""How far a region may reach over the country's coast: the sources' coasts differ by as much."""

_ISLAND_DEG2 = 0.05
"""An island that the country's outline lacks is kept if it is smaller (some 600 km²); larger ones are water."""

_NEAR_DEG = 0.01
_STEP_DEG = 0.01
_SPECK_DEG2 = 1e-7
_CHUNK = 50


def union(shapes: "list[BaseGeometry]") -> "BaseGeometry":
    """All in one, corners on a fine grid, so that edges which should meet do."""
    import shapely

    return shapely.union_all([shapely.make_valid(shape) for shape in shapes], grid_size=GRID_DEG)


def clipped(
    shapes: "Mapping[Any, BaseGeometry]", country: "BaseGeometry", others: "list[BaseGeometry]", *, islands: bool = True
) -> "dict[Any, BaseGeometry]":
    """Each region clipped to its country: with its coast, without other countries' land; small islands if wanted."""
    import shapely

    land = shapely.simplify(country, _COAST_DEG / 6)
    allowed = shapely.buffer(land, _COAST_DEG, quad_segs=1)
    near = [shapely.clip_by_rect(other, *allowed.bounds) for other in others]
    if near:
        allowed = shapely.difference(allowed, shapely.union_all(near))
    shapely.prepare(country)
    elsewhere = shapely.STRtree(others)
    found = {}
    for key, shape in shapes.items():
        small = [part for part in polygons_of(shape) if islands and part.area < _ISLAND_DEG2]
        apart = [
            part
            for part in small
            if not country.intersects(part) and not len(elsewhere.query(part, predicate="intersects"))
        ]
        kept = shapely.intersection(shape, shapely.intersection(allowed, shape.envelope))
        whole = shapely.union_all([kept, *apart])
        if polygons_of(whole):
            found[key] = whole
    return found


def without_overlaps(shapes: "dict[Any, BaseGeometry]") -> "dict[Any, BaseGeometry]":
    """Takes from the larger of two what both cover."""
    import shapely

    order = sorted(shapes, key=lambda key: (-shapes[key].area, str(key)))
    found = [shapes[key] for key in order]
    tree = shapely.STRtree(found)
    pairs = tree.query(found, predicate="intersects").T.tolist()
    for larger, smaller in sorted(pairs):
        if larger < smaller and found[larger].intersection(found[smaller]).area > 0:
            found[larger] = found[larger].difference(found[smaller])
    return dict(zip(order, found, strict=True))


def gaps(
    shapes: "Mapping[Any, BaseGeometry]", country: "BaseGeometry", water: "BaseGeometry | None"
) -> "list[BaseGeometry]":
    """The pieces of the country that no region covers and that are no water."""
    import shapely

    gap = shapely.difference(country, shapely.union_all(list(shapes.values())))
    whole = gap if water is None else shapely.difference(gap, water)
    return [piece for piece in polygons_of(whole) if piece.area >= _SPECK_DEG2]


def filled(
    shapes: "dict[Any, BaseGeometry]", country: "BaseGeometry", water: "BaseGeometry | None"
) -> "dict[Any, BaseGeometry]":
    """Gives each piece of the country that no region covers to the nearest; one between several is shared out."""
    import shapely

    edges, owners = _edges(shapes)
    tree = shapely.STRtree(edges)
    added: dict[Any, list[BaseGeometry]] = {key: [shape] for key, shape in shapes.items()}
    for piece in gaps(shapes, country, water):
        near = list(dict.fromkeys(owners[index] for index in sorted(tree.query(piece, "dwithin", _NEAR_DEG).tolist())))
        if len(near) < 2:
            added[near[0] if near else owners[int(tree.nearest(piece))]].append(piece)
            continue
        for key, part in _shared({key: shapes[key] for key in near}, piece).items():
            added[key].append(part)
    return {key: shapely.union_all(parts) for key, parts in added.items()}


def _edges(shapes: "Mapping[Any, BaseGeometry]") -> "tuple[list[BaseGeometry], list[Any]]":
    """The regions' edges in short pieces, which an index finds faster than whole regions, and whose each is."""
    import shapely

    edges: list[BaseGeometry] = []
    owners: list[Any] = []
    for key, shape in shapes.items():
        short = short_pieces(shapely.boundary(shape))
        edges += short
        owners += [key] * len(short)
    return edges, owners


def short_pieces(lines: "BaseGeometry") -> "list[BaseGeometry]":
    """Lines cut into pieces of at most `_CHUNK` segments."""
    import shapely

    found = []
    for line in shapely.get_parts(lines):
        positions = shapely.get_coordinates(line)
        starts = range(0, len(positions) - 1, _CHUNK)
        found += [shapely.linestrings(positions[start : start + _CHUNK + 1]) for start in starts]
    return found


def _shared(shapes: "Mapping[Any, BaseGeometry]", piece: "BaseGeometry") -> "dict[Any, BaseGeometry]":
    """Cuts a piece so that each part is nearest to one of the shapes: by the Voronoi cells of their edges' points."""
    import numpy as np
    import shapely

    around = shapely.buffer(piece, 2 * _NEAR_DEG, quad_segs=2)
    owners: list[Any] = []
    points: list[Any] = []
    for key, shape in shapes.items():
        edge = shapely.segmentize(shapely.intersection(shapely.boundary(shape), around), _STEP_DEG)
        positions = np.unique(np.round(shapely.get_coordinates(edge), 6), axis=0)
        points.append(positions)
        owners += [key] * len(positions)
    every, first = np.unique(np.concatenate(points), axis=0, return_index=True)
    if len(every) < 2:
        return {owners[0] if owners else next(iter(shapes)): piece}
    cells = shapely.get_parts(shapely.voronoi_polygons(shapely.multipoints(every), extend_to=piece, ordered=True))
    touched = shapely.STRtree(cells).query(piece, predicate="intersects")
    found: dict[Any, list[BaseGeometry]] = {}
    for index in sorted(touched.tolist()):
        found.setdefault(owners[first[index]], []).append(cells[index])
    return {key: shapely.intersection(shapely.union_all(parts), piece) for key, parts in found.items()}
