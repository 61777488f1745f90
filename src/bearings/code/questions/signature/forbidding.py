"""Tells why the parameters of a function can't change, or may not, apart from its uses."""

import re
from collections.abc import Iterator, Mapping

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import spec_of
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import HEIRS, Symbol, SymbolKind
from bearings.code.questions.signature.change import Change
from bearings.code.refactoring.family import kin_of
from bearings.code.refactoring.plans import Row, composing, outside_bases
from bearings.code.search.element_words import is_called_unnamed
from bearings.code.search.left_out import left_out_rows
from bearings.code.search.members import relatives
from bearings.code.search.protocols import fitted, fitting
from bearings.code.search.view import WholeGraph

Family = Mapping[str, Symbol]


def forbidden(view: WholeGraph, symbol: Symbol, family: Family, change: Change) -> Iterator[Row]:
    """The places that forbid a change whatever the caller knows."""
    spec, is_made = spec_of(symbol.file), symbol.kind is SymbolKind.CONSTRUCTOR
    is_dunder = symbol.name.startswith("__") and symbol.name.endswith("__") and not is_made
    is_case = is_test(symbol.file) and symbol.name.lower().startswith("test")
    is_hook = spec is not None and bool(spec.hooks) and re.match(spec.hooks, symbol.name) is not None
    if is_dunder or is_case or is_hook or is_called_unnamed(symbol):
        yield symbol.file, symbol.line, "the language, a framework or a test runner calls it"
    if re.search(change.rules.narrowing, symbol.signature) and not change.placed:
        yield symbol.file, symbol.line, "its first argument is passed by place"
    if change.harms_no_call:
        yield from _unfit(view.snapshot, family, change)
    elif is_made:
        yield from _makers(view.snapshot, symbol, change)
    else:
        yield from outside_bases(view.snapshot, family)


def doubtful(view: WholeGraph, symbol: Symbol, family: Family, change: Change) -> Iterator[Row]:
    """The places that may forbid a change."""
    if not change.harms_no_call:
        yield from _beside(view, family)
        yield from _stubs(view.snapshot, family, change)
        yield from composing(view.snapshot, family)
        yield from left_out_rows(view.snapshot, symbol)
        yield from _unfit(view.snapshot, family, change)


def _makers(snapshot: Snapshot, symbol: Symbol, change: Change) -> Iterator[Row]:
    """What else gets the arguments of a constructor."""
    graph, rules = snapshot.graph, change.rules
    for owner in [graph.symbols[symbol.parent], *_kin(snapshot, symbol.parent)]:
        for maker in graph.members(owner, rules.maker) if rules.maker else ():
            yield maker.file, maker.line, f"{rules.maker} gets the same arguments"
        for row in graph.outside_by_source.get(owner.id, ()):
            if row.kind in HEIRS and re.fullmatch(rules.calling, row.name):
                yield row.file, row.line, f"{row.name} passes it arguments"


def _kin(snapshot: Snapshot, owner: str) -> list[Symbol]:
    """The classes above and below one."""
    return [one for upwards in (True, False) for one in relatives(snapshot, owner, upwards=upwards)]


def _beside(view: WholeGraph, family: Family) -> Iterator[Row]:
    """The members of classes from which a class inherits, too: `class Big(Mixin, Cart)`."""
    snapshot, graph = view.snapshot, view.snapshot.graph
    for member in (one for one in family.values() if one.parent in graph.symbols):
        straight = {member.parent, *(one.id for one in _kin(snapshot, member.parent))}
        for id_ in sorted(kin_of(snapshot, member) - straight):
            for other in graph.members(graph.symbols[id_], member.name):
                lines = (view.lines.at(other.file, line) for line in range(other.line, other.end_line + 1))
                is_reached = member.kind is not SymbolKind.CONSTRUCTOR or any("super" in one for one in lines)
                if other.id not in family and is_reached:
                    yield other.file, other.line, f"a class inherits it together with {member.qualified_name}"


def _stubs(snapshot: Snapshot, family: Family, change: Change) -> Iterator[Row]:
    """The declarations of the family in files of types."""
    source, declaring = change.rules.stubs
    for member in (one for one in family.values() if one.file.endswith(source)):
        stub = snapshot.facts.get(member.file.removesuffix(source) + declaring)
        for other in stub.symbols if stub is not None else ():
            if other.qualified_name == member.qualified_name:
                yield other.file, other.line, "it is declared here, too"


def _unfit(snapshot: Snapshot, family: Family, change: Change) -> Iterator[Row]:
    """The members of interfaces, and of what fits them, that would not fit any more."""
    for member in family.values():
        others = [*fitting(snapshot, member)]
        others += [] if change.harms_no_call else [fit.member for fit in fitted(snapshot, member)]
        for one in others:
            if one.id not in family:
                yield one.file, one.line, f"it would no longer fit {member.qualified_name}"
