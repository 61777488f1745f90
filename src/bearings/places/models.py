"""What the places wing speaks of. Degrees are WGS 84; a point is (lat, lon), a box [west, south, east, north]."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, Literal, NamedTuple

from pydantic import ConfigDict


class Backend(StrEnum):
    """Where an answer comes from."""

    NOMINATIM = "nominatim"
    GAZETTEER = "gazetteer"
    OSM_INDEX = "osm-index"


OsmType = Literal["node", "way", "relation"]
BoxKind = Literal["exact", "estimated"]


class Point(NamedTuple):
    """A position in degrees."""

    lat: float
    lon: float


class BBox(NamedTuple):
    """A box in degrees. `west > east` means that it crosses the 180th meridian."""

    west: float
    south: float
    east: float
    north: float


@dataclass(frozen=True, slots=True)
class Place:
    """One place as a source knows it.

    `address` maps Nominatim's address keys (house_number, road, suburb, city, county, state, postcode, country,
    country_code, ISO3166-2-lvl4 …) to names in the language that was asked for, most specific first. `bbox_kind` is
    "estimated" where the box was made up from rank or population. `place_rank` is Nominatim's (4 country … 30 house);
    `importance` is 0–1. `category`/`type` are the OSM key and value; `tags` are further tags of the object, where they
    were asked for. A place without an OSM object has neither `osm_type` nor `osm_id`.
    """

    name: str
    display_name: str
    point: Point
    bbox: BBox
    bbox_kind: BoxKind
    category: str
    type: str
    place_rank: int
    importance: float | None = None
    osm_type: OsmType | None = None
    osm_id: int | None = None
    address: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NearbyPlace:
    """A named object near a point, with its distance from it in metres."""

    place: Place
    distance_m: float


@dataclass(frozen=True, slots=True)
class AdminLevel:
    """One administrative area that contains a point. `level` is its address key: country, state, county and so on.

    `code` is the ISO 3166 code where there is one (alpha-2 for a country, 3166-2 below); `admin_level` is OSM's.
    """

    level: str
    name: str
    code: str | None = None
    admin_level: int | None = None
    osm_type: OsmType | None = None
    osm_id: int | None = None


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where an answer came from, and how fresh it is."""

    backend: Backend
    attribution: str
    host: str | None = None
    cached: bool = False
    age_s: float | None = None
    data_version: str | None = None
    degraded: bool = False
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Structured:
    """A query in parts, as Nominatim's structured search takes it."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")  # it is a tool's argument too

    amenity: str | None = None
    street: str | None = None
    city: str | None = None
    county: str | None = None
    state: str | None = None
    country: str | None = None
    postalcode: str | None = None


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A search. Exactly one of `text` and `structured` is set; country codes are lower-case alpha-2.

    `language` is a BCP 47 tag or "local" (names as on the ground). `viewbox` prefers what lies within, `bounded` asks
    for nothing else; `near` prefers what is close. `layer` is a set of Nominatim's layers, empty for all.
    """

    text: str | None = None
    structured: Structured | None = None
    limit: int = 5
    country_codes: tuple[str, ...] = ()
    language: str = "en"
    near: Point | None = None
    viewbox: BBox | None = None
    bounded: bool = False
    layer: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a search: places, best first, and where they came from."""

    places: tuple[Place, ...]
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class Located:
    """The answer to a reverse lookup: the place (None: nothing there), and where it came from."""

    place: Place | None
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class Bounded:
    """The administrative areas that contain a point, outermost first; empty where there is none."""

    levels: tuple[AdminLevel, ...]
    address: dict[str, str]
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Named objects around a point, by distance. Of the categories asked: which were answered, failed, unsupported."""

    places: tuple[NearbyPlace, ...]
    answered: tuple[str, ...]
    failed: tuple[str, ...]
    unsupported: tuple[str, ...]
    complete: bool
    here: dict[str, str]
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """What a source says of itself without going anywhere: whether it can answer, its data, its counters.

    Counters named `cache_…` (size, max, hits, misses, hit_rate) are shown as the cache, and interval_s, next_slot_s
    and cooldown_s as the limiter; `cooldown_reason` says why it waits. `cache_path` is where answers are kept on disk.
    `usage_policy` is what users of the source must heed, where that depends on how it is set up.
    """

    backend: Backend
    ready: bool
    detail: str
    attribution: str
    data_versions: dict[str, str] = field(default_factory=dict)
    counters: dict[str, float] = field(default_factory=dict)
    cache_path: str | None = None
    cooldown_reason: str | None = None
    usage_policy: str | None = None
