"""Containers that are filled after they are made: `carts = []`, and later `carts.append(Cart())`."""

from msgspec.structs import replace
from tree_sitter import Node

from bearings.code.expressions import Expression, Listed, Result, Typed, extended, is_known, split
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Draft

_OWN = frozenset({"self", "cls", "this"})
_MOST_FOLLOWED = 3


class Fillings:
    """The containers of one file that are made empty, and what is added to them; languages tell them by subclasses."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self._made: dict[tuple[int, str], Draft | int] = {}
        """Scope, or minus the class's symbol, and name of a container → the property, or the binding."""
        self._added: dict[tuple[int, str], list[Expression]] = {}

    def made(self, value: Node | None, scope: int, name: str, holder: Draft | int) -> None:
        """Record a variable whose value is empty; that of a property is recorded by minus its class's symbol."""
        if value is not None and self._is_empty(value):
            self._made.setdefault((scope, name), holder)

    def _is_empty(self, node: Node) -> bool:
        """Whether a value is a container without elements."""
        raise NotImplementedError

    def finish(self) -> None:
        """Give containers the value that all additions agree on."""
        builder = self.builder
        for key, values in self._added.items():
            holder = self._made[key]
            if any(self._shape(value) != self._shape(values[0]) for value in values):
                continue
            if isinstance(holder, Draft):
                holder.value = values[0]
            else:
                builder.bindings[holder] = replace(builder.bindings[holder], value=values[0])

    def _add(self, container: Node, value: Expression) -> None:
        """Record a value that is added to the container with a name."""
        text, builder = self.builder.text(container), self.builder
        owner, _, name = text.rpartition(".")
        scope = builder.frames[-1].scope
        if owner:
            symbol = self._class_of(owner)
            keys = [(-symbol, name)] if symbol > 0 else []
        else:
            keys = []
            while scope >= 0:
                keys.append((scope, name))
                scope = builder.scopes[scope][1]
        key = next((key for key in keys if key in self._made), None)
        if key is not None:
            self._added.setdefault(key, []).append(value)

    def _class_of(self, owner: str) -> int:
        """Return the class that `self`, `cls` or its own name means, 0 for none."""
        builder = self.builder
        if owner in _OWN:
            return builder.drafts[builder.frames[-1].symbol].parent
        return builder.members.get((0, owner), 0) if owner.isidentifier() else 0

    def _here(self, value: Expression) -> Expression:
        """Return a value whose names are those of another place, by what they are bound to here."""
        builder = self.builder
        for _ in range(_MOST_FOLLOWED):
            root, steps = split(value)
            scopes, scope = [], builder.frames[-1].scope
            while scope > 0:
                scopes.append(scope)
                scope = builder.scopes[scope][1]
            if type(root) is not str or not any((each, root) in builder.bound for each in scopes):
                return value
            rows = (row for row in reversed(builder.bindings) if row.name == root and row.scope in scopes)
            row = next(rows)
            if row.type is not None:
                return extended(Typed(row.type), *steps)
            if row.value is None or not is_known(row.value):
                return value
            value = extended(row.value, *steps)
        return value

    def _shape(self, value: Expression) -> Expression | str:
        """Return what tells whether two values are alike: the callee of a call, else the value."""
        if isinstance(value, Listed):
            return f"{value.keyed} {self._shape(value.element)}"
        root, steps = split(value)
        site = self.builder.calls[root.site] if type(root) is Result else None
        return f"{site.callee}() {steps}" if site is not None else value
