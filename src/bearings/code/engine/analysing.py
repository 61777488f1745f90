"""Dispatches analysis questions: resolves the element and calls the analysis with the snapshot."""

from typing import Any

from bearings.code.analyses.changes import changes
from bearings.code.analyses.complexity import complexity
from bearings.code.analyses.context import context
from bearings.code.analyses.coverage import coverage
from bearings.code.analyses.impact import impact
from bearings.code.analyses.outline import outline
from bearings.code.analyses.patterns.survey import patterns
from bearings.code.engine.questions.base import Question
from bearings.code.engine.questions.changes import AskChanges
from bearings.code.engine.questions.explore import AskUnused
from bearings.code.engine.questions.overview import AskContext, AskMap
from bearings.code.engine.questions.quality import AskCoverage, AskPatterns
from bearings.code.engine.questions.risk import AskComplexity, AskImpact
from bearings.code.engine.targets import find_element
from bearings.code.engine.unused import unused_page
from bearings.code.index.snapshot import Snapshot


def analyse(snapshot: Snapshot, question: Question[Any], max_file_bytes: int) -> object | None:
    """The answer of an analysis; None for other questions. Raises what `find_element` raises."""
    match question:
        case AskImpact():
            symbol = find_element(snapshot, question.element, "element")
            return impact(snapshot, symbol, question.operation, question.max_depth)
        case AskComplexity():
            return complexity(snapshot, find_element(snapshot, question.element, "element"), question.shown)
        case AskChanges():
            return changes(snapshot, question.base, question.max_depth, max_file_bytes)
        case AskContext():
            return context(snapshot, frozenset(question.languages))
        case AskMap():
            focus = find_element(snapshot, question.focus, "element") if question.focus is not None else None
            return outline(snapshot, question.budget, focus)
        case AskPatterns():
            return patterns(snapshot, question.pattern_type, question.limit)
        case AskUnused():
            return unused_page(snapshot, question)
        case AskCoverage():
            return coverage(snapshot)
        case _:
            return None
