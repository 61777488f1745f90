"""Masks macros of C++ that its grammar would take for declarations."""

import re

_EXPORT = re.compile(
    rb"\b(?:class|struct|union|enum)\s+([A-Z][A-Z0-9_]{2,})(?:\([^()\n]*\))?(?=\s+[A-Za-z_]\w*\s*(?:final\s*)?[:{;])"
)
"""An export macro, as in `class SHOP_API Cart {`, which the grammar would parse as a function definition."""
_SIGNS = (b"LOCK", b"GUARDED_", b"REQUIRES", b"EXCLUDES", b"CAPABILITY", b"_THREAD_SAFETY_", b"_FORMAT(")
_ATTRIBUTE = re.compile(
    rb"""
    (?<=[\w)*&>]) (?<!define) (?<!return) (?<!else) \s+
    (   (?:\w+_)?
        (?: (?:PT_)?GUARDED_(?:BY|VAR) | (?:UN|TRY)?LOCKS?_(?:REQUIRED|EXCLUDED|RETURNED|FUNCTION) | ASSERT_\w+_LOCK
        | REQUIRES(?:_SHARED)? | EXCLUDES | ACQUIRED_(?:BEFORE|AFTER) | (?:ASSERT|RETURN)_(?:SHARED_)?CAPABILITY
        | NO_THREAD_SAFETY_ANALYSIS | (?:ATTRIBUTE|PRINTF)_FORMAT )\b
        (?: \( (?: [^()\n] | \([^()\n]*\) )* \) )?
    )
    (?= \s* (?: [;{=:,] | [A-Za-z_] ) )
    """,
    re.VERBOSE,
)
"""A macro for an attribute behind a declaration, as in `void Add(int n) EXCLUSIVE_LOCKS_REQUIRED(mu_);`, which the
grammar would parse as the declaration of a function.
"""


def masked(source: bytes) -> bytes:
    """Return the source with spaces for such macros."""
    source = _EXPORT.sub(_without_macro, source)
    return _ATTRIBUTE.sub(_without_macro, source) if any(sign in source for sign in _SIGNS) else source


def _without_macro(found: re.Match[bytes]) -> bytes:
    return found[0][: found.start(1) - found.start()].ljust(len(found[0]))
