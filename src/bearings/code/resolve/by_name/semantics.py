"""The rules of every language that has none of its own here."""

from bearings.code.resolve.by_name.modules import NamedModules
from bearings.code.resolve.semantics import ResolvedBy, Semantics
from bearings.code.resolve.type_texts import form_of

BY_NAME = Semantics(family="by_name", resolved_by=ResolvedBy.NAMES, modules=NamedModules, type_form=form_of)
