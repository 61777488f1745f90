"""A client that sends bytes of its choice to a real server over stdio, and keeps every reply with its time."""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "adversary", "version": "1"}}

ANSWERED_WITHIN_S = 20
"""The promise is a second; a test machine that is busy with other tests takes longer. Figures state the real times."""


class Peer:
    """A server process and the client's side of its pipes. A thread reads replies, so that none is lost."""

    def __init__(self, *words: str, errors: Path, reading: bool = True, **environment: str) -> None:
        """`words` follow `bearings`; what the server logs goes to the file `errors`."""
        self.replies: list[dict[str, Any]] = []
        self._times: list[float] = []
        self._news = threading.Condition()
        self._ended = False
        self.errors = errors
        with errors.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "bearings", *words],
                env={**_own_environment(), **environment},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
            )
        self._reader = threading.Thread(target=self._read, daemon=True)
        if reading:
            self.start_reading()

    def start_reading(self) -> None:
        """Read replies from now on, for a client that was told not to."""
        self._reader.start()

    def greet(self) -> None:
        """The handshake of the era of sessions."""
        self.request("hello", "initialize", HELLO)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def write(self, text: bytes) -> None:
        """Send bytes as they are."""
        assert self.process.stdin is not None
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def send(self, message: Any) -> None:
        """Send a message on a line."""
        self.write(json.dumps(message).encode() + b"\n")

    def request(self, number: int | str, method: str, params: Any = None) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        seen = len(self.replies)
        self.send({"jsonrpc": "2.0", "id": number, "method": method, **({} if params is None else {"params": params})})
        return self.wait_for(number, seen)

    def wait_for(self, number: object, seen: int = 0) -> dict[str, Any]:
        """The reply with this id, among those after the first `seen`."""
        until = time.monotonic() + ANSWERED_WITHIN_S
        with self._news:
            while True:
                for reply in self.replies[seen:]:
                    if "id" in reply and same(reply["id"], number):
                        return reply
                seen = len(self.replies)
                left = until - time.monotonic()
                if left <= 0 or self._ended:
                    raise AssertionError(f"no answer to {number!r} ({'ended' if self._ended else 'alive'})")
                self._news.wait(left)

    def answered_at(self, position: int) -> float:
        """When the reply at `position` came (`time.monotonic`)."""
        return self._times[position]

    def wait_for_count(self, count: int) -> None:
        """Wait for so many replies."""
        until = time.monotonic() + ANSWERED_WITHIN_S
        with self._news:
            while len(self.replies) < count:
                left = until - time.monotonic()
                if left <= 0 or self._ended:
                    raise AssertionError(f"{len(self.replies)} of {count} replies")
                self._news.wait(left)

    def forget(self, count: int) -> None:
        """Let go of the first `count` replies; their places stay."""
        with self._news:
            for position in range(count - 1, -1, -1):
                if not self.replies[position]:
                    break
                self.replies[position] = {}

    def memory_mb(self) -> float:
        """The server process's own memory, without the pages of mapped files (Linux; else 0)."""
        status = Path(f"/proc/{self.process.pid}/status")
        if not status.exists():
            return 0
        line = next(line for line in status.read_text().splitlines() if line.startswith("RssAnon"))
        return int(line.split()[1]) / 1024

    def close(self) -> int:
        """Hang up; the server's status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        status = self.process.wait(30)
        self._reader.join(30)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return status

    def __enter__(self) -> "Peer":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            pipe.close()

    def _read(self) -> None:
        """Every line of stdout must be one JSON object in UTF-8."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            reply = json.loads(line.decode("utf-8", "strict"))
            with self._news:
                self.replies.append(reply)
                self._times.append(time.monotonic())
                self._news.notify_all()
        with self._news:
            self._ended = True
            self._news.notify_all()


def same(one: object, other: object) -> bool:
    """Whether two ids are one: of the same type, too, as 1, 1.0 and true are equal in Python."""
    return type(one) is type(other) and one == other


def _own_environment() -> dict[str, str]:
    """This process's environment without settings that would send questions to a server."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("NOMINATIM_", "GEOCODER_"))}
