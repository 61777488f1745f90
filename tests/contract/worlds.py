"""The worlds of the contract suite: names and points that a source with such data must know."""

from dataclasses import dataclass

from bearings.places.models import BBox, Point, Structured


@dataclass(frozen=True)
class Known:
    """A place known by name: its country, its position, and the largest error of an answer."""

    query: str
    country: str
    where: Point
    within_km: float


@dataclass(frozen=True)
class World:
    """A world to ask about. No land is known near 0, 0, nor in the middle of the seas."""

    city: Known
    parts: Structured
    """The city again, as a query in parts."""
    around: BBox
    """A box around the city."""
    wide: Known
    """A country across 180°."""
    wide_holds: Point
    """A point in that country: its box must hold it, on either side of 180°."""
    wide_deg: float
    """A limit for the width of the country's box."""
    country: Known
    """A country with an OSM object, if the source has any."""
    foreign: Known
    """A name in another script."""
    others: tuple[Known, ...]
    lands: tuple[tuple[Point, str], ...]
    """Points on land, each with its country."""
    abroad: tuple[str, ...]
    """Countries without the city; other places there may have its name."""
    elsewhere: BBox
    """A part of the world without the city."""

    @property
    def known(self) -> tuple[Known, ...]:
        """All names."""
        return (self.city, self.wide, self.country, self.foreign, *self.others)

    @property
    def home(self) -> Point:
        """The point with the most places around it."""
        return self.city.where


EARTH = World(
    city=Known("Paris", "fr", Point(48.8566, 2.3522), 30),
    parts=Structured(city="Paris", country="France"),
    around=BBox(2, 48, 3, 49),
    wide=Known("Fiji", "fj", Point(-17.8, 178.0), 300),
    wide_holds=Point(-18.14, 178.44),
    wide_deg=30,
    country=Known("Germany", "de", Point(51.1, 10.4), 300),
    foreign=Known("東京", "jp", Point(35.68, 139.76), 100),
    others=(Known("Boulder", "us", Point(40.015, -105.2705), 50),),
    lands=((Point(48.8566, 2.3522), "fr"), (Point(40.015, -105.2705), "us"), (Point(35.68, 139.76), "jp")),
    abroad=("us", "fj"),
    elsewhere=BBox(-110, 30, -90, 45),
)
"""The real world."""

VELMORA = World(
    city=Known("Port Aurel", "xv", Point(-26.5, 179.75), 3),
    parts=Structured(city="Port Aurel", country="Velmora"),
    around=BBox(179.7, -26.6, 179.8, -26.4),
    wide=Known("Velmora", "xv", Point(-26.5, 179.8), 30),
    wide_holds=Point(-26.5, -179.93),
    wide_deg=1,
    country=Known("Велмора", "xv", Point(-26.5, 179.8), 30),
    foreign=Known("ポート・オーレル", "xv", Point(-26.5, 179.75), 3),
    others=(
        Known("Kettle Bay", "xv", Point(-26.48, 179.803), 3),
        Known("Dawn Landing", "xv", Point(-26.5, -179.928), 3),
        Known("5 Harbour Street, Port Aurel", "xv", Point(-26.5027, 179.75), 2),
    ),
    lands=(
        (Point(-26.505756, 179.745478), "xv"),
        (Point(-26.4811, 179.8023), "xv"),
        (Point(-26.499955, -179.928434), "xv"),
    ),
    abroad=("us", "fj"),
    elsewhere=BBox(-110, 30, -90, 45),
)
"""The little town of tests/data/town and its country of two islands, on either side of 180°."""
