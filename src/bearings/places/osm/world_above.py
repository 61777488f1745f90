"""The region and country around positions for which an extract has no country: the world's, staged once each."""

import json
import math
from typing import TYPE_CHECKING

from bearings.places.engine.world import World, WorldArea
from bearings.places.models import Point
from bearings.places.osm import cells
from bearings.places.osm.staging import Row, Staging

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_COUNTRY_RANK = 4
_WORLD_DEG = 0.02
"""The side of the tiles that are asked about once, if their corners agree."""

Above = tuple[tuple[int, ...], str | None]
"""Places that hold a position, innermost first, and the country's code."""


class WorldAbove:
    """What the world says of positions."""

    def __init__(self, staging: Staging, world: World) -> None:
        self._staging = staging
        self._world = world
        self._by_position: dict[tuple[float, float], Above] = {}
        self._tiles: dict[tuple[int, int], Above | None] = {}
        self._staged: dict[str, int] = {}

    def at(self, position: "NDArray[np.float64]") -> Above:
        """The region and country around a position (lon, lat), by tiles."""
        lon, lat = float(position[0]), float(position[1])
        tile = (math.floor(lon / _WORLD_DEG), math.floor(lat / _WORLD_DEG))
        if tile not in self._tiles:
            corners = [(tile[0] + dx, tile[1] + dy) for dx in (0.01, 0.99) for dy in (0.01, 0.99)]
            at_corners = {self._told(x * _WORLD_DEG, y * _WORLD_DEG) for x, y in corners}
            self._tiles[tile] = at_corners.pop() if len(at_corners) == 1 else None
        found = self._tiles[tile]
        return self._told(lon, lat) if found is None else found

    def _told(self, lon: float, lat: float) -> Above:
        """What the world says of a position, rounded to a hundred metres."""
        fine = round(lon, 3), round(lat, 3)
        if fine not in self._by_position:
            areas = self._world.areas_at(Point(fine[1], fine[0]))
            chain = tuple(self._place(area) for area in areas)
            self._by_position[fine] = chain, (areas[-1].country_code if areas else None)
        return self._by_position[fine]

    def _place(self, area: WorldArea) -> int:
        name = f"{area.country_code}/{area.rank}/{area.name}"
        if name not in self._staged:
            names = {f"name:{language}": each for language, each in area.names.items()}
            if area.code:
                names["ISO3166-2" if area.rank > _COUNTRY_RANK else "ISO3166-1:alpha2"] = area.code
            box = b"".join(cells.steps(edge).to_bytes(4, "little", signed=True) for edge in area.bbox)
            identifier = len(self._staging) + 1
            self._staging.add_derived(
                Row(identifier, None, "boundary", "administrative", area.rank, area.name,
                    json.dumps(names, ensure_ascii=False), None, cells.steps(area.point.lat),
                    cells.steps(area.point.lon), box, "", "", "", "", 600)
            )  # fmt: skip
            self._staged[name] = identifier
        return self._staged[name]
