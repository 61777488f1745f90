"""What can't be read off a tool: how its command is called and typed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Spelling:
    """One command.

    `positional` arguments are words without an option. `project`: whether project_path is `--project`, the first
    word, or not there. `absolute` arguments are paths that the tool wants absolute. `found` names the list of the reply
    that must not be empty for exit status 0. `features` names the list that `--format geojson` and `--output` write, ""
    for the reply itself; `featured` are arguments that these add. `lines` is the argument that may come from stdin.
    `rows` names the list of the reply that `--jsonl` prints, one object a line; `row_by` are arguments that it adds.
    `document` names the field that is printed alone without `--json`. `whole` are arguments that a command has where
    nothing else is typed, so that its answer is complete.
    `sites`: which places `--lines` prints, None where there is no such option. `always_sites`: they are printed unless
    JSON is asked for. `preset` are arguments that the command stands for; `options` the ones that it offers, None: all.
    `help` is said instead of what the tool says of itself.
    """

    tool: str
    summary: str
    examples: tuple[str, ...]
    positional: tuple[str, ...] = ()
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    project: Literal["option", "word", "none"] = "none"
    found: str | None = None
    absolute: tuple[str, ...] = ()
    features: str | None = None
    featured: Mapping[str, str] = field(default_factory=dict)
    lines: str | None = None
    rows: str | None = None
    row_by: Mapping[str, str] = field(default_factory=dict)
    document: str | None = None
    whole: Mapping[str, int] = field(default_factory=dict)
    sites: Literal["all", "testing"] | None = None
    always_sites: bool = False
    preset: Mapping[str, Any] = field(default_factory=dict)
    options: tuple[str, ...] | None = None
    help: str = ""
