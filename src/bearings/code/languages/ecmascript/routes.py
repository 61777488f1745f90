"""Endpoints of Express, Fastify and Hono, which calls on their objects register. For Next.js see next_routes."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from bearings.code.expressions import Expression, last_name, receiver, site_of
from bearings.code.languages.ecmascript.expressions import expression
from bearings.code.languages.ecmascript.names import FUNCTIONS, literal, string_of, unwrapped
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings
from bearings.code.languages.shared.origins import Origins
from bearings.code.languages.shared.routes import ANY, Candidate, joined, named, place, register
from bearings.code.models import Binding

_METHODS = {
    **{verb: verb.upper() for verb in ("get", "post", "put", "patch", "delete", "head", "options")},
    "del": "DELETE",
    "all": ANY,
}
_MOUNTS = frozenset({"use", "route", "register"})
CANDIDATES = frozenset({*_METHODS, *_MOUNTS, "on", "basePath"})
"""The last part of the callee of every call that may register an endpoint or mount a router."""

_CHAINED = r"(?:\.\w+\(\))*"
_FRAMEWORKS = {
    "express": re.compile(
        r"(?:\.{1,2}/(?:.*/)?)?express(?:\.default)?(?:\.(?:Router|Express|Application|IRouter))?\(\)" + _CHAINED
    ),
    "fastify": re.compile(r"fastify(?:\.(?:default|fastify|FastifyInstance))?\(\)" + _CHAINED),
    "hono": re.compile(r"(?:hono|hono/\w+|@hono/zod-openapi)\.(?:Hono|OpenAPIHono)\(\)" + _CHAINED),
}
_PACKAGES = re.compile(r"^(?:\.{1,2}/(?:.*/)?)?(express|fastify|hono)(?:/|$)|^@(fastify|hono)/")
_CONVENTIONAL = re.compile(r"^(?:app|router|api|fastify|\w+(?:Router|App|Api))$")
"""Names of parameters and imports that are taken for a router if a call on them looks like a registration."""
_INSTANCE = frozenset({"server", "instance"})
"""More such names, for files that import a framework."""

_WRAPPER = re.compile(r"(?i)(?:wrap|async|catch|try|safe|protect|guard|handler)\w*$")
"""Functions that wrap the handler that is passed to them; other functions are taken to create a handler."""

_DEEPEST = 5
_LONGEST_CHAIN = 200


def endpoints(builder: Builder, candidates: list[Candidate]) -> None:
    """Add every endpoint among the candidates, with the prefixes under which this file mounts its routers."""
    found = [match for entry in builder.imports if (match := _PACKAGES.match(entry.module))] if candidates else []
    imported = next((match[1] or match[2] for match in found), "")
    if imported or any(_CONVENTIONAL.match(one.receiver_name) for one in candidates):
        _Reader(builder, candidates, imported).read()


class _Reader:
    """Reads the endpoints of one file; `imported` is the framework that it imports, or empty."""

    def __init__(self, builder: Builder, candidates: list[Candidate], imported: str) -> None:
        self._builder = builder
        self._origins = Origins(builder)
        self._candidates = sorted(candidates, key=lambda one: _verb_of(one.node).start_byte)
        self._by_site = {builder.site_at[one.node.byte_range]: one for one in candidates}
        self._mounts: dict[tuple[int, str], list[tuple[Candidate, str]]] = {}
        self._named = self._chains()
        self._imported = imported

    def read(self) -> None:
        known = [(one, framework) for one in self._candidates if (framework := self._framework(one))]
        for one, framework in known:
            self._mount(one, framework)
        for one, framework in known:
            if one.verb in _METHODS:
                self._verb(one, framework)
            elif one.verb == "on" and framework == "hono":
                self._on(one)
            elif one.verb == "route" and framework == "fastify":
                self._described(one)

    def _framework(self, one: Candidate) -> str:
        """Return the framework of the object on which a call is made; empty if it isn't known."""
        origin = self._origins.of(one.scope, one.receiver)
        for framework, pattern in _FRAMEWORKS.items():
            if origin.name and pattern.fullmatch(origin.name):
                return framework
        name = one.receiver_name
        is_conventional = _CONVENTIONAL.match(name) or (name in _INSTANCE and self._imported)
        if is_conventional and self._is_elsewhere(one):
            return self._imported or ("fastify" if name == "fastify" else "express")
        return ""

    def _is_elsewhere(self, one: Candidate) -> bool:
        """Whether a call with a path and a handler is made on an untyped parameter or on an import from the project."""
        row = self._origins.row(one.scope, one.receiver_name)
        if row is None or row.type:
            return False
        if row.kind is Bindings.IMPORT and not self._builder.imports[row.target].module.startswith(
            (".", "@/", "~", "#")
        ):
            return False
        if row.kind not in (Bindings.IMPORT, Bindings.PARAMETER) or one.verb not in _METHODS:
            return False
        given = one.arguments()
        is_path = len(given) > 1 and string_of(given[0], self._builder).startswith(("/", "*"))
        return is_path and _handles(given[-1])

    # --- prefixes

    def _mount(self, one: Candidate, framework: str) -> None:
        given = one.arguments()
        if one.verb == "use" and framework == "express":
            prefix = self._text(given[0]) if given and given[0].type in ("string", "template_string") else ""
            for argument in given:
                self._mounted(one, argument, prefix)
        elif one.verb == "route" and framework == "hono" and len(given) == 2:
            self._mounted(one, given[1], self._text(given[0]))
        elif one.verb == "register" and framework == "fastify" and given:
            options = given[1] if len(given) > 1 else None
            self._plugin(one, given[0], self._text(_value(options, "prefix", self._builder)))

    def _mounted(self, one: Candidate, argument: Node, prefix: str) -> None:
        row = self._origins.row(one.scope, self._builder.text(argument)) if argument.type == "identifier" else None
        if row is not None:
            self._mounts.setdefault(_key(row), []).append((one, prefix))

    def _plugin(self, one: Candidate, plugin: Node, prefix: str) -> None:
        """Mount a plugin: its first parameter is the instance on which it is registered."""
        builder, row = self._builder, None
        if plugin.type in FUNCTIONS:
            row = self._first_parameter(plugin)
        elif plugin.type == "identifier":
            declared = self._origins.row(one.scope, builder.text(plugin))
            inner = builder.drafts[declared.target].inner if declared and declared.kind is Bindings.SYMBOL else -1
            row = next((row for row in builder.bindings if row.scope == inner and row.kind is Bindings.PARAMETER), None)
        if row is not None:
            self._mounts.setdefault(_key(row), []).append((one, prefix))

    def _first_parameter(self, function: Node) -> Binding | None:
        parameters = function.child_by_field_name("parameters")
        first = parameters.named_children[0] if parameters is not None and parameters.named_child_count else None
        first = function.child_by_field_name("parameter") or first
        name = first.child_by_field_name("pattern") or first if first is not None else None
        if name is None:
            return None
        line, text = self._builder.line(name), self._builder.text(name)
        fits = (row for row in self._builder.bindings if row.line == line and row.name == text)
        return next((row for row in fits if row.kind is Bindings.PARAMETER), None)

    def _prefixes(self, one: Candidate, depth: int = 0) -> list[str]:
        """Return all prefixes of a call's path: those of its router's mounts, then its chain (`basePath`, `route`)."""
        own: list[str] = []
        row: Binding | None = None
        called_on, scope = one.receiver, one.scope
        for _ in range(_LONGEST_CHAIN):
            number = site_of(called_on)
            if number < 0:
                row = self._origins.row(scope, called_on) if type(called_on) is str else None
                number = site_of(self._value_of(row))
            before = self._by_site.get(number)
            if before is None:
                row = row or self._named.get(number)
                break
            if before.verb in ("basePath", "route") and len(before.arguments()) == 1:
                own.insert(0, self._text(before.arguments()[0]))
            called_on, scope, row = before.receiver, before.scope, None
        path = joined(*own) if own else ""
        mounts = self._mounts.get(_key(row), []) if row is not None and depth < _DEEPEST else []
        above = [(outer, prefix) for mount, prefix in mounts for outer in self._prefixes(mount, depth + 1)]
        return [joined(outer, prefix, path) for outer, prefix in above] or [path]

    def _value_of(self, row: Binding | None) -> Expression | None:
        if row is not None and row.kind is Bindings.SYMBOL:
            return self._builder.drafts[row.target].value
        return row.value if row is not None else None

    def _chains(self) -> dict[int, Binding]:
        """Map the first call site of each chain of calls to the variable that holds the chain's result."""
        found: dict[int, Binding] = {}
        for row in self._builder.bindings:
            number = site_of(self._value_of(row))
            while (link := self._by_site.get(number)) is not None:
                number = site_of(link.receiver)
            if number >= 0:
                found.setdefault(number, row)
        return found

    # --- endpoints

    def _verb(self, one: Candidate, framework: str) -> None:
        """Add `app.get("/x", …)` and `router.route("/x").get(…)`."""
        given = one.arguments()
        before = self._by_site.get(site_of(one.receiver))
        chained = before is not None and self._has_path(before)
        paths = [""] if chained else list(self._paths(given[0])) if len(given) > 1 else []
        handlers = given if chained else given[1:]
        if not paths or not handlers or not any(_handles(argument) for argument in handlers):
            return
        for path in paths:
            self._register(one, framework, [_METHODS[one.verb]], path, handlers)

    def _has_path(self, one: Candidate) -> bool:
        """Whether chained calls use the path of this call: Express's `route("/x")` and the calls chained to it."""
        if one.verb == "route":
            return len(one.arguments()) == 1
        before = self._by_site.get(site_of(one.receiver))
        return before is not None and one.verb in _METHODS and self._has_path(before)

    def _on(self, one: Candidate) -> None:
        """Add Hono's `app.on(["GET", "POST"], "/x", …)`."""
        given = one.arguments()
        if len(given) > 2:
            methods = [method.upper() for method in self._paths(given[0])]
            for path in self._paths(given[1]):
                self._register(one, "hono", methods, path, given[2:])

    def _described(self, one: Candidate) -> None:
        """Add Fastify's `route({ method, url, handler })`."""
        given = one.arguments()
        description = given[0] if given and given[0].type == "object" else None
        url = _value(description, "url", self._builder) or _value(description, "path", self._builder)
        method, handler = (_value(description, key, self._builder) for key in ("method", "handler"))
        if url is not None and method is not None:
            methods = [method.upper() for method in self._paths(method)]
            self._register(one, "fastify", methods, self._text(url), [handler] if handler is not None else [])

    def _register(self, one: Candidate, framework: str, methods: list[str], path: str, handlers: list[Node]) -> None:
        uses = [self._handler(argument) for argument in handlers]
        handler = next(named(uses[-1:]), None)
        uses = [*named(uses[:-1]), handler]
        where = place(self._builder, _verb_of(one.node), one.node, one.scope)
        for prefix in dict.fromkeys(self._prefixes(one)):
            whole = joined(prefix, path) if prefix or path.startswith("/") else path
            register(self._builder, framework, methods, whole, where, uses)

    def _handler(self, node: Node) -> Expression | None:
        """Return the name of a handler; None if it has none.

        The name is the argument itself, the last argument of a wrapper, the function of a `bind`, or the function that
        creates the handler.
        """
        bare = unwrapped(node)
        for _ in range(_DEEPEST):
            if bare is None or bare.type in FUNCTIONS:
                return None
            if bare.type == "array" and bare.named_child_count:
                bare = unwrapped(bare.named_children[-1])
            elif bare.type == "call_expression":
                callee, arguments = bare.child_by_field_name("function"), bare.child_by_field_name("arguments")
                name = expression(callee, self._builder) if callee is not None else None
                if name is not None and last_name(name) == "bind" and (bound := receiver(name)) is not None:
                    return bound
                given = arguments.named_children if arguments is not None else []
                if not given or not (given[-1].type in FUNCTIONS or _WRAPPER.search(last_name(name))):
                    return name
                bare = unwrapped(given[-1])
            else:
                break
        return expression(bare, self._builder) if bare is not None and bare.type in _NAMES else None

    def _paths(self, node: Node) -> Iterator[str]:
        """Yield the text of an argument, or of each element of an array."""
        if node.type == "array":
            yield from (self._text(child) for child in node.named_children)
        else:
            yield self._text(node)

    def _text(self, node: Node | None) -> str:
        """Return a string's content, or another expression in angle brackets, on one line."""
        if node is None:
            return ""
        if node.type == "string":
            return literal(self._builder.text(node)).strip("'\"")
        if node.type == "template_string":
            return self._builder.text(node).strip("`")
        if node.type == "regex":
            return self._builder.text(node)
        return f"<{self._builder.line_of(node)[:60]}>"


_NAMES = frozenset({"identifier", "member_expression"})


def _handles(node: Node) -> bool:
    """Whether an argument may be a handler: a function, a name, a call or a list of these, but no string or options."""
    return node.type in FUNCTIONS or node.type in _NAMES or node.type in ("call_expression", "array", "as_expression")


def _value(node: Node | None, key: str, builder: Builder) -> Node | None:
    """Return the value of a key in an object literal, or the key itself for a shorthand property."""
    for child in node.named_children if node is not None and node.type == "object" else ():
        if child.type == "pair":
            name = child.child_by_field_name("key")
            if name is not None and literal(builder.text(name)) == key:
                return unwrapped(child.child_by_field_name("value"))
        elif child.type == "shorthand_property_identifier" and builder.text(child) == key:
            return child
    return None


def _verb_of(call: Node) -> Node:
    """Return the last name of a call's callee: in a chain of calls, its line is the evidence."""
    callee = call.child_by_field_name("function")
    return (callee.child_by_field_name("property") if callee is not None else None) or call


def _key(row: Binding) -> tuple[int, str]:
    return row.scope, row.name
