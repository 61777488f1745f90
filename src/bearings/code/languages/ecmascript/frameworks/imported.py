"""Finds the import that a called function comes from."""

from msgspec.structs import replace

from bearings.code.expressions import Expression, Result, split
from bearings.code.file_facts import Import
from bearings.code.languages.shared.kinds import Bindings
from bearings.code.languages.shared.origins import Origins


def imported_by(origins: Origins, scope: int, called: Expression) -> Import | None:
    """Return the import of a name, of a member of a module, or of `require` in an expression; None for others."""
    root, steps = split(called)
    if type(root) is Result:
        entry = next((entry for entry in origins.imports if entry.site == root.site), None)
    else:
        row = origins.row(scope, root) if type(root) is str else None
        entry = origins.imports[row.target] if row is not None and row.kind is Bindings.IMPORT else None
    if entry is None or len(steps) > 1:
        return None
    return replace(entry, name=steps[0]) if steps and type(steps[0]) is str else entry
