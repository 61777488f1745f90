"""The replies of the tools that ask one question about places."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from msgspec.structs import asdict

from bearings.places import address, geometry
from bearings.places.models import (
    AdminLevel,
    BBox,
    BoxKind,
    Disputed,
    Found,
    LatLon,
    Match,
    NearbyPlace,
    OsmType,
    Place,
    Point,
    Provenance,
    Surroundings,
)
from bearings.places.query import grids
from bearings.places.replies.disputes import DisputedArea, disputed
from bearings.places.replies.parts import (
    Box,
    CitedReply,
    GeocodeResult,
    Line,
    Name,
    PlaceFields,
    Sentence,
    Source,
    Sourced,
    Suggestion,
    degrees,
    fields,
    ids,
    lat_lon,
    listed,
    metres,
    numbers,
    position,
    provenance,
    same_fields,
    short_id,
    spelt,
    tidy,
)
from bearings.places.replies.shaped import Geometry, Shaped
from bearings.places.replies.words import CleanPart

_HERE = {"road": "street"}
"""Address keys that `here` renames."""


Shapes = Sequence[Mapping[str, Any]]
"""The fields of `Shaped` for each place."""


class ShapedResult(GeocodeResult, Shaped):
    """One place, with its outline if requested."""

    geometry: Geometry | None = None
    geometry_tolerance_m: float | None = None
    geometry_note: Sentence | None = None
    _outline: Any = None

    @classmethod
    def shaped(cls, place: Place, shapes: Mapping[str, Any]) -> "ShapedResult":
        """The place, rounded, with the fields of `Shaped`."""
        return cls(**fields(place), **position(place.point), **shapes).holding(place.outline)

    def lines(self) -> list[str]:
        """All fields but its name and point, as text."""
        return super().lines() + self.outline_line()


def _shaped(places: Sequence[Place], shapes: Shapes) -> list[ShapedResult]:
    each = shapes or [{} for _ in places]
    return [ShapedResult.shaped(place, fields_) for place, fields_ in zip(places, each, strict=True)]


class GeocodeReply(Sourced):
    """The reply of `geocode`; without results it has `suggestions` of places that may be meant, and a `hint`.

    `unused` are the parts of the query that the first result does not spell. A `hint` also says that the query was read
    as coordinates.
    """

    results: list[ShapedResult]
    count: int
    suggestions: list[Suggestion] | None = None
    unused: list[Line] | None = None
    hint: str | None = None

    @classmethod
    def of(cls, found: Found, hint: str | None, shapes: Shapes = ()) -> "GeocodeReply":
        """The places in their order; without places the hint, otherwise a note on how the query was read."""
        results = _shaped(found.places, shapes)
        thanked = dict.fromkeys(origin.attribution for origin in (found.provenance, found.adviser) if origin)
        return cls(
            results=results,
            count=len(results),
            suggestions=[Suggestion.of(place, found.adviser) for place in found.suggestions] or None,
            unused=list(found.unused) or None,
            hint=found.note if results else hint,
            **provenance(replace(found.provenance, attribution="; ".join(thanked))),
        )

    def to_text(self) -> str:
        """A numbered list of places, or the suggestions."""
        lines = listed(self.results) if self.results else [f"Nothing found. {self.hint}"]
        return self.sourced([*lines, *self.remarks()])

    def remarks(self) -> list[str]:
        """The lines below the places."""
        hint = [self.hint] if self.results and self.hint else []
        suggestions = dict.fromkeys(suggestion.line() for suggestion in self.suggestions or ())
        return [*hint, *suggestions, *([f"not used: {'; '.join(self.unused)}"] if self.unused else [])]


class ReverseReply(PlaceFields, CitedReply):
    """The reply of `reverse_geocode`: the place, the given point, the place's own point, and their distance.

    `distance_m` is 0 if the place's outline contains the given point. `plus_code` (to 14 m) and `mgrs` (to 1 m) are the
    given point in these grids.
    """

    asked: LatLon
    found: LatLon
    distance_m: float
    plus_code: str | None = None
    mgrs: str | None = None
    source: Source
    attribution: Sentence
    spelling: str | None = None

    @classmethod
    def of(cls, asked: Point, place: Place, source: Provenance) -> "ReverseReply":
        """The place at a point."""
        return cls(
            **fields(place),
            asked=lat_lon(asked),
            found=lat_lon(place.point),
            distance_m=distance_m(asked, place),
            plus_code=grids.plus_code(asked),
            mgrs=grids.mgrs_of(asked),
            **provenance(source),
        )

    def to_text(self) -> str:
        """The place, then its other fields."""
        where = f"found at {spelt(self.found)}, {self.distance_m} m from {spelt(self.asked)}"
        if self.match is Match.COORDINATE:
            where = f"holds {spelt(self.asked)}; its own point is {spelt(self.found)}"
        return self.sourced([self.display_name, where, f"plus code {self.plus_code}; MGRS {self.mgrs}", *self.lines()])


def distance_m(asked: Point, place: Place) -> float:
    """Metres between a point and the place found there; 0 if the place's outline contains the point."""
    return 0.0 if place.match is Match.COORDINATE else metres(geometry.distance_m(asked, place.point))


class BboxReply(Sourced, Shaped):
    """The reply of `bbox_from_place`: the box in one piece, and in pieces that never cross 180°."""

    place_name: Name
    display_name: Name
    bbox: Box
    bboxes: list[Box]
    bbox_kind: BoxKind
    center: LatLon
    area_km2: float
    osm_type: OsmType | None = None
    osm_id: int | None = None
    match: Match | None = None
    confidence: float | None = None
    hint: str | None = None
    geometry: Geometry | None = None
    geometry_tolerance_m: float | None = None
    geometry_note: Sentence | None = None
    _outline: Any = None

    @classmethod
    def of(
        cls,
        place: Place,
        box: BBox,
        source: Provenance,
        hint: str | None = None,
        shapes: Mapping[str, Any] = MappingProxyType({}),
    ) -> "BboxReply":
        """The box of a place, padded by the caller."""
        box = tidy(box)
        own = {
            "place_name": place.name,
            "bbox": list(box),
            "bboxes": [list(piece) for piece in geometry.split(box)],
            "center": lat_lon(geometry.center(box)),
            "area_km2": float(f"{geometry.area_km2(box):.6g}"),  # enough from a house to the world
            "confidence": None if place.confidence is None else round(place.confidence, 2),
            "hint": hint,
        }
        return cls(**{**same_fields(cls, place), **own, **shapes, **provenance(source)}).holding(place.outline)

    def to_text(self) -> str:
        """The box first, because the next tool needs it."""
        lines = [self.display_name, f"bbox {numbers(self.bbox)} ({self.bbox_kind})"]
        if len(self.bboxes) > 1:
            lines.append("in pieces: " + " and ".join(numbers(piece) for piece in self.bboxes))
        lines.append(f"center {spelt(self.center)}; area {self.area_km2:g} km²")
        lines += [*ids(self.osm_type, self.osm_id), *self.outline_line()]
        return self.sourced(lines + ([self.hint] if self.hint else []))


class Boundary(CleanPart, Shaped):
    """One administrative area."""

    level: Line
    name: Name
    code: Line | None = None
    admin_level: int | None = None
    osm_type: OsmType | None = None
    osm_id: int | None = None
    geometry: Geometry | None = None
    geometry_tolerance_m: float | None = None
    geometry_note: Sentence | None = None
    _outline: Any = None

    def line(self) -> str:
        """`state: Colorado (US-CO, admin_level 4)`."""
        more = [self.code, None if self.admin_level is None else f"admin_level {self.admin_level}"]
        facts = ", ".join(part for part in [*more, *ids(self.osm_type, self.osm_id)] if part)
        return f"{self.level}: {self.name}" + (f" ({facts})" if facts else "")


class AdminReply(Sourced):
    """The reply of `admin_boundaries`: the areas outermost first, and the best-known ones by name."""

    boundaries: list[Boundary]
    country: Name | None = None
    country_code: Line | None = None
    state: Name | None = None
    county: Name | None = None
    city: Name | None = None
    town: Name | None = None
    village: Name | None = None
    suburb: Name | None = None
    postcode: Line | None = None
    iso3166_2: Line | None = None
    disputed: list[DisputedArea] | None = None

    @classmethod
    def of(
        cls,
        levels: Sequence[AdminLevel],
        parts: Mapping[str, str],
        source: Provenance,
        areas: Sequence[Disputed] = (),
        shapes: Shapes = (),
    ) -> "AdminReply":
        """The areas in their order, and the flat fields of the address."""
        boundaries = [
            Boundary(**{**same_fields(Boundary, area), "code": area.code and area.code.upper(), **fields_}).holding(
                area.outline
            )
            for area, fields_ in zip(levels, shapes or [{} for _ in levels], strict=True)
        ]
        best_known: dict[str, Any] = address.flat(parts)
        return cls(boundaries=boundaries, **best_known, disputed=disputed(areas), **provenance(source))

    def to_text(self) -> str:
        """An area a line, then the parts of the address that no area has."""
        lines = []
        for boundary in self.boundaries:
            lines += [boundary.line(), *(f"   {line}" for line in boundary.outline_line())]
        lines += [f"{key}: {value}" for key in ("postcode", "iso3166_2") if (value := getattr(self, key))]
        lines += [area.line() for area in self.disputed or ()]
        return self.sourced(lines)


class LookupReply(Sourced):
    """The reply of `lookup_places`: the places in the order asked, and the unknown ids."""

    results: list[ShapedResult]
    count: int
    not_found: list[str]

    @classmethod
    def of(cls, asked: Sequence[str], found: Found, shapes: Shapes = ()) -> "LookupReply":
        """The places of the given ids ("N123"), each once, without places that were not asked for."""
        known = dict(zip(map(short_id, found.places), _shaped(found.places, shapes), strict=True))
        results = [known[osm_id] for osm_id in asked if osm_id in known]
        missing = [osm_id for osm_id in asked if osm_id not in known]
        return cls(results=results, count=len(results), not_found=missing, **provenance(found.provenance))

    def to_text(self) -> str:
        """A numbered list of places, then the unknown ids."""
        return self.sourced([*listed(self.results), *self.remarks()])

    def remarks(self) -> list[str]:
        """The line below the places."""
        return [f"Not found: {', '.join(self.not_found)}"] if self.not_found else []


class NearbyResult(CleanPart):
    """One named object near the point."""

    name: Name
    category: Line
    type: Line
    lat: float
    lon: float
    distance_m: float
    osm_type: OsmType | None = None
    osm_id: int | None = None

    @classmethod
    def of(cls, near: NearbyPlace) -> "NearbyResult":
        """The object, rounded."""
        own = same_fields(cls, near.place) | position(near.place.point)
        return cls(**own, distance_m=metres(near.distance_m))

    def line(self) -> str:
        """`120.5 m: The Fox (amenity=pub) 51.78, 0.92; node 7`."""
        where = f"{degrees(self.lat)}, {degrees(self.lon)}"
        first = f"{self.distance_m} m: {self.name} ({self.category}={self.type}) {where}"
        return "; ".join([first, *ids(self.osm_type, self.osm_id)])


class CategoriesAsked(CleanPart):
    """The outcome of each category: answered, failed (ask again), or unknown to this backend."""

    answered: list[Line]
    failed: list[Line]
    unsupported: list[Line]


class NearbyReply(Sourced):
    """The reply of `nearby_places`: named objects by distance, the address of the point, and what is missing."""

    places: list[NearbyResult]
    count: int
    here: dict[Line, Name]
    categories: CategoriesAsked
    complete: bool
    hint: str | None = None

    @classmethod
    def of(cls, around: Surroundings, hint: str | None) -> "NearbyReply":
        """The objects by distance; complete only if the source says so and every category was answered."""
        nearest = sorted(around.places, key=lambda near: near.distance_m)
        lists = {"answered": around.answered, "failed": around.failed, "unsupported": around.unsupported}
        return cls(
            places=[NearbyResult.of(near) for near in nearest],
            count=len(nearest),
            here={_HERE.get(key, key): name for key, name in address.ordered(around.here).items()},
            categories=CategoriesAsked(**{reason: list(names) for reason, names in lists.items()}),
            complete=around.complete and not around.failed and not around.unsupported,
            hint=hint,
            **provenance(around.provenance),
        )

    def to_text(self) -> str:
        """The address, an object a line, then what is missing."""
        places = [near.line() for near in self.places] or ["Nothing found."]
        return self.sourced([*self.address(), *places, *self.remarks()])

    def address(self) -> list[str]:
        """The line above the objects, if the point has an address."""
        here = ", ".join(f"{key} {name}" for key, name in self.here.items())
        return [f"here: {here}"] if here else []

    def remarks(self) -> list[str]:
        """The lines below the objects."""
        lines = [f"{reason}: {', '.join(names)}" for reason, names in asdict(self.categories).items() if names]
        lines.append("complete" if self.complete else "not complete: there may be more")
        return lines + ([self.hint] if self.hint else [])
