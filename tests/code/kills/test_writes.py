"""Commands that write many files are ended in every way, at random moments: all files or none, and nothing is left."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.code.servers import Server, ServerGone
from tests.code.trees import write
from tests.soak import SOAK

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc"),
]

FILES = 300 if SOAK else 100
KILLS = 50 if SOAK else 4
COMMAND = [sys.executable, "-P", "-m", "bearings", "code"]

USE = "print(old())\n"
"""What each file does with what it imports, so that the work reaches all of them; but it may not be removed then."""

TOOLS: dict[str, tuple[str, dict[str, Any]]] = {
    "rename": ("coderef_rename", {"element": "a.py#old", "new_name": "anew", "dry_run": False}),
    "remove": ("coderef_remove", {"element": "a.py#old", "dry_run": False}),
    "tag": ("coderef_tag", {"dry_run": False}),
    "move": ("coderef_move", {"element": "a.py", "target": "b.py", "dry_run": False}),
    "take": ("coderef_move", {"element": "a.py#old", "target": "b.py", "dry_run": False}),
    "signature": (
        "coderef_signature",
        {"element": "a.py#old", "parameters": "more", "values": {"more": "None"}, "dry_run": False},
    ),
    "replace": ("coderef_replace", {"element": "a.py#old", "text": "def old(): return 2", "dry_run": False}),
}
WORDS = {
    "rename": ["rename", "a.py#old", "anew", "--no-dry-run", "--project"],
    "remove": ["remove", "a.py#old", "--no-dry-run", "--project"],
    "tag": ["tag", "--no-dry-run"],
    "move": ["move", "a.py", "b.py", "--no-dry-run", "--project"],
    "take": ["move", "a.py#old", "b.py", "--no-dry-run", "--project"],
    "signature": ["signature", "a.py#old", "more", "--values", "more=None", "--no-dry-run", "--project"],
    "replace": ["replace", "a.py#old", "--text", "def old(): return 2", "--no-dry-run", "--project"],
}

EVERY_DAY = ("rename", "remove", "tag", "move")


class Work:
    """A project whose files one command changes, and what is true of it afterwards."""

    def __init__(self, kind: str, folder: Path, cache: Path, chance: random.Random) -> None:
        self.kind, self.root, self.cache, self.chance = kind, folder.resolve() / "project", cache, chance
        self.before: dict[str, bytes] = {"a.py": b"def old():\n    return 1\n"}
        for number in range(FILES):
            text = f"from a import old\n{'' if kind == 'remove' else USE}\n\ndef f{number}():\n    return {number}\n"
            self.before[f"m{number}.py"] = text.encode()
        write(self.root, self.before)
        self.run(*WORDS[kind], str(self.root))
        self.after = self.contents()
        changed = len([path for path in self.after if self.after[path] != self.before.get(path)])
        assert changed >= (1 if kind == "replace" else FILES)

    def contents(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.root.iterdir() if path.is_file()}

    def run(self, *words: str) -> str:
        """A command to its end."""
        done = subprocess.run([*COMMAND, *words], env=self.environment, capture_output=True, text=True, check=True)
        return done.stdout + done.stderr

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, "CODEREF_CACHE_DIR": str(self.cache)}

    def moment(self) -> None:
        """Returns soon after a random share of the drafts is there, or after all are and the renames begin."""
        share = self.chance.choice([0, 0.3, 0.9, 1, 1, 1])
        waiting, most = threading.Event(), 0
        for _ in range(20_000):
            drafts = sum(path.suffix == ".tmp" for path in self.root.iterdir())
            if drafts >= max(1, share * FILES) or drafts < most or self.is_begun():
                break
            most = max(most, drafts)
            waiting.wait(0.001)
        waiting.wait(self.chance.random() * 0.03)

    def is_begun(self) -> bool:
        """Whether the first file is written."""
        try:
            return (self.root / "a.py").read_bytes() != self.before["a.py"]
        except FileNotFoundError:
            return True

    def settle(self) -> str:
        """Another command that writes; then all files are as before, or as after, and nothing else is there."""
        self.run("export", "--project", str(self.root), "--output", "graph.json")
        (self.root / "graph.json").unlink()
        # A worker whose command is gone may begin its renames after that other command, and ends them.
        waiting = threading.Event()
        for _ in range(2_000):
            if (there := self.contents()) in (self.before, self.after):
                break
            waiting.wait(0.01)
        assert there in (self.before, self.after), sorted(set(there) ^ set(self.before))[:5]
        return "all" if there == self.after else "none"

    def again(self) -> None:
        """The files as they were."""
        there = self.contents()
        for name in there.keys() - self.before.keys():
            (self.root / name).unlink()
        for name, text in self.before.items():
            if there.get(name) != text:
                (self.root / name).write_bytes(text)


def by_signal(number: int) -> Callable[[Work], None]:
    def end(work: Work) -> None:
        command = [*COMMAND, *WORDS[work.kind], str(work.root)]
        quiet = subprocess.DEVNULL
        with subprocess.Popen(command, env=work.environment, stdin=quiet, stdout=quiet, stderr=quiet) as process:
            work.moment()
            process.send_signal(number)

    return end


@contextlib.contextmanager
def serving(work: Work, **settings: str) -> Iterator[tuple[Server, int]]:
    """A server that was asked to do the work, at a random moment of it."""
    server = Server(work.cache, **settings)
    try:
        tool, arguments = TOOLS[work.kind]
        project: dict[str, Any] = {"path" if work.kind == "tag" else "project_path": str(work.root)}
        call = server.call(tool, **project, **arguments)
        work.moment()
        yield server, call
    finally:
        server.close()


def by_cancelling(work: Work) -> None:
    with serving(work) as (server, call):
        server.cancel(call)


def by_end_of_input(work: Work) -> None:
    with serving(work):
        pass


def by_deadline(work: Work) -> None:
    with serving(work, CODEREF_TIMEOUT=f"{work.chance.uniform(1, 3):.2f}") as (server, call):
        server.answer(call)


def by_killing_the_worker(work: Work) -> None:
    with serving(work) as (server, call), contextlib.suppress(ServerGone):
        server.kill("worker")
        server.answer(call)


WAYS = {
    "SIGINT": by_signal(signal.SIGINT),
    "SIGTERM": by_signal(signal.SIGTERM),
    "SIGKILL": by_signal(signal.SIGKILL),
    "cancel": by_cancelling,
    "end of input": by_end_of_input,
    "deadline": by_deadline,
    "kill -9 of the worker": by_killing_the_worker,
}


@pytest.mark.parametrize("kind", TOOLS if SOAK else EVERY_DAY)
def test_an_end_at_any_moment_leaves_all_files_written_or_none(tmp_path, monkeypatch, kind):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    seed = random.randrange(10**9)
    work = Work(kind, tmp_path, tmp_path / "cache", random.Random(seed))
    outcomes: Counter[str] = Counter()
    for number in range(KILLS):
        way = list(WAYS)[number % len(WAYS)]
        work.again()
        WAYS[way](work)
        outcomes[f"{way}: {work.settle()}"] += 1
    print(f"seed {seed}: {kind}, {KILLS} ends, {dict(sorted(outcomes.items()))}")  # noqa: T201 - shown by pytest -rP


@pytest.mark.parametrize("kind", EVERY_DAY)
def test_a_full_disk_leaves_all_files_as_they_were(tmp_path, monkeypatch, kind):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "none", disk], check=False, capture_output=True)
    if mounted.returncode:
        pytest.skip("this user may not mount a small disk")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    try:
        work = Work(kind, disk, tmp_path / "cache", random.Random(1))
        work.again()
        (disk / "filler").write_bytes(b"x" * (os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize - 300_000))
        command = [*COMMAND, *WORDS[kind], str(work.root), "--json"]
        done = subprocess.run(command, env=work.environment, capture_output=True, text=True, check=False)
        assert '"code":"write_failed"' in done.stdout, done.stdout[:300]
        assert work.contents() == work.before
    finally:
        waiting = threading.Event()
        while subprocess.run(["umount", disk], check=False, capture_output=True).returncode:
            waiting.wait(0.1)  # a worker that stores its graph has the disk open
