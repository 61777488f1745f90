"""The hooks of .pre-commit-hooks.yaml, run as pre-commit does: the entry's words and the names of staged files."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.cli.ci.conftest import TOLD, edit
from tests.cli.conftest import ROOT
from tests.code.trees import git, write

HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
ODD = ("$(touch pwned).md", 'it\'s "odd" [x].md', "-n.md", "docs/#a!b *.md")


def run(root: Path, hook: str, *files: str, **told: str) -> "subprocess.CompletedProcess[str]":
    """The hook over staged files. `bearings` is the script that pre-commit would install."""
    git(root, "add", "-A")
    first, *words = shlex.split(HOOKS[hook]["entry"])
    assert first == "bearings"
    names = files if HOOKS[hook].get("pass_filenames", True) else ()
    environment = {name: value for name, value in os.environ.items() if name not in TOLD}
    return subprocess.run(
        [sys.executable, "-m", "bearings", *words, *names],
        cwd=root, env={**environment, "PYTHONPATH": str(ROOT / "src"), **told}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def test_every_hook_is_installed_from_this_package():
    assert set(HOOKS) == {"bearings-validate", "bearings-changes"}
    assert {hook["language"] for hook in HOOKS.values()} == {"python"}
    assert 'bearings = "bearings.cli.main:main"' in (ROOT / "pyproject.toml").read_text()


@pytest.mark.slow
def test_references_of_staged_files_are_checked_whatever_their_names(shop: Path):
    write(shop, dict.fromkeys((*ODD, "other.md"), "@Fn/shop/prices.py#with_tac\n"))
    done = run(shop, "bearings-validate", "./" + ODD[2], *ODD[:2], ODD[3])
    assert (done.returncode, done.stderr) == (1, "")
    assert sorted(
        line.partition(":1:1 error @Fn/shop/prices.py#with_tac: ")[0] for line in done.stdout.splitlines()
    ) == (sorted(ODD))
    assert not (shop / "pwned").exists()
    assert run(shop, "bearings-validate", "shop/prices.py", "shop/basket.py").returncode == 0


@pytest.mark.slow
def test_many_files_are_read_at_once(shop: Path):
    names = [f"docs/{number}.md" for number in range(12)]
    write(shop, dict.fromkeys((*names, "other.md"), "@Fn/shop/prices.py#with_tac\n"))
    done = run(shop, "bearings-validate", *names[1:])
    assert (done.returncode, len(done.stdout.splitlines())) == (1, 11)


@pytest.mark.slow
def test_a_commit_that_forgets_a_caller_is_stopped(shop: Path):
    edit(shop, "shop/prices.py", "with_tax(amount)", "with_tax(amount, country)")
    write(shop, {"shop/new.py": "from shop.prices import with_tax\n\nNEW = with_tax(1, 2)\n"})
    done = run(shop, "bearings-changes", "shop/prices.py")
    assert (done.returncode, done.stdout) == (
        1, "shop/basket.py:11: with_tax: it needs a parameter country; this use was not adapted\n",
    )  # fmt: skip
    edit(shop, "shop/basket.py", "with_tax(price)", "with_tax(price, 1)")
    assert (run(shop, "bearings-changes", "shop/basket.py").returncode) == 0


@pytest.mark.slow
def test_commits_between_two_refs_are_checked_as_pre_commit_says(shop: Path):
    edit(shop, "shop/prices.py", "with_tax(amount)", "with_tax(amount, country)")
    git(shop, "commit", "-aqm", "next")
    assert run(shop, "bearings-changes").returncode == 0
    assert run(shop, "bearings-changes", PRE_COMMIT_FROM_REF="HEAD~1").returncode == 1
    assert run(shop, "bearings-changes", PRE_COMMIT_FROM_REF="nowhere").returncode == 2


@pytest.mark.slow
@pytest.mark.parametrize("hook", HOOKS)
def test_the_first_commit_of_a_repository_passes(empty_place: Path, hook: str):
    root = write(empty_place / "new", {"a.py": "def f():\n    pass\n"})
    git(root, "init", "-q")
    assert run(root, hook, "a.py").returncode == 0
