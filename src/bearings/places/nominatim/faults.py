"""What can go wrong between us and a server, as typed errors. Nothing of an answer's text is in them."""

import ssl
from collections.abc import Iterator
from datetime import UTC
from email.utils import parsedate_to_datetime

import httpx2

from bearings.errors import BadResponse, BearingsError, Blocked, DeadlineExceeded, Unavailable, UpstreamError
from bearings.places.nominatim.retry import Passing

POLICY_URL = "https://operations.osmfoundation.org/policies/nominatim/"

_CHECK_URL = "Check NOMINATIM_BASE_URL: it is the address below which /search, /reverse and /status are."


def of_status(status: int, host: str, retry_after_s: float | None) -> UpstreamError | Passing:
    """What to raise for a status that is neither 200 nor one that the limiter takes (403, 429)."""
    if 300 <= status < 400:
        return BadResponse(
            f"{host} redirects elsewhere (HTTP {status}); redirects are not followed",
            "Set NOMINATIM_BASE_URL to the address where the server really is.",
        )
    if status in (401, 407):
        return Blocked(
            f"{host} asks for credentials (HTTP {status})", "Put them into NOMINATIM_BASE_URL, or ask its operator."
        )
    if status == 404:
        return BadResponse(f"{host} has no such page (HTTP 404)", _CHECK_URL)
    if status >= 500 or status == 408:
        down = Unavailable(
            f"{host} says that it can't answer now (HTTP {status})", "Try again later.", retry_after_s=retry_after_s
        )
        return down if retry_after_s else Passing(down)
    return BadResponse(f"{host} refused the request (HTTP {status})", "Report it, with the arguments of the call.")


def of_transport(error: httpx2.RequestError, host: str) -> BearingsError | Passing:
    """What to raise for a request that got no answer."""
    if isinstance(error, httpx2.TimeoutException):
        return too_slow(host)
    if any(isinstance(cause, ssl.SSLError) for cause in _causes(error)):
        return Unavailable(
            f"no secure connection to {host} could be made: TLS failed",
            "Check NOMINATIM_BASE_URL (http or https), this machine's clock and its certificates.",
        )
    if isinstance(error, httpx2.ConnectError | httpx2.ProxyError):
        return Unavailable(
            f"{host} can't be reached", "Check NOMINATIM_BASE_URL and this machine's network, then try again."
        )
    if isinstance(error, httpx2.NetworkError | httpx2.RemoteProtocolError):
        return Passing(Unavailable(f"{host} dropped the connection", "Try again later."))
    return BadResponse(f"{host} does not speak HTTP as it should", _CHECK_URL)


def too_slow(host: str) -> DeadlineExceeded:
    """The answer took longer than GEOCODER_TIMEOUT."""
    return DeadlineExceeded(
        f"{host} did not answer in time", "Try again later, ask for less, or raise GEOCODER_TIMEOUT."
    )


def not_json(host: str) -> BadResponse:
    """The answer is no JSON: a page of some other server, or half an answer."""
    return BadResponse(f"{host} sent something that is not JSON", _CHECK_URL)


def not_places(host: str) -> BadResponse:
    """The answer is JSON, but holds nothing that can be a place."""
    return BadResponse(f"{host} sent JSON that is not what Nominatim sends", _CHECK_URL)


def too_many(host: str, most: int) -> BadResponse:
    """The answer has more rows than anybody asked for."""
    return BadResponse(f"{host} sent more than {most} places, which nobody asked for", _CHECK_URL)


def refused(host: str) -> BadResponse:
    """The answer says "error" with HTTP 200."""
    return BadResponse(f"{host} answered with an error instead of places", "Try another query; if it stays, report it.")


def too_big(host: str, cap: int) -> BadResponse:
    """The answer is longer than any that makes sense."""
    return BadResponse(f"{host} sent more than {cap // 1_000_000} MB", "Ask for less, with a smaller limit.")


def retry_after_s(header: str | None, now: float) -> float | None:
    """The seconds that a Retry-After header asks for, as a number or a date; None where it says nothing sensible."""
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
    """The error and what it was raised from or in."""
    seen: BaseException | None = error
    for _ in range(10):
        if seen is None:
            return
        yield seen
        seen = seen.__cause__ or seen.__context__
