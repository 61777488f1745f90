"""The spec of C++, a declared language. It includes all headers, because its grammar also reads those of C."""

import re

from bearings.code.languages.c.spec import included
from bearings.code.languages.shared.declared_rules import Rules, by_declaration, environment
from bearings.code.languages.spec import LanguageSpec
from bearings.code.models import Language

_EXPORT = re.compile(
    rb"\b(?:class|struct|union|enum)\s+([A-Z][A-Z0-9_]{2,})(?:\([^()\n]*\))?(?=\s+[A-Za-z_]\w*\s*(?:final\s*)?[:{;])"
)
"""An export macro, as in `class SHOP_API Cart {`, which the grammar would parse as a function definition."""


def _masked(source: bytes) -> bytes:
    return _EXPORT.sub(lambda found: found[0][: found.start(1) - found.start()].ljust(len(found[0])), source)


SPEC = LanguageSpec(
    language=Language.CPP,
    label="C++",
    extensions=(".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".h", ".ipp", ".tpp"),
    names=("cpp", "c++", "cc", "cxx", "hpp", "h"),
    grammar="tree_sitter_cpp:language",
    queries=("cpp/symbols.scm",),
    visitor=by_declaration(
        Rules(
            hidden_at_top=r"\bstatic\b",
            private_in=("class_specifier",),
            attributes=r"\[\[.*?\]\]|template\s*<.*>",
            line_docs=("///", "//!", "//"),
            block_docs=("/*",),
            constructors=("=",),
            only={"definition.variable": r"(?!extern\b|typedef\b|friend\b|using\b)"},
        )
    ),
    masked=_masked,
    family="C and C++",
    declares_apart=True,
    module_candidates=included,
    module_separator="/",
    environment=environment("getenv secure_getenv", "setenv unsetenv"),
    test_paths=r"(?:^|/)(?:test_[^/]*|[^/]*_(?:unit)?tests?)\.(?:cc|cpp|cxx|c\+\+)$",
)
