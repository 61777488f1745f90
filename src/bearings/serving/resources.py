"""The resources of a server: pages of views, and URI templates that tools answer.

A template is read by a call of its tool, with all that holds for the call. It is listed for those who may call.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp.shared.uri_template import UriTemplate
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    ResourceTemplate,
    TextContent,
    TextResourceContents,
)

from bearings.reply import Reply
from bearings.resource import Resource
from bearings.serving import views
from bearings.serving.calls import Context
from bearings.serving.peer import Peer
from bearings.tool import Tool
from bearings.view import Pages, View

Ask = Callable[[Context, Tool, Mapping[str, Any], Callable[[Reply], str]], Awaitable[CallToolResult]]
"""Calls a tool for the client of a request; the result has the text that the function makes of the reply."""

_LONGEST_URI = 8192

_ASKED_WRONGLY = frozenset(
    "invalid_input not_found unsupported forbidden path_not_allowed element_not_found ambiguous".split()
)
"""The codes of errors that the reader can avoid; all others are the server's, or pass."""


class Resources:
    """The handlers of requests for resources."""

    def __init__(
        self,
        tools: Iterable[Tool],
        resources: Iterable[Resource],
        pages_for: Callable[[Iterable[View]], Pages],
        *,
        peer: Callable[[Context], Peer],
        ask: Ask,
    ) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._resources = tuple(resource for resource in resources if resource.tool in self._tools)
        self._pages_for = pages_for
        self._peer = peer
        self._ask = ask

    async def listed(self, context: Context, _: PaginatedRequestParams | None) -> ListResourcesResult:
        """The pages of the views of the peer's tools, for a client that shows them."""
        shown = self._views(self._peer(context)) if views.shows_views(context) else ()
        return ListResourcesResult(resources=[views.listed(view) for view in shown])

    async def templates(self, context: Context, _: PaginatedRequestParams | None) -> ListResourceTemplatesResult:
        """The templates whose tools the peer may call."""
        peer = self._peer(context)
        return ListResourceTemplatesResult(
            resource_templates=[
                _wire(resource) for resource in self._resources if peer.may_call(self._tools[resource.tool])
            ]
        )

    async def read(self, context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        """A page, or the answer of a tool. Raises MCPError for a URI unknown to the peer, and for a tool's error."""
        peer, uri = self._peer(context), str(params.uri)
        view = next((view for view in self._views(peer) if views.uri_of(view) == uri), None)
        if view is not None:
            return ReadResourceResult(contents=[views.contents(view, self._pages_for([view]).hosted[view])])
        resource, values = self._matching(uri)
        tool = self._tools[resource.tool] if resource else None
        if resource is None or tool is None or not peer.sees(tool):
            raise MCPError(INVALID_PARAMS, f"Unknown resource: {uri!a:.200}.", {"uri": uri[:_LONGEST_URI]})
        text = _text_of(await self._ask(context, tool, resource.arguments(values), resource.text))
        return ReadResourceResult(
            contents=[TextResourceContents(uri=params.uri, mime_type=resource.content_type, text=text)]
        )

    def _views(self, peer: Peer) -> tuple[View, ...]:
        return views.views_of(tool for tool in self._tools.values() if peer.may_call(tool))

    def _matching(self, uri: str) -> tuple[Resource | None, Mapping[str, str]]:
        """The first resource that a URI fits, and the values of its variables."""
        for template, resource in self._parsed if len(uri) <= _LONGEST_URI else ():
            values = template.match(uri)
            if values is not None:
                return resource, {name: str(value) for name, value in values.items()}
        return None, {}

    @cached_property
    def _parsed(self) -> tuple[tuple[UriTemplate, Resource], ...]:
        return tuple((UriTemplate.parse(resource.template), resource) for resource in self._resources)


def _wire(resource: Resource) -> ResourceTemplate:
    """A template, as listed by `resources/templates/list`."""
    return ResourceTemplate(
        uri_template=resource.template,
        name=resource.name,
        title=resource.title,
        description=resource.description,
        mime_type=resource.content_type,
    )


def _text_of(result: CallToolResult) -> str:
    """The text that a call gave. Raises MCPError with the body of the call's error as its data."""
    if not result.is_error:
        [part] = result.content
        assert isinstance(part, TextContent)
        return part.text
    body = result.structured_content or {}
    code = INVALID_PARAMS if body.get("code") in _ASKED_WRONGLY else INTERNAL_ERROR
    raise MCPError(code, f"{body['error']}. {body['hint']}".strip(), body)
