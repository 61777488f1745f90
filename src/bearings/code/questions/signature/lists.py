"""Writes lists of parameters or arguments anew: separators, line breaks and comments stay with what they stand at."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from bearings.code.languages.shared.signatures import Item, Listing
from bearings.code.refactoring.edits import Edit

_BLANK = " \t\r\n\f\\"
"""White space, and the sign that continues a line of Python."""


class Draft:
    """The text of a file with edits, each of which replaces those inside it."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self.edits: list[Edit] = []

    def text(self, start: int, end: int) -> str:
        """The bytes between two places, as edited."""
        parts, at = [], start
        for edit in self.edits[self._inside(start, end)]:
            parts += [self._text[at : edit.start], edit.text]
            at = edit.end
        return b"".join([*parts, self._text[at:end]]).decode()

    def value(self, item: Item) -> str:
        """The value of an argument, as edited."""
        return self.text(item.value_start, item.end)

    def put(self, start: int, end: int, text: str) -> None:
        """Replace some bytes."""
        if self.text(start, end) != text:
            self.edits[self._inside(start, end)] = [Edit(start, end, text.encode())]

    def _inside(self, start: int, end: int) -> slice:
        """The edits, which are in order and do not overlap, between two places.

        An insertion belongs to the bytes before it.
        """
        first = bisect_left(self.edits, (start, start + (start < end)))
        return slice(first, bisect_left(self.edits, (end, end + 1), first))


class Part(NamedTuple):
    """An item of a new list: its place in the old one, None if it is new, and its text."""

    origin: int | None
    text: str


class _Around(NamedTuple):
    """What stands around an item: before it, behind it up to its comma, the comma, and a comment behind that."""

    lead: str
    behind: str = ""
    comma: str = ""
    comment: str = ""


def write_list(draft: Draft, listing: Listing, parts: Sequence[Part], comment: str) -> None:
    """Replace a list by another one. `comment` is a regular expression for comments."""
    text, around, rest, has_comma = _surroundings(draft, listing, comment)
    for place, part in enumerate(parts):
        own = around[part.origin] if part.origin is not None else _Around("")
        lead = own.lead if part.origin == place else _lead(around, place) + own.lead.lstrip(_BLANK)
        comma = "," if place + 1 < len(parts) or has_comma else ""
        text += lead + part.text + (own.behind + comma if own.comma else comma + own.behind) + own.comment
    draft.put(listing.start, listing.end, text + rest if parts else "")


def _lead(around: Sequence[_Around], place: int) -> str:
    """The white space before an item at a place."""
    blank = [one.lead[: len(one.lead) - len(one.lead.lstrip(_BLANK))] for one in around]
    if place < len(around) or not blank:
        return blank[place] if blank else " " * bool(place)
    return blank[-1] if len(blank) > 1 or "\n" in blank[0] else " "


def _surroundings(draft: Draft, listing: Listing, comment: str) -> tuple[str, list[_Around], str, bool]:
    """What stands around the items.

    This is a comment behind the opening bracket, what is around each item, what is left before the closing bracket, and
    whether the last item has a comma.
    """
    items = listing.items
    if not items:
        return "", [], draft.text(listing.start, listing.end), False
    behind = re.compile(rf"((?:[ \t]*(?:{comment}))*\s*)(,?)((?:[ \t]*(?:{comment})(?=\s*\n|\s*\Z))?)", re.DOTALL)
    lead, around, comma = draft.text(listing.start, items[0].start), [], ""
    opening = re.match(rf"(?:[ \t]*(?:{comment})(?=\s*\n))?", lead)
    first = opening[0] if opening is not None else ""
    lead = lead[len(first) :]
    for item, following in zip(items, [*(one.start for one in items[1:]), listing.end], strict=True):
        gap = draft.text(item.end, following)
        match = behind.match(gap)
        assert match is not None  # all of it may be empty
        # Without a comma, the white space belongs to what follows.
        before, comma = match[1], match[2]
        end = match.end() if comma or match[3] else len(before.rstrip())
        around.append(_Around(lead, before if comma else before.rstrip(), comma, match[3]))
        lead = gap[end:]
    return first, around, lead, bool(comma)
