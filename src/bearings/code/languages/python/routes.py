"""Endpoints of Flask, FastAPI and Django."""

import re

from tree_sitter import Node

from bearings.code.expressions import Expression, last_name, receiver, site_of
from bearings.code.languages.python.names import expression
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings
from bearings.code.languages.shared.origins import Origins
from bearings.code.languages.shared.routes import ANY, Candidate, joined, place, register

_VERBS = frozenset({"get", "post", "put", "patch", "delete", "head", "options", "trace"})
_RULES = frozenset({"add_url_rule", "add_api_route"})
_MOUNTS = {"register_blueprint": "url_prefix", "include_router": "prefix"}
_MAKERS = {"Blueprint": "url_prefix", "APIRouter": "prefix"}
_PATHS = frozenset({"path", "re_path", "url"})
DECORATORS = frozenset({*_VERBS, "route", "api_route", "websocket", "websocket_route"})
CANDIDATES = DECORATORS.union(_RULES, _MOUNTS, _MAKERS, _PATHS)
"""The last part of the callee of every call that may register an endpoint; DECORATORS only if the call decorates."""

_FRAMEWORKS = {
    "flask": re.compile(r"flask(?:\.\w+)?\.(?:Flask|Blueprint)\(\)"),
    "fastapi": re.compile(r"fastapi(?:\.\w+)?\.(?:FastAPI|APIRouter)\(\)"),
}
_DJANGO = re.compile(r"django\.(?:urls|conf\.urls)\.(?:path|re_path|url)")
_CONVENTIONAL = re.compile(r"^(?:app|application|api|bp|blueprint|router|\w+_(?:app|api|bp|blueprint|router))$")
"""Names that are taken for an imported router if they decorate a function with a path."""

_ROUTER_CLASS = re.compile(r"(?:Router|Blueprint|API|App|FastAPI|Flask)\(\)$")
"""Classes whose instances are taken for routers under one of these names, wherever the class comes from."""

_DEEPEST = 5


def is_candidate(name: str) -> bool:
    """Whether a call of a function of this name may register an endpoint."""
    return name in CANDIDATES or name.endswith("Router")


def endpoints(builder: Builder, candidates: list[Candidate]) -> None:
    """Add every endpoint among the candidates, with the prefixes that this file gives it."""
    roots = {entry.module.partition(".")[0] for entry in builder.imports} if candidates else set()
    imported = next((framework for framework in (*_FRAMEWORKS, "django") if framework in roots), "")
    if imported or any(_CONVENTIONAL.match(one.receiver_name) for one in candidates):
        _Reader(builder, candidates, imported).read()


class _Reader:
    """Reads the endpoints of one file; `imported` is the framework that it imports, or empty."""

    def __init__(self, builder: Builder, candidates: list[Candidate], imported: str) -> None:
        self._builder = builder
        self._candidates = candidates
        self._origins = Origins(builder)
        self._by_site = {builder.site_at[one.node.byte_range]: one for one in candidates}
        self._mounts: dict[tuple[int, str], list[tuple[Candidate, str]]] = {}
        self._imported = imported

    def read(self) -> None:
        for one in self._candidates:
            if one.verb in _MOUNTS and self._framework(one):
                self._mount(one)
        for one in self._candidates:
            if one.verb in _PATHS and _DJANGO.fullmatch(self._origins.of(one.scope, one.callee).name):
                self._django(one)
            elif one.verb in DECORATORS and one.receiver is not None:
                self._decorator(one)
            elif one.verb in _RULES:
                self._rule(one)

    def _framework(self, one: Candidate) -> str:
        """Return the framework of the object on which a call is made; empty if it isn't known."""
        origin = self._origins.of(one.scope, one.receiver)
        for framework, pattern in _FRAMEWORKS.items():
            if pattern.fullmatch(origin.name):
                return framework
        row = self._origins.row(one.scope, one.receiver_name)
        if row is None or not _CONVENTIONAL.match(one.receiver_name):
            return ""
        if row.kind is not Bindings.IMPORT and not _ROUTER_CLASS.search(origin.name):
            return ""
        return self._imported if self._imported in _FRAMEWORKS else "by name"

    # --- prefixes

    def _mount(self, one: Candidate) -> None:
        given = self._positional(one)
        row = self._origins.row(one.scope, self._builder.text(given[0])) if given else None
        if row is not None:
            prefix = self._keyword(one, _MOUNTS[one.verb])
            self._mounts.setdefault((row.scope, row.name), []).append((one, self._text(prefix)))

    def _prefixes(self, one: Candidate, depth: int = 0) -> list[str]:
        """Return all prefixes of a call's path. The prefix in a Blueprint's registration replaces its own."""
        row = self._origins.row(one.scope, one.receiver_name)
        if row is None or depth >= _DEEPEST:
            return [""]
        value = self._builder.drafts[row.target].value if row.kind is Bindings.SYMBOL else row.value
        maker = self._by_site.get(site_of(value))
        own = self._text(self._keyword(maker, _MAKERS.get(maker.verb, "prefix"))) if maker else ""
        found = []
        for mount, prefix in self._mounts.get((row.scope, row.name), ()):
            parts = [prefix or own] if mount.verb == "register_blueprint" else [prefix, own]
            found += [_concatenated(above, *parts) for above in self._prefixes(mount, depth + 1)]
        return found or [own]

    # --- endpoints

    def _decorator(self, one: Candidate) -> None:
        """Add `@app.route("/x", methods=[…])` and `@router.get("/x")`."""
        framework, given = self._framework(one), self._positional(one)
        target = _decorated(one.node)
        path = given[0] if given else self._keyword(one, "rule") or self._keyword(one, "path")
        if not framework or path is None or target is None or not self._is_path(path):
            return
        name = target.child_by_field_name("name")
        where = place(self._builder, one.node, target, one.scope)
        uses = [self._builder.text(name)] if name is not None else []
        for prefix in self._prefixes(one):
            whole = _concatenated(prefix, self._text(path))
            register(self._builder, framework, self._methods(one), whole, where, uses)

    def _rule(self, one: Candidate) -> None:
        """Add `app.add_url_rule("/x", "name", view, methods=[…])` and `app.add_api_route("/x", view)`."""
        framework, given = self._framework(one), self._positional(one)
        path = given[0] if given else self._keyword(one, "rule") or self._keyword(one, "path")
        at, keyword = (2, "view_func") if one.verb == "add_url_rule" else (1, "endpoint")
        view = given[at] if len(given) > at else self._keyword(one, keyword)
        if framework and path is not None and view is not None:
            where = place(self._builder, one.node, one.node, one.scope)
            for prefix in self._prefixes(one):
                whole = _concatenated(prefix, self._text(path))
                register(self._builder, framework, self._methods(one), whole, where, [self._handler(view)])

    def _methods(self, one: Candidate) -> list[str]:
        if one.verb in _VERBS:
            return [one.verb.upper()]
        if one.verb.startswith("websocket"):
            return ["WEBSOCKET"]
        methods = self._keyword(one, "methods")
        strings = [self._text(child).upper() for child in methods.named_children] if methods is not None else []
        is_class = any(b".as_view(" in (argument.text or b"") for argument in one.arguments())
        return [text for text in strings if text.isalpha()] or ([ANY] if methods is not None or is_class else ["GET"])

    def _django(self, one: Candidate) -> None:
        """Add Django's `path("x/", view)`, with the prefixes of the paths that include it."""
        given = self._positional(one)
        route = given[0] if given else self._keyword(one, "route")
        view = given[1] if len(given) > 1 else self._keyword(one, "view")
        if route is None or view is None or self._is_include(view):
            return
        where = place(self._builder, one.node, one.node, one.scope)
        for prefix in self._including_prefixes(one):
            path = _concatenated("/", prefix + self._route(one, route))
            register(self._builder, "django", [ANY], path, where, [self._handler(view)])

    def _is_include(self, view: Node) -> bool:
        """Whether a path leads to more paths instead of a view: `include(…)`, `admin.site.urls`."""
        shown = expression(view, self._builder)
        callee = view.child_by_field_name("function") if view.type == "call" else None
        called = last_name(expression(callee, self._builder)) if callee is not None else ""
        is_list = receiver(shown) is not None and last_name(shown) == "urls"
        return is_list or called == "include" or view.type in ("list", "tuple")

    def _including_prefixes(self, one: Candidate, depth: int = 0) -> list[str]:
        """Return the prefixes of the paths that include this one: a path around it, or paths that include its list."""
        here, inner = one.node.parent, one.node
        while here is not None and here.type not in ("module", "assignment", "augmented_assignment", "block"):
            number = self._builder.site_at.get(here.byte_range, -1) if here.type == "call" else -1
            outer = self._by_site.get(number)
            if outer is not None and outer.verb in _PATHS and self._positional(outer)[:1] != [inner]:
                route = self._route(outer, self._positional(outer)[0])
                return [above + route for above in self._including_prefixes(outer, depth + 1)]
            here = here.parent
        left = here.child_by_field_name("left") if here is not None else None
        name = self._builder.text(left) if left is not None else ""
        found = []
        for outer in self._candidates if name and depth < _DEEPEST else ():
            given = self._positional(outer) if outer.verb in _PATHS else []
            if len(given) > 1 and self._includes(given[1], name):
                route = self._route(outer, given[0])
                found += [above + route for above in self._including_prefixes(outer, depth + 1)]
        return found or [""]

    def _includes(self, view: Node, name: str) -> bool:
        if not self._is_include(view) or view.type != "call":
            return False
        given = view.child_by_field_name("arguments")
        first = given.named_children[0] if given is not None and given.named_child_count else None
        if first is not None and first.type == "tuple" and first.named_child_count:
            first = first.named_children[0]
        return first is not None and self._builder.text(first) == name

    def _route(self, one: Candidate, node: Node) -> str:
        """Return a route as a part of a whole path: a regular expression loses its anchors."""
        text = self._text(node)
        return text if one.verb == "path" else text.removeprefix("^").removesuffix("$")

    # --- arguments

    def _positional(self, one: Candidate) -> list[Node]:
        return [child for child in one.arguments() if child.type not in ("keyword_argument", "dictionary_splat")]

    def _keyword(self, one: Candidate, name: str) -> Node | None:
        for child in one.arguments():
            key = child.child_by_field_name("name") if child.type == "keyword_argument" else None
            if key is not None and self._builder.text(key) == name:
                return child.child_by_field_name("value")
        return None

    def _handler(self, view: Node) -> Expression | None:
        """Return the name of a view: `V` of `V.as_view()`, or the argument of a decorator around it; None for none."""
        here: Node | None = view
        for _ in range(_DEEPEST):
            if here is None or here.type != "call":
                break
            callee, given = here.child_by_field_name("function"), here.child_by_field_name("arguments")
            name = expression(callee, self._builder) if callee is not None else None
            if name is not None and last_name(name) in ("as_view", "as_asgi") and (made := receiver(name)) is not None:
                return made
            here = given.named_children[-1] if given is not None and given.named_child_count else None
        return (
            expression(here, self._builder) if here is not None and here.type in ("identifier", "attribute") else None
        )

    def _is_path(self, node: Node) -> bool:
        """Whether an argument may be a path: a string with a leading slash, an empty one, or a name."""
        text = self._text(node)
        return not text or text[0] in "/<{"

    def _text(self, node: Node | None) -> str:
        """Return a string's content (an f-string's with its braces), or another expression in angle brackets."""
        if node is None:
            return ""
        if node.type == "concatenated_string":
            return "".join(self._text(child) for child in node.named_children)
        if node.type == "string":
            whole = self._builder.text(node)
            opening, closing = node.children[0], node.children[-1]
            return whole[opening.end_byte - opening.start_byte : len(whole) - (closing.end_byte - closing.start_byte)]
        return f"<{self._builder.line_of(node)[:60]}>"


def _decorated(call: Node) -> Node | None:
    """Return the function or class that a call decorates, or None."""
    decorator = call.parent
    whole = decorator.parent if decorator is not None and decorator.type == "decorator" else None
    return whole.child_by_field_name("definition") if whole is not None else None


def _concatenated(*parts: str) -> str:
    """Join prefixes and a path as these frameworks do: as they are, without double slashes."""
    return re.sub(r"(?<!\\)/{2,}", "/", "".join(parts)) or joined("")
