"""Endpoints of frameworks with routers: `router.get("/x", handler)`, with the prefixes under which they are mounted.

Each framework of this family is a `Dialect` in a module of its own.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple

from msgspec.structs import replace
from tree_sitter import Node

from bearings.code.expressions import Result, site_of
from bearings.code.file_facts import Binding, CallSite, Import
from bearings.code.framework_facts import Mount
from bearings.code.languages.ecmascript.frameworks.arguments import (
    handler_of,
    may_handle,
    property_of,
    text_of,
    texts_of,
    verb_of,
)
from bearings.code.languages.ecmascript.frameworks.imported import imported_by
from bearings.code.languages.ecmascript.names import string_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings
from bearings.code.languages.shared.loops import Loops
from bearings.code.languages.shared.origins import Origins
from bearings.code.languages.shared.routes import ANY, MOST_PREFIXES, Candidate, joined, named, place, register

METHODS = {
    **{verb: verb.upper() for verb in ("get", "post", "put", "patch", "delete", "head", "options")},
    "del": "DELETE",
    "all": ANY,
}
MAKERS = "Router"
"""The end of the names of functions and classes that create a router, with or without `new`."""
CHAINED = r"(?:\.\w+\(\))*"
"""Calls on a router that return it, as the name of its origin shows them."""
_CHAIN_PREFIXES = frozenset({"basePath", "route"})
"""Calls on a router that return one with a longer prefix, if a path is their only argument."""
_CONVENTIONAL = re.compile(r"^(?:app|router|api|fastify|\w+(?:Router|App|Api))$")
"""Names of parameters and imports that are taken for a router if a call on them looks like a registration."""
_INSTANCE = frozenset({"server", "instance"})
"""More such names, for files that import a framework."""

_USE = "use"
"""Express's and Koa's method that mounts."""
_TAKING = frozenset({"await_expression", "return_statement", "variable_declarator", "assignment_expression"})
"""Nodes that use the result of a call. Code uses the result of a client's call, not of a registration."""
_CHAINABLE = METHODS.keys() | {_USE, "name"}
_OWN = (".", "@/", "~", "#")
"""The starts of modules of the project."""
_NAMED = frozenset({"identifier", "member_expression"})
_STRINGS = frozenset({"string", "template_string"})
_DEEPEST = 5
_LONGEST_CHAIN = 200


class Dialect(NamedTuple):
    """A framework of the family.

    `made` matches the origin of a router, `package` the start of a module that belongs to the framework. `mount` is
    called with each call of a method in `mounting`, and records the routers that it mounts. `registering` maps methods
    to functions that add the endpoints of a call, for registrations other than `router.verb(path, …)`.
    """

    name: str
    made: re.Pattern[str]
    package: re.Pattern[str]
    mounting: frozenset[str]
    mount: "Callable[[Routers, Candidate], None]"
    registering: "Mapping[str, Callable[[Routers, Candidate], None]]" = MappingProxyType({})


def candidates_of(dialects: Sequence[Dialect]) -> frozenset[str]:
    """Return the last part of the callee of every call that may register an endpoint or mount a router."""
    return frozenset(METHODS).union(
        _CHAIN_PREFIXES, *(dialect.mounting.union(dialect.registering) for dialect in dialects)
    )


class Routers:
    """Reads the endpoints of one file. `dialects` are the known frameworks; the first is the one of unknown routers.

    The dialects' functions use `builder`, `origins`, and the methods without an underscore.
    """

    def __init__(self, builder: Builder, candidates: Sequence[Candidate], dialects: Sequence[Dialect]) -> None:
        self.builder = builder
        self.origins = Origins(builder)
        self._dialects = dialects
        self._imported = _imported(builder, dialects)
        calls = [one for one in candidates if not _makes(one)]
        self._candidates = sorted(calls, key=lambda one: verb_of(one.node).start_byte)
        self._by_site = {builder.site_at[one.node.byte_range]: one for one in calls}
        self._makers = {builder.site_at[one.node.byte_range]: one for one in candidates if _makes(one)}
        self._mounts: dict[tuple[int, str], list[tuple[Candidate, str]]] = {}
        self._imports: list[tuple[Candidate, Import, str]] = []
        """The routers of other files, with the calls that mount them, and the prefixes."""
        self._borrowed: dict[str, Import] = {}
        """The routers of other files that this one gives endpoints, by the names that it imports."""
        self._found: dict[tuple[int, str], list[tuple[str, str]]] = {}
        self._own_prefixes: dict[tuple[int, str], str] = {}
        self._named = self._chains()

    def read(self, handing: Sequence[Candidate] = ()) -> None:
        """Add every endpoint of the file, and the routers that calls hand on."""
        loops = Loops(self.builder)
        calls = [(one, dialect) for one in self._candidates if (dialect := self._dialect(one))]
        known = [(turn, dialect) for one, dialect in calls for turn in loops.turns(one)]
        for one, dialect in known:
            if one.verb in dialect.mounting:
                dialect.mount(self, one)
        for one, dialect in known:
            if one.verb in METHODS:
                self._verb(one, dialect)
            elif (add := dialect.registering.get(one.verb)) is not None:
                add(self, one)
        for one in (*handing, *(one for one in self._candidates if self._dialect(one) is None)):
            self._handed(one)
        for name, entry in self._borrowed.items():
            mount = Mount(self._dialects[0].name, "", name, entry.module, entry.name, is_inside=True)
            self.builder.mounts.append(mount)
        for one, entry, prefix in self._imports:
            dialect = self._dialect(one) or self._dialects[0]
            for outer, router in self._distinct_prefixes(one):
                whole = joined(outer, prefix)
                line = self.builder.line(verb_of(one.node))
                mount = Mount(dialect.name, whole, router, entry.module, entry.name, line=line)
                self.builder.mounts.append(mount)

    def _dialect(self, one: Candidate) -> Dialect | None:
        """Return the framework of the object on which a call is made; None if it isn't known."""
        origin = self.origins.of(one.scope, one.receiver)
        for dialect in self._dialects:
            if origin.name and dialect.made.fullmatch(origin.name):
                return dialect
        name = one.receiver_name
        is_conventional = _CONVENTIONAL.match(name) or (name in _INSTANCE and self._imported)
        if is_conventional and self._is_elsewhere(one):
            by_name = (dialect for dialect in self._dialects if dialect.name == name)
            return self._imported or next(by_name, self._dialects[0])
        return None

    def _is_elsewhere(self, one: Candidate) -> bool:
        """Whether a call with a path and a handler is made on an untyped parameter or on an import from the project."""
        row = self.origins.row(one.scope, one.receiver_name)
        if row is None or row.type:
            return False
        if row.kind is Bindings.IMPORT and not self.builder.imports[row.target].module.startswith(_OWN):
            return False
        if row.kind not in (Bindings.IMPORT, Bindings.PARAMETER) or (one.verb not in METHODS and one.verb != _USE):
            return False
        given = one.arguments()
        is_path = len(given) > 1 and string_of(given[0], self.builder).startswith(("/", "*"))
        return is_path and may_handle(given[-1]) and not _has_used_result(one.node)

    # --- prefixes

    def mounted(self, one: Candidate, argument: Node, prefix: str) -> None:
        """Record that a call mounts the router in a variable, or in a module, under a prefix.

        Other arguments are ignored.
        """
        if argument.type == "call_expression":  # `require("./users")`, `routes()`
            number = self.builder.site_at.get(argument.byte_range, -1)
            site = self.builder.calls[number] if number >= 0 else None
            entry = imported_by(self.origins, one.scope, Result(number)) or self._returning(one.scope, site)
            if entry is not None:
                self._imports.append((one, entry, prefix))
            return
        root, _, member = self.builder.text(argument).partition(".") if argument.type in _NAMED else ("", "", "")
        row = self.origins.row(one.scope, root) if root else None
        if row is not None and not member:
            self.mounted_row(one, row, prefix)
        elif row is not None and row.kind is Bindings.IMPORT and member.isidentifier():
            self._imports.append((one, replace(self.builder.imports[row.target], name=member), prefix))

    def _handed(self, one: Candidate) -> None:
        """Record that `users(api)` hands the only router among its arguments on to a function of another file."""
        names = [self.builder.text(node) for node in one.arguments() if node.type == "identifier"]
        handed = [turn for name in names if self._holds_routes(turn := one._replace(callee=f"{name}.{_USE}"))]
        if len(handed) == 1:
            entry = imported_by(self.origins, one.scope, one.callee)
            if entry is not None and entry.module.startswith(_OWN):
                self._imports.append((handed[0], entry, ""))

    def _returning(self, scope: int, site: CallSite | None) -> Import | None:
        """Return the import of a function of the project that a call takes a router from."""
        entry = imported_by(self.origins, scope, site.callee) if site is not None else None
        return entry if entry is not None and entry.module.startswith(_OWN) else None

    def _holds_routes(self, one: Candidate) -> bool:
        row = self.origins.row(one.scope, one.receiver_name)
        is_given = row is not None and row.kind is Bindings.PARAMETER and not row.type
        return self._dialect(one) is not None or (is_given and _CONVENTIONAL.match(one.receiver_name) is not None)

    def mounted_row(self, one: Candidate, row: Binding, prefix: str) -> None:
        """Record that a call mounts the router of a binding under a prefix."""
        if row.kind is Bindings.IMPORT:
            entry = self.builder.imports[row.target]
            if prefix or entry.module.startswith(_OWN):
                self._imports.append((one, entry, prefix))
        self._mounts.setdefault((row.scope, row.name), []).append((one, prefix))

    def prefixed(self, row: Binding, prefix: str) -> None:
        """Record the prefix that the router of a binding gives to all its paths."""
        self._own_prefixes[row.scope, row.name] = prefix

    def _distinct_prefixes(self, one: Candidate) -> list[tuple[str, str]]:
        """Return the first prefixes of a call's path, each once; computed once for all calls on a variable.

        With each comes the router that holds all others, as in Detail.
        """
        name = (one.scope, one.receiver_name)
        found = self._found.get(name)
        if found is None:
            found = list(dict.fromkeys(islice(self._prefixes(one), MOST_PREFIXES)))
            if one.receiver_name:
                self._found[name] = found
        return found

    def _prefixes(self, one: Candidate, depth: int = 0) -> Iterator[tuple[str, str]]:
        """Yield the prefixes of a call's path: its router's mounts, its own, then its chain (`basePath`, `route`)."""
        own: list[str] = []
        row: Binding | None = None
        called_on, scope = one.receiver, one.scope
        for _ in range(_LONGEST_CHAIN):
            number = site_of(called_on)
            if number < 0:
                row = self.origins.row(scope, called_on) if type(called_on) is str else None
                number = site_of(self.origins.value(row))
            before = self._by_site.get(number)
            if before is None:
                row = row or self._named.get(number)
                break
            if before.verb in _CHAIN_PREFIXES and len(before.arguments()) == 1:
                own.insert(0, text_of(before.arguments()[0], self.builder))
            called_on, scope, row = before.receiver, before.scope, None
        own[:0] = self._own(row, number)
        path = joined(*own) if own else ""
        mounts = self._mounts.get((row.scope, row.name), []) if row is not None and depth < _DEEPEST else []
        if not mounts:
            yield path, self._exported(row)
        for mount, prefix in mounts:
            for outer, router in self._prefixes(mount, depth + 1):
                yield joined(outer, prefix, path), router

    def _exported(self, row: Binding | None) -> str:
        """Return how other files may name a router: by its variable, or by the function that takes it."""
        if row is None:
            return ""
        if row.kind is Bindings.IMPORT:
            self._borrowed[row.name] = self.builder.imports[row.target]
            return row.name
        if row.kind is Bindings.PARAMETER:
            return self._function(row.scope)
        return row.name if row.scope == 0 else self._function(row.scope)

    def _function(self, scope: int) -> str:
        """Return the name of the function of the module around a scope, which may return a router that it makes."""
        owner = self.builder.drafts[self.builder.scopes[scope][2]]
        return owner.name if owner.parent == 0 else ""

    def _own(self, row: Binding | None, number: int) -> list[str]:
        """Return a router's own prefix in a list: the one of `prefixed`, or of `new Router({ prefix: "/x" })`."""
        if row is not None and (row.scope, row.name) in self._own_prefixes:
            return [self._own_prefixes[row.scope, row.name]]
        maker = self._makers.get(number)
        given = maker.arguments() if maker is not None else []
        prefix = property_of(given[0], "prefix", self.builder) if given else None
        return [text_of(prefix, self.builder)] if prefix is not None else []

    def _chains(self) -> dict[int, Binding]:
        """Map the first call site of each chain of calls to the variable that holds the chain's result."""
        found: dict[int, Binding] = {}
        for row in self.builder.bindings:
            number = site_of(self.origins.value(row))
            while (link := self._by_site.get(number)) is not None:
                number = site_of(link.receiver)
            if number >= 0:
                found.setdefault(number, row)
        return found

    # --- endpoints

    def _verb(self, one: Candidate, dialect: Dialect) -> None:
        """Add `app.get("/x", …)` and `router.route("/x").get(…)`."""
        given = one.arguments()
        if len(given) > 2 and all(
            argument.type in _STRINGS for argument in given[:2]
        ):  # Koa: the route's name is first
            given = given[1:]
        before = self._by_site.get(site_of(one.receiver))
        chained = before is not None and self._has_path(before)
        paths = [""] if chained else list(texts_of(given[0], self.builder)) if len(given) > 1 else []
        handlers = given if chained else given[1:]
        if not paths or not handlers or not any(may_handle(argument) for argument in handlers):
            return
        for path in paths:
            self.register(one, dialect, [METHODS[one.verb]], path, handlers)

    def _has_path(self, one: Candidate) -> bool:
        """Whether chained calls use the path of this call: Express's `route("/x")` and the calls chained to it."""
        if one.verb == "route":
            return len(one.arguments()) == 1
        before = self._by_site.get(site_of(one.receiver))
        return before is not None and one.verb in METHODS and self._has_path(before)

    def register(self, one: Candidate, dialect: Dialect, methods: list[str], path: str, handlers: list[Node]) -> None:
        """Add the endpoints of a call: one for each method, and for each prefix of its router."""
        uses = [handler_of(argument, self.builder) for argument in handlers]
        handler = next(named(uses[-1:]), None)
        uses = [*named(uses[:-1]), handler]
        where = place(self.builder, verb_of(one.node), one.node, one.scope)
        for prefix, router in self._distinct_prefixes(one):
            whole = joined(prefix, path) if prefix or path.startswith("/") else path
            register(self.builder, dialect.name, methods, whole, where, uses, router)


def _makes(one: Candidate) -> bool:
    """Whether a call creates a router."""
    return one.verb.endswith(MAKERS)


def _has_used_result(call: Node) -> bool:
    """Whether the result of a call is awaited, returned, assigned, or followed by a method that routers lack."""
    above = call.parent
    if above is None or above.type != "member_expression":
        return above is not None and above.type in _TAKING
    name = above.child_by_field_name("property")
    return name is not None and (name.text or b"").decode() not in _CHAINABLE


def endpoints(
    builder: Builder, candidates: Sequence[Candidate], handing: Sequence[Candidate], dialects: Sequence[Dialect]
) -> None:
    """Add every endpoint among the candidates, with the prefixes under which this file mounts its routers."""
    if candidates and (
        _imported(builder, dialects) is not None or any(_CONVENTIONAL.match(one.receiver_name) for one in candidates)
    ):
        Routers(builder, candidates, dialects).read(handing)


def _imported(builder: Builder, dialects: Sequence[Dialect]) -> Dialect | None:
    """Return the framework of the first import that belongs to one."""
    for entry in builder.imports:
        for dialect in dialects:
            if dialect.package.match(entry.module):
                return dialect
    return None
