"""The visitors' constants equal the members of their enums."""

from enum import Enum

import pytest

from bearings.code.file_facts import BindingKind, ScopeKind
from bearings.code.languages.shared.kinds import Bindings, Edges, Scopes, Symbols
from bearings.code.models import EdgeKind, SymbolKind


@pytest.mark.parametrize(
    ("constants", "kinds"),
    [(Symbols, SymbolKind), (Scopes, ScopeKind), (Bindings, BindingKind), (Edges, EdgeKind)],
)
def test_every_member_has_a_constant_of_its_name(constants: type, kinds: type[Enum]) -> None:
    assert {member.name: getattr(constants, member.name) for member in kinds} == dict(kinds.__members__)
