"""Elements of containers, members of types as written, and results of library methods."""

from bearings.code.resolve.builtin_types import CALLBACKS, ELEMENT, LIBRARY, MAPS, PROMISES, SAME, SEQUENCES
from bearings.code.resolve.referents import BUILTIN, OWN, Thing, ThingKind
from bearings.code.resolve.signatures import Signatures
from bearings.code.resolve.type_texts import Form, FormKind
from bearings.code.symbol_keys import type_key

_EVERYWHERE = frozenset({"toString", "toLocaleString", "valueOf", "hasOwnProperty"})
"""Methods of values of any type: in a union they do not tell which part is meant."""
_SETTLED = frozenset({"then", "catch", "finally"})

_ENTERED = {"[with]": "__enter__", "[async with]": "__aenter__"}


class Elements(Signatures):
    """Adds elements and library members to signatures."""

    def element(self, thing: Thing, step: str) -> Thing | None:
        """The element that a step takes: `[]`, `[0]`, `@` for a loop, `[with]`, `[except]`."""
        if thing.kind == ThingKind.OUTSIDE:
            return thing
        if step == "[]" and thing.kind == ThingKind.SYMBOL and self.views[thing.where].semantics.classes_take_arguments:
            return thing if self._is_class(thing) else None
        if step == "[except]":
            return thing._replace(kind=ThingKind.INSTANCE) if thing.kind == ThingKind.SYMBOL else None
        if thing.kind == ThingKind.INSTANCE and step in _ENTERED:
            return self._entered(thing, _ENTERED[step])
        if thing.kind == ThingKind.INSTANCE:
            return self._element_of_object(thing, step)
        if thing.kind != ThingKind.OBJECT:
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

    def _entered(self, thing: Thing, name: str) -> Thing | None:
        """The value that `with` binds: the result of the object's entering method."""
        method = self.member(thing, name)
        is_own = method is not None and method.kind == ThingKind.SYMBOL
        return self.awaited(self.called(method, thing)) if is_own else None

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
            if self.views[thing.where].semantics.maps_give_keys:
                return self.part(thing, form.parts[0])
            return thing._replace(text=f"[{form.parts[0]}, {form.parts[1]}]") if name != "Record" else None
        return None

    def _element_of_object(self, thing: Thing, step: str) -> Thing | None:
        view = self.views[thing.where]
        if view.semantics.has_special_methods:
            method = "__iter__" if step == "@" else "__getitem__"
            given = self.called(self.member(thing, method), thing)
            return self.element(given, "@") if step == "@" and given is not None and given != thing else given
        for owner in self.lineage(thing) if step[0] == "[" else ():
            inner = self.views[owner.where].facts.shapes[owner.symbol].inner if owner.kind in OWN else -1
            for row in self.views[owner.where].rows_of(inner, "[]") if inner >= 0 else ():
                return self.type(owner.where, inner, row.type, owner.env)
        return None

    def member_of_type(self, thing: Thing, name: str) -> Thing | None:
        """A member of an OBJECT: of the parts of its type, or by the language's rules."""
        form = self.form(thing)
        if form is None:
            return None
        if form.kind in (FormKind.UNION, FormKind.INTERSECTION):
            return self._member_of_parts(thing, form, name)
        if form.kind is FormKind.OBJECT:
            text = dict(zip(form.names, form.parts, strict=True)).get(name)
            return (self._declared(thing, form, name) or self.part(thing, text)) if text else None
        if form.kind is FormKind.NAME and form.name.rpartition(".")[2] in PROMISES:
            return BUILTIN if name in _SETTLED else None
        if form.kind is FormKind.NAME and form.name == "Record" and len(form.parts) == 2:
            return self.part(thing, form.parts[1])
        return BUILTIN if name in LIBRARY else None

    def _declared(self, thing: Thing, form: Form, name: str) -> Thing | None:
        """The symbol of an object type's member, if exactly one such type declares it."""
        rows = list(self.views[thing.where].rows_around(thing.symbol, type_key(form.name, name)))
        return Thing(ThingKind.SYMBOL, thing.where, rows[0].target, "", thing.env) if len(rows) == 1 else None

    def _member_of_parts(self, thing: Thing, form: Form, name: str) -> Thing | None:
        """The member in the first part that has one of the project; else the library's."""
        outside = None
        if name in _EVERYWHERE and form.kind is FormKind.UNION:
            return None
        for text in form.parts:
            part = self.part(thing, text)
            found = self.member(part, name) if part is not None else None
            if found is not None and found.kind != ThingKind.OUTSIDE:
                return found
            outside = outside or found
        return outside

    def library_result(self, owner: Thing, name: str) -> Thing | None:
        """The result of a container's method."""
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
            view = self.views[owner.where].semantics.map_views.get(name)
            return owner._replace(text=view.format(key=key, value=value)) if view is not None else None
        if name in SAME:
            return owner
        return self.element(owner, "[]") if name in ELEMENT else None

    def library_parameter(self, owner: Thing, name: str, position: int) -> Thing | None:
        """The argument that a container's method passes to the function that it takes."""
        form = self.form(owner)
        if form is None:
            return None
        kind = form.name.rpartition(".")[2] if form.kind is FormKind.NAME else ""
        if kind in PROMISES:
            return self.awaited(owner) if name == "then" and position == 0 else None
        if kind in MAPS and name == "forEach" and len(form.parts) == 2:
            return self.part(owner, form.parts[1]) if position == 0 else None
        return self.element(owner, "[]") if position in CALLBACKS.get(name, ()) else None
