"""`cache info|clear`: the contents are listed, and deleted on request."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bearings.code.facts.blobs import FACTS_FILE
from bearings.code.index.snapshot_packing import PackedSnapshot
from bearings.code.index.snapshot_store import GraphStore
from bearings.code.settings import CodeSettings
from tests.cli.conftest import Invoke, process
from tests.redis_server import RedisServer, redis_server, running_redis

__all__ = ["redis_server", "running_redis"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.py").write_text("def f():\n    pass\n")
    return folder


def wait_for(condition: Callable[[], bool]) -> None:
    waiting, late = threading.Event(), time.monotonic() + 60
    while not condition():
        assert time.monotonic() < late
        waiting.wait(0.02)


@pytest.mark.slow
def test_facts_are_counted_and_forgotten(invoke: Invoke, project: Path):
    assert process("code", "scan", str(project)).returncode == 0
    store = CodeSettings().cache_path() / FACTS_FILE
    assert store.stat().st_size > 0
    assert str(store.parent) in invoke("code", "cache", "info").stdout
    graphs = GraphStore(store.parent)
    wait_for(lambda: graphs.has(project.resolve()))  # the last that the worker of the scan writes
    graphs.save(project.parent, 1, PackedSnapshot(b"x" * 2000, {}))
    assert " 0 kB of graphs" not in invoke("code", "cache", "info").stdout
    assert "of graphs forgotten" in invoke("code", "cache", "clear").stdout
    assert not store.exists()
    assert "0 kB of facts" in invoke("code", "cache", "info").stdout


def test_a_store_that_can_not_be_removed_is_an_error(invoke: Invoke):
    store = CodeSettings().cache_path() / FACTS_FILE
    (store / "occupied").mkdir(parents=True)
    result = invoke("code", "cache", "clear")
    assert result.exit_code == 1
    assert "can't be removed" in result.stderr


def test_answers_are_counted_and_forgotten(invoke: Invoke):
    info = invoke("places", "cache", "info")
    assert info.exit_code == 0
    assert "0 answers" in info.stdout
    assert invoke("places", "cache", "clear").stdout == "0 answers forgotten.\n"


def test_a_disk_that_is_off_keeps_nothing(invoke: Invoke, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GEOCODER_CACHE_DISK", "off")
    assert "GEOCODER_CACHE_DISK is off" in invoke("places", "cache", "info").stdout


def test_settings_that_make_no_sense_are_named(invoke: Invoke, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GEOCODER_CACHE_TTL", "soon")
    result = invoke("places", "cache", "info")
    assert result.exit_code == 2
    assert "GEOCODER_CACHE_TTL" in result.stderr


def test_answers_that_replicas_share_are_named_and_forgotten(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch, redis_server: RedisServer
):
    monkeypatch.setenv("BEARINGS_SHARED", redis_server.url)
    assert invoke("places", "cache", "info").stdout.startswith(f"{redis_server.name}: answers that replicas share")
    assert invoke("places", "cache", "clear").stdout == f"{redis_server.name}: all answers forgotten.\n"


def test_an_address_of_a_redis_is_refused_and_its_password_not_shown(invoke: Invoke, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BEARINGS_SHARED", "http://me:secret@redis.example.org")
    result = invoke("places", "cache", "info")
    assert result.exit_code != 0
    assert "BEARINGS_SHARED" in result.stderr
    assert "secret" not in result.output
