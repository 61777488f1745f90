"""Reading an answer's body: bounded, also when it is compressed."""

import zlib
from collections.abc import AsyncIterator

import httpx2

from bearings.places.nominatim import faults

CAP_BYTES = 5_000_000
"""Forty places with addresses take 25 kB; a country's simplified border, some hundred."""

_ANY_ZLIB = 47  # zlib's window bits for "gzip or zlib, look at the header"


async def read(response: httpx2.Response, host: str, cap: int = CAP_BYTES) -> bytes:
    """The body of a streamed response. Raises BadResponse past `cap` bytes, unpacked, having held no more than that."""
    declared = response.headers.get("content-length", "")
    if declared.isascii() and declared.isdigit() and int(declared[:20]) > cap:
        raise faults.too_big(host, cap)
    encoding = response.headers.get("content-encoding", "identity").strip().casefold()
    if response.is_stream_consumed:  # by a transport that was handed in
        return await _joined(_once(response.content), host, cap)
    if encoding in ("", "identity"):
        return await _joined(response.aiter_raw(), host, cap)
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise faults.not_json(host)
    return await _unpacked(response.aiter_raw(), host, cap)


async def _joined(chunks: AsyncIterator[bytes], host: str, cap: int) -> bytes:
    body = bytearray()
    async for chunk in chunks:
        if len(body) + len(chunk) > cap:
            body.clear()  # the error's traceback keeps this frame until the garbage collector comes
            raise faults.too_big(host, cap)
        body += chunk
    return bytes(body)


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def _unpacked(chunks: AsyncIterator[bytes], host: str, cap: int) -> bytes:
    unpacker = zlib.decompressobj(_ANY_ZLIB)
    body = bytearray()
    try:
        async for chunk in chunks:
            body += unpacker.decompress(chunk, cap + 1 - len(body))
            if len(body) > cap:
                body.clear()
                raise faults.too_big(host, cap)
    except zlib.error as error:
        raise faults.not_json(host) from error
    if not unpacker.eof:
        raise faults.not_json(host)
    return bytes(body)
