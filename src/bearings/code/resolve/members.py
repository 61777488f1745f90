"""Members of modules, classes and objects: own, inherited, or of a symbol's value."""

from abc import abstractmethod
from collections.abc import Iterator

from bearings.code.models import BindingKind, SymbolKind, Trait
from bearings.code.resolve.exports import Exports
from bearings.code.resolve.file_view import FileView
from bearings.code.resolve.referents import (
    BUILTIN,
    CLASSES,
    EXTERNAL,
    OWN,
    UNRESOLVED,
    Env,
    Thing,
    ThingKind,
    as_kind,
    plain,
)
from bearings.code.resolve.type_texts import split

_FUNCTIONS = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.HOOK, SymbolKind.COMPONENT})
_MADE = frozenset({SymbolKind.METHOD, SymbolKind.PROPERTY})


class Members(Exports):
    """Adds `member` to the exports of modules."""

    @abstractmethod
    def value(self, thing: Thing) -> Thing | None:
        """The value of a symbol: an object of its type, or the referent of its value."""

    @abstractmethod
    def type(self, file: str, scope: int, text: str, env: Env = (), *, awaited: bool = False) -> Thing | None:
        """An object of an annotated type; None if unknown."""

    @abstractmethod
    def bound(self, file: str, scope: int, given: tuple[Thing | None, ...]) -> Env:
        """The type parameters of a scope, with their arguments."""

    @abstractmethod
    def member_of_type(self, thing: Thing, name: str) -> Thing | None:
        """A member of an OBJECT."""

    def member(self, thing: Thing, name: str, *, types: bool = False) -> Thing | None:
        """The referent of `thing.name`."""
        if thing.kind == ThingKind.OUTSIDE:
            return thing
        if thing.kind == ThingKind.MODULE:
            return self.export(thing.where, name, types=types)
        if thing.kind == ThingKind.PACKAGE:
            return self._submodule(thing, name) or EXTERNAL
        key = ("member", thing, name, types)
        kept = self.memo.look(key)
        if kept is not None:
            return kept.value
        self.memo.open(key)
        return self.memo.close(self._member(thing, name, types=types))

    def _member(self, thing: Thing, name: str, *, types: bool) -> Thing | None:
        if thing.kind in (ThingKind.OBJECT, ThingKind.LITERAL):
            if not self.memo.enter():
                return None
            found = self.member_of_type(thing, name) if thing.kind == ThingKind.OBJECT else self._property(thing, name)
            self.memo.leave()
            return found
        facts = self.views[thing.where].facts
        kind = facts.symbols[thing.symbol].kind
        if kind in CLASSES:
            return self._inherited(thing, name, types=types)
        if facts.shapes[thing.symbol].traits & Trait.CONSTRUCTS and thing.kind == ThingKind.INSTANCE:
            return self._of_made(thing, name)
        is_typed = bool(facts.shapes[thing.symbol].type)
        own = self.own(thing.where, thing.symbol, name, types=types) or self._merged(thing, name, types=types)
        own = own or self._beside(thing, name)
        if own is not None and not is_typed:
            return own
        if not self.memo.enter():
            return own
        held = self.value(thing)
        found = self.member(held, name) if held is not None and held != thing else None
        self.memo.leave()
        return own if found is None or (own is not None and found.kind == ThingKind.OUTSIDE) else found

    def _merged(self, thing: Thing, name: str, *, types: bool) -> Thing | None:
        """A member of a namespace that is merged with a class, a function, an enum or another namespace."""
        if thing.kind == ThingKind.SYMBOL:
            for namespace in self.views[thing.where].namespaces(thing.symbol):
                found = self.own(thing.where, namespace, name, types=types)
                if found is not None:
                    return found
        return None

    def _beside(self, thing: Thing, name: str) -> Thing | None:
        """A CommonJS module's export beside its `module.exports`, which the referent is."""
        view = self.views[thing.where]
        rows = view.exports.get(name)
        if (
            not rows
            or "=" not in view.exports
            or rows[0].module
            or self._whole(Thing(ThingKind.MODULE, thing.where)) != thing
        ):
            return None
        return self.export(thing.where, name)

    def _of_made(self, thing: Thing, name: str) -> Thing | None:
        """A member of an object of a constructor function: of its prototype, or assigned to `this`."""
        view = self.views[thing.where]
        for row in view.members(thing.symbol).get(name, ()):
            if view.facts.symbols[row].kind in _MADE and not view.is_static(row):
                return plain(ThingKind.SYMBOL, thing.where, row)
        return None

    def _property(self, thing: Thing, name: str) -> Thing | None:
        """A property of an object literal, or of an object that is spread in it."""
        view = self.views[thing.where]
        around = view.facts.scopes[thing.symbol].parent
        for row in view.rows_of(thing.symbol, name):
            if row.kind is BindingKind.SYMBOL:
                return plain(ThingKind.SYMBOL, thing.where, row.target)
            return self.expression(thing.where, around, row.value, row.line)
        for row in view.rows_of(thing.symbol, "..."):
            spread = self.expression(thing.where, around, row.value, row.line)
            found = self.member(spread, name) if spread is not None else None
            if found is not None:
                return found
        return None

    def own(self, file: str, symbol: int, name: str, *, types: bool = False) -> Thing | None:
        """A symbol's own member; `name` is dotted for a member of an object inside it."""
        view = self.views[file]
        rows = view.members(symbol).get(name, ())
        symbols = view.facts.symbols
        fits = [row for row in rows if (symbols[row].kind in CLASSES) >= types]
        if fits and symbols[symbol].kind in _FUNCTIONS and view.semantics.functions_hold_members:
            fits = [row for row in fits if not self._is_inside(view, row, symbol)]
        return plain(ThingKind.SYMBOL, file, fits[0]) if fits else None

    def _is_inside(self, view: FileView, row: int, symbol: int) -> bool:
        """Whether a symbol is declared in a function's body, so that it is no member."""
        shapes, scopes = view.facts.shapes, view.facts.scopes
        scope, inner = shapes[row].scope, shapes[symbol].inner
        if inner < 0 or shapes[symbol].value[:1] == "#":
            return False
        while scope > inner:
            scope = scopes[scope].parent
        return scope == inner

    def _inherited(self, thing: Thing, name: str, *, types: bool) -> Thing | None:
        """A member of a class or interface: its own, or of the nearest base, depth first."""
        last = None
        static = thing.kind == ThingKind.SYMBOL
        for here in self.lineage(thing):
            if here == BUILTIN:
                last = here
                continue
            if here.kind == ThingKind.OUTSIDE:
                return here
            if here.kind not in OWN:
                found = self.member(here, name)
                if found is not None:
                    return found
                continue
            for row in self.views[here.where].members(here.symbol).get(name, ()):
                if self._reaches(here, row, static=static):
                    return plain(ThingKind.SYMBOL, here.where, row, here.env)
            merged = self._merged(here, name, types=types) if static else None
            if merged is not None:
                return merged
        return last

    def lineage(self, thing: Thing) -> Iterator[Thing]:
        """A class or interface with its other declarations and all its bases, depth first."""
        stack, seen = [thing], set()
        while stack:
            here = stack.pop()
            if here in seen:
                continue
            seen.add(here)
            yield here
            if here.kind not in OWN:
                continue
            bases = self._bases(here.where, here.symbol, here.env)
            stack += [as_kind(base, thing.kind) if base.kind in OWN else base for base in reversed(bases)]
            if thing.kind == ThingKind.INSTANCE:
                doubles = self.views[here.where].doubles(here.symbol)
                stack += [here._replace(symbol=double) for double in reversed(doubles)]

    def _reaches(self, owner: Thing, row: int, *, static: bool) -> bool:
        """Whether a member belongs to the class itself or to its objects."""
        view = self.views[owner.where]
        is_property = view.facts.symbols[row].kind is SymbolKind.PROPERTY
        if view.semantics.class_members_are_shared:
            return not (static and is_property and not view.is_static(row))
        return view.is_static(row) == static

    def _bases(self, file: str, index: int, env: Env = ()) -> list[Thing]:
        """The bases of a class or interface, in order; an unknown base is outside."""
        view = self.views[file]
        shape = view.facts.shapes[index]
        is_interface = view.facts.symbols[index].kind is SymbolKind.INTERFACE
        found = []
        for base in shape.bases:
            if is_interface:
                thing = self.type(file, shape.inner, base, env)
            else:
                thing = self._base_class(file, index, base, env)
            usable = thing is not None and thing.kind != ThingKind.MODULE and thing.kind != ThingKind.PACKAGE
            found.append(thing if usable and thing is not None else UNRESOLVED)
        return found

    def _base_class(self, file: str, index: int, base: str, env: Env) -> Thing | None:
        """The class that a class extends, with the type arguments for it."""
        view = self.views[file]
        shape = view.facts.shapes[index]
        name, _, arguments = base.partition("<")
        thing = self.expression(file, shape.scope, name, view.facts.symbols[index].line)
        if thing is None:
            return None
        if not self._is_class(thing):
            return self.value(thing) or thing
        if arguments and thing.kind == ThingKind.SYMBOL:
            given = tuple(self.type(file, shape.inner, part, env) for part in split(arguments[:-1], ","))
            inner = self.views[thing.where].facts.shapes[thing.symbol].inner
            return thing._replace(env=self.bound(thing.where, inner, given))
        return thing

    def _is_class(self, thing: Thing) -> bool:
        return thing.kind != ThingKind.SYMBOL or self.views[thing.where].facts.symbols[thing.symbol].kind in CLASSES
