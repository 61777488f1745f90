"""How two commits differ, and where their histories part, beside what git itself says."""

import random
import subprocess
from pathlib import Path

import pytest

from bearings.code.project.git.history import History
from bearings.errors import InvalidInput
from tests.code.git.commits import COMMITS, history
from tests.code.git.raw_objects import commit, put, tree
from tests.code.trees import repository

MAX = 1_000_000


def by_git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True).stdout.decode(
        "utf-8", "surrogateescape"
    )


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return history(tmp_path_factory.mktemp("two").resolve() / "project")


@pytest.mark.parametrize("seed", range(6))
def test_the_files_that_differ_are_those_that_git_names(root, seed):
    draw = random.Random(seed)
    one, other = draw.sample(range(1, COMMITS + 1), 2)
    found = History(root)
    changes = found.between(found.commit(f"c{one}"), found.commit(f"c{other}"), MAX).changes
    raw = by_git(
        root, "-c", "core.quotePath=false", "diff", "--no-renames", "--raw", "-z", f"c{one}", f"c{other}"
    ).split("\0")
    entries = [(head.split(), path) for head, path in zip(raw[::2], raw[1::2], strict=False) if head]
    named = {path for head, path in entries if head[2] != head[3] and "160000" not in (head[0][1:], head[1])}
    assert {path for change in changes for path in (change.old, change.new) if path} == named


def test_a_renamed_file_is_one_change(root):
    found = History(root)
    changes = found.between(found.commit("c2"), found.commit("c3"), MAX).changes
    assert ("shop/prices.py", "shop/money.py") in {(one.old, one.new) for one in changes}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_the_common_ancestor_is_one_that_git_calls_best(tmp_path, seed):
    root = repository(tmp_path.resolve() / "project", {"a.py": "a = 1\n"})
    draw = random.Random(seed)
    top = tree(root, [("100644", b"a.py", put(root, "blob", b"a = 1\n"))])
    commits: list[str] = []
    for number in range(60):
        parents = draw.sample(commits[-8:], min(len(commits[-8:]), draw.choice((0, 1, 1, 1, 2, 3)))) if number else []
        commits.append(commit(root, top, parents, f"commit {number}", time=1_700_000_000 + number))
    found = History(root)
    for _ in range(25):
        one, other = draw.sample(commits, 2)
        listed = subprocess.run(
            ["git", "merge-base", "--all", one, other], cwd=root, capture_output=True, text=True, check=False
        )
        best = listed.stdout.split()
        if best:
            assert found.merge_base(one, other) in best
        else:
            with pytest.raises(InvalidInput, match="no common ancestor"):
                found.merge_base(one, other)
