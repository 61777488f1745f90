"""The results of calls: by annotations, by return statements, and by rules for functions of the standard library.

function make(): Cart         the result of `make()` is a Cart; with `def make(): return Cart()` as well
new Box<Cart>()               a Box with the type argument Cart
sorted(carts)[0]              a Cart: `sorted` returns a list of its argument's elements
ids.map((id) => load(id))     an array of the results of `load`
Promise.all([load(1)])        a promise of an array
"""

from typing import Final

from bearings.code.expressions import SUPER, Function, Item, Result, Take, is_result, last_name, receiver, written
from bearings.code.file_facts import CallSite, Trait
from bearings.code.installed import is_installed
from bearings.code.models import SymbolKind
from bearings.code.resolve.context import Context
from bearings.code.resolve.parts import CallsPart, Signature
from bearings.code.resolve.referent import INSTANCE, LITERAL, MODULE, OBJECT, PACKAGE, SYMBOL, Referent
from bearings.code.resolve.referents import (
    BUILTIN,
    CALLABLE,
    CLASSES,
    EXTERNAL,
    HOLDERS,
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
from bearings.code.resolve.rules.library_table import MARK
from bearings.code.resolve.types.inference import Inference
from bearings.code.resolve.types.overloads import Overloads
from bearings.code.type_expressions import (
    ABSENT,
    ArrayType,
    FunctionType,
    IntersectionType,
    TypeExpression,
    TypeReference,
    UnionType,
)

_SELF = frozenset({"this", "Self", "t.Self", "typing.Self", "te.Self", "typing_extensions.Self"})
"""Result types that mean the type of the object whose method is called."""
_FILTERING = frozenset({"filter", "find", "findLast"})
"""Methods that return the elements for which their callback returns true."""
_MAPPING = frozenset({"map", "flatMap", "then"})
"""Methods whose result is made of the results of their callback."""
_OF_FUNCTIONS = frozenset({"bind", "call", "apply"})
_REDUCING = frozenset({"reduce", "reduceRight"})
_FIRST_OF = frozenset({"Promise.race", "Promise.any"})
_WITH_DEFAULT = frozenset({"get", "pop", "setdefault"})
"""Methods of maps whose second argument is a default."""
_DEFAULTED = 2
_RECEIVERS = ("self", "cls", "klass", "this", "mcs")
"""Names of a method's first parameter."""


class Calls(CallsPart):
    """Callees and results of calls."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._inference: Final = Inference(context)
        self._overloads: Final = Overloads(context)
        self._inner = (self._inference, self._overloads)

    def call_result(
        self, referent: Referent | None, owner: Referent | None = None, type_arguments: tuple[Referent | None, ...] = ()
    ) -> Referent | None:
        """See CallsPart."""
        if not is_inside(referent):
            return referent
        if referent.kind == MODULE or referent.kind == PACKAGE:
            return None
        view = self._views[referent.file]
        if referent.kind == OBJECT or referent.kind == INSTANCE:
            if view.semantics.has_special_methods:
                return self._result_of_object(referent)
            for signature in self._signatures.signatures(referent):
                function, result_type = signature.function, signature.function.result
                result = self._types.resolve_type(signature.file, signature.scope, result_type, signature.env)
                if result is None and result_type in function.generics and function.limits:  # `<U = Cart>() => U`
                    result_type = function.limits[function.generics.index(result_type)]
                    result = self._types.resolve_type(signature.file, signature.scope, result_type, signature.env)
                if result is not None or type(result_type) is not str or result_type[:1] != MARK:
                    return result
            return None
        if referent.kind == LITERAL:  # `Object.assign(build, { … })` is called like its first argument, `...build`
            outer_scope = view.facts.scopes[referent.scope].parent
            for row in [*view.rows_of(referent.scope, "...")][-1:]:
                if row.value is not None and self._answers.enter():
                    result = self.call_result(self._flow.expression(referent.file, outer_scope, row.value, row.line))
                    self._answers.leave()
                    return result
            return None
        symbol, shape = view.facts.symbols[referent.symbol], view.facts.shapes[referent.symbol]
        # Without type arguments, the defaults of type parameters do not count: the call's arguments may tell more.
        if symbol.kind is SymbolKind.CLASS and not type_arguments:
            return instance_of(referent.file, referent.symbol)
        if symbol.kind in CLASSES:
            return self._types.instance(referent, type_arguments)
        is_value = shape.inner < 0 and is_result(shape.value)  # `const useCart = defineStore({ … })`
        if symbol.kind in CALLABLE and not (is_mapped(referent) or is_value or shape.traits & Trait.ACCESSOR):
            return self._result_of_function(referent, owner, type_arguments)
        if not self._answers.enter():
            return None
        value = self._values.value(referent)
        result = self.call_result(value) if value != referent else None
        if result is None and value is not None and value.kind == LITERAL:
            result = self.return_value(referent)  # of the function in `Object.assign(() => …, {…})`
        self._answers.leave()
        return result

    def _result_of_object(self, referent: Referent) -> Referent | None:
        """The result of calling an object in Python: by its `__call__`, or by its type."""
        if referent.kind == INSTANCE:
            method = self._members.member(referent, "__call__")
            return self.call_result(method, referent) if is_symbol(method) else None
        type_ = referent.type
        if isinstance(type_, UnionType) and self._answers.enter():
            resolved = [self._types.resolve_part(referent, part) for part in type_.parts]
            parts = [part for part in resolved if part is not None]
            parts.sort(key=lambda part: part.kind != OBJECT)  # `Callable[…, T] | Handler`: the type says more
            result = next((known for known in map(self.call_result, parts) if known is not None), None)
            self._answers.leave()
            return result
        if isinstance(type_, FunctionType):
            return self._types.resolve_part(referent, type_.result)
        function_type = self._views[referent.file].semantics.function_type
        if (called := self._library.called(referent)) is not None:
            return called
        if not isinstance(type_, TypeReference) or type_.name.rpartition(".")[2] != function_type:
            return None
        return self._types.resolve_part(referent, type_.arguments[-1]) if type_.arguments else None

    def _result_of_function(
        self, referent: Referent, owner: Referent | None, type_arguments: tuple[Referent | None, ...]
    ) -> Referent | None:
        """The result of a function: by its annotation, else by its return statements."""
        view = self._views[referent.file]
        shape = view.facts.shapes[referent.symbol]
        owner = self._values.value_or_self(owner) if owner is not None and owner.kind == SYMBOL else owner
        if shape.returns in _SELF:
            if owner is None or owner.symbol < 0:
                return None
            return as_kind(owner, INSTANCE) if owner.kind == SYMBOL else owner
        is_async = bool(shape.traits & Trait.ASYNC)
        if shape.returns is not None:  # `def make() -> Cart`
            inner = view.head_scope(referent.symbol)
            scope = inner if inner >= 0 else shape.scope
            env = referent.env + self._types.environment(referent.file, scope, type_arguments)
            env += self._inference.of_owner(referent.file, scope, owner, shape.returns)
            like = self._result_like_owner(referent, owner)
            if like is None or not self._types.is_type_variable(referent.file, shape.scope, str(shape.returns)):
                like = self._types.resolve_type(referent.file, scope, shape.returns, env) or like
            result = like
            is_coroutine = is_async and not shape.traits & Trait.GENERATOR
            wrapper = view.semantics.async_annotation_wraps_in if is_coroutine else ""
            return self._values.wrapped(referent.file, result, wrapper) if wrapper else result
        if shape.type is not None:  # `const load: Loader = async () => …`
            function = self._types.resolve_type(referent.file, shape.scope, shape.type, referent.env)
            return self.call_result(function) if function is not None and function.kind != SYMBOL else None
        result = self.return_value(referent)
        own = owner if owner is not None and has_symbol(owner) else None
        if own is not None and is_instance(result) and self._is_of_receiver(referent, own, result):
            result = as_kind(own, INSTANCE)  # `return self`, `return cls()`: an object of the owner's class
        is_promise = is_async and not shape.traits & Trait.GENERATOR
        return self._values.wrapped(referent.file, result, "Promise") if is_promise else result

    def _is_of_receiver(self, method: Referent, owner: Referent, result: Referent) -> bool:
        """Whether each return statement of a method returns its object, or another one of the object's class."""
        view = self._views[method.file]
        shape = view.facts.shapes[method.symbol]
        if (result.file, result.symbol) != (method.file, shape.parent):
            return False
        if any(row[1][:1] == MARK for row in owner.env):  # a manager of Django's: `return self.filter(…)`
            return True
        values = [row.value for row in view.returns(shape.inner)]
        names = [view.facts.sites[value.site].callee if type(value) is Result else value for value in values]
        return all(name in _RECEIVERS for name in names)

    def _result_like_owner(self, referent: Referent, owner: Referent | None) -> Referent | None:
        """An object of the owner's class, if a method's result has the type variable of its first parameter.

        `def copy(self: T) -> T`, `def make(cls: type[T]) -> T`
        """
        view = self._views[referent.file]
        shape = view.facts.shapes[referent.symbol]
        if owner is None or not has_symbol(owner) or shape.inner < 0:
            return None
        type_ = next((row.type for name in _RECEIVERS for row in view.rows_of(shape.inner, name)), None)
        if isinstance(type_, TypeReference) and type_.name.rpartition(".")[2] in ("type", "Type") and type_.arguments:
            type_ = type_.arguments[0]
        return as_kind(owner, INSTANCE) if type_ is not None and type_ == shape.returns else None

    def return_value(self, referent: Referent) -> Referent | None:
        """See CallsPart."""
        return self.return_value_of_scope(referent.file, self._views[referent.file].facts.shapes[referent.symbol].inner)

    def return_value_of_scope(self, file: str, scope: int, but: str = "") -> Referent | None:
        """See CallsPart. Where `returns_may_be_unknown`, one unknown return statement makes the result unknown."""
        if scope < 0:
            return None
        view = self._views[file]
        may_be_unknown = view.semantics.returns_may_be_unknown
        first = None
        for row in view.returns(scope):
            if but and row.value == but:
                continue
            referent = self._flow.expression(file, row.within, row.value, row.line)
            value = self._values.value_or_self(referent) if referent is not None else None
            if value is not None and type(value.type) is FunctionType and is_symbol(referent):
                value = referent  # which says more than its type
            if may_be_unknown:
                # `value_or_self` returns a variable or property itself if its value is unknown.
                kind = self._views[value.file].facts.symbols[value.symbol].kind if is_symbol(value) else None
                if value is None or kind in HOLDERS:
                    return None
            first = first or value
            if first is not None and not may_be_unknown:
                break
        return first

    def site_result(self, file: str, number: int, *, awaited: bool) -> Referent | None:
        """See CallsPart."""
        cached = self._answers.ask((file, number, "site"))
        result = cached.value if cached is not None else self._answers.close(self._result_or_outside(file, number))
        return self._values.awaited(result) if awaited else result

    def _result_or_outside(self, file: str, number: int) -> Referent | None:
        """The result of a call site; an unknown one of an installed package is its own."""
        result = self._result(file, number)
        if result is None and not is_installed(file):
            callee = self.callee(file, number)[0]
            return EXTERNAL if callee is not None and is_installed(callee.file) else None
        return result

    def _result(self, file: str, number: int) -> Referent | None:
        """The result of a call site: `site_result` without the cache."""
        view = self._views[file]
        entry = view.inline.get(number)
        site = view.facts.sites[number]
        if entry is not None:  # `require("./cart")` is an import, `import("./cart")` a promise of one
            module = self._exports.resolve_import(file, entry)
            return self._values.wrapped(file, module, "Promise") if site.callee == "import" else module
        function = site.callee
        if type(function) is Function:  # `(() => new Cart())()`
            if function.returns is not None:
                return self._types.resolve_type(file, function.scope, function.returns)
            return self.return_value_of_scope(file, function.scope)
        referent, owner, name = self.callee(file, number)
        is_of_function = name in _OF_FUNCTIONS and not view.semantics.has_special_methods
        if is_of_function and is_symbol(owner) and not is_inside(referent):  # `load.call(this)`
            return owner if name == "bind" else self.call_result(owner)
        if is_outside(referent):
            result = self._library.result(file, number, owner, name) or self._like_object(file, owner, name)
            if result is None and (referent == BUILTIN or (site.arguments and self._returns_its_argument(file, site))):
                result = self._result_of_builtin(file, site, owner if referent == BUILTIN else None, name)
            if result is not None or (referent == BUILTIN and owner is not None):
                return result
            if referent == BUILTIN and site.kind == "new" and site.types:  # `new Map<string, Cart>()`
                return object_of(file, site.scope, TypeReference(written(site.callee), site.types))
            if referent == BUILTIN and (container := self._library.container(file, number, owner, name)) is not None:
                return container
        if site.kind == "new" and referent is not None and self.is_constructor_function(referent):
            return as_kind(referent, INSTANCE)
        if site.kind == "new" and (made := self._constructed(referent)) is not None:
            return made
        # `new LRUCache<string, Session>()` may hold a Session; `load<Cart>()` may be a Cart.
        if is_outside(referent) and site.types and not referent.env:
            name = last_name(site.callee) or written(site.callee)
            holder = self._types.library_object(referent, name, file, site.scope, site.types)
            return holder if site.kind == "new" else taken_from_library(holder)
        type_arguments = self.type_arguments(file, site)
        if (
            is_symbol(referent)
            and type(self._views[referent.file].facts.shapes[referent.symbol].type) is IntersectionType
        ):
            referent = self._values.value(referent)
        if not type_arguments and referent is not None and (referent.kind == OBJECT or referent.kind == INSTANCE):
            env = self._inference.inferred_by_signature(file, number, referent)
            return self.call_result(referent._replace(env=referent.env + env) if env else referent, owner)
        if type_arguments or not is_symbol(referent):
            return self.call_result(referent, owner, type_arguments)
        if (chosen := self._overloads.result(file, site, referent)) is not None:
            return chosen
        env = self._inference.inferred_by_declaration(file, number, referent)
        result = self.call_result(referent._replace(env=referent.env + env) if env else referent, owner)
        # `new Box(new Cart())`: the Box gets the inferred type argument.
        if env and result is not None and (result.kind, result.symbol) == (INSTANCE, referent.symbol):
            return result._replace(env=env + result.env)
        return result

    def _constructed(self, referent: Referent | None) -> Referent | None:
        """What `new` gives of an object whose interface has a construct signature, `new (id: string): Cart`."""
        value = self._values.value_or_self(referent) if is_inside(referent) else None
        signatures = self._signatures.signatures(value, new=True) if is_instance(value) else []
        results = (self._types.resolve_type(*each[:2], each.function.result, each.env) for each in signatures)
        return next(filter(None, results), None)

    def _like_object(self, file: str, owner: Referent | None, name: str) -> Referent | None:
        """An object of the class of `owner`, or of the class itself, for a method that a library gives that class."""
        library = self._views[file].semantics.methods_of_same.get(name)
        value = self._values.value_or_self(owner) if owner is not None and library is not None else None
        if value is None or not has_symbol(value) or not self._members.is_class(value):
            return None
        bases = self._members.lineage(as_kind(value, INSTANCE)) if library else ()
        return as_kind(value, INSTANCE) if not library or any(self._extends(base, library) for base in bases) else None

    def _extends(self, referent: Referent, library: str) -> bool:
        """Whether a class names one of a library as its base."""
        if not has_symbol(referent):
            return False
        file, view = referent.file, self._views[referent.file]
        shape, line = view.facts.shapes[referent.symbol], view.facts.symbols[referent.symbol].line
        names = [base.value for base in shape.bases if type(base.value) is str]
        return any(self._library.qualified(file, shape.scope, name, line).split(".")[0] == library for name in names)

    def _result_of_builtin(self, file: str, site: CallSite, owner: Referent | None, name: str) -> Referent | None:
        """The result of a function of the language, or of the method `name` of a container; None if no rule says it.

        BUILTIN if the result is known to be none of the project's objects.
        """
        semantics, callee = self._views[file].semantics, site.callee
        if callee == "Promise.all":
            element = self._argument_element(file, site, awaited=True)
            return self._values.wrapped(file, self._values.wrapped(file, element, "Array"), "Promise") or BUILTIN
        if callee in _FIRST_OF:
            return self._values.wrapped(file, self._argument_element(file, site, awaited=True), "Promise") or BUILTIN
        if callee == "Promise.resolve" and site.arguments:
            first = self._flow.expression(file, site.scope, site.arguments[0], site.line)
            return self._values.wrapped(file, first, "Promise") or BUILTIN
        if callee and callee == semantics.class_function and site.arguments:
            given = self._flow.expression(file, site.scope, site.arguments[0], site.line)
            value = self._values.value_or_self(given) if given is not None else None
            return as_kind(value, SYMBOL) if is_instance(value) else BUILTIN
        if site.arguments and self._returns_its_argument(file, site):
            first = self._flow.expression(file, site.scope, site.arguments[0], site.line)
            return self._values.value_or_self(first) if first is not None else BUILTIN
        container = self._values.value_or_self(owner) if owner is not None else None
        if container is not None and name in _REDUCING and len(site.arguments) == _DEFAULTED:
            return self._result_of_reducing(file, site, container, name)
        if container is None or container.kind != OBJECT:
            return BUILTIN if container is not None else None
        return (
            self._result_of_mapping(file, site, name)
            or self._result_of_reducing(file, site, container, name)
            or self._result_of_filtering(file, site, name)
            or self._or_default(file, site, self._elements.method_result(container, name), name)
        )

    def _or_default(self, file: str, site: CallSite, result: Referent | None, name: str) -> Referent | None:
        """The value of `by_id.get(id, Cart())`; None if the default is an object of another class."""
        if not is_inside(result) or name not in _WITH_DEFAULT or len(site.arguments) < _DEFAULTED:
            return result
        default = self._flow.expression(file, site.scope, site.arguments[1], site.line)
        given = self._values.value_or_self(default) if is_inside(default) else None
        if given is None or given.kind != INSTANCE or result.kind != INSTANCE:
            return result
        own = (result.file, result.symbol)
        return result if any((base.file, base.symbol) == own for base in self._members.lineage(given)) else None

    def _argument_element(self, file: str, site: CallSite, *, awaited: bool = False) -> Referent | None:
        """An element of the first argument of a call, or the value of that promise if `awaited`; None if unknown."""
        first = self._flow.expression(file, site.scope, site.arguments[0] if site.arguments else None, site.line)
        if not is_inside(first) or not self._answers.enter():
            return None
        element = self._elements.element(self._values.value_or_self(first), Item(Take.EACH))
        element = self._values.awaited(element) if awaited else element
        self._answers.leave()
        return element

    def _returns_its_argument(self, file: str, site: CallSite) -> bool:
        """Whether a callee is a function of a library whose result has the type of its first argument."""
        same = self._views[file].semantics.functions_of_same
        if not same or type(site.callee) is not str:
            return False
        return self._library.qualified(file, site.scope, site.callee, site.line) in same

    def _result_of_mapping(self, file: str, site: CallSite, name: str) -> Referent | None:
        """The result of `ids.map((id) => load(id))`, `flatMap` and `then`, by the result of the callback."""
        function = site.arguments[0] if name in _MAPPING and site.arguments else None
        if function is None:
            return None
        if type(function) is Function:
            result = self.return_value_of_scope(file, function.scope)
            if function.is_async:
                result = self._values.wrapped(file, result, "Promise")
        else:  # `ids.map(load)`
            named = self._flow.expression(file, site.scope, function, site.line)
            result = self.call_result(named) if is_inside(named) else None
            if result is None:
                return None
        if name == "then":
            return self._values.wrapped(file, self._values.awaited(result), "Promise")
        type_ = result.type if name == "flatMap" and is_object(result) else None
        is_flat = isinstance(type_, ArrayType) or (isinstance(type_, TypeReference) and type_.name == "Array")
        return result if is_flat else self._values.wrapped(file, result, "Array")

    def _result_of_reducing(self, file: str, site: CallSite, owner: Referent, name: str) -> Referent | None:
        """The result of `carts.reduce(add, first)`: what it begins with, or an element."""
        if name not in _REDUCING or not site.arguments:
            return None
        if site.types:
            return self._types.resolve_type(file, site.scope, site.types[0])
        if len(site.arguments) == 1:
            return self._elements.element(owner, Item(Take.ELEMENT))
        first = self._flow.expression(file, site.scope, site.arguments[1], site.line)
        return self._values.value_or_self(first) if is_inside(first) else BUILTIN

    def _result_of_filtering(self, file: str, site: CallSite, name: str) -> Referent | None:
        """The result of `shapes.filter(isCircle)`, `find` and `findLast`: elements of the type guard's type."""
        callback = site.arguments[0] if name in _FILTERING and site.arguments else None
        function = self._flow.expression(file, site.scope, callback, site.line)
        element = self._signatures.predicate_type(function, 0) if function is not None else None
        return self._values.wrapped(file, element, "Array") if name == "filter" else element

    def descriptor_value(self, getter: Referent, descriptor: Referent, owner: Referent) -> Referent | None:
        """See CallsPart. The first overload whose parameter may take `owner` counts.

        `def __get__(self, owner: None) -> Self`, `def __get__(self, owner: Cart) -> Total`
        """
        for signature in self._signatures.signatures(getter):
            function = signature.function
            parameter_type = function.parameters[0].type if function.parameters else None
            if function.result is None or parameter_type in ABSENT:
                continue
            if not self._may_take(signature, parameter_type, owner):
                continue
            if function.result in _SELF:
                return descriptor
            return self._types.resolve_type(signature.file, signature.scope, function.result, signature.env)
        view = self._views[getter.file]
        shape = view.facts.shapes[getter.symbol]
        if shape.returns is not None:
            return self.call_result(getter, descriptor)
        if all(row.value == "self" for row in view.returns(shape.inner)):
            return descriptor
        return self.return_value_of_scope(getter.file, shape.inner, but="self")  # which it gives where no object is

    def _may_take(self, signature: Signature, type_: TypeExpression | None, owner: Referent) -> bool:
        """Whether an object may be of a parameter's type: it is, or that is no class of the project."""
        expected = self._types.resolve_type(signature.file, signature.scope, type_, signature.env)
        if not is_instance(expected):
            return True
        lineage = self._members.lineage(owner)
        return any((base.file, base.symbol) == (expected.file, expected.symbol) for base in lineage)

    def is_constructor_function(self, referent: Referent) -> bool:
        """See CallsPart."""
        if referent.kind != SYMBOL:
            return False
        return bool(self._views[referent.file].facts.shapes[referent.symbol].traits & Trait.CONSTRUCTS)

    def type_arguments(self, file: str, site: CallSite) -> tuple[Referent | None, ...]:
        """See CallsPart."""
        return self._types.resolve_types(file, site.scope, site.types, ()) if site.types else ()

    def callee(self, file: str, number: int) -> tuple[Referent | None, Referent | None, str]:
        """See CallsPart."""
        site = self._views[file].facts.sites[number]
        root, name = receiver(site.callee), last_name(site.callee)
        if root is None or not name:
            return self._flow.expression(file, site.scope, site.callee, site.line), None, ""
        if type(root) is str and (root == "super" or root[:6] == SUPER):
            member = self._flow.super_member(file, site.scope, name, root)
            return member, self._flow.this(file, site.scope), name
        owner = self._flow.expression(file, site.scope, root, site.line)
        return self._members.member(owner, name), owner, name
