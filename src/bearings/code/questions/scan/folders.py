"""The distribution of elements over folders, by the few folders that describe it best."""

from collections import defaultdict
from collections.abc import Mapping

_MOST = 12
"""The most folders in the result."""


def by_folder(sizes: Mapping[str, int], most: int = _MOST) -> dict[str, int]:
    """The number of elements below some folders, the largest first; every element is counted once.

    Starting from the whole project, the largest folder is replaced by its subfolders while there are at most `most`.
    `src/` means everything below a folder; `src/*` means its own files, if its subfolders are listed separately.
    """
    below, inside = _folders(sizes)
    shown = {"": below[""]} if below.get("") else {}
    whole = set(shown)
    while whole:
        folder = max(whole, key=lambda name: (shown[name], name))
        whole.remove(folder)
        parts = {name: below[name] for name in inside[folder] if below[name]}
        own = shown[folder] - sum(parts.values())
        if not parts or len(shown) - 1 + len(parts) + (own > 0) > most:
            continue
        del shown[folder]
        shown |= parts | ({f"{folder}*": own} if own else {})
        whole |= parts.keys()
    return dict(sorted(((name or "*", count) for name, count in shown.items()), key=lambda row: (-row[1], row[0])))


def _folders(sizes: Mapping[str, int]) -> tuple[dict[str, int], dict[str, set[str]]]:
    """For each folder (its path ends in `/`) the number of elements below it, and its subfolders."""
    below: dict[str, int] = defaultdict(int)
    inside: dict[str, set[str]] = defaultdict(set)
    for path, size in sizes.items():
        folder = path.rpartition("/")[0]
        inner = f"{folder}/" if folder else ""
        below[inner] += size
        while inner:
            outer = inner[:-1].rpartition("/")[0]
            outer = f"{outer}/" if outer else ""
            inside[outer].add(inner)
            below[outer] += size
            inner = outer
    return below, inside
