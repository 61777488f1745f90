"""Tests in code that narrow a value: `instanceof`, and functions with a predicate type."""

from bearings.code.expressions import Predicate, Tested
from bearings.code.resolve.parts import Part
from bearings.code.resolve.referents import OWN, Referent, ReferentKind
from bearings.code.type_expressions import FunctionType, TypePredicate


class Guards(Part):
    """Values that tests narrow."""

    def tested(self, file: str, scope: int, value: Tested, line: int) -> Referent | None:
        """The referent of a value where a test holds: the test's type, or the value itself if it says more."""
        known = self._flow.expression(file, scope, value.name, line)
        found = [self._type_in(file, scope, test, line) for test in value.tests]
        referent = found[0]
        if referent is None or None in found or isinstance(referent.type, FunctionType):
            return known
        held = self._values.held(known) if known is not None else None
        return known if held is not None and self._is_kind_of(held, referent) else referent

    def _type_in(self, file: str, scope: int, test: str | Predicate, line: int) -> Referent | None:
        """The type in one test: the class, or the type that a predicate's return type names."""
        if isinstance(test, str):
            referent = self._flow.expression(file, scope, test, line)
            is_class = referent is not None and (
                self._members.is_own_class(referent) or self._calls.constructs(referent)
            )
            return referent._replace(kind=ReferentKind.INSTANCE) if is_class and referent is not None else referent
        referent, _, _ = self._calls.callee(file, test.site)
        for signature in self._signatures.signatures(referent) if referent is not None else ():
            listed, result = signature.function.parameters, signature.function.result
            tested = listed[test.argument].name if test.argument < len(listed) else ""
            if isinstance(result, TypePredicate) and result.parameter == tested:
                return self._types.type(signature.where, signature.scope, result.type, signature.env)
        return None

    def _is_kind_of(self, held: Referent, referent: Referent) -> bool:
        """Whether the value is known to be an object of a class or interface, or of one that extends it."""
        if held.kind != ReferentKind.INSTANCE or referent.kind != ReferentKind.INSTANCE:
            return False
        lineage = (here for here in self._members.lineage(held) if here.kind in OWN)
        return any((here.where, here.symbol) == (referent.where, referent.symbol) for here in lineage)
