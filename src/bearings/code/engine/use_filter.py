"""The filter of a Query: the kinds of uses, and the files that contain them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bearings.code.models import EdgeKind
from bearings.code.project.file_pattern import listed
from bearings.code.questions.graph import Query, QueryType, UseKind
from bearings.errors import InvalidInput

CALLS = frozenset({EdgeKind.CALL, EdgeKind.NEW, EdgeKind.JSX})
IMPORTS = frozenset({EdgeKind.IMPORT, EdgeKind.EXPORT})
_ALL = frozenset(EdgeKind)

KINDS: Mapping[QueryType, frozenset[EdgeKind]] = {
    "calls": CALLS,
    "calls-me": CALLS,
    "imports": IMPORTS,
    "imports-me": IMPORTS,
    "depends-on": _ALL,
    "depends-on-me": _ALL,
    "path": _ALL,
}
"""The kinds of edges that each type of query follows."""

_NEAREST: Mapping[UseKind, EdgeKind] = {"read": EdgeKind.REFERENCE, "write": EdgeKind.REFERENCE}
"""The kind of edge for a kind of use that the graph does not distinguish."""


@dataclass(frozen=True, slots=True)
class UseFilter:
    """The kinds to follow, whether a file's sites are listed, and a note on kinds that are answered by another."""

    kinds: frozenset[EdgeKind]
    is_listed: Callable[[str], bool]
    note: str = ""


def use_filter_of(question: Query) -> UseFilter:
    """The filter of a question. Raises InvalidInput for a kind that can't be answered, or a bad pattern."""
    offered = KINDS[question.query_type]
    found, notes = set(), []
    for name in question.kinds:
        kind = _kind(name)
        if kind not in offered:
            raise _refusal(question, name)
        if kind != name:
            notes.append(f"{name} is not distinguished: {kind} includes it")
        found.add(kind)
    return UseFilter(frozenset(found) or offered, listed(question.path), "; ".join(notes))


def _kind(name: UseKind) -> EdgeKind:
    """The kind of edge of this name, or the nearest one. Raises InvalidInput."""
    known = {kind.value: kind for kind in EdgeKind}
    kind = known.get(name) or _NEAREST.get(name)
    if kind is None:
        raise InvalidInput(
            "kinds",
            name,
            "is no kind of use in the graph",
            "Ask coderef_explore for the URL itself: it finds its endpoint, and the lines that contain it.",
        )
    return kind


def _refusal(question: Query, name: UseKind) -> InvalidInput:
    back = question.query_type.endswith("-me")
    offered = ", ".join(sorted(KINDS[question.query_type]))
    return InvalidInput(
        "kinds",
        name,
        f"is not among the kinds that {question.query_type} follows ({offered})",
        f'Pass query_type="depends-on{"-me" if back else ""}", kinds=["{name}"].',
    )
