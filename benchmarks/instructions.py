"""Instructions of a first index, of our sources and of an earlier commit: where seconds differ more than versions do.

`python -m benchmarks.instructions COMMIT FOLDER…`, with valgrind. One process reads and resolves all files, without a
store; hashes have a fixed seed. What an almost empty project takes is the start, which is also told.
"""

import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measure import progress, revision, table

ROOT = Path(__file__).parents[1]
_INDEX = """
import sys
from pathlib import Path
from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.index.worker_pool import WorkerPool
Index(Path(sys.argv[1]), NoFacts(), 2_000_000, WorkerPool(0)).refresh()
"""
_VALGRIND = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--branch-sim=no", "--cachegrind-out-file=/dev/null")
_COUNT = re.compile(r"I +refs: +([\d,]+)")


def main(commit: str, folders: Sequence[Path]) -> str:
    """The table."""
    with tempfile.TemporaryDirectory() as temporary:
        before, start = Path(temporary) / "before", Path(temporary) / "start"
        _run("git", "-C", str(ROOT), "worktree", "add", "--quiet", "--detach", str(before), commit)
        try:
            start.mkdir()
            (start / "start.py").write_text("start = 1\n", encoding="utf-8")
            sources = before / "src", ROOT / "src"
            for source in sources:
                _run(sys.executable, str(source.parent / "packaging" / "native.py"), str(source))
            rows = [
                _row(name, folder, sources) for name, folder in [("the start", start), *((f.name, f) for f in folders)]
            ]
        finally:
            _run("git", "-C", str(ROOT), "worktree", "remove", "--force", str(before))
    return (
        f"# Instructions of a first index\n\nOur sources: {revision()}, beside {commit}, each with its C module; "
        f"Python {platform.python_version()}, {_version()}. Made by "
        "`python -m benchmarks.instructions COMMIT FOLDER…`: millions that valgrind counts in one process.\n\n"
        + table(["tree", "before", "now", "ratio"], rows)
    )


def _row(name: str, folder: Path, sources: Sequence[Path]) -> list[str]:
    progress(f"{name} …")
    before, now = (_instructions(source, folder) for source in sources)
    return [name, f"{before / 1e6:.0f}", f"{now / 1e6:.0f}", f"{now / before:.3f}"]


def _instructions(source: Path, folder: Path) -> int:
    environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONSAFEPATH": "1", "PYTHONHASHSEED": "0"}
    command = (sys.executable, "-c", _INDEX, str(folder.resolve()))
    subprocess.run(command, check=True, env=environment)
    counted = subprocess.run((*_VALGRIND, *command), check=True, env=environment, capture_output=True, text=True).stderr
    found = _COUNT.search(counted)
    if found is None:
        sys.exit(f"valgrind counted nothing: {counted[-300:]}")
    return int(found[1].replace(",", ""))


def _version() -> str:
    return subprocess.run(("valgrind", "--version"), check=True, capture_output=True, text=True).stdout.strip()


def _run(*command: str) -> None:
    subprocess.run(command, check=True)


if __name__ == "__main__":
    text = main(sys.argv[1], [Path(word) for word in sys.argv[2:]])
    print(text)
    (Path(__file__).parent / "results" / "instructions.md").write_text(text, encoding="utf-8")
