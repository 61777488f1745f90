"""A glimpse of a kept graph: who uses what is called by a name, without opening the project.

For whoever has a fraction of a second and must not wait: no file of the project is read, nothing is written, no worker
is started, and of the graph only those rows are decoded in which the name stands. What is said holds still: it comes
from files that are as they were when they were read, as their stamps tell, and so are all that was consulted for them.
What a changed or a new file says is left out, so a glimpse never tells that nobody uses something.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from bearings.code.facts.store import SqliteFacts, key_of
from bearings.code.index.snapshot_file import read_body
from bearings.code.languages import EXTRACTOR_VERSION, language_of
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Confidence, Edge, EdgeKind, FileFacts, Symbol, SymbolKind
from bearings.code.symbol_keys import key_of as key_of_id
from bearings.code.symbol_keys import keys_of

MAX_FILES = 60
"""A name that more files define is everybody's: `get`, `run`."""

MAX_USERS = 400
"""Files that hold a name and are looked into; more are left alone."""

_STEPS = 8
"""Callers whose own callers are looked at for tests."""

_BUSY_S = 0.03

_KINDS = tuple(EdgeKind)
_SURE = tuple(Confidence)
_IS_SURE = frozenset({Confidence.EXACT, Confidence.STRONG})
_CALLS = frozenset({EdgeKind.CALL, EdgeKind.NEW, EdgeKind.JSX})

_Stamp = tuple[int, int, int, int]


class Part(msgspec.Struct, array_like=True):
    """The fields of snapshot_store.py's `_State`, most of them as they lie there."""

    paths: msgspec.Raw
    skipped: msgspec.Raw
    by: msgspec.Raw
    known: dict[str, tuple[_Stamp | None, bytes]]
    refused: msgspec.Raw
    manifests: msgspec.Raw
    rows: dict[str, tuple[msgspec.Raw, msgspec.Raw, msgspec.Raw]]
    """Of each file its summary, its uses, and the numbers of what was consulted."""
    names: list[str]


class _Uses(msgspec.Struct, array_like=True):
    """A file's uses: their texts, and edges by numbers of those, as snapshot_store.py's `_Uses` has them."""

    texts: list[str]
    edges: list[tuple[int, int, int, int, int, int]]


_PART = msgspec.msgpack.Decoder(Part)
_TEXTS = msgspec.msgpack.Decoder(tuple[list[str], msgspec.Raw, msgspec.Raw])
_EDGES = msgspec.msgpack.Decoder(_Uses)
_NUMBERS = msgspec.msgpack.Decoder(list[int])


@dataclass(frozen=True, slots=True)
class Element:
    """Something of the project that has a name, and the edges to it that are sure, in the order of the files."""

    symbol: Symbol
    keys: tuple[str, ...]
    edges: tuple[Edge, ...]

    @property
    def calls(self) -> list[Edge]:
        """Where it is called, constructed or rendered."""
        return [edge for edge in self.edges if edge.kind in _CALLS]

    @property
    def heirs(self) -> list[Edge]:
        """Who extends or implements it."""
        return [edge for edge in self.edges if edge.kind in (EdgeKind.EXTENDS, EdgeKind.IMPLEMENTS)]


class SnapshotLookup:
    """What is kept of one project."""

    def __init__(self, directory: Path, root: Path, part: Part) -> None:
        self.root = root
        self._directory = directory
        self._part = part
        self._same: dict[str, bool] = {}
        self._uses = {path: bytes(row[1]) for path, row in part.rows.items()}

    @classmethod
    def of(cls, directory: Path, path: Path, root: Path, max_file_bytes: int) -> "SnapshotLookup | None":
        """Of the graph at `path`, if it is whole and this version's work."""
        try:
            body = read_body(path, root, max_file_bytes)
            return None if body is None else cls(directory, root, _PART.decode(body))
        except (OSError, msgspec.MsgspecError):
            return None

    def elements(self, name: str) -> list[Element]:
        """All that is called so in files that are as they were, those with most calls first.

        Empty where nothing is, or too much.
        """
        word = name.encode()
        files = [path for path, row in self._part.rows.items() if word in bytes(row[0])]
        if not 0 < len(files) <= MAX_FILES:
            return []
        found: dict[tuple[str, str], tuple[Symbol, list[str]]] = {}
        for facts in self._facts([path for path in files if self._is_same(path)]):
            for symbol, key in zip(facts.symbols, keys_of(facts), strict=True):
                if symbol.name == name and symbol.kind not in (SymbolKind.MODULE, SymbolKind.ENDPOINT):
                    of = (symbol.file, symbol.qualified_name)
                    found.setdefault(of, (symbol, []))[1].append(key)
        users = [path for path, uses in self._uses.items() if word in uses]
        if len(users) > MAX_USERS:
            return []
        edges = self._edges_to([key for _, keys in found.values() for key in keys], users)
        elements = [
            Element(symbol, tuple(keys), tuple(edge for key in keys for edge in edges.get(key, ())))
            for symbol, keys in found.values()
        ]
        return sorted(elements, key=lambda one: (-len(one.calls), is_test(one.symbol.file), one.symbol.id))

    def tests(self, element: Element) -> list[Edge]:
        """Calls in tests by which an element is reached: its own, else those of what calls it."""
        own = [edge for edge in element.calls if is_test(edge.file)]
        if own:
            return own
        callers = dict.fromkeys(key_of_id(edge.file, edge.source) for edge in element.calls)
        keys = [key for key in callers if "\0" in key][:_STEPS]
        if not keys:
            return []
        words = [key.encode() for key in keys]
        users = [path for path, uses in self._uses.items() if is_test(path) and any(word in uses for word in words)]
        edges = self._edges_to(keys, users[:MAX_USERS])
        return [edge for key in keys for edge in edges.get(key, ()) if edge.kind in _CALLS]

    def _facts(self, paths: Sequence[str]) -> list[FileFacts]:
        """The facts of files, of those that are stored."""
        keys = {}
        for path in paths:
            language, known = language_of(path), self._part.known.get(path)
            if language is not None and known is not None:
                keys[key_of(path, language, known[1], EXTRACTOR_VERSION)] = path
        store = SqliteFacts(self._directory, busy_s=_BUSY_S)
        try:
            stored = store.get(list(keys))
        finally:
            store.close()
        return [stored[key] for key in keys if key in stored]

    def _edges_to(self, keys: Sequence[str], users: Sequence[str]) -> dict[str, list[Edge]]:
        """The sure edges in some files that lead to these keys, of those files that hold still."""
        found: dict[str, list[Edge]] = {}
        wanted = set(keys)
        for path in users:
            if wanted.isdisjoint(_TEXTS.decode(self._uses[path])[0]) or not self._holds(path):
                continue
            uses = _EDGES.decode(self._uses[path])
            targets = {number for number, text in enumerate(uses.texts) if text in wanted}
            for source, target, kind, line, sure, reason in uses.edges:
                if target in targets and _SURE[sure] in _IS_SURE:
                    key = uses.texts[target]
                    edge = Edge(uses.texts[source], key, _KINDS[kind], path, line, _SURE[sure], uses.texts[reason])
                    found.setdefault(key, []).append(edge)
        return found

    def _holds(self, path: str) -> bool:
        """Whether a file is as it was, and so is all that was consulted for its uses."""
        names = self._part.names
        consulted = _NUMBERS.decode(self._part.rows[path][2])
        known = self._part.known
        return self._is_same(path) and all(self._is_same(names[at]) for at in consulted if names[at] in known)

    def _is_same(self, path: str) -> bool:
        """Whether a file's stamp is the one that it had when it was read."""
        same = self._same.get(path)
        if same is None:
            same = self._same[path] = self._stamp(path) == (self._part.known.get(path, (None,))[0] or ())
        return same

    def _stamp(self, path: str) -> _Stamp | None:
        try:
            status = os.lstat(f"{self.root}/{path}")
        except (OSError, ValueError):
            return None
        return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino
