"""The rules of Go for shared modules; all other rules are in Go's own resolver."""

from bearings.code.resolve.go.builtin_names import BUILTINS
from bearings.code.resolve.go.modules import GoModules
from bearings.code.resolve.semantics import ResolvedBy, Semantics
from bearings.code.resolve.type_texts import form_of

GO = Semantics(
    family="go",
    resolved_by=ResolvedBy.PACKAGES,
    modules=GoModules,
    type_form=form_of,
    builtins=BUILTINS,
    files_share_names=True,
)
