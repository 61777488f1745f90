"""The results of calls."""

from abc import abstractmethod
from typing import NamedTuple

from bearings.code.expressions import Function, Item, Take, last_name, receiver, written
from bearings.code.models import CallSite, SymbolKind, Trait
from bearings.code.resolve.inference import Inference
from bearings.code.resolve.referents import BUILTIN, CLASSES, OWN, Env, Referent, ReferentKind, as_kind
from bearings.code.resolve.semantics import Gives
from bearings.code.resolve.types import CALLABLE, PAIRS
from bearings.code.type_expressions import ArrayType, FunctionType, TypeReference, UnionType

_HOLDERS = frozenset({SymbolKind.PROPERTY, SymbolKind.VARIABLE, SymbolKind.CONSTANT})
_SELF = frozenset({"this", "Self", "t.Self", "typing.Self", "te.Self", "typing_extensions.Self"})
_MAPPING = frozenset({"map", "flatMap", "then"})
"""Methods whose result is made of the results of the function that they take."""
_RECEIVERS = ("self", "cls", "klass", "this", "mcs")
"""Names of a method's first parameter."""


class Signature(NamedTuple):
    """One way to call something: the type of a function, and the scope in which its names are looked up."""

    where: str
    scope: int
    function: FunctionType
    env: Env = ()


class Results(Inference):
    """Adds the results of calls to types."""

    @abstractmethod
    def signatures(self, referent: Referent, *, new: bool = False) -> list[Signature]:
        """The ways to call (or construct) a referent, in the order of the source."""

    @abstractmethod
    def library_result(self, owner: Referent, name: str) -> Referent | None:
        """The result of a container's method."""

    @abstractmethod
    def above(self, file: str, scope: int, name: str) -> Referent | None:
        """The referent of `super.name` in a scope."""

    def called(
        self, referent: Referent | None, owner: Referent | None = None, given: tuple[Referent | None, ...] = ()
    ) -> Referent | None:
        """The result of calling a referent; `owner` is the object of the member, `given` are the type arguments."""
        if referent is None or referent.kind == ReferentKind.OUTSIDE:
            return referent
        if referent.kind in (ReferentKind.OBJECT, ReferentKind.INSTANCE):
            if self.views[referent.where].semantics.has_special_methods:
                return self._called_object(referent)
            for signature in self.signatures(referent):
                return self.type(signature.where, signature.scope, signature.function.result, signature.env)
            return None
        if referent.kind == ReferentKind.LITERAL:
            return self._called_literal(referent)
        if referent.kind != ReferentKind.SYMBOL:
            return None
        facts = self.views[referent.where].facts
        symbol, shape = facts.symbols[referent.symbol], facts.shapes[referent.symbol]
        if symbol.kind in CLASSES:
            return self._instance(referent, given)
        if symbol.kind in CALLABLE and not shape.traits & Trait.ACCESSOR:
            return self._result_of(referent, owner, given)
        if not self.memo.enter():
            return None
        held = self.value(referent)
        result = self.called(held, None, given) if held is not None and held != referent else None
        if result is None and held is not None and held.kind == ReferentKind.LITERAL:
            result = self.returned(referent)  # of the function in `Object.assign(() => …, {…})`
        self.memo.leave()
        return result

    def _called_object(self, referent: Referent) -> Referent | None:
        """The result of calling an object: by its `__call__`, or by its type."""
        if referent.kind == ReferentKind.INSTANCE:
            method = self.member(referent, "__call__")
            return self.called(method, referent) if method is not None and method.kind == ReferentKind.SYMBOL else None
        type_ = referent.type
        if isinstance(type_, UnionType) and self.memo.enter():
            parts = [part for part in (self.part(referent, each) for each in type_.parts) if part is not None]
            parts.sort(key=lambda part: part.kind != ReferentKind.OBJECT)
            found = next((given for given in map(self.called, parts) if given is not None), None)
            self.memo.leave()
            return found
        function_type = self.views[referent.where].semantics.function_type
        if not isinstance(type_, TypeReference) or type_.name.rpartition(".")[2] != function_type:
            return None
        return self.part(referent, type_.arguments[-1]) if type_.arguments else None

    def _called_literal(self, referent: Referent) -> Referent | None:
        """The result of calling `Object.assign(f, …)`: that of its first argument."""
        view = self.views[referent.where]
        around = view.facts.scopes[referent.symbol].parent
        for row in [*view.rows_of(referent.symbol, "...")][-1:]:
            if row.value is not None and self.memo.enter():
                found = self.expression(referent.where, around, row.value, row.line)
                result = self.called(found) if found is not None else None
                self.memo.leave()
                return result
        return None

    def _result_of(
        self, referent: Referent, owner: Referent | None, given: tuple[Referent | None, ...]
    ) -> Referent | None:
        """The result of a function: by its annotation, else by its return statements."""
        shape = self.views[referent.where].facts.shapes[referent.symbol]
        if shape.returns in _SELF:
            if owner is None or owner.symbol < 0:
                return None
            return as_kind(owner, ReferentKind.INSTANCE) if owner.kind == ReferentKind.SYMBOL else owner
        scope = shape.inner if shape.inner >= 0 else shape.scope
        is_async = bool(shape.traits & Trait.ASYNC)
        if shape.returns is not None:
            env = referent.env + self.bound(referent.where, scope, given)
            found = self.type(referent.where, scope, shape.returns, env) or self._own_kind(referent, owner)
            around = self.views[referent.where].semantics.async_annotation_wraps_in if is_async else ""
            return self.wrapped(found, around) if around else found
        if shape.type is not None:
            held = self.type(referent.where, shape.scope, shape.type, referent.env)
            return self.called(held) if held is not None and held.kind != ReferentKind.SYMBOL else None
        found = self.returned(referent)
        return self.wrapped(found, "Promise") if is_async and not shape.traits & Trait.GENERATOR else found

    def _own_kind(self, referent: Referent, owner: Referent | None) -> Referent | None:
        """The result of a method annotated with the type variable of its own first parameter: the type of its owner."""
        view = self.views[referent.where]
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
        return self.given_by(referent.where, self.views[referent.where].facts.shapes[referent.symbol].inner)

    def given_by(self, file: str, inner: int) -> Referent | None:
        """The result of the function with the scope `inner`, by its return statements."""
        view = self.views[file]
        may_be_unknown = view.semantics.returns_may_be_unknown
        first = None
        for row in view.returns(inner) if inner >= 0 else ():
            found = self.expression(file, row.within, row.value, row.line)
            given = self.held(found) if found is not None else None
            if may_be_unknown and (given is None or self._is_unknown(given)):
                return None
            first = first or given
            if first is not None and not may_be_unknown:
                break
        return first

    def _is_unknown(self, referent: Referent) -> bool:
        """Whether the referent is a property or variable of unknown value."""
        is_symbol = referent.kind == ReferentKind.SYMBOL
        return is_symbol and self.views[referent.where].facts.symbols[referent.symbol].kind in _HOLDERS

    def site_result(self, file: str, number: int, *, awaited: bool) -> Referent | None:
        """The result of a call site."""
        key = (file, number, "site")
        cached = self.memo.look(key)
        if cached is not None:
            found = cached.value
        else:
            self.memo.open(key)
            found = self.memo.close(self._result(file, number))
        return self.awaited(found) if awaited else found

    def _result(self, file: str, number: int) -> Referent | None:
        view = self.views[file]
        entry = view.inline.get(number)
        if entry is not None:
            return self.imported(file, entry)
        site = view.facts.sites[number]
        if type(site.callee) is Function:
            return self._invoked(file, site.callee)
        referent, owner, name = self.callee(file, number)
        if referent == BUILTIN and site.callee == "Promise.all":
            return self._all(file, site)
        if referent == BUILTIN and type(site.callee) is str and site.callee in view.semantics.builtins_of_elements:
            return self._of_elements(file, site, view.semantics.builtins_of_elements[site.callee])
        if referent == BUILTIN and owner is not None:
            held = self.held(owner)
            if held.kind != ReferentKind.OBJECT:
                return referent
            return self._mapped(file, number, name) or self.library_result(held, name)
        if referent == BUILTIN and site.kind == "new" and site.types:
            made = TypeReference(written(site.callee), site.types)
            return Referent(ReferentKind.OBJECT, file, site.scope, made)
        if site.kind == "new" and referent is not None and self._constructs(referent):
            return as_kind(referent, ReferentKind.INSTANCE)
        given = self.arguments(file, site)
        if given or referent is None or referent.kind != ReferentKind.SYMBOL:
            return self.called(referent, owner, given)
        env = self.inferred(file, number, referent)
        found = self.called(referent._replace(env=referent.env + env) if env else referent, owner)
        if env and found is not None and (found.kind, found.symbol) == (ReferentKind.INSTANCE, referent.symbol):
            return found._replace(env=found.env + env)
        return found

    def _of_elements(self, file: str, site: CallSite, gives: Gives) -> Referent | None:
        """The result of a built-in function of the elements of its first argument, such as `sorted`."""
        first = site.arguments[0] if site.arguments else None
        given = self.expression(file, site.scope, first, site.line) if first is not None else None
        if given is None or given.kind == ReferentKind.OUTSIDE or not self.memo.enter():
            return BUILTIN
        each = self.element(self.held(given), Item(Take.EACH))
        self.memo.leave()
        if each is None or gives is Gives.ELEMENT:
            return each or BUILTIN
        made = self.wrapped(each, "Array") or BUILTIN
        return made._replace(type=PAIRS) if gives is Gives.PAIRS else made

    def _all(self, file: str, site: CallSite) -> Referent | None:
        """The result of `Promise.all`: a promise of an array of what the promises in its argument give."""
        first = site.arguments[0] if site.arguments else None
        given = self.expression(file, site.scope, first, site.line) if first is not None else None
        if given is None or given.kind == ReferentKind.OUTSIDE or not self.memo.enter():
            return BUILTIN
        each = self.awaited(self.element(self.held(given), Item(Take.EACH)))
        self.memo.leave()
        return self.wrapped(self.wrapped(each, "Array"), "Promise") or BUILTIN

    def _invoked(self, file: str, function: Function) -> Referent | None:
        """The result of a function that is called where it is written."""
        if function.returns is not None:
            return self.type(file, function.scope, function.returns)
        return self.given_by(file, function.scope)

    def _mapped(self, file: str, number: int, name: str) -> Referent | None:
        """The result of `map` and `then`, by the result of the function that they take."""
        given = self.views[file].facts.sites[number].arguments
        if name not in _MAPPING or not given or type(given[0]) is not Function:
            return None
        found = self.given_by(file, given[0].scope)
        if given[0].is_async:
            found = self.wrapped(found, "Promise")
        if name == "then":
            return self.wrapped(self.awaited(found), "Promise")
        type_ = found.type if found is not None and found.kind == ReferentKind.OBJECT else None
        is_flat = name == "flatMap" and isinstance(type_, ArrayType)
        return found if is_flat else self.wrapped(found, "Array")

    def _constructs(self, referent: Referent) -> bool:
        """Whether the referent is a constructor function."""
        is_symbol = referent.kind == ReferentKind.SYMBOL
        return is_symbol and bool(self.views[referent.where].facts.shapes[referent.symbol].traits & Trait.CONSTRUCTS)

    def arguments(self, file: str, site: CallSite) -> tuple[Referent | None, ...]:
        """The type arguments of a call."""
        return self._given(file, site.scope, site.types, ()) if site.types else ()

    def callee(self, file: str, number: int) -> tuple[Referent | None, Referent | None, str]:
        """The referent of a call site's callee, the object of which it is a member, and its name there."""
        site = self.views[file].facts.sites[number]
        of, name = receiver(site.callee), last_name(site.callee)
        if of is None or not name:
            return self.expression(file, site.scope, site.callee, site.line), None, ""
        if of == "super":
            return self.above(file, site.scope, name), self.expression(file, site.scope, "this", site.line), name
        owner = self.expression(file, site.scope, of, site.line)
        return self.member(owner, name) if owner is not None else None, owner, name
