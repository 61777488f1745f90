"""A CodeRef in parts, and how it is written."""

import json
import re
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Any, Literal, TypeAlias
from urllib.parse import quote


class RefType(StrEnum):
    """What a reference points to."""

    FILE = "F"
    DIRECTORY = "D"
    COMPONENT = "C"
    FUNCTION = "Fn"
    CLASS = "Cl"
    METHOD = "M"
    VARIABLE = "V"
    SCHEMA = "S"
    TYPE = "T"
    ENDPOINT = "A"
    CONFIGURATION = "Cfg"
    HOOK = "H"
    CONTEXT = "Ctx"
    ROUTE = "R"
    QUERY = "Q"
    INTERFACE = "I"
    DOCUMENTATION = "Doc"
    GENERATED = "Gen"
    DEPENDENCY = "Dep"
    EVENT = "E"
    WORK_IN_PROGRESS = "WIP"
    SYNTAX = "AST"
    MODEL = "ML"
    DATABASE = "DB"
    SECURITY = "SEC"


class BlockKind(StrEnum):
    """A statement inside an element."""

    FUNCTION = "function"
    IF = "if"
    ELSE = "else"
    TRY = "try"
    CATCH = "catch"
    FOR = "for"
    WHILE = "while"
    SWITCH = "switch"
    CASE = "case"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class Block:
    """One block of an element, by an id of its author's."""

    kind: BlockKind
    id: str

    def __str__(self) -> str:
        return f"{self.kind}{{{self.id}}}"


Value: TypeAlias = "bool | int | float | str | date | list[Any] | CodeRef"
"""Of metadata. A datetime is a date, too."""


@dataclass(frozen=True, slots=True)
class Meta:
    """One entry of the metadata: `category:key=value`; without a value it is true."""

    key: str
    value: Value = True
    category: str = ""

    def __str__(self) -> str:
        name = f"{self.category}:{self.key}" if self.category else self.key
        return name if self.value is True else f"{name}={_written(self.value)}"


@dataclass(frozen=True, slots=True)
class CodeRef:
    """A reference. `path` is decoded and relative to the project, with or without its extension.

    `start` and `end` are 1-based lines; 0 for none, and `end` is 0 for a single line.
    """

    type: RefType
    path: str
    element: str = ""
    start: int = 0
    end: int = 0
    block: Block | None = None
    metadata: tuple[Meta, ...] = ()

    @property
    def name(self) -> str:
        """The element without its parameters."""
        return self.element.partition("(")[0]

    def at(self, line: int) -> "CodeRef":
        """The same at another line; a range keeps its length."""
        return replace(self, start=line, end=self.end and self.end - self.start + line)

    def __str__(self) -> str:
        place = f"{self.start}-{self.end}" if self.end else str(self.start or self.block or "")
        metadata = ",".join(map(str, self.metadata))
        return (
            f"@{self.type}/{path_text(self.path)}"
            + (f"#{self.element}" if self.element else "")
            + (f":{place}" if place else "")
            + (f"{{{metadata}}}" if metadata else "")
        )


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a reference at `offset` characters into it; `suggestion` is the whole of it, mended."""

    code: str
    message: str
    offset: int
    suggestion: str = ""
    severity: Literal["error", "warning"] = "error"


def path_text(path: str) -> str:
    """A path as a reference writes it. A full stop at its end is encoded, because it may end a sentence."""
    text = quote(path, safe="/~")
    return text.removesuffix(".") + "%2E" if text.endswith(".") else text


def is_name(text: str) -> bool:
    """Whether an element can be written: names joined by dots, each an identifier that may hold `$` or begin with #."""
    return all(part.removeprefix("#").replace("$", "_").isidentifier() for part in text.split("."))


BARE = re.compile(r"[\w.+/-]+")
"""Text that needs no quotes, unless it is a number, a boolean or a date."""


def scalar(text: str) -> Value:
    """What a bare value means."""
    if text in ("true", "false"):
        return text == "true"
    if re.fullmatch(r"-?[0-9]+", text):
        return int(text) if len(text) < _DIGITS else text
    if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?", text):
        return float(text)
    return text


_DIGITS = 400
"""Longer is no number of anybody's (and Python reads none longer than 4300 digits)."""


def _written(value: Value) -> str:
    if isinstance(value, CodeRef):
        return str(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str) and BARE.fullmatch(value) and scalar(value) == value and not DATE.fullmatch(value):
        return value
    return json.dumps(value, ensure_ascii=False)


DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?")
"""What is meant as an ISO date, be it one or not."""
