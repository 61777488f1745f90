"""Tells which modules the imported names of a file may be, and whether an element can be reached through them."""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from posixpath import normpath

from bearings.code.file_facts import Export, FileFacts, Import
from bearings.code.languages import language_of, spec_of
from bearings.code.languages.shared.occurrences import Part
from bearings.code.models import IMPORTS, Edge, EdgeKind, Symbol, SymbolKind
from bearings.code.search.view import WholeGraph
from bearings.code.syntax_trees import occurrences_of

_PACKAGE = "__init__.py"
_INDEXES = ("/__init__", "/index")
_EXPORTS = frozenset({EdgeKind.EXPORT})


def _stem(path: str) -> str:
    """The path of a module without the ends that code leaves out."""
    folder, _, name = path.rpartition("/")
    # src/cart/index.ts and src/cart.ts are both imported as src/cart.
    stem = f"{folder}/{name.partition('.')[0]}".removeprefix("/")
    return next((stem.removesuffix(index) for index in _INDEXES if stem.endswith(index)), stem)


def parts_of(module: str) -> list[str]:
    """The parts of a module's name in a string: `pkg.m`, `pkg/m`, `@/m`."""
    return [part for part in re.split(r"[./:]", module) if part.strip("@~#")]


class ModulePaths:
    """The modules through which code may reach an element and the other `members` of its family."""

    def __init__(self, view: WholeGraph, symbol: Symbol, members: Collection[Symbol]) -> None:
        self._lines_of = view.lines.of
        self._snapshot = view.snapshot
        self._name = symbol.name
        spec = spec_of(symbol.file)
        rules = spec.name_rules() if spec is not None and spec.name_rules is not None else None
        self._loads = re.compile(rules.loads if rules is not None else r"(?!)()")
        self.markup = rules.markup if rules is not None else r"(?!)"
        self.is_packaged = rules is not None and rules.is_packaged
        self._passed: dict[str, bool] = {}
        self._elements: dict[tuple[str, ...], bool] = {}
        self._members = {member.id: member for member in members}
        self._homes = {member.file for member in members}
        self._naming = {edge.file for id_ in self._members for edge in view.snapshot.graph.edges_to(id_, IMPORTS)}
        self._packages = self._packages_around()
        self._leading: dict[tuple[str, frozenset[EdgeKind]], bool] = {}
        self._fixing: set[str] | None = None
        self._names: dict[str, Mapping[str, set[str]]] = {}
        self._edges: dict[str, Mapping[int, list[Edge]]] = {}

    def of(self, path: str, name: str) -> set[str]:
        """The modules that an imported name of a file may be; none for another name, or if it is an element."""
        if path not in self._names:
            self._names[path] = self._namespaces(path)
        return self._names[path].get(name, set())

    def all_offer(self, modules: Collection[str]) -> bool:
        """Whether there are modules, and all of them offer the element by its name."""
        return bool(modules) and all(map(self._offers, modules))

    def is_called(self, name: str) -> bool:
        """Whether this is the last part of the name of a module that offers the element by its name."""
        return any(map(self._offers, self._by_name.get(name, ())))

    def _offers(self, path: str) -> bool:
        """Whether a module has the element, or imports it by its name, or all names of its module."""
        if path in self._homes or path in self._naming:
            return True
        is_starred = any(row.name == "*" and not row.local for row in self._snapshot.facts[path].imports)
        return is_starred and not self._homes.isdisjoint(self._used(path, IMPORTS))

    def is_named(self, path: str, module: str) -> bool:
        """Whether a string of a file names a module that has the element: `pkg.m`, or `./m` from this file."""
        if module.startswith("."):
            joined = normpath(f"{path.rpartition('/')[0]}/{module}").removeprefix("/")
            meant = {one for one, stem in self._stems.items() if stem in (joined, _stem(joined))}
        else:
            tail = "/" + "/".join(parts_of(module))
            meant = {one for one, stem in self._stems.items() if f"/{stem}".endswith(tail)}
        return self.all_offer(meant)

    @cached_property
    def _stems(self) -> Mapping[str, str]:
        return {path: _stem(path) for path in self._snapshot.facts}

    @cached_property
    def _by_name(self) -> Mapping[str, list[str]]:
        paths: dict[str, list[str]] = {}
        for path, stem in self._stems.items():
            paths.setdefault(stem.rpartition("/")[2], []).append(path)
        return paths

    def are_package(self, modules: Collection[str]) -> bool:
        """Whether any of the modules is a file of the element's package, which is loaded as a whole."""
        homes = {path.rpartition("/")[0] for path in self._homes} if self.is_packaged else ()
        return any(path.rpartition("/")[0] in homes for path in modules)

    def is_imported(self, path: str, name: str) -> bool:
        """Whether a name of a file is a module, known or not."""
        self.of(path, name)
        return name in self._names[path]

    def may_hold(self, modules: Collection[str]) -> bool:
        """Whether any of the modules is the element's, a package around it, or one that imports these."""
        return not self._packages.isdisjoint(modules) or self._lead(modules, IMPORTS)

    def is_element(self, path: str, dotted: str) -> bool:
        """Whether an expression is a module's element, which holds no module: `T.Keyword`, a constant of `T`."""
        module, _, name = dotted.rpartition(".")
        homes = self.of(path, module) or set(self._by_name.get(module.rpartition(".")[2], ()))
        if (name, *sorted(homes)) not in self._elements:
            tops = {one.file for one in self._snapshot.graph.called(name) if not one.inside} & homes
            rows = (row for file in self._snapshot.facts.values() for row in file.imports)
            is_known = bool(tops) and not any(row.local == name != row.name for row in rows)
            leads = any(self._lead(self._used(top, IMPORTS), IMPORTS) for top in sorted(tops))
            self._elements[name, *sorted(homes)] = is_known and not leads
        return self._elements[name, *sorted(homes)] and re.fullmatch(r"[\w$.]+", module) is not None

    def is_loaded(self, path: str) -> bool:
        """Whether an expression of a file, beside an imported name, may be a module that offers the element."""
        loads = self._loads.finditer(b"\n".join(self._lines_of(path)).decode("utf-8", "replace"))
        is_named = any(self.is_called(part) for match in loads for part in parts_of(match[match.lastindex or 0]))
        return is_named or self.is_passed_on(path)

    def is_passed_on(self, path: str) -> bool:
        """Whether a file loads such a module by an expression, or uses it as a value."""
        if path not in self._passed:
            self._passed[path] = self._is_expressed(path) or self._is_value(path)
        return self._passed[path]

    def _is_expressed(self, path: str) -> bool:
        """Whether an import of a file is an expression, `import("./m")`."""
        return any(
            self._lead(self._modules_at(path, row), _EXPORTS)
            for row in self._snapshot.facts[path].imports
            if row.site >= 0 and not row.local
        )

    def _is_value(self, path: str) -> bool:
        """Whether a file uses a module as a value: assigns it, passes it to a function, takes its type."""
        text = b"\n".join(self._lines_of(path))
        language = language_of(path)
        self.of(path, "")
        names = [name for name, modules in self._names[path].items() if self._lead(modules, _EXPORTS)]
        return language is not None and any(
            one.part is Part.NAME and not text[one.end :].lstrip().startswith((b".", b"?.", b"["))
            for name in names
            for one in occurrences_of(language, text, name) or ()
        )

    def is_fixed(self, path: str, line: int) -> bool:
        """Whether a line imports or exports the element by a name that a module gives it, whatever its own name is.

        That name is equal to the element's: `export { default as f } from "./f"`.
        """
        facts = self._snapshot.facts[path]
        if any(row.line == line and self._is_given(row) for row in facts.exports):
            return True
        edges = self._lines(path).get(line, ())
        return any(edge.target in self._fixed() for edge in edges)

    def are_fixed(self, modules: Collection[str]) -> bool:
        """Whether modules offer the element by a name of their own."""
        return bool(modules) and self._fixed().issuperset(modules)

    def _fixed(self) -> set[str]:
        """The modules that offer the element by a name of their own, directly or not."""
        if self._fixing is None:
            facts = self._snapshot.facts
            self._fixing = {path for path in self._naming - self._homes if self._gives(facts[path])}
            waiting = list(self._fixing)
            while waiting:
                for edge in self._snapshot.graph.edges_to(waiting.pop(), IMPORTS):
                    if edge.file not in self._fixing and self._passes_on(facts[edge.file], edge.line):
                        self._fixing.add(edge.file)
                        waiting.append(edge.file)
        return self._fixing

    def _is_given(self, row: Export) -> bool:
        return row.name == self._name and row.local not in (self._name, "*")

    def _gives(self, facts: FileFacts) -> bool:
        """Whether a file exports the name for something that it imports by another one."""
        if any(self._is_given(row) for row in facts.exports):
            return True
        imported = {row.local: row.name for row in facts.imports}
        exported = any(row.name == row.local == self._name and not row.module for row in facts.exports)
        return exported and imported.get(self._name, self._name) != self._name

    def _passes_on(self, facts: FileFacts, line: int) -> bool:
        """Whether a line of a file imports the name, which the file exports, or exports it."""
        if any(row.line == line and row.module and row.name in (self._name, "*") for row in facts.exports):
            return True
        imported = {row.local for row in facts.imports if row.line == line and row.name == self._name}
        return any(row.name == self._name and row.local in imported for row in facts.exports)

    def _lead(self, modules: Iterable[str], kinds: frozenset[EdgeKind]) -> bool:
        """Whether any of the modules is one of the element's, or imports or exports one, directly or not."""
        return any(self._leads(path, kinds) for path in sorted(modules))

    def _leads(self, module: str, kinds: frozenset[EdgeKind]) -> bool:
        if (module, kinds) not in self._leading:
            passed, waiting, found = {module}, [module], False
            while waiting and not found:
                path = waiting.pop()
                found = path in self._homes or self._leading.get((path, kinds), False)
                new = self._used(path, kinds) - passed if not found and (path, kinds) not in self._leading else ()
                passed.update(new)
                waiting += sorted(new)
            self._leading |= dict.fromkeys([(module, kinds)] if found else [(path, kinds) for path in passed], found)
        return self._leading[module, kinds]

    def _used(self, path: str, kinds: frozenset[EdgeKind]) -> set[str]:
        """The modules that a file imports or exports."""
        edges = (edge for edges in self._lines(path).values() for edge in edges if edge.kind in kinds)
        return {edge.target for edge in edges if edge.target in self._snapshot.facts}

    def _packages_around(self) -> set[str]:
        """The packages around the element's modules, of which these are members wherever they were imported."""
        packages = set()
        for path in self._homes:
            while path:
                path = path.rpartition("/")[0]
                packages.add(f"{path}/{_PACKAGE}")
        return packages & self._snapshot.facts.keys()

    def _namespaces(self, path: str) -> dict[str, set[str]]:
        modules_by_name: dict[str, set[str]] = {}
        for row in self._snapshot.facts[path].imports:
            if row.name == "*" and not row.local:
                modules_by_name.setdefault(".", set()).update(self._modules_at(path, row))
            elif row.local and not self._is_element(path, row):
                modules = self._modules_at(path, row)
                for name in (row.local.partition(".")[0], *(self._snapshot.facts[one].package for one in modules)):
                    modules_by_name.setdefault(name or row.local, set()).update(modules)
        return modules_by_name

    def _is_element(self, path: str, row: Import) -> bool:
        """Whether an import is known to give an element instead of a module."""
        symbols = self._snapshot.graph.symbols
        targets = [symbols[edge.target] for edge in self._lines(path).get(row.line, ()) if edge.is_name_of_import]
        return any(target.name == row.name and target.kind is not SymbolKind.MODULE for target in targets)

    def _modules_at(self, path: str, row: Import) -> set[str]:
        return {edge.target for edge in self._lines(path).get(row.line, ()) if edge.target in self._snapshot.facts}

    def _lines(self, path: str) -> Mapping[int, list[Edge]]:
        """The edges of the imports and exports of a file, by line."""
        if path not in self._edges:
            lines: dict[int, list[Edge]] = {}
            for edge in self._snapshot.graph.edges_from(path, IMPORTS):
                lines.setdefault(edge.line, []).append(edge)
            self._edges[path] = lines
        return self._edges[path]
