"""Types that depend on types: conditional types by literals and classes, and a type by its keys.

T extends "round" ? Circle : Square       Circle, if T is "round"; one for each part of T, if T is a union
Events[K]                                 the type of the property `click`, if K is "click"
Shapes[keyof Shapes]                      a union of the types of all properties
"""

from typing import Final

from bearings.code.expressions import Item, Take, last_name
from bearings.code.models import SymbolKind
from bearings.code.resolve.context import Context
from bearings.code.resolve.parts import Part
from bearings.code.resolve.referent import INSTANCE, LITERAL, OBJECT, SYMBOL, Env, Referent
from bearings.code.resolve.referents import CALLABLE, INLINE, has_symbol, is_inside, object_of, unless_too_deep
from bearings.code.resolve.types.inference import Inference
from bearings.code.type_expressions import (
    ABSENT,
    ArrayType,
    ConditionalType,
    FunctionType,
    IndexedType,
    LiteralType,
    ObjectType,
    OtherType,
    TupleType,
    TypeExpression,
    TypePredicate,
    UnionType,
    renamed,
)

_MOST = 40
"""The most parts of a union, and keys of a type, that are followed."""
_OF_PART = "~"
"""Stands after the name of a type parameter, and before the number of the part of a union that it is."""
_PRIMITIVES = {"string": '"', "number": "", "boolean": ""}
_BOOLEANS = frozenset({"true", "false"})


class Conditions(Part):
    """Resolves types that depend on types."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._inference: Final = Inference(context)
        self._inner = (self._inference,)

    def distributed(self, file: str, scope: int, type_: ConditionalType, env: Env) -> Referent | None:
        """A union with the branch for each part of the union that a type parameter is; None for another condition."""
        name = type_.checked
        row = next((row for row in env if row[1] == name), None) if type(name) is str else None
        parts = self._parts(row[2]) if row is not None and row[2] is not None else []
        if type(name) is not str or not 1 < len(parts) <= _MOST:
            return None
        bare = (unless_too_deep(part) or part._replace(env=()) for part in parts)
        rows: Env = tuple((INLINE, f"{name}{_OF_PART}{index}", part) for index, part in enumerate(bare))
        types = tuple(renamed(type_, name, inner) for _, inner, _ in rows)
        is_told = row is not None and row[2] is not None and not isinstance(row[2].type, LiteralType)
        unsure = () if is_told else (OtherType(),)  # a default of several literals may stand for one of them
        return object_of(file, scope, UnionType((*types, *unsure)), (*env, *rows))

    def _parts(self, value: Referent) -> list[Referent]:
        if value.kind != OBJECT or not self._answers.enter():
            return [value]
        found = [value]
        if isinstance(value.type, LiteralType):
            found = [value._replace(type=LiteralType((each,))) for each in value.type.values]
        elif isinstance(value.type, UnionType):
            parts = [self._types.resolve_part(value, part) for part in value.type.parts]
            found = [inner for part in parts if part is not None for inner in self._parts(part)]
        self._answers.leave()
        return found

    def inferred(self, file: str, scope: int, type_: ConditionalType, env: Env) -> Env:
        """The arguments of the type parameters that the type declares which a condition compares with."""
        checked = self._types.resolve_type(file, scope, type_.checked, env)
        value = self._values.value_or_self(checked) if is_inside(checked) else None
        if value is None:
            return ()
        place = object_of(file, scope, type_)
        argument_for = self._inference.argument_for
        found = ((name, argument_for(place, scope, type_.extends, name, value)) for name in type_.inferred)
        return tuple((INLINE, name, unless_too_deep(argument)) for name, argument in found if argument is not None)

    def branch(self, file: str, scope: int, type_: ConditionalType, env: Env) -> TypeExpression | None:
        """The branch of a conditional type whose condition can be told; None for another one."""
        holds = self._holds(file, scope, type_.checked, type_.extends, env)
        return None if holds is None else type_.then if holds else type_.otherwise

    def _holds(self, file: str, scope: int, type_: TypeExpression, extends: TypeExpression, env: Env) -> bool | None:
        if isinstance(type_, FunctionType) and isinstance(extends, FunctionType):
            one, other = type_.result, extends.result
            if isinstance(one, ConditionalType) and isinstance(other, ConditionalType):
                # `(<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2)`: whether A and B are the same
                first = self._types.resolve_type(file, scope, one.extends, env)
                second = self._types.resolve_type(file, scope, other.extends, env)
                return None if first is None or second is None else first == second
        if isinstance(type_, TupleType) and isinstance(extends, TupleType):  # `[T] extends [never]`
            is_one = len(type_.parts) == len(extends.parts) == 1
            return self._holds(file, scope, type_.parts[0], extends.parts[0], env) if is_one else None
        checked = self._types.resolve_type(file, scope, type_, env)
        checked = self._values.value_or_self(checked) if checked is not None else None
        if checked is None:
            return None
        if isinstance(extends, FunctionType) and isinstance(extends.result, TypePredicate):
            return (
                self._signatures.predicate_type(checked, 0) is not None if self._form(checked) == "function" else None
            )
        other = _form_of(extends)
        form = self._form(checked) if other else ""
        if form and not (form == "array" and isinstance(extends, TupleType)):
            return form == other or other == "object"
        values = _literals(checked)
        if values and extends in _PRIMITIVES:
            forms = {value[:1] if value[:1] == '"' else extends if value in _BOOLEANS else "" for value in values}
            return forms == {"boolean" if extends == "boolean" else _PRIMITIVES[str(extends)]}
        wanted = self._types.resolve_type(file, scope, extends, env)
        if wanted is None:
            return None
        if wanted.kind == SYMBOL and not self._members.is_class(wanted) and self._form(checked):
            return False  # `typeof` of a constant
        if values:
            shared = set(values).intersection(_literals(wanted))
            return None if 0 < len(shared) < len(values) or not _literals(wanted) else bool(shared)
        if wanted.kind == INSTANCE and checked.kind == INSTANCE:
            own = (wanted.file, wanted.symbol)
            return True if any((base.file, base.symbol) == own for base in self._members.lineage(checked)) else None
        return None

    def _form(self, value: Referent) -> str:
        """Whether a value is an array, a function or another object; empty if unknown."""
        kind = self._views[value.file].facts.symbols[value.symbol].kind if has_symbol(value) else None
        if value.kind == SYMBOL or (value.kind == OBJECT and not isinstance(value.type, ObjectType)):
            return "function" if kind in CALLABLE else _form_of(value.type) if value.kind == OBJECT else ""
        return "object" if kind is not SymbolKind.ENUM and not self._signatures.signatures(value) else ""

    def by_key(self, file: str, scope: int, type_: IndexedType, env: Env) -> Referent | None:
        """An object of the type `T[K]`, if it is known which properties K names."""
        index = type_.index
        if isinstance(index, OtherType) and len(index.parts) == 1:  # `keyof T`
            base = self._types.resolve_type(file, scope, type_.base, env)
            if base is None or self._elements.element(base, Item(Take.ELEMENT)) is not None:
                return None  # any property is like the others
            of = self._types.resolve_type(file, scope, index.parts[0], env)
            keys = self._keys(of) if of is not None else []
        else:
            named = self._types.resolve_type(file, scope, index, env)
            keys = [value[1:-1] for value in _literals(named) if value[:1] == '"'] if named is not None else []
        if not 0 < len(keys) <= _MOST:
            return None
        types = tuple(IndexedType(type_.base, key) for key in keys)
        return self._types.resolve_type(file, scope, types[0] if len(types) == 1 else UnionType(types), env)

    def without(self, one: Referent | None, other: Referent | None, *, extracts: bool) -> Referent | None:
        """An object of `Exclude<A, B>`, or of `Extract<A, B>`, of literals; None for other types."""
        values, named = (_literals(each) if each is not None else () for each in (one, other))
        left = tuple(value for value in values if (value in named) == extracts)
        return one._replace(type=LiteralType(left)) if one is not None and named and left else None

    def _keys(self, value: Referent) -> list[str]:
        """The names of the properties of an object."""
        value = self._values.value_or_self(value)
        if value.kind == OBJECT and isinstance(value.type, ObjectType):
            return [member.name for member in value.type.members if last_name(member.name)]
        if value.kind == LITERAL:
            rows = self._views[value.file].rows_of_scope(value.scope)
            return [row.name for row in rows]
        lineage = self._members.lineage(value) if value.kind == INSTANCE else ()
        return [name for base in lineage if has_symbol(base) for name in self._views[base.file].members(base.symbol)]


def _form_of(type_: TypeExpression) -> str:
    """The form of the objects of a type: see `Conditions._form`; those of a primitive type have another one."""
    if isinstance(type_, FunctionType):
        return "" if type_.constructs or isinstance(type_.result, TypePredicate) else "function"
    if isinstance(type_, (ArrayType, TupleType)):
        return "array"
    return type_ if isinstance(type_, str) and (type_ == "object" or type_ in _PRIMITIVES or type_ in ABSENT) else ""


def _literals(value: Referent) -> tuple[str, ...]:
    return value.type.values if value.kind == OBJECT and isinstance(value.type, LiteralType) else ()


def with_own_names(env: Env) -> Env:
    """An environment in which the type parameter of a distributed type has its own name, as its members use it."""
    marked = [(INLINE, name.partition(_OF_PART)[0], argument) for _, name, argument in env if _OF_PART in name]
    return (*env, *marked) if marked else env
