"""Checks of what a portable index says of a file: that it is whole, in itself and beside the other files.

They take a fraction of the time of a scan, and make sure that no answer follows a number that leads nowhere. They
can't tell that a file says something else: index/portable/comparing.py reads some files, or all, to compare.
"""

from collections.abc import Iterable, Set

from bearings.code.file_facts import BindingKind, FileFacts
from bearings.code.index.portable.container import Refused
from bearings.code.models import Language, SymbolKind
from bearings.code.resolve import FileUses
from bearings.code.symbol_keys import MARK


def check_facts(path: str, language: Language, most_lines: int, facts: FileFacts) -> None:
    """Raises Refused unless these may be the facts of the file at `path`, which has `most_lines` at most."""
    if (facts.path, facts.language) != (path, language):
        raise _wrong(path, "facts of another file")
    if not 0 <= facts.lines <= most_lines:
        raise _wrong(path, "another number of lines")
    if not _are_symbols(facts):
        raise _wrong(path, "elements that can't be in it")
    if not (_are_scopes(facts) and _are_shapes(facts) and _lead_somewhere(facts)):
        raise _wrong(path, "facts that lead nowhere")


def check_uses(path: str, lines: int, ids: Set[str], uses: FileUses) -> None:
    """Raises Refused unless these may be the uses of the file at `path`, whose elements have these ids."""
    last = max(1, lines)
    places = [(one.source, one.line) for one in uses.edges] + [(one.source, one.line) for one in uses.outside]
    if not all(source in ids and 0 < line <= last for source, line in places):
        raise _wrong(path, "uses that can't be in it")


def check_targets(path: str, keys: Set[str], uses: FileUses) -> None:
    """Raises Refused unless each use leads to one of the project's elements, which have these keys."""
    for edge in uses.edges:
        if edge.target not in keys:
            raise _wrong(path, "a use of an element that is nowhere")


def check_order(values: Iterable[object], what: str) -> None:
    """Raises Refused unless the values are sorted and different, as they are written."""
    before: object = None
    for value in values:
        if before is not None and not before < value:  # type: ignore[operator]
            raise Refused(f"has {what} in disorder")
        before = value


def _wrong(path: str, what: str) -> Refused:
    return Refused(f"has {what} for {path[:200]!r}")


def _are_symbols(facts: FileFacts) -> bool:
    """Whether the first symbol is the module, and all are within the file."""
    last = max(1, facts.lines)
    return (
        len(facts.symbols) == len(facts.shapes) > 0
        and facts.symbols[0].qualified_name == facts.path
        and all((symbol.kind is SymbolKind.MODULE) == (not index) for index, symbol in enumerate(facts.symbols))
        and all(0 < symbol.line <= symbol.end_line <= last for symbol in facts.symbols)
        and not any(MARK in symbol.qualified_name for symbol in facts.symbols)
    )


def _are_scopes(facts: FileFacts) -> bool:
    """Whether scopes are a tree, and each belongs to a symbol."""
    symbols = range(len(facts.symbols))
    return (
        len(facts.scopes) > 0
        and all(-1 <= scope.parent < index for index, scope in enumerate(facts.scopes))
        and all(scope.symbol in symbols for scope in facts.scopes)
    )


def _are_shapes(facts: FileFacts) -> bool:
    """Whether the containers of symbols are a tree below the module."""
    symbols, scopes, inner = range(len(facts.symbols)), range(len(facts.scopes)), range(-1, len(facts.scopes))
    parents = [shape.parent for shape in facts.shapes]
    return (
        parents[0] == -1
        and all(parent in symbols for parent in parents[1:])
        and all(shape.scope in scopes and shape.inner in inner for shape in facts.shapes)
        and _is_tree(parents)
    )


def _is_tree(parents: list[int]) -> bool:
    """Whether every way upwards ends at -1."""
    good = {-1}
    for index in range(len(parents)):
        way: list[int] = []
        while index not in good:
            if len(way) > len(parents):
                return False
            way.append(index)
            index = parents[index]
        good.update(way)
    return True


def _lead_somewhere(facts: FileFacts) -> bool:
    """Whether all numbers of scopes, symbols, imports and call sites stand for one."""
    symbols, scopes = range(len(facts.symbols)), range(len(facts.scopes))
    no_symbol, no_site = range(-1, len(facts.symbols)), range(-1, len(facts.sites))
    targets = {
        BindingKind.SYMBOL: no_symbol,
        BindingKind.TYPE: no_symbol,
        BindingKind.IMPORT: range(-1, len(facts.imports)),
    }
    other = range(-1, max(facts.lines + 2, len(symbols)))
    return (
        all(one.scope in scopes and one.target in targets.get(one.kind, other) for one in facts.bindings)
        and all(one.scope in scopes and one.within in scopes for one in facts.returns)
        and all(one.scope in scopes and one.symbol in symbols for one in facts.type_members)
        and all(one.scope in scopes and one.site in no_site for one in facts.imports)
        and all(one.scope in scopes for one in facts.sites + facts.mentions)
        and all(one.scope in scopes for one in facts.requests)
        and all(one.symbol in symbols for one in facts.measures)
        and all(one.symbol in symbols for one in facts.fixtures)
        and all(one.symbol in symbols for one in facts.fixture_uses)
        and all(
            one.source in symbols and one.scope in scopes and one.target in no_symbol for one in facts.framework_calls
        )
    )
