"""Containers of ECMAScript that are filled after they are made: `const carts = []`, and later `carts.push(cart)`."""

from tree_sitter import Node

from bearings.code.expressions import Listed, is_known
from bearings.code.languages.ecmascript.expressions import TYPED_ARGUMENTS, expression
from bearings.code.languages.ecmascript.names import unwrapped
from bearings.code.languages.shared.filled import Fillings
from bearings.code.languages.shared.nodes import inside

_MAKERS = frozenset({"Map", "Set", "WeakMap", "WeakSet", "Array"})
_ADDING = {"push": 0, "unshift": 0, "add": 0, "set": 1}
FILLING = frozenset(_ADDING)
"""Methods that add an argument → its place."""
_LITERALS = frozenset({"array", "object"})


class Filled(Fillings):
    """See Fillings."""

    def assigned(self, target: Node, value: Node) -> None:
        """Record `name[key] = value`."""
        container = target.child_by_field_name("object")
        if container is not None and self._made and value.type in TYPED_ARGUMENTS:
            given = expression(value, self.builder)
            if is_known(given):
                self._add(container, Listed(self._here(given), keyed=True))

    def called(self, call: Node, name: str) -> None:
        """Record `name.push(value)`, and `name.get(key).push(value)` for a container of containers."""
        function, given = call.child_by_field_name("function"), inside(call, "arguments")
        owner = unwrapped(function.child_by_field_name("object")) if function is not None else None
        place = _ADDING[name]
        if owner is None or not self._made or len(given) != place + 1 or given[place].type not in TYPED_ARGUMENTS:
            return
        value = expression(given[place], self.builder)
        if not is_known(value):
            return
        inner = owner.child_by_field_name("object") if owner.type == "subscript_expression" else None
        if owner.type == "call_expression" and (getter := owner.child_by_field_name("function")) is not None:
            inner = getter.child_by_field_name("object") if self.builder.text(getter).endswith(".get") else None
        value = self._here(value)
        if inner is not None:
            self._add(inner, Listed(Listed(value), keyed=True))
        else:
            self._add(owner, Listed(value, keyed=name == "set"))

    def _is_empty(self, node: Node) -> bool:
        if node.type in _LITERALS:
            return not node.named_child_count
        maker = node.child_by_field_name("constructor") if node.type == "new_expression" else None
        is_typed = node.child_by_field_name("type_arguments") is not None
        return (
            maker is not None and not is_typed and self.builder.text(maker) in _MAKERS and not inside(node, "arguments")
        )
