"""The spelling of a tool's command: everything that the tool itself does not define."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Spelling:
    """One command.

    `tool` is the name of its tool; a command about code that has the name of its tool leaves it out. `positional`
    arguments are words without an option. `project`: a tool's project_path is `--project`, the first word, or an
    option like others. `absolute` arguments are paths that the tool needs absolute. `found` is the list of the
    reply that must not be empty for exit status 0. `features` is the list that `--format geojson` and `--output`
    write, "" for the reply itself; `featured` are arguments that these add. `lines` is the argument that may come
    from stdin. `rows` is the list of the reply that `--jsonl` prints, one object a line; `row_by` are arguments
    that it adds. `paged` gives the arguments that a page (`--html`) adds to what was typed. `document` is the field
    that is printed alone without `--json`. `whole` are the command's own values of arguments that were not typed,
    so that its answer is complete. `sites`: the places that `--lines` prints; None: there is no such option.
    `always_sites`: print them unless JSON is requested. `preset` are fixed arguments of the command; `options` are
    the offered ones, None: all. `help` replaces the tool's description. `mend` turns words as they are typed into words
    with options. `stdin` is the text that `-` reads from standard input.
    """

    summary: str
    examples: tuple[str, ...]
    tool: str = ""
    positional: tuple[str, ...] = ()
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    project: Literal["option", "word", "none"] = "option"
    found: str | None = None
    absolute: tuple[str, ...] = ()
    features: str | None = None
    featured: Mapping[str, str] = field(default_factory=dict)
    lines: str | None = None
    rows: str | None = None
    row_by: Mapping[str, str] = field(default_factory=dict)
    paged: Callable[[Mapping[str, Any]], Mapping[str, str]] = lambda _: {}
    document: str | None = None
    whole: Mapping[str, int] = field(default_factory=dict)
    sites: Literal["all", "testing"] | None = None
    always_sites: bool = False
    preset: Mapping[str, Any] = field(default_factory=dict)
    options: tuple[str, ...] | None = None
    help: str = ""
    mend: Callable[[Sequence[str]], Sequence[str]] = tuple
    stdin: str | None = None
