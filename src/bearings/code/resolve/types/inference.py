"""Infers the type parameters of a call without type arguments, from its first argument."""

from collections.abc import Sequence

from bearings.code.expressions import Item, Take
from bearings.code.file_facts import BindingKind, Shape
from bearings.code.resolve.parts import Part
from bearings.code.resolve.referents import CLASSES, INLINE, NESTED, OWN, Env, Referent, ReferentKind, as_kind, depth_of
from bearings.code.resolve.types.builtin_types import MAPS, PROMISES, SEQUENCES
from bearings.code.type_expressions import ArrayType, FunctionType, TypeExpression, TypeReference, UnionType, type_words


class Inference(Part):
    """Type parameters by what arguments are."""

    def inferred(self, file: str, number: int, referent: Referent) -> Env:
        """The type parameters of a function or class, by the first argument of a call; empty if it tells none."""
        function = self._function_of(referent)
        if function is None:
            return ()
        view = self._views[function.where]
        shape = view.facts.shapes[function.symbol]
        heads = [row.type for row in view.overloads(function.symbol)] if view.semantics.has_special_methods else []
        inner = view.head_scope(function.symbol)
        for head in heads or [shape.head]:
            wanted = head.parameters[0].type if isinstance(head, FunctionType) and head.parameters else None
            scope, names = self._inferable(referent, shape, inner, wanted)
            told = self._told(file, number, function, inner, wanted, scope, names)
            if told:
                return told
        return ()

    def of_function(self, file: str, number: int, referent: Referent) -> Env:
        """The type parameters of a function without a symbol: one that a call returned, or one of a written type."""
        for where, inner, function, _ in self._signatures.signatures(referent)[:1]:
            scope, names = INLINE, function.generics
            wanted = function.parameters[0].type if function.parameters else None
            if not function.parameters and referent.kind == ReferentKind.OBJECT:
                scope, names = inner, self._views[where].generics(inner)
                wanted = self._first_parameter(where, inner) if names else None
            words = set(type_words(wanted))
            words.intersection_update(type_words(function.result))
            known = [name for name in names if name in words]
            return self._told(file, number, referent._replace(where=where), inner, wanted, scope, known)
        return ()

    def _first_parameter(self, file: str, scope: int) -> TypeExpression | None:
        """The type of the first parameter of the function with a scope."""
        rows = self._views[file].rows_of_scope(scope)
        return next((row.type for row in rows if row.kind is BindingKind.PARAMETER), None)

    def _told(
        self,
        file: str,
        number: int,
        function: Referent,
        inner: int,
        wanted: TypeExpression | None,
        scope: int,
        names: Sequence[str],
    ) -> Env:
        """The type parameters `names` of a `scope`, by the first argument of a call, which should be `wanted`."""
        if not names or wanted is None:
            return ()
        site = self._views[file].facts.sites[number]
        first = site.arguments[0] if site.arguments else None
        given = self._flow.expression(file, site.scope, first, site.line) if first is not None else None
        if given is None or given.kind == ReferentKind.OUTSIDE or not self._memo.enter():
            return ()
        given = self._values.held(given)
        found = [(name, self._argument_for(function, inner, wanted, name, given)) for name in names]
        self._memo.leave()
        return tuple((scope, name, one) for name, one in found if one is not None and depth_of(one) < NESTED)

    def _function_of(self, referent: Referent) -> Referent | None:
        """The function itself, or the own constructor of a class."""
        view = self._views[referent.where]
        if view.facts.symbols[referent.symbol].kind not in CLASSES:
            return referent
        name = "__init__" if view.semantics.has_special_methods else "constructor"
        return self._members.own(referent.where, referent.symbol, name)

    def _inferable(
        self, referent: Referent, function: Shape, inner: int, wanted: TypeExpression | None
    ) -> tuple[int, Sequence[str]]:
        """The scope of the type parameters that an argument of the type `wanted` may tell, and their names.

        Those of a function are declared in its scope `inner`.
        """
        view = self._views[referent.where]
        words = set(type_words(wanted))
        if view.facts.symbols[referent.symbol].kind in CLASSES:
            scope = view.facts.shapes[referent.symbol].inner
            return scope, [name for name in view.generics(scope) if name in words]
        words.intersection_update(type_words(function.returns))
        if inner < 0 or not words:
            return -1, ()
        names = [name for name in view.generics(inner) if name in words]
        if view.semantics.type_variables_have_no_scope and not names:
            known = {name for _, name, _ in referent.env}
            names = [
                name for name in sorted(words - known) if self._types.is_variable(referent.where, function.scope, name)
            ]
        return inner, names

    def _argument_for(
        self, function: Referent, scope: int, type_: TypeExpression, name: str, given: Referent
    ) -> Referent | None:
        """The type parameter `name`, if an argument of this type is `given`."""
        if name not in type_words(type_) or not self._memo.enter():
            return None
        found = self._matched(function, scope, type_, name, given)
        self._memo.leave()
        return found

    def _matched(
        self, function: Referent, scope: int, type_: TypeExpression, name: str, given: Referent
    ) -> Referent | None:
        if isinstance(type_, UnionType):
            arguments = (self._argument_for(function, scope, part, name, given) for part in reversed(type_.parts))
            return next((each for each in arguments if each is not None), None)
        inner: Referent | None = None
        wanted: TypeExpression | None = None
        match type_:
            case str():
                return given if type_ == name else None
            case ArrayType():
                wanted, inner = type_.element, self._elements.element(given, Item(Take.EACH))
            case TypeReference():
                last, wanted = type_.name.rpartition(".")[2], type_.arguments[-1]
                if last in SEQUENCES:
                    inner = self._elements.element(given, Item(Take.EACH))
                elif last in PROMISES:
                    inner = self._values.awaited(given)
                elif last in ("type", "Type"):
                    inner = as_kind(given, ReferentKind.INSTANCE) if given.kind == ReferentKind.SYMBOL else None
                elif last == self._views[function.where].semantics.function_type:
                    inner = self._calls.called(given)
                else:
                    return None if last in MAPS else self._of_class(function, scope, type_, name, given)
            case FunctionType():
                wanted = type_.result
                is_class = given.kind == ReferentKind.SYMBOL
                if type_.constructs:
                    inner = as_kind(given, ReferentKind.INSTANCE) if is_class else None
                else:
                    inner = self._calls.called(given)
        if inner is None or wanted is None:
            return None
        return self._argument_for(function, scope, wanted, name, inner)

    def _of_class(
        self, function: Referent, scope: int, type_: TypeReference, name: str, given: Referent
    ) -> Referent | None:
        """The argument of a generic class of the project, in an object of it or of a subclass."""
        wanted = self._flow.expression(function.where, scope, type_.name, 0, types=True)
        if wanted is None or wanted.kind not in OWN or given.kind not in OWN:
            return None
        for base in self._members.lineage(as_kind(given, ReferentKind.INSTANCE)):
            if (base.where, base.symbol) != (wanted.where, wanted.symbol):
                continue
            view = self._views[base.where]
            known = {parameter: referent for _, parameter, referent in base.env}
            for part, parameter in zip(
                type_.arguments, view.generics(view.facts.shapes[base.symbol].inner), strict=False
            ):
                referent = known.get(parameter)
                found = self._argument_for(function, scope, part, name, referent) if referent is not None else None
                if found is not None:
                    return found
        return None
