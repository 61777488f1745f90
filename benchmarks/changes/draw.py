"""Draws commits to judge: `python -m benchmarks.changes.draw [--seed N] FOLDER…`.

From each repository one commit of any kind, and one whose removed lines hold a declaration that others may use. Each
has one parent, changes 1–12 source files, one of them no test, and at most 400 lines of them. `--skip N` leaves out
the first N of each kind, where one that was drawn turned out to be no change of a declaration.
"""

import argparse
import random
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from bearings.code.languages import language_of
from bearings.code.languages.shared.test_paths import is_test
from benchmarks.commits import git

SEED = 31
_MOST_FILES = 12
_MOST_LINES = 400
_DECLARATION = re.compile(
    r"^-(?!--)\s*(?:export\s|(?:async\s+)?def\s+[a-z]|class\s+[A-Z]|func\s+(?:\([^)]*\)\s*)?[A-Z]|type\s+[A-Z]"
    r"|exports\.|module\.exports|\w+\.prototype\.|(?:app|res|req|proto)\.\w+\s*=\s*function)",
    re.MULTILINE,
)


class Drawn(NamedTuple):
    """A commit, and whether it was drawn for a changed declaration."""

    repository: str
    commit: str
    of_declaration: bool


def drawn(folder: Path, seed: int, skip: int) -> Iterator[Drawn]:
    """Two commits of a repository."""
    commits = sorted(_eligible(folder))
    random.Random(f"{seed}:{folder.name}").shuffle(commits)
    declaring = (one for one in commits if _DECLARATION.search(_sources(folder, one)))
    yield Drawn(folder.name, commits[skip], of_declaration=False)
    others = (one for one in declaring if one != commits[0])
    yield Drawn(folder.name, next(islice(others, skip, None)), of_declaration=True)


def _eligible(folder: Path) -> Iterator[str]:
    log = git(
        folder, "log", "--no-merges", "--min-parents=1", "--no-renames", "--numstat", "--format=commit %H", "HEAD"
    )
    for entry in log.split("commit ")[1:]:
        commit, *rows = entry.strip().split("\n")
        changed = [row.split("\t") for row in rows if row.count("\t") == 2]
        sources = {path: (added, gone) for added, gone, path in changed if language_of(path)}
        lines = sum(int(count) for both in sources.values() for count in both if count.isdigit())
        is_small = 1 <= len(sources) <= _MOST_FILES and lines <= _MOST_LINES
        if is_small and not all(map(is_test, sources)):
            yield commit


def _sources(folder: Path, commit: str) -> str:
    """The commit's changes of sources that are no tests."""
    paths = git(folder, "diff", "--name-only", "--no-renames", f"{commit}~1", commit).split("\n")
    wanted = [path for path in paths if language_of(path) and not is_test(path)]
    return git(folder, "diff", "-U0", f"{commit}~1", commit, "--", *wanted) if wanted else ""


def main() -> None:
    """Print the drawn commits."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--skip", type=int, default=0)
    given = parser.parse_args()
    for folder in given.folders:
        for one in drawn(folder.resolve(), given.seed, given.skip):
            print(one.repository, one.commit, "declaration" if one.of_declaration else "any")


if __name__ == "__main__":
    main()
