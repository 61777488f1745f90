"""Fits the list of a reply into its budget, and pages it."""

import json
from bisect import bisect_left
from collections.abc import Callable, Sequence

from bearings.budget import REPLY_BUDGET, Item, fitting
from bearings.code.replies.lines import LinedReply, Page
from bearings.paging import decode, encode, fingerprint
from bearings.reply import Part, Reply

_CURSOR_ROOM = 100
_SHORTEST = 10
"""The fewest characters of a list's item."""


def page_of(of: Sequence[object], total: int, cursor: str | None) -> Page:
    """The page of a cursor in a list of `total` items; `of` identifies the list. Raises InvalidInput."""
    identity = fingerprint(of)
    return Page(total=total, offset=decode(cursor, identity), of=identity)


def following(page: Page, shown: int) -> tuple[int, str | None]:
    """The number of items after this page, and the cursor of the next page."""
    end = page.offset + shown
    omitted = max(0, page.total - end)
    return omitted, encode(end, page.of) if omitted else None


def within(head: Reply, items: Sequence[Item], budget: int = REPLY_BUDGET) -> list[Item]:
    """The first items that fit into the budget beside `head`; at least one, so that paging always advances."""
    return fitting(items, budget - size_of(head) - _CURSOR_ROOM)


def filled(reply: Reply, name: str, items: list[Item], budget: int = REPLY_BUDGET) -> None:
    """Sets a list of the reply to the first items that fit into the budget, as lines if the reply has lines."""
    if isinstance(reply, LinedReply) and reply.has_lines:
        as_many_as_fit(reply, lambda count: setattr(reply, name, items[:count]), len(items), budget)
    else:
        setattr(reply, name, within(reply, items, budget))


def as_many_as_fit(reply: LinedReply, put: Callable[[int], None], count: int, budget: int) -> int:
    """Puts as many of `count` items into the reply as fit into the budget, but at least one. Returns their number."""

    def is_too_large(some: int) -> bool:
        put(some)
        return size_of(reply) > budget - _CURSOR_ROOM

    most = min(count, budget // _SHORTEST)
    fits = max(min(1, count), bisect_left(range(1, most + 1), True, key=is_too_large))
    put(fits)
    return fits


def size_of(reply: Part) -> int:
    """The number of characters of a reply on the wire."""
    if isinstance(reply, LinedReply) and reply.has_lines:
        return len(json.dumps(reply.sent(), ensure_ascii=False, separators=(",", ":")))
    return len(reply.to_json())
