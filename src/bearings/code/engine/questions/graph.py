"""The elements, their edges, and all about one of them."""

from typing import Literal

import msgspec

from bearings.code.answers.elsewhere import Elsewhere, Unread
from bearings.code.engine.questions.base import Page, Question
from bearings.code.models import Edge, EdgeKind, Language, Outside, Symbol, SymbolKind

QueryType = Literal["calls", "calls-me", "imports", "imports-me", "depends-on", "depends-on-me", "path"]
"""What may be asked of an element: whom it calls, who calls it …; path is a chain of uses from one to another."""


class Left(msgspec.Struct, frozen=True):
    """A file, or a directory (its path ends in `/`), that is not in the index, and why."""

    path: str
    reason: str


class ScanPage(Page, frozen=True, kw_only=True):
    """Elements by file and line; the counts are of the whole list. `parse_errors` counts files not wholly read.

    `by_folder` counts the elements below the largest folders.
    `generated` are the first of the files among them that say that a program wrote them.
    `left_out` and `broken` show the first files that are not in the index, and that were not wholly read. `unread` are
    files in languages that are not read. `note` says what an empty list means, and which endpoints can't be in it.
    """

    symbols: tuple[Symbol, ...]
    by_kind: dict[SymbolKind, int]
    by_language: dict[Language, int]
    by_folder: dict[str, int] = msgspec.field(default_factory=dict)
    left_out: tuple[Left, ...]
    left_out_by_reason: dict[str, int]
    parse_errors: int
    generated: tuple[str, ...] = ()
    generated_total: int = 0
    broken: tuple[str, ...]
    unread: tuple[Unread, ...] = ()
    note: str


class Scan(Question[ScanPage], frozen=True, kw_only=True):
    """The elements of the project, in files of `languages` (empty: all) that match `path` (a .gitignore pattern).

    Those of `kinds`; without any, all but modules. `lexical`: read line by line, without grammar or graph.
    """

    answer = ScanPage
    languages: tuple[Language, ...] = ()
    kinds: tuple[SymbolKind, ...] = ()
    path: str = ""
    lexical: bool = False
    limit: int = 200
    cursor: str | None = None


UseKind = Literal[
    "call", "new", "jsx", "type", "read", "write", "reference", "import", "export", "implements", "extends", "request"
]
"""What kinds of uses may be asked for. Those that the graph has not are refused, or answered by what comes nearest."""


class Hop(msgspec.Struct, frozen=True):
    """An edge, and how many steps from the target it lies, beginning with 1. `text` is the line of source it is on."""

    depth: int
    edge: Edge
    text: str = ""


class Unfollowed(msgspec.Struct, frozen=True):
    """A use that no edge is drawn for, or a guess that was left out (why `guessed`), with its line of source."""

    site: Outside
    text: str = ""


class QueryPage(Page, frozen=True, kw_only=True):
    """Edges by depth, file and line, `found` of them, then the sites that may mean something and were not followed.

    `target` and `source` are ids. `outside` counts the sites that no edge could be drawn for, by reason; `heuristic`
    counts the guesses that were left out. `sites` are those on this page: unresolved and guessed ones, each once in
    the pages of a list. `aside` are the first of the others. `kinds` are the kinds of edges that were followed, where
    some were asked for. `note` says what an empty answer means. `elsewhere`: where users are asked for and none or few
    are known, what the files say; None where nothing was searched. `found` is None where nothing was found, and nobody
    can say whether there is anything.
    """

    target: str
    source: str
    found: int | None
    hops: tuple[Hop, ...]
    outside: dict[str, int]
    sites: tuple[Unfollowed, ...] = ()
    aside: tuple[Unfollowed, ...] = ()
    kinds: tuple[EdgeKind, ...] = ()
    heuristic: int
    note: str
    elsewhere: Elsewhere | None = None


class Query(Question[QueryPage], frozen=True, kw_only=True):
    """How `target` is bound to the rest of the project, up to `max_depth` steps away; `source` is path's start.

    Only uses of `kinds` are followed (none: all that the type has). Only sites in files that match `path` (a
    .gitignore pattern; empty: all) are listed; what lies behind other files is followed all the same.
    """

    answer = QueryPage
    query_type: QueryType
    target: str
    source: str | None = None
    max_depth: int = 3
    kinds: tuple[UseKind, ...] = ()
    path: str = ""
    limit: int = 200
    cursor: str | None = None


class Uses(msgspec.Struct, frozen=True):
    """The first of `total` edges; None: their number is unknown, and what there is are guesses."""

    total: int | None
    edges: tuple[Edge, ...]


class Reaching(msgspec.Struct, frozen=True):
    """A test that reaches an element in `depth` steps."""

    symbol: Symbol
    depth: int


class Detail(msgspec.Struct, frozen=True, kw_only=True):
    """One element: its text (`cut` lines of it left out), what uses it, what it uses, the tests that reach it.

    `sites` are the first of the calls by its name that could not be resolved; `elsewhere` is as in a QueryPage. `note`
    says what of this is unknown.
    """

    symbol: Symbol
    language: Language
    source: str
    cut: int
    callers: Uses
    callees: Uses
    references: Uses
    tests: tuple[Reaching, ...]
    tests_total: int | None
    outside: dict[str, int]
    unresolved_callers: int
    sites: tuple[Outside, ...] = ()
    elsewhere: Elsewhere | None = None
    note: str = ""


class Describe(Question[Detail], frozen=True, kw_only=True):
    """All that is known of one element, with at most `max_source` characters of text and `limit` of each list."""

    answer = Detail
    element: str
    max_source: int = 10_000
    limit: int = 25
