"""HTTP and network faults as errors: their class, their hints in the backend's words, and Retry-After."""

import httpx2
import pytest

from bearings.errors import BadResponse, BearingsError, Blocked, DeadlineExceeded, Unavailable
from bearings.places.remote import faults
from bearings.places.remote.retry import Transient
from tests.places.remote.conftest import a_server

SERVER = a_server()


@pytest.mark.parametrize(
    ("status", "error", "hint"),
    [
        (302, BadResponse, "Set GEO_URL to"),
        (401, Blocked, "into GEO_URL"),
        (404, BadResponse, "Check GEO_URL: it is the address below which /find are."),
        (418, BadResponse, "Report it"),
        (500, Transient, "Try again later."),
    ],
)
def test_a_status_is_an_error_whose_hint_names_the_backend_s_setting(
    status: int, error: type[Exception], hint: str
) -> None:
    found = faults.of_status(status, SERVER, None)
    assert type(found) is error
    told = found.error if isinstance(found, Transient) else found
    assert hint in told.hint
    assert SERVER.host in told.error


@pytest.mark.parametrize(
    ("low", "error", "hint"),
    [
        (httpx2.ConnectTimeout(""), DeadlineExceeded, "raise GEO_TIMEOUT"),
        (httpx2.ConnectError(""), Unavailable, "Check GEO_URL"),
        (httpx2.UnsupportedProtocol(""), BadResponse, "Check GEO_URL"),
    ],
)
def test_a_network_fault_is_an_error_whose_hint_names_the_backend_s_setting(
    low: httpx2.RequestError, error: type[BearingsError], hint: str
) -> None:
    found = faults.of_transport(low, SERVER)
    assert type(found) is error
    assert isinstance(found, BearingsError)
    assert hint in found.hint


def test_a_server_error_with_retry_after_is_not_retried() -> None:
    assert type(faults.of_status(503, SERVER, 9)) is Unavailable


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("120", 120),
        (" 0 ", 0),
        ("-5", None),
        ("1.5", None),
        ("soon", None),
        ("", None),
        ("²", None),
        ("9" * 400, 999_999_999_999),
        ("Fri, 15 Jan 2027 08:01:00 GMT", 60),
        ("Fri, 15 Jan 2027 08:01:00", 60),
        ("Fri, 15 Jan 2027 09:01:00 +0100", 60),
        ("Fri, 15 Jan 2021 08:01:00 GMT", 0),
        ("Fri, 15 Jan 99999 08:01:00 GMT", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(header: str | None, seconds: float | None) -> None:
    assert faults.retry_after_s(header, 1_800_000_000) == seconds
