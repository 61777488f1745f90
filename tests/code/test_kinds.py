"""The visitors' constants are the members of the enums that they stand for."""

from enum import Enum

import pytest

from bearings.code.languages.shared.kinds import Bindings, Edges, Scopes, Symbols
from bearings.code.models import BindingKind, EdgeKind, ScopeKind, SymbolKind


@pytest.mark.parametrize(
    ("constants", "kinds"),
    [(Symbols, SymbolKind), (Scopes, ScopeKind), (Bindings, BindingKind), (Edges, EdgeKind)],
)
def test_no_kind_is_missing_or_called_otherwise(constants: type, kinds: type[Enum]) -> None:
    assert {member.name: getattr(constants, member.name) for member in kinds} == dict(kinds.__members__)
