"""Go's types: objects of types, their fields and methods, through embedding."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping

from bearings.code.models import Binding, BindingKind, FileFacts, SymbolKind, Trait
from bearings.code.resolve.answer_cache import Memo
from bearings.code.resolve.go.builtin_names import BUILTINS
from bearings.code.resolve.go.forms import Form, FormKind, go_form
from bearings.code.resolve.go.packages import Declared, GoPackage, GoPackages
from bearings.code.resolve.modules import Modules
from bearings.code.resolve.referents import BUILTIN, CLASSES, UNRESOLVED, Env, Thing, ThingKind

_ITERATORS = {"iter.Seq": 1, "iter.Seq2": 2}
_PAIRS = 2
MOST_EMBEDDED = 200
"""Types to search for one name: a generic type that embeds itself with other arguments would never end."""

_LOOPED = frozenset({"[range]", "@"})


class GoTypes(ABC):
    """Names of packages and types. A pointer counts as its target: selectors go through it."""

    def __init__(self, facts: Mapping[str, FileFacts], modules: Modules) -> None:
        self.memo = Memo()
        self.packages = GoPackages(facts, modules, self.memo)

    @abstractmethod
    def value(self, thing: Thing) -> Thing | None:
        """The value of a symbol: an object of its type, or the referent of its value."""

    @abstractmethod
    def local(self, file: str, row: Binding) -> Thing | None:
        """The referent of a local."""

    def name(self, file: str, scope: int, name: str) -> Thing | None:
        """The referent of a bare name: in scopes, the file's imports, its package, the universe."""
        view = self.packages.view(file)
        row = view.lookup(scope, name)
        if row is not None and row.kind is not BindingKind.IMPORT:
            return self._row(file, row)
        package = self.packages.of(file)
        found = self.declared(package, name, file)
        if found is not None:
            return found
        entry = self.packages.names(file).get(name)
        if entry is not None:
            return self.packages.imported(file, entry)
        for star in view.stars:
            thing = self.packages.imported(file, star)
            dotted = self.of_package(thing, name, file) if thing.kind == ThingKind.PACKAGE else None
            if dotted is not None:
                return dotted
        return BUILTIN if name in BUILTINS else None

    def _row(self, file: str, row: Binding) -> Thing | None:
        if row.kind is BindingKind.SYMBOL:
            found = self.packages.of(file).names.get(row.name) if row.scope == 0 else None
            chosen = self.packages.of(file).choose(found, file) or (file, row.target)
            return Thing(ThingKind.SYMBOL, *chosen)
        return self.local(file, row)

    def declared(self, package: GoPackage, name: str, asker: str) -> Thing | None:
        """The declaration of a name in a package."""
        chosen = package.choose(package.names.get(name), asker)
        return Thing(ThingKind.SYMBOL, *chosen) if chosen is not None else None

    def of_package(self, thing: Thing, name: str, asker: str) -> Thing | None:
        """The declaration of a name in an imported package."""
        package = self.packages.at(thing.where)
        return self.declared(package, name, asker) if package is not None else None

    def type(self, file: str, scope: int, text: str, env: Env = ()) -> Thing | None:
        """An object of the type that a text names in a scope, with type parameters from `env`."""
        key = ("type", file, scope, text, env)
        kept = self.memo.look(key)
        if kept is not None:
            return kept.value
        if not self.memo.enter():
            return None
        self.memo.open(key)
        found = self.memo.close(self._typed(file, scope, text, env))
        self.memo.leave()
        return found

    def _typed(self, file: str, scope: int, text: str, env: Env) -> Thing | None:
        form = go_form(text)
        if form is None:
            return None
        if form.kind is not FormKind.NAME:
            return Thing(ThingKind.OBJECT, file, scope, text, env)
        if "." not in form.name:
            row = self.packages.view(file).lookup(scope, form.name)
            if row is not None and row.kind is BindingKind.TYPE_PARAMETER:
                return self._parameter(file, row, env)
        thing = self.type_symbol(file, scope, form.name)
        if thing is None:
            return None
        if thing.kind == ThingKind.OUTSIDE:
            return Thing(ThingKind.OBJECT, file, scope, text, env) if form.name in _ITERATORS else thing
        return self.instance(thing, tuple(self.type(file, scope, part, env) for part in form.parts))

    def _parameter(self, file: str, row: Binding, env: Env) -> Thing | None:
        """The referent of a type parameter; else of its constraint."""
        for at, name, thing in env:
            if at == row.scope and name == row.name:
                return thing
        if not row.type:
            return self._of_receiver(file, row)
        return self.type(file, row.scope, row.type) if row.type not in ("any", "comparable", row.name) else None

    def _of_receiver(self, file: str, row: Binding) -> Thing | None:
        """The constraint of a type parameter that a receiver names, from the receiver's type."""
        view = self.packages.view(file)
        method = view.facts.symbols[view.facts.scopes[row.scope].symbol]
        owner = self.declared(self.packages.of(file), method.qualified_name.partition(".")[0], file)
        if owner is None:
            return None
        there = self.packages.view(owner.where)
        inner = there.facts.shapes[owner.symbol].inner
        position, names = view.generics(row.scope).index(row.name), there.generics(inner)
        return self.type(owner.where, inner, names[position]) if position < len(names) else None

    def type_symbol(self, file: str, scope: int, name: str) -> Thing | None:
        """The referent of a type's name, `T` or `pkg.T`: a SYMBOL, or an outside one."""
        root, dot, last = name.partition(".")
        if not dot:
            return self.name(file, scope, root)
        entry = self.packages.names(file).get(root)
        if entry is None:
            return None
        thing = self.packages.imported(file, entry)
        if thing.kind != ThingKind.PACKAGE:
            return thing
        return self.of_package(thing, last, file) or UNRESOLVED

    def instance(self, thing: Thing, given: tuple[Thing | None, ...] = ()) -> Thing | None:
        """An object of the type that a SYMBOL declares."""
        if thing.kind != ThingKind.SYMBOL:
            return thing if thing.kind == ThingKind.OUTSIDE else None
        facts = self.packages.view(thing.where).facts
        symbol, shape = facts.symbols[thing.symbol], facts.shapes[thing.symbol]
        if symbol.kind not in CLASSES:
            return None
        env = self.bound(thing.where, shape.inner, given)
        if shape.traits & Trait.ALIAS:
            return self.type(thing.where, shape.inner, shape.type, env)
        return Thing(ThingKind.INSTANCE, thing.where, thing.symbol, "", env)

    def bound(self, file: str, scope: int, given: tuple[Thing | None, ...], skip: int = 0) -> Env:
        """The type parameters that a scope declares, without the first `skip`, with their arguments."""
        if not given:
            return ()
        names = self.packages.view(file).generics(scope)[skip:]
        return tuple((scope, name, thing) for name, thing in zip(names, given, strict=False))

    def form(self, thing: Thing) -> Form | None:
        """The form of an OBJECT's type."""
        return go_form(thing.text)

    def part(self, thing: Thing, text: str) -> Thing | None:
        """An object of a part of an OBJECT's type."""
        return self.type(thing.where, thing.symbol, text, thing.env) if text else None

    def underlying(self, thing: Thing) -> Thing | None:
        """The underlying type of a defined type; an INSTANCE of a struct or interface is returned unchanged."""
        for _ in range(_PAIRS**3):
            if thing.kind != ThingKind.INSTANCE:
                return thing
            facts = self.packages.view(thing.where).facts
            if facts.symbols[thing.symbol].kind is not SymbolKind.TYPE:
                return thing
            shape = facts.shapes[thing.symbol]
            below = self.type(thing.where, shape.inner, shape.type, thing.env)
            if below is None:
                return None
            thing = below
        return None

    def element(self, thing: Thing, step: str) -> Thing | None:
        """A step's result: `[]` an element, `[<-]` a received value, `[range]` and `@` a loop's, `[0]` a result."""
        if thing.kind == ThingKind.OUTSIDE:
            return thing
        below = self.iterated(thing) if thing.kind == ThingKind.SYMBOL else self.underlying(thing)
        if thing.kind == ThingKind.SYMBOL and (step not in _LOOPED or below is None):
            return thing  # a function with its type arguments
        if below is None or below.kind != ThingKind.OBJECT:
            return below if below is not None and below.kind == ThingKind.OUTSIDE else None
        form = self.form(below)
        if form is None:
            return None
        if form.kind is FormKind.TUPLE and step[1:-1].isdecimal():
            position = int(step[1:-1])
            return self.part(below, form.parts[position]) if position < len(form.parts) else None
        if step == "[0]":  # a single result, named as the first of several
            return thing
        return self._element(below, form, step)

    def iterated(self, thing: Thing) -> Thing | None:
        """The type of a function that a loop ranges over."""
        shape = self.packages.view(thing.where).facts.shapes[thing.symbol]
        return self.type(thing.where, shape.inner, shape.type, thing.env) if shape.inner >= 0 else None

    def _element(self, thing: Thing, form: Form, step: str) -> Thing | None:
        if form.kind is FormKind.SEQUENCE:
            return BUILTIN if step == "[range]" else self.part(thing, form.parts[0])
        if form.kind is FormKind.MAP:
            return self.part(thing, form.parts[0 if step == "[range]" else 1])
        if form.kind is FormKind.CHANNEL:
            return self.part(thing, form.parts[0]) if step in ("[<-]", "[range]") else None
        position = 0 if step == "[range]" else 1
        if form.kind is FormKind.FUNCTION and step in _LOOPED:
            yields = go_form(form.parts[0]) if len(form.parts) == _PAIRS else None
            return self.part(thing, yields.parts[position]) if yields and position < len(yields.parts) - 1 else None
        if form.name in _ITERATORS and position < len(form.parts):
            return self.part(thing, form.parts[position])
        return None

    def member(self, thing: Thing, name: str, asker: str) -> Thing | None:
        """The referent of `thing.name`: a field, a method, a declaration of a package."""
        if thing.kind == ThingKind.OUTSIDE:
            return thing
        if thing.kind == ThingKind.PACKAGE:
            return self.of_package(thing, name, asker) or UNRESOLVED
        if thing.kind == ThingKind.SYMBOL:
            value = self.held(thing)
            held = self.instance(thing) if value == thing else value
            return self.member(held, name, asker) if held is not None and held != thing else None
        if thing.kind == ThingKind.INSTANCE:
            key = ("member", thing, name)
            kept = self.memo.look(key)
            if kept is not None:
                return kept.value
            self.memo.open(key)
            return self.memo.close(self._selected(thing, name))
        form = self.form(thing)
        if form is None or name not in form.names:
            return None
        return self.part(thing, form.parts[form.names.index(name)])

    def _selected(self, thing: Thing, name: str) -> Thing | None:
        """The field or method at the shallowest depth, if it is the only one there (Go specification, "Selectors").

        The methods of embedded interfaces are an interface's own; several may declare the same one.
        """
        level, seen, outside = [(thing, thing)], set[tuple[Thing, Thing]](), None
        while level and len(seen) < MOST_EMBEDDED:
            found: dict[Thing, Thing] = {}
            below: list[tuple[Thing, Thing]] = []
            for here, root in level:
                if here.kind == ThingKind.OUTSIDE:
                    outside = here
                elif (here, root) not in seen:
                    seen.add((here, root))
                    own = self.own(here, name)
                    if own is not None:
                        found.setdefault(root, own)
                    below += [(one, root if self.is_interface(here) else one) for one in self.embedded(here)]
            if found:
                return next(iter(found.values())) if len(found) == 1 else None
            level = below
        return outside

    def is_interface(self, thing: Thing) -> bool:
        """Whether an object is of an interface of the project."""
        below = self.underlying(thing)
        if below is None or below.kind != ThingKind.INSTANCE:
            return False
        return self.packages.view(below.where).facts.symbols[below.symbol].kind is SymbolKind.INTERFACE

    def own(self, thing: Thing, name: str) -> Thing | None:
        """An object's own field or method, without those of embedded types."""
        if thing.kind == ThingKind.OBJECT:
            form = self.form(thing)
            return self.part(thing, form.parts[form.names.index(name)]) if form and name in form.names else None
        method = self.method(thing, name)
        if method is not None:
            return Thing(ThingKind.SYMBOL, *method, "", thing.env)
        below = self.underlying(thing)
        if below is None or below.kind != ThingKind.INSTANCE:
            return self.own(below, name) if below is not None and below.kind == ThingKind.OBJECT else None
        index = self.packages.view(below.where).members.get(below.symbol, {}).get(name)
        return Thing(ThingKind.SYMBOL, below.where, index, "", below.env) if index is not None else None

    def method(self, thing: Thing, name: str) -> Declared | None:
        """A method declared for a type, in any file of its package."""
        symbol = self.packages.view(thing.where).facts.symbols[thing.symbol]
        package = self.packages.of(thing.where)
        return package.choose(package.methods.get(symbol.qualified_name, {}).get(name), thing.where)

    def embedded(self, thing: Thing) -> Iterator[Thing]:
        """The embedded types of a struct or interface."""
        below = self.underlying(thing) if thing.kind == ThingKind.INSTANCE else thing
        if below is None or below.kind == ThingKind.OBJECT:
            return
        if below.kind == ThingKind.OUTSIDE:
            yield below
            return
        shape = self.packages.view(below.where).facts.shapes[below.symbol]
        for base in shape.bases:
            found = self.type(below.where, shape.inner, base, below.env)
            yield found if found is not None else UNRESOLVED if go_form(base) is not None else BUILTIN

    def held(self, thing: Thing) -> Thing:
        """The value of a referent: an object for a variable or field, the function or type itself otherwise."""
        if thing.kind != ThingKind.SYMBOL:
            return thing
        kind = self.packages.view(thing.where).facts.symbols[thing.symbol].kind
        if kind in CLASSES or kind in (SymbolKind.FUNCTION, SymbolKind.METHOD) or not self.memo.enter():
            return thing
        value = self.value(thing)
        self.memo.leave()
        return value or thing
