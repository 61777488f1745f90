"""The map in a real browser: what it draws, says and copies, with a mouse, with keys alone, in a file and in a chat."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.explore.samples import CITIES, FIJI, PHONE, ROUTE, batch

pytest.importorskip("playwright")

pytestmark = pytest.mark.slow

HOSTILE = (
    "</script><script>document.title='broken'</script><img src=x onerror=alert(1)>\u202egnp.exe\u0007" + "A" * 10_000
)

OF_COLOUR = """async (canvas, colour) => {
    await new Promise(requestAnimationFrame);
    const probe = document.createElement("span");
    probe.style.color = `var(${colour})`;
    document.body.append(probe);
    const [red, green, blue] = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
    probe.remove();
    const { width, height } = canvas;
    const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
    const columns = new Set();
    for (let at = 0; at < data.length; at += 4)
        if (Math.abs(data[at] - red) + Math.abs(data[at + 1] - green) + Math.abs(data[at + 2] - blue) < 12)
            columns.add((at / 4) % width);
    return [...columns].map((column) => column / width).sort((a, b) => a - b);
}"""
"""The columns of the map with pixels of a colour, as parts of its width."""


def columns(shown: Any, colour: str) -> list[float]:
    """Where a map has pixels of a colour of its style sheet."""
    found: list[float] = shown.do(lambda page: page.locator(".map-place canvas").evaluate(OF_COLOUR, colour))
    return found


def press(shown: Any, *keys: str) -> None:
    """Press keys on the map."""
    for key in keys:
        shown.do(lambda page, key=key: page.locator(".map-place canvas").press(key))


def click_middle(shown: Any) -> None:
    """Click on the middle of the map."""
    shown.do(lambda page: page.locator(".map-place canvas").click())


def card(shown: Any) -> str:
    """The heading of the card."""
    heading: str = shown.text(".card h2")
    return heading


def test_a_box_across_180_is_one_box_in_the_middle(browser: Any) -> None:
    with browser.answered("map", "bbox_from_place", {"query": "Fiji"}, FIJI) as shown:
        assert card(shown) == "Fiji"
        drawn = columns(shown, "--mark")
        assert abs(drawn[0] + drawn[-1] - 1) < 0.05
        assert 0.2 < drawn[-1] - drawn[0] < 0.95
        assert "[174.5889, -21.7111, -178.2161, -12.4798]" in shown.text(".card dl")
        assert "Natural Earth" in shown.text(".credit")
        shown.is_quiet()


def test_the_box_is_drawn_around_an_outline_too(browser: Any) -> None:
    ring = [[178.0, -18.2], [178.4, -18.2], [178.4, -17.8], [178.0, -17.8], [178.0, -18.2]]
    reply = {**FIJI, "geometry": {"type": "Polygon", "coordinates": [ring]}}
    with browser.answered("map", "bbox_from_place", {"query": "Fiji"}, FIJI) as shown:
        assert card(shown) == "Fiji"
        alone = columns(shown, "--mark")
    with browser.answered("map", "bbox_from_place", {"query": "Fiji"}, reply) as shown:
        assert card(shown) == "Fiji"
        drawn = columns(shown, "--mark")
    assert (drawn[0], drawn[-1]) == (alone[0], alone[-1])


def test_a_route_over_the_pacific_lists_its_legs_and_its_gap(browser: Any) -> None:
    with browser.answered("map", "route_waypoints", {}, ROUTE) as shown:
        assert shown.text("h1") == "Tokyo – Lima"
        assert shown.text(".leg") == "6,206 km"
        assert "no place matches 'Atlantis'" in shown.text(".places")
        assert len(columns(shown, "--route")) > 50
        shown.click("button:has-text('Table')")
        rows = shown.do(lambda page: page.locator("table.data tbody tr").all_inner_texts())
        assert len(rows) == 4
        assert "6,206 km" in rows[1]
        shown.is_quiet()


def test_keys_alone_choose_zoom_and_close(browser: Any) -> None:
    with browser.answered("map", "geocode", {"query": "Illinois"}, CITIES) as shown:
        shown.wait(".place")
        scale = shown.text(".scale-bar span")
        press(shown, "n", "n")
        assert card(shown) == "Chicago"
        assert "Chicago" in shown.do(lambda page: page.locator("[role=status]").inner_text())
        press(shown, "p")
        assert card(shown) == "Springfield"
        press(shown, "Enter")
        assert shown.text(".card h2:focus") == "Springfield"
        shown.do(lambda page: page.keyboard.press("Tab"))
        assert shown.text(":focus") == "GeoJSON"
        shown.do(lambda page: page.keyboard.press("Escape"))
        assert shown.do(lambda page: page.locator(".card").count()) == 0
        assert (
            shown.do(lambda page: page.evaluate("document.activeElement.getAttribute('aria-roledescription')")) == "map"
        )
        press(shown, "+", "+", "+", "ArrowLeft", "ArrowUp")
        shown.wait(f".scale-bar span:not(:text-is('{scale}'))")
        press(shown, "0")
        shown.wait(f".scale-bar span:text-is('{scale}')")
        shown.is_quiet()


def test_a_click_on_a_mark_opens_its_card_and_one_beside_it_a_point(browser: Any) -> None:
    one = {"success": True, "results": [{"name": "Suva", "lat": -18.14, "lon": 178.44, "type": "city"}]}
    with browser.answered("map", "geocode", {"query": "Suva"}, one) as shown:
        shown.click(".card .close")
        click_middle(shown)
        assert card(shown) == "Suva"
        shown.do(lambda page: page.locator(".map-place canvas").click(position={"x": 60, "y": 60}))
        shown.wait(".card h2:has-text('°S')")
        shown.is_quiet()


def test_thousands_are_clusters_that_open_by_a_click(browser: Any) -> None:
    spots = [(0.0, -60.0)] * 800 + [(0.0, 60.0)] * 800
    middle = [(number / 100 - 4, number % 40 / 10 - 2) for number in range(800)]
    with browser.answered("map", "batch_geocode", {}, batch(spots + middle)) as shown:
        shown.wait(".place")
        scale = shown.text(".scale-bar span")
        click_middle(shown)
        shown.wait(f".scale-bar span:not(:text-is('{scale}'))")
        assert shown.do(lambda page: page.locator(".card").count()) == 0
        shown.is_quiet()


def test_places_that_no_scale_parts_are_listed(browser: Any) -> None:
    with browser.answered("map", "batch_geocode", {}, batch([(10.0, 20.0)] * 2_500)) as shown:
        shown.wait(".place")
        click_middle(shown)
        assert card(shown) == "2,500 places here"
        shown.click(".group button")
        assert card(shown) == "place 0"
        shown.is_quiet()


def test_hostile_names_are_clipped_text(browser: Any) -> None:
    place = {
        "name": HOSTILE,
        "display_name": HOSTILE,
        "type": HOSTILE,
        "lat": 3,
        "lon": 2,
        "address": {HOSTILE: HOSTILE},
    }
    reply = {
        "success": True,
        "results": [place, place],
        "hint": HOSTILE,
        "attribution": HOSTILE,
        "source": {"backend": HOSTILE},
    }
    with browser.answered("map", "geocode", {"query": HOSTILE}, reply) as shown:
        shown.click(".place")
        assert card(shown).startswith("</script><script>")
        shown.click("button:has-text('Table')")
        text = shown.text("main")
        assert len(text) < 8_000
        assert not set(text) & {"\u202e", "\u0007"}
        assert shown.do(lambda page: page.locator("img, main script").count()) == 0
        assert shown.do(lambda page: page.title()) == "Map – bearings"
        shown.is_quiet()


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ({"success": True, "results": [], "hint": "Check the spelling."}, ["Nothing found.", "Check the spelling."]),
        ({"success": False, "error": "nothing at 0, -30", "hint": "Open sea."}, ["nothing at 0, -30", "Open sea."]),
        ({"success": True, "places": [], "hint": "Try more radius_km."}, ["Nothing found", "Try more radius_km."]),
        ({"success": True, "backend": "gazetteer"}, ["no places to draw"]),
    ],
)  # fmt: skip
def test_answers_without_places_say_so(browser: Any, reply: dict[str, Any], words: list[str]) -> None:
    with browser.answered("map", "geocode", {"query": "x"}, reply) as shown:
        shown.wait(".listed p")
        text = shown.do(lambda page: page.locator(".listed").inner_text())
        assert all(word in text for word in words)
        shown.is_quiet()


def test_a_place_is_copied_as_geojson_wkt_and_a_box(browser: Any) -> None:
    allowed = {"permissions": ["clipboard-read", "clipboard-write"]}
    with browser.answered("map", "bbox_from_place", {"query": "Fiji"}, FIJI, **allowed) as shown:

        def copied(name: str) -> str:
            shown.click(f".copies button:has-text('{name}')")
            shown.wait(".copies button:has-text('Copied')")
            text: str = shown.do(lambda page: page.evaluate("navigator.clipboard.readText()"))
            return text

        feature = json.loads(copied("GeoJSON"))
        assert feature["bbox"] == FIJI["bbox"]
        assert len(feature["geometry"]["coordinates"]) == 2
        assert copied("WKT").startswith("MULTIPOLYGON (((174.5889 -21.7111, 180 -21.7111")
        assert json.loads(copied("[w, s, e, n]")) == FIJI["bbox"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_all_without_scrolling_sideways(browser: Any, scheme: str) -> None:
    with browser.answered("map", "geocode", {"query": "Illinois"}, CITIES, color_scheme=scheme, **PHONE) as shown:
        shown.wait(".place")
        assert shown.do(lambda page: page.evaluate("document.documentElement.scrollWidth")) == 360
        box = shown.do(lambda page: page.locator(".map-place canvas").bounding_box())
        assert box["width"] == 360
        assert box["height"] > 200
        light = shown.do(lambda page: page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0]"))
        assert (int(light) > 128) == (scheme == "light")
        shown.is_quiet()


def test_in_a_chat_the_user_goes_on_and_the_model_is_told(browser: Any) -> None:
    here = {"name": "Chicago", "display_name": "Chicago, Illinois", "lat": 41.9, "lon": -87.6}
    reverse = {"success": True, **here, "asked": {"lat": 41.9, "lon": -87.6}, "found": {"lat": 41.9, "lon": -87.6}}
    calls: list[tuple[str, Mapping[str, Any]]] = []

    def relay(tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        calls.append((tool, arguments))
        if tool == "nearby_places":
            error = {"success": False, "error": "the backend is away", "hint": "Ask again."}
            return {"content": [], "structuredContent": error, "isError": True}
        return {"content": [], "structuredContent": CITIES if tool == "geocode" else reverse}

    first = {"content": [], "structuredContent": FIJI}
    with browser.in_chat("map", "bbox_from_place", {"query": "Fiji"}, first, relay) as shown:
        assert card(shown) == "Fiji"
        shown.do(lambda view: view.locator("input[type=search]").fill("Illinois"))
        shown.click("button:has-text('Find')")
        shown.click(".place:has-text('Chicago')")
        shown.click("button:has-text('What is here')")
        shown.wait("h1:has-text('Chicago')")
        shown.click("button:has-text('Nearby here')")
        assert shown.text(".status") == "the backend is away. Ask again."
        shown.click("button:has-text('Back')")
        shown.wait("h1:has-text('Illinois')")
        told = shown.on_page(lambda page: page.evaluate("JSON.stringify(window.told)"))
        assert "Chicago, Illinois" in told
    assert [tool for tool, _ in calls] == ["geocode", "reverse_geocode", "nearby_places"]
    assert calls[1][1] == {"lat": 41.9, "lon": -87.6}
