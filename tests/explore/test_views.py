"""The views in a real browser: in a file and in a chat, with text that would break out if it could."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from bearings.view import View
from tests.explore.browser import Browser
from tests.explore.served import FERRY, Chat

pytestmark = pytest.mark.slow

VIEWS: list[View] = ["map", "graph"]
HOSTILE = "</script><img src=//example.org/x onerror=alert(1)><!--\u2028"


def never(tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    raise AssertionError(f"{tool} was called with {arguments}")


@pytest.mark.parametrize("view", VIEWS)
def test_a_file_with_hostile_names_opens_quietly(browser: Browser, view: View) -> None:
    reply = {"success": True, "results": [{"display_name": HOSTILE}], "count": 1}
    with browser.answered(view, "geocode", {"query": HOSTILE}, reply) as shown:
        shown.wait("main")
        assert shown.do(lambda page: page.locator("img").count()) == 0
        given = shown.do(lambda page: page.evaluate("document.getElementById('given').textContent"))
        assert json.loads(given)["answer"]["arguments"] == {"query": HOSTILE}
        shown.is_quiet()


ASKED: list[tuple[View, str, dict[str, Any]]] = [
    ("map", "geocode", {"query": "Fiji", "geometry": "simplified"}),
    ("graph", "coderef_impact", {"project_path": FERRY, "element": "parseTime"}),
]


@pytest.mark.parametrize(("view", "tool", "arguments"), ASKED)
def test_a_chat_shows_the_answer_of_a_tool(
    browser: Browser, chat: Chat, view: View, tool: str, arguments: dict[str, Any]
) -> None:
    with browser.in_chat(view, tool, arguments, chat.call(tool, arguments), chat.call) as shown:
        shown.wait("main *, main:has-text('success')")
        shown.is_quiet()


def test_a_call_of_a_view_reaches_the_server(browser: Browser, chat: Chat) -> None:
    """The messages are those that web/shared/host.ts sends; here a page of a test sends them."""
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
