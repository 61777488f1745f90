"""The views in a real browser: in a file, in a chat and on a server, with names that would break out if they could."""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from bearings.view import View
from tests.adversary.servers import listening
from tests.explore.browser import WEB, Browser, Shown, node_packages, npm
from tests.explore.served import FERRY, Chat

pytestmark = pytest.mark.slow

HOSTILE = "</script><img src=//example.org/x onerror=alert(1)><!--\u2028"
TOKEN = "a-token-of-some-length"

ASKED: list[tuple[View, str, dict[str, Any]]] = [
    ("map", "geocode", {"query": "Fiji", "geometry": "simplified"}),
    ("map", "bbox_from_place", {"query": "Fiji"}),
    ("map", "nearby_places", {"lat": 48.8566, "lon": 2.3522, "radius_km": 10}),
    ("map", "admin_boundaries", {"lat": 48.8566, "lon": 2.3522, "geometry": "simplified"}),
    ("map", "route_waypoints", {"waypoints": ["Paris", "nowhere at all", "Moscow"]}),
    ("map", "batch_geocode", {"queries": ["Paris", "Fiji", "qwrtzpsdfg"]}),
    ("graph", "coderef_map", {"project_path": FERRY}),
    ("graph", "coderef_diagram", {"project_path": FERRY}),
    ("graph", "coderef_impact", {"project_path": FERRY, "element": "parseTime"}),
    ("graph", "coderef_impact", {"project_path": FERRY, "element": "parseTime", "detail": "full"}),
    ("graph", "coderef_impact", {"project_path": FERRY, "element": ["parseTime", "nobody"]}),
    ("graph", "coderef_explore", {"project_path": FERRY, "question": "where are seats booked"}),
]
"""Answers of every tool with a view but coderef_changes, which needs a repository."""


def shows_something(shown: Shown) -> None:
    """Wait for the view to draw."""
    shown.do(lambda view: view.locator("main:not(:empty)").first.wait_for(state="attached", timeout=20_000))


@pytest.mark.parametrize(("view", "tool", "arguments"), ASKED)
def test_a_file_shows_an_answer_and_asks_nobody(
    browser: Browser, chat: Chat, view: View, tool: str, arguments: dict[str, Any]
) -> None:
    with browser.answered(view, tool, arguments, chat.call(tool, arguments)["structuredContent"]) as shown:
        shows_something(shown)
        shown.is_quiet()


@pytest.mark.parametrize(("view", "tool", "arguments"), ASKED)
def test_a_chat_shows_an_answer(browser: Browser, chat: Chat, view: View, tool: str, arguments: dict[str, Any]) -> None:
    with browser.in_chat(chat.page(tool), tool, arguments, chat.call(tool, arguments), chat.call) as shown:
        shows_something(shown)
        shown.is_quiet()


def hostile_map(chat: Chat) -> tuple[View, str, dict[str, Any], dict[str, Any]]:
    """A place with that name."""
    reply = deepcopy(chat.call("geocode", {"query": "Fiji", "limit": 1})["structuredContent"])
    reply["results"][0] |= {"name": HOSTILE, "display_name": HOSTILE}
    return "map", "geocode", {"query": HOSTILE}, reply


def hostile_graph(chat: Chat, folder: Path) -> tuple[View, str, dict[str, Any], dict[str, Any]]:
    """A project with such names of files."""
    name = "<img src=x onerror=alert(1)>.py"
    (folder / name).write_text("def hostile(): pass\n")
    (folder / "b.py").write_text("def other(): hostile()\n")
    arguments = {"project_path": str(folder)}
    reply = chat.call("coderef_map", arguments)["structuredContent"]
    assert name in json.dumps(reply)
    return "graph", "coderef_map", arguments, reply


@pytest.mark.parametrize("view", ["map", "graph"])
def test_hostile_names_are_text(browser: Browser, chat: Chat, view: View, tmp_path: Path) -> None:
    asked = hostile_map(chat) if view == "map" else hostile_graph(chat, tmp_path)
    with browser.answered(*asked) as shown:
        shows_something(shown)
        assert shown.do(lambda page: page.locator("img").count()) == 0
        shown.is_quiet()
    _, tool, arguments, reply = asked
    result = {"content": [], "structuredContent": reply}
    with browser.in_chat(view, tool, arguments, result, chat.call) as shown:
        shows_something(shown)
        assert shown.do(lambda frame: frame.locator("img").count()) == 0
        shown.is_quiet()


def test_a_call_of_a_view_reaches_the_server(browser: Browser, chat: Chat) -> None:
    """The messages are those that web/shared/host.ts sends; here a page of the test's own sends them."""
    page = """<!doctype html><main></main><script>
        let last = 0;
        const waiting = new Map();
        addEventListener("message", ({ data }) => waiting.get(data.id)?.(data.result));
        const ask = (method, params) => new Promise((resolve) => {
            waiting.set(++last, resolve);
            parent.postMessage({ jsonrpc: "2.0", id: last, method, params }, "*");
        });
        (async () => {
            await ask("ui/initialize", { appInfo: { name: "t", version: "1" }, appCapabilities: {},
                protocolVersion: "2026-01-26" });
            parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/initialized", params: {} }, "*");
            const { structuredContent } = await ask("tools/call",
                { name: "bbox_from_place", arguments: { query: "Fiji" } });
            document.querySelector("main").textContent = structuredContent.place_name;
        })();
    </script>"""
    with browser.in_chat(page, "geocode", {}, {"content": []}, chat.call) as shown:
        assert shown.text("main:has-text('Fiji')") == "Fiji"
        shown.is_quiet()
    assert chat.calls[-1] == "bbox_from_place"


def test_the_frame_of_a_chat_can_reach_nothing_but_its_host(browser: Browser, chat: Chat) -> None:
    page = """<!doctype html><main></main><script>
        fetch("https://example.org/").catch((error) => { document.querySelector("main").textContent = error.name; });
        parent.postMessage({ jsonrpc: "2.0", id: 1, method: "ui/initialize", params: { appInfo: { name: "t",
            version: "1" }, appCapabilities: {}, protocolVersion: "2026-01-26" } }, "*");
        parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/initialized", params: {} }, "*");
    </script>"""
    with browser.in_chat(page, "geocode", {}, {"content": []}, chat.call) as shown:
        assert shown.text("main:has-text('TypeError')") == "TypeError"
        assert not any("example.org" in address for address in shown.requests)


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """A server with a token."""
    with listening(["serve", "http", "--port", "0", "--root", FERRY, "--explore"], BEARINGS_TOKEN=TOKEN) as url:
        yield url


PASSWORD = {"http_credentials": {"username": "me", "password": TOKEN}}


def test_a_server_shows_its_pages_to_those_with_its_token(browser: Browser, site: str) -> None:
    with browser.opened(f"{site}/explore", **PASSWORD) as shown:
        shown.click("text=Map")
        shown.on_page(lambda page: page.wait_for_url(f"{site}/explore/map"))
        asked = """async () => {
            const body = JSON.stringify({ tool: "bbox_from_place", arguments: { query: "Fiji" } });
            const headers = { "Content-Type": "application/json" };
            return (await fetch("call", { method: "POST", headers, body })).json();
        }"""
        assert shown.on_page(lambda page: page.evaluate(asked))["place_name"] == "Fiji"
        assert shown.errors == []
        assert all(address.startswith(f"{site}/explore") for address in shown.requests)


def test_a_page_of_another_site_cannot_frame_or_ask_a_server(browser: Browser, site: str, tmp_path: Path) -> None:
    """Even in a browser that sends the password of its own accord."""
    (tmp_path / "other.html").write_text(f"<!doctype html><body><iframe src='{site}/explore/map'></iframe></body>")
    call = "{ tool: 'bbox_from_place', arguments: { query: 'Fiji' } }"
    asked = f"""() => fetch("{site}/explore/call", {{ method: "POST", credentials: "include",
        headers: {{ "Content-Type": "application/json" }}, body: JSON.stringify({call}) }}).catch((e) => e.name)"""
    with browser.opened(f"{site}/explore", **PASSWORD) as shown:
        shown.on_page(lambda page: page.goto((tmp_path / "other.html").as_uri()))
        assert shown.on_page(lambda page: page.evaluate(asked)) == "TypeError"
        assert "bearings" not in shown.on_page(lambda page: page.frames[1].content())


def test_the_committed_views_are_what_their_sources_build() -> None:
    node_packages()
    checked = npm(["run", "--silent", "check"])
    assert checked.returncode == 0, f"{WEB}: {checked.stdout}{checked.stderr}"
