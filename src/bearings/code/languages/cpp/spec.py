"""The spec of C++, a declared language. It includes all headers, because its grammar also reads those of C."""

from bearings.code.languages.c.spec import included
from bearings.code.languages.shared.declared_rules import Rules, by_declaration, environment
from bearings.code.languages.spec import LanguageSpec, lazy_call
from bearings.code.models import Language

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
    masked=lazy_call("shared.macros:masked"),
    family="C and C++",
    is_bound=True,
    declares_apart=True,
    module_candidates=included,
    module_separator="/",
    environment=environment("getenv secure_getenv", "setenv unsetenv"),
    test_paths=r"(?:^|/)(?:test_[^/]*|[^/]*_(?:unit)?tests?)\.(?:cc|cpp|cxx|c\+\+)$",
)
