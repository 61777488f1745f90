"""The address of the shared server, from BEARINGS_SHARED. Its credentials appear in no message."""

from dataclasses import dataclass, field
from typing import NoReturn
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from bearings.errors import InvalidInput

SETTING = "BEARINGS_SHARED"

_SCHEMES = {"redis": "redis", "valkey": "redis", "rediss": "rediss", "valkeys": "rediss", "unix": "unix"}

_OPTIONS = frozenset(
    "db password ssl_ca_certs ssl_cert_reqs ssl_certfile ssl_keyfile ssl_check_hostname".split()
)  # fmt: skip
"""Arguments that may follow the question mark; redis-py would take any argument of its connections there."""

_DEFAULT_PORT = 6379


@dataclass(frozen=True, slots=True)
class Location:
    """A server: the URL as redis-py reads it, a name without credentials for people, and the password."""

    url: str = field(repr=False)
    name: str
    password: str = field(repr=False)


def located(text: str) -> Location:
    """The location that a setting describes. Raises InvalidInput, which shows nothing of the setting."""
    given = text.strip()
    try:
        url = urlsplit(given)
        port = url.port
    except ValueError:
        _refuse("is no URL")
    scheme = _SCHEMES.get(url.scheme)
    if scheme is None or not given.isprintable() or " " in given or url.fragment:
        _refuse("is not of the form that is read")
    options = dict(parse_qsl(url.query))
    if not options.keys() <= _OPTIONS:
        _refuse(f"has an option that is not one of {', '.join(sorted(_OPTIONS))}")
    name = _unix_name(url) if scheme == "unix" else _network_name(url, scheme, port)
    password = unquote(url.password) if url.password else options.get("password", "")
    return Location(scheme + given[len(url.scheme) :], name, password)


def _unix_name(url: SplitResult) -> str:
    if not url.path.startswith("/"):
        _refuse("has no path of a socket")
    return f"unix://{url.path}"


def _network_name(url: SplitResult, scheme: str, port: int | None) -> str:
    number = url.path.strip("/")
    if not url.hostname or (number and not (number.isascii() and number.isdigit())):
        _refuse("is not of the form that is read")
    host = f"[{url.hostname}]" if ":" in url.hostname else url.hostname
    return f"{scheme}://{host}:{port or _DEFAULT_PORT}/{number or 0}"


def _refuse(problem: str) -> NoReturn:
    remedy = "Use redis://USER:PASSWORD@HOST:6379/0, rediss://… for TLS, or unix:///PATH; %-encode the password."
    raise InvalidInput(SETTING, "…", problem, remedy)
