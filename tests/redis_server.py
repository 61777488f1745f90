"""A real Redis (or Valkey) on loopback, in a folder of its own, for tests of what replicas share.

The program is looked for; without it the tests are skipped. With BEARINGS_REQUIRE_REDIS=1 it is installed by apt as
root, or the tests fail. The service that a package brings along is not started, and none that runs is asked.
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import filelock
import pytest
import redis
import trustme

from tests.nominatim_server.machine import CannotRun, apt_install

PROGRAMS = ("redis-server", "valkey-server")

PASSWORD = "s3cret/päss#word"
QUOTED = "s3cret%2Fp%C3%A4ss%23word"

REQUIRE = "BEARINGS_REQUIRE_REDIS"


def program() -> str:
    """The path of a server program; skips or fails without one."""
    found = _found()
    if found is None and os.environ.get(REQUIRE):
        with filelock.FileLock(Path(tempfile.gettempdir()) / "bearings-redis.lock"):
            found = _found() or _installed()
    if found is None:
        pytest.skip(f"there is no redis-server; {REQUIRE}=1 installs it")
    return found


def _found() -> str | None:
    return next((path for name in PROGRAMS if (path := shutil.which(name))), None)


def _installed() -> str:
    if os.geteuid() != 0:
        pytest.fail(f"{REQUIRE} is set, there is no redis-server, and only root can install it")
    try:
        apt_install(["redis-server"])
    except CannotRun as error:
        pytest.fail(f"{REQUIRE} is set: {error}")
    found = _found()
    assert found is not None
    return found


class RedisServer:
    """A server on a free port of loopback, without files of data; `kill` and `start` keep the port."""

    def __init__(self, directory: Path, *, password: str = "", tls: bool = False) -> None:
        self._directory = directory
        self._program = program()
        self._password = password
        self._tls = tls
        self._process: subprocess.Popen[str] | None = None
        self.port = 0
        if tls:
            authority = trustme.CA()
            certificate = authority.issue_cert("127.0.0.1")
            authority.cert_pem.write_to_path(str(directory / "ca.pem"))
            certificate.private_key_pem.write_to_path(str(directory / "key.pem"))
            certificate.cert_chain_pems[0].write_to_path(str(directory / "cert.pem"))
        self.start()

    @property
    def url(self) -> str:
        """The address, with the password and the authority's certificate if there are any."""
        user = f":{QUOTED}@" if self._password else ""
        tail = f"?ssl_ca_certs={quote(str(self._directory / 'ca.pem'))}" if self._tls else ""
        return f"{'rediss' if self._tls else 'redis'}://{user}127.0.0.1:{self.port}/0{tail}"

    @property
    def socket_url(self) -> str:
        """The address of the Unix socket; skips where its path is longer than systems take."""
        if len(bytes(self._directory / "redis.sock")) > 100:
            pytest.skip("the folder of temporary files has too long a path for a socket")
        return f"unix://{quote(str(self._directory / 'redis.sock'))}"

    @property
    def name(self) -> str:
        """The name that people see."""
        return f"{'rediss' if self._tls else 'redis'}://127.0.0.1:{self.port}/0"

    def client(self) -> Any:
        """A plain client, for looking and meddling."""
        return redis.Redis.from_url(self.url)

    def start(self) -> None:
        """Start, and return when the server takes connections."""
        for _ in range(5):
            self.port = self.port or _free_port()
            self._process = subprocess.Popen(
                [self._program, *self._settings()],
                cwd=self._directory,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            )  # fmt: skip
            assert self._process.stdout is not None
            if any("eady to accept connections" in line for line in self._process.stdout):
                return
            self._end()
            self.port = 0
        pytest.fail(f"{self._program} does not start")

    def kill(self) -> None:
        """End the server at once, with SIGKILL."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._end()

    def stop(self) -> None:
        """Let the server take connections and answer nothing, until `go_on`."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def close(self) -> None:
        """End the server, if it runs."""
        if self._process is not None:
            self.kill()

    def _end(self) -> None:
        assert self._process is not None
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None

    def _settings(self) -> list[str]:
        port = str(self.port)
        ports = ["--port", "0", "--tls-port", port] if self._tls else ["--port", port]
        files = ["--tls-cert-file", "cert.pem", "--tls-key-file", "key.pem", "--tls-ca-cert-file", "ca.pem"]
        tls = [*files, "--tls-auth-clients", "no"] if self._tls else []
        password = ["--requirepass", self._password] if self._password else []
        here = ["--bind", "127.0.0.1", "--dir", str(self._directory), "--unixsocket", "redis.sock"]
        return [*ports, *here, "--save", "", "--appendonly", "no", "--loglevel", "notice", *tls, *password]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def running_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """One server for all tests of a process."""
    server = RedisServer(tmp_path_factory.mktemp("redis"))
    yield server
    server.close()


@pytest.fixture
def redis_server(running_redis: RedisServer) -> RedisServer:
    """The server without any key."""
    with running_redis.client() as client:
        client.flushall()
    return running_redis


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[RedisServer]:
    """A server of this test, which may kill it."""
    directory = tmp_path / "own-redis"
    directory.mkdir()
    server = RedisServer(directory)
    yield server
    server.close()


@pytest.fixture
def guarded_redis(tmp_path: Path) -> Iterator[RedisServer]:
    """A server with a password and TLS."""
    directory = tmp_path / "guarded-redis"
    directory.mkdir()
    server = RedisServer(directory, password=PASSWORD, tls=True)
    yield server
    server.close()
