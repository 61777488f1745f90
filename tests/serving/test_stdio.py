"""stdio for a client's operating system: bytes on pipes, end of file, signals."""

import contextlib
import json
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serving.conftest import FIXTURE, ROOT


class Raw:
    """A server on pipes, used line by line."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [*FIXTURE, "stdio"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.send(
            1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "t", "version": "1"}
        )
        assert self.read()["id"] == 1
        self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, number: int, method: str, **params: Any) -> None:
        self.write({"jsonrpc": "2.0", "id": number, "method": method, "params": params})

    def call(self, number: int, tool: str, **arguments: Any) -> None:
        self.send(number, "tools/call", name=tool, arguments=arguments)

    def write(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        message: dict[str, Any] = json.loads(self.process.stdout.readline())
        return message


@pytest.fixture
def raw() -> Iterator[Raw]:
    server = Raw()
    yield server
    server.process.kill()
    server.process.wait()
    for pipe in (server.process.stdin, server.process.stdout, server.process.stderr):
        with contextlib.suppress(BrokenPipeError):
            pipe.close()


@pytest.mark.slow
def test_stdout_carries_the_protocol_alone(raw: Raw):
    raw.call(2, "echo", text="x")
    raw.call(3, "fail", how="crash")
    answers = {message["id"]: message for message in (raw.read(), raw.read())}
    out, err = raw.process.communicate(timeout=30)
    assert set(answers) == {2, 3}
    assert out == b""
    assert b"a stray print" in err
    assert b"ZeroDivisionError" in err


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["block", "wait_for_cancel"])
def test_the_process_ends_within_a_second_of_end_of_input_even_with_a_call_running(raw: Raw, tool: str, tmp_path: Path):
    marker = tmp_path / "m"
    raw.call(2, tool, marker=str(marker))
    raw.call(3, "echo", text="x")
    assert raw.read()["id"] == 3
    assert raw.process.stdin is not None
    raw.process.stdin.close()
    ended = time.monotonic()
    assert raw.process.wait(timeout=10) == 0
    assert time.monotonic() - ended < 5  # a second, and room for a busy machine


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["echo", "block", "wait_for_cancel"])
def test_an_interrupt_ends_the_process_within_a_second_though_its_input_stays_open(raw: Raw, tool: str, tmp_path: Path):
    raw.call(2, tool, **({"text": "x"} if tool == "echo" else {"marker": str(tmp_path / "m")}))
    raw.call(3, "echo", text="x")
    while raw.read()["id"] != 3:
        pass
    raw.process.send_signal(signal.SIGINT)
    interrupted = time.monotonic()
    assert raw.process.wait(timeout=10) == 130
    assert time.monotonic() - interrupted < 5  # a second, and room for a busy machine
    assert b"Traceback" not in raw.process.stderr.read()


@pytest.mark.slow
@pytest.mark.parametrize(
    "line", [b"not json\n", b'{"jsonrpc":"2.0"}\n', b"\xff\xfe\n", b"[]\n", b"\n", b"{" * 5000 + b"\n"]
)
def test_garbage_on_stdin_does_not_stop_the_server(raw: Raw, line: bytes):
    assert raw.process.stdin is not None
    raw.process.stdin.write(line)
    raw.process.stdin.flush()
    raw.call(7, "echo", text="still here")
    answer = raw.read()
    while answer.get("id") != 7:
        answer = raw.read()
    assert answer["result"]["structuredContent"]["text"] == "still here"


@pytest.mark.slow
def test_a_signal_ends_the_process(raw: Raw):
    raw.process.terminate()
    assert raw.process.wait(timeout=5) != 0
