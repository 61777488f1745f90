"""Countries' land from two sources: Natural Earth says whose it is, geoBoundaries where exactly it ends.

Natural Earth's borders and coasts are off by one or two kilometres, and small islands are missing; geoBoundaries' are
true to some ten metres, but lack whole provinces, and overlap where a border is disputed. So a strip along a border
goes to the country that alone claims it in geoBoundaries, a strip of sea along a coast goes to nobody, and everything
that is no strip stays as Natural Earth has it.
"""

import math
from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from bearings.places.shapes import polygons_of
from making import coverage

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

_STRIP_DEG = 0.05
"""Half the width of what two sources may put on either side of a border. Wider areas are a matter of opinion."""

_SLIVER_DEG = 0.03
"""Half the width of a strip of sea that Natural Earth takes for land."""

_COAST_SHARE = 0.2
"""A strip that nobody claims is sea if so much of its edge is Natural Earth's coast; else it is a gap at a border."""

_NEAR_DEG = 0.1
"""How far from its own land a country may gain some, as an enclave: Baarle is 5 km from Belgium."""

_ROCK_KM2, _ROCK_SHARE = 20, 1 / 50_000
_APART_DEG = 0.9
"""Islands of less area and of a smaller share of their country, farther than this (100 km) from other land, are left
out. An atoll of the Marshall Islands is a larger share."""

_REACH_DEG = 0.05
"""A settlement this near to an island may be on it."""

_KM_PER_DEG = 111.195
_SPECK_DEG2 = 1e-7
_SAME_DEG = 0.002
"""Edges of two countries that are as near are one border."""

_GRID_DEG = 1e-6


def of_countries(
    drawn: "Mapping[str, BaseGeometry]", claimed: "Mapping[str, BaseGeometry]"
) -> "dict[str, BaseGeometry]":
    """The land of each country by code: `drawn` is Natural Earth's, `claimed` geoBoundaries', both valid."""
    # Each country's own land with its gains, without those of others.
    import shapely

    found = {code: [shape] for code, shape in _own(drawn, claimed).items()}
    for code, strips in _gains(drawn, claimed).items():
        found[code] += strips
        whole = shapely.union_all(strips)
        for other in _near(drawn, whole):
            if other != code:
                found[other] = [shapely.difference(shape, whole) for shape in found[other]]
    whole = {code: coverage.union(shapes) for code, shapes in found.items()}
    return {
        code: shapely.multipolygons(polygons_of(shape))
        for code, shape in sorted(coverage.without_overlaps(whole).items())
    }


def _own(drawn: "Mapping[str, BaseGeometry]", claimed: "Mapping[str, BaseGeometry]") -> "dict[str, BaseGeometry]":
    """Natural Earth's land with geoBoundaries' coast and small islands."""
    import shapely

    found = {}
    for code, land in drawn.items():
        if code not in claimed:
            found[code] = land
            continue
        shapely.prepare(land)
        others = [each for other, each in drawn.items() if other != code and land.dwithin(each, _NEAR_DEG)]
        kept = coverage.clipped({code: claimed[code]}, land, others).get(code)
        claims = [claimed[code], *(claimed[other] for other in _near(claimed, land) if other != code)]
        # The land without strips along its coast that no country claims.
        import shapely

        free = land
        for claim in claims:
            free = shapely.difference(free, shapely.make_valid(shapely.clip_by_rect(claim, *land.bounds)))
        wide = shapely.buffer(land.envelope, _SAME_DEG).bounds
        borders = [shapely.clip_by_rect(shapely.boundary(other), *wide) for other in others]
        border = shapely.buffer(shapely.union_all(borders), _SAME_DEG, quad_segs=1)
        coast = _Edges(shapely.difference(shapely.boundary(land), border))
        shapely.prepare(claims[0])
        sea = [
            strip
            for strip in polygons_of(free)
            if strip.intersects(claims[0]) and _is_thin(strip, _SLIVER_DEG) and coast.share(strip) > _COAST_SHARE
        ]
        inner = shapely.difference(land, shapely.union_all(sea)) if sea else land
        found[code] = inner if kept is None else shapely.union_all([inner, kept])
    return found


class _Edges:
    """Lines in short pieces, which an index finds fast."""

    def __init__(self, lines: "BaseGeometry") -> None:
        import shapely

        self._pieces = coverage.short_pieces(lines)
        self._tree = shapely.STRtree(self._pieces)

    def share(self, shape: "BaseGeometry") -> float:
        """How much of a shape's edge lies on the lines."""
        import shapely

        near = [self._pieces[index] for index in self._tree.query(shape).tolist()]
        edge = shapely.boundary(shape)
        zone = shapely.buffer(shapely.multilinestrings(near), _GRID_DEG, quad_segs=1) if near else None
        return 0.0 if zone is None else float(shapely.intersection(edge, zone).length / edge.length)


def _gains(
    drawn: "Mapping[str, BaseGeometry]", claimed: "Mapping[str, BaseGeometry]"
) -> "dict[str, list[BaseGeometry]]":
    """Strips of other countries' land that a country alone claims, near its own."""
    import shapely

    found: dict[str, list[BaseGeometry]] = defaultdict(list)
    for code, claim in claimed.items():
        home = drawn[code]
        shapely.prepare(home)
        for other in _near(drawn, claim):
            if other == code or other not in claimed:
                continue
            theirs = drawn[other]
            cut = [
                shapely.make_valid(shapely.clip_by_rect(each, *_common(claim, theirs)))
                for each in (claim, theirs, claimed[other])
            ]
            common = shapely.difference(shapely.intersection(cut[0], cut[1]), cut[2])
            strips = [
                strip
                for strip in polygons_of(common)
                if strip.area > _SPECK_DEG2 and _is_thin(strip, _STRIP_DEG) and home.dwithin(strip, _NEAR_DEG)
            ]
            found[code] += [part for strip in strips for part in _beside(strip, home)]
    return found


def _beside(strip: "BaseGeometry", home: "BaseGeometry") -> "list[BaseGeometry]":
    """The parts of a strip near a country's own land: some claims extend into the neighbour's by mistake."""
    import shapely

    if bool(shapely.dwithin(home, shapely.points(shapely.get_coordinates(strip)), _NEAR_DEG).all()):
        return [strip]
    around = shapely.buffer(strip.envelope, 2 * _NEAR_DEG).bounds
    own = shapely.buffer(shapely.clip_by_rect(home, *around), _NEAR_DEG, quad_segs=2)
    return polygons_of(shapely.intersection(strip, own))


def _common(one: "BaseGeometry", other: "BaseGeometry") -> tuple[float, float, float, float]:
    """The box that two shapes' boxes have in common, with a margin: they may only touch."""
    import shapely

    return tuple(shapely.buffer(shapely.intersection(one.envelope, other.envelope), _SAME_DEG).bounds)


def _near(drawn: "Mapping[str, BaseGeometry]", shape: "BaseGeometry") -> list[str]:
    """The countries that a shape meets, in the order of their codes."""
    import shapely

    shapely.prepare(shape)
    return [code for code, land in sorted(drawn.items()) if shape.intersects(land)]


def _is_thin(shape: "BaseGeometry", half: float) -> bool:
    """Whether no circle of that radius lies in a shape."""
    import shapely

    return bool(shapely.buffer(shape, -half, quad_segs=2).is_empty)


def without_rocks(land: "BaseGeometry", settled: "list[tuple[float, float]]") -> "BaseGeometry":
    """The land without small islands that nobody lives on, far from the rest: Rockall is no part of what is meant."""
    import shapely

    parts = polygons_of(land)
    towns = shapely.STRtree(shapely.points(settled)) if settled else None
    inhabited = set() if towns is None else set(towns.query(parts, "dwithin", _REACH_DEG)[0].tolist())
    sizes = [float(part.area * _KM_PER_DEG**2 * math.cos(math.radians(part.centroid.y))) for part in parts]
    least = min(_ROCK_KM2, _ROCK_SHARE * sum(sizes))
    large = [index for index, size in enumerate(sizes) if size >= least or index in inhabited]
    if not large:
        return land
    near = shapely.STRtree([parts[index] for index in large]).query(parts, "dwithin", _APART_DEG)[0].tolist()
    return shapely.multipolygons([parts[index] for index in sorted(set(near))])
