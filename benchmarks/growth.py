"""What sources of one shape cost when they double: `python -m benchmarks growth [NAME…]`.

Each row is a shape of benchmarks/growth_shapes.py at 256 kB, 512 kB and 1 MB, asked from nothing: `scan`, then
`callers` of a function that is called after all that repeats. The processor time of both commands with their workers
counts, less that of the same commands on a project of a few lines. So the machine may have other work to do.
"""

import ctypes
import os
import re
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from benchmarks.growth_shapes import CHOSEN, SHAPES, Files, python
from benchmarks.measure import header, progress, revision, table

_SIZES = (256_000, 512_000, 1_024_000)
_WORD = "velo"
_TRIES = 2
"""Runs of which the shorter one counts."""
_SUBREAPER = 36
"""The option of Linux's prctl that gives a process its grandchildren whose parents have ended, with their times."""
_SECONDS = "1800"


def main() -> str:
    """The table."""
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    names = [name for name in SHAPES if any(re.search(wanted, name) for wanted in sys.argv[2:])] or list(CHOSEN)
    floor = min(_seconds(python(_WORD, ""))[0] for _ in range(3))
    rows = []
    for name in names:
        shape, taken, is_right = SHAPES[name], [], True
        for size in _SIZES:
            files = shape.make(shape.number_of(size, _WORD), _WORD)
            tries = [_seconds(files) for _ in range(_TRIES)]
            taken.append(max(min(seconds for seconds, _ in tries) - floor, 0.01))
            is_right = is_right and all(answers for _, answers in tries)
        steps = [f"{after / before:.1f}" for before, after in pairwise(taken)]
        rows.append([name, *(f"{seconds:.2f}" for seconds in taken), *steps, "right" if is_right else "wrong"])
        progress(" | ".join(rows[-1]))
    return (
        header("What sources of one shape cost when they double", "bearings-mcp", "tree-sitter", rounds=_TRIES)
        + f"Of two runs the shorter one counts. Sources at {revision()}, {_build()}. Seconds of processor time of `scan` and `callers` from nothing, less "
        f"the {floor:.2f} s that both take for four lines.\n\n"
        + table(["shape", "256 kB", "512 kB", "1 MB", "step", "step", "answer"], rows)
    )


def _build() -> str:
    from bearings.code.resolve import members

    return "interpreted" if str(members.__file__).endswith(".py") else "compiled"


def _seconds(files: Files) -> tuple[float, bool]:
    """The processor time of two commands on a project with these files, and whether the answer is right."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "tree"
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        environment = {**os.environ, "XDG_CACHE_HOME": f"{folder}/cache", "CODEREF_TIMEOUT": _SECONDS}
        started = _spent()
        said = ""
        for arguments in (("scan", str(root), "--limit", "1"), ("callers", f"{_WORD}_end", "--project", str(root))):
            command = (sys.executable, "-m", "bearings", "code", *arguments)
            run = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
            said = run.stdout
        return _spent() - started, said.count(f"{_WORD}_end()") == 1


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
    print(main())
