"""A server over stdio answers the commands of its user: byte for byte as they answer by themselves, or not at all."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

import pytest

from bearings.cli.code_spellings import SPELLINGS
from bearings.cli.command_server import _has_changed
from bearings.cli.command_socket import ACCEPTED, is_of_this_user, is_private
from tests.cli.conftest import environment
from tests.code.servers import Server
from tests.code.trees import SHOP, repository, write
from tests.soak import soak

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has no such sockets")

_BY_ITSELF = "by itself"
_ONLY_SERVED = f"""
import sys
from bearings.cli.command_socket import leave_if_answered
leave_if_answered(sys.argv[1:])
print("{_BY_ITSELF}")
"""

_TIMES = re.compile(rb'[\d.]+ ms|"(?:took_ms|fresh_at)":[^,}]+')

Answer = tuple[int, bytes, bytes]


class Place:
    """A short folder, as the path of a socket must be: a project, a cache, and the commands that run there."""

    def __init__(self, folder: Path) -> None:
        self.project = repository(folder / "shop", SHOP)
        self.sockets = folder / "c" / "bearings" / "run"
        self.settings = {"XDG_CACHE_HOME": str(folder / "c"), "CODEREF_CACHE_DIR": str(folder / "facts")}
        self._servers: list[Server] = []

    def server(self, project: Path | None = None, settings: Mapping[str, str] = MappingProxyType({})) -> Server:
        """A server that holds a project."""
        server = Server(Path(self.settings["CODEREF_CACHE_DIR"]), **{**self.settings, **settings})
        self._servers.append(server)
        for _ in range(2):  # the second answer is from the index
            server.ask("coderef_symbol", project_path=str(project or self.project), element="Basket.add")
        return server

    def alone(self, *words: str) -> Answer:
        """A command that finds no server: its setting is another."""
        return self._run(["-m", "bearings", "code", *words], CODEREF_SOCKET="0")

    def command(self, *words: str) -> Answer:
        """A command."""
        return self._run(["-m", "bearings", "code", *words])

    def served(self, *words: str, **settings: str) -> Answer:
        """A command that prints _BY_ITSELF where no server answers it."""
        return self._run(["-c", _ONLY_SERVED, *words], **settings)

    def close(self) -> None:
        """Ends the servers."""
        for server in self._servers:
            server.process.kill()
            server.close()

    def _run(self, command: list[str], **settings: str) -> Answer:
        done = subprocess.run(
            [sys.executable, *command], env=environment(**{**self.settings, **settings}), cwd=self.project,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False,
        )  # fmt: skip
        return done.returncode, _TIMES.sub(b"T", done.stdout), _TIMES.sub(b"T", done.stderr)


@contextmanager
def a_place() -> Iterator[Place]:
    folder = Path(tempfile.mkdtemp(prefix="b", dir="/tmp"))
    made = Place(folder)
    try:
        yield made
    finally:
        made.close()
        shutil.rmtree(folder)


@pytest.fixture
def place() -> Iterator[Place]:
    with a_place() as made:
        yield made


@pytest.fixture(scope="module")
def served_place() -> Iterator[Place]:
    """A place with a server, for tests that leave both as they were."""
    with a_place() as made:
        made.server()
        yield made


SERVED = [
    "callers Basket.add", "callers Basket.add nothing_such --project .", "users fill", "impls Basket",
    "tests Basket.add", "reach Basket.add", "explore basket", "explore nothing_such", "unused", "unused --jsonl",
    "scan", "scan --types class --lines", "query fill --type calls --json", "query fill callers", "symbol Basket.add",
    "symbol Basket.add --project=../shop", "impact Basket.add --json", "complexity shop", "changes", "context", "map",
    "patterns", "coverage", "validate", "drift", "diagram fill --format dot", "query fill --type nonsense",
    "scan --limit 0",
]  # fmt: skip
NOT_SERVED = [
    "export", "rename fill stuff", "remove fill", "signature fill a", "tag .", "move fill shop/rows.py",
    "replace fill --where after --text A=1", "scan shop",
    "symbol fill --html page.html",
    "explore -", "callers --help", "query fill --fleet default", "callers", "nonsense", "cache info",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("step", [6, pytest.param(1, marks=[pytest.mark.slow, soak])], ids=["some", "all"])
def test_every_command_prints_the_same_with_and_without_a_server(served_place: Place, step: int) -> None:
    place = served_place
    assert {line.split()[0] for line in [*SERVED, *NOT_SERVED]} >= SPELLINGS.keys()
    for line in SERVED[::step]:
        assert place.served(*line.split()) == place.alone(*line.split()), line
    for line in NOT_SERVED[::step]:
        assert place.served(*line.split()) == (0, f"{_BY_ITSELF}\n".encode(), b""), line


def test_a_server_sees_what_was_written_since(served_place: Place) -> None:
    write(served_place.project, {"later.py": "from shop.basket import fill\n\nfill([2])\n"})
    assert b"later.py:3:fill([2])\n" in served_place.served("callers", "fill")[1]
    (served_place.project / "later.py").unlink()
    assert b"later.py" not in served_place.served("callers", "fill")[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [pytest.param({"CODEREF_SOCKET": "0"}, marks=pytest.mark.slow), {"BEARINGS_ROOTS": "/"}],
    ids=lambda settings: next(iter(settings)),
)
def test_a_server_with_roots_or_without_sockets_is_not_asked(place: Place, settings: dict[str, str]) -> None:
    place.server(settings=settings)
    assert place.served("callers", "fill")[1].decode().strip() == _BY_ITSELF


@pytest.mark.parametrize(("name", "value"), [("CODEREF_MAX_FILE_BYTES", "1000"), ("HOME", "/nowhere")])
def test_a_server_with_other_settings_is_not_asked(served_place: Place, name: str, value: str) -> None:
    assert served_place.served("callers", "fill", **{name: value})[1].decode().strip() == _BY_ITSELF


@pytest.mark.slow
def test_a_server_of_another_project_is_not_asked(place: Place) -> None:
    place.server(repository(place.project.parent / "other", SHOP))
    assert place.served("callers", "fill")[1].decode().strip() == _BY_ITSELF
    words = ("callers", "fill", "--project", "../other")
    assert place.served(*words) == place.alone(*words)


@pytest.mark.parametrize("variable", ["BEARINGS_ENV_FILE", "BEARINGS_LOG_LEVEL"])
def test_a_command_with_settings_in_a_file_or_a_log_answers_by_itself(served_place: Place, variable: str) -> None:
    assert served_place.served("callers", "fill", **{variable: "DEBUG"})[1].decode().strip() == _BY_ITSELF


def test_a_command_beside_a_file_of_settings_answers_by_itself(served_place: Place) -> None:
    settings = served_place.project / ".env"
    settings.touch()
    assert served_place.served("callers", "fill")[1].decode().strip() == _BY_ITSELF
    settings.unlink()


@pytest.mark.slow
def test_the_file_of_a_server_that_was_killed_is_passed_over_and_replaced(place: Place) -> None:
    answer = place.alone("callers", "fill")
    first = place.server()
    (stale,) = place.sockets.iterdir()
    first.process.kill()
    first.process.wait()
    assert stale.is_socket()
    assert place.served("callers", "fill")[1].decode().strip() == _BY_ITSELF
    assert place.command("callers", "fill") == answer
    second = place.server()
    assert place.served("callers", "fill") == answer
    second.close()
    assert list(place.sockets.iterdir()) == []


@pytest.mark.slow
def test_a_second_server_leaves_the_socket_to_the_first(place: Place) -> None:
    place.server()
    (file,) = place.sockets.iterdir()
    inode = file.stat().st_ino
    second = place.server()
    second.close()
    assert file.stat().st_ino == inode
    assert place.served("callers", "fill") == place.alone("callers", "fill")


@pytest.mark.slow
def test_a_folder_that_others_may_enter_or_that_is_a_link_is_not_used(place: Place) -> None:
    place.server()
    assert is_private(str(place.sockets))
    place.sockets.chmod(0o755)
    assert place.served("callers", "fill")[1].decode().strip() == _BY_ITSELF
    place.sockets.chmod(0o700)
    elsewhere = place.sockets.rename(place.sockets.parent / "elsewhere")
    place.sockets.symlink_to(elsewhere)
    assert place.served("callers", "fill")[1].decode().strip() == _BY_ITSELF
    second = repository(place.project.parent / "other", SHOP)
    place.server(second)
    assert len(list(elsewhere.iterdir())) == 1


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="gives a folder away, as root alone may")
def test_the_folder_of_another_user_is_not_used(place: Place) -> None:
    place.server()
    os.chown(place.sockets, 65534, 65534)
    assert place.served("callers", "fill")[1].decode().strip() == _BY_ITSELF


@pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED") or os.geteuid() != 0, reason="starts another user's process")
def test_another_user_s_process_is_told_apart(tmp_path: Path) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert is_of_this_user(ours)
    with tempfile.TemporaryDirectory(prefix="b", dir="/tmp") as folder, socket.socket(socket.AF_UNIX) as listening:
        Path(folder).chmod(0o777)
        listening.bind(f"{folder}/s")
        Path(f"{folder}/s").chmod(0o777)
        listening.listen()
        code = f"import socket; s = socket.socket(socket.AF_UNIX); s.connect('{folder}/s'); s.recv(1)"
        other = subprocess.Popen(["/usr/bin/env", "python3", "-c", code], user=65534)
        peer, _ = listening.accept()
        with peer:
            assert not is_of_this_user(peer)
        other.wait(30)


NONSENSE = [
    b"", ACCEPTED, ACCEPTED + b'{"status": 0, "printed": [["out", "wr', ACCEPTED + b'{"printed": []}',
    ACCEPTED + b'{"status": 0, "printed": [["out"]]}', b"HTTP/1.1 400\r\n",
]  # fmt: skip


@pytest.mark.slow
def test_a_server_that_ends_in_the_middle_or_answers_nonsense_changes_nothing(place: Place) -> None:
    server = place.server()
    (file,) = place.sockets.iterdir()
    server.close()
    asked: list[bytes] = []
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(file))
        listening.listen()

        def answered(answer: bytes) -> None:
            peer, _ = listening.accept()
            with peer, peer.makefile("rb") as lines:
                asked.append(lines.readline())
                peer.sendall(answer)

        for answer in NONSENSE:
            thread = threading.Thread(target=answered, args=[answer])
            thread.start()
            assert place.served("callers", "fill") == (0, f"{_BY_ITSELF}\n".encode(), b"")
            thread.join()
    assert [json.loads(line)["words"] for line in asked] == [["callers", "fill"]] * len(NONSENSE)


def test_a_server_whose_package_has_changed_refuses() -> None:
    assert _has_changed(0.0)
    assert not _has_changed(time.time() + 3600)
