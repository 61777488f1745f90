"""Uninstalling takes the tables and lists that installing made, also from a file that the client has written since."""

import json
from pathlib import Path
from typing import Any

import pytest

from bearings.cli.clients import jsonc, toml
from tests.cli.conftest import Invoke

CLAUDE, CLAUDE_HOOKS = ".claude.json", ".claude/settings.json"


def rewritten(file: Path, **more: Any) -> None:
    """The file as a client writes it: in its own layout, with more content."""
    file.write_text(json.dumps({**json.loads(file.read_text()), **more}))


def test_tables_that_install_made_go_from_a_file_with_other_content(invoke: Invoke, home: Path):
    invoke("install", "claude-code", "--yes", "--no-nominatim", "--with-hooks")
    for name in (CLAUDE, CLAUDE_HOOKS):
        rewritten(home / name, numStartups=3)
    assert invoke("uninstall", "claude-code", "--yes").exit_code == 0
    for name in (CLAUDE, CLAUDE_HOOKS):
        assert json.loads((home / name).read_text()) == {"numStartups": 3}


def test_both_go_from_one_file_which_goes_too(invoke: Invoke, home: Path):
    invoke("install", "gemini", "--yes", "--no-nominatim", "--with-hooks")
    file = home / ".gemini/settings.json"
    rewritten(file)
    invoke("install", "gemini", "--yes", "--no-nominatim", "--with-hooks")
    assert invoke("uninstall", "gemini", "--yes").exit_code == 0
    assert not file.exists()


def test_a_table_that_was_there_before_stays(invoke: Invoke, home: Path):
    file = home / CLAUDE
    file.write_text('{"mcpServers": {}}')
    (home / ".claude").mkdir()
    (home / CLAUDE_HOOKS).write_text('{"hooks": {}}')
    invoke("install", "claude-code", "--yes", "--no-nominatim", "--with-hooks")
    for name in (CLAUDE, CLAUDE_HOOKS):
        rewritten(home / name, a=1)
    assert invoke("uninstall", "claude-code", "--yes").exit_code == 0
    assert json.loads(file.read_text()) == {"mcpServers": {}, "a": 1}
    assert json.loads((home / CLAUDE_HOOKS).read_text()) == {"hooks": {}, "a": 1}


def test_a_table_that_holds_more_stays(invoke: Invoke, home: Path):
    invoke("install", "claude-code", "--yes", "--no-nominatim")
    entries = json.loads((home / CLAUDE).read_text())["mcpServers"]
    rewritten(home / CLAUDE, mcpServers={**entries, "mine": {"command": "x"}})
    assert invoke("uninstall", "claude-code", "--yes").exit_code == 0
    assert json.loads((home / CLAUDE).read_text()) == {"mcpServers": {"mine": {"command": "x"}}}


def test_a_header_of_toml_goes_as_well(invoke: Invoke, home: Path):
    invoke("install", "codex", "--yes", "--no-nominatim")
    file = home / ".codex/config.toml"
    file.write_text(f'model = "best"\n\n[mcp_servers]\n\n{file.read_text()}')
    assert invoke("uninstall", "codex", "--yes").exit_code == 0
    assert toml.parse(file.read_text()) == {"model": "best"}


@pytest.mark.parametrize(
    ("text", "keys", "pruned"),
    [
        ('{"a": {"b": []}}', ("a", "b"), '{"a": {}}'),
        ('{"a": {}, "c": 1}', ("a",), '{"c": 1}'),
        ('{"a": {"b": [1]}}', ("a", "b"), '{"a": {"b": [1]}}'),
        ('{"a": {}}', ("a", "b"), '{"a": {}}'),
        ('{"a": 7}', ("a", "b"), '{"a": 7}'),
        ('{"a": 7}', ("a",), '{"a": 7}'),
        ('{"a": {/* mine */}}', ("a",), '{"a": {/* mine */}}'),
    ],
)
def test_an_empty_container_is_pruned(text: str, keys: tuple[str, ...], pruned: str):
    assert jsonc.pruned(text, keys, comments=True) == pruned


def test_a_table_of_toml_with_content_is_not_pruned():
    assert toml.pruned("[a]\nb = 1\n", "a") == "[a]\nb = 1\n"
    assert toml.pruned("\ufeff[a]\n", "a") == "\ufeff"
