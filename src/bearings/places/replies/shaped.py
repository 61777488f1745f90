"""Outlines in replies: simplified to fit, with a note on what was lost."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any, Literal, Self

import anyio.to_thread

from bearings.places import shapes
from bearings.places.outlines import Detail, Outline
from bearings.places.replies.parts import Sentence, metres
from bearings.reply import Part

MOST_POSITIONS: dict[Detail, int] = {"simplified": 1_000, "full": 10_000}
"""The positions of all outlines of a reply together: about 20 and 200 kB. Chosen for what a model can read."""

_LEAST_POSITIONS = 30
"""The positions that each outline may have, however many there are."""


_MANY_POSITIONS = 10_000
"""Simplifying more takes megabytes, in objects so small that the freed memory would stay with the process."""


class Geometry(Part):
    """A GeoJSON geometry (RFC 7946)."""

    type: Literal["Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon"]
    coordinates: list[Any]


class Shaped:
    """A part with the outline of a place, if requested: the geometry, or a note with the reason why there is none.

    `geometry_tolerance_m` is the geometry's largest error against the source's data; smaller parts are left out. This
    class only names its fields: the parts declare them, because just one base of a struct may have fields.
    """

    geometry: Geometry | None
    geometry_tolerance_m: float | None
    geometry_note: Sentence | None
    _outline: Any

    def holding(self, outline: Outline | None) -> Self:
        """The reply itself, with the outline for `whole`."""
        self._outline = outline
        return self

    def whole(self, detail: Detail) -> dict[str, Any]:
        """The fields of the outline at any size, as JSON values: for a file."""
        if self._outline is None or detail == "none":
            return {}
        fields = fields_of([self._outline], detail, None)[0]
        return {name: value.values() if isinstance(value, Part) else value for name, value in fields.items()}

    def outline_line(self) -> list[str]:
        """`geometry: MultiPolygon, 120 positions, within 1200 m; …` as a line; empty unless requested."""
        if self.geometry is None:
            return [f"geometry: none. {self.geometry_note}"] if self.geometry_note else []
        count = _positions(self.geometry.coordinates)
        line = f"geometry: {self.geometry.type}, {count} positions, within {self.geometry_tolerance_m or 0:g} m"
        return [f"{line}. {self.geometry_note}" if self.geometry_note else line]


async def in_reply(outlines: Sequence[Outline | None], detail: Detail) -> list[dict[str, Any]]:
    """The fields of `Shaped` for each outline, together within a reply's limit. Works in a thread."""
    if detail == "none":
        return [{} for _ in outlines]
    return await anyio.to_thread.run_sync(partial(fields_of, outlines, detail, MOST_POSITIONS[detail]))


def fields_of(outlines: Sequence[Outline | None], detail: Detail, most: int | None) -> list[dict[str, Any]]:
    """The fields of `Shaped` for each outline, with `most` positions in all; small ones leave more to the others."""
    needs = [0 if outline is None or outline.shape is None else shapes.positions(outline.shape) for outline in outlines]
    fields: list[dict[str, Any]] = [{} for _ in outlines]
    left = most or 0
    order = sorted(range(len(outlines)), key=lambda number: needs[number])
    for waiting, number in zip(range(len(order), 0, -1), order, strict=True):
        share = None if most is None else max(_LEAST_POSITIONS, left // waiting)
        fields[number], used = _fields_of(outlines[number], detail, share)
        left -= used
    if sum(needs) > _MANY_POSITIONS:
        shapes.give_back_memory()
    return fields


def _fields_of(outline: Outline | None, detail: Detail, most: int | None) -> tuple[dict[str, Any], int]:
    """The fields of one outline, and the number of its positions."""
    if outline is None or outline.shape is None:
        return {"geometry_note": outline.note if outline else "The source has no outline."}, 0
    simpler = shapes.fitted(outline.shape, simpler=detail == "simplified", most=most)
    tolerance_m = outline.tolerance_m + simpler.tolerance_deg * shapes.DEG_M
    forced = detail == "full" and simpler.tolerance_deg > 0
    notes = [
        outline.note,
        f"Simplified to {most} positions, which a reply has room for; the command writes all with --output."
        if forced
        else None,
        f"{simpler.left_out} parts smaller than {_rough(simpler.tolerance_deg * shapes.DEG_M)} left out."
        if simpler.left_out
        else None,
    ]
    fields = {
        "geometry": Geometry(**shapes.geojson(simpler.shape)),
        "geometry_tolerance_m": metres(tolerance_m),
        "geometry_note": " ".join(note for note in notes if note) or None,
    }
    return fields, shapes.positions(simpler.shape)


def _rough(distance_m: float) -> str:
    """Two digits of a distance: `1.2 km`."""
    digits = max(0, 1 - math.floor(math.log10(distance_m / 1000)))
    return f"{round(distance_m / 1000, digits):g} km"


def _positions(coordinates: Any) -> int:
    """The number of positions in GeoJSON coordinates."""
    if coordinates and isinstance(coordinates[0], int | float):
        return 1
    return sum(map(_positions, coordinates))
