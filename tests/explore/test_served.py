"""/explore on a real server: its pages, its calls, and those who may not ask."""

import base64
import hashlib
import http.client
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from bearings.explore.pages import pages_for
from tests.adversary.servers import listening
from tests.explore.served import FERRY

TOKEN = "a-token-of-some-length"
SERVE = ("serve", "http", "--port", "0", "--root", FERRY)
PAGES = ["/explore", "/explore/map", "/explore/graph"]
FIJI = {"tool": "bbox_from_place", "arguments": {"query": "Fiji"}}


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    text: str

    @property
    def body(self) -> Any:
        return json.loads(self.text)


class Site:
    """A server, as a browser or a program asks it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.host = urlsplit(url).netloc

    def ask(self, method: str, path: str, body: bytes | None = None, /, **headers: str) -> Answer:
        connection = http.client.HTTPConnection(self.host, timeout=60)
        try:
            sent = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, sent)
            response = connection.getresponse()
            named = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, named, response.read().decode())
        finally:
            connection.close()

    def call(self, body: Any, **headers: str) -> Answer:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.ask("POST", "/explore/call", data, **{"Content_Type": "application/json", **headers})


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """Without a token."""
    with listening([*SERVE, "--explore"]) as url:
        yield Site(url)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """With a token for all, and a named one for a few tools."""
    tokens = tmp_path_factory.mktemp("tokens") / "tokens.toml"
    digest = hashlib.sha256(b"few").hexdigest()
    tokens.write_text(f'[few]\nsha256 = "{digest}"\ntoolsets = ["geocode", "coderef_map"]\nroots = []\n')
    settings = {"BEARINGS_TOKEN": TOKEN, "BEARINGS_TOKENS": str(tokens), "BEARINGS_ALLOWED_HOSTS": "mcp.example.org"}
    with listening([*SERVE, "--explore"], **settings) as url:
        yield Site(url)


def basic(password: str, user: str = "me") -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES)
def test_a_page_comes_with_its_guards(site: Site, path: str) -> None:
    answer = site.ask("GET", path)
    page = pages_for(["map", "graph"]).served[path]
    assert (answer.status, answer.text) == (200, page.html)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-security-policy"] == f"{page.policy}; frame-ancestors 'none'"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.slow
def test_a_call_is_answered_as_the_tool_answers(site: Site) -> None:
    answer = site.call(FIJI, Origin=site.url)
    assert answer.status == 200
    assert answer.body["place_name"] == "Fiji"
    assert answer.body["success"] is True
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.slow
def test_a_project_is_read_anew_by_each_call(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def one(): pass\n")
    ask = {"tool": "coderef_map", "arguments": {}}
    with listening(["code", "serve", "http", "--port", "0", "--root", str(tmp_path), "--explore"]) as url:
        site = Site(url)
        assert "one" in site.call(ask).body["skeleton"]
        (tmp_path / "a.py").write_text("def two(): pass\n")
        assert "two" in site.call(ask).body["skeleton"]
        assert site.ask("GET", "/explore/map").status == 404


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"tool": "geocode", "arguments": {"query": ""}}, 400, "invalid_input"),
        ({"tool": "geocode", "arguments": {"whom": "me"}}, 400, "invalid_input"),
        ({"tool": "bbox_from_place", "arguments": {"query": "qwrtzpsdfg"}}, 404, "not_found"),
        ({"tool": "lookup_places", "arguments": {"osm_ids": ["R1"]}}, 400, "unsupported"),
        ({"tool": "coderef_map", "arguments": {"project_path": "/etc"}}, 403, "path_not_allowed"),
        ({"tool": "coderef_map", "arguments": {"element": "nobody"}}, 404, "element_not_found"),
        ({"tool": "coderef_tag", "arguments": {"path": FERRY, "lang": "ts"}}, 403, "forbidden"),
        ({"tool": "no_such_tool", "arguments": {}}, 404, "not_found"),
        ({"tool": 1, "arguments": {}}, 400, "invalid_input"),
        ({"tool": "geocode", "arguments": []}, 400, "invalid_input"),
        ({"tool": "geocode", "more": 1}, 400, "invalid_input"),
        ([], 400, "invalid_input"),
        (b"", 400, "invalid_input"),
        (b'{"tool": NaN}', 400, "invalid_input"),
        (b"[" * 100_000, 400, "invalid_input"),
        (b'{"tool": "\\ud800"}', 400, "invalid_input"),
        (b" " * 2_000_000, 413, "invalid_input"),
    ],
    ids=lambda value: repr(value)[:60],
)
def test_an_error_is_the_tools_with_a_fitting_status(site: Site, body: Any, status: int, code: str) -> None:
    answer = site.call(body)
    assert (answer.status, answer.body["code"]) == (status, code)
    assert answer.body["success"] is False
    assert answer.body["hint"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://example.org"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},  # another server of this machine
        {"Origin": "http://localhost.example.org"},
    ],
)
def test_a_page_of_another_site_can_ask_nothing(site: Site, headers: dict[str, str]) -> None:
    answer = site.call(FIJI, **headers)
    assert answer.status == 403
    assert "place_name" not in answer.text
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_form_can_ask_nothing(site: Site, kind: str) -> None:
    assert site.call(FIJI, Content_Type=kind).status == 415


def test_other_methods_and_preflights_get_nowhere(site: Site) -> None:
    preflight = {"Origin": site.url, "Access_Control_Request_Method": "POST"}
    assert site.ask("OPTIONS", "/explore/call", **preflight).status == 405
    assert site.ask("GET", "/explore/call").status == 405
    assert site.ask("POST", "/explore").status == 405
    assert site.ask("GET", "/explore/other").status == 404


@pytest.mark.parametrize("path", [*PAGES, "/explore/call"])
def test_a_foreign_host_is_refused(site: Site, path: str) -> None:
    answer = site.ask("POST" if path.endswith("call") else "GET", path, Host="example.org")
    assert answer.status == 421


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES)
def test_a_browser_without_the_token_is_asked_for_it(guarded: Site, path: str) -> None:
    answer = guarded.ask("GET", path)
    assert answer.status == 401
    assert answer.headers["www-authenticate"].startswith("Basic ")
    for wrong in (basic("wrong"), basic(""), "Basic", "Basic !!!", "Basic bm9jb2xvbg==", TOKEN):
        assert guarded.ask("GET", path, Authorization=wrong).status == 401


@pytest.mark.parametrize(
    "sent", [basic(TOKEN), basic(TOKEN, user=""), f"Bearer {TOKEN}", basic(TOKEN).lower()[:6] + basic(TOKEN)[6:]]
)
def test_the_token_is_the_password(guarded: Site, sent: str) -> None:
    assert guarded.ask("GET", "/explore/map", Authorization=sent).status == 200
    assert guarded.call(FIJI, Authorization=sent, Origin=guarded.url).body["place_name"] == "Fiji"


def test_a_password_opens_nothing_but_explore(guarded: Site) -> None:
    for path in ("/metrics", "/mcp", "/explored", "/"):
        answer = guarded.ask("GET", path, Authorization=basic(TOKEN))
        assert answer.status == 401
        assert answer.headers["www-authenticate"] == "Bearer"


def test_a_password_that_a_browser_adds_for_another_site_does_not_help_it(guarded: Site) -> None:
    for headers in ({"Origin": "https://example.org"}, {"Content_Type": "text/plain"}):
        assert guarded.call(FIJI, Authorization=basic(TOKEN), **headers).status in (403, 415)


def test_a_named_token_has_its_tools_and_roots(guarded: Site) -> None:
    few = basic("few")
    assert guarded.call({"tool": "geocode", "arguments": {"query": "Fiji"}}, Authorization=few).status == 200
    refused = guarded.call(FIJI, Authorization=few)
    assert (refused.status, refused.body["code"]) == (404, "not_found")
    outside = guarded.call({"tool": "coderef_map", "arguments": {"project_path": FERRY}}, Authorization=few)
    assert (outside.status, outside.body["code"]) == (403, "path_not_allowed")


def test_calls_of_pages_are_counted(guarded: Site) -> None:
    guarded.call(FIJI, Authorization=basic(TOKEN))
    metrics = guarded.ask("GET", "/metrics", Authorization=f"Bearer {TOKEN}").text
    assert 'bearings_calls_total{outcome="ok",tool="bbox_from_place"}' in metrics


def test_behind_a_proxy_the_pages_have_the_allowed_hosts_origin(guarded: Site) -> None:
    proxied = {"Host": "mcp.example.org", "Origin": "https://mcp.example.org", "Authorization": basic(TOKEN)}
    assert guarded.call(FIJI, **proxied).status == 200
    assert guarded.call(FIJI, **{**proxied, "Origin": "https://mcp.example.org:8443"}).status == 403
    assert guarded.call(FIJI, **{**proxied, "Host": "example.org", "Origin": "https://example.org"}).status == 421
    other = guarded.ask("POST", "/mcp", b"{}", **{**proxied, "Authorization": f"Bearer {TOKEN}"})
    assert other.status == 403


@pytest.mark.slow
@pytest.mark.parametrize("path", [*PAGES, "/explore/call"])
def test_without_the_flag_there_is_none_of_it(path: str, plain: Site) -> None:
    assert plain.ask("POST" if path.endswith("call") else "GET", path).status == 404


@pytest.fixture(scope="module")
def plain() -> Iterator[Site]:
    """A server without --explore."""
    with listening(SERVE) as url:
        yield Site(url)
