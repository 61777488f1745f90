"""Every tool over every transport, asked about a repository and an upstream that hide text wherever they can."""

import sys
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from bearings.cli.wiring import WIRING, both_spec
from bearings.serving.app import build_server
from tests.adversary.conftest import Tally, attempts
from tests.adversary.text.calls import Call, code_calls, place_calls
from tests.adversary.text.conftest import ROOT
from tests.adversary.text.corpus import CORPUS, SECRET, leaks, strings
from tests.soak import soak

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

TRANSPORTS = ("memory", "stdio", "http")
ELEMENTS = attempts(2, len(CORPUS))
"""For how many strings of the corpus the tools that answer about one element are asked; the others answer about all."""


@asynccontextmanager
async def _client(
    transport: str, request: pytest.FixtureRequest, environment: dict[str, str], repository: Path, log: Path
) -> AsyncIterator[Client]:
    if transport == "http":
        async with Client(f"{request.getfixturevalue('http_url')}/mcp") as client:
            yield client
    elif transport == "stdio":
        words = ["-m", "bearings", "serve", "stdio", "--root", str(repository)]
        parameters = StdioServerParameters(command=sys.executable, args=words, env=environment, cwd=ROOT)
        with log.open("w") as stream:
            async with Client(stdio_client(parameters, errlog=stream)) as client:
                yield client
    else:
        async with Client(build_server(both_spec(WIRING, (repository,)))) as client:
            yield client


async def _answers(client: Client, calls: Sequence[Call]) -> AsyncIterator[tuple[str, dict[str, Any]]]:
    """Each answer in both modes, as JSON values, and the messages of its progress."""
    said: list[str] = []

    async def on_progress(progress: float, total: float | None = None, message: str | None = None) -> None:
        said.append(message or "")

    for name, arguments in calls:
        for mode in ("json", "text"):
            result = await client.call_tool(name, {**arguments, "output_mode": mode}, progress_callback=on_progress)
            yield name, {**result.model_dump(mode="json"), "progress": said[:]}
            said.clear()


@pytest.fixture
def here(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The settings of the servers for one in this process."""
    for name, value in environment.items():
        if name.startswith(("XDG_", "GEOCODER_", "NOMINATIM_")):
            monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("transport", ["memory", "stdio", pytest.param("http", marks=soak)])
@pytest.mark.usefixtures("here")
async def test_no_answer_hides_text(
    transport: str,
    request: pytest.FixtureRequest,
    environment: dict[str, str],
    repository: Path,
    tmp_path: Path,
    tally: Tally,
):
    turn = TRANSPORTS.index(transport)
    each = -(-len(CORPUS) // 10)  # a batch of answers of the upstream takes several strings of the corpus
    calls = code_calls(str(repository), range(ELEMENTS)) + place_calls(
        range(turn * 50, turn * 50 + min(each, ELEMENTS))
    )
    log = tmp_path / "log"
    found: Counter[str] = Counter()
    tried = 0
    leaked: list[tuple[str, str]] = []
    async with _client(transport, request, environment, repository, log) as client:
        assert not leaks((await client.list_tools()).model_dump(mode="json"))
        async for name, answer in _answers(client, calls):
            tried += 1
            found["error" if answer["is_error"] else "reply"] += 1
            leaked += [(name, text) for text in leaks(answer)]
            if name not in CODE:
                leaked += [(name, text) for text in strings(answer) if SECRET in text]
    if log.exists():
        leaked += [("log", text) for text in leaks(log.read_text("utf-8", "replace"))]
    assert found["reply"] > tried / 2, found
    assert not leaked, leaked[:5]
    tally(f"hidden text, answers over {transport}", tried, tried - len(leaked))


CODE = {name for name, _ in code_calls("", range(1))}
"""Tools that show source, in which the payload of a sequence is seen, escaped."""
