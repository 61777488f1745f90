"""Mutable records of a file's facts, used while the file is visited."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from tree_sitter import Node

from bearings.code.expressions import UNKNOWN, Expression, Item, Parameter, Step, Take, Typed, extended
from bearings.code.file_facts import Base
from bearings.code.models import Detail, SymbolKind
from bearings.code.type_expressions import GIVEN, FunctionType, IndexedType, TypeExpression, TypeReference

is_name = re.compile(r"[\w$]+").fullmatch
"""Matches text that is a plain name in any of the languages."""
is_key = re.compile(r"(?!\d+$)[^\s*\[\]\\]{1,60}").fullmatch
"""Matches text in quotes that may name a member."""


@dataclass(slots=True, eq=False)
class Frame:
    """A node around the current node: its end, scope and symbol, and the prefix of qualified names inside it."""

    end: int
    scope: int
    symbol: int
    prefix: str
    exporting: bool = False


class Local(NamedTuple):
    """A local variable and its declarator. It becomes a symbol only if it is called. `row` indexes the bindings."""

    row: int
    kind: SymbolKind
    prefix: str
    symbol: int
    node: Node


class Property(NamedTuple):
    """A property of an object literal whose value is no function expression.

    It becomes a symbol only if its value may be a function. `row` indexes the bindings; names in the value are looked
    up in `scope`. `table`: the object literal is the value of a variable; `declared`: of one of constants.
    """

    row: int
    scope: int
    prefix: str
    symbol: int
    node: Node
    table: bool
    declared: bool


@dataclass(slots=True, eq=False)
class Expected:
    """The type that a value's context expects: a `type` as written, or an expression of that type (`value`).

    A value that is an argument of a call has a `context` instead: the call's number, the argument's position, and the
    path inside the argument. All are empty if nothing is expected.
    """

    type: TypeExpression | None = None
    value: Expression | None = None
    context: tuple[int, int, tuple[Step, ...]] | None = None

    def __bool__(self) -> bool:
        """Whether anything is expected."""
        return self.type is not None or self.value is not None or self.context is not None

    def step(self, key: Step) -> "Expected":
        """Return the type that is expected of a property or an element."""
        if self.type is not None:
            return Expected(type=IndexedType(self.type, key if isinstance(key, str) else key.index))
        if isinstance(key, str) and not is_key(key):
            return Expected()
        return self._inside(key) if self.context is not None else self._extended(key)

    def member(self, name: str) -> Expression:
        """Return a member of the value; unknown if nothing is known of the value, or the name is not plain."""
        value = self.whole()
        return extended(value, name) if value is not None and is_key(name) else UNKNOWN

    def whole(self) -> Expression | None:
        """Return the value; None if nothing is known of it."""
        if self.context is not None:
            site, argument, path = self.context
            return Parameter(site, argument, -1, path)
        return Typed(self.type) if self.type is not None else self.value

    def _inside(self, key: Step) -> "Expected":
        if self.context is None:
            return Expected()
        site, argument, path = self.context
        return Expected(context=(site, argument, (*path, key)))

    def _extended(self, key: Step) -> "Expected":
        return Expected(value=extended(self.value, key)) if self.value is not None else Expected()

    def result(self) -> "Expected":
        """Return the type that is expected of the result, if the value is a function."""
        if self.type is not None:
            return Expected(TypeReference("ReturnType", (self.type,)))
        return self._inside(Item(Take.RESULT))

    def parameter(self, position: int) -> "Expected":
        """Return the type that is expected of a parameter, if the value is a function."""
        if self.type is not None:
            return Expected(type=IndexedType(TypeReference(GIVEN, (self.type,)), position))
        if self.context is None:
            return self._extended(Item(Take.GIVEN, position))
        site, argument, path = self.context
        return Expected(value=Parameter(site, argument, position, path))


@dataclass(slots=True, eq=False)
class Draft:
    """A Symbol and its Shape before they are frozen."""

    name: str
    qualified: str
    kind: SymbolKind
    line: int
    end_line: int
    scope: int = 0
    parent: int = 0
    inner: int = -1
    exported: bool = False
    is_overload: bool = False
    has_overloads: bool = False
    signature: str = ""
    doc: str = ""
    returns: TypeExpression | None = None
    type: TypeExpression | None = None
    head: FunctionType | None = None
    value: Expression | None = None
    detail: Detail | None = None
    bases: tuple[Base, ...] = ()
    implements: tuple[TypeExpression, ...] = ()
    traits: int = 0
