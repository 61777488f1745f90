"""The risk of a change: a sum with visible terms. The weights are our judgement; they rank changes, no more."""

from collections.abc import Mapping, Sequence

from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Symbol
from bearings.code.questions.impact import Operation, RiskLevel, RiskTerm
from bearings.code.replies.affected import Affected
from bearings.code.search.measures import measures_of
from bearings.code.search.reach import Reached

LEVELS: tuple[tuple[float, RiskLevel], ...] = ((10, "LOW"), (25, "MEDIUM"), (50, "HIGH"))
"""Upper bounds of the levels; a score above all of them is CRITICAL."""

_OPERATION: Mapping[Operation, int] = {"modify": 1, "refactor": 2, "delete": 4}


def risk_of(
    snapshot: Snapshot,
    members: Mapping[str, Symbol],
    operation: Operation,
    affected: Sequence[Affected],
    tests: Sequence[Reached],
    hidden: int,
) -> tuple[RiskLevel, float, tuple[RiskTerm, ...]]:
    """The level, the score, and the terms of the sum."""
    direct = [hit for hit in affected if hit.depth == 1 and not hit.test]
    further = [hit for hit in affected if hit.depth > 1 and not hit.test]
    files = {hit.file for hit in affected if not hit.test}
    cognitive = sum(row.cognitive for row in measures_of(snapshot, members))
    exported = any(symbol.exported for symbol in members.values())
    terms = (
        _term(f"operation {operation}", _OPERATION[operation], 1, 4),
        _term("direct users", len(direct), 1, 20),
        _term("users further away", len(further), 0.2, 10),
        _term("files", len(files), 0.5, 10),
        _term("breaking", sum(hit.severity == "breaking" for hit in affected), 0.5, 10),
        _term("exported", int(exported), 3, 3),
        _term("cognitive complexity", cognitive, 0.2, 6),
        _term("no test reaches it", int(not tests), 8, 8),
        _term("unresolved uses of its name", hidden, 0.5, 5),
    )
    score = round(sum(term.points for term in terms), 1)
    level: RiskLevel = next((name for limit, name in LEVELS if score < limit), "CRITICAL")
    return level, score, tuple(term for term in terms if term.points)


def _term(name: str, value: float, weight: float, most: float) -> RiskTerm:
    return RiskTerm(name=name, value=value, weight=weight, points=round(min(most, value * weight), 1))
