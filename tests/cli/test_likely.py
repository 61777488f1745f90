"""A line's project is guessed before its options are known, or not at all."""

import os
import sys
from pathlib import Path

import pytest

from bearings.cli.code_spellings import SPELLINGS
from bearings.cli.likely import likely_hello, likely_project
from bearings.cli.values import absolute
from bearings.code.engine.wire import Hello
from bearings.code.settings import CodeSettings
from bearings.errors import InvalidInput


@pytest.mark.parametrize(
    ("line", "project"),
    [
        ("scan", "."),
        ("scan --limit 1", "."),
        ("scan src", "src"),
        ("scan --lang ts,tsx src --json", "src"),
        ("scan --path src", None),
        ("scan --json src", None),
        ("scan nowhere", "."),
        ("scan --no-ast", None),
        ("scan --help", None),
        ("scan src --at v1.2", None),
        ("changes --head v1.2", None),
        ("query src --type calls-me", "."),
        ("query query --project src", "src"),
        ("query f --project=src", None),
        ("query f --project link", "src"),
        ("export -s src", "src"),
        ("export -ssrc", None),
        ("tag src", None),
    ],
)
def test_the_project_of_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, project: str | None) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "link").symlink_to("src")
    monkeypatch.chdir(tmp_path)
    words = line.split()
    found = likely_project(words[0], SPELLINGS[words[0]], ["bearings", "code", *words])
    assert found == (None if project is None else tmp_path.resolve() / project)


def found_in(line: str) -> Path | None:
    words = line.split()
    return likely_project(words[0], SPELLINGS[words[0]], ["bearings", "code", *words])


def test_an_odd_word_is_no_matter_of_a_guess(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert found_in("query f --project ~nobody-of-that-name/x") is None
    assert found_in(f"scan --exclude {'x,' * 300}") == tmp_path.resolve()
    assert found_in("query f --project \0") is None


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux takes any bytes for a name")
def test_a_folder_whose_name_is_no_text_is_not_guessed_and_one_that_is_gone_neither(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = tmp_path / os.fsdecode(b"n\xff")
    odd.mkdir()
    monkeypatch.chdir(odd)
    assert found_in("scan") is None
    odd.rmdir()
    assert found_in("scan") is None


def test_a_path_that_leads_nowhere_is_bad_usage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidInput, match="home directory that does not exist"):
        absolute("project_path", "~nobody-of-that-name/x")
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    assert absolute("project_path", "x") == str(Path.cwd() / "x")
    (tmp_path / "gone").rmdir()
    if sys.platform == "linux":
        with pytest.raises(InvalidInput, match="directory that no longer exists"):
            absolute("project_path", "x")
    assert absolute("project_path", str(tmp_path)) == str(tmp_path)


def test_a_worker_is_told_the_default_settings_early_unless_one_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    def told() -> Hello | None:
        return likely_hello("scan", SPELLINGS["scan"], ["scan"])

    settings = CodeSettings()
    assert told() == Hello(str(Path.cwd().resolve()), str(settings.cache_path()), settings.max_file_bytes)
    assert likely_hello("tag", SPELLINGS["tag"], ["tag", "x"]) is None
    monkeypatch.setenv("coderef_engine", "cli")
    assert told() is None
    monkeypatch.delenv("coderef_engine")
    monkeypatch.setenv("bearings_env_file", "mine")
    assert told() is None
    monkeypatch.delenv("bearings_env_file")
    Path(".env").touch()
    assert told() is None
