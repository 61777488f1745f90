"""The spec of C, a declared language. Headers use the grammar of C++, which reads both: a `.h` names no language."""

from posixpath import dirname, join, normpath

from bearings.code.languages.shared.declared_rules import Rules, by_declaration, environment
from bearings.code.languages.spec import LanguageSpec
from bearings.code.models import Language


def included(importer: str, specifier: str) -> tuple[str, ...]:
    """Return candidate paths of an include: beside the including file, or below any include folder."""
    name = specifier.strip("<>")
    if specifier[:1] == "<":
        return (f"/{name}",) if "/" in name else ()
    return normpath(join(dirname(importer), name)), f"/{normpath(name).lstrip('./')}"


SPEC = LanguageSpec(
    language=Language.C,
    label="C",
    extensions=(".c",),
    names=("c",),
    grammar="tree_sitter_c:language",
    queries=("c/symbols.scm",),
    visitor=by_declaration(
        Rules(
            hidden_at_top=r"\bstatic\b",
            line_docs=("///", "//!", "//"),
            block_docs=("/*",),
            only={"definition.variable": r"(?!extern\b|typedef\b)"},
        )
    ),
    family="C and C++",
    is_bound=True,
    global_functions=True,
    module_candidates=included,
    module_separator="/",
    environment=environment("getenv secure_getenv", "setenv unsetenv"),
    test_paths=r"(?:^|/)(?:test_[^/]*|[^/]*_(?:unit)?tests?)\.c$",
)
