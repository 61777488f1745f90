"""The graph view in a real browser: what it draws of real replies, and how people walk through it."""

import asyncio
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from bearings.cli.wiring import WIRING
from bearings.reply import Reply
from tests.code.trees import repository, write
from tests.explore.browser import Browser, Shown, node_packages, npm
from tests.explore.samples import CHANGES, PHONE
from tests.explore.served import FERRY, Chat

pytestmark = pytest.mark.slow

HOSTILE = "</script><img src=//example.org/x onerror=alert(1)>\u202egnp.exe" + "x" * 10_000


class Ferry:
    """The tools over an example's sources; `reply` is the whole structured reply, as commands give it."""

    def __init__(self) -> None:
        self._code = WIRING.code(None)
        self._tools = {tool.name: tool for tool in self._code.tools}
        self._loop = asyncio.new_event_loop()

    def reply(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The reply to a call."""
        return self._asked(tool, arguments).structured()

    def sent(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The reply to a call, as clients get it: lists are lines, unless `detail` says otherwise."""
        return self._asked(tool, arguments).sent()

    def _asked(self, tool: str, arguments: Mapping[str, Any]) -> Reply:
        found, _ = self._loop.run_until_complete(self._tools[tool].run({"project_path": FERRY, **arguments}, None))
        return found

    def close(self) -> None:
        """Ends the engine."""
        self._loop.run_until_complete(self._code.aclose())
        self._loop.close()


@pytest.fixture(scope="module")
def ferry() -> Iterator[Ferry]:
    opened = Ferry()
    yield opened
    opened.close()


def boxes(shown: Shown) -> list[str]:
    """The names in the list of boxes."""
    shown.wait(".list button")
    names: list[str] = shown.do(lambda page: page.locator(".list [data-id] .name").all_inner_texts())
    return names


def said(shown: Shown) -> str:
    """What a screen reader was told last."""
    return shown.do(lambda page: str(page.locator("[role=status]").inner_text()))


def press(shown: Shown, *keys: str) -> None:
    """Press keys, one after the other."""
    for key in keys:
        shown.do(lambda page: page.keyboard.press(key))  # noqa: B023 - runs before the next turn


def test_the_pure_parts_pass_their_own_tests() -> None:
    node_packages()
    done = npm(["test", "--silent"])
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("tool", "arguments", "title", "box"),
    [
        ("coderef_diagram", {"format": "json", "inside": ".", "diagram_type": "all"}, "Project", "lib/"),
        ("coderef_diagram", {"diagram_type": "all", "element": "parseTime"}, "parseTime", "parseTime"),
        ("coderef_impact", {"element": "parseTime", "operation": "delete"}, "delete parseTime", "parseTime"),
        ("coderef_explore", {"question": "parseTime"}, "Answer", "parseTime"),
        ("coderef_map", {}, "Most central files", "time.ts"),
        (
            "coderef_query",
            {"element": "parseTime", "query_type": "depends-on-me"},
            "depends-on-me parseTime",
            "parseTime",
        ),
        ("coderef_scan", {"types": ["function"]}, "Elements", "parseTime"),
    ],
)
def test_a_file_draws_the_reply_of_each_tool(
    browser: Browser, ferry: Ferry, tool: str, arguments: dict[str, Any], title: str, box: str
) -> None:
    reply = ferry.reply(tool, **arguments)
    with browser.answered("graph", tool, arguments, reply) as shown:
        assert shown.text("h1") == title
        names = boxes(shown)
        assert any(name.endswith(box) for name in names), names
        shown.wait("canvas")
        shown.is_quiet()


def test_changes_say_their_kind_in_words(browser: Browser) -> None:
    with browser.answered("graph", "coderef_changes", {}, CHANGES) as shown:
        assert "2 elements changed (1 added, 1 removed), 1 reached" in shown.text("aside")
        assert boxes(shown) == ["f", "C", "g"]
        assert shown.do(lambda page: page.locator(".legend li").all_inner_texts()[:2]) == ["A\nadded", "D\nremoved"]
        shown.is_quiet()


BODY = "".join(f"    total = total * {number} + rate\n" for number in range(2, 8))


def function(name: str, body: str = BODY) -> str:
    return f"def {name}(total, rate):\n{body}    return total\n\n\n"


BEFORE = {
    "shop/prices.py": function("altered")
    + function("first", BODY.replace("rate", "rate * 2"))
    + "def gone(name):\n    return name.strip().lower()\n",
    "shop/old.py": function("travelled", BODY.replace("+", "-")),
    "shop/basket.py": "from shop.prices import altered\n\n\ndef fill(all):\n    return [altered(1, x) for x in all]\n",
}
AFTER = {
    "shop/prices.py": function("altered", BODY + "    total += 1\n")
    + function("second", BODY.replace("rate", "rate * 2"))
    + "def fresh():\n    return 0.5\n",
    "shop/old.py": "",
    "shop/new.py": function("travelled", BODY.replace("+", "-")),
}
KINDS = {
    "altered": ("modified", "M", "modified"),
    "second": ("renamed", "R", "renamed"),
    "gone": ("removed", "D", "removed"),
    "fresh": ("added", "A", "added"),
    "travelled": ("moved", "V", "renamed"),
    "new.py": ("added", "A", "added"),
}
"""The word, the letter and the colour of each changed element."""

PIXELS = """(ground, colour) => {
    const [red, green, blue] = colour.match(/\\d+/g).map(Number);
    const off = (value, wanted) => Math.abs(value - wanted);
    const isIt = (data, at) => off(data[at], red) + off(data[at + 1], green) + off(data[at + 2], blue) < 12;
    return [...ground.querySelectorAll("canvas")].reduce((sum, canvas) => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        let found = 0;
        for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 200 && isIt(data, at)) found++;
        return sum + found;
    }, 0);
}"""
"""How many pixels of the picture have a colour."""

COLOUR = """(body, name) => {
    const probe = document.createElement("span");
    probe.style.color = `var(--${name})`;
    body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
}"""


def colour_of(shown: Shown, name: str) -> str:
    """A colour of the style sheet."""
    return shown.do(lambda page: str(page.locator("body").evaluate(COLOUR, name)))


def pixels(shown: Shown, colour: str) -> int:
    """How much of the picture has a colour."""
    return shown.do(lambda page: int(page.locator(".ground").evaluate(PIXELS, colour)))


def badges(shown: Shown) -> dict[str, tuple[str, str, str]]:
    """The word, the letter and the colour beside each name in the list of boxes."""

    def row(item: Any) -> tuple[str, tuple[str, str, str]]:
        words = item.locator("small").inner_text()
        letter = item.locator("svg text").text_content() if item.locator("svg text").count() else ""
        fill = item.locator("svg rect").evaluate("rect => getComputedStyle(rect).fill")
        return item.locator(".name").inner_text(), (words, letter, fill)

    return shown.do(lambda page: dict(row(item) for item in page.locator(".list [data-id]").all()))


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose files have changed in every way since its commit."""
    root = repository(tmp_path_factory.mktemp("edited").resolve() / "app", BEFORE)
    return write(root, AFTER)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_kind_of_change_has_its_colour_letter_and_word(
    browser: Browser, ferry: Ferry, edited: Path, scheme: str
) -> None:
    reply = ferry.reply("coderef_changes", project_path=str(edited), detail="full")
    with browser.answered("graph", "coderef_changes", {}, reply, color_scheme=scheme) as shown:
        found = badges(shown)
        assert found.pop("fill")[0] == "major"
        colours = {name: colour_of(shown, name) for _, _, name in KINDS.values()}
        assert found == {name: (word, letter, colours[colour]) for name, (word, letter, colour) in KINDS.items()}
        assert len(set(colours.values())) == 4
        assert all(pixels(shown, colour) > 200 for colour in colours.values())
        legend = shown.do(lambda page: page.locator(".legend li").all_inner_texts())
        assert set(legend) >= {f"{letter}\n{word}" for word, letter, _ in KINDS.values()}
        assert "6 elements changed (2 added, 1 modified, 1 removed, 1 renamed, 1 moved), 1 reached" in shown.text(
            "aside"
        )
        shown.is_quiet()


def test_changes_are_a_table_too_and_lines_say_the_same(browser: Browser, ferry: Ferry, edited: Path) -> None:
    tables = []
    for detail in ("full", "lines"):
        reply = ferry.sent("coderef_changes", project_path=str(edited), detail=detail)
        with browser.answered("graph", "coderef_changes", {}, reply) as shown:
            shown.click("text=Table")
            rows = shown.do(
                lambda page: [
                    row.locator("th, td").all_inner_texts() for row in page.locator("table >> nth=0 >> tbody tr").all()
                ]
            )
            tables.append({(name, kind, where) for name, kind, where, *_ in rows if name != "fill"})
            uses = shown.do(lambda page: page.locator("table >> nth=1 >> tbody tr").all_inner_texts())
            assert [use.split("\t")[:2] for use in uses] == [["fill", "altered"]]
            shown.is_quiet()
    assert tables[0] == tables[1]
    assert tables[0] >= {
        ("altered", "function, modified", "shop/prices.py:1"),
        ("gone", "function, removed", "shop/prices.py:21"),
        ("travelled", "function, moved", "shop/new.py:1"),
    }


def test_a_chat_draws_the_changes_that_came_as_lines(browser: Browser, chat: Chat, edited: Path) -> None:
    arguments = {"project_path": str(edited)}
    result = chat.call("coderef_changes", arguments)
    assert all(isinstance(line, str) for line in result["structuredContent"]["changed"])
    with browser.in_chat("graph", "coderef_changes", arguments, result, chat.call) as shown:
        shown.wait("h1:has-text('Changes since HEAD')")
        shown.wait(".list [data-id]")
        assert {name: (word, letter) for name, (word, letter, _) in badges(shown).items() if name != "fill"} == {
            name: (word, letter) for name, (word, letter, _) in KINDS.items()
        }
        assert shown.errors == []


USERS = 400


def counted_boxes(shown: Shown) -> int:
    """The elements that the boxes stand for, beside the one in the middle."""
    numbers = shown.do(lambda view: view.locator(".list [data-id] small").all_inner_texts())
    found = [re.search(r"\d+$", number) for number in numbers]
    return sum(int(one[0]) if one else 1 for one in found) - 1


def test_a_chat_loads_the_next_pages_of_an_impact(browser: Browser, chat: Chat, tmp_path: Path) -> None:
    functions = "\n\n".join(f"def function_number_{number}(x):\n    return hub(x)" for number in range(USERS))
    write(tmp_path, {"hub.py": "def hub(x):\n    return x\n", "many.py": f"from hub import hub\n\n\n{functions}\n"})
    arguments = {"project_path": str(tmp_path), "element": "hub", "detail": "full"}
    result = chat.call("coderef_impact", arguments)
    first = result["structuredContent"]
    with browser.in_chat("graph", "coderef_impact", arguments, result, chat.call) as shown:
        left = f"{first['omitted']} elements more, which are farther, on further pages"
        assert left in shown.text("aside")
        assert counted_boxes(shown) == len(first["affected"]) < USERS
        begun = len(chat.calls)
        for _ in range(USERS):
            if shown.do(lambda view: view.locator("button:has-text('Load more')").count()) == 0:
                break
            shown.click("button:has-text('Load more')")
            shown.do(lambda view: view.locator(".busy").wait_for(state="hidden", timeout=20_000))
        assert counted_boxes(shown) == USERS
        assert "further pages" not in shown.text("aside")
        assert 2 <= len(chat.calls) - begun < 40
        assert shown.errors == []


def test_a_page_that_changed_meanwhile_is_said(browser: Browser, chat: Chat, tmp_path: Path) -> None:
    functions = "\n\n".join(f"def function_number_{number}(x):\n    return hub(x)" for number in range(USERS))
    write(tmp_path, {"many.py": f"def hub(x):\n    return x\n\n\n{functions}\n"})
    arguments = {"project_path": str(tmp_path), "element": "hub", "detail": "full"}
    result = chat.call("coderef_impact", arguments)
    write(tmp_path, {"more.py": "from many import hub\n\n\ndef more(x):\n    return hub(x)\n"})
    with browser.in_chat("graph", "coderef_impact", arguments, result, chat.call) as shown:
        shown.click("button:has-text('Load more')")
        assert "cursor" in shown.text(".problem")


def test_hostile_names_are_clipped_text(browser: Browser) -> None:
    changed = [{"element": f"a.py#{HOSTILE}:1", "type": HOSTILE, "status": "added", "tests": 0}]
    reply = {**CHANGES, "base": HOSTILE, "changed": changed, "note": HOSTILE}
    with browser.answered("graph", "coderef_changes", {}, reply, **PHONE) as shown:
        shown.click(".list button")
        shown.click("text=Table")
        texts = shown.text("main")
        assert len(texts) < 6_000
        assert "\u202e" not in texts
        assert shown.do(lambda page: page.locator("main img").count()) == 0
        shown.is_quiet()


def test_empty_and_refused_replies_say_so(browser: Browser) -> None:
    refused = {
        "success": False,
        "error": "no element parse",
        "code": "element_not_found",
        "hint": "Did you mean parser?",
    }
    with browser.answered("graph", "coderef_impact", {}, refused) as shown:
        assert "no element parse" in shown.text(".empty")
        assert "Did you mean parser?" in shown.text(".empty")
        shown.is_quiet()
    with browser.answered("graph", "coderef_changes", {}, {**CHANGES, "changed": [], "reached": []}) as shown:
        shown.wait(".empty")
        shown.is_quiet()


def test_the_keyboard_reaches_neighbours_and_goes_back(browser: Browser) -> None:
    with browser.answered("graph", "coderef_changes", {}, CHANGES, reduced_motion="reduce") as shown:
        shown.wait(".list button")
        shown.do(lambda page: page.locator(".ground").focus())
        heard = []
        for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
            press(shown, key)
            heard.append(said(shown).split(",")[0])
        assert heard == ["f", "g", "f"]
        assert shown.text(".chosen h2") == "f"
        press(shown, "Escape")
        assert shown.do(lambda page: page.locator(".chosen").count()) == 0


def test_the_list_has_one_stop_and_leads_to_the_details(browser: Browser) -> None:
    with browser.answered("graph", "coderef_changes", {}, CHANGES) as shown:
        shown.wait(".list button")
        assert shown.do(lambda page: page.locator(".list [tabindex='0']").count()) == 1
        shown.do(lambda page: page.locator(".list [tabindex='0']").focus())
        press(shown, "ArrowDown", "Enter")
        assert shown.text(".chosen h2") == "C"
        assert shown.do(lambda page: page.evaluate("document.activeElement.className")) == "chosen"
        press(shown, "Escape")
        assert shown.do(lambda page: page.evaluate("document.activeElement.textContent")).startswith("DC")


def test_the_table_has_the_same_data(browser: Browser, ferry: Ferry) -> None:
    reply = ferry.reply("coderef_diagram", format="json", inside=".", diagram_type="all")
    with browser.answered("graph", "coderef_diagram", {}, reply) as shown:
        names = boxes(shown)
        shown.click("text=Table")
        assert shown.do(lambda page: page.locator("table >> nth=0 >> tbody th").all_inner_texts()) == names
        uses = shown.do(lambda page: page.locator("table >> nth=1 >> tbody tr").count())
        pairs = {(arrow["source"], arrow["target"]) for arrow in reply["drawn"]["arrows"]}
        assert uses == len(pairs)


def test_kinds_of_uses_are_switched_off(browser: Browser, ferry: Ferry) -> None:
    reply = ferry.reply("coderef_diagram", format="json", inside=".", diagram_type="all")
    kinds = {arrow["kind"] for arrow in reply["drawn"]["arrows"]}
    with browser.answered("graph", "coderef_diagram", {}, reply) as shown:
        shown.wait("input[name=kind]")
        assert shown.do(lambda page: page.locator("input[name=kind]").count()) == len(kinds)
        for kind in sorted(kinds - {"import"}):
            shown.click(f"input[value={kind}]")
        shown.click("text=Table")
        cells = shown.do(lambda page: page.locator("table >> nth=1 >> tbody td:nth-child(3)").all_inner_texts())
        assert cells
        assert all(re.fullmatch(r"import \d+", cell) for cell in cells)


def test_the_picture_is_saved_as_svg_and_copied_as_mermaid(browser: Browser, tmp_path: Path) -> None:
    with browser.answered(
        "graph", "coderef_changes", {}, CHANGES, permissions=["clipboard-read", "clipboard-write"]
    ) as shown:
        shown.wait("canvas")

        def save(page: Any) -> str:
            with page.expect_download() as begun:
                page.get_by_text("Save SVG").click()
            begun.value.save_as(tmp_path / "graph.svg")
            return str(begun.value.suggested_filename)

        assert shown.do(save) == "Changes-since-main.svg"
        root = ElementTree.parse(tmp_path / "graph.svg").getroot()
        texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
        assert {"f", "C", "g"} <= set(texts)
        shown.click("text=Copy Mermaid")
        shown.wait("text=Copied")
        chart = shown.do(lambda page: str(page.evaluate("navigator.clipboard.readText()")))
        assert chart.startswith("flowchart LR\n")
        assert 'n2 -->|"call"| n0' in chart


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_all_without_scrolling_sideways(browser: Browser, scheme: str) -> None:
    with browser.answered("graph", "coderef_changes", {}, CHANGES, color_scheme=scheme, **PHONE) as shown:
        shown.wait(".list button")
        assert shown.do(lambda page: page.evaluate("document.documentElement.scrollWidth")) == 360
        shown.is_quiet()


def test_a_chat_asks_for_objects_opens_folders_and_tells_what_is_looked_at(browser: Browser, chat: Chat) -> None:
    arguments = {"project_path": FERRY, "element": "parseTime"}
    calls: list[tuple[str, dict[str, Any]]] = []

    def relay(tool: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
        calls.append((tool, dict(given)))
        return chat.call(tool, given)

    result = chat.call("coderef_impact", arguments)
    with browser.in_chat("graph", "coderef_impact", arguments, result, relay) as shown:
        assert shown.text("h1") == "modify parseTime"
        shown.wait(".verdict")
        shown.do(lambda view: view.locator("input[type=search]").fill("bookSeat"))
        shown.do(lambda view: view.locator("input[type=search]").press("Enter"))
        shown.wait("h1:has-text('Answer')")
        shown.click("nav >> text=Project")
        shown.wait("h1:has-text('Project')")
        shown.click(".list [data-id='src/components/']")
        shown.click(".actions >> text=Open")
        shown.wait("h1:has-text('components')")
        told = shown.on_page(lambda page: json.dumps(page.evaluate("window.told")))
        assert "The user looks at src/components/" in told
        assert shown.errors == []
    assert ("coderef_impact", {**arguments, "detail": "full"}) in calls
    assert [given["inside"] for tool, given in calls if tool == "coderef_diagram"] == [".", "src/components/"]
    assert {given["project_path"] for _, given in calls} == {FERRY}
