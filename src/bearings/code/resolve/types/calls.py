"""The results of calls."""

from typing import Final

from bearings.code.expressions import Function, Item, Take, last_name, receiver, split, written
from bearings.code.file_facts import BindingKind, CallSite, Trait
from bearings.code.models import SymbolKind
from bearings.code.resolve.names.file_view import FileView
from bearings.code.resolve.parts import CallsPart, Known, Parts, Signature
from bearings.code.resolve.referents import (
    BUILTIN,
    CALLABLE,
    CLASSES,
    OWN,
    Referent,
    ReferentKind,
    as_kind,
    is_mapped,
    out_of,
    plain,
)
from bearings.code.resolve.rules.semantics import Gives
from bearings.code.resolve.types.builtin_types import PAIRS
from bearings.code.resolve.types.inference import Inference
from bearings.code.type_expressions import ABSENT, ArrayType, TypeExpression, TypeReference, UnionType

_HOLDERS = frozenset({SymbolKind.PROPERTY, SymbolKind.VARIABLE, SymbolKind.CONSTANT})
_SELF = frozenset({"this", "Self", "t.Self", "typing.Self", "te.Self", "typing_extensions.Self"})
_SIFTING = frozenset({"filter", "find", "findLast"})
_MAPPING = frozenset({"map", "flatMap", "then"})
"""Methods whose result is made of the results of the function that they take."""
_RECEIVERS = ("self", "cls", "klass", "this", "mcs")
"""Names of a method's first parameter."""


class Calls(CallsPart):
    """Callees and results of calls."""

    def __init__(self, known: Known) -> None:
        super().__init__(known)
        self._inference: Final = Inference(known)

    def join(self, parts: Parts) -> None:
        """See Part."""
        super().join(parts)
        self._inference.join(parts)

    def called(
        self, referent: Referent | None, owner: Referent | None = None, given: tuple[Referent | None, ...] = ()
    ) -> Referent | None:
        """The result of calling a referent; `owner` is the object of the member, `given` are the type arguments."""
        if referent is None or referent.kind == ReferentKind.OUTSIDE:
            return referent
        if referent.kind in (ReferentKind.OBJECT, ReferentKind.INSTANCE):
            if self._views[referent.where].semantics.has_special_methods:
                return self._called_object(referent)
            for signature in self._signatures.signatures(referent):
                return self._types.type(signature.where, signature.scope, signature.function.result, signature.env)
            return None
        if referent.kind == ReferentKind.LITERAL:
            return self._called_literal(referent)
        if referent.kind != ReferentKind.SYMBOL:
            return None
        facts = self._views[referent.where].facts
        symbol, shape = facts.symbols[referent.symbol], facts.shapes[referent.symbol]
        if symbol.kind is SymbolKind.CLASS and not given:  # arguments may tell its type parameters, not their defaults
            return plain(ReferentKind.INSTANCE, referent.where, referent.symbol)
        if symbol.kind in CLASSES:
            return self._types.instance(referent, given)
        if symbol.kind in CALLABLE and not (referent.env and is_mapped(referent)) and not shape.traits & Trait.ACCESSOR:
            return self._result_of(referent, owner, given)
        if not self._memo.enter():
            return None
        held = self._values.value(referent)
        result = self.called(held, None, given) if held is not None and held != referent else None
        if result is None and held is not None and held.kind == ReferentKind.LITERAL:
            result = self.returned(referent)  # of the function in `Object.assign(() => …, {…})`
        self._memo.leave()
        return result

    def _called_object(self, referent: Referent) -> Referent | None:
        """The result of calling an object: by its `__call__`, or by its type."""
        if referent.kind == ReferentKind.INSTANCE:
            method = self._members.member(referent, "__call__")
            return self.called(method, referent) if method is not None and method.kind == ReferentKind.SYMBOL else None
        type_ = referent.type
        if isinstance(type_, UnionType) and self._memo.enter():
            parts = [part for part in (self._types.part(referent, each) for each in type_.parts) if part is not None]
            parts.sort(key=lambda part: part.kind != ReferentKind.OBJECT)
            found = next((given for given in map(self.called, parts) if given is not None), None)
            self._memo.leave()
            return found
        function_type = self._views[referent.where].semantics.function_type
        if not isinstance(type_, TypeReference) or type_.name.rpartition(".")[2] != function_type:
            return None
        return self._types.part(referent, type_.arguments[-1]) if type_.arguments else None

    def _called_literal(self, referent: Referent) -> Referent | None:
        """The result of calling `Object.assign(f, …)`: that of its first argument."""
        view = self._views[referent.where]
        around = view.facts.scopes[referent.symbol].parent
        for row in [*view.rows_of(referent.symbol, "...")][-1:]:
            if row.value is not None and self._memo.enter():
                found = self._flow.expression(referent.where, around, row.value, row.line)
                result = self.called(found) if found is not None else None
                self._memo.leave()
                return result
        return None

    def _result_of(
        self, referent: Referent, owner: Referent | None, given: tuple[Referent | None, ...]
    ) -> Referent | None:
        """The result of a function: by its annotation, else by its return statements."""
        shape = self._views[referent.where].facts.shapes[referent.symbol]
        if shape.returns in _SELF:
            if owner is None or owner.symbol < 0:
                return None
            return as_kind(owner, ReferentKind.INSTANCE) if owner.kind == ReferentKind.SYMBOL else owner
        inner = self._views[referent.where].head_scope(referent.symbol)
        scope = inner if inner >= 0 else shape.scope
        is_async = bool(shape.traits & Trait.ASYNC)
        if shape.returns is not None:
            env = referent.env + self._types.bound(referent.where, scope, given)
            found = self._types.type(referent.where, scope, shape.returns, env) or self._own_kind(referent, owner)
            around = self._views[referent.where].semantics.async_annotation_wraps_in if is_async else ""
            return self._values.wrapped(referent.where, found, around) if around else found
        if shape.type is not None:
            held = self._types.type(referent.where, shape.scope, shape.type, referent.env)
            return self.called(held) if held is not None and held.kind != ReferentKind.SYMBOL else None
        found = self.returned(referent)
        return (
            self._values.wrapped(referent.where, found, "Promise")
            if is_async and not shape.traits & Trait.GENERATOR
            else found
        )

    def _own_kind(self, referent: Referent, owner: Referent | None) -> Referent | None:
        """The result of a method annotated with the type variable of its own first parameter: the type of its owner."""
        view = self._views[referent.where]
        shape = view.facts.shapes[referent.symbol]
        if owner is None or owner.kind not in OWN or shape.inner < 0:
            return None
        first = next((row for name in _RECEIVERS for row in view.rows_of(shape.inner, name)), None)
        type_ = first.type if first is not None else None
        is_class = isinstance(type_, TypeReference) and type_.name.rpartition(".")[2] in ("type", "Type")
        own = type_.arguments[0] if isinstance(type_, TypeReference) and is_class and type_.arguments else type_
        return as_kind(owner, ReferentKind.INSTANCE) if own is not None and own == shape.returns else None

    def returned(self, referent: Referent) -> Referent | None:
        """The value of the first known return statement.

        In a language without types, one unknown return statement makes the result unknown.
        """
        return self.given_by(referent.where, self._views[referent.where].facts.shapes[referent.symbol].inner)

    def given_by(self, file: str, inner: int) -> Referent | None:
        """The result of the function with the scope `inner`, by its return statements."""
        view = self._views[file]
        may_be_unknown = view.semantics.returns_may_be_unknown
        first = None
        for row in view.returns(inner) if inner >= 0 else ():
            found = self._flow.expression(file, row.within, row.value, row.line)
            given = self._values.held(found) if found is not None else None
            if may_be_unknown and (given is None or self._is_unknown(given)):
                return None
            first = first or given
            if first is not None and not may_be_unknown:
                break
        return first

    def _is_unknown(self, referent: Referent) -> bool:
        """Whether the referent is a property or variable of unknown value."""
        is_symbol = referent.kind == ReferentKind.SYMBOL
        return is_symbol and self._views[referent.where].facts.symbols[referent.symbol].kind in _HOLDERS

    def site_result(self, file: str, number: int, *, awaited: bool) -> Referent | None:
        """The result of a call site."""
        key = (file, number, "site")
        cached = self._memo.look(key)
        if cached is not None:
            found = cached.value
        else:
            self._memo.open(key)
            found = self._memo.close(self._result(file, number))
        return self._values.awaited(found) if awaited else found

    def _result(self, file: str, number: int) -> Referent | None:
        view = self._views[file]
        entry = view.inline.get(number)
        if entry is not None:
            return self._exports.imported(file, entry)
        site = view.facts.sites[number]
        if type(site.callee) is Function:
            return self._invoked(file, site.callee)
        referent, owner, name = self.callee(file, number)
        if referent == BUILTIN and site.callee == "Promise.all":
            return self._all(file, site)
        if referent == BUILTIN and type(site.callee) is str and site.callee in view.semantics.builtins_of_elements:
            return self._of_elements(file, site, view.semantics.builtins_of_elements[site.callee])
        if referent == BUILTIN and site.arguments and self._gives_same(view, site):
            return self._same(file, site)
        if referent == BUILTIN and owner is not None:
            held = self._values.held(owner)
            if held.kind != ReferentKind.OBJECT:
                return referent
            chosen = self._mapped(file, number, name) or self._sifted(file, site, name)
            return chosen or self._elements.library_result(held, name)
        if referent == BUILTIN and site.kind == "new" and site.types:
            made = TypeReference(written(site.callee), site.types)
            return Referent(ReferentKind.OBJECT, file, site.scope, made)
        if site.kind == "new" and referent is not None and self.constructs(referent):
            return as_kind(referent, ReferentKind.INSTANCE)
        if referent is not None and referent.kind == ReferentKind.OUTSIDE and site.types and not referent.env:
            name = last_name(site.callee) or written(site.callee)
            held = self._types.holding(referent, name, file, site.scope, site.types)
            return held if site.kind == "new" else out_of(held)
        given = self.arguments(file, site)
        if not given and referent is not None and referent.kind in (ReferentKind.OBJECT, ReferentKind.INSTANCE):
            env = self._inference.of_function(file, number, referent)
            return self.called(referent._replace(env=referent.env + env) if env else referent, owner)
        if given or referent is None or referent.kind != ReferentKind.SYMBOL:
            return self.called(referent, owner, given)
        env = self._inference.inferred(file, number, referent)
        found = self.called(referent._replace(env=referent.env + env) if env else referent, owner)
        if env and found is not None and (found.kind, found.symbol) == (ReferentKind.INSTANCE, referent.symbol):
            return found._replace(env=env + found.env)
        return found

    def _of_elements(self, file: str, site: CallSite, gives: Gives) -> Referent | None:
        """The result of a built-in function of the elements of its first argument, such as `sorted`."""
        first = site.arguments[0] if site.arguments else None
        given = self._flow.expression(file, site.scope, first, site.line) if first is not None else None
        if given is None or given.kind == ReferentKind.OUTSIDE or not self._memo.enter():
            return BUILTIN
        each = self._elements.element(self._values.held(given), Item(Take.EACH))
        self._memo.leave()
        if each is None or gives is Gives.ELEMENT:
            return each or BUILTIN
        made = self._values.wrapped(file, each, "Array") or BUILTIN
        return made._replace(type=PAIRS) if gives is Gives.PAIRS else made

    def _gives_same(self, view: FileView, site: CallSite) -> bool:
        """Whether a callee is a function of the standard library whose result is like its first argument."""
        root, steps = split(site.callee)
        if type(root) is not str:
            return False
        row = view.lookup(site.scope, root, site.line)
        if row is None:
            return site.callee in view.semantics.functions_of_same
        if row.kind is not BindingKind.IMPORT:
            return False
        entry = view.facts.imports[row.target]
        names = [entry.module, *(step for step in (entry.name, *steps) if step and step != "*" and type(step) is str)]
        return ".".join(names) in view.semantics.functions_of_same

    def _same(self, file: str, site: CallSite) -> Referent | None:
        """An object like the first argument of a call."""
        first = site.arguments[0]
        given = self._flow.expression(file, site.scope, first, site.line) if first is not None else None
        return self._values.held(given) if given is not None else BUILTIN

    def _all(self, file: str, site: CallSite) -> Referent | None:
        """The result of `Promise.all`: a promise of an array of what the promises in its argument give."""
        first = site.arguments[0] if site.arguments else None
        given = self._flow.expression(file, site.scope, first, site.line) if first is not None else None
        if given is None or given.kind == ReferentKind.OUTSIDE or not self._memo.enter():
            return BUILTIN
        each = self._values.awaited(self._elements.element(self._values.held(given), Item(Take.EACH)))
        self._memo.leave()
        return self._values.wrapped(file, self._values.wrapped(file, each, "Array"), "Promise") or BUILTIN

    def _invoked(self, file: str, function: Function) -> Referent | None:
        """The result of a function that is called where it is written."""
        if function.returns is not None:
            return self._types.type(file, function.scope, function.returns)
        return self.given_by(file, function.scope)

    def _mapped(self, file: str, number: int, name: str) -> Referent | None:
        """The result of `map` and `then`, by the result of the function that they take."""
        given = self._views[file].facts.sites[number].arguments
        if name not in _MAPPING or not given or type(given[0]) is not Function:
            return None
        found = self.given_by(file, given[0].scope)
        if given[0].is_async:
            found = self._values.wrapped(file, found, "Promise")
        if name == "then":
            return self._values.wrapped(file, self._values.awaited(found), "Promise")
        type_ = found.type if found is not None and found.kind == ReferentKind.OBJECT else None
        is_flat = name == "flatMap" and isinstance(type_, ArrayType)
        return found if is_flat else self._values.wrapped(file, found, "Array")

    def _sifted(self, file: str, site: CallSite, name: str) -> Referent | None:
        """The result of `filter` and `find` with a type predicate: elements of the predicate's type."""
        given = site.arguments[0] if name in _SIFTING and site.arguments else None
        function = self._flow.expression(file, site.scope, given, site.line) if given is not None else None
        kept = self._signatures.predicated(function, 0) if function is not None else None
        return self._values.wrapped(file, kept, "Array") if name == "filter" else kept

    def got(self, getter: Referent, descriptor: Referent, owner: Referent) -> Referent | None:
        """What the `__get__` of a descriptor gives for an object; without an annotation the descriptor itself.

        Of overloads, the first counts that takes such an object.
        """
        for signature in self._signatures.signatures(getter):
            function = signature.function
            wanted = function.parameters[0].type if function.parameters else None
            if function.result is None or wanted in ABSENT or not self._takes(signature, wanted, owner):
                continue
            if function.result in _SELF:
                return descriptor
            return self._types.type(signature.where, signature.scope, function.result, signature.env)
        is_annotated = self._views[getter.where].facts.shapes[getter.symbol].returns is not None
        return self.called(getter, descriptor) if is_annotated else descriptor

    def _takes(self, signature: Signature, wanted: TypeExpression | None, owner: Referent) -> bool:
        """Whether an object may be of the type that a signature wants."""
        type_ = self._types.type(signature.where, signature.scope, wanted, signature.env)
        if type_ is None or type_.kind != ReferentKind.INSTANCE:
            return True
        return any((one.where, one.symbol) == (type_.where, type_.symbol) for one in self._members.lineage(owner))

    def constructs(self, referent: Referent) -> bool:
        """Whether the referent is a constructor function."""
        is_symbol = referent.kind == ReferentKind.SYMBOL
        return is_symbol and bool(self._views[referent.where].facts.shapes[referent.symbol].traits & Trait.CONSTRUCTS)

    def arguments(self, file: str, site: CallSite) -> tuple[Referent | None, ...]:
        """The type arguments of a call."""
        return self._types.given(file, site.scope, site.types, ()) if site.types else ()

    def callee(self, file: str, number: int) -> tuple[Referent | None, Referent | None, str]:
        """The referent of a call site's callee, the object of which it is a member, and its name there."""
        site = self._views[file].facts.sites[number]
        of, name = receiver(site.callee), last_name(site.callee)
        if of is None or not name:
            return self._flow.expression(file, site.scope, site.callee, site.line), None, ""
        if of == "super":
            return (
                self._flow.above(file, site.scope, name),
                self._flow.expression(file, site.scope, "this", site.line),
                name,
            )
        owner = self._flow.expression(file, site.scope, of, site.line)
        return self._members.member(owner, name) if owner is not None else None, owner, name
