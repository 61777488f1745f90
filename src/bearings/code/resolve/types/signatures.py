"""Parameters of callables, and the contextual types of callbacks' parameters.

function on(name: string, callback: (item: Item) => void)
on("change", (item) => item.total)           `item` is an Item, as the type of the parameter `callback` says
ids.forEach((id) => …)                       `id` is an element of `ids`
build({ run: (task) => … })                  `task` has the type of the parameter of `run` in build's parameter
"""

from collections.abc import Iterable
from typing import Final

from bearings.code.expressions import Item, Parameter, Result, Step, Take, is_result
from bearings.code.file_facts import BindingKind, CallSite, Trait
from bearings.code.models import SymbolKind
from bearings.code.resolve.context import Context
from bearings.code.resolve.parts import Signature, SignaturesPart
from bearings.code.resolve.referent import INSTANCE, OBJECT, OUTSIDE, SYMBOL, Env, Referent
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
    possible_objects,
    unless_too_deep,
)
from bearings.code.resolve.types.inference import Inference, given_to
from bearings.code.type_expressions import (
    FunctionType,
    IntersectionType,
    ReturnedType,
    TupleType,
    TypedParameter,
    TypeExpression,
    TypePredicate,
    TypeReference,
    UnionType,
    type_words,
)


class Signatures(SignaturesPart):
    """Parameters of callables."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._inference: Final = Inference(context)
        self._inner = (self._inference,)

    def signatures(self, referent: Referent, *, new: bool = False) -> list[Signature]:
        """See SignaturesPart."""
        if referent.kind == SYMBOL:
            return self._of_symbol(referent, new=new)
        if referent.kind == OBJECT:
            type_ = referent.type
            if isinstance(type_, TypeReference):
                type_ = _callable(type_, self._views[referent.file].semantics.function_type)
            if isinstance(type_, FunctionType):
                return [Signature(referent.file, referent.scope, type_, referent.env)]
            if not isinstance(type_, (UnionType, IntersectionType)) or not self._answers.enter():
                return []
            parts = (self._types.resolve_part(referent, part) for part in type_.parts)
            of_parts = [signature for part in parts if part is not None for signature in self.signatures(part, new=new)]
            self._answers.leave()
            return of_parts
        if referent.kind != INSTANCE:
            return []
        signatures = []
        for owner in self._members.lineage(referent):
            if has_symbol(owner):  # `interface Loader { (id: string): Cart; new (id: string): Cart }`
                view = self._views[owner.file]
                inner = view.facts.shapes[owner.symbol].inner
                rows = view.rows_of(inner, "new()" if new else "()")
                signatures += self._functions(owner, [(inner, row.type) for row in rows])
        return signatures

    def _functions(self, owner: Referent, types: Iterable[tuple[int, TypeExpression | None]]) -> list[Signature]:
        """The signatures of the function types among `types`, which are pairs of a scope and a type."""
        return [
            Signature(owner.file, scope, type_, owner.env) for scope, type_ in types if isinstance(type_, FunctionType)
        ]

    def _of_symbol(self, referent: Referent, *, new: bool) -> list[Signature]:
        """The signatures of a class's constructor, of a function, or of a variable's value."""
        view = self._views[referent.file]
        symbol, shape = view.facts.symbols[referent.symbol], view.facts.shapes[referent.symbol]
        if symbol.kind in CLASSES:
            constructor = self._members.member(as_kind(referent, INSTANCE), "constructor")
            return self.signatures(constructor) if is_symbol(constructor) else []
        is_getter = bool(shape.traits & Trait.ACCESSOR)  # `emitter.event(listener)` calls what it gives
        is_function = symbol.kind in CALLABLE and not is_getter and not is_mapped(referent)
        if is_function or symbol.kind is SymbolKind.CONSTRUCTOR:
            # `const load: Loader = (id) => …`, `const useCart: Store = create(…)`
            if shape.type is not None and (shape.inner >= 0 or is_result(shape.value)):
                function = self._types.resolve_type(referent.file, shape.scope, shape.type, referent.env)
                return self.signatures(function, new=new) if function is not None and function.kind != SYMBOL else []
            if overloads := view.overloads(referent.symbol):
                return self._functions(referent, [(row.scope, row.type) for row in overloads])
            return self._functions(referent, [(shape.inner if shape.inner >= 0 else shape.scope, shape.head)])
        if not self._answers.enter():
            return []
        value = self._values.value(referent)
        signatures = self.signatures(value, new=new) if value is not None and value != referent else []
        self._answers.leave()
        return signatures

    def parameter(self, signature: Signature, position: int) -> Referent | None:
        """An object of the type of a parameter; of an element of a rest parameter, `...ids: string[]`."""
        parameters = signature.function.parameters
        if position < len(parameters) and not parameters[position].rest:
            return self._types.resolve_type(signature.file, signature.scope, parameters[position].type, signature.env)
        if not parameters or not parameters[-1].rest:
            return None
        rest = self._types.resolve_type(signature.file, signature.scope, parameters[-1].type, signature.env)
        step = Item(Take.ELEMENT, position - len(parameters) + 1)
        return self._elements.element(rest, step) if rest is not None else None

    def _expected(self, signature: Signature, site: CallSite, argument: int) -> Referent | None:
        """An object of the type of the parameter that an argument is given to."""
        if not site.keywords:
            return self.parameter(signature, argument)
        types = (type_ for type_, index in given_to(signature.function.parameters, site) if index == argument)
        return self._types.resolve_type(signature.file, signature.scope, next(types, None), signature.env)

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
                if len(names) <= argument:  # the head of a function that is an argument may list fewer than its scope
                    rows = self._views[signature.file].rows_of_scope(signature.scope)
                    names = [row.name for row in rows if row.kind is BindingKind.PARAMETER]
                if (names[argument] if argument < len(names) else "") == result.parameter:
                    return self._types.resolve_type(signature.file, signature.scope, result.type, signature.env)
            elif (result is None or isinstance(result, ReturnedType)) and (of_other := self._passed_on(signature)):
                return of_other if argument == 0 else None
        return None

    def _passed_on(self, signature: Signature) -> Referent | None:
        """The type for which a function tests its first parameter by another predicate: `(cart) => isOpen(cart)`."""
        view = self._views[signature.file]
        returned = view.returns(signature.scope)
        value = returned[0].value if len(returned) == 1 else None
        if not isinstance(value, Result) or value.awaited or not self._answers.enter():
            return None
        row = next((row for row in view.rows_of_scope(signature.scope) if row.kind is BindingKind.PARAMETER), None)
        is_passed = row is not None and view.facts.sites[value.site].arguments[:1] == (row.name,)
        other = self._calls.callee(signature.file, value.site)[0] if is_passed else None
        tested = self.predicate_type(other, 0) if other is not None else None
        self._answers.leave()
        return tested

    def contextual_type(self, file: str, parameter: Parameter) -> Referent | None:
        """See SignaturesPart."""
        cached = self._answers.ask((file, parameter, "context"))
        return cached.value if cached is not None else self._answers.close(self._context(file, parameter))

    def _context(self, file: str, parameter: Parameter) -> Referent | None:
        """`contextual_type` without the cache."""
        callee, owner, name = self._calls.callee(file, parameter.site)
        if callee is None:
            return None
        if callee.kind == OUTSIDE:
            given = self._library.context(file, parameter, owner, name) if not parameter.path else None
            if given is not None or callee != BUILTIN or owner is None or parameter.path:
                return given
            container = self._values.value_or_self(owner)
            if not is_object(container):
                return None
            called = self._elements.callback_parameter(container, name, parameter.position)
            if called is not None:
                return called
            expected = self._elements.expected_argument(container, name, parameter.argument)
            if expected is None or parameter.position < 0:  # `carts.push({ … })`
                return expected
            return self.parameter_type(expected, parameter.position)  # `visits.push((cart) => …)`
        site = self._views[file].facts.sites[parameter.site]
        type_arguments = self._calls.type_arguments(file, site)
        is_super = site.callee == "super"
        callee = as_kind(callee, SYMBOL) if is_super and has_symbol(callee) else callee
        if type_arguments and site.kind == "new" and is_symbol(callee):  # `new Box<Cart>((cart) => …)`
            inner = self._views[callee.file].facts.shapes[callee.symbol].inner
            callee = callee._replace(env=self._types.environment(callee.file, inner, type_arguments))
        for signature in self.signatures(callee, new=is_super or site.kind == "new"):
            if type_arguments:  # `load<Cart>((cart) => …)`
                env = self._types.environment(signature.file, signature.scope, type_arguments)
                pairs = zip(signature.function.generics, type_arguments, strict=False)
                if not env or self._inference.declared(signature)[0] == INLINE:
                    env = tuple((INLINE, generic, argument) for generic, argument in pairs)
                signature = signature._replace(env=signature.env + env)
            elif is_symbol(callee) or signature.function.limits:
                env = self._inference.for_callback(file, site, callee, signature, parameter.argument, owner)
                signature = signature._replace(env=signature.env + env)
                env = self._inference.by_variable(file, parameter.site, callee, signature)
                signature = signature._replace(env=signature.env + env)
            if signature.function.limits and self._inference.declared(signature)[0] == INLINE:
                signature = signature._replace(env=signature.env + self._limits(signature, site, parameter.argument))
            expected = self._expected(signature, site, parameter.argument)
            for depth, step in enumerate(parameter.path, 1):  # `build({ run: (task) => … })`: the property `run`
                inside = self._follow_step(expected, step) if expected is not None else None
                is_last = depth == len(parameter.path)
                expected = inside if inside is None or is_last else self._values.value_or_self(inside)
            if expected is not None and parameter.position >= 0:
                expected = self.parameter_type(expected, parameter.position)
            if expected is not None:
                return expected
        # `const test = base.extend<Fixtures>({ … })`: a library calls back with an object of the type it was given
        value = self._values.value(callee) if is_symbol(callee) and parameter.position == 0 else None
        held = possible_objects(value) if value is not None and value.kind == OUTSIDE else []
        return held[0] if len(held) == 1 and not parameter.path else None

    def _limits(self, signature: Signature, site: CallSite, argument: int) -> Env:
        """The objects of the defaults and constraints of type parameters that no other argument than one tells."""
        function = signature.function
        places = enumerate(function.parameters)  # of a site without words, which stores no arguments
        given = given_to(function.parameters, site) if site.words else ((one.type, place) for place, one in places)
        inferable = {word for type_, index in given if index != argument for word in type_words(type_)}
        pairs = [pair for pair in zip(function.generics, function.limits, strict=False) if pair[0] not in inferable]
        rows = ((name, self._types.resolve_type(*signature[:2], limit, signature.env)) for name, limit in pairs)
        return tuple((INLINE, name, unless_too_deep(value)) for name, value in rows if value is not None)

    def _follow_step(self, referent: Referent, step: Step) -> Referent | None:
        """A property, an element or the result of the object that a parameter expects."""
        if isinstance(step, str):
            return self._members.member(referent, step)
        return self._calls.call_result(referent) if step.take is Take.RESULT else self._elements.element(referent, step)


def _callable(type_: TypeReference, name: str) -> TypeExpression:
    """The function of `Callable[[Cart], None]`; the type itself if it is none, or has no parameters."""
    if not name or type_.name.rpartition(".")[2] != name or len(type_.arguments) < 2:
        return type_
    parameters = type_.arguments[0]
    if not isinstance(parameters, TupleType):
        return type_
    return FunctionType(tuple(TypedParameter("", part) for part in parameters.parts), type_.arguments[1])
