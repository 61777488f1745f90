"""Infers the type parameters of a call without type arguments, from its first argument.

def first(items: list[T]) -> T        first([Cart()]): T is Cart
function box<T>(one: T): Box<T>       box(new Cart()): T is Cart
class Repository<T> { constructor(private type: Type<T>) {} }      new Repository(Cart): T is Cart

"Given" is what the call passes, "wanted" the type of the parameter that takes it. Only the first argument is compared.
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
    """Type parameters by what arguments are."""

    def inferred_by_declaration(self, file: str, number: int, referent: Referent) -> Env:
        """The type arguments of a function or class in a call, by its first argument; empty if that tells none."""
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
            wanted = head.parameters[0].type if isinstance(head, FunctionType) and head.parameters else None
            scope, names = self._inferable(referent, shape, inner, wanted)
            env = self._type_arguments(file, number, function, inner, wanted, scope, names)
            if env:
                return env
        return ()

    def inferred_by_signature(self, file: str, number: int, referent: Referent) -> Env:
        """The same for what has no declaration: a returned function, a written type, an object with a signature."""
        for source, inner, function, _ in self._signatures.signatures(referent)[:1]:
            scope, names = INLINE, function.generics
            wanted = function.parameters[0].type if function.parameters else None
            if not function.parameters and referent.kind == OBJECT:  # `<T>(one: T) => …`, by what its scope binds
                view = self._views[source]
                scope, names = inner, view.generics(inner)
                rows = view.rows_of_scope(inner) if names else ()
                wanted = next((row.type for row in rows if row.kind is BindingKind.PARAMETER), None)
            words = set(type_words(wanted))
            words.intersection_update(type_words(function.result))
            inferable = [name for name in names if name in words]
            return self._type_arguments(file, number, referent._replace(file=source), inner, wanted, scope, inferable)
        return ()

    def _type_arguments(
        self,
        file: str,
        number: int,
        function: Referent,
        inner: int,
        wanted: TypeExpression | None,
        declaring: int,
        names: Sequence[str],
    ) -> Env:
        """The arguments of the type parameters `names` of the scope `declaring`; `wanted` is looked up in `inner`."""
        if not names or wanted is None:
            return ()
        site = self._views[file].facts.sites[number]
        given = self._flow.expression(file, site.scope, site.arguments[0] if site.arguments else None, site.line)
        if not is_inside(given) or not self._answers.enter():
            return ()
        given = self._values.value_or_self(given)
        arguments = [(name, self._argument_for(function, inner, wanted, name, given)) for name in names]
        self._answers.leave()
        return tuple((declaring, name, one) for name, one in arguments if unless_too_deep(one) is not None)

    def _inferable(
        self, referent: Referent, shape: Shape, inner: int, wanted: TypeExpression | None
    ) -> tuple[int, Sequence[str]]:
        """The scope of the type parameters that an argument of the type `wanted` may tell, and their names.

        Those of a function are declared in its scope `inner`, and count if its result names them.
        """
        view = self._views[referent.file]
        words = set(type_words(wanted))
        if view.facts.symbols[referent.symbol].kind in CLASSES:
            scope = view.facts.shapes[referent.symbol].inner
            return scope, [name for name in view.generics(scope) if name in words]
        words.intersection_update(type_words(shape.returns))
        if inner < 0 or not words:
            return -1, ()
        names = [name for name in view.generics(inner) if name in words]
        if view.semantics.type_variables_have_no_scope and not names:  # `T = TypeVar("T")`
            known = {name for _, name, _ in referent.env}
            names = [
                name for name in sorted(words - known) if self._types.is_type_variable(referent.file, shape.scope, name)
            ]
        return inner, names

    def _argument_for(
        self, function: Referent, inner: int, type_: TypeExpression, name: str, given: Referent
    ) -> Referent | None:
        """The argument of the type parameter `name`, if `given` is passed where `type_` is wanted; None if unknown."""
        if name not in type_words(type_) or not self._answers.enter():
            return None
        argument = self._matched(function, inner, type_, name, given)
        self._answers.leave()
        return argument

    def _matched(
        self, function: Referent, inner: int, type_: TypeExpression, name: str, given: Referent
    ) -> Referent | None:
        """The same, by the form of the type: its part that names the parameter, and what `given` has there."""
        if isinstance(type_, UnionType):
            arguments = (self._argument_for(function, inner, part, name, given) for part in reversed(type_.parts))
            return next((each for each in arguments if each is not None), None)
        part_given: Referent | None = None
        wanted: TypeExpression | None = None
        match type_:
            case str():
                return given if type_ == name else None
            case ArrayType():
                wanted, part_given = type_.element, self._elements.element(given, Item(Take.EACH))
            case TypeReference():
                last, wanted = type_.name.rpartition(".")[2], type_.arguments[-1]
                if last in SEQUENCES:
                    part_given = self._elements.element(given, Item(Take.EACH))
                elif last in PROMISES:
                    part_given = self._values.awaited(given)
                elif last in ("type", "Type"):
                    part_given = as_kind(given, INSTANCE) if given.kind == SYMBOL else None
                elif last == self._views[function.file].semantics.function_type:
                    part_given = self._calls.call_result(given)
                else:
                    return None if last in MAPS else self._of_class(function, inner, type_, name, given)
            case FunctionType():
                wanted = type_.result
                if not type_.constructs:
                    part_given = self._calls.call_result(given)
                elif given.kind == SYMBOL:  # `new () => T`
                    part_given = as_kind(given, INSTANCE)
        if part_given is None or wanted is None:
            return None
        return self._argument_for(function, inner, wanted, name, part_given)

    def _of_class(
        self, function: Referent, inner: int, type_: TypeReference, name: str, given: Referent
    ) -> Referent | None:
        """The argument of a generic class of the project, in an object of it or of a subclass."""
        wanted = self._flow.expression(function.file, inner, type_.name, 0, types=True)
        if wanted is None or not has_symbol(wanted) or not has_symbol(given):
            return None
        for base in self._members.lineage(as_kind(given, INSTANCE)):
            if (base.file, base.symbol) != (wanted.file, wanted.symbol):
                continue
            view = self._views[base.file]
            known = {parameter: referent for _, parameter, referent in base.env}
            parameters = view.generics(view.facts.shapes[base.symbol].inner)
            for part, parameter in zip(type_.arguments, parameters, strict=False):
                referent = known.get(parameter)
                argument = self._argument_for(function, inner, part, name, referent) if referent is not None else None
                if argument is not None:
                    return argument
        return None
