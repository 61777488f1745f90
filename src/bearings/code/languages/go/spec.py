"""Go."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bearings.code.languages.spec import EVERYTHING, LanguageSpec, Visitor
from bearings.code.models import Language

if TYPE_CHECKING:
    from bearings.code.languages.shared.builder import Builder
    from bearings.code.languages.shared.trees import Captures
    from bearings.code.models import Mark


def _visitor(into: "Builder") -> Visitor:
    from bearings.code.languages.go.visitor import Go

    return Go(into)


def _marks(into: "Builder", captures: "Captures") -> "Sequence[Mark]":
    from bearings.code.languages.go.marks import go_marks

    return go_marks(into, captures)


SPECS = (
    LanguageSpec(
        language=Language.GO,
        label="Go",
        extensions=(".go",),
        names=("go", "golang"),
        grammar="tree_sitter_go:language",
        queries=("go/symbols.scm", "go/metrics.scm"),
        visitor=_visitor,
        capabilities=EVERYTHING,
        marks=_marks,
    ),
)
