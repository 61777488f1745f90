"""Infers the type parameters of a call without type arguments, from its first argument."""

from bearings.code.expressions import Item, Take
from bearings.code.resolve.builtin_types import MAPS, PROMISES, SEQUENCES
from bearings.code.resolve.referents import OWN, Referent, ReferentKind, as_kind
from bearings.code.resolve.type_texts import WORDS, Form, FormKind, form_of, signature_of
from bearings.code.resolve.types import Types


class Inference(Types):
    """Adds inference from arguments, for type parameters that belong to a scope."""

    def inferred(self, file: str, number: int, referent: Referent) -> tuple[Referent | None, ...]:
        """The type arguments of a call of `thing`, in order; none if its first argument tells none."""
        view = self.views[referent.where]
        symbol, shape = view.facts.symbols[referent.symbol], view.facts.shapes[referent.symbol]
        if view.semantics.type_variables_have_no_scope or shape.inner < 0 or not shape.returns:
            return ()
        generics = view.generics(shape.inner)
        if not generics or set(generics).isdisjoint(WORDS.findall(shape.returns)):
            return ()
        form = signature_of(symbol.signature)
        if form is None or not form.names:
            return ()
        arguments: tuple[Referent | None, ...] = ()
        site = self.views[file].facts.sites[number]
        first = site.arguments[0] if site.arguments else None
        given = self.expression(file, site.scope, first, site.line) if first is not None else None
        if given is not None and given.kind != ReferentKind.OUTSIDE and self.memo.enter():
            given = self.held(given)
            arguments = tuple(
                self._argument_for(referent, shape.inner, form.parts[0], name, given) for name in generics
            )
            self.memo.leave()
        return arguments if any(each is not None for each in arguments) else ()

    def _argument_for(self, function: Referent, scope: int, text: str, name: str, given: Referent) -> Referent | None:
        """The type parameter `name`, if an argument of the type `text` is `given`."""
        form = form_of(text)
        if form is None or name not in text or not self.memo.enter():
            return None
        found = self._matched(function, scope, form, name, given)
        self.memo.leave()
        return found

    def _matched(self, function: Referent, scope: int, form: Form, name: str, given: Referent) -> Referent | None:
        if form.kind is FormKind.NAME and not form.parts:
            return given if form.name == name else None
        last = form.name.rpartition(".")[2]
        inner: Referent | None = None
        if form.kind is FormKind.ARRAY or (form.kind is FormKind.NAME and last in SEQUENCES):
            inner = self.element(given, Item(Take.EACH))
        elif form.kind is FormKind.NAME and last in PROMISES:
            inner = self.awaited(given)
        elif form.kind is FormKind.NAME:
            return None if last in MAPS else self._of_class(function, scope, form, name, given)
        elif form.kind is FormKind.CONSTRUCTOR:
            inner = as_kind(given, ReferentKind.INSTANCE) if given.kind == ReferentKind.SYMBOL else None
        elif form.kind is FormKind.FUNCTION:
            inner = self.called(given)
        elif form.kind is FormKind.UNION:
            parts = sorted(form.parts, key=len, reverse=True)
            arguments = (self._argument_for(function, scope, part, name, given) for part in parts)
            return next((each for each in arguments if each is not None), None)
        return self._argument_for(function, scope, form.parts[-1], name, inner) if inner is not None else None

    def _of_class(self, function: Referent, scope: int, form: Form, name: str, given: Referent) -> Referent | None:
        """The argument of a generic class of the project, in an object of it or of a subclass."""
        wanted = self.expression(function.where, scope, form.name, 0, types=True)
        if wanted is None or wanted.kind not in OWN or given.kind not in OWN:
            return None
        for base in self.lineage(as_kind(given, ReferentKind.INSTANCE)):
            if (base.where, base.symbol) != (wanted.where, wanted.symbol):
                continue
            view = self.views[base.where]
            known = {parameter: referent for _, parameter, referent in base.env}
            for part, parameter in zip(form.parts, view.generics(view.facts.shapes[base.symbol].inner), strict=False):
                referent = known.get(parameter)
                found = self._argument_for(function, scope, part, name, referent) if referent is not None else None
                if found is not None:
                    return found
        return None
