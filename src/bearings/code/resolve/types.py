"""What annotations name, what symbols hold, and what calls give."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import NamedTuple

from bearings.code.models import BindingKind, CallSite, SymbolKind, Trait
from bearings.code.resolve.builtin_types import MAPS, PRIMITIVES, PROMISES, SEQUENCES, WRAPPERS
from bearings.code.resolve.members import Members
from bearings.code.resolve.things import BUILTIN, CLASSES, Env, Thing, ThingKind
from bearings.code.resolve.type_texts import WORDS, Form, FormKind, form_of, python_form, split

CALLABLE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.HOOK, SymbolKind.COMPONENT})
_SELF = frozenset({"this", "Self", "t.Self", "typing.Self", "te.Self", "typing_extensions.Self"})
_UNTOLD = frozenset({"any", "unknown", "Any"})
_CONTAINERS = PROMISES | SEQUENCES | MAPS | {"Parameters", "ConstructorParameters"}
_NESTED = 4
"""Types within types that are kept as arguments."""


class Signature(NamedTuple):
    """One way to call a thing: a function's form, and where its types are looked up."""

    where: str
    scope: int
    form: Form
    env: Env = ()


class Types(Members):
    """Adds types, values and the results of calls to members."""

    @abstractmethod
    def signatures(self, thing: Thing, *, new: bool = False) -> Iterator[Signature]:
        """The ways to call (or construct) a thing, in the order of the source."""

    @abstractmethod
    def element(self, thing: Thing, step: str) -> Thing | None:
        """What a step to an element gives."""

    @abstractmethod
    def library_result(self, owner: Thing, name: str) -> Thing | None:
        """What a method of a container gives."""

    @abstractmethod
    def above(self, file: str, scope: int, name: str) -> Thing | None:
        """What `super.name` stands for in a scope."""

    def type(self, file: str, scope: int, text: str, env: Env = (), *, awaited: bool = False) -> Thing | None:
        """An object of the type that an annotation names, its type parameters being as `env` says; None for unknown.

        An object of a class or interface of the project is an INSTANCE; of any other type an OBJECT of the text.
        """
        if text == "$":
            return env[0][2]
        key = ("type", file, scope, text, env)
        kept = self.memo.look(key)
        if kept is not None:
            found = kept.value
        elif self.memo.enter():
            self.memo.open(key)
            found = self.memo.close(self._typed(file, scope, text, env))
            self.memo.leave()
        else:
            return None
        return self.awaited(found) if awaited else found

    def _typed(self, file: str, scope: int, text: str, env: Env) -> Thing | None:
        form = python_form(text) if self.views[file].is_python else form_of(text)
        if form is None:
            return None
        if form.kind is FormKind.NAME:
            return self._named(file, scope, form, text, env)
        if form.kind is FormKind.TYPEOF:
            return self.expression(file, scope, form.name, 0)
        if form.kind is FormKind.INDEX:
            base = self.type(file, scope, form.parts[0], env)
            return self._at(base, form.name) if base is not None else None
        return Thing(ThingKind.OBJECT, file, scope, text, _relevant(text, env))

    def _at(self, base: Thing, key: str) -> Thing | None:
        """What `T["key"]` is."""
        if key == "*" or key[0] == "[":
            return self.element(base, "[]" if key == "*" else key)
        found = self.member(base, key)
        return self.held(found) if found is not None else None

    def held(self, thing: Thing) -> Thing:
        """What an expression for a thing gives: a property's object, but a function or class itself."""
        if thing.kind is not ThingKind.SYMBOL:
            return thing
        kind = self.views[thing.where].facts.symbols[thing.symbol].kind
        if kind in CLASSES or not self.memo.enter():
            return thing
        value = self.value(thing)
        self.memo.leave()
        return value or thing

    def _named(self, file: str, scope: int, form: Form, text: str, env: Env) -> Thing | None:
        view, name = self.views[file], form.name
        if "." not in name and not view.is_python:
            row = view.lookup(scope, name, 0, types=True)
            if row is not None and row.kind is BindingKind.TYPE_PARAMETER:
                for at, parameter, thing in env:
                    if parameter == name and at == row.scope:
                        return thing
                return self.type(file, row.scope, row.type, env) if row.type not in ("", name) else None
        thing = self.expression(file, scope, name, 0, types=not view.is_python)
        if thing is None or thing.kind is ThingKind.OUTSIDE:
            return self._library(file, scope, form, text, env, thing)
        return self._instance(thing, self._given(file, scope, form.parts, env))

    def _given(self, file: str, scope: int, parts: tuple[str, ...], env: Env) -> tuple[Thing | None, ...]:
        return tuple(self.type(file, scope, part, env) for part in parts)

    def _library(self, file: str, scope: int, form: Form, text: str, env: Env, thing: Thing | None) -> Thing | None:
        """An object of a type that comes with the language or a library, as far as it is about one of ours."""
        last, parts = form.name.rpartition(".")[2], form.parts
        if last in _UNTOLD:
            return None
        if not parts:
            return BUILTIN if last in PRIMITIVES else thing
        if last in _CONTAINERS:
            return Thing(ThingKind.OBJECT, file, scope, text, _relevant(text, env))
        if last in ("FC", "FunctionComponent", "VFC"):
            return Thing(ThingKind.OBJECT, file, scope, f"(props: {parts[0]}) => void", env)
        if last in ("RefObject", "MutableRefObject", "Ref"):
            return Thing(ThingKind.OBJECT, file, scope, f"{{ current: {parts[0]} }}", env)
        known = last in WRAPPERS or last in ("Awaited", "ReturnType", "InstanceType", "type", "Type")
        first = self.type(file, scope, parts[0], env) if known else None
        if first is None:
            return thing if not known else None
        if last == "Awaited":
            return self.awaited(first)
        if last == "ReturnType":
            return self.called(first)
        if last == "InstanceType":
            return first._replace(kind=ThingKind.INSTANCE) if first.kind is ThingKind.SYMBOL else None
        if last in ("type", "Type"):
            return first._replace(kind=ThingKind.SYMBOL) if first.kind is ThingKind.INSTANCE else None
        return first

    def _instance(self, thing: Thing, given: tuple[Thing | None, ...] = ()) -> Thing | None:
        """An object of the class, interface or alias that a name stands for."""
        if thing.kind is not ThingKind.SYMBOL:
            return None
        view = self.views[thing.where]
        shape, kind = view.facts.shapes[thing.symbol], view.facts.symbols[thing.symbol].kind
        scope = shape.inner if shape.inner >= 0 else shape.scope
        if kind is SymbolKind.TYPE and shape.type:
            return self.type(thing.where, scope, shape.type, self.bound(thing.where, scope, given))
        if kind in CLASSES:
            return Thing(ThingKind.INSTANCE, thing.where, thing.symbol, "", self.bound(thing.where, scope, given))
        held = self.value(thing) if view.is_python and shape.value else None
        return held._replace(kind=ThingKind.INSTANCE) if held is not None and self._is_own_class(held) else None

    def _is_own_class(self, thing: Thing) -> bool:
        return thing.kind is ThingKind.SYMBOL and self._is_class(thing)

    def bound(self, file: str, scope: int, given: tuple[Thing | None, ...]) -> Env:
        """The type parameters that a scope declares, as they are given."""
        if not given:
            return ()
        return tuple(
            (scope, name, thing if thing is not None and _depth(thing) < _NESTED else None)
            for name, thing in zip(self.views[file].generics(scope), given, strict=False)
        )

    def form(self, thing: Thing) -> Form | None:
        """The form of an OBJECT's type."""
        is_python = "$" not in thing.text and self.views[thing.where].is_python
        return python_form(thing.text) if is_python else form_of(thing.text)

    def part(self, thing: Thing, text: str) -> Thing | None:
        """An object of a part of an OBJECT's type."""
        return self.type(thing.where, thing.symbol, text, thing.env)

    def awaited(self, thing: Thing | None) -> Thing | None:
        """What awaiting gives: what a promise promises, else the thing itself."""
        if thing is None or thing.kind is not ThingKind.OBJECT:
            return thing
        form = self.form(thing)
        if form is None or form.kind is not FormKind.NAME or form.name.rpartition(".")[2] not in PROMISES:
            return thing
        return self.part(thing, form.parts[-1]) if form.parts else None

    def wrapped(self, thing: Thing | None, around: str) -> Thing | None:
        """A promise, an array … of a thing."""
        if thing is None:
            return None
        return Thing(ThingKind.OBJECT, thing.where, 0, f"{around}<$>", ((-1, "$", thing),))

    def value(self, thing: Thing) -> Thing | None:
        """What a symbol holds: an object of its type, or what its value stands for."""
        facts = self.views[thing.where].facts
        symbol, shape = facts.symbols[thing.symbol], facts.shapes[thing.symbol]
        if symbol.kind in CALLABLE and not shape.traits & Trait.ACCESSOR:
            return None
        if shape.type or shape.returns:
            return self.type(thing.where, shape.scope, shape.type or shape.returns, thing.env)
        if shape.traits & Trait.ACCESSOR:
            return self._returned(thing)
        if shape.value in ("", "?") or (shape.value == symbol.name and symbol.kind is not SymbolKind.PROPERTY):
            return None
        return self.expression(thing.where, shape.scope, shape.value, symbol.line)

    def called(
        self, thing: Thing | None, owner: Thing | None = None, given: tuple[Thing | None, ...] = ()
    ) -> Thing | None:
        """What calling a thing gives; `owner` is what it was a member of, `given` its type arguments."""
        if thing is None or thing.kind is ThingKind.OUTSIDE:
            return thing
        if thing.kind in (ThingKind.OBJECT, ThingKind.INSTANCE):
            for signature in self.signatures(thing):
                return self.type(signature.where, signature.scope, signature.form.parts[-1], signature.env)
            return None
        if thing.kind is not ThingKind.SYMBOL:
            return None
        facts = self.views[thing.where].facts
        symbol, shape = facts.symbols[thing.symbol], facts.shapes[thing.symbol]
        if symbol.kind in CLASSES:
            return self._instance(thing, given)
        if symbol.kind in CALLABLE and not shape.traits & Trait.ACCESSOR:
            return self._result_of(thing, owner, given)
        if not self.memo.enter():
            return None
        held = self.value(thing)
        result = self.called(held, None, given) if held is not None and held != thing else None
        self.memo.leave()
        return result

    def _result_of(self, thing: Thing, owner: Thing | None, given: tuple[Thing | None, ...]) -> Thing | None:
        """What a function gives: by its annotation, else by what it returns."""
        shape = self.views[thing.where].facts.shapes[thing.symbol]
        if shape.returns in _SELF:
            if owner is None or owner.symbol < 0:
                return None
            return owner._replace(kind=ThingKind.INSTANCE) if owner.kind is ThingKind.SYMBOL else owner
        scope = shape.inner if shape.inner >= 0 else shape.scope
        is_async = bool(shape.traits & Trait.ASYNC)
        if shape.returns:
            env = thing.env + self.bound(thing.where, scope, given)
            found = self.type(thing.where, scope, shape.returns, env)
            return self.wrapped(found, "Promise") if is_async and self.views[thing.where].is_python else found
        if shape.type:
            held = self.type(thing.where, shape.scope, shape.type, thing.env)
            return self.called(held) if held is not None and held.kind is not ThingKind.SYMBOL else None
        if shape.traits & Trait.GENERATOR:
            return None
        found = self._returned(thing)
        return self.wrapped(found, "Promise") if is_async else found

    def _returned(self, thing: Thing) -> Thing | None:
        """What the return statements of a function give, the first that can be told."""
        view = self.views[thing.where]
        inner = view.facts.shapes[thing.symbol].inner
        for row in view.rows_of(inner, "return") if inner >= 0 else ():
            found = self.expression(thing.where, row.target, row.value, row.line)
            if found is not None:
                return self.held(found)
        return None

    def site_result(self, file: str, number: int, *, awaited: bool) -> Thing | None:
        """What a call gives."""
        key = (file, number, "site")
        kept = self.memo.look(key)
        if kept is not None:
            found = kept.value
        else:
            self.memo.open(key)
            found = self.memo.close(self._result(file, number))
        return self.awaited(found) if awaited else found

    def _result(self, file: str, number: int) -> Thing | None:
        view = self.views[file]
        entry = view.inline.get(f"#{number}")
        if entry is not None:
            return self.imported(file, entry)
        given = self.arguments(file, view.facts.sites[number])
        thing, owner, name = self.callee(file, number)
        if thing == BUILTIN and owner is not None:
            held = self.held(owner)
            return self.library_result(held, name) if held.kind is ThingKind.OBJECT else thing
        return self.called(thing, owner, given)

    def arguments(self, file: str, site: CallSite) -> tuple[Thing | None, ...]:
        """The type arguments of a call."""
        return self._given(file, site.scope, tuple(split(site.types[1:-1], ",")), ()) if site.types else ()

    def callee(self, file: str, number: int) -> tuple[Thing | None, Thing | None, str]:
        """What a call site calls, what that is a member of, and its name there."""
        site = self.views[file].facts.sites[number]
        receiver, _, name = site.callee.rpartition(".")
        if not receiver or name[:1] in "[@":
            return self.expression(file, site.scope, site.callee, site.line), None, ""
        if receiver == "super":
            return self.above(file, site.scope, name), self.expression(file, site.scope, "this", site.line), name
        owner = self.expression(file, site.scope, receiver, site.line)
        return self.member(owner, name) if owner is not None else None, owner, name


def _relevant(text: str, env: Env) -> Env:
    """What of an environment a type can speak of."""
    if not env:
        return env
    words = set(WORDS.findall(text))
    return tuple(row for row in env if row[1] in words)


def _depth(thing: Thing) -> int:
    return 1 + max((_depth(inner) for _, _, inner in thing.env if inner is not None), default=0)
