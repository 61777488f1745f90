"""Converts answers of an engine to parts of replies: the same fields, with all text made safe to show."""

import re
from typing import Any, TypeVar

import msgspec

from bearings.code.answers import elsewhere as answers
from bearings.code.models import Outside
from bearings.code.replies.element import path_line
from bearings.code.replies.elsewhere import Elsewhere
from bearings.code.replies.query import Site
from bearings.code.service.sources import shortened
from bearings.reply import Part
from bearings.untrusted import escape_line, named

_LONGEST = 500

_LINE = re.compile(r"#.*:(\d+)(?:-\d+)?(?:\{.*\})?$")

P = TypeVar("P", bound=Part)


def part_of(model: type[P], value: msgspec.Struct, **others: Any) -> P:
    """A part of a reply with the fields of an answer; `others` add fields or replace the answer's.

    Fields that the part does not have are left out, and so is an empty `note`.
    """
    answer = msgspec.structs.asdict(value)
    if answer.get("note") == "":
        del answer["note"]
    fields = {
        field.name: msgspec.convert(_plain(answer[field.name]), field.type)
        for field in msgspec.structs.fields(model)
        if field.name in answer and field.name not in others
    }
    return model(**fields, **others).cleaned()


def parts_of(model: type[P], values: tuple[msgspec.Struct, ...]) -> list[P]:
    """Each answer as a part of a reply."""
    return [part_of(model, value) for value in values]


def elsewhere_of(found: answers.Elsewhere | None) -> Elsewhere | None:
    """The other lines with a word, as a part of replies; None if nothing was searched."""
    return None if found is None else part_of(Elsewhere, found)


def site_of(site: Outside, text: str = "") -> Site:
    """A use without an edge, as a part of replies; `text` is its line of source."""
    return Site(
        name=escape_line(site.name, 120),
        file=path_line(site.file),
        line=site.line,
        why=site.why,
        text=shortened(text) or None,
    )


def outdated_line(given: str | None, found: str) -> str:
    """A note if the given line of an element is outdated; else empty."""
    was, now = _LINE.search(given or ""), _LINE.search(found)
    return f"line {was[1]} is outdated: this is {named(found)}" if was and now and was[1] != now[1] else ""


def joined(*notes: str | None) -> str | None:
    """Joins notes; None if there are none."""
    return "; ".join(filter(None, notes)) or None


def _plain(value: Any) -> Any:
    """Plain data with every string on one line and shortened; the part's types escape hidden characters."""
    if isinstance(value, str):
        return value if len(value) <= _LONGEST and value.isprintable() else _shortened(value)
    if isinstance(value, msgspec.Struct):
        return {name: _plain(field) for name, field in msgspec.structs.asdict(value).items()}
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {_plain(name): _plain(item) for name, item in value.items()}
    return value


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
