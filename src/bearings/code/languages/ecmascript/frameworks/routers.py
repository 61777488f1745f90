"""Endpoints of frameworks with routers: `router.get("/x", handler)`, with the prefixes under which they are mounted.

Each framework of this family is a `RouterFramework` (router_framework.py) in a module of its own. `MountedRouters`
(mounted_routers.py) knows the router on which a call is made, and its prefixes. A `Candidate` is a call: in
`api.users.get("/x", show)`, the `verb` is `get` and the `receiver` is `api.users`. Mounts are recorded for all calls
first, because an endpoint's path needs them all.
"""

import re
from collections.abc import Sequence

from tree_sitter import Node

from bearings.code.expressions import Result
from bearings.code.framework_facts import Mount
from bearings.code.languages.ecmascript.frameworks.arguments import (
    OWN_MODULES,
    handler_of,
    may_handle,
    property_of,
    text_of,
    texts_of,
    verb_of,
)
from bearings.code.languages.ecmascript.frameworks.mounted_routers import CHAIN_PREFIXES, MountedRouters
from bearings.code.languages.ecmascript.frameworks.router_framework import (
    VERBS,
    Registration,
    RouterFramework,
    leading_string,
)
from bearings.code.languages.ecmascript.names import string_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings
from bearings.code.languages.shared.loops import Loops
from bearings.code.languages.shared.routes import ANY, Candidate, joined, named, place, register

_CONVENTIONAL = re.compile(r"^(?:app|router|api|fastify|\w+(?:Router|App|Api))$")
"""Names of parameters and imports that are taken for a router if a call on them looks like a registration."""
_CONVENTIONAL_IF_IMPORTED = frozenset({"server", "instance"})
"""More such names, for files that import a framework."""
_USE = "use"
"""Express's and Koa's method that mounts."""
_USES_OF_RESULT = frozenset({"await_expression", "return_statement", "variable_declarator", "assignment_expression"})
"""Nodes that use the result of a call. Code uses the result of a client's call, not of a registration."""
_CHAINABLE = VERBS.keys() | {_USE, "name"}
_STRINGS = frozenset({"string", "template_string"})
_FEWEST_ARGUMENTS = 3
"""The fewest arguments of a Registration: methods, a path and a handler."""


def candidates_of(frameworks: Sequence[RouterFramework]) -> frozenset[str]:
    """Return the last part of the callee of every call that may register an endpoint or mount a router."""
    names = ({*one.mounting, *one.registering, *one.verbs, one.prefixing} - {""} for one in frameworks)
    return frozenset(VERBS).union(CHAIN_PREFIXES, *names)


class _Reader:
    """Reads the endpoints of one file. `frameworks` are the known ones; the first is the one of unknown routers.

    `imported` is the one that the file imports, if any.
    """

    def __init__(
        self,
        builder: Builder,
        candidates: Sequence[Candidate],
        other_calls: Sequence[Candidate],
        frameworks: Sequence[RouterFramework],
        imported: RouterFramework | None,
    ) -> None:
        self._builder = builder
        factory_suffixes = tuple({framework.factory_suffix for framework in frameworks})
        factory_calls = [call for call in candidates if call.verb.endswith(factory_suffixes)]
        router_calls = [call for call in candidates if not call.verb.endswith(factory_suffixes)]
        self._other_calls = other_calls
        self._frameworks = frameworks
        self._imported = imported
        chain_calls = other_calls if imported is not None and imported.is_chained else ()
        self._routers = MountedRouters(builder, router_calls, factory_calls, chain_calls)

    def read(self) -> None:
        """Add every endpoint of the file, and the routers that calls hand on."""
        loops = Loops(self._builder)
        unrolled_calls: list[tuple[Candidate, RouterFramework]] = []  # a call in a loop is there once for each turn
        unknown: list[Candidate] = []
        for call in self._routers.router_calls:
            framework = self._framework(call)
            if framework is None:
                unknown.append(call)
                continue
            for unrolled_call in loops.turns(call):
                unrolled_calls.append((unrolled_call, framework))
                self._mount(unrolled_call, framework)
        for unrolled_call, framework in unrolled_calls:
            if (registration := framework.registering.get(unrolled_call.verb)) is not None:
                self._register(unrolled_call, framework, registration)
            elif method := VERBS.get(unrolled_call.verb) or framework.verbs.get(unrolled_call.verb):
                self._verb(unrolled_call, framework, method)
        for call in (*self._other_calls, *unknown):
            self._record_handing_on(call)
        self._add_mounts()

    def _add_mounts(self) -> None:
        """Add the routers of other files to which this one adds endpoints, then those that it mounts."""
        mounts = self._builder.mounts
        for name, entry in self._routers.imported_routers.items():
            mounts.append(Mount(self._frameworks[0].name, "", name, entry.module, entry.name, is_inside=True))
        for call, entry, prefix in self._routers.mounts_elsewhere:
            framework = self._framework(call) or self._frameworks[0]
            for outer, router in self._routers.prefixes(call):
                path_with_prefix, line = joined(outer, prefix), self._builder.line(verb_of(call.node))
                mounts.append(Mount(framework.name, path_with_prefix, router, entry.module, entry.name, line=line))

    def _framework(self, call: Candidate) -> RouterFramework | None:
        """Return the framework of the object on which a call is made; None if it isn't known."""
        origin = self._routers.origins.of(call.scope, call.receiver).name
        for framework in self._frameworks if origin else ():
            if framework.router_origin.fullmatch(origin):
                return framework
        if self._imported is not None and self._imported.is_chained and self._is_chained(call, self._imported):
            return self._imported
        name = call.receiver_name
        named = next((framework for framework in self._frameworks if framework.name == name), None)
        registration = named.registering.get(call.verb) if named is not None else None
        if registration is not None and registration.keys and self._is_parameter(call):  # `fastify.route({ url: … })`
            return named
        is_conventional = _CONVENTIONAL.match(name) or (name in _CONVENTIONAL_IF_IMPORTED and self._imported)
        if is_conventional and self._looks_like_registration(call):
            return self._imported or named or self._frameworks[0]
        return None

    def _is_parameter(self, call: Candidate) -> bool:
        """Whether a call is made on a parameter without a type."""
        row = self._routers.origins.row(call.scope, call.receiver_name)
        return row is not None and row.kind is Bindings.PARAMETER and not row.type

    def _is_chained(self, call: Candidate, framework: RouterFramework) -> bool:
        """Whether the chain of calls before a call starts at a router of a framework, however long it is."""
        _, row, number = self._routers.start(call)
        origin = self._routers.origins.of(call.scope, Result(number)).name if number >= 0 else ""
        return self._routers.is_router_parameter(row) or framework.router_origin.fullmatch(origin) is not None

    def _looks_like_registration(self, call: Candidate) -> bool:
        """Whether a call with a path and a handler is made on an untyped parameter or on an import from the project."""
        row = self._routers.origins.row(call.scope, call.receiver_name)
        if row is None or row.type or (call.verb not in VERBS and call.verb != _USE):
            return False
        # `axios.get("/x", done)`: a client of a package, not a router.
        if row.kind is Bindings.IMPORT and not self._builder.imports[row.target].module.startswith(OWN_MODULES):
            return False
        if row.kind not in (Bindings.IMPORT, Bindings.PARAMETER):
            return False
        arguments = call.arguments()
        is_path = len(arguments) > 1 and string_of(arguments[0], self._builder).startswith(("/", "*"))
        return is_path and may_handle(arguments[-1]) and not _has_used_result(call.node)

    def _mount(self, call: Candidate, framework: RouterFramework) -> None:
        """Record the routers among the arguments of a call, or the prefix that it gives its own."""
        arguments, mounting = call.arguments(), framework.mounting.get(call.verb)
        if mounting is None:
            path = leading_string(arguments, self._builder) if call.verb == framework.prefixing else None
            if path is not None:
                self._routers.set_prefix(call, text_of(path, self._builder))
            return
        path = mounting.prefix(arguments, self._builder) if mounting.prefix is not None else None
        prefix = text_of(path, self._builder)
        for argument in arguments[mounting.routers]:
            if mounting.mount is None:
                self._routers.mount(call, argument, prefix)
            else:
                mounting.mount(self._routers, call, argument, prefix)

    def _record_handing_on(self, call: Candidate) -> None:
        """Record that `users(api)` hands the only router among its arguments on to a function of another file.

        It is recorded as the call `api.use(…)`, which has the prefixes of `api`.
        """
        names = [self._builder.text(node) for node in call.arguments() if node.type == "identifier"]
        uses = [use for name in names if self._holds_routes(use := call._replace(callee=f"{name}.{_USE}"))]
        entry = self._routers.import_of(call.scope, call.callee, from_project=True) if len(uses) == 1 else None
        if entry is not None:
            self._routers.mounts_elsewhere.append((uses[0], entry, ""))

    def _holds_routes(self, call: Candidate) -> bool:
        """Whether a call is made on a router: a known one, or an untyped parameter with a router's name."""
        is_given = self._is_parameter(call)
        return self._framework(call) is not None or (is_given and _CONVENTIONAL.match(call.receiver_name) is not None)

    def _verb(self, call: Candidate, framework: RouterFramework, method: str) -> None:
        """Add `app.get("/x", …)` and `router.route("/x").get(…)`."""
        arguments = call.arguments()
        if len(arguments) > 2 and all(argument.type in _STRINGS for argument in arguments[:2]):
            arguments = arguments[1:]  # in Koa, a route's name may stand before its path
        previous_call = self._routers.previous_call(call)
        chained = previous_call is not None and self._has_path(previous_call)
        paths: Sequence[str] = [""] if chained else []
        if not chained and len(arguments) > 1:
            path = property_of(arguments[0], self._builder, *framework.path_keys) or arguments[0]
            paths, arguments = list(texts_of(path, self._builder)), arguments[1:]
        handlers = arguments[framework.handlers]
        if any(may_handle(argument) for argument in handlers):
            self._add(call, framework, [method], paths, handlers)

    def _has_path(self, call: Candidate) -> bool:
        """Whether chained calls use the path of this call: Express's `route("/x")` and the calls chained to it."""
        if call.verb == "route":
            return len(call.arguments()) == 1
        previous_call = self._routers.previous_call(call)
        return previous_call is not None and call.verb in VERBS and self._has_path(previous_call)

    def _register(self, call: Candidate, framework: RouterFramework, registration: Registration) -> None:
        """Add the endpoints of a call that takes the methods as an argument."""
        arguments: list[Node | None] = list(call.arguments())
        if registration.keys and arguments:
            arguments = [property_of(arguments[0], self._builder, *keys) for keys in registration.keys]
        if len(arguments) < _FEWEST_ARGUMENTS:
            return
        methods, path = arguments[registration.methods], arguments[registration.path]
        handlers = [argument for argument in arguments[registration.handlers] if argument is not None]
        if methods is not None and path is not None:
            verbs = [text.upper() for text in texts_of(methods, self._builder)] or [ANY]
            self._add(call, framework, verbs, list(texts_of(path, self._builder)), handlers)

    def _add(
        self,
        call: Candidate,
        framework: RouterFramework,
        methods: Sequence[str],
        paths: Sequence[str],
        handlers: Sequence[Node],
    ) -> None:
        """Add the endpoints of a call: one for each path and method, and for each prefix of its router."""
        uses = [handler_of(argument, self._builder) for argument in handlers]
        uses = [*named(uses[:-1]), next(named(uses[-1:]), None)]
        where = place(self._builder, verb_of(call.node), call.node, call.scope)
        for path in paths:
            for prefix, router in self._routers.prefixes(call):
                path_with_prefix = joined(prefix, path) if prefix or path.startswith("/") else path
                register(self._builder, framework.name, methods, path_with_prefix, where, uses, router)


def _has_used_result(call: Node) -> bool:
    """Whether the result of a call is awaited, returned, assigned, or followed by a method that routers lack."""
    above = call.parent
    if above is None or above.type != "member_expression":
        return above is not None and above.type in _USES_OF_RESULT
    name = above.child_by_field_name("property")
    return name is not None and (name.text or b"").decode() not in _CHAINABLE


def endpoints(
    builder: Builder,
    candidates: Sequence[Candidate],
    other_calls: Sequence[Candidate],
    frameworks: Sequence[RouterFramework],
) -> None:
    """Add every endpoint among the candidates, with the prefixes under which this file mounts its routers.

    `other_calls` are calls that may hand a router on, or stand in a chain of calls on one.
    """
    imported = _imported(builder, frameworks) if candidates else None
    if imported is not None or any(_CONVENTIONAL.match(call.receiver_name) for call in candidates):
        _Reader(builder, candidates, other_calls, frameworks, imported).read()


def _imported(builder: Builder, frameworks: Sequence[RouterFramework]) -> RouterFramework | None:
    """Return the framework of the first import that belongs to one."""
    modules = (entry.module for entry in builder.imports)
    return next((one for module in modules for one in frameworks if one.package.match(module)), None)
