"""Annotated types."""

from collections.abc import Sequence

from bearings.code.expressions import Item, Take, Typed, last_name, site_of
from bearings.code.file_facts import Binding, BindingKind, Shape, Trait
from bearings.code.models import SymbolKind
from bearings.code.resolve.parts import TypesPart
from bearings.code.resolve.referents import (
    BUILTIN,
    CALLABLE,
    CLASSES,
    FILLING,
    HELD,
    INLINE,
    NESTED,
    UNRESOLVED,
    Env,
    Referent,
    ReferentKind,
    as_kind,
    depth_of,
    plain,
)
from bearings.code.resolve.types.builtin_types import MAPS, PRIMITIVES, PROMISES, SEQUENCES, WRAPPERS
from bearings.code.type_expressions import (
    ABSENT,
    ConditionalType,
    FunctionType,
    Hole,
    ImportType,
    IndexedType,
    LiteralType,
    ObjectType,
    OtherType,
    OwnType,
    RestType,
    ReturnedType,
    TypedMember,
    TypedParameter,
    TypeExpression,
    TypePredicate,
    TypeQuery,
    TypeReference,
    UnionType,
    type_names,
)

_UNTOLD = frozenset({"any", "unknown", "Any"})
_CONTAINERS = PROMISES | SEQUENCES | MAPS | {"Parameters", "ConstructorParameters"}
_COMPONENTS = frozenset({"FC", "FunctionComponent", "VFC"})
_REFERENCES = frozenset({"RefObject", "MutableRefObject", "Ref"})
_DERIVED = frozenset({"Awaited", "ReturnType", "InstanceType", "type", "Type"})
_HOLDABLE = 8
"""The most names in the type arguments of a library's type that are looked up."""
_PARAMETERS = frozenset({"Generic", "Protocol"})
"""Bases that only declare type parameters."""
_HELD_KINDS = frozenset({ReferentKind.INSTANCE, ReferentKind.OBJECT})


class Types(TypesPart):
    """Objects of annotated types."""

    def type(self, file: str, scope: int, type_: TypeExpression | None, env: Env = ()) -> Referent | None:
        """An object of an annotated type, with type parameters from `env`; None if unknown.

        An object of a class or interface of the project is an INSTANCE; of any other type, an OBJECT of the type.
        """
        if type_ is None:
            return None
        if isinstance(type_, Hole):
            return env[0][2]
        key = ("type", file, scope, type_, env)
        cached = self._memo.look(key)
        if cached is not None:
            return cached.value
        if not self._memo.enter():
            return None
        self._memo.open(key)
        found = self._memo.close(self._typed(file, scope, type_, env))
        self._memo.leave()
        return found

    def _typed(self, file: str, scope: int, type_: TypeExpression, env: Env) -> Referent | None:
        match type_:
            case str():
                return self._named(file, scope, type_, (), env) if type_ not in ABSENT else None
            case TypeReference():
                return self._named(file, scope, type_.name, type_.arguments, env)
            case TypeQuery():
                return self._flow.expression(file, scope, type_.name, 0)
            case ImportType():
                return self._of_module(file, scope, type_, env)
            case IndexedType():
                base = self.type(file, scope, type_.base, env)
                return self._at(base, type_.key) if base is not None else None
            case ConditionalType():
                chosen = _chosen(type_)
                return self.type(file, scope, chosen, env)
            case ReturnedType():
                found = self._calls.given_by(file, type_.scope)
                return self._values.wrapped(file, found, "Promise") if type_.is_async else found
            case OtherType() | LiteralType() | OwnType() | TypePredicate() | RestType():
                return None
        return Referent(ReferentKind.OBJECT, file, scope, type_, _relevant(type_, env))

    def _of_module(self, file: str, scope: int, type_: ImportType, env: Env) -> Referent | None:
        """The type in `import("./module").Type`, or the value with `typeof`."""
        referent = self.in_module(file, type_)
        if referent is None or referent.kind == ReferentKind.OUTSIDE or type_.is_value:
            return referent
        return self.instance(referent, self.given(file, scope, type_.arguments, env))

    def in_module(self, file: str, type_: ImportType) -> Referent | None:
        """The referent of the names in `import("./module").Type`."""
        referent: Referent | None = self._exports.module(file, type_.module)
        if not type_.names and referent is not None and referent.kind == ReferentKind.MODULE:
            referent = self._exports.whole(referent) or referent
        for step in type_.names:
            referent = self._members.member(referent, step, types=not type_.is_value) if referent is not None else None
        return referent

    def _at(self, base: Referent, key: str | int | None) -> Referent | None:
        """The type of `T["key"]`."""
        if not isinstance(key, str):
            return self._elements.element(base, Item(Take.ELEMENT, -1 if key is None else key))
        found = self._members.member(base, key)
        held = self._values.held(found) if found is not None else None
        if held is None or isinstance(held.type, FunctionType):
            return found  # the property's name says more than its type
        is_symbol = held.kind == ReferentKind.SYMBOL
        is_property = is_symbol and self._views[held.where].facts.symbols[held.symbol].kind is SymbolKind.PROPERTY
        return found if is_property else held

    def _named(
        self, file: str, scope: int, name: str, arguments: tuple[TypeExpression, ...], env: Env
    ) -> Referent | None:
        view = self._views[file]
        if view.semantics.type_variables_have_no_scope:
            for _, parameter, referent in env:
                if parameter == name:
                    return referent
        elif "." not in name:
            for at, parameter, referent in env:
                if at == INLINE and parameter == name:
                    return referent
            row = view.lookup(scope, name, 0, types=True)
            if row is not None and row.kind is BindingKind.TYPE_PARAMETER:
                for at, parameter, referent in env:
                    if parameter == name and at == row.scope:
                        return referent
                return self.type(file, row.scope, row.type, env) if row.type != name else None
        referent = self._flow.expression(file, scope, name, 0, types=view.semantics.types_have_names_of_their_own)
        if referent is None or referent.kind == ReferentKind.OUTSIDE:
            return self._library(file, scope, name, arguments, env, referent)
        return self.instance(referent, self.given(file, scope, arguments, env))

    def given(self, file: str, scope: int, types: tuple[TypeExpression, ...], env: Env) -> tuple[Referent | None, ...]:
        """Objects of type arguments."""
        return tuple(self.type(file, scope, type_, env) for type_ in types)

    def _library(
        self,
        file: str,
        scope: int,
        name: str,
        arguments: tuple[TypeExpression, ...],
        env: Env,
        referent: Referent | None,
    ) -> Referent | None:
        """An object of a built-in or library type, as far as the type leads to one of the project."""
        last = name.rpartition(".")[2]
        if last in _UNTOLD:
            return None
        if not arguments:
            return BUILTIN if last in PRIMITIVES else referent
        made: TypeExpression | None = None
        if last in _CONTAINERS or last == self._views[file].semantics.function_type:
            made = TypeReference(name, arguments)
        elif last in _COMPONENTS:
            made = FunctionType((TypedParameter("props", arguments[0]),), "void")
        elif last in _REFERENCES:
            made = ObjectType((TypedMember("current", arguments[0]),))
        if made is not None:
            return Referent(ReferentKind.OBJECT, file, scope, made, _relevant(made, env))
        if last not in WRAPPERS and last not in _DERIVED:
            return self.holding(referent, last, file, scope, arguments, env) if referent is not None else None
        first = self.type(file, scope, arguments[0], env)
        return self._derived(last, first) if first is not None else None

    def holding(
        self, referent: Referent, name: str, file: str, scope: int, types: tuple[TypeExpression, ...], env: Env = ()
    ) -> Referent:
        """An OUTSIDE referent of a generic `name`, with the objects of the project that its type arguments name."""
        if referent == UNRESOLVED or name in _PARAMETERS or not self._memo.enter():
            return referent
        names = dict.fromkeys(name for type_ in types for name in type_names(type_))
        found = [self.type(file, scope, each, env) for each in [*names][:_HOLDABLE]]
        self._memo.leave()
        rows = [(HELD, name, one) for one in found if one is not None and one.kind in _HELD_KINDS]
        return referent._replace(env=tuple(row for row in rows if depth_of(row[2]) < NESTED))

    def _derived(self, name: str, first: Referent) -> Referent | None:
        """The type that a utility type makes of its first argument."""
        if name == "Awaited":
            return self._values.awaited(first)
        if name == "ReturnType":
            return self._calls.called(first)
        if name == "InstanceType":
            return as_kind(first, ReferentKind.INSTANCE) if first.kind == ReferentKind.SYMBOL else None
        if name in ("type", "Type"):
            return as_kind(first, ReferentKind.SYMBOL) if first.kind == ReferentKind.INSTANCE else None
        return first

    def instance(self, referent: Referent, given: tuple[Referent | None, ...] = ()) -> Referent | None:
        """An object of the class, interface or alias of a name."""
        if referent.kind != ReferentKind.SYMBOL:
            return referent if referent.kind == ReferentKind.MODULE and referent.files else None
        view = self._views[referent.where]
        shape, kind = view.facts.shapes[referent.symbol], view.facts.symbols[referent.symbol].kind
        scope = shape.inner if shape.inner >= 0 else shape.scope
        if kind is SymbolKind.TYPE and shape.type is not None:
            return self.type(referent.where, scope, shape.type, self.bound(referent.where, scope, given))
        if kind in CLASSES or shape.traits & Trait.CONSTRUCTS:
            return plain(
                ReferentKind.INSTANCE, referent.where, referent.symbol, self.bound(referent.where, scope, given)
            )
        if view.semantics.types_have_names_of_their_own or kind in CALLABLE:
            return None
        if shape.returns is not None:  # `Alias = Class[Argument]`
            return self.type(referent.where, scope, shape.returns, self._for_alias(referent.where, scope, shape, given))
        held = self._values.value(referent) if shape.value is not None else None
        return as_kind(held, ReferentKind.INSTANCE) if held is not None and self._members.is_own_class(held) else None

    def _for_alias(self, file: str, scope: int, shape: Shape, given: tuple[Referent | None, ...]) -> Env:
        """The type variables of an alias, in the order of its type, with the arguments for them."""
        if not given or shape.returns is None:
            return ()
        names = (name for name in dict.fromkeys(type_names(shape.returns)) if self.is_variable(file, scope, name))
        kept = (one if one is not None and depth_of(one) < NESTED else None for one in given)
        return tuple((scope, name, one) for name, one in zip(names, kept, strict=False))

    def is_variable(self, file: str, scope: int, name: str) -> bool:
        """Whether a name is a type variable: `T = TypeVar("T")`."""
        found = self._flow.expression(file, scope, name, 0)
        if found is None or found.kind != ReferentKind.SYMBOL:
            return False
        facts = self._views[found.where].facts
        number = site_of(facts.shapes[found.symbol].value)
        return number >= 0 and last_name(facts.sites[number].callee) == "TypeVar"

    def bound(self, file: str, scope: int, given: tuple[Referent | None, ...]) -> Env:
        """The type parameters of a scope, with their arguments."""
        view = self._views[file]
        defaults = view.defaults(scope)
        if not given and not defaults:
            return ()
        known = tuple(
            (scope, name, referent if referent is not None and depth_of(referent) < NESTED else None)
            for name, referent in zip(view.generics(scope), given, strict=False)
        )
        return known + self._defaults(file, scope, defaults, known) if defaults else known

    def _defaults(self, file: str, scope: int, defaults: Sequence[Binding], known: Env) -> Env:
        """The type parameters that get their defaults."""
        names = {name for _, name, _ in known}
        for row in defaults:
            if row.name not in names and isinstance(row.value, Typed):
                made = self.type(file, scope, row.value.type, known)
                known = (*known, (scope, row.name, made if made is not None and depth_of(made) < NESTED else None))
        return known[len(names) :]

    def part(self, referent: Referent, type_: TypeExpression | None) -> Referent | None:
        """An object of a part of an OBJECT's type."""
        return self.type(referent.where, referent.symbol, type_, referent.env)


def _relevant(type_: TypeExpression, env: Env) -> Env:
    """The part of an environment that a type can refer to."""
    if not env:
        return env
    names = {word for name in type_names(type_) for word in name.split(".")}
    return tuple(row for row in env if row[1] in names or row[1] == FILLING)


def _chosen(type_: TypeExpression | None) -> TypeExpression | None:
    """The type of a condition's branches, if they name the same type, or one of them none, or the condition holds.

    Of two object types, their union.
    """
    if not isinstance(type_, ConditionalType):
        return type_
    if type_.extends in ("unknown", "any"):
        return type_.then
    one, other = _chosen(type_.then), _chosen(type_.otherwise)
    if one in ABSENT or other in ABSENT:
        return other if one in ABSENT else one
    if one == other and isinstance(one, (str, TypeReference)):
        return one
    if isinstance(one, ObjectType) and isinstance(other, ObjectType):
        return UnionType((one, other))
    name = one.name if isinstance(one, TypeReference) else one
    same = name == (other.name if isinstance(other, TypeReference) else other)
    return name if same and isinstance(name, str) else None
