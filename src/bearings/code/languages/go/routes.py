"""Endpoints of net/http and gorilla/mux, gin, echo, chi and fiber."""

import re
from collections.abc import Sequence

import msgspec
from tree_sitter import Node

from bearings.code.expressions import Expression
from bearings.code.languages.go.groups import GROUP, GROUPS, Groups, string
from bearings.code.languages.go.locals import plain
from bearings.code.languages.go.mounts import Mounting
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
_MATCH = "Match"
"""Gin's and echo's method for several methods of HTTP, which come before the path."""
CANDIDATES = frozenset({*_UPPER_METHODS, *_TITLE_METHODS, *_HANDLERS, *GROUPS, _MATCH})
"""The last part of the callee of every call that may register an endpoint or a group.

In a file that `hands_on`, every call may hand a router on.
"""
_PATTERN = re.compile(r"(?:(?P<method>[A-Z]+)[ \t]+)?(?P<path>[^\s/]*/.*)$")
"""https://pkg.go.dev/net/http#hdr-Patterns-ServeMux."""
_DEEPEST = 8
_NEEDED = 2
_MADE = f".{GROUP}(".encode()


def hands_on(builder: Builder) -> bool:
    """Whether a file may hand a router on to a function: it imports a framework that has groups, or makes a group."""
    served = (pattern.search(entry.module) for entry in builder.imports for _, pattern in _FRAMEWORKS[:-1])
    return any(served) or _MADE in builder.source


def go_endpoints(builder: Builder, names: Names, candidates: list[Candidate]) -> None:
    """Add every endpoint among the candidates, with the prefixes of the groups in this file."""
    for framework, pattern in _FRAMEWORKS if candidates else ():
        package = next((entry.local for entry in builder.imports if pattern.search(entry.module)), None)
        if package is not None:
            count = len(builder.drafts)
            _Reader(builder, names, candidates, framework, package).read()
            for draft in builder.drafts[count:]:
                if draft.detail is not None:
                    draft.detail = msgspec.structs.replace(draft.detail, handler=plain(draft.detail.handler))
            break
    else:
        if any(one.verb == GROUP for one in candidates):  # of a router that another file makes
            _mount(candidates, Mounting(builder, "", Groups(builder, candidates, "", "")))


def _mount(candidates: Sequence[Candidate], mounting: Mounting) -> None:
    for one in candidates:
        if (one.verb not in CANDIDATES or one.verb == GROUP) and one.node.child_by_field_name("arguments") is not None:
            mounting.read(one)


class _Reader:
    """Reads the endpoints of one file, which uses one framework and calls its package `package`."""

    def __init__(
        self, builder: Builder, names: Names, candidates: list[Candidate], framework: str, package: str
    ) -> None:
        self._builder = builder
        self._names = names
        self._candidates = candidates
        self._framework = framework
        self._groups = Groups(builder, candidates, framework, package)

    def read(self) -> None:
        methods = _METHODS.get(self._framework, {})
        _mount(self._candidates, Mounting(self._builder, self._framework, self._groups))
        for one in self._candidates:
            given = one.arguments()
            if one.verb == _MATCH and methods is _UPPER_METHODS:
                self._match(one, given)
                continue
            path = self._groups.path(given[0]) if given else None
            if path is None or len(given) < _NEEDED:
                continue
            if one.verb in methods and one.receiver is not None:
                at = 1 if self._framework == "echo" else -1
                self._register(one, [methods[one.verb]], path, given[at])
            elif one.verb in _HANDLERS and self._framework not in ("gin", "echo", "fiber"):
                self._pattern(one, path, given[1])

    def _match(self, one: Candidate, given: Sequence[Node]) -> None:
        """Add `r.Match([]string{"GET", "HEAD"}, "/x", h)`."""
        path = self._groups.path(given[1]) if len(given) > _NEEDED else None
        listed = given[0].child_by_field_name("body") if path is not None else None
        elements = listed.named_children if listed is not None else ()
        methods = [text for child in elements if (text := string(_element(child), self._builder))]
        if path is not None and methods:
            self._register(one, methods, path, given[2 if self._framework == "echo" else -1])

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
        texts = [string(child, self._builder) for child in given.named_children] if given is not None else []
        return [text for text in texts if text]

    def _register(self, one: Candidate, methods: list[str], path: str, handler: Node) -> None:
        where, groups = place(self._builder, one.node, one.node, one.scope), self._groups
        prefixes = [*groups.prefixes_around(one), *groups.prefixes(one.scope, one.receiver, where.line)]
        whole = joined(*prefixes, path) if prefixes else path
        router = groups.holder(one.scope, one.receiver, where.line) if self._framework != "net/http" else ""
        register(self._builder, self._framework, methods, whole, where, [self._handler(handler)], router)

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


def _element(child: Node) -> Node:
    """Return an element of a literal, which stands in a node of its own."""
    return (first(child) or child) if child.type == "literal_element" else child
