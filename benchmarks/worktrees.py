"""Worktrees and branches of one repository: whole commands, as users run them, and the room of the cache.

    python -m benchmarks worktrees

A round asks who calls a name: in a tree that nothing has changed (warm), in a new worktree of it, after an edit of a
hundred files, after a switch to a branch that edits the same files, and after the switch back. Each timed command
follows one without a change, so that the snapshot of the command before is stored.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchmarks.code.commands import workplace
from benchmarks.code.contenders import a_definition, another
from benchmarks.code.corpora import PYTHON, TYPESCRIPT, Corpus, sources, tree
from benchmarks.measure import ROUNDS, header, progress, table

EDITED = 100
WORKTREES = 10

_BOTH = Corpus("TypeScript and Python", {**TYPESCRIPT.parts, "django": PYTHON.parts["."]})
CORPORA = ((PYTHON, "get_user_model"), (_BOTH, "get_user_model"))
"""Each tree, and a name of which its callers are asked for."""

_IDENTITY = ("-c", "user.name=benchmark", "-c", "user.email=benchmark@localhost", "-c", "gc.auto=0")

_ABOUT = (
    "Wall time of whole commands (`bearings code query NAME --type calls-me`), by the installation of the README. "
    f"*Edit*: a function is added to each of {EDITED} files. *Switch*: `git checkout` of a branch with the same edits, "
    f"not counted itself. Room: the cache with one tree, and with {WORKTREES} worktrees of it.\n\n"
)


def main() -> str:
    """The table."""
    about = header("Worktrees and branches", "bearings-mcp", command="python -m benchmarks worktrees")
    heads = [
        "tree", "first", "warm", "new worktree", "× warm", f"edit of {EDITED}", "switch", "× edit", "switch back",
        "× edit", "room", f"of {WORKTREES} worktrees", "× one",
    ]  # fmt: skip
    return about + _ABOUT + table(heads, [_row(corpus, name) for corpus, name in CORPORA])


def _row(corpus: Corpus, name: str) -> list[str]:
    root = tree(corpus)
    paths = [str(Path(path).relative_to(root)) for path, _ in sources(root)]
    edited = paths[:: len(paths) // EDITED][:EDITED]
    taken: dict[str, list[float]] = {}
    one = many = 0
    for number in range(ROUNDS):
        progress(f"{corpus.name}, round {number + 1} of {ROUNDS} …")
        with workplace(root) as copy, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache:
            one, many = _round(copy, Path(cache), edited, name, taken)
    first, warm, new, edit, switch, back = (
        statistics.median(taken[what]) for what in ("first", "warm", "new", "edit", "switch", "back")
    )
    return [
        f"{corpus.name}, {len(paths)} files", f"{first:.2f} s", f"{warm:.2f} s", f"{new:.2f} s", f"{new / warm:.2f}",
        f"{edit:.2f} s", f"{switch:.2f} s", f"{switch / edit:.2f}", f"{back:.2f} s", f"{back / edit:.2f}",
        f"{one / 1e6:.1f} MB", f"{many / 1e6:.1f} MB", f"{many / one:.2f}",
    ]  # fmt: skip


def _round(root: Path, cache: Path, edited: Sequence[str], name: str, taken: dict[str, list[float]]) -> tuple[int, int]:
    """Notes the times of one round; returns the bytes of the cache with one tree and with all worktrees."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}

    def ask(place: Path, what: str = "") -> None:
        seconds = _asked(place, environment, name)
        if what:
            taken.setdefault(what, []).append(seconds)

    def settled(place: Path) -> None:
        """The last state is stored: two commands that find no change."""
        ask(place)
        ask(place)

    ask(root, "first")
    settled(root)
    one = _bytes(cache)
    ask(root, "warm")
    for number in range(1, WORKTREES):
        place = root.parent / f"worktree{number}"
        _git(root, "worktree", "add", "-q", "--detach", str(place))
        ask(place, "new" if number == 1 else "")
        ask(place)
    many = _bytes(cache)
    _edit(root, edited, another)
    _git(root, "checkout", "-q", "-b", "branch")
    _git(root, *_IDENTITY, "commit", "-qam", "edit")
    _git(root, "checkout", "-q", "-")
    settled(root)
    _edit(root, edited, a_definition)
    ask(root, "edit")
    _git(root, "checkout", "-q", ".")
    settled(root)
    _git(root, "checkout", "-q", "branch")
    ask(root, "switch")
    settled(root)
    _git(root, "checkout", "-q", "-")
    ask(root, "back")
    return one, many


def _edit(root: Path, paths: Sequence[str], edit: Callable[[str, bytes], bytes]) -> None:
    for path in paths:
        file = root / path
        file.write_bytes(edit(path, file.read_bytes()))


def _asked(root: Path, environment: Mapping[str, str], name: str) -> float:
    command = (sys.executable, "-m", "bearings", "code", "query", name, "--type", "calls-me", "--depth", "1")
    started = time.perf_counter()
    subprocess.run(command, cwd=root, env=dict(environment), stdin=subprocess.DEVNULL, capture_output=True, check=True)
    return time.perf_counter() - started


def _git(root: Path, *arguments: str) -> None:
    subprocess.run(("git", *arguments), cwd=root, check=True, capture_output=True)


def _bytes(cache: Path) -> int:
    return sum(path.stat().st_size for path in cache.rglob("*") if path.is_file())
