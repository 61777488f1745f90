"""Questions to a service in their full form, as scripts ask them."""

from pathlib import Path
from typing import Any

from bearings.code.questions.query import Query, QueryReply, QueryType
from bearings.code.questions.scan import Scan, ScanReply
from bearings.code.questions.tag import Tag, TagReply
from bearings.code.service import CodeService


async def scan(service: CodeService, root: str | Path, **arguments: Any) -> ScanReply:
    return await service.reply_to(str(root), Scan(**{"detail": "full", **arguments}))


async def query(
    service: CodeService, root: str | Path, query_type: QueryType, element: str, **arguments: Any
) -> QueryReply:
    question = Query(query_type=query_type, element=element, **{"detail": "full", **arguments})
    return await service.reply_to(str(root), question)


async def tag(service: CodeService, path: str | Path, *, project_path: str | None = None, **arguments: Any) -> TagReply:
    return await service.reply_to(project_path or "", Tag(path=str(path), **arguments))
