"""A list of repositories becomes a catalogue: what changed is read again, failures are told, the rest stands."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bearings import cluster
from bearings.code.catalogue.reading import Catalogue, RepositoryState, opened
from bearings.code.catalogue.routes import Wanted
from bearings.code.fleet.scan import Options, Summary, clones_of, scan_fleet
from bearings.code.fleet.scanning import Task, scan
from bearings.code.fleet.sources import sources
from bearings.errors import InvalidInput
from bearings.progress import NoProgress
from tests.code.fleet.traps import SOURCES, Trap, hostile
from tests.code.trees import git, repository, write

Scan = Callable[[str], Summary]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out" / "fleet.db"


@pytest.fixture
def scanned(tmp_path: Path, out: Path) -> Scan:
    """Scans a list, whose paths are relative to the folder of the test."""
    out.parent.mkdir()
    options = Options(100_000, tmp_path / "cache", seconds=60.0)

    def run(text: str) -> Summary:
        with cluster.workers(None) as there:
            return scan_fleet(sources(text, tmp_path), out, there, options, NoProgress())

    return run


def states(out: Path) -> dict[str, RepositoryState]:
    with opened(out) as catalogue:
        return {one.name: one for one in catalogue.repositories()}


@pytest.mark.slow
def test_folders_and_urls_become_rows(tmp_path: Path, out: Path, scanned: Scan):
    write(tmp_path / "plain", SOURCES)
    repository(tmp_path / "versioned", {**SOURCES, "call.py": "import requests\nrequests.get('/users/42')\n"})
    summary = scanned(f"plain\nversioned\nfetched = {(tmp_path / 'versioned').as_uri()}\n")
    assert summary.scanned == ["plain", "versioned", "fetched"]
    assert not summary.failed
    found = states(out)
    assert {name: one.commit != "" for name, one in found.items()} == {
        "plain": False, "versioned": True, "fetched": True
    }  # fmt: skip
    assert found["fetched"].commit == found["versioned"].commit
    assert found["plain"].languages == {"Python": 1, "TypeScript": 1}
    assert (clones_of(out) / "fetched" / "app.py").exists()
    with opened(out) as catalogue:
        got = catalogue.uses("requests", "get")
        assert [(one, row.file, row.line, row.element) for one, row in got] == [
            ("fetched", "app.py", 5, "load:4"),
            ("fetched", "call.py", 2, ""),
            ("plain", "app.py", 5, "load:4"),
            ("versioned", "app.py", 5, "load:4"),
            ("versioned", "call.py", 2, ""),
        ]
        assert got[0][1].text == "return requests.get(url)"
        assert [one for one, _ in catalogue.exports("load")] == ["fetched", "plain", "versioned"]
        assert [row.path for _, row in catalogue.routes(Wanted.of("GET /users/7"))] == ["/users/:id"] * 3
        assert [one for one, _ in catalogue.requests(Wanted.of("/users/{id}"))] == ["fetched", "versioned"]


@pytest.mark.slow
def test_a_type_in_a_long_head_has_its_own_line(tmp_path: Path, out: Path, scanned: Scan):
    head = "from pathlib import Path as P, PurePath\n\n\ndef find(\n    name: str,\n) -> PurePath:\n    pass\n"
    base = "\n\nclass A(\n    PurePath\n):\n    pass\n\n\ndef other(a: P,\n) -> P:\n    return a\n"
    write(tmp_path / "plain", {"a.py": head + base})
    scanned("plain\n")
    with opened(out) as catalogue:
        found = [(row.kind, row.line, row.text) for _, row in catalogue.uses("pathlib", "PurePath")]
        assert found == [
            ("import", 1, "from pathlib import Path as P, PurePath"),
            ("type", 6, ") -> PurePath:"),
            ("extends", 11, "PurePath"),
        ]
        assert [row.line for _, row in catalogue.uses("pathlib", "Path")] == [1, 16]


@pytest.mark.slow
def test_again_reads_only_what_changed(tmp_path: Path, out: Path, scanned: Scan):
    write(tmp_path / "plain", SOURCES)
    shop = repository(tmp_path / "shop", SOURCES)
    lines = f"plain\nshop\nfetched = {shop.as_uri()}\n"
    scanned(lines)
    first = states(out)
    assert scanned(lines).unchanged == ["plain", "shop", "fetched"]
    git(shop, "commit", "-q", "--allow-empty", "-m", "nothing")
    write(tmp_path / "plain", {"new.py": "def newer(): pass\n"})
    again = scanned(lines)
    assert (again.scanned, again.unchanged) == (["plain"], ["shop", "fetched"])
    assert states(out)["shop"].commit != first["shop"].commit
    assert states(out)["fetched"].commit == states(out)["shop"].commit
    write(shop, {"app.py": "def other(): pass\n"})
    assert scanned(lines).scanned == ["shop"], "a work tree that differs from its commit is read as it is"
    git(shop, "commit", "-qam", "other")
    assert scanned(lines).scanned == ["fetched"]
    with opened(out) as catalogue:
        assert [one for one, _ in catalogue.exports("other")] == ["fetched", "shop"]
        assert [one for one, _ in catalogue.uses("requests", "get")] == ["plain"]


@pytest.mark.slow
def test_what_leaves_the_list_leaves_the_catalogue(tmp_path: Path, out: Path, scanned: Scan):
    shop = repository(tmp_path / "shop", SOURCES)
    scanned(f"shop\nteam/fetched = {shop.as_uri()}\n")
    assert [path.name for path in clones_of(out).iterdir()] == ["team%fetched"]
    assert scanned("shop\n").removed == 1
    assert list(states(out)) == ["shop"]
    assert list(clones_of(out).iterdir()) == []


@pytest.mark.slow
def test_failures_are_told_and_the_rest_stands(tmp_path: Path, out: Path, scanned: Scan):
    write(tmp_path / "plain", SOURCES)
    write(tmp_path / "file", {"x": ""})
    broken = repository(tmp_path / "broken", SOURCES)
    (broken / ".git/HEAD").write_bytes(b"\x00\xff" * 40)
    (broken / ".git/index").write_bytes(b"noise")
    summary = scanned(
        "plain\nnowhere\nfile/x\nbroken\nhttp://h.org/a\nno = file:///nowhere/at/all.git\nhttps://127.0.0.1:1/z.git\n"
    )
    assert summary.scanned == ["plain", "broken"]
    assert {name: reason.partition(":")[0] for name, reason in summary.failed.items()} == {
        "a": "is no https, ssh or file URL",
        "nowhere": "its path does not exist",
        "x": "its path is no folder",
        "no": "it can't be fetched",
        "z": "it can't be fetched",
    }
    found = states(out)
    assert found["broken"].files == 2, "its files are read without git"
    assert found["nowhere"].state == "failed"
    assert found["nowhere"].scanned is None


@pytest.mark.slow
def test_a_failure_keeps_the_rows_of_the_last_scan(tmp_path: Path, out: Path, scanned: Scan):
    write(tmp_path / "plain", SOURCES)
    scanned("plain\n")
    (tmp_path / "plain").rename(tmp_path / "moved")
    assert list(scanned("plain\n").failed) == ["plain"]
    with opened(out) as catalogue:
        assert catalogue.uses("requests", "get")
    (tmp_path / "moved").rename(tmp_path / "plain")
    assert scanned("plain\n").unchanged == ["plain"]
    assert (states(out)["plain"].state, states(out)["plain"].reason) == ("scanned", "")


@pytest.mark.slow
def test_a_name_with_another_place_is_read_anew(tmp_path: Path, out: Path, scanned: Scan):
    write(tmp_path / "one", SOURCES)
    write(tmp_path / "two", SOURCES)
    scanned("a = one\n")
    assert scanned("a = two\n").scanned == ["a"]


@pytest.mark.slow
@pytest.mark.parametrize("as_url", [False, True])
def test_nothing_of_a_hostile_repository_runs(tmp_path: Path, out: Path, scanned: Scan, as_url: bool):
    trap = Trap(tmp_path / "trap")
    root = hostile(tmp_path / "hostile", trap)
    summary = scanned(f"evil = {root.as_uri() if as_url else root}\n")
    assert trap.sprung == []
    assert summary.scanned == ["evil"]
    with opened(out) as catalogue:
        assert [row.file for _, row in catalogue.uses("requests", "get")] == ["app.py"]
        assert {row.file for _, row in catalogue.uses("os")} == {"conftest.py", "setup.py"}
        assert [row.file for _, row in catalogue.exports("dashed")] == ["-rf.py"]
    assert scanned(f"evil = {root.as_uri() if as_url else root}\n").unchanged == ["evil"]
    assert trap.sprung == []


def test_a_repository_has_a_budget_of_time(tmp_path: Path):
    write(tmp_path / "plain", SOURCES)
    task = Task("plain", str(tmp_path / "plain"), "", "", "", 0.001, 1, 100_000, None)
    assert scan(task).failure == "it takes more than 0.001 s"


def test_an_error_of_any_kind_is_a_result(tmp_path: Path):
    task = Task("odd", "a\0b", "", "", "", 1.0, 1, 100_000, None)
    assert "ValueError" in scan(task).failure


def test_an_empty_list_is_refused(scanned: Scan):
    with pytest.raises(InvalidInput, match="names no repository"):
        scanned("# nothing\n")


@pytest.mark.slow
def test_workers_of_a_cluster_make_the_same_catalogue(tmp_path: Path, out: Path, scanned: Scan):
    for number in range(6):
        write(tmp_path / f"r{number}", {**SOURCES, "own.py": f"def own{number}(): pass\n"})
    lines = "".join(f"r{number}\n" for number in range(6)) + "nowhere\n"
    scanned(lines)
    with cluster.workers("local", local=2) as there:
        options = Options(100_000, None, seconds=60.0)
        other = out.with_name("other.db")
        summary = scan_fleet(sources(lines, tmp_path), other, there, options, NoProgress())
    assert len(summary.scanned) == 6
    assert list(summary.failed) == ["nowhere"]

    def rows(catalogue: Catalogue) -> list[object]:
        return [catalogue.uses("requests"), catalogue.exports("own3"), catalogue.routes(Wanted.of("/users/1"))]

    with opened(out) as one, opened(other) as two:
        assert rows(one) == rows(two)


@pytest.mark.slow
def test_a_killed_scan_goes_on_where_it_was(tmp_path: Path, out: Path, scanned: Scan):
    import signal
    import subprocess
    import sys

    lines = []
    for number in range(8):
        write(tmp_path / f"r{number}", {f"m{index}.py": SOURCES["app.py"] * 50 for index in range(40)})
        lines.append(f"r{number}\n")
    (tmp_path / "repos.txt").write_text("".join(lines))
    words = [sys.executable, "-m", "bearings", "code", "fleet", "scan", str(tmp_path / "repos.txt"), str(out)]
    environment = {**os.environ, "CODEREF_CACHE_DIR": str(tmp_path / "cache")}
    process = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (not out.exists() or len(_names(out)) < 3):
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = _names(out)
    assert 3 <= len(before) <= 8
    summary = scanned("".join(lines))
    assert set(before) <= set(summary.unchanged)
    assert len(summary.scanned) + len(summary.unchanged) == 8


def _names(out: Path) -> list[str]:
    try:
        with opened(out, mends=True) as catalogue:
            return [one.name for one in catalogue.repositories()]
    except InvalidInput:
        return []
