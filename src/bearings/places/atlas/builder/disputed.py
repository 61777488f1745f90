"""Disputed areas with the names of all sides, from the committed file.

Natural Earth 4.1 at 1:10 million, public domain; its notes say who holds an area and who claims it. The claims in
Antarctica and a few sides that the notes leave out are by hand.
"""

from collections.abc import Iterator
from pathlib import Path

from bearings.places.atlas.builder import codec
from bearings.places.atlas.builder.feature import Feature

SELF = "self"
"""A side that is the area itself."""

_SOURCES = {
    "ne": "Natural Earth 4.1 (2018)",
    "treaty": "claims of 1908-1943, which the Antarctic Treaty of 1959 leaves open",
    "bearings": "general knowledge, by hand",
}
"""The source of a feature's claims, by the beginning of its key."""


def features(data: Path) -> Iterator[Feature]:
    """Disputed areas, largest first; `inside` are who administers each ("held:IN") and who claims it ("claimed:CN")."""
    yield from codec.read(data / "disputed.xz")


def sides(feature: Feature, role: str) -> list[str]:
    """The alpha-2 codes (or `SELF`) of those in a role, "held" or "claimed"."""
    return [side.partition(":")[2] for side in feature.inside if side.startswith(f"{role}:")]


def source(feature: Feature) -> str:
    """The source of a feature's claims."""
    return _SOURCES[feature.key.partition(":")[0]]


def header(data: Path) -> codec.Header:
    """Source, version and licence."""
    return codec.read(data / "disputed.xz").header
