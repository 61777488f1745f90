"""Questions about elements, their edges, and one element in detail."""

from typing import Literal

import msgspec

from bearings.code.asking.question import Page, Question
from bearings.code.models import Edge, EdgeKind, Language, Outside, Symbol, SymbolKind
from bearings.code.replies.elsewhere import Elsewhere, Unread

QueryType = Literal["calls", "calls-me", "imports", "imports-me", "depends-on", "depends-on-me", "path"]
"""The types of queries: the calls of an element, its callers (`calls-me`) …; `path` is a chain of uses."""


class Left(msgspec.Struct, frozen=True):
    """A file or directory (its path ends in `/`) that is not in the index, and the reason."""

    path: str
    reason: str


class ScanPage(Page, frozen=True, kw_only=True):
    """Elements by file and line; the counts are of the whole list. `parse_errors` counts partly parsed files.

    `by_folder` counts the elements below the largest folders. `generated` are the first files that declare that a
    program wrote them. `left_out` are the first files that are not in the index, `broken` the first partly parsed
    ones. `unread` are files in unsupported languages. `note` explains an empty list, and names endpoints that can't be
    in it.
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
    """Lists elements in files of `languages` (empty: all) that match `path` (a .gitignore pattern).

    `kinds` selects kinds; without any, all but modules. `lexical` reads line by line, without grammar or graph.
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
"""The kinds of uses in a question. A kind that the graph lacks is refused, or answered by the nearest kind."""


class Hop(msgspec.Struct, frozen=True):
    """An edge and its distance from the target in steps, from 1. `text` is its line of source."""

    depth: int
    edge: Edge
    text: str = ""


class Unfollowed(msgspec.Struct, frozen=True):
    """A use without an edge, or a guess that was left out (why `guessed`), with its line of source."""

    site: Outside
    text: str = ""


class QueryPage(Page, frozen=True, kw_only=True):
    """A page of `found` edges by depth, file and line, followed by sites that may be uses and were not followed.

    `target` and `source` are ids. `outside` counts the sites without an edge by reason; `heuristic` counts the guesses
    that were left out. `sites` are the unresolved and guessed sites of this page, each once in the pages of a list.
    `aside` are the first sites outside the project. `kinds` are the kinds of edges that were followed, if the question
    names some. `note` explains an empty answer. `elsewhere` is the text search for further users, if none or few are
    known; None if nothing was searched. `found` is None if nothing was found and the language's uses are unknown.
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
    """Uses or users of `target`, up to `max_depth` steps away; `source` is the start of a path.

    Only uses of `kinds` are followed (none: all kinds of the type). Only sites in files that match `path` (a .gitignore
    pattern; empty: all) are listed, but uses in other files are followed too.
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
