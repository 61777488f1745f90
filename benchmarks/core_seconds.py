"""Seconds of each tool that a client gets by default, in a server that has loaded its index.

`python -m benchmarks.core_seconds`.

A real client over stdio. Elements are drawn by a seed among functions, methods and types outside of tests; sentences
are those of benchmarks/first_answers.py. `changes` is asked after an edit that takes a parameter from a drawn function.
"""

import asyncio
import random
import re
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from mcp import Client

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Symbol, SymbolKind
from benchmarks.code.commands import workplace
from benchmarks.code.corpora import PYTHON, TYPESCRIPT, Corpus, lines, tree
from benchmarks.first_answers import SENTENCES
from benchmarks.measure import progress, revision, table
from benchmarks.tasks.server import client_of

SEED = 50
DRAWN = 60
EDITS = 10
MAX_BYTES = 2_000_000
KINDS = {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CLASS}
BY_ELEMENT = {
    "coderef_query": {"query_type": "calls-me"},
    "coderef_symbol": {},
    "coderef_impact": {},
    "coderef_complexity": {},
}
WHOLE = ("coderef_unused", "coderef_context", "coderef_map")
_PARAMETERS = re.compile(rb"\((?:self, )?\w+[^()]*\)")


def main(corpora: Sequence[Corpus] = (PYTHON, TYPESCRIPT)) -> str:
    """The table."""
    rows = [row for corpus in corpora for row in asyncio.run(_measured(corpus))]
    about = " ".join((__doc__ or "").split())
    heads = ["project", "tool", "calls", "p50", "p95", "most"]
    return f"# Seconds of the tools\n\nAt {revision()}. {about}\n\n{table(heads, rows)}"


async def _measured(corpus: Corpus) -> list[list[str]]:
    root = tree(corpus)
    elements = _drawn(root)
    label = f"{corpus.name}, {lines(root) // 1000} kLOC"
    taken: dict[str, list[float]] = {}
    with workplace(root) as copy, tempfile.TemporaryDirectory() as cache:
        async with client_of(copy, Path(cache)) as client:
            await _call(client, copy, "coderef_unused", {})  # makes the index
            await _call(client, copy, "coderef_explore", {"question": "anything at all"})
            async for tool, seconds in _asked(client, copy, elements):
                taken.setdefault(tool, []).append(seconds)
                progress(f"{label}: {tool} {seconds:.3f}")
    return [
        [label, tool, str(len(times)), *(f"{one * 1000:.0f} ms" for one in _spread(times))]
        for tool, times in taken.items()
    ]


async def _asked(client: Client, root: Path, elements: Sequence[Symbol]) -> AsyncIterator[tuple[str, float]]:
    for question in SENTENCES:
        yield "coderef_explore", await _call(client, root, "coderef_explore", {"question": question})
    for tool, more in BY_ELEMENT.items():
        for symbol in elements:
            yield tool, await _call(client, root, tool, {"element": symbol.id, **more})
    for tool in WHOLE:
        for _ in range(EDITS):
            yield tool, await _call(client, root, tool, {})
    edited = 0
    for symbol in elements:
        path = root / symbol.file
        before = path.read_bytes()
        parts = before.split(b"\n")
        parts[symbol.line - 1] = _PARAMETERS.sub(b"()", parts[symbol.line - 1], count=1)
        if b"\n".join(parts) == before or symbol.kind is SymbolKind.CLASS:
            continue
        path.write_bytes(b"\n".join(parts))
        yield "coderef_changes", await _call(client, root, "coderef_changes", {})
        path.write_bytes(before)
        yield "coderef_changes", await _call(client, root, "coderef_changes", {})
        edited += 1
        if edited == EDITS:
            return


async def _call(client: Client, root: Path, tool: str, arguments: dict[str, str]) -> float:
    started = time.perf_counter()
    reply = await client.call_tool(tool, {"project_path": str(root), **arguments})
    taken = time.perf_counter() - started
    if reply.is_error:
        sys.exit(f"{tool} {arguments}: {reply.content}")
    return taken


def _drawn(root: Path) -> list[Symbol]:
    graph = Index(root, NoFacts(), MAX_BYTES).refresh().graph
    found = [one for one in graph.symbols.values() if one.kind in KINDS and not is_test(one.file)]
    return random.Random(SEED).sample(sorted(found, key=lambda one: one.id), DRAWN)


def _spread(times: list[float]) -> tuple[float, float, float]:
    ordered = sorted(times)
    return ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)], ordered[-1]


if __name__ == "__main__":
    text = main()
    print(text)
    (Path(__file__).parent / "results" / "core_seconds.md").write_text(text, encoding="utf-8")
