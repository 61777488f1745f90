"""Containers of Python that are filled after they are made: `carts = []`, and later `carts.append(Cart())`."""

from tree_sitter import Node

from bearings.code.expressions import Expression, Item, Listed, Take, extended, is_known
from bearings.code.languages.python.names import expression
from bearings.code.languages.shared.filled import Fillings
from bearings.code.languages.shared.nodes import first, inside

_LITERALS = frozenset({"list", "dictionary"})
_MAKERS = frozenset({"list", "dict", "set", "deque", "defaultdict", "OrderedDict", "WeakSet", "WeakValueDictionary"})
_ADDING = {"append": 0, "add": 0, "appendleft": 0, "insert": 1, "extend": 0}
"""Methods that add an argument → its place; what `extend` adds are its elements."""
FILLING = frozenset({*_ADDING, "setdefault"})


class Filled(Fillings):
    """See Fillings."""

    def assigned(self, target: Node, value: Expression) -> None:
        """Record `name[key] = value`."""
        container = target.child_by_field_name("value")
        if container is not None and self._made and is_known(value):
            self._add(container, Listed(self._here(value), keyed=True))

    def called(self, call: Node, name: str) -> None:
        """Record `name.append(value)`, and `name[key].append(value)` for a container of containers."""
        function, given = call.child_by_field_name("function"), inside(call, "arguments")
        owner = function.child_by_field_name("object") if function is not None else None
        place = _ADDING.get(name, 0)
        if owner is None or not self._made or len(given) <= place or given[place].type == "keyword_argument":
            return
        value = expression(given[-1 if name == "setdefault" else place], self.builder)
        if not is_known(value):
            return
        value = self._here(extended(value, Item(Take.EACH)) if name == "extend" else value)
        inner = owner.child_by_field_name("value") if owner.type == "subscript" else None
        if owner.type == "call" and (maker := owner.child_by_field_name("function")) is not None:
            is_default = self.builder.text(maker).endswith(".setdefault")
            inner = maker.child_by_field_name("object") if is_default else None
        if inner is not None:
            self._add(inner, Listed(Listed(value), keyed=True))
        else:
            self._add(owner, Listed(value, keyed=name == "setdefault"))

    def _is_empty(self, node: Node) -> bool:
        if node.type in _LITERALS:
            return not node.named_child_count
        callee = node.child_by_field_name("function") if node.type == "call" else None
        if callee is None or self.builder.text(callee).rpartition(".")[2] not in _MAKERS:
            return False
        given = first(node.child_by_field_name("arguments"))
        return given is None or given.type == "keyword_argument" or self.builder.text(given) in _MAKERS
