"""Asynchronous code: async functions, and calls that run several tasks at once."""

from collections.abc import Iterator

from bearings.code.file_facts import Trait
from bearings.code.questions.patterns.evidence import File, Found, owner

_TOGETHER = frozenset(
    {
        "Promise.all", "Promise.allSettled", "Promise.race", "Promise.any", "asyncio.gather", "asyncio.wait",
        "asyncio.create_task", "asyncio.TaskGroup", "anyio.create_task_group",
    }
)  # fmt: skip


def find(file: File) -> Iterator[Found]:
    """Each async function, and each call that runs several tasks."""
    for symbol, shape in zip(file.facts.symbols, file.facts.shapes, strict=False):
        if shape.traits & Trait.ASYNC:
            yield Found("async functions", file.path, symbol.line, symbol.id, symbol.signature[:100])
    for callee, site in file.calls_of(_TOGETHER):
        yield Found(callee, file.path, site.line, owner(file.facts, site), f"calls {callee}")
