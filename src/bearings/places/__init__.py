"""The geocoding wing: places by name, names by place, boxes, and what is near.

`open` and `open_async` make it a library (opening.py); they are imported when they are first used.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bearings.places.opening import AsyncPlaces, Places, open, open_async  # noqa: A004 - bearings.places.open

__all__ = ["AsyncPlaces", "Places", "open", "open_async"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from bearings.places import opening

    return getattr(opening, name)
