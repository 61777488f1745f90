"""The spec of Python."""

import keyword

from bearings.code.languages.python.source import has_many_powers, is_cookie, recoded
from bearings.code.languages.spec import EVERYTHING, LanguageSpec, Offering, held_in, on_demand
from bearings.code.models import Language

SPECS = (
    LanguageSpec(
        language=Language.PYTHON,
        label="Python",
        extensions=(".py", ".pyi"),
        embedded_extensions=(".ipynb",),
        names=("py", "python", "py3", "python3"),
        grammar="tree_sitter_python:language",
        queries=("python/symbols.scm", "python/metrics.scm"),
        visitor=on_demand("python.visitor:Python"),
        capabilities=EVERYTHING,
        comment="#",
        decode=recoded,
        stalls_parser=has_many_powers,
        marks=on_demand("shared.marks:marks"),
        environment=held_in("python.environment:RULES"),
        is_directive=is_cookie,
        package_file="__init__.py",
        offering=Offering.PACKAGES,
        manifests=frozenset({"pyproject.toml", "setup.py", "setup.cfg"}),
        import_settings=r"pyproject\.toml|pytest\.(?:ini|toml)|\.pytest\.ini|setup\.(?:cfg|py)|tox\.ini|\.?mypy\.ini"
        r"|pyrightconfig\.json|(?:ruff|ty|pyrefly|pants)\.toml|(?:manage|wsgi|asgi)\.py",
        tests=r"(?:^|/)(?:test_[^/]*|[^/]*_tests?|tests|conftest)\.py$",
        collected=r"test_|.*_test\.py$",
        fixture_file="conftest.py",
        test_command=on_demand("python.running:command"),
        line_patterns=held_in("python.line_patterns:PATTERNS"),
        idioms=held_in("python.idioms:IDIOMS"),
        measuring=held_in("python.measuring:MEASURING"),
        name_rules=on_demand("python.occurrences:PythonNames"),
        keyword_arguments=True,
        reserved=frozenset(keyword.kwlist),
    ),
)
