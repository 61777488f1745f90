"""Distances and boxes on the sphere, across the 180th meridian and at the poles. Pure functions.

Longitudes are -180…180. A box may cross 180° (then west > east); a box of the whole world is -180…180. Returned boxes
are canonical: no edge lies on the wrong side of 180°, so no piece has zero width.
"""

import math
from collections.abc import Iterable

from bearings.places.models import BBox, Point

EARTH_RADIUS_M = 6_371_000.0
"""The mean radius (IUGG R1, rounded): the sphere of all distances and areas."""

LEAST_SIDE_DEG = 0.0001
"""The least side of a box around a place without extent: about 11 m, the size of a small building."""

_NEARLY_WORLD_DEG = 360 - 1e-9


def normalise_lon(lon: float) -> float:
    """The same meridian within -180…180; a longitude in that range stays as it is."""
    if -180 <= lon <= 180:
        return lon
    wrapped = math.fmod(lon, 360)
    if wrapped > 180:
        return wrapped - 360
    return wrapped + 360 if wrapped < -180 else wrapped


def spellings(lon: float) -> tuple[float, ...]:
    """The ways to write a meridian: 180° is -180°."""
    return (lon, -lon) if abs(lon) == 180 else (lon,)


def distance_m(a: Point, b: Point) -> float:
    """The great-circle distance in metres (haversine)."""
    half_lat = math.sin(math.radians(b.lat - a.lat) / 2) ** 2
    half_lon = math.sin(math.radians(b.lon - a.lon) / 2) ** 2
    h = half_lat + math.cos(math.radians(a.lat)) * math.cos(math.radians(b.lat)) * half_lon
    return 2 * EARTH_RADIUS_M * math.asin(math.sqrt(min(1.0, h)))


def midpoint(a: Point, b: Point) -> Point:
    """The point halfway along the great circle; one of many for antipodes."""
    lat_a, lat_b = math.radians(a.lat), math.radians(b.lat)
    turn = math.radians(b.lon - a.lon)
    x, y = math.cos(lat_b) * math.cos(turn), math.cos(lat_b) * math.sin(turn)
    lat = math.atan2(math.sin(lat_a) + math.sin(lat_b), math.hypot(math.cos(lat_a) + x, y))
    lon = math.radians(a.lon) + math.atan2(y, math.cos(lat_a) + x)
    return Point(math.degrees(lat), normalise_lon(math.degrees(lon)))


def one_meridian(point: Point) -> Point:
    """The point with 180° as -180°: both are one meridian."""
    return Point(point.lat, -180.0) if point.lon == 180 else point


def canonical(box: BBox) -> BBox:
    """The same box with its edges on the right side of 180°, and -180…180 where it goes round the world."""
    west, south, east, north = box
    if -180 < west <= east < 180 and east - west < _NEARLY_WORLD_DEG:
        return box
    if width(box) >= _NEARLY_WORLD_DEG:
        return BBox(-180.0, south, 180.0, north)
    west, east = normalise_lon(west), normalise_lon(east)
    if west == 180 and east != 180:  # 180…-170 begins at -180
        west = -180.0
    if east == -180 and west != -180:  # 170…-180 ends at 180
        east = 180.0
    return BBox(west, south, east, north)


def width(box: BBox) -> float:
    """Degrees of longitude from west to east, 0…360."""
    span = box.east - box.west
    return span if span >= 0 else span + 360


def height(box: BBox) -> float:
    """Degrees of latitude from south to north."""
    return box.north - box.south


def center(box: BBox) -> Point:
    """The middle of the box, also across 180°."""
    return Point((box.south + box.north) / 2, normalise_lon(box.west + width(box) / 2))


def area_km2(box: BBox) -> float:
    """R²·Δλ·(sin n - sin s) in km²; a product replaces the difference of sines, so that small boxes keep digits."""
    south, north = math.radians(box.south), math.radians(box.north)
    sines = 2 * math.cos((north + south) / 2) * math.sin((north - south) / 2)
    return (EARTH_RADIUS_M / 1000) ** 2 * math.radians(width(box)) * sines


def is_valid(box: BBox) -> bool:
    """Whether every edge is a number in range and south is not above north."""
    numbers = all(math.isfinite(edge) for edge in box)
    return numbers and -90 <= box.south <= box.north <= 90 and abs(box.west) <= 180 and abs(box.east) <= 180


def contains(box: BBox, point: Point) -> bool:
    """Whether the point lies in the box or on its edge."""
    return box.south <= point.lat <= box.north and any(_spans(box, lon) for lon in spellings(point.lon))


def encloses(outer: BBox, inner: BBox) -> bool:
    """Whether every point of `inner` lies in `outer`."""
    if not outer.south <= inner.south <= inner.north <= outer.north:
        return False
    pieces = split(outer)
    return all(any(_holds(piece, part) for piece in pieces) for part in split(inner))


def intersects(a: BBox, b: BBox) -> bool:
    """Whether the boxes share a point; an edge is enough."""
    if a.south > b.north or b.south > a.north:
        return False
    corners = [(a, lon) for lon in (b.west, b.east)] + [(b, lon) for lon in (a.west, a.east)]
    return any(_spans(box, spelling) for box, lon in corners for spelling in spellings(lon))


def covered_share(box: BBox, by: BBox) -> float:
    """The share of a box that another one covers, 0-1, by square degrees; 0 for a box without area."""
    area = width(box) * height(box)
    covered = 0.0
    for a in split(box):
        for b in split(by):
            wide, high = min(a.east, b.east) - max(a.west, b.west), min(a.north, b.north) - max(a.south, b.south)
            covered += max(0.0, wide) * max(0.0, high)
    return covered / area if area else 0.0


def split(box: BBox) -> tuple[BBox, ...]:
    """The box as one box with west <= east, or two where it crosses 180°: western piece first."""
    box = canonical(box)
    if box.west <= box.east:
        return (box,)
    return (box._replace(east=180.0), box._replace(west=-180.0))


def padded(box: BBox, fraction: float) -> BBox:
    """The box with `fraction` of its width and height added on each side: wraps at 180°, stops at the poles."""
    more_lon, more_lat = width(box) * fraction, height(box) * fraction
    south, north = max(-90.0, box.south - more_lat), min(90.0, box.north + more_lat)
    if width(box) + 2 * more_lon >= _NEARLY_WORLD_DEG:
        return BBox(-180.0, south, 180.0, north)
    return canonical(BBox(normalise_lon(box.west - more_lon), south, normalise_lon(box.east + more_lon), north))


def with_area(box: BBox, least_side_deg: float = LEAST_SIDE_DEG) -> BBox:
    """The box, each side widened about its middle to `least_side_deg` where it is shorter, inside the poles."""
    west, south, east, north = canonical(box)
    if width(box) < least_side_deg:
        middle = center(box).lon
        west, east = normalise_lon(middle - least_side_deg / 2), normalise_lon(middle + least_side_deg / 2)
    if north - south < least_side_deg:
        middle = min(max((south + north) / 2, least_side_deg / 2 - 90), 90 - least_side_deg / 2)
        south, north = max(-90.0, middle - least_side_deg / 2), min(90.0, middle + least_side_deg / 2)
    return canonical(BBox(west, south, east, north))


def around(point: Point, radius_m: float) -> BBox:
    """The smallest box that holds every point within `radius_m`; all longitudes where the circle reaches a pole."""
    angle = radius_m / EARTH_RADIUS_M
    reach = math.degrees(angle)
    south, north = max(-90.0, point.lat - reach), min(90.0, point.lat + reach)
    if point.lat - reach <= -90 or point.lat + reach >= 90:
        return BBox(-180.0, south, 180.0, north)
    turn = math.degrees(math.asin(min(1.0, math.sin(angle) / math.cos(math.radians(point.lat)))))
    return canonical(BBox(normalise_lon(point.lon - turn), south, normalise_lon(point.lon + turn), north))


def enclosing(points: Iterable[Point]) -> BBox:
    """The box of all the points that spans the smallest arc. Raises ValueError if there are none."""
    return union(BBox(point.lon, point.lat, point.lon, point.lat) for point in points)


def union(boxes: Iterable[BBox]) -> BBox:
    """The box of all the boxes that spans the smallest arc of longitudes. Raises ValueError if there are none.

    The widest gap between the boxes lies outside the arc.
    """
    pieces = sorted(piece for box in boxes for piece in split(box))
    if not pieces:
        raise ValueError("no box to unite")
    south, north = min(piece.south for piece in pieces), max(piece.north for piece in pieces)
    # Each gap: its width, the edge behind it (the west of a union around the gap), and the edge before it (its east).
    gaps: list[tuple[float, float, float]] = []
    reach = pieces[0].east
    for piece in pieces[1:]:
        if piece.west > reach:
            gaps.append((piece.west - reach, piece.west, reach))
        reach = max(reach, piece.east)
    gaps.append((pieces[0].west + 360 - reach, pieces[0].west, reach))  # the gap across 180°
    widest, west, east = max(gaps)
    return canonical(BBox(west, south, east, north)) if widest > 0 else BBox(-180.0, south, 180.0, north)


def _spans(box: BBox, lon: float) -> bool:
    """Whether a meridian lies in the box or on its edge, for this spelling of 180°."""
    if box.west <= box.east:
        return box.west <= lon <= box.east
    return lon >= box.west or lon <= box.east


def _holds(outer: BBox, inner: BBox) -> bool:
    """Whether an uncrossing box holds the longitudes of another; one without width may spell 180° either way."""
    if outer.west <= inner.west and inner.east <= outer.east:
        return True
    return inner.west == inner.east and any(outer.west <= lon <= outer.east for lon in spellings(inner.west))
