"""The spec of PHP, a declared language. The grammar also reads the HTML around the code."""

from posixpath import dirname, join, normpath

from bearings.code.languages.shared.declared_rules import Rules, by_declaration, environment
from bearings.code.languages.spec import Capability, LanguageSpec, lazy_call, lazy_value
from bearings.code.models import Language


def _imported(importer: str, specifier: str) -> tuple[str, ...]:
    """Return the path of `require 'x.php'`, relative to the importer. Classes are found by autoloaders: no path."""
    return (normpath(join(dirname(importer), specifier)),) if "\\" not in specifier else ()


SPEC = LanguageSpec(
    language=Language.PHP,
    label="PHP",
    extensions=(".php", ".phtml", ".inc"),
    names=("php",),
    grammar="tree_sitter_php:language_php",
    queries=("php/symbols.scm",),
    visitor=by_declaration(
        Rules(
            hidden=r"\b(?:private|protected)\b",
            attributes=r"#\[(?:[^\[\]]|\[[^\[\]]*\])*\]",
            constructors=("__construct",),
            frameworks=lazy_value("php.routes:FRAMEWORKS"),
            container=lazy_value("php.routes:CONTAINER"),
            only={"import": r"(?:use\s+(?:function\s+|const\s+)?(?P<module>[^;]+)|['\"])"},
        ),
        "php.visitor:Php",
    ),
    capabilities=frozenset({Capability.ENDPOINTS, Capability.TYPES, Capability.MEASURES, Capability.MARKS}),
    marks=lazy_call("shared.marks:marks"),
    module_candidates=_imported,
    meant_by_class=frozenset("__invoke index create store show edit update destroy".split()),
    module_separator="\\",
    environment=environment("getenv env", "", "$_ENV"),
    measuring=lazy_value("shared.metrics:ALL_NEST"),
    test_paths=r"Test\.php$|(?:^|/)Tests/.*\.php$",
)
