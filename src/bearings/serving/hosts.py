"""The `Host` and `Origin` that a request may carry, so that no web page reaches the server through a browser.

Both are parsed before comparison: case, a port, a final dot and the spelling of an IPv6 address make no difference.
User information, a path, or a longer name with the same beginning is refused.
"""

import ipaddress
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from starlette.types import ASGIApp, Receive, Scope, Send

from bearings.errors import Forbidden, InvalidInput, shown
from bearings.serving.refusal import refuse

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9._-]{0,253}))(?::([0-9]{1,5}|\*))?", re.ASCII)
_ORIGIN = re.compile(r"(https?)://([^/?#@\\\s]+)", re.ASCII)
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Host:
    """A host: its name in lower case, or its address as Python writes it. Port None: none was given; 0: any."""

    name: str
    port: int | None = None

    @classmethod
    def parsed(cls, text: str) -> "Host | None":
        """None for text that is no host. `*` is any port."""
        match = _HOST.fullmatch(text.lower())
        if match is None:
            return None
        name, port = match[1].removesuffix("."), match[2]
        if port is not None and port != "*" and not 0 < int(port) < 65536:
            return None
        if name.startswith("["):
            try:
                name = str(ipaddress.IPv6Address(name[1:-1]))
            except ValueError:
                return None
        return cls(name, None if port is None else 0 if port == "*" else int(port)) if name else None

    def admits(self, other: "Host") -> bool:
        """Whether `other` is this host; an allowed host without a port covers every port."""
        return self.name == other.name and (not self.port or self.port == other.port)


@dataclass(frozen=True, slots=True)
class Origin:
    """A web origin: scheme and host, always with a port; port 0: any."""

    scheme: str
    host: Host

    @classmethod
    def parsed(cls, text: str) -> "Origin | None":
        """None for text that is no http(s) origin, such as `null`."""
        match = _ORIGIN.fullmatch(text.lower())
        host = Host.parsed(match[2]) if match else None
        if match is None or host is None:
            return None
        return cls(match[1], Host(host.name, _PORTS[match[1]] if host.port is None else host.port))

    def admits(self, other: "Origin") -> bool:
        """Whether `other` is this origin."""
        return self.scheme == other.scheme and self.host.admits(other.host)


_Name = TypeVar("_Name", Host, Origin)


def no_request(_: Scope) -> bool:
    """Whether a request is one of none."""
    return False


@dataclass(frozen=True, slots=True)
class Names:
    """The hosts and origins that requests may name; None: any.

    `from_own_pages`: requests that come from pages of the server; their origin may also be the host that they name.
    """

    hosts: tuple[Host, ...] | None
    origins: tuple[Origin, ...] | None
    from_own_pages: Callable[[Scope], bool] = no_request

    @classmethod
    def of(cls, hosts: str, origins: str, *, loopback: bool) -> "Names":
        """From the settings; on loopback, its own names too. Raises InvalidInput."""
        own = [Host(name) for name in LOOPBACK_NAMES] if loopback else []
        local = [Origin("http", Host(name, 0)) for name in LOOPBACK_NAMES] if loopback else []
        named = _listed(hosts, Host, "BEARINGS_ALLOWED_HOSTS", "names", "mcp.example.org,[2001:db8::1]:8443")
        example = "https://app.example.org,http://localhost:*"
        known = _listed(origins, Origin, "BEARINGS_ALLOWED_ORIGINS", "origins", example)
        return cls((*own, *named) if loopback or named else None, (*local, *known) if loopback or known else None)

    def problem(self, scope: Any) -> tuple[int, str, str] | None:
        """Status, problem and remedy of a refused request; None for an allowed one."""
        sent = _header(scope, b"host")
        host = Host.parsed(sent[0]) if len(sent) == 1 else None
        if self.hosts is not None and not (host and any(allowed.admits(host) for allowed in self.hosts)):
            return 421, f"Host = {shown(', '.join(sent))}: is not allowed", "BEARINGS_ALLOWED_HOSTS adds it."
        if self.hosts is not None and self.from_own_pages(scope) and is_same_origin(scope):
            return None
        for text in _header(scope, b"origin") if self.origins is not None else ():
            origin = Origin.parsed(text)
            if origin is None or not any(allowed.admits(origin) for allowed in self.origins or ()):
                return 403, f"Origin = {shown(text)}: is not allowed", "BEARINGS_ALLOWED_ORIGINS adds it."
        return None


def is_same_origin(scope: Any) -> bool:
    """Whether a request comes from a page of the server that it names, or from no page.

    The scheme is not compared: a proxy may have ended TLS.
    """
    origins = _header(scope, b"origin")
    if not origins:
        return True
    hosts = _header(scope, b"host")
    origin, host = Origin.parsed(origins[0]), Host.parsed(hosts[0]) if hosts else None
    if len(origins) > 1 or len(hosts) > 1 or origin is None or host is None:
        return False
    return origin.host == Host(host.name, _PORTS[origin.scheme] if host.port is None else host.port)


def _header(scope: Any, wanted: bytes) -> list[str]:
    return [value.decode("latin-1") for name, value in scope["headers"] if name == wanted]


def _listed(text: str, kind: type[_Name], variable: str, several: str, example: str) -> list[_Name]:
    """The hosts or origins of a setting. Raises InvalidInput."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if "*" in parts:
        raise InvalidInput(variable, text, "allows everything", "Name each host, such as mcp.example.org.")
    parsed = [(part, kind.parsed(part)) for part in parts]
    if wrong := [part for part, name in parsed if name is None]:
        remedy = f"Write {several} with commas between them, as in {example}."
        raise InvalidInput(variable, wrong[0], f"is no {kind.__name__.lower()}", remedy)
    return [name for _, name in parsed if name is not None]


class HostGuard:
    """Refuses requests with another `Host` (421) or `Origin` (403)."""

    def __init__(self, app: ASGIApp, names: Names) -> None:
        self._app = app
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        problem = self._names.problem(scope) if scope["type"] == "http" else None
        if problem is None:
            await self._app(scope, receive, send)
            return
        status, error, hint = problem
        await refuse(Forbidden(error, f"The server's operator allows it: {hint}"), status, scope, receive, send)
