"""What sources of one shape cost when they double: `python -m benchmarks growth`.

Each row is a shape of benchmarks/growth_shapes.py at 256 kB, 512 kB and 1 MB. An index is made of it from nothing, in
this process; then 1 MB is asked by whole commands from nothing: `scan`, and `callers` of a function that is called
after all that repeats. Only processor time counts, that of workers too, so that the machine may have other work to do.
`python -m benchmarks.growth NAME…` prints the rows of shapes whose names match.
"""

import ctypes
import gc
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.index.worker_pool import WorkerPool
from benchmarks.growth_shapes import CHOSEN, SHAPES, Files, python
from benchmarks.measure import header, progress, revision, table

_SIZES = (256_000, 512_000, 1_024_000)
_WORD = "velo"
_TRIES = 4
"""Rounds over the sizes; of each size the shortest counts."""
_SUBREAPER = 36
"""The option of Linux's prctl that gives a process its grandchildren whose parents have ended, with their times."""
_SECONDS = "1800"
_LARGEST = 2_000_000


def main(wanted: Sequence[str] = ()) -> str:
    """The table."""
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    names = [name for name in SHAPES if any(re.search(one, name) for one in wanted)] or list(CHOSEN)
    rows = []
    for name in names:
        shape = SHAPES[name]
        sources = [shape.make(shape.number_of(size, _WORD), _WORD) for size in _SIZES]
        taken = [min(times) for times in zip(*([_indexed(one) for one in sources] for _ in range(_TRIES)), strict=True)]
        whole, is_right = _asked(sources[-1])
        steps = [f"{after / before:.1f}" for before, after in pairwise(taken)]
        seconds = [f"{one:.2f}" for one in (*taken, whole)]
        rows.append([name, *seconds[:-1], *steps, seconds[-1], "right" if is_right else "wrong"])
        progress(" | ".join(rows[-1]))
    return (
        header("What sources of one shape cost when they double", "bearings-mcp", "tree-sitter", rounds=_TRIES).replace(
            "Medians of", "The shortest of"
        )
        + f"Sources at {revision()}, {_build()}. Seconds of processor time: of an index of each size, and of the "
        f"commands `scan` and `callers` on 1 MB, which take {_asked(python(_WORD, ''))[0]:.1f} s for a few lines.\n\n"
        + table(["shape", "256 kB", "512 kB", "1 MB", "step", "step", "commands", "answer"], rows)
    )


def _build() -> str:
    from bearings.code.resolve.types import members

    return "interpreted" if str(members.__file__).endswith(".py") else "compiled"


def _indexed(files: Files) -> float:
    """The processor time of an index of these files in this process."""
    with tempfile.TemporaryDirectory() as folder:
        root = _written(files, folder)
        gc.collect()
        started = time.process_time()
        Index(root, NoFacts(), _LARGEST, WorkerPool(0)).refresh()
        return time.process_time() - started


def _asked(files: Files) -> tuple[float, bool]:
    """The processor time of two commands on a project with these files, and whether the answer is right."""
    with tempfile.TemporaryDirectory() as folder:
        root = str(_written(files, folder))
        environment = {**os.environ, "XDG_CACHE_HOME": f"{folder}/cache", "CODEREF_TIMEOUT": _SECONDS}
        started, said = _spent(), ""
        for arguments in (("scan", root, "--limit", "1"), ("callers", f"{_WORD}_end", "--project", root)):
            command = (sys.executable, "-m", "bearings", "code", *arguments)
            run = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
            said = run.stdout
        return _spent() - started, said.count(f"{_WORD}_end()") == 1


def _written(files: Files, folder: str) -> Path:
    root = Path(folder).resolve() / "tree"
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


def _spent() -> float:
    """The processor time of all processes that were started and have ended."""
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            break
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    print(main(sys.argv[1:]))
