"""Imports the index of a commit: compares it with the files of the commit, then stores it."""

import logging
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bearings.caller import Roots
from bearings.code.index.collector import collector_paused
from bearings.code.index.portable.claims import Claims
from bearings.code.index.portable.comparing import compare, compare_all, contradicted, sample_of
from bearings.code.index.portable.container import Header, Refused, check_grammars, opened
from bearings.code.index.portable.sources import CommitSources, languages_of
from bearings.code.index.snapshot_packing import PackedSnapshot, pack
from bearings.code.index.snapshot_store import GraphStore
from bearings.code.project.git.commit_tree import CommitTree
from bearings.code.project.git.commits import repository_of
from bearings.code.resolve import Memory
from bearings.code.resolve.fresh import FreshResolution
from bearings.code.resolve.rules.families import FAMILIES
from bearings.errors import BearingsError, InvalidInput, WriteFailed
from bearings.progress import Progress

_LOG = logging.getLogger(__name__)

SAMPLE = 40
"""At least so many files are compared."""


@dataclass(frozen=True, slots=True)
class Imported:
    """The commit whose index was stored, the number of its files with facts, and how many were compared whole.

    `begins`: the project has no graph of its own yet, and begins with this one.
    """

    commit: str
    files: int
    compared: int
    begins: bool


def imported(
    data: bytes,
    root: Path,
    cache_dir: Path,
    max_file_bytes: int,
    progress: Progress,
    *,
    roots: Roots = None,
    verify: bool = False,
    least: int = SAMPLE,
) -> Imported:
    """Checks an index and stores it as the snapshot of its commit, for the project at `root`.

    Reads at least `least` files again and compares them, with `verify` all of them. Raises Refused, Unsupported or
    WriteFailed; nothing is stored then.
    """
    header, body = opened(data)
    with collector_paused(), closing(_tree_of(header, root, roots)) as tree:
        sources = CommitSources(tree, max_file_bytes, progress)
        _check_header(header, sources)
        try:
            claims = Claims(header, body, sources)
            sample = list(claims.entries)
            if verify:
                compare_all(claims, sources, progress)
            fresh = FreshResolution(claims.facts, sources.project)
            if not verify:
                progress.update(0, None, "comparing some files")
                sample = sample_of(sample, least, contradicted(claims, sources, cache_dir))
                compare(claims, sources, fresh, sample)
            memory = _memory(claims, fresh)
        except (Refused, BearingsError):
            raise
        except Exception as error:  # noqa: BLE001 - what stops the resolver was not made from sources
            _LOG.debug("the content of an index can't be used", exc_info=error)
            raise Refused("says what no source can say") from None
        begins = _store(claims, sources, memory, cache_dir)
    return Imported(header.commit, header.files, len(sample), begins)


def _tree_of(header: Header, root: Path, roots: Roots) -> CommitTree:
    """Raises Refused if the project is another one, or lacks the commit; Unsupported."""
    folder = repository_of(root, roots).below(root)
    if header.folder != folder:
        named = [f"the folder {one[:200]!r}" if one else "the whole repository" for one in (header.folder, folder)]
        raise Refused(f"is of {named[0]}, and the project is {named[1]}", "Pass the same folder as project.")
    try:
        return CommitTree(root, roots, header.commit)
    except InvalidInput:
        remedy = f"Fetch it: git fetch origin {header.commit}"
        raise Refused(f"is of commit {header.commit}, which is not in this repository", remedy) from None


def _check_header(header: Header, sources: CommitSources) -> None:
    """Raises Refused if the index was made with another limit or grammar, or is of other files."""
    if header.max_file_bytes != sources.max_file_bytes:
        limit = f"CODEREF_MAX_FILE_BYTES={header.max_file_bytes}"
        raise Refused(f"was made with {limit}, and here it is {sources.max_file_bytes}", "Set it alike in both places.")
    check_grammars(header, languages_of(sources.state.listing.paths))
    if (header.revision, header.files) != (sources.revision, len(sources.languages)):
        partial = "The clone is partial, and may lack files: git fetch --refetch brings them."
        problem = f"lists other files than commit {header.commit[:12]} has here"
        raise Refused(problem, partial) if sources.tree.repository.partial else Refused(problem)


def _memory(claims: Claims, fresh: FreshResolution) -> Memory:
    """The memory of a resolver. Raises Refused for lookups that none makes."""
    for asker, _, family in claims.lookups:
        if family not in FAMILIES or not (asker in claims.entries or asker.endswith("/")):
            raise Refused(f"has modules that {asker[:200]!r} looks up")
    return Memory(claims.consulted, fresh.answers(claims.lookups), fresh.entries())


def _store(claims: Claims, sources: CommitSources, memory: Memory, cache_dir: Path) -> bool:
    """Stores the snapshot of the commit, the facts with it in one transaction. Raises WriteFailed.

    Returns whether the project has no graph of its own.
    """
    tree = sources.tree
    packed = pack(sources.state, sources.manifests, claims.summaries, claims.uses, memory, None, ())
    rows = packed.rows | {key: claims.packed[path] for path, key in sources.keys.items()}
    with closing(GraphStore(cache_dir)) as graphs:
        with graphs.writing(tree.root, tree.commit):
            whole = PackedSnapshot(packed.body, rows)
            is_stored = graphs.save(tree.root, sources.max_file_bytes, whole, tree.commit, tree.repository_key)
        has_own = graphs.has(tree.root)
    if not is_stored:
        raise WriteFailed(f"{cache_dir}: the cache can't be written", "Free room there, or set CODEREF_CACHE_DIR.")
    return not has_own
