"""Whether the rest of a query is spelt by the areas that contain a place."""

from collections.abc import Callable

from bearings.places.index import crossing, naming, text
from bearings.places.index.database import Index, Row

_LONGEST_NAME_WORDS = 7


class Contexts:
    """Reads contexts against one index, for the length of one query: what it looks up it keeps."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._areas: dict[str, frozenset[int]] = {}
        self._known: dict[str, bool] = {}

    def is_known(self, part: str) -> bool:
        """Whether the words of a part can be names of areas at all, whatever the place."""
        if part not in self._known:
            self._known[part] = self._spells(part, bool)
        return self._known[part]

    def fits(self, row: Row, parts: tuple[str, ...]) -> bool:
        """Whether every part is spelt, word for word, by names or codes of areas that contain the place."""
        if not parts:
            return True
        around = frozenset(each.id for each in self._index.ancestors(row))
        return all(self._spells(part, lambda areas: bool(areas & around)) for part in parts)

    def reaches(self, row: Row, parts: tuple[str, ...]) -> bool:
        """As `fits`, for what nature made: whether it lies at least partly in areas of these names."""
        if row.layer not in crossing.CROSSING:
            return False
        around = frozenset(each.id for each in self._index.ancestors(row))

        def meets(areas: frozenset[int]) -> bool:
            return bool(areas & around) or crossing.crosses(self._index, row, areas)

        return all(self._spells(part, meets) for part in parts)

    def _spells(self, part: str, admits: Callable[[frozenset[int]], bool]) -> bool:
        """Whether a part is a row of names, each of areas that are admitted."""
        words = part.split(" ")
        reached = {0}
        for start in range(len(words)):
            if start in reached:
                for end in range(start + 1, min(len(words), start + _LONGEST_NAME_WORDS) + 1):
                    if admits(self._named(" ".join(words[start:end]))):
                        reached.add(end)
        return len(words) in reached

    def _named(self, key: str) -> frozenset[int]:
        """The areas that a key names or stands for."""
        if key not in self._areas:
            found: set[int] = set()
            for variant in dict.fromkeys((*text.variants(key), naming.plain(key))):
                found |= self._index.areas_named(variant)
            self._areas[key] = frozenset(found)
        return self._areas[key]
