"""What annotations name, what symbols hold, and what calls give."""

from bearings.code.models import SymbolKind, Trait
from bearings.code.resolve.members import Members
from bearings.code.resolve.things import CLASSES, Thing, ThingKind
from bearings.code.resolve.type_names import name_of

_CALLABLE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.HOOK, SymbolKind.COMPONENT})


class Types(Members):
    """Adds types, values and the results of calls to members."""

    def type(self, file: str, scope: int, text: str, *, awaited: bool = False) -> Thing | None:
        """An object of the type that an annotation names; None where that is no class or interface of the project."""
        name = name_of(text, awaited=awaited)
        if not name:
            return None
        if name.startswith("typeof "):
            return self.expression(file, scope, name[7:], 0)
        return self._instance(self.expression(file, scope, name, 0, types=not self.views[file].is_python))

    def _instance(self, thing: Thing | None) -> Thing | None:
        if thing is None or thing.kind is ThingKind.OUTSIDE:
            return thing
        if thing.kind is not ThingKind.SYMBOL:
            return None
        facts = self.views[thing.where].facts
        shape, kind = facts.shapes[thing.symbol], facts.symbols[thing.symbol].kind
        if kind is SymbolKind.TYPE and shape.type:
            if not self.memo.enter():
                return None
            meant = self.type(thing.where, shape.inner if shape.inner >= 0 else shape.scope, shape.type)
            self.memo.leave()
            return meant
        return Thing(ThingKind.INSTANCE, thing.where, thing.symbol) if kind in CLASSES else None

    def value(self, thing: Thing) -> Thing | None:
        """What a symbol holds: an object of its type, or what its value stands for."""
        facts = self.views[thing.where].facts
        symbol, shape = facts.symbols[thing.symbol], facts.shapes[thing.symbol]
        if symbol.kind in _CALLABLE and not shape.traits & Trait.ACCESSOR:
            return None
        if shape.type or shape.returns:
            return self.type(thing.where, shape.scope, shape.type or shape.returns)
        if shape.value in ("", "?") or (shape.value == symbol.name and symbol.kind is not SymbolKind.PROPERTY):
            return None
        return self.expression(thing.where, shape.scope, shape.value, symbol.line)

    def site_result(self, file: str, number: int, *, awaited: bool) -> Thing | None:
        """What a call gives."""
        key = (file, number, awaited, "site")
        kept = self.memo.look(key)
        if kept is not None:
            return kept.value
        self.memo.open(key)
        return self.memo.close(self._result(file, number, awaited=awaited))

    def _result(self, file: str, number: int, *, awaited: bool) -> Thing | None:
        view = self.views[file]
        entry = view.inline.get(f"#{number}")
        if entry is not None:
            return self.imported(file, entry)
        site = view.facts.sites[number]
        receiver, _, name = site.callee.rpartition(".")
        owner: Thing | None = None
        if receiver and name != "[]":
            owner = self.expression(file, site.scope, receiver, site.line)
            thing = self.member(owner, name) if owner is not None else None
        else:
            thing = self.expression(file, site.scope, site.callee, site.line)
        return self.called(thing, owner, awaited=awaited)

    def called(self, thing: Thing | None, owner: Thing | None = None, *, awaited: bool = False) -> Thing | None:
        """What calling a thing gives; `owner` is what it was a member of."""
        if thing is None or thing.kind is ThingKind.OUTSIDE:
            return thing
        if thing.kind is not ThingKind.SYMBOL:
            return None
        facts = self.views[thing.where].facts
        symbol, shape = facts.symbols[thing.symbol], facts.shapes[thing.symbol]
        if symbol.kind in CLASSES:
            return Thing(ThingKind.INSTANCE, thing.where, thing.symbol)
        if shape.returns and not shape.traits & Trait.ACCESSOR:
            if shape.returns in ("this", "Self", "t.Self", "typing.Self", "te.Self"):
                return (
                    Thing(ThingKind.INSTANCE, owner.where, owner.symbol)
                    if owner is not None and owner.symbol >= 0
                    else None
                )
            scope = shape.inner if shape.inner >= 0 else shape.scope
            is_async = bool(shape.traits & Trait.ASYNC) and self.views[thing.where].is_python
            if is_async and not awaited:
                return None
            return self.type(thing.where, scope, shape.returns, awaited=awaited)
        if symbol.kind in _CALLABLE or shape.type or not self.memo.enter():
            return None
        held = self.value(thing)
        given = self.called(held, None, awaited=awaited) if held is not None and held != thing else None
        self.memo.leave()
        return given
