"""Imports for names that a file does not bind: as other files import them, or from the file that declares them."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from bearings.code.file_facts import ImportKind
from bearings.code.languages import language_of
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Symbol, SymbolKind
from bearings.code.project.words import Search, Word
from bearings.code.refactoring.family import together
from bearings.code.refactoring.imports import NewImport
from bearings.code.refactoring.loading import Loading
from bearings.code.refactoring.specifiers import Specifiers, family_of
from bearings.code.resolve.rules.families import semantics_of
from bearings.code.search.view import WholeGraph

_MOST_NAMES = 40
_MOST_FILES = 200
_WRITTEN = frozenset({ImportKind.STATIC, ImportKind.TYPE, ImportKind.REQUIRE})


class Way(NamedTuple):
    """How a file imports a name: from a file of the project, or a module outside, and under which name."""

    file: str
    module: str
    name: str


def needed(view: WholeGraph, path: str, names: Mapping[str, bool]) -> tuple[list[NewImport], list[str]]:
    """Return the imports for free names of a file, and why other names get none.

    `names` tells whether types alone have a name. A name gets an import if all files import it in one way, or if no
    file does and one file of the project declares it, unless that file needs this one to be loaded first.
    """
    language = language_of(path)
    if language is None:
        return [], []
    known = semantics_of(language).builtins | {
        one.name
        for other in together(view.snapshot, path)
        if other != path
        for one in view.snapshot.graph.outline(other)
    }
    wanted = sorted(names.keys() - known)[:_MOST_NAMES]
    specifiers, found, missing = Specifiers(view.snapshot), list[NewImport](), list[str]()
    ways = _ways(view, path, wanted, specifiers) if wanted else {}
    for name in wanted:
        way, why = _chosen(view, path, name, ways[name])
        module = way and (specifiers.to(path, way.file) if way.file else way.module)
        if way is None or module is None:
            missing.append(f"{name} is not bound in it: {why or 'no import of it is known'}")
            continue
        is_whole = way.name in ("", "*")
        found.append(NewImport(module, way.name, name if not is_whole or way.name == "*" else "", names[name]))
    # import a comes before from b import c, as sorters of imports have it.
    return sorted(found, key=lambda one: one.name not in ("", "*")), missing


def _ways(view: WholeGraph, path: str, names: Collection[str], specifiers: Specifiers) -> Mapping[str, Counter[Way]]:
    """The ways in which other files of the language import names."""
    snapshot, family = view.snapshot, family_of(path)
    ways: dict[str, Counter[Way]] = {name: Counter() for name in names}
    search = Search(snapshot.tree, snapshot.project.paths, [Word(name) for name in names])
    holding = (file.path for file in search.files() if file.path in snapshot.facts and family_of(file.path) == family)
    for other, _ in zip((one for one in holding if one != path), range(_MOST_FILES), strict=False):
        for row in snapshot.facts[other].imports:
            bound = row.local or row.name
            if bound in ways and row.scope == 0 and row.kind in _WRITTEN:
                file = specifiers.meant(other, row.module)
                is_near = row.module.startswith(".")
                if file or not is_near:
                    ways[bound][Way(file, "" if file else row.module, row.name)] += 1
    return ways


def _chosen(view: WholeGraph, path: str, name: str, ways: Counter[Way]) -> tuple[Way | None, str]:
    """The way for a name, or why there is none."""
    declared = {one.file: one for one in _declaring(view, path, name)}
    outside = [way for way in ways if not way.file]
    if len(ways) > 1 and (outside or len(declared) > 1):
        return None, f"it is imported from {', '.join(sorted(way.file or way.module for way in ways)[:3])}"
    if len(declared) > 1 and not ways:
        return None, f"it is declared in {', '.join(sorted(declared)[:3])}"
    way = ways.most_common(1)[0][0] if ways else next((_of(view, one) for one in declared.values()), None)
    if way is not None and way.file and Loading(view.snapshot, is_live=False).way(way.file, path):
        return None, f"{way.file} imports this file"
    return way, ""


def _declaring(view: WholeGraph, path: str, name: str) -> Iterator[Symbol]:
    """The elements of a name that a file may import."""
    for one in view.snapshot.graph.called(name):
        is_offered = one.exported and not one.inside and one.kind not in (SymbolKind.MODULE, SymbolKind.ENDPOINT)
        if is_offered and one.file != path and family_of(one.file) == family_of(path) and not is_test(one.file):
            yield one


def _of(view: WholeGraph, symbol: Symbol) -> Way:
    """The way to import an element from its own file."""
    exports = {row.name: row for row in view.snapshot.facts[symbol.file].exports}
    is_default = symbol.name not in exports and "default" in exports
    return Way(symbol.file, "", "default" if is_default else symbol.name)
