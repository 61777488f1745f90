"""High and low water, roughly."""

from .station import Station, StationError
from .tables import table_for

__all__ = ["Station", "StationError", "table_for"]
