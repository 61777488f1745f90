"""How things are called: their parameters, and what a callback is given by the function that takes it."""

from collections.abc import Iterator

from bearings.code.models import SymbolKind
from bearings.code.resolve.builtin_types import CALLBACKS, ELEMENT, LIBRARY, MAPS, PROMISES, SAME, SEQUENCES
from bearings.code.resolve.things import BUILTIN, CLASSES, OWN, Env, Thing, ThingKind
from bearings.code.resolve.type_texts import Form, FormKind, signature_of
from bearings.code.resolve.types import CALLABLE, Signature, Types

_EVERYWHERE = frozenset({"toString", "toLocaleString", "valueOf", "hasOwnProperty"})
"""Methods that a value of any type has: of a union they are nobody's own."""
_SETTLED = frozenset({"then", "catch", "finally"})


class Signatures(Types):
    """Adds parameters to types."""

    def signatures(self, thing: Thing, *, new: bool = False) -> Iterator[Signature]:
        """The ways to call (or construct) a thing, in the order of the source."""
        if thing.kind is ThingKind.OBJECT:
            yield from self._signatures_of_type(thing, new=new)
        elif thing.kind is ThingKind.INSTANCE:
            yield from self._call_signatures(thing, "new()" if new else "()")
        elif thing.kind is ThingKind.SYMBOL:
            yield from self._signatures_of_symbol(thing, new=new)

    def _signatures_of_type(self, thing: Thing, *, new: bool) -> Iterator[Signature]:
        form = self.form(thing)
        if form is None:
            return
        if form.kind in (FormKind.FUNCTION, FormKind.CONSTRUCTOR):
            yield Signature(thing.where, thing.symbol, form, thing.env)
        elif form.kind in (FormKind.UNION, FormKind.INTERSECTION) and self.memo.enter():
            for text in form.parts:
                part = self.part(thing, text)
                if part is not None:
                    yield from self.signatures(part, new=new)
            self.memo.leave()

    def _call_signatures(self, thing: Thing, name: str) -> Iterator[Signature]:
        for owner in self.lineage(thing):
            if owner.kind not in OWN:
                continue
            view = self.views[owner.where]
            inner = view.facts.shapes[owner.symbol].inner
            for row in view.rows_of(inner, name):
                form = signature_of(row.type)
                if form is not None:
                    yield Signature(owner.where, inner, form, owner.env)

    def _signatures_of_symbol(self, thing: Thing, *, new: bool) -> Iterator[Signature]:
        view = self.views[thing.where]
        symbol, shape = view.facts.symbols[thing.symbol], view.facts.shapes[thing.symbol]
        if symbol.kind in CLASSES:
            made = self.member(thing._replace(kind=ThingKind.INSTANCE), "constructor")
            if made is not None and made.kind is ThingKind.SYMBOL:
                yield from self.signatures(made)
        elif symbol.kind in CALLABLE or symbol.kind is SymbolKind.CONSTRUCTOR:
            text = shape.type
            if text and shape.inner >= 0:
                held = self.type(thing.where, shape.scope, text, thing.env)
                if held is not None and held.kind is not ThingKind.SYMBOL:
                    yield from self.signatures(held, new=new)
                return
            form = signature_of(symbol.signature)
            if form is not None:
                yield Signature(thing.where, shape.inner if shape.inner >= 0 else shape.scope, form, thing.env)
        elif self.memo.enter():
            held = self.value(thing)
            if held is not None and held != thing:
                yield from self.signatures(held, new=new)
            self.memo.leave()

    def parameter(self, signature: Signature, position: int) -> Thing | None:
        """What a parameter of a signature is."""
        names, types = signature.form.names, signature.form.parts
        if position < len(names) and not names[position].startswith("..."):
            text = types[position]
        elif names and names[-1].startswith("..."):
            rest = self.type(signature.where, signature.scope, types[len(names) - 1], signature.env)
            return self.element(rest, f"[{position - len(names) + 1}]") if rest is not None else None
        else:
            return None
        return self.type(signature.where, signature.scope, text, signature.env) if text else None

    def parameter_of(self, thing: Thing, position: int) -> Thing | None:
        """What a parameter of a thing that is called is, by the first signature that says so."""
        for signature in self.signatures(thing):
            found = self.parameter(signature, position)
            if found is not None:
                return found
        return None

    def context(self, file: str, root: str) -> Thing | None:
        """What `^n:i/key:j` is: the parameter j of the function that is argument i of call site n."""
        key = (file, root, "context")
        kept = self.memo.look(key)
        if kept is not None:
            return kept.value
        self.memo.open(key)
        return self.memo.close(self._context(file, root))

    def _context(self, file: str, root: str) -> Thing | None:
        number, argument, *last = root[1:].split(":")
        if len(last) != 1:
            return None
        position, *keys = argument.split("/")
        thing, owner, name = self.callee(file, int(number))
        if thing is None:
            return None
        if thing.kind is ThingKind.OUTSIDE:
            held = self.held(owner) if thing == BUILTIN and owner is not None and not keys else None
            is_library = held is not None and held.kind is ThingKind.OBJECT
            return self._library_parameter(held, name, int(last[0])) if is_library and held is not None else None
        site = self.views[file].facts.sites[int(number)]
        given = self.arguments(file, site)
        for signature in self.signatures(thing, new=site.kind == "new"):
            if given:
                env = self.bound(signature.where, signature.scope, given)
                signature = signature._replace(env=signature.env + (env or self._inline(signature, given)))
            taken = self.parameter(signature, int(position))
            for step in keys:
                found = self.member(taken, step) if taken is not None else None
                taken = found if found is None or step is keys[-1] else self.held(found)
            found = self.parameter_of(taken, int(last[0])) if taken is not None else None
            if found is not None:
                return found
        return None

    def _inline(self, signature: Signature, given: tuple[Thing | None, ...]) -> Env:
        """The type parameters that a function's type declares by itself."""
        return tuple((-2, name, thing) for name, thing in zip(signature.form.generics, given, strict=False))

    def element(self, thing: Thing, step: str) -> Thing | None:
        """What a step to an element gives: `[]`, `[0]`, `@` for what a loop gets, `[with]`, `[except]`."""
        if thing.kind is ThingKind.OUTSIDE:
            return thing
        if step == "[except]":
            return thing._replace(kind=ThingKind.INSTANCE) if thing.kind is ThingKind.SYMBOL else None
        if thing.kind is ThingKind.INSTANCE and step == "[with]":
            return self._entered(thing)
        if thing.kind is ThingKind.INSTANCE:
            return self._element_of_object(thing, step)
        if thing.kind is not ThingKind.OBJECT:
            return None
        form = self.form(thing)
        if form is None:
            return None
        if form.kind is FormKind.ARRAY:
            return self.part(thing, form.parts[0])
        if form.kind in (FormKind.UNION, FormKind.INTERSECTION):
            parts = (self.part(thing, text) for text in form.parts)
            found = (self.element(part, step) for part in parts if part is not None)
            return next((element for element in found if element is not None), None)
        if form.kind is FormKind.OBJECT and "[]" in form.names and step[0] == "[":
            return self.part(thing, form.parts[form.names.index("[]")])
        tuple_of = form.kind is FormKind.TUPLE or form.name in ("tuple", "Tuple", "t.Tuple", "typing.Tuple")
        return self._element_of_tuple(thing, form, step) if tuple_of else self._element_of_name(thing, form, step)

    def _entered(self, thing: Thing) -> Thing | None:
        """What `with` gives of an object: what it says of entering, asynchronous or not."""
        for name in ("__enter__", "__aenter__"):
            method = self.member(thing, name)
            if method is not None and method.kind is ThingKind.SYMBOL:
                return self.awaited(self.called(method, thing))
        return None

    def _element_of_tuple(self, thing: Thing, form: Form, step: str) -> Thing | None:
        position = int(step[1:-1]) if step[1:-1].isdecimal() else -1
        if form.parts[1:] == ("...",):
            return self.part(thing, form.parts[0])
        if 0 <= position < len(form.parts) and not form.parts[position].startswith("..."):
            return self.part(thing, form.parts[position])
        return self.part(thing, form.parts[0].removeprefix("...")) if len(form.parts) == 1 and position < 0 else None

    def _element_of_name(self, thing: Thing, form: Form, step: str) -> Thing | None:
        name = form.name.rpartition(".")[2]
        if name in SEQUENCES and form.parts:
            return self.part(thing, form.parts[0])
        if name in ("Parameters", "ConstructorParameters") and step[1:-1].isdecimal():
            function = self.part(thing, form.parts[0])
            return self.parameter_of(function, int(step[1:-1])) if function is not None else None
        if name in MAPS and len(form.parts) == 2:
            if step[0] == "[":
                return self.part(thing, form.parts[1])
            if self.views[thing.where].is_python:
                return self.part(thing, form.parts[0])
            return thing._replace(text=f"[{form.parts[0]}, {form.parts[1]}]") if name != "Record" else None
        return None

    def _element_of_object(self, thing: Thing, step: str) -> Thing | None:
        view = self.views[thing.where]
        if view.is_python:
            method = "__iter__" if step == "@" else "__getitem__"
            given = self.called(self.member(thing, method), thing)
            return self.element(given, "@") if step == "@" and given is not None and given != thing else given
        for owner in self.lineage(thing) if step[0] == "[" else ():
            inner = self.views[owner.where].facts.shapes[owner.symbol].inner if owner.kind in OWN else -1
            for row in self.views[owner.where].rows_of(inner, "[]") if inner >= 0 else ():
                return self.type(owner.where, inner, row.type, owner.env)
        return None

    def member_of_type(self, thing: Thing, name: str) -> Thing | None:
        """A member of an OBJECT: of the parts of its type, or of what the language makes of it."""
        form = self.form(thing)
        if form is None:
            return None
        if form.kind in (FormKind.UNION, FormKind.INTERSECTION):
            return self._member_of_parts(thing, form, name)
        if form.kind is FormKind.OBJECT:
            text = dict(zip(form.names, form.parts, strict=True)).get(name)
            return self.part(thing, text) if text else None
        if form.kind is FormKind.NAME and form.name.rpartition(".")[2] in PROMISES:
            return BUILTIN if name in _SETTLED else None
        if form.kind is FormKind.NAME and form.name == "Record" and len(form.parts) == 2:
            return self.part(thing, form.parts[1])
        return BUILTIN if name in LIBRARY else None

    def _member_of_parts(self, thing: Thing, form: Form, name: str) -> Thing | None:
        """Of the first part that has it; the library's, where only that has."""
        outside = None
        if name in _EVERYWHERE and form.kind is FormKind.UNION:
            return None
        for text in form.parts:
            part = self.part(thing, text)
            found = self.member(part, name) if part is not None else None
            if found is not None and found.kind is not ThingKind.OUTSIDE:
                return found
            outside = outside or found
        return outside

    def library_result(self, owner: Thing, name: str) -> Thing | None:
        """What a method of a container gives."""
        form = self.form(owner)
        if form is None:
            return None
        kind = form.name.rpartition(".")[2] if form.kind is FormKind.NAME else ""
        if kind in PROMISES:
            return owner if name in ("catch", "finally") else None
        if kind in MAPS and len(form.parts) == 2:
            key, value = form.parts
            if name in ("get", "pop", "setdefault"):
                return self.part(owner, value)
            texts = {"values": f"Array<{value}>", "keys": f"Array<{key}>", "entries": f"Array<[{key}, {value}]>"}
            if self.views[owner.where].is_python:
                texts = {"values": f"list[{value}]", "keys": f"list[{key}]", "items": f"list[tuple[{key}, {value}]]"}
            return owner._replace(text=texts[name]) if name in texts else None
        if name in SAME:
            return owner
        return self.element(owner, "[]") if name in ELEMENT else None

    def _library_parameter(self, owner: Thing, name: str, position: int) -> Thing | None:
        """What a container's method gives to the function that it takes."""
        form = self.form(owner)
        if form is None:
            return None
        kind = form.name.rpartition(".")[2] if form.kind is FormKind.NAME else ""
        if kind in PROMISES:
            return self.awaited(owner) if name == "then" and position == 0 else None
        if kind in MAPS and name == "forEach" and len(form.parts) == 2:
            return self.part(owner, form.parts[1]) if position == 0 else None
        return self.element(owner, "[]") if position in CALLBACKS.get(name, ()) else None
