"""Endpoints of Tornado: rules in lists, `[(r"/x", Handler), url(r"/y", Other)]`, with the verbs of their classes.

A list counts if it is assigned, returned or passed to a call in a file that imports tornado, or if its name ends in
`handlers`.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from bearings.code.expressions import Expression, last_name, receiver
from bearings.code.languages.python.frameworks.arguments import text_of
from bearings.code.languages.python.frameworks.classes import class_of, handled
from bearings.code.languages.python.names import NAMES, expression
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.origins import Origins
from bearings.code.languages.shared.routes import place, register

_RULES = frozenset({"url", "URLSpec", "Rule"})
_MATCHERS = frozenset({"PathMatches"})
_OWNERS = frozenset({"Application", "add_handlers", "RuleRouter"})
"""Calls whose lists hold rules of any path."""
_ONLY_GET = ("tornado.web.StaticFileHandler", "tornado.web.RedirectHandler")
_CONVENTIONAL = "handlers"
_PATH_STARTS = ("/", "(", ".*")
_DEEPEST = 5
_PAIR = 2


class Table(NamedTuple):
    """A list that may hold rules, the name of its variable or of the function that takes it, and its scope."""

    node: Node
    name: str
    scope: int


class Tables:
    """Collects the lists of a file that may hold rules. `are_wanted`: they are worth reading."""

    def __init__(self, builder: Builder) -> None:
        source = builder.source
        self._builder = builder
        self.are_wanted = b"tornado" in source or (b"handlers" in source and b"Handler" in source)
        self.found: list[Table] = []

    def add(self, node: Node, name: str) -> None:
        """Add a node if it is a list."""
        if node.type == "list":
            self.found.append(Table(node, name, self._builder.frames[-1].scope))

    def add_arguments(self, call: Node, callee: Expression) -> None:
        """Add the lists among the arguments of a call, and the arguments of `handlers.append(…)`."""
        given, name = call.child_by_field_name("arguments"), last_name(callee)
        if name == "append" and given is not None:
            self.found.append(Table(given, last_name(receiver(callee)), self._builder.frames[-1].scope))
        for child in given.named_children if given is not None else ():
            value = child.child_by_field_name("value") if child.type == "keyword_argument" else child
            if value is not None:
                self.add(value, name)


def endpoints(builder: Builder, tables: Sequence[Table]) -> None:
    """Add the endpoints of every rule in the lists."""
    if tables:
        is_imported = any(entry.module.partition(".")[0] == "tornado" for entry in builder.imports)
        reader = _Reader(builder)
        for table in tables:
            is_named = table.name.lower().endswith(_CONVENTIONAL)
            if is_imported or is_named:
                reader.read(table, is_sure=is_imported and (is_named or table.name in _OWNERS))


class _Reader:
    """Reads the endpoints of one file. `_seen` are the spans of rules that are read."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._origins = Origins(builder)
        self._seen: set[tuple[int, int]] = set()

    def read(self, table: Table, *, is_sure: bool, depth: int = 0) -> None:
        """Add the endpoints of the rules in a list, and of those in the lists of rules in it.

        A list that surely holds rules may have paths that don't look like one.
        """
        rules = [(child, rule) for child in table.node.named_children if (rule := self._rule(child)) is not None]
        is_table = is_sure or any(self._is_literal(path) for _, (path, _) in rules)
        for whole, (path, handler) in rules if is_table and depth < _DEEPEST else ():
            if handler.type == "list":
                self.read(Table(handler, table.name, table.scope), is_sure=is_sure, depth=depth + 1)
                continue
            name = expression(handler, self._builder) if handler.type in NAMES else ""
            is_path = self._is_literal(path) or path.type in NAMES or table.name in _OWNERS
            is_class = last_name(name)[:1].isupper()
            if not is_path and is_sure:
                is_path, is_class = True, last_name(name).endswith("Handler") and last_name(name) != "Handler"
            if is_path and is_class and whole.byte_range not in self._seen:
                self._seen.add(whole.byte_range)
                self._register(whole, self._path(path), name, table.scope)

    def _rule(self, node: Node) -> tuple[Node, Node] | None:
        """Return the path and the handler of a rule, or None for another element."""
        parts: list[Node] = []
        if node.type == "tuple":
            parts = [child for child in node.named_children if child.type != "comment"]
        elif self._called(node) in _RULES:
            given = node.child_by_field_name("arguments")
            parts = [child for child in given.named_children if child.type != "comment"] if given is not None else []
        if len(parts) < _PAIR:
            return None
        path = parts[0]
        matched = path.child_by_field_name("arguments") if self._called(path) in _MATCHERS else None
        return (matched.named_children[0] if matched is not None and matched.named_child_count else path), parts[1]

    def _called(self, node: Node) -> str:
        callee = node.child_by_field_name("function") if node.type == "call" else None
        return last_name(expression(callee, self._builder)) if callee is not None else ""

    def _is_literal(self, path: Node) -> bool:
        """Whether an expression starts with a literal that looks like a path."""
        return self._path(path).startswith(_PATH_STARTS)

    def _path(self, node: Node) -> str:
        """Return a regular expression without its anchors; other parts of it in angle brackets."""
        return text_of(node, self._builder).removeprefix("^").removesuffix("$")

    def _register(self, whole: Node, path: str, name: Expression, scope: int) -> None:
        where = place(self._builder, whole, whole, scope)
        for method, handler in self._methods(scope, name):
            register(self._builder, "tornado", [method], path, where, [handler])

    def _methods(self, scope: int, name: Expression) -> Iterator[tuple[str, Expression]]:
        index = class_of(self._builder, self._origins, scope, name)
        bases = [last_name(base.value) for base in self._builder.drafts[index].bases] if index >= 0 else []
        if any("websocket" in each.lower() for each in (last_name(name), *bases)):
            return iter([("WEBSOCKET", name)])
        if self._origins.of(scope, name).name in _ONLY_GET:
            return iter([("GET", name)])
        return handled(self._builder, self._origins, scope, name)
