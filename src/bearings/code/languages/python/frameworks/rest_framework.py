"""Endpoints of Django REST framework: a viewset is a router of its own, which another router mounts.

class BookViewSet(ModelViewSet): …           GET /, POST /, GET /{pk}/ …
router.register("books", BookViewSet)        GET /books/ …
path("api/", include(router.urls))           GET /api/books/ …; reader.py reads this
"""

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from bearings.code.expressions import extended, last_name
from bearings.code.framework_facts import Mount
from bearings.code.languages.python.frameworks.arguments import (
    argument,
    decorated,
    imported_from,
    imported_name,
    keyword,
    own_module,
    text_of,
)
from bearings.code.languages.python.frameworks.classes import with_bases
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings, Symbols
from bearings.code.languages.shared.origins import Origins
from bearings.code.languages.shared.routes import Candidate, Place, register

CANDIDATES = frozenset({"register"})
DECORATORS = frozenset({"action"})

_NAME = "rest_framework"
_VIEWSET = "ViewSet"
_ROUTER = re.compile(r"rest_framework\w*\.routers\.\w+\(\)")
_ROUTES = {
    "list": ("GET", "/"), "create": ("POST", "/"), "retrieve": ("GET", "/{}/"), "update": ("PUT", "/{}/"),
    "partial_update": ("PATCH", "/{}/"), "destroy": ("DELETE", "/{}/"),
}  # fmt: skip
"""A method of a viewset → the method of HTTP and the path that it answers."""
_GIVEN = {
    "ModelViewSet": tuple(_ROUTES), "ReadOnlyModelViewSet": ("list", "retrieve"), "GenericViewSet": (), "ViewSet": (),
    "ListModelMixin": ("list",), "CreateModelMixin": ("create",), "RetrieveModelMixin": ("retrieve",),
    "UpdateModelMixin": ("update", "partial_update"), "DestroyModelMixin": ("destroy",),
}  # fmt: skip
"""A class of the framework → the methods that it gives."""
_OF_USABLE = ("queryset", "get_queryset", "serializer_class", "get_serializer_class")
"""What a viewset has that is no base alone."""
_WORD = re.compile(r"""["'](\w+)["']""")


class _Reader:
    """Reads the viewsets and routers of one file; `actions` are its calls of `@action`, by the class."""

    def __init__(self, builder: Builder, candidates: Sequence[Candidate]) -> None:
        self._builder = builder
        self._origins = Origins(builder)
        self._actions: dict[int, list[tuple[Candidate, Node]]] = {}
        for call in candidates:
            definition = decorated(call.node) if call.verb in DECORATORS else None
            symbol = builder.functions.get(definition.byte_range, -1) if definition is not None else -1
            if definition is not None and symbol > 0:
                self._actions.setdefault(builder.drafts[symbol].parent, []).append((call, definition))

    def registered(self, call: Candidate) -> None:
        """Add the viewset that a router registers as one that it mounts."""
        builder, prefix = self._builder, argument(call, 0, "prefix", self._builder)
        viewset, router = argument(call, 1, "viewset", builder), self._origins.row(call.scope, call.receiver_name)
        if viewset is None or router is None:
            return
        origin, is_imported = self._origins.of(call.scope, call.receiver).name, router.kind is Bindings.IMPORT
        is_likely = builder.text(viewset).endswith(_VIEWSET) and (is_imported or origin.endswith("Router()"))
        if not is_likely and not _ROUTER.fullmatch(origin):
            return
        path = text_of(prefix, builder).strip("^$/")
        target = imported_from(builder, self._origins, call.scope, viewset) or (
            own_module(builder),
            builder.text(viewset),
        )
        mounted = Mount(_NAME, f"/{path}/" if path else "/", call.receiver_name, *target, line=builder.line(call.node))
        builder.mounts.append(mounted)
        if is_imported:
            entry = builder.imports[router.target]
            builder.mounts.append(Mount(_NAME, "", call.receiver_name, entry.module, entry.name, is_inside=True))

    def viewset(self, index: int) -> None:
        """Add the endpoints of a class, if it is a viewset."""
        builder, draft = self._builder, self._builder.drafts[index]
        lineage = with_bases(builder, self._origins, index)
        given: set[str] | None = None
        for owner in lineage:
            for base in builder.drafts[owner].bases:
                name, last = self._origins.of(builder.drafts[owner].scope, base.value).name, last_name(base.value)
                if name.startswith(_NAME) and name.rpartition(".")[2] in _GIVEN:
                    given = (given or set()).union(_GIVEN[name.rpartition(".")[2]])
                elif last.endswith(_VIEWSET) and type(base.value) is str and name:
                    given = given or set()
                    imported = imported_name(builder, self._origins, builder.drafts[owner].scope, base.value)
                    if imported is not None:  # what the base has, this class has, too
                        builder.mounts.append(Mount(_NAME, "", draft.name, *imported, line=draft.line))
        if given is None:
            return
        allowed = {word.upper() for word in self._words(lineage, "http_method_names")}
        lookup = [*self._words(lineage, "lookup_url_kwarg"), *self._words(lineage, "lookup_field"), "pk"][0]
        is_usable = any((owner, name) in builder.members for owner in lineage for name in _OF_USABLE)
        for name, (method, path) in _ROUTES.items():
            own = next((symbol for owner in lineage if (symbol := builder.members.get((owner, name), 0))), 0)
            if (own or (is_usable and name in given)) and (not allowed or method in allowed):
                self._add(index, [method], path.format(f"{{{lookup}}}"), own)
        for owner in lineage:
            for call, definition in self._actions.get(owner, ()):
                self._action(index, call, builder.functions[definition.byte_range], lookup)

    def _action(self, index: int, call: Candidate, symbol: int, lookup: str) -> None:
        """Add `@action(detail=True, methods=["post"])`."""
        builder = self._builder
        listed, detail = (keyword(call, name, builder) for name in ("methods", "detail"))
        methods = (
            [text_of(child, builder).upper() for child in listed.named_children] if listed is not None else ["GET"]
        )
        end = text_of(keyword(call, "url_path", builder), builder) or builder.drafts[symbol].name
        start = f"/{{{lookup}}}/" if detail is not None and builder.text(detail) == "True" else "/"
        self._add(index, [method for method in methods if method.isalpha()], f"{start}{end}/", symbol)

    def _add(self, index: int, methods: list[str], path: str, symbol: int) -> None:
        """Add an endpoint of a viewset; its handler is the class if the file does not have the method."""
        drafts = self._builder.drafts
        at, name = drafts[symbol or index], drafts[index].name
        is_own = symbol and at.parent == index
        line, end = (at.line, at.end_line) if is_own else (drafts[index].line,) * 2
        where = Place(line, end, drafts[index].scope, at.signature)
        register(self._builder, _NAME, methods, path, where, [extended(name, at.name) if symbol else name], name)

    def _words(self, lineage: Sequence[int], name: str) -> Iterator[str]:
        """Yield the strings in the value of a class's attribute."""
        symbols = (self._builder.members.get((owner, name), 0) for owner in lineage)
        symbol = next(filter(None, symbols), 0)
        yield from _WORD.findall(self._builder.drafts[symbol].signature) if symbol else ()


def endpoints(builder: Builder, candidates: Sequence[Candidate]) -> None:
    """Add the endpoints of the viewsets of a file, and what its routers mount."""
    if any(entry.module.startswith(_NAME) or entry.name.endswith(_VIEWSET) for entry in builder.imports):
        reader = _Reader(builder, candidates)
        for call in candidates:
            if call.verb in CANDIDATES:
                reader.registered(call)
        for index, draft in enumerate([*builder.drafts]):
            if draft.kind is Symbols.CLASS:
                reader.viewset(index)
