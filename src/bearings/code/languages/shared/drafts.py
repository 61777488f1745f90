"""Mutable records of a file's facts, used while the file is visited."""

import re

from tree_sitter import Node

from bearings.code.expressions import UNKNOWN, Expression, Item, Parameter, Step, Take, Typed, extended
from bearings.code.file_facts import Base
from bearings.code.models import Detail, SymbolKind
from bearings.code.type_expressions import FunctionType, IndexedType, TypeExpression, TypeReference

is_name = re.compile(r"[\w$]+").fullmatch
"""Matches text that is a plain name in any of the languages."""


class Frame:
    """A node around the current node: its end, scope and symbol, and the prefix of qualified names inside it."""

    __slots__ = ("end", "exporting", "prefix", "scope", "symbol")

    def __init__(self, end: int, scope: int, symbol: int, prefix: str, *, exporting: bool = False) -> None:
        self.end = end
        self.scope = scope
        self.symbol = symbol
        self.prefix = prefix
        self.exporting = exporting


class Local:
    """A local variable and its declarator. It becomes a symbol only if it is called. `row` indexes the bindings."""

    __slots__ = ("kind", "node", "prefix", "row", "symbol")

    def __init__(self, row: int, kind: SymbolKind, prefix: str, symbol: int, node: Node) -> None:
        self.row = row
        self.kind = kind
        self.prefix = prefix
        self.symbol = symbol
        self.node = node


class Property:
    """A property of an object literal whose value is no function expression.

    It becomes a symbol only if its value may be a function. `row` indexes the bindings; names in the value are looked
    up in `scope`. `table`: the object literal is the value of a variable.
    """

    __slots__ = ("node", "prefix", "row", "scope", "symbol", "table")

    def __init__(self, row: int, scope: int, prefix: str, symbol: int, node: Node, *, table: bool) -> None:
        self.row = row
        self.scope = scope
        self.prefix = prefix
        self.symbol = symbol
        self.node = node
        self.table = table


class Expected:
    """The type that a value's context expects: a `type` as written, or an expression of that type (`value`).

    A value that is an argument of a call has a `context` instead: the call's number, the argument's position, and the
    path inside the argument. All are empty if nothing is expected.
    """

    __slots__ = ("context", "type", "value")

    def __init__(
        self,
        type_: TypeExpression | None = None,
        value: Expression | None = None,
        context: tuple[int, int, tuple[Step, ...]] | None = None,
    ) -> None:
        self.type = type_
        self.value = value
        self.context = context

    def __bool__(self) -> bool:
        """Whether anything is expected."""
        return self.type is not None or self.value is not None or self.context is not None

    def step(self, key: Step) -> "Expected":
        """Return the type that is expected of a property or an element."""
        if self.type is not None:
            return Expected(type_=IndexedType(self.type, key if isinstance(key, str) else key.index))
        if isinstance(key, str) and not is_name(key):
            return Expected()
        return self._inside(key) if self.context is not None else self._extended(key)

    def member(self, name: str) -> Expression:
        """Return a member of the value; unknown if nothing is known of the value, or the name is not plain."""
        value = Typed(self.type) if self.type is not None else self.value
        if self.context is not None:
            site, argument, path = self.context
            value = Parameter(site, argument, -1, path)
        return extended(value, name) if value is not None and is_name(name) else UNKNOWN

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
            return Expected(type_=IndexedType(TypeReference("Parameters", (self.type,)), position))
        if self.context is None:
            return Expected()
        site, argument, path = self.context
        return Expected(value=Parameter(site, argument, position, path))


class Draft:
    """A Symbol and its Shape before they are frozen."""

    __slots__ = (
        "bases",
        "detail",
        "doc",
        "end_line",
        "exported",
        "has_overloads",
        "head",
        "implements",
        "inner",
        "is_overload",
        "kind",
        "line",
        "name",
        "parent",
        "qualified",
        "returns",
        "scope",
        "signature",
        "traits",
        "type",
        "value",
    )

    def __init__(self, name: str, qualified: str, kind: SymbolKind, line: int, end_line: int) -> None:
        self.name = name
        self.qualified = qualified
        self.kind = kind
        self.line = line
        self.end_line = end_line
        self.scope = 0
        self.parent = 0
        self.inner = -1
        self.exported = False
        self.is_overload = False
        self.has_overloads = False
        self.signature = self.doc = ""
        self.returns: TypeExpression | None = None
        self.type: TypeExpression | None = None
        self.head: FunctionType | None = None
        self.value: Expression | None = None
        self.detail: Detail | None = None
        self.bases: tuple[Base, ...] = ()
        self.implements: tuple[TypeExpression, ...] = ()
        self.traits = 0
