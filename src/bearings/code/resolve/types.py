"""Annotated types, and the values of symbols."""

from abc import abstractmethod

from bearings.code.expressions import Item, Take, is_result
from bearings.code.models import BindingKind, SymbolKind, Trait
from bearings.code.resolve.builtin_types import MAPS, PRIMITIVES, PROMISES, SEQUENCES, WRAPPERS
from bearings.code.resolve.members import Members
from bearings.code.resolve.referents import BUILTIN, CLASSES, Env, Referent, ReferentKind, as_kind, plain
from bearings.code.resolve.type_texts import WORDS, Form, FormKind, form_of

CALLABLE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.HOOK, SymbolKind.COMPONENT})
_UNTOLD = frozenset({"any", "unknown", "Any"})
_CONTAINERS = PROMISES | SEQUENCES | MAPS | {"Parameters", "ConstructorParameters"}
INLINE = -2
"""The scope of type parameters that a function's type declares itself."""
_GENERATED = 3
"""Types that describe a generator: by the types that it yields, takes, and returns."""
_NESTED = 4
"""The depth of types within types that are kept as arguments."""


class Types(Members):
    """Adds types and values to members."""

    @abstractmethod
    def element(self, referent: Referent, step: Item) -> Referent | None:
        """The result of a step to an element."""

    @abstractmethod
    def called(
        self, referent: Referent | None, owner: Referent | None = None, given: tuple[Referent | None, ...] = ()
    ) -> Referent | None:
        """The result of calling a referent; `owner` is the object of the member, `given` are the type arguments."""

    @abstractmethod
    def returned(self, referent: Referent) -> Referent | None:
        """The first known value of a function's return statements."""

    def type(self, file: str, scope: int, text: str, env: Env = (), *, awaited: bool = False) -> Referent | None:
        """An object of an annotated type, with type parameters from `env`; None if unknown.

        An object of a class or interface of the project is an INSTANCE; of any other type, an OBJECT of the text.
        """
        if text == "$":
            return env[0][2]
        key = ("type", file, scope, text, env)
        cached = self.memo.look(key)
        if cached is not None:
            found = cached.value
        elif self.memo.enter():
            self.memo.open(key)
            found = self.memo.close(self._typed(file, scope, text, env))
            self.memo.leave()
        else:
            return None
        return self.awaited(found) if awaited else found

    def _typed(self, file: str, scope: int, text: str, env: Env) -> Referent | None:
        form = self.views[file].semantics.type_form(text)
        if form is None:
            return None
        if form.kind is FormKind.NAME:
            return self._named(file, scope, form, text, env)
        if form.kind is FormKind.TYPEOF:
            return self.expression(file, scope, form.name, 0)
        if form.kind is FormKind.IMPORT:
            return self._of_module(file, scope, form, env)
        if form.kind is FormKind.INDEX:
            base = self.type(file, scope, form.parts[0], env)
            return self._at(base, form.name) if base is not None else None
        return Referent(ReferentKind.OBJECT, file, scope, text, _relevant(text, env))

    def _of_module(self, file: str, scope: int, form: Form, env: Env) -> Referent | None:
        """The type in `import("./module").Type`, or the value with `typeof`."""
        specifier, _, names = form.name.partition(" ")
        referent: Referent | None = self.module(file, specifier)
        steps = names.split(".")[1:]
        if not steps and referent is not None and referent.kind == ReferentKind.MODULE:
            referent = self._whole(referent) or referent
        for step in steps:
            referent = self.member(referent, step, types="typeof" not in form.names) if referent is not None else None
        if referent is None or referent.kind == ReferentKind.OUTSIDE or form.names:
            return referent
        return self._instance(referent, self._given(file, scope, form.parts, env))

    def _at(self, base: Referent, key: str) -> Referent | None:
        """The type of `T["key"]`."""
        if key == "*" or key[0] == "[":
            return self.element(base, Item(Take.ELEMENT, -1 if key == "*" else int(key[1:-1])))
        found = self.member(base, key)
        return self.held(found) if found is not None else None

    def held(self, referent: Referent) -> Referent:
        """The value of a referent: a property's object; a function or class itself."""
        if referent.kind != ReferentKind.SYMBOL:
            return referent
        kind = self.views[referent.where].facts.symbols[referent.symbol].kind
        if kind in CLASSES or not self.memo.enter():
            return referent
        value = self.value(referent)
        self.memo.leave()
        return value or referent

    def _named(self, file: str, scope: int, form: Form, text: str, env: Env) -> Referent | None:
        view, name = self.views[file], form.name
        if view.semantics.type_variables_have_no_scope:
            for _, parameter, referent in env:
                if parameter == name:
                    return referent
        elif "." not in name:
            for at, parameter, referent in env:
                if at == INLINE and parameter == name:
                    return referent
            row = view.lookup(scope, name, 0, types=True)
            if row is not None and row.kind is BindingKind.TYPE_PARAMETER:
                for at, parameter, referent in env:
                    if parameter == name and at == row.scope:
                        return referent
                return self.type(file, row.scope, row.type, env) if row.type not in ("", name) else None
        referent = self.expression(file, scope, name, 0, types=view.semantics.types_have_names_of_their_own)
        if referent is None or referent.kind == ReferentKind.OUTSIDE:
            return self._library(file, scope, form, text, env, referent)
        return self._instance(referent, self._given(file, scope, form.parts, env))

    def _given(self, file: str, scope: int, parts: tuple[str, ...], env: Env) -> tuple[Referent | None, ...]:
        return tuple(self.type(file, scope, part, env) for part in parts)

    def _library(
        self, file: str, scope: int, form: Form, text: str, env: Env, referent: Referent | None
    ) -> Referent | None:
        """An object of a built-in or library type, as far as the type leads to one of the project."""
        last, parts = form.name.rpartition(".")[2], form.parts
        if last in _UNTOLD:
            return None
        if not parts:
            return BUILTIN if last in PRIMITIVES else referent
        if last in _CONTAINERS or last == self.views[file].semantics.function_type:
            return Referent(ReferentKind.OBJECT, file, scope, text, _relevant(text, env))
        if last in ("FC", "FunctionComponent", "VFC"):
            return Referent(ReferentKind.OBJECT, file, scope, f"(props: {parts[0]}) => void", env)
        if last in ("RefObject", "MutableRefObject", "Ref"):
            return Referent(ReferentKind.OBJECT, file, scope, f"{{ current: {parts[0]} }}", env)
        known = last in WRAPPERS or last in ("Awaited", "ReturnType", "InstanceType", "type", "Type")
        first = self.type(file, scope, parts[0], env) if known else None
        if first is None:
            return referent if not known else None
        if last == "Awaited":
            return self.awaited(first)
        if last == "ReturnType":
            return self.called(first)
        if last == "InstanceType":
            return as_kind(first, ReferentKind.INSTANCE) if first.kind == ReferentKind.SYMBOL else None
        if last in ("type", "Type"):
            return as_kind(first, ReferentKind.SYMBOL) if first.kind == ReferentKind.INSTANCE else None
        return first

    def _instance(self, referent: Referent, given: tuple[Referent | None, ...] = ()) -> Referent | None:
        """An object of the class, interface or alias of a name."""
        if referent.kind != ReferentKind.SYMBOL:
            return None
        view = self.views[referent.where]
        shape, kind = view.facts.shapes[referent.symbol], view.facts.symbols[referent.symbol].kind
        scope = shape.inner if shape.inner >= 0 else shape.scope
        if kind is SymbolKind.TYPE and shape.type:
            return self.type(referent.where, scope, shape.type, self.bound(referent.where, scope, given))
        if kind in CLASSES or shape.traits & Trait.CONSTRUCTS:
            return plain(
                ReferentKind.INSTANCE, referent.where, referent.symbol, self.bound(referent.where, scope, given)
            )
        if view.semantics.types_have_names_of_their_own or kind in CALLABLE:
            return None
        if shape.returns:  # `Alias = Class[Argument]`
            return self.type(referent.where, scope, shape.returns)
        held = self.value(referent) if shape.value is not None else None
        return as_kind(held, ReferentKind.INSTANCE) if held is not None and self._is_own_class(held) else None

    def _is_own_class(self, referent: Referent) -> bool:
        return referent.kind == ReferentKind.SYMBOL and self._is_class(referent)

    def bound(self, file: str, scope: int, given: tuple[Referent | None, ...]) -> Env:
        """The type parameters of a scope, with their arguments."""
        if not given:
            return ()
        return tuple(
            (scope, name, referent if referent is not None and _depth(referent) < _NESTED else None)
            for name, referent in zip(self.views[file].generics(scope), given, strict=False)
        )

    def form(self, referent: Referent) -> Form | None:
        """The form of an OBJECT's type."""
        if "$" in referent.text:  # differs from the written type: see `wrapped`
            return form_of(referent.text)
        return self.views[referent.where].semantics.type_form(referent.text)

    def part(self, referent: Referent, text: str) -> Referent | None:
        """An object of a part of an OBJECT's type."""
        return self.type(referent.where, referent.symbol, text, referent.env)

    def awaited(self, referent: Referent | None) -> Referent | None:
        """The result of awaiting: the value of a promise, else the referent itself."""
        is_object = referent is not None and referent.kind == ReferentKind.INSTANCE
        if referent is not None and is_object and self.views[referent.where].semantics.has_special_methods:
            waited = self.member(referent, "__await__")
            given = self.called(waited, referent) if waited is not None and waited.kind == ReferentKind.SYMBOL else None
            form = self.form(given) if given is not None and given.kind == ReferentKind.OBJECT else None
            return self.part(given, form.parts[-1]) if given and form and len(form.parts) == _GENERATED else referent
        if referent is None or referent.kind != ReferentKind.OBJECT:
            return referent
        form = self.form(referent)
        if form is None or form.kind is not FormKind.NAME or form.name.rpartition(".")[2] not in PROMISES:
            return referent
        return self.part(referent, form.parts[-1]) if form.parts else None

    def wrapped(self, referent: Referent | None, around: str) -> Referent | None:
        """A promise, an array … of a referent."""
        if referent is None:
            return None
        return Referent(ReferentKind.OBJECT, referent.where, 0, f"{around}<$>", ((-1, "$", referent),))

    def value(self, referent: Referent) -> Referent | None:
        """The value of a symbol: an object of its type, or the referent of its value."""
        facts = self.views[referent.where].facts
        symbol, shape = facts.symbols[referent.symbol], facts.shapes[referent.symbol]
        is_accessor = bool(shape.traits & Trait.ACCESSOR)
        if symbol.kind in CALLABLE and not is_accessor:
            return self._decorated(referent)
        if shape.type or (shape.returns and is_accessor):
            return self.type(referent.where, shape.scope, shape.type or shape.returns, referent.env)
        if is_accessor:
            return self.returned(referent)
        if shape.value is None or (shape.value == symbol.name and symbol.kind is not SymbolKind.PROPERTY):
            return None
        return self.expression(referent.where, shape.scope, shape.value, symbol.line)

    def _decorated(self, referent: Referent) -> Referent | None:
        """The object that a decorator returns for a function, if it returns one."""
        facts = self.views[referent.where].facts
        shape = facts.shapes[referent.symbol]
        if not self.views[referent.where].semantics.decorators_replace_functions:
            # a variable with the name of a function that it forwards
            given = shape.value if is_result(shape.value) else None
            return self.expression(referent.where, shape.scope, given, 0) if given is not None else None
        if shape.value is None:
            return None
        decorator = self.expression(referent.where, shape.scope, shape.value, facts.symbols[referent.symbol].line)
        made = self.called(decorator) if decorator is not None and decorator != referent else None
        return made if made is not None and made.kind in (ReferentKind.INSTANCE, ReferentKind.OBJECT) else None


def _relevant(text: str, env: Env) -> Env:
    """The part of an environment that a type can refer to."""
    if not env:
        return env
    words = set(WORDS.findall(text))
    return tuple(row for row in env if row[1] in words)


def _depth(referent: Referent) -> int:
    return 1 + max((_depth(inner) for _, _, inner in referent.env if inner is not None), default=0)
