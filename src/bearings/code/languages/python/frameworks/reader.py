"""Reads the endpoints of declared frameworks: of each route its methods, its handler and the prefixes of its mounts.

    users = APIRouter(prefix="/users")           # a call of a router class
    app.include_router(users, prefix="/api")     # a mount
    @users.get("/{id}")                          # a route: GET /api/users/{id}

A `Candidate` is a call; `verb` is the last part of its callee, such as `get`.
"""

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
    own_module,
    positional,
    text_of,
)
from bearings.code.languages.python.frameworks.classes import handled
from bearings.code.languages.python.frameworks.declaration import FIRST, LISTED, Framework, Mount, Route
from bearings.code.languages.python.names import NAMES, expression
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings
from bearings.code.languages.shared.loops import Loops
from bearings.code.languages.shared.nodes import above, innermost
from bearings.code.languages.shared.origins import Origins
from bearings.code.languages.shared.routes import ANY, MOST_PREFIXES, Candidate, place, register

_CONVENTIONAL = re.compile(r"^(?:app|application|api|bp|blueprint|router|\w+_(?:app|api|bp|blueprint|router))$")
"""Names that are taken for an imported router if they decorate a function with a path."""
_ROUTER_CLASS = re.compile(r"(?:Router|Blueprint|API|App|FastAPI|Flask)\(\)$")
"""Classes whose instances are taken for routers under one of these names, wherever the class comes from."""
_ENDS = frozenset({"module", "assignment", "augmented_assignment", "block"})
"""The nodes that end the search for a call around another one."""
_DEEPEST = 5
_MOST_LISTS = 500
"""The most lists of routers' routes that are looked at in a file."""
_UNKNOWN = Framework("by name", {}, {})
"""The framework of a router that is known by its name alone, in a file that imports no framework."""


class Prefix(NamedTuple):
    """A prefix of paths, and the router that holds all others, as in Detail."""

    path: str
    router: str


class Family:
    """Frameworks that are read together, because their routers have the same methods and names.

    In a family that `has_names`, a router may be known by its name alone. It belongs to the first framework that the
    file imports. If several frameworks have a call of one name, the first framework's declaration is taken.
    """

    def __init__(self, *frameworks: Framework, has_names: bool = False) -> None:
        self.frameworks = frameworks
        self.has_names = has_names
        last_to_first = frameworks[::-1]
        self.routes = {verb: route for framework in last_to_first for verb, route in framework.routes.items()}
        self.mounts = {verb: mount for framework in last_to_first for verb, mount in framework.mounts.items()}
        self.router_classes = {
            name: prefix for framework in last_to_first for name, prefix in framework.router_classes.items()
        }
        self.resources = {verb: path for framework in last_to_first for verb, path in framework.resources.items()}
        self.on_any_object = frozenset(verb for verb, route in self.routes.items() if route.on)
        """Routes that count on an object with the right name, wherever it comes from."""
        self.decorators = frozenset(verb for verb, route in self.routes.items() if route.is_placed)
        """Calls that may register an endpoint as a decorator, or in a list."""
        self.calls = frozenset({*self.routes, *self.mounts, *self.router_classes, *self.resources}) - self.decorators
        """All other calls that may be part of a registration."""


class _DeclaredCall(NamedTuple):
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
        self._router_attribute = family.frameworks[0].router_attribute
        self._imported = imported
        self._loops = Loops(builder)
        self._by_site = {builder.site_at[call.node.byte_range]: call for call in candidates}
        self._declared_calls: dict[tuple[int, int], _DeclaredCall] = {}
        self._mounts_by_span: dict[tuple[int, int], tuple[Candidate, str]] = {}
        """The span of a call that mounts something → the call and its prefix."""
        self._mounts_by_variable: dict[tuple[int, str], list[tuple[Candidate, str]]] = {}
        """A variable → the calls that mount it, and their prefixes."""
        self._prefixes_by_variable: dict[tuple[int, str], list[Prefix]] = {}
        """A variable → its first prefixes."""
        self._mounts_elsewhere: list[tuple[Candidate, tuple[str, str], str]] = []
        """The calls that mount routers of other files: module and name of the router, and its prefix."""
        self._imported_routers: dict[str, Import] = {}
        """The routers of other files to which this one adds endpoints, by the names that it imports."""

    def read(self) -> None:
        for call in self._candidates:
            if call.verb in self._family.mounts:
                for unrolled_call in self._turns(call):
                    self._mount(unrolled_call)
        if self._family.frameworks[0].routes_attribute:
            self._mount_lists(self._family.frameworks[0])
        for call in self._candidates:
            if call.verb in self._family.routes and call.node.byte_range not in self._mounts_by_span:
                for unrolled_call in self._turns(call):
                    self._register(unrolled_call)
        for name, entry in self._imported_routers.items():
            by = self._imported.name if self._imported is not None else ""
            self._builder.mounts.append(Mounted(by, "", name, entry.module, entry.name, is_inside=True))
        for call, (module, name), path in self._mounts_elsewhere:
            framework, line = self._declared_call(call).framework, self._builder.line(call.node)
            if framework is None:
                continue
            for prefix, router in islice(self._prefixes(call), MOST_PREFIXES):
                full_path = concatenated(prefix, path)
                self._builder.mounts.append(Mounted(framework.name, full_path, router, module, name, line=line))

    def _turns(self, call: Candidate) -> Iterator[Candidate]:
        """Yield a call of a method for each turn of a loop around it."""
        may_repeat = decorated(call.node) is None and not self._declared_call(call).is_function
        return self._loops.turns(call) if may_repeat else iter((call,))

    def _declared_call(self, call: Candidate) -> _DeclaredCall:
        declared = self._declared_calls.get(call.node.byte_range)
        if declared is None:
            declared = self._declared_calls[call.node.byte_range] = self._read_call(call)
        return declared

    def _read_call(self, call: Candidate) -> _DeclaredCall:
        origin = self._origins.of(call.scope, self._called_on(call)).name
        for framework in self._family.frameworks:
            functions = framework.functions
            if functions is not None and functions.fullmatch(self._origins.of(call.scope, call.callee).name):
                return _DeclaredCall(framework, True)
            if framework.router_origin is not None and framework.router_origin.fullmatch(origin):
                return _DeclaredCall(framework, False)
        route = self._family.routes.get(call.verb)
        if route is not None and route.on and last_name(self._called_on(call)) == route.on:
            return _DeclaredCall(self._family.frameworks[0], False)
        return _DeclaredCall(self._by_name(call, origin) if self._family.has_names else None, False)

    def _by_name(self, call: Candidate, origin: str) -> Framework | None:
        binding = self._origins.row(call.scope, call.receiver_name)
        if binding is None or not _CONVENTIONAL.match(call.receiver_name):
            return None
        if binding.kind is not Bindings.IMPORT and not _ROUTER_CLASS.search(origin):
            return None
        return self._imported or _UNKNOWN

    def _called_on(self, call: Candidate) -> Expression | None:
        """Return the object on which a method is called, also under a name: `add_route = app.router.add_route`."""
        binding = self._origins.row(call.scope, call.verb) if call.receiver is None else None
        value = self._origins.value(binding)
        return receiver(value) if value is not None and last_name(value) == call.verb else call.receiver

    # --- mounts

    def _mount(self, call: Candidate) -> None:
        """Record what a call mounts: `app.include_router(users.router, prefix="/users")`."""
        framework, mount = self._declared_call(call).framework, self._mount_of(call)
        if framework is None and not mount.on_any:
            return
        mounted = self._mounted(call, mount)
        if mounted is None:
            return
        prefix = self._text(call, argument(call, *mount.prefix, self._builder)) if mount.prefix is not None else ""
        self._mounts_by_span[call.node.byte_range] = call, prefix
        for node in mounted:
            binding = self._binding(call.scope, expression(node, self._builder)) if node.type in NAMES else None
            if binding is not None:
                self._mounts_by_variable.setdefault((binding.scope, binding.name), []).append((call, prefix))
            router_elsewhere = self._router_elsewhere(call, node)
            if router_elsewhere is not None:
                self._mounts_elsewhere.append((call, router_elsewhere, prefix))

    def _mount_lists(self, framework: Framework) -> None:
        """Record where routers' routes are: `include(router.urls)`, `*router.urls`, `urlpatterns = router.urls`."""
        builder, first = self._builder, self._candidates[0].node
        *_, root = (first, *above(first))
        pattern = rb"(?<![\w.])([^\W\d][\w.]*)\." + framework.routes_attribute.encode() + rb"\b"
        for match in islice(re.finditer(pattern, builder.source), _MOST_LISTS):
            node = innermost(root, *match.span(1))
            if node.type not in NAMES:
                continue
            named = imported_from(builder, self._origins, 0, node)
            if named is None and self._origins.of(0, expression(node, builder)).name.endswith("Router()"):
                named = own_module(builder), builder.text(node)
            if named is not None and not named[0].startswith("django."):
                self._declared_calls[node.byte_range] = _DeclaredCall(framework, True)
                for prefix, router in islice(self._prefixes(Candidate(node, "", 0)), MOST_PREFIXES):
                    self._builder.mounts.append(
                        Mounted(framework.name, prefix, router, *named, line=builder.line(node))
                    )

    def _mount_of(self, call: Candidate) -> Mount:
        framework = self._declared_call(call).framework
        own = framework.mounts.get(call.verb) if framework is not None else None
        return own or self._family.mounts[call.verb]

    def _mounted(self, call: Candidate, mount: Mount) -> Sequence[Node] | None:
        """Return the arguments that a call mounts; None if it mounts nothing."""
        named = [argument(call, *place, self._builder) for place in mount.routers]
        arguments = [node for node in named if node is not None] if mount.routers else positional(call)
        if mount.find_routers is None:
            return arguments
        return mount.find_routers(arguments[0], self._builder) if arguments else None

    def _router_elsewhere(self, call: Candidate, node: Node) -> tuple[str, str] | None:
        """Return the module and the name of a router in another file; None for other names."""
        if self._router == "":  # mounts in other files are not followed
            return None
        if self._router and node.type == "string":  # Django: include("app.urls")
            return text_of(node, self._builder), self._router
        imported = imported_from(self._builder, self._origins, call.scope, node)
        if self._router is None or imported is None:
            return imported
        module, name = imported  # Django: `from app import urls`, include(urls)
        return f"{module}{'' if module.endswith('.') else '.'}{name}", self._router

    # --- prefixes
    #
    # A prefix is found from the route outwards, through the mounts of its router:
    #
    #     app.include_router(api, prefix="/api")        app is mounted nowhere: "", and "/api" below this mount
    #     api.include_router(users, prefix="/users")    api is mounted above: "/api", and "/api/users" below this mount
    #     @users.get("/{id}")                           users is mounted above: "/api/users"

    def _prefixes(self, call: Candidate, depth: int = 0) -> Iterator[Prefix]:
        """Yield the prefixes of a call's path: of the call that mounts it where it stands, or of its variable.

        Only those of depth 0 are cached: the search at a greater depth stops earlier, at _DEEPEST.
        """
        outer, variable = self._mount_or_variable(call)
        if outer is not None:
            yield from self._prefixes_below_mount(*outer, "", depth)
        elif depth or variable is None:
            yield from self._prefixes_of_variable(variable, depth)
        else:
            key = variable.scope, variable.name
            if key not in self._prefixes_by_variable:
                self._prefixes_by_variable[key] = list(
                    dict.fromkeys(islice(self._prefixes_of_variable(variable, 0), MOST_PREFIXES))
                )
            yield from self._prefixes_by_variable[key]

    def _mount_or_variable(self, call: Candidate) -> tuple[tuple[Candidate, str] | None, Binding | None]:
        """Return the call around a function's call that mounts it, or the variable of the router, or of the list."""
        if not self._declared_call(call).is_function:
            resource = self._resource(call)
            called_on = resource.receiver if resource is not None else self._called_on(call)
            return None, self._binding(call.scope if resource is None else resource.scope, called_on)
        for node in above(call.node):
            if node.type in _ENDS:
                name = node.child_by_field_name("left")
                return None, self._binding(call.scope, expression(name, self._builder)) if name is not None else None
            outer = self._mounts_by_span.get(node.byte_range) if node.type == "call" else None
            if outer is not None:
                return outer, None
        return None, None

    def _binding(self, scope: int, value: Expression | None) -> Binding | None:
        """Return the variable of an application or of a list of routes: `app` of `app` and of `app.router`."""
        if self._router_attribute and value is not None and last_name(value) == self._router_attribute:
            value = receiver(value) or value
        return self._origins.row(scope, value) if type(value) is str else None

    def _prefixes_of_variable(self, variable: Binding | None, depth: int) -> Iterator[Prefix]:
        """Yield the prefixes of a variable with a router or routes."""
        if variable is None or depth >= _DEEPEST:
            yield Prefix(self._root, self._router or "")
            return
        router_call = self._by_site.get(site_of(self._origins.value(variable))) if self._family.router_classes else None
        named = (
            keyword(router_call, self._family.router_classes.get(router_call.verb, "prefix"), self._builder)
            if router_call
            else None
        )
        own = text_of(named, self._builder)
        mounting_calls = self._mounts_by_variable.get((variable.scope, variable.name), ())
        if not mounting_calls:
            router = self._export_router(variable) if self._router is None else self._router
            yield Prefix(self._root + own, router)
        for outer, prefix in mounting_calls:
            yield from self._prefixes_below_mount(outer, prefix, own, depth + 1)

    def _prefixes_below_mount(self, outer: Candidate, prefix: str, own: str, depth: int) -> Iterator[Prefix]:
        """Yield the prefixes of what a call mounts; `own` is the prefix that a router was made with."""
        mount = self._mount_of(outer)
        parts = [prefix or own] if mount.replaces else [prefix, own]
        for outside, router in self._prefixes(outer, depth):
            yield Prefix(concatenated(outside, *parts) if mount.prefix is not None else outside, router)

    def _export_router(self, binding: Binding) -> str:
        """Return a module's variable, by which other files mount its router; empty for other variables.

        Records an imported router as one to which this file adds endpoints.
        """
        if binding.kind is Bindings.IMPORT and binding.scope == 0:
            self._imported_routers[binding.name] = self._builder.imports[binding.target]
            return binding.name
        return binding.name if binding.scope == 0 and binding.kind is Bindings.SYMBOL else ""

    # --- endpoints

    def _register(self, call: Candidate) -> None:
        """Add `@app.get("/x")`, `app.add_url_rule("/x", view_func=view)`, `Route("/x", view)`."""
        framework, target, resource = self._declared_call(call).framework, decorated(call.node), self._resource(call)
        if framework is None and resource is None:
            return
        framework = framework or self._family.frameworks[0]
        route = framework.routes.get(call.verb) or self._family.routes[call.verb]
        path, view = self._path_and_view(call, route, resource)
        # FastAPI takes `router.add_api_route("b", view)`. A decorator needs a path with a slash, `@router.get("/b")`,
        # because other decorators have its name.
        needs_slash = not self._root and (route.handler is None or route.is_placed)
        if path is None or (target or view) is None or (needs_slash and not is_path(path, self._builder)):
            return
        name = target.child_by_field_name("name") if target is not None else None
        handler = handler_of(view, self._builder) if view is not None else None
        if name is not None:
            handler = self._builder.text(name)
        where = place(self._builder, call.node, target or call.node, call.scope)
        if self._root:  # with the name of the URL, on whatever line it is
            where = where._replace(text=self._builder.line_of(call.node))
        uses = self._methods_with_handlers(call, route, handler)
        for prefix, router in islice(self._prefixes(call), MOST_PREFIXES):
            full_path = concatenated(prefix, self._text(call, path))
            for method, use in uses:
                register(self._builder, framework.name, [method], full_path, where, [use], router)

    def _path_and_view(
        self, call: Candidate, route: Route, resource: Candidate | None
    ) -> tuple[Node | None, Node | None]:
        """Return the arguments with the path and the handler of a route; the handler of a decorator is None."""
        if resource is not None:  # the path was given before: the arguments behind it come one place earlier
            path = argument(resource, *self._family.resources[resource.verb], self._builder)
            return path, argument(call, *route.path, self._builder)
        path = argument(call, *route.path, self._builder) or keyword(call, "path", self._builder)
        if route.handler is None or decorated(call.node) is not None:
            return path, None
        return path, argument(call, *route.handler, self._builder)

    def _resource(self, call: Candidate) -> Candidate | None:
        """Return the call that made the object of a path: `app.router.add_resource("/x")` before `.add_route(…)`."""
        if not self._family.resources:
            return None
        binding = self._origins.row(call.scope, call.receiver_name)
        resource = self._by_site.get(site_of(self._origins.value(binding) if binding is not None else call.receiver))
        return resource if resource is not None and resource.verb in self._family.resources else None

    def _methods_with_handlers(
        self, call: Candidate, route: Route, handler: Expression | None
    ) -> list[tuple[str, Expression | None]]:
        """Return the methods of HTTP that a route answers, each with its handler."""
        listed = keyword(call, "methods", self._builder) if route.methods == LISTED else None
        is_class = handler is not None and (route.methods == ANY or last_name(handler)[:1].isupper())
        if handler is not None and route.has_classes and is_class and listed is None:
            return list(handled(self._builder, self._origins, call.scope, handler))
        return [(method, handler) for method in dict.fromkeys(self._methods(call, route, listed))]

    def _methods(self, call: Candidate, route: Route, listed: Node | None) -> list[str]:
        if route.methods == FIRST:
            methods = [text_of(node, self._builder).upper() for node in positional(call)[:1]]
        elif route.methods != LISTED:
            return [route.methods]
        elif listed is not None:
            methods = [text_of(child, self._builder).upper() for child in listed.named_children]
        else:
            is_view = any(b".as_view(" in (node.text or b"") for node in call.arguments())
            return [ANY if is_view else "GET"]
        return [method for method in methods if method.isalpha()] or [ANY]

    def _text(self, call: Candidate, node: Node | None) -> str:
        """Return a path as written; a regular expression without its anchors."""
        text, route = text_of(node, self._builder), self._family.routes.get(call.verb)
        return text.removeprefix("^").removesuffix("$") if route is not None and route.is_pattern else text


def endpoints(builder: Builder, candidates: Sequence[Candidate], families: Sequence[Family]) -> None:
    """Add every endpoint among the candidates, with the prefixes that this file gives it."""
    roots = {entry.module.partition(".")[0] for entry in builder.imports} - {""} if candidates else set()
    origins: Origins | None = None
    for family in families if candidates else ():
        frameworks = family.frameworks
        imported = next((one for one in frameworks if one.name in roots or one.routers_of in roots), None)
        if (
            imported is not None
            or any(call.verb in family.on_any_object for call in candidates)
            or (family.has_names and any(_CONVENTIONAL.match(call.receiver_name) for call in candidates))
        ):
            origins = origins or Origins(builder)
            _Reader(builder, origins, candidates, family, imported).read()
