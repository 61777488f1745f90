"""Infers the type arguments of a call that has none from its arguments.

def first(items: list[T]) -> T        first([Cart()]): T is Cart
function box<T>(item: T): Box<T>      box(new Cart()): T is Cart
class Repository<T> { constructor(private type: Type<T>) {} }      new Repository(Cart): T is Cart

The type of a parameter, `list[T]`, is compared with the `value` of its argument, a list of Carts, part by part. `inner`
is the scope in which the names of the parameter's type are looked up.
"""

from collections.abc import Collection, Iterator, Sequence

from bearings.code.expressions import Item, Take, extended
from bearings.code.file_facts import SPLAT, BindingKind, CallSite, Shape
from bearings.code.resolve.parts import Part, Signature
from bearings.code.resolve.referent import INSTANCE, LITERAL, OBJECT, SYMBOL, Env, Referent
from bearings.code.resolve.referents import CLASSES, INLINE, as_kind, has_symbol, is_inside, unless_too_deep
from bearings.code.resolve.rules.library_table import DEFAULT, MARK, library_of
from bearings.code.resolve.types.builtin_types import MAPS, PROMISES, SEQUENCES
from bearings.code.type_expressions import (
    ArrayType,
    FunctionType,
    IntersectionType,
    ObjectType,
    RestType,
    TupleType,
    TypedParameter,
    TypeExpression,
    TypePredicate,
    TypeReference,
    UnionType,
    type_words,
)

Given = tuple[TypeExpression, int]
"""The type of a parameter, and the number of the argument that it takes."""
_ENTERED = {"AbstractContextManager": Take.ENTERED, "AbstractAsyncContextManager": Take.ENTERED_ASYNC}
_OF_PARTS = MAPS | {"tuple", "Tuple"}
_TUPLE = f"{MARK}builtins.tuple"


def given_to(parameters: Sequence[TypedParameter], site: CallSite) -> Iterator[Given]:
    """The parameters with a type that the arguments of a call are given to."""
    named = {parameter.name.strip(DEFAULT): parameter for parameter in parameters} if site.keywords else {}
    place = 0
    for index, keyword in enumerate(site.words):
        if keyword not in ("", SPLAT):
            parameter = named.get(keyword)
        else:
            parameter = parameters[place] if place < len(parameters) else None
            place += parameter is not None and not is_rest(parameter)
        type_ = parameter.type if parameter is not None else None
        if parameter is not None and parameter.rest:  # the type of their list
            type_ = type_.element if isinstance(type_, ArrayType) else _first_argument(type_)
        if type_ is not None:
            yield type_, index


def fits(parameters: Sequence[TypedParameter], site: CallSite) -> bool:
    """Whether a function of the library takes as many arguments as a call has, and with such names."""
    words = site.words
    if not words or SPLAT in words:
        return not words or any(parameter.rest for parameter in parameters)
    named = {word for word in words if word}
    places = [parameter.name for parameter in parameters if not is_rest(parameter) and parameter.name[0] != DEFAULT]
    given = {*named, *(name.strip(DEFAULT) for name in places[: len(words) - len(named)])}
    needed = {name for name in places if name[-1] != DEFAULT}
    has_room = len(words) - len(named) <= len(places) or any(parameter.rest for parameter in parameters)
    names = {parameter.name.strip(DEFAULT) for parameter in parameters}
    return has_room and needed <= given and (named <= names or "**" in names)


def is_rest(parameter: TypedParameter) -> bool:
    """Whether a parameter takes any number of arguments."""
    return parameter.rest or parameter.name[:1] == "*"


def _first_argument(type_: TypeExpression | None) -> TypeExpression | None:
    return type_.arguments[0] if isinstance(type_, TypeReference) and type_.arguments else None


class Inference(Part):
    """Infers type arguments. The results are environments, empty if nothing is inferred."""

    def inferred_by_declaration(self, file: str, number: int, referent: Referent) -> Env:
        """The type arguments of the function or class `referent` that the call site `number` calls."""
        view = self._views[referent.file]
        function: Referent | None = referent
        site = self._views[file].facts.sites[number]
        if view.facts.symbols[referent.symbol].kind in CLASSES:
            constructor = "__init__" if view.semantics.has_special_methods else "constructor"
            function = self._members.own_member(referent.file, referent.symbol, constructor)
        if function is None or not site.arguments:
            return ()
        view = self._views[function.file]
        shape = view.facts.shapes[function.symbol]
        heads = [row.type for row in view.overloads(function.symbol)] if view.semantics.has_special_methods else []
        inner = view.head_scope(function.symbol)
        for head in heads or [shape.head]:
            given = list(given_to(head.parameters, site)) if isinstance(head, FunctionType) else []
            scope, names = self._inferable(referent, shape, inner, given)
            env = self.from_arguments(file, site, given, function, inner, scope, names) if names else ()
            if env:
                return env
        return ()

    def inferred_by_signature(self, file: str, number: int, referent: Referent) -> Env:
        """The same for a callee without a declaration: a returned function, an object of a function's type."""
        site = self._views[file].facts.sites[number]
        for source, inner, function, _ in self._signatures.signatures(referent)[:1]:
            scope, names, parameters = INLINE, function.generics, function.parameters
            view = self._views[source]
            if referent.kind == OBJECT and parameters == view.parameters(inner):  # `<T>(item: T) => …`
                scope, names = inner, view.generics(inner)
            given = list(given_to(parameters, site)) if names else []
            words = set(type_words(function.result)).intersection(_words(given))
            inferable = [name for name in names if name in words]
            return self.from_arguments(file, site, given, referent._replace(file=source), inner, scope, inferable)
        return ()

    def for_callback(
        self,
        file: str,
        site: CallSite,
        function: Referent,
        signature: Signature,
        argument: int,
        owner: Referent | None = None,
    ) -> Env:
        """The type arguments that the other arguments of a call tell the function that is its `argument`.

        The `owner` of a method is its `this`, and the type parameter T of `this: T`.
        """
        given = list(given_to(signature.function.parameters, site))
        words = _words([one for one in given if one[1] == argument])
        limits = zip(signature.function.generics, signature.function.limits, strict=False)
        words.update(word for name, limit in limits if name in words for word in type_words(limit))
        view = self._views[signature.file]
        scope, generics = self.declared(signature)
        names = [name for name in generics if name in words] if words else []
        if words and not names and view.semantics.type_variables_have_no_scope:
            is_variable = self._types.is_type_variable
            names = [word for word in sorted(words) if is_variable(signature.file, signature.scope, word)]
        others = [one for one in given if one[1] != argument] if names else []
        function = function._replace(file=signature.file)
        env = self.from_arguments(file, site, others, function, signature.scope, scope, names)
        taken = signature.function.parameters[argument : argument + 1]
        type_ = next((one for one, of in given if of == argument), taken[0].type if taken else None)
        return (*self.of_owner(signature.file, signature.scope, owner, type_), *env)

    def by_variable(self, file: str, number: int, function: Referent, signature: Signature) -> Env:
        """The type arguments that the type of the variable tells: T of `const box: Box<Cart> = make((one) => …)`."""
        wanted, result = self._views[file].type_of_result(number), signature.function.result
        expected = self._types.resolve_type(file, *wanted) if wanted is not None and result is not None else None
        if expected is None or result is None:
            return ()
        scope, generics = self.declared(signature)
        known = {name for _, name, _ in signature.env}
        function = function._replace(file=signature.file)
        rows = (
            (scope, name, unless_too_deep(self.argument_for(function, signature.scope, result, name, expected)))
            for name in generics
            if name not in known
        )
        return tuple(row for row in rows if row[2] is not None)

    def declared(self, signature: Signature) -> tuple[int, Sequence[str]]:
        """The type parameters of a function and their scope: INLINE if its type has them, `<T = Cart>() => T`."""
        generics, own = self._views[signature.file].generics(signature.scope), signature.function.generics
        return (INLINE, own) if own and own[0] not in generics else (signature.scope, generics)

    def of_owner(self, file: str, scope: int, owner: Referent | None, type_: TypeExpression | None) -> Env:
        """The environment of the names in a type that mean the object that a method of ECMAScript is called on."""
        view = self._views[file]
        if type_ is None or owner is None or not view.semantics.types_have_names_of_their_own:
            return ()
        value = unless_too_deep(self._values.value_or_self(owner))
        if value is None or value.kind != INSTANCE:
            return ()
        words = set(type_words(type_))
        rows = view.rows_of(scope, "this") if scope >= 0 else ()
        typed = next((row.type for row in rows if type(row.type) is str and row.type in words), None)
        if typed is None and "this" not in words:
            return ()
        env: Env = ((INLINE, "this", value),)
        return env if typed is None else (*env, (scope, typed, value))

    def from_arguments(
        self,
        file: str,
        site: CallSite,
        given: Sequence[Given],
        function: Referent,
        inner: int,
        declaring_scope: int,
        names: Collection[str],
    ) -> Env:
        """The arguments of the type parameters `names` of a scope; none for one that gets unrelated classes."""
        arguments: dict[str, Referent | None] = {}
        # The result of a function may depend on the other arguments.
        for type_, index in sorted(given, key=lambda one: isinstance(one[0], FunctionType)) if names else ():
            words = set(type_words(type_)).intersection(names)
            argument = site.arguments[index] if words else None
            if argument is None:
                continue
            if site.words[index] == SPLAT:
                argument = extended(argument, Item(Take.EACH))
            first = self._flow.expression(file, site.scope, argument, site.line)
            if not is_inside(first) or not self._answers.enter():
                continue
            value = self._values.value_or_self(first)
            for name in words:
                found = unless_too_deep(self.argument_for(function, inner, type_, name, value))
                if found is not None and not self._lacks(function.file, inner, name, found):
                    arguments[name] = self._common(arguments[name], found) if name in arguments else found
            self._answers.leave()
        return tuple((declaring_scope, name, found) for name, found in arguments.items() if found is not None)

    def _lacks(self, file: str, scope: int, name: str, value: Referent) -> bool:
        """Whether an object literal lacks a method that the constraint of a type parameter has, which then counts."""
        if value.kind != LITERAL:
            return False
        rows = self._views[file].rows_of(scope, name)
        limit = next((row.type for row in rows if row.kind is BindingKind.TYPE_PARAMETER), None)
        base = self._types.resolve_type(file, scope, limit) if limit is not None else None
        view, own = self._views[value.file], value.scope
        if base is None or base.kind != INSTANCE or any(view.rows_of(own, "...")):
            return False
        facts, members = self._views[base.file].facts, self._views[base.file].members(base.symbol)
        needed = [member for member, at in members.items() if isinstance(facts.shapes[at[0]].type, FunctionType)]
        return any(
            "?" not in facts.symbols[members[member][0]].signature.partition("(")[0] and not view.rows_of(own, member)
            for member in needed
        )

    def _common(self, one: Referent | None, other: Referent) -> Referent | None:
        """The wider one of two arguments of a type parameter; None if neither is."""
        if one is None or not (has_symbol(one) and has_symbol(other)):
            return one
        for narrow, wide in ((one, other), (other, one)):
            if any((base.file, base.symbol) == (wide.file, wide.symbol) for base in self._members.lineage(narrow)):
                return wide
        return None

    def _inferable(
        self, referent: Referent, shape: Shape, inner: int, given: Sequence[Given]
    ) -> tuple[int, Sequence[str]]:
        """The scope and names of the type parameters that arguments may tell: those that the parameters' types name.

        The type parameters of a function are declared in its scope `inner`, and count if its result names them.
        """
        view = self._views[referent.file]
        words = _words(given)
        if view.facts.symbols[referent.symbol].kind in CLASSES:
            scope = view.facts.shapes[referent.symbol].inner
            return scope, [name for name in view.generics(scope) if name in words]
        words.intersection_update(type_words(shape.returns))
        if inner < 0 or not words:
            return -1, ()
        names = [name for name in view.generics(inner) if name in words]
        if view.semantics.type_variables_have_no_scope and not names:  # `T = TypeVar("T")`
            bound = {name for _, name, _ in referent.env}
            names = [
                name for name in sorted(words - bound) if self._types.is_type_variable(referent.file, shape.scope, name)
            ]
        return inner, names

    def argument_for(
        self, function: Referent, inner: int, type_: TypeExpression, name: str, value: Referent
    ) -> Referent | None:
        """The argument of the type parameter `name`, if a parameter of `type_` takes `value`; None if unknown."""
        if name not in type_words(type_) or not self._answers.enter():
            return None
        argument = self._matched(function, inner, type_, name, value)
        self._answers.leave()
        return argument

    def _matched(
        self, function: Referent, inner: int, type_: TypeExpression, name: str, value: Referent
    ) -> Referent | None:
        """The same, by the form of the type: compares the part that names the parameter with that part of `value`.

        `list[T]` and a list of Carts: the part `T` is compared with an element of the list.
        """
        if isinstance(type_, (UnionType, IntersectionType)):
            arguments = (self.argument_for(function, inner, part, name, value) for part in reversed(type_.parts))
            return next((argument for argument in arguments if argument is not None), None)
        value_part: Referent | None = None
        type_part: TypeExpression | None = None
        match type_:
            case str():
                return value if type_ == name else None
            case ArrayType():
                type_part, value_part = type_.element, self._elements.element(value, Item(Take.EACH))
            case TypeReference():
                last, type_part = type_.name.rpartition(".")[2], type_.arguments[-1]
                if last in _OF_PARTS and type_.arguments[1:2] not in ((), ("...",)):
                    return self._of_parts(function, inner, type_, name, value)
                if last in SEQUENCES:
                    type_part = type_.arguments[0]
                    value_part = self._elements.element(value, Item(Take.EACH))
                elif last in PROMISES:
                    value_part = self._values.awaited(value)
                elif last in ("type", "Type"):
                    value_part = as_kind(value, INSTANCE) if value.kind == SYMBOL else None
                elif last == self._views[function.file].semantics.function_type:
                    value_part = self._calls.call_result(value)
                elif last in _ENTERED:
                    value_part = self._elements.element(value, Item(_ENTERED[last]))
                else:
                    return self._of_class(function, inner, type_, name, value)
            case TupleType(parts=(RestType(type=rest),)):  # `[...T]`
                type_part, value_part = rest, value
            case TupleType():
                return self._of_parts(function, inner, TypeReference(_TUPLE, type_.parts), name, value)
            case ObjectType():
                parts = (part for part in type_.members if part.type is not None and name in type_words(part.type))
                for part in parts:
                    held = self._members.member(value, part.name)
                    if held is not None and part.type is not None:
                        value_part, type_part = self._values.value_or_self(held), part.type
            case FunctionType() if isinstance(type_.result, TypePredicate):  # `(item: Item) => item is T`
                type_part, value_part = type_.result.type, self._signatures.predicate_type(value, 0)
            case FunctionType() if name not in type_words(type_.result):  # `(item: T) => void`
                for place, taken in enumerate(type_.parameters):
                    if name in type_words(taken.type) and not taken.rest:
                        type_part, value_part = taken.type, self._signatures.parameter_type(value, place)
            case FunctionType():
                type_part = type_.result
                if not type_.constructs:
                    value_part = self._calls.call_result(value)
                elif value.kind == SYMBOL:  # `new () => T`
                    value_part = as_kind(value, INSTANCE)
        if value_part is None or type_part is None:
            return None
        return self.argument_for(function, inner, type_part, name, value_part)

    def _of_class(
        self, function: Referent, inner: int, type_: TypeReference, name: str, value: Referent
    ) -> Referent | None:
        """The same for a generic class of the project, `Box<T>`, and an object of it or of a subclass."""
        if type_.name[:1] == MARK or value.kind == OBJECT:
            return self._of_library_class(function, inner, type_, name, value)
        generic = self._flow.expression(function.file, inner, type_.name, 0, types=True)
        if generic is None or not has_symbol(generic) or not has_symbol(value):
            return None
        for base in self._members.lineage(as_kind(value, INSTANCE)):
            if (base.file, base.symbol) != (generic.file, generic.symbol):
                continue
            view = self._views[base.file]
            argument_of = {parameter: argument for _, parameter, argument in base.env}
            parameters = view.generics(view.facts.shapes[base.symbol].inner)
            for part, parameter in zip(type_.arguments, parameters, strict=False):
                passed = argument_of.get(parameter)
                argument = self.argument_for(function, inner, part, name, passed) if passed is not None else None
                if argument is not None:
                    return argument
        return None

    def _of_library_class(
        self, function: Referent, inner: int, type_: TypeReference, name: str, value: Referent
    ) -> Referent | None:
        """The same for a class of the library, `Future[T]`, and an object of it or of a subclass."""
        known = value.type
        if not isinstance(known, TypeReference):
            return None
        library = library_of(self._views[value.file].semantics.family).classes.get(known.name.strip(MARK))
        if known.name != type_.name and (library is None or type_.name not in library.bases):
            return None
        parts = zip(type_.arguments, known.arguments, strict=False)
        pairs = ((part, self._types.resolve_part(value, passed)) for part, passed in parts)
        return self._first_of(function, inner, name, pairs)

    def _of_parts(
        self, function: Referent, inner: int, type_: TypeReference, name: str, value: Referent
    ) -> Referent | None:
        """The same for a tuple, whose parts are compared by their places, and for a map."""
        if type_.name.rpartition(".")[2] not in MAPS:
            items = [Item(Take.ELEMENT, place) for place in range(len(type_.arguments))]
        elif isinstance(value.type, TypeReference) and value.type.name.rpartition(".")[2] in MAPS:
            items = [Item(Take.EACH), Item(Take.ELEMENT)]
        else:
            return None
        pairs = ((part, self._elements.element(value, item)) for part, item in zip(type_.arguments, items, strict=True))
        return self._first_of(function, inner, name, pairs)

    def _first_of(
        self, function: Referent, inner: int, name: str, pairs: Iterator[tuple[TypeExpression, Referent | None]]
    ) -> Referent | None:
        found = (self.argument_for(function, inner, part, name, value) for part, value in pairs if value is not None)
        return next((argument for argument in found if argument is not None), None)


def _words(given: Sequence[Given]) -> set[str]:
    return {word for type_, _ in given for word in type_words(type_)}
