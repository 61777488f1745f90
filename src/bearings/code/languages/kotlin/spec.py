"""The spec of Kotlin, a declared language."""

from bearings.code.languages.shared.declared_rules import Rules, by_declaration, environment
from bearings.code.languages.spec import LanguageSpec
from bearings.code.models import Language


def _imported(importer: str, specifier: str) -> tuple[str, ...]:
    """Return candidate paths: `a.b.C` is most likely in a/b/C.kt, or in a/b/C.java."""
    del importer
    parts = specifier.split(".")
    ends = [end for end in range(len(parts), 1, -1) if parts[end - 1][:1].isupper()]
    return tuple(f"/{'/'.join(parts[:end])}{extension}" for end in ends for extension in (".kt", ".java"))


SPEC = LanguageSpec(
    language=Language.KOTLIN,
    label="Kotlin",
    extensions=(".kt", ".kts"),
    names=("kt", "kotlin", "kts"),
    grammar="tree_sitter_kotlin:language",
    queries=("kotlin/symbols.scm",),
    visitor=by_declaration(Rules(hidden=r"\bprivate\b")),
    family="Java and Kotlin",
    module_candidates=_imported,
    package_roots=r"src/\w+/(?:java|kotlin)|com|org|net|io",
    environment=environment("System.getenv"),
    test_paths=r"(?:^|/)(?:(?:Test|IT)[A-Z][^/]*|[^/]*(?:Tests?|TestCase|IT|ITCase))\.kt$",
)
