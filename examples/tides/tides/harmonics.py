"""A tide as a sum of waves."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Constituent:
    """One wave: its amplitude in metres, its period in hours, its phase in radians."""

    amplitude_m: float
    period_h: float
    phase: float = 0.0

    def height_at(self, hours: float) -> float:
        """Metres above the mean at a time."""
        return self.amplitude_m * math.cos(2 * math.pi * hours / self.period_h - self.phase)


M2 = Constituent(1.9, 12.42)
S2 = Constituent(0.6, 12.0)


def height(constituents: list[Constituent], hours: float) -> float:
    """Metres above the mean, all waves together."""
    return sum(wave.height_at(hours) for wave in constituents)
