"""Disputed areas with the names of all sides, from the committed file.

Natural Earth 4.1 at 1:10 million, public domain; its notes say who holds an area and who claims it.
"""

from collections.abc import Iterator
from pathlib import Path

from bearings.places.atlas.builder import codec
from bearings.places.atlas.builder.feature import Feature


def features(data: Path) -> Iterator[Feature]:
    """Disputed areas, largest first; `inside` are the keys of who holds it, then of who claims it ("iso:IN")."""
    yield from codec.read(data / "disputed.xz")


def header(data: Path) -> codec.Header:
    """Source, version and licence."""
    return codec.read(data / "disputed.xz").header
