"""Reads OpenStreetMap files: the objects that are places, with their shapes, one after another.

Only this module and `sorting` import osmium. A shape is WKB in hexadecimal digits, in degrees, longitude first.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple

from bearings.errors import InvalidInput, Unsupported
from bearings.places import geometry
from bearings.places.osm import tags as meaning
from bearings.places.osm.meridian import unrolled
from bearings.places.osm.sorting import MOST_ID, Unsorted, own_id
from bearings.places.osm.tags import Kind
from bearings.untrusted import clean_line

NODE, WAY, RELATION = 0, 1, 2
"""The codes of OSM's types in an object's number: its id times 4, plus the code."""

_STEP = {"odd": 2, "even": 2, "all": 1, "1": 1, "2": 2}
_MOST_INTERPOLATED, _MOST_ON_A_WAY = 500, 5_000
_MOST_MISSING = 100_000

MOST_MEMBERS, MOST_NODES, MOST_TAGS = 32_000, 100_000, 5_000
"""A relation of more members and a way of more nodes are left out, and of an object's tags the first are read; all are
counted. OpenStreetMap itself takes 32,000 members and 2,000 nodes. Of strings, osmium refuses more than 1,024 bytes."""

_MOST_SOUGHT = 1 << 34
"""Ids from here on are not looked for a second time: the set of ids takes 4 MB for each 2**25 ids that it spans."""

_HEX_OF_POSITION = 32
_LONGEST_REASON = 200

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
    """The header of a file: the time of its data (ISO 8601, empty if unknown), and the program that wrote it."""

    timestamp: str
    generator: str


def header(path: Path) -> Header:
    """The header of a file. Raises InvalidInput if it is no OpenStreetMap file, Unsupported without the library."""
    osmium = _library()
    try:
        reader = osmium.io.Reader(str(path), osmium.osm.osm_entity_bits.NOTHING)
        try:
            header = reader.header()
            timestamp = header.get("osmosis_replication_timestamp") or header.get("timestamp") or ""
            return Header(timestamp, header.get("generator"))
        finally:
            reader.close()
    except (RuntimeError, ValueError) as error:
        raise unreadable(path, error) from error


class Lost:
    """Counts the objects of a file that could not be read: in whole, or some of their tags."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0


def features(path: Path, lost: Lost) -> Iterator[Feature]:
    """The places of a file; nodes before ways before areas. `lost` counts what can't be read.

    Raises InvalidInput for a file that breaks off, Unsorted for one that `sorting.sort` must put in order.
    """
    return _Reading(path, lost).features()


class _Reading:
    """One pass over a file."""

    def __init__(self, path: Path, lost: Lost) -> None:
        osmium = _library()
        wanted = osmium.filter.KeyFilter(*meaning.MAIN_KEYS, *meaning.ADDRESS_KEYS)
        self._path = path
        self._lost = lost
        self._file = osmium.FileProcessor(str(path)).with_locations().with_areas(_TooLarge()).with_filter(wanted)
        self._errors = (RuntimeError, ValueError, osmium.InvalidLocationError)
        self._shapes = osmium.geom.WKBFactory()
        self._numbered: dict[int, tuple[int, str]] = {}
        self._missing: set[int] = set()
        self._open: dict[int, list[int]] = {}
        self._last_node = 0

    def features(self) -> Iterator[Feature]:
        """See `features`."""
        has_ways = False
        for item in self._objects():
            kind_of_object = item.type_str()
            if kind_of_object == "r" and _TooLarge.relation(item):
                self._lost.count += 1
                continue
            self._check_order(item, kind_of_object, has_ways=has_ways)
            has_ways |= kind_of_object == "w"
            if kind_of_object == "r":
                self._open[item.id] = [member.ref for member in item.members if member.type == "w"]
                continue
            if not self._is_numbered(item, kind_of_object):
                continue
            tags = self._tags(item)
            if kind_of_object == "a" and not item.from_way():
                self._open.pop(item.orig_id(), None)
            if kind_of_object == "n" and item.id == self._last_node:
                self._lost.count += 1
            elif kind_of_object == "n":
                self._last_node = item.id
                yield from self._node(item, tags)
            elif kind_of_object == "w" and "addr:interpolation" in tags:
                self._note_missing(item)
                yield from _interpolated(item, tags, self._numbered)
            elif (kind := meaning.kind_of(tags)) is not None and (
                shape := self._shape(item, kind_of_object, kind, tags)
            ) is not None:
                is_long = shape.osm % 4 == WAY and len(shape.wkb) > MOST_NODES * _HEX_OF_POSITION
                self._lost.count += is_long
                yield from () if is_long else (shape,)
        self._check_missing()

    def _objects(self) -> Iterator[Any]:
        """The objects of the file. Raises InvalidInput where osmium can't read on."""
        try:
            yield from self._file
        except self._errors as error:
            if "out of order" in str(error) or "twice in input" in str(error):
                raise Unsorted(self._path) from error
            raise unreadable(self._path, error) from error

    def _check_order(self, found: Any, kind_of_object: str, *, has_ways: bool) -> None:
        """Raises Unsorted for a node after ways, and for an object that was never uploaded."""
        is_late = kind_of_object == "n" and has_ways
        is_new = found.id < 0 and kind_of_object != "a"
        if is_late or is_new or (kind_of_object == "r" and any(member.ref < 0 for member in found.members)):
            raise Unsorted(self._path)

    def _check_missing(self) -> None:
        """Raises Unsorted if a node that a way lacked came after it: nodes beyond an extract's edge never come.

        Nor does a relation make an area if its ways, which need no tags, came before their nodes. That is
        not looked for in .pbf, whose writers sort: many an extract cuts relations.
        """
        if any(node < 0 for node in self._missing):
            raise Unsorted(self._path)
        is_sorted = self._path.suffix == ".pbf"
        members = {way for ways in self._open.values() for way in ways} if not is_sorted else set()
        osmium = _library()
        ways = {way.id: {node.ref for node in way.nodes} for way in self._again(osmium.osm.WAY, members)}
        needed = self._missing.union(*ways.values())
        nodes = {node.id for node in self._again(osmium.osm.NODE, needed) if node.location.valid()}
        whole = {way for way, refs in ways.items() if refs <= nodes}
        if not nodes.isdisjoint(self._missing) or any(each and whole.issuperset(each) for each in self._open.values()):
            raise Unsorted(self._path)

    def _again(self, kind: Any, wanted: set[int]) -> Iterator[Any]:
        """The objects of a kind with some ids."""
        osmium = _library()
        if sought := [each for each in wanted if 0 <= each < _MOST_SOUGHT]:
            yield from osmium.FileProcessor(str(self._path), kind).with_filter(osmium.filter.IdFilter(sought))

    def _is_numbered(self, found: Any, kind_of_object: str) -> bool:
        """Whether the id is one that an object may have. An area's is that of its way, or of its relation."""
        if kind_of_object == "a":
            return bool(0 <= found.orig_id() < MOST_ID)
        is_good = bool(found.id < MOST_ID)
        self._lost.count += not is_good
        return is_good

    def _tags(self, found: Any) -> dict[str, str]:
        """An object's tags; of one with broken text, those that are known by their keys."""
        count = len(found.tags)
        self._lost.count += count > MOST_TAGS
        try:
            return dict(islice(found.tags, min(count, MOST_TAGS)))  # an end that is met costs an exception
        except UnicodeDecodeError:
            self._lost.count += 1
        tags: dict[str, str] = {}
        for key in meaning.READ_KEYS:
            with suppress(UnicodeDecodeError):
                if (value := found.tags.get(key)) is not None:
                    tags[key] = value
        return tags

    def _node(self, found: Any, tags: Mapping[str, str]) -> Iterator[Feature]:
        if tags.get("addr:housenumber", "").isdecimal():
            self._numbered[found.id] = (int(tags["addr:housenumber"][:9]), meaning.street_name(tags))
        kind = meaning.kind_of(tags)
        if kind is not None and not found.location.valid():
            self._lost.count += 1
        elif kind is not None:
            yield Feature(own_id(found.id) * 4, kind, tags, "point", self._shapes.create_point(found))

    def _shape(self, found: Any, kind_of_object: str, kind: Kind, tags: Mapping[str, str]) -> Feature | None:
        """A way as a line, or an area; None for what the other of the two gives, and for shapes that lack nodes."""
        is_line = (meaning.is_street(kind) and tags.get("area") != "yes") or kind.category == "waterway"
        try:
            if kind_of_object == "w":
                line = self._line(found)
                if not is_line and found.is_closed() and tags.get("area") != "no":
                    return None
                return Feature(own_id(found.id) * 4 + WAY, kind, tags, "line", line)
            if is_line and found.from_way():
                return None
            number = own_id(found.orig_id()) * 4 + (WAY if found.from_way() else RELATION)
            return Feature(number, kind, tags, "area", self._shapes.create_multipolygon(found))
        except self._errors:  # a node without a position, a line of one position: an extract's edge
            return None

    def _line(self, way: Any) -> str:
        """A way as a line; one that leaves the extract, as far as its nodes are known. Raises `_errors` for none."""
        try:
            return str(self._shapes.create_linestring(way))
        except self._errors:
            import shapely

            self._note_missing(way)
            known = [(node.lon, node.lat) for node in way.nodes if node.location.valid()]
            if len(set(known)) < 2:
                raise
            return str(shapely.to_wkb(shapely.LineString(known), hex=True))

    def _note_missing(self, way: Any) -> None:
        if len(self._missing) < _MOST_MISSING:
            self._missing.update(node.ref for node in way.nodes if not node.location.valid())


class _TooLarge:
    """A filter of osmium's: holds back relations of too many members when areas are chosen."""

    @staticmethod
    def relation(found: Any) -> bool:
        """Whether it is held back."""
        return len(found.members) > MOST_MEMBERS


def _interpolated(way: Any, tags: Mapping[str, str], numbered: Mapping[int, tuple[int, str]]) -> Iterator[Feature]:
    """The house numbers between the numbered nodes of an interpolation, evenly along the line; so many at most."""
    step = _STEP.get(tags["addr:interpolation"].strip())
    if step is None:
        return
    import numpy as np
    import shapely

    positions = [(node.lon, node.lat) for node in way.nodes if node.location.valid()]
    at = [number for number, node in enumerate(way.nodes) if node.ref in numbered]
    if len(positions) != len(way.nodes):
        return
    left = _MOST_ON_A_WAY
    for first, last in pairwise(at):
        (low, street), (high, other) = numbered[way.nodes[first].ref], numbered[way.nodes[last].ref]
        count = abs(high - low) // step
        if not 2 <= count <= min(left, _MOST_INTERPOLATED) or abs(high - low) % step:
            continue
        left -= count
        line = shapely.LineString(unrolled(np.array(positions[first : last + 1])))
        sign = step if high > low else -step
        for number in range(1, count):
            point = shapely.line_interpolate_point(line, number / count, normalized=True)
            address = {**tags, "addr:housenumber": str(low + sign * number)}
            address.setdefault("addr:street", street or other)
            kind = Kind("place", "house", meaning.OBJECT_RANK)
            point = shapely.Point(geometry.normalise_lon(point.x), point.y)
            yield Feature(own_id(way.id) * 4 + WAY, kind, address, "point", shapely.to_wkb(point, hex=True))


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
            'Install it: pip install ".[osm]" in a checkout.',
        ) from error
    return osmium


def unreadable(path: Path, error: Exception) -> InvalidInput:
    """The error for a file that osmium can't read, or not to its end."""
    reason = clean_line(str(error), _LONGEST_REASON)
    return InvalidInput("file", path.name, f"can't be read as OpenStreetMap data ({reason})", _REMEDY)
