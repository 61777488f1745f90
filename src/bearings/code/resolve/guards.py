"""Tests in code that narrow a value: `instanceof`, and functions with a predicate type."""

import re

from bearings.code.expressions import Predicate, Tested
from bearings.code.resolve.elements import Elements
from bearings.code.resolve.referents import OWN, Referent, ReferentKind

_PREDICATE = re.compile(r"(?:asserts )?([\w$]+) is (.+)")


class Guards(Elements):
    """Adds narrowing by tests."""

    def tested(self, file: str, scope: int, value: Tested, line: int) -> Referent | None:
        """The referent of a value where a test holds: the test's type, or the value itself if it says more."""
        known = self.expression(file, scope, value.name, line)
        found = [self._type_in(file, scope, test, line) for test in value.tests]
        referent = found[0]
        if referent is None or None in found:
            return known
        held = self.held(known) if known is not None else None
        return known if held is not None and self._is_kind_of(held, referent) else referent

    def _type_in(self, file: str, scope: int, test: str | Predicate, line: int) -> Referent | None:
        """The type in one test: the class, or the type that a predicate's return type names."""
        if isinstance(test, str):
            referent = self.expression(file, scope, test, line)
            is_class = referent is not None and (self._is_own_class(referent) or self._constructs(referent))
            return referent._replace(kind=ReferentKind.INSTANCE) if is_class and referent is not None else referent
        referent, _, _ = self.callee(file, test.site)
        for signature in self.signatures(referent) if referent is not None else ():
            names, gives = signature.form.names, signature.form.parts[-1]
            predicate = _PREDICATE.fullmatch(gives)
            if predicate is not None and names[test.argument :][:1] == (predicate[1],):
                return self.type(signature.where, signature.scope, predicate[2], signature.env)
        return None

    def _is_kind_of(self, held: Referent, referent: Referent) -> bool:
        """Whether the value is known to be an object of a class or interface, or of one that extends it."""
        if held.kind != ReferentKind.INSTANCE or referent.kind != ReferentKind.INSTANCE:
            return False
        lineage = (here for here in self.lineage(held) if here.kind in OWN)
        return any((here.where, here.symbol) == (referent.where, referent.symbol) for here in lineage)
