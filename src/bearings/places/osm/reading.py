"""Reads OpenStreetMap files: the objects that are places, with their shapes, one after another.

The only module that imports osmium. A shape is WKB in hexadecimal digits, in degrees, longitude first.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from bearings.errors import InvalidInput, Unsupported
from bearings.places.osm import tags as meaning
from bearings.places.osm.tags import Kind

if TYPE_CHECKING:
    import osmium

NODE, WAY, RELATION = 0, 1, 2
"""The codes of OSM's types in an object's number: its id times 4, plus the code."""

_STEP = {"odd": 2, "even": 2, "all": 1, "1": 1, "2": 2}
_MOST_INTERPOLATED = 500

_REMEDY = (
    "Give an OpenStreetMap file: .osm.pbf, .osm, .osm.bz2 or .osm.gz, such as an extract of download.geofabrik.de."
)


class Feature(NamedTuple):
    """An object that is a place. `osm` is its id times 4, plus the code of its type."""

    osm: int
    kind: Kind
    tags: Mapping[str, str]
    form: Literal["point", "line", "area"]
    wkb: str


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says of itself: the time of its data (ISO 8601, empty if unknown), and the program that wrote it."""

    timestamp: str
    generator: str


def header(path: Path) -> Header:
    """The header of a file. Raises InvalidInput if it is no OpenStreetMap file, Unsupported without the library."""
    osmium = _library()
    try:
        reader = osmium.io.Reader(str(path), osmium.osm.osm_entity_bits.NOTHING)
        try:
            found = reader.header()
            timestamp = found.get("osmosis_replication_timestamp") or found.get("timestamp") or ""
            return Header(timestamp, found.get("generator"))
        finally:
            reader.close()
    except RuntimeError as error:
        raise unreadable(path, error) from error


def features(path: Path) -> Iterator[Feature]:
    """The places of a file; nodes before ways before areas. Raises InvalidInput for a file that breaks off."""
    osmium = _library()
    numbered: dict[int, tuple[int, str]] = {}
    shapes = osmium.geom.WKBFactory()
    wanted = osmium.filter.KeyFilter(*meaning.MAIN_KEYS, *meaning.ADDRESS_KEYS)
    try:
        for found in osmium.FileProcessor(str(path)).with_locations().with_areas().with_filter(wanted):
            kind_of_object = found.type_str()
            if kind_of_object == "r":
                continue
            tags = {tag.k: tag.v for tag in found.tags}
            if kind_of_object == "w" and "addr:interpolation" in tags:
                yield from _interpolated(found, tags, numbered)
                continue
            kind = meaning.kind_of(tags)
            if kind_of_object == "n":
                if tags.get("addr:housenumber", "").isdecimal():
                    numbered[found.id] = (int(tags["addr:housenumber"][:9]), meaning.street_name(tags))
                if kind is not None and found.location.valid():
                    yield Feature(found.id * 4, kind, tags, "point", shapes.create_point(found))
                continue
            if kind is not None:
                shape = _shape(found, kind_of_object, kind, tags, shapes)
                if shape is not None:
                    yield shape
    except RuntimeError as error:
        raise unreadable(path, error) from error


def _shape(
    found: Any, kind_of_object: str, kind: Kind, tags: Mapping[str, str], shapes: "osmium.geom.WKBFactory"
) -> Feature | None:
    """A way as a line, or an area; None for what the other of the two gives, and for shapes that lack nodes."""
    is_line = (meaning.is_street(kind) and tags.get("area") != "yes") or kind.category == "waterway"
    try:
        if kind_of_object == "w":
            if not is_line and found.is_closed() and tags.get("area") != "no":
                return None
            return Feature(found.id * 4 + WAY, kind, tags, "line", _line(found, shapes))
        if is_line and found.from_way():
            return None
        number = found.orig_id() * 4 + (WAY if found.from_way() else RELATION)
        return Feature(number, kind, tags, "area", shapes.create_multipolygon(found))
    except RuntimeError:  # a node without a position, a line of one position: an extract's edge
        return None


def _line(way: Any, shapes: "osmium.geom.WKBFactory") -> str:
    """A way as a line; one that leaves the extract, as far as its nodes are known. Raises RuntimeError for none."""
    try:
        return shapes.create_linestring(way)
    except RuntimeError:
        import shapely

        known = [(node.lon, node.lat) for node in way.nodes if node.location.valid()]
        if len(set(known)) < 2:
            raise
        return str(shapely.to_wkb(shapely.LineString(known), hex=True))


def _interpolated(way: Any, tags: Mapping[str, str], numbered: Mapping[int, tuple[int, str]]) -> Iterator[Feature]:
    """The house numbers between the numbered nodes of an interpolation, evenly along the line."""
    step = _STEP.get(tags["addr:interpolation"].strip())
    if step is None:
        return
    import shapely

    positions = [(node.lon, node.lat) for node in way.nodes if node.location.valid()]
    at = [number for number, node in enumerate(way.nodes) if node.ref in numbered]
    if len(positions) != len(way.nodes):
        return
    for first, last in pairwise(at):
        (low, street), (high, other) = numbered[way.nodes[first].ref], numbered[way.nodes[last].ref]
        count = abs(high - low) // step
        if not 2 <= count <= _MOST_INTERPOLATED or abs(high - low) % step:
            continue
        line = shapely.LineString(positions[first : last + 1])
        sign = step if high > low else -step
        for number in range(1, count):
            point = shapely.line_interpolate_point(line, number / count, normalized=True)
            address = {**tags, "addr:housenumber": str(low + sign * number)}
            address.setdefault("addr:street", street or other)
            kind = Kind("place", "house", meaning.OBJECT_RANK)
            yield Feature(way.id * 4 + WAY, kind, address, "point", shapely.to_wkb(point, hex=True))


def _library() -> Any:
    """The module osmium. Raises Unsupported if it is not installed."""
    try:
        import osmium
        import osmium.filter
        import osmium.geom
        import osmium.io
    except ImportError as error:
        raise Unsupported(
            "reading OpenStreetMap files needs the package osmium, which is not installed",
            'Install it: pip install "bearings-mcp[osm]".',
        ) from error
    return osmium


def unreadable(path: Path, error: Exception) -> InvalidInput:
    """The error for a file that osmium can't read, or not to its end."""
    return InvalidInput("file", path.name, f"can't be read as OpenStreetMap data ({error})", _REMEDY)
