"""Endpoints of tRPC: procedures in the object literal of a router, named by the keys that lead to them.

`router({ post: router({ byId: publicProcedure.query(…) }) })` is GET /post.byId: tRPC calls a query by GET and a
mutation by POST, below a path that the server decides. A router that is imported is recorded as a Mount.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from tree_sitter import Node

from bearings.code.expressions import Expression, chained, last_name, receiver, root_of, site_of, split
from bearings.code.file_facts import Binding, Import
from bearings.code.framework_facts import Mount
from bearings.code.languages.ecmascript.expressions import expression
from bearings.code.languages.ecmascript.frameworks.arguments import OWN_MODULES, handler_of
from bearings.code.languages.ecmascript.names import literal, unwrapped
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings
from bearings.code.languages.shared.origins import Origins
from bearings.code.languages.shared.routes import ANY, MOST_PREFIXES, Candidate, place, register

_METHODS = {"query": "GET", "mutation": "POST", "subscription": "SUBSCRIPTION"}
_MERGING = "mergeRouters"
CANDIDATES = frozenset({*_METHODS, "router", _MERGING})
_ROUTER = "router"
"""The end, in lower case, of the names of functions that make a router, and of variables that hold one."""
_PROCEDURE = "procedure"
"""The end, in lower case, of a name in a chain of calls that makes a procedure: `publicProcedure`, `t.procedure`."""
_AROUND = frozenset({"satisfies_expression", "as_expression", "arguments"})
_NAMED = frozenset({"identifier", "shorthand_property_identifier"})
_LONGEST_CHAIN = 40
_DEEPEST = 8


class _Procedure(NamedTuple):
    """A procedure in a router: its method, its keys joined by dots, its property, and its handler's name."""

    method: str
    path: str
    node: Node
    handler: Expression | None


class _Router(NamedTuple):
    """A router, and the variable that holds it, if any.

    `name` is how other files may name it: see Detail. `routers` are the variables in it, and `imported` the imports,
    with their keys.
    """

    holder: tuple[int, str] | None
    name: str
    scope: int
    procedures: list[_Procedure]
    routers: list[tuple[tuple[int, str], str]]
    imported: list[tuple[Import, str]]


def endpoints(builder: Builder, candidates: Sequence[Candidate]) -> None:
    """Add the endpoint of each procedure, with the keys of the routers of this file that hold its router."""
    if any(one.verb in CANDIDATES or one.verb.lower().endswith(_ROUTER) for one in candidates):
        _Reader(builder, candidates).read()


class _Reader:
    """Reads the endpoints of one file."""

    def __init__(self, builder: Builder, candidates: Sequence[Candidate]) -> None:
        self._builder = builder
        self._origins = Origins(builder)
        self._procedures = {one.node.byte_range: one for one in candidates if one.verb in _METHODS}
        self._calls = [one for one in candidates if one.verb.lower().endswith(_ROUTER)]
        self._mergers = [one for one in candidates if one.verb == _MERGING]
        self._by_site = {builder.site_at[span]: one for span, one in self._procedures.items()}
        self._seen: set[tuple[int, int]] = set()
        """Spans of the object literals, and of the merged routers in them, that are read."""
        self._routers: list[_Router] = []

    def read(self) -> None:
        is_known = any("trpc" in entry.module for entry in self._builder.imports)
        for one in self._calls:
            value = _object(one.arguments()[:1])
            if value is not None and self._may_be_own(one) and (is_known or self._holds_part(value)):
                self._add(value, one.node, one.scope)
        for one in self._procedures.values():
            value = _outermost(one.node)
            if value is not None and self._is_procedure(one):
                self._add(value, value, one.scope)
        for one in self._mergers:
            if one.node.byte_range not in self._seen:
                self._merge(self._router(one.node, one.scope), one.arguments(), "")
        mounts: dict[tuple[int, str], list[tuple[_Router, str]]] = {}
        for router in self._routers:
            for holder, path in router.routers:
                mounts.setdefault(holder, []).append((router, path))
        for router in self._routers:
            self._register(router, mounts)

    def _register(self, router: _Router, mounts: dict[tuple[int, str], list[tuple[_Router, str]]]) -> None:
        prefixes = list(dict.fromkeys(islice(_prefixes(router, mounts), MOST_PREFIXES)))
        for procedure in router.procedures:
            where = place(self._builder, procedure.node, procedure.node, router.scope)
            for prefix, name in prefixes:
                path = f"/{prefix}{procedure.path}"
                register(self._builder, "trpc", [procedure.method], path, where, [procedure.handler], name)
        for entry, path in router.imported:
            for prefix, name in prefixes:
                self._builder.mounts.append(Mount("trpc", prefix + path, name, entry.module, entry.name))

    def _add(self, value: Node, whole: Node, scope: int) -> None:
        """Read the object literal of a router; `whole` is the router's call, or the literal itself."""
        if value.byte_range in self._seen:
            return
        self._read(self._router(whole, scope), value, "", 0)

    def _router(self, whole: Node, scope: int) -> _Router:
        """Add an empty router for a call or literal; one that is merged into another shares the other's variable."""
        parent = whole.parent
        while parent is not None and (parent.type in _AROUND or self._merger(parent) is not None):
            parent = parent.parent
        name = parent.child_by_field_name("name") if parent is not None else None
        row = None
        if parent is not None and parent.type == "variable_declarator" and name is not None:
            row = self._origins.row(scope, self._builder.text(name))
        exported = "default" if parent is not None and parent.type == "export_statement" else ""
        holder = (row.scope, row.name) if row is not None else None
        router = _Router(holder, row.name if row is not None and row.scope == 0 else exported, scope, [], [], [])
        self._routers.append(router)
        return router

    def _merger(self, node: Node) -> Candidate | None:
        """Return the call of `mergeRouters` that a node is."""
        return next((one for one in self._mergers if one.node.byte_range == node.byte_range), None)

    def _merge(self, router: _Router, given: Sequence[Node], path: str) -> None:
        """Add the routers in variables that `mergeRouters(a, b)` merges."""
        for node in given:
            row = self._origins.row(router.scope, self._builder.text(node)) if node.type == "identifier" else None
            if row is not None:
                self._hold(router, row, path)

    def _hold(self, router: _Router, row: Binding, path: str) -> None:
        """Add the router in a variable, or the one that is imported into it."""
        if row.kind is Bindings.IMPORT:
            router.imported.append((self._builder.imports[row.target], path))
        else:
            router.routers.append(((row.scope, row.name), path))

    def _read(self, router: _Router, value: Node, prefix: str, depth: int) -> None:
        self._seen.add(value.byte_range)
        for child in value.named_children if depth < _DEEPEST else ():
            if child.type == "shorthand_property_identifier":
                self._named(router, child, child, prefix + self._builder.text(child))
                continue
            key, held = child.child_by_field_name("key"), unwrapped(child.child_by_field_name("value"))
            if child.type != "pair" or key is None or held is None:
                continue
            path = prefix + literal(self._builder.text(key))
            inner = held if held.type == "object" else self._inner(held)
            if inner is not None:
                self._read(router, inner, f"{path}.", depth + 1)
            elif (merger := self._merger(held)) is not None:
                self._seen.add(held.byte_range)
                self._merge(router, merger.arguments(), f"{path}.")
            elif held.type == "identifier":
                self._named(router, child, held, path)
            elif (procedure := self._procedures.get(held.byte_range)) is not None:
                handler = handler_of(procedure.arguments()[0], self._builder) if procedure.arguments() else None
                router.procedures.append(_Procedure(_METHODS[procedure.verb], path, child, handler))

    def _inner(self, call: Node) -> Node | None:
        """Return the object literal of a router that is made in a router."""
        callee = call.child_by_field_name("function") if call.type == "call_expression" else None
        given = call.child_by_field_name("arguments") if callee is not None else None
        if (
            callee is None
            or given is None
            or not last_name(expression(callee, self._builder)).lower().endswith(_ROUTER)
        ):
            return None
        return _object(given.named_children[:1])

    def _named(self, router: _Router, node: Node, name: Node, path: str) -> None:
        """Add the procedure in a variable. It may be imported, and then its method isn't known."""
        text = self._builder.text(name)
        row = self._origins.row(router.scope, text)
        if row is None:
            return
        procedure = self._by_site.get(site_of(self._origins.value(row)))
        if procedure is not None:
            router.procedures.append(_Procedure(_METHODS[procedure.verb], path, node, text))
            return
        if row.kind is Bindings.IMPORT and not text.lower().endswith(_ROUTER):
            router.procedures.append(_Procedure(ANY, path, node, text))
        self._hold(router, row, f"{path}.")

    def _may_be_own(self, one: Candidate) -> bool:
        """Whether a function that makes a router may be of tRPC: not one of another package, such as vue-router."""
        rows = self._origins.of(one.scope, one.callee).rows
        row = rows[-1] if rows else None
        module = self._builder.imports[row.target].module if row is not None and row.kind is Bindings.IMPORT else "trpc"
        return "trpc" in module or module.startswith(OWN_MODULES)

    def _holds_part(self, value: Node) -> bool:
        """Whether a value of an object literal is surely a procedure, or called a router."""
        for child in value.named_children:
            held = unwrapped(child.child_by_field_name("value")) or child
            procedure = self._procedures.get(held.byte_range)
            if procedure is not None and self._is_procedure(procedure):
                return True
            if held.type in _NAMED and self._builder.text(held).lower().endswith(_ROUTER):
                return True
        return False

    def _is_procedure(self, one: Candidate) -> bool:
        """Whether a name in the chain of calls before `.query(…)` says that it makes a procedure."""
        here = receiver(one.callee)
        for _ in range(_LONGEST_CHAIN):
            if here is None:
                return False
            if any(name.lower().endswith(_PROCEDURE) for name in _names(here)):
                return True
            number = site_of(chained(root_of(here), ()))
            site = self._builder.calls[number] if 0 <= number < len(self._builder.calls) else None
            here = site.callee if site is not None else None
        return False


def _names(value: Expression) -> list[str]:
    root, steps = split(value)
    return [step for step in (root, *steps) if isinstance(step, str)]


def _object(given: Sequence[Node]) -> Node | None:
    """Return the first argument if it is an object literal."""
    value = unwrapped(given[0]) if given else None
    return value if value is not None and value.type == "object" else None


def _outermost(call: Node) -> Node | None:
    """Return the object literal in a variable that holds a procedure, maybe nested in more literals; None for none."""
    found, here = None, call.parent
    while here is not None and here.type in ("pair", "object", "satisfies_expression", "as_expression"):
        found = here if here.type == "object" else found
        here = here.parent
    return found if here is not None and here.type == "variable_declarator" else None


def _prefixes(
    router: _Router, mounts: dict[tuple[int, str], list[tuple[_Router, str]]], depth: int = 0
) -> Iterator[tuple[str, str]]:
    """Yield the keys that lead to a router, each with a dot behind it, and the name of the outermost router."""
    above = mounts.get(router.holder, []) if router.holder is not None and depth < _DEEPEST else []
    if not above:
        yield "", router.name
    for outer, path in above:
        for prefix, name in _prefixes(outer, mounts, depth + 1):
            yield prefix + path, name
