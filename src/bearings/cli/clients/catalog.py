"""The clients: the place of their configuration on each system, and its format, with sources.

The table follows these pages, as of October and November 2026:

    claude-code     https://code.claude.com/docs/en/mcp, https://code.claude.com/docs/en/skills
    claude-desktop  https://modelcontextprotocol.io/docs/develop/connect-local-servers (macOS, Windows; on Linux, which
                    it does not name, Electron puts an application's data below the configuration directory)
    cursor          https://cursor.com/docs/mcp, https://cursor.com/docs/context/skills
    vscode          https://code.visualstudio.com/docs/agents/reference/mcp-configuration,
                    https://code.visualstudio.com/docs/agent-customization/agent-skills
    codex           https://developers.openai.com/codex/mcp, https://developers.openai.com/codex/skills
    gemini          https://geminicli.com/docs/tools/mcp-server, https://geminicli.com/docs/cli/using-agent-skills

Hooks that run after a tool and may add to the text that the model reads:

    claude-code     https://code.claude.com/docs/en/hooks (PostToolUse; timeout in seconds)
    claude-desktop  none
    cursor          https://cursor.com/docs/hooks (postToolUse; timeout in seconds, `version` is required)
    vscode          https://docs.github.com/en/copilot/reference/hooks-reference,
                    https://code.visualstudio.com/docs/agents/reference/hooks-reference (PostToolUse; files of a folder;
                    the local harness passes over matchers)
    codex           https://developers.openai.com/codex/hooks (PostToolUse; new ones are reviewed by /hooks)
    gemini          https://geminicli.com/docs/hooks/reference (AfterTool; timeout in milliseconds)
"""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Machine:
    """The facts that locate a user's files: the system as `sys.platform` names it, variables, the home directory."""

    system: str
    environ: Mapping[str, str]
    home: Path

    @classmethod
    def here(cls) -> "Machine":
        """This machine."""
        return cls(sys.platform, os.environ, Path.home())

    def settings(self) -> Path:
        """The directory for desktop applications' settings."""
        if self.system == "win32":
            return self.named("APPDATA", self.home / "AppData" / "Roaming")
        if self.system == "darwin":
            return self.home / "Library" / "Application Support"
        return self.named("XDG_CONFIG_HOME", self.home / ".config")

    def named(self, variable: str, default: Path) -> Path:
        """The directory that a variable names; the default if it is not set."""
        return Path(self.environ.get(variable, "").strip() or default)


class Format(StrEnum):
    """The format of a file."""

    JSON = "JSON"
    JSONC = "JSON with comments"
    TOML = "TOML"


@dataclass(frozen=True, slots=True)
class HookPoint:
    """A client's configuration for commands to run after its tools: the list `event` of the table `hooks`.

    `entry` makes an item of that list around a shell command. `head` is the beginning of a new file, `note` is for the
    user.
    """

    user: Callable[[Machine], Path]
    project: str
    format: Format
    event: str
    entry: Callable[[str], dict[str, Any]]
    head: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""


_PATIENCE_S = 5
"""Seconds. The hook itself gives up long before; this covers a machine that is slow to start it."""


def _flat(matcher: str) -> Callable[[str], dict[str, Any]]:
    return lambda command: {"type": "command", "command": command, "matcher": matcher, "timeout": _PATIENCE_S}


def _grouped(matcher: str, timeout: int = _PATIENCE_S) -> Callable[[str], dict[str, Any]]:
    return lambda command: {
        "matcher": matcher,
        "hooks": [{"type": "command", "command": command, "timeout": timeout}],
    }


@dataclass(frozen=True, slots=True)
class Client:
    """A program that starts MCP servers.

    `key` is the name of the table of servers; `typed`: an entry has `"type": "stdio"`. Files of a project are relative
    to its directory; None: the client has no such file. `paragraph` tells a user about AGENTS.md.
    """

    name: str
    title: str
    key: str
    format: Format
    typed: bool
    user: Callable[[Machine], Path]
    project: str | None
    user_skills: Callable[[Machine], Path] | None
    project_skills: str | None
    after: str
    paragraph: str = ""
    hooks: HookPoint | None = None


def _claude(machine: Machine, default: Path) -> Path:
    return machine.named("CLAUDE_CONFIG_DIR", default)


CLIENTS = (
    Client(
        "claude-code",
        "Claude Code",
        key="mcpServers",
        format=Format.JSON,
        typed=True,
        user=lambda machine: _claude(machine, machine.home) / ".claude.json",
        project=".mcp.json",
        user_skills=lambda machine: _claude(machine, machine.home / ".claude") / "skills",
        project_skills=".claude/skills",
        after="Start a new session; /mcp lists the servers.",
        paragraph="Claude Code reads CLAUDE.md: put the line @AGENTS.md into it.",
        hooks=HookPoint(
            user=lambda machine: _claude(machine, machine.home / ".claude") / "settings.json",
            project=".claude/settings.json",
            format=Format.JSON,
            event="PostToolUse",
            entry=_grouped("Grep|Bash"),
        ),
    ),
    Client(
        "claude-desktop",
        "Claude Desktop",
        key="mcpServers",
        format=Format.JSON,
        typed=False,
        user=lambda machine: machine.settings() / "Claude" / "claude_desktop_config.json",
        project=None,
        user_skills=None,
        project_skills=None,
        after="Quit Claude Desktop and start it again.",
    ),
    Client(
        "cursor",
        "Cursor",
        key="mcpServers",
        format=Format.JSONC,
        typed=True,
        user=lambda machine: machine.home / ".cursor" / "mcp.json",
        project=".cursor/mcp.json",
        user_skills=lambda machine: machine.home / ".cursor" / "skills",
        project_skills=".cursor/skills",
        after="Start Cursor again; Customize lists the servers.",
        hooks=HookPoint(
            user=lambda machine: machine.home / ".cursor" / "hooks.json",
            project=".cursor/hooks.json",
            format=Format.JSONC,
            event="postToolUse",
            entry=_flat("Grep|Shell"),
            head={"version": 1},
        ),
    ),
    Client(
        "vscode",
        "VS Code",
        key="servers",
        format=Format.JSONC,
        typed=True,
        user=lambda machine: machine.settings() / "Code" / "User" / "mcp.json",
        project=".vscode/mcp.json",
        user_skills=lambda machine: machine.home / ".copilot" / "skills",
        project_skills=".github/skills",
        after='VS Code takes it at once; "MCP: List Servers" shows them. Other profiles have files of their own.',
        hooks=HookPoint(
            user=lambda machine: machine.named("COPILOT_HOME", machine.home / ".copilot") / "hooks" / "bearings.json",
            project=".github/hooks/bearings.json",
            format=Format.JSON,
            event="PostToolUse",
            entry=_flat("Grep|Bash|grep|rg|bash|powershell"),
            head={"version": 1},
            note="Sessions of the local harness run the hook after every tool; it is silent after all but searches.",
        ),
    ),
    Client(
        "codex",
        "Codex",
        key="mcp_servers",
        format=Format.TOML,
        typed=False,
        user=lambda machine: machine.named("CODEX_HOME", machine.home / ".codex") / "config.toml",
        project=".codex/config.toml",
        user_skills=lambda machine: machine.home / ".agents" / "skills",
        project_skills=".agents/skills",
        after="Start a new session; /mcp lists the servers. A project's file is read once the project is trusted.",
        hooks=HookPoint(
            user=lambda machine: machine.named("CODEX_HOME", machine.home / ".codex") / "hooks.json",
            project=".codex/hooks.json",
            format=Format.JSON,
            event="PostToolUse",
            entry=_grouped("Bash"),
            note="Codex runs a new hook once you have reviewed it: /hooks.",
        ),
    ),
    Client(
        "gemini",
        "Gemini CLI",
        key="mcpServers",
        format=Format.JSONC,
        typed=False,
        user=lambda machine: machine.named("GEMINI_CLI_HOME", machine.home) / ".gemini" / "settings.json",
        project=".gemini/settings.json",
        user_skills=lambda machine: machine.named("GEMINI_CLI_HOME", machine.home) / ".gemini" / "skills",
        project_skills=".gemini/skills",
        after="Start a new session; /mcp lists the servers.",
        paragraph='Gemini CLI reads AGENTS.md where its settings name it: "context": {"fileName": ["AGENTS.md"]}.',
        hooks=HookPoint(
            user=lambda machine: machine.named("GEMINI_CLI_HOME", machine.home) / ".gemini" / "settings.json",
            project=".gemini/settings.json",
            format=Format.JSONC,
            event="AfterTool",
            entry=_grouped("grep_search|search_file_content|run_shell_command", _PATIENCE_S * 1000),
        ),
    ),
)
