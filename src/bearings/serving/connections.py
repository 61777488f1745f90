"""Share connections out between addresses and named tokens, with some always left for health.

A connection counts for its address until it carries a request with a valid named token; then it counts for that
token. So one client's silent connections never displace those of another token at the same address.

If an address, or all together, have reached their limit, a silent connection is dropped for a new one, in the order of
`DropOrder`. New connections are admitted up to twice the limit, so that a flood can't displace one that is about to
send its request. If no connection is silent, a new one goes to a reserve in which only `/health` is answered.
"""

import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

from bearings.serving.addresses import Proxies, address_of, key_of
from bearings.serving.peer import Peer

PLACE = "bearings.place"
"""The key of an ASGI scope for the Place of its connection."""

GRACE_S = 1.0
"""The time for which a new connection may be silent before it counts as unused."""

RESERVE_EACH = 8
RESERVE_ALL = 64


class Connection(Protocol):
    """A client's connection, as counted here."""

    @property
    def was_used(self) -> bool:
        """Whether a request ever arrived."""
        ...

    @property
    def silent(self) -> bool:
        """Whether no request is in progress: none has arrived completely, or the last one was answered."""
        ...

    def drop(self) -> None:
        """Close it at once."""
        ...


@dataclass(frozen=True, slots=True)
class Place:
    """The permitted use of a connection. `used_by` is called for each of its requests with a known peer."""

    only_health: bool
    used_by: Callable[[Peer], None]


class DropOrder(IntEnum):
    """Silent connections, in the order in which they are dropped."""

    UNUSED = 0
    """No request for GRACE_S."""
    IDLE = 1
    """The last request was answered."""
    NEW = 2


_ByKey = defaultdict[str, OrderedDict[Connection, float]]
"""Connections with their opening times, by the key of their address or token, the longest unused first."""


class Connections:
    """The open connections. A trusted proxy has no budget: its clients are counted by their requests."""

    def __init__(self, each: int, total: int, proxies: Proxies) -> None:
        self._each = each
        self._total = total
        self._proxies = proxies
        self._served: _ByKey = defaultdict(OrderedDict)
        self._reserve: _ByKey = defaultdict(OrderedDict)
        self._keys: dict[Connection, str] = {}
        """The key under which each connection is counted."""

    def opened(self, connection: Connection, host: str | None) -> Place:
        """Count a new connection from `host`."""
        address = address_of(host or "")
        key = key_of(address)
        is_proxy = self._proxies.trusts(address)
        has_room = is_proxy or self._has_room(key)
        if has_room and (_size(self._served) < self._total or self._drop_first(self._served, _largest(self._served))):
            self._add(self._served, key, connection)
            return Place(only_health=False, used_by=lambda peer: None if is_proxy else self._used(connection, peer))
        if len(self._reserve.get(key, ())) >= RESERVE_EACH:
            self._drop_first(self._reserve, [key])
        elif _size(self._reserve) >= RESERVE_ALL:
            self._drop_first(self._reserve, _largest(self._reserve))
        self._add(self._reserve, key, connection)
        return Place(only_health=True, used_by=lambda _: None)

    def closed(self, connection: Connection) -> None:
        """Remove a closed connection."""
        key = self._keys.pop(connection, "")
        for by_key in (self._served, self._reserve):
            if key in by_key:
                by_key[key].pop(connection, None)
                if not by_key[key]:
                    del by_key[key]

    def _used(self, connection: Connection, peer: Peer) -> None:
        """Count the connection for the peer's token, if that has fewer than `each`."""
        key = self._keys.get(connection)
        if key is None:
            return
        if peer.is_named and key != peer.key and len(self._served.get(peer.key, ())) < self._each:
            opened = self._served[key][connection]
            self.closed(connection)
            self._add(self._served, peer.key, connection, opened)
        else:
            self._served[key].move_to_end(connection)

    def _has_room(self, key: str) -> bool:
        """Whether the address may have one more connection, perhaps in place of a silent one."""
        held = self._served.get(key)
        if held is None or len(held) < self._each:
            return True
        first = _first_to_drop(held)
        if first is None:
            return False
        order, connection = first
        if order is not DropOrder.NEW or len(held) >= 2 * self._each:
            self._drop(connection)
        return True

    def _drop_first(self, by_key: _ByKey, keys: list[str]) -> bool:
        """Close a silent connection of the first of these keys that has one; returns whether there was one."""
        for key in keys:
            if first := _first_to_drop(by_key[key]):
                self._drop(first[1])
                return True
        return False

    def _add(self, by_key: _ByKey, key: str, connection: Connection, opened: float | None = None) -> None:
        by_key[key][connection] = time.monotonic() if opened is None else opened
        self._keys[connection] = key

    def _drop(self, connection: Connection) -> None:
        self.closed(connection)
        connection.drop()


def _first_to_drop(held: OrderedDict[Connection, float]) -> tuple[DropOrder, Connection] | None:
    """The silent connection to drop first, the longest unused among equals; None: no connection is silent."""
    late = time.monotonic() - GRACE_S
    best: tuple[DropOrder, Connection] | None = None
    for connection, opened in held.items():
        if not connection.silent:
            continue
        order = DropOrder.IDLE if connection.was_used else DropOrder.UNUSED if opened < late else DropOrder.NEW
        if order is DropOrder.UNUSED:
            return order, connection
        if best is None or order < best[0]:
            best = order, connection
    return best


def _largest(by_key: _ByKey) -> list[str]:
    """Keys, the one with the most connections first."""
    return sorted(by_key, key=lambda key: -len(by_key[key]))


def _size(by_key: _ByKey) -> int:
    return sum(len(held) for held in by_key.values())
