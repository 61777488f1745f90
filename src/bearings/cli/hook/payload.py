"""A client's JSON for a hook → the search and its result. No shape is trusted.

The clients' names for the result differ: `tool_response` (Claude Code, Codex, Gemini CLI, VS Code), `tool_result`
and `toolResult` (Copilot), `tool_output` with JSON in a string (Cursor).
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from bearings.cli.hook.shell import grep_in

MAX_BYTES = 4_000_000
"""The limit of a payload: clients cut results earlier."""

_SEARCHES = frozenset({"grep", "grep_search", "search_file_content", "rg", "ripgrep"})
_SHELLS = frozenset(
    {"bash", "shell", "run_shell_command", "run_in_terminal", "powershell", "local_shell", "exec_command"}
)
_RESULTS = ("tool_response", "tool_result", "toolResult", "tool_output")
_DEPTH = 6

# Lines of a result: `src/app.py:4:save()`, of one file `4:save()`, without numbers `src/app.py:save()`. A path on
# Windows begins with a drive, whose colon parts nothing.
_LINE = re.compile(r"^(?P<path>(?:[A-Za-z]:[\\/])?[^:\n]{1,400}?)[:](?P<line>\d{1,7})[:]", re.MULTILINE)
_NUMBERED = re.compile(r"^(?P<line>\d{1,7})[:]", re.MULTILINE)
_UNNUMBERED = re.compile(r"^(?P<path>[^:\s][^:\n]{0,400}\.\w{1,5})[:](?!\d+[:])", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Search:
    """A pattern, the searched directory, the given paths, and the result's text."""

    pattern: str
    folder: str
    paths: tuple[str, ...]
    literal: bool
    text: str

    def shown(self) -> "Shown":
        """The lines and files in the result."""
        alone = self.paths[0] if len(self.paths) == 1 else ""
        sites = {(match["path"], int(match["line"])) for match in _LINE.finditer(self.text)}
        if alone and not sites:
            sites = {(alone, int(match["line"])) for match in _NUMBERED.finditer(self.text)}
        whole = set() if sites else {match["path"] for match in _UNNUMBERED.finditer(self.text)}
        return Shown(frozenset(sites), frozenset(whole))


@dataclass(frozen=True, slots=True)
class Shown:
    """The result's lines by path and number; and files whose lines have no number."""

    sites: frozenset[tuple[str, int]]
    whole: frozenset[str]


def payload_of(data: bytes, client: str) -> Mapping[str, Any]:
    """A client's payload; empty for one that is not understood.

    Cursor and Copilot also run the hooks in Claude Code's settings: each `client` handles its own only, so that not
    both answer.
    """
    try:
        payload = msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return {}
    return {} if not isinstance(payload, dict) or (client != "cursor" and "cursor_version" in payload) else payload


def folder_of(payload: Mapping[str, Any], given: Mapping[str, Any]) -> str:
    """The directory in which a tool ran with the arguments `given`; "" for an unknown one."""
    return text_in(given, "cwd") or text_in(payload, "cwd") or _first(payload.get("workspace_roots"))


def search_of(payload: Mapping[str, Any]) -> Search | None:
    """A client's search; None for other payloads, and for those that are not understood."""
    tool = text_in(payload, "tool_name", "toolName").lower()
    given = mapping_in(payload, "tool_input", "toolArgs")
    folder = folder_of(payload, given)
    result = next((payload[name] for name in _RESULTS if name in payload), None)
    if tool in _SEARCHES:
        pattern = text_in(given, "pattern", "query")
        path = text_in(given, "path", "dir_path", "target_directory")
        literal = given.get("fixed_strings") is True or given.get("isRegexp") is False
        return Search(pattern, folder, (path,) if path else (), literal, _all_text(result)) if pattern else None
    command = given.get("command")
    if isinstance(command, list):
        command = command[-1] if command and isinstance(command[-1], str) else None
    if tool not in _SHELLS or not isinstance(command, str):
        return None
    grep = grep_in(command)
    if grep is None:
        return None
    where = text_in(given, "directory", "dir_path") or folder
    if grep.folder:
        where = os.path.join(where, os.path.expanduser(grep.folder))  # noqa: PTH111, PTH118 - text, not looked up
    return Search(grep.pattern, where, grep.paths, grep.literal, _all_text(result))


def text_in(values: Mapping[str, Any], *names: str) -> str:
    """The first of these values that is a string."""
    return next((value for name in names if isinstance(value := values.get(name), str)), "")


def mapping_in(values: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    """The first of these values that is an object, or the JSON of one."""
    for name in names:
        value = values.get(name)
        if isinstance(value, str):
            value = _decoded(value)
        if isinstance(value, dict):
            return value
    return {}


def _first(values: Any) -> str:
    return values[0] if isinstance(values, list) and values and isinstance(values[0], str) else ""


def _decoded(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError):
        return None


def _all_text(value: Any) -> str:
    return "\n".join(_strings(value, _DEPTH))


def _strings(value: Any, depth: int) -> Iterator[str]:
    """Every string in a value, also in JSON inside a string."""
    if isinstance(value, str):
        inner = _decoded(value) if value[:1] == "{" and depth else None
        if isinstance(inner, dict):
            yield from _strings(inner, depth - 1)
        else:
            yield value
    elif isinstance(value, dict | list) and depth:
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item, depth - 1)
