"""The Protocol of sources that answer questions about places. One contract suite runs over every implementation."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from bearings.places.coverage import Coverage
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


@runtime_checkable
class BlockSource(Protocol):
    """A source that answers many points faster together than one by one."""

    async def reverse_all(
        self, points: Sequence[Point], *, zoom: int, language: str, layer: Sequence[str] = (), time_zones: bool = False
    ) -> list[Located]:
        """What `reverse` answers for each point, without disputed areas, and with time zones only if they are wanted.

        Equal places are one object.
        """
        ...


class PlaceSource(Protocol):
    """Answers questions about places. Every method may raise a BearingsError; none invents data.

    If `geometry` is requested, each place and area has an `outline`: whole, or as simple as the source must have it.
    The service makes it fit a reply.

    A source raises Unsupported for a question that it can't answer, with a hint that names a backend that can.
    """

    @property
    def backend(self) -> Backend:
        """The kind of this source."""
        ...

    @property
    def is_there(self) -> bool:
        """Whether there are data to ask: a map may be imported or removed while a server runs. Cheap."""
        ...

    @property
    def coverage(self) -> Coverage | None:
        """The part of the world that the data describe; None for the whole. May read files."""
        ...

    async def prepare(self, progress: Progress) -> None:
        """Prepare the first answer (build or open an index). Idempotent; other methods call it themselves."""
        ...

    async def search(self, query: SearchQuery) -> Found:
        """Places by name or address, best first, at most `query.limit`; empty if nothing fits well."""
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
        """The places of OSM objects ("N123", "W45", "R6"); unknown ids are left out."""
        ...

    async def status(self) -> SourceStatus:
        """The source's state, without network and without preparing anything."""
        ...

    async def aclose(self) -> None:
        """Close files, connections and processes. Idempotent."""
        ...
