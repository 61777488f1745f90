"""Everything that one client shares with those of other replicas, over one connection."""

from dataclasses import dataclass

from bearings.clock import Clock
from bearings.places.remote.answer_store import AnswerStore
from bearings.places.remote.pace import LedgerStore
from bearings.places.remote.server import Server
from bearings.places.remote.shared.answers import RedisAnswers
from bearings.places.remote.shared.connection import Connection
from bearings.places.remote.shared.fallback import AnswersOrDisk, LedgerOrFile
from bearings.places.remote.shared.flights import RedisFlights
from bearings.places.remote.shared.ledger import RedisLedger
from bearings.places.remote.shared.location import located
from bearings.places.remote.shared.names import Hidden


@dataclass(frozen=True, slots=True)
class SharedStatus:
    """The shared server's name, without credentials, and why it can't be asked: a clause that follows the name."""

    name: str
    trouble: str | None


class Replicas:
    """The ledger, the answers and the flights that replicas share through the server of BEARINGS_SHARED.

    Connects with the first question. Raises InvalidInput for an unusable address, Unsupported without the extra.
    """

    def __init__(self, address: str, clock: Clock) -> None:
        location = located(address)
        hidden = Hidden(location.password)
        self._clock = clock
        self._redis = Connection(location, clock)
        self._answers = RedisAnswers(self._redis, hidden, clock)
        self.flights = RedisFlights(self._redis, hidden, clock)

    def ledger(self, server: Server, local: LedgerStore) -> LedgerStore:
        """The ledger of a server; `local` stands in while Redis is gone."""
        shared = RedisLedger(self._redis, server.host, server.interval_s, self._clock)
        return LedgerOrFile(shared, local, server, self._redis.name)

    def answers(self, local: AnswerStore | None) -> AnswerStore:
        """The answers of all replicas; `local` stands in while Redis is gone."""
        return AnswersOrDisk(self._answers, local, self._redis.name)

    def status(self) -> SharedStatus:
        """The state after the last question."""
        return SharedStatus(self._redis.name, self._redis.trouble)

    async def close(self) -> None:
        """Close the connections. Idempotent."""
        await self._redis.close()
