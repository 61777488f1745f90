"""Land: islands, ranges, peaks, deserts, capes and the rest, from Natural Earth's physical regions and points."""

from collections.abc import Iterator
from pathlib import Path

from bearings.places.models import Point
from builder.feature import Feature, Layer
from making import features, names, originals, tables
from making.originals import Original

_KINDS = {
    "Island": "island", "Island group": "archipelago", "Range/mtn": "mountain_range", "Plateau": "plateau",
    "Desert": "desert", "Pen/cape": "peninsula", "Peninsula": "peninsula", "Geoarea": "region", "Coast": "coast",
    "Plain": "plain", "Delta": "delta", "Basin": "basin", "Valley": "valley", "Lowland": "plain", "Tundra": "tundra",
    "Isthmus": "isthmus", "Wetlands": "wetland", "Gorge": "gorge", "Foothills": "plain", "Depression": "depression",
    "mountain": "peak", "depression": "depression", "plateau": "plateau", "pass": "mountain_pass", "cape": "cape",
    "island": "island", "island group": "archipelago", "waterfall": "waterfall", "pole": "pole", "plain": "plain",
}  # fmt: skip
"""OpenStreetMap's value of `natural` or `place` where there is one, by Natural Earth's class."""

_ISLAND_KINDS = frozenset({"island", "archipelago"})

_NOT_ISLANDS = {
    "Labrador": "peninsula",
    "Nova Scotia": "peninsula",
    "Darien Gap": "region",
    "Calabria": "peninsula",
    "Punjab": "region",
    "Peloponnese": "peninsula",
    "Laurentian Mountains": "mountain_range",
}
_ISLAND_NOT_GROUP = frozenset(
    "New Ireland|San Cristobal|Santa Isabel|Malakula|Santa Cruz|Savai‘i|Raiatea|Hiva Oa|Nuku Hiva|Kiritimati|O‘ahu|"
    "Kaua‘i|Vanua Levu|Guam|Paramushir|Okinawa|Amami|Espiritu Santo|Bougainville|Guadalcanal|Isabela|Tahiti|Maui|"
    "Viti Levu|New Britain|Hawai‘i|Urup|Iturup".split("|")
)
"""Corrections of the file's classes."""

_RADIUS_M = {
    "peak": 3_000, "cape": 3_000, "waterfall": 1_000, "island": 10_000, "archipelago": 50_000, "mountain_pass": 2_000,
    "pole": 10_000, "plain": 50_000, "plateau": 50_000, "depression": 20_000,
}  # fmt: skip
"""The half side of the estimated box of a point."""

_FAMED = {name: float(fame) for name, fame in tables.rows("fame")}
"""Fame where Natural Earth's ranks, which serve the density of labels on a map, say too little: by hand."""


def read(folder: Path) -> Iterator[Feature]:
    """All features of the layers `island` and `physical`, areas before points; continents are left out."""
    areas = [feature for original in originals.read(folder, "geography_regions_polys") for feature in _area(original)]
    yield from features.joined(areas, tables.pairs("islands"), Layer.ISLAND)
    known = {(feature.name, feature.layer) for feature in areas}
    for table in ("geography_regions_points", "geography_regions_elevation_points"):
        for original in originals.read(folder, table):
            yield from (feature for feature in _point(original, table) if (feature.name, feature.layer) not in known)


def continents(folder: Path) -> Iterator[Feature]:
    """The continents by nature; Australia is left to the country, and Oceania to the UN's regions."""
    for original in originals.read(folder, "geography_regions_polys"):
        name = names.spelt(original.text("name"))
        if original.text("featurecla") == "Continent" and name != "Australia":
            feature = features.of_shape(
                f"ne:continents/{name}", Layer.CONTINENT, "continent", name, original.shape, fame=1.0
            )
            if feature:
                yield feature


def _area(original: Original) -> Iterator[Feature]:
    kind = _KINDS.get(original.text("featurecla"))
    if kind is None or not original.text("name"):
        return
    name = names.spelt(original.text("name"))
    kind = _mended(name, kind)
    layer = Layer.ISLAND if kind in _ISLAND_KINDS else Layer.PHYSICAL
    rank, label = original.number("scalerank", 9), original.number("min_label", 9)
    feature = features.of_shape(
        f"ne:regions/{original.row}", layer, kind, name, original.shape,
        names=_names(original, name, "namealt"), fame=_fame(name, features.fame(rank, label)),
    )  # fmt: skip
    if feature:
        yield feature


def _mended(name: str, kind: str) -> str:
    if name in _ISLAND_NOT_GROUP:
        return "island"
    if kind == "peninsula" and name.startswith("Cape ") and "Peninsula" not in name:
        return "cape"
    return _NOT_ISLANDS.get(name, kind)


def _point(original: Original, table: str) -> Iterator[Feature]:
    kind = _KINDS.get(original.text("featurecla"))
    if kind is None or not original.text("name") or "Station" in original.text("name"):
        return
    name = names.spelt(original.text("name"))
    layer = Layer.ISLAND if kind in _ISLAND_KINDS else Layer.PHYSICAL
    height = original.columns.get("elevation")
    place = Point(original.shape.y, original.shape.x)
    yield features.of_point(
        f"ne:{'peaks' if 'elevation' in table else 'points'}/{original.row}", layer, kind, name, place, _RADIUS_M[kind],
        names=_names(original, name, "name_alt"), elevation_m=None if height is None else float(height),
        fame=_fame(name, features.fame(original.number("scalerank", 9))),
    )  # fmt: skip


def _names(original: Original, name: str, column: str) -> tuple[names.Name, ...]:
    raw = original.text("name")
    return features.unique(names.further(name, (names.plain(raw), original.text(column))), name)


def _fame(name: str, ranked: float) -> float:
    return max(ranked, _FAMED.get(name, 0.0))
