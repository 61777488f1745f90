"""The rules of languages without rules of their own."""

from bearings.code.resolve.rules.by_name.modules import FAMILY, DeclaredModules
from bearings.code.resolve.rules.semantics import ResolvedBy, Semantics

BY_NAME = Semantics(family=FAMILY, resolved_by=ResolvedBy.NAMES, modules=DeclaredModules)
