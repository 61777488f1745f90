"""What the tools answer: each reply is structured content and a terse text, and says where it came from.

Text from a source is cleaned as it enters a reply, so that neither form can carry control or direction characters.
Coordinates are rounded to 7 decimals (a centimetre), distances to 0.1 m.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import AfterValidator

from bearings.places import address, geometry
from bearings.places.models import AdminLevel, BBox, BoxKind, Found, OsmType, Place, Point, Provenance
from bearings.reply import Part, Reply
from bearings.untrusted import clean_line

Line = Annotated[str, AfterValidator(clean_line)]
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


class LatLon(Part):
    """A point."""

    lat: float
    lon: float

    @classmethod
    def of(cls, point: Point) -> "LatLon":
        """The point, rounded."""
        return cls(lat=rounded(point.lat), lon=rounded(point.lon))


class Source(Part):
    """Where an answer came from, and how fresh it is."""

    backend: str
    host: Line | None = None
    cached: bool
    age_s: float | None = None
    data_version: Line | None = None
    degraded: bool | None = None
    reason: Line | None = None


class Sourced(Reply):
    """The base of every reply about places."""

    source: Source
    attribution: Line

    def sourced(self, lines: Iterable[str]) -> str:
        """The lines of a text, and below them the source and its attribution."""
        source = self.source
        parts = [source.backend, source.host, source.data_version, "cached" if source.cached else None]
        if source.age_s:
            parts.append(f"{source.age_s:.0f} s old")
        if source.degraded:
            parts.append("degraded")
        said = ", ".join(part for part in [*parts, source.reason] if part)
        return "\n".join([*lines, f"Source: {said}. {self.attribution}"])


class PlaceFields(Part):
    """What every reply says of a place, wherever its point stands."""

    name: Line
    display_name: Line
    category: Line
    type: Line
    precision: str
    place_rank: int
    importance: float | None = None
    bbox: Box
    bbox_kind: BoxKind
    osm_type: OsmType | None = None
    osm_id: int | None = None
    address: dict[Line, Line]

    def _lines(self) -> list[str]:
        kind = f"{self.precision} ({self.category}={self.type}, place_rank {self.place_rank}"
        kind += ")" if self.importance is None else f", importance {self.importance})"
        where = f"bbox {_numbers(self.bbox)} ({self.bbox_kind})"
        spelt = "; ".join(f"{key} {value}" for key, value in self.address.items())
        return [kind, "; ".join([where, *_ids(self.osm_type, self.osm_id)])] + ([f"address: {spelt}"] if spelt else [])


class GeocodeResult(PlaceFields):
    """One place that a search found."""

    lat: float
    lon: float


class GeocodeReply(Sourced):
    """What `geocode` answers; `hint` where nothing was found."""

    results: list[GeocodeResult]
    count: int
    hint: str | None = None

    @classmethod
    def of(cls, found: Found, hint: str) -> "GeocodeReply":
        """The places in their order; the hint only if there is none."""
        results = [
            GeocodeResult(**_fields(place), lat=rounded(place.point.lat), lon=rounded(place.point.lon))
            for place in found.places
        ]
        return cls(results=results, count=len(results), hint=None if results else hint, **provenance(found.provenance))

    def to_text(self) -> str:
        """A numbered list of places."""
        if not self.results:
            return self.sourced([f"Nothing found. {self.hint}"])
        lines: list[str] = []
        for number, result in enumerate(self.results, 1):
            lines.append(f"{number}. {result.display_name}: {degrees(result.lat)}, {degrees(result.lon)}")
            lines += [f"   {line}" for line in result._lines()]
        return self.sourced(lines)


class ReverseReply(Sourced, PlaceFields):
    """What `reverse_geocode` answers: the place, the point asked, the place's own point, and how far apart they are."""

    asked: LatLon
    found: LatLon
    distance_m: float

    @classmethod
    def of(cls, asked: Point, place: Place, source: Provenance) -> "ReverseReply":
        """The place at a point."""
        return cls(
            **_fields(place),
            asked=LatLon.of(asked),
            found=LatLon.of(place.point),
            distance_m=metres(geometry.distance_m(asked, place.point)),
            **provenance(source),
        )

    def to_text(self) -> str:
        """The place, then what is known of it."""
        found = f"found at {_point(self.found)}, {self.distance_m} m from {_point(self.asked)}"
        return self.sourced([self.display_name, found, *self._lines()])


class BboxReply(Sourced):
    """What `bbox_from_place` answers: the box in one piece, and in pieces that never cross 180°."""

    place_name: Line
    display_name: Line
    bbox: Box
    bboxes: list[Box]
    bbox_kind: BoxKind
    center: LatLon
    area_km2: float
    osm_type: OsmType | None = None
    osm_id: int | None = None
    hint: str | None = None

    @classmethod
    def of(cls, place: Place, box: BBox, source: Provenance, hint: str | None = None) -> "BboxReply":
        """The box of a place, as padded by the caller."""
        box = tidy(box)
        return cls(
            place_name=place.name,
            display_name=place.display_name,
            bbox=list(box),
            bboxes=[list(piece) for piece in geometry.split(box)],
            bbox_kind=place.bbox_kind,
            center=LatLon.of(geometry.center(box)),
            area_km2=_significant(geometry.area_km2(box)),
            osm_type=place.osm_type,
            osm_id=place.osm_id,
            hint=hint,
            **provenance(source),
        )

    def to_text(self) -> str:
        """The box first, since that is what is used next."""
        lines = [self.display_name, f"bbox {_numbers(self.bbox)} ({self.bbox_kind})"]
        if len(self.bboxes) > 1:
            lines.append("in pieces: " + " and ".join(_numbers(piece) for piece in self.bboxes))
        lines.append(f"center {_point(self.center)}; area {self.area_km2:g} km²")
        lines += _ids(self.osm_type, self.osm_id)
        return self.sourced(lines + ([self.hint] if self.hint else []))


class Boundary(Part):
    """One administrative area."""

    level: Line
    name: Line
    code: Line | None = None
    admin_level: int | None = None
    osm_type: OsmType | None = None
    osm_id: int | None = None

    def line(self) -> str:
        """`state: Colorado (US-CO, admin_level 4)`."""
        more = [self.code, None if self.admin_level is None else f"admin_level {self.admin_level}"]
        said = ", ".join(part for part in [*more, *_ids(self.osm_type, self.osm_id)] if part)
        return f"{self.level}: {self.name}" + (f" ({said})" if said else "")


class AdminReply(Sourced):
    """What `admin_boundaries` answers: the areas outermost first, and the best-known ones by name."""

    boundaries: list[Boundary]
    country: Line | None = None
    country_code: Line | None = None
    state: Line | None = None
    county: Line | None = None
    city: Line | None = None
    town: Line | None = None
    village: Line | None = None
    suburb: Line | None = None
    postcode: Line | None = None
    iso3166_2: Line | None = None

    @classmethod
    def of(cls, levels: Iterable[AdminLevel], parts: Mapping[str, str], source: Provenance) -> "AdminReply":
        """The areas in their order, and the flat fields of the address."""
        boundaries = [
            Boundary(
                level=area.level,
                name=area.name,
                code=area.code and area.code.upper(),
                admin_level=area.admin_level,
                osm_type=area.osm_type,
                osm_id=area.osm_id,
            )
            for area in levels
        ]
        return cls(boundaries=boundaries, **address.flat(parts), **provenance(source))

    def to_text(self) -> str:
        """An area a line, then what no area says."""
        lines = [boundary.line() for boundary in self.boundaries]
        lines += [f"{key}: {value}" for key in ("postcode", "iso3166_2") if (value := getattr(self, key))]
        return self.sourced(lines)


class LastError(Part):
    """The last failure that was no fault of the question."""

    code: str
    error: Line
    age_s: float


class StatusReply(Reply):
    """What `geocoder_status` answers, without going anywhere."""

    version: str
    uptime_s: float
    backend: str
    why: str
    ready: bool
    detail: Line
    language: str
    requests_total: int
    errors_total: int
    last_error: LastError | None = None
    cache: dict[str, str]
    counters: dict[str, float]
    data_versions: dict[str, Line]
    attribution: Line

    def to_text(self) -> str:
        """One fact a line."""
        state = "ready" if self.ready else "not ready"
        lines = [
            f"bearings {self.version}, up {self.uptime_s} s",
            f"backend {self.backend} ({self.why}): {state}; {self.detail}",
            f"language {self.language}; {self.requests_total} requests, {self.errors_total} failed",
        ]
        if self.last_error:
            last = self.last_error
            lines.append(f"last error {last.age_s} s ago: {last.code}: {last.error}")
        for title, facts in (("cache", self.cache), ("counters", self.counters), ("data", self.data_versions)):
            if facts:
                lines.append(f"{title}: " + "; ".join(f"{key} {value}" for key, value in facts.items()))
        return "\n".join([*lines, self.attribution])


class ToolCard(Part):
    """One tool: what it is for, and the JSON Schema of what it takes."""

    name: str
    description: str
    parameters: dict[str, Any]


class BackendCard(Part):
    """One backend: whether it answers now, and what it can."""

    name: str
    active: bool
    available: bool
    can: str


class CapabilitiesReply(Reply):
    """What `geocoder_capabilities` answers, without going anywhere."""

    version: str
    tools: list[ToolCard]
    backends: list[BackendCard]
    tips: list[str]
    integration: list[str]
    usage_policy: str
    attribution: Line

    def to_text(self) -> str:
        """Tools with their parameters, backends, then advice."""
        lines = [f"bearings {self.version}: geocoding tools"]
        for tool in self.tools:
            required = set(tool.parameters.get("required", ()))
            names = [name if name in required else f"{name}?" for name in tool.parameters.get("properties", {})]
            lines.append(f"{tool.name}({', '.join(names)}): {tool.description.splitlines()[0]}")
        for card in self.backends:
            state = "active" if card.active else "available" if card.available else "not in this version"
            lines.append(f"backend {card.name} ({state}): {card.can}")
        return "\n".join([*lines, *self.tips, *self.integration, self.usage_policy, self.attribution])


def precision(place: Place) -> str:
    """How fine a place is, from its rank: country (4), region (9), county (12), city (16) … house (30); or postcode."""
    if place.type == "postcode":
        return "postcode"
    return next((name for rank, name in _PRECISIONS if place.place_rank <= rank), "house")


def provenance(source: Provenance) -> dict[str, Any]:
    """The two fields that every reply about places ends with."""
    return {
        "source": Source(
            backend=source.backend.value,
            host=source.host,
            cached=source.cached,
            age_s=None if source.age_s is None else round(source.age_s, 1),
            data_version=source.data_version,
            degraded=source.degraded or None,
            reason=source.reason,
        ),
        "attribution": source.attribution,
    }


def tidy(box: BBox) -> BBox:
    """The box rounded, canonical, and of positive area."""
    return geometry.canonical(BBox(*map(rounded, geometry.with_area(BBox(*map(rounded, box))))))


def rounded(value: float) -> float:
    """Degrees to 7 decimals, never minus zero."""
    return round(value, 7) + 0.0


def metres(value: float) -> float:
    """Metres to 0.1."""
    return round(value, 1)


def degrees(value: float) -> str:
    """Degrees as text: at most 7 decimals, no exponent."""
    return f"{value:.7f}".rstrip("0").rstrip(".")


def _fields(place: Place) -> dict[str, Any]:
    return {
        "name": place.name,
        "display_name": place.display_name,
        "category": place.category,
        "type": place.type,
        "precision": precision(place),
        "place_rank": place.place_rank,
        "importance": None if place.importance is None else round(place.importance, 4),
        "bbox": list(tidy(place.bbox)),
        "bbox_kind": place.bbox_kind,
        "osm_type": place.osm_type,
        "osm_id": place.osm_id,
        "address": address.ordered(place.address),
    }


def _significant(value: float) -> float:
    """Six digits, as an area needs them from a house to the world."""
    return float(f"{value:.6g}")


def _numbers(box: list[float]) -> str:
    return "[" + ", ".join(map(degrees, box)) + "]"


def _point(point: LatLon) -> str:
    return f"{degrees(point.lat)}, {degrees(point.lon)}"


def _ids(osm_type: OsmType | None, osm_id: int | None) -> list[str]:
    return [] if osm_type is None or osm_id is None else [f"{osm_type} {osm_id}"]
