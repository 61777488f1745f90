"""HTTP and network faults as typed errors. No error carries text of the server's answer."""

import ssl
from collections.abc import Iterator
from datetime import UTC
from email.utils import parsedate_to_datetime

import httpx2

from bearings.errors import BadResponse, BearingsError, Blocked, DeadlineExceeded, Unavailable, UpstreamError
from bearings.places.remote.retry import Transient
from bearings.places.remote.server import Server


def of_status(status: int, server: Server, retry_after_s: float | None) -> UpstreamError | Transient:
    """The error for a status other than 200 and those that the limiter handles (403, 429)."""
    host, setting = server.host, server.remedies.url_setting
    if 300 <= status < 400:
        return BadResponse(
            f"{host} redirects elsewhere (HTTP {status}); redirects are not followed",
            f"Set {setting} to the address where the server really is.",
        )
    if status in (401, 407):
        return Blocked(f"{host} asks for credentials (HTTP {status})", f"Put them into {setting}, or ask its operator.")
    if status == 404:
        return BadResponse(f"{host} has no such page (HTTP 404)", server.remedies.check_url)
    if status >= 500 or status == 408:
        down = Unavailable(
            f"{host} says that it can't answer now (HTTP {status})", "Try again later.", retry_after_s=retry_after_s
        )
        return down if retry_after_s else Transient(down)
    return BadResponse(f"{host} refused the request (HTTP {status})", "Report it, with the arguments of the call.")


def of_transport(error: httpx2.RequestError, server: Server) -> BearingsError | Transient:
    """The error for a request that got no answer."""
    host, setting = server.host, server.remedies.url_setting
    if isinstance(error, httpx2.TimeoutException):
        return too_slow(server)
    if any(isinstance(cause, ssl.SSLError) for cause in _causes(error)):
        return Unavailable(
            f"no secure connection to {host} could be made: TLS failed",
            f"Check {setting} (http or https), this machine's clock and its certificates.",
        )
    if isinstance(error, httpx2.ConnectError | httpx2.ProxyError):
        return Unavailable(f"{host} can't be reached", f"Check {setting} and this machine's network, then try again.")
    if isinstance(error, httpx2.NetworkError | httpx2.RemoteProtocolError):
        return Transient(Unavailable(f"{host} dropped the connection", "Try again later."))
    return BadResponse(f"{host} does not speak HTTP as it should", server.remedies.check_url)


def too_slow(server: Server) -> DeadlineExceeded:
    """The answer took longer than the server's `timeout_s`."""
    return DeadlineExceeded(
        f"{server.host} did not answer in time",
        f"Try again later, ask for less, or raise {server.remedies.timeout_setting}.",
    )


def not_json(server: Server) -> BadResponse:
    """The body is not JSON, breaks off, or has an encoding that was not asked for."""
    return BadResponse(f"{server.host} sent something that is not JSON", server.remedies.check_url)


def too_big(server: Server, cap: int) -> BadResponse:
    """The body is larger than the limit."""
    return BadResponse(f"{server.host} sent more than {cap // 1_000_000} MB", "Ask for less, with a smaller limit.")


def retry_after_s(header: str | None, now: float) -> float | None:
    """The seconds that a Retry-After header asks for, as a number or a date; None if it is missing or malformed."""
    if header is None:
        return None
    text = header.strip()
    if text.isascii() and text.isdigit():
        return float(text[:12])
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, aware.timestamp() - now)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and the chain of its causes and contexts."""
    seen: BaseException | None = error
    for _ in range(10):
        if seen is None:
            return
        yield seen
        seen = seen.__cause__ or seen.__context__
