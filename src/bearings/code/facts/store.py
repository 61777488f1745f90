"""Stores of facts: what one version of the extractor found in a file's content, so that no process parses it again.

A store is a cache: a fault in it costs time, never an answer.
"""

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from bearings.code.facts.blobs import BUSY_S, MAX_STORE_BYTES, SqliteBlobs
from bearings.code.facts.packing import Damaged, Packed, pack, unpack_facts
from bearings.code.file_facts import FileFacts
from bearings.code.models import Language

_MAX_PENDING = 128
"""LateFacts delays the facts of up to this many files: writing them takes a tenth of a second."""


def key_of(path: str, language: Language, digest: bytes, version: int) -> bytes:
    """The key of a file's facts: a hash of everything that they are made from."""
    return hashlib.blake2b(f"{version}\0{language}\0{path}\0".encode() + digest, digest_size=16).digest()


class FactStore(Protocol):
    """Facts by key. No method raises."""

    def get(self, keys: Sequence[bytes]) -> dict[bytes, FileFacts]:
        """The facts that are stored, in any order."""
        ...

    def packed(self, keys: Sequence[bytes]) -> dict[bytes, Packed[FileFacts]]:
        """The same, unpacked when they are asked for, which may raise Damaged."""
        ...

    def put(self, facts: Mapping[bytes, FileFacts | Packed[FileFacts]]) -> None:
        """Stores facts. They may be evicted later."""
        ...

    def close(self) -> None:
        """Releases all resources. The next call opens them again."""
        ...


class _Unpacking:
    def get(self: "FactStore", keys: Sequence[bytes]) -> dict[bytes, FileFacts]:
        """The facts that are stored and can be read."""
        facts = {}
        with suppress(Damaged):  # no accident, as the checksum is right: the others are parsed anew, too
            for key, packed in self.packed(keys).items() if keys else ():
                facts[key] = packed.get()
        return facts


class NoFacts(_Unpacking):
    """Stores nothing: each process parses each file."""

    def packed(self, keys: Sequence[bytes]) -> dict[bytes, Packed[FileFacts]]:
        """An empty dict."""
        del keys
        return {}

    def put(self, facts: Mapping[bytes, FileFacts | Packed[FileFacts]]) -> None:
        """Drops the facts."""

    def close(self) -> None:
        """Does nothing."""


class LateFacts(_Unpacking):
    """Delays writes to another store until `settle`, so that a caller does not wait while a few facts are written.

    A process that is killed before loses only the time to parse those files again.
    """

    def __init__(self, store: FactStore) -> None:
        self._store = store
        self._pending: dict[bytes, FileFacts | Packed[FileFacts]] = {}

    def packed(self, keys: Sequence[bytes]) -> dict[bytes, Packed[FileFacts]]:
        """The facts that are stored or pending."""
        pending = _packed(self._pending, keys)
        return pending | self._store.packed([key for key in keys if key not in pending])

    def put(self, facts: Mapping[bytes, FileFacts | Packed[FileFacts]]) -> None:
        """Holds facts for `settle`; calls it at once if there are many."""
        self._pending.update(facts)
        if len(self._pending) > _MAX_PENDING:
            self.settle()

    def settle(self) -> None:
        """Writes the pending facts."""
        pending, self._pending = self._pending, {}
        if pending:
            self._store.put(pending)

    def close(self) -> None:
        """Writes the pending facts and closes the other store."""
        self.settle()
        self._store.close()


class ReplacedFacts(_Unpacking):
    """Another store as if it were empty: facts that are put replace those that it holds."""

    def __init__(self, store: FactStore) -> None:
        self._store = store
        self._own: set[bytes] = set()

    def packed(self, keys: Sequence[bytes]) -> dict[bytes, Packed[FileFacts]]:
        """The facts that were put here."""
        return self._store.packed([key for key in keys if key in self._own])

    def put(self, facts: Mapping[bytes, FileFacts | Packed[FileFacts]]) -> None:
        """Stores facts."""
        self._own.update(facts)
        self._store.put(facts)

    def close(self) -> None:
        """Closes the other store."""
        self._store.close()


class SqliteFacts(_Unpacking):
    """Facts in the SQLite file of a directory. No method raises."""

    def __init__(self, directory: Path, max_bytes: int = MAX_STORE_BYTES, busy_s: float = BUSY_S) -> None:
        self._blobs = SqliteBlobs(directory, max_bytes, busy_s)

    def packed(self, keys: Sequence[bytes]) -> dict[bytes, Packed[FileFacts]]:
        """The stored facts that can be read."""
        return {key: Packed(data, unpack_facts) for key, data in self._blobs.get(keys).items()}

    def put(self, facts: Mapping[bytes, FileFacts | Packed[FileFacts]]) -> None:
        """Stores facts."""
        self._blobs.put({key: value.data if isinstance(value, Packed) else pack(value) for key, value in facts.items()})

    def close(self) -> None:
        """Closes the database."""
        self._blobs.close()


def _packed(
    stored: Mapping[bytes, FileFacts | Packed[FileFacts]], keys: Sequence[bytes]
) -> dict[bytes, Packed[FileFacts]]:
    """The facts of those keys that `stored` contains."""
    found = {key: stored[key] for key in keys if key in stored}
    return {
        key: facts if isinstance(facts, Packed) else Packed(None, unpack_facts, facts) for key, facts in found.items()
    }
