"""Reads pytest's fixtures, and the names by which tests and fixtures ask for them."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tree_sitter import Node

from bearings.code.framework_facts import Fixture, FixtureUse
from bearings.code.languages.python.frameworks.arguments import text_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Scopes
from bearings.code.languages.shared.nodes import first, inside
from bearings.code.languages.shared.test_paths import is_test

USES, BY_VALUE = "usefixtures", "getfixturevalue"
_FIXTURE = re.compile(r"(?:\w+\.)*(?:yield_)?fixture")
_SAID = re.compile(r"fixture|parametrize")
_LISTS = frozenset({"list", "tuple"})
_NAMES = re.compile(r"\w+")


class _Decorated(NamedTuple):
    """What the decorators of a definition say.

    `fixture` is the name of a fixture, empty for the function's own, None if it is no fixture. `uses` are names of
    fixtures with their lines, `given` the parameters that get their values from the decorators.
    """

    fixture: str | None
    uses: list[tuple[str, int]]
    given: set[str]


_PLAIN = _Decorated(None, [], set())


class Fixtures:
    """Collects the fixtures of one file. `is_wanted`: the file may have some, or ask for some."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._has_tests = is_test(builder.path)
        self.is_wanted = self._has_tests or b"fixture" in builder.source
        self._decorated: dict[tuple[int, int], _Decorated] = {}

    def decorated(self, node: Node, definition: Node) -> None:
        """Read the decorators of a definition."""
        found = _Decorated(None, [], set())
        for child in node.named_children:
            if child.type == "decorator" and child.named_children and _SAID.search(self._builder.text(child)):
                found = self._decorator(child.named_children[0], found)
        if found != _PLAIN:
            self._decorated[definition.byte_range] = found

    def _decorator(self, node: Node, found: _Decorated) -> _Decorated:
        callee = node.child_by_field_name("function") if node.type == "call" else node
        name = self._builder.text(callee) if callee is not None else ""
        given = _given(node)
        if _FIXTURE.fullmatch(name):
            return found._replace(fixture=self._keyword(given, "name"))
        last = name.rpartition(".")[2]
        if last == USES:
            return found._replace(uses=[*found.uses, *self._strings(given)])
        if last == "parametrize" and given and not any(self._key(part) == "indirect" for part in given):
            names = [name for text, _ in self._strings(given[:1]) for name in _NAMES.findall(text)]
            return found._replace(given={*found.given, *names})
        return found

    def function(self, index: int, node: Node, name: str, span: tuple[int, int]) -> None:
        """Add a function as a fixture, and what it asks for, if it is a fixture or a test."""
        said = self._decorated.pop(span, _PLAIN) if self._decorated else _PLAIN
        if said.fixture is not None:
            self._builder.fixtures.append(Fixture(index, said.fixture or name))
        elif not self._is_test(name):
            return
        in_class = self._builder.scopes[self._builder.frames[-1].scope][0] is Scopes.CLASS
        asked = [row for row in self._parameters(node, in_class=in_class) if row[0] not in said.given]
        self._add(index, [*asked, *said.uses])

    def _is_test(self, name: str) -> bool:
        """Whether pytest collects a function of the current frame by its name."""
        if not (self._has_tests and name.startswith("test")):
            return False
        frame = self._builder.frames[-1]
        holder = self._builder.drafts[frame.symbol].name
        in_class = self._builder.scopes[frame.scope][0] is Scopes.CLASS
        return frame.scope == 0 or (in_class and holder.startswith("Test"))

    def _parameters(self, node: Node, *, in_class: bool) -> Iterator[tuple[str, int]]:
        """Yield the parameters without a default, except the first one of a method."""
        for position, part in enumerate(inside(node, "parameters")):
            name = part if part.type == "identifier" else first(part) if part.type == "typed_parameter" else None
            if name is not None and name.type == "identifier" and not (in_class and position == 0):
                yield self._builder.text(name), self._builder.line(name)

    def class_(self, index: int, node: Node) -> None:
        """Add what the decorators of a class ask for."""
        self._add(index, self._decorated.pop(node.byte_range, _PLAIN).uses)

    def mark(self, call: Node) -> None:
        """Add `pytestmark = pytest.mark.usefixtures("a")`, of a module or a class, or `getfixturevalue("a")`."""
        if call.parent is None or call.parent.type != "decorator":
            self._add(self._builder.frames[-1].symbol, self._strings(_given(call)))

    def plugins(self, value: Node) -> Iterator[str]:
        """Yield the modules in `pytest_plugins = ["a.b"]`."""
        return (name for name, _ in self._strings([value]))

    def _add(self, index: int, asked: Iterable[tuple[str, int]]) -> None:
        self._builder.fixture_uses += [FixtureUse(index, name, line) for name, line in asked]

    def _strings(self, nodes: Iterable[Node]) -> Iterator[tuple[str, int]]:
        """Yield the strings among nodes, and in lists, with their lines."""
        for node in nodes:
            if node.type == "string":
                yield text_of(node, self._builder), self._builder.line(node)
            elif node.type in _LISTS:
                yield from self._strings(node.named_children)

    def _keyword(self, given: Iterable[Node], key: str) -> str:
        """Return the string that a keyword has; empty for none."""
        values = [part.child_by_field_name("value") for part in given if self._key(part) == key]
        return next((text for value in values if value is not None for text, _ in self._strings([value])), "")

    def _key(self, argument: Node) -> str:
        key = argument.child_by_field_name("name") if argument.type == "keyword_argument" else None
        return self._builder.text(key) if key is not None else ""


def _given(call: Node) -> list[Node]:
    arguments = call.child_by_field_name("arguments") if call.type == "call" else None
    return arguments.named_children if arguments is not None else []
