"""Endpoints of NestJS: decorated methods of classes with `@Controller`, and the global prefix of an application."""

from collections.abc import Sequence

from msgspec.structs import replace
from tree_sitter import Node

from bearings.code.expressions import chained
from bearings.code.framework_facts import Mount
from bearings.code.languages.ecmascript.frameworks.arguments import property_of, text_of, texts_of
from bearings.code.languages.ecmascript.names import literal
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.origins import Origins
from bearings.code.languages.shared.routes import ANY, Candidate, joined, place, register

_METHODS = {
    "Get": "GET", "Post": "POST", "Put": "PUT", "Patch": "PATCH", "Delete": "DELETE", "Head": "HEAD",
    "Options": "OPTIONS", "All": ANY, "Sse": "GET",
}  # fmt: skip
_PREFIXING = "setGlobalPrefix"
_VERSIONING = "enableVersioning"
_MAKING = "NestFactory.create"
_STARTING = frozenset({_PREFIXING, _VERSIONING, "create"})
CANDIDATES = frozenset({*_METHODS, *_STARTING, "Controller", "Version"})
_MODULE = "@nestjs/common"
_CLASSES = frozenset({"class_declaration", "abstract_class_declaration", "class"})


def endpoints(builder: Builder, candidates: Sequence[Candidate]) -> None:
    """Add the endpoint of each decorated method, with the paths and versions of its controller; and applications."""
    verbs = {one.verb for one in candidates}
    if "Controller" in verbs:
        _Reader(builder, candidates).read()
    if not verbs.isdisjoint(_STARTING):
        builder.mounts += _applications(builder, candidates)


def _applications(builder: Builder, candidates: Sequence[Candidate]) -> list[Mount]:
    """Return the global prefixes that a file sets; an empty one if it makes an application and sets none."""
    found = [_application(builder, one.arguments()) for one in candidates if one.verb == _PREFIXING]
    versions = [_version(builder, one.arguments()) for one in candidates if one.verb == _VERSIONING]
    if not found and (versions or any(one.callee == _MAKING for one in candidates)):
        found = [Mount("nest", "")]
    return [replace(one, version=next(filter(None, versions), "")) for one in found]


def _version(builder: Builder, given: Sequence[Node]) -> str:
    """Return the segment of the `defaultVersion` that `enableVersioning` sets for paths; empty for none."""
    options = given[0] if given else None
    kind, version = (property_of(options, builder, key) for key in ("type", "defaultVersion"))
    is_in_path = kind is None or builder.text(kind).endswith(".URI")
    text = _literal(builder, version) if version is not None and is_in_path else ""
    return f"v{text}" if text and property_of(options, builder, "prefix") is None else ""


def _application(builder: Builder, given: Sequence[Node]) -> Mount:
    """Return the prefix that `setGlobalPrefix("api", { exclude: ["health"] })` sets."""
    options = given[1] if len(given) > 1 else None
    excluded = property_of(options, builder, "exclude")
    listed = excluded.named_children if excluded is not None and excluded.type == "array" else []
    paths = tuple(text for node in listed if (text := _literal(builder, node)))
    return Mount("nest", _literal(builder, given[0]) if given else "", excluded=paths)


def _literal(builder: Builder, node: Node) -> str:
    """Return the text of a string, or of the constant in which it is; empty for another expression."""
    text = text_of(builder.constants.string(node), builder)
    return "" if "${" in text else text


class _Reader:
    """Reads the endpoints of one file. `_targets` are the decorators with the class or method that they decorate."""

    def __init__(self, builder: Builder, candidates: Sequence[Candidate]) -> None:
        self._builder = builder
        self._members: dict[tuple[int, int], dict[int, Node]] = {}
        """Span of a class's body → start of each decorator in it → the member that it decorates."""
        origins = Origins(builder)
        found = [
            (one, target)
            for one in candidates
            if one.verb in CANDIDATES
            and origins.of(one.scope, one.callee).name == f"{_MODULE}.{one.verb}"
            and (target := self._decorated(one.node)) is not None
        ]
        self._targets = [(one, target) for one, target in found if one.verb in _METHODS]
        self._controllers = {target.byte_range: one for one, target in found if one.verb == "Controller"}
        self._versions = {target.byte_range: one for one, target in found if one.verb == "Version"}

    def read(self) -> None:
        for one, method in self._targets:
            owner = method.parent.parent if method.parent is not None else None
            controller = self._controllers.get(owner.byte_range) if owner is not None else None
            name = method.child_by_field_name("name")
            if controller is None or owner is None or name is None or method.type != "method_definition":
                continue
            where = place(self._builder, one.node, method, one.scope)
            handler = chained("this", (literal(self._builder.text(name)),))
            for version in self._version(controller, owner, method):
                for prefix in self._paths(controller):
                    for path in self._paths(one):
                        whole = joined(version, prefix, path)
                        register(self._builder, "nest", [_METHODS[one.verb]], whole, where, [handler])

    def _paths(self, one: Candidate) -> list[str]:
        """Return the paths of a decorator: its argument, or the property `path` of that; an empty one without."""
        given = one.arguments()
        value = given[0] if given else None
        if value is not None and value.type == "object":
            value = property_of(value, self._builder, "path")
        return list(texts_of(value, self._builder)) or [""] if value is not None else [""]

    def _version(self, controller: Candidate, owner: Node, method: Node) -> list[str]:
        """Return the first segments of the paths of a method's versions: its own, or those of its controller."""
        one = self._versions.get(method.byte_range) or self._versions.get(owner.byte_range)
        given = (one or controller).arguments()
        value = given[0] if given else None
        if one is None:
            value = property_of(value, self._builder, "version")
        if value is None:
            return [""]
        parts = value.named_children if value.type == "array" else [value]
        return [self._segment(part) for part in parts] or [""]

    def _segment(self, version: Node) -> str:
        """Return the segment of a version in a path, as NestJS writes it by default."""
        text = text_of(version, self._builder)
        return "" if "VERSION_NEUTRAL" in text else f"v{text}"

    def _decorated(self, call: Node) -> Node | None:
        """Return the class or member that a call decorates, or None for a parameter and other calls.

        In TypeScript a decorator stands before a member as its sibling, and before `export` as a part of the statement.
        """
        decorator = call.parent
        whole = decorator.parent if decorator is not None and decorator.type == "decorator" else None
        if whole is None or decorator is None:
            return None
        if whole.type == "export_statement":
            return whole.child_by_field_name("declaration") or whole.child_by_field_name("value")
        if whole.type != "class_body":
            return whole if whole.type in _CLASSES or whole.type == "method_definition" else None
        if whole.byte_range not in self._members:
            self._members[whole.byte_range] = _members(whole)
        return self._members[whole.byte_range].get(decorator.start_byte)


def _members(body: Node) -> dict[int, Node]:
    """Map the start of each decorator in a class's body to the member behind it."""
    found: dict[int, Node] = {}
    waiting: list[int] = []
    for child in body.named_children:
        if child.type == "decorator":
            waiting.append(child.start_byte)
        elif child.type != "comment":
            found.update(dict.fromkeys(waiting, child))
            waiting = []
    return found
