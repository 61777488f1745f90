"""Endpoints of frameworks whose routers decorate handlers: `@router.get("/x")`, with the prefixes of the routers.

Each framework of this family is a `Dialect` in a module of its own.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from tree_sitter import Node

from bearings.code.expressions import site_of
from bearings.code.file_facts import Binding, Import
from bearings.code.framework_facts import Mount
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
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings
from bearings.code.languages.shared.loops import Loops
from bearings.code.languages.shared.origins import Origins
from bearings.code.languages.shared.routes import ANY, MOST_PREFIXES, Candidate, place, register

VERBS = frozenset({"get", "post", "put", "patch", "delete", "head", "options", "trace"})
_CONVENTIONAL = re.compile(r"^(?:app|application|api|bp|blueprint|router|\w+_(?:app|api|bp|blueprint|router))$")
"""Names that are taken for an imported router if they decorate a function with a path."""

_ROUTER_CLASS = re.compile(r"(?:Router|Blueprint|API|App|FastAPI|Flask)\(\)$")
"""Classes whose instances are taken for routers under one of these names, wherever the class comes from."""

_DEEPEST = 5


class Dialect(NamedTuple):
    """A framework of the family.

    `made` matches the origin of a router. `decorating` are methods that decorate, beside the verbs. `adding` maps
    methods that take the handler as an argument to its position and keyword. `mounting` maps methods that mount a
    router, and `making` classes of routers, to the keyword of the prefix; `replacing` are methods of `mounting` whose
    prefix replaces the router's own.
    """

    name: str
    made: re.Pattern[str]
    decorating: frozenset[str]
    adding: Mapping[str, tuple[int, str]]
    mounting: Mapping[str, str]
    making: Mapping[str, str]
    replacing: frozenset[str] = frozenset()


def candidates_of(dialects: Sequence[Dialect]) -> frozenset[str]:
    """Return the last part of the callee of every call, other than a decorator, that may be part of a registration."""
    return frozenset().union(*(name for one in dialects for name in (one.adding, one.mounting, one.making)))


def decorators_of(dialects: Sequence[Dialect]) -> frozenset[str]:
    """Return the last part of every decorator that may register an endpoint."""
    return VERBS.union(*(dialect.decorating for dialect in dialects))


class _Reader:
    """Reads the endpoints of one file; `imported` is the framework that it imports, or empty."""

    def __init__(
        self, builder: Builder, candidates: Sequence[Candidate], dialects: Sequence[Dialect], imported: str
    ) -> None:
        self._builder = builder
        self._candidates = candidates
        self._dialects = dialects
        self._origins = Origins(builder)
        self._loops = Loops(builder)
        self._by_site = {builder.site_at[one.node.byte_range]: one for one in candidates}
        self._mounts: dict[tuple[int, str], list[tuple[Candidate, str]]] = {}
        self._outside: list[tuple[Candidate, tuple[str, str], str]] = []
        """The calls that mount routers of other files: module and name of the router, and its prefix."""
        self._borrowed: dict[str, Import] = {}
        """The routers of other files that this one gives endpoints, by the names that it imports."""
        self._imported = imported
        self._adding = {name: at for dialect in dialects for name, at in dialect.adding.items()}
        self._mounting = {name: prefix for dialect in dialects for name, prefix in dialect.mounting.items()}
        self._making = {name: prefix for dialect in dialects for name, prefix in dialect.making.items()}
        self._replacing = frozenset[str]().union(*(dialect.replacing for dialect in dialects))
        self._decorating = decorators_of(dialects)

    def read(self) -> None:
        for one in self._candidates:
            if one.verb in self._mounting and self._framework(one):
                for turn in self._loops.turns(one):
                    self._mount(turn)
        for one in self._candidates:
            if one.verb in self._decorating and one.receiver is not None:
                self._decorator(one)
            elif one.verb in self._adding:
                for turn in self._loops.turns(one):
                    self._added(turn)
        for name, entry in self._borrowed.items():
            self._builder.mounts.append(Mount(self._imported, "", name, entry.module, entry.name, is_inside=True))
        for one, (module, name), path in self._outside:
            for prefix, router in islice(self._prefixes(one), MOST_PREFIXES):
                whole, line = concatenated(prefix, path), self._builder.line(one.node)
                self._builder.mounts.append(Mount(self._framework(one), whole, router, module, name, line=line))

    def _framework(self, one: Candidate) -> str:
        """Return the framework of the object on which a call is made; empty if it isn't known."""
        origin = self._origins.of(one.scope, one.receiver)
        for dialect in self._dialects:
            if dialect.made.fullmatch(origin.name):
                return dialect.name
        row = self._origins.row(one.scope, one.receiver_name)
        if row is None or not _CONVENTIONAL.match(one.receiver_name):
            return ""
        if row.kind is not Bindings.IMPORT and not _ROUTER_CLASS.search(origin.name):
            return ""
        return self._imported or "by name"

    # --- prefixes

    def _mount(self, one: Candidate) -> None:
        given, prefix = positional(one), keyword(one, self._mounting[one.verb], self._builder)
        if prefix is None and given and given[0].type == "string":  # Starlette: `app.mount("/x", other)`
            prefix, *given = given
        router = given[0] if given else keyword(one, "app", self._builder)
        if router is None:
            return
        row, path = self._origins.row(one.scope, self._builder.text(router)), text_of(prefix, self._builder)
        if row is not None:
            self._mounts.setdefault((row.scope, row.name), []).append((one, path))
        imported = imported_from(self._builder, self._origins, one.scope, router)
        if imported is not None:
            self._outside.append((one, imported, path))

    def _prefixes(self, one: Candidate, depth: int = 0) -> Iterator[tuple[str, str]]:
        """Yield the prefixes of a call's path, those of the router's mounts first.

        With each comes the router that holds all others, as in Detail.
        """
        row = self._origins.row(one.scope, one.receiver_name)
        if row is None or depth >= _DEEPEST:
            yield "", ""
            return
        maker = self._by_site.get(site_of(self._origins.value(row)))
        named = keyword(maker, self._making.get(maker.verb, "prefix"), self._builder) if maker else None
        own = text_of(named, self._builder)
        mounts = self._mounts.get((row.scope, row.name), ())
        if not mounts:
            yield own, self._exported(row)
        for mount, prefix in mounts:
            parts = [prefix or own] if mount.verb in self._replacing else [prefix, own]
            for above, router in self._prefixes(mount, depth + 1):
                yield concatenated(above, *parts), router

    def _exported(self, row: Binding) -> str:
        """Return the variable of the module that a binding is, as other files name its router; else empty."""
        if row.kind is Bindings.IMPORT and row.scope == 0:
            self._borrowed[row.name] = self._builder.imports[row.target]
            return row.name
        return row.name if row.scope == 0 and row.kind is Bindings.SYMBOL else ""

    # --- endpoints

    def _decorator(self, one: Candidate) -> None:
        """Add `@app.route("/x", methods=[…])` and `@router.get("/x")`."""
        framework, path, target = self._framework(one), self._path(one), decorated(one.node)
        if not framework or path is None or target is None or not is_path(path, self._builder):
            return
        name = target.child_by_field_name("name")
        where = place(self._builder, one.node, target, one.scope)
        uses = [self._builder.text(name)] if name is not None else []
        for prefix, router in islice(self._prefixes(one), MOST_PREFIXES):
            whole = concatenated(prefix, text_of(path, self._builder))
            register(self._builder, framework, self._methods(one), whole, where, uses, router)

    def _added(self, one: Candidate) -> None:
        """Add `app.add_url_rule("/x", "name", view, methods=[…])` and `app.add_api_route("/x", view)`."""
        at, name = self._adding[one.verb]
        framework, path, view = self._framework(one), self._path(one), argument(one, at, name, self._builder)
        if framework and path is not None and view is not None:
            where = place(self._builder, one.node, one.node, one.scope)
            for prefix, router in islice(self._prefixes(one), MOST_PREFIXES):
                whole = concatenated(prefix, text_of(path, self._builder))
                uses = [handler_of(view, self._builder)]
                register(self._builder, framework, self._methods(one), whole, where, uses, router)

    def _path(self, one: Candidate) -> Node | None:
        return argument(one, 0, "rule", self._builder) or keyword(one, "path", self._builder)

    def _methods(self, one: Candidate) -> list[str]:
        if one.verb in VERBS:
            return [one.verb.upper()]
        if "websocket" in one.verb:
            return ["WEBSOCKET"]
        methods = keyword(one, "methods", self._builder)
        named = methods.named_children if methods is not None else []
        strings = [text_of(child, self._builder).upper() for child in named]
        is_class = any(b".as_view(" in (given.text or b"") for given in one.arguments())
        return [text for text in strings if text.isalpha()] or ([ANY] if methods is not None or is_class else ["GET"])


def endpoints(builder: Builder, candidates: Sequence[Candidate], dialects: Sequence[Dialect]) -> None:
    """Add every endpoint among the candidates, with the prefixes that this file gives it.

    A router by its name belongs to the first framework that the file imports, if it is one of `dialects`.
    """
    roots = {entry.module.partition(".")[0] for entry in builder.imports} if candidates else set()
    imported = next((dialect.name for dialect in dialects if dialect.name in roots), "")
    if imported or any(_CONVENTIONAL.match(one.receiver_name) for one in candidates):
        _Reader(builder, candidates, dialects, imported).read()
