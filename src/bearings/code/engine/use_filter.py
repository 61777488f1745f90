"""Which uses a Query is about: their kinds, and the files that they stand in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bearings.code.engine.questions.graph import Query, QueryType, UseKind
from bearings.code.models import EdgeKind
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
"""The kinds of edges that each type follows."""

_NEAREST: Mapping[UseKind, EdgeKind] = {"read": EdgeKind.REFERENCE, "write": EdgeKind.REFERENCE}
"""What stands for a kind that the graph does not tell apart."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The kinds to follow, whether a file's sites are listed, and what to say of kinds that others stand for."""

    kinds: frozenset[EdgeKind]
    is_listed: Callable[[str], bool]
    note: str = ""


def chosen(question: Query) -> Chosen:
    """What the question is about. Raises InvalidInput for a kind that can't be answered, or a bad pattern."""
    offered = KINDS[question.query_type]
    found, notes = set(), []
    for name in question.kinds:
        kind = _kind(name)
        if kind not in offered:
            raise _refusal(question, name)
        if kind != name:
            notes.append(f"{name} is not told apart: {kind} stands for it")
        found.add(kind)
    return Chosen(frozenset(found) or offered, listed(question.path), "; ".join(notes))


def listed(path: str) -> Callable[[str], bool]:
    """Which files match a pattern; all, if there is none. Raises InvalidInput."""
    if not path.strip():
        return _every
    from bearings.code.engine.scan import Pattern

    return Pattern(path, "path").matches


def _kind(name: UseKind) -> EdgeKind:
    """The kind of edge that is called so, or that comes nearest. Raises InvalidInput."""
    known = {kind.value: kind for kind in EdgeKind}
    kind = known.get(name) or _NEAREST.get(name)
    if kind is None:
        raise InvalidInput(
            "kinds",
            name,
            "is no kind of use that the graph has",
            "Ask coderef_explore with the URL itself: it finds its endpoint, and the lines that hold it.",
        )
    return kind


def _refusal(question: Query, name: UseKind) -> InvalidInput:
    back = question.query_type.endswith("-me")
    offered = ", ".join(sorted(KINDS[question.query_type]))
    return InvalidInput(
        "kinds",
        name,
        f"is nothing that {question.query_type} follows ({offered})",
        f'Pass query_type="depends-on{"-me" if back else ""}", kinds=["{name}"].',
    )


def _every(_: str) -> bool:
    return True
