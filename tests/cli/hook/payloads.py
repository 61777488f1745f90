"""Each client's payload for its hook, by its documentation: see the pages in clients/catalog.py."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Payload = dict[str, Any]


def claude_grep(cwd: Path, pattern: str, shown: str = "", **given: Any) -> Payload:
    """Claude Code's Grep tool, in its mode `content`."""
    return {
        "session_id": "abc123",
        "transcript_path": "/home/u/.claude/projects/x/abc123.jsonl",
        "cwd": str(cwd),
        "permission_mode": "default",
        "hook_event_name": "PostToolUse",
        "tool_name": "Grep",
        "tool_input": {"pattern": pattern, "output_mode": "content", "-n": True, **given},
        "tool_response": {"mode": "content", "numFiles": 0, "filenames": [], "content": shown, "numLines": 1},
        "tool_use_id": "toolu_01",
    }


def claude_files(cwd: Path, pattern: str, files: list[str]) -> Payload:
    """The same in its mode `files_with_matches`."""
    payload = claude_grep(cwd, pattern)
    payload["tool_input"] = {"pattern": pattern}
    payload["tool_response"] = {"mode": "files_with_matches", "numFiles": len(files), "filenames": files}
    return payload


def claude_bash(cwd: Path, command: str, shown: str = "") -> Payload:
    """Claude Code's Bash tool."""
    return {
        "session_id": "abc123",
        "transcript_path": "/home/u/.claude/projects/x/abc123.jsonl",
        "cwd": str(cwd),
        "permission_mode": "default",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command, "description": "Search"},
        "tool_response": {"stdout": shown, "stderr": "", "interrupted": False, "isImage": False},
        "tool_use_id": "toolu_01",
    }


def codex(cwd: Path, command: str, shown: str = "") -> Payload:
    """Codex's shell, which it calls Bash."""
    return {
        "session_id": "s",
        "turn_id": "t",
        "transcript_path": None,
        "cwd": str(cwd),
        "hook_event_name": "PostToolUse",
        "model": "m",
        "permission_mode": "default",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_response": shown,
        "tool_use_id": "call_1",
    }


def cursor(cwd: Path, command: str, shown: str = "") -> Payload:
    """Cursor's shell: the result is JSON in a string."""
    return {
        "conversation_id": "c",
        "generation_id": "g",
        "model": "m",
        "hook_event_name": "postToolUse",
        "cursor_version": "2.4.0",
        "workspace_roots": [str(cwd)],
        "user_email": None,
        "transcript_path": None,
        "tool_name": "Shell",
        "tool_input": {"command": command},
        "tool_output": json.dumps({"output": shown, "exitCode": 0}),
        "tool_use_id": "call_1\nctc_1",
        "duration": 12,
    }


def gemini(cwd: Path, command: str, shown: str = "") -> Payload:
    """Gemini CLI's shell."""
    return {
        "session_id": "s",
        "transcript_path": "/t.json",
        "cwd": str(cwd),
        "hook_event_name": "AfterTool",
        "timestamp": "2026-11-01T10:00:00Z",
        "tool_name": "run_shell_command",
        "tool_input": {"command": command},
        "tool_response": {"llmContent": shown, "returnDisplay": shown},
    }


def gemini_grep(cwd: Path, pattern: str, shown: str = "") -> Payload:
    """Gemini CLI's own grep."""
    payload = gemini(cwd, "", shown)
    return {**payload, "tool_name": "grep_search", "tool_input": {"pattern": pattern, "dir_path": "."}}


def copilot(cwd: Path, command: str, shown: str = "") -> Payload:
    """Copilot, asked for `PostToolUse`."""
    return {
        "hook_event_name": "PostToolUse",
        "session_id": "s",
        "timestamp": "2026-11-01T10:00:00Z",
        "cwd": str(cwd),
        "tool_name": "bash",
        "tool_input": json.dumps({"command": command}),
        "tool_result": {"result_type": "success", "text_result_for_llm": shown},
    }


def vscode(cwd: Path, command: str, shown: str = "") -> Payload:
    """VS Code's local harness."""
    return {
        "timestamp": "2026-11-01T10:00:00Z",
        "cwd": str(cwd),
        "sessionId": "s",
        "hookEventName": "PostToolUse",
        "transcript_path": "/t.json",
        "tool_name": "run_in_terminal",
        "tool_input": {"command": command, "isBackground": False},
        "tool_use_id": "tool-123",
        "tool_response": shown,
    }


SHELLS: list[tuple[str, Callable[..., Payload]]] = [
    ("claude-code", claude_bash),
    ("codex", codex),
    ("cursor", cursor),
    ("gemini", gemini),
    ("vscode", copilot),
    ("vscode", vscode),
]


def context(client: str, answer: Any, events: tuple[str, str] = ("AfterTool", "PostToolUse")) -> str:
    """The addition in an answer, in the client's format and no other."""
    if client == "cursor":
        assert set(answer) == {"additional_context"}
        return str(answer["additional_context"])
    inner = answer["hookSpecificOutput"]
    assert inner["hookEventName"] == events[client != "gemini"]
    assert set(answer) - {"hookSpecificOutput"} == ({"additionalContext"} if client == "vscode" else set())
    return str(inner["additionalContext"])


Replaced = tuple[str, str]


def claude_edit(cwd: Path, path: str, replaced: Replaced) -> Payload:
    """Claude Code's Edit tool."""
    return {
        "session_id": "abc123",
        "transcript_path": "/home/u/.claude/projects/x/abc123.jsonl",
        "cwd": str(cwd),
        "permission_mode": "acceptEdits",
        "hook_event_name": "PostToolUse",
        "tool_name": "Edit",
        "tool_input": {
            "file_path": str(cwd / path),
            "old_string": replaced[0],
            "new_string": replaced[1],
            "replace_all": False,
        },
        "tool_response": {"filePath": str(cwd / path), "success": True},
        "tool_use_id": "toolu_01",
    }


def claude_subagent(cwd: Path, path: str, replaced: Replaced) -> Payload:
    """The same inside a subagent."""
    return {**claude_edit(cwd, path, replaced), "agent_id": "a1", "agent_type": "general-purpose"}


def claude_multi(cwd: Path, path: str, replaced: Replaced) -> Payload:
    """Claude Code's MultiEdit tool; the second edit continues the first."""
    old, new = replaced
    edits = [{"old_string": old, "new_string": f"{new}  # x"}, {"old_string": f"{new}  # x", "new_string": new}]
    given = {"file_path": str(cwd / path), "edits": edits}
    return {**claude_edit(cwd, path, replaced), "tool_name": "MultiEdit", "tool_input": given}


def claude_write(cwd: Path, path: str, former: str | None) -> Payload:
    """Claude Code's Write tool, with the former text in its result if that is given."""
    response = {"filePath": str(cwd / path), "success": True} | ({} if former is None else {"originalFile": former})
    given = {"file_path": str(cwd / path), "content": (cwd / path).read_text("utf-8")}
    return {**claude_edit(cwd, path, ("", "")), "tool_name": "Write", "tool_input": given, "tool_response": response}


def cursor_edit(cwd: Path, path: str, replaced: Replaced) -> Payload:
    """Cursor's event of an edited file."""
    payload = cursor(cwd, "")
    edits = [{"old_string": replaced[0], "new_string": replaced[1]}]
    common = {key: payload[key] for key in ("conversation_id", "model", "cursor_version", "workspace_roots")}
    return {**common, "hook_event_name": "afterFileEdit", "file_path": str(cwd / path), "edits": edits}


def cursor_write(cwd: Path, path: str, replaced: Replaced) -> Payload:
    """Cursor's Write tool."""
    given = {"file_path": str(cwd / path), "old_string": replaced[0], "new_string": replaced[1]}
    return {**cursor(cwd, ""), "tool_name": "Write", "tool_input": given, "tool_output": "{}"}


def codex_patch(cwd: Path, path: str, replaced: Replaced) -> Payload:
    """Codex's apply_patch."""
    lines = [f"-{line}" for line in replaced[0].split("\n")] + [f"+{line}" for line in replaced[1].split("\n")]
    patch = "\n".join(("*** Begin Patch", f"*** Update File: {path}", "@@", *lines, "*** End Patch"))
    return {**codex(cwd, patch), "tool_name": "apply_patch", "tool_response": "Success."}


def gemini_replace(cwd: Path, path: str, replaced: Replaced) -> Payload:
    """Gemini CLI's replace."""
    given = {"file_path": path, "instruction": "x", "old_string": replaced[0], "new_string": replaced[1]}
    return {**gemini(cwd, ""), "tool_name": "replace", "tool_input": given}


def vscode_replace(cwd: Path, path: str, replaced: Replaced) -> Payload:
    """VS Code's replace_string_in_file."""
    given = {"filePath": str(cwd / path), "oldString": replaced[0], "newString": replaced[1]}
    return {**vscode(cwd, ""), "tool_name": "replace_string_in_file", "tool_input": given}


EDITORS: list[tuple[str, Callable[[Path, str, Replaced], Payload]]] = [
    ("claude-code", claude_edit),
    ("claude-code", claude_subagent),
    ("claude-code", claude_multi),
    ("cursor", cursor_edit),
    ("cursor", cursor_write),
    ("codex", codex_patch),
    ("gemini", gemini_replace),
    ("vscode", vscode_replace),
]
