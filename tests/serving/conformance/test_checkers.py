"""External checkers against our servers: MCP's conformance suite in both eras, and its Inspector."""

import contextlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.serving.conformance.checkers import INSPECTOR, SUITES, Checkers, Outcome, results
from tests.serving.conftest import FIXTURE, ROOT
from tests.soak import soak

pytestmark = [pytest.mark.slow, soak]

STRICTLY = [sys.executable, "-m", "tests.serving.strictly"]


@dataclass(frozen=True)
class Server:
    """A command that serves HTTP and prints its URL on stderr; `also_lacking`: by suite, expected failures beyond the
    baseline, such as the tools that the suite calls by name.
    """

    command: tuple[str, ...]
    also_lacking: dict[str, tuple[str, ...]]


SERVERS = {"fixture": Server((*STRICTLY, "tests.serving.conformance.server", "http"), {})}
"""A product server is one more entry, with an entry in `also_lacking` for each of NAMED_TOOLS."""

NAMED_TOOLS = {
    "0.1.16": ("tools-call-simple-text", "tools-call-error", "tools-call-with-progress", "json-schema-2020-12"),
    "2025-11-25": ("tools-call-simple-text", "tools-call-error", "tools-call-with-progress", "json-schema-2020-12"),
    "2026-07-28": (
        "tools-call-simple-text",
        "tools-call-error",
        "tools-call-with-progress",
        "json-schema-2020-12",
        "http-custom-header-server-validation",
        "server-stateless:sep-2575-server-no-log-without-loglevel",
    ),
}
"""The failures of a server without the tools that the suite calls by name."""

SERVERS["fixture without the named tools"] = Server((*FIXTURE, "http"), NAMED_TOOLS)


@contextlib.contextmanager
def serving(command: tuple[str, ...]) -> Iterator[str]:
    """The URL of a server in a process of its own."""
    environment = {**os.environ, "BEARINGS_LOG_LEVEL": "INFO"}
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        try:
            said = next(found for line in process.stderr if (found := re.search(r"running on (http://\S+)", line)))
            yield f"{said.group(1)}/mcp"
        finally:
            process.terminate()
            process.communicate(timeout=20)


@pytest.mark.parametrize(
    ("server", "suite"),
    [(server, suite) for server in SERVERS for suite in NAMED_TOOLS],
)
def test_a_server_conforms_except_for_its_baseline(checkers: Checkers, suite: str, server: str, tmp_path: Path):
    with serving(SERVERS[server].command) as url:
        outcome = SUITES[suite].check(checkers, url, tmp_path, SERVERS[server].also_lacking.get(suite, ()))
    assert outcome.status == 0, outcome.out[-6000:] + outcome.err[-2000:]
    statuses = [status for checks in results(tmp_path).values() for status in checks.values()]
    assert statuses.count("SUCCESS") > 5  # the suite did run


TARGETS = ("stdio legacy", "http modern", "stdio modern", "http legacy", "sse legacy")


@pytest.fixture(params=TARGETS)
def inspect(request: pytest.FixtureRequest, checkers: Checkers, tmp_path: Path):
    """Ask the Inspector something about the fixture server."""
    transport, era = request.param.split()
    url = "" if transport == "stdio" else request.getfixturevalue(f"{transport}_server")
    target = {
        "stdio": [*FIXTURE, "stdio"],
        "http": ["--transport", "http", "--server-url", f"{url}/mcp"],
        "sse": ["--transport", "sse", "--server-url", f"{url}/sse"],
    }[transport]

    def ask(*words: str) -> Outcome:
        asked = ["--cli", *target, "--protocol-era", era, "--quiet", "--format", "json", *words]
        return checkers.run(INSPECTOR, *asked, cwd=ROOT)

    return ask


def test_the_inspector_finds_no_fault_with_the_schemas(inspect):
    outcome = inspect("--strict", "--method", "tools/list")
    assert outcome.status == 0, outcome.err
    assert outcome.err == ""
    assert {"echo", "fail"} < {tool["name"] for tool in json.loads(outcome.out)["result"]["tools"]}


def test_the_inspector_gets_a_reply(inspect):
    outcome = inspect("--method", "tools/call", "--tool-name", "echo", "--tool-args-json", '{"text": "hi"}')
    assert outcome.status == 0, outcome.err
    result = json.loads(outcome.out)["result"]
    assert result["structuredContent"] == {"success": True, "text": "hi", "numbers": []}


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("fail", {"how": "not_found"}, "nothing there"),
        ("fail", {"how": "crash"}, "failed for a reason of its own"),
        ("echo", {"text": "x", "times": 99}, "times = 99"),
    ],
)
def test_the_inspector_shows_an_error_in_our_words(inspect, tool: str, arguments: dict[str, object], said: str):
    outcome = inspect("--method", "tools/call", "--tool-name", tool, "--tool-args-json", json.dumps(arguments))
    assert said in outcome.out + outcome.err
    assert "must have required property" not in outcome.out + outcome.err
