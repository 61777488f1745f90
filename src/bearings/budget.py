"""Character budgets: a reply never grows past what a model can afford to read."""

from collections.abc import Sequence
from typing import TypeVar

from pydantic import BaseModel

Item = TypeVar("Item", bound=BaseModel)

REPLY_BUDGET = 25_000
"""Characters of compact JSON that one reply may take, unless a tool's own parameter says otherwise."""


def fitting(items: Sequence[Item], budget: int) -> list[Item]:
    """The longest prefix of `items` whose compact JSON stays within `budget` characters; at least one item, if any."""
    kept: list[Item] = []
    spent = 0
    for item in items:
        spent += len(item.model_dump_json(exclude_none=True)) + 1
        if spent > budget and kept:
            break
        kept.append(item)
    return kept
