"""The methods of a visitor: each of its parts has those of some captures."""

from collections.abc import Callable, Sequence

Located = Sequence[tuple[int, str]]
"""For each capture, the place of the part that has its method, and the method's name."""


def located(captures: Sequence[str], *kinds: type) -> Located:
    """Find the methods `on_<capture>` in the classes of a visitor's parts."""
    found = []
    for name in captures:
        places = [place for place, kind in enumerate(kinds) if hasattr(kind, f"on_{name}")]
        if len(places) != 1:
            raise TypeError(f"{len(places)} parts handle the capture {name!r}")
        found.append((places[0], f"on_{name}"))
    return found


def handlers(methods: Located, *parts: object) -> list[Callable[..., None]]:
    """Bind the located methods to the parts, in the order of their classes."""
    return [getattr(parts[place], name) for place, name in methods]
