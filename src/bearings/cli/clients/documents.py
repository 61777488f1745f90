"""The content to write into a client's file, and how to find it again: servers, a skill, a paragraph.

A document handles text, not files. It removes the program's content from a text (`without_content`) and puts it into a
text (`with_content`):

    {"mcpServers": {}}   <->   {"mcpServers": {"bearings-places": {...}, "bearings-code": {...}}}

Both methods raise WriteFailed if they can't change a text without touching other content. Every edit is checked: the
rest of the text keeps its meaning.
"""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from bearings.cli.clients import jsonc, toml
from bearings.cli.clients.catalog import Format
from bearings.cli.clients.jsonc import Broken, is_blank
from bearings.cli.clients.launch import SERVERS, starts
from bearings.errors import WriteFailed

CONSENT = "NOMINATIM_EMAIL"
"""The variable whose value is consent to ask the public Nominatim."""


FIX = "Fix it first; nothing was changed."
"""The remedy for a file that can't be read."""

_LONGEST_ENTRY = 10_000
"""Characters of an entry; tomlkit takes quadratic time to write longer ones again."""


class Document(ABC):
    """The content of an installation in one file. `part` names it, if a file holds two of them."""

    part: ClassVar[str] = ""

    @abstractmethod
    def is_current(self, text: str) -> bool:
        """Whether the content is already there, exactly as it would be written."""

    @abstractmethod
    def without_content(self, text: str) -> str:
        """`text` without the program's content."""

    @abstractmethod
    def with_content(self, text: str, before: str) -> str:
        """`text`, which is without the program's content, with it; the user's additions to it in `before` stay."""

    @abstractmethod
    def own_lines(self, text: str) -> list[str]:
        """The program's lines in `text`, for display."""

    def containers(self, text: str) -> tuple[str, ...]:  # noqa: ARG002 - most have none
        """The tables and lists around the content that `text` has, such as `hooks.PostToolUse`, outermost first."""
        return ()

    def pruned(self, text: str, made: Collection[str]) -> str:  # noqa: ARG002 - most have none
        """`text`, which is without the program's content, without the containers in `made` that are empty."""
        return text

    def is_without_user_content(self, text: str) -> bool:
        """Whether a text without the program's content holds nothing that a user wrote."""
        return is_blank(text)


class Settings(Document):
    """Content inside a client's configuration: at `keys`, in the file's format."""

    format: Format

    @property
    @abstractmethod
    def keys(self) -> tuple[str, ...]:
        """The keys of the tables around the content, from the outermost; the last one may lead to a list."""

    def containers(self, text: str) -> tuple[str, ...]:
        """As the base."""
        value: Any = self.parsed(text)
        names: list[str] = []
        for key in self.keys:
            if not isinstance(value, Mapping) or key not in value:
                break
            value = value[key]
            names.append(".".join((*names[-1:], key)))
        return tuple(names)

    def pruned(self, text: str, made: Collection[str]) -> str:
        """As the base."""
        for depth in range(len(self.keys), 0, -1):
            if ".".join(self.keys[:depth]) not in made or is_blank(text):
                continue
            if self.format is Format.TOML:
                text = toml.pruned(text, self.keys[0])
            else:
                text = jsonc.pruned(text, self.keys[:depth], comments=self.comments)
        return text

    @property
    def comments(self) -> bool:
        """Whether the file may hold comments, as JSON."""
        return self.format is Format.JSONC

    def parsed(self, text: str) -> Mapping[str, Any]:
        """The meaning of a text. Raises WriteFailed."""
        try:
            if self.format is Format.TOML:
                return toml.parse(text)
            return {} if is_blank(text) else jsonc.parse(text, comments=self.comments)
        except Broken as error:
            raise WriteFailed(f"it is no {self.format}: {error}", FIX) from None


@dataclass(frozen=True, slots=True)
class Servers(Settings):
    """Entries of servers in the table `key` of a client's configuration.

    `consent` changes the variable for the public Nominatim: an address sets it, "" removes it, None leaves it.
    """

    format: Format
    key: str
    entries: Mapping[str, Mapping[str, Any]]
    consent: str | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """As the base."""
        return (self.key,)

    def is_current(self, text: str) -> bool:
        """As the base."""
        existing = self._table(text)
        return all(existing.get(name) == self._new_entry(name, existing.get(name)) for name in self.entries)

    def without_content(self, text: str) -> str:
        """As the base. An entry of the same name that starts another program is not the program's."""
        table = self._table(text)
        names = {name for name in SERVERS if starts(table.get(name), name)}
        if not names:
            return text
        if self.format is Format.TOML:
            after = toml.removed(text, self.key, names)
        else:
            after = jsonc.removed(text, self.keys, lambda name, _: name in names, comments=self.comments)
        rest = {name: entry for name, entry in table.items() if name not in names}
        self._check(after, {**self.parsed(text), self.key: rest})
        return after

    def with_content(self, text: str, before: str) -> str:
        """As the base."""
        existing, old = self._table(text), self._table(before)
        for name in self.entries:
            if name in existing:
                problem = f"{name} is in {self.key} already, and starts something else"
                raise WriteFailed(problem, "Remove or rename that entry first.")
        entries = {name: self._new_entry(name, old.get(name)) for name in self.entries}
        if self.format is Format.TOML:
            after = toml.inserted(text, self.key, entries)
        else:
            after = jsonc.inserted(text, self.keys, entries, comments=self.comments)
        self._check(after, {**self.parsed(text), self.key: {**existing, **entries}})
        return after

    def is_without_user_content(self, text: str) -> bool:
        """As the base: neither settings nor comments."""
        return is_blank(text) or re.sub(r"\s", "", text) in ("{}", f'{{"{self.key}":{{}}}}')

    def own_lines(self, text: str) -> list[str]:
        """As the base: the entries in the file's format, but without its layout."""
        table = self._table(text)
        entries = {name: table[name] for name in SERVERS if starts(table.get(name), name)}
        if self.format is Format.TOML:
            return toml.inserted("", self.key, entries).splitlines() if entries else []
        return json.dumps(entries, indent=2, ensure_ascii=False).split("\n")[1:-1]

    def duplicates(self, text: str) -> list[str]:
        """Other entries that start the same servers: a client would have the same tools twice."""
        return [
            f"{name} starts {server} too"
            for name, entry in self._table(text).items()
            for server in self.entries
            if name != server and starts(entry, server)
        ]

    def has_places_server(self, text: str) -> bool:
        """Whether the places server is in `text`, so that its user has been asked about the public Nominatim."""
        return starts(self._table(text).get("bearings-places"), "bearings-places")

    def _new_entry(self, name: str, old: Any) -> dict[str, Any]:
        """The entry, with the user's additions in `old`."""
        entry_before = old if starts(old, name) else {}
        variables = _variables(entry_before)
        if name == "bearings-places" and self.consent is not None:
            variables = {key: value for key, value in variables.items() if key != CONSENT}
            if self.consent:
                variables[CONSENT] = self.consent
        entry = {**self.entries[name], **({"env": variables} if variables else {})}
        return {**entry, **{field: value for field, value in entry_before.items() if field not in {*entry, "env"}}}

    def _table(self, text: str) -> dict[str, Any]:
        table = self.parsed(text).get(self.key, {})
        if not isinstance(table, dict):
            raise WriteFailed(f"{self.key} is no table of servers", FIX)
        if any(len(repr(table.get(name))) > _LONGEST_ENTRY for name in SERVERS):
            raise WriteFailed(f"{self.key} has a very long entry of ours", "Remove that entry; nothing was changed.")
        return table

    def _check(self, after: str, expected: dict[str, Any]) -> None:
        """Raise WriteFailed unless `after` has the wanted meaning; an empty table equals none."""
        try:
            parsed_after = self.parsed(after)
        except WriteFailed:
            parsed_after = None
        if parsed_after is None or {**parsed_after, self.key: parsed_after.get(self.key, {})} != expected:
            raise WriteFailed(
                f"{self.key} is written in a way that can't be changed safely", "Write a table for each server."
            )


def _variables(entry: Any) -> dict[str, Any]:
    variables = entry.get("env")
    return dict(variables) if isinstance(variables, dict) else {}


@dataclass(frozen=True, slots=True)
class Skill(Document):
    """A file that belongs to the program as a whole."""

    content: str

    def is_current(self, text: str) -> bool:
        """As the base, ignoring git's changes of line ends."""
        return _lines(text) == self.content

    def without_content(self, text: str) -> str:
        """As the base: a text that differs is the user's."""
        return "" if self.is_current(text) else text

    def with_content(self, text: str, before: str) -> str:  # noqa: ARG002 - nothing of the user's is ours
        """As the base."""
        if text:
            raise WriteFailed("it exists already, with other content", "Move it away, or leave the skill out.")
        return self.content

    def own_lines(self, text: str) -> list[str]:
        """As the base."""
        return text.splitlines()


_BEGIN, _END = "<!-- bearings -->", "<!-- /bearings -->"


@dataclass(frozen=True, slots=True)
class Paragraph(Document):
    """Lines between marks in a Markdown file, after all other content."""

    content: str

    def is_current(self, text: str) -> bool:
        """As the base, ignoring git's changes of line ends."""
        return self._marked("") in _lines(text)

    def without_content(self, text: str) -> str:
        """As the base: the text between the marks, with the empty line before them."""
        start = text.find(_BEGIN)
        end = text.find(_END, start)
        if start < 0 or end < 0:
            return text
        before, after = text[:start], text[end + len(_END) :]
        newline = "\r\n" if before.endswith("\r\n") else "\n"
        return before.removesuffix(newline) + after.removeprefix("\r").removeprefix("\n")

    def with_content(self, text: str, before: str) -> str:  # noqa: ARG002 - nothing of the user's is ours
        """As the base."""
        newline = "\r\n" if "\r\n" in text else "\n"
        gap = "" if is_blank(text) else newline if text.endswith("\n") else newline * 2
        return text + gap + self._marked(text)

    def own_lines(self, text: str) -> list[str]:
        """As the base."""
        return difference(self.without_content(text), text)[1].splitlines()

    def _marked(self, text: str) -> str:
        newline = "\r\n" if "\r\n" in text else "\n"
        return f"{_BEGIN}\n{self.content.strip()}\n{_END}\n".replace("\n", newline)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n")


def difference(before: str, after: str) -> tuple[str, str]:
    """The parts in which two texts differ, without their common beginning and end: "abc", "axyc" -> "b", "xy"."""
    start = _common_length(before, after)
    end = _common_length(before[start:][::-1], after[start:][::-1])
    return before[start : len(before) - end], after[start : len(after) - end]


def _common_length(first: str, second: str) -> int:
    """The length of the common beginning, by bisection: comparing slices is faster than comparing characters."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
