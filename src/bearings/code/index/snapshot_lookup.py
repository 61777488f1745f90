"""Lookups in a stored snapshot: the symbols of a name and their uses, without opening the project.

For callers that have a fraction of a second, such as hooks: a lookup reads no file of the project, writes nothing,
starts no worker, and decodes only the rows that contain the name. Every answer is still true: it comes from files
whose stamps have not changed, and neither have those of the files that were consulted for them. Changed and new
files are left out, so a lookup never proves that a symbol is unused.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import msgspec

from bearings.code.facts.blobs import SqliteBlobs
from bearings.code.facts.store import SqliteFacts, key_of
from bearings.code.file_facts import FileFacts
from bearings.code.index.snapshot_file import read_body
from bearings.code.languages import EXTRACTOR_VERSION, language_of
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import CALLS, EVERYTHING, HEIRS, Confidence, Edge, EdgeKind, Symbol, SymbolKind
from bearings.code.symbol_keys import file_of, keys_of, name_of
from bearings.code.symbol_keys import key_of as key_of_id

MAX_FILES = 60
"""A name that more files define says nothing about one of them: `get`, `run`."""

MAX_USERS = 400
"""A name that more files contain gets no answer: decoding them takes too long."""

_STEPS = 8
"""The number of callers whose own callers are searched for tests."""

_BUSY_S = 0.03

_KINDS = tuple(EdgeKind)
_CONFIDENCES = tuple(Confidence)
_CERTAIN = frozenset({Confidence.EXACT, Confidence.STRONG})

_Stamp = tuple[int, int, int, int]


class PartialState(msgspec.Struct, array_like=True):
    """The first fields of snapshot_packing.py's `StoredState`; most of them stay encoded."""

    paths: msgspec.Raw
    skipped: msgspec.Raw
    by: msgspec.Raw
    known: dict[str, tuple[_Stamp | None, bytes]]
    refused: msgspec.Raw
    manifests: msgspec.Raw
    rows: dict[str, tuple[bytes, bytes, msgspec.Raw]]
    """For each file: the keys of its summary and its uses, and the numbers of the names that were consulted."""
    names: list[str]


class _Uses(msgspec.Struct, array_like=True):
    """A file's uses: a table of texts, and edges as numbers into it, as in stored_uses.py."""

    texts: list[str]
    edges: list[tuple[int, int, int, int, int, int]]


class _Outside(msgspec.Struct, array_like=True):
    """The same for the uses that lead nowhere."""

    texts: list[str]
    edges: msgspec.Raw
    outside: list[tuple[int, int, int, int, int]]


class _Summary(msgspec.Struct, array_like=True):
    """The first fields of a FileSummary."""

    names: frozenset[str]
    elements: int
    targets: msgspec.Raw
    unknown: frozenset[str]


_MAYBE_OWN = frozenset({"ambiguous", "unresolved"})
"""As in file_summary.py."""

_STATE = msgspec.msgpack.Decoder(PartialState)
_TEXTS = msgspec.msgpack.Decoder(tuple[list[str], msgspec.Raw, msgspec.Raw, bool])
_EDGES = msgspec.msgpack.Decoder(_Uses)
_OUTSIDE = msgspec.msgpack.Decoder(_Outside)
_SUMMARY = msgspec.msgpack.Decoder(_Summary)
_NUMBERS = msgspec.msgpack.Decoder(list[int])


@dataclass(frozen=True, slots=True)
class Element:
    """A symbol and the edges to it that are certain, in the order of the files."""

    symbol: Symbol
    keys: tuple[str, ...]
    edges: tuple[Edge, ...]

    @property
    def calls(self) -> list[Edge]:
        """The edges that call, construct or render the symbol."""
        return [edge for edge in self.edges if edge.kind in CALLS]

    @property
    def heirs(self) -> list[Edge]:
        """The edges that extend or implement the symbol."""
        return [edge for edge in self.edges if edge.kind in HEIRS]


class SnapshotLookup:
    """The stored snapshot of one project."""

    def __init__(self, directory: Path, root: Path, state: PartialState) -> None:
        self.root = root
        self._directory = directory
        self._state = state
        self._unchanged: dict[str, bool] = {}
        self._uses: dict[str, bytes] = {}

    @classmethod
    def of(cls, directory: Path, path: Path, root: Path, max_file_bytes: int) -> "SnapshotLookup | None":
        """The lookup in the file at `path`; None if it is missing, damaged, or another version wrote it."""
        try:
            body = read_body(path, root, max_file_bytes)
            return None if body is None else cls(directory, root, _STATE.decode(body))
        except (OSError, msgspec.MsgspecError):
            return None

    @cached_property
    def _summaries(self) -> dict[str, bytes]:
        """The encoded summary of each file."""
        return self._read({path: row[0] for path, row in self._state.rows.items()})

    def _load(self, paths: Iterable[str]) -> list[str]:
        """Read the encoded uses of some files into `_uses`. Returns the files whose uses could be read."""
        paths = list(paths)
        rows = self._state.rows
        self._uses.update(
            self._read({path: rows[path][1] for path in paths if path in rows and path not in self._uses})
        )
        return [path for path in paths if path in self._uses]

    def _dependents(self, files: AbstractSet[str]) -> list[str]:
        """The files whose uses depend on some files, and these themselves."""
        wanted = {number for number, name in enumerate(self._state.names) if name in files or name == EVERYTHING}
        rows = self._state.rows.items()
        return [path for path, row in rows if path in files or not wanted.isdisjoint(_NUMBERS.decode(row[2]))]

    def _read(self, keys: Mapping[str, bytes]) -> dict[str, bytes]:
        """The rows of files, as far as they can be read: a lookup never proves that something is unused."""
        with closing(SqliteBlobs(self._directory, busy_s=_BUSY_S)) as blobs:
            rows = blobs.get(list(keys.values()))
        return {path: rows[key] for path, key in keys.items() if key in rows}

    def elements(self, name: str) -> list[Element]:
        """The elements of this name in unchanged files, those with most calls first.

        Empty if there are none, or more than MAX_FILES and MAX_USERS allow.
        """
        word = name.encode()
        files = [path for path, summary in self._summaries.items() if word in summary]
        if not 0 < len(files) <= MAX_FILES:
            return []
        symbols: dict[tuple[str, str], tuple[Symbol, list[str]]] = {}
        for facts in self._facts([path for path in files if self.is_unchanged(path)]):
            for symbol, key in zip(facts.symbols, keys_of(facts), strict=True):
                if symbol.name == name and symbol.kind not in (SymbolKind.MODULE, SymbolKind.ENDPOINT):
                    place = (symbol.file, symbol.qualified_name)
                    symbols.setdefault(place, (symbol, []))[1].append(key)
        users = [path for path in self._load(self._state.rows) if word in self._uses[path]]
        if len(users) > MAX_USERS:
            return []
        edges = self._edges_to([key for _, keys in symbols.values() for key in keys], users)
        elements = [
            Element(symbol, tuple(keys), tuple(edge for key in keys for edge in edges.get(key, ())))
            for symbol, keys in symbols.values()
        ]
        return sorted(elements, key=lambda one: (-len(one.calls), is_test(one.symbol.file), one.symbol.id))

    def tests(self, element: Element) -> list[Edge]:
        """Calls in tests that reach an element: calls of the element itself, else calls of its callers."""
        own = [edge for edge in element.calls if is_test(edge.file)]
        if own:
            return own
        callers = dict.fromkeys(key_of_id(edge.file, edge.source) for edge in element.calls)
        keys = [key for key in callers if "\0" in key][:_STEPS]
        if not keys:
            return []
        words = [key.encode() for key in keys]
        tests = filter(is_test, self._dependents({file_of(key) for key in keys}))
        users = [path for path in self._load(tests) if any(word in self._uses[path] for word in words)]
        edges = self._edges_to(keys, users[:MAX_USERS])
        return [edge for key in keys for edge in edges.get(key, ()) if edge.kind in CALLS]

    def former(self, path: str) -> tuple[bytes, FileFacts | None]:
        """The digest of a file when it was read, and its facts then; empty and None if they are not known."""
        known = self._state.known.get(path)
        return (b"", None) if known is None else (known[1], next(iter(self._facts([path])), None))

    def assume_unchanged(self, path: str) -> None:
        """Answers about a file, and about what was resolved through it, as it was when it was read."""
        self._unchanged[path] = True

    def uses_of(self, keys: Sequence[str], holds: Callable[[str], bool]) -> list[Edge]:
        """The certain uses of elements as they were stored, also by files that have changed since.

        `holds` is whether a file still has the elements' name. Uses that were resolved through another changed file
        that has it are left out, because they may lead elsewhere now.
        """
        words = [key.encode() for key in keys]
        dependents = self._dependents({file_of(key) for key in keys})
        users = [path for path in self._load(dependents) if any(word in self._uses[path] for word in words)]
        edges = self._edges_to(keys, users[:MAX_USERS], lambda path: not any(map(holds, self._redirecting(path))))
        return [edge for same in edges.values() for edge in same]

    def uses_by_name(self, key: str, name: str) -> list[Edge]:
        """The uses that may mean an element because no other of the project has its name; their owner is unknown."""
        word = name.encode()
        known = {path: _SUMMARY.decode(data) for path, data in self._summaries.items() if word in data}
        if sum(name in summary.names for summary in known.values()) != 1:
            return []
        edges = []
        users = self._load(path for path, summary in known.items() if name in summary.unknown)
        for path in users[:MAX_USERS]:
            uses = _OUTSIDE.decode(self._uses[path])
            for source, used, kind, line, why in uses.outside:
                if uses.texts[why] in _MAYBE_OWN and uses.texts[used].rpartition(".")[2] == name:
                    guess = Confidence.HEURISTIC, uses.texts[why]
                    edges.append(Edge(uses.texts[source], key, _KINDS[kind], path, line, *guess))
        return edges

    def bases(self, file: str, name: str) -> list[str]:
        """The keys of the project's classes that a class of a file was seen to extend or implement."""
        uses = _EDGES.decode(self._uses[file]) if self._load([file]) else _Uses([], [])
        heirs = ((source, target) for source, target, kind, *_ in uses.edges if _KINDS[kind] in HEIRS)
        return [uses.texts[target] for source, target in heirs if name_of(file, uses.texts[source]) == name]

    def _redirecting(self, path: str) -> list[str]:
        """The other changed files through which the uses of a file were resolved."""
        return [file for file in self._consulted(path) if file != path and not self.is_unchanged(file)]

    def _facts(self, paths: Sequence[str]) -> list[FileFacts]:
        """The facts of those files that the fact store has."""
        keys = {}
        for path in paths:
            language, known = language_of(path), self._state.known.get(path)
            if language is not None and known is not None:
                keys[key_of(path, language, known[1], EXTRACTOR_VERSION)] = path
        with closing(SqliteFacts(self._directory, busy_s=_BUSY_S)) as store:
            stored = store.get(list(keys))
        return [stored[key] for key in keys if key in stored]

    def _edges_to(
        self, keys: Sequence[str], users: Sequence[str], is_current: Callable[[str], bool] | None = None
    ) -> dict[str, list[Edge]]:
        """The certain edges from `users` to these keys, by key. Files with outdated uses are left out."""
        is_current = is_current or self._is_current
        edges: dict[str, list[Edge]] = {}
        wanted = set(keys)
        for path in users:
            if wanted.isdisjoint(_TEXTS.decode(self._uses[path])[0]) or not is_current(path):
                continue
            uses = _EDGES.decode(self._uses[path])
            targets = {number for number, text in enumerate(uses.texts) if text in wanted}
            for source, target, kind, line, confidence, reason in uses.edges:
                if target in targets and _CONFIDENCES[confidence] in _CERTAIN:
                    key = uses.texts[target]
                    sure, why = _CONFIDENCES[confidence], uses.texts[reason]
                    edge = Edge(uses.texts[source], key, _KINDS[kind], path, line, sure, why)
                    edges.setdefault(key, []).append(edge)
        return edges

    def _is_current(self, path: str) -> bool:
        """Whether neither the file nor any file that was consulted for its uses has changed."""
        return self.is_unchanged(path) and all(map(self.is_unchanged, self._consulted(path)))

    def _consulted(self, path: str) -> AbstractSet[str]:
        """The files on which the uses of a file depend."""
        names = self._state.names
        consulted = {names[number] for number in _NUMBERS.decode(self._state.rows[path][2])}
        known = self._state.known
        return known.keys() if EVERYTHING in consulted else consulted & known.keys()

    def is_unchanged(self, path: str) -> bool:
        """Whether a file's stamp is the same as when the file was read."""
        same = self._unchanged.get(path)
        if same is None:
            same = self._unchanged[path] = self._stamp(path) == (self._state.known.get(path, (None,))[0] or ())
        return same

    def _stamp(self, path: str) -> _Stamp | None:
        try:
            status = os.lstat(f"{self.root}/{path}")
        except (OSError, ValueError):
            return None
        return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino
