"""Go's types: objects of types, their fields and methods, through embedding.

type Cart struct { Base; Items []Item }     the fields and methods of Base are Cart's, if no other is nearer
for _, item := range cart.Items             an element of the field's type
func (c *Cart) Total() int                  a method, in whatever file of the package
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence

from bearings.code.expressions import Item, Take
from bearings.code.file_facts import Binding, BindingKind, FileFacts, Trait
from bearings.code.models import SymbolKind
from bearings.code.resolve.context import AnswerCache
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.referent import INSTANCE, OBJECT, OUTSIDE, PACKAGE, SYMBOL, Env, Referent
from bearings.code.resolve.referents import (
    BUILTIN,
    CLASSES,
    EXTERNAL,
    INLINE,
    UNRESOLVED,
    instance_of,
    is_instance,
    is_object,
    is_outside,
    most_bases,
    object_of,
    symbol_at,
)
from bearings.code.resolve.rules.go.packages import Declared, GoPackage, GoPackages, GoSources
from bearings.code.resolve.rules.go.semantics import GO
from bearings.code.resolve.rules.library_table import MARK, LibraryClass, library_of
from bearings.code.type_expressions import (
    ArrayType,
    ChannelType,
    FunctionType,
    MapType,
    ObjectType,
    OtherType,
    PointerType,
    TupleType,
    TypeExpression,
    TypeReference,
)

ITERATORS = frozenset({"~iter.Seq", "~iter.Seq2"})
_PAIRS = 2
_LOOPED = frozenset({Take.KEY, Take.EACH})


class GoTypes(ABC):
    """Names of packages and types. A pointer counts as its target: selectors go through it."""

    def __init__(self, facts: Mapping[str, FileFacts], modules: Modules, sources: GoSources | None = None) -> None:
        self.answers = AnswerCache()
        self.packages = GoPackages(facts, modules, self.answers, sources)

    @abstractmethod
    def value(self, referent: Referent) -> Referent | None:
        """The value of a symbol: an object of its type, or the referent of its value."""

    @abstractmethod
    def local(self, file: str, row: Binding) -> Referent | None:
        """The referent of a local."""

    def name(self, file: str, scope: int, name: str) -> Referent | None:
        """The referent of a bare name: in scopes, the file's imports, its package, the universe."""
        view = self.packages.view(file)
        row = view.lookup(scope, name)
        if row is not None and row.kind is not BindingKind.IMPORT and row.kind is not BindingKind.SYMBOL:
            return self.local(file, row)
        package = self.packages.package_of(file)
        if row is not None and row.kind is BindingKind.SYMBOL:
            # The same name may be declared in several files, for several systems.
            declarations = package.named(row.name) if row.scope == 0 else None
            return symbol_at(*(package.choose(declarations, file) or (file, row.target)))
        declared = self.declaration(package, name, file)
        if declared is not None:
            return declared
        entry = self.packages.names(file).get(name)
        if entry is not None:
            return self.packages.imported(file, entry)
        for star in view.stars:
            referent = self.packages.imported(file, star)
            dotted = self.package_member(referent, name, file) if referent.kind == PACKAGE else None
            if dotted is not None:
                return dotted
        return BUILTIN if name in GO.builtins else None

    def declaration(self, package: GoPackage, name: str, asker: str) -> Referent | None:
        """The declaration of a name in a package."""
        chosen = package.choose(package.named(name), asker)
        return symbol_at(*chosen) if chosen is not None else None

    def package_member(self, referent: Referent, name: str, asker: str) -> Referent | None:
        """The declaration of a name in an imported package."""
        package = self.packages.at(referent.file)
        return self.declaration(package, name, asker) if package is not None else None

    def resolve_type(self, file: str, scope: int, type_: TypeExpression | None, env: Env = ()) -> Referent | None:
        """An object of the type that is named in a scope, with type parameters from `env`; None if unknown."""
        if type_ is None:
            return None
        type_ = pointed(type_)
        key = ("type", file, scope, type_, env)
        cached = self.answers.ask(key, deeper=True)
        referent: Referent | None
        if cached is not None:
            referent = cached.value
        else:
            referent = self.answers.close(self._resolve_type(file, scope, type_, env))
            self.answers.leave()
        return referent

    def _resolve_type(self, file: str, scope: int, type_: TypeExpression, env: Env) -> Referent | None:
        if isinstance(type_, OtherType):
            return None
        if not isinstance(type_, (str, TypeReference)):
            return object_of(file, scope, type_, env)
        name, arguments = (type_, ()) if isinstance(type_, str) else (type_.name, type_.arguments)
        if name[0] == MARK:
            bound = (referent for at, parameter, referent in env if (at, parameter) == (INLINE, name))
            return object_of(file, scope, type_, env) if "." in name else next(bound, None)
        if "." not in name:
            row = self.packages.view(file).lookup(scope, name)
            if row is not None and row.kind is BindingKind.TYPE_PARAMETER:
                return self._parameter(file, row, env)
        referent = self.type_symbol(file, scope, name)
        if referent is None:
            return None
        if referent.kind == OUTSIDE:
            known = self.library_type(file, name) if arguments else ""
            return object_of(file, scope, TypeReference(known, arguments), env) if known else referent
        return self.instance(referent, tuple(self.resolve_type(file, scope, part, env) for part in arguments))

    def _parameter(self, file: str, row: Binding, env: Env) -> Referent | None:
        """The referent of a type parameter; else of its constraint."""
        for at, name, referent in env:
            if at == row.scope and name == row.name:
                return referent
        if row.type is None:
            return self._of_receiver(file, row)
        return self.resolve_type(file, row.scope, row.type) if row.type not in ("any", "comparable", row.name) else None

    def _of_receiver(self, file: str, row: Binding) -> Referent | None:
        """The constraint of a type parameter that a receiver names, from the receiver's type."""
        view = self.packages.view(file)
        method = view.facts.symbols[view.facts.scopes[row.scope].symbol]
        owner = self.declaration(self.packages.package_of(file), method.qualified_name.partition(".")[0], file)
        if owner is None:
            return None
        owner_view = self.packages.view(owner.file)
        inner = owner_view.facts.shapes[owner.symbol].inner
        position, names = view.generics(row.scope).index(row.name), owner_view.generics(inner)
        return self.resolve_type(owner.file, inner, names[position]) if position < len(names) else None

    def type_symbol(self, file: str, scope: int, name: str) -> Referent | None:
        """The referent of a type's name, `T` or `pkg.T`: a SYMBOL, or an outside one."""
        root, dot, last = name.partition(".")
        if not dot:
            return self.name(file, scope, root)
        entry = self.packages.names(file).get(root)
        if entry is None:
            return None
        referent = self.packages.imported(file, entry)
        if referent.kind != PACKAGE:
            return referent
        return self.package_member(referent, last, file) or UNRESOLVED

    def library_type(self, file: str, name: str) -> str:
        """The name of a generic type of the standard library, as its table has it; empty for another."""
        root, _, last = name.partition(".")
        entry = self.packages.names(file).get(root) if last else None
        known = f"{entry.module}.{last}" if entry is not None else ""
        return MARK + known if known in library_of(GO.family).classes else ""

    def library_class(self, referent: Referent | None) -> LibraryClass | None:
        """The generic type of the standard library that an object has."""
        type_ = referent.type if is_object(referent) else None
        if not isinstance(type_, TypeReference) or type_.name[0] != MARK:
            return None
        return library_of(GO.family).classes.get(type_.name[1:])

    def instance(self, referent: Referent, arguments: tuple[Referent | None, ...] = ()) -> Referent | None:
        """An object of the type that a SYMBOL declares, with its type arguments; None for a SYMBOL of another kind."""
        if referent.kind != SYMBOL:
            return referent if referent.kind == OUTSIDE else None
        facts = self.packages.view(referent.file).facts
        symbol, shape = facts.symbols[referent.symbol], facts.shapes[referent.symbol]
        if symbol.kind not in CLASSES:
            return None
        env = self.bind_type_parameters(referent.file, shape.inner, arguments)
        if shape.traits & Trait.ALIAS:
            return self.resolve_type(referent.file, shape.inner, shape.type, env)
        return instance_of(referent.file, referent.symbol, env)

    def bind_type_parameters(self, file: str, scope: int, arguments: tuple[Referent | None, ...], skip: int = 0) -> Env:
        """The type parameters that a scope declares, without the first `skip`, with their arguments."""
        if not arguments:
            return ()
        names = self.packages.view(file).generics(scope)[skip:]
        return tuple((scope, name, referent) for name, referent in zip(names, arguments, strict=False))

    def resolve_part(self, referent: Referent, type_: TypeExpression | None) -> Referent | None:
        """An object of a part of an OBJECT's type."""
        return self.resolve_type(referent.file, referent.symbol, type_, referent.env)

    def underlying(self, referent: Referent) -> Referent | None:
        """The underlying type of a defined type; an INSTANCE of a struct or interface is returned unchanged."""
        for _ in range(_PAIRS**3):
            if referent.kind != INSTANCE:
                return referent
            facts = self.packages.view(referent.file).facts
            if facts.symbols[referent.symbol].kind is not SymbolKind.TYPE:
                return referent
            shape = facts.shapes[referent.symbol]
            below = self.resolve_type(referent.file, shape.inner, shape.type, referent.env)
            if below is None:
                return None
            referent = below
        return None

    def element(self, referent: Referent, step: Item) -> Referent | None:
        """What a step takes from a referent. An ELEMENT with an index is one of several results."""
        if referent.kind == OUTSIDE:
            return referent
        below = self.iterated(referent) if referent.kind == SYMBOL else self.underlying(referent)
        if step.take is Take.FIELDS:  # of `Point{1, 2}`
            return self._field_at(below, step.index) if is_instance(below) else None
        if referent.kind == SYMBOL and (step.take not in _LOOPED or below is None):
            return referent  # a function with its type arguments
        if not is_object(below):
            return below if is_outside(below) else None
        if isinstance(below.type, TupleType) and step.index >= 0:
            parts = below.type.parts
            return self.resolve_part(below, parts[step.index]) if step.index < len(parts) else None
        if step.index == 0:  # a single result, named as the first of several
            return referent
        return self._element(below, step.take)

    def _field_at(self, referent: Referent, place: int) -> Referent | None:
        """The field of a struct at a place."""
        view = self.packages.view(referent.file)
        members = view.members.get(referent.symbol, {}).values()
        fields = [index for index in members if view.facts.symbols[index].kind is SymbolKind.PROPERTY]
        return symbol_at(referent.file, fields[place], referent.env) if place < len(fields) else None

    def iterated(self, referent: Referent) -> Referent | None:
        """The type of a function that a loop ranges over."""
        shape = self.packages.view(referent.file).facts.shapes[referent.symbol]
        return self.resolve_type(referent.file, shape.inner, shape.type, referent.env) if shape.inner >= 0 else None

    def _element(self, referent: Referent, take: Take) -> Referent | None:
        is_first = take is Take.KEY
        match referent.type:
            case ArrayType(element):
                return BUILTIN if is_first else self.resolve_part(referent, element)
            case MapType(key, value):
                return self.resolve_part(referent, key if is_first else value)
            case ChannelType(element):
                return self.resolve_part(referent, element) if take in (Take.RECEIVED, Take.KEY) else None
            # `func(yield func(K, V) bool)`, over which a loop ranges
            case FunctionType(parameters) if take in _LOOPED and len(parameters) == 1:
                yields = parameters[0].type
                yielded = yields.parameters if isinstance(yields, FunctionType) else ()
                position = 0 if is_first else 1
                return self.resolve_part(referent, yielded[position].type) if position < len(yielded) else None
            case TypeReference(name, arguments) if name in ITERATORS:
                position = 0 if is_first else 1
                return self.resolve_part(referent, arguments[position]) if position < len(arguments) else None
        return None

    def member(self, referent: Referent, name: str, asker: str) -> Referent | None:
        """The referent of `thing.name`: a field, a method, a declaration of a package."""
        if referent.kind == OUTSIDE:
            return referent
        if referent.kind == PACKAGE:
            return self.package_member(referent, name, asker) or UNRESOLVED
        if referent.kind == SYMBOL:
            view = self.packages.view(referent.file)
            field = view.members.get(referent.symbol, {}).get(name)
            if field is not None and view.facts.symbols[referent.symbol].kind is SymbolKind.PROPERTY:
                return symbol_at(referent.file, field, referent.env)  # of a struct without a name
            value = self.value_or_self(referent)
            owner = self.instance(referent) if value == referent else value  # `Cart.Total`: a method of the type itself
            return self.member(owner, name, asker) if owner is not None and owner != referent else None
        if referent.kind == INSTANCE:
            key = ("member", referent, name)
            cached = self.answers.ask(key)
            return cached.value if cached is not None else self.answers.close(self._selected(referent, name))
        if self.library_class(referent) is not None:
            return EXTERNAL
        return self.resolve_part(referent, _field(referent.type, name))

    def _selected(self, referent: Referent, name: str) -> Referent | None:
        """The field or method at the shallowest depth, if it is the only one there (Go specification, "Selectors").

        The methods of embedded interfaces are an interface's own, and several may declare the same one: all that
        an interface embeds has the interface as its `root`, any other embedded type is a root.
        """
        level, seen, outside = [(referent, referent)], set[tuple[Referent, Referent]](), None
        most = most_bases(len(self.packages.view(referent.file).facts.symbols))
        while level and len(seen) < most:  # a generic type may embed itself with other arguments, without an end
            selected: dict[Referent, Referent] = {}
            below: list[tuple[Referent, Referent]] = []
            for owner, root in level:
                if owner.kind == OUTSIDE:
                    outside = owner
                elif (owner, root) not in seen:
                    seen.add((owner, root))
                    member = self.own_member(owner, name)
                    if member is not None:
                        selected.setdefault(root, member)
                    embedded = self.embedded(owner)
                    is_interface = bool(embedded) and self.is_interface(owner)
                    below += [(base, root if is_interface else base) for base in embedded]
            if selected:
                return next(iter(selected.values())) if len(selected) == 1 else None
            level = below[:most]
        return outside

    def is_interface(self, referent: Referent) -> bool:
        """Whether an object is of an interface of the project."""
        below = self.underlying(referent)
        if not is_instance(below):
            return False
        return self.packages.view(below.file).facts.symbols[below.symbol].kind is SymbolKind.INTERFACE

    def own_member(self, referent: Referent, name: str) -> Referent | None:
        """An object's own field or method, without those of embedded types."""
        if referent.kind == OBJECT:
            return self.resolve_part(referent, _field(referent.type, name))
        method = self.method(referent, name)
        if method is not None:
            return symbol_at(*method, referent.env)
        below = self.underlying(referent)
        if not is_instance(below):
            return self.own_member(below, name) if is_object(below) else None
        index = self.packages.view(below.file).members.get(below.symbol, {}).get(name)
        return symbol_at(below.file, index, below.env) if index is not None else None

    def method(self, referent: Referent, name: str) -> Declared | None:
        """A method declared for a type, in any file of its package."""
        symbol = self.packages.view(referent.file).facts.symbols[referent.symbol]
        package = self.packages.package_of(referent.file)
        return package.choose(package.methods_of(symbol.qualified_name).get(name), referent.file)

    def embedded(self, referent: Referent) -> Sequence[Referent]:
        """The embedded types of a struct or interface."""
        cached = self.answers.ask(("embedded", referent))
        embedded = cached.value if cached is not None else self.answers.close(tuple(self._embedded(referent)))
        return embedded or ()

    def _embedded(self, referent: Referent) -> Iterator[Referent]:
        below = self.underlying(referent) if referent.kind == INSTANCE else referent
        if below is None or below.kind == OBJECT:
            return
        if below.kind == OUTSIDE:
            yield below
            return
        shape = self.packages.view(below.file).facts.shapes[below.symbol]
        for base in shape.bases:
            type_ = self.resolve_type(below.file, shape.inner, base.type, below.env)
            type_ = EXTERNAL if self.library_class(type_) is not None else type_
            yield type_ if type_ is not None else BUILTIN if isinstance(base.type, OtherType) else UNRESOLVED

    def value_or_self(self, referent: Referent) -> Referent:
        """The value of a referent: an object for a variable or field, the function or type itself otherwise."""
        if referent.kind != SYMBOL:
            return referent
        kind = self.packages.view(referent.file).facts.symbols[referent.symbol].kind
        if kind in CLASSES or kind in (SymbolKind.FUNCTION, SymbolKind.METHOD) or not self.answers.enter():
            return referent
        value = self.value(referent)
        self.answers.leave()
        return value or referent


def pointed(type_: TypeExpression) -> TypeExpression:
    """A type without the pointers to it."""
    while isinstance(type_, PointerType):
        type_ = type_.target
    return type_


def _field(type_: TypeExpression, name: str) -> TypeExpression | None:
    """The type of a field or method of a struct or interface without a name."""
    members = type_.members if isinstance(type_, ObjectType) else ()
    return next((member.type for member in members if member.name == name), None)
