"""Members of modules, classes and objects: own, inherited, or of a symbol's value.

cart.total          class Cart extends Base { … }: a member of Cart, else of the nearest base that has one
api.load            an export of the module `api`
settings.retries    const settings = { retries: 3, ...defaults }: a property of `settings`, else of `defaults`
point.x             function Point() {}; Point.prototype.x = 0: a member of a constructor function's objects
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from bearings.code.expressions import Item, Result, Take, is_result, last_name
from bearings.code.file_facts import Base, BindingKind, Trait
from bearings.code.installed import is_installed
from bearings.code.models import SymbolKind
from bearings.code.resolve.names.file_view import FileView
from bearings.code.resolve.parts import MembersPart
from bearings.code.resolve.referent import INSTANCE, LITERAL, MODULE, OBJECT, OUTSIDE, PACKAGE, SYMBOL, Env, Referent
from bearings.code.resolve.referents import (
    CALLABLE,
    CLASSES,
    EXTERNAL,
    UNRESOLVED,
    as_kind,
    descriptor_row,
    has_symbol,
    hole_env,
    instance_of,
    is_builtin,
    is_inside,
    is_mapped,
    is_symbol,
    module_at,
    most_bases,
    object_of,
    possible_objects,
    symbol_at,
    taken_from_library,
)
from bearings.code.resolve.types.builtin_types import KEYED
from bearings.code.type_expressions import FunctionType, IntersectionType, TypeReference

_MEMBERS_OF_OBJECTS = frozenset({SymbolKind.METHOD, SymbolKind.PROPERTY})
"""Symbols inside a constructor function that are members of its objects, unless they are static."""


_ANY = Item(Take.ELEMENT)
_MOST_IMPLEMENTERS: Final = 20
"""The most classes of a file that are asked for a member of the type that they implement."""
_METACLASS: Final = re.compile(r"^type$|Meta(?:[Cc]lass)?$|^EnumType$")
"""The names of Python's classes of classes."""


class Members(MembersPart):
    """Members: own, inherited, or of a symbol's value."""

    def member(self, referent: Referent | None, name: str, *, types: bool = False) -> Referent | None:
        """See MembersPart."""
        if referent is None:
            return None
        if referent.kind == OUTSIDE:
            return (
                UNRESOLVED
                if referent.env and self.possible_member(referent, name) is not None
                else taken_from_library(referent)
            )
        if referent.kind == MODULE:
            if referent.files:  # one of several modules
                return next(iter(self._exports.candidate_exports(referent, name)), EXTERNAL)
            found = self._exports.export(referent.file, name, types=types)
            return found if is_inside(found) or not is_installed(referent.file) else EXTERNAL
        if referent.kind == PACKAGE:
            return self._exports.submodule(referent, name) or EXTERNAL
        cached = self._answers.ask(("member", referent, name, types))
        if cached is not None:
            known: Referent | None = cached.value
            return known
        found = self._member(referent, name, types=types)
        return self._answers.close(EXTERNAL if found is None and is_installed(referent.file) else found)

    def possible_member(self, referent: Referent, name: str) -> tuple[Referent, Referent] | None:
        """A member that an OUTSIDE referent has if it is one of its possible objects, and that object; None for none.

        `sessions.get(id).user` may be the `user` of a Session. If several possible objects have the member, the last
        one counts: the type arguments of a map name keys before values.
        """
        for possible in reversed(possible_objects(referent)):
            member = self.member(possible, name)
            if is_symbol(member):
                return member, possible
        return None

    def _member(self, referent: Referent, name: str, *, types: bool) -> Referent | None:
        """A member of any referent but a MODULE, a PACKAGE or OUTSIDE: `member` without the cache."""
        if referent.kind == OBJECT or referent.kind == LITERAL:
            if not self._answers.enter():
                return None
            is_object = referent.kind == OBJECT
            member = self._elements.member_of_type(referent, name) if is_object else self._property(referent, name)
            self._answers.leave()
            return member
        if is_mapped(referent):
            return self.member(self._values.value(referent), name)
        view = self._views[referent.file]
        symbol, shape = view.facts.symbols[referent.symbol], view.facts.shapes[referent.symbol]
        is_class = symbol.kind in CLASSES or bool(shape.traits & Trait.CONSTRUCTS)
        if is_class and referent.kind == SYMBOL and name == view.semantics.objects_attribute:
            return as_kind(referent, INSTANCE)
        if symbol.kind in CLASSES:
            if referent.kind == INSTANCE and name == view.semantics.class_attribute:
                return as_kind(referent, SYMBOL)
            if name == view.semantics.enum_members and view.is_enumeration(referent.symbol):
                return object_of(referent.file, 0, KEYED, hole_env(as_kind(referent, INSTANCE)))
            return self.inherited(referent, name, types=types)
        if shape.traits & Trait.CONSTRUCTS and referent.kind == INSTANCE:
            rows = view.members(referent.symbol).get(name, ())
            for row in rows:
                if view.facts.symbols[row].kind in _MEMBERS_OF_OBJECTS and not view.is_static(row):
                    return symbol_at(referent.file, row)
            return None
        if referent.kind == INSTANCE and symbol.kind is SymbolKind.COMPONENT:
            return self._of_component(referent.file, name)
        own = self.own_member(referent.file, referent.symbol, name, types=types) or self._merged(
            referent, name, types=types
        )
        own = own or self._export_beside(referent, name)
        if own is not None and shape.type is None:
            return own
        # The type says more than the assigned value: `const cart: Cart = {}; cart.total = 0` means Cart's `total`.
        if not self._answers.enter():
            return own
        value = self._values.value(referent)
        member = self.member(value, name) if value != referent else None
        self._answers.leave()
        return own if member is None or (own is not None and member.kind == OUTSIDE) else member

    def _of_component(self, file: str, name: str) -> Referent | None:
        """A member of a component's object: a name of its script, or a method of its object of options.

        `const box = ref<InstanceType<typeof Box>>()`: `box.value.open` is the function `open` in Box.vue.
        """
        view = self._views[file]
        variable, _, path = view.semantics.component_options.partition(".")
        row, options = view.lookup(0, name, 0), view.lookup(0, variable, 0)
        if row is not None and row.kind is BindingKind.SYMBOL:
            return symbol_at(file, row.target)
        if options is None or options.kind is not BindingKind.SYMBOL:
            return None
        return self.own_member(file, options.target, f"{path}.{name}")

    def _merged(self, referent: Referent, name: str, *, types: bool) -> Referent | None:
        """The member of a namespace that is merged with the referent, a class, function, enum or other namespace.

        `function build() {}` and `namespace build { export const version = 1 }` are one declaration.
        """
        view = self._views[referent.file]
        rows = view.namespace_members(referent.symbol).get(name, ()) if referent.kind == SYMBOL else ()
        fits = (row for row in rows if (view.facts.symbols[row].kind in CLASSES) >= types)
        return next((symbol_at(referent.file, row) for row in fits), None)

    def _export_beside(self, referent: Referent, name: str) -> Referent | None:
        """An export of a CommonJS module whose `module.exports` is the referent; None if it is not.

        `module.exports = build; exports.version = …`: `build.version` is that export.
        """
        rows = self._views[referent.file].exports.get(name)
        if not rows or rows[0].module or self._exports.module_value(module_at(referent.file)) != referent:
            return None
        return self._exports.export(referent.file, name)

    def _property(self, referent: Referent, name: str) -> Referent | None:
        """A property of an object literal, or of an object that is spread in it: `{ retries: 3, ...defaults }`."""
        view = self._views[referent.file]
        outer_scope = view.facts.scopes[referent.scope].parent
        for row in view.rows_of(referent.scope, name):
            if row.kind is BindingKind.SYMBOL or row.kind is BindingKind.TYPE:
                return symbol_at(referent.file, row.target)
            return self._flow.expression(referent.file, outer_scope, row.value, row.line)
        for row in view.rows_of(referent.scope, "..."):
            spread = self._flow.expression(referent.file, outer_scope, row.value, row.line)
            member = self.member(spread, name)
            if member is not None:
                return member
            # A property of unknown value hides the properties with its name in the remaining spread objects.
            if spread is not None and spread.kind == LITERAL and self._views[spread.file].rows_of(spread.scope, name):
                return None
        return None

    def own_member(self, file: str, symbol: int, name: str, *, types: bool = False) -> Referent | None:
        """See MembersPart."""
        view = self._views[file]
        symbols = view.facts.symbols
        fits = [row for row in view.members(symbol).get(name, ()) if (symbols[row].kind in CLASSES) >= types]
        if fits and symbols[symbol].kind in CALLABLE and view.semantics.functions_hold_members:
            fits = [row for row in fits if not self._is_local(view, row, symbol)]
        return symbol_at(file, fits[0]) if fits else None

    def added(self, file: str, type_: str, name: str) -> Referent | None:
        """See MembersPart."""
        if not self._exports.sees_ambient(file):
            return None
        found = (self._types.instance(each) for each in self._exports.ambient(file, type_, types=True).referents)
        members = (self.member(each, name) for each in found if each is not None)
        return next((member for member in members if is_symbol(member)), None)

    def _is_local(self, view: FileView, row: int, symbol: int) -> bool:
        """Whether the symbol `row` is declared in the body of the function `symbol`, so that it is no member of it."""
        shapes, scopes = view.facts.shapes, view.facts.scopes
        scope, inner = shapes[row].scope, shapes[symbol].inner
        if inner < 0 or is_result(shapes[symbol].value):
            return False
        while scope > inner:
            scope = scopes[scope].parent
        return scope == inner

    def inherited(self, referent: Referent, name: str, *, types: bool = False, above: bool = False) -> Referent | None:
        """See MembersPart: a member of a class or interface, of the nearest base that has it.

        A member that is only assigned to, `self.total = 0`, counts if no base declares its type: `total: int`.
        """
        library_member = None
        static = referent.kind == SYMBOL
        assigned: Referent | None = None
        for base in islice(self.lineage(referent), above, None):  # the referent is the first
            if is_builtin(base):  # `class Cart(dict, Base)`: a member of Base counts rather than one of dict
                library_member = taken_from_library(base)
                continue
            if base.kind == OUTSIDE:
                return assigned or taken_from_library(base)
            if is_installed(base.file):  # which may have it, for all that is known
                if assigned is not None:
                    return assigned
                library_member = library_member or EXTERNAL
            if not has_symbol(base):  # a base that is an OBJECT or a LITERAL
                member = self._library.member(base, name, referent) or self.member(base, name)
                if member is not None:
                    return assigned or member
                continue
            view = self._views[base.file]
            for row in view.members(base.symbol).get(name, ()):
                if self._is_readable(base, row, static=static) and not view.is_declared_beside(base.symbol, row):
                    env = self._env_of_member(base, row, referent)
                    member = symbol_at(base.file, row, env)
                    shape = view.facts.shapes[row]
                    if shape.type is not None or shape.returns is not None:  # `Item: TypeAlias = OwnItem`
                        return member
                    is_property = view.facts.symbols[row].kind is SymbolKind.PROPERTY
                    if assigned is not None or not (is_property and view.semantics.bases_declare_types):
                        return assigned or member
                    assigned = member
                    break
            merged = self._merged(base, name, types=types) if static else None
            if merged is not None:
                return assigned or merged
        if assigned is not None or static:
            has_metaclass = self._views[referent.file].semantics.has_special_methods
            of_metaclass = has_metaclass and not assigned and library_member is None
            return self.member(self.metaclass(referent), name) if of_metaclass else assigned or library_member
        member = self._of_mapped_alias(referent, name) or self._of_implementer(referent, name) or library_member
        view = self._views[referent.file]
        if member is not None or view.semantics.has_special_methods:
            return member
        if view.binds("[in]") and any(view.rows_of(view.facts.shapes[referent.symbol].inner, "[in]")):
            return None  # of a mapped type
        return self._elements.element(referent, _ANY)  # an index signature

    def _of_mapped_alias(self, referent: Referent, name: str) -> Referent | None:
        """A property of an object of an alias of a mapped type: `type Boxes<T> = { [K in keyof T]: Box<T[K]> }`."""
        view = self._views[referent.file]
        if not view.binds("[in]") or not self._answers.enter():
            return None
        scope = view.facts.shapes[referent.symbol].inner
        keys, values = view.rows_of(scope, "[in]"), view.rows_of(scope, "[]")
        value = next((row.type for row in values), None)
        members = (
            self._elements.mapped_property(referent.file, scope, referent.env, row.type, value, name) for row in keys
        )
        member = next((found for found in members if found is not None), None)
        self._answers.leave()
        return member

    def _of_implementer(self, referent: Referent, name: str) -> Referent | None:
        """The member of the only class beside an alias of a mapped type with other keys that implements it.

        `type Visitor = { [K in Kind]: (node: Node) => void }`, `class Printer implements Visitor { text() {} }`
        """
        view = self._views[referent.file]
        symbol, shape = view.facts.symbols[referent.symbol], view.facts.shapes[referent.symbol]
        if symbol.kind is not SymbolKind.TYPE or shape.inner < 0 or not any(view.rows_of(shape.inner, "[]")):
            return None
        classes = view.implementers(symbol.name)
        if len(classes) > _MOST_IMPLEMENTERS:
            return None
        found = [row for index in classes for row in view.members(index).get(name, ())]
        return symbol_at(referent.file, found[0]) if len(found) == 1 else None

    def _env_of_member(self, base: Referent, row: int, owner: Referent) -> Env:
        """The environment of the member `row` of the class `base` that is read through the object `owner`.

        If the member may be a descriptor, `total = Computed(…)`, it includes the owner: see Values.value.
        """
        view = self._views[base.file]
        if not view.semantics.has_special_methods or type(view.facts.shapes[row].value) is not Result:
            return base.env
        is_attribute = view.facts.symbols[row].kind is SymbolKind.PROPERTY and view.is_static(row)
        return (*base.env, descriptor_row(owner)) if is_attribute else base.env

    def _is_readable(self, owner: Referent, row: int, *, static: bool) -> bool:
        """Whether a member can be read through the class itself (`static`), or through its objects."""
        view = self._views[owner.file]
        if view.semantics.class_members_are_shared:
            is_property = view.facts.symbols[row].kind is SymbolKind.PROPERTY
            return not (static and is_property and not view.is_static(row))
        return view.is_static(row) == static

    def lineage(self, referent: Referent) -> Iterator[Referent]:
        """See MembersPart. After `most_bases`, UNRESOLVED stands for the rest.

        The base that a mixin's constraint names comes last: the class that it is given may override its members. Where
        a language has special methods, a class that several of the bases extend comes after all of them.
        """
        stack, seen = [referent], set[Referent]()
        most = most_bases(len(self._views[referent.file].facts.symbols)) if has_symbol(referent) else 1
        while stack:
            current = stack.pop()
            merged = self._views[current.file].merged_declarations(current.symbol) if current.kind == INSTANCE else ()
            others = [self._merged_with(current, symbol) for symbol in merged[:most]]
            for base in (current, *others) if others else (current,):
                if base in seen:
                    continue
                if len(seen) > most:
                    yield UNRESOLVED
                    return
                seen.add(base)
                yield base
                bases = self.bases(base.file, base.symbol, base.kind, base.env) if has_symbol(base) else ()
                if len(bases) > 1 and self._views[base.file].semantics.has_special_methods:
                    yield from self._in_order(bases, most)
                    return
                place = 0 if bases and self._is_made_by_mixin(base) else len(stack)
                stack[place:place] = reversed(bases)

    def _in_order(self, bases: Sequence[Referent], most: int) -> Iterator[Referent]:
        """Bases and the classes above them, each behind all below it: by depth, of a class the last time it is met.

        This is Python 2.2's order; that of later ones, C3, differs from it only in classes that few write:
        https://docs.python.org/3/howto/mro.html.
        """
        met: list[Referent] = []
        stack = list(reversed(bases))
        while stack and len(met) <= most:
            met.append(current := stack.pop())
            if has_symbol(current):
                stack += reversed(self.bases(current.file, current.symbol, current.kind, current.env))
        last = {_class_of(base): place for place, base in enumerate(met)}
        for place, base in enumerate(met):
            if not has_symbol(base) or last[_class_of(base)] == place:
                yield base
        if stack:
            yield UNRESOLVED

    def _merged_with(self, referent: Referent, other: int) -> Referent:
        """The object of a merged declaration of a class, whose type parameters have the names of those of the class."""
        shapes = self._views[referent.file].facts.shapes
        scope, inner = shapes[referent.symbol].inner, shapes[other].inner
        env = [(inner if row[0] == scope else row[0], *row[1:]) for row in referent.env]
        return instance_of(referent.file, other, tuple(env))

    def _is_made_by_mixin(self, referent: Referent) -> bool:
        view = self._views[referent.file]
        shape = view.facts.shapes[referent.symbol]
        return any(view.is_of_mixin(shape.scope, row.value) for row in shape.bases)

    def bases(self, file: str, index: int, kind: int, env: Env = ()) -> Sequence[Referent]:
        """See MembersPart."""
        view = self._views[file]
        shape = view.facts.shapes[index]
        if not shape.bases:
            return ()
        cached = self._answers.ask(("bases", file, index, kind, env))
        if cached is not None:
            return cached.value or ()
        bases = []
        for row in shape.bases:
            if view.facts.symbols[index].kind is SymbolKind.INTERFACE:
                type_ = row.type
                if isinstance(type_, TypeReference) and type_.name == "Omit":
                    type_ = IntersectionType((type_,))  # without what it leaves out
                base = self._types.resolve_type(file, shape.inner, type_, env)
            else:
                base = self._base_class(file, index, row, env)
            if base is None and view.is_of_mixin(shape.scope, row.value):
                continue
            if base is None or base.kind == MODULE or base.kind == PACKAGE:
                base = UNRESOLVED
            elif base.kind == OUTSIDE and self._gives_no_members(view, index, row):
                continue  # what a class of the project lacks, only a subclass may have
            bases.append(as_kind(base, kind) if has_symbol(base) else base)
        if len(bases) > 1 and is_result(shape.bases[0].value) and bases[0].kind == OUTSIDE:
            bases.append(bases.pop(0))  # `extends mixed(Base)`, where nothing is known of `mixed`: Base comes first
        return self._answers.close(tuple(bases))

    def _gives_no_members(self, view: FileView, index: int, base: Base) -> bool:
        name = base.value if type(base.value) is str else ""
        scope, line = view.facts.shapes[index].scope, view.facts.symbols[index].line
        return self._library.qualified(view.facts.path, scope, name, line) in view.semantics.bases_without_members

    def _base_class(self, file: str, index: int, base: Base, env: Env) -> Referent | None:
        """A base of a class, with type arguments in its environment: `class Cart extends Base<Item>`."""
        view = self._views[file]
        shape = view.facts.shapes[index]
        base_class = self.named_base(file, index, base)
        if base_class is None:
            return None
        if base_class.kind == OUTSIDE:
            known = self._library.base(file, shape.scope, shape.inner, base, env)
            if known is not None:
                return known
        if (
            type(base_class.type) is FunctionType and base_class.type.constructs
        ):  # `<T extends Constructor<Base>>(B: T)`
            return self._calls.call_result(base_class)
        if not self.is_class(base_class):  # `class Cart extends mixed(Base)`, `const Base = make()`
            return self._values.value(base_class) or base_class
        if base.arguments and base_class.kind == OUTSIDE:
            return self._types.library_object(base_class, last_name(base.value), file, shape.inner, base.arguments, env)
        if base.arguments and base_class.kind == SYMBOL:
            arguments = tuple(self._types.resolve_type(file, shape.inner, part, env) for part in base.arguments)
            inner = self._views[base_class.file].facts.shapes[base_class.symbol].inner
            return symbol_at(
                base_class.file, base_class.symbol, self._types.environment(base_class.file, inner, arguments)
            )
        return base_class

    def named_base(self, file: str, index: int, base: Base) -> Referent | None:
        """See MembersPart."""
        view = self._views[file]
        scope, line = view.facts.shapes[index].scope, view.facts.symbols[index].line
        rows = view.rows_of(scope, base.value) if type(base.value) is str else ()
        if len(rows) > 1 and rows[-1].line >= line and view.semantics.binding_begins_next_line:
            earlier = [row for row in rows if row.line < line]
            return self._flow.binding(file, earlier[-1]) if earlier else None
        return self._flow.expression(file, scope, base.value, line)

    def is_class(self, referent: Referent) -> bool:
        """See MembersPart."""
        return referent.kind != SYMBOL or self._views[referent.file].facts.symbols[referent.symbol].kind in CLASSES

    def metaclass(self, referent: Referent) -> Referent | None:
        """See MembersPart."""
        cached = self._answers.ask(("metaclass", referent))
        return cached.value if cached is not None else self._answers.close(self._metaclass(referent))

    def _metaclass(self, referent: Referent) -> Referent | None:
        for base in self.lineage(referent):
            view = self._views[base.file] if has_symbol(base) else None
            if view is None or not view.binds("metaclass="):
                continue
            shape = view.facts.shapes[base.symbol]
            for row in view.rows_of(shape.inner, "metaclass="):
                found = self._flow.expression(base.file, shape.scope, row.value, row.line)
                return as_kind(found, INSTANCE) if is_symbol(found) and self.is_metaclass(found) else None
        return None

    def is_metaclass(self, referent: Referent) -> bool:
        """See MembersPart."""
        owners = [base for base in self.lineage(referent) if has_symbol(base)] if self.is_own_class(referent) else []
        bases = (base for one in owners for base in self._views[one.file].facts.shapes[one.symbol].bases)
        return any(_METACLASS.search(last_name(base.value)) for base in bases)

    def is_own_class(self, referent: Referent) -> bool:
        """See MembersPart."""
        return referent.kind == SYMBOL and self.is_class(referent)


def _class_of(referent: Referent) -> tuple[str, int]:
    """The class of a referent, whatever its type arguments are."""
    return referent.file, referent.symbol
