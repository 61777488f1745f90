"""`bearings code ci` over real repositories, without what a real CI around the tests says."""

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bearings.cli.commands import bearings
from bearings.cli.wiring import WIRING
from tests.cli.in_process import code_wing
from tests.code.trees import SHOP, repository

TOLD = (
    "GITHUB_EVENT_PATH", "CI_MERGE_REQUEST_DIFF_BASE_SHA", "CI_COMMIT_BEFORE_SHA", "CHANGE_TARGET",
    "GIT_PREVIOUS_SUCCESSFUL_COMMIT", "CI_DEFAULT_BRANCH", "PRE_COMMIT_FROM_REF",
)  # fmt: skip

Code = Callable[..., Result]


@pytest.fixture
def code(monkeypatch: pytest.MonkeyPatch) -> Code:
    """Run `bearings code WORDS…` in this process."""
    for name in TOLD:
        monkeypatch.delenv(name, raising=False)
    wiring = replace(WIRING, code=code_wing)
    return lambda *words: CliRunner().invoke(bearings(), ["code", *map(str, words)], obj=wiring, prog_name="bearings")


@pytest.fixture
def shop(empty_place: Path) -> Path:
    """A committed project."""
    return repository(empty_place / "shop", SHOP)


def edit(root: Path, path: str, old: str, new: str) -> None:
    """Replace a text in a file, which must hold it."""
    text = (root / path).read_text()
    assert old in text
    (root / path).write_text(text.replace(old, new))


def name_of(root: Path, ref: str) -> str:
    """The full name of a commit."""
    line = ["git", "rev-parse", "--verify", ref]
    return subprocess.run(line, cwd=root, capture_output=True, text=True, check=True).stdout.strip()
