"""Containers of ECMAScript that are filled after they are made: `const carts = []`, and later `carts.push(cart)`.

A variable without a value is filled by what is assigned to it: `let cart`, and later `cart = new Cart()`.
"""

from tree_sitter import Node

from bearings.code.expressions import UNKNOWN, Expression, Listed, is_known
from bearings.code.languages.ecmascript.expressions import TYPED_ARGUMENTS, expression
from bearings.code.languages.ecmascript.names import unwrapped
from bearings.code.languages.shared.drafts import Draft
from bearings.code.languages.shared.filled import NULLS, Fillings, Made
from bearings.code.languages.shared.nodes import inside

_MAKERS = frozenset({"Map", "Set", "WeakMap", "WeakSet", "Array"})
_ADDING = {"push": 0, "unshift": 0, "add": 0, "set": 1}
_UNREAD = frozenset({"splice", "fill"})
FILLING = frozenset({*_ADDING, *_UNREAD})
"""Methods that add an argument → its place."""
_LITERALS = frozenset({"array", "object"})
_REPLACING = 3
"""The arguments of a `splice` that adds elements."""


class Filled(Fillings):
    """See Fillings."""

    built_in = _MAKERS

    def made(self, value: Node | None, scope: int, name: str, holder: Draft | int | None) -> None:
        """See Fillings."""
        if scope >= 0 and (value is None or value.type in NULLS):
            self._made.append(Made(scope, name, "", holder))
            self._bare.add(name)
        else:
            super().made(value, scope, name, holder)

    def replaced(self, target: Node, value: Node | None) -> None:
        """See Fillings."""
        if value is None or value.type in NULLS or self.builder.text(target) not in self._bare:
            super().replaced(target, value)
        else:
            is_choice = value.type == "binary_expression"  # `loaded.default || loaded`
            self._add(target, self._here(expression(value, self.builder)) if is_choice else self._given(value))

    def assigned(self, target: Node, value: Node) -> None:
        """Record `name[key] = value`."""
        container = target.child_by_field_name("object")
        if container is not None and self._maker(value) is None:
            given = self._given(value)
            self._add(container, Listed(given, keyed=True) if is_known(given) else UNKNOWN)

    def called(self, call: Node, name: str) -> None:
        """Record `name.push(value)`, and `name.get(key).push(value)` for a container of containers."""
        function, given = call.child_by_field_name("function"), inside(call, "arguments")
        owner = unwrapped(function.child_by_field_name("object")) if function is not None else None
        place = _ADDING.get(name, -1)
        if owner is None or (len(given) == place + 1 and place >= 0 and self._maker(given[place]) is not None):
            return
        if name == "splice" and len(given) < _REPLACING:
            return
        value = self._given(given[place]) if len(given) == place + 1 and place >= 0 else UNKNOWN
        inner = owner.child_by_field_name("object") if owner.type == "subscript_expression" else None
        if owner.type == "call_expression" and (getter := owner.child_by_field_name("function")) is not None:
            inner = getter.child_by_field_name("object") if self.builder.text(getter).endswith(".get") else None
        self._put(owner, inner, value, keyed=name == "set")

    def _given(self, node: Node) -> Expression:
        """Return what an added node means here; unknown if no container is made before."""
        if not self._made or node.type not in TYPED_ARGUMENTS:
            return UNKNOWN
        value = expression(node, self.builder)
        return self._here(value) if is_known(value) else UNKNOWN

    def _maker(self, node: Node) -> str | None:
        if node.type in _LITERALS:
            return None if node.named_child_count else ""
        made = node.child_by_field_name("constructor") if node.type == "new_expression" else None
        maker = self.builder.text(made) if made is not None else ""
        is_typed = node.child_by_field_name("type_arguments") is not None
        return maker if maker in _MAKERS and not is_typed and not inside(node, "arguments") else None
