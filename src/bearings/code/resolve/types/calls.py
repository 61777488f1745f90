"""The results of calls: by annotations, by return statements, and by rules for functions that every program uses.

make(): Cart            a Cart; with `def make(): return Cart()` as well
new Box<Cart>()         a Box with the type argument Cart
sorted(carts)[0]        a Cart: `sorted` gives the elements of its argument
ids.map((id) => load(id))     an array of what the function returns
Promise.all([load(1)])  a promise of an array
"""

from typing import Final

from bearings.code.expressions import Function, Item, Take, last_name, receiver, split, written
from bearings.code.file_facts import BindingKind, CallSite, Trait
from bearings.code.models import SymbolKind
from bearings.code.resolve.context import Context
from bearings.code.resolve.parts import CallsPart, Parts, Signature
from bearings.code.resolve.referent import INSTANCE, LITERAL, MODULE, OBJECT, PACKAGE, SYMBOL, Referent
from bearings.code.resolve.referents import (
    BUILTIN,
    CALLABLE,
    CLASSES,
    as_kind,
    has_symbol,
    instance_of,
    is_inside,
    is_instance,
    is_mapped,
    is_object,
    is_outside,
    is_symbol,
    object_of,
    taken_from_library,
)
from bearings.code.resolve.rules.semantics import Gives
from bearings.code.resolve.types.builtin_types import PAIRS
from bearings.code.resolve.types.inference import Inference
from bearings.code.type_expressions import ABSENT, ArrayType, TypeExpression, TypeReference, UnionType

_HOLDERS = frozenset({SymbolKind.PROPERTY, SymbolKind.VARIABLE, SymbolKind.CONSTANT})
_SELF = frozenset({"this", "Self", "t.Self", "typing.Self", "te.Self", "typing_extensions.Self"})
_SIFTING = frozenset({"filter", "find", "findLast"})
"""Methods that give elements for which the function that they take is true."""
_MAPPING = frozenset({"map", "flatMap", "then"})
"""Methods whose result is made of the results of the function that they take."""
_RECEIVERS = ("self", "cls", "klass", "this", "mcs")
"""Names of a method's first parameter."""


class Calls(CallsPart):
    """Callees and results of calls."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._inference: Final = Inference(context)

    def join(self, parts: Parts) -> None:
        """See Part."""
        super().join(parts)
        self._inference.join(parts)

    def call_result(
        self, referent: Referent | None, owner: Referent | None = None, given: tuple[Referent | None, ...] = ()
    ) -> Referent | None:
        """See CallsPart."""
        if not is_inside(referent):
            return referent
        if referent.kind == MODULE or referent.kind == PACKAGE:
            return None
        view = self._views[referent.file]
        if referent.kind == OBJECT or referent.kind == INSTANCE:
            if view.semantics.has_special_methods:
                return self._called_object(referent)
            for signature in self._signatures.signatures(referent):
                return self._types.resolve_type(
                    signature.file, signature.scope, signature.function.result, signature.env
                )
            return None
        if referent.kind == LITERAL:  # `Object.assign(build, { … })`: what its first argument gives
            around = view.facts.scopes[referent.scope].parent
            for row in [*view.rows_of(referent.scope, "...")][-1:]:
                if row.value is not None and self._answers.enter():
                    result = self.call_result(self._flow.expression(referent.file, around, row.value, row.line))
                    self._answers.leave()
                    return result
            return None
        symbol, shape = view.facts.symbols[referent.symbol], view.facts.shapes[referent.symbol]
        if symbol.kind is SymbolKind.CLASS and not given:  # arguments may tell its type parameters, not their defaults
            return instance_of(referent.file, referent.symbol)
        if symbol.kind in CLASSES:
            return self._types.instance(referent, given)
        if symbol.kind in CALLABLE and not is_mapped(referent) and not shape.traits & Trait.ACCESSOR:
            return self._result_of(referent, owner, given)
        if not self._answers.enter():
            return None
        held = self._values.value(referent)
        result = self.call_result(held) if held != referent else None
        if result is None and held is not None and held.kind == LITERAL:
            result = self.return_value(referent)  # of the function in `Object.assign(() => …, {…})`
        self._answers.leave()
        return result

    def _called_object(self, referent: Referent) -> Referent | None:
        """The result of calling an object in Python: by its `__call__`, or by its type."""
        if referent.kind == INSTANCE:
            method = self._members.member(referent, "__call__")
            return self.call_result(method, referent) if is_symbol(method) else None
        type_ = referent.type
        if isinstance(type_, UnionType) and self._answers.enter():
            parts = [
                part for part in (self._types.resolve_part(referent, each) for each in type_.parts) if part is not None
            ]
            parts.sort(key=lambda part: part.kind != OBJECT)  # `Callable[…, T] | Handler`: the type says more
            result = next((given for given in map(self.call_result, parts) if given is not None), None)
            self._answers.leave()
            return result
        function_type = self._views[referent.file].semantics.function_type
        if not isinstance(type_, TypeReference) or type_.name.rpartition(".")[2] != function_type:
            return None
        return self._types.resolve_part(referent, type_.arguments[-1]) if type_.arguments else None

    def _result_of(
        self, referent: Referent, owner: Referent | None, given: tuple[Referent | None, ...]
    ) -> Referent | None:
        """The result of a function: by its annotation, else by its return statements."""
        view = self._views[referent.file]
        shape = view.facts.shapes[referent.symbol]
        if shape.returns in _SELF:
            if owner is None or owner.symbol < 0:
                return None
            return as_kind(owner, INSTANCE) if owner.kind == SYMBOL else owner
        is_async = bool(shape.traits & Trait.ASYNC)
        if shape.returns is not None:
            inner = view.head_scope(referent.symbol)
            scope = inner if inner >= 0 else shape.scope
            env = referent.env + self._types.environment(referent.file, scope, given)
            result = self._types.resolve_type(referent.file, scope, shape.returns, env) or self._own_kind(
                referent, owner
            )
            around = view.semantics.async_annotation_wraps_in if is_async else ""
            return self._values.wrapped(referent.file, result, around) if around else result
        if shape.type is not None:  # `const load: Loader = async () => …`
            held = self._types.resolve_type(referent.file, shape.scope, shape.type, referent.env)
            return self.call_result(held) if held is not None and held.kind != SYMBOL else None
        result = self.return_value(referent)
        is_promise = is_async and not shape.traits & Trait.GENERATOR
        return self._values.wrapped(referent.file, result, "Promise") if is_promise else result

    def _own_kind(self, referent: Referent, owner: Referent | None) -> Referent | None:
        """The result of `def copy(self: T) -> T`, the type variable of the method's first parameter: its object's type.

        `def make(cls: type[T]) -> T` gives an object of the class.
        """
        view = self._views[referent.file]
        shape = view.facts.shapes[referent.symbol]
        if owner is None or not has_symbol(owner) or shape.inner < 0:
            return None
        own = next((row.type for name in _RECEIVERS for row in view.rows_of(shape.inner, name)), None)
        if isinstance(own, TypeReference) and own.name.rpartition(".")[2] in ("type", "Type") and own.arguments:
            own = own.arguments[0]
        return as_kind(owner, INSTANCE) if own is not None and own == shape.returns else None

    def return_value(self, referent: Referent) -> Referent | None:
        """See CallsPart."""
        return self.return_value_of_scope(referent.file, self._views[referent.file].facts.shapes[referent.symbol].inner)

    def return_value_of_scope(self, file: str, inner: int) -> Referent | None:
        """See CallsPart. In a language without types, one unknown return statement makes the result unknown."""
        view = self._views[file]
        may_be_unknown = view.semantics.returns_may_be_unknown
        first = None
        for row in view.returns(inner) if inner >= 0 else ():
            value = self._flow.expression(file, row.within, row.value, row.line)
            given = self._values.value_or_self(value) if value is not None else None
            if may_be_unknown:
                # A property or variable that is its own value has an unknown one.
                kind = self._views[given.file].facts.symbols[given.symbol].kind if is_symbol(given) else None
                if given is None or kind in _HOLDERS:
                    return None
            first = first or given
            if first is not None and not may_be_unknown:
                break
        return first

    def site_result(self, file: str, number: int, *, awaited: bool) -> Referent | None:
        """See CallsPart."""
        cached = self._answers.ask((file, number, "site"))
        result = cached.value if cached is not None else self._answers.close(self._result(file, number))
        return self._values.awaited(result) if awaited else result

    def _result(self, file: str, number: int) -> Referent | None:
        view = self._views[file]
        entry = view.inline.get(number)
        if entry is not None:  # `require("./cart")`
            return self._exports.resolve_import(file, entry)
        site = view.facts.sites[number]
        function = site.callee
        if type(function) is Function:  # `(() => new Cart())()`
            if function.returns is not None:
                return self._types.resolve_type(file, function.scope, function.returns)
            return self.return_value_of_scope(file, function.scope)
        referent, owner, name = self.callee(file, number)
        if referent == BUILTIN:
            result = self._of_builtin(file, site, owner, name)
            if result is not None or owner is not None:
                return result
            if site.kind == "new" and site.types:  # `new Map<string, Cart>()`
                return object_of(file, site.scope, TypeReference(written(site.callee), site.types))
        if site.kind == "new" and referent is not None and self.is_constructor_function(referent):
            return as_kind(referent, INSTANCE)
        if (
            is_outside(referent) and site.types and not referent.env
        ):  # `new LRUCache<string, Session>()`, `load<Cart>()`
            name = last_name(site.callee) or written(site.callee)
            held = self._types.library_object(referent, name, file, site.scope, site.types)
            return held if site.kind == "new" else taken_from_library(held)
        given = self.type_arguments(file, site)
        if not given and referent is not None and (referent.kind == OBJECT or referent.kind == INSTANCE):
            env = self._inference.inferred_by_signature(file, number, referent)
            return self.call_result(referent._replace(env=referent.env + env) if env else referent, owner)
        if given or not is_symbol(referent):
            return self.call_result(referent, owner, given)
        env = self._inference.inferred_by_declaration(file, number, referent)
        result = self.call_result(referent._replace(env=referent.env + env) if env else referent, owner)
        if env and result is not None and (result.kind, result.symbol) == (INSTANCE, referent.symbol):
            return result._replace(env=env + result.env)
        return result

    def _of_builtin(self, file: str, site: CallSite, owner: Referent | None, name: str) -> Referent | None:
        """The result of a function of the language, or of a method `name` of a container; None if no rule says it."""
        semantics, callee = self._views[file].semantics, site.callee
        if callee == "Promise.all":
            each = self._each(file, site, awaited=True)
            return self._values.wrapped(file, self._values.wrapped(file, each, "Array"), "Promise") or BUILTIN
        if type(callee) is str and callee in semantics.builtins_of_elements:
            gives, each = semantics.builtins_of_elements[callee], self._each(file, site)
            if each is None or gives is Gives.ELEMENT:
                return each or BUILTIN
            made = self._values.wrapped(file, each, "Array") or BUILTIN
            return made._replace(type=PAIRS) if gives is Gives.PAIRS else made
        if site.arguments and self._gives_same(file, site):
            first = self._flow.expression(file, site.scope, site.arguments[0], site.line)
            return self._values.value_or_self(first) if first is not None else BUILTIN
        held = self._values.value_or_self(owner) if owner is not None else None
        if held is None or held.kind != OBJECT:
            return BUILTIN if held is not None else None
        return (
            self._mapped(file, site, name) or self._sifted(file, site, name) or self._elements.method_result(held, name)
        )

    def _each(self, file: str, site: CallSite, *, awaited: bool = False) -> Referent | None:
        """An element of the first argument of a call, perhaps `awaited`; None if unknown."""
        first = self._flow.expression(file, site.scope, site.arguments[0] if site.arguments else None, site.line)
        if not is_inside(first) or not self._answers.enter():
            return None
        each = self._elements.element(self._values.value_or_self(first), Item(Take.EACH))
        each = self._values.awaited(each) if awaited else each
        self._answers.leave()
        return each

    def _gives_same(self, file: str, site: CallSite) -> bool:
        """Whether a callee is a function of the standard library whose result is like its first argument.

        `copy.copy(cart)`, also after `from copy import copy as duplicate`.
        """
        view = self._views[file]
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

    def _mapped(self, file: str, site: CallSite, name: str) -> Referent | None:
        """The result of `map` and `then`, by the result of the function that they take."""
        function = site.arguments[0] if name in _MAPPING and site.arguments else None
        if type(function) is not Function:
            return None
        given = self.return_value_of_scope(file, function.scope)
        if function.is_async:
            given = self._values.wrapped(file, given, "Promise")
        if name == "then":
            return self._values.wrapped(file, self._values.awaited(given), "Promise")
        is_flat = name == "flatMap" and is_object(given) and isinstance(given.type, ArrayType)
        return given if is_flat else self._values.wrapped(file, given, "Array")

    def _sifted(self, file: str, site: CallSite, name: str) -> Referent | None:
        """The result of `filter` and `find` with a type predicate: elements of the predicate's type."""
        given = site.arguments[0] if name in _SIFTING and site.arguments else None
        function = self._flow.expression(file, site.scope, given, site.line)
        chosen = self._signatures.predicate_type(function, 0) if function is not None else None
        return self._values.wrapped(file, chosen, "Array") if name == "filter" else chosen

    def descriptor_value(self, getter: Referent, descriptor: Referent, owner: Referent) -> Referent | None:
        """See CallsPart. Of overloads, the first counts that takes such an object."""
        for signature in self._signatures.signatures(getter):
            function = signature.function
            wanted = function.parameters[0].type if function.parameters else None
            if function.result is None or wanted in ABSENT or not self._takes(signature, wanted, owner):
                continue
            if function.result in _SELF:
                return descriptor
            return self._types.resolve_type(signature.file, signature.scope, function.result, signature.env)
        is_annotated = self._views[getter.file].facts.shapes[getter.symbol].returns is not None
        return self.call_result(getter, descriptor) if is_annotated else descriptor

    def _takes(self, signature: Signature, wanted: TypeExpression | None, owner: Referent) -> bool:
        """Whether an object may be of the type that a signature wants."""
        type_ = self._types.resolve_type(signature.file, signature.scope, wanted, signature.env)
        if not is_instance(type_):
            return True
        return any((one.file, one.symbol) == (type_.file, type_.symbol) for one in self._members.lineage(owner))

    def is_constructor_function(self, referent: Referent) -> bool:
        """See CallsPart."""
        is_declared = referent.kind == SYMBOL
        return is_declared and bool(self._views[referent.file].facts.shapes[referent.symbol].traits & Trait.CONSTRUCTS)

    def type_arguments(self, file: str, site: CallSite) -> tuple[Referent | None, ...]:
        """See CallsPart."""
        return self._types.resolve_types(file, site.scope, site.types, ()) if site.types else ()

    def callee(self, file: str, number: int) -> tuple[Referent | None, Referent | None, str]:
        """See CallsPart."""
        site = self._views[file].facts.sites[number]
        of, name = receiver(site.callee), last_name(site.callee)
        if of is None or not name:
            return self._flow.expression(file, site.scope, site.callee, site.line), None, ""
        if of == "super":
            member = self._flow.super_member(file, site.scope, name)
            return member, self._flow.expression(file, site.scope, "this", site.line), name
        owner = self._flow.expression(file, site.scope, of, site.line)
        return self._members.member(owner, name), owner, name
