"""Tells which uses in a file can mean an element of some names, so that the others need not be resolved.

    import { total as sum } from "./cart"       of `total`, also the uses of `sum` in this file
    const run = sum                             and those of `run`

It takes too many uses rather than too few: each that it takes is resolved.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from bearings.code.expressions import (
    Expression,
    Item,
    Parameter,
    Result,
    Take,
    Typed,
    last_name,
    receiver,
    split,
    texts,
)
from bearings.code.file_facts import CallSite, Export, FileFacts, Import
from bearings.code.symbol_tags import tag_of
from bearings.code.type_expressions import TypeExpression, TypeQuery, TypeReference, inner_types, type_words

_APPLIED: Final = ("__call__",)
"""The step of a decorator `@make()`, which is called like `make()()`."""
_DEEPEST: Final = 8
_CALLED: Final = "()"
_TYPES_OF: Final = frozenset({"type", "Type"})
"""Python's types of classes."""


class WrittenNames:
    """Names, each of which is written where it is used."""

    def __init__(self, names: Iterable[str]) -> None:
        # `"cart.total"` and `[Symbol.iterator]` are compared by their last part, as an expression is split at its dots.
        self.names = {part for name in names for part in (name, name.rpartition(".")[2])}

    def has(self, expression: Expression) -> bool:
        """Whether one of the names is written in an expression."""
        names = self.names
        if type(expression) is str:
            return not names.isdisjoint(expression.split(".")) if "." in expression else expression in names
        return any(not names.isdisjoint(text.split(".")) for text in texts(expression))

    def imports(self, entry: Import) -> bool:
        """Whether an import may bring such an element; of a module, the specifier is a name."""
        return not self.names.isdisjoint((entry.name, entry.local, entry.module))

    def types(self, type_: TypeExpression | None) -> bool:
        """Whether a type has one of the names."""
        return any(not self.names.isdisjoint(word.split(".")) for word in type_words(type_))


class FileNames(WrittenNames):
    """The names by which a file may use an element that it knows by `names`: those, and what it names after them.

    A call of a name that is also given as `name()` may result in the element; with `()`, a call of any, as of a class,
    whose objects lead back to it: `type(cart)()`.
    """

    def __init__(self, facts: FileFacts, names: Collection[str]) -> None:
        super().__init__(name for name in names if not name.endswith(_CALLED))
        self._facts = facts
        self._may_any_give = _CALLED in names
        self._makers = {name.removesuffix(_CALLED) for name in names if name.endswith(_CALLED)}
        for entry in facts.imports:
            if entry.local and entry.name in self.names:
                self.names.add(entry.local)
            if entry.local and entry.name in self._makers:
                self._makers.add(entry.local)
        for name, type_ in _named_types(facts):
            if is_type_of(type_, self.names):
                self.names.add(name)
        rows = [(name, value) for name, value in _named_values(facts) if name not in self.names]
        size = -1
        while size != len(self.names) + len(self._makers):
            size = len(self.names) + len(self._makers)
            self._makers.update(name for name, value in rows if last_name(value) in self._makers)
            self.names.update(name for name, value in rows if name not in self.names and self.mentions(value))
        self.names.update([tag_of(name) for name in self.names if name[:1].isupper()])

    def mentions(self, expression: Expression | None, depth: int = 0) -> bool:
        """Whether a value may be such an element, or come from one: it has a name, or is the result of a call."""
        if expression is None or depth > _DEEPEST:
            return False
        if self.has(expression):
            return True
        root, _ = split(expression)
        if not isinstance(root, (Result, Parameter)) or root.site >= len(self._facts.sites):
            return False
        site = self._facts.sites[root.site]
        return self._gives(site.callee, depth) or any(self.mentions(each, depth + 1) for each in site.arguments)

    def _gives(self, callee: Expression, depth: int) -> bool:
        """Whether a call may result in the element: of a function that returns it, of a method of it (`total.bind`)."""
        last = last_name(callee)
        if self._may_any_give or not last:
            return self.mentions(callee, depth + 1)
        return last in self._makers or self.mentions(receiver(callee), depth + 1)

    def uses(self, site: CallSite) -> bool:
        """Whether a use may mean such an element: it has one of the names, or no name at its end, as `make()()`."""
        if self.has(site.callee):
            return True
        root, steps = split(site.callee)
        if type(root) is Typed and any(type(step) is Item and step.take is Take.FIELDS for step in steps):
            return True  # a pattern takes fields without their names
        is_nameless = steps == _APPLIED or not any(type(step) is str for step in steps)
        return type(root) is not str and is_nameless and self.mentions(site.callee)

    def exports(self, export: Export) -> bool:
        """Whether an export from another module may pass such an element on; of a module, the specifier is a name."""
        return export.name in self.names or export.module in self.names or self.has(export.local)


def _named_values(facts: FileFacts) -> Iterator[tuple[str, Expression]]:
    """Every value of a file with the name that it gets: of a variable, a property, a function that returns it."""
    for row in facts.bindings:
        if row.value is not None:
            yield row.name, row.value
    for symbol, shape in zip(facts.symbols, facts.shapes, strict=False):
        if shape.value is not None:
            yield symbol.name, shape.value
    for returned in facts.returns:
        yield facts.symbols[facts.scopes[returned.scope].symbol].name, returned.value


def _named_types(facts: FileFacts) -> Iterator[tuple[str, TypeExpression]]:
    """Every declared type of a file with the name that has it."""
    for row in facts.bindings:
        if row.type is not None:
            yield row.name, row.type
    for symbol, shape in zip(facts.symbols, facts.shapes, strict=False):
        for type_ in (shape.type, shape.returns):
            if type_ is not None:
                yield symbol.name, type_


def is_type_of(type_: TypeExpression | None, names: Collection[str]) -> bool:
    """Whether a type has the value of a name: `typeof Cart`, `type[Cart]`, also as a part."""
    if type_ is None or isinstance(type_, str):
        return False
    if isinstance(type_, TypeQuery):
        return type_.name.rpartition(".")[2] in names
    if isinstance(type_, TypeReference) and type_.name.rpartition(".")[2] in _TYPES_OF:
        return any(not set(word.split(".")).isdisjoint(names) for word in type_words(type_))
    return any(is_type_of(inner, names) for inner in inner_types(type_))
