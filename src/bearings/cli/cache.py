"""`cache info|clear`: the caches of answers and of facts about source files."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import click

from bearings.cli.lazy import CommandWithExamples, Lazy, LazyGroup
from bearings.cli.outcome import refusing
from bearings.cli.wiring import settings_of
from bearings.errors import WriteFailed
from bearings.untrusted import escape_line

if TYPE_CHECKING:
    from bearings.code.index.stored_projects import StoredProject
    from bearings.places.nominatim.client import NominatimClient


def places_cache() -> click.Group:
    """Answers of a Nominatim. The gazetteer's index is data, not a cache, and stays."""
    return _group(
        "Cached answers of a Nominatim. Queries are private: GEOCODER_CACHE_DISK=off stores none.",
        _places_info,
        _places_clear,
    )


def code_cache() -> click.Group:
    """Facts about source files."""
    return _group("Cached facts about source files, so that no file is parsed twice.", _code_info, _code_clear)


def _group(about: str, info: Callable[[], str], clear: Callable[[], str]) -> click.Group:
    entries = {
        "info": _entry("info", "Show its place and size.", info),
        "clear": _entry("clear", "Delete all of it.", clear),
    }
    return LazyGroup("cache", about, entries, examples=("info",))


def _entry(name: str, summary: str, run: Callable[[], str]) -> Lazy:
    callback = refusing(lambda: click.echo(run()))
    return Lazy(summary, lambda _: CommandWithExamples(name, help=summary, callback=callback, examples=("",)))


def _places_info() -> str:
    async def look(client: "NominatimClient") -> str:
        stats = await client.cache_stats()
        if stats.shared is not None:
            return f"{stats.shared}: answers that replicas share; each expires there."
        if stats.path is None:
            return "Nothing is kept on disk (GEOCODER_CACHE_DISK is off)."
        size, room = _kilobytes(stats.disk_bytes), _kilobytes(stats.disk_bytes_max)
        return f"{stats.path}: {stats.disk_size} answers, {size} of {room}"

    return anyio.run(_with_client, look)


def _places_clear() -> str:
    async def forget(client: "NominatimClient") -> str:
        before = await client.cache_stats()
        await client.clear_cache()
        if before.shared is not None:
            return f"{before.shared}: all answers forgotten."
        return f"{before.disk_size} answers forgotten."

    return anyio.run(_with_client, forget)


async def _with_client(work: "Callable[[NominatimClient], Awaitable[str]]") -> str:
    """The result of `work` with a client, which is closed afterwards."""
    from bearings.places.nominatim.client import NominatimClient
    from bearings.places.nominatim.settings import NominatimSettings
    from bearings.places.settings import PlacesSettings

    client = NominatimClient(settings_of(NominatimSettings), cache_dir=settings_of(PlacesSettings).cache_dir)
    try:
        return await work(client)
    finally:
        await client.close()


def _code_info() -> str:
    from bearings.code.index.stored_projects import stored_projects

    directory = _code_directory()
    stored = stored_projects(directory)
    lines = [
        f"{directory}: {_kilobytes(stored.facts_bytes)} of facts, {_kilobytes(stored.graphs_bytes)} of graphs",
        *_table(stored.projects),
    ]
    if stored.projects and stored.unnamed_bytes:
        lines.append(f"{_kilobytes(stored.unnamed_bytes)} belong to none of them, and go when room is needed.")
    return "\n".join(lines)


def _table(projects: "Sequence[StoredProject]") -> Iterator[str]:
    """A line for each project; the room that others share is part of `room`, not of `own`."""
    if not projects:
        return
    rows = [("", "sources", "room", "own", "last used", ""), *map(_cells, projects)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for name, sources, room, own, used, note in rows:
        numbers = (cell.rjust(width) for cell, width in zip((sources, room, own), widths[1:], strict=False))
        yield "  ".join((name.ljust(widths[0]), *numbers, used.ljust(widths[4]), note)).rstrip()


def _cells(project: "StoredProject") -> tuple[str, ...]:
    name = escape_line(str(project.root)) + (f" at {project.commit[:12]}" if project.commit else "")
    used = datetime.fromtimestamp(project.used_at).astimezone().strftime("%Y-%m-%d %H:%M")
    if not project.is_current:
        return name, "", _kilobytes(project.room_bytes), "", used, "of another version"
    note = "" if project.is_there else "its folder is gone"
    return name, f"{project.sources:,}", _kilobytes(project.room_bytes), _kilobytes(project.own_bytes), used, note


def _code_clear() -> str:
    from bearings.code.facts.blobs import drop_store, stored_bytes
    from bearings.code.index.snapshot_store import drop_graphs, graphs_bytes

    directory = _code_directory()
    facts, graphs = stored_bytes(directory), graphs_bytes(directory)
    try:
        drop_graphs(directory)
        drop_store(directory)
    except OSError as error:
        raise WriteFailed(
            f"{directory}: the cache can't be removed ({error.strerror})", "Allow writing there, or remove it yourself."
        ) from error
    return f"{_kilobytes(facts)} of facts and {_kilobytes(graphs)} of graphs forgotten."


def _code_directory() -> Path:
    from bearings.code.settings import CodeSettings

    return settings_of(CodeSettings).cache_path()


def _kilobytes(size: int) -> str:
    return f"{size / 1000:,.0f} kB"
