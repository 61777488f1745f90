"""Time zones with polygons, from the committed files; the key is "tz:" and the IANA id ("tz:Europe/Vienna").

Zones of settlements: GeoNames (CC BY 4.0); the districts that follow them: geoBoundaries (CC BY 4.0); a country of one
zone: Natural Earth (public domain).
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bearings.places.atlas.builder import codec, countries
from bearings.places.atlas.builder.feature import Feature


def features(data: Path) -> Iterator[Feature]:
    """Time zones on land, in order of id, each with polygons; `inside` are the countries without another zone."""
    import shapely

    shapes = {feature.key: feature.shape for feature in countries.features(data)}
    for zone in sorted(codec.read(data / "time_zones.xz"), key=lambda feature: feature.key):
        parts = [shapes[key] for key in zone.inside if key in shapes]
        own = [] if zone.shape is None else [zone.shape]
        yield replace(zone, shape=shapely.union_all([*own, *parts]) if own or parts else None)


def header(data: Path) -> codec.Header:
    """Source, version and licence."""
    return codec.read(data / "time_zones.xz").header
