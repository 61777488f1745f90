"""The base classes of questions and of pages of answers."""

from typing import Any, ClassVar, Generic, TypeVar

import msgspec

A_co = TypeVar("A_co", covariant=True)


class Question(msgspec.Struct, Generic[A_co], frozen=True, kw_only=True, tag=True):
    """A question about a project. `answer` is the type of its answer."""

    answer: ClassVar[type[Any]]


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """Part of a list of `total` items, starting at `offset`; `of` is the list's fingerprint, for cursors."""

    total: int
    offset: int
    of: str
