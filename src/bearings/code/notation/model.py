"""The parts of a CodeRef, and their conversion to text."""

import json
import re
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Any, Literal, TypeAlias
from urllib.parse import quote


class RefType(StrEnum):
    """The kind of target that a reference points to."""

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
    """One block of an element; the author of the reference chooses its id."""

    kind: BlockKind
    id: str

    def __str__(self) -> str:
        return f"{self.kind}{{{self.id}}}"


Value: TypeAlias = "bool | int | float | str | date | list[Any] | CodeRef"
"""A value in metadata. A datetime is also a date."""


@dataclass(frozen=True, slots=True)
class Meta:
    """One entry of the metadata, `category:key=value`. An entry without a value has the value true."""

    key: str
    value: Value = True
    category: str = ""

    def __str__(self) -> str:
        name = f"{self.category}:{self.key}" if self.category else self.key
        return name if self.value is True else f"{name}={_value_text(self.value)}"


@dataclass(frozen=True, slots=True)
class CodeRef:
    """A reference. `path` is decoded, relative to the project, and may lack the file's extension.

    `start` and `end` are 1-based lines. `start` is 0 if there is no line, `end` is 0 if there is no range.
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
        """Return the reference at another line; a range keeps its length."""
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
    """An error or warning at `offset` characters into a reference.

    `suggestion` is the whole reference with the problem fixed; empty if no fix is known.
    """

    code: str
    message: str
    offset: int
    suggestion: str = ""
    severity: Literal["error", "warning"] = "error"


def path_text(path: str) -> str:
    """Return a path as written in a reference. A final full stop is encoded, because it could end a sentence."""
    text = quote(path, safe="/~")
    return text.removesuffix(".") + "%2E" if text.endswith(".") else text


def is_name(text: str) -> bool:
    """Whether text is an element: names joined by dots, each an identifier that may contain `$` or start with `#`."""
    return all(part.removeprefix("#").replace("$", "_").isidentifier() for part in text.split("."))


BARE = re.compile(r"[\w.+/-]+")
"""Text that is written without quotes, unless it would be read as a number, a boolean or a date."""


def scalar(text: str) -> Value:
    """Return the value of unquoted text: a boolean, a number or the text itself."""
    if text in ("true", "false"):
        return text == "true"
    if re.fullmatch(r"-?[0-9]+", text):
        return int(text) if len(text) < _DIGITS else text
    if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?", text):
        return float(text)
    return text


_DIGITS = 400
"""Text with more digits is no number (Python converts at most 4300 digits)."""


def _value_text(value: Value) -> str:
    if isinstance(value, CodeRef):
        return str(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str) and BARE.fullmatch(value) and scalar(value) == value and not DATE.fullmatch(value):
        return value
    return json.dumps(value, ensure_ascii=False)


DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?")
"""Text that looks like an ISO date; it may be invalid."""
