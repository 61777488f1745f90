"""The rules of Go for shared modules; all other rules are in Go's own resolver."""

from bearings.code.resolve.rules.go.modules import GoModules
from bearings.code.resolve.rules.semantics import ResolvedBy, Semantics

_BUILTINS = """any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune
    string uint uint8 uint16 uint32 uint64 uintptr true false iota nil append cap clear close complex copy delete imag
    len make max min new panic print println real recover"""

GO = Semantics(
    family="go",
    resolved_by=ResolvedBy.PACKAGES,
    modules=GoModules,
    builtins=frozenset(_BUILTINS.split()),
    files_share_names=True,
)
