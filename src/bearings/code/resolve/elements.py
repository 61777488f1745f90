"""Elements of containers, members of types as written, and results of library methods."""

from bearings.code.expressions import Item, Take
from bearings.code.resolve.builtin_types import CALLBACKS, ELEMENT, LIBRARY, MAPS, PROMISES, SAME, SEQUENCES
from bearings.code.resolve.referents import BUILTIN, OWN, Referent, ReferentKind
from bearings.code.resolve.signatures import Signatures
from bearings.code.resolve.type_texts import Form, FormKind
from bearings.code.symbol_keys import type_key

_EVERYWHERE = frozenset({"toString", "toLocaleString", "valueOf", "hasOwnProperty"})
"""Methods of values of any type: in a union they do not tell which part is meant."""
_SETTLED = frozenset({"then", "catch", "finally"})

_ENTERED = {Take.ENTERED: "__enter__", Take.ENTERED_ASYNC: "__aenter__"}
_ANY = Item(Take.ELEMENT)
_EACH = Item(Take.EACH)


class Elements(Signatures):
    """Adds elements and library members to signatures."""

    def element(self, referent: Referent, step: Item) -> Referent | None:
        """What a step takes from a referent."""
        if referent.kind == ReferentKind.OUTSIDE:
            return referent
        if (
            step == _ANY
            and referent.kind == ReferentKind.SYMBOL
            and self.views[referent.where].semantics.classes_take_arguments
        ):
            return referent if self._is_class(referent) else None
        if step.take is Take.CAUGHT:
            return referent._replace(kind=ReferentKind.INSTANCE) if referent.kind == ReferentKind.SYMBOL else None
        if referent.kind == ReferentKind.INSTANCE and step.take in _ENTERED:
            return self._entered(referent, _ENTERED[step.take])
        if referent.kind == ReferentKind.INSTANCE:
            return self._element_of_object(referent, step)
        if referent.kind != ReferentKind.OBJECT:
            return None
        form = self.form(referent)
        if form is None:
            return None
        if form.kind is FormKind.ARRAY:
            return self.part(referent, form.parts[0])
        if form.kind in (FormKind.UNION, FormKind.INTERSECTION):
            parts = (self.part(referent, text) for text in form.parts)
            found = (self.element(part, step) for part in parts if part is not None)
            return next((element for element in found if element is not None), None)
        if form.kind is FormKind.OBJECT and "[]" in form.names and step.take is not Take.EACH:
            return self.part(referent, form.parts[form.names.index("[]")])
        tuple_of = form.kind is FormKind.TUPLE or form.name in ("tuple", "Tuple", "t.Tuple", "typing.Tuple")
        return self._element_of_tuple(referent, form, step) if tuple_of else self._element_of_name(referent, form, step)

    def _entered(self, referent: Referent, name: str) -> Referent | None:
        """The value that `with` binds: the result of the object's entering method."""
        method = self.member(referent, name)
        is_own = method is not None and method.kind == ReferentKind.SYMBOL
        return self.awaited(self.called(method, referent)) if is_own else None

    def _element_of_tuple(self, referent: Referent, form: Form, step: Item) -> Referent | None:
        position = step.index
        if form.parts[1:] == ("...",):
            return self.part(referent, form.parts[0])
        if 0 <= position < len(form.parts) and not form.parts[position].startswith("..."):
            return self.part(referent, form.parts[position])
        return self.part(referent, form.parts[0].removeprefix("...")) if len(form.parts) == 1 and position < 0 else None

    def _element_of_name(self, referent: Referent, form: Form, step: Item) -> Referent | None:
        name = form.name.rpartition(".")[2]
        if name in SEQUENCES and form.parts:
            return self.part(referent, form.parts[0])
        if name in ("Parameters", "ConstructorParameters") and step.index >= 0:
            function = self.part(referent, form.parts[0])
            return self.parameter_of(function, step.index) if function is not None else None
        if name in MAPS and len(form.parts) == 2:
            if step.take is not Take.EACH:
                return self.part(referent, form.parts[1])
            if self.views[referent.where].semantics.maps_give_keys:
                return self.part(referent, form.parts[0])
            return referent._replace(text=f"[{form.parts[0]}, {form.parts[1]}]") if name != "Record" else None
        return None

    def _element_of_object(self, referent: Referent, step: Item) -> Referent | None:
        view = self.views[referent.where]
        if view.semantics.has_special_methods:
            method = "__iter__" if step.take is Take.EACH else "__getitem__"
            given = self.called(self.member(referent, method), referent)
            return (
                self.element(given, _EACH)
                if step.take is Take.EACH and given is not None and given != referent
                else given
            )
        for owner in self.lineage(referent) if step.take is not Take.EACH else ():
            inner = self.views[owner.where].facts.shapes[owner.symbol].inner if owner.kind in OWN else -1
            for row in self.views[owner.where].rows_of(inner, "[]") if inner >= 0 else ():
                return self.type(owner.where, inner, row.type, owner.env)
        return None

    def member_of_type(self, referent: Referent, name: str) -> Referent | None:
        """A member of an OBJECT: of the parts of its type, or by the language's rules."""
        form = self.form(referent)
        if form is None:
            return None
        if form.kind in (FormKind.UNION, FormKind.INTERSECTION):
            return self._member_of_parts(referent, form, name)
        if form.kind is FormKind.OBJECT:
            text = dict(zip(form.names, form.parts, strict=True)).get(name)
            return (self._declared(referent, form, name) or self.part(referent, text)) if text else None
        if form.kind is FormKind.NAME and form.name.rpartition(".")[2] in PROMISES:
            return BUILTIN if name in _SETTLED else None
        if form.kind is FormKind.NAME and form.name == "Record" and len(form.parts) == 2:
            return self.part(referent, form.parts[1])
        return BUILTIN if name in LIBRARY else None

    def _declared(self, referent: Referent, form: Form, name: str) -> Referent | None:
        """The symbol of an object type's member, if exactly one such type declares it."""
        rows = list(self.views[referent.where].rows_around(referent.symbol, type_key(form.name, name)))
        return (
            Referent(ReferentKind.SYMBOL, referent.where, rows[0].target, "", referent.env) if len(rows) == 1 else None
        )

    def _member_of_parts(self, referent: Referent, form: Form, name: str) -> Referent | None:
        """The member in the first part that has one of the project; else the library's."""
        outside = None
        if name in _EVERYWHERE and form.kind is FormKind.UNION:
            return None
        for text in form.parts:
            part = self.part(referent, text)
            found = self.member(part, name) if part is not None else None
            if found is not None and found.kind != ReferentKind.OUTSIDE:
                return found
            outside = outside or found
        return outside

    def library_result(self, owner: Referent, name: str) -> Referent | None:
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
        return self.element(owner, _ANY) if name in ELEMENT else None

    def library_parameter(self, owner: Referent, name: str, position: int) -> Referent | None:
        """The argument that a container's method passes to the function that it takes."""
        form = self.form(owner)
        if form is None:
            return None
        kind = form.name.rpartition(".")[2] if form.kind is FormKind.NAME else ""
        if kind in PROMISES:
            return self.awaited(owner) if name == "then" and position == 0 else None
        if kind in MAPS and name == "forEach" and len(form.parts) == 2:
            return self.part(owner, form.parts[1]) if position == 0 else None
        return self.element(owner, _ANY) if position in CALLBACKS.get(name, ()) else None
