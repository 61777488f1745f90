"""Resolves the fixtures that tests name without an import.

@pytest.fixture
def cart(): …              often in conftest.py, pytest's fixture module

def test_total(cart): …    pytest calls the fixture `cart` for this test

A name means the nearest fixture: in the test's class or its bases, in its file, in the fixture module of its folder and
of each folder above, or in a plugin that one of these files names.
"""

from collections.abc import Iterable, Iterator

from bearings.code.framework_facts import FixtureUse
from bearings.code.models import SymbolKind
from bearings.code.resolve.evaluator import Evaluator
from bearings.code.resolve.modules.folders import above
from bearings.code.resolve.names.file_view import FileView
from bearings.code.resolve.referent import MODULE, Referent
from bearings.code.resolve.referents import instance_of, is_module, is_symbol, package_at, symbol_at


class Fixtures:
    """The fixtures that are visible in one file."""

    def __init__(self, evaluator: Evaluator, view: FileView) -> None:
        self._evaluator = evaluator
        self._view = view
        self._searched_files: list[str] | None = None
        self._names_by_symbol: dict[str, dict[int, str]] = {}
        self._module_level_by_name: dict[str, dict[str, int]] = {}

    def fixture(self, use: FixtureUse) -> Referent | None:
        """The fixture that a use names; None if it is not in the project.

        A fixture that names itself, `def cart(cart): …`, overrides one that is further away, and means that one.
        """
        user = symbol_at(self._view.facts.path, use.symbol)
        symbols, shapes = self._view.facts.symbols, self._view.facts.shapes
        # `@usefixtures("cart") class TestCart`: the class itself; for a test or a fixture, the class around it
        class_ = use.symbol if symbols[use.symbol].kind is SymbolKind.CLASS else shapes[use.symbol].parent
        if class_ > 0 and symbols[class_].kind is SymbolKind.CLASS:
            test_case = instance_of(self._view.facts.path, class_)
            # If the class overrides a base's fixture, pytest collects only the class's own one.
            fixture = self._if_fixture(self._evaluator.members.member(test_case, use.name), use.name)
            if fixture is not None and fixture != user:
                return fixture
        if self._searched_files is None:
            self._searched_files = [self._view.facts.path, *self._fixture_modules_above()]
            self._searched_files = list(dict.fromkeys([*self._searched_files, *self._plugins(self._searched_files)]))
        for file in self._searched_files:
            fixture = self._module_fixture(file, use.name)
            if fixture is not None and fixture != user:
                return fixture
        return None

    def _fixture_modules_above(self) -> Iterator[str]:
        """The fixture modules of the file's folder and of all folders above, nearest first."""
        for folder in above(self._view.facts.path):
            module = self._evaluator.members.member(package_at(folder), self._view.semantics.fixture_module)
            if is_module(module):
                yield module.file

    def _plugins(self, files: Iterable[str]) -> Iterator[str]:
        """The modules that files name as plugins: `pytest_plugins = ["shop.fixtures"]`."""
        for file in files:
            for entry in self._evaluator.views[file].facts.imports:
                if entry.is_plugin:
                    plugin = self._evaluator.exports.module(file, entry.module)
                    if plugin.kind == MODULE:
                        yield plugin.file

    def _module_fixture(self, file: str, name: str) -> Referent | None:
        """The fixture with a name that a file declares at module level, or imports; None if it has none."""
        if file not in self._module_level_by_name:
            shapes = self._evaluator.views[file].facts.shapes
            self._module_level_by_name[file] = {
                fixture_name: index
                for index, fixture_name in self._fixture_names(file).items()
                if shapes[index].parent == 0
            }
        declared = self._module_level_by_name[file].get(name)
        if declared is not None:
            return symbol_at(file, declared)
        imported = self._evaluator.flow.name(file, 0, name, 0)  # in the module's scope, for any line
        return self._if_fixture(imported, name)

    def _if_fixture(self, referent: Referent | None, name: str) -> Referent | None:
        """The symbol of a referent if it is a fixture with this name, else None."""
        is_fixture = is_symbol(referent) and self._fixture_names(referent.file).get(referent.symbol) == name
        return symbol_at(referent.file, referent.symbol) if referent is not None and is_fixture else None

    def _fixture_names(self, file: str) -> dict[int, str]:
        """The names of a file's fixtures by symbol."""
        names = self._names_by_symbol.get(file)
        if names is None:
            facts = self._evaluator.views[file].facts
            names = self._names_by_symbol[file] = {fixture.symbol: fixture.name for fixture in facts.fixtures}
        return names
