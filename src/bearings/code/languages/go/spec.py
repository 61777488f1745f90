"""The spec of Go."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bearings.code.languages.spec import EVERYTHING, LanguageSpec, Offering, Visitor
from bearings.code.models import Language

if TYPE_CHECKING:
    from bearings.code.file_facts import Mark
    from bearings.code.languages.line_conventions import Idioms, LinePatterns, Measuring
    from bearings.code.languages.shared.builder import Builder
    from bearings.code.languages.shared.environment import Rules
    from bearings.code.languages.shared.trees import Captures


def _visitor(builder: "Builder") -> Visitor:
    from bearings.code.languages.go.visitor import Go

    return Go(builder)


def _marks(builder: "Builder", captures: "Captures") -> "Sequence[Mark]":
    from bearings.code.languages.go.marks import go_marks

    return go_marks(builder, captures)


def _environment() -> "Rules":
    from bearings.code.languages.go.environment import RULES

    return RULES


def _test_command(files: Sequence[str], manifests: Mapping[str, bytes]) -> str:
    from bearings.code.languages.go.running import command

    return command(files, manifests)


def _line_patterns() -> "LinePatterns":
    from bearings.code.languages.go.line_patterns import PATTERNS

    return PATTERNS


def _idioms() -> "Idioms":
    from bearings.code.languages.go.idioms import IDIOMS

    return IDIOMS


def _measuring() -> "Measuring":
    from bearings.code.languages.go.measuring import MEASURING

    return MEASURING


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
        environment=_environment,
        module_separator="/",
        imports_folders=True,
        implicit_interfaces=True,
        classes_are_shapes=True,
        offering=Offering.FOLDERS,
        import_settings=r"go\.(?:mod|work)",
        private_folders=frozenset({"internal", "cmd"}),
        tests=r"_test\.go$",
        test_command=_test_command,
        line_patterns=_line_patterns,
        idioms=_idioms,
        measuring=_measuring,
    ),
)
