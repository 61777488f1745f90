"""Character budgets: a reply to a model never grows past what it can afford to read; a command prints everything."""

from collections.abc import Sequence
from typing import TypeVar

from pydantic import BaseModel

from bearings.caller import caller

Item = TypeVar("Item", bound=BaseModel)

REPLY_BUDGET = 25_000
"""Characters of compact JSON that one reply may take, unless a tool's own parameter says otherwise."""


_ALL = 2**31 - 1


def room(budget: int) -> int:
    """A budget of characters, or a bound of rows, that is for models; no bound for a command."""
    return _ALL if caller().is_command else budget


def rows(limit: int) -> int:
    """The rows of a page: all for a command that has no pages."""
    return limit if caller().has_pages else _ALL


def fitting(items: Sequence[Item], budget: int) -> list[Item]:
    """The longest prefix of `items` whose compact JSON stays within `budget` characters; at least one item, if any.

    For a command all of them.
    """
    if caller().is_command:
        return list(items)
    kept: list[Item] = []
    spent = 0
    for item in items:
        spent += len(item.model_dump_json(exclude_none=True)) + 1
        if spent > budget and kept:
            break
        kept.append(item)
    return kept
