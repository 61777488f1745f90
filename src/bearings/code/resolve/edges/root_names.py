"""Numbers the referents of the first names of expressions, so that equal expressions are resolved once for a file.

In a file that says `cart.items.length` on forty lines, `cart` is looked up on each of them. Where it is the same row of
the binding table, it has the same number, and the rest of the expression is not resolved again.
"""

from typing import Final

from bearings.code.expressions import SUPER, Function, Parameter, Properties, Result, Root, Tested, Typed
from bearings.code.file_facts import ScopeKind
from bearings.code.resolve.evaluator import Evaluator
from bearings.code.resolve.names.file_view import FileView
from bearings.code.resolve.referent import Referent
from bearings.code.type_expressions import OwnType

UNKNOWN: Final = -1
"""The number of a root that must be resolved each time."""

_FIRST_CLASS: Final = -2
"""The number of the first class whose roots share a number; the next ones have -3, -4 … All others are not negative."""

_CONTEXTUAL = frozenset({"super", "module", "exports"})
"""Names whose meaning depends on more than the scope."""
_SCOPELESS_ROOTS = (Parameter, Result, Properties, Function)
"""Roots that mean the same wherever they are used."""
_ARROW: Final = ScopeKind.ARROW
_BLOCK: Final = ScopeKind.BLOCK


class Roots:
    """The root numbers of one file.

    Expressions whose roots have the same number, and whose further steps are equal, mean the same.
    """

    def __init__(self, evaluator: Evaluator, view: FileView) -> None:
        self._evaluator = evaluator
        self._view = view
        self._number_by_binding: dict[int, int] = {}
        self._class_numbers: dict[Referent, int] = {}

    def number(self, scope: int, root: Root, line: int, *, dotted: bool) -> int:
        """The number of a root at a use; `dotted`: steps follow. UNKNOWN if no other use has the same meaning."""
        if type(root) is Typed:
            return scope
        if type(root) is Tested:
            root, dotted = root.name.partition(".")[0], True
        if type(root) is not str:
            return 0 if isinstance(root, _SCOPELESS_ROOTS) else UNKNOWN
        if root in _CONTEXTUAL or root[:6] == SUPER:
            return UNKNOWN
        view = self._view
        if root == "this" and not view.semantics.this_is_parameter:
            return self._this_number(scope) if dotted else UNKNOWN
        row = view.lookup(scope, root, line)
        if row is None:
            return UNKNOWN if view.binds(view.semantics.template_properties) else 0
        number = id(row)
        return self._class_number(scope, root, line, number) if dotted and isinstance(row.type, OwnType) else number

    def _this_number(self, scope: int) -> int:
        """The number of `this`: arrow functions and blocks have the `this` of the scope around them."""
        scopes = self._view.facts.scopes
        while scope >= 0 and (scopes[scope].kind is _ARROW or scopes[scope].kind is _BLOCK):
            scope = scopes[scope].parent
        return self._class_number(scope, "this", 0, scope) if scope >= 0 else UNKNOWN

    def _class_number(self, scope: int, root: str, line: int, binding_number: int) -> int:
        """The number of a class for all roots that mean it or an object of it; cached by `binding_number`."""
        number = self._number_by_binding.get(binding_number)
        if number is None:
            owner = self._evaluator.flow.expression(self._view.facts.path, scope, root, line)
            numbers = self._class_numbers
            number = numbers.setdefault(owner, _FIRST_CLASS - len(numbers)) if owner is not None else UNKNOWN
            self._number_by_binding[binding_number] = number
        return number
