"""A real Chromium for the tests of what people look at, and the pages that it has open.

    def test_it(browser, tmp_path):
        with browser.answered("map", "geocode", {"query": "Fiji"}, reply) as shown:
            shown.wait("text=Fiji")
            assert shown.text("main") == "…"
            assert shown.do(lambda page: page.locator("svg path").count()) == 2
            shown.is_quiet()

Playwright's objects belong to one thread, which has a running event loop: the browser has a thread of its own, and a
test does everything with a page by `do`.
"""

import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from filelock import FileLock

from bearings.explore.pages import page_of, pages_for
from bearings.view import View
from tests.deploy.proxies import program

ROOT = Path(__file__).parents[2]
HOST = Path(__file__).parent / "host" / "main.ts"
WEB = ROOT / "web"

WAIT_MS = 20_000
"""The time for something to appear; a busy machine is slow."""

CALL_S = 60

T = TypeVar("T")
Relay = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
"""Answers a tools/call of a view: the tool and its arguments become the result, as JSON values."""


class Shown:
    """An open page. `errors` are those of its console and its scripts; `requests` the addresses that it asked for."""

    def __init__(self, browser: "Browser", page: Any) -> None:
        self._browser = browser
        self._page = page
        self.errors: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        self.view: Any = page
        """The page or, in a chat, the frame with the view."""

    def do(self, work: Callable[[Any], T]) -> T:
        """The result of `work(view)`, which may use Playwright's synchronous interface."""
        return self._browser.run(lambda: work(self.view))

    def wait(self, selector: str) -> None:
        """Wait until an element is visible."""
        self.do(lambda view: view.locator(selector).first.wait_for(timeout=WAIT_MS))

    def text(self, selector: str) -> str:
        """The text of the first such element, which appears."""
        self.wait(selector)
        return self.do(lambda view: str(view.locator(selector).first.inner_text()))

    def click(self, selector: str) -> None:
        """Click on the first such element."""
        self.do(lambda view: view.locator(selector).first.click(timeout=WAIT_MS))

    def on_page(self, work: Callable[[Any], T]) -> T:
        """The result of `work(page)`: of the host's page, in a chat."""
        return self._browser.run(lambda: work(self._page))

    def picture(self, path: Path) -> None:
        """Write a picture of the page, for people who look at a failure."""
        self.on_page(lambda page: page.screenshot(path=str(path)))

    def is_quiet(self) -> None:
        """Fail if the page met an error, or asked for anything but itself."""
        assert self.errors == []
        assert self.requests[1:] == []


class Browser:
    """A running Chromium."""

    def __init__(self, folder: Path, thread: ThreadPoolExecutor, browser: Any) -> None:
        self._folder = folder
        self._thread = thread
        self._browser = browser
        self._host: str | None = None
        self._files = 0

    def run(self, work: Callable[[], T]) -> T:
        """The result of `work`, in the browser's thread."""
        return self._thread.submit(work).result(CALL_S)

    @contextmanager
    def opened(self, address: str | Path, **context: Any) -> Iterator[Shown]:
        """A page by its address or file; `context` as Playwright's `new_context`, such as `color_scheme="dark"`."""
        with self._blank(**context) as shown:
            address = address if isinstance(address, str) else address.as_uri()
            shown.on_page(lambda page: page.goto(address, timeout=WAIT_MS))
            yield shown

    @contextmanager
    def answered(
        self, view: View, tool: str, arguments: Mapping[str, Any], reply: Mapping[str, Any], **context: Any
    ) -> Iterator[Shown]:
        """The file of an answer, as `--html` writes it."""
        with self.opened(self._written(page_of(view, tool, arguments, reply)), **context) as shown:
            yield shown

    @contextmanager
    def in_chat(
        self,
        view: View | str,
        tool: str,
        arguments: Mapping[str, Any],
        result: Mapping[str, Any],
        relay: Relay,
        **context: Any,
    ) -> Iterator[Shown]:
        """A view as the host of an MCP App shows it, with the `result` of a tools/call, once it has got that.

        `view` may be the HTML that a server sent. `relay` answers the view's own calls. What the view tells the model
        stands in `window.told`.
        """
        html = pages_for([view]).hosted[view].html if view in ("map", "graph") else view
        given = {"html": html, "tool": tool, "arguments": arguments, "result": result}
        with self._blank(**context) as shown:
            page = shown._page
            host = self._written(self._host_page()).as_uri()

            def show() -> None:
                page.expose_function("relay", lambda tool, arguments: relay(tool, arguments))
                page.goto(host, timeout=WAIT_MS)
                page.evaluate("given => window.show(given)", given)

            self.run(show)
            shown.view = page.frame_locator("iframe")
            yield shown

    @contextmanager
    def _blank(self, **context: Any) -> Iterator[Shown]:
        opened = self.run(lambda: self._browser.new_context(**context))
        try:
            yield self.run(lambda: Shown(self, opened.new_page()))
        finally:
            self.run(opened.close)

    def _written(self, html: str) -> Path:
        self._files += 1
        path = self._folder / f"page-{self._files}.html"
        path.write_text(html, encoding="utf-8")
        return path

    def _host_page(self) -> str:
        """The page of a host, whose script is bundled from the official SDK."""
        if self._host is None:
            script = bundled(HOST).replace("</script", "<\\/script")
            policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
            self._host = (
                f'<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
                f"<title>Host</title><body><script>{script}</script></body>"
            )
        return self._host


def give_up(reason: str) -> None:
    """Skip a test that this machine can't run; in CI fail."""
    (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(reason)


def node_packages() -> Path:
    """The packages of web/, installed from its lock if they are missing."""
    folder = WEB / "node_modules"
    with FileLock(Path(tempfile.gettempdir()) / "bearings-web.lock"):
        if not (folder / ".package-lock.json").is_file():  # npm writes it last
            npm(["ci", "--silent", "--no-audit", "--no-fund"])
    return folder


def npm(words: list[str]) -> "subprocess.CompletedProcess[str]":
    """Run `npm WORDS` in web/."""
    return subprocess.run(
        [program("npm"), *words], cwd=WEB, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600,
        check=False,
    )  # fmt: skip


def bundled(path: Path) -> str:
    """A TypeScript file with all that it imports from the packages of web/, as one script."""
    packages = node_packages()
    made = subprocess.run(
        [packages / ".bin" / "esbuild", path, "--bundle", "--format=iife", "--charset=utf8"],
        env={**os.environ, "NODE_PATH": str(packages)},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    return made.stdout


def as_json(result: Any) -> dict[str, Any]:
    """A result of the SDK's client as it stood on the wire."""
    values: dict[str, Any] = json.loads(result.model_dump_json(by_alias=True, exclude_none=True))
    return values


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A Chromium without a window. Skips if there is none; fails in CI."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        give_up("playwright is missing: make test-all installs it")
    path = program("chromium")
    with ThreadPoolExecutor(1, "browser") as thread:
        playwright = thread.submit(lambda: sync_playwright().start()).result(CALL_S)
        try:
            started = thread.submit(lambda: playwright.chromium.launch(executable_path=path)).result(CALL_S)
            yield Browser(tmp_path_factory.mktemp("pages"), thread, started)
            thread.submit(started.close).result(CALL_S)
        finally:
            thread.submit(playwright.stop).result(CALL_S)
