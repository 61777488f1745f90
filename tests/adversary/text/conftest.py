"""The hostile repository and upstream, made once, and servers that know both."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adversary.text.repository import hostile_repository
from tests.adversary.text.upstream import hostile_nominatim

ROOT = Path(__file__).parents[3]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hostile_repository(tmp_path_factory.mktemp("hostile") / "project")


@pytest.fixture(scope="session")
def upstream() -> Iterator[str]:
    with hostile_nominatim() as url:
        yield url


@pytest.fixture(scope="session")
def environment(upstream: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a server or command that asks the hostile upstream, without this machine's settings."""
    ours = ("BEARINGS_", "GEOCODER_", "CODEREF_", "NOMINATIM_", "MCP_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {
        **kept,
        "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache")),
        "GEOCODER_BACKEND": "nominatim",
        "NOMINATIM_BASE_URL": upstream,
        "BEARINGS_LOG_LEVEL": "INFO",
    }


@pytest.fixture(scope="session")
def http_url(environment: dict[str, str], repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of both wings over Streamable HTTP; its log is checked at the end by the test that asks for it."""
    log = tmp_path_factory.mktemp("log") / "http"
    with log.open("wb") as stream:
        words = [sys.executable, "-m", "bearings", "serve", "http", "--port", "0", "--root", str(repository)]
        process = subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stderr=stream, cwd=ROOT)
        try:
            yield _listening(log, process)
        finally:
            process.terminate()
            process.wait(20)


def _listening(log: Path, process: "subprocess.Popen[bytes]") -> str:
    """The address that the server logs, once it does."""
    while process.poll() is None:
        if found := re.search(r"running on (http://\S+)", log.read_text("utf-8", "replace")):
            return found[1]
        try:
            process.wait(0.05)
        except subprocess.TimeoutExpired:
            continue
    raise AssertionError(log.read_text("utf-8", "replace"))
