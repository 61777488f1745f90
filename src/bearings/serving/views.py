"""MCP Apps: a tool names the page on which a client may show its replies (the extension of 2026-01-26).

Only a client that negotiated the extension sees the pages' names. The pages need no permission and ask nobody, so the
policy that they request is the strictest.
"""

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID, ResourceCsp, client_supports_apps
from mcp.types import Resource as WireResource
from mcp.types import TextResourceContents

from bearings.tool import Tool
from bearings.view import Page, View

EXTENSION = {EXTENSION_ID: {"mimeTypes": [APP_MIME_TYPE]}}
"""The extension, as the server's capabilities name it."""

shows_views = client_supports_apps
"""Whether the client of a request negotiated MCP Apps."""

_META = {
    "ui": {
        "csp": ResourceCsp(connect_domains=[], resource_domains=[], frame_domains=[], base_uri_domains=[]).model_dump(
            by_alias=True, exclude_none=True
        ),
        "prefersBorder": True,
    }
}
_TITLES: Mapping[View, str] = {"map": "Places on a map", "graph": "Code as a graph"}


def views_of(tools: Iterable[Tool]) -> tuple[View, ...]:
    """The views that tools name, each once, in a fixed order."""
    named = {tool.view for tool in tools}
    return tuple(view for view in get_args(View) if view in named)


def uri_of(view: View) -> str:
    """The URI of a view's page."""
    return f"ui://bearings/{view}.html"


def tool_meta(tool: Tool) -> dict[str, Any]:
    """The entry in a tool's metadata that names its page; empty for a tool without a view."""
    return {"ui": {"resourceUri": uri_of(tool.view)}} if tool.view else {}


def listed(view: View) -> WireResource:
    """A page, as listed by `resources/list`."""
    return WireResource(uri=uri_of(view), name=f"{view}-view", title=_TITLES[view], mime_type=APP_MIME_TYPE, meta=_META)


def contents(view: View, page: Page) -> TextResourceContents:
    """A page, as read by `resources/read`."""
    return TextResourceContents(uri=uri_of(view), mime_type=APP_MIME_TYPE, text=page.html, meta=_META)
