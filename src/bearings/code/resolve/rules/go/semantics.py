"""The rules of Go for shared modules; all other rules are in Go's own resolver."""

from bearings.code.resolve.rules.go.builtin_names import BUILTINS
from bearings.code.resolve.rules.go.modules import GoModules
from bearings.code.resolve.rules.semantics import ResolvedBy, Semantics

GO = Semantics(
    family="go",
    resolved_by=ResolvedBy.PACKAGES,
    modules=GoModules,
    builtins=BUILTINS,
    files_share_names=True,
)
