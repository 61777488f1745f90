"""Plans a move of elements."""

from collections.abc import Sequence

from bearings.code.models import Symbol
from bearings.code.refactoring.plans import Plan, spec_for
from bearings.code.search.view import WholeGraph


def plan(view: WholeGraph, symbols: Sequence[Symbol], target: str, *, leave_unsure: bool) -> Plan:
    """Return the plan of a move. Raises InvalidInput, Unsupported for an element or a target, and Changed."""
    del view, target, leave_unsure
    draft = Plan()
    for symbol in symbols:
        spec_for(symbol, "move")
        draft.refused.append((symbol.file, symbol.line, "elements can't be moved"))
    return draft
