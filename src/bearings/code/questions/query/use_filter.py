"""The filter of a Query: the kinds of uses, and the files that contain them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bearings.code.models import EdgeKind
from bearings.code.project.file_pattern import listed
from bearings.code.questions.query import Query, QueryType, UseKind
from bearings.errors import InvalidInput
from bearings.paging import fingerprint

_CALLS = frozenset({EdgeKind.CALL, EdgeKind.NEW, EdgeKind.JSX})
_IMPORTS = frozenset({EdgeKind.IMPORT, EdgeKind.EXPORT})
_ALL = frozenset(EdgeKind)

KINDS: Mapping[QueryType, frozenset[EdgeKind]] = {
    "calls": _CALLS,
    "calls-me": _CALLS,
    "imports": _IMPORTS,
    "imports-me": _IMPORTS,
    "depends-on": _ALL,
    "depends-on-me": _ALL,
    "path": _ALL,
}
"""The kinds of edges that each type of query follows."""


@dataclass(frozen=True, slots=True)
class UseFilter:
    """The kinds to follow, and whether a file's sites are listed."""

    kinds: frozenset[EdgeKind]
    is_listed: Callable[[str], bool]

    def identity(self, question: Query, target: str, source: str, revision: str) -> str:
        """The fingerprint of the list that answers a question about these elements."""
        kinds, path = sorted(self.kinds), question.path or ""
        return fingerprint((question.query_type, target, source, question.max_depth, kinds, path, revision))


def use_filter_of(question: Query) -> UseFilter:
    """The filter of a question. Raises InvalidInput for a bad pattern, or a kind that this query doesn't follow."""
    offered = KINDS[question.query_type]
    found = set()
    for name in sorted(set(question.kinds or ())):
        kind = EdgeKind(name)
        if kind not in offered:
            raise _refusal(question, name)
        found.add(kind)
    return UseFilter(frozenset(found) or offered, listed(question.path or ""))


def _refusal(question: Query, name: UseKind) -> InvalidInput:
    back = question.query_type.endswith("-me")
    offered = ", ".join(sorted(KINDS[question.query_type]))
    return InvalidInput(
        "kinds",
        name,
        f"is not among the kinds that {question.query_type} follows ({offered})",
        f'Pass query_type="depends-on{"-me" if back else ""}", kinds=["{name}"].',
    )
