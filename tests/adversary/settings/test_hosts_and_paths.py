"""A project names servers, addresses, tokens, roots and directories in its `.env`: none is used."""

import json
import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from bearings.progress import NoProgress
from tests.adversary.conftest import Tally
from tests.adversary.settings.project import command, environment, served
from tests.places import small_index

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Listener:
    """A server of the attacker's, which counts connections and hangs up."""

    def __init__(self) -> None:
        self.asked = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._count, daemon=True).start()

    def _count(self) -> None:
        try:
            while True:
                self._socket.accept()[0].close()
                self.asked += 1
        except OSError:
            pass

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def listener() -> Iterator[Listener]:
    made = Listener()
    yield made
    made.close()


def of_the_user(tmp_path: Path, places_cache: Path) -> dict[str, str]:
    return environment(tmp_path / "cache", GEOCODER_CACHE_DIR=str(places_cache))


@pytest.mark.parametrize("transport", ["cli", "stdio", "http"])
async def test_a_dot_env_names_a_server_and_an_address(
    transport: str, tmp_path: Path, places_cache: Path, listener: Listener, tally: Tally
) -> None:
    lines = [
        f"NOMINATIM_BASE_URL={listener.url}", "NOMINATIM_EMAIL=a@b.example", "GEOCODER_BACKEND=nominatim",
        "GEOCODER_USER_AGENT=evil", f"HTTP_PROXY={listener.url}", f"ALL_PROXY={listener.url}",
    ]  # fmt: skip
    root = tmp_path / "project"
    root.mkdir()
    (root / ".env").write_text("\n".join(lines))
    given = of_the_user(tmp_path, places_cache)
    if transport == "cli":
        done = command(root, given, "places", "geocode", "Boulder", "--json")
        reply = json.loads(done.stdout)
        assert "evil" not in done.stderr
        assert done.stderr.count("Warning") == 1
    else:
        async with served(transport, root, given, "places") as client:
            reply = (await client.call_tool("geocode", {"query": "Boulder"})).structured_content
    assert reply["source"]["backend"] == "gazetteer"
    tally("a server or an address named in .env", len(lines), len(lines) - listener.asked)


def test_the_listener_is_asked_where_the_user_names_it(tmp_path: Path, places_cache: Path, listener: Listener) -> None:
    (tmp_path / ".env").write_text(f"NOMINATIM_BASE_URL={listener.url}\n")
    command(tmp_path, of_the_user(tmp_path, places_cache), "--env-file", ".env", "places", "geocode", "Boulder")
    assert listener.asked


def test_a_dot_env_names_directories(tmp_path: Path, tally: Tally) -> None:
    root, evil = tmp_path / "project", tmp_path / "evil"
    root.mkdir()
    (root / "a.py").write_text("def f(): ...\n")
    names = ("CODEREF_CACHE_DIR", "GEOCODER_CACHE_DIR")
    (root / ".env").write_text("".join(f"{name}={evil / name}\n" for name in names))
    given = {**environment(tmp_path, XDG_CACHE_HOME=str(tmp_path / "own")), "CODEREF_CACHE_DIR": ""}
    for words in ("code scan", "code cache info", "code cache clear", "places cache clear", "doctor"):
        command(root, given, *words.split())
    assert (tmp_path / "own").exists()
    tally("a directory named in .env", len(names), len(names) - 2 * evil.exists())


def test_a_dot_env_names_an_atlas(tmp_path: Path, tally: Tally) -> None:
    """A database of the project's, which knows one town, in a place of its own choice."""
    root = tmp_path / "project"
    root.mkdir()
    small_index.build(root / "atlas.sqlite", NoProgress())
    named = {"an atlas": str(root / "atlas.sqlite"), "no atlas": "nowhere"}
    survived = []
    for path in named.values():
        (root / ".env").write_text(f"GEOCODER_ATLAS={path}\n")
        given = environment(tmp_path / "cache", GEOCODER_CACHE_DIR=str(tmp_path / "own"))
        done = command(root, given, "places", "geocode", "Paris", "--json")
        survived.append(json.loads(done.stdout).get("count", 0) > 0 and "GEOCODER_ATLAS" in done.stderr)
        chosen = command(root, given, "--env-file", ".env", "places", "geocode", "Paris", "--json")
        assert not json.loads(chosen.stdout).get("count")  # the user's word counts
    tally("an atlas named in .env", len(survived), sum(survived))


async def test_a_dot_env_names_roots_and_a_token(tmp_path: Path, tally: Tally) -> None:
    root, secret = tmp_path / "project", tmp_path / "secret"
    root.mkdir()
    secret.mkdir()
    (secret / "a.py").write_text("def hidden(): ...\n")
    (root / ".env").write_text(f"BEARINGS_ROOTS={os.sep}\nBEARINGS_TOKEN=known to the project\n")
    given = environment(tmp_path / "cache")
    async with served("http", root, given, "code") as client:  # without a token: the project's is not taken
        reply = await client.call_tool("coderef_scan", {"project_path": str(secret)})
    open_to_all = command(root, given, "code", "serve", "http", "--host", "0.0.0.0", "--port", "0")
    refused = (reply.structured_content or {}).get("code") == "path_not_allowed"
    survived = [refused, open_to_all.returncode == 2, "BEARINGS_TOKEN" in open_to_all.stderr]
    tally("roots or a token named in .env", len(survived), sum(survived))


@pytest.mark.parametrize("kind", ["pipe", "device", "link out", "loop", "folder", "huge", "not text", "blanks"])
def test_a_dot_env_is_no_file_to_read(kind: str, tmp_path: Path, tally: Tally) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.py").write_text("def f(): ...\n")
    (tmp_path / "secret").write_text("CODEREF_TIMEOUT=hidden\n")
    path = root / ".env"
    make = {
        "pipe": lambda: os.mkfifo(path),
        "device": lambda: path.symlink_to("/dev/zero"),
        "link out": lambda: path.symlink_to("../secret"),
        "loop": lambda: path.symlink_to(".env"),
        "folder": path.mkdir,
        "huge": lambda: path.write_text("A=1\n" * 10_000_000),
        "not text": lambda: path.write_bytes(bytes(range(256))),
        "blanks": lambda: path.write_text("\n".join("A=x" + " " * 900 + "y" for _ in range(30))),
    }
    make[kind]()
    reply = command(root, environment(tmp_path / "cache"), "code", "scan", "--json")
    survived = reply.returncode == 0 and "hidden" not in reply.stdout + reply.stderr
    tally("a .env that is no file to read", 1, int(survived))
