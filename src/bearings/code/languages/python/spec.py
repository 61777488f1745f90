"""Python."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bearings.code.languages.python.source import has_many_powers, recoded
from bearings.code.languages.spec import EVERYTHING, LanguageSpec, Visitor
from bearings.code.models import Language

if TYPE_CHECKING:
    from bearings.code.languages.shared.builder import Builder
    from bearings.code.languages.shared.trees import Captures
    from bearings.code.models import Mark


def _visitor(into: "Builder") -> Visitor:
    from bearings.code.languages.python.visitor import Python

    return Python(into)


def _marks(into: "Builder", captures: "Captures") -> "Sequence[Mark]":
    from bearings.code.languages.shared.marks import marks

    return marks(into, captures)


SPECS = (
    LanguageSpec(
        language=Language.PYTHON,
        label="Python",
        extensions=(".py", ".pyi"),
        inside=(".ipynb",),
        names=("py", "python", "py3", "python3"),
        grammar="tree_sitter_python:language",
        queries=("python/symbols.scm", "python/metrics.scm"),
        visitor=_visitor,
        capabilities=EVERYTHING,
        comment="#",
        decode=recoded,
        is_hopeless=has_many_powers,
        marks=_marks,
    ),
)
