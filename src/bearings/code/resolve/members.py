"""Members of modules, classes and objects: own, inherited, or of what a symbol holds."""

from abc import abstractmethod

from bearings.code.models import SymbolKind
from bearings.code.resolve.exports import Exports
from bearings.code.resolve.things import BUILTIN, CLASSES, EXTERNAL, UNRESOLVED, Thing, ThingKind


class Members(Exports):
    """Adds `member` to what modules offer."""

    @abstractmethod
    def value(self, thing: Thing) -> Thing | None:
        """What a symbol holds: an object of its type, or what its value stands for."""

    @abstractmethod
    def type(self, file: str, scope: int, text: str, *, awaited: bool = False) -> Thing | None:
        """An object of the type that an annotation names; None where that is no class or interface of the project."""

    def member(self, thing: Thing, name: str, *, types: bool = False) -> Thing | None:
        """What `thing.name` stands for."""
        if thing.kind is ThingKind.OUTSIDE:
            return thing
        if thing.kind is ThingKind.MODULE:
            return self.export(thing.where, name, types=types)
        if thing.kind is ThingKind.PACKAGE:
            return self._submodule(thing, name) or EXTERNAL
        key = ("member", thing, name, types)
        kept = self.memo.look(key)
        if kept is not None:
            return kept.value
        self.memo.open(key)
        return self.memo.close(self._member(thing, name, types=types))

    def _member(self, thing: Thing, name: str, *, types: bool) -> Thing | None:
        facts = self.views[thing.where].facts
        kind = facts.symbols[thing.symbol].kind
        if kind in CLASSES:
            return self._inherited(thing, name)
        own = self.own(thing.where, thing.symbol, name, types=types)
        if own is not None:
            return own
        if not self.memo.enter():
            return None
        held = self.value(thing)
        found = self.member(held, name) if held is not None and held != thing else None
        self.memo.leave()
        return found

    def own(self, file: str, symbol: int, name: str, *, types: bool = False) -> Thing | None:
        """A symbol's own member; `name` is dotted for one of an object inside it."""
        view = self.views[file]
        rows = view.members.get(symbol, {}).get(name, ())
        symbols = view.facts.symbols
        fits = [row for row in rows if (symbols[row].kind in CLASSES) >= types]
        return Thing(ThingKind.SYMBOL, file, fits[0]) if fits else None

    def _inherited(self, thing: Thing, name: str) -> Thing | None:
        """A member of a class or interface, its own or of the nearest base, depth first."""
        stack, seen, last = [thing], set(), None
        while stack:
            here = stack.pop()
            if here in seen:
                continue
            seen.add(here)
            if here == BUILTIN:
                last = here
                continue
            if here.kind is ThingKind.OUTSIDE:
                return here
            for row in self.views[here.where].members.get(here.symbol, {}).get(name, ()):
                if self._reaches(here, row, static=thing.kind is ThingKind.SYMBOL):
                    return Thing(ThingKind.SYMBOL, here.where, row)
            stack += [
                base._replace(kind=thing.kind) if base.symbol >= 0 else base
                for base in reversed(self._bases(*here[1:]))
            ]
        return last

    def _reaches(self, owner: Thing, row: int, *, static: bool) -> bool:
        """Whether a member is seen on the class itself, or on its objects: in Python on both."""
        view = self.views[owner.where]
        is_property = view.facts.symbols[row].kind is SymbolKind.PROPERTY
        if view.is_python:
            return not (static and is_property and not view.is_static(row))
        return view.is_static(row) == static

    def _bases(self, file: str, index: int) -> list[Thing]:
        """What a class or interface extends, in order; an unknown base is outside."""
        view = self.views[file]
        shape = view.facts.shapes[index]
        found = []
        for base in shape.bases:
            if view.facts.symbols[index].kind is SymbolKind.INTERFACE:
                thing = self.type(file, shape.inner, base)
            else:
                thing = self.expression(file, shape.scope, base, view.facts.symbols[index].line)
                thing = self.value(thing) or thing if thing is not None and not self._is_class(thing) else thing
            usable = thing is not None and thing.kind in (ThingKind.SYMBOL, ThingKind.INSTANCE, ThingKind.OUTSIDE)
            found.append(thing if usable and thing is not None else UNRESOLVED)
        return found

    def _is_class(self, thing: Thing) -> bool:
        return thing.kind is not ThingKind.SYMBOL or self.views[thing.where].facts.symbols[thing.symbol].kind in CLASSES
