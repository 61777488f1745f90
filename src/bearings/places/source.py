"""The seam: anything that can answer questions about places. One contract suite runs over every implementation."""

from collections.abc import Sequence
from typing import Protocol

from bearings.places.models import (
    Backend,
    Bounded,
    Found,
    Located,
    Point,
    SearchQuery,
    SourceStatus,
    Surroundings,
)
from bearings.places.outlines import Detail
from bearings.progress import Progress


class PlaceSource(Protocol):
    """Answers about places. Every method may raise a BearingsError; none invents data.

    Where `geometry` is asked for, each place and area has an `outline`. It is whole, or as simple as the source must
    have it; the service makes it fit a reply.

    A source that can't do a thing raises Unsupported, and its hint names the backend that can.
    """

    @property
    def backend(self) -> Backend:
        """Which kind of source this is."""
        ...

    async def prepare(self, progress: Progress) -> None:
        """Make what the first answer needs (build or open an index). Idempotent; other methods call it themselves."""
        ...

    async def search(self, query: SearchQuery) -> Found:
        """Places by name or address, best first, at most `query.limit`; none if nothing fits well."""
        ...

    async def reverse(self, point: Point, *, zoom: int, language: str, layer: Sequence[str] = ()) -> Located:
        """The place at a point, as detailed as `zoom` (3 country … 18 building) asks and the data allow."""
        ...

    async def nearby(
        self, point: Point, *, radius_m: float, categories: Sequence[str], limit: int, language: str
    ) -> Surroundings:
        """Named objects within `radius_m`, at most `limit` a category, by distance."""
        ...

    async def admin(self, point: Point, *, language: str, geometry: Detail = "none") -> Bounded:
        """The administrative areas that contain a point."""
        ...

    async def lookup(self, osm_ids: Sequence[str], *, language: str, geometry: Detail = "none") -> Found:
        """The places of OSM objects ("N123", "W45", "R6"); those not found are left out."""
        ...

    async def status(self) -> SourceStatus:
        """Its state, without network, and without preparing anything."""
        ...

    async def aclose(self) -> None:
        """Let go of files, connections and processes. Idempotent."""
        ...
