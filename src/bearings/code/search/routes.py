"""Endpoints for a URL: by method and path, in the syntax of any framework."""

import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from bearings.code.graph.project_graph import Graph
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Symbol, SymbolKind
from bearings.code.search.endpoints import mounted_paths

_METHOD = r"GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS"
_WITH_METHOD = re.compile(rf"(?<!\w)(?P<method>{_METHOD})\s+(?P<path>(?:https?://|/)[^\s'\"`<>]*)")
_URL = re.compile(r"(?P<path>https?://[^\s'\"`<>]+)")
_FLAG = re.compile(rf"-X\s*(?P<method>{_METHOD})\b")
_ALONE = re.compile(r"/[^\s'\"`<>]*")
_PARAMETER = re.compile(r"[:*{<\[(]|\.\.\.")

_ROOTS = {
    "Query": r"\w*(?:Query|Queries|Resolver)",
    "Mutation": r"\w*(?:Mutations?|Resolver)",
    "Subscription": r"\w*(?:Subscriptions?|Resolver)",
}
"""The classes that hold the fields of GraphQL's root types."""


class Request(NamedTuple):
    """A request: `method` in upper case, empty if unknown, and the parts of its path."""

    method: str
    parts: tuple[str, ...]

    @property
    def path(self) -> str:
        """The path of the parts."""
        return "/" + "/".join(self.parts)


def request_in(text: str) -> Request | None:
    """The request in a line: `GET /users/42`, a URL, a curl command, or a bare path."""
    match = _WITH_METHOD.search(text) or _URL.search(text) or _ALONE.fullmatch(text.strip())
    if match is None:
        return None
    groups = match.groupdict()
    flag = _FLAG.search(text)
    method = groups.get("method") or (flag["method"] if flag else "")
    try:
        path = urlsplit(groups.get("path") or match[0]).path
    except ValueError:
        return None
    return Request(method, tuple(part for part in unquote(path).split("/") if part))


def endpoints_of(snapshot: Snapshot, request: Request, *, only_best: bool = False) -> list[Symbol]:
    """The matching endpoints, the best first: those of the method, with the most equal parts."""
    scored = [
        (score, symbol) for symbol in all_endpoints(snapshot) if (score := _score(snapshot.graph, symbol, request))
    ]
    best = sorted(scored, key=lambda row: (-row[0], row[1].file, row[1].line))
    return [symbol for score, symbol in best if score >= best[0][0] / (1 if only_best else 2)]


def procedures_of(snapshot: Snapshot, name: str) -> list[Symbol]:
    """The endpoints of one part that a name ends with, in a file called after its router.

    `traces.byId`: `/byId` of traces.ts, tracesRouter.ts or traces/procedures.ts.
    """
    above, _, last = name.rpartition(".")
    router = above.rpartition(".")[2]
    if not router:
        return []
    return [
        one
        for one in all_endpoints(snapshot)
        if one.detail is not None
        and one.detail.path == f"/{last}"
        and router in (part.removesuffix("Router") for part in re.split(r"[/.]", one.file))
    ]


def resolvers_of(snapshot: Snapshot, name: str) -> list[Symbol]:
    """The resolvers of a field as GraphQL names it: `Query.orderByToken`, `Mutation.orderCancel`, `Order.lines`.

    Python's `resolve_order_by_token` or field `order_cancel`, Go's `queryResolver.OrderByToken`, methods of
    TypeScript's resolver classes.
    """
    type_, _, field = name.rpartition(".")
    if not type_.isidentifier() or not field.isidentifier():
        return []
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", field).lower()
    names = (f"resolve_{snake}", snake, f"{field[0].upper()}{field[1:]}", field)
    owned = (one for each in dict.fromkeys(names) for one in snapshot.graph.longer_names(each))
    owners = re.compile(_ROOTS.get(type_, rf"{type_}(?:Type|Node|Resolvers?)?"), re.IGNORECASE)
    return [one for one in owned if owners.fullmatch(one.qualified_name.rpartition(".")[0].rpartition(".")[2])]


def all_endpoints(snapshot: Snapshot) -> Iterable[Symbol]:
    """The endpoints of all files, in order."""
    for path, summary in snapshot.graph.summaries.items():
        if SymbolKind.ENDPOINT in summary.types:
            yield from (one for one in snapshot.graph.outline(path) if one.kind is SymbolKind.ENDPOINT)


def _score(graph: Graph, symbol: Symbol, request: Request) -> float:
    """The score of an endpoint by its best path, 0 for no match."""
    detail = symbol.detail
    if detail is None or (request.method and detail.method not in (request.method, "ANY", "")):
        return 0.0
    return max(_score_of_path(path, request) for path in (detail.path, *mounted_paths(graph, symbol)))


def _score_of_path(path: str, request: Request) -> float:
    """The score of a path. It may match the end: the prefix of a mounted router may be unknown."""
    own = [part for part in path.split("/") if part]
    if len(own) > len(request.parts) or (not own and request.parts):
        return 0.0
    pairs = list(zip(own, request.parts[len(request.parts) - len(own) :], strict=True))
    literal = sum(_bare(one) == other for one, other in pairs)
    if any(_bare(one) != other and not _PARAMETER.search(one) for one, other in pairs):
        return 0.0
    if own and not literal and len(own) < len(request.parts):  # `/:id` would match the end of any path
        return 0.0
    return 1.0 + 2 * literal + (len(own) == len(request.parts)) - 0.5 * (len(request.parts) - len(own))


def _bare(part: str) -> str:
    """A part without the syntax of Django's regular expressions."""
    return part.strip("^$")
