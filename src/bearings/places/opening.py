"""The places wing as a library: `bearings.places.open()`, and the same for programs that await.

    import bearings.places

    with bearings.places.open() as places:
        boulder = places.geocode("Boulder, Colorado").results[0]
        print(boulder.lat, boulder.lon, boulder.confidence)

Settings are the environment's (docs/reference.md) where no argument says otherwise; no file is read. Errors are those
of `bearings.errors`.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from functools import partial, update_wrapper
from typing import Any, Concatenate, ParamSpec, TypeVar

from anyio.from_thread import BlockingPortal, start_blocking_portal

from bearings.errors import InvalidInput
from bearings.places.backends import Preference, advisers_to_add, is_auto, preferences
from bearings.places.geocoder import Geocoder
from bearings.places.models import Backend, LatLon, Structured
from bearings.places.nominatim.settings import NominatimSettings
from bearings.places.replies import AdminReply, BboxReply, GeocodeReply, LookupReply, NearbyReply, ReverseReply
from bearings.places.settings import PlacesSettings
from bearings.places.source import PlaceSource

_P = ParamSpec("_P")
_Reply = TypeVar("_Reply")

_PLACES = ("backend", "language", "index", "index_dir", "cache_dir", "atlas")
_NOMINATIM = {"nominatim_url": "base_url", "nominatim_email": "email", "timeout": "timeout"}


def geocoder_of(settings: PlacesSettings, server: NominatimSettings) -> Geocoder:
    """The service over the backends that the settings prefer. Builds and opens nothing; may ask for any setting."""
    preferred = _preferred(settings, server)
    chosen = [preference.backend for preference in preferred]
    sources = [_source(backend, settings, server) for backend in (*chosen, *advisers_to_add(chosen))]
    return Geocoder(*sources, settings=settings, reasons=preferred)


def _preferred(settings: PlacesSettings, server: NominatimSettings) -> tuple[Preference, ...]:
    from bearings.places.osm.library import maps

    may_have_map = is_auto(settings.backend) or bool(settings.index) or bool(maps(settings.index_dir))
    return preferences(settings.backend, own_url=server.own_url, consent=server.consent, index=may_have_map)


def _source(backend: Backend, settings: PlacesSettings, server: NominatimSettings) -> PlaceSource:
    """The source of a backend; its modules are imported here."""
    if backend is Backend.NOMINATIM:
        from bearings.places.nominatim.client import NominatimClient
        from bearings.places.nominatim.source import NominatimSource

        return NominatimSource(NominatimClient(server, cache_dir=settings.cache_dir), server)
    if backend is Backend.OSM_INDEX:
        from bearings.places.osm.source import OsmSource

        return OsmSource(settings.index_dir, settings.index)
    from bearings.places.atlas.source import GazetteerSource

    return GazetteerSource(settings.cache_dir, settings.atlas)


class AsyncPlaces(AbstractAsyncContextManager["AsyncPlaces"]):
    """Answers questions about places, for programs that await; see `open_async`. Close it, or enter it."""

    def __init__(self, geocoder: Geocoder) -> None:
        self._geocoder = geocoder

    async def geocode(
        self,
        query: str | None = None,
        *,
        structured: Structured | None = None,
        limit: int = 5,
        country_codes: str | Sequence[str] | None = None,
        language: str | None = None,
        near: tuple[float, float] | None = None,
        viewbox: Sequence[float] | None = None,
        bounded: bool = False,
        layer: str | Sequence[str] | None = None,
    ) -> GeocodeReply:
        """Places by name or address, best first. No place is an empty list with a hint.

        `near` is (lat, lon); `viewbox` [west, south, east, north]. Raises InvalidInput.
        """
        return await self._geocoder.geocode(
            query, structured=structured, limit=limit, country_codes=_listed(country_codes), language=language,
            near=None if near is None else LatLon(*near), viewbox=None if viewbox is None else list(viewbox),
            bounded=bounded, layer=_listed(layer),
        )  # fmt: skip

    async def reverse(
        self, lat: float, lon: float, *, zoom: int = 18, language: str | None = None,
        layer: str | Sequence[str] | None = None,
    ) -> ReverseReply:  # fmt: skip
        """The place at a point, as detailed as `zoom` (3 country … 18 building). Raises NotFound if there is none."""
        return await self._geocoder.reverse_geocode(lat, lon, zoom=zoom, language=language, layer=_listed(layer))

    async def bbox(
        self, query: str, *, padding: float = 0.0, country_codes: str | Sequence[str] | None = None,
        language: str | None = None,
    ) -> BboxReply:  # fmt: skip
        """The box of a place: `bbox` [west, south, east, north], `bboxes` cut at 180°. Raises NotFound."""
        return await self._geocoder.bbox_from_place(
            query, padding=padding, country_codes=_listed(country_codes), language=language
        )

    async def nearby(
        self, lat: float, lon: float, *, radius_km: float = 1.0, limit: int = 5,
        categories: str | Sequence[str] | None = None, language: str | None = None,
    ) -> NearbyReply:  # fmt: skip
        """Named objects within a radius by distance, at most `limit` a category."""
        return await self._geocoder.nearby_places(
            lat, lon, radius_km=radius_km, limit=limit, categories=_listed(categories), language=language
        )

    async def admin(self, lat: float, lon: float, *, language: str | None = None) -> AdminReply:
        """The administrative areas that contain a point, outermost first. Raises NotFound."""
        return await self._geocoder.admin_boundaries(lat, lon, language=language)

    async def lookup(self, osm_ids: Sequence[str], *, language: str | None = None) -> LookupReply:
        """The places of OpenStreetMap objects: "N123", "W45", "R6"."""
        return await self._geocoder.lookup_places(list(osm_ids), language=language)

    async def aclose(self) -> None:
        """Close files and connections."""
        await self._geocoder.aclose()

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def _listed(words: str | Sequence[str] | None) -> str | list[str] | None:
    """Words as the services take them: text with commas, or a list."""
    return words if words is None or isinstance(words, str) else list(words)


def _blocking(
    ask: Callable[Concatenate[AsyncPlaces, _P], Awaitable[_Reply]],
) -> "Callable[Concatenate[Places, _P], _Reply]":
    """A method of AsyncPlaces, of the same signature, for callers that wait."""

    def wait(self: "Places", /, *given: _P.args, **named: _P.kwargs) -> _Reply:
        return self._portal.call(partial(ask, self._places, *given, **named))

    update_wrapper(wait, ask)
    return wait


class Places(AbstractContextManager["Places"]):
    """The same for programs that wait; see `open`. Close it, or enter it. May be used from several threads."""

    def __init__(self, places: AsyncPlaces) -> None:
        self._places = places
        self._portals: AbstractContextManager[BlockingPortal] = start_blocking_portal()
        self._portal = self._portals.__enter__()
        self._closed = False

    geocode = _blocking(AsyncPlaces.geocode)
    reverse = _blocking(AsyncPlaces.reverse)
    bbox = _blocking(AsyncPlaces.bbox)
    nearby = _blocking(AsyncPlaces.nearby)
    admin = _blocking(AsyncPlaces.admin)
    lookup = _blocking(AsyncPlaces.lookup)

    def close(self) -> None:
        """Close files and connections. Idempotent."""
        if not self._closed:
            self._closed = True
            self._portal.call(self._places.aclose)
            self._portals.__exit__(None, None, None)

    def __exit__(self, *_: object) -> None:
        self.close()


def open_async(**settings: Any) -> AsyncPlaces:
    """Places for programs that await.

    `settings`: backend, language, index, index_dir, cache_dir, atlas, nominatim_url, nominatim_email, timeout; others
    are the environment's. Raises InvalidInput for an unknown one, and for a value that can't be.
    """
    return AsyncPlaces(geocoder_of(*settings_of(settings)))


def settings_of(settings: Mapping[str, Any]) -> tuple[PlacesSettings, NominatimSettings]:
    """The settings that `open` takes; see `open_async`."""
    from pydantic import ValidationError

    unknown = settings.keys() - {*_PLACES, *_NOMINATIM}
    if unknown:
        known = ", ".join((*_PLACES, *_NOMINATIM))
        raise InvalidInput(min(unknown), settings[min(unknown)], "is no setting", f"Pass any of: {known}.")
    own = {name: settings[name] for name in _PLACES if name in settings}
    server = {field: settings[name] for name, field in _NOMINATIM.items() if name in settings}
    try:
        return PlacesSettings(**own), NominatimSettings(**server)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        problem = first["msg"].removeprefix("Value error, ")
        raise InvalidInput(str(first["loc"][0]), first["input"], problem, "See docs/reference.md.") from None


def open(**settings: Any) -> Places:  # noqa: A001 - bearings.places.open
    """Places for programs that wait; see `open_async` for the settings."""
    return Places(open_async(**settings))
