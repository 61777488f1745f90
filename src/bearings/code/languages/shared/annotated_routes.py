"""Endpoints that attributes of methods register, behind the prefix of their class.

What other files give or need is a Mount: a class has the endpoints that the class above it declares, or the prefix that
this has; a method returns a class with more endpoints.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace
from tree_sitter import Node

from bearings.code.expressions import Expression
from bearings.code.file_facts import Trait
from bearings.code.framework_facts import ANYWHERE, FrameworkCall, Mount, Request
from bearings.code.grouping import grouped
from bearings.code.languages.shared.attributes import Attribute, Literals, method_in
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Draft
from bearings.code.languages.shared.kinds import Symbols
from bearings.code.languages.shared.route_tables import Framework
from bearings.code.languages.shared.routes import ANY, joined, place, register
from bearings.code.type_expressions import TypeExpression, TypeReference, type_names

_AREA: Final = "Area"
_ROOTS: Final = ("/", "~/")
"""Starts of a path that no class gives a prefix, where tokens stand for names."""
_OFFERED: Final = "()"
"""Stands behind the name of a class for what gives its prefix to the classes below."""
_CLASSES: Final = frozenset({Symbols.CLASS, Symbols.INTERFACE})
_CALLABLE: Final = frozenset({Symbols.METHOD, Symbols.FUNCTION})
_WORD: Final = re.compile(r"\w+")
_STRING: Final = re.compile(r"""["']([^"']*)["']""")
_IN_COMMENT: Final = re.compile(r"@(?:\w+\\)*(?P<name>Route)\((?P<given>[^(){}]*(?:\{[^{}]*\}[^(){}]*)*)\)")
_TEMPLATE_QUERY: Final = re.compile(r"\{[?&#][^{}]*\}")
_TEMPLATE_PART: Final = re.compile(r"\{/(\w+)\*?\}")
"""In a URI template (RFC 6570): a query or fragment, and a part of the path that may be missing."""
_METHODS_IN_COMMENT: Final = re.compile(r"methods\s*=\s*(\{[^{}]*\}|\"[^\"]*\")")


class _Route(NamedTuple):
    """What an attribute says: methods, paths, and where it is. Without methods, it is a prefix or a locator."""

    methods: list[str]
    paths: list[str]
    at: Node


class Annotated:
    """The endpoints that attributes of methods register."""

    def __init__(
        self, builder: Builder, framework: Framework, literals: Literals, declared: Sequence[tuple[Draft, Node]]
    ) -> None:
        self._builder = builder
        self._framework = framework
        self._literals = literals
        self._declared = declared
        self._known = {*framework.verbs, framework.prefix, framework.path, framework.application, framework.client}

    def read(self) -> None:
        """Add the endpoints."""
        members = grouped((draft.parent, (draft, node)) for draft, node in self._declared if draft.kind in _CALLABLE)
        for draft, node in self._declared:
            if draft.kind in _CLASSES:
                self._class(draft, node, members.get(self._builder.index(draft), []))

    def _class(self, draft: Draft, node: Node, members: Sequence[tuple[Draft, Node]]) -> None:
        framework, builder = self._framework, self._builder
        own = self._attributes(node)
        for application in _named(own, framework.application):
            builder.mounts += [Mount(framework.name, path) for path in self._paths(application)]
        clients = _named(own, framework.client)
        routes = [self._route(each) for each in clients or _named(own, framework.prefix)] + self._in_comment(node)
        prefixes = [path for each in routes for path in each.paths]
        area = next((text for each in _named(own, _AREA) for text in self._paths(each)), "")
        is_conventional = not prefixes and framework.conventional != "" and _above(draft) == framework.conventional
        by_convention = [f"{'[area]/' if area else ''}[controller]/[action]"] if is_conventional else []
        before = len(builder.drafts)
        for method, inner in members:
            found = self._routes(inner)
            if is_conventional and not found and _is_action(method):
                found = [_Route([ANY], [], inner)]
            for route in found:
                outer = prefixes if route.paths else prefixes or by_convention
                whole = [self._filled(path, draft, method, area) for path in self._joined(outer, route.paths)]
                if clients:
                    self._requests(route, whole, method)
                elif route.methods:
                    stands_alone = framework.has_tokens and any(path.startswith(_ROOTS) for path in route.paths)
                    self._add(route, whole, inner, (draft, method), is_held=not outer and not stands_alone)
                elif method.head is not None and not framework.has_tokens:  # a method that returns a resource
                    self._hold(method, whole, _type_name(method.head.result), "" if prefixes else draft.name)
            if framework.invoked == method.name and len(builder.drafts) == before:
                for route in routes:
                    self._add(route._replace(methods=route.methods or [ANY]), route.paths, inner, (draft, method))
        if not clients and not _named(own, framework.application):
            self._inherit(draft, prefixes, has_endpoints=len(builder.drafts) > before)

    def _attributes(self, node: Node) -> list[Attribute]:
        """The attributes of a declaration that the framework knows."""
        found = (each._replace(name=each.name.removesuffix("Attribute")) for each in self._literals.attributes(node))
        return [each for each in found if each.name in self._known or each.name == _AREA]

    def _paths(self, attribute: Attribute) -> list[str]:
        given = [one.value for one in attribute.arguments if one.key in self._framework.keys]
        texts = [text for value in given for text in self._literals.texts(value)]
        return [_TEMPLATE_PART.sub(r"/{\1}", _TEMPLATE_QUERY.sub("", text)) for text in texts]

    def _route(self, attribute: Attribute) -> _Route:
        framework = self._framework
        verb = framework.verbs.get(attribute.name)
        listed = [one.value for one in attribute.arguments if one.key == framework.methods and framework.methods]
        texts = [text for value in listed for text in self._literals.texts(value)]
        methods = [verb] if verb else list(filter(None, map(method_in, texts)))
        if verb == "" and attribute.name != framework.path:
            methods = methods or [ANY]
        return _Route(methods, self._paths(attribute), attribute.node)

    def _routes(self, node: Node) -> list[_Route]:
        """What the attributes of a method say."""
        framework, attributes = self._framework, self._attributes(node)
        routes = [self._route(each) for each in attributes if each.name in framework.verbs] + self._in_comment(node)
        apart = [self._route(each) for each in _named(attributes, framework.path) if each.name not in framework.verbs]
        paths = [path for each in apart for path in each.paths]
        if not routes:
            return [each._replace(methods=[ANY] if framework.has_tokens else []) for each in apart]
        own_methods = [method for each in routes for method in each.methods] or [ANY]
        return [each._replace(methods=each.methods or own_methods[:1], paths=each.paths or paths) for each in routes]

    def _in_comment(self, node: Node) -> list[_Route]:
        """What the comment before a declaration says."""
        text = self._literals.comment_before(node) if self._framework.in_comments else ""
        found = []
        for match in _IN_COMMENT.finditer(text):
            first = _STRING.match(match["given"].strip().removeprefix("path=")) if match["name"] == "Route" else None
            listed = _METHODS_IN_COMMENT.search(match["given"])
            methods = _WORD.findall(listed[1]) if listed is not None else []
            if first is not None:
                found.append(_Route([each.upper() for each in methods] or [ANY], [first[1]], node))
        return found

    def _joined(self, prefixes: Sequence[str], paths: Sequence[str]) -> list[str]:
        """The paths of a method behind those of its class."""
        alone = _ROOTS if self._framework.has_tokens else ("//",)
        found = [path.lstrip("~") for path in paths if path.startswith(alone)]
        found += [joined(p, path) for p in prefixes or [""] for path in paths or [""] if not path.startswith(alone)]
        return list(dict.fromkeys(found))

    def _filled(self, path: str, owner: Draft, method: Draft, area: str) -> str:
        """A path with names in place of tokens; that of the class stays if another file has the prefix."""
        if "[" not in path or not self._framework.has_tokens:
            return path
        action = method.name.removesuffix("Async")
        path = path.replace("[controller]", owner.name.removesuffix("Controller"))
        return path.replace("[action]", action).replace("[area]", area)

    def _requests(self, route: _Route, paths: Sequence[str], method: Draft) -> None:
        scope, line = max(method.inner, 0), method.line
        for path in paths:
            sent = "/".join("{}" if "{" in part or "<" in part else part for part in path.split("/"))
            self._builder.requests += [Request(verb, sent, line, scope, sure=True) for verb in route.methods]

    def _add(
        self, route: _Route, paths: Sequence[str], node: Node, handler: tuple[Draft, Draft], *, is_held: bool = False
    ) -> None:
        builder, (owner, method) = self._builder, handler
        where = place(builder, route.at, node, owner.scope)
        for path in paths:
            before = len(builder.drafts)
            register(builder, self._framework.name, route.methods, path, where, (), owner.name if is_held else "")
            for index in range(before, len(builder.drafts)):
                endpoint = builder.drafts[index]
                if endpoint.detail is not None:
                    endpoint.detail = replace(endpoint.detail, handler=method.qualified)
                target = builder.index(method)
                builder.framework_calls.append(FrameworkCall(index, where.line, self._framework.name, target=target))

    def _hold(self, at: Draft, paths: Sequence[str], held: str, router: str) -> None:
        """Say that the endpoints of a class have more before them."""
        if held:
            name = self._framework.name
            self._builder.mounts += [
                Mount(name, path, router, ANYWHERE, held, line=at.line) for path in map(joined, paths)
            ]

    def _inherit(self, draft: Draft, prefixes: Sequence[str], *, has_endpoints: bool) -> None:
        """Give the endpoints of the class above a prefix, or take its prefix; offer one to the classes below."""
        framework, mounts = self._framework, self._builder.mounts
        above = _above(draft)
        if above and (prefixes or has_endpoints or draft.traits & Trait.ABSTRACT):
            self._hold(draft, prefixes or [""], above, draft.name)
        if not framework.inherits:
            return
        offered = f"{draft.name}{_OFFERED}"
        if prefixes and not has_endpoints:
            mounts.append(Mount(framework.name, "", offered, ANYWHERE))
            self._hold(draft, prefixes, offered, "")
        for router in (draft.name, offered) if above and not prefixes else ():
            outer = f"{above}{_OFFERED}"
            mounts.append(Mount(framework.name, "", router, ANYWHERE, outer, line=draft.line, is_inside=True))


def _named(attributes: Sequence[Attribute], name: str) -> list[Attribute]:
    return [each for each in attributes if name and each.name == name]


def _above(draft: Draft) -> str:
    """The name of the first type that a class extends or implements."""
    return next((name for base in draft.bases if (name := _base_name(base.value))), "")


def _base_name(value: Expression) -> str:
    return value.rpartition(".")[2] if type(value) is str else ""


def _is_action(method: Draft) -> bool:
    """Whether a method of a conventional controller answers requests: it is public, and gives a result."""
    result = method.head.result if method.exported and method.head is not None else None
    return any(name.endswith("Result") for name in type_names(result))


def _type_name(type_: TypeExpression | None) -> str:
    name = type_.name if isinstance(type_, TypeReference) else type_
    return name.rpartition(".")[2] if isinstance(name, str) else ""
