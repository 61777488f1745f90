"""Lines over stdio, as bytes: what a server says to a client, to the letter."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

RECORDED = Path(__file__).with_name("recorded.jsonl")
"""The answers of `tests.explore.fixture_server` to `ASKED`, from before it had any notion of views."""

ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("tools/list", {}),
    ("tools/call", {"name": "look", "arguments": {}}),
    ("tools/call", {"name": "look", "arguments": {"output_mode": "text"}}),
    ("tools/call", {"name": "look", "arguments": {"what": "nothing"}}),
    ("tools/call", {"name": "look", "arguments": {"whom": "me"}}),
    ("tools/call", {"name": "listen", "arguments": {}}),
)
APPS = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
"""The capabilities of a client that shows views."""

_CLIENT = {"name": "t", "version": "1"}


def sessions(capabilities: dict[str, Any], asked: Sequence[tuple[str, dict[str, Any]]] = ASKED) -> list[bytes]:
    """The answers in a session of 2025-11-25, and then those to requests of 2026-07-28, which stand alone."""
    hello = {"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": _CLIENT}
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": _CLIENT,
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    }
    with_meta = [(method, {**params, "_meta": meta}) for method, params in asked]
    return answers([("initialize", hello), ("notifications/initialized", {}), *asked])[1:] + answers(with_meta)


def answers(asked: Sequence[tuple[str, dict[str, Any]]]) -> list[bytes]:
    """The line that answers each request, in order."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.explore.fixture_server"],
        cwd=Path(__file__).parents[2], env=dict(os.environ),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    lines = []
    for number, (method, params) in enumerate(asked):
        request: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        is_notification = method.startswith("notifications/")
        process.stdin.write(json.dumps(request if is_notification else {**request, "id": number}).encode() + b"\n")
        process.stdin.flush()
        if not is_notification:
            lines.append(process.stdout.readline())
    process.communicate(timeout=20)
    return lines


if __name__ == "__main__":
    RECORDED.write_bytes(b"".join(sessions({})))
