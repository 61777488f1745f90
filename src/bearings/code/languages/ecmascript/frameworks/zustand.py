"""Types stores of Zustand by the state that their first function returns.

create<Cart>()((set, get) => ({ add() { get().add() } }))     `useCart()` and `useCart.getState()` are a Cart
create(devtools((set) => ({ add: () => … })))                 they are like the object that the function returns
useCart((state) => state.add)                                 is what the selector returns
"""

import re

from tree_sitter import Node

from bearings.code.languages.ecmascript.names import FUNCTIONS
from bearings.code.languages.ecmascript.type_nodes import type_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.nodes import first
from bearings.code.type_expressions import (
    FunctionType,
    IntersectionType,
    ObjectType,
    TypedMember,
    TypedParameter,
    TypeExpression,
)

_CREATING = re.compile(r"create(?:Store|WithEqualityFn)?")
_SELECTED = "~U"
_MOST_WRAPS = 6


def initializer(call: Node, builder: Builder) -> tuple[Node, TypeExpression | None] | None:
    """Return the function that makes the state of a store, and the state's type if the call names it; None for none."""
    inner = call.child_by_field_name("function")
    creating = inner if inner is not None and inner.type == "call_expression" else call  # `create<Cart>()(…)`
    callee, given = creating.child_by_field_name("function"), creating.child_by_field_name("type_arguments")
    name = builder.text(callee) if callee is not None else ""
    if not _CREATING.fullmatch(name):
        return None
    if not any(entry.local == name and entry.module.startswith("zustand") for entry in builder.imports):
        return None
    made: Node | None = call
    for _ in range(_MOST_WRAPS):
        made = first(made.child_by_field_name("arguments")) if made is not None else None
        if made is None or made.type in FUNCTIONS:
            break
    named = first(given)
    is_function = made is not None and made.type in FUNCTIONS
    return (made, type_of(named, builder) if named is not None else None) if made is not None and is_function else None


def store_type(state: TypeExpression) -> TypeExpression:
    """Return the type of a store: a function of a selector, or of nothing, with members."""
    selector = TypedParameter("selector", FunctionType((TypedParameter("state", state),), _SELECTED))
    selecting, whole = FunctionType((selector,), _SELECTED, (_SELECTED,)), FunctionType((), state)
    return IntersectionType((selecting, whole, ObjectType((TypedMember("getState", whole),), 0)))


def taken(state: TypeExpression) -> FunctionType:
    """Return the type of the function that makes the state: of `set`, `get` and the store."""
    update = FunctionType((TypedParameter("update", FunctionType((TypedParameter("state", state),), None)),), None)
    given = (("set", update), ("get", FunctionType((), state)), ("store", store_type(state)))
    return FunctionType(tuple(TypedParameter(name, type_) for name, type_ in given), None)
