"""Members of modules, classes and objects: own, inherited, or of a symbol's value."""

from collections.abc import Iterator

from bearings.code.expressions import Result, is_result, last_name
from bearings.code.file_facts import Base, BindingKind, Trait
from bearings.code.models import SymbolKind
from bearings.code.resolve.names.file_view import FileView
from bearings.code.resolve.parts import MembersPart
from bearings.code.resolve.referents import (
    CLASSES,
    EXTERNAL,
    GOT,
    HELD,
    OWN,
    UNRESOLVED,
    Env,
    Referent,
    ReferentKind,
    as_kind,
    is_builtin,
    is_mapped,
    most_bases,
    out_of,
    plain,
)

_FUNCTIONS = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.HOOK, SymbolKind.COMPONENT})
_MADE = frozenset({SymbolKind.METHOD, SymbolKind.PROPERTY})


class Members(MembersPart):
    """Members: own, inherited, or of a symbol's value."""

    def member(self, referent: Referent, name: str, *, types: bool = False) -> Referent | None:
        """The referent of `thing.name`."""
        if referent.kind == ReferentKind.OUTSIDE:
            return UNRESOLVED if referent.env and self.of_held(referent, name) is not None else out_of(referent)
        if referent.kind == ReferentKind.MODULE:
            if referent.files:
                return next(iter(self._exports.of_any(referent, name)), EXTERNAL)
            return self._exports.export(referent.where, name, types=types)
        if referent.kind == ReferentKind.PACKAGE:
            return self._exports.submodule(referent, name) or EXTERNAL
        key = ("member", referent, name, types)
        cached = self._memo.look(key)
        if cached is not None:
            return cached.value
        self._memo.open(key)
        return self._memo.close(self._member(referent, name, types=types))

    def of_held(self, referent: Referent, name: str) -> tuple[Referent, Referent] | None:
        """A member of what came out of an object of a library, if that is what it holds; and what it holds.

        Of several that have the member, the last one counts: keys come before values.
        """
        for _, _, held in reversed(referent.env) if referent.symbol >= 0 else ():
            found = self.member(held, name) if held is not None else None
            if found is not None and held is not None and found.kind == ReferentKind.SYMBOL:
                return found, held
        return None

    def _member(self, referent: Referent, name: str, *, types: bool) -> Referent | None:
        if referent.kind in (ReferentKind.OBJECT, ReferentKind.LITERAL):
            if not self._memo.enter():
                return None
            found = (
                self._elements.member_of_type(referent, name)
                if referent.kind == ReferentKind.OBJECT
                else self._property(referent, name)
            )
            self._memo.leave()
            return found
        if referent.env and is_mapped(referent):
            value = self._values.value(referent)
            return self.member(value, name) if value is not None else None
        facts = self._views[referent.where].facts
        kind = facts.symbols[referent.symbol].kind
        if kind in CLASSES:
            return self._inherited(referent, name, types=types)
        if facts.shapes[referent.symbol].traits & Trait.CONSTRUCTS and referent.kind == ReferentKind.INSTANCE:
            return self._of_made(referent, name)
        is_typed = facts.shapes[referent.symbol].type is not None
        own = self.own(referent.where, referent.symbol, name, types=types) or self._merged(referent, name, types=types)
        own = own or self._beside(referent, name)
        if own is not None and not is_typed:
            return own
        if not self._memo.enter():
            return own
        held = self._values.value(referent)
        found = self.member(held, name) if held is not None and held != referent else None
        self._memo.leave()
        return own if found is None or (own is not None and found.kind == ReferentKind.OUTSIDE) else found

    def _merged(self, referent: Referent, name: str, *, types: bool) -> Referent | None:
        """A member of a namespace that is merged with a class, a function, an enum or another namespace."""
        view = self._views[referent.where]
        rows = view.merged(referent.symbol).get(name, ()) if referent.kind == ReferentKind.SYMBOL else ()
        fits = (row for row in rows if (view.facts.symbols[row].kind in CLASSES) >= types)
        return next((plain(ReferentKind.SYMBOL, referent.where, row) for row in fits), None)

    def _beside(self, referent: Referent, name: str) -> Referent | None:
        """A CommonJS module's export beside its `module.exports`, which the referent is."""
        view = self._views[referent.where]
        rows = view.exports.get(name)
        if (
            not rows
            or "=" not in view.exports
            or rows[0].module
            or self._exports.whole(Referent(ReferentKind.MODULE, referent.where)) != referent
        ):
            return None
        return self._exports.export(referent.where, name)

    def _of_made(self, referent: Referent, name: str) -> Referent | None:
        """A member of an object of a constructor function: of its prototype, or assigned to `this`."""
        view = self._views[referent.where]
        for row in view.members(referent.symbol).get(name, ()):
            if view.facts.symbols[row].kind in _MADE and not view.is_static(row):
                return plain(ReferentKind.SYMBOL, referent.where, row)
        return None

    def _property(self, referent: Referent, name: str) -> Referent | None:
        """A property of an object literal, or of an object that is spread in it."""
        view = self._views[referent.where]
        around = view.facts.scopes[referent.symbol].parent
        for row in view.rows_of(referent.symbol, name):
            if row.kind is BindingKind.SYMBOL:
                return plain(ReferentKind.SYMBOL, referent.where, row.target)
            return self._flow.expression(referent.where, around, row.value, row.line) if row.value is not None else None
        for row in view.rows_of(referent.symbol, "..."):
            spread = (
                self._flow.expression(referent.where, around, row.value, row.line) if row.value is not None else None
            )
            found = self.member(spread, name) if spread is not None else None
            if found is not None or (spread is not None and self._has_property(spread, name)):
                return found
        return None

    def _has_property(self, referent: Referent, name: str) -> bool:
        """Whether an object literal has a property of this name, though its value may be unknown."""
        return referent.kind == ReferentKind.LITERAL and bool(
            self._views[referent.where].rows_of(referent.symbol, name)
        )

    def own(self, file: str, symbol: int, name: str, *, types: bool = False) -> Referent | None:
        """A symbol's own member; `name` is dotted for a member of an object inside it."""
        view = self._views[file]
        rows = view.members(symbol).get(name, ())
        symbols = view.facts.symbols
        fits = [row for row in rows if (symbols[row].kind in CLASSES) >= types]
        if fits and symbols[symbol].kind in _FUNCTIONS and view.semantics.functions_hold_members:
            fits = [row for row in fits if not self._is_inside(view, row, symbol)]
        return plain(ReferentKind.SYMBOL, file, fits[0]) if fits else None

    def _is_inside(self, view: FileView, row: int, symbol: int) -> bool:
        """Whether a symbol is declared in a function's body, so that it is no member."""
        shapes, scopes = view.facts.shapes, view.facts.scopes
        scope, inner = shapes[row].scope, shapes[symbol].inner
        if inner < 0 or is_result(shapes[symbol].value):
            return False
        while scope > inner:
            scope = scopes[scope].parent
        return scope == inner

    def _inherited(self, referent: Referent, name: str, *, types: bool) -> Referent | None:
        """A member of a class or interface: its own, or of the nearest base, depth first."""
        last = None
        static = referent.kind == ReferentKind.SYMBOL
        assigned: Referent | None = None
        for here in self.lineage(referent):
            if is_builtin(here):
                last = out_of(here)
                continue
            if here.kind == ReferentKind.OUTSIDE:
                return assigned or out_of(here)
            if here.kind not in OWN:
                found = self.member(here, name)
                if found is not None:
                    return assigned or found
                continue
            for row in self._views[here.where].members(here.symbol).get(name, ()):
                if self._reaches(here, row, static=static):
                    env = here.env if static else self._got(here, row, referent)
                    found = plain(ReferentKind.SYMBOL, here.where, row, env)
                    if self._is_typed(found):
                        return found
                    if assigned is not None or not self._may_be_declared_above(found):
                        return assigned or found
                    assigned = found
                    break
            merged = self._merged(here, name, types=types) if static else None
            if merged is not None:
                return assigned or merged
        return assigned or (None if static else self._of_mapped(referent, name)) or last

    def _of_mapped(self, referent: Referent, name: str) -> Referent | None:
        """A property of an object of an alias of a mapped type."""
        view = self._views[referent.where]
        if not view.binds("[in]") or not self._memo.enter():
            return None
        scope = view.facts.shapes[referent.symbol].inner
        keys, values = view.rows_of(scope, "[in]"), view.rows_of(scope, "[]")
        value = next((row.type for row in values), None)
        found = (self._elements.of_mapped(referent.where, scope, referent.env, row.type, value, name) for row in keys)
        member = next((one for one in found if one is not None), None)
        self._memo.leave()
        return member

    def _got(self, here: Referent, row: int, owner: Referent) -> Env:
        """The environment of a member that is read through an object: one that may be a descriptor keeps the object."""
        view = self._views[here.where]
        if not view.semantics.has_special_methods or type(view.facts.shapes[row].value) is not Result:
            return here.env
        is_attribute = view.facts.symbols[row].kind is SymbolKind.PROPERTY and view.is_static(row)
        return (*here.env, (GOT, "", plain(owner.kind, owner.where, owner.symbol))) if is_attribute else here.env

    def _is_typed(self, member: Referent) -> bool:
        return self._views[member.where].facts.shapes[member.symbol].type is not None

    def _may_be_declared_above(self, member: Referent) -> bool:
        """Whether a member without a type is only assigned to in its class, so that a base may declare it."""
        view = self._views[member.where]
        is_property = view.facts.symbols[member.symbol].kind is SymbolKind.PROPERTY
        return is_property and view.semantics.bases_declare_types

    def lineage(self, referent: Referent) -> Iterator[Referent]:
        """A class or interface with its other declarations and all its bases, depth first; UNRESOLVED for the rest."""
        stack, seen = [referent], set[Referent]()
        most = most_bases(len(self._views[referent.where].facts.symbols)) if referent.kind in OWN else 1
        while stack:
            here = stack.pop()
            is_merged = here.kind == ReferentKind.INSTANCE
            doubles = self._views[here.where].doubles(here.symbol) if is_merged else ()
            others = [plain(here.kind, here.where, double, here.env) for double in doubles[:most]]
            for one in (here, *others) if others else (here,):
                if one in seen:
                    continue
                if len(seen) > most:
                    yield UNRESOLVED
                    return
                seen.add(one)
                yield one
                stack += reversed(self.bases(one.where, one.symbol, one.kind, one.env)) if one.kind in OWN else ()

    def _reaches(self, owner: Referent, row: int, *, static: bool) -> bool:
        """Whether a member belongs to the class itself or to its objects."""
        view = self._views[owner.where]
        is_property = view.facts.symbols[row].kind is SymbolKind.PROPERTY
        if view.semantics.class_members_are_shared:
            return not (static and is_property and not view.is_static(row))
        return view.is_static(row) == static

    def bases(self, file: str, index: int, kind: int, env: Env = ()) -> list[Referent]:
        """See MembersPart."""
        if not self._views[file].facts.shapes[index].bases:
            return []
        key = ("bases", file, index, kind, env)
        cached = self._memo.look(key)
        if cached is not None:
            held = cached.value
        else:
            self._memo.open(key)
            bases = self._bases(file, index, env)
            rows = tuple([(HELD, "", as_kind(base, kind) if base.kind in OWN else base) for base in bases])
            held = self._memo.close(plain(ReferentKind.OUTSIDE, "", -1, rows))
        return [base for _, _, base in held.env if base is not None] if held is not None else []

    def _bases(self, file: str, index: int, env: Env) -> list[Referent]:
        view = self._views[file]
        shape = view.facts.shapes[index]
        is_interface = view.facts.symbols[index].kind is SymbolKind.INTERFACE
        found = []
        for base in shape.bases:
            if is_interface:
                referent = self._types.type(file, shape.inner, base.type, env)
            else:
                referent = self._base_class(file, index, base, env)
            usable = (
                referent is not None and referent.kind != ReferentKind.MODULE and referent.kind != ReferentKind.PACKAGE
            )
            found.append(referent if usable and referent is not None else UNRESOLVED)
        return found

    def _base_class(self, file: str, index: int, base: Base, env: Env) -> Referent | None:
        """The class that a class extends, with the type arguments for it."""
        view = self._views[file]
        shape = view.facts.shapes[index]
        referent = self._flow.expression(file, shape.scope, base.value, view.facts.symbols[index].line)
        if referent is None:
            return None
        if not self.is_class(referent):
            return self._values.value(referent) or referent
        if base.arguments and referent.kind == ReferentKind.OUTSIDE:
            return self._types.holding(referent, last_name(base.value), file, shape.inner, base.arguments, env)
        if base.arguments and referent.kind == ReferentKind.SYMBOL:
            given = tuple(self._types.type(file, shape.inner, part, env) for part in base.arguments)
            inner = self._views[referent.where].facts.shapes[referent.symbol].inner
            return referent._replace(env=self._types.bound(referent.where, inner, given))
        return referent

    def is_class(self, referent: Referent) -> bool:
        """Whether a referent is a type: a class, an interface, an alias; or an object, a module, or outside."""
        return (
            referent.kind != ReferentKind.SYMBOL
            or self._views[referent.where].facts.symbols[referent.symbol].kind in CLASSES
        )

    def is_own_class(self, referent: Referent) -> bool:
        """Whether a referent is a class, an interface or another type of the project itself."""
        return referent.kind == ReferentKind.SYMBOL and self.is_class(referent)
