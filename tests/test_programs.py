"""Programs are found by absolute entries of PATH, outside the project in question."""

import os
from pathlib import Path

import pytest

from bearings.programs import belongs_to, find_program, forget_relative_entries, search_path

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs are named with suffixes elsewhere")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository with a project in `packages/app`."""
    (tmp_path / "clone/.git").mkdir(parents=True)
    (tmp_path / "clone/packages/app").mkdir(parents=True)
    return tmp_path / "clone"


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def joined(*entries: Path | str) -> str:
    return os.pathsep.join(map(str, entries))


def test_the_first_on_path_is_found(clone: Path, tmp_path: Path) -> None:
    first, second = program(tmp_path / "one/tool"), program(tmp_path / "two/tool")
    assert find_program("tool", clone, joined(tmp_path / "none", tmp_path / "one", tmp_path / "two")) == str(first)
    first.chmod(0o644)
    assert find_program("tool", clone, joined(tmp_path / "one", tmp_path / "two")) == str(second)
    assert find_program("other", clone, joined(tmp_path / "one", tmp_path / "two")) is None


@pytest.mark.parametrize("entry", [".", "", "bin", "./bin", "../clone/bin", "~/bin"])
def test_an_entry_that_is_not_absolute_is_skipped(
    clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: str
) -> None:
    for place in (clone, clone / "bin", clone / "~/bin"):
        program(place / "tool")
    outside = program(tmp_path / "outside/tool")
    monkeypatch.chdir(clone)
    path = joined(entry, tmp_path / "outside")
    assert find_program("tool", None, path) == find_program("tool", clone, path) == str(outside)
    assert find_program("tool", None, entry) is None
    assert search_path(None, path) == str(tmp_path / "outside")
    monkeypatch.setenv("PATH", path)
    forget_relative_entries()
    assert os.environ["PATH"] == str(tmp_path / "outside")


@pytest.mark.parametrize("project", ["clone", "clone/packages/app", "link"])
@pytest.mark.parametrize("place", ["clone", "clone/node_modules/.bin", "link/bin", "to_bin", "clone/packages/app/bin"])
def test_an_absolute_entry_inside_the_project_or_its_repository_is_skipped(
    clone: Path, tmp_path: Path, project: str, place: str
) -> None:
    (tmp_path / "link").symlink_to(clone)
    (tmp_path / "to_bin").symlink_to(clone / "bin")
    (clone / "bin").mkdir()
    program(tmp_path / place / "tool")
    outside = program(tmp_path / "outside/tool")
    path = joined(tmp_path / place, tmp_path / "outside")
    assert find_program("tool", tmp_path / project, path) == str(outside)
    assert search_path(tmp_path / project, path) == str(tmp_path / "outside")
    assert find_program("tool", tmp_path, path) is None
    assert find_program("tool", None, path) == str(tmp_path / place / "tool")


def test_a_link_into_the_project_or_through_it_is_skipped(clone: Path, tmp_path: Path) -> None:
    inside, outside = program(clone / "tool"), program(tmp_path / "outside/real")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/into").symlink_to("../clone/tool")
    (clone / "way").symlink_to(outside)
    (tmp_path / "bin/through").symlink_to(clone / "way")
    (tmp_path / "bin/apart").symlink_to(outside)
    (tmp_path / "bin/round").symlink_to("round")
    path = str(tmp_path / "bin")
    assert find_program("into", clone, path) is find_program("through", clone, path) is None
    assert find_program("apart", clone, path) == str(tmp_path / "bin/apart")
    assert belongs_to(inside, clone)
    assert belongs_to(tmp_path / "bin/round", clone), "what leads nowhere is not trusted"
    assert not belongs_to(outside, clone)
    assert not belongs_to(inside, tmp_path / "nowhere")
    assert not belongs_to(inside, None)


def test_the_home_directory_is_no_repository(clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    mine = program(tmp_path / "bin/tool")
    assert belongs_to(mine, clone)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert not belongs_to(mine, clone)
    assert belongs_to(mine, tmp_path), "unless it is asked about itself"
