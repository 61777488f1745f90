"""GazetteerSource: the gazetteer as a PlaceSource."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import anyio
import anyio.to_thread

from bearings.errors import InvalidInput, Unsupported
from bearings.places.categories import Category
from bearings.places.gazetteer import packages, store
from bearings.places.models import (
    Backend,
    Bounded,
    Found,
    Located,
    Point,
    Provenance,
    SearchQuery,
    SourceStatus,
    Surroundings,
)
from bearings.progress import NoProgress, Progress

if TYPE_CHECKING:
    from bearings.places.gazetteer.atlas import Atlas

T = TypeVar("T")


def build(path: Path, progress: Progress) -> None:
    """Builds from the installed packages. What a build needs is imported when one is needed."""
    from bearings.places.gazetteer.build import build as build_from_packages

    build_from_packages(path, progress)


class GazetteerSource:
    """Countries, first- and second-level subdivisions, and settlements of 500 people or more. No network, no key.

    Names follow `language` for countries (25 languages of Natural Earth; "local" is the first language spoken there);
    GeoNames' other names carry no language here, so that regions and settlements keep their main name in every
    language. Settlements are points: their boxes, and those of regions, are estimated; those of countries are exact.
    There are no OSM ids.

    The index is built in `cache_dir` when it is first needed. Blocking work runs in worker threads; a cancelled call
    leaves its thread to end by itself, and a build that nobody waits for is finished for the next.
    """

    def __init__(self, cache_dir: Path, *, builder: store.Builder = build) -> None:
        self._cache_dir = cache_dir
        self._builder = builder
        self._atlas: Atlas | None = None
        self._opening = anyio.Lock()

    @property
    def backend(self) -> Backend:
        """The gazetteer."""
        return Backend.GAZETTEER

    async def prepare(self, progress: Progress) -> None:
        """Builds the index if there is none, and opens it. Raises WriteFailed where it can't be written."""
        await self._opened(progress)

    async def search(self, query: SearchQuery) -> Found:
        """Places by name. Streets, postcodes and objects: in free text they find nothing; as fields, Unsupported."""
        atlas = await self._opened()
        return Found(await _in_thread(partial(atlas.search, query)), self._provenance(atlas))

    async def reverse(self, point: Point, *, zoom: int, language: str, layer: Sequence[str] = ()) -> Located:
        """The country (by polygon), or the region, county or settlement nearest in it; None at sea."""
        _check(point)
        atlas = await self._opened()
        if layer and "address" not in layer:
            return Located(None, self._provenance(atlas))
        return Located(await _in_thread(partial(atlas.reverse, point, zoom, language)), self._provenance(atlas))

    async def nearby(
        self, point: Point, *, radius_m: float, categories: Sequence[str], limit: int, language: str
    ) -> Surroundings:
        """Settlements only (category "place"), whatever is asked: all seven categories are unsupported.

        `complete` is true only if none of them was asked for.
        """
        _check(point)
        atlas = await self._opened()
        found = await _in_thread(partial(atlas.nearby, point, radius_m, limit, language))
        _, here = await _in_thread(partial(atlas.levels, point, language))
        asked = tuple(dict.fromkeys(categories or tuple(Category)))
        unsupported = tuple(str(category) for category in asked if category != "place")
        return Surroundings(found, ("place",), (), unsupported, not unsupported, here, self._provenance(atlas))

    async def admin(self, point: Point, *, language: str) -> Bounded:
        """Country by polygon; state, county and settlement are those of the nearest settlement in the country."""
        _check(point)
        atlas = await self._opened()
        levels, address = await _in_thread(partial(atlas.levels, point, language))
        return Bounded(levels, address, self._provenance(atlas))

    async def lookup(self, osm_ids: Sequence[str], *, language: str) -> Found:  # noqa: ARG002 - the seam's
        """Unsupported: the gazetteer's places are not OSM objects."""
        raise Unsupported(
            "the gazetteer holds no OpenStreetMap ids",
            "Choose a Nominatim to look objects up by id: NOMINATIM_BASE_URL (your own) or NOMINATIM_EMAIL (public).",
        )

    async def status(self) -> SourceStatus:
        """Whether the index is there, where, and from which data."""
        path = self._cache_dir / store.file_name()
        versions, counters = dict(packages.versions()), store.age(path)
        if self._atlas is not None:
            meta = self._atlas.index.meta
            counters |= {key: float(meta[key]) for key in ("countries", "subdivisions", "settlements") if key in meta}
        ready = self._atlas is not None or path.is_file()
        detail = f"{path}" if ready else f"{path}: not built yet; the first question builds it (about half a minute)"
        return SourceStatus(Backend.GAZETTEER, ready, detail, packages.ATTRIBUTION, versions, counters)

    async def aclose(self) -> None:
        """Closes the index. Later questions open it again."""
        atlas, self._atlas = self._atlas, None
        if atlas is not None:
            await anyio.to_thread.run_sync(atlas.index.close)

    async def _opened(self, progress: Progress | None = None) -> "Atlas":
        async with self._opening:
            if self._atlas is None:
                from bearings.places.gazetteer.atlas import Atlas

                opening = partial(store.open_or_build, self._cache_dir, progress or NoProgress(), self._builder)
                self._atlas = Atlas(await _in_thread(opening))
            return self._atlas

    def _provenance(self, atlas: "Atlas") -> Provenance:
        return Provenance(Backend.GAZETTEER, packages.ATTRIBUTION, data_version=atlas.index.path.stem)


async def _in_thread(work: Callable[[], T]) -> T:
    return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)


def _check(point: Point) -> None:
    """Raises InvalidInput for what is no position."""
    for name, value, limit in (("lat", point.lat, 90), ("lon", point.lon, 180)):
        if not math.isfinite(value) or abs(value) > limit:
            raise InvalidInput(name, value, f"not within -{limit} to {limit}", "Give degrees, WGS 84.")
