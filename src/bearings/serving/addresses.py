"""The address that a request comes from: the connection's, or the one that a trusted proxy reports."""

import ipaddress
import re
from collections.abc import Iterable
from typing import Any

from bearings.errors import InvalidInput

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

MAX_HOPS = 32
"""Addresses of `X-Forwarded-For` to read, from the right."""

IPV6_PREFIX = 64
"""Bits of an IPv6 address that tell clients apart: one client usually has a whole /64."""

UNKNOWN = "unknown"
"""The key of a client without an IP address."""

_WITH_PORT = re.compile(r"\[([0-9A-Fa-f:.]+)\](?::[0-9]{1,5})?|([0-9.]+):[0-9]{1,5}")
_FORWARDED = b"x-forwarded-for"


def address_of(text: str) -> Address | None:
    """The address in `text`, with or without a port, as some proxies report it; None for other text."""
    match = _WITH_PORT.fullmatch(text)
    try:
        address = ipaddress.ip_address((match[1] or match[2]) if match else text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a socket bound to `host`."""
    address = address_of(host.strip("[]"))
    return address.is_loopback if address else host == "localhost"


def key_of(address: Address | None) -> str:
    """The key that counts a client without a token."""
    if address is None:
        return UNKNOWN
    if isinstance(address, ipaddress.IPv6Address) and not address.is_loopback:
        return str(ipaddress.ip_network((int(address), IPV6_PREFIX), strict=False))
    return str(address)


class Proxies:
    """Proxies that are trusted to report a client's address."""

    def __init__(self, networks: Iterable[ipaddress.IPv4Network | ipaddress.IPv6Network] = ()) -> None:
        self._networks = tuple(networks)

    @classmethod
    def parsed(cls, text: str) -> "Proxies":
        """From comma-separated addresses and networks. Raises InvalidInput."""
        networks = []
        for part in filter(None, (part.strip() for part in text.split(","))):
            try:
                networks.append(ipaddress.ip_network(part))
            except ValueError as error:
                remedy = "Write addresses or networks, as in 127.0.0.1,10.0.0.0/8."
                raise InvalidInput("BEARINGS_TRUSTED_PROXIES", part, f"is no network ({error})", remedy) from None
        return cls(networks)

    def trusts(self, address: Address | None) -> bool:
        """Whether the address is a proxy's."""
        return address is not None and any(address in network for network in self._networks)

    def client(self, scope: Any) -> Address | None:
        """The client's address of an ASGI request: the rightmost that is not a proxy's.

        A hop without an address ends the walk: no trusted proxy wrote the hops to its left.
        """
        current = connection_address(scope)
        if not self.trusts(current):
            return current
        for hop in _hops(scope):
            address = address_of(hop)
            if address is None:
                return current
            current = address
            if not self.trusts(current):
                return current
        return current


def connection_address(scope: Any) -> Address | None:
    """The address at the other end of the request's connection."""
    client = scope.get("client")
    return address_of(str(client[0])) if client else None


def is_forwarded(scope: Any) -> bool:
    """Whether a proxy, trusted or not, claims to forward the request."""
    return any(name in (_FORWARDED, b"forwarded", b"via", b"x-real-ip") for name, _ in scope["headers"])


def _hops(scope: Any) -> list[str]:
    """The hops of `X-Forwarded-For`, nearest first."""
    values = [value.decode("latin-1") for name, value in scope["headers"] if name == _FORWARDED]
    hops = [hop.strip() for hop in ",".join(values).rsplit(",", MAX_HOPS)]
    return hops[::-1][:MAX_HOPS]
