"""The choice of the source that answers, its stand-ins, and the fallback when it fails.

    stand_ins   are asked when the chosen source fails
    beyond      are asked when it knows nothing of the place
    advisers    are asked for suggestions when nothing was found

The composition root asks `preferences` for the backends, makes their sources in that order, and hands both to the
Geocoder. This module makes no source.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeVar

from bearings.errors import (
    BadResponse,
    BearingsError,
    Blocked,
    DeadlineExceeded,
    InvalidInput,
    RateLimited,
    Unavailable,
    Unsupported,
)
from bearings.places.joining import is_known, is_meant_elsewhere, joined
from bearings.places.models import Backend, Bounded, Found, Located, Point, Provenance, SearchQuery, Surroundings
from bearings.places.source import BlockSource, PlaceSource
from bearings.progress import Progress

Answer = TypeVar("Answer", Found, Located, Bounded, Surroundings)

AUTO = "auto"

CAN = {
    Backend.NOMINATIM: "Streets, addresses, points of interest, areas and postcodes of the whole world, over HTTP.",
    Backend.OSM_INDEX: "Streets, addresses, points of interest and areas of an imported OSM extract, offline.",
    Backend.GAZETTEER: "Countries, regions, settlements (the full atlas from 500 people, the core atlas from 100,000), "
    "seas, lakes, islands, mountains, parks, in the full atlas also rivers and airports, in all scripts, offline; "
    "no streets, addresses or points of interest.",
}

MORE = (
    "For streets, addresses and points of interest import a map of the area (bearings places import FILE.osm.pbf), set "
    "NOMINATIM_EMAIL to your address, which allows asking nominatim.openstreetmap.org, or NOMINATIM_BASE_URL to a "
    "Nominatim of your own."
)
"""Advice for questions that the gazetteer can't answer."""

ENABLE = {
    Backend.NOMINATIM: "Set NOMINATIM_EMAIL (public server) or NOMINATIM_BASE_URL (your own).",
    Backend.OSM_INDEX: "Import an OpenStreetMap extract: bearings places import FILE.osm.pbf.",
    Backend.GAZETTEER: "Set GEOCODER_BACKEND to gazetteer.",
}

POLICY = {
    Backend.NOMINATIM: "nominatim.openstreetmap.org is run on donations: at most one request a second, for all "
    "programs and users of an application together; a User-Agent or address that names it; no bulk geocoding, no "
    "autocomplete, no grids of queries; keep results, and show the attribution. "
    "https://operations.osmfoundation.org/policies/nominatim/ "
    "A server of your own (NOMINATIM_BASE_URL) has its operator's limits.",
    Backend.OSM_INDEX: "No request leaves this machine. OpenStreetMap's data are under the ODbL: show the attribution.",
    Backend.GAZETTEER: "No request leaves this machine: the gazetteer is embedded and has no limit. Show the "
    "attribution with its data.",
}

MOST_SUGGESTIONS = 5
"""The limit of suggestions, equal to the atlas's own."""

_FALLS_BACK = (Unavailable, DeadlineExceeded, RateLimited, Blocked, BadResponse)

_LASTING = (Unavailable, RateLimited, Blocked)
"""After these errors a further question in the same call would fail too, and would burden the server."""


@dataclass(frozen=True, slots=True)
class Preference:
    """A backend to use, and the reason: a clause that follows the backend's name."""

    backend: Backend
    why: str


def preferences(
    setting: str, *, own_url: bool = False, consent: bool = False, index: bool = False
) -> tuple[Preference, ...]:
    """The backends for GEOCODER_BACKEND = `setting`, in order of preference.

    `own_url`: NOMINATIM_BASE_URL is set, to any host. `consent`: NOMINATIM_EMAIL is set. `index`: an extract has been
    imported, or may be while the program runs. "auto" means one's own Nominatim, then an imported index, then the
    public Nominatim with consent, then the gazetteer, which always exists. A named backend comes alone. Raises
    InvalidInput for an unknown backend, Unsupported for an index that was not imported.
    """
    wanted = _wanted(setting)
    if wanted is not None:
        if wanted is Backend.OSM_INDEX and not index:
            raise Unsupported(
                f"GEOCODER_BACKEND = {str(wanted)!r}: no index of OpenStreetMap data has been imported",
                "Import one: bearings places import FILE.osm.pbf. Or set GEOCODER_BACKEND to gazetteer or nominatim.",
            )
        return (Preference(wanted, f"GEOCODER_BACKEND is {wanted}"),)
    preferred = [Preference(Backend.NOMINATIM, "NOMINATIM_BASE_URL is set")] if own_url else []
    preferred += [Preference(Backend.OSM_INDEX, "an OpenStreetMap extract has been imported")] if index else []
    if consent and not own_url:
        preferred.append(Preference(Backend.NOMINATIM, "NOMINATIM_EMAIL is set, which allows asking the public server"))
    asks = own_url or consent
    why = "it needs no other" if asks else "neither NOMINATIM_EMAIL nor NOMINATIM_BASE_URL is set"
    return (*preferred, Preference(Backend.GAZETTEER, why))


def is_auto(setting: str) -> bool:
    """Whether GEOCODER_BACKEND leaves the choice to this module."""
    return setting.strip().casefold() == AUTO


def advisers_to_add(backends: Collection[Backend]) -> tuple[Backend, ...]:
    """The embedded backends to add for suggestions: a Nominatim alone has none."""
    return (Backend.GAZETTEER,) if set(backends) == {Backend.NOMINATIM} else ()


@dataclass(frozen=True, slots=True)
class Choice:
    """The source that answers, the reason for the choice, and the sources that help it, in order (see above).

    A Nominatim has advisers, because it does not correct misspelt names; only "auto" has stand-ins and `beyond`, the
    sources for what the chosen one's data do not describe.
    """

    source: PlaceSource
    why: str
    stand_ins: tuple[PlaceSource, ...] = ()
    advisers: tuple[PlaceSource, ...] = ()
    beyond: tuple[PlaceSource, ...] = ()


def choose(setting: str, sources: Sequence[PlaceSource], reasons: Sequence[Preference] = ()) -> Choice:
    """The source for GEOCODER_BACKEND; for "auto" the first of `sources`, which are in order of preference.

    Only "auto" has stand-ins: the embedded sources after the first. The embedded sources advise every source under
    "auto", and a Nominatim under any setting. Raises InvalidInput for an unknown backend,
    Unsupported for one that is not among the sources.
    """
    wanted = _wanted(setting)
    embedded = tuple(source for source in sources if source.backend is not Backend.NOMINATIM)
    if wanted is None:
        first, *others = sources
        because = next((reason.why for reason in reasons if reason.backend == first.backend), None)
        because = because or (None if others else "it is the only backend")
        why = "GEOCODER_BACKEND is auto" + (f" and {because}" if because else "")
        behind = tuple(source for source in embedded if source is not first)
        return Choice(first, why, behind, embedded, tuple(others))
    for source in sources:
        if source.backend == wanted:
            advisers = embedded if wanted is Backend.NOMINATIM else ()
            return Choice(source, f"GEOCODER_BACKEND is {wanted}", advisers=advisers)
    there = " or ".join(str(source.backend) for source in sources)
    raise Unsupported(
        f"GEOCODER_BACKEND = {str(wanted)!r}: this version of bearings has no such backend yet",
        f"Set GEOCODER_BACKEND to {there}, or leave it unset.",
    )


class SourceChain:
    """The sources that the questions of one call go to: the chosen one, then its stand-ins.

    A source that is down or refuses requests is not asked again by the same chain. `noted` is called with each failure
    of the chosen source, also when a stand-in answers.
    """

    def __init__(self, choice: Choice, progress: Progress, noted: Callable[[BearingsError], None]) -> None:
        self._choice = choice
        self._progress = progress
        self._noted = noted
        self._trouble: BearingsError | None = None
        self._ready: list[PlaceSource] = []

    async def prepare(self) -> None:
        """Prepare the chosen source. A failure that a stand-in covers is ignored; it recurs with the first question."""
        with suppress(*_FALLS_BACK):
            await self._prepare(self._choice.source)

    async def ask(self, question: Callable[[PlaceSource], Awaitable[Answer]], at: Point | None = None) -> Answer:
        """The answer of the chosen source, or of the one whose data describe the point `at`.

        If the chosen source fails as a server does, the first stand-in answers, marked degraded, with the failure as
        its reason. Without any answer the failure is raised. Unsupported questions to the gazetteer are raised with the
        setting that would help.
        """
        if at is None or not self._choice.beyond:
            return await self._ask_chosen(question)
        # A map of Andorra knows nothing of a point in Paris: the source of the rest of the world is asked at once.
        coverage = self._choice.source.coverage
        if coverage is None:
            return await self._ask_chosen(question)
        if coverage.holds(at):
            answer = await self._ask_chosen(question)
            return answer if _says_something(answer) else await self._ask_beyond(question) or answer
        return await self._ask_beyond(question, any_answer=True) or await self._ask_chosen(question)

    async def block_source(self) -> BlockSource | None:
        """The source for blocks of points, if the chosen one is such and alone, so that no other need be asked."""
        source = self._choice.source
        if self._choice.beyond or not isinstance(source, BlockSource):
            return None
        await self._prepare(source)
        return source

    async def search(self, query: SearchQuery) -> Found:
        """The places of a search; those of the world, where the chosen source has a part of it and they are meant.

        Without any place, suggestions of the chosen source or of an adviser.
        """
        answer = await self._ask_chosen(lambda source: source.search(query))
        if self._choice.beyond:
            with suppress(BearingsError):
                backend = answer.provenance.backend
                answering = next((source for source in self._sources() if source.backend is backend), None)
                if answering is not None and answering.coverage is not None:
                    answer = await self._with_the_world(query, answer, answering)
        return await self._advised(query, answer)

    def _sources(self) -> tuple[PlaceSource, ...]:
        return (self._choice.source, *self._choice.beyond)

    async def _with_the_world(self, query: SearchQuery, found: Found, answering: PlaceSource) -> Found:
        """The places of a source with a part of the world, or those that are meant elsewhere.

        If it stands in for another, so do those that are asked instead.
        """
        sources = self._sources()
        beyond = sources[sources.index(answering) + 1 :]
        if not is_known(found):
            for source in beyond:
                with suppress(BearingsError):
                    theirs = await (await self._prepare(source)).search(query)
                    if is_known(theirs) or (theirs.places and not found.places):
                        return _degraded_like(theirs, found)
            return found if found.places else replace(found, provenance=self._with_others(found.provenance, beyond))
        if not beyond:
            return found
        world = beyond[-1]  # the embedded atlas: it always exists, and is the last
        theirs = await (await self._prepare(world)).search(query)
        if not is_meant_elsewhere(found, theirs, query):
            return found
        return joined(_degraded_like(theirs, found), found, query.limit)

    def _with_others(self, provenance: Provenance, beyond: Sequence[PlaceSource]) -> Provenance:
        """The provenance of an empty answer, with the sources that were asked in vain, and the one that may know."""
        others = [source.backend for source in beyond]
        if not others:
            return provenance
        remedy = f"Asked too: {', '.join(others)}."
        return replace(provenance, remedy=remedy if Backend.NOMINATIM in others else f"{remedy} {MORE}")

    async def _ask_beyond(
        self, question: Callable[[PlaceSource], Awaitable[Answer]], *, any_answer: bool = False
    ) -> Answer | None:
        """The first answer of the sources for the rest of the world that says something; None if none does.

        `any_answer`: then the last one's, which says what it lacks.
        """
        last: Answer | None = None
        for source in self._choice.beyond:
            with suppress(BearingsError):
                last = await question(await self._prepare(source))
                if _says_something(last):
                    return last
        return last if any_answer else None

    async def _ask_chosen(self, question: Callable[[PlaceSource], Awaitable[Answer]]) -> Answer:
        if self._trouble is not None:
            return await self._ask_stand_ins(question, _not_asked(self._trouble))
        try:
            return await question(await self._prepare(self._choice.source))
        except Unsupported as error:
            raise self._with_remedy(error) from error
        except _FALLS_BACK as error:
            self._noted(error)
            # Of 50 names of a batch only one meets a server that is down; the stand-ins answer the others.
            self._trouble = error if isinstance(error, _LASTING) else None
            return await self._ask_stand_ins(question, error)

    async def _advised(self, query: SearchQuery, found: Found) -> Found:
        """An empty answer with the suggestions of the first adviser that has any; its places are suggestions too."""
        if found.places or found.suggestions:
            return found
        for source in self._choice.advisers:
            if source.backend is not found.provenance.backend:
                with suppress(BearingsError):
                    theirs = await (await self._prepare(source)).search(query)
                    if may_be := (*theirs.places, *theirs.suggestions)[:MOST_SUGGESTIONS]:
                        return replace(found, suggestions=may_be, adviser=theirs.provenance)
        return found

    async def _prepare(self, source: PlaceSource) -> PlaceSource:
        """The source, prepared once a chain, so that its reports don't mix with those of the questions."""
        if source not in self._ready:
            await source.prepare(self._progress)
            self._ready.append(source)
        return source

    async def _ask_stand_ins(
        self, question: Callable[[PlaceSource], Awaitable[Answer]], failure: BearingsError
    ) -> Answer:
        for source in self._choice.stand_ins:
            with suppress(BearingsError):
                answer = await question(await self._prepare(source))
                if _says_something(answer):
                    reason = (self._trouble or failure).error
                    return replace(answer, provenance=_degraded(answer.provenance, reason))
        raise failure

    def _with_remedy(self, error: Unsupported) -> Unsupported:
        if self._choice.source.backend is not Backend.GAZETTEER or "NOMINATIM_" in error.hint:
            return error
        return Unsupported(error.error, f"{error.hint} {MORE}".strip())


def _wanted(setting: str) -> Backend | None:
    """The backend of a setting; None for "auto"."""
    folded = setting.strip().casefold()
    if is_auto(setting):
        return None
    if folded not in set(Backend):
        raise InvalidInput(
            "GEOCODER_BACKEND", setting, "is no backend", f"Set it to one of: {', '.join([AUTO, *Backend])}."
        )
    return Backend(folded)


def _says_something(answer: Found | Located | Bounded | Surroundings) -> bool:
    """Whether an answer holds any place; one about surroundings, whether a category of the question was answered.

    Settlements, which belong to no Category, are no answer to a question about cafés.
    """
    match answer:
        case Found(places=places):
            return bool(places)
        case Located(place=place):
            return place is not None
        case Bounded(levels=levels):
            return bool(levels)
        case Surroundings(places=places, answered=answered):
            return bool(places) and bool(set(answered) - {"place"})


def _degraded(provenance: Provenance, reason: str) -> Provenance:
    return replace(provenance, degraded=True, reason=reason)


def _degraded_like(found: Found, stand_in: Found) -> Found:
    """The answer `found`, marked degraded with the same reason if the answer that it replaces is."""
    if not stand_in.provenance.degraded:
        return found
    return replace(found, provenance=_degraded(found.provenance, stand_in.provenance.reason or ""))


def _not_asked(trouble: BearingsError) -> BearingsError:
    """The same error for a question that was not put to the source."""
    return type(trouble)(f"not asked, because {trouble.error}", trouble.hint, retry_after_s=trouble.retry_after_s)
