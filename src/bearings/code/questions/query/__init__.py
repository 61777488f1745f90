"""The uses of an element, its users, and the path between two."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta, field
from msgspec.structs import replace

from bearings.budget import ALL_ROWS
from bearings.code.models import Confidence, Edge, EdgeKind
from bearings.code.question import Answer, Cursor, ElementQuestion, Limit
from bearings.code.replies.element import IndexInfo, known, not_indexed, path_line, rest_of
from bearings.code.replies.elsewhere import Elsewhere
from bearings.code.replies.lines import (
    ElementReply,
    InDetail,
    Page,
    Place,
    Row,
    brief,
    by_depth,
    most_common,
    parts_of_id,
    site,
    within_element,
)
from bearings.code.replies.pages import as_many_as_fit, end_page, first_page
from bearings.code.replies.sites import Site, Unresolved, list_once
from bearings.code.replies.tidying import shortened
from bearings.reply import Part, SymbolName
from bearings.untrusted import clean_line

QueryType = Literal["calls", "calls-me", "imports", "imports-me", "depends-on", "depends-on-me", "path"]
"""The types of queries: the calls of an element, its callers (`calls-me`) …; `path` is a chain of uses."""


UseKind = Literal[
    "call", "new", "jsx", "type", "read", "write", "reference", "import", "export", "implements", "extends", "request"
]
"""The kinds of uses in a question. A kind that the graph lacks is refused, or answered by the nearest kind."""


_PATH_STEPS = 3
"""The steps of a path, unless others are asked for."""
_MAYBE = 10
"""Sites of an unknown target that a command lists."""

MAX_NOTE = 1_000
"""Characters of a note."""


class Relation(Part):
    """`from` uses `to` at `file`:`line` (`text`), `depth` steps from the target."""

    from_: SymbolName = field(name="from")
    to: SymbolName
    type: EdgeKind
    file: SymbolName
    line: int
    depth: int
    confidence: Confidence
    reason: str
    text: SymbolName | None = None

    @classmethod
    def of(cls, depth: int, edge: Edge, line: str = "") -> "Relation":
        """An edge as a part of replies, with its line of source."""
        return cls(
            from_=path_line(edge.source),
            to=path_line(edge.target),
            type=edge.kind,
            file=path_line(edge.file),
            line=edge.line,
            depth=depth,
            confidence=edge.confidence,
            reason=clean_line(edge.reason),
            text=shortened(line) or None,
        )

    def placed(self) -> Row:
        """The line alone; further remarks depend on the query (QueryReply)."""
        return self.file, site(self.line, [], self.text)

    def to_text(self) -> str:
        """One line, and the line of source."""
        extra = f"\n    {self.text}" if self.text else ""
        about = f"{self.type} {self.file}:{self.line}, {self.confidence}: {self.reason}"
        return f"{self.depth} {self.from_} → {self.to} ({about}){extra}"


class QueryReply(ElementReply):
    """Edges, nearest first: `results_found` in total; unknown if absent. `note` explains an empty list.

    As lines, the uses on one line are merged, and `common` is the kind and confidence of lines that don't show theirs.
    `kinds` and `path` limit the list. `complete` is false if all users would have taken an index: then these are some,
    and the cursor leads to all of them, from the first one. `omitted` counts results and unresolved sites on later
    pages. `elsewhere`: other lines with the target's word, if users may be missing.
    """

    query_type: str
    target: SymbolName
    source: SymbolName | None = None
    kinds: list[EdgeKind] | None = None
    path: SymbolName | None = None
    results_found: int | None = None
    complete: bool | None = None
    common: str | None = None
    results: list[Relation]
    next_cursor: str | None = None
    omitted: int = 0
    unresolved: Unresolved
    note: str | None = None
    elsewhere: Elsewhere | None = None
    index: IndexInfo = field(default_factory=not_indexed)

    _sites: list[Site] = field(default_factory=list)
    _IN_HEADING = frozenset({"query_type", "target", "source", "kinds", "path", "results_found", "index"})

    @classmethod
    def listing(
        cls, question: "Query", target: str, page: Page, results: list[Relation], kinds: Iterable[EdgeKind]
    ) -> "QueryReply":
        """A page of the uses of these kinds, and nothing else."""
        return cls(
            query_type=question.query_type,
            target=path_line(target),
            kinds=sorted(kinds) if question.kinds else None,
            path=path_line(question.path or "") or None,
            results_found=page.total,
            results=results,
            unresolved=Unresolved(),
            _page=page,
        )

    @property
    def open_sites(self) -> list[Site]:
        """The page's sites that may be uses and were not followed; they come after the results."""
        return self._sites

    def brief(self) -> dict[str, Any]:
        """As lines."""
        kind = most_common([str(relation.type) for relation in self.results])
        fields = brief(replace(self, common=f"{kind}, exact" if kind else None, results=[]))
        return {**fields, "results": by_depth(self._rows(kind))}

    def _rows(self, common: str) -> Iterator[tuple[int, Row]]:
        """The uses by depth, those on one line merged."""
        together: dict[tuple[int, str, int], list[Relation]] = {}
        for relation in self.results:
            depth = 1 if self.query_type == "path" else relation.depth
            together.setdefault((depth, relation.file, relation.line), []).append(relation)
        # A used element is shown by its name, if that is unique among them.
        names = {one.to: _name_of(one.to) for one in self.results if self.query_type.endswith("-me")}
        times = Counter(names.values())
        named = {element: name for element, name in names.items() if times[name] == 1}
        for (depth, file, line), relations in together.items():
            kinds = dict.fromkeys(str(relation.type) for relation in relations)
            about = [self._ends(relations, named), *([] if list(kinds) == [common] else kinds)]
            about += dict.fromkeys(str(one.confidence) for one in relations if one.confidence is not Confidence.EXACT)
            yield depth, (file, site(line, about, relations[0].text))

    def _ends(self, relations: Sequence[Relation], named: Mapping[str, str]) -> str:
        """The users and used elements, except the target and those that the place shows."""
        subject = self.source if self.query_type == "path" else self.target
        back = self.query_type.endswith("-me")
        users = [within_element(one.from_, one.file) for one in relations if back or one.from_ != subject]
        inside = ", ".join(_innermost(dict.fromkeys(filter(None, users))))
        used = [named.get(one.to, one.to) for one in relations if not (back and one.to == self.target)]
        to = ", ".join(dict.fromkeys(used))
        return " ".join(filter(None, [f"in {inside}" if inside else "", f"→ {to}" if to else ""]))

    def places(self) -> Iterator[Place]:
        """The place of each use, and of each through a base."""
        yield from ((one.file, one.line) for one in self.results)
        yield from ((site.file, site.line) for site in self._sites if site.why.startswith("through "))

    def maybe(self) -> Iterator[Place]:
        """See LinedReply."""
        sites = [site for site in self._sites if site.why in ("unresolved", "ambiguous")]
        yield from ((site.file, site.line) for site in sites[:_MAYBE])
        yield from super().maybe()

    def heading(self) -> str:
        """The query, and the number of results."""
        start = f"from {self.source} to " if self.source else ""
        kinds = f" [{', '.join(self.kinds)}]" if self.kinds else ""
        inside = f" in {self.path}" if self.path else ""
        found = known(self.results_found) if self.complete is None else "some" if self.results else "no known"
        results = f"{found} results {self.index.to_text()}"
        return f"{self.query_type}{kinds} {start}{self.target}{inside}: {results}"

    def full_text(self) -> str:
        """A head, then a line for each edge."""
        lines = [
            self.heading(),
            *(result.to_text() for result in self.results),
            *rest_of(self.omitted, self.next_cursor),
        ]
        lines += [self.note or "", self.unresolved.to_text(), self.elsewhere.to_text() if self.elsewhere else ""]
        return "\n".join(line for line in lines if line)


def _name_of(element: str) -> str:
    """An element's qualified name, with the marks of its id; a file's path."""
    parts = parts_of_id(element.strip("«»"))
    return within_element(element, parts[0]) if parts else element


def _innermost(names: Iterable[str]) -> list[str]:
    """Names without those of elements that contain another of them."""
    names = list(names)
    return [name for name in names if not any(other.startswith(f"{name}.") for other in names)]


class Query(ElementQuestion[QueryReply, QueryReply], frozen=True, kw_only=True):
    """What an element calls, imports or uses; what calls, imports or uses it; or the path between two.

    Lines: path:line [in element] source; → the other end if not the target.
    A class or file includes its members. Unresolved sites follow.
    Subclasses: depends-on-me, kinds ["extends"]. Also env:NAME, an environment variable.
    Example: {"query_type": "calls-me", "element": "AuthService.login"}
    """

    title = "Query the code graph"
    place = 40
    toolsets = frozenset({"core", "seed"})
    answer = QueryReply
    on_demand = True
    query_type: Annotated[
        QueryType, Meta(description="-me: who calls, imports or uses it. path: from source to element.")
    ]
    source: Annotated[Annotated[str, Meta(max_length=4096)] | None, Meta(description="For path: where to start.")] = (
        None
    )
    max_depth: Annotated[
        Annotated[int, Meta(ge=1, le=10)] | None, Meta(description="Steps to follow; default: 1, for path 3.")
    ] = None
    kinds: Annotated[list[UseKind] | None, Meta(description="These uses only.")] = None
    path: Annotated[Annotated[str, Meta(max_length=1000)] | None, Meta(description="Glob: these files only.")] = None
    fleet: Annotated[str, Meta(description='Catalogue to ask about PACKAGE#NAME, or "default".')] = ""
    limit: Limit = 200
    cursor: Cursor = None
    detail: InDetail = "lines"
    most: int = 200

    @property
    def steps(self) -> int:
        """The number of steps to follow."""
        return self.max_depth or (_PATH_STEPS if self.query_type == "path" else 1)

    @property
    def may_be_part(self) -> bool:
        """Whether some users may be answered first. Whoever asks for all rows at once, as a script does, gets all."""
        return self.query_type.endswith("-me") and self.cursor is None and self.most < ALL_ROWS

    def reply(self, answer: Answer[QueryReply]) -> QueryReply:
        """The page within the budget: the results, then the sites that were not followed."""
        reply = answer.as_reply().in_lines(self.detail)
        results, sites, aside = reply.results, reply.open_sites, reply.unresolved.sites

        def put(count: int) -> None:
            reply.results = results[:count]
            reply.unresolved.sites = [*sites[: max(0, count - len(results))], *aside]

        shown = as_many_as_fit(reply, put, len(results) + len(sites), self.budget)
        end_page(reply, shown)
        if reply.complete is False:
            reply.next_cursor = first_page(reply)
        if reply.has_lines:
            list_once(reply, set())
        return reply
