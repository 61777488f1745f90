"""Endpoints of net/http and gorilla/mux, gin, echo, chi and fiber."""

import re
from collections.abc import Iterator

import msgspec
from tree_sitter import Node

from bearings.code.expressions import Expression, site_of
from bearings.code.file_facts import Binding
from bearings.code.languages.go.locals import plain
from bearings.code.languages.go.names import Names
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.nodes import first
from bearings.code.languages.shared.routes import ANY, Candidate, joined, place, register

_FRAMEWORKS = (
    ("gin", re.compile(r"github\.com/gin-gonic/gin$")),
    ("echo", re.compile(r"github\.com/labstack/echo(?:/v\d+)?$")),
    ("chi", re.compile(r"github\.com/(?:go-chi|pressly)/chi(?:/v\d+)?$")),
    ("fiber", re.compile(r"github\.com/gofiber/fiber(?:/v\d+)?$")),
    ("gorilla/mux", re.compile(r"github\.com/gorilla/mux$")),
    ("net/http", re.compile(r"net/http$")),
)
"""If a file imports several frameworks, the first one of this list counts."""
_VERBS = ("get", "post", "put", "patch", "delete", "head", "options", "connect", "trace")
_UPPER_METHODS = {**{verb.upper(): verb.upper() for verb in _VERBS}, "Any": ANY}
_TITLE_METHODS = {**{verb.title(): verb.upper() for verb in _VERBS}, "All": ANY}
_METHODS = {"gin": _UPPER_METHODS, "echo": _UPPER_METHODS, "chi": _TITLE_METHODS, "fiber": _TITLE_METHODS}
_HANDLERS = frozenset({"HandleFunc", "Handle"})
_GROUPS = frozenset({"Group", "Route", "PathPrefix", "Subrouter"})
CANDIDATES = frozenset({*_UPPER_METHODS, *_TITLE_METHODS, *_HANDLERS, *_GROUPS})
"""The last part of the callee of every call that may register an endpoint or a group."""
_PATTERN = re.compile(r"(?:(?P<method>[A-Z]+)[ \t]+)?(?P<path>[^\s/]*/.*)$")
"""https://pkg.go.dev/net/http#hdr-Patterns-ServeMux."""
_STRINGS = frozenset({"interpreted_string_literal", "raw_string_literal"})
_DEEPEST = 8
_NEEDED = 2


def go_endpoints(builder: Builder, names: Names, candidates: list[Candidate]) -> None:
    """Add every endpoint among the candidates, with the prefixes of the groups in this file."""
    paths = [entry.module for entry in builder.imports] if candidates else []
    for framework, pattern in _FRAMEWORKS:
        if any(pattern.search(path) for path in paths):
            count = len(builder.drafts)
            _Reader(builder, names, candidates, framework).read()
            for draft in builder.drafts[count:]:
                if draft.detail is not None:
                    draft.detail = msgspec.structs.replace(draft.detail, handler=plain(draft.detail.handler))
            return


class _Reader:
    """Reads the endpoints of one file, which uses one framework."""

    def __init__(self, builder: Builder, names: Names, candidates: list[Candidate], framework: str) -> None:
        self._builder = builder
        self._names = names
        self._candidates = candidates
        self._framework = framework
        self._by_site = {builder.site_at[one.node.byte_range]: one for one in candidates}
        self._rows: dict[tuple[int, Expression | None], Binding] = {
            (row.scope, row.name): row for row in builder.bindings
        }

    def read(self) -> None:
        methods = _METHODS.get(self._framework, {})
        for one in self._candidates:
            given = one.arguments()
            path = self._path(given[0]) if given else None
            if path is None or len(given) < _NEEDED:
                continue
            if one.verb in methods and one.receiver is not None:
                at = 1 if self._framework == "echo" else -1
                self._register(one, [methods[one.verb]], path, given[at])
            elif one.verb in _HANDLERS and self._framework not in ("gin", "echo", "fiber"):
                self._pattern(one, path, given[1])

    def _pattern(self, one: Candidate, text: str, handler: Node) -> None:
        """Add `HandleFunc("GET /x", h)`, or `HandleFunc("/x", h).Methods("GET")` of gorilla."""
        pattern = _PATTERN.match(text)
        if pattern is not None:
            methods = [pattern["method"]] if pattern["method"] else self._methods(one.node)
            self._register(one, methods or [ANY], pattern["path"], handler)

    def _methods(self, call: Node) -> list[str]:
        """Return the arguments of `.Methods(…)` if it is called on the result of a call."""
        here = call.parent
        field = here.child_by_field_name("field") if here is not None and here.type == "selector_expression" else None
        outer = (
            here.parent if here is not None and field is not None and self._builder.text(field) == "Methods" else None
        )
        given = outer.child_by_field_name("arguments") if outer is not None else None
        texts = [self._text(child) for child in given.named_children] if given is not None else []
        return [text for text in texts if text]

    def _register(self, one: Candidate, methods: list[str], path: str, handler: Node) -> None:
        where = place(self._builder, one.node, one.node, one.scope)
        prefixes = [*self._enclosing_prefixes(one), *self._prefixes(one.scope, one.receiver)]
        whole = joined(*prefixes, path) if prefixes else path
        register(self._builder, self._framework, methods, whole, where, [self._handler(handler)])

    def _handler(self, node: Node) -> Expression | None:
        """Return the name of a handler, without the conversion or middleware around it; None for none."""
        for _ in range(_DEEPEST):
            if node.type in ("identifier", "selector_expression"):
                return self._names.expression(node)
            given = node.child_by_field_name("arguments") if node.type == "call_expression" else None
            inner = given.named_children[-1] if given is not None and given.named_child_count else None
            if inner is None:
                return None
            node = inner
        return None

    def _prefixes(self, scope: int, receiver: Expression | None, depth: int = 0) -> list[str]:
        """Return the paths of the groups that a router was made from, outermost first."""
        row = self._rows.get((scope, receiver))
        number = site_of(row.value if row is not None else receiver)
        one = self._by_site.get(number) if depth < _DEEPEST else None
        if one is None or one.verb not in _GROUPS:
            return []
        given = one.arguments()
        own = self._path(given[0]) if given else ""
        return [*self._prefixes(one.scope, one.receiver, depth + 1), *([own] if own else [])]

    def _enclosing_prefixes(self, one: Candidate) -> Iterator[str]:
        """Return the paths of the calls around a call, outermost first: chi's `r.Route("/x", func(…) {…})`."""
        found = []
        here = one.node.parent
        while here is not None:
            outer = (
                self._by_site.get(self._builder.site_at.get(here.byte_range, -1)) if here.type[:4] == "call" else None
            )
            given = outer.arguments() if outer is not None and outer.verb == "Route" else []
            path = self._path(given[0]) if given else None
            if path:
                found.append(path)
            here = here.parent
        return reversed(found)

    def _path(self, node: Node) -> str | None:
        """Return a path as written, or another expression in angle brackets; None if it can't be a path."""
        if node.type in _STRINGS:
            return self._text(node)
        is_name = node.type in ("identifier", "selector_expression", "binary_expression", "call_expression")
        return f"<{self._builder.line_of(node)[:60]}>" if is_name and self._framework != "net/http" else None

    def _text(self, node: Node) -> str:
        content = first(node) if node.type in _STRINGS else None
        return self._builder.text(content) if content is not None else ""
