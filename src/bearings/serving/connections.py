"""Shares connections out between addresses, with some always left for health.

Where an address, or all together, have as many as they may, a silent connection makes room for the next: first one on
which nothing was asked for a while, then an idle one. New ones are let in beyond the budget, up to its double, so that
a flood of them can't push out the one that is about to ask. Where none is silent, the next goes to a reserve in which
only `/health` is answered.
"""

import time
from collections import OrderedDict, defaultdict
from typing import Protocol

from bearings.serving.addresses import Proxies, address_of, key_of

GRACE_S = 1.0
"""A new connection may be silent for so long before it is taken for one that never asks anything."""

RESERVE_EACH = 8
RESERVE_ALL = 64


class Connection(Protocol):
    """A client's connection, as it is counted here."""

    @property
    def was_used(self) -> bool:
        """Whether a request ever came in."""
        ...

    @property
    def silent(self) -> bool:
        """Whether no request is being answered: none has come in whole yet, or the last was answered."""
        ...

    def drop(self) -> None:
        """Close it at once."""
        ...


_Shelf = defaultdict[str, OrderedDict[Connection, float]]
"""Connections and when they were opened, by the key of their address, the oldest first."""


class Connections:
    """Who is connected. A trusted proxy has no budget of its own: its clients are counted by their requests."""

    def __init__(self, each: int, total: int, proxies: Proxies) -> None:
        self._each = each
        self._total = total
        self._proxies = proxies
        self._served: _Shelf = defaultdict(OrderedDict)
        self._reserve: _Shelf = defaultdict(OrderedDict)

    def opened(self, connection: Connection, host: str | None) -> bool:
        """A client at `host` has connected; whether it may ask for more than health."""
        address = address_of(host or "")
        key = key_of(address)
        is_proxy = self._proxies.trusts(address)
        has_room = is_proxy or self._has_room(key)
        if has_room and (_size(self._served) < self._total or self._drop_first(self._served, _greediest(self._served))):
            self._served[key][connection] = time.monotonic()
            return True
        if len(self._reserve.get(key, ())) >= RESERVE_EACH:
            self._drop_first(self._reserve, [key])
        elif _size(self._reserve) >= RESERVE_ALL:
            self._drop_first(self._reserve, _greediest(self._reserve))
        self._reserve[key][connection] = time.monotonic()
        return False

    def _has_room(self, key: str) -> bool:
        """Whether the address may have one more, perhaps in place of a silent one."""
        held = self._served.get(key)
        if held is None or len(held) < self._each:
            return True
        found = _cheapest(held)
        if found is None:
            return False
        worth, connection = found
        if worth != _NEW or len(held) >= 2 * self._each:
            self._drop(self._served, key, connection)
        return True

    def closed(self, connection: Connection) -> None:
        """It is gone."""
        for shelf in (self._served, self._reserve):
            for key in [key for key, held in shelf.items() if connection in held]:
                self._take(shelf, key, connection)

    def _drop_first(self, shelf: _Shelf, keys: list[str]) -> bool:
        """Closes a silent connection of the first of these addresses that has one; whether there was one."""
        for key in keys:
            if found := _cheapest(shelf[key]):
                self._drop(shelf, key, found[1])
                return True
        return False

    def _drop(self, shelf: _Shelf, key: str, connection: Connection) -> None:
        self._take(shelf, key, connection)
        connection.drop()

    @staticmethod
    def _take(shelf: _Shelf, key: str, connection: Connection) -> None:
        shelf[key].pop(connection, None)
        if not shelf[key]:
            del shelf[key]


_LATE, _IDLE, _NEW = range(3)
"""What a silent connection is worth."""


def _cheapest(held: OrderedDict[Connection, float]) -> tuple[int, Connection] | None:
    """The silent connection that is worth least, of equals the oldest; None: no connection is silent."""
    late = time.monotonic() - GRACE_S
    best: tuple[int, Connection] | None = None
    for connection, opened in held.items():
        if not connection.silent:
            continue
        worth = _IDLE if connection.was_used else _LATE if opened < late else _NEW
        if worth == _LATE:
            return worth, connection
        if best is None or worth < best[0]:
            best = worth, connection
    return best


def _greediest(shelf: _Shelf) -> list[str]:
    """Addresses, the one with the most connections first."""
    return sorted(shelf, key=lambda key: -len(shelf[key]))


def _size(shelf: _Shelf) -> int:
    return sum(len(held) for held in shelf.values())
