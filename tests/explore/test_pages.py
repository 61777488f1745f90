"""Pages: what a browser takes out of them is what was put in, whatever it is."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.cli.wiring import WIRING
from bearings.explore.pages import STATIC, page_of, pages_for

HOSTILE = [
    "</script><script>alert(1)</script>", "<!--<script>", "]]>", "\u2028\u2029", "a\ud800b", "&lt;/script&gt;", "{}",
    '<script type="application/json" id="given">{}</script>', "connect-src 'none'",
]  # fmt: skip


class Scripts(HTMLParser):
    """The script elements of a page: their attributes and text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[dict[str, str | None], str]] = []
        self._in: dict[str, str | None] | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in = dict(attrs) if tag == "script" else self._in
        if tag == "script":
            self.found.append((dict(attrs), ""))

    def handle_data(self, data: str) -> None:
        if self._in is not None:
            self.found[-1] = (self.found[-1][0], self.found[-1][1] + data)

    def handle_endtag(self, tag: str) -> None:
        self._in = None if tag == "script" else self._in


def given_in(html: str) -> Any:
    [text] = [text for attributes, text in Scripts(html).found if attributes.get("id") == "given"]
    return json.loads(text)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_in_its_element(text: str) -> None:
    answer = {"tool": "geocode", "arguments": {"query": text}, "reply": {text: [text]}}
    html = page_of("map", "geocode", {"query": text}, {text: [text]})
    html.encode()
    assert given_in(html) == {"answer": answer}
    assert len(Scripts(html).found) == len(Scripts(page_of("map", "", {}, {})).found)
    assert not set("\u2028\u2029") & set(html)


@pytest.mark.slow
@given(st.text())
def test_any_text_comes_out_as_it_went_in(text: str) -> None:
    html = page_of("graph", "coderef_map", {}, {"a": text})
    html.encode()
    assert given_in(html)["answer"]["reply"] == {"a": text}


def test_a_page_that_is_kept_may_ask_nobody() -> None:
    html = page_of("map", "geocode", {"query": "connect-src 'none'"}, {})
    assert re.findall("connect-src '[a-z]+'", html) == ["connect-src 'none'", "connect-src 'none'"]


@pytest.mark.parametrize("view", ["map", "graph"])
def test_a_page_of_a_server_may_ask_that_server_alone(view: Any) -> None:
    pages = pages_for([view])
    page = pages.served[f"/explore/{view}"]
    assert given_in(page.html) == {"call": "call"}
    assert "connect-src 'self'" in page.policy
    assert page.policy in page.html
    assert "connect-src 'none'" in pages.hosted[view].policy
    assert given_in(pages.hosted[view].html) == {}


@pytest.mark.parametrize("view", ["map", "graph"])
def test_scripts_and_styles_run_by_their_hashes_alone(view: Any) -> None:
    page = pages_for([view]).served[f"/explore/{view}"]
    [_, (_, script)] = Scripts(page.html).found
    [style] = re.findall("<style>(.*?)</style>", page.html, re.DOTALL)
    for kind, text in (("script", script), ("style", style)):
        assert f"{kind}-src 'sha256-{digest(text)}'" in page.policy
    assert "unsafe" not in page.policy
    assert page.policy.startswith("default-src 'none';")


def digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def test_the_index_names_the_views_that_the_server_has() -> None:
    both, one = pages_for(["graph", "map", "map"]), pages_for(["map"])
    assert list(both.served) == ["/explore", "/explore/map", "/explore/graph"]
    assert re.findall('href="(.*?)"', both.served["/explore"].html) == ["explore/map", "explore/graph"]
    assert re.findall('href="(.*?)"', one.served["/explore"].html) == ["explore/map"]
    assert pages_for([]).served == {}


def test_tools_say_how_their_replies_are_looked_at() -> None:
    views = {tool.name: tool.view for tool in (*WIRING.places().tools, *WIRING.code(None).tools) if tool.view}
    assert views == {
        **dict.fromkeys(
            ["geocode", "bbox_from_place", "admin_boundaries", "nearby_places", "batch_geocode", "route_waypoints"],
            "map",
        ),
        **dict.fromkeys(
            ["coderef_explore", "coderef_impact", "coderef_changes", "coderef_map", "coderef_diagram"], "graph"
        ),
    }


def test_the_views_stand_in_the_package_with_their_licences() -> None:
    assert {"LICENSES.txt", "graph.html", "map.html"} <= {path.name for path in STATIC.iterdir()}
