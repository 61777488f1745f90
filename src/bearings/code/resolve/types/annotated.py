"""Turns annotated types into referents of their objects.

cart: Cart                       an INSTANCE of the class or interface Cart
carts: Cart[]                    an OBJECT of the type `Cart[]`, whose elements are Carts
cart: Partial<Cart>              a utility type: an INSTANCE of Cart by one of the rules of `_outside`
function add<T extends Base>(item: T)        an object of the argument of T in the environment, else of Base
type ById<T> = Map<string, T>; x: ById<Cart>       an OBJECT of `Map<string, T>`, in whose environment T is a Cart
"""

from typing import Final

from bearings.code.expressions import Item, Take, Typed, last_name, site_of
from bearings.code.file_facts import BindingKind, CallSite, Trait
from bearings.code.installed import is_installed
from bearings.code.models import SymbolKind
from bearings.code.resolve.context import Context
from bearings.code.resolve.parts import TypesPart
from bearings.code.resolve.referent import INSTANCE, MODULE, SYMBOL, Env, Referent
from bearings.code.resolve.referents import (
    BUILTIN,
    CALLABLE,
    CLASSES,
    EXTERNAL,
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
from bearings.code.resolve.rules.library_table import MARK
from bearings.code.resolve.types.builtin_types import MAPS, PRIMITIVES, PROMISES, SEQUENCES, WRAPPERS
from bearings.code.resolve.types.conditions import Conditions
from bearings.code.type_expressions import (
    ABSENT,
    ConditionalType,
    FunctionType,
    Hole,
    ImportType,
    IndexedType,
    ObjectType,
    OtherType,
    OwnType,
    RestType,
    ReturnedType,
    TupleType,
    TypedMember,
    TypedParameter,
    TypeExpression,
    TypePredicate,
    TypeQuery,
    TypeReference,
    UnionType,
    type_names,
)

_UNKNOWN = frozenset({"any", "unknown", "Any"})
_CONTAINERS = PROMISES | SEQUENCES | MAPS | {"Parameters", "ConstructorParameters"}
_COMPONENTS = frozenset({"FC", "FunctionComponent", "VFC", "ComponentType"})
"""React's: `FC<Props>` is a function of `props: Props`."""
_REFERENCES = frozenset({"RefObject", "MutableRefObject", "Ref"})
"""React's and Vue's: `Ref<Cart>` has `current: Cart`."""
_TAKEN = frozenset({"ComponentProps", "ComponentPropsWithRef", "ComponentPropsWithoutRef"})
"""React's: the `props` of a component, `ComponentProps<typeof Cart>`."""
_DERIVED = _TAKEN | {"Awaited", "ReturnType", "InstanceType", "type", "Type"}
"""Types that a rule derives from their first argument: `Awaited<Promise<Cart>>`, `type[Cart]`."""
_CLASS_OF = f"{MARK}builtins.type"
_MOST_CONDITIONS = 6
"""The most conditions of one type of which none is decided; each costs as much as all after it."""
_MOST_HELD_NAMES = 8
"""The most names in the type arguments of a library's type to look up."""
_DECLARING_BASES = frozenset({"Generic", "Protocol"})
"""Bases that only declare type parameters: `class Box(Generic[T])`."""


class Types(TypesPart):
    """Turns annotated types into referents of their objects."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._conditions: Final = Conditions(context)
        self._inner = (self._conditions,)

    def resolve_type(self, file: str, scope: int, type_: TypeExpression | None, env: Env = ()) -> Referent | None:
        """See TypesPart.

        An object of a class or interface of the project is an INSTANCE; of any other type, an OBJECT of the type.
        """
        if type_ is None:
            return None
        if isinstance(type_, Hole):
            return env[0][2]
        cached = self._answers.ask(("type", file, scope, type_, env), deeper=True)
        resolved: Referent | None
        if cached is not None:
            resolved = cached.value
        else:
            resolved = self._answers.close(self._resolve(file, scope, type_, env))
            self._answers.leave()
        return resolved

    def _resolve(self, file: str, scope: int, type_: TypeExpression, env: Env) -> Referent | None:
        """`resolve_type` without the cache, by the form of the type."""
        match type_:
            case TupleType(parts=(RestType(type=rest),)):  # `[...T]`
                return self.resolve_type(file, scope, rest, env)
            case str():
                return self._named(file, scope, type_, (), env) if type_ not in ABSENT else None
            case TypeReference():
                return self._named(file, scope, type_.name, type_.arguments, env)
            case TypeQuery():  # `typeof cart`
                return self._flow.expression(file, scope, type_.name, 0)
            case ImportType():
                referent = self.resolve_import_type(file, type_)
                if not is_inside(referent) or type_.is_value:
                    return referent
                return self.instance(referent, self.resolve_types(file, scope, type_.arguments, env))
            case IndexedType():  # `Cart["total"]`
                if type_.index is not None and (known := self._conditions.by_key(file, scope, type_, env)) is not None:
                    return known
                base = self.resolve_type(file, scope, type_.base, env)
                return self._at(base, type_.key) if base is not None else None
            case ConditionalType():
                if (union := self._conditions.distributed(file, scope, type_, env)) is not None:
                    return union
                view = self._views[file]
                own = view.facts.symbols[view.facts.scopes[scope].symbol].name if scope >= 0 else ""
                branch = self._conditions.branch(file, scope, type_, env) or _branch(type_) or _recursive(type_, own)
                if branch is None and _length(type_) > _MOST_CONDITIONS:
                    return None
                if type_.inferred:
                    env = (*self._conditions.inferred(file, scope, type_, env), *env)
                return self.resolve_type(file, scope, branch or _either(type_), env)
            case ReturnedType():  # of a function without an annotation
                result = self._calls.return_value_of_scope(file, type_.scope)
                return self._values.wrapped(file, result, "Promise") if type_.is_async else result
            case OtherType() | OwnType() | TypePredicate() | RestType():
                return None
        return object_of(file, scope, type_, _relevant(type_, env))

    def resolve_import_type(self, file: str, type_: ImportType) -> Referent | None:
        """The referent of the names in `import("./module").Type`; of the module if there are none."""
        referent: Referent | None = self._exports.module(file, type_.module)
        if not type_.names and is_module(referent):
            referent = self._exports.module_value(referent) or referent
        for step in type_.names:
            referent = self._members.member(referent, step, types=not type_.is_value)
        return referent

    def _at(self, base: Referent, key: str | int | None) -> Referent | None:
        """An object of the type `T["key"]`, `T[0]`, or for None, of any element's type; `base` is an object of T.

        It is the property itself, which says more than its value, if the value is a function or another property.
        """
        if not isinstance(key, str):
            return self._elements.element(base, Item(Take.ELEMENT, -1 if key is None else key))
        member = self._members.member(base, key)
        if not is_inside(member) and (method := self._library.method(base, key)) is not None:
            return method  # `Component<Props, Shop>["setState"]`
        value = self._values.value_or_self(member) if member is not None else None
        if value is None or isinstance(value.type, FunctionType):
            return member
        kind = self._views[value.file].facts.symbols[value.symbol].kind if value.kind == SYMBOL else None
        return member if kind is SymbolKind.PROPERTY else value

    def _named(
        self, file: str, scope: int, name: str, arguments: tuple[TypeExpression, ...], env: Env
    ) -> Referent | None:
        """An object of the type that a name means: `Box<Cart>`, or the argument of a type parameter `T`.

        The environment has the arguments; which of its rows counts depends on how the language declares parameters.
        """
        view = self._views[file]
        if name[:1] == MARK:  # of the library
            if "." in name and not arguments and not self._library.is_class(file, name):
                return BUILTIN
            if name == _CLASS_OF and arguments:
                first = self.resolve_type(file, scope, arguments[0], env)
                return as_kind(first, SYMBOL) if first is not None and first.kind == INSTANCE else None
            if arguments or "." in name:
                return object_of(
                    file, scope, TypeReference(name, arguments), _relevant(TypeReference(name, arguments), env)
                )
            return next((argument for _, parameter, argument in env if parameter == name), None)
        if view.semantics.type_variables_have_no_scope:  # `T = TypeVar("T")`: the name alone counts
            for _, parameter, argument in env:
                if parameter == name:
                    return argument
        elif "." not in name:
            for declaring_scope, parameter, argument in env:  # `<T>(item: T) => T` hides the T of a scope
                if declaring_scope == INLINE and parameter == name:
                    return argument
            row = view.lookup(scope, name, 0, types=True)
            if row is not None and row.kind is BindingKind.TYPE_PARAMETER:
                for declaring_scope, parameter, argument in env:
                    if parameter == name and declaring_scope == row.scope:
                        return argument
                # Without an argument, the constraint: Base of `T extends Base`.
                return self.resolve_type(file, row.scope, row.type, env) if row.type != name else None
        referent = self._flow.expression(file, scope, name, 0, types=view.semantics.types_have_names_of_their_own)
        if referent is None and view.semantics.type_variables_have_no_scope:
            return self._limit(file, scope, name, env) or self._outside(file, scope, name, arguments, env, None)
        if is_inside(referent) and arguments and name in _CONTAINERS and not view.binds(name):
            referent = BUILTIN  # a declaration only adds members to it
        if not is_inside(referent):
            return self._outside(file, scope, name, arguments, env, referent)
        return self.instance(referent, self.resolve_types(file, scope, arguments, env))

    def _limit(self, file: str, scope: int, name: str, env: Env) -> Referent | None:
        """An object of the type that limits a type parameter in brackets, `def first[T: Cart]`; None without one."""
        view = self._views[file]
        while scope >= 0 and view.binds(name):
            for row in view.rows_of(scope, name):
                if row.kind is BindingKind.TYPE_PARAMETER:
                    return self.resolve_type(file, scope, row.type, env)
            scope = view.facts.scopes[scope].parent
        return None

    def resolve_types(
        self, file: str, scope: int, types: tuple[TypeExpression, ...], env: Env
    ) -> tuple[Referent | None, ...]:
        """See TypesPart."""
        return tuple(self.resolve_type(file, scope, type_, env) for type_ in types)

    def _outside(
        self,
        file: str,
        scope: int,
        name: str,
        arguments: tuple[TypeExpression, ...],
        env: Env,
        referent: Referent | None,
    ) -> Referent | None:
        """An object of a built-in or library type, or of the project's type that it leads to: Cart for `Partial<Cart>`.

        `referent` is the meaning of the type's name; None if unknown.
        """
        last = name.rpartition(".")[2]
        if last in _UNKNOWN:
            return None
        if referent is not None and (known := self._library.type_named(file, scope, name)):
            return object_of(file, scope, TypeReference(known, arguments), env)
        if not arguments:
            return BUILTIN if last in PRIMITIVES else referent
        object_type: TypeExpression | None = None
        if last in _CONTAINERS or last == self._views[file].semantics.function_type:
            object_type = TypeReference(name, arguments)
        elif last in _COMPONENTS:
            object_type = FunctionType((TypedParameter("props", arguments[0]),), "void")
        elif last == "Reducer" and len(arguments) > 1:  # React's and Redux's
            taken = TypedParameter("state", arguments[0]), TypedParameter("action", arguments[1])
            object_type = FunctionType(taken, arguments[0])
        elif last in _REFERENCES:
            object_type = ObjectType((TypedMember("current", arguments[0]),))
        if object_type is not None:
            return object_of(file, scope, object_type, _relevant(object_type, env))
        if last not in WRAPPERS and last not in _DERIVED:
            return self.library_object(referent, last, file, scope, arguments, env) if referent is not None else None
        method = arguments[0]
        if last == "ReturnType" and isinstance(method, IndexedType) and isinstance(method.key, str):
            base = self.resolve_type(file, scope, method.base, env)
            is_own = is_symbol(self._members.member(base, method.key))
            given = self._library.called(base, method.key) if base is not None and not is_own else None
            if given is not None:
                return given
        first = self.resolve_type(file, scope, arguments[0], env)
        if last in ("Exclude", "Extract") and len(arguments) > 1:
            other = self.resolve_type(file, scope, arguments[1], env)
            is_open = last == "Extract" and first is not None and isinstance(first.type, UnionType)
            first = self._conditions.without(first, other, extracts=last == "Extract") or (None if is_open else first)
        if first is None or last in WRAPPERS:  # an object of `Partial<Cart>` has the members of a Cart
            return first
        if last in _TAKEN:
            return self._signatures.parameter_type(first, 0)
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
        if referent == UNRESOLVED or name in _DECLARING_BASES or not self._answers.enter():
            return referent
        names = [*dict.fromkeys(name for type_ in types for name in type_names(type_))][:_MOST_HELD_NAMES]
        objects = [unless_too_deep(self.resolve_type(file, scope, held_name, env)) for held_name in names]
        self._answers.leave()
        return with_held_objects(referent, name, [held for held in objects if is_instance(held) or is_object(held)])

    def instance(self, referent: Referent, arguments: tuple[Referent | None, ...] = ()) -> Referent | None:
        """See TypesPart."""
        if referent.kind != SYMBOL:
            return referent if referent.kind == MODULE and referent.files else None
        file, view = referent.file, self._views[referent.file]
        shape, kind = view.facts.shapes[referent.symbol], view.facts.symbols[referent.symbol].kind
        scope = shape.inner if shape.inner >= 0 else shape.scope
        if kind is SymbolKind.TYPE and shape.type is not None:
            found = self.resolve_type(file, scope, shape.type, self.environment(file, scope, arguments))
            return EXTERNAL if found is None and is_installed(file) else found
        if kind in CLASSES or shape.traits & Trait.CONSTRUCTS:
            return instance_of(file, referent.symbol, self.environment(file, scope, arguments))
        if view.semantics.types_have_names_of_their_own or kind in CALLABLE:
            return None
        if shape.returns is not None:  # `ById = dict[str, T]`
            env: Env = ()
            if arguments:  # for the type variables in the order in which the aliased type names them
                words = dict.fromkeys(type_names(shape.returns))
                names = (name for name in words if self.is_type_variable(file, scope, name))
                pairs = zip(names, map(unless_too_deep, arguments), strict=False)
                env = tuple((scope, name, argument) for name, argument in pairs)
            return self.resolve_type(file, scope, shape.returns, env)
        if (bound := self._bound(referent)) is not None:
            return bound
        value = self._values.value(referent) if shape.value is not None else None  # `Basket = Cart`
        return as_kind(value, INSTANCE) if value is not None and self._members.is_own_class(value) else None

    def is_type_variable(self, file: str, scope: int, name: str) -> bool:
        """See TypesPart."""
        variable = self._flow.expression(file, scope, name, 0)
        return is_symbol(variable) and self._type_variable(variable) is not None

    def _type_variable(self, variable: Referent) -> CallSite | None:
        """The call that makes a type variable; None for another variable."""
        facts = self._views[variable.file].facts
        number = site_of(facts.shapes[variable.symbol].value)
        site = facts.sites[number] if number >= 0 else None
        return site if site is not None and last_name(site.callee) == "TypeVar" else None

    def _bound(self, variable: Referent) -> Referent | None:
        """An object of the type that limits a type variable: of Cart for `TypeVar("T", bound=Cart)`."""
        site = self._type_variable(variable)
        if site is None or "bound" not in site.keywords:
            return None
        limit = site.arguments[site.words.index("bound")]
        return self._flow.expression(variable.file, 0, limit, 0)

    def environment(self, file: str, scope: int, arguments: tuple[Referent | None, ...]) -> Env:
        """See TypesPart. A parameter without an argument has its default, `T = Cart`, if it has one."""
        view = self._views[file]
        defaults = view.type_parameter_defaults(scope)
        if not arguments and not defaults:
            return ()
        env: Env = tuple(
            (scope, name, unless_too_deep(argument))
            for name, argument in zip(view.generics(scope), arguments, strict=False)
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
    """The rows of an environment that the names in a type can refer to."""
    if not env:
        return env
    names = {word for name in type_names(type_) for word in name.split(".")}
    return tuple(row for row in env if row[1] in names or is_hole_row(row))


def _recursive(type_: TypeExpression, own: str) -> TypeExpression | None:
    """The branch of a conditional type that has the members of its parameter T, in a type that applies to all members.

    type Deep<T> = T extends Function ? T : { [K in keyof T]: Deep<T[K]> }                the mapped type
    type Deep<T> = { [K in keyof T]: T[K] extends object ? Deep<T[K]> : T[K] }            `T[K]`; `own` is Deep
    """
    if not isinstance(type_, ConditionalType):
        return type_
    first, second = _recursive(type_.then, own), _recursive(type_.otherwise, own)
    for one, other in ((first, second), (second, first)):
        if isinstance(other, TypeReference) and other.name == own and other.arguments == (one,):
            return one
        for member in other.members if isinstance(other, ObjectType) and one is not None else ():
            if member.name == "[in]" and isinstance(member.type, IndexedType) and member.type.base == one:
                return other
    return None


def _either(type_: ConditionalType) -> TypeExpression:
    """The union of both branches, with an unknown part, as it is not decided which counts; or the one with objects."""
    branches = [branch for branch in (type_.then, type_.otherwise) if branch not in ABSENT]
    return branches[0] if len(branches) == 1 else UnionType((*branches, OtherType()))


def _length(type_: TypeExpression) -> int:
    """The number of conditions one after another."""
    return 1 + _length(type_.otherwise) if isinstance(type_, ConditionalType) else 0


def _branch(type_: TypeExpression | None) -> TypeExpression | None:
    """The type that stands for a conditional type, `T extends string ? Cart : Cart[]`; None if unknown.

    The first branch if the condition always holds; if one branch has no objects (`never`), the other one; the common
    name if both name the same type; for two object types, their union.
    """
    if not isinstance(type_, ConditionalType):
        return type_
    if type_.extends in ("unknown", "any"):
        return type_.then
    first, second = _branch(type_.then), _branch(type_.otherwise)
    if first in ABSENT or second in ABSENT:
        return second if first in ABSENT else first
    if first == second and isinstance(first, (str, TypeReference)):
        return first
    if isinstance(first, ObjectType) and isinstance(second, ObjectType):
        return UnionType((first, second))
    name = first.name if isinstance(first, TypeReference) else first
    is_same = name == (second.name if isinstance(second, TypeReference) else second)
    return name if is_same and isinstance(name, str) else None
