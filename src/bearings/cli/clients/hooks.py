"""An entry in a client's list of hooks: `bearings hook CLIENT`, which runs after its tools or at a prompt."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from bearings.cli.clients import jsonc
from bearings.cli.clients.catalog import Format, HookPoint
from bearings.cli.clients.documents import FIX, Settings
from bearings.cli.clients.jsonc import Broken, is_blank
from bearings.errors import WriteFailed

KEY = "hooks"


@dataclass(frozen=True, slots=True)
class Hooks(Settings):
    """A client's entry, by its documentation; `command` is for a shell, "" to remove the entry."""

    client: str
    point: HookPoint
    command: str = ""
    part: ClassVar[str] = KEY

    @property
    def format(self) -> Format:  # type: ignore[override]
        """The format of the client's file."""
        return self.point.format

    @property
    def keys(self) -> tuple[str, ...]:
        """As the base."""
        return (KEY, self.point.event)

    def is_current(self, text: str) -> bool:
        """Whether an entry runs this command, whatever else the user changed in it."""
        own_entries = self._own_entries(text)
        return len(own_entries) == 1 and _commands(own_entries[0]) == [self.command]

    def without_content(self, text: str) -> str:
        """As the base. An entry that also runs another command is not the program's."""
        entries = self._entries(text)
        rest = [item for item in entries if not self._is_ours(item)]
        if len(rest) == len(entries):
            return text
        after = jsonc.removed(text, self.keys, lambda _, item: self._is_ours(item), comments=self.comments)
        self._check(text, after, rest)
        return after

    def with_content(self, text: str, before: str) -> str:
        """As the base."""
        old = self._own_entries(before)
        item = _with_command(old[-1], self.command) if old else self.point.entry(self.command)
        after = jsonc.inserted(text, self.keys, [item], self.point.head, comments=self.comments)
        self._check(text, after, [*self._entries(text), item])
        return after

    def is_without_user_content(self, text: str) -> bool:
        """As the base: neither settings nor comments, except the head of a file that the program made."""
        if is_blank(text):
            return True
        try:
            parsed = jsonc.parse(text, comments=False)
        except Broken:
            return False
        hooks = parsed.get(KEY, {})
        has_no_hooks = isinstance(hooks, dict) and all(items == [] for items in hooks.values())
        rest = {key: value for key, value in parsed.items() if key != KEY}
        return has_no_hooks and (rest == {} or rest == self.point.head)

    def own_lines(self, text: str) -> list[str]:
        """As the base: the entry as JSON, but without the file's layout."""
        own_entries = self._own_entries(text)
        return (
            json.dumps({self.point.event: own_entries}, indent=2, ensure_ascii=False).split("\n")[1:-1]
            if own_entries
            else []
        )

    def _is_ours(self, item: Any) -> bool:
        commands = _commands(item)
        return bool(commands) and all(runs_hook(command, self.client) for command in commands)

    def _own_entries(self, text: str) -> list[Any]:
        """The program's entries, of this installation or another."""
        return [item for item in self._entries(text) if self._is_ours(item)]

    def _entries(self, text: str) -> list[Any]:
        hooks = self.parsed(text).get(KEY, {})
        entries = hooks.get(self.point.event, []) if isinstance(hooks, dict) else None
        if not isinstance(entries, list):
            raise WriteFailed(f"{KEY} holds no list of {self.point.event}", FIX)
        return entries

    def _check(self, text: str, after: str, entries: list[Any]) -> None:
        """Raise WriteFailed unless `after` differs in meaning by these items only; an empty list equals none."""
        expected = self.parsed(text)
        hooks = {**expected.get(KEY, {}), self.point.event: entries}
        if {**self.point.head, **self.parsed(after)} != {**self.point.head, **expected, KEY: hooks}:
            raise WriteFailed(f"{KEY} is written in a way that can't be changed safely", "Write it by hand.")


class PromptHooks(Hooks):
    """The same for prompts."""

    part: ClassVar[str] = "prompts"


def runs_hook(command: str, client: str) -> bool:
    """Whether a shell command is `bearings hook CLIENT`, of this installation or another."""
    return re.search(rf"(?:^|[\\/\s\"'])bearings(?:\.exe)?[\"']?\s+hook\s+{re.escape(client)}\s*$", command) is not None


def _commands(item: Any) -> list[str]:
    """The commands of an entry: its own, or those of its `hooks`. A command that is not a string counts as foreign."""
    if not isinstance(item, Mapping):
        return []
    inner = item.get(KEY)
    entries = inner if isinstance(inner, list) else [item]
    return [str(entry.get("command", "")) if isinstance(entry, Mapping) else "" for entry in entries]


def _with_command(item: Mapping[str, Any], command: str) -> dict[str, Any]:
    """An entry with another command, and otherwise as the user left it."""
    if "command" in item:
        return {**item, "command": command}
    return {**item, KEY: [{**entry, "command": command} for entry in item[KEY]]}
