"""The time zones of an index that is being written, and which of them an area keeps."""

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from bearings.places.atlas.writer import IndexWriter
from bearings.places.models import BBox
from bearings.places.shapes import polygons_of
from builder import committed

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

_WHOLE = 0.99
"""A region keeps one time if one zone has this share of it; borders of regions and zones differ by a kilometre."""


class Zones:
    """The zones in an index that is being written, and which of them an area keeps."""

    def __init__(self, writer: IndexWriter, data: Path) -> None:
        self._of_country: dict[str, list[int]] = defaultdict(list)
        self._shapes: dict[int, BaseGeometry] = {}
        self._named: dict[str, int] = {}
        for feature in committed.features(data, "time_zones"):
            codes = [key.removeprefix("iso:") for key in feature.inside]
            zone = self._named[feature.name] = writer.add_zone(feature.name, [code.lower() for code in codes])
            for code in codes:
                self._of_country[code].append(zone)
            if feature.shape is not None:
                self._shapes[zone] = feature.shape
            for part in polygons_of(feature.shape):
                writer.add_area(zone, BBox(*part.bounds), part, feature.layer)

    def __len__(self) -> int:
        return len(self._named)

    def named(self, name: str) -> int | None:
        """By its IANA id."""
        return self._named.get(name)

    def of_country(self, code: str) -> int | None:
        """The time zone of a country with only one."""
        own = self._of_country.get(code, [])
        return own[0] if len(own) == 1 else None

    def of_region(self, code: str, shape: "BaseGeometry | None") -> int | None:
        """The time zone of a country's region; None if the region has several."""
        own = self._of_country.get(code, [])
        if len(own) < 2 or shape is None:
            return self.of_country(code)
        drawn = {zone: self._shapes[zone] for zone in own if zone in self._shapes}
        shares = {zone: each.intersection(shape).area for zone, each in drawn.items() if each.intersects(shape)}
        most = max(shares, key=lambda zone: shares[zone], default=None)
        return most if most is not None and shares[most] >= _WHOLE * sum(shares.values()) > 0 else None
