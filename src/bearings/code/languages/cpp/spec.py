"""C++, by declaration, and all headers: its grammar reads C's, too."""

from bearings.code.languages.c.spec import included
from bearings.code.languages.shared.rules import Rules, by_declaration
from bearings.code.languages.spec import LanguageSpec
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
    family="c",
    imported=included,
)
