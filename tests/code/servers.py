"""Real code servers over stdio, and the processes that belong to them."""

import contextlib
import json
import os
import secrets
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

_MARK = "BEARINGS_TEST_MARK"


class ServerGone(Exception):
    """The server ended before it answered."""


class Server:
    """A server on pipes. Calls may be sent ahead; `answer` gives them by number, in whatever order they come."""

    def __init__(self, cache: Path, **settings: str) -> None:
        self.mark = secrets.token_hex(8)
        self.notices: list[dict[str, Any]] = []
        self._answers: dict[int, dict[str, Any]] = {}
        self._number = 0
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bearings", "code", "serve", "stdio"],
            env={**os.environ, "CODEREF_CACHE_DIR": str(cache), _MARK: self.mark, **settings},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        self.answer(self._send("initialize", hello))
        self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, tool: str, *, meta: dict[str, Any] | None = None, **arguments: Any) -> int:
        """Sends a call; its number."""
        extra = {"_meta": meta} if meta else {}
        return self._send("tools/call", {"name": tool, "arguments": arguments, **extra})

    def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """A call and its structured answer. Raises ServerGone."""
        return self.answer(self.call(tool, **arguments))

    def cancel(self, number: int) -> None:
        """Takes a call back."""
        self._write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})

    def answer(self, number: int) -> dict[str, Any]:
        """The reply to a call: its structured content if there is some. Raises ServerGone."""
        while number not in self._answers:
            message = self.next_message()
            if "id" in message and "method" not in message:
                self._answers[message["id"]] = message
        message = self._answers.pop(number)
        result: dict[str, Any] = message.get("result") or {"error": message.get("error")}
        content: dict[str, Any] = result.get("structuredContent", result)
        return content

    def next_message(self) -> dict[str, Any]:
        """The next message; notifications are kept. Raises ServerGone."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line.endswith(b"\n"):
            raise ServerGone
        message: dict[str, Any] = json.loads(line)
        if "id" not in message:
            self.notices.append(message)
        return message

    def processes(self) -> dict[int, str]:
        """The processes that belong to it and run: number → server, worker, helper, or another."""
        found = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdecimal():
                with contextlib.suppress(OSError):
                    if f"{_MARK}={self.mark}".encode() in (entry / "environ").read_bytes():
                        found[int(entry.name)] = _role((entry / "cmdline").read_bytes())
        return found

    def kill(self, role: str) -> int:
        """Kills one of its processes that has the role, as nothing can hinder; how many there were (0 or 1)."""
        for pid, has in self.processes().items():
            if has == role:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    return 1
        return 0

    def wait_until_gone(self) -> None:
        """Waits for its processes to end; TimeoutError if some don't."""
        waiting = threading.Event()
        for _ in range(600):
            if not self.processes():
                return
            waiting.wait(0.05)
        raise TimeoutError(str(self.processes()))

    def close(self) -> None:
        """Hangs up, and sees that all of it ends."""
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        self.process.wait(30)
        self.process.stdout.close()
        self.wait_until_gone()

    def _send(self, method: str, params: dict[str, Any]) -> int:
        self._number += 1
        self._write({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        return self._number

    def _write(self, message: dict[str, Any]) -> None:
        try:
            assert self.process.stdin is not None
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            raise ServerGone from None


def _role(command: bytes) -> str:
    for role, words in (("worker", b"engine.worker"), ("helper", b"code.helpers"), ("server", b"serve\0stdio")):
        if words in command:
            return role
    return command.decode("utf-8", "replace")
