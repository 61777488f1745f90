"""A server to be attacked: the tests' few tools behind the product's whole HTTP side, in a process of its own."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[3]
FIXTURE = ("tests.serving.fixture_server", "http")
STARTS_S = 60


class Attacked:
    """Runs `python -m` with some words while the block runs. `port` is known once it listens."""

    def __init__(self, log: Path, words: Sequence[str] = FIXTURE, **environment: str) -> None:
        self._words = words
        self._environment = environment
        self.log = log

    def __enter__(self) -> "Attacked":
        with self.log.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", *self._words],
                cwd=ROOT, env={**os.environ, "BEARINGS_LOG_LEVEL": "INFO", **self._environment},
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
            )  # fmt: skip
        deadline = time.monotonic() + STARTS_S
        while not (found := re.search(r"running on http://\S+:(\d+)", self.log.read_text())):
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < deadline, "the server does not listen"
            time.sleep(0.05)
        self.port = int(found[1])
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def rss_mb(self) -> float:
        """Memory of the process that is in use."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)
        assert found
        return int(found[1]) / 1024
