"""Settings of the Nominatim backend: flags > environment > file > defaults."""

import re
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import BeforeValidator, ByteSize, Field, SecretStr, field_validator

from bearings.places import coverage
from bearings.places.coverage import Coverage
from bearings.settings import EnvSettings, Lowered, Refused, Taken, variables

PUBLIC_URL = "https://nominatim.openstreetmap.org"

PUBLIC_INTERVAL_S = 1.05
"""The policy allows the public server "an absolute maximum of 1 request per second"; the rest covers late wake-ups.

https://operations.osmfoundation.org/policies/nominatim/
"""

_ADDRESS = re.compile(r"[^@\s,;<>]+@[^@\s,;<>.]+(\.[^@\s,;<>.]+)+")

_PUBLIC_HOSTS = ("nominatim.openstreetmap.org", "nominatim.osm.org")


def _off(value: object) -> object:
    """Any spelling of "off"."""
    folded = value.strip().casefold() if isinstance(value, str) else value
    return "off" if folded in ("off", "0", "none", "no", "false", 0) else value


def contact_address(value: str | None) -> str | None:
    """A single address; None for none. Raises ValueError for other text.

    The server's operator must reach someone there, or may block all users of this program.
    """
    value = _header(value)
    if value is not None and not _ADDRESS.fullmatch(value):
        raise ValueError("use an address of yours, such as name@example.org")
    return value


def _header(value: str | None) -> str | None:
    """A value for a header: printable ASCII, without surrounding blanks; None for an empty one."""
    if value is not None and not (value.isascii() and value.isprintable()):
        raise ValueError("use one line of printable ASCII")
    return (value or "").strip() or None


class NominatimSettings(EnvSettings, alias_generator=variables("GEOCODER_")):
    """The server, the caller's identity, the pace, the deadline and the cache.

    Raises pydantic's ValidationError for impossible values.
    """

    base_url: Refused[str] = Field(
        PUBLIC_URL,
        validation_alias="NOMINATIM_BASE_URL",
        description="Nominatim server to ask; setting it is consent to ask it.",
    )
    email: Refused[str | None] = Field(
        None,
        validation_alias="NOMINATIM_EMAIL",
        description="Contact address, sent to the server; setting it is consent to ask the public server.",
    )
    user_agent: Refused[str | None] = Field(None, description="User-Agent; default: bearings/<version>.")
    # no value beats the default: 0 is the default on a private server, and the public one has its minimum
    rate_limit: Taken[float | None] = Field(
        None,
        ge=0,
        le=3600,
        allow_inf_nan=False,
        description="Seconds between requests; default: 1.05 on the public server (the least there), 0 on another.",
    )
    cache_ttl: Lowered[float] = Field(
        3600.0, ge=0, allow_inf_nan=False, description="Seconds that an answer stays in the cache."
    )
    cache_size: Lowered[int] = Field(1024, ge=0, description="Answers in the memory cache.")
    cache_disk: Lowered[Annotated[ByteSize | Literal["off"], BeforeValidator(_off)]] = Field(
        ByteSize(100_000_000), description='Bytes of answers on disk ("100 MB"), or "off": queries are private.'
    )
    timeout: Lowered[float] = Field(
        30.0,
        gt=0,
        le=3600,
        allow_inf_nan=False,
        description="Seconds that one answer may take, waiting for its turn not counted.",
    )

    # checked when it is used, by code that shows nothing of it: pydantic's errors have the value
    shared: Refused[SecretStr | None] = Field(
        None,
        validation_alias="BEARINGS_SHARED",
        description="Redis or Valkey server through which replicas share pace, answers and calls in flight: "
        "redis://USER:PASSWORD@HOST:6379/0, rediss://… or unix:///PATH.",
    )
    coverage: Refused[str | None] = Field(
        None,
        validation_alias="NOMINATIM_COVERAGE",
        description="What a server of your own has: west,south,east,north, or a GeoJSON file; default: the world.",
    )

    @field_validator("coverage")
    @classmethod
    def _readable(cls, value: str | None) -> str | None:
        """An empty value is none. Raises ValueError for what is no area."""
        if value is None or not value.strip():
            return None
        coverage.read(value.strip())
        return value.strip()

    def extent(self) -> Coverage | None:
        """The part of the world that the server has; None for all."""
        return None if self.coverage is None else coverage.read(self.coverage)

    @field_validator("base_url")
    @classmethod
    def _usable(cls, value: str) -> str:
        """The URL without a slash at its end."""
        url = urlsplit(value.strip())
        if (
            url.scheme not in ("http", "https")
            or not url.hostname
            or not url.netloc.isprintable()
            or " " in value.strip()
        ):
            raise ValueError("use https://HOST or http://HOST:PORT/PATH")
        if url.query or url.fragment:
            raise ValueError("use https://HOST or http://HOST:PORT/PATH, without ? and #")
        _ = url.port  # raises ValueError for an invalid port
        return url.geturl().rstrip("/")

    @field_validator("user_agent")
    @classmethod
    def _one_line(cls, value: str | None) -> str | None:
        """A valid header value."""
        return _header(value)

    @field_validator("email")
    @classmethod
    def _an_address(cls, value: str | None) -> str | None:
        """A valid contact address."""
        return contact_address(value)

    @property
    def host(self) -> str:
        """The server's name, with a port that is not the usual one; never a user or password."""
        url = urlsplit(self.base_url)
        host = url.hostname or ""
        host = f"[{host}]" if ":" in host else host
        return host if url.port in (None, {"http": 80, "https": 443}[url.scheme]) else f"{host}:{url.port}"

    @property
    def own_url(self) -> bool:
        """Whether a server was named, even the public one: that is consent to ask it."""
        return "base_url" in self.model_fields_set

    @property
    def consent(self) -> bool:
        """Whether a contact address was given: that is consent to ask the public server."""
        return self.email is not None

    @property
    def is_public(self) -> bool:
        """Whether it is the public server, whose policy requires consent and a pace."""
        return (urlsplit(self.base_url).hostname or "").rstrip(".") in _PUBLIC_HOSTS

    @property
    def interval_s(self) -> float:
        """Seconds between requests; on the public server at least the policy's minimum."""
        if self.is_public:
            return max(PUBLIC_INTERVAL_S, self.rate_limit or 0.0)
        return self.rate_limit or 0.0

    @property
    def pace_was_raised(self) -> bool:
        """Whether the requested pace is faster than the public server's policy allows."""
        return self.rate_limit is not None and self.rate_limit < self.interval_s

    @property
    def disk_bytes(self) -> int:
        """The size limit of the cache on disk; 0: no cache on disk."""
        return 0 if self.cache_disk == "off" else int(self.cache_disk)
