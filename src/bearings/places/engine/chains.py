"""A polygon as bytes, of which a question about a point reads a small part.

Positions are whole steps of a decimal fraction of a degree. The edges of the rings are cut into chains of at most
`LONGEST`; a table holds each chain's box and ends. A ray from the point to the east crosses the edges of a polygon that
holds the point an odd number of times. A chain whose box does not meet the ray has no part in it, one whose box lies
east of the point is crossed an odd number of times if its ends lie on both sides of the ray, and the edges of the few
others are read one by one.

The bytes, little-endian: `_HEAD`; the number of chains of each ring; a `_CHAIN` for each chain; the steps from position
to position of each chain, first all of longitude, then all of latitude.
"""

import struct
import zlib
from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from bearings.places.models import Point

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely import Polygon

LONGEST = 128
"""Edges of a chain: the table takes a quarter of a byte for each edge, and a chain is read in 10 µs."""

_MOST_DECIMALS = 7
"""A centimetre; 180 degrees of such steps are the most that four bytes hold."""

_HEAD = struct.Struct("<BHI")
"""Decimals, rings, chains."""

_CHAIN = struct.Struct("<7iIHB")
"""West, south, east, north; first longitude and latitude, last latitude; where its steps begin, edges, bytes a step."""

_ZLIB = 0x78
_CODES = {1: "b", 2: "h", 4: "i"}
_NEARLY_WHOLE = 1e-6
"""A position so near to a whole step is one: 45.1 degrees are no whole number of steps in floating point."""


class _Chain(NamedTuple):
    """A row of the table, in steps; see `_CHAIN`."""

    west: int
    south: int
    east: int
    north: int
    lon: int
    lat: int
    last_lat: int
    start: int
    edges: int
    size: int

    def steps(self, stored: bytes) -> "tuple[Iterator[int], Iterator[int]]":
        """Its longitudes and latitudes, from position to position."""
        both = struct.unpack_from(f"<{2 * self.edges}{_CODES[self.size]}", stored, self.start)
        return accumulate(both[: self.edges], initial=self.lon), accumulate(both[self.edges :], initial=self.lat)


def covers(stored: bytes, point: Point) -> bool:
    """Whether a stored polygon holds a point, or has it on its edge."""
    decimals, _, _ = _HEAD.unpack_from(stored)
    x, y = _in_steps(point.lon, decimals), _in_steps(point.lat, decimals)
    inside = False
    for row in _rows(stored):
        if row[1] > y or row[3] < y or row[2] < x:
            continue
        chain = _Chain._make(row)
        if chain.west > x:
            inside ^= (chain.lat > y) != (chain.last_lat > y)
            continue
        crossed = _crossed(chain, stored, x, y)
        if crossed is None:
            return True
        inside ^= crossed
    return inside


def _crossed(chain: _Chain, stored: bytes, x: float, y: float) -> bool | None:
    """Whether the edges of a chain cross the ray an odd number of times; None where the point is on one of them."""
    lons, lats = chain.steps(stored)
    odd, lon, lat = False, next(lons), next(lats)
    for to_lon, to_lat in zip(lons, lats, strict=True):
        # An edge that goes up or down through the ray's latitude crosses it if the point is on its left; half-open, so
        # that a corner on the ray counts once. A level edge crosses nothing, but the point may be on it.
        if (lat > y) != (to_lat > y):
            side = (to_lon - lon) * (y - lat) - (x - lon) * (to_lat - lat)
            if side == 0:
                return None
            odd ^= (side > 0) == (to_lat > lat)
        elif to_lat == y and (to_lon == x or (lat == y and min(lon, to_lon) <= x <= max(lon, to_lon))):
            return None
        lon, lat = to_lon, to_lat
    return odd


def foot(stored: bytes, point: Point) -> Point:
    """The position on the edges of a stored polygon that is nearest to a point, degrees taken for a plane."""
    decimals, _, _ = _HEAD.unpack_from(stored)
    x, y = point.lon * 10**decimals, point.lat * 10**decimals
    best, found = float("inf"), (x, y)
    for chain in sorted(map(_Chain._make, _rows(stored)), key=lambda chain: _apart(chain, x, y)):
        if _apart(chain, x, y) >= best:
            break
        for at in _feet(chain, stored, x, y):
            distance = (at[0] - x) ** 2 + (at[1] - y) ** 2
            if distance < best:
                best, found = distance, at
    return Point(found[1] / 10**decimals, found[0] / 10**decimals)


def _apart(chain: _Chain, x: float, y: float) -> float:
    """The square of the distance between a point and a chain's box."""
    return max(chain.west - x, 0.0, x - chain.east) ** 2 + max(chain.south - y, 0.0, y - chain.north) ** 2


def _feet(chain: _Chain, stored: bytes, x: float, y: float) -> Iterator[tuple[float, float]]:
    """The nearest position on each edge of a chain."""
    lons, lats = chain.steps(stored)
    lon, lat = next(lons), next(lats)
    for to_lon, to_lat in zip(lons, lats, strict=True):
        across, up = to_lon - lon, to_lat - lat
        share = ((x - lon) * across + (y - lat) * up) / (across**2 + up**2 or 1)
        share = min(1.0, max(0.0, share))
        yield lon + share * across, lat + share * up
        lon, lat = to_lon, to_lat


def polygon(stored: bytes) -> "Polygon":
    """The whole of a stored polygon, compressed or not."""
    import shapely

    stored = plain(stored)
    decimals, rings, _ = _HEAD.unpack_from(stored)
    chains = map(_Chain._make, _rows(stored))
    shapes = []
    for count in struct.unpack_from(f"<{rings}I", stored, _HEAD.size):
        positions: list[tuple[float, float]] = []
        for _ in range(count):
            lons, lats = next(chains).steps(stored)
            positions[-1:] = [(lon / 10**decimals, lat / 10**decimals) for lon, lat in zip(lons, lats, strict=True)]
        shapes.append(positions)
    return shapely.Polygon(shapes[0], shapes[1:])


def packed(whole: "Polygon") -> bytes:
    """The bytes of a polygon: exactly where its degrees have up to seven decimals, else to a centimetre."""
    import numpy as np
    import shapely

    degrees = shapely.get_coordinates(whole)
    decimals = _decimals(degrees)
    ends = np.cumsum(shapely.get_num_coordinates(shapely.get_rings(whole)))[:-1]
    rings = np.split(np.rint(degrees * 10**decimals).astype(np.int64), ends)
    cut = [list(_cut(ring)) for ring in rings]
    chains = [chain for each in cut for chain in each]
    start = _HEAD.size + 4 * len(rings) + _CHAIN.size * len(chains)
    table, steps = [], []
    for positions in chains:
        size, content = _steps(np.diff(positions, axis=0))
        (west, south), (east, north) = positions.min(axis=0), positions.max(axis=0)
        first, last = positions[0], positions[-1]
        row = (west, south, east, north, *first, last[1], start, len(positions) - 1, size)
        table.append(_CHAIN.pack(*map(int, row)))
        steps.append(content)
        start += len(content)
    counts = struct.pack(f"<{len(cut)}I", *map(len, cut))
    return b"".join((_HEAD.pack(decimals, len(rings), len(chains)), counts, *table, *steps))


def compressed(stored: bytes) -> bytes:
    """The bytes as a small index stores them."""
    return min(stored, zlib.compress(stored, 9), key=len)


def plain(stored: bytes) -> bytes:
    """The bytes as questions take them: zlib's form begins with 0x78, a polygon with its few decimals."""
    return zlib.decompress(stored) if stored[0] == _ZLIB else stored


def _decimals(positions: "NDArray[np.float64]") -> int:
    """The fewest that tell the degrees exactly, if there are."""
    import numpy as np

    first, _ = positions[0]
    may_be = (n for n in range(_MOST_DECIMALS) if round(first * 10**n) / 10**n == first)  # most others are told by one
    exact = (n for n in may_be if (np.rint(positions * 10**n) / 10**n == positions).all())
    return next(exact, _MOST_DECIMALS)


def _cut(ring: "NDArray[np.int64]") -> "Iterator[NDArray[np.int64]]":
    """The positions of each chain of a ring; the last of one is the first of the next."""
    yield from (ring[start : start + LONGEST + 1] for start in range(0, len(ring) - 1, LONGEST))


def _steps(steps: "NDArray[np.int64]") -> tuple[int, bytes]:
    """The bytes of a step, and all steps."""
    import numpy as np

    size = next(size for size in _CODES if size == 4 or np.abs(steps).max() < 1 << (8 * size - 1))
    return size, steps.T.astype(f"<i{size}").tobytes()


def _rows(stored: bytes) -> Iterator[tuple[int, ...]]:
    """The rows of the table of chains."""
    _, rings, chains = _HEAD.unpack_from(stored)
    start = _HEAD.size + 4 * rings
    return _CHAIN.iter_unpack(memoryview(stored)[start : start + chains * _CHAIN.size])


def _in_steps(degrees: float, decimals: int) -> float:
    steps: float = degrees * 10**decimals
    whole = round(steps)
    return whole if abs(steps - whole) < _NEARLY_WHOLE else steps
