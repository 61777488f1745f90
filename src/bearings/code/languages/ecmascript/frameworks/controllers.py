"""Endpoints that are decorated methods of decorated classes: `@Get("/x")` in a class with `@Controller("/cats")`.

Each framework of this family is a `Controllers` in a module of its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tree_sitter import Node

from bearings.code.expressions import chained
from bearings.code.languages.ecmascript.frameworks.arguments import property_of, texts_of
from bearings.code.languages.ecmascript.names import decorated_class, literal
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.origins import Origins
from bearings.code.languages.shared.routes import Candidate, joined, place, register


class Controllers(NamedTuple):
    """A framework of the family; its decorators are exports of `module`.

    `controller` decorates a class, and `verbs` maps the decorators of methods to HTTP's methods. Both take a path, or
    an object with `path`. `version` decorates either; the property `version` of a controller's object stands for it.
    """

    framework: str
    module: str
    controller: str
    verbs: Mapping[str, str]
    version: str

    def decorators(self) -> frozenset[str]:
        """Return the names of all decorators."""
        return frozenset({*self.verbs, self.controller, self.version})


def endpoints(builder: Builder, candidates: Sequence[Candidate], framework: Controllers) -> None:
    """Add the endpoint of each decorated method, with the paths and versions of its controller."""
    origins, names, members = Origins(builder), framework.decorators(), _Members()
    calls = [
        (call, target)
        for call in candidates
        if call.verb in names
        and origins.of(call.scope, call.callee).name == f"{framework.module}.{call.verb}"
        and (target := decorated_class(call.node) or members.decorated(call.node)) is not None
    ]
    controllers = {target.byte_range: call for call, target in calls if call.verb == framework.controller}
    versions = {target.byte_range: call for call, target in calls if call.verb == framework.version}
    for call, method in calls:
        owner = method.parent.parent if method.parent is not None else None
        controller = controllers.get(owner.byte_range) if owner is not None else None
        name = method.child_by_field_name("name")
        if call.verb not in framework.verbs or controller is None or owner is None or name is None:
            continue
        version = versions.get(method.byte_range) or versions.get(owner.byte_range)
        where = place(builder, call.node, method, call.scope)
        handler = chained("this", (literal(builder.text(name)),))
        for prefix in _prefixes(builder, controller, version):
            for path in _paths(builder, call):
                whole = joined(prefix, path)
                register(builder, framework.framework, [framework.verbs[call.verb]], whole, where, [handler])


def _prefixes(builder: Builder, controller: Candidate, version: Candidate | None) -> Iterator[str]:
    """Yield the prefixes of a method's paths: for each version, `/v1`, the paths of its controller."""
    given = (version or controller).arguments()
    value = given[0] if given else None
    if version is None:
        value = property_of(value, builder, "version")
    texts = list(texts_of(value, builder)) if value is not None else []
    segments = ["" if "VERSION_NEUTRAL" in text else f"v{text}" for text in texts]
    for segment in segments or [""]:
        for path in _paths(builder, controller):
            yield joined(segment, path)


def _paths(builder: Builder, call: Candidate) -> list[str]:
    """Return the paths of a decorator: its argument, or the property `path` of that; an empty one without."""
    given = call.arguments()
    value = given[0] if given else None
    if value is not None and value.type == "object":
        value = property_of(value, builder, "path")
    return (list(texts_of(value, builder)) if value is not None else []) or [""]


class _Members:
    """The members of classes by their decorators, which stand before them as siblings in TypeScript."""

    def __init__(self) -> None:
        self._by_start: dict[tuple[int, int], dict[int, Node]] = {}
        """Span of a class's body → start of each decorator in it → the member that it decorates."""

    def decorated(self, call: Node) -> Node | None:
        """Return the method that the call of a decorator decorates; None for a parameter and other calls."""
        decorator = call.parent
        whole = decorator.parent if decorator is not None and decorator.type == "decorator" else None
        if decorator is not None and whole is not None and whole.type == "class_body":
            if whole.byte_range not in self._by_start:
                self._by_start[whole.byte_range] = _members(whole)
            whole = self._by_start[whole.byte_range].get(decorator.start_byte)
        return whole if whole is not None and whole.type == "method_definition" else None


def _members(body: Node) -> dict[int, Node]:
    """Map the start of each decorator in a class's body to the member behind it."""
    members: dict[int, Node] = {}
    waiting: list[int] = []
    for child in body.named_children:
        if child.type == "decorator":
            waiting.append(child.start_byte)
        elif child.type != "comment":
            members.update(dict.fromkeys(waiting, child))
            waiting = []
    return members
