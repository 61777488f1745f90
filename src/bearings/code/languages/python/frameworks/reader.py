"""Reads the endpoints of declared frameworks: of each route its methods, its handler and the prefixes of its mounts."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from tree_sitter import Node

from bearings.code.expressions import Expression, last_name, receiver, site_of
from bearings.code.file_facts import Binding, Import
from bearings.code.framework_facts import Mount as Mounted
from bearings.code.languages.python.frameworks.arguments import (
    argument,
    concatenated,
    decorated,
    handler_of,
    imported_from,
    is_path,
    keyword,
    positional,
    text_of,
)
from bearings.code.languages.python.frameworks.classes import handled
from bearings.code.languages.python.frameworks.declaration import FIRST, LISTED, Framework, Mount, Route
from bearings.code.languages.python.names import expression
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings
from bearings.code.languages.shared.loops import Loops
from bearings.code.languages.shared.origins import Origins
from bearings.code.languages.shared.routes import ANY, MOST_PREFIXES, Candidate, place, register

_CONVENTIONAL = re.compile(r"^(?:app|application|api|bp|blueprint|router|\w+_(?:app|api|bp|blueprint|router))$")
"""Names that are taken for an imported router if they decorate a function with a path."""
_ROUTER_CLASS = re.compile(r"(?:Router|Blueprint|API|App|FastAPI|Flask)\(\)$")
"""Classes whose instances are taken for routers under one of these names, wherever the class comes from."""
_ENDS = frozenset({"module", "assignment", "augmented_assignment", "block"})
"""The nodes that end the search for a call around another one."""
_NAMES = frozenset({"identifier", "attribute"})
_DEEPEST = 5


class Family:
    """Frameworks that are read together, because their routers have the same methods and names.

    In a family that `has_names`, a router may be known by its name alone. It belongs to the first framework that the
    file imports.
    """

    def __init__(self, *frameworks: Framework, has_names: bool = False) -> None:
        self.frameworks = frameworks
        self.has_names = has_names
        self.routes = {verb: route for one in reversed(frameworks) for verb, route in one.routes.items()}
        self.mounts = {verb: mount for one in reversed(frameworks) for verb, mount in one.mounts.items()}
        self.making = {name: prefix for one in frameworks for name, prefix in one.making.items()}
        self.resources = {verb: path for one in frameworks for verb, path in one.resources.items()}
        self.unsure = frozenset(verb for verb, route in self.routes.items() if route.on)
        self.decorators = frozenset(verb for verb, route in self.routes.items() if route.is_placed)
        """Calls that may register an endpoint as a decorator, or in a list."""
        self.calls = frozenset({*self.routes, *self.mounts, *self.making, *self.resources}) - self.decorators
        """All other calls that may be part of a registration."""


class _Call(NamedTuple):
    """A call of a framework: its declaration, and whether it is one of a function instead of a method."""

    framework: Framework | None
    is_function: bool


class _Reader:
    """Reads the endpoints of one file; `imported` is the framework that it imports."""

    def __init__(
        self,
        builder: Builder,
        origins: Origins,
        candidates: Sequence[Candidate],
        family: Family,
        imported: Framework | None,
    ) -> None:
        self._builder = builder
        self._origins = origins
        self._candidates = candidates
        self._family = family
        self._root, self._router = family.frameworks[0].root, family.frameworks[0].router
        self._part = family.frameworks[0].part
        self._imported = imported
        self._loops = Loops(builder)
        self._by_site = {builder.site_at[one.node.byte_range]: one for one in candidates}
        self._calls: dict[tuple[int, int], _Call] = {}
        self._mounting: dict[tuple[int, int], tuple[Candidate, str]] = {}
        """The span of a call that mounts something → the call and its prefix."""
        self._holders: dict[tuple[int, str], list[tuple[Candidate, str]]] = {}
        """A variable → the calls that mount it, and their prefixes."""
        self._known: dict[tuple[int, str], list[tuple[str, str]]] = {}
        """A variable → its first prefixes."""
        self._outside: list[tuple[Candidate, tuple[str, str], str]] = []
        """The calls that mount routers of other files: module and name of the router, and its prefix."""
        self._borrowed: dict[str, Import] = {}
        """The routers of other files that this one gives endpoints, by the names that it imports."""

    def read(self) -> None:
        for one in self._candidates:
            if one.verb in self._family.mounts:
                for turn in self._turns(one):
                    self._mount(turn)
        for one in self._candidates:
            if one.verb in self._family.routes and one.node.byte_range not in self._mounting:
                for turn in self._turns(one):
                    self._register(turn)
        for name, entry in self._borrowed.items():
            by = self._imported.name if self._imported is not None else ""
            self._builder.mounts.append(Mounted(by, "", name, entry.module, entry.name, is_inside=True))
        for one, (module, name), path in self._outside:
            framework, line = self._call(one).framework, self._builder.line(one.node)
            if framework is None:
                continue
            for prefix, router in islice(self._prefixes(one), MOST_PREFIXES):
                whole = concatenated(prefix, path)
                self._builder.mounts.append(Mounted(framework.name, whole, router, module, name, line=line))

    def _turns(self, one: Candidate) -> Iterator[Candidate]:
        """Yield a call of a method for each turn of a loop around it."""
        is_repeated = decorated(one.node) is None and not self._call(one).is_function
        return self._loops.turns(one) if is_repeated else iter((one,))

    def _call(self, one: Candidate) -> _Call:
        call = self._calls.get(one.node.byte_range)
        if call is None:
            call = self._calls[one.node.byte_range] = self._read_call(one)
        return call

    def _read_call(self, one: Candidate) -> _Call:
        origin = self._origins.of(one.scope, self._called_on(one)).name
        for framework in self._family.frameworks:
            functions = framework.functions
            if functions is not None and functions.fullmatch(self._origins.of(one.scope, one.callee).name):
                return _Call(framework, True)
            if framework.router_origin is not None and framework.router_origin.fullmatch(origin):
                return _Call(framework, False)
        route = self._family.routes.get(one.verb)
        if route is not None and route.on and last_name(self._called_on(one)) == route.on:
            return _Call(self._family.frameworks[0], False)
        return _Call(self._by_name(one, origin) if self._family.has_names else None, False)

    def _by_name(self, one: Candidate, origin: str) -> Framework | None:
        row = self._origins.row(one.scope, one.receiver_name)
        if row is None or not _CONVENTIONAL.match(one.receiver_name):
            return None
        if row.kind is not Bindings.IMPORT and not _ROUTER_CLASS.search(origin):
            return None
        return self._imported or _UNKNOWN

    def _called_on(self, one: Candidate) -> Expression | None:
        """Return the object on which a method is called, also under a name: `add_route = app.router.add_route`."""
        row = self._origins.row(one.scope, one.verb) if one.receiver is None else None
        value = self._origins.value(row)
        return receiver(value) if value is not None and last_name(value) == one.verb else one.receiver

    # --- mounts

    def _mount(self, one: Candidate) -> None:
        """Record what a call mounts: `app.include_router(users.router, prefix="/users")`."""
        framework, mount = self._call(one).framework, self._mount_of(one)
        if framework is None and not mount.on_any:
            return
        mounted = self._mounted(one, mount)
        if mounted is None:
            return
        prefix = self._text(one, argument(one, *mount.prefix, self._builder)) if mount.prefix is not None else ""
        self._mounting[one.node.byte_range] = one, prefix
        for node in mounted:
            row = self._row(one.scope, expression(node, self._builder)) if node.type in _NAMES else None
            if row is not None:
                self._holders.setdefault((row.scope, row.name), []).append((one, prefix))
            elsewhere = self._elsewhere(one, node)
            if elsewhere is not None:
                self._outside.append((one, elsewhere, prefix))

    def _mount_of(self, one: Candidate) -> Mount:
        framework = self._call(one).framework
        own = framework.mounts.get(one.verb) if framework is not None else None
        return own or self._family.mounts[one.verb]

    def _mounted(self, one: Candidate, mount: Mount) -> Sequence[Node] | None:
        """Return the arguments that a call mounts; None if it mounts nothing."""
        named = [argument(one, *place, self._builder) for place in mount.routers]
        given = [node for node in named if node is not None] if mount.routers else positional(one)
        if mount.opened is None:
            return given
        return mount.opened(given[0], self._builder) if given else None

    def _elsewhere(self, one: Candidate, node: Node) -> tuple[str, str] | None:
        """Return the module and the name of a router in another file; None for other names."""
        if self._router and node.type == "string":  # Django: include("app.urls")
            return text_of(node, self._builder), self._router
        imported = imported_from(self._builder, self._origins, one.scope, node) if self._router != "" else None
        if not self._router or imported is None:
            return imported
        module, name = imported  # Django: `from app import urls`, include(urls)
        return f"{module}{'' if module.endswith('.') else '.'}{name}", self._router

    # --- prefixes

    def _prefixes(self, one: Candidate, depth: int = 0) -> Iterator[tuple[str, str]]:
        """Yield the prefixes of a call's path: of the call that mounts it where it stands, or of its variable.

        With each comes the router that holds all others, as in Detail.
        """
        outer, variable = self._holder(one)
        if outer is not None:
            yield from self._below(*outer, "", depth)
        elif depth or variable is None:
            yield from self._above(variable, depth)
        else:
            key = variable.scope, variable.name
            if key not in self._known:
                self._known[key] = list(dict.fromkeys(islice(self._above(variable, 0), MOST_PREFIXES)))
            yield from self._known[key]

    def _holder(self, one: Candidate) -> tuple[tuple[Candidate, str] | None, Binding | None]:
        """Return the call around a function's call that mounts it, or the variable of the router, or of the list."""
        if not self._call(one).is_function:
            resource = self._resource(one)
            called_on = resource.receiver if resource is not None else self._called_on(one)
            return None, self._row(one.scope if resource is None else resource.scope, called_on)
        here = one.node.parent
        while here is not None and here.type not in _ENDS:
            outer = self._mounting.get(here.byte_range) if here.type == "call" else None
            if outer is not None:
                return outer, None
            here = here.parent
        left = here.child_by_field_name("left") if here is not None else None
        return None, self._row(one.scope, expression(left, self._builder)) if left is not None else None

    def _row(self, scope: int, value: Expression | None) -> Binding | None:
        """Return the variable of an application, also by the part of it that has its methods, or of a list."""
        if self._part and value is not None and last_name(value) == self._part:
            value = receiver(value) or value
        return self._origins.row(scope, value) if type(value) is str else None

    def _above(self, variable: Binding | None, depth: int) -> Iterator[tuple[str, str]]:
        """Yield the prefixes of a variable with a router or routes."""
        if variable is None or depth >= _DEEPEST:
            yield self._root, self._router or ""
            return
        maker = self._by_site.get(site_of(self._origins.value(variable))) if self._family.making else None
        named = keyword(maker, self._family.making.get(maker.verb, "prefix"), self._builder) if maker else None
        own = text_of(named, self._builder)
        holders = self._holders.get((variable.scope, variable.name), ())
        if not holders:
            yield self._root + own, self._exported(variable) if self._router is None else self._router
        for outer, prefix in holders:
            yield from self._below(outer, prefix, own, depth + 1)

    def _below(self, outer: Candidate, prefix: str, own: str, depth: int) -> Iterator[tuple[str, str]]:
        """Yield the prefixes of what a call mounts; `own` is the prefix that a router was made with."""
        mount = self._mount_of(outer)
        parts = [prefix or own] if mount.replaces else [prefix, own]
        for above, router in self._prefixes(outer, depth):
            yield (concatenated(above, *parts) if mount.prefix is not None else above), router

    def _exported(self, row: Binding) -> str:
        """Return the variable of the module that a binding is, as other files name its router; else empty."""
        if row.kind is Bindings.IMPORT and row.scope == 0:
            self._borrowed[row.name] = self._builder.imports[row.target]
            return row.name
        return row.name if row.scope == 0 and row.kind is Bindings.SYMBOL else ""

    # --- endpoints

    def _register(self, one: Candidate) -> None:
        """Add `@app.get("/x")`, `app.add_url_rule("/x", view_func=view)`, `Route("/x", view)`."""
        framework, target, resource = self._call(one).framework, decorated(one.node), self._resource(one)
        if framework is None and resource is None:
            return
        framework = framework or self._family.frameworks[0]
        route = framework.routes.get(one.verb) or self._family.routes[one.verb]
        path, view = argument(one, *route.path, self._builder) or keyword(one, "path", self._builder), None
        if target is None and route.handler is not None:
            view = argument(one, *route.handler, self._builder)
        if resource is not None:  # the path was given before: the arguments behind it come one place earlier
            path = argument(resource, *self._family.resources[resource.verb], self._builder)
            view = argument(one, *route.path, self._builder)
        # FastAPI takes `router.add_api_route("b", view)`; a decorator's path tells it from another one of its name.
        is_added = route.handler is not None and not route.is_placed
        if path is None or (target or view) is None:
            return
        if not (self._root or is_added or is_path(path, self._builder)):
            return
        name = target.child_by_field_name("name") if target is not None else None
        handler = handler_of(view, self._builder) if view is not None else None
        if name is not None:
            handler = self._builder.text(name)
        where = place(self._builder, one.node, target or one.node, one.scope)
        uses = self._answers(one, route, handler)
        for prefix, router in islice(self._prefixes(one), MOST_PREFIXES):
            whole = concatenated(prefix, self._text(one, path))
            for method, use in uses:
                register(self._builder, framework.name, [method], whole, where, [use], router)

    def _resource(self, one: Candidate) -> Candidate | None:
        """Return the call that made the object of a path: `app.router.add_resource("/x")` before `.add_route(…)`."""
        if not self._family.resources:
            return None
        row = self._origins.row(one.scope, one.receiver_name)
        resource = self._by_site.get(site_of(self._origins.value(row) if row is not None else one.receiver))
        return resource if resource is not None and resource.verb in self._family.resources else None

    def _answers(self, one: Candidate, route: Route, handler: Expression | None) -> list[tuple[str, Expression | None]]:
        """Return the methods of HTTP that a route answers, each with its handler."""
        listed = keyword(one, "methods", self._builder) if route.methods == LISTED else None
        is_class = handler is not None and (route.methods == ANY or last_name(handler)[:1].isupper())
        if handler is not None and route.has_classes and is_class and listed is None:
            return list(handled(self._builder, self._origins, one.scope, handler))
        return [(method, handler) for method in dict.fromkeys(self._methods(one, route, listed))]

    def _methods(self, one: Candidate, route: Route, listed: Node | None) -> list[str]:
        if route.methods == FIRST:
            given = [text_of(node, self._builder).upper() for node in positional(one)[:1]]
        elif route.methods != LISTED:
            return [route.methods]
        elif listed is not None:
            given = [text_of(child, self._builder).upper() for child in listed.named_children]
        else:
            is_view = any(b".as_view(" in (node.text or b"") for node in one.arguments())
            return [ANY if is_view else "GET"]
        return [text for text in given if text.isalpha()] or [ANY]

    def _text(self, one: Candidate, node: Node | None) -> str:
        """Return a path as written; a regular expression without its anchors."""
        text, route = text_of(node, self._builder), self._family.routes.get(one.verb)
        return text.removeprefix("^").removesuffix("$") if route is not None and route.is_pattern else text


_UNKNOWN = Framework("by name", {}, {})


def endpoints(builder: Builder, candidates: Sequence[Candidate], families: Sequence[Family]) -> None:
    """Add every endpoint among the candidates, with the prefixes that this file gives it."""
    roots = {entry.module.partition(".")[0] for entry in builder.imports} if candidates else set()
    origins: Origins | None = None
    for family in families if candidates else ():
        imported = next((framework for framework in family.frameworks if framework.name in roots), None)
        if (
            imported is not None
            or any(one.verb in family.unsure for one in candidates)
            or (family.has_names and any(_CONVENTIONAL.match(one.receiver_name) for one in candidates))
        ):
            origins = origins or Origins(builder)
            _Reader(builder, origins, candidates, family, imported).read()
