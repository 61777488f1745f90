"""Every fault of a server: the caller's error, no cached answer, and a next call that works.

These cases are the table in docs/nominatim.md (`BEARINGS_WRITE_DOCS=1` writes it).
"""

import asyncio
import gzip
import json
import os
import ssl
import tracemalloc
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import httpx2
import pytest
import trustme

from bearings.errors import BadResponse, BearingsError, Blocked, DeadlineExceeded, RateLimited, Unavailable
from bearings.places.models import Point, SearchQuery
from bearings.places.nominatim.source import NominatimSource
from bearings.places.remote import upstream
from tests.places.nominatim.conftest import MakeClient, row, settings
from tests.places.remote.conftest import FakeClock
from tests.places.remote.server import Asked, Behaviour, Server, answers, by_path, drops, says, serving

pytestmark = pytest.mark.anyio

SECRET = "INTERNAL-PAGE-TEXT"
HTML = f"<html><body><h1>{SECRET}</h1></body></html>"
QUERY = SearchQuery(text="Seaford")
DOCS = Path(__file__).parents[3] / "docs" / "nominatim.md"


async def drips(asked: Asked, writer: asyncio.StreamWriter) -> None:
    """Each byte comes before a read times out, but the body never ends."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    while not writer.is_closing():
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.02)


async def floods(asked: Asked, writer: asyncio.StreamWriter) -> None:
    """200 MB, in chunks that do not tell the size."""
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    chunk = b"100000\r\n" + b" " * 0x100000 + b"\r\n"
    for _ in range(200):
        writer.write(chunk)
        await writer.drain()
    writer.write(b"0\r\n\r\n")


async def boasts(asked: Asked, writer: asyncio.StreamWriter) -> None:
    """200 MB, according to the header."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 200000000\r\n\r\n[")
    await writer.drain()


async def breaks_off(asked: Asked, writer: asyncio.StreamWriter) -> None:
    """Half a body, then nothing."""
    writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[{"lat": ')
    await drops(asked, writer)


async def babbles(asked: Asked, writer: asyncio.StreamWriter) -> None:
    """Not HTTP."""
    writer.write(b"220 smtp.example.org ready\r\n")
    await drops(asked, writer)


@cache
def bomb() -> bytes:
    """200 MB, compressed by the first test that sends them."""
    return gzip.compress(b" " * 200_000_000, 6)


async def bursts(asked: Asked, writer: asyncio.StreamWriter) -> None:
    """A bomb."""
    await answers(200, bomb(), Content_Encoding="gzip")(asked, writer)


@dataclass(frozen=True)
class Fault:
    """A fault, its name in the docs, and the caller's error after that many `requests`."""

    name: str
    behave: Behaviour
    error: type[BearingsError]
    requests: int = 1
    retry_after_s: float | None = None


NOTHING_READABLE = [row(lat=None), row(display_name=None), {}]

FAULTS = [
    Fault("429", answers(429, HTML), RateLimited, retry_after_s=60),
    Fault("429 with Retry-After: 7", answers(429, HTML, Retry_After="7"), RateLimited, retry_after_s=7),
    Fault(
        "429 with Retry-After as a date",
        answers(429, HTML, Retry_After="Fri, 15 Jan 2027 08:02:00 GMT"),
        RateLimited,
        retry_after_s=120,
    ),
    Fault("429 with Retry-After of a day", answers(429, "", Retry_After="86400"), RateLimited, retry_after_s=3600),
    Fault("403", answers(403, HTML), Blocked, retry_after_s=900),
    Fault("401", answers(401, HTML), Blocked),
    Fault("400", answers(400, json.dumps({"error": {"code": 400, "message": SECRET}})), BadResponse),
    Fault("404", answers(404, HTML), BadResponse),
    Fault("500", answers(500, HTML), Unavailable, requests=2),
    Fault("502", answers(502, HTML), Unavailable, requests=2),
    Fault("503", answers(503, HTML), Unavailable, requests=2),
    Fault("503 with Retry-After: 9", answers(503, HTML, Retry_After="9"), Unavailable, retry_after_s=9),
    Fault('200 with {"error": "…"}', says({"error": SECRET}), BadResponse),
    Fault('200 with {"error": {…}}', says({"error": {"code": 500, "message": SECRET}}), BadResponse),
    Fault("HTML", answers(200, HTML, Content_Type="text/html"), BadResponse),
    Fault("truncated JSON", answers(200, json.dumps([row(name=SECRET)])[:-20]), BadResponse),
    Fault("empty body", answers(200, ""), BadResponse),
    Fault("null", says(None), BadResponse),
    Fault("a string", says(SECRET), BadResponse),
    Fault("a number", says(0), BadResponse),
    Fault("NaN as latitude", answers(200, json.dumps([row(lat=float("nan"))])), BadResponse),
    Fault("missing fields in every row", says(NOTHING_READABLE), BadResponse),
    Fault("redirect", answers(302, HTML, Location="http://127.0.0.1:9/elsewhere"), BadResponse),
    Fault("dropped connection", drops, Unavailable, requests=2),
    Fault("body breaks off", breaks_off, Unavailable, requests=2),
    Fault("not HTTP", babbles, Unavailable, requests=2),
    Fault("slow drip", drips, DeadlineExceeded),
    Fault("200 MB body", floods, BadResponse),
    Fault("200 MB body, declared", boasts, BadResponse),
    Fault("200 MB from 200 kB of gzip", bursts, BadResponse),
    Fault("gzip that is none", answers(200, HTML, Content_Encoding="gzip"), BadResponse),
    Fault("gzip cut short", answers(200, gzip.compress(b"[]")[:-4], Content_Encoding="gzip"), BadResponse),
    Fault("an encoding nobody asked for", answers(200, "[]", Content_Encoding="br"), BadResponse),
]


def is_clean(error: BearingsError) -> bool:
    """Whether a model can act on the error, and it has no text of the page."""
    text = json.dumps(error.body())
    return bool(error.error and error.hint) and SECRET not in text and "<" not in text and "Traceback" not in text


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
async def test_a_fault_is_a_typed_error_that_is_not_kept_and_the_next_call_works(
    fault: Fault, make_client: MakeClient, server: Server, clock: FakeClock
) -> None:
    client = make_client(server.url, timeout=1 if fault.behave is drips else 30)
    server.behave = fault.behave
    with pytest.raises(BearingsError) as caught:
        await client.search(QUERY)
    assert type(caught.value) is fault.error
    assert is_clean(caught.value)
    assert caught.value.retry_after_s == fault.retry_after_s
    assert len(server.asked) == fault.requests
    stats = await client.cache_stats()
    assert (stats.size, stats.disk_size) == (0, 0)
    server.behave = says([row()])
    clock.time += 4000
    assert (await client.search(QUERY)).value.places


TOLERATED: list[tuple[str, Any]] = [
    ("short boundingbox", row(boundingbox=["51.75", "51.8"])),
    ("NaN in boundingbox", row(boundingbox=["nan", "51.8", "0.89", "0.95"])),
    ("address values that are no text", row(address={"town": 1, "county": None, "state": ["x"]})),
    ("osm_id that is no number", row(osm_id="x")),
    ("an integer as name", row(name=3)),
]


@pytest.mark.parametrize(("name", "bad"), TOLERATED, ids=[name for name, _ in TOLERATED])
async def test_a_field_that_makes_no_sense_is_done_without(
    name: str, bad: dict[str, Any], make_client: MakeClient, server: Server
) -> None:
    server.behave = says([bad, {"lat": 1}])
    found = await make_client(server.url).search(QUERY)
    assert (len(found.value.places), found.value.skipped) == (1, 1)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
async def test_the_same_faults_meet_a_reverse_lookup(fault: Fault, make_client: MakeClient, server: Server) -> None:
    if fault.behave in (drips, floods):
        return
    server.behave = fault.behave
    with pytest.raises(BearingsError) as caught:
        await make_client(server.url).reverse(Point(1, 2), zoom=18, language="en")
    assert type(caught.value) is fault.error
    assert is_clean(caught.value)


OTHERS = ("reverse", "admin", "lookup", "nearby")
"""Questions that go the same way; each meets a part of the faults, and together they meet all."""


@pytest.mark.parametrize(
    ("question", "fault"),
    [
        *(("search", fault) for fault in FAULTS),
        *((question, fault) for at, question in enumerate(OTHERS) for fault in FAULTS[at :: len(OTHERS)]),
    ],
    ids=lambda value: value.name if isinstance(value, Fault) else value,
)
async def test_every_question_to_the_source_fails_as_the_contract_says(
    question: str, fault: Fault, make_client: MakeClient, server: Server
) -> None:
    if fault.behave in (drips, floods):
        return
    server.behave = fault.behave
    source = NominatimSource(make_client(server.url), settings(base_url=server.url))
    asked = {
        "search": lambda: source.search(QUERY),
        "reverse": lambda: source.reverse(Point(1, 2), zoom=18, language="en"),
        "admin": lambda: source.admin(Point(1, 2), language="en"),
        "lookup": lambda: source.lookup(["R1"], language="en"),
        "nearby": lambda: source.nearby(Point(1, 2), radius_m=9, categories=["shop"], limit=1, language="en"),
    }
    with pytest.raises(BearingsError) as caught:
        await asked[question]()
    assert is_clean(caught.value)
    assert (await source.status()).counters["cache_size"] == 0


# Faults below HTTP


def certificate() -> ssl.SSLContext:
    """A certificate of an untrusted authority."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("127.0.0.1").configure_cert(context)
    return context


def fails_with(error: httpx2.RequestError) -> httpx2.AsyncBaseTransport:
    """A transport that raises the error."""

    def handle(_request: httpx2.Request) -> httpx2.Response:
        raise error

    return httpx2.MockTransport(handle)


async def test_an_untrusted_certificate_is_a_tls_failure(make_client: MakeClient) -> None:
    async with serving(says([row()]), certificate()) as server:
        with pytest.raises(Unavailable, match="TLS") as caught:
            await make_client(server.url).search(QUERY)
        assert server.asked == []
    assert is_clean(caught.value)


async def test_a_closed_port_is_unavailable(make_client: MakeClient) -> None:
    async with serving(says([])) as gone:
        url = gone.url
    with pytest.raises(Unavailable, match="can't be reached"):
        await make_client(url).search(QUERY)


LOW: list[tuple[str, httpx2.RequestError, type[BearingsError]]] = [
    ("DNS failure", httpx2.ConnectError("[Errno -2] Name or service not known"), Unavailable),
    ("connect timeout", httpx2.ConnectTimeout(""), DeadlineExceeded),
    ("read timeout", httpx2.ReadTimeout(""), DeadlineExceeded),
    ("proxy failure", httpx2.ProxyError("407"), Unavailable),
    ("connection reset", httpx2.ReadError(""), Unavailable),
    ("unsupported protocol", httpx2.UnsupportedProtocol(""), BadResponse),
]


@pytest.mark.parametrize(("name", "low", "error"), LOW, ids=[name for name, _, _ in LOW])
async def test_a_network_fault_is_a_typed_error(
    name: str, low: httpx2.RequestError, error: type[BearingsError], make_client: MakeClient
) -> None:
    with pytest.raises(BearingsError) as caught:
        await make_client(transport=fails_with(low)).search(QUERY)
    assert type(caught.value) is error
    assert is_clean(caught.value)


async def test_a_flood_is_cut_off_and_memory_stays_flat(make_client: MakeClient, server: Server) -> None:
    client = make_client(server.url)
    bomb()  # its memory is not counted
    for behave in (floods, bursts):
        server.behave = behave
        tracemalloc.start()
        with pytest.raises(BadResponse, match="5 MB"):
            await client.search(QUERY)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 5 * upstream.CAP_BYTES


@pytest.mark.slow
async def test_hundreds_of_faults_leave_no_connection_open(make_client: MakeClient, server: Server) -> None:
    client = make_client(server.url)
    server.behave = answers(404, HTML)
    for number in range(300):
        with pytest.raises(BadResponse):
            await client.search(SearchQuery(text=f"place {number}"))
    assert server.open_connections <= 4


async def test_a_status_with_a_database_that_is_down(make_client: MakeClient, server: Server) -> None:
    server.behave = by_path(status=answers(500, HTML))
    with pytest.raises(Unavailable):
        await make_client(server.url).status()
    server.behave = by_path(status=says([]))
    with pytest.raises(BadResponse):
        await make_client(server.url).status()


# The table in the docs


def table() -> str:
    """Every fault with its error."""
    lines = ["| fault | `code` | `retryable` | `retry_after_s` | requests |", "| --- | --- | --- | --- | --- |"]
    for fault in FAULTS:
        wait = "" if fault.retry_after_s is None else f"{fault.retry_after_s:g}"
        retryable = "yes" if fault.error.retryable else "no"
        lines.append(f"| {fault.name} | `{fault.error.code}` | {retryable} | {wait} | {fault.requests} |")
    below: list[tuple[str, type[BearingsError]]] = [
        ("TLS failure", Unavailable),
        *((name, error) for name, _, error in LOW),
    ]
    for name, error in below:
        lines.append(f"| {name} | `{error.code}` | {'yes' if error.retryable else 'no'} | | |")
    lines += [f"| {name} | none: the row is kept without it | | | 1 |" for name, _ in TOLERATED]
    return "\n".join(lines)


def test_the_table_in_the_docs_matches_these_tests() -> None:
    begin, end = "<!-- faults -->\n", "\n<!-- /faults -->"
    page = DOCS.read_text("utf-8")
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    if os.environ.get("BEARINGS_WRITE_DOCS"):
        DOCS.write_text(before + begin + table() + end + after, "utf-8")
    assert table() in DOCS.read_text("utf-8")
