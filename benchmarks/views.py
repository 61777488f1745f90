"""The views in a real Chromium: how soon a person sees an answer and can go on, and what a page takes.

    python -m benchmarks views

Needs `make test-all`'s browser (Debian's Chromium, Playwright), and npm for the large project. The graph is a page of a
server that is asked for the folders of a project ($BEARINGS_VIEWS, else the large one); a map is a file of a batch. The
page marks its own progress (web/shared/marks.ts); something of the answer is pressed as soon as the page has it.
"""

import gzip
import math
import os
import statistics
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Playwright, sync_playwright
from tests.adversary.servers import listening
from tests.deploy.proxies import program
from tests.explore.samples import batch

from bearings.explore.pages import STATIC, page_of
from benchmarks.code.corpora import TYPESCRIPT, lines, tree
from benchmarks.measure import ROUNDS, header, progress, table

POINTS = (2_000, 5_000)
SCREEN = {"width": 1280, "height": 800}
WAIT_MS = 600_000
"""The first reply about a large project reads all of it."""

PRESS = """(selector) => {
    const press = () => {
        const found = document.querySelector(selector);
        if (found) found.click();
        else requestAnimationFrame(press);
    };
    addEventListener("DOMContentLoaded", press);
}"""
"""Presses the first such element as soon as there is one."""

TIMES = """async (wait) => {
    await new Promise((resolve, reject) => {
        setTimeout(() => reject(new Error("nothing answered a press")), wait);
        const observer = new PerformanceObserver((list) => list.getEntriesByName("pressed").length && resolve());
        observer.observe({ type: "mark", buffered: true });
    });
    const at = (name) => performance.getEntriesByName(name).at(-1)?.startTime ?? NaN;
    const marks = Object.fromEntries(["answered", "drawn", "pressed"].map((name) => [name, at(name)]));
    const [call] = performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/call"));
    return { ...marks, paint: at("first-contentful-paint"), reply: call?.duration ?? NaN };
}"""

Taken = Mapping[str, float]
"""Milliseconds since the navigation (of the reply: since it was asked for), and bytes of memory."""

_ABOUT = (
    "*Reply*: from the page's question to the last byte of the server's answer; *first* without anything stored. "
    "*Page*: from the navigation to the first contentful paint, of the page without an answer or, of a file, with it. "
    "*Drawn* and *pressed*: from the moment when the page has the answer to the first frame that shows it, and to the "
    "frame that answers a press. *Heap*: of JavaScript after a collection. *Renderer*: resident memory of its process, "
    "which shares some with others.\n\n"
)


def main() -> str:
    """The tables."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=program("chromium"))
        about = header("Views", "bearings-mcp", "playwright", command="python -m benchmarks views")
        about = about.replace(". Medians", f", Chromium {browser.version}. Medians", 1)
        browser.close()
        root = Path(os.environ.get("BEARINGS_VIEWS") or tree(TYPESCRIPT))
        with _server(root) as url:
            rows = _rows(playwright, root, url, Path(folder))
    heads = ["view", "first reply", "reply", "page", "drawn", "pressed", "heap", "renderer"]
    return about + _ABOUT + table(heads, rows) + "\n" + _sizes()


@contextmanager
def _server(root: Path) -> Iterator[str]:
    """The address of a server for a project that it has never read."""
    words = ["code", "serve", "http", "--port", "0", "--root", str(root), "--explore"]
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache,
        listening(words, XDG_CACHE_HOME=cache) as url,
    ):
        yield url


def _rows(playwright: Playwright, root: Path, url: str, folder: Path) -> list[list[str]]:
    folders = (f"{url}/explore/graph", ".list button")
    progress(f"views: the first reply about {root.name} …")
    first = _opened(playwright, *folders)
    views = {f"folders of {root.name}, {lines(root) / 1000:,.0f} kLOC": folders}
    for count in POINTS:
        views[f"map of {count:,} points"] = (_map(folder, count), ".places .place")
    taken: dict[str, list[Taken]] = {name: [] for name in views}
    for number in range(ROUNDS):
        progress(f"views: round {number + 1} of {ROUNDS} …")
        for name, view in views.items():
            taken[name].append(_opened(playwright, *view))
    return [
        [name, _seconds(first["reply"]) if view is folders else "–", *_cells(taken[name])]
        for name, view in views.items()
    ]


def _map(folder: Path, count: int) -> str:
    """The address of a file with so many points, all over the world."""
    points = [((number * 37 % 1300) / 10 - 60.0, (number * 101 % 3590) / 10 - 179.5) for number in range(count)]
    path = folder / f"{count}.html"
    path.write_text(page_of("map", "batch_geocode", {}, batch(points)), encoding="utf-8")
    return path.as_uri()


def _opened(playwright: Playwright, address: str, pressed: str) -> Taken:
    """What a page takes in a browser of its own, until a press on the first element `pressed` is answered."""
    with _page(playwright) as (page, memory):
        page.add_init_script(f"({PRESS})({pressed!r})")
        page.goto(address, timeout=WAIT_MS)
        times = page.evaluate(TIMES, WAIT_MS)
        return {**times, **memory()}


@contextmanager
def _page(playwright: Playwright) -> Iterator[tuple[Page, Callable[[], dict[str, float]]]]:
    """An empty page, and what tells its memory."""
    browser = playwright.chromium.launch(executable_path=program("chromium"))
    try:
        page = browser.new_page(viewport=SCREEN)  # type: ignore[arg-type]
        of_page, of_browser = page.context.new_cdp_session(page), browser.new_browser_cdp_session()

        def memory() -> dict[str, float]:
            of_page.send("Performance.enable")
            of_page.send("HeapProfiler.collectGarbage")
            metrics = of_page.send("Performance.getMetrics")["metrics"]
            [heap] = [one["value"] for one in metrics if one["name"] == "JSHeapUsedSize"]
            processes = of_browser.send("SystemInfo.getProcessInfo")["processInfo"]
            renderers = [_resident(one["id"]) for one in processes if one["type"] == "renderer"]
            return {"heap": heap, "renderer": max(renderers)}

        yield page, memory
    finally:
        browser.close()


def _resident(process: int) -> float:
    """The bytes of a process in memory."""
    text = Path(f"/proc/{process}/statm").read_text()
    return int(text.split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _cells(taken: list[Taken]) -> list[str]:
    def median(what: Callable[[Taken], float]) -> float:
        return statistics.median(map(what, taken))

    reply = median(lambda one: one["reply"])
    return [
        "–" if math.isnan(reply) else _seconds(reply),
        _seconds(median(lambda one: one["paint"])),
        _seconds(median(lambda one: one["drawn"] - one["answered"])),
        _seconds(median(lambda one: one["pressed"] - one["answered"])),
        f"{median(lambda one: one['heap']) / 1e6:.1f} MB",
        f"{median(lambda one: one['renderer']) / 1e6:.0f} MB",
    ]


def _seconds(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.2f} s"


def _sizes() -> str:
    rows: list[list[Any]] = []
    for path in sorted(STATIC.glob("*.html")):
        data = path.read_bytes()
        rows.append([path.name, f"{len(data) / 1000:.0f} kB", f"{len(gzip.compress(data, 9)) / 1000:.0f} kB"])
    return table(["bundle", "raw", "gzip"], rows)
