"""Which project a line is about is told before its options are known, or not at all."""

from pathlib import Path

import pytest

from bearings.cli.code import SPELLINGS
from bearings.cli.toolcommand import likely_project


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
