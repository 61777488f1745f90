"""Changes since a commit, their effects, and the tests to run in order."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from msgspec.structs import replace

from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import language_of
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.languages.spec import Capability
from bearings.code.models import CALLED, EdgeKind, Symbol, SymbolKind
from bearings.code.parse import parse_file
from bearings.code.project.git.history import Comparison, History
from bearings.code.project.sources import Source
from bearings.code.project.tree import read_from
from bearings.code.questions.changes import AskChanges
from bearings.code.questions.changes.before import MOST_FILES, before
from bearings.code.questions.changes.breaking import breaking
from bearings.code.questions.changes.differences import Difference, Pair, Version, differences
from bearings.code.questions.changes.folder_cycles import new_cycles
from bearings.code.questions.changes.lost import without_tests, without_users
from bearings.code.questions.changes.selection import Selection, may_run_unseen, selection
from bearings.code.questions.changes.word_overlap import words_in
from bearings.code.replies.affected import Affected
from bearings.code.replies.changes import ChangedElement, ChangesReply
from bearings.code.replies.element import not_indexed
from bearings.code.replies.elsewhere import Mentioned
from bearings.code.search.capabilities import counted, lacks, limit_of, without
from bearings.code.search.cases import is_case
from bearings.code.search.elsewhere import mentioned, named_in_tests
from bearings.code.search.reach import BEHAVIOUR, Reached, users, without_guesses
from bearings.code.search.reaching_tests import TEST_DEPTH, commands_for
from bearings.code.search.through import uses_through_bases
from bearings.code.search.view import WholeGraph, quote

_MAX_REACHED = 1_000
_MANY = f"More than {MOST_FILES} files differ: what broke, and what lost its users or tests, was not looked for."
_SEARCHED = 50
"""The most elements whose names are searched for in other files."""


def compute(question: AskChanges, view: WholeGraph) -> ChangesReply:
    """The differences between the commit `base` and the tree that was read, and what they reach. Raises Changed."""
    answer = changes(
        view.snapshot,
        question.base,
        question.max_depth,
        view.max_file_bytes,
        view.index,
        from_merge_base=question.from_merge_base,
    )
    reached, broken = question.quoted
    quote(view.lines, answer.reached[:reached])
    quote(view.lines, (use for row in answer.breaking[:broken] for use in row.uses))
    return answer


def changes(
    snapshot: Snapshot,
    base: str,
    max_depth: int,
    max_bytes: int,
    index: Index | None = None,
    *,
    from_merge_base: bool = False,
) -> ChangesReply:
    """The changes from a commit to the snapshot, which is of the working tree or another commit.

    Without an `index`, the graph before the changes is not made, so nothing is said about what broke or was lost.
    `from_merge_base`: from the common ancestor of both commits. Raises InvalidInput for a base that is no commit,
    Unsupported without a repository.
    """
    history = History(snapshot.root, snapshot.roots)
    commit, head = history.commit(base), snapshot.tree.commit
    if from_merge_base:
        commit = history.merge_base(commit, head or history.commit("HEAD"))
    compared = history.between(commit, head, max_bytes) if head else history.changes(commit, max_bytes)
    pairs, others = _pairs(snapshot, compared, max_bytes)
    differing = differences(pairs)
    effects = _effects(snapshot, pairs, others, differing, max_depth)
    rows = [_element(difference, effects.tests[difference.symbol.id]) for difference in differing]
    untested = [
        row.element
        for row in rows
        if row.tests == 0 and row.type in CALLED and not is_test(row.element.partition("#")[0])
    ]
    before_state = (
        before(index, snapshot, compared, pairs, differing) if index is not None and compared.changes else None
    )
    if pairs or others or compared.notes:
        uncompared = _MANY if index is not None and compared.changes and before_state is None else ""
        unfollowed = without((path for path in map(_path, pairs) if not is_test(path)), Capability.EDGES)
        unknown = (
            f"what changes reach is unknown in {counted(unfollowed)}, whose calls {limit_of(unfollowed)}"
            if unfollowed
            else ""
        )
        note = _note(effects.selection, [*compared.notes, unknown, uncompared])
    else:
        note = f"the {'commit' if head else 'working tree'} is as it was at {base}"
    unnamed = [difference.symbol for difference in differing if difference.symbol.id in untested[:_SEARCHED]]
    reached, selected = effects.affected[:_MAX_REACHED], effects.selection
    answer = ChangesReply(
        base=base,
        commit=commit,
        files_changed=len(pairs) + len(others),
        other_files=others,
        changed=rows,
        changed_total=len(rows),
        reached=reached,
        reached_total=len(reached),
        tests=list(selected.tests),
        tests_total=len(selected.tests),
        further_tests=[row.file for row in selected.rest],
        further_tests_total=len(selected.rest),
        untested=untested,
        untested_total=len(untested),
        run=list(commands_for(snapshot, [row.file for row in selected.tests])),
        note=note or None,
        index=not_indexed(),
        elsewhere=_with_places(mentioned(snapshot, _without_known_users(snapshot, differing))),
        named_in_tests=_with_places(named_in_tests(snapshot, unnamed)),
    )
    if before_state is None:
        return answer
    broken = list(breaking(before_state, pairs, differing))
    unused, unreached = list(without_users(before_state)), list(without_tests(before_state))
    return replace(
        answer,
        breaking=broken,
        breaking_total=len(broken),
        new_cycles=list(new_cycles(before_state)),
        lost_users=unused,
        lost_users_total=len(unused),
        lost_tests=unreached,
        lost_tests_total=len(unreached),
    )


class _Effects(NamedTuple):
    """The effects of changes. `tests`: by the id of each changed element, the elements of tests that run it."""

    tests: dict[str, list[Reached]]
    affected: list[Affected]
    selection: Selection


def _effects(
    snapshot: Snapshot, pairs: Sequence[Pair], others: Sequence[str], differing: Sequence[Difference], max_depth: int
) -> _Effects:
    starts = {difference.symbol.id: _start_ids(snapshot, difference) for difference in differing}
    every_start = dict.fromkeys(start for ids in starts.values() for start in ids)
    tests = {
        difference.symbol.id: _tests(snapshot, difference, starts[difference.symbol.id]) for difference in differing
    }
    selected = selection(
        snapshot,
        [hit for hits in tests.values() for hit in hits],
        every_start,
        list(map(_path, pairs)),
        _unloadable(snapshot, differing),
        _words(pairs, differing),
        others,
        unreached=[
            difference.symbol
            for difference in differing
            if difference.status != "removed"
            and not tests[difference.symbol.id]
            and may_run_unseen(snapshot, difference.symbol)
        ],
    )
    reached = users(snapshot, every_start, BEHAVIOUR, max_depth=max_depth)
    affected = [hit.affected("major" if hit.depth == 1 else "minor") for hit in reached if hit.symbol.id not in starts]
    return _Effects(tests, affected, selected)


def _path(pair: Pair) -> str:
    """The present path of a changed file, the former one of a file that is gone."""
    return pair[0].new or pair[0].old


def _note(selected: Selection, uncompared: Iterable[str]) -> str:
    rest, further = len(selected.rest), selected.further
    cut = f"{_files(rest)} of tests may run what changed, less likely: run all to be sure" if rest else ""
    many = f"{_files(further)} of tests {'imports' if further == 1 else 'import'}"
    unreached = f"{many} a changed file, but nothing leads from there to what changed" if further else ""
    return " ".join(filter(None, ("; ".join(filter(None, (cut, unreached))), *uncompared)))


def _files(count: int) -> str:
    return f"{count} more {'file' if count == 1 else 'files'}"


def _without_known_users(snapshot: Snapshot, differing: Iterable[Difference]) -> list[Symbol]:
    """The first elements outside tests without a known use, removed ones too: other lines may hold their names."""
    candidates = (
        difference.symbol
        for difference in differing
        if not (is_test(difference.symbol.file) or difference.symbol.kind is SymbolKind.MODULE)
    )
    unused = (symbol for symbol in candidates if not any(without_guesses(snapshot.graph.edges_to(symbol.id))))
    kinds, known = frozenset(EdgeKind), snapshot.graph.symbols
    return [
        symbol
        for symbol in islice(unused, _SEARCHED)
        if symbol.id not in known or not uses_through_bases(snapshot, {symbol.id: symbol}, kinds)
    ]


def _with_places(mentions: Mapping[str, Mentioned]) -> list[Mentioned]:
    return [row for row in mentions.values() if row.places]


def _pairs(snapshot: Snapshot, compared: Comparison, max_bytes: int) -> tuple[list[Pair], list[str]]:
    """Changed source files of limited size with both versions, and the paths of all other changed files."""
    pairs: list[Pair] = []
    others: list[str] = []
    for change in compared.changes:
        if not language_of(change.new or change.old) or (change.old and change.old not in compared.before):
            others.append(change.new or change.old)
            continue
        old = new = None
        language = language_of(change.old) if change.old else None
        if language is not None:
            data = compared.before[change.old]
            old = Version.of(parse_file(change.old, language, data), data)
        facts = snapshot.facts.get(change.new)
        source = read_from(snapshot.tree, change.new, max_bytes) if facts is not None else None
        if facts is not None and isinstance(source, Source):
            new = Version.of(facts, source.data)
        pairs.append((change, old, new))
    return pairs, sorted(others)


def _words(pairs: Iterable[Pair], differing: Iterable[Difference]) -> set[str]:
    """The identifiers of the changed lines, and the names of the elements."""
    lines = [difference.symbol.name for difference in differing]
    for change, old, new in pairs:
        if not is_test(change.new or change.old):
            for hunk in change.hunks:
                if old is not None:
                    lines += old.lines[hunk.old_start - 1 : hunk.old_start - 1 + hunk.old_count]
                if new is not None:
                    lines += new.lines[hunk.new_start - 1 : hunk.new_start - 1 + hunk.new_count]
    return set(words_in(lines))


def _start_ids(snapshot: Snapshot, difference: Difference) -> list[str]:
    """The start of the search for affected elements: the element, or for a removed one its remaining users.

    A getter and its setter have the same name, which leads to either. Nobody outside its file used what is gone from
    a test, or from inside a function.
    """
    if difference.status != "removed":
        owner = snapshot.graph.symbols.get(difference.symbol.parent)
        namesakes = snapshot.graph.members(owner, difference.symbol.name) if owner is not None else ()
        return list(dict.fromkeys([difference.symbol.id, *(other.id for other in namesakes)]))
    if is_test(difference.symbol.file) or difference.is_local:
        return []
    return sorted({site.source for site in snapshot.graph.unresolved(difference.symbol)})


def _unloadable(snapshot: Snapshot, differing: Iterable[Difference]) -> set[str]:
    """Files that import a removed element by name, so that loading them fails."""
    return {
        file
        for difference in differing
        if difference.status == "removed"
        for file in snapshot.graph.importers(difference.symbol.file)
        if any(taken.name == difference.symbol.name for taken in snapshot.facts[file].imports)
    }


def _tests(snapshot: Snapshot, difference: Difference, start: Sequence[str]) -> list[Reached]:
    """Elements of tests that run it, including itself. Those that still name a removed one are a step away."""
    symbols = snapshot.graph.symbols
    own: list[Symbol] = [symbols[id_] for id_ in start if id_ in symbols and is_test(symbols[id_].file)]
    depth = 1 if difference.status == "removed" else 0
    hits = [Reached(symbol, depth, symbol.file, symbol.line, "changed", EdgeKind.CALL) for symbol in own]
    return hits + [hit for hit in users(snapshot, start, BEHAVIOUR, max_depth=TEST_DEPTH) if is_test(hit.symbol.file)]


def _element(difference: Difference, tests: Sequence[Reached]) -> ChangedElement:
    cases = {hit.symbol.id for hit in tests if is_case(hit.symbol)}
    return ChangedElement(
        element=difference.symbol.id,
        type=difference.symbol.kind,
        status=difference.status,
        lines=difference.lines,
        was=difference.was,
        signature_changed=difference.signature_changed,
        tests=None if lacks(difference.symbol.file, Capability.EDGES) else len(cases),
    )
