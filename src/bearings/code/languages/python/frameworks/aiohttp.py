"""Endpoints of aiohttp: `add_get("/x", handler)`, `web.get("/x", handler)`, and decorators of a `RouteTableDef`."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from bearings.code.expressions import Expression, last_name, receiver, site_of
from bearings.code.file_facts import Binding
from bearings.code.languages.python.frameworks.arguments import (
    argument,
    concatenated,
    decorated,
    handler_of,
    is_path,
    positional,
    text_of,
)
from bearings.code.languages.python.frameworks.classes import VERBS, handled
from bearings.code.languages.python.names import expression
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.origins import Origins
from bearings.code.languages.shared.routes import ANY, MOST_PREFIXES, Candidate, Place, place, register

_ADDING = {f"add_{verb}": verb.upper() for verb in VERBS}
_LISTED = frozenset({*VERBS, "route", "view"})
"""Functions of aiohttp.web that make a route, and decorators of a table."""
DECORATORS = frozenset({"view"})
CANDIDATES = frozenset({*_ADDING, "add_route", "add_view", "add_resource", "add_routes", "add_subapp"})
_TABLE = re.compile(r"aiohttp\.web(?:_\w+)?\.RouteTableDef\(\)")
_FUNCTION = re.compile(r"aiohttp\.web(?:_\w+)?\.\w+")
_APPLICATION = re.compile(r"aiohttp\.web(?:_\w+)?\.(?:Application|UrlDispatcher)\(\)(?:\.router)?")
_ENDS = frozenset({"module", "assignment", "augmented_assignment", "block"})
_DEEPEST = 5


def endpoints(builder: Builder, candidates: Sequence[Candidate]) -> None:
    """Add every endpoint among the candidates, with the prefixes of the subapplications of this file."""
    imported = any(entry.module.partition(".")[0] == "aiohttp" for entry in builder.imports) if candidates else False
    if imported or any(one.verb in CANDIDATES for one in candidates):
        _Reader(builder, candidates).read()


class _Reader:
    """Reads the endpoints of one file."""

    def __init__(self, builder: Builder, candidates: Sequence[Candidate]) -> None:
        self._builder = builder
        self._origins = Origins(builder)
        self._candidates = [one for one in candidates if one.verb in CANDIDATES or one.verb in _LISTED]
        self._by_site = {builder.site_at[one.node.byte_range]: one for one in self._candidates}
        self._by_span = {one.node.byte_range: one for one in self._candidates}
        self._holders: dict[tuple[int, str], list[tuple[Candidate, str]]] = {}
        """Variable of a table, a list or an application → the calls that add it to another one, and their prefixes."""

    def read(self) -> None:
        for one in self._candidates:
            if one.verb in ("add_routes", "add_subapp"):
                self._hold(one)
        for one in self._candidates:
            if one.verb in _LISTED:
                self._listed(one)
            elif one.verb in ("add_routes", "add_subapp", "add_resource"):
                continue
            elif self._is_router(one.scope, self._called_on(one)):
                self._added(one)
            elif one.verb == "add_route":
                self._on_resource(one)

    def _is_router(self, scope: int, called_on: Expression | None) -> bool:
        """Whether a call is made on an application's router, or on something that is called so."""
        if called_on is None:
            return False
        return last_name(called_on) == "router" or bool(_APPLICATION.fullmatch(self._origins.of(scope, called_on).name))

    def _added(self, one: Candidate) -> None:
        """Add `router.add_get("/x", handler)`, `add_route("GET", "/x", handler)` and `add_view("/x", View)`."""
        at = 1 if one.verb == "add_route" else 0
        path = argument(one, at, "path", self._builder)
        handler = argument(one, at + 1, "handler", self._builder)
        if path is None or handler is None or not is_path(path, self._builder):
            return
        where = place(self._builder, one.node, one.node, one.scope)
        holder = self._row(one.scope, self._called_on(one))
        self._register(one, where, text_of(path, self._builder), handler_of(handler, self._builder), holder)

    def _called_on(self, one: Candidate) -> Expression | None:
        """Return the router on which a method is called, also under a name: `add_route = app.router.add_route`."""
        row = self._origins.row(one.scope, one.verb) if one.receiver is None else None
        value = self._origins.value(row)
        return receiver(value) if value is not None and last_name(value) == one.verb else one.receiver

    def _on_resource(self, one: Candidate) -> None:
        """Add `resource.add_route("GET", handler)`, where `resource` is `router.add_resource("/x")`."""
        value = one.receiver
        row = self._origins.row(one.scope, value) if type(value) is str else None
        if row is not None:
            value = self._origins.value(row)
        made = self._by_site.get(site_of(value))
        handler = argument(one, 1, "handler", self._builder)
        if made is None or made.verb != "add_resource" or handler is None:
            return
        path = text_of(argument(made, 0, "path", self._builder), self._builder)
        where = place(self._builder, one.node, one.node, one.scope)
        self._register(one, where, path, handler_of(handler, self._builder), self._row(made.scope, made.receiver))

    def _listed(self, one: Candidate) -> None:
        """Add `web.get("/x", handler)` of a list, and `@routes.get("/x")`."""
        at = 1 if one.verb == "route" else 0
        path, target = argument(one, at, "path", self._builder), decorated(one.node)
        if path is None or not is_path(path, self._builder):
            return
        if target is not None and _TABLE.fullmatch(self._origins.of(one.scope, one.receiver).name):
            name = target.child_by_field_name("name")
            where = place(self._builder, one.node, target, one.scope)
            handler = self._builder.text(name) if name is not None else None
            holder = self._row(one.scope, one.receiver)
            self._register(one, where, text_of(path, self._builder), handler, holder)
        elif target is None and _FUNCTION.fullmatch(self._origins.of(one.scope, one.callee).name):
            view = argument(one, at + 1, "handler", self._builder)
            if view is not None:
                where = place(self._builder, one.node, one.node, one.scope)
                name_of = handler_of(view, self._builder)
                self._register(one, where, text_of(path, self._builder), name_of, self._holder(one))

    def _register(
        self, one: Candidate, where: Place, path: str, handler: Expression | None, holder: Binding | None
    ) -> None:
        uses: list[tuple[str, Expression | None]] = [(self._method(one), handler)]
        if handler is not None and one.verb in ("view", "add_view"):
            uses = list(handled(self._builder, self._origins, where.scope, handler))
        for prefix in dict.fromkeys(islice(self._prefixes(holder), MOST_PREFIXES)):
            for method, use in uses:
                register(self._builder, "aiohttp", [method], concatenated(prefix, path), where, [use])

    def _method(self, one: Candidate) -> str:
        if one.verb in ("add_route", "route"):
            given = positional(one)
            text = text_of(given[0], self._builder).upper() if given else ""
            return text if text.isalpha() else ANY
        return _ADDING.get(one.verb) or (ANY if one.verb in ("view", "add_view") else one.verb.upper())

    # --- prefixes

    def _row(self, scope: int, value: Expression | None) -> Binding | None:
        """Return the variable of an application, of its router, or of a table."""
        if last_name(value) == "router" and value is not None:
            value = receiver(value) or value
        return self._origins.row(scope, value) if type(value) is str else None

    def _holder(self, one: Candidate) -> Binding | None:
        """Return the variable of the application that gets a list of routes, or of the list."""
        here = one.node.parent
        while here is not None and here.type not in _ENDS:
            outer = self._by_span.get(here.byte_range) if here.type == "call" else None
            if outer is not None and outer.verb == "add_routes":
                return self._row(outer.scope, outer.receiver)
            here = here.parent
        left = here.child_by_field_name("left") if here is not None else None
        return self._row(one.scope, expression(left, self._builder)) if left is not None else None

    def _hold(self, one: Candidate) -> None:
        """Record the variable in `app.add_routes(variable)` or `app.add_subapp("/x", variable)`."""
        at, name = (0, "routes") if one.verb == "add_routes" else (1, "subapp")
        given = argument(one, at, name, self._builder)
        row = self._row(one.scope, expression(given, self._builder)) if given is not None else None
        if row is not None:
            prefix = text_of(argument(one, 0, "prefix", self._builder), self._builder) if at else ""
            self._holders.setdefault((row.scope, row.name), []).append((one, prefix))

    def _prefixes(self, row: Binding | None, depth: int = 0) -> Iterator[str]:
        """Yield the prefixes of a variable with routes."""
        holders = self._holders.get((row.scope, row.name), []) if row is not None and depth < _DEEPEST else []
        if not holders:
            yield ""
        for outer, prefix in holders:
            for above in self._prefixes(self._row(outer.scope, outer.receiver), depth + 1):
                yield above + prefix
