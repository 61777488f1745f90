"""Containers that are filled after they are made: `carts = []`, and later `carts.append(Cart())`."""

from msgspec.structs import replace
from tree_sitter import Node

from bearings.code.expressions import Expression, Item, Listed, Result, Take, Typed, extended, is_known, split
from bearings.code.languages.python.names import expression
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Draft
from bearings.code.languages.shared.nodes import first, inside

_LITERALS = frozenset({"list", "dictionary"})
_MAKERS = frozenset({"list", "dict", "set", "deque", "defaultdict", "OrderedDict", "WeakSet", "WeakValueDictionary"})
_ADDING = {"append": 0, "add": 0, "appendleft": 0, "insert": 1, "extend": 0}
"""Methods that add an argument → its place; what `extend` adds are its elements."""
FILLING = frozenset({*_ADDING, "setdefault"})
_MOST_FOLLOWED = 3


class Filled:
    """The containers of one file that are made empty, and what is added to them."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self._made: dict[tuple[int, str], Draft | int] = {}
        """Scope, or minus the class's symbol, and name of a container → the property, or the binding."""
        self._added: dict[tuple[int, str], list[Expression]] = {}

    def made(self, value: Node | None, scope: int, name: str, holder: Draft | int) -> None:
        """Record a variable whose value is empty; that of a property is recorded by its class's symbol."""
        if value is not None and _is_empty(value, self.builder):
            self._made.setdefault((scope, name), holder)

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
        if owner in ("self", "cls"):
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


def _is_empty(node: Node, builder: Builder) -> bool:
    if node.type in _LITERALS:
        return not node.named_child_count
    callee = node.child_by_field_name("function") if node.type == "call" else None
    if callee is None or builder.text(callee).rpartition(".")[2] not in _MAKERS:
        return False
    given = first(node.child_by_field_name("arguments"))
    return given is None or given.type == "keyword_argument" or builder.text(given) in _MAKERS
