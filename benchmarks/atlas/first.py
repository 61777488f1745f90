"""Start to first answer of a fresh installation, idle and beside busy loops: `python -m benchmarks.atlas.first`.

The wheel of this checkout is installed into an environment of its own, as `pip install` does; each start has an empty
cache directory, so that nothing of an earlier one helps. Both atlases answer the same question, by the command and by
the server; `make demo` runs once idle and once loaded. The machine should do nothing else.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from mcp import Client, StdioServerParameters

from bearings.places.atlas.edition import file_name
from bearings.places.settings import PlacesSettings
from benchmarks.measure import ROUNDS, header, progress, revision, table

ROOT = Path(__file__).parents[2]
COMMAND = "python -m benchmarks.atlas.first"
LOAD = 20
QUESTION = "Boulder, Colorado"
PATIENCE_S = 600


def main(rounds: int, load: int) -> str:
    full = PlacesSettings().cache_dir / file_name()
    if not full.is_file():
        raise SystemExit("The full atlas is not there: run `make atlas`.")
    with tempfile.TemporaryDirectory() as scratch:
        progress("installing …")
        programs = installed(Path(scratch))
        starts: dict[str, Callable[[], float]] = {
            f"{atlas} atlas, {way}": lambda start=start, path=path: start(programs, path)
            for atlas, path in (("core", "core"), ("full", str(full)))
            for way, start in (("the command's answer", by_command), ("the server's first answer", by_server))
        }
        idle = _in_turns(starts, rounds)
        idle["make demo, once"] = demo()
        with busy(load):
            loaded = _in_turns(starts, rounds)
            loaded["make demo, once"] = demo()
    rows = [[what, _shown(idle[what]), _shown(loaded[what])] for what in idle]
    return (
        header("First answer", "mcp", rounds=rounds, command=COMMAND)
        + f"bearings at {revision()}, on {os.cpu_count()} processors. A fresh installation with an empty cache "
        f"directory starts and answers “{QUESTION}”, with nothing else to do and beside {load} busy loops. In brackets "
        "the slowest round.\n\n" + table(["start to first answer", "idle", f"at load {load}"], rows)
    )


def installed(scratch: Path) -> Path:
    """The folder of the programs of an environment that has the runtime's locked packages and this checkout's wheel."""
    environment = scratch / "environment"
    _run(sys.executable, "-m", "venv", "--without-pip", str(environment))
    pip = (sys.executable, "-m", "pip", "--python", str(environment / "bin/python"), "--disable-pip-version-check")
    install = (*pip, "install", "--quiet", "--no-deps")
    _run(*install, "--require-hashes", "--requirement", str(ROOT / "packaging/runtime.lock"))
    _run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(scratch))
    _run(*install, "--no-index", *map(str, scratch.glob("*.whl")))
    return environment / "bin"


def by_command(programs: Path, atlas: str) -> float:
    """Seconds of `bearings places geocode`."""
    with _surroundings(atlas) as environment:
        command = (str(programs / "bearings"), "places", "geocode", QUESTION, "--format", "json")
        started = time.perf_counter()
        done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        took = time.perf_counter() - started
    assert json.loads(done.stdout)["count"], done.stdout
    return took


def by_server(programs: Path, atlas: str) -> float:
    """Seconds from the start of `bearings-places` to its answer through an MCP client."""

    async def asked(environment: dict[str, str]) -> float:
        command = StdioServerParameters(command=str(programs / "bearings-places"), args=["stdio"], env=environment)
        started = time.perf_counter()
        async with Client(command, read_timeout_seconds=PATIENCE_S) as client:
            reply = await client.call_tool("geocode", {"query": QUESTION})
            took = time.perf_counter() - started
        assert (reply.structured_content or {}).get("count"), reply
        return took

    with _surroundings(atlas) as environment:
        return asyncio.run(asked(environment))


def demo() -> list[float]:
    """Seconds of `make demo`, which ends with an error if an answer is wrong or late."""
    progress("make demo …")
    started = time.perf_counter()
    _run("make", "demo")
    return [time.perf_counter() - started]


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """Runs that many endless computations. All have started when the block begins."""
    code = "print(flush=True)\nwhile True: pass"
    running = [
        subprocess.Popen((sys.executable, "-c", code), stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        for _ in range(loops)
    ]
    try:
        for process in running:
            assert process.stdout is not None
            process.stdout.readline()
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


@contextmanager
def _surroundings(atlas: str) -> Iterator[dict[str, str]]:
    """An environment of which nothing is set but what a client passes on, the atlas and an empty cache directory."""
    with tempfile.TemporaryDirectory() as cache:
        settings = {"GEOCODER_ATLAS": atlas, "GEOCODER_CACHE_DIR": cache, "XDG_CACHE_HOME": cache}
        yield {**{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}, **settings}


def _in_turns(starts: dict[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {what: [] for what in starts}
    for number in range(rounds):
        progress(f"round {number + 1} of {rounds} …")
        for what, start in starts.items():
            times[what].append(start())
    return times


def _shown(times: list[float]) -> str:
    middle = f"{statistics.median(times):.2f} s"
    return middle if len(times) == 1 else f"{middle} ({max(times):.2f})"


def _run(*command: str) -> None:
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--load", type=int, default=LOAD)
    options = parser.parse_args()
    page = main(options.rounds, options.load)
    print(page)
    (ROOT / "benchmarks" / "results" / "first-answer.md").write_text(page, encoding="utf-8")
