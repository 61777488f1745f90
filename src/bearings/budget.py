"""Limits of a reply's size, so that a model can afford to read it. Commands have none and print everything."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from bearings.caller import caller


class Encoded(Protocol):
    """An item of a reply."""

    def to_json(self) -> str:
        """Its compact JSON."""
        ...


Item = TypeVar("Item", bound=Encoded)

REPLY_BUDGET = 25_000
"""Characters of compact JSON in one reply, unless a tool's own parameter says otherwise."""


ALL_ROWS = 2**31 - 1


def room(budget: int) -> int:
    """The limit for a model's reply, in characters or rows; unlimited for a command."""
    return ALL_ROWS if caller().is_command else budget


def rows(limit: int) -> int:
    """The rows of a page; all rows for a command without pages."""
    return limit if caller().has_pages else ALL_ROWS


def fitting(items: Sequence[Item], budget: int) -> list[Item]:
    """The longest prefix of `items` whose compact JSON fits into `budget` characters; at least one item, if any.

    A command gets all items.
    """
    if caller().is_command:
        return list(items)
    fitted: list[Item] = []
    spent = 0
    for item in items:
        spent += len(item.to_json()) + 1
        if spent > budget and fitted:
            break
        fitted.append(item)
    return fitted
