"""Resolves the fixtures that tests name without an import.

@pytest.fixture
def cart(): …              often in conftest.py, pytest's fixture module

def test_total(cart): …    pytest calls the fixture `cart` for this test

A name means the nearest fixture: in the test's class or its bases, in its file, in the fixture module of its folder and
of each folder above, or in a plugin that one of these files names. The parameter is what the fixture returns or yields.
"""

from collections.abc import Iterable, Iterator

from bearings.code.expressions import Item, Take
from bearings.code.file_facts import Binding, Trait
from bearings.code.framework_facts import FixtureUse
from bearings.code.models import SymbolKind
from bearings.code.resolve.context import Context
from bearings.code.resolve.modules.folders import above
from bearings.code.resolve.parts import Part
from bearings.code.resolve.referent import MODULE, Referent
from bearings.code.resolve.referents import instance_of, is_inside, is_module, is_symbol, package_at, symbol_at
from bearings.code.type_expressions import TypeReference

_YIELDING = frozenset({"Iterator", "Generator", "AsyncIterator", "AsyncGenerator"})
"""The types of what a function with `yield` returns."""


class Fixtures(Part):
    """The fixtures that are visible in each file. The modules that a file sees are cached: see `begin`."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._searched: dict[str, tuple[list[str], frozenset[str]]] = {}
        self._names_by_symbol: dict[str, dict[int, str]] = {}
        self._module_level_by_name: dict[str, dict[str, int]] = {}

    def begin(self) -> None:
        """Clears the caches, to begin with the uses of another file."""
        self._searched = {}
        self._names_by_symbol = {}
        self._module_level_by_name = {}

    def value(self, file: str, row: Binding) -> Referent | None:
        """What a test, or another fixture, gets for a parameter; None if it is none of a fixture."""
        view = self._views[file]
        use = (
            view.fixture_uses.get((view.facts.scopes[row.scope].symbol, row.name)) if view.facts.fixture_uses else None
        )
        fixture = self.fixture(file, use) if use is not None else None
        if fixture is None:
            return None
        result, shape = self._calls.call_result(fixture), self._views[fixture.file].facts.shapes[fixture.symbol]
        returns = shape.returns.name.rpartition(".")[2] if isinstance(shape.returns, TypeReference) else ""
        if shape.traits & Trait.GENERATOR or returns in _YIELDING:
            return self._elements.element(result, Item(Take.EACH)) if is_inside(result) else result
        return self._values.awaited(result) if shape.traits & Trait.ASYNC else result

    def fixture(self, path: str, use: FixtureUse) -> Referent | None:
        """The fixture that a use in a file names; None if it is not in the project.

        A fixture that names itself, `def cart(cart): …`, overrides one that is further away, and means that one.
        """
        user = symbol_at(path, use.symbol)
        symbols, shapes = self._views[path].facts.symbols, self._views[path].facts.shapes
        # `@usefixtures("cart") class TestCart`: the class itself; for a test or a fixture, the class around it
        class_ = use.symbol if symbols[use.symbol].kind is SymbolKind.CLASS else shapes[use.symbol].parent
        if class_ > 0 and symbols[class_].kind is SymbolKind.CLASS:
            test_case = instance_of(path, class_)
            # If the class overrides a base's fixture, pytest collects only the class's own one.
            fixture = self._if_fixture(self._members.member(test_case, use.name), use.name)
            if fixture is not None and fixture != user:
                return fixture
        if path not in self._searched:
            self._searched[path] = self._answers.apart(lambda: self._searched_files(path))
        files, consulted = self._searched[path]
        self._answers.consulted |= consulted
        for file in files:
            fixture = self._module_fixture(file, use.name)
            if fixture is not None and fixture != user:
                return fixture
        return None

    def _searched_files(self, path: str) -> list[str]:
        """A file, the fixture modules of its folder and of all folders above, nearest first, and their plugins."""
        files = [path, *self._fixture_modules_above(path)]
        return list(dict.fromkeys([*files, *self._plugins(files)]))

    def _fixture_modules_above(self, path: str) -> Iterator[str]:
        for folder in above(path):
            module = self._members.member(package_at(folder), self._views[path].semantics.fixture_module)
            if is_module(module):
                yield module.file

    def _plugins(self, files: Iterable[str]) -> Iterator[str]:
        """The modules that files name as plugins: `pytest_plugins = ["shop.fixtures"]`."""
        for file in files:
            for entry in self._views[file].facts.imports:
                if entry.is_plugin:
                    plugin = self._exports.module(file, entry.module)
                    if plugin.kind == MODULE:
                        yield plugin.file

    def _module_fixture(self, file: str, name: str) -> Referent | None:
        """The fixture with a name that a file declares at module level, or imports; None if it has none."""
        if file not in self._module_level_by_name:
            shapes = self._views[file].facts.shapes
            self._module_level_by_name[file] = {
                fixture_name: index
                for index, fixture_name in self._fixture_names(file).items()
                if shapes[index].parent == 0
            }
        declared = self._module_level_by_name[file].get(name)
        if declared is not None:
            return symbol_at(file, declared)
        imported = self._flow.name(file, 0, name, 0)  # in the module's scope, for any line
        return self._if_fixture(imported, name)

    def _if_fixture(self, referent: Referent | None, name: str) -> Referent | None:
        """The symbol of a referent if it is a fixture with this name, else None."""
        is_fixture = is_symbol(referent) and self._fixture_names(referent.file).get(referent.symbol) == name
        return symbol_at(referent.file, referent.symbol) if referent is not None and is_fixture else None

    def _fixture_names(self, file: str) -> dict[int, str]:
        """The names of a file's fixtures by symbol."""
        names = self._names_by_symbol.get(file)
        if names is None:
            facts = self._views[file].facts
            names = self._names_by_symbol[file] = {fixture.symbol: fixture.name for fixture in facts.fixtures}
        return names
