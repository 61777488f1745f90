"""Parameters of callables, and the arguments that a function passes to its callback."""

from bearings.code.expressions import Item, Parameter, Step, Take
from bearings.code.file_facts import BindingKind
from bearings.code.models import SymbolKind
from bearings.code.resolve.parts import Signature, SignaturesPart
from bearings.code.resolve.referents import (
    BUILTIN,
    CALLABLE,
    CLASSES,
    INLINE,
    OWN,
    Env,
    Referent,
    ReferentKind,
    as_kind,
    is_mapped,
)
from bearings.code.type_expressions import FunctionType, IntersectionType, TypePredicate, UnionType


class Signatures(SignaturesPart):
    """Parameters of callables."""

    def signatures(self, referent: Referent, *, new: bool = False) -> list[Signature]:
        """The ways to call (or construct) a referent, in the order of the source."""
        if referent.kind == ReferentKind.OBJECT:
            return self._signatures_of_type(referent, new=new)
        if referent.kind == ReferentKind.INSTANCE:
            return self._call_signatures(referent, "new()" if new else "()")
        return self._signatures_of_symbol(referent, new=new) if referent.kind == ReferentKind.SYMBOL else []

    def _signatures_of_type(self, referent: Referent, *, new: bool) -> list[Signature]:
        type_ = referent.type
        if isinstance(type_, FunctionType):
            return [Signature(referent.where, referent.symbol, type_, referent.env)]
        if not isinstance(type_, (UnionType, IntersectionType)) or not self._memo.enter():
            return []
        parts = (self._types.part(referent, part) for part in type_.parts)
        found = [signature for part in parts if part is not None for signature in self.signatures(part, new=new)]
        self._memo.leave()
        return found

    def _call_signatures(self, referent: Referent, name: str) -> list[Signature]:
        found = []
        for owner in self._members.lineage(referent):
            if owner.kind in OWN:
                view = self._views[owner.where]
                inner = view.facts.shapes[owner.symbol].inner
                types = [row.type for row in view.rows_of(inner, name)]
                found += [
                    Signature(owner.where, inner, one, owner.env) for one in types if isinstance(one, FunctionType)
                ]
        return found

    def _signatures_of_symbol(self, referent: Referent, *, new: bool) -> list[Signature]:
        view = self._views[referent.where]
        symbol, shape = view.facts.symbols[referent.symbol], view.facts.shapes[referent.symbol]
        if symbol.kind in CLASSES:
            made = self._members.member(referent._replace(kind=ReferentKind.INSTANCE), "constructor")
            return self.signatures(made) if made is not None and made.kind == ReferentKind.SYMBOL else []
        is_function = symbol.kind in CALLABLE and not (referent.env and is_mapped(referent))
        if is_function or symbol.kind is SymbolKind.CONSTRUCTOR:
            if shape.type is not None and shape.inner >= 0:
                held = self._types.type(referent.where, shape.scope, shape.type, referent.env)
                return self.signatures(held, new=new) if held is not None and held.kind != ReferentKind.SYMBOL else []
            if overloads := view.overloads(referent.symbol):
                types = [(row.scope, row.type) for row in overloads]
                return [
                    Signature(referent.where, at, one, referent.env)
                    for at, one in types
                    if isinstance(one, FunctionType)
                ]
            scope = shape.inner if shape.inner >= 0 else shape.scope
            return [Signature(referent.where, scope, shape.head, referent.env)] if shape.head is not None else []
        if not self._memo.enter():
            return []
        held = self._values.value(referent)
        found = self.signatures(held, new=new) if held is not None and held != referent else []
        self._memo.leave()
        return found

    def parameter(self, signature: Signature, position: int) -> Referent | None:
        """The type of a signature's parameter."""
        listed = signature.function.parameters
        if position < len(listed) and not listed[position].rest:
            return self._types.type(signature.where, signature.scope, listed[position].type, signature.env)
        if not listed or not listed[-1].rest:
            return None
        rest = self._types.type(signature.where, signature.scope, listed[-1].type, signature.env)
        return (
            self._elements.element(rest, Item(Take.ELEMENT, position - len(listed) + 1)) if rest is not None else None
        )

    def parameter_of(self, referent: Referent, position: int) -> Referent | None:
        """The type of a callable's parameter, by the first signature that has it."""
        for signature in self.signatures(referent):
            found = self.parameter(signature, position)
            if found is not None:
                return found
        return None

    def predicated(self, referent: Referent, argument: int) -> Referent | None:
        """The type of an argument for which a callable is true, by its result `argument is Type`."""
        for signature in self.signatures(referent):
            result = signature.function.result
            if isinstance(result, TypePredicate) and self._name(signature, argument) == result.parameter:
                return self._types.type(signature.where, signature.scope, result.type, signature.env)
        return None

    def _name(self, signature: Signature, position: int) -> str:
        """The name of a signature's parameter; of a function that is an argument by the bindings of its scope."""
        listed = [parameter.name for parameter in signature.function.parameters]
        if not listed:
            rows = self._views[signature.where].rows_of_scope(signature.scope)
            listed = [row.name for row in rows if row.kind is BindingKind.PARAMETER]
        return listed[position] if position < len(listed) else ""

    def context(self, file: str, parameter: Parameter) -> Referent | None:
        """The referent of a parameter of a function that is passed to a call, by what the callee expects."""
        key = (file, parameter, "context")
        cached = self._memo.look(key)
        if cached is not None:
            return cached.value
        self._memo.open(key)
        return self._memo.close(self._context(file, parameter))

    def _context(self, file: str, parameter: Parameter) -> Referent | None:
        keys, position = parameter.path, parameter.position
        referent, owner, name = self._calls.callee(file, parameter.site)
        if referent is None:
            return None
        if referent.kind == ReferentKind.OUTSIDE:
            return self._library_context(referent, owner, name, parameter)
        site = self._views[file].facts.sites[parameter.site]
        given = self._calls.arguments(file, site)
        is_super = site.callee == "super"
        referent = as_kind(referent, ReferentKind.SYMBOL) if is_super and referent.kind in OWN else referent
        for signature in self.signatures(referent, new=is_super or site.kind == "new"):
            if given:
                env = self._types.bound(signature.where, signature.scope, given)
                signature = signature._replace(env=signature.env + (env or self._inline(signature, given)))
            taken = self.parameter(signature, parameter.argument)
            for depth, step in enumerate(keys, 1):
                found = self._inside(taken, step) if taken is not None else None
                taken = found if found is None or depth == len(keys) else self._values.held(found)
            if taken is not None and position >= 0:
                taken = self.parameter_of(taken, position)
            if taken is not None:
                return taken
        return None

    def _library_context(
        self, callee: Referent, owner: Referent | None, name: str, parameter: Parameter
    ) -> Referent | None:
        """What a method of a container expects, or passes to a function."""
        held = self._values.held(owner) if callee == BUILTIN and owner is not None and not parameter.path else None
        if held is None or held.kind != ReferentKind.OBJECT:
            return None
        if parameter.position < 0:
            return self._elements.library_argument(held, name, parameter.argument)
        return self._elements.library_parameter(held, name, parameter.position)

    def _inside(self, referent: Referent, step: Step) -> Referent | None:
        """A property, an element or the result of an argument."""
        if isinstance(step, str):
            return self._members.member(referent, step)
        return self._calls.called(referent) if step.take is Take.RESULT else self._elements.element(referent, step)

    def _inline(self, signature: Signature, given: tuple[Referent | None, ...]) -> Env:
        """The type parameters that a function's type declares itself."""
        return tuple(
            (INLINE, name, referent) for name, referent in zip(signature.function.generics, given, strict=False)
        )
