"""Fits the list of a reply into its budget, and pages it."""

import json
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from bearings.budget import REPLY_BUDGET, Item, fitting
from bearings.code.replies.lines import LinedReply, Page
from bearings.paging import decode, encode, fingerprint
from bearings.reply import Part, Reply

R = TypeVar("R", bound=Reply)

_CURSOR_ROOM = 100
_SHORTEST = 10
"""The fewest characters of a list's item."""


def page_of(parts: Sequence[object], total: int, cursor: str | None) -> Page:
    """The page of a cursor in a list of `total` items; `parts` identify the list. Raises InvalidInput."""
    identity = fingerprint(parts)
    return Page(total=total, offset=decode(cursor, identity), identity=identity)


def end_page(reply: Any, shown: int) -> None:
    """Sets how many items come after the `shown` ones of the reply's page, and the cursor of the next page."""
    page = reply.page
    end = page.offset + shown
    reply.omitted = max(0, page.total - end)
    reply.next_cursor = encode(end, page.identity) if reply.omitted else None


def first_page(reply: Any) -> str:
    """The cursor of the first page of the reply's list."""
    return encode(0, reply.page.identity)


def within(head: Reply, items: Sequence[Item], budget: int = REPLY_BUDGET) -> list[Item]:
    """The first items that fit into the budget beside `head`; at least one, so that paging always advances."""
    return fitting(items, budget - size_of(head) - _CURSOR_ROOM)


def cut_to_fit(reply: R, name: str, budget: int = REPLY_BUDGET) -> R:
    """Cuts the list of a reply's page to the items that fit into the budget, and ends the page there."""
    items = getattr(reply, name)
    setattr(reply, name, [])
    filled(reply, name, items, budget)
    end_page(reply, len(getattr(reply, name)))
    return reply


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
