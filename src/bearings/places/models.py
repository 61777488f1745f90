"""The data types of the places wing. Degrees are WGS 84; a point is (lat, lon), a box [west, south, east, north]."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, Literal, NamedTuple

from pydantic import ConfigDict

from bearings.places.outlines import Detail, Outline, Parts


class Backend(StrEnum):
    """The kinds of sources."""

    NOMINATIM = "nominatim"
    GAZETTEER = "gazetteer"
    OSM_INDEX = "osm-index"


class Layer(StrEnum):
    """The layers of an embedded source."""

    CONTINENT = "continent"
    MACRO_REGION = "macro-region"
    COUNTRY = "country"
    REGION = "region"
    """First level: a state, a province."""
    COUNTY = "county"
    """Second level."""
    SETTLEMENT = "settlement"
    ISLAND = "island"
    PHYSICAL = "physical"
    """Ranges, peaks, plateaus, deserts, plains, peninsulas, capes, coasts, deltas, valleys, wetlands."""
    SEA = "sea"
    """Oceans, seas, gulfs, bays, straits, sounds, fjords."""
    LAKE = "lake"
    RIVER = "river"
    AIRPORT = "airport"
    PORT = "port"
    PARK = "park"
    TIME_ZONE = "time zone"
    DISPUTED = "disputed"


class Match(StrEnum):
    """The relation of a place to the query."""

    EXACT = "exact"
    """A name of the place, folded: case, accents and punctuation aside."""
    ALTERNATE = "alternate"
    """A name in another language or script, a historic or a colloquial one."""
    CODE = "code"
    """ISO 3166, IATA, ICAO."""
    COORDINATE = "coordinate"
    """The place contains the given point."""
    WITHIN = "within"
    """The place, or its municipality, is the one whose outline contains the point."""
    PREFIX = "prefix"
    """The query is the beginning of a name."""
    CORRECTED = "corrected"
    """The query is a misspelt name."""
    NEAREST = "nearest"
    """No place contains the point; this one is near it."""


Contention = Literal["claimed", "breakaway", "indeterminate", "buffer_zone", "leased"]
OsmType = Literal["node", "way", "relation"]
BoxKind = Literal["exact", "estimated"]
Data = Literal["core", "full"]


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
class TimeZone:
    """A time zone by its IANA id. `nautical`: the zone of the longitude, as ships keep it at sea."""

    id: str
    nautical: bool = False


@dataclass(frozen=True, slots=True)
class Party:
    """One side in a dispute: a country with its alpha-2 code, or the area itself without one."""

    name: str
    code: str | None = None


@dataclass(frozen=True, slots=True)
class Disputed:
    """An area that several sides claim, or that is held apart, according to `source`.

    `administered_by` is empty if the source names no administrator.
    """

    name: str
    kind: Contention
    administered_by: tuple[Party, ...]
    claimed_by: tuple[Party, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Place:
    """One place of a source.

    `address` maps Nominatim's address keys (house_number, road, suburb, city, county, state, postcode, country,
    country_code, ISO3166-2-lvl4 …) to names in the requested language, most specific first. `bbox_kind` is "estimated"
    for a box made from rank or population. `place_rank` is Nominatim's (4 country … 30 house); `importance` is 0–1.
    `category`/`type` are the OSM key and value; `tags` are further tags of the object, if requested. A place without an
    OSM object has neither `osm_type` nor `osm_id`. `names` are its names in other languages and old or short ones, by
    OSM's keys, where the source knows them. `match` is its relation to the query, `confidence` (0-1) the
    probability that it is the place meant; `corrected_from` and `corrected_to` are the misspelt and the right word.
    `time_zone` holds at the point, or in all of the place; `disputed` are the disputed areas around it. `outline` is
    None unless requested; `main_bbox` is the box of its main part, if that is much smaller. `source` is where it comes
    from, if an answer holds places of several.
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
    names: dict[str, str] = field(default_factory=dict)
    match: Match | None = None
    confidence: float | None = None
    corrected_from: str | None = None
    corrected_to: str | None = None
    time_zone: TimeZone | None = None
    disputed: tuple[Disputed, ...] = ()
    outline: Outline | None = None
    main_bbox: BBox | None = None
    source: "Provenance | None" = None


@dataclass(frozen=True, slots=True)
class NearbyPlace:
    """A named object near a point, with its distance from it in metres."""

    place: Place
    distance_m: float


@dataclass(frozen=True, slots=True)
class AdminLevel:
    """One administrative area that contains a point. `level` is its address key: country, state, county and so on.

    `code` is the ISO 3166 code, if any (alpha-2 for a country, 3166-2 below); `admin_level` is OSM's. `outline` is None
    unless requested.
    """

    level: str
    name: str
    code: str | None = None
    admin_level: int | None = None
    osm_type: OsmType | None = None
    osm_id: int | None = None
    outline: Outline | None = None


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin and freshness of an answer.

    `data` is the part of the atlas that answered; None for other sources. `remedy` is the step that would give more
    data.
    """

    backend: Backend
    attribution: str
    host: str | None = None
    cached: bool = False
    age_s: float | None = None
    data_version: str | None = None
    degraded: bool = False
    reason: str | None = None
    data: Data | None = None
    remedy: str | None = None


@dataclass(frozen=True, slots=True)
class LatLon:
    """A point in degrees as callers write and read it: `{"lat": 48.9, "lon": 2.4}`."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")  # it is also a tool's argument

    lat: float
    lon: float


@dataclass(frozen=True, slots=True)
class Structured:
    """A query in parts, as in Nominatim's structured search."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")  # it is also a tool's argument

    amenity: str | None = None
    street: str | None = None
    city: str | None = None
    county: str | None = None
    state: str | None = None
    country: str | None = None
    postalcode: str | None = None


class Kind(StrEnum):
    """The kind of place that a word of a query names: "river" in "river Thames"."""

    COUNTRY = "country"
    STATE = "state"
    COUNTY = "county"
    SETTLEMENT = "settlement"
    ISLAND = "island"
    MOUNTAIN = "mountain"
    RIVER = "river"
    LAKE = "lake"
    SEA = "sea"
    COAST = "coast"
    DESERT = "desert"
    PARK = "park"
    AIRPORT = "airport"


class CodeScheme(StrEnum):
    """The standard that defines a code."""

    ISO_3166_1 = "ISO 3166-1"
    ISO_3166_2 = "ISO 3166-2"
    IATA = "IATA"
    ICAO = "ICAO"


@dataclass(frozen=True, slots=True)
class Code:
    """A query's possible code, in upper case, with its scheme. No list of codes was consulted."""

    scheme: CodeScheme
    value: str


@dataclass(frozen=True, slots=True)
class NameReading:
    """One way to read a query as a name.

    `context` are names of areas that must contain the place; `kind` comes from a qualifier; `code` is an ISO 3166-2
    code that the place must have. The first reading of a query is its whole text. `unused` are the words left out;
    `about`: they ask for the surroundings of the place ("Greater Oslo Region").
    """

    name: str
    context: tuple[str, ...] = ()
    kind: Kind | None = None
    code: str | None = None
    unused: tuple[str, ...] = ()
    about: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """The reason why no source can answer a query, and what to ask instead: swapped coordinates, a grid reference."""

    problem: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Offset:
    """Metres to the east and north of a place, and the `words` that say so: "10 km north"."""

    east_m: float
    north_m: float
    words: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a grid: a plus code, a geohash, a square of MGRS, by its `code`. `point` is its middle.

    `side_m` is its height. `box` is None where the grid does not follow the meridians. `beside` are the parts of the
    query beside the code.
    """

    grid: str
    code: str
    point: Point
    side_m: float
    box: BBox | None = None
    beside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShortCode:
    """A plus code without its first digits, and the name of the place that it is near."""

    code: str
    place: str


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A query as `bearings.places.query.parse` reads it.

    It is a `point`, has a `problem`, or has `readings`, likeliest first. `parts` are its comma-separated parts.
    `postcode` is the part that looks like a postcode; `street` tells whether it looks like a street address. `mended`:
    the text had HTML entities, percent-encoding or a wrong encoding. `aside` are remarks that name no place, which
    `parts` lack; a query without any part is an empty mark ("N/A"). `plain` is the query without its postcode, PO box,
    floor or unit, and has these `aside`; None if it has none. The place is meant at an `offset`, if there is one.
    `cell` is the cell whose middle the point is; `beside` are the parts beside a point: a name, a height. `short` is a
    short plus code beside a place's name. `may_be` is the geohash that the text may be if it is no name.
    """

    text: str
    parts: tuple[str, ...] = ()
    point: Point | None = None
    cell: Cell | None = None
    beside: tuple[str, ...] = ()
    short: ShortCode | None = None
    may_be: Cell | None = None
    problem: Problem | None = None
    codes: tuple[Code, ...] = ()
    readings: tuple[NameReading, ...] = ()
    postcode: str | None = None
    street: bool = False
    mended: bool = False
    aside: tuple[str, ...] = ()
    plain: "ParsedQuery | None" = None
    offset: Offset | None = None


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A search. Exactly one of `text` and `structured` is set; country codes are lower-case alpha-2.

    `language` is a BCP 47 tag or "local" (names as on the ground). `viewbox` prefers places inside, `bounded` excludes
    others; `near` prefers close places. `layer` is a set of Nominatim's layers, empty for all. `parsed` is the text as
    the service has read it; if None, the source may read it itself. `geometry` requests outlines; `parts` chooses the
    parts in outlines and boxes; None means `own`, without notes about other parts.
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
    parsed: ParsedQuery | None = None
    geometry: Detail = "none"
    parts: Parts | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a search: places, best first, and their provenance.

    `suggestions` are places that may be meant if nothing fits; `adviser` is their source, if it is another. `unused`
    are the parts of the query that the first place does not spell; `about`: they ask for the place's surroundings.
    `note` says how the query was read, or which part of it a source could not handle.
    """

    places: tuple[Place, ...]
    provenance: Provenance
    suggestions: tuple[Place, ...] = ()
    unused: tuple[str, ...] = ()
    note: str | None = None
    adviser: Provenance | None = None
    about: bool = False


@dataclass(frozen=True, slots=True)
class Located:
    """The answer to a reverse lookup: the place (None: no place there), and its provenance."""

    place: Place | None
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class Bounded:
    """The administrative areas that contain a point, outermost first; empty if there are none."""

    levels: tuple[AdminLevel, ...]
    address: dict[str, str]
    provenance: Provenance
    disputed: tuple[Disputed, ...] = ()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Named objects around a point, by distance, and the requested categories: answered, failed or unsupported."""

    places: tuple[NearbyPlace, ...]
    answered: tuple[str, ...]
    failed: tuple[str, ...]
    unsupported: tuple[str, ...]
    complete: bool
    here: dict[str, str]
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """A source's state without network: whether it can answer, its data, its counters.

    Counters named `cache_…` (size, max, hits, misses, hit_rate) are shown as the cache, and interval_s, next_slot_s and
    cooldown_s as the limiter; `cooldown_reason` explains a cool-down. `cache_path` is the place of the cache on disk.
    `usage_policy` overrides the backend's general policy, if it depends on the configuration.
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
