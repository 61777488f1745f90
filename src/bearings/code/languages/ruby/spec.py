"""The spec of Ruby, a declared language."""

from posixpath import dirname, join, normpath

from bearings.code.languages.shared.declared_rules import Rules, by_declaration, environment
from bearings.code.languages.spec import LanguageSpec
from bearings.code.models import Language


def _imported(importer: str, specifier: str) -> tuple[str, ...]:
    """Return candidate paths: beside the importer for `require_relative`, below lib/ or app/ for `require`."""
    name = specifier.removesuffix(".rb")
    return f"{normpath(join(dirname(importer), name))}.rb", f"/lib/{name}.rb", f"/app/{name}.rb"


SPEC = LanguageSpec(
    language=Language.RUBY,
    label="Ruby",
    extensions=(".rb", ".rake", ".gemspec", ".ru"),
    names=("rb", "ruby"),
    grammar="tree_sitter_ruby:language",
    queries=("ruby/symbols.scm",),
    visitor=by_declaration(
        Rules(
            attributes="",
            line_docs=("#",),
            block_docs=(),
            constructors=("initialize",),
            makers=("new",),
            only={
                "import": r"(?:require|require_relative|load|autoload)\b[ (]*['\"](?P<module>[^'\"]+)",
                "implements": r"(?:include|extend|prepend)\b[ (]+(?P<module>[A-Z][\w:]*(?:,\s*[A-Z][\w:]*)*)",
                "definition.function": r"def\b|alias\b|alias_method\b|define_method\b",
                "definition.property": r"attr_(?:reader|writer|accessor)\b",
                "visibility": r"(?:private|protected|public)$",
            },
        )
    ),
    comment="#",
    names_types=False,
    module_candidates=_imported,
    module_separator="/",
    environment=environment("", "", "ENV"),
    test_paths=r"(?:_(?:spec|test)|(?:^|/)test_[^/]*)\.rb$",
)
