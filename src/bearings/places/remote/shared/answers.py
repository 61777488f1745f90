"""The answers of all replicas, in Redis. Each expires there; what comes back is not trusted to be an entry."""

import math
import secrets

from bearings.clock import Clock
from bearings.places.remote.answer_store import StoreSize
from bearings.places.remote.disk import Entry
from bearings.places.remote.shared import names
from bearings.places.remote.shared.connection import Connection, Gone

LARGEST = 1_000_000
"""Bytes of an answer that is shared. A country's simplified border takes some 100 kB."""

CLEARED_WITHIN_S = 1.0
"""The time until the other replicas notice that the cache was cleared."""

_FULL, _EMPTY = b"f", b"e"
_TIME = 17
"""Characters of the time behind the flag."""

_SCANNED = 1000


def encoded(entry: Entry) -> bytes:
    """An entry without its time; b"" if it is too large."""
    return b"" if len(entry.body) > LARGEST else (_EMPTY if entry.empty else _FULL) + entry.body


def decoded(raw: object, stored: float) -> Entry | None:
    """The entry of bytes that `encoded` made; None for others."""
    if not isinstance(raw, bytes) or not 1 < len(raw) <= LARGEST + 1 or raw[:1] not in (_FULL, _EMPTY):
        return None
    return Entry(raw[1:], stored, raw[:1] == _EMPTY)


class RedisAnswers:
    """An `AnswerStore` in Redis. Methods that ask it raise Gone."""

    def __init__(self, redis: Connection, hidden: names.Hidden, clock: Clock) -> None:
        self._redis = redis
        self._hidden = hidden
        self._clock = clock
        self._generation = ""
        self._looked_at = -math.inf
        self._hits = 0

    async def get(self, key: str) -> Entry | None:
        """The entry, however old. Its time is set by its age on the server's clock, since clocks of replicas differ."""
        args = (names.ENTRIES, self._hidden.digest(key), LARGEST + _TIME + 1)
        answer = await self._redis.run("recall", [names.GENERATION], args)
        entry = self._read(answer)
        self._hits += entry is not None
        return entry

    async def put(self, key: str, entry: Entry, ttl_s: float) -> None:
        """Store the entry, which is of no use after `ttl_s` seconds. Ignores one that is too large."""
        whole = encoded(entry)
        if whole:
            args = (names.ENTRIES, self._hidden.digest(key), max(1, int(ttl_s * 1000)), whole[:1], whole[1:])
            self._note(await self._redis.run("keep", [names.GENERATION], args))

    async def cleared(self) -> str:
        """A word that changes when any process clears the store. It is asked for before every answer from memory.

        The generation, at most a second old.
        """
        now = self._clock.monotonic()
        if now - self._looked_at >= CLEARED_WITHIN_S:
            self._looked_at = now  # at once, so that of many concurrent calls one asks
            self._note(await self._redis.command("GET", names.GENERATION) or b"0")
        return self._generation

    async def clear(self) -> None:
        """Delete all entries, for every process.

        The new generation hides all entries at once; then they are deleted.
        """
        await self._redis.command("SET", names.GENERATION, secrets.token_hex(8))
        self._looked_at = -math.inf
        cursor: int | bytes = 0
        while True:
            cursor, keys = await self._redis.command("SCAN", cursor, "MATCH", f"{names.ENTRIES}*", "COUNT", _SCANNED)
            if keys:
                await self._redis.command("UNLINK", *keys)
            if not int(cursor):
                return

    async def size(self) -> StoreSize:
        """The place, contents and failures.

        Entries are not counted: the server would have to go through all of its keys.
        """
        return StoreSize(disk_faults=self._redis.faults, shared=self._redis.name, shared_hits=self._hits)

    async def close(self) -> None:
        """Nothing: the connection belongs to all that is shared."""

    def _read(self, said: object) -> Entry | None:
        """The entry of an answer; None if there is none, or something else. Raises Gone for no answer of the script."""
        if not isinstance(said, list) or len(said) != 3:
            raise Gone("answers with something else than its script does")
        generation, now, raw = said
        self._note(generation)
        try:
            age = float(now) - float(raw[1 : 1 + _TIME])
        except (ValueError, TypeError):
            return None
        if not 0 <= age < math.inf:
            return None
        return decoded(raw[:1] + raw[1 + _TIME :], self._clock.now() - age)

    def _note(self, generation: object) -> None:
        if isinstance(generation, bytes):
            self._generation = generation.hex()
            self._looked_at = self._clock.monotonic()
