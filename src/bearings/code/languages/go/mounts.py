"""Records calls that hand a router on to a function of another file: `users.Register(api.Group("/users"))`.

The function stands for the router that it takes or makes. It is found by the package before its name. A method is found
by the package that makes its object or has its type, else by its own name.
"""

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from bearings.code.expressions import Expression, Result, Typed, last_name, root_of, site_of
from bearings.code.framework_facts import ANYWHERE, OWN_PACKAGE, Mount
from bearings.code.languages.go.groups import GROUP, Groups, Router
from bearings.code.languages.go.locals import plain
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.routes import Candidate, joined
from bearings.code.type_expressions import type_words

MOUNT = "Mount"
"""The method of chi and fiber that mounts the router that a function returns."""

_MAKING = "New"
"""The start of the name of a function that makes an object of the type behind it: `NewHandler`."""


class Mounting:
    """Reads one file."""

    def __init__(self, builder: Builder, framework: str, groups: Groups) -> None:
        self._builder = builder
        self._framework = framework
        self._groups = groups
        self._packages = {entry.local: entry.module for entry in builder.imports}

    def read(self, one: Candidate) -> None:
        """Record what a call mounts."""
        given, line = one.arguments(), self._builder.line(one.node)
        if one.verb == GROUP:
            self._assigned(one, line)
            return
        if one.verb == MOUNT and one.receiver is not None:
            outer = self._groups.router(one.scope, one.receiver, line)
            called = self._called(one.scope, given[1], line) if len(given) > 1 else None
            if outer is not None and called is not None:
                self._add(one, [*outer.prefixes, self._groups.path(given[0]) or ""], outer.function, called)
            return
        routers = [router for node in given if (router := self._of(one.scope, node, line)) is not None]
        if len(routers) == 1:
            self._add(one, routers[0].prefixes, routers[0].function, one.callee)

    def _assigned(self, one: Candidate, line: int) -> None:
        """Record the prefix of a group that a variable of the package gets, for functions in other files."""
        listed = one.node.parent
        whole = listed.parent if listed is not None and listed.type == "expression_list" else None
        left = whole.child_by_field_name("left") if whole is not None and whole.type == "assignment_statement" else None
        name = left.named_children[0] if left is not None and left.named_child_count == 1 else None
        row = self._groups.rows.of(one.scope, self._builder.text(name), line) if name is not None else None
        if name is not None and name.type == "identifier" and (row is None or row.scope == 0):
            made = Result(self._builder.site_at[one.node.byte_range])
            path = joined(*self._groups.prefixes_around(one), *self._groups.prefixes(one.scope, made, line))
            router = self._groups.holder(one.scope, one.receiver, line)
            self._builder.mounts.append(
                Mount(self._framework, path, router, OWN_PACKAGE, self._builder.text(name), line=line)
            )

    def _add(self, one: Candidate, prefixes: Sequence[str], router: str, callee: Expression) -> None:
        line = self._builder.line(one.node)
        module, name = self._target(one.scope, callee, line)
        if name:
            whole = [*self._groups.prefixes_around(one), *prefixes]
            path = joined(*whole) if any(whole) else ""
            self._builder.mounts.append(Mount(self._framework, path, router, module, name, line=line))

    def _of(self, scope: int, node: Node, line: int) -> Router | None:
        """Return the router that an argument is."""
        if node.type == "call_expression":
            return self._groups.router(scope, Result(self._builder.site_at.get(node.byte_range, -1)), line)
        is_name = node.type in ("identifier", "selector_expression")
        return self._groups.router(scope, self._builder.text(node), line) if is_name else None

    def _called(self, scope: int, node: Node, line: int) -> Expression | None:
        """Return the function whose result an argument is, perhaps by a variable."""
        row = self._groups.rows.of(scope, self._builder.text(node), line) if node.type == "identifier" else None
        number = self._builder.site_at.get(node.byte_range, -1) if row is None else site_of(row.value)
        site = self._builder.calls[number] if number >= 0 else None
        return site.callee if site is not None else None

    def _target(self, scope: int, callee: Expression, line: int) -> tuple[str, str]:
        """Return the package of a function and its name, before the name of a method the type of its object."""
        root, name = root_of(callee), plain(last_name(callee))
        if root == callee:
            return OWN_PACKAGE, name
        if type(root) is str and root in self._packages:
            return self._packages[root], name
        row = self._groups.rows.of(scope, root, line) if type(root) is str else None
        words = [*type_words(row.type), *self._words(row.value)] if row is not None else list(self._words(root))
        for word in words:
            package, _, made = word.rpartition(".")
            if not package or package in self._packages:
                module = self._packages[package] if package else OWN_PACKAGE
                return module, f"{made.removeprefix(_MAKING)}.{name}"
        return ANYWHERE, name

    def _words(self, value: Expression | None) -> Iterator[str]:
        """Yield the names in the function or type that makes an object."""
        number = site_of(value)
        site = self._builder.calls[number] if number >= 0 else None
        root = root_of(site.callee) if site is not None else None
        if type(root) is Typed:
            yield from type_words(root.type)
        elif site is not None and type(site.callee) is str:
            yield site.callee
