"""No program of a repository runs: each trick, with every tool that reads git, over each transport."""

import asyncio
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from mcp import Client

from bearings.code.facts.store import NoFacts
from bearings.code.questions.changes import AskChanges
from bearings.code.service import CodeService
from bearings.errors import InvalidInput, Unsupported
from tests.adversary.conftest import Tally, attempts
from tests.adversary.repositories.tricks import TRICKS, Stage
from tests.adversary.servers import listening
from tests.code.asked import scan
from tests.code.in_process import InProcessEngine
from tests.code.servers import Server
from tests.soak import soak

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the program is a shell script")

TOOLS: dict[str, dict[str, object]] = {
    "coderef_explore": {"question": "HEAD"},
    "coderef_unused": {},
    "coderef_scan": {},
    "coderef_changes": {"base": "HEAD"},
    "coderef_query": {"query_type": "calls-me", "target": "helper"},
    "coderef_symbol": {"element": "main"},
    "coderef_impact": {"element": "main"},
    "coderef_complexity": {"element": "main"},
    "coderef_patterns": {},
    "coderef_coverage": {},
    "coderef_context": {},
    "coderef_map": {},
    "coderef_validate": {},
    "coderef_diagram": {"diagram_type": "calls"},
    "coderef_export": {"format": "json"},
}
"""Every tool that takes a project, but for `drift`, which needs an index, and those that edit sources."""


def staged(tmp_path: Path, trick: str) -> Stage:
    stage = Stage(tmp_path.resolve())
    TRICKS[trick](stage)
    for mark in stage.marks.iterdir():
        mark.unlink()  # what setting the stage ran itself
    stage.edit()
    return stage


@pytest.mark.slow
@pytest.mark.parametrize("trick", TRICKS)
def test_reading_runs_nothing(tmp_path, tally: Tally, trick):
    stage = staged(tmp_path, trick)

    async def ask() -> None:
        service = CodeService(InProcessEngine(store=NoFacts(), max_file_bytes=1_000_000))
        await scan(service, stage.project)
        await scan(service, stage.project, use_ast=False)
        for base in ("HEAD", "HEAD~1", "main"):
            with suppress(Unsupported, InvalidInput):
                await service.reply_to(str(stage.project), AskChanges(base=base, detail="full"))
        await service.aclose()

    asyncio.run(ask())
    tally("a repository's program (in process)", 1, not stage.ran)


@pytest.mark.slow
def test_the_programs_do_run_where_git_is_used_without_care(tmp_path):
    """So that the tests here can fail."""
    ran = 0
    for number, trick in enumerate(("filter.evil.clean", "filter.evil.process", "core.fsmonitor", "diff.external")):
        stage = staged(tmp_path / str(number), trick)
        subprocess.run(
            ["git", "diff", "HEAD"], cwd=stage.project, check=False, capture_output=True, stdin=subprocess.DEVNULL
        )
        ran += stage.ran
    assert ran == 4


ON_EACH_TRANSPORT = ("everything at once", "embedded bare repository", "filter.evil.process")


EACH_TRICK = pytest.mark.parametrize(
    "trick", [ON_EACH_TRANSPORT[0], *(pytest.param(trick, marks=soak) for trick in ON_EACH_TRANSPORT[1:])]
)


@pytest.mark.slow
@EACH_TRICK
def test_no_command_runs_anything(tmp_path, tally: Tally, trick):
    stage = staged(tmp_path, trick)
    words = {
        "coderef_query": ["helper", "--type", "calls-me"],
        "coderef_explore": ["HEAD"],
        "coderef_export": ["--format", "json"],
    }
    tried = 0
    for tool, arguments in [*TOOLS.items()][:: attempts(3, 1)]:  # a process each
        name = tool.removeprefix("coderef_")
        element = [str(arguments["element"])] if "element" in arguments else []
        done = subprocess.run(
            [sys.executable, "-m", "bearings", "code", name, *words.get(tool, element), "--json"],
            cwd=stage.project,  # the project that commands ask about
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")},
        )
        assert done.returncode in (0, 1), done.stderr
        tried += 1
    tally("a repository's program (commands)", tried, tried if not stage.ran else 0)


@pytest.mark.slow
@EACH_TRICK
def test_no_call_over_stdio_runs_anything(tmp_path, tally: Tally, trick):
    stage = staged(tmp_path, trick)
    server = Server(tmp_path / "cache")
    try:
        for tool, arguments in TOOLS.items():
            answer = server.ask(tool, project_path=str(stage.project), **arguments)
            assert answer.get("code", "ok") in ("ok", "unsupported", "invalid_input", "element_not_found"), answer
    finally:
        server.close()
    tally("a repository's program (stdio)", len(TOOLS), 0 if stage.ran else len(TOOLS))


@pytest.mark.slow
@EACH_TRICK
def test_no_call_over_http_runs_anything(tmp_path, tally: Tally, trick):
    stage = staged(tmp_path, trick)
    words = ["code", "serve", "http", "--port", "0", "--read-only", "--root", str(stage.base)]
    served = {tool: arguments for tool, arguments in TOOLS.items() if tool != "coderef_export"}  # it may write

    async def ask(url: str) -> None:
        async with Client(f"{url}/mcp") as client:
            for tool, arguments in served.items():
                answer = await client.call_tool(tool, {"project_path": str(stage.project), **arguments})
                code = (answer.structured_content or {}).get("code", "ok")
                assert code in ("ok", "unsupported", "invalid_input", "element_not_found"), answer

    with listening(words, CODEREF_CACHE_DIR=str(tmp_path / "cache")) as url:
        asyncio.run(ask(url))
    tally("a repository's program (HTTP)", len(served), 0 if stage.ran else len(served))
