"""The spec of Swift, a declared language."""

from bearings.code.languages.shared.declared_rules import Rules, by_declaration, environment
from bearings.code.languages.spec import LanguageSpec
from bearings.code.models import Language

SPEC = LanguageSpec(
    language=Language.SWIFT,
    label="Swift",
    extensions=(".swift",),
    names=("swift",),
    grammar="tree_sitter_swift:language",
    queries=("swift/symbols.scm",),
    visitor=by_declaration(Rules(hidden=r"\b(?:file)?private\b(?!\()", line_docs=("///",))),
    package_roots="Sources",
    environment=environment("getenv", "setenv unsetenv", "processInfo.environment"),
    test_paths=r"Tests?\.swift$|(?:^|/)[^/]*Tests/.*\.swift$",
)
