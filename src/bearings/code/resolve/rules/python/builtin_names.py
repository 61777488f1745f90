"""Names that Python provides."""

import builtins
import sys

BUILTINS = frozenset(dir(builtins))
STANDARD_LIBRARY = sys.stdlib_module_names | {"_typeshed"}
"""Modules that come with Python."""
