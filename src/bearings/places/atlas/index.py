"""An atlas opened for reading: rows become places with their areas."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from bearings.places import address
from bearings.places.atlas import naming
from bearings.places.atlas.writer import SCHEMA_VERSION
from bearings.places.engine.database import Database
from bearings.places.models import BBox, BoxKind, Layer, Match, OsmType, Place, Point

_COLUMNS = (
    "id, name, category, type, place_rank, importance, population, lat, lon, west, south, east, north, bbox_kind, "
    "parent, country_code, code, osm_type, osm_id, layer, elevation, zone"
)
_SETTLEMENTS = """
SELECT place.id, place.lat, place.lon, place.population, place.place_rank, place.parent,
    extent.west <= :lon AND extent.east >= :lon AND extent.south <= :lat AND extent.north >= :lat
FROM extent_rtree AS extent JOIN place ON place.id = extent.id
WHERE extent.west <= :east AND extent.east >= :west AND extent.south <= :north AND extent.north >= :south
    AND place.country_code IS :country
"""
_KEPT = 8192
"""Cached areas and names: most places lie in a few thousand areas."""
LAST_AREA_RANK, LAST_CITY_RANK = 15, 16
_LEAST_WHOLE = 0.6
"""The least importance of a city that may stand behind its districts: it has 320,000 people."""

LANDS = "lands"
"""A key of `meta`: the ids of regions with a box and no outline."""

_TRADITIONAL_CHINESE = ("zh-hant", "zh-tw", "zh-hk", "zh-mo")


class Row(NamedTuple):
    """A place in the index; `parent` is the id of the smallest area that contains it."""

    id: int
    name: str
    category: str
    type: str
    place_rank: int
    importance: float
    population: int
    point: Point
    bbox: BBox
    bbox_kind: BoxKind
    parent: int | None
    country_code: str | None
    code: str | None
    osm_type: OsmType | None
    osm_id: int | None
    layer: Layer
    elevation_m: float | None = None
    zone: int | None = None

    @property
    def level(self) -> str:
        """Its key in an address: the type of an area or settlement, the category of a natural feature."""
        if self.layer is Layer.COUNTRY:
            return "country"
        return self.type if self.category in ("place", "boundary") else self.category


class Index(Database):
    """A finished atlas, read only. Methods block, and may be called from any thread. Recent areas and names are cached.

    Raises sqlite3.DatabaseError if the file is no index, is damaged, or has another version.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, SCHEMA_VERSION)
        self.area: Callable[[int], Row | None] = lru_cache(maxsize=_KEPT)(self._read_area)
        self.areas_named = lru_cache(maxsize=_KEPT)(self._read_named)
        self.country = lru_cache(maxsize=_KEPT)(self._read_country)
        self._airports = lru_cache(maxsize=1)(self._read_airports)
        self.lands = lru_cache(maxsize=1)(self._read_lands)
        self._localised: Callable[[int, str], str | None] = lru_cache(maxsize=_KEPT)(self._read_localised)

    def rows(self, identifiers: Iterable[int]) -> dict[int, Row]:
        """Places by id."""
        rows: dict[int, Row] = {}
        for values in self.select_in(f"SELECT {_COLUMNS} FROM place WHERE id IN", identifiers):  # noqa: S608
            point, box, layer = Point(*values[7:9]), BBox(*values[9:13]), Layer(values[19])
            rows[values[0]] = Row._make((*values[:7], point, box, *values[13:19], layer, *values[20:]))
        return rows

    def ancestors(self, row: Row) -> list[Row]:
        """The areas that contain a place, innermost first."""
        areas: list[Row] = []
        while row.parent is not None and (above := self.area(row.parent)) is not None:
            areas.append(above)
            row = above
        return areas

    def airports(self) -> Collection[Row]:
        """All airports."""
        return self._airports()

    def _read_airports(self) -> Collection[Row]:
        rows = self.query("SELECT id FROM place WHERE layer = 'airport'")
        return self.rows(identifier for (identifier,) in rows).values()

    def _read_lands(self) -> Mapping[int, BBox]:
        """`lands`: the boxes of the regions that have no outline, such as the Cotswolds, by id."""
        return {row.id: row.bbox for row in self.rows(map(int, self.meta.get(LANDS, "").split())).values()}

    def settlements(
        self,
        point: Point,
        box: BBox,
        country: str | None,
        area: int | None,  # noqa: ARG002 - the caller looks at it
    ) -> list[tuple[Any, ...]]:
        """The settlements of a country whose extents meet a box, which does not cross 180 degrees.

        Those outside the `area` may be left out. A row is id, lat, lon, population, place_rank, parent, and whether
        the extent holds the point.
        """
        return self.query(_SETTLEMENTS, {**point._asdict(), **box._asdict(), "country": country})

    def lies_in(self, parent: int | None, area: int) -> bool:
        """Whether a place with this parent lies in an area."""
        while parent is not None and parent != area:
            above = self.area(parent)
            parent = None if above is None else above.parent
        return parent is not None

    def _read_area(self, identifier: int) -> Row | None:
        """`area`: an area by its id."""
        return self.rows([identifier]).get(identifier)

    def _read_country(self, code: str) -> int | None:
        """`country`: the id of the country with a lower-case alpha-2 code."""
        rows = self.query(
            "SELECT place.id FROM name JOIN place ON place.id = name.place "
            "WHERE name.key = ? AND place.country_code = ? AND place.place_rank <= 4",
            (code, code),
        )
        return next((identifier for (identifier,) in rows), None)

    def _read_named(self, key: str) -> Mapping[int, int]:
        """`areas_named`: the ranks of the areas, continents and large cities with a key as name or code, by id."""
        return dict(
            self.query(
                "SELECT name.place, place.place_rank FROM name JOIN place ON place.id = name.place "
                "WHERE name.key = ? AND name.kind < 3 "
                "AND (place.place_rank <= ? OR place.layer IN ('continent', 'macro-region') "
                "OR place.place_rank <= ? AND place.layer = 'settlement' AND place.importance >= ?)",
                (key, LAST_AREA_RANK, LAST_CITY_RANK, _LEAST_WHOLE),
            )
        )

    def name(self, row: Row, language: str) -> str:
        """A place's name in a language, else in English, else its main name. "local" is the name on the ground."""
        return self._localised(row.id, language) or naming.upright(row.name)

    def _read_localised(self, identifier: int, language: str) -> str | None:
        tags = tags_of(language)
        statement = (
            f"SELECT language, name FROM localised WHERE place = ? AND language IN ({','.join('?' * len(tags))})"  # noqa: S608
        )
        names = dict(self.query(statement, [identifier, *tags]))
        return next((names[tag] for tag in tags if tag in names), None)

    def place(self, row: Row, language: str, around: Sequence[Row] | None = None, match: Match | None = None) -> Place:
        """The model of a row, named in a language; its address is made from `around`, innermost first, or ancestors."""
        areas = self.ancestors(row) if around is None else around
        names = [self.name(each, language) for each in (row, *areas)]
        shown = ", ".join(naming.spoken(names))
        return Place(
            names[0], shown, row.point, row.bbox, row.bbox_kind, row.category, row.type, row.place_rank,
            row.importance, row.osm_type, row.osm_id, _address((row, *areas), names), match=match,
        )  # fmt: skip

    def address(self, row: Row, language: str) -> dict[str, str]:
        """Nominatim's address keys for a place and the areas around it, most specific first."""
        rows = (row, *self.ancestors(row))
        return _address(rows, [self.name(each, language) for each in rows])


def _address(rows: Sequence[Row], names: Sequence[str]) -> dict[str, str]:
    """The address of a place and the areas around it, innermost first, with their names."""
    parts: dict[str, str] = {}
    for each, name in zip(rows, names, strict=True):
        parts.setdefault(each.level, name)
        if each.level == "state" and each.code:
            parts["ISO3166-2-lvl4"] = each.code
    if rows[-1].country_code:
        parts["country_code"] = rows[-1].country_code.lower()
    return address.ordered(parts)


@lru_cache(maxsize=64)
def tags_of(language: str) -> tuple[str, ...]:
    """The tags of a name in a language, best first."""
    if language == "local":
        return ("local",)
    tag = language.lower()
    script = ["zh-hant"] if tag.startswith(_TRADITIONAL_CHINESE) else []
    return tuple(dict.fromkeys((*script, tag, tag.partition("-")[0], "en")))
