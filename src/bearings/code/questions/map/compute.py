"""A ranked skeleton of the project: the most central files, with the heads of their most central elements."""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from msgspec.structs import replace

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Symbol
from bearings.code.project.names import is_aside
from bearings.code.questions.map import AskMap, MapReply
from bearings.code.questions.map.ranking import is_shown, ranks_around, weights
from bearings.code.replies.element import not_indexed
from bearings.code.replies.tidying import joined
from bearings.code.search.candidates import namesakes_note
from bearings.code.search.members import with_members
from bearings.code.search.targets import find_elements
from bearings.code.search.view import WholeGraph
from bearings.untrusted import escape_line

_HEAD = 160
_ENVELOPE = 700
"""Characters of a reply besides the skeleton."""


def compute(question: AskMap, view: WholeGraph) -> MapReply:
    """A ranked skeleton of at most `budget` characters; around the element, if there is one."""
    snapshot = view.snapshot
    if question.element is None:
        return outline(snapshot, question.budget, None)
    focus = find_elements(snapshot, question.element, "element")[0]
    map_ = outline(snapshot, question.budget, focus)
    return replace(map_, note=joined(namesakes_note(snapshot, question.element, focus), map_.note))


def outline(snapshot: Snapshot, budget: int, focus: Symbol | None) -> MapReply:
    """As much of the skeleton as fits `budget` characters of JSON. With a focus, elements near it come first."""
    rank, ranked = _central(snapshot) if focus is None else _around(snapshot, focus)
    low, high = 0, min(len(ranked), budget // 8)
    while low < high:  # the largest number of elements whose skeleton fits
        middle = (low + high + 1) // 2
        if len(json.dumps(_drawn(ranked[:middle], rank), ensure_ascii=False)) <= budget - _ENVELOPE:
            low = middle
        else:
            high = middle - 1
    shown = ranked[:low]
    return MapReply(
        skeleton=_drawn(shown, rank),
        focus=focus.id if focus is not None else None,
        files_shown=len({symbol.file for symbol in shown}),
        files=len(snapshot.facts),
        elements_shown=len(shown),
        elements=len(ranked),
        index=not_indexed(),
    )


@lru_cache(maxsize=1)
def _central(snapshot: Snapshot) -> tuple[Mapping[str, float], Sequence[Symbol]]:
    """The weights of the elements, and the elements outside tests, the most central first."""
    rank = weights(snapshot)
    own = [path for path in snapshot.facts if not (is_test(path) or is_aside(path))]
    return rank, _sorted(rank, (symbol for path in own for symbol in snapshot.graph.within(path).values()))


def _around(snapshot: Snapshot, focus: Symbol) -> tuple[Mapping[str, float], Sequence[Symbol]]:
    """The same relative to an element, with tests."""
    rank = ranks_around(snapshot, with_members(snapshot, focus))
    return rank, _sorted(rank, (snapshot.graph.symbols[id_] for id_ in rank))


def _sorted(rank: Mapping[str, float], symbols: Iterable[Symbol]) -> list[Symbol]:
    return sorted(
        (symbol for symbol in symbols if is_shown(symbol.kind) and rank[symbol.id] > 0),
        key=lambda symbol: (-rank[symbol.id], symbol.file, symbol.line),
    )


def _drawn(shown: Sequence[Symbol], rank: Mapping[str, float]) -> str:
    """Files by the total weight of their elements; in a file, elements by line, members indented."""
    files: dict[str, list[Symbol]] = {}
    for symbol in shown:
        files.setdefault(symbol.file, []).append(symbol)
    lines = []
    for file in sorted(files, key=lambda file: (-sum(rank[symbol.id] for symbol in files[file]), file)):
        lines.append(file)
        for symbol in sorted(files[file], key=lambda symbol: (symbol.line, symbol.id)):
            depth = symbol.qualified_name.count(".")
            head = escape_line(symbol.signature or f"{symbol.kind} {symbol.name}", _HEAD)
            lines.append(f"{'  ' * depth} {symbol.line}: {head}")
    return "\n".join(lines)
