"""Asynchronous code: async functions, and calls that run several tasks at once."""

from collections.abc import Iterator

from bearings.code.analyses.patterns.evidence import Found, calls, files, owner
from bearings.code.expressions import written
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Trait

_TOGETHER = frozenset(
    {
        "Promise.all", "Promise.allSettled", "Promise.race", "Promise.any", "asyncio.gather", "asyncio.wait",
        "asyncio.create_task", "asyncio.TaskGroup", "anyio.create_task_group",
    }
)  # fmt: skip


def find(snapshot: Snapshot) -> Iterator[Found]:
    """Each async function, and each call that runs several tasks."""
    for path, facts in files(snapshot):
        for symbol, shape in zip(facts.symbols, facts.shapes, strict=False):
            if shape.traits & Trait.ASYNC:
                yield Found("async functions", path, symbol.line, symbol.id, symbol.signature[:100])
        for site in calls(facts):
            if (callee := written(site.callee)) in _TOGETHER:
                yield Found(callee, path, site.line, owner(facts, site), f"calls {callee}")
