"""The directories that a client works in: MCP's roots, requested when a call names no project."""

import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import anyio
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp.types import ClientCapabilities, ListRootsRequest, ListRootsResult, RootsCapability
from pydantic import ValidationError

WAIT_S = 3.0
"""Seconds for a client to answer with its roots."""

_MOST = 50
_LOG = logging.getLogger(__name__)


def workspace_of(context: ServerRequestContext[Any, Any]) -> Callable[[], Awaitable[tuple[Path, ...]]]:
    """A function that asks the request's client for its roots; empty if it has none or does not answer in time."""

    async def workspace() -> tuple[Path, ...]:
        session = context.session
        if not session.check_client_capability(ClientCapabilities(roots=RootsCapability())):
            return ()
        try:
            with anyio.fail_after(WAIT_S):
                answer = await session.send_request(
                    ListRootsRequest(),
                    ListRootsResult,
                    metadata=ServerMessageMetadata(related_request_id=context.request_id),
                )
        except (MCPError, TimeoutError, ValidationError) as error:
            _LOG.debug("the client did not tell its roots: %s", error)
            return ()
        paths = [Path(unquote(urlsplit(str(root.uri)).path)) for root in answer.roots[:_MOST]]
        return tuple(path for path in paths if path.is_absolute())

    return workspace
