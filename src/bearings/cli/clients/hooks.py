"""An entry in a client's list of hooks: `bearings hook CLIENT`, which runs after its grep."""

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
        mine = self._mine(text)
        return len(mine) == 1 and _commands(mine[0]) == [self.command]

    def bare(self, text: str) -> str:
        """As the base. An entry that also runs another command is not the program's."""
        items = self._items(text)
        rest = [item for item in items if not self._is_ours(item)]
        if len(rest) == len(items):
            return text
        after = jsonc.removed(text, self.keys, lambda _, item: self._is_ours(item), comments=self.comments)
        self._check(text, after, rest)
        return after

    def filled(self, text: str, before: str) -> str:
        """As the base."""
        old = self._mine(before)
        item = _with_command(old[-1], self.command) if old else self.point.entry(self.command)
        after = jsonc.inserted(text, self.keys, [item], self.point.head, comments=self.comments)
        self._check(text, after, [*self._items(text), item])
        return after

    def is_nothing(self, text: str) -> bool:
        """As the base: neither settings nor comments, except the head of a file that the program made."""
        if is_blank(text):
            return True
        try:
            parsed = jsonc.parse(text, comments=False)
        except Broken:
            return False
        hooks = parsed.get(KEY, {})
        emptied = isinstance(hooks, dict) and all(items == [] for items in hooks.values())
        rest = {key: value for key, value in parsed.items() if key != KEY}
        return emptied and (rest == {} or rest == self.point.head)

    def ours(self, text: str) -> list[str]:
        """As the base: the entry as JSON, but without the file's layout."""
        mine = self._mine(text)
        return json.dumps({self.point.event: mine}, indent=2, ensure_ascii=False).split("\n")[1:-1] if mine else []

    def _is_ours(self, item: Any) -> bool:
        commands = _commands(item)
        return bool(commands) and all(runs_hook(command, self.client) for command in commands)

    def _mine(self, text: str) -> list[Any]:
        """The program's entries, of this installation or another."""
        return [item for item in self._items(text) if self._is_ours(item)]

    def _items(self, text: str) -> list[Any]:
        hooks = self.parsed(text).get(KEY, {})
        items = hooks.get(self.point.event, []) if isinstance(hooks, dict) else None
        if not isinstance(items, list):
            raise WriteFailed(f"{KEY} holds no list of {self.point.event}", FIX)
        return items

    def _check(self, text: str, after: str, items: list[Any]) -> None:
        """Raise WriteFailed unless `after` differs in meaning by these items only; an empty list equals none."""
        wanted = self.parsed(text)
        hooks = {**wanted.get(KEY, {}), self.point.event: items}
        if {**self.point.head, **self.parsed(after)} != {**self.point.head, **wanted, KEY: hooks}:
            raise WriteFailed(f"{KEY} is written in a way that can't be changed safely", "Write it by hand.")


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
