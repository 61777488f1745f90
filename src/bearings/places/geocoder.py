"""The service: checks a question, asks the configured source, and turns the answer into a reply."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Annotated

from pydantic import Field

import bearings
from bearings.clock import Clock, SystemClock
from bearings.errors import BearingsError, InvalidInput, NotFound, Unsupported
from bearings.places import advice, arguments, coordinate, wording
from bearings.places.backends import CAN, ENABLE, POLICY, Choice, Preference, SourceChain, choose
from bearings.places.geometry import padded, width, with_area
from bearings.places.models import Backend, Cell, Found, LatLon, Located, Point, Provenance, SearchQuery, Structured
from bearings.places.outlines import Detail
from bearings.places.parameters import (
    Categories,
    Countries,
    Language,
    Lat,
    Layer,
    Lon,
    OsmIds,
    Outlines,
    PartsOfPlace,
    Query,
    Viewbox,
)
from bearings.places.query import grids, parse
from bearings.places.replies import (
    AdminReply,
    BackendCard,
    BboxReply,
    GeocodeReply,
    LastError,
    LookupReply,
    NearbyReply,
    ReverseReply,
    StatusReply,
)
from bearings.places.replies.service import sorted_out
from bearings.places.replies.shaped import in_reply
from bearings.places.settings import PlacesSettings
from bearings.places.source import PlaceSource
from bearings.progress import NoProgress, Progress

_WORLD_WIDE = (
    "This box spans all longitudes, so it holds more than the place; pass a part of it to servers that charge by area."
)


class Geocoder:
    """Answers the tools' questions from one of its sources, given in order of preference.

    `settings.backend` chooses the source (see `backends.choose`); `reasons` are the `backends.preferences` behind the
    sources, for the status. Under "auto" the embedded sources stand in for a Nominatim that fails. Every method but
    `status` and `backends` may prepare a source first, and reports that to `progress`.
    """

    def __init__(
        self,
        source: PlaceSource,
        *others: PlaceSource,
        settings: PlacesSettings | None = None,
        reasons: Sequence[Preference] = (),
        clock: Clock | None = None,
    ) -> None:
        self._settings = settings or PlacesSettings()
        self._sources = (source, *others)
        self._reasons = tuple(reasons)
        choose(self._settings.backend, self._sources, reasons)  # a wrong setting is said at the start
        self._language = arguments.language("GEOCODER_LANGUAGE", self._settings.language)
        self.clock = clock or SystemClock()
        self._started = self.clock.monotonic()
        self._requests = 0
        self._errors = 0
        self._last_error: tuple[float, BearingsError] | None = None

    @property
    def backend(self) -> Backend:
        """The kind of the source that is asked first."""
        return self._choice.source.backend

    @property
    def _choice(self) -> Choice:
        """The source to ask now, and those behind it: a map that is imported meanwhile is among them."""
        there = [source for source in self._sources if source.is_there]
        return choose(self._settings.backend, there or self._sources, self._reasons)

    async def geocode(
        self,
        query: Query | None = None,
        *,
        structured: Annotated[Structured | None, Field(description="The query in parts, instead of query.")] = None,
        limit: Annotated[int, Field(ge=1, le=40, description="Most results.")] = 5,
        country_codes: Countries = None,
        language: Language = None,
        near: Annotated[LatLon | None, Field(description="Prefer what is close.")] = None,
        viewbox: Annotated[Viewbox | None, Field(description="Prefer within [west, south, east, north].")] = None,
        bounded: Annotated[bool, Field(description="Only within viewbox.")] = False,
        layer: Layer = None,
        geometry: Outlines = "none",
        parts: PartsOfPlace = "own",
        progress: Progress | None = None,
    ) -> GeocodeReply:
        """Find places by name or address: coordinates, box [west, south, east, north], address, precision; best first.

        Nothing found: an empty list, a hint. Example: {"query": "Boulder, Colorado", "limit": 1}
        """
        with self.counted():
            words, fields = arguments.subject(query, structured)
            if bounded and viewbox is None:
                raise InvalidInput("bounded", True, "needs a viewbox", "Pass viewbox too.")
            search_query = SearchQuery(
                text=words,
                structured=fields,
                limit=limit,
                country_codes=arguments.country_codes(country_codes),
                language=self._language_or(language),
                near=None if near is None else arguments.point("near", near.lat, near.lon),
                viewbox=arguments.viewbox(viewbox),
                bounded=bounded,
                layer=arguments.layer(layer),
                parsed=None if words is None else arguments.parsed("query", words),
                geometry=geometry,
                parts=None if parts == "own" else parts,
            )
            answer = await self.find(self.source_chain(progress), search_query)
            answer = replace(answer, note=advice.note(search_query, answer))
            outlines = await in_reply([place.outline for place in answer.places], geometry)
            nothing = [answer.note, self.why_nothing(search_query, answer.provenance)] if not answer.places else []
            return GeocodeReply.of(answer, " ".join(filter(None, nothing)) or None, outlines)

    async def reverse_geocode(
        self,
        lat: Lat,
        lon: Lon,
        *,
        zoom: Annotated[int, Field(ge=3, le=18, description="Detail: 3 country, 10 city, 18 building.")] = 18,
        language: Language = None,
        layer: Layer = None,
        progress: Progress | None = None,
    ) -> ReverseReply:
        """Name the place at a point, with its address, box, distance_m, time_zone, and the disputed areas it lies in.

        Open sea may be a not_found error. Example: {"lat": 40.015, "lon": -105.27, "zoom": 10}
        """
        with self.counted():
            point = arguments.point("lat, lon", lat, lon)
            tongue, layers = self._language_or(language), arguments.layer(layer)
            located = await self.locate(self.source_chain(progress), point, zoom=zoom, language=tongue, layers=layers)
            if located.place is None:
                raise advice.nothing_at("reverse_geocode", point, located.provenance, layers)
            return ReverseReply.of(point, located.place, located.provenance)

    async def bbox_from_place(
        self,
        query: Query,
        *,
        padding: Annotated[float, Field(ge=0, le=5, description="Fraction of the size added on each side.")] = 0.0,
        country_codes: Countries = None,
        language: Language = None,
        geometry: Outlines = "none",
        parts: PartsOfPlace = "own",
        progress: Progress | None = None,
    ) -> BboxReply:
        """Turn a place name into a bounding box for DEM and STAC servers: bbox, center, area_km2.

        Where the box crosses 180°, bbox has west > east and bboxes has it in two. Example: {"query": "Fiji"}
        """
        with self.counted():
            words = arguments.text("query", query)
            template = self.template(advice.ALTERNATIVES, country_codes, language)
            read = arguments.parsed("query", words)
            search_query = replace(template, text=words, parsed=read, geometry=geometry, parts=parts)
            answer = await self.find(self.source_chain(progress), search_query)
            place = advice.the_one(search_query, answer, self.why_nothing(search_query, answer.provenance))
            box = padded(with_area(place.bbox), padding)
            hints = [
                answer.note,
                advice.unused(answer),
                advice.distant_parts(place),
                _WORLD_WIDE if width(box) >= 360 else None,
            ]
            (outlines,) = await in_reply([place.outline], geometry)
            return BboxReply.of(place, box, answer.provenance, " ".join(filter(None, hints)) or None, outlines)

    async def admin_boundaries(
        self,
        lat: Lat,
        lon: Lon,
        *,
        language: Language = None,
        geometry: Outlines = "none",
        progress: Progress | None = None,
    ) -> AdminReply:
        """List the administrative areas that contain a point, country first, with ISO 3166 codes.

        Open sea is a not_found error. Example: {"lat": 48.8566, "lon": 2.3522}
        """
        with self.counted():
            point, tongue = arguments.point("lat, lon", lat, lon), self._language_or(language)
            chain = self.source_chain(progress)
            bounded = await chain.ask(lambda source: source.admin(point, language=tongue, geometry=geometry), point)
            if not bounded.levels:
                raise advice.nothing_at("admin_boundaries", point, bounded.provenance)
            outlines = await in_reply([level.outline for level in bounded.levels], geometry)
            return AdminReply.of(bounded.levels, bounded.address, bounded.provenance, bounded.disputed, outlines)

    async def nearby_places(
        self,
        lat: Lat,
        lon: Lon,
        *,
        radius_km: Annotated[float, Field(gt=0, le=50, description="How far to look.")] = 1.0,
        limit: Annotated[int, Field(ge=1, le=50, description="Most results a category.")] = 5,
        categories: Categories = None,
        language: Language = None,
        progress: Progress | None = None,
    ) -> NearbyReply:
        """List named objects around a point by distance_m, and here: its street, suburb and city.

        categories tells which failed or are unsupported. Example: {"lat": 51.78, "lon": 0.92, "categories": "amenity"}
        """
        with self.counted():
            point, tongue = arguments.point("lat, lon", lat, lon), self._language_or(language)
            radius_m, wanted = arguments.radius_m(radius_km), arguments.categories(categories)
            around = await self.source_chain(progress).ask(
                lambda source: source.nearby(point, radius_m=radius_m, categories=wanted, limit=limit, language=tongue),
                point,
            )
            return NearbyReply.of(around, advice.about(around, radius_km))

    async def lookup_places(
        self,
        osm_ids: OsmIds,
        *,
        language: Language = None,
        geometry: Outlines = "none",
        progress: Progress | None = None,
    ) -> LookupReply:
        """Get OpenStreetMap objects by id: places in the order asked, and the ids not_found.

        Example: {"osm_ids": ["R112298", "N123"]}
        """
        with self.counted():
            ids, tongue = arguments.osm_ids(osm_ids), self._language_or(language)
            answer = await self.look_up(self.source_chain(progress), ids, language=tongue, detail=geometry)
            outlines = await in_reply([place.outline for place in answer.places], geometry)
            return LookupReply.of(ids, answer, outlines)

    async def status(self) -> StatusReply:
        """Tell the backend in use and why, cache, limiter, data versions, last error. Sends nothing to a geocoder."""
        source = await self._choice.source.status()
        behind = [await stand_in.status() for stand_in in self._choice.stand_ins]
        now = self.clock.monotonic()
        cache, limiter, counters = sorted_out(source.counters)
        files = None if source.backend is Backend.NOMINATIM else str(self._settings.cache_dir)
        path, reason = source.cache_path or files, source.cooldown_reason
        return StatusReply(
            version=bearings.__version__,
            uptime_s=round(now - self._started, 1),
            backend=source.backend.value,
            why=self._choice.why,
            fallbacks=[status.backend.value for status in behind],
            ready=source.ready,
            detail=source.detail,
            language=self._language,
            requests_total=self._requests,
            errors_total=self._errors,
            last_error=self._last_failure(now),
            cache={**cache, **({"path": path} if path else {})},
            limiter={**limiter, **({"reason": reason} if reason else {})},
            counters=counters,
            data_versions={name: value for each in (*behind, source) for name, value in each.data_versions.items()},
            attribution=source.attribution,
        )

    async def is_ready(self) -> bool:
        """Whether the source in use, or one that stands in for it, is ready; no network."""
        choice = self._choice
        return any([(await source.status()).ready for source in (choice.source, *choice.stand_ins)])

    async def readings(self) -> dict[str, dict[str, float]]:
        """The counters of each backend, by its name, and whether it is ready (1) or not (0); no network."""
        statuses = [await source.status() for source in self._sources]
        return {status.backend.value: {**status.counters, "ready": float(status.ready)} for status in statuses}

    async def usage_policy(self) -> str:
        """The usage policy of the source in use."""
        status = await self._choice.source.status()
        return status.usage_policy or POLICY[status.backend]

    def backends(self) -> list[BackendCard]:
        """Every backend: whether it answers, stands in or is available, its abilities, and how to enable it."""
        there = {source.backend for source in self._sources if source.is_there}
        choice = self._choice
        behind, active = {source.backend for source in choice.stand_ins}, choice.source.backend
        return [
            BackendCard(
                name=backend.value,
                active=backend is active,
                fallback=backend in behind,
                available=backend in there,
                can=can,
                enable=ENABLE[backend],
            )
            for backend, can in CAN.items()
        ]

    async def editions(self) -> tuple[str, ...]:
        """The data of the embedded sources that are there. Equal ones give equal answers; opens them."""
        editions = []
        for source in self._sources:
            if source.is_there and source.backend is not Backend.NOMINATIM:
                await source.prepare(NoProgress())
                versions = (await source.status()).data_versions
                editions.append(
                    f"{source.backend}: {', '.join(f'{name} {versions[name]}' for name in sorted(versions))}"
                )
        return tuple(editions)

    async def aclose(self) -> None:
        """Close the sources."""
        for source in self._sources:
            await source.aclose()

    def source_chain(self, progress: Progress | None, *, stand_ins: bool = True) -> SourceChain:
        """A chain for the questions of one call: the source in use and, unless they must not answer, its stand-ins.

        A table has none: half of its rows from a Nominatim and, once that fails, half from the atlas would not compare.
        """
        choice = self._choice if stand_ins else replace(self._choice, stand_ins=())
        return SourceChain(choice, progress or NoProgress(), self._note)

    def template(self, limit: int, country_codes: str | Sequence[str] | None, language: str | None) -> SearchQuery:
        """A search without its text. Raises InvalidInput."""
        return SearchQuery(
            limit=limit,
            country_codes=arguments.country_codes(country_codes),
            language=self._language_or(language),
        )

    async def find(self, chain: SourceChain, query: SearchQuery) -> Found:
        """The places of a search; for coordinates the place there, or the bare point with a note; none for "N/A".

        An empty answer of a Nominatim has suggestions from the embedded sources. Raises InvalidInput for too long text.
        """
        query = arguments.checked(query)
        read = query.parsed
        if read is None:
            return await chain.search(query)
        if wording.is_empty_mark(query):
            return Found((), await self.provenance())
        if read.point is not None:
            return await self._at(chain, query, read.point, read.cell, read.beside)
        if read.short is not None:
            near = await chain.search(replace(query, text=read.short.place, parsed=parse(read.short.place), limit=1))
            if not near.places:
                return near
            cell = grids.completed(read.short, near.places[0].point)
            sure = near.places[0].confidence
            return await self._at(chain, query, cell.point, cell, near.unused, 1.0 if sure is None else sure)
        found = await chain.search(wording.asked(query))
        if found.places or read.may_be is None:
            return wording.explained(found, read)
        return await self._at(chain, query, read.may_be.point, read.may_be, sure=coordinate.PERHAPS)

    async def _at(
        self, chain: SourceChain, query: SearchQuery, point: Point, cell: Cell | None,
        unused: Sequence[str] = (), sure: float = 1.0,
    ) -> Found:  # fmt: skip
        """The place at a position, moved to it: "46.95, 7.45" is no name."""
        zoom = coordinate.zoom(cell)
        located = await self.locate(chain, point, zoom=zoom, language=query.language, layers=query.layer)
        places = coordinate.place_at(point, located.place, query, cell, sure)
        return Found(places, located.provenance, unused=tuple(unused), note=coordinate.note(point, located.place, cell))

    async def locate(
        self, chain: SourceChain, point: Point, *, zoom: int, language: str, layers: Sequence[str]
    ) -> Located:
        """The place at a point."""
        return await chain.ask(lambda source: source.reverse(point, zoom=zoom, language=language, layer=layers), point)

    async def look_up(self, chain: SourceChain, ids: Sequence[str], *, language: str, detail: Detail) -> Found:
        """The places of OSM objects."""
        return await chain.ask(lambda source: source.lookup(ids, language=language, geometry=detail))

    def why_nothing(self, search_query: SearchQuery, source: Provenance | None = None) -> str:
        """A hint for a search that found nothing in the given source."""
        if source is None:
            return advice.nothing_for(search_query, self._choice.source.backend)
        return advice.nothing_for(search_query, source.backend, source.remedy)

    async def provenance(self) -> Provenance:
        """The provenance of an answer that needed no source."""
        status = await self._choice.source.status()
        return Provenance(status.backend, status.attribution)

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count a request; keep its error for the status unless the question itself was at fault."""
        self._requests += 1
        try:
            yield
        except BearingsError as error:
            self._errors += 1
            if not isinstance(error, InvalidInput | NotFound | Unsupported):
                self._note(error)
            raise

    def _note(self, error: BearingsError) -> None:
        self._last_error = (self.clock.monotonic(), error)

    def _last_failure(self, now: float) -> LastError | None:
        if self._last_error is None:
            return None
        then, error = self._last_error
        return LastError(code=error.code, error=error.error, age_s=round(now - then, 1))

    def _language_or(self, language: str | None) -> str:
        return self._language if language is None else arguments.language("language", language)
