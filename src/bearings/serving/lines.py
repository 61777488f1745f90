"""Read stdin as messages for the SDK's session: one JSON text a line, with a size limit.

    descriptor 0 → pieces (a thread) → Lines → messages_of → Incoming, the session's read stream
                                                   └ Refusal → the session's write stream

The SDK's own reader decodes invalid UTF-8 into other text, splits lines at a lone carriage return, has no limit for a
line, and drops lines that it can't read.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator
from typing import Protocol

import anyio
from anyio.abc import ObjectReceiveStream
from anyio.to_thread import run_sync
from mcp.shared.message import SessionMessage
from mcp.types import INVALID_REQUEST, JSONRPCMessage

from bearings.serving.messages import MAX_MESSAGE_BYTES, Refusal, messages_of, refusals
from bearings.serving.outline import Outline

PIECE_BYTES = 64 * 1024
"""Bytes of one read: the capacity of a pipe on Linux."""

MAX_WAITING = 10_000
"""Refusals that wait for a slow client; then reading stops too, so memory is bounded."""


class Lines:
    """Splits bytes into lines and parses each. Of a line above the limit it keeps the outline only, to find its id."""

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
    """The part of the session's write stream that refusals need."""

    async def send(self, item: SessionMessage, /) -> None:
        """Write a message."""
        ...


class Incoming(ObjectReceiveStream[SessionMessage]):
    """The session's read stream (`mcp.shared`'s ReadStream) over a byte source; `send_refusals` runs beside it."""

    def __init__(self, read: Callable[[], bytes], at_end: Callable[[], None]) -> None:
        """`read` blocks until there are bytes, and returns none at the end of input; then `at_end` is called."""
        self._read = read
        self._at_end = at_end
        self._lines = Lines()
        self._ready: deque[JSONRPCMessage] = deque()
        self._ended = False
        self._to_refuse, self._refusals = anyio.create_memory_object_stream[SessionMessage](MAX_WAITING)
        self._all_refused = anyio.Event()

    async def send_refusals(self, replies: Replies) -> None:
        """Send refusals until the input ends. A task of its own, so that a client may write first and read later."""
        try:
            async with self._refusals:
                async for message in self._refusals:
                    await replies.send(message)
        finally:
            self._all_refused.set()

    async def receive(self) -> SessionMessage:
        """The next message for the session. Raises anyio.EndOfStream at the end of input, after all refusals."""
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
        """Block until there is input. A hostile line takes up to half a second, so this runs off the event loop."""
        piece = self._read()
        self._ended = not piece
        return list(self._lines.feed(piece)) if piece else self._lines.end()

    async def aclose(self) -> None:
        """Stop sending refusals; the descriptor belongs to the process and stays open."""
        await self._to_refuse.aclose()


def taken_stdin() -> Callable[[], bytes]:
    """Reserve descriptor 0 for the protocol: it becomes the null device, and the returned function reads the client.

    So no handler and no child process can take a part of a message.
    """
    wire = os.dup(0)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)

    def read() -> bytes:
        try:
            return os.read(wire, PIECE_BYTES)
        except OSError:  # a closed terminal
            return b""

    return read
