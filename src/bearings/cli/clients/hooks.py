"""An entry in a client's list of hooks: `bearings hook CLIENT`, which runs after its grep."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bearings.cli.clients import jsonc
from bearings.cli.clients.catalog import Format, HookPoint
from bearings.cli.clients.jsonc import Broken, is_blank
from bearings.errors import WriteFailed

KEY = "hooks"
_BROKEN = "Fix it first; nothing was changed."


@dataclass(frozen=True, slots=True)
class Hooks:
    """A client's entry, by its documentation; `command` is for a shell, "" to remove the entry."""

    client: str
    point: HookPoint
    command: str = ""
    part: str = KEY

    def is_current(self, text: str) -> bool:
        """Whether an entry runs this command, whatever else the user changed in it."""
        mine = [item for item in self._items(text) if self._is_ours(item)]
        return len(mine) == 1 and _commands(mine[0]) == [self.command]

    def bare(self, text: str) -> str:
        """As the protocol. An entry that also runs another command is not the program's."""
        items = self._items(text)
        rest = [item for item in items if not self._is_ours(item)]
        if len(rest) == len(items):
            return text
        after = jsonc.dropped(text, self._keys, self._is_ours, comments=self._comments)
        self._check(text, after, rest)
        return after

    def filled(self, text: str, before: str) -> str:
        """As the protocol."""
        old = [item for item in self._items(before) if self._is_ours(item)]
        item = _with_command(old[-1], self.command) if old else self.point.entry(self.command)
        after = jsonc.appended(text, self._keys, item, self.point.head, comments=self._comments)
        self._check(text, after, [*self._items(text), item])
        return after

    def containers(self, text: str) -> tuple[str, ...]:
        """As the protocol."""
        hooks = self._parsed(text).get(KEY)
        inner = (f"{KEY}.{self.point.event}",) if isinstance(hooks, dict) and self.point.event in hooks else ()
        return () if hooks is None else (KEY, *inner)

    def pruned(self, text: str, made: Collection[str]) -> str:
        """As the protocol."""
        for keys in (self._keys, self._keys[:1]):
            if ".".join(keys) in made and not is_blank(text):
                text = jsonc.pruned(text, keys, comments=self._comments)
        return text

    def is_nothing(self, text: str) -> bool:
        """As the protocol: neither settings nor comments, except the head of a file that the program made."""
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
        """As the protocol: the entry as JSON, but without the file's layout."""
        mine = [item for item in self._items(text) if self._is_ours(item)]
        return json.dumps({self.point.event: mine}, indent=2, ensure_ascii=False).split("\n")[1:-1] if mine else []

    @property
    def _keys(self) -> Sequence[str]:
        return (KEY, self.point.event)

    @property
    def _comments(self) -> bool:
        return self.point.format is Format.JSONC

    def _is_ours(self, item: Any) -> bool:
        commands = _commands(item)
        return bool(commands) and all(runs_hook(command, self.client) for command in commands)

    def _parsed(self, text: str) -> dict[str, Any]:
        try:
            return {} if is_blank(text) else jsonc.parse(text, comments=self._comments)
        except Broken as error:
            raise WriteFailed(f"it is no {self.point.format}: {error}", _BROKEN) from None

    def _items(self, text: str) -> list[Any]:
        hooks = self._parsed(text).get(KEY, {})
        items = hooks.get(self.point.event, []) if isinstance(hooks, dict) else None
        if not isinstance(items, list):
            raise WriteFailed(f"{KEY} holds no list of {self.point.event}", _BROKEN)
        return items

    def _check(self, text: str, after: str, items: list[Any]) -> None:
        """Raise WriteFailed unless `after` differs in meaning by these items only; an empty list equals none."""
        wanted = self._parsed(text)
        hooks = {**wanted.get(KEY, {}), self.point.event: items}
        if {**self.point.head, **self._parsed(after)} != {**self.point.head, **wanted, KEY: hooks}:
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
