"""Makes an engine's answers ready for replies: text on one line, shortened, and safe to show."""

import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

from bearings.code.models import Outside
from bearings.code.replies.element import path_line
from bearings.code.replies.sites import Site, Unresolved
from bearings.reply import Part, clean
from bearings.untrusted import Kind, clean_line, escape_line, named

_LONGEST = 500
_LINE_OF_SOURCE = 160
"""Characters of a line of source in a reply: most lines are shorter; a minified line is cut."""

_LINE = re.compile(r"#.*:(\d+)(?:-\d+)?(?:\{.*\})?$")

P = TypeVar("P", bound=Part)


def tidied(part: P) -> P:
    """A part of an answer with every string on one line, shortened, and cleaned or escaped by its kind."""
    return part.rewritten(_tidied_text)


def all_tidied(parts: Iterable[P]) -> list[P]:
    """Each of some parts, tidied."""
    return [tidied(part) for part in parts]


def all_escaped(parts: Iterable[P]) -> list[P]:
    """Each of some parts with paths, names and ids at full length, and other strings on one line of usual length."""
    return [part.rewritten(_escaped_text) for part in parts]


def shortened(line: str) -> str:
    """A line of source in the form of a reply."""
    return escape_line(" ".join(line[: 4 * _LINE_OF_SOURCE].split()), _LINE_OF_SOURCE)


def line_of(text: str) -> str | None:
    """A sentence of an answer on one line, shortened and cleaned; None if it is empty."""
    return _tidied_text(text, Kind.OURS) or None


def site_of(site: Outside, text: str = "") -> Site:
    """A use without an edge, as a part of replies; `text` is its line of source."""
    return Site(
        name=escape_line(site.name, 120),
        file=path_line(site.file),
        line=site.line,
        why=site.why,
        text=shortened(text) or None,
    )


def unresolved_of(
    counts: Mapping[str, int], sites: Iterable[tuple[Outside, str]] = (), heuristic: int = 0
) -> Unresolved:
    """Uses without an edge, by reason; `sites` come with their lines of source."""
    return Unresolved(**counts, heuristic=heuristic, sites=[site_of(site, text) for site, text in sites])


def outdated_line(given: str | None, found: str) -> str:
    """A note if the given line of an element is outdated; else empty."""
    was, now = _LINE.search(given or ""), _LINE.search(found)
    return f"line {was[1]} is outdated: this is {named(found)}" if was and now and was[1] != now[1] else ""


def joined(*notes: str | None) -> str | None:
    """Joins notes; None if there are none."""
    return "; ".join(filter(None, notes)) or None


def _escaped_text(text: str, kind: Kind) -> str:
    return path_line(text) if kind is Kind.SYMBOL else clean_line(text)


def _tidied_text(text: str, kind: Kind) -> str:
    return clean(text if len(text) <= _LONGEST and text.isprintable() else _shortened(text), kind)


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
