"""A project names programs, or has some that are called like ours: none of them runs."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.adversary.conftest import Tally, attempts
from tests.adversary.settings.project import PLACES, PROGRAMS, asked, cli, command, environment, project, ran, trap

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix" or not shutil.which("node"), reason="shell scripts and node"),
]

TRANSPORTS = ("cli", "stdio", "http")

DOT_ENVS = {
    "plain": "CODEREF_CLI_PATH=.\nCODEREF_ENGINE=cli\n",
    "absolute": "CODEREF_CLI_PATH={root}\n",
    "in other letters": "coderef_cli_path=.\nCoderef_Engine=cli\n",
    "exported, quoted": "export CODEREF_CLI_PATH='.'\nexport CODEREF_ENGINE=\"cli\"\n",
    "from the environment": "CODEREF_CLI_PATH=${{PWD}}\nCODEREF_CLI_PATH=${{NONE:-.}}\n",
    "with a mark and CRLF": "\ufeffCODEREF_CLI_PATH=.\r\nCODEREF_ENGINE=cli\r\n",
    "another file": "BEARINGS_ENV_FILE=.env.evil\n",
    "PATH": "PATH={root}/bin\nCODEREF_ENGINE=cli\n",
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_a_dot_env_names_a_program(transport: str, tmp_path: Path, tally: Tally) -> None:
    marks, root = tmp_path / "marks", project(tmp_path / "project", tmp_path / "marks")
    (root / ".env.evil").write_text("CODEREF_CLI_PATH=.\n")
    given = environment(tmp_path / "cache")
    for text in ["".join(DOT_ENVS.values()), *DOT_ENVS.values()][: attempts(1, 9)]:  # all at once; one after the other
        (root / ".env").write_text(text.format(root=root), "utf-8")
        scanned, *_ = await asked(transport, root, given)
        assert (scanned["index"]["engine"], scanned["elements_found"]) == ("native", 2)
    tally("a program named in .env", len(DOT_ENVS), len(DOT_ENVS) - len(ran(marks)))


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_the_users_path_leads_into_the_project(transport: str, tmp_path: Path, tally: Tally) -> None:
    marks, root = tmp_path / "marks", project(tmp_path / "project", tmp_path / "marks")
    (root / "deep/bin").mkdir(parents=True)
    (tmp_path / "linked").symlink_to(root / "bin")
    entries = ["", ".", "./", "bin", "./node_modules/.bin", "../project"]
    inside = [str(root / "node_modules/.bin"), str(tmp_path / "linked"), f"{tmp_path}/other/../project/bin"]
    for place in ("bin", "node_modules/.bin"):  # git by an absolute entry is tried below
        (root / place / "git").unlink()
    (tmp_path / "other").mkdir()
    outside = tmp_path / "tools"
    cli(outside, tmp_path / "outside marks")
    path = os.pathsep.join([*entries, *inside, os.environ["PATH"]])
    for settings in ({"CODEREF_ENGINE": "cli"}, {"CODEREF_CLI_PATH": str(outside)}):
        await asked(transport, root, environment(tmp_path / "cache", PATH=path, **settings))
    assert ran(tmp_path / "outside marks"), "the user's own coderef was run, by the user's own node"
    without_git = [entry for entry in entries + inside if "bin" in entry or "linked" in entry]
    tried = len(entries + inside) * len(PROGRAMS) - len(without_git)
    tally("a program on PATH inside the project", tried, tried - len(ran(marks)))


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_the_users_setting_leads_into_the_project(transport: str, tmp_path: Path, tally: Tally) -> None:
    marks, root = tmp_path / "marks", project(tmp_path / "project", tmp_path / "marks")
    inner = root / "packages/app"
    inner.mkdir(parents=True)
    (tmp_path / "into").symlink_to(root)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/dist").symlink_to(root / "dist")
    (tmp_path / "file/dist").mkdir(parents=True)
    (tmp_path / "file/dist/cli.js").symlink_to(root / "dist/cli.js")
    ways = [".", str(tmp_path / "into"), str(root), str(tmp_path / "folder"), str(tmp_path / "file"), "../project"]
    answers: list[dict[str, Any]] = []
    ways = ways[: attempts(1, len(ways))]  # test_external.py has each, without a server
    for way in ways:
        answers += await asked(transport, root, environment(tmp_path / "cache", CODEREF_CLI_PATH=way))
        answers += await asked(transport, inner, environment(tmp_path / "cache", CODEREF_CLI_PATH=str(root)))
    refused = [str(answer) for answer in answers if "cli_not_found" in str(answer)]
    assert len(refused) >= 2 * len(ways)
    assert any("is inside the project" in said for said in refused)
    tally("CODEREF_CLI_PATH inside the project", 2 * len(ways), 2 * len(ways) - len(ran(marks)))


def test_the_traps_work(tmp_path: Path) -> None:
    """The traps run if they are the user's own, outside the project."""
    tools = tmp_path / "tools"
    marks = tmp_path / "marks"
    cli(tools, marks)
    for place in PLACES:
        trap(tools / place / "coderef", marks)
    root = project(tmp_path / "project", tmp_path / "none")
    command(root, environment(tmp_path / "cache", CODEREF_CLI_PATH=str(tools)), "code", "scan")
    assert str(tools / "dist/cli.js") in ran(marks)
    path = os.pathsep.join([str(tools / "bin"), os.environ["PATH"]])
    command(root, environment(tmp_path / "cache", CODEREF_ENGINE="cli", PATH=path), "code", "scan")
    assert any(line.startswith(str(tools / "bin/coderef")) for line in ran(marks))
    (root / ".env").write_text(f"CODEREF_CLI_PATH={tools}\n")
    marks.unlink()
    command(root, environment(tmp_path / "cache"), "--env-file", ".env", "code", "scan")
    assert ran(marks), "a named file may name programs"
    assert not ran(tmp_path / "none")


def test_an_absolute_entry_of_path_has_a_git_inside_the_project(tmp_path: Path, tally: Tally) -> None:
    marks, root = tmp_path / "marks", project(tmp_path / "project", tmp_path / "marks")
    path = os.pathsep.join([str(root / "node_modules/.bin"), os.environ["PATH"]])
    for line in ("scan .", "changes"):
        command(root, environment(tmp_path / "cache", PATH=path), "code", *line.split())
    tally("git on PATH inside the project", 2, 2 - len(ran(marks)))
