"""Selection of test files for a change, in order.

The graph gives the reasons, in this order: the file changed itself; it runs or overrides a changed element, or can't be
loaded any more; it instantiates a class with a changed element or with a member that leads to one, which may run it
without an edge (through a framework's callback, or a method found by name), or imports a program that does; it loads a
module whose top level runs a change; it imports a changed file directly, or is among the nearest to load a function to
which nothing leads from any test. A function that nothing but tests uses, under its name, is run by those that hold
the name: neither instances nor imports count for it. Within a reason the words of the change and the distance
decide. Files that import changed files only through others are counted, and proposed if there are no other files.

A list is cut at a quarter of all test files: many tests run what is central, and few are about it. Files that changed,
that can't be loaded any more, or that changed settings concern are never cut. The rest is counted.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import CALLED, CALLS, HEIRS, EdgeKind, Symbol, SymbolKind
from bearings.code.questions.changes.loading import (
    CHANGED,
    MAY_RUN,
    RUNS,
    Row,
    importing_tests,
    is_run,
    loaded_from,
    loaders,
    loading,
    loading_row,
    nearest,
    running_row,
    spread,
    tests_below,
)
from bearings.code.questions.changes.without_edges import (
    collected,
    concerned,
    loaded_by_name,
    run_for_all,
    text_of,
    through_variables,
)
from bearings.code.questions.changes.word_overlap import likeness, words_in
from bearings.code.replies.changes import ProposedTests
from bearings.code.replies.tests import TestFile
from bearings.code.search.composed_names import find_composed_names
from bearings.code.search.element_words import running_names
from bearings.code.search.members import CONTAINERS, overriding
from bearings.code.search.reach import ACCESSES, BEHAVIOUR, Reached, users
from bearings.code.search.reaching_tests import TEST_DEPTH, by_file, is_shared

_LEADING_DEPTH = 4
_MAKING_DEPTH = 3
_HEIRS_DEPTH = 3
_MAX_READ = 400
_FEW = 3
_SHARE = 4
"""A list is cut at one part in so many of all test files, and never below a few."""

_UNLIKE = 0.05
"""The least word overlap, relative to the best, for files whose only reason is an instantiation."""


class Selection(NamedTuple):
    """The files, the best first, the rest that may run a change, and how many others import a changed file."""

    tests: tuple[ProposedTests, ...]
    rest: tuple[ProposedTests, ...]
    further: int

    def files(self) -> tuple[TestFile, ...]:
        """The proposed files, in their order."""
        return tuple(
            TestFile(file=row.file, depth=row.depth, tests=row.tests, total=len(row.tests)) for row in self.tests
        )


def selection(
    snapshot: Snapshot,
    hits: Sequence[Reached],
    starts: Collection[str],
    files: Collection[str],
    broken: Collection[str],
    words: Collection[str],
    others: Sequence[str],
    unreached: Collection[Symbol] = (),
) -> Selection:
    """The tests for changes of the elements `starts` in `files`.

    `hits`: elements of tests that run them; `broken`: files that import removed elements; `words` of the changed lines;
    `others`: changed files that are no sources; `unreached`: changed functions to which nothing leads from a test.
    """
    changed = [symbol for symbol in map(snapshot.graph.symbols.get, starts) if symbol is not None]
    named = _named(snapshot, changed)
    free = [symbol for symbol in changed if symbol.id not in named]
    rows = _led(snapshot, hits, changed, named, broken)
    is_known = any(row.is_enough for row in rows.values())
    files = set(files) - ({symbol.file for symbol in changed} - {symbol.file for symbol in free})
    imported = importing_tests(snapshot, files)
    for row in imported:
        if row.proposal.depth <= 1:
            rows.setdefault(row.proposal.file, row)
    if is_known:
        unreached = [symbol for symbol in unreached if symbol.kind is SymbolKind.FUNCTION]
    for path in sorted({symbol.file for symbol in unreached if symbol.id not in named}):
        known = loaders(snapshot, path)
        for row in nearest(known) if is_known else known:
            rows.setdefault(row.proposal.file, row._replace(is_enough=False))
    for row in concerned(snapshot, files, others, {symbol.file for symbol in changed}):
        held = rows.setdefault(row.proposal.file, row)
        rows[row.proposal.file] = held._replace(is_sure=held.is_sure or row.is_sure)
    if not rows and not imported:
        rows = {row.proposal.file: row for row in loaded_by_name(snapshot, files)}
    ordered = _ordered(snapshot, [row for row in rows.values() if is_run(snapshot, row.proposal.file)], words)
    listed = {row.proposal.file for row in ordered}
    further = [row.proposal for row in imported if row.proposal.file not in listed]
    if not ordered:
        ordered = _ordered(snapshot, nearest(imported), words)
        further = further[len(ordered) :]
    first, rest = _cut(snapshot, ordered)
    return Selection(first, rest, len(further))


def may_run_unseen(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether it is a function outside tests, and no test is known to make its class: what loads it may run it."""
    if symbol.kind not in CALLED or is_test(symbol.file):
        return False
    owner = snapshot.graph.symbols.get(symbol.parent)
    if owner is None or owner.kind not in CONTAINERS or owner.kind is SymbolKind.MODULE:
        return True
    return not any(is_test(edge.file) for edge in snapshot.graph.edges_to(owner.id, CALLS | HEIRS))


def likely_tests(snapshot: Snapshot, symbol: Symbol, members: Collection[str]) -> Selection:
    """The tests for an element that none is known to run, as for a change of it; `members` are in it."""
    unreached = [symbol] if may_run_unseen(snapshot, symbol) else []
    return selection(snapshot, (), members, [symbol.file], (), words_in([symbol.qualified_name]), (), unreached)


def _cut(snapshot: Snapshot, ordered: Sequence[Row]) -> tuple[tuple[ProposedTests, ...], tuple[ProposedTests, ...]]:
    """The rows that are proposed, and the rest."""
    unsure = [row for row in ordered if not row.is_sure and row.group != CHANGED]
    most = max(_FEW, len(collected(snapshot)) // _SHARE) if len(unsure) > _FEW else _FEW
    rest = {row.proposal.file for row in unsure[most:]}
    proposals = [row.proposal for row in ordered]
    return (
        tuple(proposal for proposal in proposals if proposal.file not in rest),
        tuple(proposal for proposal in proposals if proposal.file in rest),
    )


def _named(snapshot: Snapshot, changed: Sequence[Symbol]) -> dict[str, frozenset[str]]:
    """The names without which nothing runs a changed function, by its id; others are left out."""
    named = {symbol.id: names for symbol in changed if (names := running_names(snapshot, symbol))}
    for id_ in find_composed_names(snapshot, [symbol for symbol in changed if symbol.id in named]):
        del named[id_]
    return named


def _led(
    snapshot: Snapshot,
    hits: Sequence[Reached],
    changed: Sequence[Symbol],
    named: Mapping[str, frozenset[str]],
    broken: Collection[str],
) -> dict[str, Row]:
    """The rows of files from which something leads to a change, by file."""
    starts = [symbol.id for symbol in changed]
    hits = [*hits, *through_variables(snapshot, hits)]
    rows: dict[str, Row] = {}
    for row in (
        *_running([*hits, *_overriding(snapshot, starts)]),
        *_unloadable(snapshot, broken),
        *_making(snapshot, [start for start in starts if start not in named]),
        *_at_load(snapshot, starts),
        *run_for_all(snapshot, hits),
        *_naming(snapshot, [symbol for symbol in changed if not is_test(symbol.file)], named),
    ):
        held = rows.get(row.proposal.file, row)
        best = row if row.is_enough and not held.is_enough else held
        rows[row.proposal.file] = best._replace(is_sure=held.is_sure or row.is_sure)
    return rows


def _ordered(snapshot: Snapshot, rows: Sequence[Row], words: Collection[str]) -> list[Row]:
    """Order by reason, then by words, relative to the best, and nearness."""
    near = sorted(rows, key=lambda row: (row.group, row.proposal.depth, row.proposal.file))[:_MAX_READ]
    fit = likeness(words, {row.proposal.file: text_of(snapshot, row.proposal.file) for row in near})
    best = max(fit.values(), default=0.0)

    def order(row: Row) -> tuple[int, float, str]:
        likely = fit.get(row.proposal.file, 0.0) / (best or 1.0) + 1 / (1 + row.proposal.depth)
        return row.group, -likely, row.proposal.file

    return sorted(
        (row for row in rows if row.is_enough or fit.get(row.proposal.file, best) >= _UNLIKE * best), key=order
    )


def _running(hits: Iterable[Reached]) -> Iterator[Row]:
    """Files that changed, or from which edges lead to a change."""
    nearest: dict[str, Reached] = {}
    for hit in hits:
        if hit.symbol.id not in nearest or hit.depth < nearest[hit.symbol.id].depth:
            nearest[hit.symbol.id] = hit
    ordered = sorted(nearest.values(), key=lambda hit: (hit.depth, hit.symbol.file, hit.symbol.line))
    for row in by_file(ordered):
        why = f"runs what changed, the nearest in {row.depth} steps" if row.depth else "changed"
        yield running_row(row, RUNS if row.depth else CHANGED, why)


def _overriding(snapshot: Snapshot, starts: Iterable[str]) -> Iterator[Reached]:
    """Members of classes in tests that override a changed one."""
    for symbol in filter(None, map(snapshot.graph.symbols.get, starts)):
        for other in overriding(snapshot, symbol):
            if is_test(other.file):
                yield Reached(other, 1, other.file, other.line, f"overrides {symbol.name}", EdgeKind.EXTENDS)


def _making(snapshot: Snapshot, starts: Collection[str]) -> Iterator[Row]:
    """Files that instantiate a class with a changed member, or with a member that leads to one, or a subclass of it."""
    symbols = snapshot.graph.symbols
    leading = [*starts, *(hit.symbol.id for hit in users(snapshot, starts, BEHAVIOUR, max_depth=_LEADING_DEPTH))]
    owners = (symbols.get(symbol.parent) for symbol in map(symbols.get, leading) if symbol is not None)
    holders = {
        owner.id: 0
        for owner in owners
        if owner is not None and owner.kind in CONTAINERS and owner.kind is not SymbolKind.MODULE
    }
    heirs = users(snapshot, holders, HEIRS, max_depth=_HEIRS_DEPTH)
    everywhere = [*heirs, *users(snapshot, [*holders, *(hit.symbol.id for hit in heirs)], CALLS, max_depth=1)]
    made = _in_tests(everywhere)
    by_makers = _in_tests(users(snapshot, [hit.symbol.id for hit in made], CALLS, max_depth=_MAKING_DEPTH))
    why: dict[str, str] = {}
    for hit in (*made, *by_makers):
        why.setdefault(hit.symbol.file, f"{hit.why}, which may run what changed")
    for row in by_file([*made, *(hit._replace(depth=hit.depth + 1) for hit in by_makers)]):
        yield running_row(row, MAY_RUN, why[row.file], is_enough=False)
    yield from run_for_all(snapshot, [*made, *by_makers])
    yield from _importing_makers(snapshot, everywhere)


def _importing_makers(snapshot: Snapshot, made: Iterable[Reached]) -> Iterator[Row]:
    """Test files that import a file outside tests whose top level instantiates a class."""
    for hit in made:
        if hit.symbol.kind is SymbolKind.MODULE and hit.kind in CALLS and not is_test(hit.symbol.file):
            for path in sorted(snapshot.graph.importers(hit.symbol.file)):
                if is_test(path):
                    why = f"imports {hit.symbol.file}, which {hit.why}"
                    yield loading_row(snapshot, path, MAY_RUN, 2, why, is_enough=False)


def _in_tests(hits: Iterable[Reached]) -> list[Reached]:
    return [hit for hit in hits if is_test(hit.symbol.file)]


def _naming(snapshot: Snapshot, known: Iterable[Symbol], named: Mapping[str, frozenset[str]]) -> Iterator[Row]:
    """Test files that load a changed function and hold one of the names without which nothing runs it."""
    forms: dict[str, set[str]] = {}
    for symbol in known:
        forms.setdefault(symbol.file, set()).update(map(re.escape, named.get(symbol.id, ())))
    for path, names in sorted(forms.items()):
        if not names:
            continue
        any_of = "|".join(sorted(names))
        form = re.compile(rf"""(?<=[.'"`])({any_of})\b|\b({any_of})\s*\(""")
        for row in loaders(snapshot, path)[:_MAX_READ]:
            match = form.search(text_of(snapshot, row.proposal.file))
            if row.group != CHANGED and match:
                why = f"names {match[1] or match[2]}"
                yield row._replace(proposal=msgspec.structs.replace(row.proposal, why=why))


def _at_load(snapshot: Snapshot, starts: Collection[str]) -> Iterator[Row]:
    """Files that load a module, directly or indirectly, whose top level calls what leads to a change."""
    modules: dict[str, int] = {}
    for hit in users(snapshot, starts, CALLS | ACCESSES, max_depth=TEST_DEPTH):
        if hit.symbol.kind is SymbolKind.MODULE:
            modules.setdefault(hit.symbol.file, hit.depth)

    def following(path: str) -> set[str]:
        return loaded_from(snapshot, path) | (tests_below(snapshot, path) if is_shared(path) else set())

    for path, depth in spread(modules, following, snapshot).items():
        if depth and is_test(path):
            why = f"loads in {depth} steps what runs a change at its top level"
            yield loading_row(snapshot, path, MAY_RUN, depth + 1, why)


def _unloadable(snapshot: Snapshot, broken: Iterable[str]) -> Iterator[Row]:
    """Test files that load, directly or indirectly, a file that imports a removed element."""
    for path, depth in spread(broken, lambda path: loading(snapshot, path), snapshot).items():
        if is_test(path):
            why = f"can't be loaded in {depth} steps" if depth else "asks for something that is gone"
            yield loading_row(snapshot, path, RUNS, depth + 1, why)._replace(is_sure=True)
