"""What every question and every page of an answer has."""

from typing import Any, ClassVar, Generic, TypeVar

import msgspec

A_co = TypeVar("A_co", covariant=True)


class Question(msgspec.Struct, Generic[A_co], frozen=True, kw_only=True, tag=True):
    """Something to ask of a project. `answer` is the type of what comes back."""

    answer: ClassVar[type[Any]]


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """Part of a list of `total` items, starting at `offset`; `of` is the list's fingerprint, for cursors."""

    total: int
    offset: int
    of: str
