"""Endpoints of Django: `path("x/", view)`, with the prefixes of the paths that include it in the same file."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from tree_sitter import Node

from bearings.code.expressions import last_name, receiver
from bearings.code.framework_facts import Mount
from bearings.code.languages.python.frameworks.arguments import (
    argument,
    concatenated,
    handler_of,
    imported_from,
    positional,
    text_of,
)
from bearings.code.languages.python.names import expression
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.nodes import first
from bearings.code.languages.shared.origins import Origins
from bearings.code.languages.shared.routes import ANY, MOST_PREFIXES, Candidate, place, register

CANDIDATES = frozenset({"path", "re_path", "url"})
_FUNCTIONS = re.compile(r"django\.(?:urls|conf\.urls)\.(?:path|re_path|url)")
_ENDS = frozenset({"module", "assignment", "augmented_assignment", "block"})
"""The nodes that end the search for a path around another one."""
_DEEPEST = 5
_PATTERNS = "urlpatterns"
"""The variable of a module that holds its paths."""


def endpoints(builder: Builder, candidates: Sequence[Candidate]) -> None:
    """Add the endpoint of every path that leads to a view."""
    if any(one.verb in CANDIDATES for one in candidates) and any(
        entry.module.partition(".")[0] == "django" for entry in builder.imports
    ):
        _Reader(builder, candidates).read()


class _Reader:
    """Reads the endpoints of one file."""

    def __init__(self, builder: Builder, candidates: Sequence[Candidate]) -> None:
        self._builder = builder
        self._paths = [one for one in candidates if one.verb in CANDIDATES]
        self._by_span = {one.node.byte_range: one for one in self._paths}
        self._origins = Origins(builder)

    def read(self) -> None:
        for one in self._paths:
            if _FUNCTIONS.fullmatch(self._origins.of(one.scope, one.callee).name):
                self._path(one)

    def _path(self, one: Candidate) -> None:
        """Add `path("x/", view)`, with the prefixes of the paths that include it."""
        route = argument(one, 0, "route", self._builder)
        view = argument(one, 1, "view", self._builder)
        if route is None or view is None:
            return
        if self._is_include(view):
            self._mount(one, route, view)
            return
        where = place(self._builder, one.node, one.node, one.scope)
        for prefix in islice(self._prefixes(one), MOST_PREFIXES):
            path = concatenated("/", prefix + self._route(one, route))
            register(self._builder, "django", [ANY], path, where, [handler_of(view, self._builder)], _PATTERNS)

    def _mount(self, one: Candidate, route: Node, view: Node) -> None:
        """Record the module of `path("x/", include("app.urls"))`, whose paths get the prefix."""
        given = first(view.child_by_field_name("arguments"))
        given = (
            given.named_children[0] if given is not None and given.type == "tuple" and given.named_children else given
        )
        if given is None:
            return
        module = text_of(given, self._builder) if given.type == "string" else self._module(one, given)
        for prefix in islice(self._prefixes(one), MOST_PREFIXES) if module else ():
            whole = concatenated("/", prefix + self._route(one, route))
            line = self._builder.line(one.node)
            self._builder.mounts.append(Mount("django", whole, _PATTERNS, module, _PATTERNS, line=line))

    def _module(self, one: Candidate, node: Node) -> str:
        """Return the module that a name means, if an import gives it; else empty."""
        imported = imported_from(self._builder, self._origins, one.scope, node)
        module, name = imported or ("", "")
        return f"{module}{'' if module.endswith('.') else '.'}{name}" if name else ""

    def _is_include(self, view: Node) -> bool:
        """Whether a path leads to more paths instead of a view: `include(…)`, `admin.site.urls`."""
        shown = expression(view, self._builder)
        callee = view.child_by_field_name("function") if view.type == "call" else None
        called = last_name(expression(callee, self._builder)) if callee is not None else ""
        is_list = receiver(shown) is not None and last_name(shown) == "urls"
        return is_list or called == "include" or view.type in ("list", "tuple")

    def _prefixes(self, one: Candidate, depth: int = 0) -> Iterator[str]:
        """Yield the prefixes of the paths that include this one: a path around it, or paths that include its list."""
        here, inner = one.node.parent, one.node
        while here is not None and here.type not in _ENDS:
            outer = self._by_span.get(here.byte_range) if here.type == "call" else None
            if outer is not None and positional(outer)[:1] != [inner]:
                route = self._route(outer, positional(outer)[0])
                for above in self._prefixes(outer, depth + 1):
                    yield above + route
                return
            here = here.parent
        left = here.child_by_field_name("left") if here is not None else None
        name = self._builder.text(left) if left is not None else ""
        is_included = False
        for outer in self._paths if name and depth < _DEEPEST else ():
            given = positional(outer)
            if len(given) > 1 and self._includes(given[1], name):
                is_included, route = True, self._route(outer, given[0])
                for above in self._prefixes(outer, depth + 1):
                    yield above + route
        if not is_included:
            yield ""

    def _includes(self, view: Node, name: str) -> bool:
        if not self._is_include(view) or view.type != "call":
            return False
        given = view.child_by_field_name("arguments")
        included = first(given)
        if included is not None and included.type == "tuple" and included.named_child_count:
            included = included.named_children[0]
        return included is not None and self._builder.text(included) == name

    def _route(self, one: Candidate, node: Node) -> str:
        """Return a route as a part of a whole path: a regular expression loses its anchors."""
        text = text_of(node, self._builder)
        return text if one.verb == "path" else text.removeprefix("^").removesuffix("$")
