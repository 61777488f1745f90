"""Compares the facts and uses in an index with those that this machine finds, for some files or for all."""

from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from secrets import SystemRandom

from bearings.code.facts.blobs import SqliteBlobs
from bearings.code.facts.packing import Damaged, encoded, inflated
from bearings.code.facts.store import MemoryFacts
from bearings.code.index.portable.claims import Claims
from bearings.code.index.portable.container import Refused
from bearings.code.index.portable.sources import CommitSources
from bearings.code.index.project_index import Index
from bearings.code.resolve.fresh import FreshResolution
from bearings.progress import Progress

_SHARE = 50
"""One in so many files is compared, if these are more than the least number."""


def contradicted(claims: Claims, sources: CommitSources, cache_dir: Path) -> list[str]:
    """The files of which other facts are stored here: one of both is wrong."""
    keys = sources.keys
    with closing(SqliteBlobs(cache_dir)) as blobs:
        stored = blobs.get(list(keys.values()))
    return [path for path, key in keys.items() if key in stored and not _is_same(stored[key], claims, path)]


def _is_same(stored: bytes, claims: Claims, path: str) -> bool:
    try:
        return stored == claims.packed[path] or inflated(stored) == memoryview(claims.entries[path].facts)
    except Damaged:
        return False


def sample_of(paths: Sequence[str], least: int, surely: Iterable[str]) -> list[str]:
    """The files to compare: all of `surely`, and some drawn at random, which nobody can foresee."""
    drawn = SystemRandom().sample(paths, min(len(paths), max(least, len(paths) // _SHARE)))
    return sorted({*drawn, *surely})


def compare(claims: Claims, sources: CommitSources, fresh: FreshResolution, sample: Sequence[str]) -> None:
    """Parses and resolves some files. Raises Refused if an index says anything else of them."""
    _compare_facts(claims, sources, sample)
    fresh_uses, lookups = fresh.uses(sample)
    if any(uses.given_up for uses, _ in fresh_uses.values()):  # perhaps because of wrong facts of other files
        _compare_facts(claims, sources, claims.entries)
    for path, (uses, consulted) in fresh_uses.items():
        if (uses, consulted) != (claims.uses[path], claims.consulted[path]):
            raise _contradiction(path)
    if not lookups <= set(claims.lookups):
        raise Refused("lacks modules that were looked up")


def _compare_facts(claims: Claims, sources: CommitSources, paths: Iterable[str]) -> None:
    for path in paths:
        if sources.facts_of(path) != memoryview(claims.entries[path].facts):
            raise _contradiction(path)


def compare_all(claims: Claims, sources: CommitSources, progress: Progress) -> None:
    """Scans the commit. Raises Refused if an index says anything else of it."""
    index = Index(sources.tree.root, MemoryFacts(), sources.max_file_bytes, roots=sources.tree.roots, tree=sources.tree)
    facts = index.refresh(progress).facts
    uses, memory = index.resolution()
    for path, entry in claims.entries.items():
        if encoded(facts[path]) != memoryview(entry.facts) or uses[path] != claims.uses[path]:
            raise _contradiction(path)
        if memory.consulted[path] != claims.consulted[path]:
            raise _contradiction(path)
    if {lookup[:3] for lookup in memory.lookups} != set(claims.lookups):
        raise Refused("names other modules than are looked up")


def _contradiction(path: str) -> Refused:
    return Refused(f"says of {path[:200]!r} what is not found in it here", "Don't use it: build it again, and see why.")
