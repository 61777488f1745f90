"""Resolves the fixtures that tests have run by name, without an import: `def test_total(cart): …` runs `cart`.

A name means the nearest fixture: of the test's class or its bases, of its file, of the fixture module in its folder and
in each folder above, at last of a plugin that one of these files names.
"""

from collections.abc import Iterable, Iterator
from posixpath import dirname

from bearings.code.framework_facts import FixtureUse
from bearings.code.models import SymbolKind
from bearings.code.resolve.evaluator import Evaluator
from bearings.code.resolve.names.file_view import FileView
from bearings.code.resolve.referent import MODULE, Referent
from bearings.code.resolve.referents import instance_of, is_module, is_symbol, package_at, symbol_at


class Fixtures:
    """The fixtures that are visible in one file."""

    def __init__(self, evaluator: Evaluator, view: FileView) -> None:
        self._evaluator = evaluator
        self._view = view
        self._files: list[str] | None = None
        self._fixtures: dict[str, dict[int, str]] = {}
        self._tops: dict[str, dict[str, int]] = {}

    def fixture(self, use: FixtureUse) -> Referent | None:
        """The fixture that a use names; None for one from outside. A fixture doesn't ask for itself, but overrides."""
        own = symbol_at(self._view.facts.path, use.symbol)
        symbols, shapes = self._view.facts.symbols, self._view.facts.shapes
        around = use.symbol if symbols[use.symbol].kind is SymbolKind.CLASS else shapes[use.symbol].parent
        if around > 0 and symbols[around].kind is SymbolKind.CLASS:
            test_case = instance_of(self._view.facts.path, around)
            fixture = self._checked(self._evaluator.members.member(test_case, use.name), use.name)
            if fixture is not None and fixture != own:
                return fixture
        if self._files is None:
            self._files = [self._view.facts.path, *self._above()]
            self._files = list(dict.fromkeys([*self._files, *self._plugins(self._files)]))
        for file in self._files:
            fixture = self._of_module(file, use.name)
            if fixture is not None and fixture != own:
                return fixture
        return None

    def _above(self) -> Iterator[str]:
        """The fixture modules of the file's folder and of all folders above, nearest first."""
        folder = self._view.facts.path
        while folder:
            folder = dirname(folder)
            module = self._evaluator.members.member(package_at(folder), self._view.semantics.fixture_module)
            if is_module(module):
                yield module.file

    def _plugins(self, files: Iterable[str]) -> Iterator[str]:
        """The modules that files name as plugins."""
        for file in files:
            for entry in self._evaluator.views[file].facts.imports:
                if entry.is_plugin:
                    plugin = self._evaluator.exports.module(file, entry.module)
                    if plugin.kind == MODULE:
                        yield plugin.file

    def _of_module(self, file: str, name: str) -> Referent | None:
        """The fixture that a file declares at its top, or imports, under a name."""
        if file not in self._tops:
            shapes, fixtures = self._evaluator.views[file].facts.shapes, self._in(file).items()
            self._tops[file] = {own: index for index, own in fixtures if shapes[index].parent == 0}
        declared = self._tops[file].get(name)
        if declared is not None:
            return symbol_at(file, declared)
        return self._checked(self._evaluator.flow.name(file, 0, name, 0), name)

    def _checked(self, referent: Referent | None, name: str) -> Referent | None:
        """A referent, if it is a fixture of this name."""
        is_fixture = is_symbol(referent) and self._in(referent.file).get(referent.symbol) == name
        return symbol_at(referent.file, referent.symbol) if referent is not None and is_fixture else None

    def _in(self, file: str) -> dict[int, str]:
        """The names of a file's fixtures by symbol."""
        known = self._fixtures.get(file)
        if known is None:
            facts = self._evaluator.views[file].facts
            known = self._fixtures[file] = {fixture.symbol: fixture.name for fixture in facts.fixtures}
        return known
