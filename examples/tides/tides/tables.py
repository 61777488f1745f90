"""Tide tables."""

from collections.abc import Iterator

from tides.station import Station


def table_for(name: str, days: int = 1) -> list[str]:
    """One line an hour."""
    station = Station(name)
    return [f"{hour:>4} h {station.height(hour):+.2f} m" for hour in _hours(days)]


def _hours(days: int) -> Iterator[int]:
    yield from range(24 * days)
