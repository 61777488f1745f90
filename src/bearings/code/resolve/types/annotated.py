"""Objects of annotated types.

cart: Cart                 an object of the class or interface Cart
carts: Cart[]              an OBJECT of the type; its elements are Carts
cart: Ref<Cart>            a library's type, of which a rule says what it leads to
T extends Base             an object of what the type parameter stands for; else of its constraint
type Alias<T> = Map<string, T>     the alias, with its parameters filled in
"""

from bearings.code.expressions import Item, Take, Typed, last_name, site_of
from bearings.code.file_facts import BindingKind, Trait
from bearings.code.models import SymbolKind
from bearings.code.resolve.parts import TypesPart
from bearings.code.resolve.referent import INSTANCE, MODULE, SYMBOL, Env, Referent
from bearings.code.resolve.referents import (
    BUILTIN,
    CALLABLE,
    CLASSES,
    INLINE,
    UNRESOLVED,
    as_kind,
    instance_of,
    is_hole_row,
    is_inside,
    is_instance,
    is_module,
    is_object,
    is_symbol,
    object_of,
    unless_too_deep,
    with_held_objects,
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
"""React's: `FC<Props>` is a function of `props: Props`."""
_REFERENCES = frozenset({"RefObject", "MutableRefObject", "Ref"})
"""React's and Vue's: `Ref<Cart>` has `current: Cart`."""
_DERIVED = frozenset({"Awaited", "ReturnType", "InstanceType", "type", "Type"})
"""Types that are made of their first argument: `Awaited<Promise<Cart>>`, `type[Cart]`."""
_HOLDABLE = 8
"""The most names in the type arguments of a library's type that are looked up."""
_PARAMETERS = frozenset({"Generic", "Protocol"})
"""Bases that only declare type parameters."""


class Types(TypesPart):
    """Objects of annotated types."""

    def resolve_type(self, file: str, scope: int, type_: TypeExpression | None, env: Env = ()) -> Referent | None:
        """See TypesPart.

        An object of a class or interface of the project is an INSTANCE; of any other type, an OBJECT of the type.
        """
        if type_ is None:
            return None
        if isinstance(type_, Hole):
            return env[0][2]
        cached = self._answers.ask(("type", file, scope, type_, env), deeper=True)
        made: Referent | None
        if cached is not None:
            made = cached.value
        else:
            made = self._answers.close(self._typed(file, scope, type_, env))
            self._answers.leave()
        return made

    def _typed(self, file: str, scope: int, type_: TypeExpression, env: Env) -> Referent | None:
        match type_:
            case str():
                return self._named(file, scope, type_, (), env) if type_ not in ABSENT else None
            case TypeReference():
                return self._named(file, scope, type_.name, type_.arguments, env)
            case TypeQuery():
                return self._flow.expression(file, scope, type_.name, 0)
            case ImportType():
                referent = self.resolve_import_type(file, type_)
                if not is_inside(referent) or type_.is_value:
                    return referent
                return self.instance(referent, self.resolve_types(file, scope, type_.arguments, env))
            case IndexedType():
                base = self.resolve_type(file, scope, type_.base, env)
                return self._at(base, type_.key) if base is not None else None
            case ConditionalType():
                return self.resolve_type(file, scope, _chosen(type_), env)
            case ReturnedType():  # of a function without an annotation
                given = self._calls.return_value_of_scope(file, type_.scope)
                return self._values.wrapped(file, given, "Promise") if type_.is_async else given
            case OtherType() | LiteralType() | OwnType() | TypePredicate() | RestType():
                return None
        return object_of(file, scope, type_, _relevant(type_, env))

    def resolve_import_type(self, file: str, type_: ImportType) -> Referent | None:
        """The referent of the names in `import("./module").Type`."""
        referent: Referent | None = self._exports.module(file, type_.module)
        if not type_.names and is_module(referent):
            referent = self._exports.module_value(referent) or referent
        for step in type_.names:
            referent = self._members.member(referent, step, types=not type_.is_value)
        return referent

    def _at(self, base: Referent, key: str | int | None) -> Referent | None:
        """The type of `T["key"]`, of `T[0]`, or of any element for None.

        A property whose type is a function's, or which holds another property, says more than its type: its name.
        """
        if not isinstance(key, str):
            return self._elements.element(base, Item(Take.ELEMENT, -1 if key is None else key))
        member = self._members.member(base, key)
        held = self._values.value_or_self(member) if member is not None else None
        if held is None or isinstance(held.type, FunctionType):
            return member
        kind = self._views[held.file].facts.symbols[held.symbol].kind if held.kind == SYMBOL else None
        return member if kind is SymbolKind.PROPERTY else held

    def _named(
        self, file: str, scope: int, name: str, arguments: tuple[TypeExpression, ...], env: Env
    ) -> Referent | None:
        """An object of the type that a name means, which may be a type parameter."""
        view = self._views[file]
        if view.semantics.type_variables_have_no_scope:
            for _, parameter, argument in env:
                if parameter == name:
                    return argument
        elif "." not in name:
            for at, parameter, argument in env:
                if at == INLINE and parameter == name:
                    return argument
            row = view.lookup(scope, name, 0, types=True)
            if row is not None and row.kind is BindingKind.TYPE_PARAMETER:
                for at, parameter, argument in env:
                    if parameter == name and at == row.scope:
                        return argument
                return self.resolve_type(file, row.scope, row.type, env) if row.type != name else None
        referent = self._flow.expression(file, scope, name, 0, types=view.semantics.types_have_names_of_their_own)
        if not is_inside(referent):
            return self._library(file, scope, name, arguments, env, referent)
        return self.instance(referent, self.resolve_types(file, scope, arguments, env))

    def resolve_types(
        self, file: str, scope: int, types: tuple[TypeExpression, ...], env: Env
    ) -> tuple[Referent | None, ...]:
        """See TypesPart."""
        return tuple(self.resolve_type(file, scope, type_, env) for type_ in types)

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
            return object_of(file, scope, made, _relevant(made, env))
        if last not in WRAPPERS and last not in _DERIVED:
            return self.library_object(referent, last, file, scope, arguments, env) if referent is not None else None
        first = self.resolve_type(file, scope, arguments[0], env)
        if first is None or last in WRAPPERS:  # `Partial<Cart>` is a Cart here
            return first
        if last == "Awaited":
            return self._values.awaited(first)
        if last == "ReturnType":
            return self._calls.call_result(first)
        if last == "InstanceType":
            return as_kind(first, INSTANCE) if first.kind == SYMBOL else None
        return as_kind(first, SYMBOL) if first.kind == INSTANCE else None

    def library_object(
        self, referent: Referent, name: str, file: str, scope: int, types: tuple[TypeExpression, ...], env: Env = ()
    ) -> Referent:
        """See TypesPart."""
        if referent == UNRESOLVED or name in _PARAMETERS or not self._answers.enter():
            return referent
        names = [*dict.fromkeys(name for type_ in types for name in type_names(type_))][:_HOLDABLE]
        objects = [unless_too_deep(self.resolve_type(file, scope, each, env)) for each in names]
        self._answers.leave()
        return with_held_objects(referent, name, [one for one in objects if is_instance(one) or is_object(one)])

    def instance(self, referent: Referent, given: tuple[Referent | None, ...] = ()) -> Referent | None:
        """See TypesPart."""
        if referent.kind != SYMBOL:
            return referent if referent.kind == MODULE and referent.files else None
        file, view = referent.file, self._views[referent.file]
        shape, kind = view.facts.shapes[referent.symbol], view.facts.symbols[referent.symbol].kind
        scope = shape.inner if shape.inner >= 0 else shape.scope
        if kind is SymbolKind.TYPE and shape.type is not None:
            return self.resolve_type(file, scope, shape.type, self.environment(file, scope, given))
        if kind in CLASSES or shape.traits & Trait.CONSTRUCTS:
            return instance_of(file, referent.symbol, self.environment(file, scope, given))
        if view.semantics.types_have_names_of_their_own or kind in CALLABLE:
            return None
        if shape.returns is not None:  # `Alias = Class[Argument]`
            env: Env = ()
            if given:  # its type variables, in the order of its type
                words = dict.fromkeys(type_names(shape.returns))
                names = (name for name in words if self.is_type_variable(file, scope, name))
                arguments = map(unless_too_deep, given)
                env = tuple((scope, name, one) for name, one in zip(names, arguments, strict=False))
            return self.resolve_type(file, scope, shape.returns, env)
        held = self._values.value(referent) if shape.value is not None else None
        return as_kind(held, INSTANCE) if held is not None and self._members.is_own_class(held) else None

    def is_type_variable(self, file: str, scope: int, name: str) -> bool:
        """See TypesPart."""
        variable = self._flow.expression(file, scope, name, 0)
        if not is_symbol(variable):
            return False
        facts = self._views[variable.file].facts
        number = site_of(facts.shapes[variable.symbol].value)
        return number >= 0 and last_name(facts.sites[number].callee) == "TypeVar"

    def environment(self, file: str, scope: int, given: tuple[Referent | None, ...]) -> Env:
        """See TypesPart. A parameter without an argument has its default, `T = Cart`, if it has one."""
        view = self._views[file]
        defaults = view.type_parameter_defaults(scope)
        if not given and not defaults:
            return ()
        env: Env = tuple(
            (scope, name, unless_too_deep(argument))
            for name, argument in zip(view.generics(scope), given, strict=False)
        )
        names = {name for _, name, _ in env}
        for row in defaults:
            if row.name not in names and isinstance(row.value, Typed):
                env = (*env, (scope, row.name, unless_too_deep(self.resolve_type(file, scope, row.value.type, env))))
        return env

    def resolve_part(self, referent: Referent, type_: TypeExpression | None) -> Referent | None:
        """See TypesPart."""
        return self.resolve_type(referent.file, referent.scope, type_, referent.env)


def _relevant(type_: TypeExpression, env: Env) -> Env:
    """The part of an environment that a type can refer to."""
    if not env:
        return env
    names = {word for name in type_names(type_) for word in name.split(".")}
    return tuple(row for row in env if row[1] in names or is_hole_row(row))


def _chosen(type_: TypeExpression | None) -> TypeExpression | None:
    """The branch that counts of `T extends string ? Cart : Cart[]`; None if nothing tells which.

    Both if they name the same type, the other one if one of them is none (`never`), the first if the condition holds;
    of two object types, their union.
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
