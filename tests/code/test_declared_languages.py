"""Languages without rules for resolution of their own."""

from bearings.code.models import ProjectFiles
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.referents import EXTERNAL
from bearings.code.resolve.rules.by_name.semantics import BY_NAME
from bearings.code.resolve.rules.by_name.table import NoUses
from bearings.code.resolve.strategies import STRATEGIES

NO_FILES = ProjectFiles(frozenset())


def test_every_strategy_is_implemented() -> None:
    assert {type(make({}, Modules(NO_FILES))) for make in STRATEGIES.values()} >= {NoUses}
    assert len(set(STRATEGIES.values())) == len(STRATEGIES) == len(type(BY_NAME.resolved_by))


def test_a_strategy_without_facts_resolves_nothing() -> None:
    modules = Modules(NO_FILES)
    strategy = STRATEGIES[BY_NAME.resolved_by]({}, modules)
    assert strategy.uses("a.rs") == (FileUses((), ()), frozenset())
    assert modules.find("a.rs", "std::io", BY_NAME.family) == EXTERNAL
    assert modules.lookups() == [("a.rs", "std::io", "by_name", EXTERNAL)]
