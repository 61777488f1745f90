"""Endpoints of net/http and gorilla/mux, gin, echo, chi and fiber."""

import re
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import msgspec
from tree_sitter import Node

from bearings.code.framework_facts import OWN_PACKAGE, Mount
from bearings.code.languages.go.groups import GROUP, GROUPS, PATH, PREFIX, Groups, string
from bearings.code.languages.go.locals import plain
from bearings.code.languages.go.loops import Loops
from bearings.code.languages.go.mounts import Mounting
from bearings.code.languages.go.names import Names
from bearings.code.languages.go.registering import VERBS, Handlers, method_of
from bearings.code.languages.go.tables import Table, table_endpoints
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.nodes import above, first
from bearings.code.languages.shared.routes import ANY, Candidate, joined, place, register

_UPPER_METHODS = {**{verb.upper(): verb.upper() for verb in VERBS}, "Any": ANY}
_TITLE_METHODS = {**{verb.title(): verb.upper() for verb in VERBS}, "All": ANY}


class _Framework(NamedTuple):
    """A framework, whose packages `module` matches.

    `methods` of its routers register, `r.GET("/x", h)`; those in `given` take the HTTP method before the path,
    `r.Handle("GET", "/x", h)`; `matches`: `r.Match` takes several. The handler is the last argument, or the first
    behind the path if that `is_next`: middleware follows it. `has_patterns`: `Handle` and `HandleFunc` register a
    pattern, `"GET /x"`.
    """

    name: str
    module: re.Pattern[str]
    methods: Mapping[str, str] = MappingProxyType({})
    given: Collection[str] = ()
    matches: bool = False
    is_next: bool = False
    has_patterns: bool = False


_FRAMEWORKS = (
    _Framework("gin", re.compile(r"github\.com/gin-gonic/gin$"), _UPPER_METHODS, {"Handle"}, matches=True),
    _Framework(
        "echo", re.compile(r"github\.com/labstack/echo(?:/v\d+)?$"), _UPPER_METHODS, {"Add"}, matches=True, is_next=True
    ),
    _Framework(
        "hertz", re.compile(r"github\.com/cloudwego/hertz/pkg/(?:app/server|route)$"), _UPPER_METHODS, {"Handle"}
    ),
    _Framework(
        "chi",
        re.compile(r"github\.com/(?:go-chi|pressly)/chi(?:/v\d+)?$"),
        _TITLE_METHODS,
        {"Method", "MethodFunc"},
        has_patterns=True,
    ),
    _Framework("fiber", re.compile(r"github\.com/gofiber/fiber(?:/v\d+)?$"), _TITLE_METHODS, {"Add"}),
    _Framework("gorilla/mux", re.compile(r"github\.com/gorilla/mux$"), has_patterns=True),
    _Framework("net/http", re.compile(r"net/http$"), has_patterns=True),
)
"""If a file imports several frameworks, the first one of this list counts."""
_HANDLERS = frozenset({"HandleFunc", "Handle"})
_MATCH = "Match"
"""Gin's and echo's method for several methods of HTTP, which come before the path."""
_ENDS = frozenset({"Handler", "HandlerFunc"})
"""Gorilla's methods for the handler of a route: `r.Methods("GET").Path("/x").Handler(h)`."""
CANDIDATES = frozenset(
    {
        *_UPPER_METHODS,
        *_TITLE_METHODS,
        *_HANDLERS,
        *GROUPS,
        _MATCH,
        *(verb for framework in _FRAMEWORKS for verb in framework.given),
    }
)
"""The last part of the callee of every call that may register an endpoint or a group.

In a file that `hands_on`, every call may hand a router on.
"""
_REGISTERING = CANDIDATES - GROUPS | _ENDS
_PATTERN = re.compile(r"(?:(?P<method>[A-Z]+)[ \t]+)?(?P<path>[^\s/]*/.*)$")
"""https://pkg.go.dev/net/http#hdr-Patterns-ServeMux."""
_NEEDED = 2
_METHODS_OF = "Methods"
_MADE = f".{GROUP}(".encode()


def hands_on(builder: Builder) -> bool:
    """Whether a file may hand a router on to a function: it imports a framework that has groups, or makes a group."""
    served = (one.module.search(entry.module) for entry in builder.imports for one in _FRAMEWORKS[:-1])
    return any(served) or _MADE in builder.source


def go_endpoints(builder: Builder, names: Names, candidates: list[Candidate], tables: Sequence[Table]) -> None:
    """Add every endpoint among the candidates, with the prefixes of the groups in this file, and those in tables."""
    count, framework, are_followed = len(builder.drafts), _FRAMEWORKS[-1], False
    for framework in _FRAMEWORKS if candidates or tables else ():
        package = next((entry.local for entry in builder.imports if framework.module.search(entry.module)), None)
        if package is not None:
            reader = _Reader(builder, names, candidates, framework, package)
            reader.read()
            are_followed = reader.loops.are_followed
            break
    else:
        if any(one.verb == GROUP for one in candidates):  # of a router that another file makes
            _mount(candidates, Mounting(builder, "", Groups(builder, candidates, "", "")))
    if tables and not are_followed and not builder.path.endswith("_test.go"):
        table_endpoints(builder, names, tables, framework.name)
    for draft in builder.drafts[count:]:
        if draft.detail is not None:
            draft.detail = msgspec.structs.replace(draft.detail, handler=plain(draft.detail.handler))


def _mount(candidates: Sequence[Candidate], mounting: Mounting) -> None:
    for one in candidates:
        if (one.verb not in CANDIDATES or one.verb == GROUP) and one.node.child_by_field_name("arguments") is not None:
            mounting.read(one)


class _Reader:
    """Reads the endpoints of one file, which uses one framework and calls its package `package`."""

    def __init__(
        self, builder: Builder, names: Names, candidates: list[Candidate], framework: _Framework, package: str
    ) -> None:
        self._builder = builder
        self._candidates = candidates
        self._framework = framework
        self._groups = Groups(builder, candidates, framework.name, package)
        self._handlers = Handlers(builder, names, self._groups.rows)
        self.loops = Loops(builder, self._groups.rows)

    def read(self) -> None:
        _mount(self._candidates, Mounting(self._builder, self._framework.name, self._groups))
        for one in self._candidates:
            for turn, where in self.loops.turns(one) if one.verb in _REGISTERING else ():
                self._groups.turn = turn.values
                self._endpoint(turn, where, turn.arguments())
        self._groups.turn = {}
        for variable, one in self.loops.elsewhere.items():
            self._elsewhere(one, variable)

    def _elsewhere(self, one: Candidate, variable: str) -> None:
        """Record that a loop gives the routes in a variable of another file to a router."""
        line, groups = self._builder.line(one.node), self._groups
        prefixes = [*groups.prefixes_around(one), *groups.prefixes(one.scope, one.receiver, line)]
        of_rows = {groups.path(node) for call in groups.chain(one) if call.verb == PATH for node in call.arguments()}
        path = joined(*(prefix for prefix in prefixes if prefix not in of_rows))
        router = groups.holder(one.scope, one.receiver, line)
        self._builder.mounts.append(Mount(self._framework.name, path, router, OWN_PACKAGE, variable, line=line))

    def _endpoint(self, one: Candidate, where: Node, given: Sequence[Node]) -> None:
        """Add what a call registers; in a loop over a table, at the row `where`."""
        framework, methods = self._framework, self._framework.methods
        behind = 1 if framework.is_next else -1
        if one.verb == _MATCH and framework.matches:
            self._match(one, where, given)
        elif one.verb in framework.given and len(given) > _NEEDED:
            path, methods_given = self._groups.path(given[1]), self._methods_in(one, given[:1])
            if path is not None and methods_given:
                self._register(one, where, methods_given, path, given[1:][behind])
        elif one.verb in _ENDS and framework.name == "gorilla/mux" and given:
            self._chained(one, where, given[0])
        elif len(given) >= _NEEDED and (path := self._groups.path(given[0])) is not None:
            if one.verb in methods and one.receiver is not None:
                own = [method for node in one.values.values() if (method := method_of(node, self._builder))]
                if not own or methods[one.verb] in own:  # a loop with a call for each method
                    self._register(one, where, [methods[one.verb]], path, given[behind])
            elif one.verb in _HANDLERS and framework.has_patterns:
                self._pattern(one, where, path, given[1])

    def _chained(self, one: Candidate, where: Node, handler: Node) -> None:
        """Add `r.Methods("GET").Path("/x").Handler(h)`, whose calls come in any order."""
        before = [*self._groups.chain(one)]
        given = [call.arguments() for call in before if call.verb in (PATH, PREFIX)]
        if any("/" in (self._groups.path(nodes[0]) or "") for nodes in given if nodes):
            listed = [node for call in before if call.verb == _METHODS_OF for node in call.arguments()]
            methods = [*self._methods_in(one, listed), *self._methods(one)]
            self._register(one, where, methods or [ANY], "", handler)

    def _match(self, one: Candidate, where: Node, given: Sequence[Node]) -> None:
        """Add `r.Match([]string{"GET", "HEAD"}, "/x", h)`."""
        path = self._groups.path(given[1]) if len(given) > _NEEDED else None
        listed = given[0].child_by_field_name("body") if path is not None else None
        elements = listed.named_children if listed is not None else ()
        methods = self._methods_in(one, [_element(child) for child in elements])
        if path is not None and methods:
            self._register(one, where, methods, path, given[2 if self._framework.is_next else -1])

    def _pattern(self, one: Candidate, where: Node, text: str, handler: Node) -> None:
        """Add `HandleFunc("GET /x", h)`, or `HandleFunc("/x", h).Methods("GET")` of gorilla."""
        pattern = _PATTERN.match(text)
        if pattern is not None:
            methods = [pattern["method"]] if pattern["method"] else self._methods(one)
            self._register(one, where, methods or [ANY], pattern["path"], handler)

    def _methods(self, one: Candidate) -> list[str]:
        """Return the arguments of `.Methods(…)` if it is called on the result of a call."""
        here = one.node.parent
        field = here.child_by_field_name("field") if here is not None and here.type == "selector_expression" else None
        outer = (
            here.parent if here is not None and field is not None and self._builder.text(field) == _METHODS_OF else None
        )
        given = outer.child_by_field_name("arguments") if outer is not None else None
        return self._methods_in(one, given.named_children) if given is not None else []

    def _methods_in(self, one: Candidate, given: Sequence[Node]) -> list[str]:
        """Return the methods of HTTP that are given; those in the row of a table if an expression of it is unknown."""
        found = [method_of(node, self._builder) or string(node, self._builder) for node in map(one.valued, given)]
        if one.values and not all(found):
            found += [method_of(node, self._builder) for node in one.values.values()]
        return [method for method in found if method]

    def _register(self, one: Candidate, at: Node, methods: list[str], path: str, handler: Node) -> None:
        scope = one.scope if at == one.node else self._scope(at)
        where, groups, line = place(self._builder, at, at, scope), self._groups, self._builder.line(one.node)
        prefixes = [*groups.prefixes_around(one), *groups.prefixes(one.scope, one.receiver, line)]
        whole = joined(*prefixes, *([path] if path else [])) if prefixes else path
        router = groups.holder(one.scope, one.receiver, line) if self._framework.name != "net/http" else ""
        register(
            self._builder, self._framework.name, methods, whole, where, [self._handlers.of(handler, scope)], router
        )

    def _scope(self, row: Node) -> int:
        """Return the scope of the names in the row of a table: of the function around it, or the file's."""
        found = (self._builder.functions.get(here.byte_range) for here in above(row))
        return next((self._builder.drafts[index].inner for index in found if index is not None), 0)


def _element(child: Node) -> Node:
    """Return an element of a literal, which stands in a node of its own."""
    return (first(child) or child) if child.type == "literal_element" else child
