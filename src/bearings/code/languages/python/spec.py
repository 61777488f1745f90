"""The spec of Python."""

import keyword

from bearings.code.languages.python.source import has_many_powers, is_cookie, recoded
from bearings.code.languages.spec import EVERYTHING, LanguageSpec, PublicApi, lazy_call, lazy_value
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
        visitor=lazy_call("python.visitor:Python"),
        capabilities=EVERYTHING,
        comment="#",
        decode=recoded,
        stalls_parser=has_many_powers,
        marks=lazy_call("shared.marks:marks"),
        environment=lazy_value("python.environment:RULES"),
        is_directive=is_cookie,
        package_file="__init__.py",
        interface_head=r"class .*\bProtocol\b",
        public_api=PublicApi.PACKAGES,
        run_by_construction=frozenset({"__new__", "__post_init__"}),
        # Of pytest, unittest, Jupyter and IPython, and of what builds a package.
        hooks=r"(?:pytest_|_jupyter_|_ipython_|_repr_|_?load_jupyter_)\w+$|(?:un)?load_ipython_extension$|load_tests$"
        r"|(?:setUp|tearDown)Module$|(?:build|get_requires_for_build|prepare_metadata_for_build)_(?:wheel|sdist|editable)$",
        told_of_subclasses="__init_subclass__",
        lists_subclasses="__subclasses__",
        metaclass=r"\bmetaclass\s*=\s*(?!(?:\w+\.)*(?:ABCMeta|EnumMeta|EnumType)\b)",
        manifests=frozenset({"pyproject.toml", "setup.py", "setup.cfg"}),
        import_settings=r"pyproject\.toml|pytest\.(?:ini|toml)|\.pytest\.ini|setup\.(?:cfg|py)|tox\.ini|\.?mypy\.ini"
        r"|pyrightconfig\.json|(?:ruff|ty|pyrefly|pants)\.toml|(?:manage|wsgi|asgi)\.py"
        r"|requirements?[\w.-]*\.txt|requirements/[\w.-]+\.txt|Pipfile",
        test_paths=r"(?:^|/)(?:test_[^/]*|[^/]*_tests?|tests|conftest)\.py$",
        collected_names=r"test_|.*_test\.py$",
        fixture_file="conftest.py",
        test_command=lazy_call("python.running:command"),
        line_patterns=lazy_value("python.line_patterns:PATTERNS"),
        idioms=lazy_value("python.idioms:IDIOMS"),
        measuring=lazy_value("python.measuring:MEASURING"),
        pages=r"\.(?:html?|djhtml|jinja2?|j2|txt|xml)$",
        in_pages=lazy_call("python.frameworks.django_templates:in_pages"),
        name_rules=lazy_call("python.occurrences:PythonNames"),
        import_rules=lazy_call("python.importing:PythonImports"),
        signature_rules=lazy_value("python.signatures:RULES"),
        library_members=lazy_value("python.library:members"),
        respelled=lazy_call("python.respelling:respelled"),
        read_by_path=r"(?:^|/)(?:conftest|setup|manage|noxfile|sitecustomize|__main__)\.py$"
        r"|(?:^|/)(?:migrations|management/commands|templatetags)/",
        keyword_arguments=True,
        reserved=frozenset(keyword.kwlist),
    ),
)
