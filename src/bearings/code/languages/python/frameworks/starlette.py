"""Endpoints of Starlette: `Route("/x", endpoint)` with the prefixes of `Mount`, and the methods of an application."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from tree_sitter import Node

from bearings.code.expressions import last_name
from bearings.code.file_facts import Binding
from bearings.code.languages.python.frameworks.arguments import argument, concatenated, handler_of, keyword, text_of
from bearings.code.languages.python.frameworks.classes import handled
from bearings.code.languages.python.frameworks.decorated import Dialect
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.origins import Origins
from bearings.code.languages.shared.routes import ANY, MOST_PREFIXES, Candidate, Place, place, register

STARLETTE = Dialect(
    name="starlette",
    made=re.compile(r"starlette\.(?:applications\.Starlette|routing\.Router)\(\)"),
    decorating=frozenset({"route", "websocket_route"}),
    adding={"add_route": (1, "route"), "add_websocket_route": (1, "route")},
    mounting={"mount": "path"},
    making={},
)
_ROUTES = frozenset({"Route", "WebSocketRoute"})
_HOLDERS = frozenset({"Starlette", "Router"})
_MOUNTS = frozenset({"Mount", "mount"})
CANDIDATES = frozenset({*_ROUTES, *_HOLDERS, *_MOUNTS})
_KNOWN = re.compile(r"starlette\.(?:routing\.(?:Route|WebSocketRoute|Mount|Router)|applications\.Starlette)")
_ENDS = frozenset({"module", "assignment", "augmented_assignment", "block"})
_DEEPEST = 5


def endpoints(builder: Builder, candidates: Sequence[Candidate]) -> None:
    """Add the endpoint of every route, with the prefixes of the mounts that hold it in this file."""
    if any(one.verb in _ROUTES for one in candidates):
        _Reader(builder, candidates).read()


class _Reader:
    """Reads the endpoints of one file. `_calls` are routes, mounts and what holds these."""

    def __init__(self, builder: Builder, candidates: Sequence[Candidate]) -> None:
        self._builder = builder
        self._origins = Origins(builder)
        self._calls = [
            one
            for one in candidates
            if one.verb in CANDIDATES
            and (one.verb == "mount" or _KNOWN.fullmatch(self._origins.of(one.scope, one.callee).name))
        ]
        self._by_span = {one.node.byte_range: one for one in self._calls}
        self._found: dict[tuple[int, str], list[str]] = {}
        self._holders: dict[tuple[int, str], list[Candidate]] = {}
        """Variable → the mounts, routers and applications that take it."""
        for one in self._calls:
            for taken in self._taken(one) if one.verb not in _ROUTES else ():
                self._holders.setdefault(taken, []).append(one)

    def read(self) -> None:
        for one in self._calls:
            path = argument(one, 0, "path", self._builder)
            endpoint = argument(one, 1, "endpoint", self._builder)
            if one.verb in _ROUTES and path is not None and endpoint is not None:
                where = place(self._builder, one.node, one.node, one.scope)
                for prefix in islice(self._prefixes(one), MOST_PREFIXES):
                    whole = concatenated(prefix, text_of(path, self._builder))
                    self._register(one, whole, where, endpoint)

    def _register(self, one: Candidate, path: str, where: Place, endpoint: Node) -> None:
        builder, name = self._builder, handler_of(endpoint, self._builder)
        given = keyword(one, "methods", builder)
        if one.verb == "WebSocketRoute":
            register(builder, "starlette", ["WEBSOCKET"], path, where, [name])
        elif given is not None:
            methods = [text_of(child, builder).upper() for child in given.named_children]
            register(builder, "starlette", [text for text in methods if text.isalpha()] or [ANY], path, where, [name])
        elif name is not None and last_name(name)[:1].isupper():
            for method, handler in handled(builder, self._origins, one.scope, name):
                register(builder, "starlette", [method], path, where, [handler])
        else:
            register(builder, "starlette", ["GET"], path, where, [name])

    def _prefixes(self, one: Candidate, depth: int = 0) -> Iterator[str]:
        """Yield the prefixes of a call: of the mounts around it, then of those that hold its variable."""
        path, here = "", one.node.parent
        while here is not None and here.type not in _ENDS:
            outer = self._by_span.get(here.byte_range) if here.type == "call" else None
            if outer is not None and outer.verb in _MOUNTS:
                path = concatenated(self._path(outer), path)
            here = here.parent
        left = here.child_by_field_name("left") if here is not None else None
        row = self._origins.row(one.scope, self._builder.text(left)) if left is not None else None
        for above in self._first_above(row) if not depth else self._above(row, depth):
            yield concatenated(above, path)

    def _first_above(self, row: Binding | None) -> list[str]:
        """Return the first prefixes of a variable, each once; computed once for all its routes."""
        name = (row.scope, row.name) if row is not None else (-1, "")
        if name not in self._found:
            self._found[name] = list(dict.fromkeys(islice(self._above(row, 0), MOST_PREFIXES)))
        return self._found[name]

    def _above(self, row: Binding | None, depth: int) -> Iterator[str]:
        """Yield the prefixes of a variable with routes, a router or an application."""
        holders = self._holders.get((row.scope, row.name), []) if row is not None and depth < _DEEPEST else []
        if not holders:
            yield ""
        for outer in holders:
            path = self._path(outer) if outer.verb in _MOUNTS else ""
            if outer.verb == "mount":
                found = self._above(self._origins.row(outer.scope, outer.receiver_name), depth + 1)
            else:
                found = self._prefixes(outer, depth + 1)
            for above in found:
                yield concatenated(above, path) if path else above

    def _taken(self, outer: Candidate) -> Iterator[tuple[int, str]]:
        """Yield the variables that a call takes as arguments."""
        for child in outer.arguments():
            value = child.child_by_field_name("value") if child.type == "keyword_argument" else child
            if value is not None and value.type == "identifier":
                row = self._origins.row(outer.scope, self._builder.text(value))
                if row is not None:
                    yield row.scope, row.name

    def _path(self, outer: Candidate) -> str:
        return text_of(argument(outer, 0, "path", self._builder), self._builder)
