"""Infers the type parameters of a call without type arguments, from its first argument."""

from bearings.code.expressions import Item, Take
from bearings.code.resolve.builtin_types import MAPS, PROMISES, SEQUENCES
from bearings.code.resolve.referents import OWN, Referent, ReferentKind, as_kind
from bearings.code.resolve.types import Types
from bearings.code.type_expressions import ArrayType, FunctionType, TypeExpression, TypeReference, UnionType, type_words


class Inference(Types):
    """Adds inference from arguments, for type parameters that belong to a scope."""

    def inferred(self, file: str, number: int, referent: Referent) -> tuple[Referent | None, ...]:
        """The type arguments of a call of `thing`, in order; none if its first argument tells none."""
        view = self.views[referent.where]
        shape = view.facts.shapes[referent.symbol]
        if view.semantics.type_variables_have_no_scope or shape.inner < 0 or shape.returns is None:
            return ()
        generics = view.generics(shape.inner)
        if not generics or set(generics).isdisjoint(type_words(shape.returns)):
            return ()
        wanted = shape.head.parameters[0].type if shape.head is not None and shape.head.parameters else None
        if wanted is None:
            return ()
        arguments: tuple[Referent | None, ...] = ()
        site = self.views[file].facts.sites[number]
        first = site.arguments[0] if site.arguments else None
        given = self.expression(file, site.scope, first, site.line) if first is not None else None
        if given is not None and given.kind != ReferentKind.OUTSIDE and self.memo.enter():
            given = self.held(given)
            arguments = tuple(self._argument_for(referent, shape.inner, wanted, name, given) for name in generics)
            self.memo.leave()
        return arguments if any(each is not None for each in arguments) else ()

    def _argument_for(
        self, function: Referent, scope: int, type_: TypeExpression, name: str, given: Referent
    ) -> Referent | None:
        """The type parameter `name`, if an argument of this type is `given`."""
        if name not in type_words(type_) or not self.memo.enter():
            return None
        found = self._matched(function, scope, type_, name, given)
        self.memo.leave()
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
                wanted, inner = type_.element, self.element(given, Item(Take.EACH))
            case TypeReference():
                last, wanted = type_.name.rpartition(".")[2], type_.arguments[-1]
                if last in SEQUENCES:
                    inner = self.element(given, Item(Take.EACH))
                elif last in PROMISES:
                    inner = self.awaited(given)
                else:
                    return None if last in MAPS else self._of_class(function, scope, type_, name, given)
            case FunctionType():
                wanted = type_.result
                is_class = given.kind == ReferentKind.SYMBOL
                if type_.constructs:
                    inner = as_kind(given, ReferentKind.INSTANCE) if is_class else None
                else:
                    inner = self.called(given)
        if inner is None or wanted is None:
            return None
        return self._argument_for(function, scope, wanted, name, inner)

    def _of_class(
        self, function: Referent, scope: int, type_: TypeReference, name: str, given: Referent
    ) -> Referent | None:
        """The argument of a generic class of the project, in an object of it or of a subclass."""
        wanted = self.expression(function.where, scope, type_.name, 0, types=True)
        if wanted is None or wanted.kind not in OWN or given.kind not in OWN:
            return None
        for base in self.lineage(as_kind(given, ReferentKind.INSTANCE)):
            if (base.where, base.symbol) != (wanted.where, wanted.symbol):
                continue
            view = self.views[base.where]
            known = {parameter: referent for _, parameter, referent in base.env}
            for part, parameter in zip(
                type_.arguments, view.generics(view.facts.shapes[base.symbol].inner), strict=False
            ):
                referent = known.get(parameter)
                found = self._argument_for(function, scope, part, name, referent) if referent is not None else None
                if found is not None:
                    return found
        return None
