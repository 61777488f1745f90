"""Names of types: through scopes, nested and inherited classes, imports, the package, and all that is imported.

A class is found by its last name, then by its package: a table of the project has all classes of a name.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from bearings.code.file_facts import FileFacts
from bearings.code.resolve.context import AnswerCache
from bearings.code.resolve.nominal.classes import FileClasses
from bearings.code.resolve.nominal.types import FUNCTION, Arguments, NominalRules, Type, nearest, substituted
from bearings.code.symbol_keys import MARK
from bearings.code.type_expressions import (
    ArrayType,
    FunctionType,
    IntersectionType,
    TypeExpression,
    TypeReference,
    UnionType,
)

_MOST_ABOVE = 64
"""Classes and interfaces above one, itself included: in Spring, JHotDraw and Commons Collections at most 17."""


class Declaring(Protocol):
    """The classes of a project by their names."""

    def cell(self, path: str, name: str) -> str:
        """The cell of a name, for the language of a file."""

    def classes(self, path: str, name: str) -> Sequence[str]:
        """The keys of the classes of a name that a file may mean."""


class TypeNames:
    """Names of types for one set of facts, and the classes above each."""

    def __init__(self, facts: Mapping[str, FileFacts], declaring: Declaring, rules: NominalRules) -> None:
        self.answers = AnswerCache()
        self.rules = rules
        self._facts = facts
        self._declaring = declaring
        self._views: dict[str, FileClasses] = {}
        self._named_classes: dict[str, dict[str, dict[str, str]]] = {}

    def view(self, file: str) -> FileClasses:
        """The classes of a file."""
        self.answers.consulted.add(file)
        view = self._views.get(file)
        if view is None:
            view = self._views[file] = FileClasses(self._facts[file])
        return view

    def forget(self) -> None:
        """Drops the tables of all files."""
        self._views.clear()
        self._named_classes.clear()

    def type_named(self, file: str, scope: int, name: str, own: int = -1) -> Type:
        """The type of a dotted name in a scope, or of the type parameters that the scope `own` declares."""
        cached = self.answers.ask(("type", file, scope, name, own))
        found: Type = cached.value if cached is not None else self.answers.close(self._named(file, scope, name, own))
        return found or Type(name.rpartition(".")[2])

    def _named(self, file: str, scope: int, name: str, own: int) -> Type:
        root, *inner = name.split(".")
        if own >= 0 and self.view(file).variable(own, root) is not None:
            return Type(root, file, own, is_variable=True)
        found = self._simple(file, scope, root)
        if inner and not found.file:
            return self.qualified(file, name) or Type(inner[-1])
        for part in inner:
            found = self.inner_type(found, part) or Type(part)
        return found

    def _simple(self, file: str, scope: int, name: str) -> Type:
        view = self.view(file)
        while scope >= 0:
            if view.variable(scope, name) is not None:
                return Type(name, file, scope, is_variable=True)
            index = view.types.get((scope, name))
            if index is not None:
                return self.of_symbol(file, index)
            if view.is_class(scope) and (inherited := self.inner_type(self.own_type(file, scope), name)) is not None:
                return inherited
            scope = view.facts.scopes[scope].parent
        cached = self.answers.ask(("top", file, name))
        found: Type | None = cached.value if cached is not None else self.answers.close(self._imported(file, name))
        return found or Type(name)

    def _imported(self, file: str, name: str) -> Type:
        """The class that a file names without a scope: imported, of its package, of all that is imported."""
        view = self.view(file)
        for entry in view.imports.get(name, ()):
            found = self.qualified(file, entry.module)
            if found is not None or not entry.name:
                return found or Type(name)
        for module in (view.facts.package, *view.stars):
            found = self.qualified(file, f"{module}.{name}" if module else name)
            if found is not None:
                return found
        return Type(name)

    def qualified(self, file: str, name: str) -> Type | None:
        """The class of a whole name, with its package; None for one from outside."""
        last = name.rpartition(".")[2]
        cell = self._declaring.cell(file, last)
        named = self._named_classes.get(cell)
        if named is None:
            named = self._named_classes[cell] = {}
            for key in self._declaring.classes(file, last):
                path, own = key.split(MARK)[:2]
                package = self._facts[path].package
                named.setdefault(f"{package}.{own}" if package else own, {}).setdefault(path, key)
        self.answers.consulted.add(cell)
        for paths in named.values():
            self.answers.consulted.update(paths)
        found = named.get(name)
        if not found:
            return None
        path = nearest(file, found) if len(found) > 1 else next(iter(found))
        return self.of_symbol(path, self.view(path).index_of(found[path]))

    def of_symbol(self, file: str, index: int) -> Type:
        """The type that a class declares."""
        facts = self.view(file).facts
        return Type(facts.symbols[index].name, file, facts.shapes[index].inner)

    def own_type(self, file: str, scope: int) -> Type:
        """The type of the class with a body."""
        view = self.view(file)
        index = view.bodies.get(scope)
        return Type(view.facts.symbols[index].name if index is not None else "", file, scope)

    def inner_type(self, type_: Type, name: str) -> Type | None:
        """The class of a name that a class, or one above it, declares."""
        for each in self.supers(type_):
            index = self.view(each.file).types.get((each.scope, name)) if each.is_inside else None
            if index is not None:
                return self.of_symbol(each.file, index)
        return None

    def resolved(self, file: str, scope: int, type_: TypeExpression | None, own: int = -1) -> Type | None:
        """The type that is written in a scope; None if it is not known."""
        match type_:
            case str():
                if type_ == "?":
                    return None
                return Type(type_) if type_ in self.rules.boxes else self.type_named(file, scope, type_, own)
            case TypeReference(name, arguments):
                found = self.type_named(file, scope, name, own)
                return found._replace(arguments=tuple(self.resolved(file, scope, each, own) for each in arguments))
            case ArrayType(element):
                of_element = self.resolved(file, scope, element, own)
                return of_element and of_element._replace(dimensions=of_element.dimensions + 1)
            case IntersectionType(parts) | UnionType(parts):
                return self.resolved(file, scope, parts[0], own)
            case FunctionType():
                return FUNCTION
        return None

    def arguments_of(self, type_: Type) -> Arguments:
        """The type parameters of a class, with the arguments that a type has for them."""
        if not (type_.arguments and type_.file):
            return {}
        names = self.view(type_.file).generics.get(type_.scope, ())
        pairs = zip(names, type_.arguments, strict=False)
        return {(type_.file, type_.scope, row.name): argument for row, argument in pairs}

    def supers(self, type_: Type) -> tuple[Type, ...]:
        """A type and all above it, with their arguments, each once; those from outside have no classes above them."""
        if not type_.is_inside:
            return (type_,)
        cached = self.answers.ask(("supers", type_))
        found = cached.value if cached is not None else self.answers.close(self._supers(type_))
        return found or (type_,)

    def _supers(self, type_: Type) -> tuple[Type, ...]:
        """The same, without a call for each class: a class may extend itself with ever more arguments."""
        found: dict[tuple[str, str, int, int], Type] = {}
        waiting = [type_]
        while waiting and len(found) < _MOST_ABOVE:
            each = waiting.pop()
            if each.erased not in found:
                found[each.erased] = each
                arguments = self.arguments_of(each)
                bases = self._bases(each.file, each.scope) if each.is_inside else ()
                waiting += [base for one in reversed(bases) if (base := substituted(one, arguments)) is not None]
        return tuple(found.values())

    def _bases(self, file: str, scope: int) -> "tuple[Type | None, ...]":
        """The types that a class extends and implements, with its own type parameters."""
        cached = self.answers.ask(("bases", file, scope))
        if cached is not None:
            return cached.value or ()
        view = self.view(file)
        return self.answers.close(
            tuple(self.resolved(file, view.around(scope), written, scope) for written in view.bases(scope))
        )

    def bound(self, type_: Type | None) -> Type | None:
        """What a type parameter stands for at least; any other type itself."""
        for _ in range(3):
            if type_ is None or not type_.is_variable or type_.dimensions:
                return type_
            row = self.view(type_.file).variable(type_.scope, type_.name)
            limit = row.type if row is not None else None
            around = self.view(type_.file).around(type_.scope)
            type_ = self.resolved(type_.file, around, limit, type_.scope) if limit else Type(self.rules.top)
        return type_
