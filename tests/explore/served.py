"""A real server in a process of its own, asked by a real client: the other end of a view in a chat."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp.client.extension import advertise
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID

from tests.explore.browser import as_json

FERRY = str(Path(__file__).parents[2] / "examples" / "ferry")


class Chat:
    """A client that shows views. `call` is a relay for a view in a browser; `page` reads one from the server."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self._portal = portal
        self._client = client
        self.calls: list[str] = []

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The result of tools/call, as it stood on the wire."""
        self.calls.append(tool)
        return as_json(self._portal.call(self._client.call_tool, tool, dict(arguments)))

    def page(self, tool: str) -> str:
        """The HTML of the view that tools/list names for a tool."""
        [found] = [one for one in self._portal.call(self._client.list_tools).tools if one.name == tool]
        assert found.meta is not None
        [content] = self._portal.call(self._client.read_resource, found.meta["ui"]["resourceUri"]).contents
        assert content.mime_type == APP_MIME_TYPE
        return str(as_json(content)["text"])


@contextmanager
def chatting(*words: str) -> Iterator[Chat]:
    """A chat with `bearings WORDS`, by default a server of both wings."""
    command = [*(words or ("serve", "stdio"))]
    server = StdioServerParameters(command=sys.executable, args=["-m", "bearings", *command], env=dict(os.environ))
    with start_blocking_portal() as portal:
        client = Client(server, extensions=[advertise(EXTENSION_ID, {"mimeTypes": [APP_MIME_TYPE]})])
        with portal.wrap_async_context_manager(client) as connected:
            yield Chat(portal, connected)
