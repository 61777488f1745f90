"""The parts of replies about places: points, boxes, places, their source.

Text from a source is cleaned as it enters a reply, so that neither form can carry hidden characters.
Coordinates are rounded to 7 decimals (a centimetre), distances to 0.1 m.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Self

from msgspec.structs import replace

from bearings.places import address, geometry
from bearings.places.models import BBox, BoxKind, Data, LatLon, Match, OsmType, Place, Point, Provenance
from bearings.places.replies.disputes import DisputedArea, disputed
from bearings.places.replies.words import CleanPart
from bearings.places.replies.words import Line as Line
from bearings.places.replies.words import Name as Name
from bearings.places.replies.words import Sentence as Sentence
from bearings.reply import Part, Reply

Box = list[float]
"""[west, south, east, north]"""

# Nominatim's ranks up to and including each number:
# https://nominatim.org/release-docs/latest/customize/Ranking/#address-rank
_PRECISIONS = (
    (3, "continent"),
    (4, "country"),
    (9, "region"),
    (12, "county"),
    (16, "city"),
    (18, "town"),
    (19, "village"),
    (25, "neighbourhood"),
    (27, "street"),
    (30, "house"),
)

_BY_TYPE = {"natural", "waterway"}
_BY_KIND = {
    ("aeroway", "aerodrome"), ("boundary", "national_park"), ("boundary", "disputed"), ("boundary", "city_district"),
    ("boundary", "protected_area"), ("place", "archipelago"), ("place", "continent"), ("place", "historic_region"),
    ("place", "island"), ("place", "ocean"), ("place", "region"), ("place", "sea"),
}  # fmt: skip
"""OpenStreetMap keys, and keys with values, whose precision is their kind instead of their rank."""


NAUTICAL = " (nautical: by longitude; the sign is IANA's, + is west of Greenwich)"
"""The note on a time zone at sea."""


class Source(CleanPart):
    """The origin and freshness of an answer."""

    backend: str
    host: Line | None = None
    cached: bool
    age_s: float | None = None
    data_version: Line | None = None
    degraded: bool | None = None
    reason: Sentence | None = None
    data: Data | None = None
    remedy: Sentence | None = None


class Cited:
    """A reply that says where it is from. `spelling` tells the current names of arguments passed under old ones.

    This class only names its fields: the replies declare them, because just one base of a struct may have fields.
    """

    source: Source
    attribution: Sentence
    spelling: str | None

    def sourced(self, lines: Iterable[str]) -> str:
        """The lines of a text, then the source and its attribution."""
        lines = list(lines)
        source = self.source
        parts = [
            source.backend,
            source.host,
            source.data and f"{source.data} data",
            source.data_version,
            "cached" if source.cached else None,
        ]
        if source.age_s:
            parts.append(f"{source.age_s:.0f} s old")
        if source.degraded:
            parts.append("degraded")
        facts = ", ".join(part for part in [*parts, source.reason] if part)
        unsaid = source.remedy and not any(source.remedy in line for line in lines)
        remedy = f" {source.remedy}" if unsaid else ""
        spelling = [self.spelling] if self.spelling else []
        return "\n".join([*lines, *spelling, f"Source: {facts}.{remedy} {self.attribution}"])


class CitedReply(Cited, CleanPart, Reply):
    """The base of every reply about places. Its classes declare the fields of `Cited`."""

    def noting(self, note: str) -> Self:
        """The same with `spelling`."""
        return replace(self, spelling=note)


class Sourced(CitedReply):
    """A reply about places with no other base."""

    source: Source
    attribution: Sentence
    spelling: str | None = None


class PlaceFields(CleanPart):
    """A place's fields that all replies share, whether or not its point has its own.

    `backend` is the place's source, if the reply has places of several. `time_zone` is an IANA id; `time_zone_nautical`
    marks a zone by longitude, outside every country's time.
    """

    name: Name
    display_name: Name
    category: Line
    type: Line
    precision: str
    place_rank: int
    importance: float | None = None
    bbox: Box
    bbox_kind: BoxKind
    osm_type: OsmType | None = None
    osm_id: int | None = None
    match: Match | None = None
    confidence: float | None = None
    corrected_from: Line | None = None
    corrected_to: Line | None = None
    backend: Line | None = None
    address: dict[Line, Name]
    time_zone: Line | None = None
    time_zone_nautical: bool | None = None
    disputed: list[DisputedArea] | None = None

    def lines(self) -> list[str]:
        """All fields but its name and point, as text."""
        kind = f"{self.precision} ({self.category}={self.type}, place_rank {self.place_rank}"
        kind += ")" if self.importance is None else f", importance {self.importance})"
        where = f"bbox {numbers(self.bbox)} ({self.bbox_kind})"
        parts = "; ".join(f"{key} {value}" for key, value in self.address.items())
        fits = fit_of(self.match, self.confidence, self.corrected_from, self.corrected_to)
        lines = [kind, "; ".join([where, *ids(self.osm_type, self.osm_id)])]
        lines += [f"from the {self.backend}"] if self.backend else []
        lines += ([fits] if fits else []) + ([f"address: {parts}"] if parts else [])
        if self.time_zone:
            lines.append(f"time zone: {self.time_zone}{NAUTICAL if self.time_zone_nautical else ''}")
        return lines + [area.line() for area in self.disputed or ()]


def fit_of(match: Match | None, confidence: float | None, respelt: str | None = None, as_: str | None = None) -> str:
    """`match exact, confidence 0.97`; "" if nothing is known."""
    if match is None:
        return ""
    facts = f"match {match}" if confidence is None else f"match {match}, confidence {confidence:g}"
    return f"{facts} ({respelt} -> {as_})" if respelt else facts


class Suggestion(CleanPart):
    """A place that may be meant; ask for its name next. `backend` is its source, if it differs from the reply's."""

    name: Name
    display_name: Name
    lat: float
    lon: float
    match: Match | None = None
    corrected_to: Line | None = None
    backend: str | None = None

    @classmethod
    def of(cls, place: Place, adviser: Provenance | None) -> "Suggestion":
        """The place, rounded."""
        own = same_fields(cls, place) | position(place.point)
        return cls(**own, backend=adviser.backend.value if adviser else None)

    def line(self) -> str:
        """`Did you mean Vaduz, Liechtenstein (from the gazetteer)?`."""
        return f"Did you mean {self.display_name}{f' (from the {self.backend})' if self.backend else ''}?"


class GeocodeResult(PlaceFields):
    """One place found."""

    lat: float
    lon: float

    @classmethod
    def of(cls, place: Place) -> "GeocodeResult":
        """The place, rounded."""
        return cls(**fields(place), **position(place.point))


def listed(results: Sequence[GeocodeResult]) -> list[str]:
    """A numbered list of places, as text."""
    lines: list[str] = []
    for number, result in enumerate(results, 1):
        lines.append(f"{number}. {result.display_name}: {degrees(result.lat)}, {degrees(result.lon)}")
        lines += [f"   {line}" for line in result.lines()]
    return lines


def precision(place: Place) -> str:
    """The precision of a place, by its rank: country (4), region (9), county (12), city (16) … house (30); or postcode.

    A natural feature has no such rank: its precision is its kind, a peak or a lake.
    """
    if place.type == "postcode":
        return "postcode"
    if place.category in _BY_TYPE or (place.category, place.type) in _BY_KIND:
        return place.type
    return next((name for rank, name in _PRECISIONS if place.place_rank <= rank), "house")


def provenance(source: Provenance) -> dict[str, Any]:
    """The two last fields of every reply about places."""
    fields = same_fields(Source, source) | {
        "backend": source.backend.value,
        "age_s": None if source.age_s is None else round(source.age_s, 1),
        "degraded": source.degraded or None,
    }
    return {"source": Source(**fields), "attribution": source.attribution}


def same_fields(part: type[Part], model: Any) -> dict[str, Any]:
    """The arguments of a part that a model has under the same names: an `AdminLevel` has most of a `Boundary`'s."""
    return {name: getattr(model, name) for name in _same_names(part, model.__class__)}


@cache
def _same_names(part: type[Part], model: type) -> tuple[str, ...]:
    return tuple(name for name in part.__struct_fields__ if hasattr(model, name))


def tidy(box: BBox) -> BBox:
    """The box rounded, canonical, and of positive area."""
    return geometry.canonical(BBox(*map(rounded, geometry.with_area(BBox(*map(rounded, box))))))


def lat_lon(point: Point) -> LatLon:
    """A point, rounded."""
    return LatLon(rounded(point.lat), rounded(point.lon))


def position(point: Point) -> dict[str, Any]:
    """A point as the fields `lat` and `lon` of a part, rounded."""
    return {"lat": rounded(point.lat), "lon": rounded(point.lon)}


def rounded(value: float) -> float:
    """Degrees to 7 decimals, never minus zero."""
    return round(value, 7) + 0.0


def metres(value: float) -> float:
    """Metres to 0.1."""
    return round(value, 1)


def distance(metres: float) -> str:
    """A distance for a reader: metres below a kilometre."""
    return f"{metres / 1000:,.1f} km" if metres >= 1000 else f"{metres:.0f} m"


def degrees(value: float) -> str:
    """Degrees as text: at most 7 decimals, no exponent."""
    return f"{value:.7f}".rstrip("0").rstrip(".")


def fields(place: Place) -> dict[str, Any]:
    """The arguments of `PlaceFields`."""
    return same_fields(PlaceFields, place) | {
        "precision": precision(place),
        "importance": None if place.importance is None else round(place.importance, 4),
        "bbox": list(tidy(place.bbox)),
        "confidence": None if place.confidence is None else round(place.confidence, 2),
        "backend": None if place.source is None else place.source.backend.value,
        "address": address.ordered(place.address),
        "time_zone": place.time_zone and place.time_zone.id,
        "time_zone_nautical": (place.time_zone is not None and place.time_zone.nautical) or None,
        "disputed": disputed(place.disputed),
    }


def numbers(box: list[float]) -> str:
    """A box as text."""
    return "[" + ", ".join(map(degrees, box)) + "]"


def spelt(point: LatLon) -> str:
    """A point as text."""
    return f"{degrees(point.lat)}, {degrees(point.lon)}"


def ids(osm_type: OsmType | None, osm_id: int | None) -> list[str]:
    """An OSM object as text; empty for None."""
    return [] if osm_type is None or osm_id is None else [f"{osm_type} {osm_id}"]


def short_id(place: Place) -> str | None:
    """N123, W45 or R6; None for a place without an OSM object."""
    return None if place.osm_type is None or place.osm_id is None else f"{place.osm_type[0].upper()}{place.osm_id}"
