"""The columns that each row gains: some for every table of its kind, others by name."""

from collections.abc import Callable, Mapping
from typing import Any

from bearings.errors import InvalidInput
from bearings.places import address
from bearings.places.models import Place
from bearings.places.replies.parts import short_id
from bearings.untrusted import clean_line

FOUND = (
    "lat", "lon", "name", "country_code", "match", "confidence", "precision", "unused", "distance_m", "source", "error",
)  # fmt: skip
"""The columns of an answer, in the order of `Answer`'s fields."""

NUMBERS = frozenset(("lat", "lon", "confidence", "distance_m", "importance"))
"""The columns that hold floats; the others hold text."""

_SETTLEMENT = ("city", "town", "village", "municipality", "hamlet")


def _settlement(place: Place) -> str | None:
    return next((place.address[key] for key in _SETTLEMENT if key in place.address), None)


def _part(key: str) -> Callable[[Place], Any]:
    return lambda place: place.address.get(key)


_MORE: Mapping[str, Callable[[Place], Any]] = {
    **{key: _part(key) for key in address.KEYS if key != "country_code"},
    "island": _part("island"),
    "city": _settlement,
    "iso": lambda place: address.iso3166_2(place.address),
    "time_zone": lambda place: place.time_zone and place.time_zone.id,
    "category": lambda place: place.category,
    "type": lambda place: place.type,
    "importance": lambda place: place.importance,
    "osm_id": short_id,
}
"""The further columns; `city` is the settlement, whatever its size."""


def default_columns(*, points: bool) -> tuple[str, ...]:
    """The columns of a table of `points`, or of texts."""
    lacks = "unused" if points else "distance_m"
    return tuple(name for name in FOUND if name != lacks)


def more_columns(given: str | None) -> tuple[str, ...]:
    """The names in "city,iso", each once, without those that every table has. Raises InvalidInput."""
    names = dict.fromkeys(filter(None, (name.strip() for name in (given or "").split(","))))
    for name in names:
        if name not in _MORE and name not in FOUND:
            raise InvalidInput("columns", name, "is no column to add", f"Name any of: {', '.join(sorted(_MORE))}.")
    return tuple(name for name in names if name not in FOUND)


def more_values(place: Place, names: tuple[str, ...]) -> tuple[Any, ...]:
    """The values of further columns; None where the place has none."""
    values = (_MORE[name](place) for name in names)
    return tuple(clean_line(value) if isinstance(value, str) else value for value in values)
