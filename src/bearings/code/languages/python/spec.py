"""The spec of Python."""

import keyword
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bearings.code.languages.python.source import has_many_powers, is_cookie, recoded
from bearings.code.languages.spec import EVERYTHING, LanguageSpec, Offering, Visitor
from bearings.code.models import Language

if TYPE_CHECKING:
    from bearings.code.file_facts import Mark
    from bearings.code.languages.line_conventions import Idioms, LinePatterns, Measuring
    from bearings.code.languages.shared.builder import Builder
    from bearings.code.languages.shared.environment import Rules
    from bearings.code.languages.shared.occurrences import NameRules
    from bearings.code.languages.shared.trees import Captures


def _visitor(builder: "Builder") -> Visitor:
    from bearings.code.languages.python.visitor import Python

    return Python(builder)


def _marks(builder: "Builder", captures: "Captures") -> "Sequence[Mark]":
    from bearings.code.languages.shared.marks import marks

    return marks(builder, captures)


def _environment() -> "Rules":
    from bearings.code.languages.python.environment import RULES

    return RULES


def _test_command(files: Sequence[str], manifests: Mapping[str, bytes]) -> str:
    from bearings.code.languages.python.running import command

    return command(files, manifests)


def _line_patterns() -> "LinePatterns":
    from bearings.code.languages.python.line_patterns import PATTERNS

    return PATTERNS


def _idioms() -> "Idioms":
    from bearings.code.languages.python.idioms import IDIOMS

    return IDIOMS


def _measuring() -> "Measuring":
    from bearings.code.languages.python.measuring import MEASURING

    return MEASURING


def _name_rules() -> "NameRules":
    from bearings.code.languages.python.occurrences import PythonNames

    return PythonNames()


SPECS = (
    LanguageSpec(
        language=Language.PYTHON,
        label="Python",
        extensions=(".py", ".pyi"),
        embedded_extensions=(".ipynb",),
        names=("py", "python", "py3", "python3"),
        grammar="tree_sitter_python:language",
        queries=("python/symbols.scm", "python/metrics.scm"),
        visitor=_visitor,
        capabilities=EVERYTHING,
        comment="#",
        decode=recoded,
        stalls_parser=has_many_powers,
        marks=_marks,
        environment=_environment,
        is_directive=is_cookie,
        package_file="__init__.py",
        offering=Offering.PACKAGES,
        manifests=frozenset({"pyproject.toml", "setup.py", "setup.cfg"}),
        import_settings=r"pyproject\.toml",
        tests=r"(?:^|/)(?:test_[^/]*|[^/]*_tests?|tests|conftest)\.py$",
        collected=r"test_|.*_test\.py$",
        fixture_file="conftest.py",
        test_command=_test_command,
        line_patterns=_line_patterns,
        idioms=_idioms,
        measuring=_measuring,
        name_rules=_name_rules,
        keyword_arguments=True,
        reserved=frozenset(keyword.kwlist),
    ),
)
