"""Pages from the views: for one answer, for the host of an MCP App, and for a server of ours that can be asked.

A view is one HTML file, which takes its data from an element of JSON: an answer, or the path that answers. Nothing else
differs between the pages, except that a page of a server may ask it.
"""

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, get_args

from bearings.view import Page, Pages, View

STATIC = Path(__file__).parent / "static"

INDEX = "/explore"
"""The path of the page that names the others."""

_CALL = "call"
"""The path that answers, relative to a view's page, so that it holds behind any prefix."""

_GIVEN = '<script type="application/json" id="given">{}</script>'
_ASKS_NOBODY = "connect-src 'none'"
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
_UNSAFE = re.compile("[<>&\u2028\u2029\ud800-\udfff]")
"""Characters that could end a script element or a line in it, and halves of pairs, which UTF-8 can't carry."""

_TITLES: Mapping[View, tuple[str, str]] = {
    "map": ("Map", "Places: boxes, outlines, what is near, routes."),
    "graph": ("Graph", "Code: who uses what, what a change reaches, what has changed."),
}


def page_of(view: View, tool: str, arguments: Mapping[str, Any], reply: Mapping[str, Any]) -> str:
    """The page for one answer, which asks nobody: it can be kept as a file."""
    return _filled(_view(view), {"answer": {"tool": tool, "arguments": arguments, "reply": reply}})


def pages_for(views: Iterable[View]) -> Pages:
    """The pages of a server with tools that have these views."""
    shown = [view for view in get_args(View) if view in frozenset(views)]
    served = {f"{INDEX}/{view}": _page(_asking(_view(view))) for view in shown}
    return Pages({view: _page(_view(view)) for view in shown}, {INDEX: _index(shown), **served} if shown else {})


@cache
def _view(view: View) -> str:
    return (STATIC / f"{view}.html").read_text(encoding="utf-8")


def _asking(html: str) -> str:
    """The view for a page of a server: it may ask that server alone."""
    return _replaced(_filled(html, {"call": _CALL}), _ASKS_NOBODY, "connect-src 'self'")


def _filled(html: str, given: Mapping[str, Any]) -> str:
    return _replaced(html, _GIVEN, _GIVEN.replace("{}", _json(given)))


def _replaced(html: str, old: str, new: str) -> str:
    """The page with the first `old` replaced: it stands above everything that came from elsewhere."""
    before, separator, after = html.partition(old)
    assert separator, old
    return f"{before}{new}{after}"


def _json(given: Mapping[str, Any]) -> str:
    """JSON that ends no element, whatever text from outside is in it."""
    text = json.dumps(given, ensure_ascii=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _page(html: str) -> Page:
    policy = _POLICY.search(html)
    assert policy
    return Page(html, policy[1])


def _index(views: Iterable[View]) -> Page:
    """The page that names the views; its links are relative, as `_CALL` is."""
    html = (Path(__file__).parent / "index.html").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(_between(html, "<style>", "</style>").encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    links = "".join(
        f'<li><a href="explore/{view}">{title}</a> – {about}</li>\n'
        for view, (title, about) in ((view, _TITLES[view]) for view in views)
    )
    return Page(html.replace("{policy}", policy).replace("{links}", links), policy)


def _between(text: str, start: str, end: str) -> str:
    return text.partition(start)[2].partition(end)[0]
