"""Scans the repositories of a list into a catalogue. Only what changed is read again, and only the caller writes."""

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from bearings.cluster import Workers
from bearings.code.catalogue.writing import CatalogueWriter, Known
from bearings.code.fleet.scanning import Scanned, Task, scan
from bearings.code.fleet.sources import Source
from bearings.code.project.git.cloning import CloneFails, remove
from bearings.errors import InvalidInput
from bearings.progress import Progress
from bearings.settings import without_credentials

SECONDS = 600.0
"""How long one repository may take: ten times a repository of half a million lines."""
CLONE_BYTES = 2_000_000_000
CLONES = ".clones"


@dataclass(frozen=True, slots=True)
class Options:
    """How repositories are read; see Task."""

    max_file_bytes: int
    cache_dir: Path | None
    seconds: float = SECONDS
    clone_bytes: int = CLONE_BYTES


@dataclass(slots=True)
class Summary:
    """The result of a scan: names of repositories, and reasons of failures by name."""

    scanned: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    removed: int = 0
    seconds: float = 0.0


def scan_fleet(sources: Sequence[Source], out: Path, workers: Workers, options: Options, progress: Progress) -> Summary:
    """Brings the catalogue at `out` up to date; a repository that left the list leaves the catalogue.

    Clones stand beside it. Each repository is one transaction. Raises InvalidInput, WriteFailed.
    """
    started, summary = time.perf_counter(), Summary()
    if not sources:
        raise InvalidInput("repos", "", "names no repository", "Write a path or a URL on each line.")
    with CatalogueWriter(out) as catalogue:
        summary.removed = catalogue.keep_only({source.name for source in sources})
        _drop_clones(out, sources)
        known = catalogue.known()
        for source in sources:
            if source.problem:
                _fail(catalogue, summary, source, source.problem, 0.0)
        good = [source for source in sources if not source.problem]
        results = workers.results(scan, _tasks(good, known, out, options))
        for done, (source, result) in enumerate(zip(good, results, strict=True), 1):
            _take(catalogue, summary, source, result)
            progress.update(done, len(good), f"{done} of {len(good)}: {source.name}")
    summary.seconds = time.perf_counter() - started
    return summary


def clones_of(out: Path) -> Path:
    """The folder of a catalogue's clones."""
    return out.with_name(f"{out.name}{CLONES}")


def _clone_of(source: Source, out: Path) -> Path:
    """The folder of the clone of a URL; no name has a %."""
    return clones_of(out.absolute()) / source.name.replace("/", "%")


def _drop_clones(out: Path, sources: Sequence[Source]) -> None:
    """Removes the clones of repositories that left the list, and what a killed scan left."""
    wanted = {_clone_of(source, out) for source in sources if source.is_url}
    with suppress(FileNotFoundError, CloneFails):
        for folder in clones_of(out.absolute()).iterdir():
            if folder not in wanted:
                remove(folder)


def _tasks(sources: Sequence[Source], known: dict[str, Known], out: Path, options: Options) -> Iterator[Task]:
    for source in sources:
        before = known.get(source.name)
        same = before is not None and before.source == without_credentials(source.place)
        yield Task(
            name=source.name,
            folder=str(_clone_of(source, out)) if source.is_url else source.place,
            url=source.place if source.is_url else "",
            fingerprint=before.fingerprint if before is not None and same else "",
            commit=before.commit if before is not None and same else "",
            seconds=options.seconds,
            bytes=options.clone_bytes,
            max_file_bytes=options.max_file_bytes,
            cache_dir=str(options.cache_dir) if options.cache_dir else None,
        )


def _take(catalogue: CatalogueWriter, summary: Summary, source: Source, result: Scanned) -> None:
    """Writes a result."""
    if result.failure:
        _fail(catalogue, summary, source, result.failure, result.seconds)
        return
    contents, shown = result.decoded(), without_credentials(source.place)
    if contents.is_known:
        catalogue.confirm(source.name, shown, contents.commit, time.time())
        summary.unchanged.append(source.name)
    else:
        catalogue.put(source.name, shown, contents, time.time(), result.seconds)
        summary.scanned.append(source.name)


def _fail(catalogue: CatalogueWriter, summary: Summary, source: Source, reason: str, seconds: float) -> None:
    catalogue.fail(source.name, without_credentials(source.place), reason, time.time(), seconds)
    summary.failed[source.name] = reason
