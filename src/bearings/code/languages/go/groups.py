"""Follows routers of Go through one file: their groups, and the functions that take or make them."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tree_sitter import Node

from bearings.code.expressions import Expression, last_name, root_of, site_of
from bearings.code.file_facts import Binding
from bearings.code.grouping import grouped
from bearings.code.languages.go.locals import plain
from bearings.code.languages.go.requests import FORMAT, STRINGS
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings
from bearings.code.languages.shared.nodes import above, first
from bearings.code.languages.shared.routes import Candidate
from bearings.code.type_expressions import type_words

GROUP = "Group"
PREFIX = "PathPrefix"
GROUPS = frozenset({GROUP, "Route", PREFIX, "Subrouter"})
"""Methods that make a router with a longer path."""
PATH = "Path"
"""Gorilla's method for the path of a route."""
_MATCHING = frozenset({PATH, "Methods", "Name", "Headers", "Queries", "Schemes", "Host", "MatcherFunc", "NewRoute"})
"""Gorilla's methods for what a route answers. Each returns the route."""
_FOLLOWED = GROUPS | _MATCHING | {"Use", "With", "StrictSlash"}
"""Methods that return a router or a route."""
_ROUTER = re.compile(r"(?:RouterGroup|IRouter|IRoutes|Engine|Hertz|Group|Echo|Router|Mux|App)$")
"""The end of the names of frameworks' types that hold routes."""
_MAKING = re.compile(r"New\w*$|Default$")
"""Frameworks' functions that make a router."""
_EXPRESSIONS = frozenset({"identifier", "selector_expression", "binary_expression", "call_expression"})
_PATH = re.compile(r"/|<\w+\.\w+>")
"""The start of a path: a slash, or the constant of a package."""
_FORMATTING = "fmt.Sprintf"
_DEEPEST = 8
_LONGEST_CHAIN = 20


class Router(NamedTuple):
    """A router of a file: the paths of its groups, and the function that takes or makes the outermost one."""

    prefixes: Sequence[str]
    function: str


class Rows:
    """The names of a file, by scope."""

    def __init__(self, builder: Builder) -> None:
        self._scopes = builder.scopes
        self._exact = {(row.scope, row.name): row for row in builder.bindings}
        self._plain = grouped(((row.scope, plain(row.name)), row) for row in sorted(builder.bindings, key=_line))
        """The rows of a name without the numbers of locals, in the order of lines."""

    def of(self, scope: int, name: Expression | None, line: int) -> Binding | None:
        """Return the row of a name in a scope or around it, the last one above a line; None for none."""
        while scope >= 0 and type(name) is str:
            rows = self._plain.get((scope, plain(name)), ())
            above = bisect_right(rows, line, key=_line)
            known = self._exact.get((scope, name)) or (rows[above - 1] if above else None)
            if known is not None:
                return known
            scope = self._scopes[scope][1]
        return None


def _line(row: Binding) -> int:
    return row.line


class Groups:
    """The routers of one file, which uses one framework and calls its package `package`."""

    def __init__(self, builder: Builder, candidates: Sequence[Candidate], framework: str, package: str) -> None:
        self._builder = builder
        self._framework = framework
        self._package = package
        self._by_site = {builder.site_at[one.node.byte_range]: one for one in candidates}
        self.rows = Rows(builder)
        self.turn: Mapping[bytes, Node] = {}
        """What expressions mean in the turn of a loop that is being read, by their text."""

    def chain(self, one: Candidate) -> Iterator[Candidate]:
        """Yield the calls that a call is chained to, from the last one to the first: of `r.A().B()`, `r.A()`."""
        here: Candidate | None = one
        for _ in range(_LONGEST_CHAIN):
            here = self._by_site.get(site_of(here.receiver)) if here is not None else None
            if here is None:
                break
            yield here

    def prefixes(self, scope: int, receiver: Expression | None, line: int, depth: int = 0) -> list[str]:
        """Return the paths of the groups that a router was made from, outermost first."""
        row = self.rows.of(scope, receiver, line)
        number = site_of(self._value(row) if row is not None else receiver)
        one = self._by_site.get(number) if depth < _DEEPEST else None
        if one is None or one.verb not in _FOLLOWED:
            return []
        given = one.arguments()
        own = self.path(given[0]) if given and (one.verb in GROUPS or one.verb == PATH) else ""
        return [*self.prefixes(one.scope, one.receiver, line, depth + 1), *([own] if own else [])]

    def prefixes_around(self, one: Candidate) -> Iterator[str]:
        """Return the paths of the calls around a call, outermost first: chi's `r.Route("/x", func(…) {…})`."""
        found = list[str]()
        for here in above(one.node):
            site = self._builder.site_at.get(here.byte_range, -1) if here.type[:4] == "call" else -1
            outer = self._by_site.get(site)
            given = outer.arguments() if outer is not None and outer.verb == "Route" else []
            found += filter(None, map(self.path, given[:1]))
        return reversed(found)

    def router(self, scope: int, expression: Expression, line: int) -> Router | None:
        """Return the router that an expression is; None for another object."""
        row = self.rows.of(scope, expression, line)
        number = site_of(self._value(row) if row is not None else expression)
        one, site = self._by_site.get(number), self._builder.calls[number] if number >= 0 else None
        is_group = one is not None and one.verb in GROUPS
        if is_group or (site is not None and self._makes(site.callee)) or (row is not None and self._takes(row)):
            return Router(self.prefixes(scope, expression, line), self.holder(scope, expression, line))
        return None

    def holder(self, scope: int, receiver: Expression | None, line: int) -> str:
        """Return the name by which other files find a router: a variable of the package, or the function around."""
        at, here = scope, receiver
        for _ in range(_DEEPEST):
            row = self.rows.of(at, here, line)
            if row is not None and row.scope == 0 and row.kind is Bindings.SYMBOL and self._takes(row):
                return row.name
            one = self._by_site.get(site_of(self._value(row) if row is not None else here))
            if one is None:
                break
            at, here = one.scope, one.receiver
        return function_around(self._builder, scope)

    def path(self, node: Node) -> str | None:
        """Return a path as written, or another expression in angle brackets; None if it can't be a path."""
        node = self.turn.get(node.text or b"", node)
        if node.type in STRINGS:
            return string(node, self._builder)
        is_name = node.type in _EXPRESSIONS and self._framework != "net/http"
        return self._text(node) if is_name else None

    def _text(self, node: Node, depth: int = 0) -> str:
        """Return the text of a string, a constant or a sum, or another expression in angle brackets.

        A function of a path, `conf.BaseUri("/api")`, adds an unknown prefix to the path.
        """
        node = self.turn.get(node.text or b"", node)
        known = self._builder.constants.text(node, self._text)
        if known is not None:
            return known
        left, right = (node.child_by_field_name(side) for side in ("left", "right"))
        if node.type == "binary_expression" and left is not None and right is not None and depth < _DEEPEST:
            return self._text(left, depth + 1) + self._text(right, depth + 1)
        callee, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        given = listed.named_children if callee is not None and listed is not None and depth < _DEEPEST else []
        path = self._text(given[0], depth + 1) if given else ""
        if callee is not None and _PATH.match(path):
            if self._builder.text(callee) == _FORMATTING:
                values = iter(given[1:])
                return FORMAT.sub(lambda _: self._inserted(values, depth + 1), path)
            if len(given) == 1:
                return f"<{self._builder.line_of(callee)[:60]}>{path}"
        return string(node, self._builder) if node.type in STRINGS else f"<{self._builder.line_of(node)[:60]}>"

    def _inserted(self, values: Iterator[Node], depth: int) -> str:
        node = next(values, None)
        if node is not None and (node.type == "identifier" or node.type in STRINGS):
            return self._text(node, depth)
        return f"<{self._builder.line_of(node)[:60]}>" if node is not None else "<?>"

    def _makes(self, callee: Expression) -> bool:
        """Whether a function of the framework's package makes a router: `gin.Default`."""
        return root_of(callee) == self._package and _MAKING.match(last_name(callee)) is not None

    def _takes(self, row: Binding) -> bool:
        """Whether a name has one of the framework's types that hold routes: `*gin.RouterGroup`."""
        type_ = self._builder.drafts[row.target].type if row.kind is Bindings.SYMBOL else row.type
        own = f"{self._package}."
        return any(word.startswith(own) and _ROUTER.search(word) is not None for word in type_words(type_))

    def _value(self, row: Binding) -> Expression | None:
        return self._builder.drafts[row.target].value if row.kind is Bindings.SYMBOL else row.value


def function_around(builder: Builder, scope: int) -> str:
    """Return the function around a scope, `Register` or `Handler.Register`; empty outside of functions."""
    return builder.drafts[builder.scopes[scope][2]].qualified if scope > 0 else ""


def string(node: Node, builder: Builder) -> str:
    """Return the content of a string literal; empty for another node."""
    content = first(node) if node.type in STRINGS else None
    return builder.text(content) if content is not None else ""
