"""Natural features and airports: seas, lakes, rivers, islands, mountains, parks → an index."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from bearings.places import geometry
from bearings.places.atlas.writer import IndexWriter, NewPlace
from bearings.places.engine import text
from bearings.places.models import BBox, Layer
from bearings.places.shapes import polygons_of
from builder.feature import Feature, Name

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

RANK = 22
"""Nominatim's place_rank of natural features."""

_CATEGORIES = {
    Layer.CONTINENT: "place",
    Layer.MACRO_REGION: "place",
    Layer.ISLAND: "place",
    Layer.RIVER: "waterway",
    Layer.AIRPORT: "aeroway",
    Layer.PORT: "harbour",
    Layer.PARK: "boundary",
    Layer.DISPUTED: "boundary",
}
_TOO_LARGE = {Layer.CONTINENT, Layer.MACRO_REGION}
"""Kinds that are too large to describe a point's location. They are found by name only, so polygons are not stored."""

_TOLD = {Layer.PARK, Layer.ISLAND}
"""Of these layers a feature by hand tells the area that holds it: its point may be at sea, or in one of several."""

_PLACES = {"sea", "ocean"}
"""Kinds that OpenStreetMap tags as place=…, whatever their layer."""

_IMPORTANCE = {
    Layer.RIVER: (0.3, 0.36),
    Layer.PARK: (0.3, 0.45),
    Layer.PORT: (0.2, 0.3),
    Layer.AIRPORT: (0.3, 0.3),
    Layer.CONTINENT: (0.9, 0.1),
}
_IMPORTANCE_OF_OTHERS = (0.35, 0.5)
"""Importance = first + second · fame. Chosen so that an ocean or the Alps come before any town, a famous lake before
a city of 100,000 people, an unknown one before a village; and a state before the river that it is named after."""

_BELOW_NAMESAKE = 0.02

_MOST_POINTS = 60
_GRID = 8
_SHARE = 0.8
"""A feature lies in an area that holds four fifths of it: borders at 1:10 million are off by a little."""


class Holder(NamedTuple):
    """An area that features may lie in: its id in the index, its country, its polygon."""

    place: int
    country_code: str
    shape: "BaseGeometry"
    is_country: bool = False
    name: str = ""
    importance: float = 1.0
    code: str = ""


class Landscape:
    """Writes features, each under the smallest of the areas that holds it."""

    def __init__(self, writer: IndexWriter, holders: Sequence[Holder]) -> None:
        import shapely

        self._writer = writer
        self._holders = holders
        shapely.prepare([holder.shape for holder in holders])
        self._tree = shapely.STRtree([holder.shape for holder in holders])
        countries = [holder.shape for holder in holders if holder.is_country]
        self._land = [part for shape in countries for part in polygons_of(shape)]
        self._parts = shapely.STRtree(self._land)
        self._sizes = [holder.shape.area for holder in holders]

    def add(self, features: Iterable[Feature]) -> int:
        """How many were added."""
        count = 0
        for feature in features:
            self.add_one(feature)
            count += 1
        return count

    def add_one(self, feature: Feature) -> int:
        """Its id."""
        if feature.layer is Layer.ISLAND:
            feature = self._on_land(feature)
        holder = self._holder(feature)
        place = NewPlace(
            feature.name, category(feature), _type(feature), RANK, self._weight(feature, holder),
            feature.point, geometry.with_area(feature.bbox), feature.bbox_kind, feature.population,
            parent=holder and holder.place,
            country_code=feature.country_code or (holder and holder.country_code),
            code=feature.code, layer=feature.layer, elevation_m=feature.elevation_m,
        )  # fmt: skip
        identifier = self._writer.add(place, [name.text for name in feature.names], feature.codes)
        self._writer.localise(identifier, by_language(feature.names))
        for part in polygons_of(feature.shape) if feature.layer not in _TOO_LARGE else ():
            self._writer.add_area(identifier, BBox(*part.bounds), part, feature.layer)
        return identifier

    @staticmethod
    def _weight(feature: Feature, holder: Holder | None) -> float:
        """Less than that of the area around it of the same name: Hawaii is the state before it is an island."""
        weight = importance(feature)
        is_namesake = holder is not None and text.key_of(holder.name) == text.key_of(feature.name)
        return min(weight, holder.importance - _BELOW_NAMESAKE) if holder and is_namesake else weight

    def _on_land(self, feature: Feature) -> Feature:
        """An island with its true coast: Natural Earth draws it with a margin of sea, which no country has."""
        import shapely

        margin = polygons_of(feature.shape)
        if not margin:
            return feature
        near = {int(number) for number in self._parts.query(margin)[1]}
        pieces = [shapely.intersection(part, self._land[number]) for number in sorted(near) for part in margin]
        land = [part for piece in pieces for part in polygons_of(piece) if part.area > 0]
        if not land:
            return feature
        shape = shapely.union_all(land)
        return replace(feature, shape=shape, bbox=geometry.union(BBox(*part.bounds) for part in land))

    def _holder(self, feature: Feature) -> Holder | None:
        """The smallest area that holds the feature, by its point if it has no shape; of a region, the one it tells."""
        import shapely

        if feature.layer in _TOO_LARGE or (feature.layer in _TOLD and feature.inside):
            return next((holder for holder in self._holders if f"iso:{holder.code}" in feature.inside), None)

        points = shapely.points(_positions(feature))
        found = {}
        for number in {int(number) for number in self._tree.query(points)[1]}:
            held = shapely.intersects(self._holders[number].shape, points)
            if held.sum() >= _SHARE * len(points):
                found[number] = self._sizes[number]
        return self._holders[min(found, key=lambda number: found[number])] if found else None


def importance(feature: Feature) -> float:
    """0-1, beside settlements, regions and countries."""
    least, more = _IMPORTANCE.get(feature.layer, _IMPORTANCE_OF_OTHERS)
    return least + more * feature.fame


def category(feature: Feature) -> str:
    """OpenStreetMap's key for a feature."""
    return "place" if feature.kind in _PLACES else _CATEGORIES.get(feature.layer, "natural")


def _type(feature: Feature) -> str:
    """OpenStreetMap's value; for disputed areas one, whatever kind of dispute it is."""
    return "disputed" if feature.layer is Layer.DISPUTED else feature.kind


def by_language(names: Iterable[Name]) -> dict[str, str]:
    """The first name of each language, by its tag. In English a feature has its main name."""
    found: dict[str, str] = {}
    for name in names:
        if name.language and name.language != "en":
            found.setdefault(name.language.lower(), name.text)
    return found


def _positions(feature: Feature) -> list[tuple[float, float]]:
    """(longitude, latitude) of the point, of positions along a line, of a grid inside a polygon."""
    import shapely

    own = [(feature.point.lon, feature.point.lat)]
    shape = feature.shape
    if shape is None:
        return own
    if not polygons_of(shape):
        along = shapely.get_coordinates(shape)
        return own + [(float(lon), float(lat)) for lon, lat in along[:: max(1, len(along) // _MOST_POINTS)]]
    west, south, east, north = shape.bounds
    steps = [(number + 0.5) / _GRID for number in range(_GRID)]
    grid = [(west + x * (east - west), south + y * (north - south)) for x in steps for y in steps]
    shapely.prepare(shape)
    inside = shapely.intersects(shape, shapely.points(grid))
    return own + [position for position, held in zip(grid, inside, strict=True) if held]
