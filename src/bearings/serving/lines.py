"""The bytes of stdin as messages for the SDK's session: one JSON text a line, each line's size bounded.

    descriptor 0 → pieces (a thread) → Lines → messages_of → Incoming, the session's read stream
                                                   └ Refusal → the session's write stream

The SDK's own reader decodes bytes that are not UTF-8 into other text, cuts lines at a lone carriage return, holds a
line of any length, and drops what it can't read.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Protocol

import anyio
from anyio.to_thread import run_sync
from mcp.shared.message import SessionMessage
from mcp.types import INVALID_REQUEST, JSONRPCMessage

from bearings.serving.messages import MAX_MESSAGE_BYTES, Refusal, messages_of, refusals
from bearings.serving.outline import Outline

PIECE_BYTES = 64 * 1024
"""Bytes that are read at once: what a pipe holds on Linux."""

MAX_WAITING = 10_000
"""Refusals that wait for the client to read; then its own writing waits, so memory is bounded."""


class Lines:
    """Cuts bytes into lines and reads each. Of a line above the limit, only its outline is kept, to find its id."""

    def __init__(self, limit: int = MAX_MESSAGE_BYTES) -> None:
        self._limit = limit
        self._line = bytearray()
        self._outline: Outline | None = None

    def feed(self, piece: bytes) -> Iterator[JSONRPCMessage]:
        """The messages of all lines that end in `piece`, in order."""
        *ends, rest = piece.split(b"\n")
        for end in ends:
            self._add(end)
            yield from self.end()
        self._add(rest)

    def end(self) -> list[JSONRPCMessage]:
        """The messages of the line that ends here."""
        if self._outline is None:
            text = bytes(self._line)
            self._line.clear()
            return messages_of(text)
        ids, self._outline = self._outline.ids(), None
        return refusals(ids, INVALID_REQUEST, f"Invalid request: it is longer than {self._limit:,} bytes")

    def _add(self, part: bytes) -> None:
        if self._outline is None and len(self._line) + len(part) > self._limit:
            self._outline = Outline()
            self._outline.feed(bytes(self._line))
            self._line = bytearray()  # `clear` would keep the memory
        if self._outline is not None:
            self._outline.feed(part)
        else:
            self._line += part


class Replies(Protocol):
    """The session's write stream, as far as refusals need it."""

    async def send(self, item: SessionMessage, /) -> None:
        """Write a message."""
        ...


class Incoming:
    """The session's read stream (`mcp.shared`'s ReadStream) over a source of bytes; `send_refusals` runs beside it."""

    def __init__(self, read: Callable[[], bytes], at_end: Callable[[], None]) -> None:
        """`read` blocks until there are bytes, and gives none at the end of input; then `at_end` is called."""
        self._read = read
        self._at_end = at_end
        self._lines = Lines()
        self._ready: deque[JSONRPCMessage] = deque()
        self._ended = False
        self._to_refuse, self._refusals = anyio.create_memory_object_stream[SessionMessage](MAX_WAITING)
        self._all_refused = anyio.Event()

    async def send_refusals(self, replies: Replies) -> None:
        """Send refusals until the input ends: a task of its own, so that a client may write first and read later."""
        try:
            async with self._refusals:
                async for message in self._refusals:
                    await replies.send(message)
        finally:
            self._all_refused.set()

    async def receive(self) -> SessionMessage:
        """The next message for the session. Raises anyio.EndOfStream when the input has ended, all refusals sent."""
        while True:
            while self._ready:
                message = SessionMessage(self._ready.popleft())
                if not isinstance(message.message, Refusal):
                    return message
                await self._to_refuse.send(message)
            if self._ended:
                self._at_end()
                await self._to_refuse.aclose()
                await self._all_refused.wait()
                raise anyio.EndOfStream
            self._ready.extend(await run_sync(self._more))

    def _more(self) -> list[JSONRPCMessage]:
        """Blocks until there is input. A hostile line takes up to half a second, so it is read off the event loop."""
        piece = self._read()
        self._ended = not piece
        return list(self._lines.feed(piece)) if piece else self._lines.end()

    def __aiter__(self) -> "Incoming":
        return self

    async def __anext__(self) -> SessionMessage:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> "Incoming":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Refuse no more; the descriptor is the process's and stays open."""
        await self._to_refuse.aclose()


def taken_stdin() -> Callable[[], bytes]:
    """Take descriptor 0 for the protocol: it becomes the null device, and the function returned reads the client.

    So no handler and no child process can take a part of a message.
    """
    wire = os.dup(0)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)

    def read() -> bytes:
        try:
            return os.read(wire, PIECE_BYTES)
        except OSError:  # a terminal that was closed
            return b""

    return read
