"""Tests in code that narrow a value: `instanceof`, and functions with a predicate type."""

import re

from bearings.code.models import Binding
from bearings.code.resolve.elements import Elements
from bearings.code.resolve.referents import OWN, Thing, ThingKind

_PREDICATE = re.compile(r"(?:asserts )?([\w$]+) is (.+)")


class Guards(Elements):
    """Adds narrowing by tests."""

    def tested(self, file: str, row: Binding) -> Thing | None:
        """The referent of a value where a test holds: the test's type, or the value itself if it says more."""
        said, _, reference = row.value[1:].partition("&")
        known = self.expression(file, row.scope, reference, row.line)
        found = [self._said(file, row, part) for part in said.split("|")]
        thing = found[0]
        if thing is None or None in found:
            return known
        held = self.held(known) if known is not None else None
        return known if held is not None and self._is_kind_of(held, thing) else thing

    def _said(self, file: str, row: Binding, text: str) -> Thing | None:
        """The type in one test: of a call's argument, `#n:i`, or of a class."""
        if text[0] != "#":
            thing = self.expression(file, row.scope, text, row.line)
            is_class = thing is not None and (self._is_own_class(thing) or self._constructs(thing))
            return thing._replace(kind=ThingKind.INSTANCE) if is_class and thing is not None else thing
        number, _, position = text[1:].partition(":")
        thing, _, _ = self.callee(file, int(number))
        for signature in self.signatures(thing) if thing is not None else ():
            names, gives = signature.form.names, signature.form.parts[-1]
            predicate = _PREDICATE.fullmatch(gives)
            if predicate is not None and names[int(position) :][:1] == (predicate[1],):
                return self.type(signature.where, signature.scope, predicate[2], signature.env)
        return None

    def _is_kind_of(self, held: Thing, thing: Thing) -> bool:
        """Whether the value is known to be an object of a class or interface, or of one that extends it."""
        if held.kind != ThingKind.INSTANCE or thing.kind != ThingKind.INSTANCE:
            return False
        lineage = (here for here in self.lineage(held) if here.kind in OWN)
        return any((here.where, here.symbol) == (thing.where, thing.symbol) for here in lineage)
