"""GazetteerSource: the gazetteer as a PlaceSource."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread

from bearings.errors import InvalidInput, Unsupported
from bearings.places.atlas import store
from bearings.places.categories import Category
from bearings.places.coverage import Coverage
from bearings.places.engine.blocking import check, in_thread
from bearings.places.models import (
    Backend,
    Bounded,
    Found,
    Located,
    Place,
    Point,
    Provenance,
    SearchQuery,
    SourceStatus,
    Surroundings,
)
from bearings.places.outlines import Detail
from bearings.progress import Progress

if TYPE_CHECKING:
    from bearings.places.atlas.answers import Atlas
    from bearings.places.atlas.blocks import BlockAtlas
    from bearings.places.atlas.by_postcode import ByPostcode


REMEDY = "The core atlas answered. For places of 500 people or more: make install in a checkout."
"""Advice for more data than the core atlas has."""


class GazetteerSource:
    """The world by name: countries, regions, settlements of 500 people or more, nature, airports. No network, no key.

    Names follow `language` as far as the sources have it: countries in 280 languages, some cities, seas and islands in
    fewer; "local" is the first official language there. Settlements are points with estimated boxes; areas with an
    outline have exact boxes. There are no OSM ids.

    Without a full atlas the core atlas answers. It has the larger cities only, and every answer says so. The first
    question opens the atlas, which stays open until `aclose`. Blocking work runs in worker threads; a cancelled call
    lets its thread finish.
    """

    backend = Backend.GAZETTEER
    is_there = True
    coverage: Coverage | None = None  # the world

    def __init__(self, cache_dir: Path, atlas: str = "") -> None:
        self._cache_dir = cache_dir
        self._setting = atlas
        self._atlas: Atlas | None = None
        self._origin = store.Origin.PROGRAM
        self._opening = anyio.Lock()
        self._blocks: BlockAtlas | None = None
        self._by_postcode: ByPostcode | None = None
        self._one_block = threading.Lock()

    async def prepare(self, progress: Progress) -> None:  # noqa: ARG002 - the seam's
        """Open the atlas. Raises InvalidInput if GEOCODER_ATLAS names none."""
        await self._opened()

    async def search(self, query: SearchQuery) -> Found:
        """Places by name, or by postcode where the layer of postcodes is there.

        Streets and objects find nothing in free text, and are Unsupported as fields.
        """
        atlas = await self._opened()
        named = await in_thread(partial((self._by_postcode or atlas).search, query))
        source = self._provenance(atlas)
        if named.credit:
            source = replace(source, attribution=f"{source.attribution}; {named.credit}")
        return Found(named.places, source, named.suggestions, named.unused, named.note, about=named.about)

    async def reverse(self, point: Point, *, zoom: int, language: str, layer: Sequence[str] = ()) -> Located:
        """The country, region, county or settlement at a point, or the lake or sea; None if nothing is known."""
        check(point)
        atlas = await self._opened()
        if layer and "address" not in layer:
            return Located(None, self._provenance(atlas))
        return Located(await in_thread(partial(atlas.reverse, point, zoom, language)), self._provenance(atlas))

    async def reverse_all(
        self, points: Sequence[Point], *, zoom: int, language: str, layer: Sequence[str] = (), time_zones: bool = False
    ) -> list[Located]:
        """See BlockSource."""
        atlas = await self._opened()
        provenance = self._provenance(atlas)
        if layer and "address" not in layer:
            return [Located(None, provenance)] * len(points)
        places = await in_thread(partial(self._block, atlas.index.path, points, zoom, language, time_zones))
        return [Located(place, provenance) for place in places]

    def _block(
        self, path: Path, points: Sequence[Point], zoom: int, language: str, time_zones: bool
    ) -> "list[Place | None]":
        with self._one_block:
            if self._blocks is None:
                from bearings.places.atlas.blocks import BlockAtlas

                self._blocks = BlockAtlas(path)
            return self._blocks.reverse_all(points, zoom, language, time_zones=time_zones)

    async def nearby(
        self, point: Point, *, radius_m: float, categories: Sequence[str], limit: int, language: str
    ) -> Surroundings:
        """Settlements only (category "place"), for any question: all seven categories are unsupported.

        `complete` is true only if no category was requested.
        """
        check(point)
        atlas = await self._opened()
        settlements = await in_thread(partial(atlas.nearby, point, radius_m, limit, language))
        _, here = await in_thread(partial(atlas.levels, point, language))
        wanted = tuple(dict.fromkeys(categories or tuple(Category)))
        unsupported = tuple(str(category) for category in wanted if category != "place")
        return Surroundings(settlements, ("place",), (), unsupported, not unsupported, here, self._provenance(atlas))

    async def admin(self, point: Point, *, language: str, geometry: Detail = "none") -> Bounded:
        """Country and region by their outlines; county and settlement by the nearest settlement inside them."""
        check(point)
        atlas = await self._opened()
        levels, address = await in_thread(partial(atlas.levels, point, language, geometry))
        disputed = await in_thread(partial(atlas.disputed, point, language))
        return Bounded(levels, address, self._provenance(atlas), disputed)

    async def lookup(self, osm_ids: Sequence[str], *, language: str, geometry: Detail = "none") -> Found:  # noqa: ARG002 - the seam's
        """Unsupported: the gazetteer's places are not OSM objects."""
        raise Unsupported(
            "the gazetteer holds no OpenStreetMap ids",
            "Choose a Nominatim to look objects up by id: NOMINATIM_BASE_URL (your own) or NOMINATIM_EMAIL (public).",
        )

    async def status(self) -> SourceStatus:
        """The atlas that answers, its path and its data. Opens it, which takes milliseconds."""
        try:
            index = (await self._opened()).index
        except InvalidInput as error:
            return SourceStatus(Backend.GAZETTEER, False, error.error, "")
        meta, path, data = index.meta, index.path, store.data_of(index.meta)
        counters = store.age(path)
        counters |= {key: float(meta[key]) for key in ("countries", "subdivisions", "settlements") if key in meta}
        detail = f"{data} atlas, {self._origin}: {path}" + (f". {REMEDY}" if data == "core" else "")
        return SourceStatus(Backend.GAZETTEER, True, detail, meta.get("attribution", ""), versions(meta), counters)

    async def aclose(self) -> None:
        """Close the atlas. Later questions open it again."""
        opened = [atlas.index.close for atlas in (self._atlas, self._blocks) if atlas is not None]
        opened += [self._by_postcode.layer.close] if self._by_postcode is not None else []
        self._atlas = self._blocks = self._by_postcode = None
        for close in opened:
            await anyio.to_thread.run_sync(close)

    async def _opened(self) -> "Atlas":
        if self._atlas is not None:
            return self._atlas
        async with self._opening:
            if self._atlas is None:
                from bearings.places.atlas.answers import Atlas
                from bearings.places.atlas.by_postcode import ByPostcode
                from bearings.places.atlas.postcodes import open_postcodes

                index, self._origin = await in_thread(partial(store.open_atlas, self._setting, self._cache_dir))
                atlas = Atlas(index)
                if (layer := await in_thread(partial(open_postcodes, self._cache_dir, index.path))) is not None:
                    self._by_postcode = ByPostcode(atlas, layer)
                self._atlas = atlas
            return self._atlas

    def _provenance(self, atlas: "Atlas") -> Provenance:
        meta = atlas.index.meta
        data = store.data_of(meta)
        return Provenance(
            Backend.GAZETTEER, meta.get("attribution", ""), data_version=meta.get("data_version"),
            data=data, remedy=REMEDY if data == "core" else None,
        )  # fmt: skip


def versions(meta: Mapping[str, str]) -> dict[str, str]:
    """The versions in an atlas's meta rows: of its data, and of the packages that it was made from."""
    of_packages = {key.removeprefix("package."): value for key, value in meta.items() if key.startswith("package.")}
    return {**({"atlas": meta["data_version"]} if "data_version" in meta else {}), **of_packages}
