"""A project full of traps, and our three ways to be asked about it."""

import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters

BIN = Path(sys.executable).parent
"""Where the installed commands are; `python -m` would take modules from the working directory."""

PROGRAMS = ("git", "node", "coderef")
PLACES = ("", "bin", "node_modules/.bin")
"""Where the project has programs of these names."""

_OURS = ("BEARINGS_", "GEOCODER_", "CODEREF_", "NOMINATIM_", "MCP_")

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("coderef_scan", {"detail": "full"}),
    ("coderef_query", {"query_type": "calls-me", "target": "f"}),
    ("coderef_changes", {}),
]
"""The calls: those that an external coderef may answer, and those that need git."""


def project(root: Path, marks: Path) -> Path:
    """A repository whose programs say in `marks` that they ran. Returns it."""
    root.mkdir(parents=True)
    git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b.example"]
    (root / "a.py").write_text("def f():\n    return 1\n\n\ndef g():\n    return f()\n")
    for words in (["init", "--quiet"], ["add", "a.py"], ["commit", "--quiet", "--message", "one"]):
        subprocess.run([*git, *words], check=True, stdin=subprocess.DEVNULL, capture_output=True)
    for place in PLACES:
        for name in PROGRAMS:
            trap(root / place / name, marks)
    cli(root, marks)
    return root


def trap(path: Path, marks: Path) -> Path:
    """A program that says that it ran."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\necho "$0" "$@" >> "{marks}"\necho coderef 9.9.9\n')
    path.chmod(0o755)
    return path


def cli(directory: Path, marks: Path) -> Path:
    """An external coderef that says that it ran, as CODEREF_CLI_PATH names one."""
    (directory / "dist").mkdir(parents=True, exist_ok=True)
    script = f"require('fs').appendFileSync({str(marks)!r}, __filename + '\\n'); console.log('coderef 9.9.9');"
    (directory / "dist/cli.js").write_text(script)
    return directory


def ran(marks: Path) -> list[str]:
    """The programs of the project that ran."""
    return marks.read_text().splitlines() if marks.exists() else []


def environment(cache: Path, **more: str) -> dict[str, str]:
    """The user's: nothing is set but caches, and `more`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    return {**kept, "CODEREF_CACHE_DIR": str(cache), **more}


def command(root: Path, given: Mapping[str, str], *words: str) -> "subprocess.CompletedProcess[str]":
    """`bearings WORDS…` in the project."""
    return subprocess.run(
        [BIN / "bearings", *words], cwd=root, env=given, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip


@asynccontextmanager
async def served(transport: str, root: Path, given: Mapping[str, str], *words: str) -> AsyncIterator[Client]:
    """A client of a server (`bearings WORDS… serve`) that was started in the project."""
    if transport == "stdio":
        parameters = StdioServerParameters(
            command=str(BIN / "bearings"), args=[*words, "serve", "stdio"], env=dict(given), cwd=root
        )
        async with Client(parameters, read_timeout_seconds=120) as client:
            yield client
        return
    with subprocess.Popen(  # noqa: ASYNC220 - nothing else runs meanwhile
        [BIN / "bearings", *words, "serve", "http", "--port", "0", "--read-only"],
        cwd=root, env={**given, "BEARINGS_LOG_LEVEL": "INFO"}, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
        text=True,
    ) as running:  # fmt: skip
        try:
            said = (re.search(r"running on (http://\S+)", line) for line in running.stderr)
            address = next(found[1] for found in said if found)
            async with Client(f"{address}/mcp", read_timeout_seconds=120) as client:
                yield client
        finally:
            running.terminate()
            running.communicate(timeout=60)


async def asked(transport: str, root: Path, given: Mapping[str, str]) -> list[dict[str, Any]]:
    """The answers to CALLS over a transport."""
    if transport == "cli":
        lines = ("scan . --json", "query f --type calls-me --json", "changes --json")
        command(root, given, "doctor")
        return [json.loads(command(root, given, "code", *line.split()).stdout) for line in lines]
    async with served(transport, root, given, "code") as client:
        return [
            (await client.call_tool(tool, {"project_path": str(root), **arguments})).structured_content or {}
            for tool, arguments in CALLS
        ]
