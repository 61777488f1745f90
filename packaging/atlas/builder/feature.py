"""Features: the rows of each source of the atlas. Larger areas come before the places in them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bearings.places.models import BBox, BoxKind, Point
from bearings.places.models import Layer as Layer

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry


@dataclass(frozen=True, slots=True)
class Name:
    """A name. `language` is a BCP 47 tag ("pt", "zh-hant"), "local" for that on the ground, "" where nobody says."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Feature:
    """A place of the atlas as a source tells it.

    `key` is the same in every build: source, colon, the source's own id ("geonames:2643743", "iso:US-CA").
    `inside` are keys of what contains it, smallest first, as far as the source says; the rest is found by geometry.
    `name` is the common one in English, or the main one where English has none; `names` are all others. `codes` are
    ISO 3166, IATA, ICAO codes; `code` is the one that a reply shows. `shape` is in degrees, cut at 180°, and valid; a
    feature without one is a point with an `estimated` box. `fame` is 0-1, for what has no population: a sea, a peak.
    """

    key: str
    layer: Layer
    kind: str
    name: str
    point: Point
    bbox: BBox
    bbox_kind: BoxKind
    names: tuple[Name, ...] = ()
    codes: tuple[str, ...] = ()
    code: str | None = None
    country_code: str | None = None
    inside: tuple[str, ...] = ()
    population: int = 0
    fame: float = 0.0
    elevation_m: float | None = None
    shape: "BaseGeometry | None" = None
    """Polygons, or lines for a river; None for a point."""
