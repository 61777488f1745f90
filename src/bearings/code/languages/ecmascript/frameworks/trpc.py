"""Endpoints of tRPC: procedures in the object literal of a router, named by the keys that lead to them.

`router({ post: router({ byId: publicProcedure.query(…) }) })` is GET /post.byId: tRPC calls a query by GET and a
mutation by POST, below a path that the server decides. A router that is imported is recorded as a Mount.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from tree_sitter import Node

from bearings.code.expressions import Expression, chained, receiver, root_of, site_of, split
from bearings.code.file_facts import Binding, Import
from bearings.code.framework_facts import Mount
from bearings.code.languages.ecmascript.frameworks.arguments import OWN_MODULES, handler_of
from bearings.code.languages.ecmascript.names import literal, unwrapped
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings
from bearings.code.languages.shared.nodes import above
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

    `name` is how other files may name it: see Detail. `imported` are the imports in it, with their keys.
    """

    holder: tuple[int, str] | None
    name: str
    scope: int
    procedures: list[_Procedure]
    imported: list[tuple[Import, str]]


def endpoints(builder: Builder, candidates: Sequence[Candidate]) -> None:
    """Add the endpoint of each procedure, with the keys of the routers of this file that hold its router."""
    _Reader(builder, [call for call in candidates if may_make(call.verb)]).read()


def may_make(verb: str) -> bool:
    """Whether a call of a name may make a procedure or a router."""
    return verb in CANDIDATES or verb.lower().endswith(_ROUTER)


class _Reader:
    """Reads the endpoints of one file. `calls` may make procedures and routers."""

    def __init__(self, builder: Builder, calls: Sequence[Candidate]) -> None:
        self._builder = builder
        self._origins = Origins(builder)
        self._calls = {call.node.byte_range: call for call in calls}
        self._by_site = {builder.site_at[span]: call for span, call in self._calls.items() if call.verb in _METHODS}
        self._seen: set[tuple[int, int]] = set()
        """Spans of the object literals, and of the merged routers in them, that are read."""
        self._routers: list[_Router] = []
        self._holding: dict[tuple[int, str], list[tuple[_Router, str]]] = {}
        """The variable of a router → the routers that hold it, with its keys there."""

    def read(self) -> None:
        is_known = any("trpc" in entry.module for entry in self._builder.imports)
        for call in self._calls.values():
            value = _object(call.arguments()) if call.verb.lower().endswith(_ROUTER) else None
            if value is not None and self._may_be_own(call) and (is_known or self._holds_part(value)):
                self._add(value, call.node, call.scope)
        for call in self._by_site.values():
            value = _outermost(call.node)
            if value is not None and self._is_procedure(call):
                self._add(value, value, call.scope)
        for span, call in self._calls.items():
            if call.verb == _MERGING and span not in self._seen:
                self._merge(self._router(call.node, call.scope), call.arguments(), "")
        for router in self._routers:
            self._register(router)

    def _register(self, router: _Router) -> None:
        prefixes = list(dict.fromkeys(islice(self._prefixes(router), MOST_PREFIXES)))
        for procedure in router.procedures:
            where = place(self._builder, procedure.node, procedure.node, router.scope)
            for prefix, name in prefixes:
                path = f"/{prefix}{procedure.path}"
                register(self._builder, "trpc", [procedure.method], path, where, [procedure.handler], name)
        for entry, path in router.imported:
            for prefix, name in prefixes:
                self._builder.mounts.append(Mount("trpc", prefix + path, name, entry.module, entry.name))

    def _prefixes(self, router: _Router, depth: int = 0) -> Iterator[tuple[str, str]]:
        """Yield the keys that lead to a router, each with a dot behind it, and the name of the outermost router."""
        above = self._holding.get(router.holder, []) if router.holder is not None and depth < _DEEPEST else []
        if not above:
            yield "", router.name
        for outer, path in above:
            for prefix, name in self._prefixes(outer, depth + 1):
                yield prefix + path, name

    def _add(self, value: Node, whole: Node, scope: int) -> None:
        """Read the object literal of a router; `whole` is the router's call, or the literal itself."""
        if value.byte_range not in self._seen:
            self._read(self._router(whole, scope), value, "", 0)

    def _router(self, whole: Node, scope: int) -> _Router:
        """Add an empty router for a call or literal; one that is merged into another shares the other's variable."""
        parents = (each for each in above(whole) if each.type not in _AROUND and self._verb(each) != _MERGING)
        parent = next(parents, None)
        name = parent.child_by_field_name("name") if parent is not None else None
        row = None
        if parent is not None and parent.type == "variable_declarator" and name is not None:
            row = self._origins.row(scope, self._builder.text(name))
        exported = "default" if parent is not None and parent.type == "export_statement" else ""
        holder = (row.scope, row.name) if row is not None else None
        router = _Router(holder, row.name if row is not None and row.scope == 0 else exported, scope, [], [])
        self._routers.append(router)
        return router

    def _verb(self, node: Node) -> str:
        """Return the last part of the callee of a call in question; empty for another node."""
        call = self._calls.get(node.byte_range)
        return call.verb if call is not None else ""

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
            self._holding.setdefault((row.scope, row.name), []).append((router, path))

    def _read(self, router: _Router, value: Node, prefix: str, depth: int) -> None:
        """Add the procedures and routers in an object literal, and the names of both."""
        self._seen.add(value.byte_range)
        for child in value.named_children if depth < _DEEPEST else ():
            if child.type == "shorthand_property_identifier":
                self._named(router, child, child, prefix + self._builder.text(child))
                continue
            key, held = child.child_by_field_name("key"), unwrapped(child.child_by_field_name("value"))
            if child.type != "pair" or key is None or held is None:
                continue
            path, call = prefix + literal(self._builder.text(key)), self._calls.get(held.byte_range)
            given = call.arguments() if call is not None else []
            inner = held if held.type == "object" else None
            if call is not None and call.verb.lower().endswith(_ROUTER):
                inner = _object(given)
            if inner is not None:
                self._read(router, inner, f"{path}.", depth + 1)
            elif held.type == "identifier":
                self._named(router, child, held, path)
            elif call is not None and call.verb == _MERGING:
                self._seen.add(held.byte_range)
                self._merge(router, given, f"{path}.")
            elif call is not None and call.verb in _METHODS:
                handler = handler_of(given[0], self._builder) if given else None
                router.procedures.append(_Procedure(_METHODS[call.verb], path, child, handler))

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

    def _may_be_own(self, call: Candidate) -> bool:
        """Whether a function that makes a router may be of tRPC: not one of another package, such as vue-router."""
        rows = self._origins.of(call.scope, call.callee).rows
        row = rows[-1] if rows else None
        module = self._builder.imports[row.target].module if row is not None and row.kind is Bindings.IMPORT else "trpc"
        return "trpc" in module or module.startswith(OWN_MODULES)

    def _holds_part(self, value: Node) -> bool:
        """Whether a value of an object literal is surely a procedure, or called a router."""
        for child in value.named_children:
            held = unwrapped(child.child_by_field_name("value")) or child
            call = self._calls.get(held.byte_range)
            if call is not None and call.verb in _METHODS and self._is_procedure(call):
                return True
            if held.type in _NAMED and self._builder.text(held).lower().endswith(_ROUTER):
                return True
        return False

    def _is_procedure(self, call: Candidate) -> bool:
        """Whether a name in the chain of calls before `.query(…)` says that it makes a procedure."""
        here = receiver(call.callee)
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
    outermost = None
    for here in above(call):
        if here.type not in ("pair", "object", "satisfies_expression", "as_expression"):
            return outermost if here.type == "variable_declarator" else None
        outermost = here if here.type == "object" else outermost
    return None
