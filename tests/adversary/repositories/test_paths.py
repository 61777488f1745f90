"""Every parameter that takes a path, with every spelling that could lead out of the allowed root."""

import asyncio
import itertools
import os
from pathlib import Path
from typing import Any

import pytest

from bearings.code.facts.store import NoFacts
from bearings.code.service import CodeService
from bearings.code.tools import CodeTools
from bearings.errors import BearingsError
from bearings.progress import NoProgress
from tests.adversary.conftest import Tally, attempts
from tests.code.in_process import InProcessEngine
from tests.code.trees import repository, write

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links and the spellings are POSIX")

SECRET = "outside_secret"


def world(base: Path) -> Path:
    """An allowed project, with links that lead out, beside what must not be read or written."""
    write(
        base / "outside",
        {"secret.py": f"def {SECRET}(): pass\n", "index.json": f'[{{"name": "{SECRET}"}}]', "kept.json": "{}"},
    )
    write(base / "allowed-not", {"secret.py": f"def {SECRET}(): pass\n"})
    root = repository(base / "allowed", {"a.py": "def a(): pass\n", "sub/b.py": "def b(): pass\n"})
    (root / "out").symlink_to(base / "outside")
    (root / "up").symlink_to("..")
    (root / "file.py").symlink_to(base / "outside/secret.py")
    (root / "loop").symlink_to("loop")
    (root / "sub/root").symlink_to("/")
    return root


def spellings(base: Path) -> list[str]:
    """Ways to say where the outside lies, or nowhere."""
    root, secret = base / "allowed", str(base / "outside/secret.py")
    targets = ["secret.py", "index.json", "kept.json", "new.json", ""]
    ways = [f"{'../' * depth}outside/" for depth in (1, 2, 3, 20)]
    ways += ["out/", "./out/", "sub/../out/", "up/outside/", "up/../outside/", "sub/root/", f"sub/root{base}/outside/"]
    ways += [f"{base}/outside/", f"{root}/../outside/", f"{root}/out/", f"{root}/up/outside/", f"{base}/allowed-not/"]
    ways += [
        f"//{base}/outside/",
        f"/proc/self/root{base}/outside/",
        f"/proc/self/cwd{base}/outside/",
        f"file://{base}/outside/",
    ]
    ways += [
        "..\\outside\\",
        "..%2foutside/",
        "%2e%2e/outside/",
        "..;/outside/",
        "．．/outside/",
        "..／outside/",
        "\u2024\u2024/outside/",
    ]
    ways += [
        "~/",
        "~root/",
        "$HOME/",
        "${HOME}/",
        "`pwd`/",
        "sub/./../../outside/",
        "sub//..//..//outside/",
        "a.py/../../outside/",
    ]
    ways += [
        "..\0/outside/",
        "\0",
        "\ud800/",
        "\n../outside/",
        " ../outside/",
        "../outside \u202e/",
        "C:\\outside\\",
        "\\\\?\\C:\\",
        "\\\\host\\share\\",
    ]
    ways += [
        ".git/",
        ".git/../../outside/",
        ".git/objects/",
        "out/../outside/",
        "file.py/../",
        "loop/",
        "sub/root/proc/self/environ/",
    ]
    odd = ["", ".", "..", "/", "//", "/etc/passwd", "/dev/stdin", "/dev/fd/0", "/proc/self/environ", "/proc/self/mem"]
    odd += ["CON", "nul", "a" * 5000, "../" * 1300, "file.py", "loop", secret, f"{secret}\0.py"]
    odd += ["-", "--help", "-rf", "*", "?", "[", "{a,b}", "a.py::$DATA"]
    return [f"{way}{target}" for way, target in itertools.product(ways, targets)] + odd


def calls(root: Path, spelling: str) -> list[tuple[str, dict[str, Any]]]:
    """A call for each parameter that takes a path."""
    project = str(root)
    return [
        ("coderef_scan", {"project_path": spelling}),
        ("coderef_scan", {"project_path": project, "path": spelling}),
        ("coderef_explore", {"project_path": project, "question": f"{spelling}:1"}),
        ("coderef_unused", {"project_path": project, "path": spelling}),
        ("coderef_symbol", {"project_path": project, "element": f"{spelling}#{SECRET}"}),
        ("coderef_query", {"project_path": project, "query_type": "imports", "target": spelling}),
        ("coderef_rename", {"project_path": project, "element": spelling, "new_name": "x", "dry_run": False}),
        ("coderef_rename", {"project_path": spelling, "element": SECRET, "new_name": "x", "dry_run": False}),
        ("coderef_remove", {"project_path": spelling, "element": SECRET, "dry_run": False}),
        ("coderef_replace", {"project_path": spelling, "element": SECRET, "text": "x = 1", "dry_run": False}),
        ("coderef_drift", {"project_path": project, "index_path": spelling}),
        ("coderef_export", {"project_path": project, "output_path": spelling}),
        ("coderef_tag", {"path": spelling, "dry_run": False}),
        ("coderef_tag", {"path": f"{root}/{spelling}", "dry_run": False}),
        ("coderef_validate", {"project_path": project, "pattern": spelling}),
        ("coderef_map", {"project_path": project, "focus": spelling}),
        ("coderef_changes", {"project_path": project, "base": spelling}),
    ]


def state(base: Path) -> dict[str, bytes]:
    """All that lies outside the root, byte by byte."""
    return {
        str(path): path.read_bytes()
        for name in ("outside", "allowed-not")
        for path in (base / name).rglob("*")
        if path.is_file()
    }


@pytest.mark.slow
def test_no_spelling_leads_out(tmp_path, tally: Tally):
    base = tmp_path.resolve()
    root = world(base)
    before, listed = state(base), sorted(os.listdir(base))  # noqa: PTH208 - names alone
    service = CodeService(InProcessEngine(store=NoFacts(), max_file_bytes=1_000_000), (root,))
    tools = {tool.name: tool for tool in CodeTools(service).tools()}
    tried, survived, broken = 0, 0, []

    async def ask() -> None:
        nonlocal tried, survived
        for spelling in itertools.islice(spellings(base), 0, None, attempts(11, 1)):
            for name, arguments in calls(root, spelling):
                told, code = "", "ok"
                try:
                    reply, _ = await tools[name].run(arguments, NoProgress())
                    told = reply.to_json()
                except BearingsError as error:
                    code = error.code
                tried += 1
                is_told = f"def {SECRET}" in told or f'"name":"{SECRET}"' in told or "root:x:" in told
                survived += not is_told
                if is_told or code == "internal":
                    broken.append((name, arguments))

    asyncio.run(ask())
    assert not broken
    assert state(base) == before
    assert sorted(os.listdir(base)) == listed  # noqa: PTH208
    tally("a path that leads out of the root", tried, survived)
