"""Questions to a service in their full form, as scripts ask them."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bearings.code.engine.native import NativeEngine
from bearings.code.questions.query import Query, QueryReply, QueryType
from bearings.code.questions.scan import Scan, ScanReply
from bearings.code.questions.tag import Tag, TagReply
from bearings.code.service import CodeService
from bearings.code.tools import CodeTools


async def scan(service: CodeService, root: str | Path, **arguments: Any) -> ScanReply:
    return await service.reply_to(str(root), Scan(**{"detail": "full", **arguments}))


async def query(
    service: CodeService, root: str | Path, query_type: QueryType, element: str, **arguments: Any
) -> QueryReply:
    question = Query(query_type=query_type, element=element, **{"detail": "full", **arguments})
    return await service.reply_to(str(root), question)


async def tag(service: CodeService, path: str | Path, *, project_path: str | None = None, **arguments: Any) -> TagReply:
    return await service.reply_to(project_path or "", Tag(path=str(path), **arguments))


@contextmanager
def tools_about(root: Path) -> Iterator[Callable[..., Any]]:
    """A function that asks a tool about a project, and returns the reply; one engine answers all."""
    service = CodeService(NativeEngine(timeout_s=60, cache_dir=None, max_file_bytes=1_000_000))
    tools = {tool.name: tool for tool in CodeTools(service).tools()}
    with asyncio.Runner() as runner:

        def ask(tool: str, **arguments: Any) -> Any:
            return runner.run(tools[tool].run({"project_path": str(root), **arguments}))[0]

        yield ask
        runner.run(service.aclose())
