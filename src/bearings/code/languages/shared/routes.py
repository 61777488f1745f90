"""Registers HTTP endpoints: the part that all frameworks have in common."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from tree_sitter import Node

from bearings.code.expressions import Expression, Result, Unknown, last_name, receiver, root_of, written
from bearings.code.file_facts import CallSite
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Draft
from bearings.code.languages.shared.kinds import Edges, Scopes, Symbols
from bearings.code.models import Detail

ANY = "ANY"
"""The method of an endpoint that answers all methods."""
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
"""The methods of HTTP that frameworks have names for."""
_LONGEST_EVIDENCE = 200
"""The most characters of source that are stored as evidence."""
_LONGEST_PATH = 500
"""The most characters of a path. A longer one is generated, or joined from prefixes without end."""
_MOST_SYMBOLS = 30_000
"""A file with more symbols gets no more endpoints: each prefix of a router multiplies them."""
MOST_PREFIXES = 50
"""The most prefixes under which a router is mounted that are followed."""


class Candidate(NamedTuple):
    """A call that may register an endpoint, its callee, and its scope.

    In a loop over a table, `values` has what expressions mean in one turn, by their text.
    """

    node: Node
    callee: Expression
    scope: int
    values: Mapping[bytes, Node] = MappingProxyType({})

    @property
    def verb(self) -> str:
        """The last part of the callee."""
        return last_name(self.callee)

    @property
    def receiver(self) -> Expression | None:
        """The callee without its last part; None for a plain function."""
        return receiver(self.callee)

    @property
    def receiver_name(self) -> str:
        """The receiver if it is a dotted name; else empty."""
        found = self.receiver
        return found if type(found) is str else ""

    def arguments(self) -> list[Node]:
        """Return the arguments without comments."""
        given = self.node.child_by_field_name("arguments")
        nodes = given.named_children if given is not None else []
        return [self.valued(child) for child in nodes if child.type != "comment"]

    def valued(self, node: Node) -> Node:
        """Return the value of an expression in this turn of a loop; outside of a loop the expression itself."""
        return self.values.get(node.text or b"", node) if self.values else node


def joined(*parts: str) -> str:
    """Join prefixes and a path with one slash between them."""
    path = "/".join(part.strip("/") for part in parts if part.strip("/"))
    slash = "/" if path and parts[-1].endswith("/") and parts[-1] != "/" else ""
    return f"/{path}{slash}" if not path.startswith(("http:", "https:")) else path


class Place(NamedTuple):
    """The place where an endpoint is registered: lines, the scope of its handlers' names, the source as evidence."""

    line: int
    end_line: int
    scope: int
    text: str


def place(builder: Builder, node: Node, whole: Node, scope: int) -> Place:
    """Return the place from the line of `node` to the end of `whole`."""
    start = min(node.start_byte, whole.start_byte)
    text = builder.source[start : whole.end_byte].partition(b"\n")[0].decode("utf-8", "replace").strip()
    return Place(builder.line(node), builder.end_line(whole), scope, text[:_LONGEST_EVIDENCE])


def register(
    builder: Builder,
    framework: str,
    methods: Iterable[str],
    path: str,
    where: Place,
    uses: Iterable[Expression | None],
    router: str = "",
) -> None:
    """Add an endpoint for each method.

    `uses` are the middleware and the handler. The handler comes last; it is None if it has no name. `router` is as in
    Detail.
    """
    uses, path = list(uses), path[:_LONGEST_PATH]
    handler = written(uses[-1]) if uses and uses[-1] is not None else ""
    for method in dict.fromkeys(methods) if len(builder.drafts) < _MOST_SYMBOLS else ():
        name = f"{method} {path}"
        draft = Draft(name, name, Symbols.ENDPOINT, where.line, where.end_line)
        draft.scope, draft.signature = where.scope, where.text
        draft.detail = Detail(Symbols.ENDPOINT, framework, method, path, handler, router)
        index = builder.add_symbol(draft)
        if index < 0:
            continue
        builder.scopes.append((Scopes.BLOCK, where.scope, index))
        for use in uses:
            if use is not None:
                builder.uses.append(CallSite(Edges.REFERENCE, use, where.line, len(builder.scopes) - 1))


def named(uses: Iterable[Expression | None]) -> Iterator[Expression]:
    """Yield the expressions that start with a name, rather than with a call's result or the unknown."""
    return (use for use in uses if use is not None and type(root_of(use)) not in (Result, Unknown))
