"""The memory of a process and its descendants: proportional set sizes (PSS), from Linux's /proc."""

import threading
from collections.abc import Iterable
from pathlib import Path

_PROC = Path("/proc")


def held(pid: int) -> int:
    """Bytes, over the process and its descendants; pages shared by several are counted once.

    So is the whole of a process that is about to become a command, which lives in its parent's memory until then.
    """
    return sum(map(_pss, {tuple(_read(_PROC / str(each) / "smaps_rollup")) for each in family(pid)}))


def family(pid: int) -> list[int]:
    """The process and its descendants that live now."""
    found = [pid]
    for each in found:
        for task in _read(_PROC / str(each) / "task", folder=True):
            found += [int(child) for child in "".join(_read(_PROC / str(each) / "task" / task / "children")).split()]
    return found


def _pss(rollup: Iterable[str]) -> int:
    for line in rollup:
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0


def _read(path: Path, *, folder: bool = False) -> list[str]:
    """Lines of a file, or names in a folder; none where the process has ended meanwhile."""
    try:
        return [entry.name for entry in path.iterdir()] if folder else path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


class Peak:
    """The most that a process and its descendants held while this was entered, looked at at once, every `every_s`
    seconds, and at the end.
    """

    def __init__(self, pid: int, every_s: float = 0.1) -> None:
        self.bytes = 0
        self._pid = pid
        self._every_s = every_s
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "Peak":
        self.bytes = held(self._pid)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()
        self.bytes = max(self.bytes, held(self._pid))

    def _watch(self) -> None:
        while True:
            self.bytes = max(self.bytes, held(self._pid))
            if self._done.wait(self._every_s):
                return
