"""Debian's nginx and Caddy with the configurations in `packaging/`, at other ports, with a test certificate."""

import os
import shutil
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.nominatim_server.machine import CannotRun, apt_install

PACKAGING = Path(__file__).parents[2] / "packaging"
NAME = "mcp.example.org"
STARTS_S = 20


def program(name: str) -> str:
    """The program's path; installs it if missing. Skips if that is impossible, but fails in CI."""
    find: Callable[[], str | None] = lambda: shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")  # noqa: E731
    if (found := find()) is None:
        give_up = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        if os.geteuid() != 0 or shutil.which("apt-get") is None:
            give_up(f"{name} is missing, and only root on a Debian can install it")
        try:
            apt_install([name])
        except CannotRun as error:
            give_up(str(error))
        found = find()
    assert found
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Proxy(ABC):
    """Runs in front of the server at `upstream`, and of `others`, while the block runs; `port` speaks TLS."""

    def __init__(self, folder: Path, upstream: int, certificate: Path, key: Path, *others: str) -> None:
        self._folder = folder
        self._replaced = {"127.0.0.1:8010": " ".join((f"127.0.0.1:{upstream}", *others))}
        self._certificate, self._key = certificate, key
        self.port = free_port()

    @abstractmethod
    def command(self) -> list[str]:
        """Write the configuration; returns the command that runs it in the foreground."""

    def configuration(self, name: str, **replaced: str) -> str:
        """The file in `packaging/`; each replaced part must exist in it."""
        text = (PACKAGING / name).read_text()
        for old, new in {**self._replaced, **replaced}.items():
            assert old in text, old
            text = text.replace(old, new)
        return text

    def __enter__(self) -> "Proxy":
        log = (self._folder / "proxy.log").open("wb")
        with log:
            self._process = subprocess.Popen(
                self.command(), cwd=self._folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, "HOME": str(self._folder)},
            )  # fmt: skip
        deadline = time.monotonic() + STARTS_S
        while not self._listens():
            said = (self._folder / "proxy.log").read_text()
            assert self._process.poll() is None, said
            assert time.monotonic() < deadline, said
            time.sleep(0.05)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(20)

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


class Nginx(Proxy):
    def command(self) -> list[str]:
        made = self.configuration(
            "nginx.conf",
            **{
                "listen 443 ssl": f"listen 127.0.0.1:{self.port} ssl",
                "/etc/ssl/mcp.example.org.pem": str(self._certificate),
                "/etc/ssl/mcp.example.org.key": str(self._key),
            },
        )
        (self._folder / "bearings.conf").write_text(made)
        main = self._folder / "main.conf"
        paths = "".join(
            f"{name}_temp_path {self._folder}/{name};\n"
            for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        user = "user root;\n" if os.geteuid() == 0 else ""
        main.write_text(
            f"{user}daemon off;\npid {self._folder}/pid;\nerror_log stderr;\nevents {{ worker_connections 4096; }}\n"
            f"http {{\naccess_log off;\n{paths}include {self._folder}/bearings.conf;\n}}\n"
        )
        return [program("nginx"), "-p", str(self._folder), "-c", str(main), "-e", "stderr"]


class Caddy(Proxy):
    def command(self) -> list[str]:
        site = f"https://{NAME}:{self.port} {{\n\ttls {self._certificate} {self._key}\n\tbind 127.0.0.1"
        named = f"{{$SITE:{NAME}}} {{"
        made = self.configuration("Caddyfile", **{named: site, "\tadmin off": "\tadmin off\n\tauto_https off"})
        path = self._folder / "Caddyfile"
        path.write_text(made)
        return [program("caddy"), "run", "--config", str(path), "--adapter", "caddyfile"]
