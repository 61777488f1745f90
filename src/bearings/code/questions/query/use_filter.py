"""The filter of a Query: the kinds of uses, and the files that contain them."""

from collections.abc import Callable
from dataclasses import dataclass

from bearings.code.graph.project_graph import ALL_KINDS
from bearings.code.models import CALLS, IMPORTS, EdgeKind
from bearings.code.project.file_pattern import listed
from bearings.code.questions.query import Query
from bearings.errors import InvalidInput
from bearings.paging import fingerprint

_KINDS = {"calls": CALLS, "imports": IMPORTS}
"""The kinds of edges that a type of query follows, in both directions; the others follow all."""


@dataclass(frozen=True, slots=True)
class UseFilter:
    """The kinds to follow, and whether a file's sites are listed."""

    kinds: frozenset[EdgeKind]
    is_listed: Callable[[str], bool]

    def identity(self, question: Query, target: str, source: str, revision: str) -> str:
        """The fingerprint of the list that answers a question about these elements."""
        kinds, path = sorted(self.kinds), question.path or ""
        return fingerprint((question.query_type, target, source, question.steps, kinds, path, revision))


def use_filter_of(question: Query) -> UseFilter:
    """The filter of a question. Raises InvalidInput for a bad pattern, or a kind that this query doesn't follow."""
    offered = _KINDS.get(question.query_type.removesuffix("-me"), ALL_KINDS)
    chosen = frozenset(map(EdgeKind, question.kinds or ()))
    for kind in sorted(chosen - offered):
        problem = f"is not among the kinds that {question.query_type} follows ({', '.join(sorted(offered))})"
        back = "-me" if question.query_type.endswith("-me") else ""
        raise InvalidInput("kinds", str(kind), problem, f'Pass query_type="depends-on{back}", kinds=["{kind}"].')
    return UseFilter(chosen or offered, listed(question.path or ""))
