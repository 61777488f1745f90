"""A question in free text; elements that nothing is known to use."""

from bearings.code.answers.elsewhere import Unread
from bearings.code.answers.explore import Explored
from bearings.code.engine.questions.base import Page, Question
from bearings.code.models import Symbol, SymbolKind


class Explore(Question[Explored], frozen=True, kw_only=True):
    """The few elements and lines that answer `question`, at most `most` elements."""

    answer = Explored
    question: str
    most: int = 10


class UnusedPage(Page, frozen=True, kw_only=True):
    """Elements without evidence of use, by file and line; `lines` counts all that they take.

    `looked_at` elements fit what was asked for. `left_out` counts those that are not judged, by reason, and `in_use`
    those that an edge or a word speaks for, by which of the two. `loaded_by_path` are the first files that nothing
    imports, of `loaded_by_path_total`.
    """

    symbols: tuple[Symbol, ...]
    lines: int
    looked_at: int
    in_use: dict[str, int]
    left_out: dict[str, int]
    loaded_by_path: tuple[str, ...]
    loaded_by_path_total: int
    unread: tuple[Unread, ...]
    note: str


class AskUnused(Question[UnusedPage], frozen=True, kw_only=True):
    """Elements of `kinds` (none: functions, classes, types and what is like them) in files that match `path`.

    `exports`: also what a package offers to others.
    """

    answer = UnusedPage
    kinds: tuple[SymbolKind, ...] = ()
    path: str = ""
    exports: bool = False
    limit: int = 200
    cursor: str | None = None
