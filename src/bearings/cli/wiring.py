"""The composition: settings become services, services tools, tools servers. Nothing is built at import."""

import os
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

import click

import bearings
from bearings.caller import Roots
from bearings.errors import InvalidInput, shown

if TYPE_CHECKING:
    from bearings.code.engine.native import NativeEngine
    from bearings.code.engine.protocol import CodeEngine
    from bearings.code.engine.standby_worker import StandbyWorker
    from bearings.code.settings import CodeSettings
    from bearings.endpoint import Endpoint
    from bearings.resource import Resource
    from bearings.serving.app import ServerSpec
    from bearings.settings import EnvSettings
    from bearings.tool import Tool

Settings = TypeVar("Settings", bound="EnvSettings")

TOOLSETS: Mapping[str, frozenset[str]] = {
    "core": frozenset("geocode reverse_geocode bbox_from_place admin_boundaries nearby_places route_waypoints".split()),
    "seed": frozenset(
        "geocode reverse_geocode bbox_from_place nearby_places admin_boundaries geocoder_status "
        "geocoder_capabilities".split()
    ),
    "edit": frozenset(),
}
"""Sets of tools by name: for most sessions; the former servers' tools; the tools that edit sources.

Questions about code declare their sets themselves.
"""

_PLACES = (
    "Geocoding without a key: geocode finds a named place, bbox_from_place its box, reverse_geocode and "
    "admin_boundaries say what a point is in. Points are lat, lon; boxes are [west, south, east, north], WGS 84. Name "
    "the region or country of a common name. An empty geocode is an answer: read its hint."
)
_EXPLORE = "Begin with coderef_explore: words, path:line, a traceback, an error text. "
_CODE = (
    "Code intelligence, never stale. Who calls, uses, extends, implements: coderef_query. All of one element: "
    "coderef_symbol. Before a change: coderef_impact; after it: coderef_changes, with the tests to run. New to a "
    "project: coderef_context, then coderef_map. Strings, options and other plain text: grep. Ask about up to 10 "
    "elements in one call. Lines read path:line [in element] source; lines that begin with a colon belong to the path "
    "above them. project_path defaults to the client's root, to which other paths are relative; path#name is one of "
    "several elements. No user found is not unused: read note and elsewhere."
)


async def _ready() -> bool:
    return True


async def _no_readings() -> Mapping[str, Mapping[str, float]]:
    return {}


@dataclass(frozen=True)
class Wing:
    """One wing: its tools, its close function, its readiness, its counters, its endpoints, its resources."""

    tools: tuple["Tool", ...]
    aclose: Callable[[], Awaitable[None]]
    ready: Callable[[], Awaitable[bool]] = _ready
    readings: Callable[[], Awaitable[Mapping[str, Mapping[str, float]]]] = _no_readings
    endpoints: Callable[[], tuple["Endpoint", ...]] = tuple
    resources: Callable[[], tuple["Resource", ...]] = tuple


Served = Callable[["NativeEngine"], "CodeEngine"]


@dataclass(frozen=True)
class Need:
    """What the code wing is needed for; `soon`: a question follows at once, probably about `project`.

    `only` names the tool that it asks, if no other is needed: all take a tenth of a second to make. `spare` is a worker
    for it, if one has been started. `histories` are directories beside the roots whose git directories may be read; no
    project may be opened there. `served` makes the engine of a server, which answers commands too.
    """

    soon: bool = False
    project: Path | None = None
    spare: "StandbyWorker | None" = None
    histories: tuple[Path, ...] = ()
    only: str | None = None
    served: "Served | None" = None


class CodeWing(Protocol):
    """Makes the code wing for projects below `roots`."""

    def __call__(self, roots: Roots, need: Need = ..., /) -> Wing:
        """The wing."""
        ...


@dataclass(frozen=True)
class Wiring:
    """The source of wings for commands and servers, and what a command or server needs the code wing for."""

    places: Callable[[], Wing]
    code: CodeWing
    need: Need = Need()


pass_wiring = click.make_pass_decorator(Wiring)
"""Gives a command's callback the wiring that it was started with."""


def version() -> str:
    """The version of this package."""
    return bearings.__version__


def settings_of(kind: type[Settings]) -> Settings:
    """Settings from the environment and from a file. Raises InvalidInput with the variable's name."""
    from pydantic import ValidationError

    from bearings.cli.envfile import settings_file
    from bearings.settings import without_credentials

    try:
        return kind(_env_file=settings_file())
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = str(first["loc"][0])
        field = next((field for key, field in kind.model_fields.items() if kind.variable(key) == name), None)
        value = without_credentials(str(first["input"]))
        problem = first["msg"].removeprefix("Value error, ")
        raise InvalidInput(name, value, problem, (field and field.description) or "") from None


def places_wing() -> Wing:
    """The places wing, over the backends that the settings prefer. Builds and opens nothing."""
    from bearings.places.nominatim.settings import NominatimSettings
    from bearings.places.opening import geocoder_of
    from bearings.places.settings import PlacesSettings
    from bearings.places.tools import PlaceTools

    geocoder = geocoder_of(settings_of(PlacesSettings), settings_of(NominatimSettings))

    def endpoints() -> tuple["Endpoint", ...]:
        from bearings.places.standard.endpoints import endpoints

        return endpoints(geocoder)

    tools = PlaceTools(geocoder).tools()
    return Wing(tools, geocoder.aclose, geocoder.is_ready, geocoder.readings, endpoints, _place_resources)


def _place_resources() -> tuple["Resource", ...]:
    from bearings.places.resources import resources

    return resources()


def _code_resources() -> tuple["Resource", ...]:
    from bearings.code.tools import resources

    return resources()


def code_wing(roots: Roots, need: Need = Need()) -> Wing:
    """The code wing, over the native engine, for projects below `roots`. Starts a process only if one is needed `soon`.

    The process then gets ready on another processor during this one's imports, which take as long, and reads the
    `project` in question, if it is known.
    """
    from bearings.code.engine.standby_worker import StandbyWorker

    spare = StandbyWorker() if need.soon and need.spare is None else need.spare
    try:
        return _code_wing(roots, need, spare)
    except BaseException:
        if spare is not None:
            spare.close()
        raise


def _code_wing(roots: Roots, need: Need, spare: "StandbyWorker | None") -> Wing:
    from bearings.code.settings import CodeSettings

    settings = settings_of(CodeSettings)
    if spare is not None and need.project is not None and _is_native(settings):
        from bearings.code.engine.wire import Hello

        spare.expect(Hello(str(need.project), str(settings.cache_path()), settings.max_file_bytes))
    from bearings.code.engine.native import NativeEngine
    from bearings.code.service import CodeService
    from bearings.code.tools import CodeTools

    native = NativeEngine(
        timeout_s=settings.timeout_s,
        cache_dir=settings.cache_path(),
        max_file_bytes=settings.max_file_bytes,
        spare=spare,
        roots=None if roots is None else (*roots, *need.histories),
        index_behind=not need.soon,
    )
    engine = _code_engine(settings, native)
    if need.served is not None and roots is None and engine is native and _is_shared(settings):
        engine = need.served(native)
    service = CodeService(engine, roots, settings.fleet)
    return Wing(CodeTools(service).tools(need.only), service.aclose, resources=_code_resources)


def _is_shared(settings: "CodeSettings") -> bool:
    """Whether commands may be answered: they have these settings too if all come from the environment."""
    from bearings.cli.envfile import settings_file

    return os.name == "posix" and settings.socket and settings_file() is None


def _code_engine(settings: "CodeSettings", native: "CodeEngine") -> "CodeEngine":
    """The engine that the settings prefer; an external command is located on first use."""
    if _is_native(settings):
        return native
    from bearings.code.engine.bridge.cli_engine import AutoEngine, CliEngine
    from bearings.code.engine.bridge.finding import find_program

    cli = CliEngine(lambda root: find_program(settings.cli_path, os.environ, root), timeout_s=settings.timeout_s)
    return cli if settings.engine == "cli" else AutoEngine(cli, native)


def _is_native(settings: "CodeSettings") -> bool:
    return settings.engine == "native" or (settings.engine == "auto" and settings.cli_path is None)


WIRING = Wiring(places=places_wing, code=code_wing)


def places_spec(wiring: Wiring, *, api: bool = False) -> "ServerSpec":
    """The places server; `api`: with Nominatim's endpoints too."""
    return _spec("bearings-places", "Bearings: places", _PLACES, wiring.places(), api=api)


def code_spec(wiring: Wiring, roots: Roots) -> "ServerSpec":
    """The code server, for projects below `roots`."""
    wing = wiring.code(roots, wiring.need)
    return _spec("bearings-code", "Bearings: code", _code_instructions(wing), wing)


def _code_instructions(code: Wing) -> str:
    """The instructions about the code tools; first about the one to begin with, if it is offered."""
    has_explore = any(tool.name == "coderef_explore" for tool in code.tools)
    return f"{_EXPLORE if has_explore else ''}{_CODE}"


def both_spec(wiring: Wiring, roots: Roots, *, api: bool = False) -> "ServerSpec":
    """One server with the tools of both wings; `api`: with Nominatim's endpoints too."""
    places, code = wiring.places(), wiring.code(roots, wiring.need)

    async def aclose() -> None:
        try:
            await places.aclose()
        finally:
            await code.aclose()

    async def ready() -> bool:
        return await places.ready() and await code.ready()

    async def readings() -> Mapping[str, Mapping[str, float]]:
        return {**await places.readings(), **await code.readings()}

    def resources() -> tuple["Resource", ...]:
        return *places.resources(), *code.resources()

    both = Wing((*places.tools, *code.tools), aclose, ready, readings, places.endpoints, resources)
    return _spec("bearings", "Bearings: places and code", f"{_PLACES}\n{_code_instructions(code)}", both, api=api)


def _spec(name: str, title: str, instructions: str, wing: Wing, *, api: bool = False) -> "ServerSpec":
    from bearings.explore.pages import pages_for
    from bearings.reply import MARKS
    from bearings.serving.app import ServerSpec

    return ServerSpec(
        name=name,
        title=title,
        version=version(),
        instructions=f"{instructions}\n{MARKS}",
        tools=wing.tools,
        aclose=wing.aclose,
        ready=wing.ready,
        readings=wing.readings,
        toolsets=_toolsets(wing.tools),
        endpoints=wing.endpoints() if api else (),
        resources=wing.resources(),
        pages_for=pages_for,
    )


def _toolsets(tools: Iterable["Tool"]) -> dict[str, frozenset[str]]:
    """The sets with the tools that declare themselves members."""
    return {name: known | {tool.name for tool in tools if name in tool.toolsets} for name, known in TOOLSETS.items()}


def tools_named(names: Iterable[str], tools: tuple["Tool", ...]) -> frozenset[str] | None:
    """The names of tools for names of tools and sets, such as "core,geocode"; None if no name is given: all tools.

    Raises InvalidInput for an unknown name.
    """
    offered = {tool.name for tool in tools}
    sets = _toolsets(tools)
    chosen: set[str] = set()
    unknown: list[str] = []
    split_names = [name.strip() for part in names for name in part.split(",") if name.strip()]
    for name in split_names:
        matching = offered if name == "all" else sets.get(name, frozenset({name})) & offered
        chosen |= matching
        unknown += [] if matching else [name]
    if unknown:
        hint = f"It has the sets {', '.join(TOOLSETS)}, all, and the tools {', '.join(tool.name for tool in tools)}."
        raise InvalidInput("toolsets", ",".join(sorted(unknown)), "is no tool of this server, and no set", hint)
    return frozenset(chosen) if split_names else None


def path_roots(typed: tuple[str, ...], configured: tuple[Path, ...], *, over_http: bool) -> Roots:
    """The directories for code tools: `typed` ones (`--root`), else `configured` ones (BEARINGS_ROOTS).

    If there are none: the working directory over HTTP, and otherwise None, which allows any directory.

    Raises InvalidInput for a root that is not a directory.
    """
    roots = tuple(Path(root).expanduser() for root in typed) or configured
    for root in roots:
        if not root.is_dir():
            field = "root" if typed else "BEARINGS_ROOTS"
            raise InvalidInput(field, str(root), "is no directory", f"Create {shown(str(root))}, or name another.")
    if roots:
        return tuple(root.absolute() for root in roots)
    return (Path.cwd(),) if over_http else None
