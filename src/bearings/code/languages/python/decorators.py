"""Visitor methods for Python's decorators."""

import re

from tree_sitter import Node

from bearings.code.expressions import Expression, written
from bearings.code.file_facts import Trait
from bearings.code.languages.python.frameworks.calls import may_be_called
from bearings.code.languages.python.frameworks.pytest_fixtures import Fixtures
from bearings.code.languages.python.names import expression
from bearings.code.languages.shared.builder import Builder

_WRAPS = re.compile(r"(?:functools\.)?wraps\(")
KNOWN = re.compile(
    r"(?:\w+\.)*(?:property|\w*cached_property|\w+\.setter|staticmethod|classmethod|overload|abstractmethod|"
    r"wraps|\w*contextmanager|fixture|parametrize|override|final)\b"
)
"""Decorators that don't replace the function with an object of one of the project's own types."""


class Decorators:
    """Visitor methods for decorators."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.decorators: dict[tuple[int, int], list[str]] = {}
        """Span of a definition → its decorators as written."""
        self.outermost: dict[tuple[int, int], Expression] = {}
        """Span of a function → its outermost decorator as an expression, unless it is known (`KNOWN`)."""
        self.fixtures = Fixtures(builder)
        """The fixtures of the file."""
        self.registered: list[tuple[Node, Node]] = []
        """Definitions with their decorators, of which one may have a framework call them."""
        self.decorating: set[str] = set()
        """Names that are used as decorators."""
        self.wrapping: set[int] = set()
        """Functions that return a function decorated with `@wraps`."""

    def on_decorated(self, node: Node, _start: int, _end: int) -> None:
        """Record the decorators of the definition inside."""
        definition = node.child_by_field_name("definition")
        if definition is not None:
            names = [
                written(expression(child.named_children[0], self.builder))
                if child.named_children and child.named_children[0].type != "call"
                else self.builder.line_of(child).removeprefix("@")
                for child in node.named_children
                if child.type == "decorator"
            ]
            self.decorators[definition.byte_range] = names
            if any(may_be_called(name) for name in names):
                self.registered.append((node, definition))
            if self.fixtures.is_wanted:
                self.fixtures.decorated(node, definition)
            outermost = next(child for child in node.named_children if child.type == "decorator").named_children
            is_open = not KNOWN.match(names[0]) or names[0].endswith("cached_property")  # which a project may have
            if outermost and definition.type == "function_definition" and is_open:
                self.outermost[definition.byte_range] = expression(outermost[0], self.builder)
            self.decorating.update([name.partition("(")[0] for name in names])

    def wrapped(self, node: Node, name: str, decorators: list[str]) -> None:
        """Record the outermost function that returns a function with `@wraps`, directly or nested, as a decorator."""
        if not any(_WRAPS.match(decorator) for decorator in decorators):
            return
        builder, found = self.builder, -1
        while True:
            block = node.parent.parent if node.parent and node.parent.type == "decorated_definition" else node.parent
            around = block.parent if block is not None else None
            if block is None or around is None or around.type != "function_definition":
                break
            if not re.search(rf"(?m)^\s*return\b.*\b{re.escape(name)}\b", builder.text(block)):
                break
            found = builder.functions.get(around.byte_range, -1)
            node, own = around, around.child_by_field_name("name")
            name = builder.text(own) if own is not None else "?"
        if found >= 0:
            self.wrapping.add(found)


def traits_of(decorators: list[str], signature: str) -> int:
    """Return the traits that a function's decorators and keywords give it."""
    traits = Trait.ASYNC if signature.startswith("async ") else Trait.NONE
    for decorator in decorators:
        name = decorator.rpartition(".")[2]
        if name in ("staticmethod", "classmethod"):
            traits |= Trait.STATIC
        elif name in ("property", "cached_property", "setter", "deleter", "getter"):
            traits |= Trait.ACCESSOR
        elif name == "abstractmethod":
            traits |= Trait.ABSTRACT
    return traits
