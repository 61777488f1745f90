"""Runs detectors, and groups their findings by name."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.languages.spec import Capability
from bearings.code.questions.patterns import AskPatterns, Evidence, Pattern, PatternsReply, PatternType
from bearings.code.questions.patterns.detectors import DETECTORS
from bearings.code.questions.patterns.evidence import Place, files
from bearings.code.questions.patterns.gaps import gaps, with_mentions
from bearings.code.replies.element import not_indexed
from bearings.code.search.capabilities import counted, limit_of, without
from bearings.code.search.view import WholeGraph

_PLACES = 5
_FILES = 10


def compute(question: AskPatterns, view: WholeGraph) -> PatternsReply:
    """The `most` most frequent patterns of a type; of all types if it is None."""
    return patterns(view.snapshot, question.pattern_type, question.most)


def patterns(snapshot: Snapshot, wanted: PatternType | None, limit: int) -> PatternsReply:
    """The `limit` most frequent patterns of one type or of each, and as many test gaps if requested."""
    listed = _in_turns(_patterns_of(snapshot, [kind for kind in DETECTORS if wanted in (None, kind)]))
    missed, functions = gaps(snapshot) if wanted in (None, "test-gaps") else ((), 0)
    own = [path for path in snapshot.facts if not is_test(path)]
    unmarked = without(own if wanted != "test-gaps" else (), Capability.MARKS)
    unfollowed = without(own if wanted in (None, "test-gaps") else (), Capability.EDGES)
    return PatternsReply(
        patterns=listed[:limit],
        patterns_total=None if unmarked and not listed else len(listed),
        test_gaps=with_mentions(snapshot, missed[:limit]),
        gaps_total=None if unfollowed and not functions else len(missed),
        functions=None if unfollowed and not functions else functions,
        note=_unknown(unmarked, unfollowed) or None,
        index=not_indexed(),
    )


def _unknown(unmarked: Counter[str], unfollowed: Counter[str]) -> str:
    """The note about files for which patterns or test gaps are unknown."""
    notes = [f"patterns are unknown in {counted(unmarked)}"] if unmarked else []
    notes += (
        [f"test gaps are unknown in {counted(unfollowed)}, whose calls {limit_of(unfollowed)}"] if unfollowed else []
    )
    return "; ".join(notes)


def _patterns_of(snapshot: Snapshot, kinds: Collection[PatternType]) -> list[Sequence[Pattern]]:
    """The patterns of each of these kinds, the most frequent first."""
    known = _known(snapshot)
    missing = [kind for kind in kinds if kind not in known]
    places: dict[PatternType, list[Place]] = {kind: [] for kind in missing}
    for file in files(snapshot) if missing else ():
        for kind in missing:
            places[kind] += DETECTORS[kind](file)
    known |= {kind: _named(kind, places[kind]) for kind in missing}
    return [known[kind] for kind in kinds]


@lru_cache(maxsize=1)
def _known(snapshot: Snapshot) -> dict[PatternType, Sequence[Pattern]]:
    """The patterns of the last snapshot by the kinds that were searched so far; _patterns_of fills this dict."""
    del snapshot
    return {}


def _in_turns(rows: Iterable[Sequence[Pattern]]) -> list[Pattern]:
    """Interleave the kinds: the most frequent of each, then the second of each, so that no kind hides others."""
    placed = [(place, pattern) for row in rows for place, pattern in enumerate(row)]
    placed.sort(key=lambda item: (item[0], -item[1].count, item[1].type))
    return [pattern for _, pattern in placed]


def _named(kind: PatternType, places: Iterable[Place]) -> list[Pattern]:
    by_name: dict[str, list[Place]] = {}
    for place in places:
        by_name.setdefault(place.name, []).append(place)
    named = [
        Pattern(
            type=kind,
            name=name,
            count=len(rows),
            files=tuple(sorted({row.file for row in rows}))[:_FILES],
            evidence=tuple(
                Evidence(file=row.file, line=row.line, element=row.element, what=row.what) for row in rows[:_PLACES]
            ),
        )
        for name, rows in by_name.items()
    ]
    return sorted(named, key=lambda pattern: (-pattern.count, pattern.name))
