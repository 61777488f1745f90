"""Places where the tide is known."""

from __future__ import annotations

from . import harmonics
from .harmonics import M2, S2, Constituent


class StationError(ValueError):
    """A station without waves."""


class Place:
    """Something with a name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def label(self) -> str:
        return self.name.title()


class Station(Place):
    """A place with its waves."""

    def __init__(self, name: str, waves: list[Constituent] | None = None) -> None:
        super().__init__(name)
        self.waves = [M2, S2] if waves is None else waves
        self._check()

    def height(self, hours: float) -> float:
        """Metres above the mean at a time."""
        return harmonics.height(self.waves, hours)

    def _check(self) -> None:
        if not self.waves:
            raise StationError(self.label())
