"""OsmSource: the maps of one's own as a PlaceSource."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread

from bearings.errors import InvalidInput, Unavailable
from bearings.places.categories import Category
from bearings.places.coverage import Coverage, Tiles
from bearings.places.engine.blocking import check, in_thread
from bearings.places.engine.ranking import shares_of
from bearings.places.models import (
    Backend,
    Bounded,
    Found,
    Located,
    Match,
    NearbyPlace,
    Place,
    Point,
    Provenance,
    SearchQuery,
    SourceStatus,
    Surroundings,
)
from bearings.places.osm import library
from bearings.places.osm.schema import ATTRIBUTION
from bearings.places.outlines import Detail
from bearings.progress import Progress
from bearings.untrusted import clean_line, quoted

if TYPE_CHECKING:
    from bearings.places.osm.answers import OsmMap
    from bearings.places.osm.hits import Answer, Hit

_CODES = {"N": 0, "W": 1, "R": 2}
_NAMED = (Match.EXACT, Match.ALTERNATE, Match.CODE)


class OsmSource:
    """Streets, addresses, objects and areas of imported OpenStreetMap extracts. No network, no key.

    Each question goes to all maps; the best answers of all are given. An import is seen by the next question. Blocking
    work runs in worker threads; a cancelled call lets its thread finish.
    """

    backend = Backend.OSM_INDEX

    def __init__(self, folder: Path, index: str = "") -> None:
        self._folder = folder
        self._setting = index
        self._shelf = library.Shelf(folder, index)
        self._answering: dict[int, OsmMap] = {}
        self._covered: tuple[tuple[int, ...], Coverage] | None = None

    @property
    def is_there(self) -> bool:
        """Whether a map has been imported, or the setting names one."""
        return bool(self._setting) or bool(library.maps(self._folder))

    @property
    def coverage(self) -> Coverage:
        """The tiles that hold named objects. Opens the maps, which takes milliseconds."""
        maps = self._shelf.maps()
        known = tuple(map(id, maps))
        if self._covered is None or self._covered[0] != known:
            self._covered = known, Tiles(frozenset(tile for osm in maps for tile in osm.tiles()))
        return self._covered[1]

    async def prepare(self, progress: Progress) -> None:  # noqa: ARG002 - the seam's
        """Open the maps."""
        await in_thread(self._maps)

    async def search(self, query: SearchQuery) -> Found:
        """Places by name or address in any order of words, objects by category near a place."""
        return await in_thread(partial(self._search, query))

    async def reverse(self, point: Point, *, zoom: int, language: str, layer: Sequence[str] = ()) -> Located:
        """The street, address, object or area at a point."""
        check(point)
        return await in_thread(partial(self._reverse, point, zoom, language, layer))

    async def nearby(
        self, point: Point, *, radius_m: float, categories: Sequence[str], limit: int, language: str
    ) -> Surroundings:
        """All named objects within the radius, at most `limit` a category: complete within the extracts."""
        check(point)
        return await in_thread(partial(self._nearby, point, radius_m, categories, limit, language))

    async def admin(self, point: Point, *, language: str, geometry: Detail = "none") -> Bounded:
        """The administrative areas that contain a point."""
        check(point)
        return await in_thread(partial(self._admin, point, language, geometry))

    async def lookup(self, osm_ids: Sequence[str], *, language: str, geometry: Detail = "none") -> Found:
        """The places of OSM objects that the extracts hold."""
        return await in_thread(partial(self._lookup, osm_ids, language, geometry))

    async def status(self) -> SourceStatus:
        """The maps, without opening one."""
        try:
            paths = library.maps(self._folder, self._setting)
        except InvalidInput as error:
            return SourceStatus(Backend.OSM_INDEX, False, error.error, ATTRIBUTION)
        if not paths:
            return SourceStatus(Backend.OSM_INDEX, False, "no map has been imported", ATTRIBUTION)
        sizes = sum(path.stat().st_size for path in paths if path.is_file())
        detail = ", ".join(path.stem for path in paths)
        versions = {each.map.path.stem: each.map.meta.get("data_version", "") for each in self._answering.values()}
        counters = {"maps": float(len(paths)), "map_bytes": float(sizes)}
        return SourceStatus(Backend.OSM_INDEX, True, f"maps: {detail}", ATTRIBUTION, versions, counters)

    async def aclose(self) -> None:
        """Close the maps. Later questions open them again."""
        self._answering.clear()
        await anyio.to_thread.run_sync(self._shelf.close)

    def _maps(self) -> "list[OsmMap]":
        """The open maps. Raises Unavailable if none can be read."""
        from bearings.places.osm.answers import OsmMap

        maps = self._shelf.maps()
        if not maps:
            raise Unavailable("no imported map can be read", "Import one: bearings places import FILE.osm.pbf.")
        answering = {id(each): self._answering.get(id(each)) or OsmMap(each) for each in maps}
        self._answering = answering
        return list(answering.values())

    def _search(self, query: SearchQuery) -> Found:
        maps = self._maps()
        answers = _telling([(each, each.search(query)) for each in maps])
        ranked = sorted(((osm, hit) for osm, answer in answers for hit in answer.hits), key=lambda pair: -pair[1].score)
        hits = _unique(ranked)[: query.limit]
        guesses = sorted(
            ((osm, hit) for osm, answer in answers for hit in answer.suggestions), key=lambda pair: -pair[1].score
        )
        kinds = ((osm, answer) for osm, answer in answers if answer.hits and answer.kind)
        osm_of_kind, of_kind = next(kinds, (None, None))
        kind = of_kind and of_kind.kind
        sure = [hit.confidence for _, hit in hits] if kind else _confidences(hits)
        places = tuple(
            replace(osm.place_of(hit, query), confidence=each) for (osm, hit), each in zip(hits, sure, strict=True)
        )
        suggestions = tuple(osm.place_of(hit, replace(query, geometry="none")) for osm, hit in guesses[:5])
        unused = hits[0][1].unused if hits else ()
        note = f"The query was read as objects of a kind ({kind}), nearest first." if kind else None
        if osm_of_kind and of_kind and of_kind.within:
            town = osm_of_kind.place_of(of_kind.within, query).name
            is_there = any(town in place.address.values() for place in places)
            note = note if is_there else f"{note} None of these is in {quoted(clean_line(town))}."
        return Found(places, self._provenance(maps), suggestions if not hits else (), unused, note)

    def _reverse(self, point: Point, zoom: int, language: str, layer: Sequence[str]) -> Located:
        maps = self._maps()
        nearest = [at for each in maps if (at := each.reverse(point, zoom, language, layer)) is not None]
        best = max(nearest, key=lambda at: (at[0].place_rank, -at[1]), default=None) if zoom < 16 else None
        best = best or min(nearest, key=lambda at: at[1], default=None)
        return Located(None if best is None else best[0], self._provenance(maps))

    def _nearby(
        self, point: Point, radius_m: float, categories: Sequence[str], limit: int, language: str
    ) -> Surroundings:
        maps = self._maps()
        wanted = [each for each in categories if each in set(Category) or "=" in each]
        unsupported = tuple(each for each in categories if each not in wanted)
        places: list[NearbyPlace] = []
        for category in wanted:
            of_all = [near for each in maps for near in each.nearby(point, radius_m, category, limit, language)]
            places += sorted(of_all, key=lambda near: near.distance_m)[:limit]
        unique: dict[tuple[str | None, int | None], NearbyPlace] = {}
        for near in sorted(places, key=lambda near: near.distance_m):
            unique.setdefault((near.place.osm_type, near.place.osm_id), near)
        here = self._reverse(point, 18, language, ()).place
        around = {key: here.address[key] for key in _HERE if key in here.address} if here else {}
        is_complete = not unsupported and self.coverage.holds(point)
        return Surroundings(
            tuple(unique.values()), tuple(map(str, wanted)), (), unsupported, is_complete, around,
            self._provenance(maps),
        )  # fmt: skip

    def _admin(self, point: Point, language: str, detail: Detail) -> Bounded:
        maps = self._maps()
        most = max((each.levels(point, language, detail) for each in maps), key=lambda pair: len(pair[0]))
        return Bounded(*most, self._provenance(maps))

    def _lookup(self, osm_ids: Sequence[str], language: str, detail: Detail) -> Found:
        maps = self._maps()
        numbers = [int(each[1:]) * 4 + _CODES[each[0].upper()] for each in osm_ids]
        places: dict[int, Place] = {}
        for each in maps:
            places = each.lookup(numbers, language, detail) | places
        return Found(tuple(places[number] for number in numbers if number in places), self._provenance(maps))

    def _provenance(self, maps: "Sequence[OsmMap]") -> Provenance:
        dates = sorted({each.map.meta.get("data_version", "") for each in maps} - {""})
        return Provenance(Backend.OSM_INDEX, ATTRIBUTION, data_version=", ".join(dates) or None)


def _telling(answers: "Sequence[tuple[OsmMap, Answer]]") -> "list[tuple[OsmMap, Answer]]":
    """The answers of the maps that understood the query best, and those without a hit.

    Objects of a kind that is plainly asked for come before places of a name, and these before objects of a kind that a
    name may be read as.
    """

    def understood(answer: "Answer") -> int:
        if not answer.hits:
            return -1
        if answer.kind:
            return 3 if answer.plainly else 1
        return 2 if answer.hits[0].match in _NAMED else 0

    best = max(understood(answer) for _, answer in answers)
    return [(osm, answer) for osm, answer in answers if understood(answer) in (best, -1)]


def _confidences(hits: "Sequence[tuple[OsmMap, Hit]]") -> list[float]:
    """The confidence of each hit among those of all maps, by the best of each map; no hit has more than one before."""
    from bearings.places.osm.search import STEEPNESS

    best = {id(osm): hit.score for osm, hit in reversed(hits)}
    share_of = dict(zip(best, shares_of(list(best.values()), STEEPNESS), strict=True))
    confidences: list[float] = []
    for osm, hit in hits:
        own = round(hit.confidence * share_of[id(osm)], 3)
        confidences.append(min([own, *confidences[-1:]]))
    return confidences


def _unique(hits: "Sequence[tuple[OsmMap, Hit]]") -> "list[tuple[OsmMap, Hit]]":
    """The hits without objects that several maps hold."""
    by_object: dict[tuple[object, ...], tuple[OsmMap, Hit]] = {}
    for osm, hit in hits:
        by_object.setdefault((hit.row.osm, hit.row.name, hit.row.point), (osm, hit))
    return list(by_object.values())


_HERE = ("road", "neighbourhood", "suburb", "village", "town", "city", "postcode")
