"""Names of types: through scopes, nested and inherited classes, imports, the package, and all that is imported.

A class is found by its last name, then by its package: a table of the project has all classes of a name.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Protocol

from bearings.code.file_facts import FileFacts, Trait
from bearings.code.resolve.context import AnswerCache
from bearings.code.resolve.nominal.classes import FileClasses
from bearings.code.resolve.nominal.types import (
    FUNCTION,
    MOST_PARTS,
    NULL,
    SHARED,
    Arguments,
    NominalRules,
    Type,
    either,
    nearest,
    substituted,
)
from bearings.code.symbol_keys import MARK
from bearings.code.type_expressions import (
    TUPLE,
    ArrayType,
    FunctionType,
    IntersectionType,
    OwnType,
    TypeExpression,
    TypeReference,
    UnionType,
)

_MOST_ABOVE = 40
"""Classes and interfaces above one, itself included: in Spring, JHotDraw and Commons Collections at most 17."""
_MOST_PARTS = 200
"""Parts of one class that are put together; more are classes of their own."""
_MOST_SHARED = 200


class Declaring(Protocol):
    """The classes of a project by their names."""

    def cell(self, path: str, name: str) -> str:
        """The cell of a name, for the language of a file."""

    def classes(self, path: str, name: str) -> Sequence[str]:
        """The keys of the classes of a name that a file may mean."""

    def functions(self, path: str, name: str) -> Sequence[str]:
        """The keys of the functions of a name outside of classes."""

    def extensions(self, path: str, name: str) -> Sequence[str]:
        """The keys of the methods of a name that are called through their first argument."""

    def shared_imports(self, path: str) -> Sequence[tuple[str, Sequence[str]]]:
        """The files that import something for all files, and what: modules, or names with modules, `name=module`."""


class TypeNames:
    """Names of types for one set of facts, and the classes above each."""

    def __init__(self, facts: Mapping[str, FileFacts], declaring: Declaring, rules: NominalRules) -> None:
        self.answers = AnswerCache()
        self.rules = rules
        self._facts = facts
        self._declaring = declaring
        self._views: dict[str, FileClasses] = {}
        self._package_of: dict[str, str] = {}
        """The packages of files, so that no file is unpacked for it."""
        self._cells: dict[str, str] = {}
        self._named_classes: dict[str, dict[str, dict[str, list[str]]]] = {}
        self._named_functions: dict[str, dict[str, dict[str, str]]] = {}
        self._files_naming: dict[tuple[str, bool], set[str]] = {}
        """The files that have classes, or functions, of the name of a cell."""

    def view(self, file: str) -> FileClasses:
        """The classes of a file."""
        self.answers.consulted.add(file)
        view = self._views.get(file)
        if view is None:
            view = self._views[file] = FileClasses(self._facts[file])
        return view

    def forget(self, but: Collection[str]) -> None:
        """Drops the tables of all other files."""
        self._views = {path: view for path, view in self._views.items() if path in but}
        self._named_classes.clear()
        self._cells.clear()
        self._named_functions.clear()
        self._files_naming.clear()

    def type_named(self, file: str, scope: int, name: str, own: int = -1, arity: int = 0) -> Type:
        """The type of a dotted name in a scope, or of the type parameters that the scope `own` declares.

        `arity` is the number of the type arguments that follow the name.
        """
        if name.startswith(TUPLE):
            return Type(name)
        arity = arity if self.rules.by_arity else -1
        if own < 0:
            scope = self.view(file).naming(scope, name.partition(".")[0])
        found = self.answers.answer("type", self._named, file, scope, name, own, arity)
        return found or Type(name.rpartition(".")[2])

    def _named(self, file: str, scope: int, name: str, own: int, arity: int) -> Type:
        if self.rules.whole_names:
            return self._variable(file, scope, name, own) or self.qualified(file, name) or Type(name.rpartition(".")[2])
        root, *inner = name.split(".")
        if own >= 0 and self.view(file).variable(own, root) is not None:
            return Type(root, file, own, is_variable=True)
        found = self._simple(file, scope, root, -1 if inner else arity)
        if inner and not found.file:
            return self.qualified(file, name, arity, self.view(file).package_at(scope)) or Type(inner[-1])
        for place, part in enumerate(inner, 1):
            found = self.inner_type(found, part, arity if place == len(inner) else -1) or Type(part)
        return found

    def _variable(self, file: str, scope: int, name: str, own: int) -> Type | None:
        """The type parameter of a name that is known in a scope."""
        view = self.view(file)
        while view.generics and scope >= 0:
            each, own, scope = (own, -1, scope) if own >= 0 else (scope, -1, view.facts.scopes[scope].parent)
            if view.variable(each, name) is not None:
                return Type(name, file, each, is_variable=True)
        return None

    def _simple(self, file: str, scope: int, name: str, arity: int) -> Type:
        view = self.view(file)
        package = view.package_at(scope)
        while scope >= 0:
            if view.variable(scope, name) is not None:
                return Type(name, file, scope, is_variable=True)
            index = view.type_at(scope, name, arity)
            if index is not None:
                return self.of_symbol(file, index)
            if view.is_class(scope):
                for each in self.answers.answer("with classes", self._with_classes, file, scope) or ():
                    index = self.view(each.file).type_at(each.scope, name, arity)
                    if index is not None:
                        return self.of_symbol(each.file, index)
            scope = view.facts.scopes[scope].parent
        return self.answers.answer("top", self._imported, file, name, arity, package) or Type(name)

    def _with_classes(self, file: str, scope: int) -> tuple[Type, ...]:
        """The classes above one that have classes in them."""
        above = self.supers(self.own_type(file, scope))
        return tuple(each for each in above if each.is_inside and self.view(each.file).has_classes(each.scope))

    def _imported(self, file: str, name: str, arity: int, package: str) -> Type:
        """The class that a file names without a scope: imported, of its package, of all that is imported."""
        for module, whole in self.modules_of(file, name):
            found = self.qualified(file, module)
            if found is not None or not whole:
                return found or Type(name)
        named = self._classes_named(file, name)
        seen = self.seen(file, package) if named else {}
        wholes = [whole for whole in named if whole.rpartition(".")[0] in seen]
        wholes.sort(key=lambda whole: seen[whole.rpartition(".")[0]])
        return next(
            (found for each in wholes if (found := self._whole(file, named, each, arity)) is not None), Type(name)
        )

    def seen(self, file: str, package: str) -> Mapping[str, int]:
        """The modules all of whose names a package of a file sees, with their places in the order of the search."""
        return self.answers.answer("seen", self._seen, file, package) or {}

    def _seen(self, file: str, package: str) -> dict[str, int]:
        modules = dict.fromkeys((*self.packages(package), *self.stars(file)))
        return {module: place for place, module in enumerate(modules)}

    def packages(self, package: str) -> Sequence[str]:
        """The packages whose classes a package sees: itself, and in some languages those around it."""
        if not (self.rules.in_outer_packages and package):
            return (package,)
        parts = package.split(".")
        return [".".join(parts[:end]) for end in range(len(parts), -1, -1)]

    def modules_of(self, file: str, name: str) -> Iterator[tuple[str, str]]:
        """The modules that a file imports under a name, each with the name in it, if it has any."""
        for entry in self.view(file).imports.get(name, ()):
            yield entry.module, entry.name
        for module in self._shared(file):
            if module.startswith(f"{name}="):
                yield module.partition("=")[2], ""

    def stars(self, file: str) -> Sequence[str]:
        """The modules all of whose names a file imports: in some languages also from the packages around its own."""
        shared = self._shared(file)
        view = self.view(file)
        own = [*view.stars, *(module for module in shared if "=" not in module)] if shared else view.stars
        around = self.packages(view.facts.package)[:-1] if self.rules.in_outer_packages else ()
        return [*own, *(f"{package}.{module}" for package in around for module in view.stars)] if around else own

    def _shared(self, file: str) -> Sequence[str]:
        """What other files import for this one, those first that are nearest."""
        if not self.rules.extensions:
            return ()
        cached = self.answers.ask(("shared", file.rpartition("/")[0]))
        if cached is not None:
            return cached.value or ()
        self.answers.consulted.add(self._declaring.cell(file, SHARED))
        rows = dict(self._declaring.shared_imports(file))
        found = dict[str, None]()
        while rows and len(found) < _MOST_SHARED:
            found.update(dict.fromkeys(rows.pop(nearest(file, rows))))
        return self.answers.close(tuple(found))

    def qualified(self, file: str, name: str, arity: int = -1, package: str | None = None) -> Type | None:
        """The class of a whole name, with its package; None for one from outside."""
        named = self._classes_named(file, name.rpartition(".")[2])
        found = self._whole(file, named, name, arity) if named else None
        root, dot, rest = name.partition(".")
        if found is not None or not named or not dot or not self.rules.in_outer_packages:
            return found
        wholes = [f"{module}.{rest}" for module, whole in self.modules_of(file, root) if not whole]
        package = self.view(file).facts.package if package is None else package
        wholes += [f"{around}.{name}" for around in self.packages(package) if around]
        return next((found for whole in wholes if (found := self._whole(file, named, whole, arity)) is not None), None)

    def _classes_named(self, file: str, last: str) -> dict[str, dict[str, list[str]]]:
        """The keys of the classes of a name, by their whole names and files."""
        cell = self._cells.get(last)
        if cell is None:
            cell = self._cells[last] = self._declaring.cell(file, last)
        named = self._named_classes.get(cell)
        if named is None:
            named = {}
            for key in self._declaring.classes(file, last):
                path, own = key.split(MARK)[:2]
                if path not in self._package_of:
                    self._package_of[path] = self._facts[path].package
                package = self._package_of[path]
                if self.rules.in_outer_packages or self.rules.whole_names:  # a file may have several
                    view = self.view(path)
                    package = view.package_at(view.facts.shapes[view.index_of(key)].scope)
                named.setdefault(f"{package}.{own}" if package else own, {}).setdefault(path, []).append(key)
            self._named_classes[cell] = named  # whole: to read a file may raise NeedsIndex
            self._files_naming[cell, False] = set().union(*named.values())
        self.answers.consulted.add(cell)
        self.answers.consulted.update(self._files_naming[cell, False])
        return named

    def _whole(self, file: str, named: Mapping[str, Mapping[str, list[str]]], name: str, arity: int) -> Type | None:
        """Of the classes of a name the nearest of a whole name, with so many type parameters."""
        found = named.get(name, {})
        if arity >= 0:
            found = {path: self._of_arity(path, keys, arity) for path, keys in found.items()}
            found = {path: keys for path, keys in found.items() if keys}
        if not found:
            return None
        path = nearest(file, found) if len(found) > 1 else next(iter(found))
        return self.of_symbol(path, self.view(path).index_of(found[path][0]))

    def _of_arity(self, path: str, keys: Sequence[str], arity: int) -> list[str]:
        view = self.view(path)
        return [key for key in keys if view.has_arity(view.index_of(key), arity)]

    def function(self, file: str, name: str) -> tuple[str, int] | None:
        """The function of a whole name: its file and symbol."""
        last = name.rpartition(".")[2]
        cell = self._declaring.cell(file, last)
        named = self._named_functions.get(cell)
        if named is None:
            named = {}
            for key in self._declaring.functions(file, last):
                path = key.partition(MARK)[0]
                view = self.view(path)
                package = view.package_at(view.facts.shapes[view.index_of(key)].scope)
                named.setdefault(f"{package}.{last}" if package else last, {}).setdefault(path, key)
            self._named_functions[cell] = named
            self._files_naming[cell, True] = set().union(*named.values())
        self.answers.consulted.add(cell)
        self.answers.consulted.update(self._files_naming[cell, True])
        found = named.get(name)
        path = nearest(file, found) if found else ""
        return (path, self.view(path).index_of(found[path])) if found else None

    def of_symbol(self, file: str, index: int) -> Type:
        """The type that a class declares."""
        facts = self.view(file).facts
        return Type(facts.symbols[index].name, file, facts.shapes[index].inner)

    def own_type(self, file: str, scope: int) -> Type:
        """The type of the class with a body."""
        view = self.view(file)
        found = view.own_types.get(scope)
        if found is None:
            index = view.bodies.get(scope)
            found = Type(view.facts.symbols[index].name if index is not None else "", file, scope)
            view.own_types[scope] = found
        return found

    def inner_type(self, type_: Type, name: str, arity: int = -1) -> Type | None:
        """The class of a name that a class, or one above it, declares."""
        for each in self.supers(type_):
            index = self.view(each.file).type_at(each.scope, name, arity) if each.is_inside else None
            if index is not None:
                return self.of_symbol(each.file, index)
        return None

    def resolved(self, file: str, scope: int, type_: TypeExpression | None, own: int = -1) -> Type | None:
        """The type that is written in a scope; None if it is not known."""
        match type_:
            case str():
                if type_ == "?":
                    return None
                is_known = type_ in self.rules.boxes or type_ == NULL.name
                return Type(type_) if is_known else self.type_named(file, scope, type_, own)
            case TypeReference(name, arguments):
                found = self.type_named(file, scope, name, own, len(arguments))
                return found._replace(arguments=tuple(self.resolved(file, scope, each, own) for each in arguments))
            case ArrayType(element):
                of_element = self.resolved(file, scope, element, own)
                return of_element and of_element._replace(dimensions=of_element.dimensions + 1)
            case IntersectionType(parts) | UnionType(parts):
                if not self.rules.is_dynamic:
                    return self.resolved(file, scope, parts[0], own)
                return either(self.resolved(file, scope, each, own) for each in parts[:MOST_PARTS])
            case OwnType():
                return self.this(file, scope)
            case FunctionType():
                return FUNCTION
        return None

    def this(self, file: str, scope: int) -> Type | None:
        """The type of the class around a scope."""
        view = self.view(file)
        while scope >= 0 and not view.is_class(scope):
            scope = view.facts.scopes[scope].parent
        return self.own_type(file, scope) if scope >= 0 else None

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
        return self.answers.answer("supers", self._supers, type_) or (type_,)

    def _supers(self, type_: Type) -> tuple[Type, ...]:
        """The same, without a call for each class: a class may extend itself with ever more arguments."""
        found: dict[tuple[str, str, int, int], Type] = {}
        parts: set[tuple[str, str, int, int]] = set()
        waiting = [type_]
        while waiting and len(found) < _MOST_ABOVE:
            each = waiting.pop()
            if each.erased not in found:
                found[each.erased] = each
                arguments = self.arguments_of(each)
                bases = self.answers.answer("bases", self._bases, each.file, each.scope) or () if each.is_inside else ()
                waiting += [base for one in reversed(bases) if (base := substituted(one, arguments)) is not None]
                others = self._other_parts(each) if each.is_inside and each.erased not in parts else ()
                parts.update(other.erased for other in others)
                waiting += others
        return tuple(found.values())

    def _other_parts(self, type_: Type) -> Sequence[Type]:
        """The other declarations of a class whose members are declared in several places, with the same arguments."""
        view = self.view(type_.file)
        index = view.bodies.get(type_.scope)
        if index is None or not view.facts.shapes[index].traits & Trait.PARTIAL:
            return ()
        own = view.generics.get(type_.scope, ())
        arguments = type_.arguments or tuple(Type(row.name, type_.file, type_.scope, is_variable=True) for row in own)
        parts = self._classes_named(type_.file, type_.name).get(view.whole_name(index), {})
        if sum(map(len, parts.values())) > _MOST_PARTS:
            return ()
        found = list[Type]()
        for path in sorted(parts):
            other = self.view(path)
            for key in parts[path]:
                each = other.index_of(key)
                shape = other.facts.shapes[each]
                is_same = (path, each) == (type_.file, index)
                if shape.traits & Trait.PARTIAL and not is_same and other.has_arity(each, len(own)):
                    found.append(Type(type_.name, path, shape.inner, arguments))
        return found

    def _bases(self, file: str, scope: int) -> "tuple[Type | None, ...]":
        """The types that a class extends and implements, with its own type parameters."""
        view = self.view(file)
        return tuple(self.resolved(file, view.around(scope), written, scope) for written in view.bases(scope))

    def limits(self, type_: Type) -> tuple[Type, ...]:
        """The types that a type parameter stands for at once; any other type itself."""
        first = self.bound(type_)
        row = self.view(type_.file).variable(type_.scope, type_.name) if type_.is_variable else None
        others = row.type.parts[1:] if row is not None and isinstance(row.type, IntersectionType) else ()
        around = self.view(type_.file).around(type_.scope) if others else -1
        found = (first, *(self.resolved(type_.file, around, each, type_.scope) for each in others))
        return tuple(each for each in found if each is not None)

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
