"""axe-core finds nothing serious in a view: on a wide light screen and a dark phone, in each of its states.

What is drawn on a canvas has no elements, so axe-core sees its name alone; lists and tables have the same data.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from bearings.view import View
from tests.adversary.servers import listening
from tests.explore.browser import Browser, Shown, node_packages
from tests.explore.samples import CHANGES, FIJI, PHONE, ROUTE, batch
from tests.explore.served import FERRY, Chat
from tests.soak import mostly_slow, soak

pytestmark = pytest.mark.slow

SCREENS: dict[str, dict[str, Any]] = {
    "light, wide": {"viewport": {"width": 1280, "height": 720}, "color_scheme": "light", "reduced_motion": "reduce"},
    "dark, phone": {**PHONE, "color_scheme": "dark", "reduced_motion": "reduce"},
}
GRAVE = frozenset({"serious", "critical"})

AXE = "axe-core/axe.min.js"

FINDINGS = """async () => {
    const { violations, passes } = await axe.run(document, { resultTypes: ["violations", "passes"] });
    if (passes.length < 10) throw new Error(`axe-core found only ${passes.length} rules to hold`);
    return violations.flatMap(({ id, impact, nodes }) =>
        nodes.map(({ html, failureSummary }) => ({ id, impact, html, failureSummary })));
}"""
"""What axe-core finds in the present state of a page, element by element."""


def findings(shown: Shown) -> list[dict[str, str]]:
    """Each finding of an impact in GRAVE."""
    source = (node_packages() / AXE).read_text(encoding="utf-8")

    def run(view: Any) -> list[dict[str, str]]:
        root = view.locator(":root")
        if not root.evaluate("() => 'axe' in window"):
            root.evaluate(f"() => {{ {source} }}")
        found: list[dict[str, str]] = root.evaluate(FINDINGS)
        return found

    return [one for one in shown.do(run) if one["impact"] in GRAVE]


@dataclass(frozen=True)
class Scene:
    """An answer. `presses` lead from one state of the view to the next; `arguments` ask the server if no `reply` is."""

    view: View
    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)
    reply: dict[str, Any] | None = None
    presses: tuple[str, ...] = ()


PROJECT = {"project_path": FERRY}
WHOLE = {**PROJECT, "format": "json", "diagram_type": "all"}
PLACE = (".places .place", "button:has-text('Table')")
BOX = (".list button", "button:has-text('Table')")
MANY = batch([(number % 150 - 60.0, number * 7 % 360 - 180.0) for number in range(2_000)])

SCENES = {
    "points": Scene("map", "geocode", {"query": "Springfield", "limit": 5}, presses=PLACE),
    "a box": Scene("map", "bbox_from_place", {"query": "Fiji"}, FIJI),
    "a route": Scene("map", "route_waypoints", {}, ROUTE, PLACE),
    "a batch": Scene("map", "batch_geocode", {}, MANY, PLACE),
    "a hierarchy": Scene(
        "map", "admin_boundaries", {"lat": 48.8566, "lon": 2.3522, "geometry": "simplified"}, presses=PLACE
    ),
    "what is near": Scene("map", "nearby_places", {"lat": 48.8566, "lon": 2.3522, "radius_km": 10}, presses=PLACE),
    "no place": Scene("map", "geocode", {"query": "qwrtzpsdfg"}),
    "folders": Scene("graph", "coderef_diagram", {**WHOLE, "inside": "."}, presses=BOX),
    "a neighbourhood": Scene("graph", "coderef_diagram", {**WHOLE, "element": "parseTime"}, presses=BOX),
    "an impact": Scene("graph", "coderef_impact", {**PROJECT, "element": "parseTime", "detail": "full"}, presses=BOX),
    "changes": Scene("graph", "coderef_changes", {}, CHANGES, BOX),
    "central files": Scene("graph", "coderef_map", PROJECT, presses=BOX),
    "an answer in words": Scene("graph", "coderef_explore", {**PROJECT, "question": "parseTime"}, presses=BOX),
    "no element": Scene("graph", "coderef_changes", {}, {**CHANGES, "changed": [], "reached": []}),
}


def looked_through(shown: Shown, presses: tuple[str, ...] = ()) -> list[dict[str, str]]:
    """The findings in the first state of a view, and in each that a press leads to."""
    shown.do(lambda view: view.locator("main:not(:empty)").first.wait_for(state="attached", timeout=20_000))
    found = findings(shown)
    for selector in presses:
        shown.click(selector)
        found += findings(shown)
    return found


@pytest.mark.parametrize("screen", ["light, wide", pytest.param("dark, phone", marks=soak)])
@pytest.mark.parametrize("scene", mostly_slow(3, SCENES, soak))
def test_a_view_has_no_grave_finding(browser: Browser, chat: Chat, scene: str, screen: str) -> None:
    asked = SCENES[scene]
    reply = asked.reply or chat.call(asked.tool, asked.arguments)["structuredContent"]
    with browser.answered(asked.view, asked.tool, asked.arguments, reply, **SCREENS[screen]) as shown:
        assert looked_through(shown, asked.presses) == []


@pytest.mark.parametrize("scene", ["points", "an impact"])
def test_a_view_in_a_chat_has_no_grave_finding(browser: Browser, chat: Chat, scene: str) -> None:
    asked = SCENES[scene]
    result = chat.call(asked.tool, asked.arguments)
    with browser.in_chat(asked.view, asked.tool, asked.arguments, result, chat.call) as shown:
        assert looked_through(shown, asked.presses) == []


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """A server with pages that can be asked."""
    with listening(["serve", "http", "--port", "0", "--root", FERRY, "--explore"]) as url:
        yield url


@pytest.mark.parametrize("screen", SCREENS)
def test_the_pages_of_a_server_have_no_grave_finding(browser: Browser, site: str, screen: str) -> None:
    with browser.opened(f"{site}/explore", **SCREENS[screen]) as shown:
        shown.wait("h1")
        assert findings(shown) == []
    with browser.opened(f"{site}/explore/map", **SCREENS[screen]) as shown:
        shown.do(lambda page: page.locator("input[type=search]").fill("Springfield"))
        assert looked_through(shown, ("button:has-text('Find')", *PLACE[:1])) == []
    with browser.opened(f"{site}/explore/graph", **SCREENS[screen]) as shown:
        shown.wait(".list button")
        assert looked_through(shown, BOX[:1]) == []


@pytest.mark.parametrize(
    ("spoil", "rule"),
    [
        ("button => { button.textContent = ''; button.removeAttribute('aria-label'); }", "button-name"),
        ("button => { button.style.color = '#aaa'; }", "color-contrast"),
    ],
)
def test_a_fault_would_be_found(browser: Browser, spoil: str, rule: str) -> None:
    with browser.answered("map", "bbox_from_place", {"query": "Fiji"}, FIJI) as shown:
        shown.wait(".card")
        shown.do(lambda page: page.locator("button:has-text('Table')").evaluate(spoil))
        assert [one["id"] for one in findings(shown)] == [rule]
