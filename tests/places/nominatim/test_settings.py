"""Valid and refused settings."""

from typing import Any

import pytest
from pydantic import ValidationError

from bearings.places.nominatim.settings import NominatimSettings
from tests.places.nominatim.conftest import settings


def test_nothing_set_is_the_public_server_at_its_pace() -> None:
    made = NominatimSettings()
    assert made.host == "nominatim.openstreetmap.org"
    assert made.is_public
    assert (made.interval_s, made.pace_was_raised) == (1.05, False)
    assert (made.email, made.user_agent, made.timeout) == (None, None, 30)
    assert (made.cache_ttl, made.cache_size, made.disk_bytes) == (3600, 1024, 100_000_000)


def test_a_server_or_a_contact_that_was_set_is_consent(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (NominatimSettings().own_url, NominatimSettings().consent) == (False, False)
    monkeypatch.setenv("NOMINATIM_EMAIL", "")
    monkeypatch.setenv("NOMINATIM_BASE_URL", "")
    assert (NominatimSettings().own_url, NominatimSettings().consent) == (False, False)
    monkeypatch.setenv("NOMINATIM_EMAIL", "me@example.org")
    monkeypatch.setenv("NOMINATIM_BASE_URL", "https://nominatim.openstreetmap.org")
    assert (NominatimSettings().own_url, NominatimSettings().consent) == (True, True)


def test_every_variable_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "NOMINATIM_BASE_URL": "http://me:pw@[::1]:8080/geo/",
        "NOMINATIM_EMAIL": " me@example.org ",
        "GEOCODER_USER_AGENT": "mine/1",
        "GEOCODER_RATE_LIMIT": "2.5",
        "GEOCODER_CACHE_TTL": "60",
        "GEOCODER_CACHE_SIZE": "10",
        "GEOCODER_CACHE_DISK": "1 GB",
        "GEOCODER_TIMEOUT": "5",
    }.items():
        monkeypatch.setenv(name, value)
    made = NominatimSettings()
    assert (made.base_url, made.host, made.is_public) == ("http://me:pw@[::1]:8080/geo", "[::1]:8080", False)
    assert (made.email, made.user_agent, made.interval_s) == ("me@example.org", "mine/1", 2.5)
    assert (made.cache_ttl, made.cache_size, made.disk_bytes, made.timeout) == (60, 10, 10**9, 5)


@pytest.mark.parametrize(
    ("url", "asked", "interval", "raised"),
    [
        ("https://nominatim.openstreetmap.org", 0.5, 1.05, True),
        ("https://nominatim.openstreetmap.org", 0, 1.05, True),
        ("HTTP://NOMINATIM.OpenStreetMap.org.:443/", 1, 1.05, True),
        ("https://nominatim.openstreetmap.org", 3, 3, False),
        ("https://geo.example.org", None, 0, False),
        ("https://geo.example.org", 0.2, 0.2, False),
    ],
)
def test_the_public_pace_can_be_slowed_but_not_hurried(
    url: str, asked: float | None, interval: float, raised: bool
) -> None:
    made = settings(base_url=url, rate_limit=asked)
    assert (made.interval_s, made.pace_was_raised) == (interval, raised)


@pytest.mark.parametrize(
    "url", ["", "geo.example.org", "ftp://x", "http://", "http://x?y", "http://x#y", "http://x:y", "http://a b"]
)
def test_a_malformed_server_address_is_refused(url: str) -> None:
    with pytest.raises(ValidationError, match=r"NOMINATIM_BASE_URL|base_url"):
        settings(base_url=url)


@pytest.mark.parametrize(
    "values",
    [
        {"email": "a\nb"},
        {"email": "yes"},
        {"email": "me@localhost"},
        {"email": "me@example.org, you@example.org"},
        {"user_agent": "süß"},
        {"rate_limit": -1},
        {"rate_limit": float("nan")},
        {"cache_ttl": -1},
        {"cache_size": -1},
        {"cache_disk": "much"},
        {"timeout": 0},
        {"timeout": float("inf")},
    ],
)
def test_impossible_values_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        settings(**values)


@pytest.mark.parametrize("off", ["off", "OFF", "0", "none", "false", 0])
def test_the_disk_can_be_switched_off(off: object) -> None:
    assert settings(cache_disk=off).disk_bytes == 0


@pytest.mark.parametrize(("url", "host"), [("https://x:443", "x"), ("http://x:443", "x:443"), ("http://x", "x")])
def test_the_usual_port_goes_without_saying(url: str, host: str) -> None:
    assert settings(base_url=url).host == host
