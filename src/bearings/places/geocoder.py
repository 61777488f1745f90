"""The service: checks a question, asks the source that the settings choose, and makes the answer into a reply."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from bearings.clock import Clock, SystemClock
from bearings.errors import BearingsError, InvalidInput, NotFound, Unsupported, shown
from bearings.places import arguments, geometry
from bearings.places.models import Backend, Point, SearchQuery, Structured
from bearings.places.replies import (
    AdminReply,
    BackendCard,
    BboxReply,
    GeocodeReply,
    LastError,
    LatLon,
    ReverseReply,
    StatusReply,
    degrees,
)
from bearings.places.settings import PlacesSettings
from bearings.places.source import PlaceSource
from bearings.progress import NoProgress, Progress

Answer = TypeVar("Answer")

AUTO = "auto"

DISTRIBUTION = "bearings-mcp"

_CAN = {
    Backend.NOMINATIM: "Streets, addresses, points of interest, areas and postcodes of the whole world, over HTTP.",
    Backend.OSM_INDEX: "Streets, addresses, points of interest and areas of an imported OSM extract, offline.",
    Backend.GAZETTEER: "Countries, first-level regions and cities of 500 people or more, in all scripts, offline; "
    "no streets, addresses or points of interest.",
}

_WORLD_WIDE = (
    "This box spans all longitudes, so it holds more than the place; pass a part of it to servers that charge by area."
)


@dataclass(frozen=True, slots=True)
class Choice:
    """The source that answers, and why that one."""

    source: PlaceSource
    why: str


def choose(backend: str, sources: Sequence[PlaceSource]) -> Choice:
    """The source that GEOCODER_BACKEND asks for; for "auto" the first of `sources`, which are in order of preference.

    Raises InvalidInput for a backend that doesn't exist, Unsupported for one that is not among the sources.
    """
    wanted = backend.strip().casefold()
    if wanted == AUTO:
        only = " and it is the only backend" if len(sources) == 1 else ""
        return Choice(sources[0], f"GEOCODER_BACKEND is auto{only}")
    if wanted not in set(Backend):
        names = ", ".join([AUTO, *(str(source.backend) for source in sources)])
        raise InvalidInput("GEOCODER_BACKEND", backend, "is no backend", f"Set it to one of: {names}.")
    for source in sources:
        if source.backend == wanted:
            return Choice(source, f"GEOCODER_BACKEND is {wanted}")
    there = " or ".join(str(source.backend) for source in sources)
    raise Unsupported(
        f"GEOCODER_BACKEND = {wanted!r}: this version of bearings has no such backend yet",
        f"Set GEOCODER_BACKEND to {there}, or leave it unset.",
    )


class Geocoder:
    """Answers the questions of the tools from one of its sources, given in order of preference.

    Everything but `status` and `backends` may make the source prepare itself first, which is told to `progress`.
    """

    def __init__(
        self,
        source: PlaceSource,
        *others: PlaceSource,
        settings: PlacesSettings | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._settings = settings or PlacesSettings()
        self._sources = (source, *others)
        self._choice = choose(self._settings.backend, self._sources)
        self._language = arguments.language("GEOCODER_LANGUAGE", self._settings.language)
        self._clock = clock or SystemClock()
        self._started = self._clock.monotonic()
        self._requests = 0
        self._errors = 0
        self._last_error: tuple[float, BearingsError] | None = None

    async def geocode(
        self,
        query: str | None = None,
        *,
        structured: Structured | None = None,
        limit: int = 5,
        country_codes: str | Sequence[str] | None = None,
        language: str | None = None,
        near: LatLon | None = None,
        viewbox: Sequence[float] | None = None,
        bounded: bool = False,
        layer: str | Sequence[str] | None = None,
        progress: Progress | None = None,
    ) -> GeocodeReply:
        """Places by name, best first. Nothing found is an empty list with a hint."""
        with self._counted():
            words, parts = arguments.subject(query, structured)
            if bounded and viewbox is None:
                raise InvalidInput("bounded", True, "there is no viewbox to stay in", "Pass viewbox too.")
            asked = SearchQuery(
                text=words,
                structured=parts,
                limit=limit,
                country_codes=arguments.country_codes(country_codes),
                language=self._language_or(language),
                near=None if near is None else arguments.point("near", near.lat, near.lon),
                viewbox=arguments.viewbox(viewbox),
                bounded=bounded,
                layer=arguments.layer(layer),
            )
            found = await self._ask(lambda source: source.search(asked), progress)
            return GeocodeReply.of(found, self._nothing_for(asked))

    async def reverse_geocode(
        self,
        lat: float,
        lon: float,
        *,
        zoom: int = 18,
        language: str | None = None,
        layer: str | Sequence[str] | None = None,
        progress: Progress | None = None,
    ) -> ReverseReply:
        """The place at a point. Raises NotFound where there is none."""
        with self._counted():
            point = arguments.point("lat, lon", lat, lon)
            tongue, layers = self._language_or(language), arguments.layer(layer)
            located = await self._ask(
                lambda source: source.reverse(point, zoom=zoom, language=tongue, layer=layers), progress
            )
            if located.place is None:
                raise self._nothing_at("reverse_geocode", point, layers)
            return ReverseReply.of(point, located.place, located.provenance)

    async def bbox_from_place(
        self,
        query: str,
        *,
        padding: float = 0.0,
        country_codes: str | Sequence[str] | None = None,
        language: str | None = None,
        progress: Progress | None = None,
    ) -> BboxReply:
        """The box of the best match, padded. Raises NotFound where nothing matches."""
        with self._counted():
            asked = SearchQuery(
                text=arguments.text("query", query),
                limit=1,
                country_codes=arguments.country_codes(country_codes),
                language=self._language_or(language),
            )
            found = await self._ask(lambda source: source.search(asked), progress)
            if not found.places:
                raise NotFound(f"bbox_from_place: no place matches {shown(asked.text)}", self._nothing_for(asked))
            place = found.places[0]
            box = geometry.padded(geometry.with_area(place.bbox), padding)
            hint = _WORLD_WIDE if geometry.width(box) >= 360 else None
            return BboxReply.of(place, box, found.provenance, hint)

    async def admin_boundaries(
        self, lat: float, lon: float, *, language: str | None = None, progress: Progress | None = None
    ) -> AdminReply:
        """The administrative areas that contain a point, outermost first. Raises NotFound where there is none."""
        with self._counted():
            point, tongue = arguments.point("lat, lon", lat, lon), self._language_or(language)
            bounded = await self._ask(lambda source: source.admin(point, language=tongue), progress)
            if not bounded.levels:
                raise self._nothing_at("admin_boundaries", point)
            return AdminReply.of(bounded.levels, bounded.address, bounded.provenance)

    async def status(self) -> StatusReply:
        """What is in use and how it fares, from memory: no network, and no index is built."""
        from importlib.metadata import version  # slow to import, and seldom asked for

        source = await self._choice.source.status()
        now = self._clock.monotonic()
        return StatusReply(
            version=version(DISTRIBUTION),
            uptime_s=round(now - self._started, 1),
            backend=source.backend.value,
            why=self._choice.why,
            ready=source.ready,
            detail=source.detail,
            language=self._language,
            requests_total=self._requests,
            errors_total=self._errors,
            last_error=self._last_failure(now),
            cache={"path": str(self._settings.cache_dir)},
            counters=source.counters,
            data_versions=source.data_versions,
            attribution=source.attribution,
        )

    def backends(self) -> list[BackendCard]:
        """Every backend of the contract: which answers, which could, and what each is good for."""
        there = {source.backend for source in self._sources}
        active = self._choice.source.backend
        return [
            BackendCard(name=backend.value, active=backend == active, available=backend in there, can=can)
            for backend, can in _CAN.items()
        ]

    async def aclose(self) -> None:
        """Let go of the sources."""
        for source in self._sources:
            await source.aclose()

    async def _ask(self, question: Callable[[PlaceSource], Awaitable[Answer]], progress: Progress | None) -> Answer:
        """Put the question to the chosen source, ready or made ready."""
        source = self._choice.source
        await source.prepare(progress or NoProgress())
        return await question(source)

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """Counts a request; an error that is no fault of the question is kept for the status."""
        self._requests += 1
        try:
            yield
        except BearingsError as error:
            self._errors += 1
            if not isinstance(error, InvalidInput | NotFound):
                self._last_error = (self._clock.monotonic(), error)
            raise

    def _last_failure(self, now: float) -> LastError | None:
        if self._last_error is None:
            return None
        then, error = self._last_error
        return LastError(code=error.code, error=error.error, age_s=round(now - then, 1))

    def _language_or(self, language: str | None) -> str:
        return self._language if language is None else arguments.language("language", language)

    def _nothing_for(self, asked: SearchQuery) -> str:
        """Why a search found nothing, likeliest first, and what would help."""
        backend = self._choice.source.backend
        says = [f"The {backend} backend has: {_CAN[backend]}"]
        if asked.country_codes:
            says.append(f"Only {', '.join(asked.country_codes)} was searched: try without country_codes.")
        if asked.bounded:
            says.append("Only the viewbox was searched: try bounded=false.")
        if asked.layer:
            says.append("Try without layer.")
        if backend == Backend.GAZETTEER and _looks_like_an_address(asked):
            says.append("This looks like a street address: ask for its city or town instead.")
        else:
            says.append("Check the spelling, or ask for the name with its region or country alone.")
        return " ".join(says)

    def _nothing_at(self, tool: str, point: Point, layers: Sequence[str] = ()) -> NotFound:
        backend = self._choice.source.backend
        fewer = "Try without layer. " if layers else ""
        return NotFound(
            f"{tool}: nothing at {degrees(point.lat)}, {degrees(point.lon)} in the {backend} backend",
            f"{fewer}This is probably open sea. Check that lat and lon are not swapped, or ask for a point on land.",
        )


def _looks_like_an_address(asked: SearchQuery) -> bool:
    if asked.structured is not None:
        return bool(asked.structured.street or asked.structured.amenity)
    return any(character.isdigit() for character in asked.text or "")
