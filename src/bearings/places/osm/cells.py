"""Cells of a map: what lies in and around each square of a grid, as arrays of bytes that one question reads whole.

The shapes of a cell are those whose boxes meet the square widened by `MARGIN`: a question about a point reads the
square that holds it, and others only if nothing is within the margin. Positions are whole steps of 1e-7 degrees.

The bytes, little-endian: the number of entries n (u4); for each entry its feature (u4), the street that it belongs to
(u4, 0: none), the number of its positions (u4) and its flags (u1); then the positions, longitude before latitude (i4).
An entry is a point (given twice), a line, a part of one, or a ring of a polygon.
"""

import math
import struct
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from bearings.places.geometry import EARTH_RADIUS_M
from bearings.places.models import BBox, Point

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

STEPS = 10_000_000
"""Steps of a degree."""

SIDE = 50_000
"""The side of a cell in steps: .005 degrees, some 550 m from south to north."""

MARGIN = 10_000
"""Steps around a cell: 111 m from south to north."""

COLUMNS = 360 * STEPS // SIDE

_NEAR_180 = 179 * STEPS

MOST_CELLS = 36
"""A polygon that meets more cells is kept apart, as an area; only its edges stand here."""

AREA, STREET, PATH, HOUSE, OBJECT, FEATURE = 1, 2, 4, 8, 16, 32
"""Flags: a ring of a polygon; a street; a way for feet or bicycles; an address; another object that is at a point; a
named feature that is there only for those who ask for its layer: a peak, a mast.
"""

_HEAD = struct.Struct("<I")
_M_PER_STEP = math.radians(1 / STEPS) * EARTH_RADIUS_M


class Entry(NamedTuple):
    """A shape, or a part of one, in a cell. `positions` are the packed steps."""

    feature: int
    street: int
    flags: int
    positions: bytes


class Near(NamedTuple):
    """A feature near a point: the distance in metres (0 inside a polygon), its street, its flags, where it stands."""

    distance_m: float
    feature: int
    street: int
    flags: int
    cell: "Cell"
    entry: int

    def foot(self, lon: int, lat: int) -> Point:
        """The position of its edges that is nearest to a position in steps."""
        return self.cell.foot(self.entry, lon, lat)


def steps(degrees: float) -> int:
    """Degrees in steps."""
    return round(degrees * STEPS)


def cell_of(lon: int, lat: int) -> int:
    """The cell that holds a position in steps."""
    return _row(lat) * COLUMNS + ((lon + 180 * STEPS) // SIDE % COLUMNS)


def cells_of(edges: Sequence[int], margin: int = MARGIN) -> list[int]:
    """The cells that a box in steps meets, each widened by the margin. The box does not cross 180 degrees."""
    west, south, east, north = edges
    columns = range((west - margin + 180 * STEPS) // SIDE, (east + margin + 180 * STEPS) // SIDE + 1)
    rows = range(max(0, _row(south - margin)), _row(north + margin) + 1)
    return [row * COLUMNS + column % COLUMNS for row in rows for column in columns]


def rows_of(edges: Sequence[int]) -> list[range]:
    """The same without a margin, as a range for each row of the grid."""
    west, south, east, north = edges
    first, last = (west + 180 * STEPS) // SIDE, min(COLUMNS - 1, (east + 180 * STEPS) // SIDE)
    return [range(row * COLUMNS + first, row * COLUMNS + last + 1) for row in range(_row(south), _row(north) + 1)]


def square(cell: int) -> BBox:
    """The box of a cell in degrees, without its margin."""
    west, south = cell % COLUMNS * SIDE - 180 * STEPS, cell // COLUMNS * SIDE - 90 * STEPS
    return box(west, south, west + SIDE, south + SIDE)


def packed(entries: Sequence[Entry]) -> bytes:
    """The bytes of a cell."""
    count = len(entries)
    head = struct.pack(
        f"<I{count}I{count}I{count}I{count}B",
        count,
        *(entry.feature for entry in entries),
        *(entry.street for entry in entries),
        *(len(entry.positions) // 8 for entry in entries),
        *(entry.flags for entry in entries),
    )
    return b"".join((head, *(entry.positions for entry in entries)))


class Cell:
    """The shapes of one cell, ready for questions; `areas` are the polygons that meet it (schema.sql)."""

    __slots__ = ("_a", "_b", "_d", "_last", "_length", "_starts", "areas", "features", "flags", "streets")

    def __init__(self, stored: bytes, areas: Sequence[tuple[int, int, bool]] = ()) -> None:
        import numpy as np

        self.areas = areas
        (count,) = _HEAD.unpack_from(stored)
        columns = np.frombuffer(stored, "<u4", 3 * count, 4)
        self.features, self.streets = columns[:count], columns[count : 2 * count]
        counts = columns[2 * count :].astype(np.int64)
        self.flags = np.frombuffer(stored, "u1", count, 4 + 12 * count)
        positions = np.frombuffer(stored, "<i4", 2 * int(counts.sum()), 4 + 13 * count).reshape(-1, 2)
        ends = np.cumsum(counts)
        is_last, is_first = np.zeros(len(positions), dtype=bool), np.zeros(len(positions), dtype=bool)
        is_last[ends - 1] = is_first[ends - counts] = True
        self._a, self._b = positions[~is_last].astype(np.float64), positions[~is_first].astype(np.float64)
        self._d = self._b - self._a
        self._starts = ends - counts - np.arange(count)
        self._last: tuple[tuple[int, int], Vector] | None = None

    def near(self, lon: int, lat: int, wanted: int, street: int | None = None) -> "Iterator[Near]":
        """Every entry with one of the flags, and of a street if one is given, nearest first, from a position."""
        import numpy as np

        if not len(self.features):
            return
        least = self._least(lon, lat)
        mask = self.flags & wanted > 0
        if street is not None:
            mask &= self.streets == street
        chosen = np.flatnonzero(mask)
        for entry in chosen[np.argsort(least[chosen], kind="stable")].tolist():
            distance = math.sqrt(float(least[entry])) * _M_PER_STEP
            flags = int(self.flags[entry])
            yield Near(distance, int(self.features[entry]), int(self.streets[entry]), flags, self, entry)

    def _least(self, lon: int, lat: int) -> "Vector":
        """The square of the distance of each entry from a position, in steps; 0 inside. The last position's is kept."""
        import numpy as np

        if self._last is not None and self._last[0] == (lon, lat):
            return self._last[1]
        least = np.minimum.reduceat(self._squared(lon, lat, slice(None))[0], self._starts)
        least[self._inside(lon, lat)] = 0.0
        self._last = (lon, lat), least
        return least

    def foot(self, entry: int, lon: int, lat: int) -> Point:
        """The position of an entry's edges that is nearest to a position in steps."""
        edges = self._edges(entry)
        squared, share = self._squared(lon, lat, edges)
        edge = int(squared.argmin())
        x, y = self._a[edges][edge] + share[edge] * self._d[edges][edge]
        return Point(float(y) / STEPS, float(x) / STEPS)

    def _squared(self, lon: int, lat: int, edges: slice) -> "tuple[Vector, Vector]":
        """The square of the distance from some edges, in steps of latitude, and the share of each edge to its foot."""
        scale = math.cos(math.radians(lat / STEPS))
        dx, dy = self._d[edges, 0] * scale, self._d[edges, 1]
        east, ay = lon - self._a[edges, 0], lat - self._a[edges, 1]
        if abs(lon) > _NEAR_180:  # the shape may be on the other side
            east = (east + 180 * STEPS) % (360 * STEPS) - 180 * STEPS
        ax = east * scale
        length = dx * dx + dy * dy
        length[length == 0] = 1
        share = ((dx * ax + dy * ay) / length).clip(0, 1)
        x, y = share * dx - ax, share * dy - ay
        return x * x + y * y, share

    def _edges(self, entry: int) -> slice:
        last = entry + 1 == len(self._starts)
        return slice(int(self._starts[entry]), len(self._a) if last else int(self._starts[entry + 1]))

    def _inside(self, lon: int, lat: int) -> "NDArray[np.bool_]":
        """Which entries are rings of polygons that hold the position: a ray to the east crosses them oddly.

        The rings of one feature count together, so that a point in a hole is not inside.
        """
        import numpy as np

        ay, by = self._a[:, 1], self._b[:, 1]
        crossing = np.flatnonzero((ay > lat) != (by > lat))
        inside = np.zeros(len(self.features), dtype=bool)
        if not len(crossing):
            return inside
        at = self._a[crossing, 0] + (lat - ay[crossing]) * self._d[crossing, 0] / self._d[crossing, 1]
        entries = np.searchsorted(self._starts, crossing[at > lon], side="right") - 1
        odd = np.bincount(entries, minlength=len(inside)) & 1 == 1
        odd &= self.flags & AREA == AREA
        for feature in set(self.features[odd].tolist()):
            of_feature = self.features == feature
            inside[of_feature] = bool((odd & of_feature).sum() & 1)
        return inside

    def shapes(self, feature: int, *, is_street: bool) -> "Iterator[tuple[int, NDArray[np.float64]]]":
        """(flags, positions in degrees) of the entries of a feature, or of all ways of the street that it begins."""
        import numpy as np

        wanted = self.features == feature
        if is_street:
            wanted |= (self.streets == feature) & ((self.flags & (STREET | PATH)) > 0)
        for entry in np.flatnonzero(wanted).tolist():
            edges = self._edges(entry)
            positions = np.vstack((self._a[edges], self._b[edges][-1:])) / STEPS
            yield int(self.flags[entry]), positions


def edge_m(cell: int, point: Point) -> float:
    """The distance in metres within which a cell knows all shapes around a point that it holds."""
    lon, lat = steps(point.lon), steps(point.lat)
    west = cell % COLUMNS * SIDE - 180 * STEPS
    south = cell // COLUMNS * SIDE - 90 * STEPS
    scale = math.cos(math.radians(point.lat))
    across = (min(lon - west, west + SIDE - lon) + MARGIN) * scale
    up = min(lat - south, south + SIDE - lat) + MARGIN
    return min(across, up) * _M_PER_STEP


def box(west: int, south: int, east: int, north: int) -> BBox:
    """A box in degrees from one in steps."""
    return BBox(west / STEPS, south / STEPS, east / STEPS, north / STEPS)


def _row(lat: int) -> int:
    return (lat + 90 * STEPS) // SIDE
