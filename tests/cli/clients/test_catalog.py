"""The place of each client's file on each system; every client is documented."""

from pathlib import Path

import pytest

from bearings.cli.clients.catalog import Machine, clients
from tests.cli.clients.conftest import client

LINUX = Machine("linux", {}, Path("/home/u"))
MAC = Machine("darwin", {}, Path("/Users/u"))
WINDOWS = Machine("win32", {"APPDATA": "/Users/u/AppData/Roaming"}, Path("/Users/u"))

FILES = [
    ("claude-code", "/home/u/.claude.json", "/Users/u/.claude.json", "/Users/u/.claude.json"),
    (
        "claude-desktop",
        "/home/u/.config/Claude/claude_desktop_config.json",
        "/Users/u/Library/Application Support/Claude/claude_desktop_config.json",
        "/Users/u/AppData/Roaming/Claude/claude_desktop_config.json",
    ),
    ("cursor", "/home/u/.cursor/mcp.json", "/Users/u/.cursor/mcp.json", "/Users/u/.cursor/mcp.json"),
    (
        "vscode",
        "/home/u/.config/Code/User/mcp.json",
        "/Users/u/Library/Application Support/Code/User/mcp.json",
        "/Users/u/AppData/Roaming/Code/User/mcp.json",
    ),
    ("codex", "/home/u/.codex/config.toml", "/Users/u/.codex/config.toml", "/Users/u/.codex/config.toml"),
    ("gemini", "/home/u/.gemini/settings.json", "/Users/u/.gemini/settings.json", "/Users/u/.gemini/settings.json"),
]


@pytest.mark.parametrize(("name", "linux", "mac", "windows"), FILES)
def test_a_user_s_file_is_where_the_client_s_documentation_says(name: str, linux: str, mac: str, windows: str):
    found = [machine.path(client(name).user).as_posix() for machine in (LINUX, MAC, WINDOWS)]
    assert found == [linux, mac, windows]


def test_every_client_has_its_line():
    assert [row[0] for row in FILES] == [known.name for known in clients()]


@pytest.mark.parametrize(
    ("name", "variable", "file"),
    [
        ("claude-code", "CLAUDE_CONFIG_DIR", "/x/.claude.json"),
        ("codex", "CODEX_HOME", "/x/config.toml"),
        ("gemini", "GEMINI_CLI_HOME", "/x/.gemini/settings.json"),
        ("vscode", "XDG_CONFIG_HOME", "/x/Code/User/mcp.json"),
    ],
)
def test_a_directory_that_a_variable_names_is_used(name: str, variable: str, file: str):
    assert Machine("linux", {variable: "/x"}, LINUX.home).path(client(name).user).as_posix() == file


def test_skills_follow_the_client_s_home():
    moved = Machine("linux", {"CLAUDE_CONFIG_DIR": "/x"}, LINUX.home)
    skills = client("claude-code").user_skills
    assert skills is not None
    assert [machine.path(skills).as_posix() for machine in (LINUX, moved)] == ["/home/u/.claude/skills", "/x/skills"]


HOOKS = [
    ("claude-code", "/home/u/.claude/settings.json", ".claude/settings.json"),
    ("cursor", "/home/u/.cursor/hooks.json", ".cursor/hooks.json"),
    ("vscode", "/home/u/.copilot/hooks/bearings.json", ".github/hooks/bearings.json"),
    ("codex", "/home/u/.codex/hooks.json", ".codex/hooks.json"),
    ("gemini", "/home/u/.gemini/settings.json", ".gemini/settings.json"),
]


@pytest.mark.parametrize(("name", "user", "project"), HOOKS)
def test_hooks_are_where_the_client_s_documentation_says(name: str, user: str, project: str):
    hooks = client(name).hooks
    assert hooks is not None
    assert (LINUX.path(hooks.user).as_posix(), hooks.project) == (user, project)
    moved = {"CLAUDE_CONFIG_DIR": "/x", "CODEX_HOME": "/x", "COPILOT_HOME": "/x", "GEMINI_CLI_HOME": "/x"}
    assert Machine("linux", moved, LINUX.home).path(hooks.user).as_posix().startswith("/x/") == (name != "cursor")


def test_every_client_with_hooks_has_its_line():
    assert [row[0] for row in HOOKS] == [known.name for known in clients() if known.hooks is not None]
