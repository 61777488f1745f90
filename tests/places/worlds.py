"""A world that knows nothing, for maps that are made without one."""

from collections.abc import Sequence

from bearings.places.engine.world import WorldArea
from bearings.places.models import Point


class NoWorld:
    """Knows none."""

    def areas_at(self, point: Point) -> Sequence[WorldArea]:
        """Empty."""
        return ()
