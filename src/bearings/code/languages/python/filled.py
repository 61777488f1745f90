"""Containers of Python that are filled after they are made: `carts = []`, and later `carts.append(Cart())`."""

from tree_sitter import Node

from bearings.code.expressions import UNKNOWN, Expression, Item, Listed, Take, extended, is_known
from bearings.code.languages.python.names import expression
from bearings.code.languages.shared.filled import Fillings
from bearings.code.languages.shared.nodes import first, inside

_LITERALS = frozenset({"list", "dictionary"})
_MODULES = frozenset({"collections", "weakref"})
_MAKERS = frozenset({"list", "dict", "set", "deque", "defaultdict", "OrderedDict", "WeakSet", "WeakValueDictionary"})
_ADDING = {"append": 0, "add": 0, "appendleft": 0, "insert": 1, "extend": 0}
"""Methods that add an argument → its place; what `extend` adds are its elements."""
_UNREAD = frozenset({"update", "extendleft"})
FILLING = frozenset({*_ADDING, *_UNREAD, "setdefault"})


class Filled(Fillings):
    """See Fillings."""

    built_in = frozenset({"list", "dict", "set"})
    standard = _MODULES

    def assigned(self, target: Node, value: Expression, right: Node) -> None:
        """Record `name[key] = value`."""
        container = target.child_by_field_name("value")
        if container is not None and self._maker(right) is None:
            is_slice = any(child.type == "slice" for child in target.named_children)
            given = self._here(value) if self._made and not is_slice else UNKNOWN
            self._add(container, Listed(given, keyed=True) if is_known(given) else UNKNOWN)

    def called(self, call: Node, name: str) -> None:
        """Record `name.append(value)`, and `name[key].append(value)` for a container of containers."""
        function, given = call.child_by_field_name("function"), inside(call, "arguments")
        owner = function.child_by_field_name("object") if function is not None else None
        place = 1 if name == "setdefault" else _ADDING.get(name, 0)
        added = given[place] if len(given) > place else None
        if owner is None or (added is not None and self._maker(added) is not None):
            return
        value: Expression = UNKNOWN
        if self._made and added is not None and added.type != "keyword_argument" and name not in _UNREAD:
            value = expression(added, self.builder)
        if is_known(value):
            value = self._here(extended(value, Item(Take.EACH)) if name == "extend" else value)
        inner = owner.child_by_field_name("value") if owner.type == "subscript" else None
        if owner.type == "call" and (maker := owner.child_by_field_name("function")) is not None:
            is_default = self.builder.text(maker).endswith(".setdefault")
            inner = maker.child_by_field_name("object") if is_default else None
        self._put(owner, inner, value, keyed=name == "setdefault")

    def _maker(self, node: Node) -> str | None:
        if node.type in _LITERALS:
            return None if node.named_child_count else ""
        callee = node.child_by_field_name("function") if node.type == "call" else None
        maker = self.builder.text(callee) if callee is not None else ""
        module, _, name = maker.rpartition(".")
        if name not in _MAKERS or (module and module not in _MODULES):
            return None
        given = first(node.child_by_field_name("arguments"))
        is_empty = given is None or (
            given.type == "keyword_argument" if name == "deque" else self.builder.text(given) in _MAKERS
        )
        return maker if is_empty else None
