"""Expressions → what they stand for: names through scopes, then members."""

from bearings.code.models import Binding, BindingKind, ScopeKind, SymbolKind
from bearings.code.resolve.known import ECMASCRIPT_GLOBALS, PYTHON_BUILTINS
from bearings.code.resolve.things import BUILTIN, DEEPEST, Thing, ThingKind
from bearings.code.resolve.types import Types


class Evaluator(Types):
    """Answers for one set of facts."""

    def expression(self, file: str, scope: int, text: str, line: int, *, types: bool = False) -> Thing | None:
        """What an expression stands for in a scope; None for what can't be told."""
        root, *steps = text.split(".")
        if self._depth > DEEPEST:
            return None
        self._depth += 1
        try:
            thing = self._root(file, scope, root, line, types=types and not steps, first=bool(steps) and types)
            for position, step in enumerate(steps, 1):
                if thing is None or step == "[]":
                    return None
                found = self.member(thing, step, types=types and position == len(steps))
                if found is None:
                    nested = ".".join(steps[position - 1 :])
                    return self.own(thing.where, thing.symbol, nested) if thing.symbol >= 0 else None
                thing = found
            return thing
        finally:
            self._depth -= 1

    def _root(self, file: str, scope: int, root: str, line: int, *, types: bool, first: bool) -> Thing | None:
        if root[:1] in ("#", "~"):
            return self.site_result(file, int(root[1:]), awaited=root[0] == "~")
        if root == "super" or (root == "this" and not self.views[file].is_python):
            declared = self.views[file].lookup(scope, "this", 0) if root == "this" else None
            return self.binding(file, declared) if declared else self._this(file, scope, base=root == "super")
        return self.name(file, scope, root, line, types=types or first) or (
            self.name(file, scope, root, line) if first else None
        )

    def name(self, file: str, scope: int, name: str, line: int, *, types: bool = False) -> Thing | None:
        """What a bare name stands for in a scope."""
        view = self.views[file]
        row = view.lookup(scope, name, line, types=types)
        if row is not None:
            return self.binding(file, row, types=types)
        for star in view.star_imports if view.is_python else ():
            module = self.module(file, star.module)
            found = self.export(module.where, name) if module.kind is ThingKind.MODULE else None
            if found is not None and not name.startswith("_"):
                return found
        return BUILTIN if name in (PYTHON_BUILTINS if view.is_python else ECMASCRIPT_GLOBALS) else None

    def binding(self, file: str, row: Binding, *, types: bool = False) -> Thing | None:
        """What a row of a binder table stands for."""
        if row.kind in (BindingKind.SYMBOL, BindingKind.TYPE):
            return Thing(ThingKind.SYMBOL, file, row.target)
        if row.kind is BindingKind.IMPORT:
            return self.imported(file, self.views[file].facts.imports[row.target], types=types)
        if row.type in ("@self", "@cls"):
            owner = self._class_around(file, row.scope)
            kind = ThingKind.INSTANCE if row.type == "@self" else ThingKind.SYMBOL
            return Thing(kind, file, owner) if owner >= 0 else None
        if row.type:
            return self.type(file, row.scope, row.type)
        return self.expression(file, row.scope, row.value, row.line) if row.value not in ("", "?", row.name) else None

    def _class_around(self, file: str, scope: int) -> int:
        """The class whose member the function of a scope is; -1 for none."""
        facts = self.views[file].facts
        while scope >= 0 and facts.scopes[scope].kind in (ScopeKind.ARROW, ScopeKind.BLOCK):
            scope = facts.scopes[scope].parent
        parent = facts.scopes[scope].parent if scope >= 0 and facts.scopes[scope].kind is ScopeKind.FUNCTION else scope
        if parent >= 0 and facts.scopes[parent].kind is ScopeKind.CLASS:
            return facts.scopes[parent].symbol
        if scope >= 0 and facts.scopes[scope].kind is ScopeKind.FUNCTION:
            owner = facts.shapes[facts.scopes[scope].symbol].parent
            return owner if owner > 0 and facts.symbols[owner].kind is SymbolKind.CLASS else -1
        return -1

    def _this(self, file: str, scope: int, *, base: bool) -> Thing | None:
        facts = self.views[file].facts
        if base and self.views[file].is_python:
            while scope >= 0 and facts.scopes[scope].kind is not ScopeKind.FUNCTION:
                scope = facts.scopes[scope].parent
        owner = self._class_around(file, scope)
        if owner < 0:
            return None
        here = scope
        while here >= 0 and facts.scopes[here].kind in (ScopeKind.ARROW, ScopeKind.BLOCK):
            here = facts.scopes[here].parent
        static = (
            here >= 0
            and facts.scopes[here].kind is ScopeKind.FUNCTION
            and self._is_static(file, facts.scopes[here].symbol)
        )
        kind = ThingKind.SYMBOL if static else ThingKind.INSTANCE
        if not base:
            return Thing(kind, file, owner)
        bases = self._bases(file, owner)
        if self.views[file].is_python and not bases:
            return BUILTIN
        return Thing(kind, bases[0].where, bases[0].symbol) if len(bases) == 1 and bases[0].symbol >= 0 else None

    def above(self, file: str, scope: int, name: str) -> Thing | None:
        """What `super.name` stands for in a scope: the member of the first base that has it."""
        base = self._this(file, scope, base=True)
        if base is not None:
            return self.member(base, name)
        while scope >= 0 and self.views[file].facts.scopes[scope].kind is not ScopeKind.FUNCTION:
            scope = self.views[file].facts.scopes[scope].parent
        owner = self._class_around(file, scope)
        for base in self._bases(file, owner) if owner >= 0 else ():
            found = self.member(base._replace(kind=ThingKind.INSTANCE) if base.symbol >= 0 else base, name)
            if found is not None and found != BUILTIN:
                return found
        return None

    def _is_static(self, file: str, index: int) -> bool:
        return self.views[file].is_static(index)

    # types

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
        shape, kind = facts.shapes[thing.index], facts.symbols[thing.index].kind
        if kind is SymbolKind.TYPE and shape.type:
            if self._depth > _DEEPEST:
                return None
            self._depth += 1
            try:
                return self.type(thing.where, shape.inner if shape.inner >= 0 else shape.scope, shape.type)
            finally:
                self._depth -= 1
        return Thing(ThingKind.INSTANCE, thing.where, thing.index) if kind in _CLASSES else None

    def value(self, thing: Thing) -> Thing | None:
        """What a symbol holds: an object of its type, or what its value stands for."""
        facts = self.views[thing.where].facts
        symbol, shape = facts.symbols[thing.index], facts.shapes[thing.index]
        if symbol.kind in _CALLABLE and not shape.traits & Trait.ACCESSOR:
            return None
        if shape.type or shape.returns:
            return self.type(thing.where, shape.scope, shape.type or shape.returns)
        if shape.value in ("", "?", symbol.name):
            return None
        scope = self._scope_of_value(facts, thing.index)
        return self.expression(thing.where, scope, shape.value, symbol.line)

    def _scope_of_value(self, facts: FileFacts, index: int) -> int:
        return facts.shapes[index].scope

    def _site_result(self, file: str, number: int, *, awaited: bool) -> Thing | None:
        """What a call gives."""
        key = (file, number, awaited)
        if key not in self._sites:
            self._sites[key] = None
            self._sites[key] = self._result(file, number, awaited=awaited)
        return self._sites[key]

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
        symbol, shape = facts.symbols[thing.index], facts.shapes[thing.index]
        if symbol.kind in _CLASSES:
            return Thing(ThingKind.INSTANCE, thing.where, thing.index)
        if shape.returns and not shape.traits & Trait.ACCESSOR:
            if shape.returns in ("this", "Self", "t.Self", "typing.Self", "te.Self"):
                return (
                    Thing(ThingKind.INSTANCE, owner.where, owner.index)
                    if owner is not None and owner.index >= 0
                    else None
                )
            scope = shape.inner if shape.inner >= 0 else shape.scope
            is_async = bool(shape.traits & Trait.ASYNC) and self.views[thing.where].is_python
            if is_async and not awaited:
                return None
            return self.type(thing.where, scope, shape.returns, awaited=awaited)
        if symbol.kind in _CALLABLE:
            return None
        held = self.value(thing) if not shape.type else None
        return (
            self.called(held, None, awaited=awaited)
            if held is not None and held != thing and self._depth < _DEEPEST
            else None
        )

    # members

    def member(self, thing: Thing, name: str, *, types: bool = False) -> Thing | None:
        """What `thing.name` stands for."""
        if thing.kind is ThingKind.OUTSIDE:
            return thing
        if thing.kind is ThingKind.MODULE:
            return self.export(thing.where, name, types=types)
        if thing.kind is ThingKind.PACKAGE:
            return self._submodule(thing, name) or EXTERNAL
        key = (thing, name, types)
        if key not in self._members:
            self._members[key] = None
            self._members[key] = self._member(thing, name, types=types)
        return self._members[key]

    def _member(self, thing: Thing, name: str, *, types: bool) -> Thing | None:
        facts = self.views[thing.where].facts
        kind = facts.symbols[thing.index].kind
        if kind in _CLASSES:
            return self._inherited(thing, name)
        own = self._own(thing.where, thing.index, name, types=types)
        if own is not None:
            return own
        if self._depth > _DEEPEST:
            return None
        self._depth += 1
        try:
            held = self.value(thing)
            return self.member(held, name) if held is not None and held != thing else None
        finally:
            self._depth -= 1

    def _own(self, file: str, index: int, name: str, *, types: bool = False) -> Thing | None:
        view = self.views[file]
        rows = view.members.get(index, {}).get(name, ())
        symbols = view.facts.symbols
        fits = [row for row in rows if (symbols[row].kind in _CLASSES) >= types]
        return Thing(ThingKind.SYMBOL, file, fits[0]) if fits else None

    def _inherited(self, thing: Thing, name: str) -> Thing | None:
        """A member of a class or interface, its own or of the nearest base, depth first."""
        stack, seen = [thing], set()
        while stack:
            here = stack.pop()
            if here in seen:
                continue
            seen.add(here)
            if here.kind is ThingKind.OUTSIDE:
                return here
            for row in self.views[here.where].members.get(here.index, {}).get(name, ()):
                if self._reaches(here, row, static=thing.kind is ThingKind.SYMBOL):
                    return Thing(ThingKind.SYMBOL, here.where, row)
            stack += [
                base._replace(kind=thing.kind) if base.index >= 0 else base for base in reversed(self._bases(*here[1:]))
            ]
        return None

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
            found.append(thing if usable and thing is not None else _UNKNOWN)
        return found

    def _is_class(self, thing: Thing) -> bool:
        return thing.kind is not ThingKind.SYMBOL or self.views[thing.where].facts.symbols[thing.index].kind in _CLASSES
