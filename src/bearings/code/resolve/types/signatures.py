"""Parameters of callables, and the arguments that a function passes to its callback.

cart.on("change", (item) => item.total)      `item` is what the parameter of `on` says of its callback's parameter
ids.forEach((id) => …)                       `id` is an element
build({ run: (task) => … })                  `task` is the parameter of the property `run` of build's parameter
"""

from collections.abc import Iterable

from bearings.code.expressions import Item, Parameter, Step, Take
from bearings.code.file_facts import BindingKind
from bearings.code.models import SymbolKind
from bearings.code.resolve.parts import Signature, SignaturesPart
from bearings.code.resolve.referent import INSTANCE, OBJECT, OUTSIDE, SYMBOL, Referent
from bearings.code.resolve.referents import (
    BUILTIN,
    CALLABLE,
    CLASSES,
    INLINE,
    as_kind,
    has_symbol,
    is_mapped,
    is_object,
    is_symbol,
)
from bearings.code.type_expressions import FunctionType, IntersectionType, TypeExpression, TypePredicate, UnionType


class Signatures(SignaturesPart):
    """Parameters of callables."""

    def signatures(self, referent: Referent, *, new: bool = False) -> list[Signature]:
        """See SignaturesPart."""
        if referent.kind == SYMBOL:
            return self._of_symbol(referent, new=new)
        if referent.kind == OBJECT:
            type_ = referent.type
            if isinstance(type_, FunctionType):
                return [Signature(referent.file, referent.scope, type_, referent.env)]
            if not isinstance(type_, (UnionType, IntersectionType)) or not self._answers.enter():
                return []
            parts = (self._types.resolve_part(referent, part) for part in type_.parts)
            inside = [one for part in parts if part is not None for one in self.signatures(part, new=new)]
            self._answers.leave()
            return inside
        signatures = []
        for owner in self._members.lineage(referent) if referent.kind == INSTANCE else ():
            if has_symbol(owner):  # `interface Loader { (id: string): Cart; new (id: string): Cart }`
                view = self._views[owner.file]
                inner = view.facts.shapes[owner.symbol].inner
                rows = view.rows_of(inner, "new()" if new else "()")
                signatures += self._functions(owner, [(inner, row.type) for row in rows])
        return signatures

    def _functions(self, owner: Referent, types: Iterable[tuple[int, TypeExpression | None]]) -> list[Signature]:
        """The signatures of the function types among some `types`, each with the scope of its names."""
        return [
            Signature(owner.file, scope, type_, owner.env) for scope, type_ in types if isinstance(type_, FunctionType)
        ]

    def _of_symbol(self, referent: Referent, *, new: bool) -> list[Signature]:
        view = self._views[referent.file]
        symbol, shape = view.facts.symbols[referent.symbol], view.facts.shapes[referent.symbol]
        if symbol.kind in CLASSES:
            constructor = self._members.member(as_kind(referent, INSTANCE), "constructor")
            return self.signatures(constructor) if is_symbol(constructor) else []
        is_function = symbol.kind in CALLABLE and not is_mapped(referent)
        if is_function or symbol.kind is SymbolKind.CONSTRUCTOR:
            if shape.type is not None and shape.inner >= 0:  # `const load: Loader = (id) => …`
                held = self._types.resolve_type(referent.file, shape.scope, shape.type, referent.env)
                return self.signatures(held, new=new) if held is not None and held.kind != SYMBOL else []
            if overloads := view.overloads(referent.symbol):
                return self._functions(referent, [(row.scope, row.type) for row in overloads])
            return self._functions(referent, [(shape.inner if shape.inner >= 0 else shape.scope, shape.head)])
        if not self._answers.enter():
            return []
        held = self._values.value(referent)
        signatures = self.signatures(held, new=new) if held is not None and held != referent else []
        self._answers.leave()
        return signatures

    def parameter(self, signature: Signature, position: int) -> Referent | None:
        """The type of a signature's parameter; of a rest parameter, `...ids: string[]`, that of an element."""
        parameters = signature.function.parameters
        if position < len(parameters) and not parameters[position].rest:
            return self._types.resolve_type(signature.file, signature.scope, parameters[position].type, signature.env)
        if not parameters or not parameters[-1].rest:
            return None
        rest = self._types.resolve_type(signature.file, signature.scope, parameters[-1].type, signature.env)
        step = Item(Take.ELEMENT, position - len(parameters) + 1)
        return self._elements.element(rest, step) if rest is not None else None

    def parameter_type(self, referent: Referent, position: int) -> Referent | None:
        """See SignaturesPart."""
        parameters = (self.parameter(signature, position) for signature in self.signatures(referent))
        return next((parameter for parameter in parameters if parameter is not None), None)

    def predicate_type(self, referent: Referent, argument: int) -> Referent | None:
        """See SignaturesPart."""
        for signature in self.signatures(referent):
            result = signature.function.result
            if isinstance(result, TypePredicate):
                names = [parameter.name for parameter in signature.function.parameters]
                if not names:  # of a function that is an argument, by the bindings of its scope
                    rows = self._views[signature.file].rows_of_scope(signature.scope)
                    names = [row.name for row in rows if row.kind is BindingKind.PARAMETER]
                if (names[argument] if argument < len(names) else "") == result.parameter:
                    return self._types.resolve_type(signature.file, signature.scope, result.type, signature.env)
        return None

    def contextual_type(self, file: str, parameter: Parameter) -> Referent | None:
        """See SignaturesPart."""
        cached = self._answers.ask((file, parameter, "context"))
        return cached.value if cached is not None else self._answers.close(self._context(file, parameter))

    def _context(self, file: str, parameter: Parameter) -> Referent | None:
        callee, owner, name = self._calls.callee(file, parameter.site)
        if callee is None:
            return None
        if callee.kind == OUTSIDE:  # a method of a container, which expects an element, or passes one on
            held = (
                self._values.value_or_self(owner)
                if callee == BUILTIN and owner is not None and not parameter.path
                else None
            )
            if not is_object(held):
                return None
            if parameter.position < 0:
                return self._elements.expected_argument(held, name, parameter.argument)
            return self._elements.callback_parameter(held, name, parameter.position)
        site = self._views[file].facts.sites[parameter.site]
        given = self._calls.type_arguments(file, site)
        is_super = site.callee == "super"
        callee = as_kind(callee, SYMBOL) if is_super and has_symbol(callee) else callee
        for signature in self.signatures(callee, new=is_super or site.kind == "new"):
            if given:  # `load<Cart>((cart) => …)`
                env = self._types.environment(signature.file, signature.scope, given)
                env = env or tuple(
                    (INLINE, generic, one) for generic, one in zip(signature.function.generics, given, strict=False)
                )
                signature = signature._replace(env=signature.env + env)
            wanted = self.parameter(signature, parameter.argument)
            for depth, step in enumerate(parameter.path, 1):
                inside = self._inside(wanted, step) if wanted is not None else None
                wanted = (
                    inside if inside is None or depth == len(parameter.path) else self._values.value_or_self(inside)
                )
            if wanted is not None and parameter.position >= 0:
                wanted = self.parameter_type(wanted, parameter.position)
            if wanted is not None:
                return wanted
        return None

    def _inside(self, referent: Referent, step: Step) -> Referent | None:
        """A property, an element or the result of an argument."""
        if isinstance(step, str):
            return self._members.member(referent, step)
        return self._calls.call_result(referent) if step.take is Take.RESULT else self._elements.element(referent, step)
