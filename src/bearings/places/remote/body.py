"""Read the body of a response within a size limit, compressed or not."""

import zlib
from collections.abc import AsyncIterator

import httpx2

from bearings.places.remote import faults
from bearings.places.remote.server import Server

CAP_BYTES = 5_000_000
"""The default limit. Forty places with addresses take 25 kB; a country's simplified border takes some 100 kB."""

_ANY_ZLIB = 47  # zlib's window bits for "gzip or zlib, look at the header"


async def read(response: httpx2.Response, server: Server, cap: int = CAP_BYTES) -> bytes:
    """Return the body of a streamed response. Raises BadResponse past `cap` unpacked bytes, and never holds more."""
    declared = response.headers.get("content-length", "")
    if declared.isascii() and declared.isdigit() and int(declared[:20]) > cap:
        raise faults.too_big(server, cap)
    encoding = response.headers.get("content-encoding", "identity").strip().casefold()
    if response.is_stream_consumed:  # by a test's transport
        return await _joined(_once(response.content), server, cap)
    if encoding in ("", "identity"):
        return await _joined(response.aiter_raw(), server, cap)
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise faults.not_json(server)
    unpacker = zlib.decompressobj(_ANY_ZLIB)
    body = bytearray()
    try:
        async for chunk in response.aiter_raw():
            body += unpacker.decompress(chunk, cap + 1 - len(body))
            if len(body) > cap:
                body.clear()
                raise faults.too_big(server, cap)
    except zlib.error as error:
        raise faults.not_json(server) from error
    if not unpacker.eof:
        raise faults.not_json(server)
    return bytes(body)


async def _joined(chunks: AsyncIterator[bytes], server: Server, cap: int) -> bytes:
    body = bytearray()
    async for chunk in chunks:
        if len(body) + len(chunk) > cap:
            body.clear()  # the error's traceback keeps this frame alive until the garbage collector runs
            raise faults.too_big(server, cap)
        body += chunk
    return bytes(body)


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content
