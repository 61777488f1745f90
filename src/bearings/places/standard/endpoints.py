"""Nominatim's endpoints over the Geocoder: a request's parameters become a question, its places an answer."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import astuple, replace
from functools import partial

import anyio
import anyio.to_thread

import bearings
from bearings.endpoint import Endpoint, Request, Response
from bearings.errors import (
    BadResponse,
    BearingsError,
    Blocked,
    Busy,
    DeadlineExceeded,
    InvalidInput,
    RateLimited,
    ShuttingDown,
    Unavailable,
    Unsupported,
)
from bearings.places import arguments, geometry
from bearings.places.backends import SourceChain
from bearings.places.geocoder import Geocoder
from bearings.places.models import Located, Place, Point, SearchQuery
from bearings.places.standard import formats
from bearings.places.standard.formats import Details
from bearings.places.standard.parameters import FORMATS, MOST_RESULTS, BadRequest, Parameters

DEADLINE_S = 60.0

_JSON, _TEXT = "application/json; charset=utf-8", "text/plain; charset=utf-8"
_ZOOMS = (3, 18)
_STATUS: tuple[tuple[type[BearingsError], int], ...] = (
    (InvalidInput, 400), (Unsupported, 400), (RateLimited, 429), (Busy, 429), (Blocked, 503), (Unavailable, 503),
    (ShuttingDown, 503), (DeadlineExceeded, 504), (BadResponse, 502),
)  # fmt: skip
"""The status of each error; others are 500. Nominatim's own are 400 and 404 alone: it asks no other server."""

Answer = Callable[[Parameters], Awaitable[Response]]


def endpoints(geocoder: Geocoder) -> tuple[Endpoint, ...]:
    """`/search`, `/reverse`, `/lookup`, `/status`, each with and without Nominatim's old ending `.php`."""
    api = _Api(geocoder)
    named: tuple[tuple[str, str, Answer], ...] = (
        ("search", "geocode", api.search), ("reverse", "reverse_geocode", api.reverse),
        ("lookup", "lookup_places", api.lookup), ("status", "geocoder_status", api.status),
    )  # fmt: skip
    return tuple(
        Endpoint(tool, (f"/{name}", f"/{name}.php"), partial(_answered, answer)) for name, tool, answer in named
    )


async def _answered(answer: Answer, request: Request) -> Response:
    """The answer, or the error that it ended with, as Nominatim writes errors."""
    try:
        with anyio.fail_after(DEADLINE_S):
            return await answer(Parameters(request))
    except BadRequest as error:
        return _refused(request, 400, str(error))
    except BearingsError as error:
        status = next((status for kind, status in _STATUS if isinstance(error, kind)), 500)
        return _refused(request, status, f"{error.error}. {error.hint}".strip(), error.retry_after_s)
    except TimeoutError:
        return _refused(request, 504, f"The answer took longer than {DEADLINE_S:.0f} s.")


def _refused(request: Request, status: int, message: str, retry_after_s: float | None = None) -> Response:
    if request.parameters.get("format", "jsonv2") not in FORMATS:
        return Response(f"ERROR {status}: {message}", _TEXT, status, retry_after_s)
    return Response(formats.failed(status, message), _JSON, status, retry_after_s)


class _Api:
    def __init__(self, geocoder: Geocoder) -> None:
        self._geocoder = geocoder

    async def search(self, asked: Parameters) -> Response:
        """Places by name or address, best first."""
        form = asked.format()
        details = _details(asked, address=False)
        text, structured = asked.get("q"), asked.structured()
        if text is not None and structured is not None:
            raise BadRequest(
                "Structured query parameters(amenity, street, city, county, state, postalcode, country) cannot be used "
                "together with 'q' parameter."
            )
        if text is None and structured is None:
            raise BadRequest("Nothing to search for.")
        excluded, ranks, limit = asked.excluded(), asked.ranks(), asked.limit()
        viewbox, is_limited = asked.viewbox(), ranks is None
        query = SearchQuery(
            text=text,
            structured=structured,
            limit=min(limit + len(excluded), MOST_RESULTS) if is_limited else MOST_RESULTS,
            country_codes=asked.countries(),
            language=asked.language(),
            viewbox=viewbox,
            bounded=asked.flag("bounded") and viewbox is not None,
            layer=asked.layers() if is_limited else ("address",),
            geometry="full" if details.outline else "none",
        )
        places, attribution = await self._found(query)
        allowed = [place for place in places if not excluded & formats.names_of(place) and _is_of(place, ranks)]
        words = ", ".join(filter(None, astuple(structured))) if structured else text
        described = replace(details, query=words)
        return await _response(partial(formats.many, allowed[:limit], form, described, attribution), details)

    async def _found(self, query: SearchQuery) -> tuple[Sequence[Place], str]:
        """The places of a search, and their attribution."""
        with self._geocoder.counted():
            if query.text is not None and not query.text.strip():
                return (), (await self._geocoder.provenance()).attribution
            if query.text is not None:
                words = arguments.text("q", query.text)
                query = replace(query, text=words, parsed=arguments.parsed("q", words))
            answer = await self._geocoder.find(self._geocoder.source_chain(None), query)
            return answer.places, answer.provenance.attribution

    async def reverse(self, asked: Parameters) -> Response:
        """The place at a point."""
        form = asked.format()
        details = _details(asked, address=True)
        lon, lat = asked.number("lon"), asked.number("lat")
        zoom = max(_ZOOMS[0], min(_ZOOMS[1], asked.integer("zoom", _ZOOMS[1])))
        layers, language = asked.layers(), asked.language()
        if not (-90 <= lat <= 90 and -180 <= lon <= 180):
            return Response(formats.UNABLE, _JSON)
        point = Point(lat, lon)
        with self._geocoder.counted():
            chain = self._geocoder.source_chain(None)
            located = await self._geocoder.locate(chain, point, zoom=zoom, language=language, layers=layers)
            place = await self._with_outline(chain, located, language) if details.outline else located.place
        away = None if place is None else geometry.distance_m(place.point, point)
        answer = partial(formats.one, place, form, details, located.provenance.attribution, away)
        return await _response(answer, details)

    async def _with_outline(self, chain: SourceChain, located: Located, language: str) -> Place | None:
        """The place with its outline, which sources give for objects that are looked up."""
        place = located.place
        if place is None or place.osm_type is None:
            return place
        name = f"{place.osm_type[0].upper()}{place.osm_id}"
        answer = await self._geocoder.look_up(chain, [name], language=language, detail="full")
        return next(iter(answer.places), place)

    async def lookup(self, asked: Parameters) -> Response:
        """The places of objects of OpenStreetMap."""
        form = asked.format()
        details, ids = _details(asked, address=True), asked.osm_ids()
        with self._geocoder.counted():
            if not ids:
                attribution = (await self._geocoder.provenance()).attribution
                return Response(formats.many([], form, details, attribution), _JSON)
            found = await self._geocoder.look_up(
                self._geocoder.source_chain(None),
                ids,
                language=asked.language(),
                detail="full" if details.outline else "none",
            )
        answer = partial(formats.many, found.places, form, details, found.provenance.attribution)
        return await _response(answer, details)

    async def status(self, asked: Parameters) -> Response:
        """Whether the source can answer."""
        status, is_ready = await self._geocoder.status(), await self._geocoder.is_ready()
        if asked.get("format") not in (None, "text", "json"):
            raise BadRequest("Parameter 'format' must be one of: text, json")
        if asked.get("format") != "json":
            return Response("OK" if is_ready else f"ERROR: {status.detail}", _TEXT, 200 if is_ready else 500)
        return Response(formats.status(is_ready, status.detail, bearings.__version__, status.data_versions), _JSON)


def _details(asked: Parameters, *, address: bool) -> Details:
    """The parts that a request wants; `address`: whether addresses are given without being asked for."""
    return Details(
        address=asked.flag("addressdetails", address),
        extra=asked.flag("extratags"),
        names=asked.flag("namedetails"),
        outline=asked.outline(),
        threshold_deg=asked.number("polygon_threshold", 0.0),
    )


def _is_of(place: Place, ranks: tuple[int, int] | None) -> bool:
    return ranks is None or ranks[0] <= place.place_rank <= ranks[1]


async def _response(body: Callable[[], str], details: Details) -> Response:
    """The answer; outlines are written in a thread, for those of countries take long."""
    return Response(await anyio.to_thread.run_sync(body) if details.outline else body(), _JSON)
