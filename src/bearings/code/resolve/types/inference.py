"""Infers the type arguments of a call that has none from its first argument.

def first(items: list[T]) -> T        first([Cart()]): T is Cart
function box<T>(item: T): Box<T>      box(new Cart()): T is Cart
class Repository<T> { constructor(private type: Type<T>) {} }      new Repository(Cart): T is Cart

The type of the first parameter, `list[T]`, is compared with the `value` of the first argument, a list of Carts, part by
part. `inner` is the scope in which the names of the parameter's type are looked up.
"""

from collections.abc import Sequence

from bearings.code.expressions import Item, Take
from bearings.code.file_facts import BindingKind, Shape
from bearings.code.resolve.parts import Part
from bearings.code.resolve.referent import INSTANCE, OBJECT, SYMBOL, Env, Referent
from bearings.code.resolve.referents import CLASSES, INLINE, as_kind, has_symbol, is_inside, unless_too_deep
from bearings.code.resolve.types.builtin_types import MAPS, PROMISES, SEQUENCES
from bearings.code.type_expressions import ArrayType, FunctionType, TypeExpression, TypeReference, UnionType, type_words


class Inference(Part):
    """Infers type arguments. The results are environments, empty if nothing is inferred."""

    def inferred_by_declaration(self, file: str, number: int, referent: Referent) -> Env:
        """The type arguments of the function or class `referent` that the call site `number` calls."""
        view = self._views[referent.file]
        function: Referent | None = referent
        if view.facts.symbols[referent.symbol].kind in CLASSES:
            constructor = "__init__" if view.semantics.has_special_methods else "constructor"
            function = self._members.own_member(referent.file, referent.symbol, constructor)
        if function is None:
            return ()
        view = self._views[function.file]
        shape = view.facts.shapes[function.symbol]
        heads = [row.type for row in view.overloads(function.symbol)] if view.semantics.has_special_methods else []
        inner = view.head_scope(function.symbol)
        for head in heads or [shape.head]:
            parameter_type = head.parameters[0].type if isinstance(head, FunctionType) and head.parameters else None
            scope, names = self._inferable(referent, shape, inner, parameter_type)
            env = self._type_arguments(file, number, function, inner, parameter_type, scope, names)
            if env:
                return env
        return ()

    def inferred_by_signature(self, file: str, number: int, referent: Referent) -> Env:
        """The same for a callee without a declaration: a returned function, an object of a function's type."""
        for source, inner, function, _ in self._signatures.signatures(referent)[:1]:
            scope, names = INLINE, function.generics
            parameter_type = function.parameters[0].type if function.parameters else None
            if not function.parameters and referent.kind == OBJECT:  # `<T>(item: T) => …`: use the rows of its scope
                view = self._views[source]
                scope, names = inner, view.generics(inner)
                rows = view.rows_of_scope(inner) if names else ()
                parameter_type = next((row.type for row in rows if row.kind is BindingKind.PARAMETER), None)
            words = set(type_words(parameter_type))
            words.intersection_update(type_words(function.result))
            inferable = [name for name in names if name in words]
            callee = referent._replace(file=source)
            return self._type_arguments(file, number, callee, inner, parameter_type, scope, inferable)
        return ()

    def _type_arguments(
        self,
        file: str,
        number: int,
        function: Referent,
        inner: int,
        parameter_type: TypeExpression | None,
        declaring_scope: int,
        names: Sequence[str],
    ) -> Env:
        """The arguments of the type parameters `names` of the declaring scope."""
        if not names or parameter_type is None:
            return ()
        site = self._views[file].facts.sites[number]
        first = self._flow.expression(file, site.scope, site.arguments[0] if site.arguments else None, site.line)
        if not is_inside(first) or not self._answers.enter():
            return ()
        value = self._values.value_or_self(first)
        arguments = [(name, self._argument_for(function, inner, parameter_type, name, value)) for name in names]
        self._answers.leave()
        return tuple(
            (declaring_scope, name, argument) for name, argument in arguments if unless_too_deep(argument) is not None
        )

    def _inferable(
        self, referent: Referent, shape: Shape, inner: int, parameter_type: TypeExpression | None
    ) -> tuple[int, Sequence[str]]:
        """The scope and names of the type parameters that an argument may tell: those that the parameter's type names.

        The type parameters of a function are declared in its scope `inner`, and count if its result names them.
        """
        view = self._views[referent.file]
        words = set(type_words(parameter_type))
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

    def _argument_for(
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
        if isinstance(type_, UnionType):
            arguments = (self._argument_for(function, inner, part, name, value) for part in reversed(type_.parts))
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
                if last in SEQUENCES:
                    value_part = self._elements.element(value, Item(Take.EACH))
                elif last in PROMISES:
                    value_part = self._values.awaited(value)
                elif last in ("type", "Type"):
                    value_part = as_kind(value, INSTANCE) if value.kind == SYMBOL else None
                elif last == self._views[function.file].semantics.function_type:
                    value_part = self._calls.call_result(value)
                else:
                    return None if last in MAPS else self._of_class(function, inner, type_, name, value)
            case FunctionType():
                type_part = type_.result
                if not type_.constructs:
                    value_part = self._calls.call_result(value)
                elif value.kind == SYMBOL:  # `new () => T`
                    value_part = as_kind(value, INSTANCE)
        if value_part is None or type_part is None:
            return None
        return self._argument_for(function, inner, type_part, name, value_part)

    def _of_class(
        self, function: Referent, inner: int, type_: TypeReference, name: str, value: Referent
    ) -> Referent | None:
        """The same for a generic class of the project, `Box<T>`, and an object of it or of a subclass."""
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
                argument = self._argument_for(function, inner, part, name, passed) if passed is not None else None
                if argument is not None:
                    return argument
        return None
