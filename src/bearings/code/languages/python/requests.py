"""Reads requests: requests, httpx, aiohttp's sessions, and the clients of tests."""

import re
from collections.abc import Sequence

from tree_sitter import Node

from bearings.code.expressions import last_name
from bearings.code.framework_facts import NAMED_URL, Request
from bearings.code.languages.python.frameworks.arguments import argument, decorated, text_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.origins import Origins
from bearings.code.languages.shared.requests import HOLE, add_request
from bearings.code.languages.shared.routes import Candidate

CANDIDATES = frozenset({"get", "post", "put", "patch", "delete", "head", "options", "request"})
NAMING = frozenset({"reverse", "reverse_lazy", "redirect", "resolve_url"})
"""Functions of Django that take the name of a URL."""
_OF_DJANGO = re.compile(r"(?:django\.(?:urls|shortcuts|core\.urlresolvers)|rest_framework\.reverse)\.\w+")
_NAME = re.compile(r"[\w:.-]+")
_URL_FOLLOWS = re.compile(rb"\(\s*(?:\w+\s*=\s*)?[a-zA-Z]{0,2}[\"'](?:/|http|\{|[A-Z]{3,7}[\"'])")
"""The start of arguments of which the first may be a URL or a method. It spares the many calls of `dict.get` a look."""
_CLIENTS = re.compile(
    r"(?:requests|httpx|starlette\.testclient|fastapi\.testclient|django\.test|rest_framework\.test)\."
)
_MADE = re.compile(r"\.test_client\(\)$|^aiohttp\.ClientSession\(\)$")
_CONVENTIONAL = re.compile(r"(?i)(?:client|session|http|api|requests)$")
"""Names of objects that are taken for clients."""
_CLIENT = "client"
"""The end of the names of objects that surely are clients: fixtures of tests have no other evidence."""
_FORMAT = re.compile(r"%\(?\w*\)?[sdr]")
_DEEPEST = 5


def may_request(builder: Builder, call: Node) -> bool:
    """Whether a call of a name in CANDIDATES has arguments that start like those of a request."""
    given = call.child_by_field_name("arguments")
    return given is not None and _URL_FOLLOWS.match(builder.source, given.start_byte) is not None


def requests(builder: Builder, candidates: Sequence[Candidate]) -> None:
    """Record the requests among the calls."""
    origins: Origins | None = None
    for one in candidates:
        if one.verb in NAMING:
            origins = origins or Origins(builder)
            name = text_of(argument(one, 0, "viewname", builder), builder)
            if _NAME.fullmatch(name) and _OF_DJANGO.fullmatch(origins.of(one.scope, one.callee).name):
                line = builder.line(one.node)
                builder.requests.append(Request("", NAMED_URL + name, line, one.scope, sure=True, by="django"))
        elif one.verb in CANDIDATES and one.receiver is not None and decorated(one.node) is None:
            origins = origins or Origins(builder)
            _request(builder, origins, one)


def _request(builder: Builder, origins: Origins, one: Candidate) -> None:
    at = 1 if one.verb == "request" else 0
    url = argument(one, at, "url", builder) or argument(one, at, "path", builder)
    sure = _sends(origins, one)
    if sure is None or url is None:
        return
    method = text_of(argument(one, 0, "method", builder), builder) if at else one.verb
    method = method.upper() if method.isalpha() else ""
    add_request(builder, method, _url(builder, url), builder.line(one.node), one.scope, sure=sure)


def _sends(origins: Origins, one: Candidate) -> bool | None:
    """Whether a call surely sends a request; None if it doesn't look like one."""
    origin = origins.of(one.scope, one.receiver).name
    if _CLIENTS.match(f"{origin}.") or _MADE.search(origin):
        return True
    name = last_name(one.receiver)
    return name.lower().endswith(_CLIENT) if _CONVENTIONAL.search(name) else None


def _url(builder: Builder, node: Node, depth: int = 0) -> str:
    """Return the text of a URL, with HOLE for each expression in it."""
    if node.type == "string":
        parts = [child for child in node.named_children if child.type in ("interpolation", "string_content")]
        return "".join(HOLE if child.type == "interpolation" else builder.text(child) for child in parts)
    if node.type == "concatenated_string":
        return "".join(_url(builder, child, depth + 1) for child in node.named_children)
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if node.type != "binary_operator" or left is None or right is None or depth > _DEEPEST:
        return HOLE
    if builder.text(node.children[1]) == "%":
        return _FORMAT.sub(HOLE, _url(builder, left, depth + 1))
    return _url(builder, left, depth + 1) + _url(builder, right, depth + 1)
