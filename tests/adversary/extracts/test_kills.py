"""Imports that are ended at any moment: the old map or the new one is there, whole, and no draft after the next."""

import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from bearings.child import command_of
from bearings.places import importing
from bearings.places.osm import library
from bearings.places.osm.map import Map
from bearings.places.settings import PlacesSettings
from bearings.progress import NoProgress
from tests.adversary.conftest import Tally, attempts
from tests.adversary.extracts.pbf import Block

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="children are looked up in /proc"),
]

TOWN = Path(__file__).parents[2] / "data" / "town" / "town.osm"

STEPS = 12
"""An import of the town tells of so many."""

IMPORT = """
import sys
from pathlib import Path
from bearings.places import importing
from bearings.places.settings import PlacesSettings


class Told:
    left = int(sys.argv[3])

    def update(self, done, total, message):
        print(message, flush=True)
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


importing.make(Path(sys.argv[1]), [Path(sys.argv[2])], None, PlacesSettings(), Told())
"""


class Attack:
    """One import of the town over a small map, ended after some of its steps. Each method is a way to end it."""

    def __init__(self, path: Path, after: int) -> None:
        self._path = path
        self._after = after

    def interrupt(self) -> None:
        """Ctrl-C."""
        self._signalled(signal.SIGINT)

    def terminate(self) -> None:
        """SIGTERM to the command."""
        self._signalled(signal.SIGTERM)

    def kill(self) -> None:
        """SIGKILL to the command."""
        self._signalled(signal.SIGKILL)

    def terminate_the_child(self) -> None:
        """SIGTERM to the process that reads."""
        self._signalled(signal.SIGTERM, children_of)

    def kill_the_child(self) -> None:
        """SIGKILL to it."""
        self._signalled(signal.SIGKILL, children_of)

    def cancel(self) -> None:
        """The asker has enough of it."""
        with self._started(cancelled_after=max(1, self._after)) as process:
            process.communicate()

    def let_time_run_out(self) -> None:
        """The deadline."""
        with self._started(GEOCODER_IMPORT_TIMEOUT=str(0.1 + self._after / 8)) as process:
            process.communicate()

    def hang_up(self) -> None:
        """The end of the child's input, which a dead parent leaves."""
        job = importing.Job(str(self._path), (str(TOWN),), None, "core", str(self._path.parent), 60.0)
        command = command_of("bearings.places.importing")
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as process:
            assert process.stdin is not None
            process.stdin.write(msgspec.json.encode(job) + b"\n")
            process.stdin.flush()
            self._read(process)
            process.stdin.close()

    def _signalled(self, number: signal.Signals, whom: Callable[[int], list[int]] = lambda pid: [pid]) -> None:
        with self._started() as process:
            self._read(process)
            for pid in whom(process.pid):
                os.kill(pid, number)
            process.communicate()

    def _started(self, cancelled_after: int = 0, **settings: str) -> "subprocess.Popen[bytes]":
        words = [sys.executable, "-c", IMPORT, str(self._path), str(TOWN), str(cancelled_after)]
        folders = {"GEOCODER_CACHE_DIR": str(self._path.parent), "GEOCODER_ATLAS": "core"}
        return subprocess.Popen(
            words, env={**os.environ, **folders, **settings}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    def _read(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdout is not None
        for _ in range(self._after):
            process.stdout.readline()


WAYS: dict[str, Callable[[Attack], None]] = {
    "Ctrl-C": Attack.interrupt,
    "SIGTERM": Attack.terminate,
    "SIGKILL": Attack.kill,
    "SIGTERM to the child": Attack.terminate_the_child,
    "SIGKILL to the child": Attack.kill_the_child,
    "a cancel": Attack.cancel,
    "the deadline": Attack.let_time_run_out,
    "the end of its input": Attack.hang_up,
}


def children_of(parent: int) -> list[int]:
    """The processes that a process has started and that run."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                after_name = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(after_name[1]) == parent and after_name[0] != "Z":
                found.append(int(entry.name))
    return found


@pytest.mark.parametrize("how", WAYS)
def test_an_import_that_is_ended_leaves_the_old_map_or_the_new_one(tmp_path: Path, tally: Tally, how: str):
    folder, extract = tmp_path / "maps", tmp_path / "small.osm.pbf"
    extract.write_bytes(Block().node(1, 50, 8, ("shop", "bakery"), ("name", "Backhaus")).file())
    settings = PlacesSettings(index_dir=folder, cache_dir=tmp_path, atlas="core")
    path = library.path_of(folder, "town")
    importing.make(path, [extract], None, settings, NoProgress())
    old = path.read_bytes()
    rng = random.Random(how)
    outcomes: Counter[str] = Counter()
    tries = attempts(1, 7)
    for _ in range(tries):
        path.write_bytes(old)
        after = rng.randrange(STEPS)
        WAYS[how](Attack(path, after))
        with library.importing(folder):  # the next import waits for the child's end, and sweeps
            outcomes[outcome(path, old)] += 1
    print(f"{how}: {dict(outcomes)}")  # noqa: T201 - the table of `make soak`
    again = importing.make(path, [extract], None, settings, NoProgress())
    assert again.size == len(old)
    tally("an import ended half-way", tries, outcomes["the old map"] + outcomes["the new map"])


def outcome(path: Path, old: bytes) -> str:
    """What an ended import left."""
    names = {each.name for each in path.parent.iterdir() if not each.name.startswith(".")}
    if names != {"town.map"}:
        return f"drafts: {sorted(names)}"
    if path.read_bytes() == old:
        return "the old map"
    opened = Map(path)
    try:
        return "the new map" if int(opened.meta["places"]) > 50 else "half a map"
    finally:
        opened.close()
