"""Run a tool for a peer: whether it may, how many calls run at once, and what is counted at the end.

A request of MCP and a page's request end here alike; only `Call` tells where the call came from.
"""

import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.types import CallToolResult, TextContent

from bearings.caller import Caller, calling, no_workspace
from bearings.errors import BearingsError, Forbidden
from bearings.reply import Reply
from bearings.serving.call import call_tool, failure, outcome
from bearings.serving.client_progress import Send, reporting
from bearings.serving.peer import ANYBODY, Peer
from bearings.tool import Tool

Context = ServerRequestContext[Any, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool. `send` sends reports of progress; `workspace` asks the client for its directories.

    `text_of` as in `call_tool`.
    """

    peer: Peer
    tool: Tool
    arguments: Mapping[str, Any]
    workspace: Callable[[], Awaitable[tuple[Path, ...]]] = no_workspace
    send: Send | None = None
    text_of: Callable[[Reply], str] | None = None

    async def result(self) -> CallToolResult:
        """The tool's result."""
        async with reporting(self.send if self.tool.takes_progress else None) as progress:
            return await call_tool(self.tool, self.arguments, progress, self.text_of)


@dataclass(frozen=True, slots=True)
class CallEnded:
    """A finished call: its peer, tool, outcome ("ok" or an error's code) and duration."""

    peer: Peer
    tool: str
    seconds: float
    result: CallToolResult

    @property
    def outcome(self) -> str:
        """See `outcome` of a result."""
        return outcome(self.result)

    @property
    def size(self) -> int:
        """Bytes of the reply's text."""
        return sum(len(part.text.encode()) for part in self.result.content if isinstance(part, TextContent))


def _anybody(_: Context) -> Peer:
    return ANYBODY


def _ignored(_: CallEnded) -> None:
    return None


def _always_admitted(_: Peer) -> AbstractContextManager[None]:
    return nullcontext()


async def _directly(work: Coroutine[Any, Any, CallToolResult]) -> CallToolResult:
    return await work


@dataclass(frozen=True)
class Hooks:
    """The additions of a transport to each call.

    `peer` names the caller. `admitted` counts the call, or yields the error that refuses it. `answer` awaits the work.
    `on_call_end` is called with each finished call.
    """

    peer: Callable[[Context], Peer] = _anybody
    admitted: Callable[[Peer], AbstractContextManager[BearingsError | None]] = _always_admitted
    answer: Callable[[Coroutine[Any, Any, CallToolResult]], Awaitable[CallToolResult]] = _directly
    on_call_end: Callable[[CallEnded], None] = _ignored

    async def run(self, call: Call) -> CallToolResult:
        """The result of a call, which is counted."""
        started = time.perf_counter()
        result = await self._answered(call)
        self.on_call_end(CallEnded(call.peer, call.tool.name, time.perf_counter() - started, result))
        return result

    async def _answered(self, call: Call) -> CallToolResult:
        peer = call.peer
        if not peer.may_call(call.tool):
            return failure(Forbidden(f"{call.tool.name} writes, which you may not do over HTTP", peer.no_writes))
        by = Caller(peer.key, peer.roots, call.workspace)
        with self.admitted(peer) as problem, calling(by):
            if problem is not None:
                return failure(problem)
            return await self.answer(call.result())


NO_HOOKS = Hooks()
"""Of a transport with one client."""
