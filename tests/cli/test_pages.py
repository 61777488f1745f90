"""Answers as pages, and the pages that can be asked: `--html`, `--open`, `bearings explore`."""

import json
import re
import shlex
import signal
import stat
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bearings.explore.pages import page_of
from tests.cli.conftest import Invoke, command, environment, process
from tests.code.trees import SHOP, git, repository, write
from tests.scripts import python_script

FERRY = Path(__file__).parents[2] / "examples" / "ferry"


def given_in(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="given">(.*?)</script>', page)
    assert found
    return json.loads(found[1])


def test_a_page_holds_the_question_and_the_answer(invoke: Invoke, tmp_path: Path) -> None:
    result = invoke("places", "geocode", "Fiji", "--limit", "1", "--html", "fiji.html")
    written = (tmp_path / "fiji.html").read_bytes()
    answer = given_in(written.decode())["answer"]
    assert (result.exit_code, result.stdout) == (0, f"Wrote fiji.html, {len(written):,} bytes.\n")
    assert answer["tool"] == "geocode"
    assert answer["arguments"] == {"query": "Fiji", "limit": 1, "geometry": "simplified"}
    assert answer["reply"]["results"][0]["display_name"] == "Fiji"
    assert written.decode() == page_of("map", "geocode", answer["arguments"], answer["reply"])


def test_a_dash_is_standard_output(invoke: Invoke, tmp_path: Path) -> None:
    result = invoke("places", "bbox", "Fiji", "--html", "-")
    assert given_in(result.stdout)["answer"]["reply"]["place_name"] == "Fiji"
    assert result.stdout.startswith("<!doctype html>")
    assert result.stdout.endswith("</html>\n")
    assert list(tmp_path.glob("*.html")) == []


def test_a_typed_outline_is_kept(invoke: Invoke) -> None:
    result = invoke("places", "geocode", "Fiji", "--geometry", "none", "--html", "-")
    assert given_in(result.stdout)["answer"]["arguments"]["geometry"] == "none"


def test_a_projects_answer_is_a_graph(invoke: Invoke) -> None:
    result = invoke("code", "impact", "parseTime", "--project", str(FERRY), "--html", "-")
    answer = given_in(result.stdout)["answer"]
    assert answer["tool"] == "coderef_impact"
    assert answer["arguments"]["project_path"] == str(FERRY)
    assert result.stdout == page_of("graph", "coderef_impact", answer["arguments"], answer["reply"])


@pytest.mark.slow
def test_a_diagrams_page_opens_the_project_or_shows_an_element(invoke: Invoke) -> None:
    whole = given_in(invoke("code", "diagram", "--project", str(FERRY), "--html", "-").stdout)["answer"]
    assert (whole["arguments"]["format"], whole["arguments"]["inside"]) == ("json", ".")
    assert {"src/fares.ts", "src/hooks/"} <= {box["id"] for box in whole["reply"]["drawn"]["boxes"]}
    one = given_in(invoke("code", "diagram", "parseTime", "--project", str(FERRY), "--html", "-").stdout)["answer"]
    assert (one["arguments"]["format"], "inside" in one["arguments"]) == ("json", False)
    assert one["reply"]["element"]


def test_an_existing_file_is_replaced_whole_and_keeps_its_mode(invoke: Invoke, tmp_path: Path) -> None:
    old = tmp_path / "fiji.html"
    old.write_text("old")
    old.chmod(0o640)
    with old.open() as reader:
        assert invoke("places", "geocode", "Fiji", "--html", "fiji.html").exit_code == 0
        assert reader.read() == "old"  # another file stands in its place
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert old.read_text().startswith("<!doctype html>")
    assert list(tmp_path.glob(".*html*")) == []


def test_a_file_that_cannot_be_written_is_an_error(invoke: Invoke, tmp_path: Path) -> None:
    result = invoke("places", "geocode", "Fiji", "--html", "no/such/fiji.html")
    assert result.exit_code == 1
    assert "no/such/fiji.html" in result.stderr
    assert "hint:" in result.stderr


def test_nothing_found_is_a_page_too_and_status_1(invoke: Invoke) -> None:
    result = invoke("places", "geocode", "qwrtzpsdfg", "--html", "-")
    assert result.exit_code == 1
    assert given_in(result.stdout)["answer"]["reply"]["hint"]


@pytest.mark.slow
def test_a_list_from_standard_input_is_a_page() -> None:
    made = subprocess.run(
        command("places", "batch", "-", "--html", "-"),
        input=b"Fiji\nParis\n", env=environment(), capture_output=True, timeout=60, check=True,
    )  # fmt: skip
    answer = given_in(made.stdout.decode())["answer"]
    assert [item["query"] for item in answer["reply"]["items"]] == ["Fiji", "Paris"]


@pytest.mark.parametrize("words", [["--json"], ["--format", "geojson"], ["--output", "x.geojson"]])
@pytest.mark.parametrize("page", [["--html", "x.html"], ["--open"]])
def test_a_page_is_no_other_output(invoke: Invoke, tmp_path: Path, page: list[str], words: list[str]) -> None:
    result = invoke("places", "geocode", "Fiji", *page, *words)
    assert result.exit_code == 2
    assert "can't be combined with --" in result.output
    assert list(tmp_path.iterdir()) == []


def test_what_is_printed_is_not_opened(invoke: Invoke) -> None:
    result = invoke("places", "geocode", "Fiji", "--html", "-", "--open")
    assert result.exit_code == 2
    assert "can't open what is printed" in result.stderr


def test_tools_without_a_view_have_no_page(invoke: Invoke) -> None:
    result = invoke("places", "reverse", "48.85", "2.35", "--html", "x.html")
    assert result.exit_code == 2
    assert "--html" in result.stderr


def browser_that_notes(folder: Path) -> dict[str, str]:
    """The environment with a browser that copies what it is given, and a folder for temporary files."""
    text = f"open({str(folder / 'opened')!r}, 'wb').write(urllib.request.urlopen(sys.argv[1]).read())\n"
    script = python_script(folder / "browser", f"import sys, urllib.request\n{text}")
    return {"BROWSER": f"{shlex.quote(str(script))} %s", "TMPDIR": str(folder)}


@pytest.mark.slow
def test_open_shows_a_file_of_the_users_own(tmp_path: Path) -> None:
    made = process("places", "geocode", "Fiji", "--open", **browser_that_notes(tmp_path))
    assert (made.returncode, made.stdout) == (0, b"")
    found = re.fullmatch(r"Opening (.+\.html)\n", made.stderr.decode())
    assert found
    page = Path(found[1])
    assert page.parent == tmp_path
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert page.read_bytes() == (tmp_path / "opened").read_bytes()
    assert given_in(page.read_text())["answer"]["tool"] == "geocode"


@pytest.mark.slow
def test_open_shows_the_file_that_is_written(tmp_path: Path) -> None:
    made = process("places", "bbox", "Fiji", "--html", "fiji.html", "--open", **browser_that_notes(tmp_path))
    assert made.returncode == 0
    assert made.stderr.decode() == f"Opening {tmp_path / 'fiji.html'}\n"
    assert (tmp_path / "opened").read_bytes() == (tmp_path / "fiji.html").read_bytes()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="these systems always have a browser")
def test_without_a_screen_the_path_is_told(tmp_path: Path) -> None:
    nothing = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": ""}
    made = process("places", "geocode", "Fiji", "--open", **nothing)
    said = made.stderr.decode()
    assert made.returncode == 1
    assert "No browser can be opened here" in said
    path = re.search(r"Opening (.+)", said)
    assert path
    assert Path(path[1]).is_file()
    Path(path[1]).unlink()


@contextmanager
def exploring(*words: str, **more: str) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """The address that `bearings explore` prints, and the process."""
    running = subprocess.Popen(
        command("explore", *words),
        env=environment(**more), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert running.stdout is not None
        yield running.stdout.readline().strip(), running
    finally:
        running.terminate()
        running.communicate(timeout=20)


def fetched(address: str, body: Any = None, **headers: str) -> tuple[int, str]:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json", **headers})
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


@pytest.mark.slow
def test_explore_answers_below_its_secret_alone(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def one(): pass\n")
    with exploring("--no-open") as (address, running):
        base = address.removesuffix("/explore")
        origin, secret = base.rsplit("/", 1)
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+", origin)
        assert len(secret) > 40
        assert fetched(address)[0] == 200
        assert 'id="given"' in fetched(f"{address}/map")[1]
        ask = {"tool": "coderef_map", "arguments": {}}
        assert "one" in fetched(f"{address}/call", ask, Origin=origin)[1]
        (tmp_path / "a.py").write_text("def two(): pass\n")
        assert "two" in fetched(f"{address}/call", ask)[1]
        assert fetched(f"{address}/call", ask, Origin="http://example.org")[0] == 403
        assert fetched(address, Host="example.org")[0] == 421
        outside = {"tool": "coderef_map", "arguments": {"project_path": str(FERRY)}}
        assert fetched(f"{address}/call", outside)[0] == 403
        assert fetched(f"{address}/call", {"tool": "coderef_tag", "arguments": {}})[0] == 404
        elsewhere = ("/explore", "/mcp", "/metrics", "/health", "/", f"/{secret}x/explore", f"/{secret}/mcp")
        assert {path: fetched(origin + path)[0] for path in elsewhere} == dict.fromkeys(elsewhere, 404)
        running.send_signal(signal.SIGINT)
        assert running.wait(20) == 0


def linked(folder: Path) -> tuple[Path, Path]:
    """A repository and a linked worktree of it, in which a function is new and one in a test is changed."""
    main = repository(folder / "main", SHOP)
    git(main, "worktree", "add", "-q", "-b", "other", str(folder / "linked"))
    other = folder / "linked"
    write(other, {"shop/extras.py": "def fresh():\n    return 1\n"})
    test = other / "tests" / "test_basket.py"
    test.write_text(test.read_text().replace("1.2", "1.20"))
    return main, other


CHANGES = {"tool": "coderef_changes", "arguments": {"detail": "full"}}


def changed(reply: str) -> list[str]:
    """The changed elements in a reply of coderef_changes, without files."""
    return sorted(one["element"] for one in json.loads(reply)["changed"] if "#" in one["element"])


@pytest.mark.slow
def test_explore_shows_the_changes_of_a_linked_worktree_and_opens_no_other_project(tmp_path: Path) -> None:
    main, other = linked(tmp_path)
    with exploring(str(other), "--no-open") as (address, _):
        status, reply = fetched(f"{address}/call", CHANGES)
        assert (status, changed(reply)) == (200, ["shop/extras.py#fresh:1", "tests/test_basket.py#test_total:4"])
        before = {"tool": "coderef_map", "arguments": {"at": "HEAD"}}
        assert "Basket" in fetched(f"{address}/call", before)[1]
        for elsewhere in (main, main / ".git", tmp_path):
            ask = {"tool": "coderef_map", "arguments": {"project_path": str(elsewhere)}}
            assert fetched(f"{address}/call", ask)[0] == 403


@pytest.mark.slow
def test_explore_shows_the_changes_of_a_folder_of_a_repository_and_opens_no_other(tmp_path: Path) -> None:
    _, other = linked(tmp_path)
    with exploring(str(other / "shop"), "--no-open") as (address, _):
        status, reply = fetched(f"{address}/call", CHANGES)
        assert (status, changed(reply)) == (200, ["extras.py#fresh:1"])
        ask = {"tool": "coderef_map", "arguments": {"project_path": str(other)}}
        assert fetched(f"{address}/call", ask)[0] == 403


@pytest.mark.slow
def test_explore_reads_no_repository_that_does_not_name_the_folder(tmp_path: Path) -> None:
    """A file can name anybody's git directory."""
    main, _ = linked(tmp_path)
    write(tmp_path / "downloaded", {".git": f"gitdir: {main / '.git'}\n", "a.py": "def one(): pass\n"})
    with exploring(str(tmp_path / "downloaded"), "--no-open") as (address, _):
        status, reply = fetched(f"{address}/call", CHANGES)
        assert (status, json.loads(reply)["code"]) == (400, "unsupported")
        assert "one" in fetched(f"{address}/call", {"tool": "coderef_map", "arguments": {}})[1]


@pytest.mark.slow
def test_explore_opens_an_address_that_works_once(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    with exploring("project", BROWSER="echo %s") as (address, running):
        assert running.stdout is not None
        once = running.stdout.readline().strip()
        assert address.rsplit("/", 2)[1] not in once
        with urllib.request.urlopen(once, timeout=60) as response:
            assert response.url == address
            assert "<h1>bearings</h1>" in response.read().decode()
        assert fetched(once)[0] == 404


@pytest.mark.slow
def test_explore_takes_a_directory_and_a_free_port(invoke: Invoke) -> None:
    assert invoke("explore", "./no-such-directory").exit_code == 2
    with exploring("--no-open") as (address, _):
        port = address.split(":")[2].split("/")[0]
        second = process("explore", "--no-open", "--port", port)
    assert second.returncode == 2
    assert b"is taken by another program" in second.stderr


@pytest.mark.parametrize("word", ["places", "code"])
def test_explore_over_stdio_is_refused(invoke: Invoke, word: str) -> None:
    result = invoke(word, "serve", "stdio", "--explore")
    assert result.exit_code == 2
    assert "needs HTTP" in result.stderr
