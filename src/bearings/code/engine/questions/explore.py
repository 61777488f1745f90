"""Questions in free text; elements without known use."""

from bearings.code.answers.explore import Explored
from bearings.code.engine.questions.base import Page, Question
from bearings.code.models import Symbol, SymbolKind
from bearings.code.replies.elsewhere import Unread


class Explore(Question[Explored], frozen=True, kw_only=True):
    """Finds the elements and lines that answer `question`, at most `most` elements."""

    answer = Explored
    question: str
    most: int = 10


class UnusedPage(Page, frozen=True, kw_only=True):
    """Elements without evidence of use, by file and line; `lines` is their total length.

    `looked_at` elements match the question. `left_out` counts by reason those that are not judged; `in_use` counts by
    evidence (an edge, a word) those that are used. `loaded_by_path` are the first of `loaded_by_path_total` files that
    nothing imports.
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
    """Elements of `kinds` (none: functions, classes, types and the like) in files that match `path`.

    `exports` includes a package's public elements.
    """

    answer = UnusedPage
    kinds: tuple[SymbolKind, ...] = ()
    path: str = ""
    exports: bool = False
    limit: int = 200
    cursor: str | None = None
