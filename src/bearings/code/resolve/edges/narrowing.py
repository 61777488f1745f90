"""Tells where a value of several types may be each of them, as no test leaves open which.

For `shape: Circle | Square`:

shape.area                                        the property of both
if (shape.kind === "circle") return shape.area    the property of Circle
if (isRound(shape)) return shape.area             perhaps the property of one, if `isRound` is of a library
"""

from bearings.code.expressions import Expression, Parameter, Result, Tested, Typed, root_of
from bearings.code.file_facts import BindingKind, CallSite
from bearings.code.resolve.evaluator import Evaluator
from bearings.code.resolve.names.file_view import FileView


def is_untested(evaluator: Evaluator, view: FileView, use: CallSite, value: Expression) -> bool:
    """Whether all is known that tests say of a value whose member is used."""
    root = root_of(value)
    if type(root) is Tested:
        if not evaluator.flow.is_decided(view.facts.path, use.scope, root, use.line):
            return False
        root = root.name.partition(".")[0]
    if type(root) is not str:
        return type(value) is Result or isinstance(root, (Typed, Parameter))
    row = view.lookup(use.scope, root, use.line) if root != "this" else None
    return row is None or row.kind is not BindingKind.LOCAL or row.type is None
