"""The results of functions and methods of libraries, by their signatures: see rules/library_table.py.

random.choice(carts).total()                 `~T` is a Cart, by the parameter `Sequence[~T]`
executor.submit(load).result().total()       a `Future[~T]`, by the parameter `Callable[[], ~T]`; its method gives `~T`
sorted(carts, key=lambda cart: cart.total)   `cart` is a Cart, by the other parameter
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from bearings.code.expressions import Item, Parameter, Take, last_name, site_of
from bearings.code.file_facts import Base, BindingKind, CallSite
from bearings.code.resolve.context import Context
from bearings.code.resolve.parts import LibraryPart
from bearings.code.resolve.referent import INSTANCE, Env, Referent
from bearings.code.resolve.referents import (
    BUILTIN,
    EXTERNAL,
    INLINE,
    as_kind,
    has_symbol,
    is_inside,
    is_module,
    is_object,
    object_of,
    symbol_at,
    unless_too_deep,
)
from bearings.code.resolve.rules.library_table import MARK, SELF, LibraryClass, library_of
from bearings.code.resolve.types.inference import Inference, fits, given_to
from bearings.code.type_expressions import (
    FunctionType,
    IndexedType,
    TypeExpression,
    TypeReference,
    UnionType,
    type_words,
)

_EACH: Final = Item(Take.EACH)
_MODEL: Final = "django.db.models.Model"
_TO_ONE: Final = "OneToOneField"
_QUOTED: Final = re.compile(r"""^[^=]*=\s*[\w.]+\(\s*(?:(\w+)\s*=\s*)?["'](?:(\w+)\.)?(\w+)["']""")
"""The word before the first argument, and the class that it names, perhaps after the application that has it."""
_SPECIAL: Final = {
    Take.ENTERED: "__enter__",
    Take.ENTERED_ASYNC: "__aenter__",
    Take.EACH: "__iter__",
    Take.ELEMENT: "__getitem__",
}


class LibraryCalls(LibraryPart):
    """Results, members and contexts by the signatures of the standard library."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._inference: Final = Inference(context)
        self._inner = (self._inference,)

    def result(self, file: str, number: int, owner: Referent | None, name: str) -> Referent | None:
        """See LibraryPart."""
        for function, own in self._fitting(file, number, owner, name):
            variables = _variables(function.result)
            env = self._env(file, number, function, own, variables)
            if _differs(function.result, env):  # `next(carts, Order())`
                return None
            is_known = not variables or any(row[1] in variables for row in env)
            if is_known or (not function.parameters and self._is_descriptor(file, function.result)):
                found = self._types.resolve_type(file, 0, function.result, env)
                if not isinstance(function.result, IndexedType) or is_inside(found):
                    return found
        return None

    def container(self, file: str, number: int, owner: Referent | None, name: str) -> Referent | None:
        """See LibraryPart."""
        results = (function.result for function, _ in self._fitting(file, number, owner, name))
        type_ = next((each for each in results if isinstance(each, TypeReference) and _variables(each)), None)
        return self._types.resolve_type(file, 0, type_, ()) if type_ is not None else None

    def context(self, file: str, parameter: Parameter, owner: Referent | None, name: str) -> Referent | None:
        """See LibraryPart."""
        site = self._views[file].facts.sites[parameter.site]
        for function, own in self._fitting(file, parameter.site, owner, name):
            places = enumerate(function.parameters)  # of a site without words, which stores no arguments
            given = given_to(function.parameters, site) if site.words else ((one.type, place) for place, one in places)
            for expected, index in given:
                if index != parameter.argument:
                    continue
                found: Referent | None = None
                if isinstance(expected, FunctionType):
                    taken = expected.parameters[parameter.position : parameter.position + 1]
                    type_ = taken[0].type if taken else None
                    env = self._env(file, parameter.site, function, own, _variables(type_))
                    found = self._types.resolve_type(file, 0, type_, env)
                elif site.types and parameter.position >= 0:  # `useReducer<Reducer<Shop, Action>>((shop, action) => …)`
                    env = self._env(file, parameter.site, function, own, set())
                    callback = self._types.resolve_type(file, 0, expected, env)
                    if is_inside(callback):
                        found = self._signatures.parameter_type(callback, parameter.position)
                if found is not None:
                    return found
        return None

    def qualified(self, file: str, scope: int, name: str, line: int) -> str:
        """See LibraryPart."""
        view = self._views[file]
        root, _, rest = name.partition(".")
        row = view.lookup(scope, root, line)
        if row is None:
            return name
        if row.kind is not BindingKind.IMPORT:
            return ""
        entry = view.facts.imports[row.target]
        if not entry.name and entry.module.startswith(f"{root}."):  # `import concurrent.futures`
            return name
        return ".".join(filter(None, (entry.module, entry.name.strip("*"), rest)))

    def is_class(self, file: str, name: str) -> bool:
        """See LibraryPart."""
        return name[1:] in library_of(self._views[file].semantics.family).classes

    def type_named(self, file: str, scope: int, name: str) -> str:
        """See LibraryPart."""
        library = library_of(self._views[file].semantics.family)
        if not library.classes or ("." in name and name.rpartition(".")[2] not in library.names):
            return ""
        qualified = self.qualified(file, scope, name, 0)
        return f"{MARK}{library.aliases.get(qualified, qualified)}" if qualified in library.classes else ""

    def member(self, owner: Referent, name: str, heir: Referent | None = None) -> Referent | None:
        """See LibraryPart."""
        known = self._class(owner)
        if known is None:
            return None
        if name in known.properties:
            env = self._env_of(owner, known, heir)
            return self._types.resolve_type(owner.file, 0, known.properties[name], env)
        if heir is not None and heir.kind == INSTANCE and known is library_of("python").classes.get(_MODEL):
            related = self._related(heir, name)
            if related is not None:
                return related
        return EXTERNAL if self._is_of_framework(owner) else BUILTIN

    def _related(self, model: Referent, name: str) -> Referent | None:
        """What a model has under the name that another one's relation to it gives: `author.books`."""
        for field in self._exports.related(name):
            facts = self._views[field.file].facts
            shape = facts.shapes[field.symbol]
            owner = symbol_at(field.file, shape.parent)
            value = self._values.value_or_self(
                self._members.member(as_kind(owner, INSTANCE), facts.symbols[field.symbol].name) or field
            )
            target = self._elements.element(value, _EACH) if is_object(value) else value
            places = {(base.file, base.symbol) for base in self._members.lineage(model) if has_symbol(base)}
            if target is not None and target.kind == INSTANCE and (target.file, target.symbol) in places:
                if last_name(facts.sites[site_of(shape.value)].callee) == _TO_ONE:
                    return as_kind(owner, INSTANCE)
                manager = self._members.member(owner, "objects")
                return self._values.value_or_self(manager) if is_inside(manager) else None
        return None

    def base(self, file: str, scope: int, inner: int, base: Base, env: Env) -> Referent | None:
        """See LibraryPart."""
        name = self.type_named(file, scope, base.value) if type(base.value) is str else ""
        found = object_of(file, inner, TypeReference(name, base.arguments), env) if name else None
        return found if found is not None and self._is_of_framework(found) else None

    def attribute(self, attribute: Referent, value: Referent | None, owner: Referent) -> Referent | None:
        """See LibraryPart."""
        if not is_inside(value):
            return self._named(attribute)
        found = self._class_with(value, "__get__") if is_object(value) or has_symbol(value) else None
        if found is None:
            return None
        return value._replace(env=(*value.env, (INLINE, found[0].generics[0], as_kind(owner, INSTANCE))))

    def _named(self, attribute: Referent) -> Referent | None:
        """What an attribute gives that names a class in quotes: `author = ForeignKey("Author")`, `"shop.Author"`."""
        file, view = attribute.file, self._views[attribute.file]
        shape = view.facts.shapes[attribute.symbol]
        number = site_of(shape.value)
        quoted = _QUOTED.search(view.facts.symbols[attribute.symbol].signature)
        functions = self._functions(file, view.facts.sites[number]) if number >= 0 and quoted is not None else ()
        if quoted is None or not functions or not functions[0].parameters:
            return None
        word, app, name = quoted.groups()
        if word not in (None, functions[0].parameters[0].name):
            return None
        model: Referent | None
        if app:
            modules = (self._exports.module(file, f"{place}{app}.models") for place in ("..", "...", ""))
            module = next(filter(is_module, modules), None)
            model = self._exports.export(module.file, name) if module is not None else None
        elif name == "self":
            model = symbol_at(file, shape.parent)
        else:
            model = self._flow.name(file, 0, name, 0)
        if model is None or not self._members.is_own_class(model):
            return None
        env = tuple((INLINE, each, as_kind(model, INSTANCE)) for each in _variables(functions[0].parameters[0].type))
        return self._types.resolve_type(file, 0, functions[0].result, env)

    def _is_descriptor(self, file: str, type_: TypeExpression | None) -> bool:
        known = library_of(self._views[file].semantics.family).classes
        found = known.get(type_.name[1:]) if isinstance(type_, TypeReference) else None
        return found is not None and "__get__" in found.methods

    def _is_of_framework(self, owner: Referent) -> bool:
        name = owner.type.name if isinstance(owner.type, TypeReference) else ""
        return name[1:].partition(".")[0] in library_of(self._views[owner.file].semantics.family).frameworks

    def taken(self, owner: Referent, step: Item) -> Referent | None:
        """See LibraryPart."""
        result = self.called(owner, _SPECIAL.get(step.take, ""))
        if result is None or step.take in (Take.ENTERED, Take.ELEMENT):
            return result
        return self._elements.element(result, _EACH) if step.take is Take.EACH else self._values.awaited(result)

    def called(self, owner: Referent, name: str = "__call__") -> Referent | None:
        """See LibraryPart."""
        known = self._class_with(owner, name)
        return self._types.resolve_type(owner.file, 0, known[0].methods[name][0].result, known[1]) if known else None

    def method(self, owner: Referent, name: str) -> Referent | None:
        """See LibraryPart."""
        known = self._class_with(owner, name) if is_object(owner) else None
        return object_of(owner.file, 0, known[0].methods[name][0], known[1]) if known else None

    def _class(self, owner: Referent | None) -> LibraryClass | None:
        """The library's class of an object."""
        type_ = owner.type if is_object(owner) else None
        if owner is None or not isinstance(type_, TypeReference) or type_.name[0] != MARK:
            return None
        return library_of(self._views[owner.file].semantics.family).classes.get(type_.name[1:])

    def _env_of(self, owner: Referent, known: LibraryClass, heir: Referent | None = None) -> Env:
        """The arguments of the type variables of an object's class; `heir` is of an own class that extends it."""
        type_ = owner.type
        arguments = type_.arguments if isinstance(type_, TypeReference) else ()
        values = (unless_too_deep(self._types.resolve_part(owner, argument)) for argument in arguments)
        pairs = zip(known.generics, values, strict=False)
        env: Env = tuple((INLINE, name, value) for name, value in pairs if value is not None)
        env += tuple(row for row in heir.env if row[1] in known.generics) if heir is not None else ()
        return (*env, (INLINE, SELF, unless_too_deep(owner) if heir is None else as_kind(heir, INSTANCE)))

    def _class_with(self, value: Referent, name: str) -> tuple[LibraryClass, Env] | None:
        """The library's class of an object with a method, or the one that its own class extends."""
        bases: Iterable[Referent | None] = (value,)
        if isinstance(value.type, UnionType):
            bases = (self._types.resolve_part(value, part) for part in value.type.parts)
        elif has_symbol(value):
            is_known = name in library_of(self._views[value.file].semantics.family).methods
            bases = self._members.lineage(value) if is_known and self._members.is_class(value) else ()
        for base in bases:
            known = self._class(base)
            if base is not None and known is not None and name in known.methods:
                return known, self._env_of(base, known, value if has_symbol(value) else None)
        return None

    def _fitting(self, file: str, number: int, owner: Referent | None, name: str) -> Iterator[tuple[FunctionType, Env]]:
        """The signatures of a callee that fit a call, with the arguments of the owner's class."""
        view = self._views[file]
        site = view.facts.sites[number]
        env: Env = ()
        functions: Sequence[FunctionType] = ()
        value = self._values.value_or_self(owner) if is_inside(owner) else None
        known = self._class_with(value, name) if value is not None else None
        if known is not None:
            functions, env = known[0].methods[name], known[1]
        elif value is None:
            functions = self._functions(file, site)
        for function in functions:
            if fits(function.parameters, site):
                yield function, env

    def _functions(self, file: str, site: CallSite) -> Sequence[FunctionType]:
        """The signatures of a library's function that a call names."""
        library, name = library_of(self._views[file].semantics.family), site.callee
        if not library.functions or type(name) is not str or ("." in name and last_name(name) not in library.names):
            return ()
        return library.functions.get(self.qualified(file, site.scope, name, site.line), ())

    def _env(self, file: str, number: int, function: FunctionType, own: Env, names: set[str]) -> Env:
        """The environment of a call: the arguments of the owner's class, and of `names`, by the call's arguments."""
        site = self._views[file].facts.sites[number]
        if site.types and function.generics:  # `useState<Cart>()`
            types = map(unless_too_deep, self._calls.type_arguments(file, site))
            pairs = zip(function.generics, types, strict=False)
            own += tuple((INLINE, name, type_) for name, type_ in pairs if type_ is not None)
        wanted = names.difference(name for _, name, _ in own)
        given = list(given_to(function.parameters, site)) if wanted else []
        return own + self._inference.from_arguments(file, site, given, object_of(file, 0, ""), 0, INLINE, wanted)


def _differs(type_: TypeExpression | None, env: Env) -> bool:
    """Whether the parts of a union, one of which may be a default, are objects of several classes."""
    parts = type_.parts if isinstance(type_, UnionType) else ()
    values = [value for _, name, value in env if name in parts and value is not None and value.kind == INSTANCE]
    return len({(value.file, value.symbol) for value in values}) > 1


def _variables(type_: TypeExpression | None) -> set[str]:
    return {word for word in type_words(type_) if word[0] == MARK and "." not in word}
