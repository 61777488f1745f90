"""The geocoding wing: places by name, names by place, boxes, and what is near.

`open` and `open_async` make it a library (opening.py), `geocode_frame` and `reverse_frame` answer data frames
(tables/frames.py); they are imported when they are first used.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bearings.places.opening import AsyncPlaces, Places, open, open_async  # noqa: A004 - bearings.places.open
    from bearings.places.tables.frames import geocode_frame, reverse_frame

__all__ = ["AsyncPlaces", "Places", "geocode_frame", "open", "open_async", "reverse_frame"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name.endswith("_frame"):
        from bearings.places.tables import frames

        return getattr(frames, name)
    from bearings.places import opening

    return getattr(opening, name)
