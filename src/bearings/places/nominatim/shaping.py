"""Outlines from a Nominatim: requested by id after the search, each as simple as the place's size allows.

A search with outlines would use one tolerance for a country and its namesakes' houses. And the answers without
outlines stay useful in the cache.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bearings.errors import BadResponse, BearingsError
from bearings.places import geometry, shapes
from bearings.places.models import AdminLevel, BBox, Found, Place
from bearings.places.nominatim import wire
from bearings.places.nominatim.boxes import widened
from bearings.places.nominatim.client import NominatimClient
from bearings.places.outlines import Detail, Outline, Parts

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

_FINEST, _COARSEST = -5, -2
"""Powers of ten of degrees: outlines are simplified by 1 m to 1 km."""
_UNSIMPLIFIED = 0
"""The step of an outline that is requested as it is."""

_NODE = "A node of OpenStreetMap: it has a point."
_NO_OBJECT = "This is no object of OpenStreetMap and has no outline."
_ABSENT = "The server sent no outline that can be read."
_WHOLE = (
    "A Nominatim can't tell territories of other ISO codes: the boundary is OpenStreetMap's, overseas parts included "
    "as its relation has them. parts: main leaves out what is distant."
)
_COUNTRY_RANK = 4
"""The place_rank of countries; larger places have lower ones."""
_LARGE_DEG = 40.0
"""The width in degrees from which a country's box probably holds distant parts, as those of France and the USA do."""
_UNKNOWN_SIZE = BBox(0, 0, 1, 1)
"""A box of the size that is assumed for an area without one."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """An object to outline; `step` is the power of ten of degrees by which it is simplified, or _UNSIMPLIFIED."""

    osm_id: str
    step: int


async def with_outlines(
    client: NominatimClient, found: Found, detail: Detail, parts: Parts | None, language: str
) -> Found:
    """The answer with outlines; the boxes are those of the requested parts, if a polygon tells them."""
    wanted = [place for place in found.places if detail != "none" or (parts == "main" and _is_wide(place.bbox))]
    boxes_by_id = {wire.id_of(place): place.bbox for place in wanted if place.osm_type in ("way", "relation")}
    outlines = await _outlines(client, boxes_by_id, detail, language)
    places = tuple(_shaped(place, outlines.get(wire.id_of(place)), detail, parts) for place in found.places)
    return replace(found, places=places, note=found.note or _note(places, parts))


async def areas_with_outlines(
    client: NominatimClient, levels: Sequence[AdminLevel], boxes: Mapping[str, BBox], detail: Detail, language: str
) -> tuple[AdminLevel, ...]:
    """Areas with outlines; `boxes` by OSM id give their sizes, if known."""
    if detail == "none":
        return tuple(levels)
    ids_by_level = {
        level: wire.short_id(level.osm_type, level.osm_id) for level in levels if level.osm_type and level.osm_id
    }
    boxes_by_id = {osm_id: boxes.get(osm_id, _UNKNOWN_SIZE) for osm_id in ids_by_level.values()}
    outlines = await _outlines(client, boxes_by_id, detail, language)
    no_object, absent = Outline(None, note=_NO_OBJECT), Outline(None, note=_ABSENT)
    return tuple(
        replace(level, outline=outlines.get(ids_by_level[level], absent) if level in ids_by_level else no_object)
        for level in levels
    )


async def _outlines(
    client: NominatimClient, boxes_by_id: Mapping[str, BBox], detail: Detail, language: str
) -> dict[str, Outline]:
    """Outlines by OSM id: one request for all of about one size; too large ones are requested again, simpler."""
    outlines: dict[str, Outline] = {}
    if detail == "full":
        outlines = await _ask(client, [_Asked(osm_id, _UNSIMPLIFIED) for osm_id in boxes_by_id], language)
    left = [_Asked(osm_id, _step(box)) for osm_id, box in boxes_by_id.items() if osm_id not in outlines]
    by_step: dict[int, list[_Asked]] = defaultdict(list)
    for asked in left:
        by_step[asked.step].append(asked)
    for _, group in sorted(by_step.items()):
        outlines |= await _ask(client, group, language, is_last_try=True)
    return outlines


async def _ask(
    client: NominatimClient, group: Sequence[_Asked], language: str, *, is_last_try: bool = False
) -> dict[str, Outline]:
    """The outlines that came for a group, all of one step; in the last try, also the reasons for missing ones."""
    if not group:
        return {}
    ids, step = [asked.osm_id for asked in group], group[0].step
    tolerance_deg = 0.0 if step == _UNSIMPLIFIED else 10.0**step
    try:
        sent = (await client.outlined(ids, language=language, tolerance_deg=tolerance_deg)).value.shapes
    except BearingsError as error:
        if not is_last_try and isinstance(error, BadResponse):  # an answer that is too large is a BadResponse
            return {}
        return {osm_id: Outline(None, note=f"The outline could not be had: {error.error}.") for osm_id in ids}
    note = None if step == _UNSIMPLIFIED else "Simplified by the server."
    outlines = {osm_id: Outline(shape, tolerance_deg * shapes.DEG_M, note) for osm_id, shape in sent.items()}
    return {osm_id: Outline(None, note=_ABSENT) for osm_id in ids} | outlines if is_last_try else outlines


def _shaped(place: Place, outline: Outline | None, detail: Detail, parts: Parts | None) -> Place:
    """The place with its outline and the box of its main part, as requested."""
    if outline is not None and outline.shape is not None and parts == "main":
        main = shapes.main_part(outline.shape)
        if main is not outline.shape:
            outline = replace(outline, shape=main)
            place = replace(place, bbox=_box(main, outline.tolerance_m), bbox_kind="exact")
    if detail == "none":
        return place
    if place.osm_type == "node":
        return replace(place, outline=Outline(shapes.of_point(place.point), note=_NODE))
    return replace(place, outline=outline or Outline(None, note=_ABSENT if place.osm_type else _NO_OBJECT))


def _box(shape: "BaseGeometry", tolerance_m: float) -> BBox:
    """The box of a shape, widened by the error of its simplification."""
    return widened(shapes.box_of(shape), tolerance_m / shapes.DEG_M)


def _note(places: Iterable[Place], parts: Parts | None) -> str | None:
    """A note on parts of a country that this source can't tell."""
    is_large = any(place.place_rank <= _COUNTRY_RANK and geometry.width(place.bbox) > _LARGE_DEG for place in places)
    return _WHOLE if parts == "all" or (parts == "own" and is_large) else None


def _is_wide(box: BBox) -> bool:
    """Whether the box may hold distant parts."""
    return _diagonal(box) * shapes.DEG_M > shapes.GAP_M


def _step(box: BBox) -> int:
    """The power of ten, at most, of SIMPLER (a thousandth) of the box's diagonal; within _FINEST and _COARSEST."""
    return min(_COARSEST, max(_FINEST, math.floor(math.log10(_diagonal(box) * shapes.SIMPLER))))


def _diagonal(box: BBox) -> float:
    return max(math.hypot(geometry.width(box), geometry.height(box)), geometry.LEAST_SIDE_DEG)
