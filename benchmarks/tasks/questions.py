"""The tasks, as questions.toml has them."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("questions.toml")


@dataclass(frozen=True, slots=True)
class Task:
    """A question and what a right answer holds. An item `a|b` is one place with two spellings."""

    id: str
    package: str
    kind: str
    grep: str
    """How well text search alone can answer: `well` or `badly`."""
    form: str
    question: str
    required: tuple[str, ...]
    allowed: tuple[str, ...] = ()
    verified: str = ""
    diff: str = ""
    set: str = "first"
    """`second`: as agents are given tasks, in plain words."""


def tasks(file: Path = FILE) -> dict[str, Task]:
    """Every task by its id."""
    return {row["id"]: _task(row) for row in tomllib.loads(file.read_text(encoding="utf-8"))["task"]}


def _task(row: Mapping[str, Any]) -> Task:
    lists = {name: tuple(row.get(name, ())) for name in ("required", "allowed")}
    return Task(**{**row, **lists})
