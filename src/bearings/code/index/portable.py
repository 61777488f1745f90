"""A portable index: the snapshot of a commit as one file, which another machine checks and begins with.

    data = exported(CommitTree(root, None, "HEAD"), store, max_file_bytes, progress)
    imported(data, root, cache_dir, max_file_bytes, progress)

It holds what takes long to find: the facts of each file, what the file uses, and what was consulted for that. All else
(listing, digests, manifests, summaries, tables) follows from the files here and is made here. What is imported is
stored as the snapshot of the commit, and worktrees and commits of the repository begin with it as with any other one
(see snapshot_store.py): each source is read and compared.

An import trusts nothing. Types, sizes and numbers are checked; facts and uses of some files drawn at random, or of all
with `verify`, are found here again and compared. One difference refuses the whole file, and then nothing is stored.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from secrets import SystemRandom
from typing import Annotated, NamedTuple, TypeVar

import msgspec
from msgspec import Meta

from bearings.caller import Roots
from bearings.code.facts.blobs import SqliteBlobs
from bearings.code.facts.packed_map import PackedMap
from bearings.code.facts.packing import Damaged, Packed, compressed, decoded_facts, encoded, unpack_facts
from bearings.code.facts.packing import inflated as unpacked
from bearings.code.facts.store import FactStore, MemoryFacts, key_of
from bearings.code.file_facts import FileFacts
from bearings.code.index.change_detection import ChangeDetector, TreeState
from bearings.code.index.portable_checks import check_facts, check_order, check_targets, check_uses
from bearings.code.index.portable_file import Header, Refused, check_grammars, framed, header_of, inflated, opened
from bearings.code.index.project_index import Index, collector_paused
from bearings.code.index.snapshot_store import GraphStore, PackedSnapshot, pack
from bearings.code.index.stored_uses import StoredUses, numbered_uses, uses_of
from bearings.code.languages import EXTRACTOR_VERSION, language_of
from bearings.code.models import Language, ProjectFiles
from bearings.code.parse import parse_file
from bearings.code.project.git.commit_tree import CommitTree
from bearings.code.project.git.commits import repository_of
from bearings.code.project.names import is_manifest
from bearings.code.project.sources import Source
from bearings.code.project.tree import read_from
from bearings.code.resolve import FileUses, Memory
from bearings.code.resolve.again import Again, LookupKey
from bearings.code.resolve.families import FAMILIES
from bearings.code.resolve.file_summary import FileSummary, summary_of
from bearings.code.symbol_keys import keys_of
from bearings.errors import BearingsError, InvalidInput, WriteFailed
from bearings.progress import Progress

_LOG = logging.getLogger(__name__)

SAMPLE = 40
SHARE = 50
"""At least `SAMPLE` files are compared, and one in `SHARE`."""

_ROOM = 64 * 2**10
_ROOM_A_FILE = 4 * 2**10
_ROOM_A_BYTE = 16
"""The most bytes of a file's facts, and of its uses: `_ROOM`, and `_ROOM_A_BYTE` for each byte of source.

A whole body has up to `_ROOM_A_FILE` and `_ROOM_A_BYTE` for each byte, and `_ROOM`. Those of django and of a large
TypeScript project take two bytes for each byte of source; no file takes five.
"""

_LOOKUPS = 1_000
_LOOKUPS_A_FILE = 100
"""The most lookups of a project: `_LOOKUPS`, and `_LOOKUPS_A_FILE` for each file; there are four to seven a file."""

_BATCH = 500
_T = TypeVar("_T")


class _Entry(msgspec.Struct, array_like=True, frozen=True):
    """A file with facts: its encoded facts and StoredUses, and the numbers of the names consulted for these."""

    path: str
    facts: msgspec.Raw
    uses: msgspec.Raw
    consulted: list[int]


class _Body(msgspec.Struct, array_like=True, frozen=True):
    """All names that were consulted, the files and the lookups, each in order. The answers of lookups follow."""

    names: list[str]
    files: list[_Entry]
    lookups: list[tuple[str, str, str]]


_Number = Annotated[int, Meta(ge=0)]


class _Uses(msgspec.Struct, array_like=True, frozen=True):
    """StoredUses with numbers that are checked while they are decoded."""

    texts: list[str]
    edges: list[tuple[_Number, _Number, _Number, _Number, _Number, _Number]]
    outside: list[tuple[_Number, _Number, _Number, _Number, _Number]]


_BODY = msgspec.msgpack.Decoder(_Body)
_USES = msgspec.msgpack.Decoder(_Uses)


@dataclass(frozen=True, slots=True)
class Exported:
    """A portable index of a commit."""

    data: bytes
    commit: str
    files: int


@dataclass(frozen=True, slots=True)
class Imported:
    """The commit whose index was stored, the number of its files with facts, and how many were compared whole.

    `begins`: the project has no graph of its own yet, and begins with this one.
    """

    commit: str
    files: int
    compared: int
    begins: bool


def exported(tree: CommitTree, store: FactStore, max_file_bytes: int, progress: Progress) -> Exported:
    """The index of a commit. The same commit gives the same bytes with the same versions. Raises Unsupported.

    The graph is resolved anew, so that it doesn't depend on what was stored before.
    """
    index = Index(tree.root, store, max_file_bytes, roots=tree.roots, tree=tree)
    snapshot = index.refresh(progress)
    uses, memory = index.resolution()
    body = _encoded_body(snapshot.facts, uses, memory)
    folder = tree.repository.below(tree.root)
    languages = _languages(snapshot.project.paths)
    header = header_of(tree.commit, folder, max_file_bytes, snapshot.revision, languages, len(snapshot.facts), body)
    return Exported(framed(header, body), tree.commit, len(snapshot.facts))


def _languages(paths: Iterable[str]) -> set[Language]:
    """The languages of the files that are read, or too large for it."""
    return {language for path in paths if (language := language_of(path)) is not None}


def _encoded_body(facts: Mapping[str, FileFacts], uses: Mapping[str, FileUses], memory: Memory) -> bytes:
    encode = msgspec.msgpack.encode
    names = sorted({name for path in facts for name in memory.consulted[path]})
    numbers = {name: number for number, name in enumerate(names)}
    files = [
        _Entry(
            path,
            msgspec.Raw(encoded(file)),
            msgspec.Raw(encode(numbered_uses(uses[path]))),
            sorted(numbers[name] for name in memory.consulted[path]),
        )
        for path, file in sorted(facts.items())
    ]
    return encode(_Body(names, files, sorted(lookup[:3] for lookup in memory.lookups)))


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

    Compares some files, `least` at least, with what is found here, with `verify` all. Raises Refused, and then has
    stored nothing; Unsupported, WriteFailed.
    """
    header, body = opened(data)
    with collector_paused(), closing(_tree_of(header, root, roots)) as tree:
        sources = _Sources(tree, max_file_bytes, progress)
        _check_header(header, sources)
        try:
            claims = _Claims.of(header, body, sources)
            keys = _keys(claims, sources)
            sample = list(claims.entries)
            if verify:
                _compare_all(claims, sources, progress)
            again = Again(claims.facts, sources.project)
            if not verify:
                progress.update(0, None, "comparing some files")
                sample = _sample(sample, least, _contradicted(claims, keys, cache_dir))
                _compare(claims, sources, again, sample)
            memory = _memory(claims, again)
        except (Refused, BearingsError):
            raise
        except Exception as error:  # noqa: BLE001 - what stops the resolver was not made from sources
            _LOG.debug("the content of an index can't be used", exc_info=error)
            raise Refused("says what no source can say") from None
        begins = _store(claims, sources, memory, keys, cache_dir)
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


class _Sources:
    """The files of the commit as they are here: their state, manifests, lines and sizes."""

    def __init__(self, tree: CommitTree, max_file_bytes: int, progress: Progress) -> None:
        self.tree = tree
        self.max_file_bytes = max_file_bytes
        self.manifests: dict[str, bytes] = {}
        self.lines: dict[str, int] = {}
        self.sizes: dict[str, int] = {}
        self.languages: dict[str, Language] = {}
        detector = ChangeDetector(tree, max_file_bytes)
        try:
            stale = detector.detect().stale
            for number, path in enumerate(stale):
                if not number % _BATCH:
                    progress.update(number, len(stale), "reading files")
                source, _ = detector.read(path)
                if source is not None:
                    self._add(path, source.data)
        finally:
            detector.close()
        self.state: TreeState = detector.tree
        self.revision = detector.revision

    def _add(self, path: str, data: bytes) -> None:
        if is_manifest(path):
            self.manifests[path] = data
        language = language_of(path)
        if language is not None:
            self.languages[path] = language
            self.lines[path], self.sizes[path] = data.count(b"\n") + 1, len(data)

    @property
    def project(self) -> ProjectFiles:
        """The resolver's view of the commit."""
        return ProjectFiles(frozenset(self.state.listing.paths), dict(sorted(self.manifests.items())))

    def room(self, path: str) -> int:
        """The most bytes that a file's facts, or its uses, may take."""
        return _ROOM + _ROOM_A_BYTE * self.sizes[path]

    @property
    def room_of_all(self) -> int:
        """The most bytes that a body may have."""
        return _ROOM + sum(_ROOM_A_FILE + _ROOM_A_BYTE * size for size in self.sizes.values())

    def facts_of(self, path: str) -> bytes:
        """A file's encoded facts, found here. Raises Refused."""
        source = read_from(self.tree, path, self.max_file_bytes)
        if not isinstance(source, Source):
            raise Refused(f"has facts for {path[:200]!r}, which can't be read")
        return encoded(parse_file(path, self.languages[path], source.data))


def _check_header(header: Header, sources: _Sources) -> None:
    """Raises Refused if the index was made with another limit or grammar, or is of other files."""
    if header.max_file_bytes != sources.max_file_bytes:
        limit = f"CODEREF_MAX_FILE_BYTES={header.max_file_bytes}"
        raise Refused(f"was made with {limit}, and here it is {sources.max_file_bytes}", "Set it alike in both places.")
    check_grammars(header, _languages(sources.state.listing.paths))
    if (header.revision, header.files) != (sources.revision, len(sources.languages)):
        partial = "The clone is partial, and may lack files: git fetch --refetch brings them."
        problem = f"lists other files than commit {header.commit[:12]} has here"
        raise Refused(problem, partial) if sources.tree.repository.partial else Refused(problem)


class _Claims(NamedTuple):
    """What an index says, whole in itself: but it may still say what the sources don't."""

    entries: dict[str, _Entry]
    facts: PackedMap[FileFacts]
    packed: dict[str, bytes]
    uses: dict[str, FileUses]
    summaries: dict[str, FileSummary]
    consulted: dict[str, frozenset[str]]
    lookups: list[LookupKey]

    @classmethod
    def of(cls, header: Header, compressed_body: memoryview, sources: _Sources) -> "_Claims":
        """Decodes and checks. Raises Refused."""
        data = inflated(header, compressed_body, sources.room_of_all)
        body = _decoded(data, _BODY, "body")
        if len(body.lookups) > _LOOKUPS + _LOOKUPS_A_FILE * len(sources.sizes):
            raise Refused("has more lookups than there is room for")
        check_order(body.names, "names")
        check_order(body.lookups, "lookups")
        if [entry.path for entry in body.files] != sorted(sources.languages):
            raise Refused("has facts of other files than are there")
        claims = cls({}, PackedMap(), {}, {}, {}, {}, body.lookups)
        keys: set[str] = set()
        for entry in body.files:
            keys.update(claims._add(entry, body.names, sources))
        for path, uses in claims.uses.items():
            check_targets(path, keys, uses)
        claims.facts.update({path: Packed(packed, unpack_facts) for path, packed in claims.packed.items()})
        return claims

    def _add(self, entry: _Entry, names: Sequence[str], sources: _Sources) -> list[str]:
        """Adds a file; returns the keys of its elements. Raises Refused."""
        path = entry.path
        if max(len(memoryview(entry.facts)), len(memoryview(entry.uses))) > sources.room(path):
            raise Refused(f"says more of {path[:200]!r} than there is room for")
        facts = _facts_in(entry)
        check_facts(path, sources.languages[path], sources.lines[path], facts)
        uses = _uses_in(entry)
        check_uses(path, facts.lines, {symbol.id for symbol in facts.symbols}, uses)
        check_order(entry.consulted, "consulted names")
        if entry.consulted and not 0 <= entry.consulted[0] <= entry.consulted[-1] < len(names):
            raise Refused(f"names nothing that was consulted for {path[:200]!r}")
        self.entries[path] = entry
        self.packed[path] = compressed(memoryview(entry.facts))
        self.uses[path] = uses
        self.summaries[path] = summary_of(facts, *uses)
        self.consulted[path] = frozenset([names[number] for number in entry.consulted])
        return keys_of(facts)


def _facts_in(entry: _Entry) -> FileFacts:
    """Raises Refused unless the facts are encoded as this version does."""
    try:
        facts = decoded_facts(memoryview(entry.facts))
        if encoded(facts) == memoryview(entry.facts):
            return facts
    except (Damaged, RecursionError):
        pass
    raise Refused(f"has no readable facts for {entry.path[:200]!r}")


def _uses_in(entry: _Entry) -> FileUses:
    """Raises Refused for numbers that stand for nothing."""
    stored = _decoded(memoryview(entry.uses), _USES, f"uses for {entry.path[:200]!r}")
    try:
        return uses_of(entry.path, StoredUses(stored.texts, stored.edges, stored.outside))
    except (IndexError, OverflowError):
        raise Refused(f"has no readable uses for {entry.path[:200]!r}") from None


def _decoded(data: bytes | memoryview, decoder: "msgspec.msgpack.Decoder[_T]", what: str) -> _T:
    try:
        return decoder.decode(data)
    except (msgspec.MsgspecError, RecursionError):
        raise Refused(f"has no readable {what}") from None


def _keys(claims: _Claims, sources: _Sources) -> dict[str, bytes]:
    """The key of each file's facts in the store."""
    return {
        path: key_of(path, sources.languages[path], sources.state.known[path].digest, EXTRACTOR_VERSION)
        for path in claims.entries
    }


def _contradicted(claims: _Claims, keys: Mapping[str, bytes], cache_dir: Path) -> list[str]:
    """The files of which other facts are stored here: one of both is wrong."""
    blobs = SqliteBlobs(cache_dir)
    try:
        stored = blobs.get(list(keys.values()))
    finally:
        blobs.close()
    return [path for path, key in keys.items() if key in stored and not _is_same(stored[key], claims, path)]


def _is_same(stored: bytes, claims: _Claims, path: str) -> bool:
    try:
        return stored == claims.packed[path] or unpacked(stored) == memoryview(claims.entries[path].facts)
    except Damaged:
        return False


def _sample(paths: Sequence[str], least: int, surely: Iterable[str]) -> list[str]:
    """The files to compare: all of `surely`, and some drawn at random, which nobody can foresee."""
    drawn = SystemRandom().sample(paths, min(len(paths), max(least, len(paths) // SHARE)))
    return sorted({*drawn, *surely})


def _compare(claims: _Claims, sources: _Sources, again: Again, sample: Sequence[str]) -> None:
    """Parses and resolves some files. Raises Refused if an index says anything else of them."""
    for path in sample:
        if sources.facts_of(path) != memoryview(claims.entries[path].facts):
            raise _contradiction(path)
    found, lookups = again.uses(sample)
    for path, (uses, consulted) in found.items():
        if (uses, consulted) != (claims.uses[path], claims.consulted[path]):
            raise _contradiction(path)
    if not lookups <= set(claims.lookups):
        raise Refused("lacks modules that were looked up")


def _compare_all(claims: _Claims, sources: _Sources, progress: Progress) -> None:
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


def _memory(claims: _Claims, again: Again) -> Memory:
    """What a resolver remembers. Raises Refused for lookups that none makes."""
    for asker, _, family in claims.lookups:
        if family not in FAMILIES or not (asker in claims.entries or asker.endswith("/")):
            raise Refused(f"has modules that {asker[:200]!r} looks up")
    return Memory(claims.consulted, again.answers(claims.lookups), again.entries())


def _store(claims: _Claims, sources: _Sources, memory: Memory, keys: Mapping[str, bytes], cache_dir: Path) -> bool:
    """Stores the snapshot of the commit, the facts with it in one transaction. Raises WriteFailed.

    Returns whether the project has no graph of its own.
    """
    tree = sources.tree
    packed = pack(sources.state, sources.manifests, claims.summaries, claims.uses, memory, None, ())
    rows = {**packed.rows, **{keys[path]: data for path, data in claims.packed.items()}}
    graphs = GraphStore(cache_dir)
    try:
        with graphs.announced(tree.root, tree.commit):
            whole = PackedSnapshot(packed.body, rows)
            is_stored = graphs.save(tree.root, sources.max_file_bytes, whole, tree.commit, tree.repository_key)
        has_own = graphs.has(tree.root)
    finally:
        graphs.close()
    if not is_stored:
        raise WriteFailed(f"{cache_dir}: the cache can't be written", "Free room there, or set CODEREF_CACHE_DIR.")
    return not has_own
