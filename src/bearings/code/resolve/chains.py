"""Chains of assignments in one file, each of the result of a call of a local: `x = x.where(a)`, again and again."""

from typing import Final

from bearings.code.expressions import Result, root_of
from bearings.code.file_facts import Binding, BindingKind
from bearings.code.resolve.file_view import FileView
from bearings.code.resolve.referents import DEEPEST

_LINKS: Final = DEEPEST // 2
"""Each link takes two steps from expression to expression."""
_FEW: Final = 500
"""Rows of a file whose chains are short, or few."""
_SPECIAL = frozenset({"this", "super", "module", "exports"})


def is_too_long(view: FileView, row: Binding) -> bool:
    """Whether the value of a row leads through so many others that its evaluation ends without an answer."""
    if len(view.facts.bindings) < _FEW:
        return False
    known = view.links
    chain: list[Binding] = []
    here: Binding | None = row
    while here is not None and id(here) not in known:
        known[id(here)] = 0  # a circle ends here
        chain.append(here)
        here = _before(view, here)
    count = known[id(here)] if here is not None else -1
    for one in reversed(chain):
        count += 1
        known[id(one)] = count
    return known[id(row)] > _LINKS


def _before(view: FileView, row: Binding) -> Binding | None:
    """The row of the local whose call gives the value of a row."""
    root = root_of(row.value) if row.kind is BindingKind.LOCAL and row.type is None and row.value is not None else None
    if type(root) is not Result or root.site in view.inline:
        return None
    site = view.facts.sites[root.site]
    name = root_of(site.callee)
    is_name = type(name) is str and name not in _SPECIAL
    return view.lookup(site.scope, name, site.line) if is_name and type(name) is str else None
