"""Every code tool in the server, by a real MCP client over stdio: how long, and how many characters a model reads.

On two trees of more than 500 kLOC: the TypeScript corpus of `python -m benchmarks code`, and Python's standard library.
Each tool gets 20 calls, each about another element, file or folder; they are drawn at random with a fixed seed. The
index is there before the first call that is timed. Before each call of coderef_changes a file is edited.
"""

import asyncio
import itertools
import json
import os
import random
import re
import shutil
import sys
import sysconfig
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult

import bearings
from benchmarks.code import corpora
from benchmarks.measure import progress, revision, table
from benchmarks.truth.checkout import CACHE

CALLS = 20
SPOKEN = 5
"""Calls of each tool that are also made in text mode."""
SEED = 6
BUDGET = 25_000
"""Characters that a reply may take."""

Arguments = dict[str, Any]


@dataclass
class Taken:
    """Times and sizes of the calls of one tool."""

    seconds: list[float] = field(default_factory=list)
    json: list[int] = field(default_factory=list)
    text: list[int] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def main() -> str:
    parts = [_head()]
    for name, root in (("TypeScript", corpora.tree(corpora.TYPESCRIPT)), ("Python's standard library", _stdlib())):
        lines = corpora.lines(root)
        progress(f"{name}: {lines} lines …")
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # a server ending may still write
            copy = Path(folder) / "project"
            shutil.copytree(root, copy, symlinks=True)
            taken = asyncio.run(_measured(copy, Path(folder) / "cache", _kept(name)))
        parts.append(f"## {name}: {lines // 1000} kLOC\n\n" + table(_COLUMNS, [_row(*item) for item in taken.items()]))
    return "\n".join(parts)


_COLUMNS = ["tool", "calls", "p50", "p95", "most", "characters, p50 (JSON)", "most (JSON)", "p50 (text)", "errors"]


def _head() -> str:
    return (
        f"# The code tools in the server\n\nMade by `python -m benchmarks server` at {revision()}, load "
        f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores. A real MCP client over stdio; times are the client's, "
        f"with the check of the whole tree against the index in each. {CALLS} calls a tool, elements drawn with seed "
        f"{SEED}. A reply may take {BUDGET} characters.\n"
    )


def _row(tool: str, taken: Taken) -> list[str]:
    times = sorted(taken.seconds)
    p95 = times[round(0.95 * (len(times) - 1))]
    milliseconds = [f"{1000 * value:.0f} ms" for value in (median(times), p95, times[-1])]
    sizes = [str(round(median(taken.json))), str(max(taken.json)), str(round(median(taken.text)))]
    return [tool, str(len(times)), *milliseconds, *sizes, "; ".join(sorted(set(taken.errors))) or "0"]


def _stdlib() -> Path:
    """A copy of the running Python's standard library, as a git repository."""
    folder = CACHE / "corpora" / f"stdlib-{sys.version_info.major}.{sys.version_info.minor}.{sys.version_info.micro}"
    if not (folder / ".git").exists():
        source = sysconfig.get_paths()["stdlib"]
        ignored = shutil.ignore_patterns("site-packages", "dist-packages", "__pycache__", "*.so", "*.pyc", "*.a")
        shutil.copytree(source, folder, ignore=ignored, dirs_exist_ok=True)
        corpora.commit(folder)
    return folder


@asynccontextmanager
async def _server(cache: Path) -> AsyncIterator[Client]:
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "bearings", "code", "serve", "stdio"],
        env={
            "CODEREF_CACHE_DIR": str(cache),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(Path(bearings.__file__).parents[1]),  # the sources that the title names
        },
    )
    async with Client(command, read_timeout_seconds=600) as client:
        yield client


def _kept(name: str) -> Path:
    """Where what was measured of this revision is kept: a run that is stopped goes on where it was."""
    folder = CACHE / "rounds"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"server-{revision()}-{name.partition(' ')[0]}.json"


async def _measured(root: Path, cache: Path, kept: Path) -> dict[str, Taken]:
    async with _server(cache) as client:
        elements = await _elements(client, root)
        taken = {tool: Taken(**row) for tool, row in json.loads(kept.read_text() if kept.exists() else "{}").items()}
        for tool, calls in _calls(root, elements).items():
            if tool in taken and tool != "coderef_export":  # which writes what coderef_drift reads
                continue
            taken[tool] = Taken()
            for number, arguments in enumerate(calls):
                await _timed(client, root, tool, arguments, taken[tool], spoken=number < SPOKEN)
            progress("  " + ", ".join(_row(tool, taken[tool])))
            kept.write_text(json.dumps({name: asdict(row) for name, row in taken.items()}))
        return taken


async def _elements(client: Client, root: Path) -> list[str]:
    """Functions, methods and classes of folders drawn at random, as a scan spells them."""
    folders = sorted({str(Path(path).parent.relative_to(root)) for path, _ in corpora.sources(root)} - {"."})
    found: set[str] = set()
    for folder in random.Random(SEED).sample(folders, min(2 * CALLS, len(folders))):
        arguments = {"project_path": str(root), "types": ["function", "method", "class"], "path": f"/{folder}/"}
        arguments["detail"] = "full"
        reply = await client.call_tool("coderef_scan", arguments)
        assert reply.structured_content is not None
        elements = reply.structured_content["elements"][:40]
        found |= {f"{one['file']}#{one['qualified_name']}:{one['line']}" for one in elements}
    return random.Random(SEED).sample(sorted(found), CALLS)


def _calls(root: Path, elements: list[str]) -> dict[str, list[Arguments]]:
    """The arguments of each tool's calls."""
    folders = sorted({str(Path(one.partition("#")[0]).parent) for one in elements})
    kinds = ("calls-me", "calls", "depends-on-me", "depends-on", "imports-me", "imports")
    patterns = ("decorators", "error-handling", "async", "singleton", "middleware", "hooks", "test-gaps", None)
    diagrams = ("dependencies", "calls", "imports", "all")
    files = [one.partition("#")[0] for one in elements]
    every = range(CALLS)
    return {
        "coderef_scan": [{"path": f"/{folders[i % len(folders)]}/", "limit": 100 + i} for i in every],
        "coderef_query": [{"query_type": kinds[i % 6], "element": elements[i]} for i in every],
        "coderef_explore": [
            {"question": one if i % 2 else _words(one)} for i, one in enumerate(elements)
        ],
        "coderef_symbol": [{"element": one} for one in elements],
        "coderef_impact": [
            {"element": one, "operation": ("modify", "refactor", "delete")[i % 3]} for i, one in enumerate(elements)
        ],
        "coderef_complexity": [{"element": one} for one in elements],
        "coderef_changes": [{"edited": file} for file in files],
        "coderef_unused": [{"path": f"{folders[i % len(folders)]}/**"} if i % 2 else {"limit": 20 + i} for i in every],
        "coderef_context": [{"budget": 3_000 + 1_000 * i} for i in every],
        "coderef_map": [{"focus": one} if i % 2 else {"budget": 4_000 + 500 * i} for i, one in enumerate(elements)],
        "coderef_patterns": [
            {"limit": 5 + i, **({"pattern_type": kind} if (kind := patterns[i % 8]) else {})} for i in every
        ],
        "coderef_coverage": [{"format": ("summary", "detailed")[i % 2], "limit": 50 + i} for i in every],
        "coderef_validate": [
            {"pattern": f"/{folders[i % len(folders)]}/"} if i % 4 else {"limit": 50 + i} for i in every
        ],
        "coderef_diagram": [
            {"diagram_type": diagrams[i % 4], **({"element": one} if i % 5 else {"depth": 1 + i // 5})}
            for i, one in enumerate(elements)
        ],
        "coderef_export": [
            {"format": "index", "output_path": ".coderef-index.json"} if i == 0
            else {"format": format_, "max_nodes": 20 * i, "output_path": f"coderef-graph.{format_}"}
            for i, format_ in zip(every, itertools.cycle(("json", "jsonld", "mermaid", "dot")))
        ],
        "coderef_drift": [{"limit": 20 + i} for i in every],
        "coderef_tag": [{"path": str(root / file)} for file in files],
    }  # fmt: skip


def _words(element: str) -> str:
    """The words of an element's name, as somebody asks for it who does not know how it is written."""
    name = element.partition("#")[2].rpartition(":")[0]
    return " ".join(re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", name)) or name


async def _timed(client: Client, root: Path, tool: str, arguments: Arguments, taken: Taken, *, spoken: bool) -> None:
    """One call; with `spoken` another one, in text mode, whose time doesn't count."""
    edited = arguments.pop("edited", None)
    file = root / edited if edited else None
    before = file.read_bytes() if file else b""
    if file is not None:
        file.write_bytes(_changed(before, file.suffix))
    asked = ({} if tool == "coderef_tag" else {"project_path": str(root)}) | arguments
    started = time.perf_counter()
    reply = await client.call_tool(tool, asked)
    taken.seconds.append(time.perf_counter() - started)
    taken.json.append(_size(reply))
    if spoken:
        taken.text.append(_size(await client.call_tool(tool, asked | {"output_mode": "text"})))
    if file is not None:
        file.write_bytes(before)
    if reply.is_error:
        taken.errors.append(json.dumps(reply.structured_content)[:200])


def _size(reply: CallToolResult) -> int:
    """The characters that a model reads."""
    return sum(len(getattr(part, "text", "")) for part in reply.content)


def _changed(source: bytes, suffix: str) -> bytes:
    """A statement more in the first function that has a body on lines of its own."""
    lines = source.splitlines(keepends=True)
    for number, line in enumerate(lines[:-1]):
        head, following = line.rstrip(), lines[number + 1]
        opens = head.startswith((b"def ", b"    def ")) if suffix == ".py" else head.endswith(b") {")
        if opens and head.endswith((b":", b"{")) and following.strip():
            indent = following[: len(following) - len(following.lstrip())]
            lines.insert(number + 1, indent + (b"edited = 1" if suffix == ".py" else b"void 0;") + b"\n")
            return b"".join(lines)
    return source + b"\n"
