"""The specs of TypeScript, TSX, JavaScript and JSX, which share one visitor."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bearings.code.languages.spec import EVERYTHING, LanguageSpec, Offering, Visitor
from bearings.code.models import Language

if TYPE_CHECKING:
    from bearings.code.file_facts import Mark
    from bearings.code.languages.line_conventions import Idioms, LinePatterns
    from bearings.code.languages.shared.builder import Builder
    from bearings.code.languages.shared.environment import Rules
    from bearings.code.languages.shared.occurrences import NameRules
    from bearings.code.languages.shared.trees import Captures


def _visitor(builder: "Builder") -> Visitor:
    from bearings.code.languages.ecmascript.visitor import EcmaScript

    return EcmaScript(builder)


def _marks(builder: "Builder", captures: "Captures") -> "Sequence[Mark]":
    from bearings.code.languages.shared.marks import marks

    return marks(builder, captures)


def _environment() -> "Rules":
    from bearings.code.languages.ecmascript.environment import RULES

    return RULES


def _test_command(files: Sequence[str], manifests: Mapping[str, bytes]) -> str:
    from bearings.code.languages.ecmascript.running import command

    return command(files, manifests)


def _line_patterns() -> "LinePatterns":
    from bearings.code.languages.ecmascript.line_patterns import PATTERNS

    return PATTERNS


def _line_patterns_in_jsx() -> "LinePatterns":
    from bearings.code.languages.ecmascript.line_patterns import IN_JSX

    return IN_JSX


def _idioms() -> "Idioms":
    from bearings.code.languages.ecmascript.idioms import IDIOMS

    return IDIOMS


def _name_rules() -> "NameRules":
    from bearings.code.languages.ecmascript.occurrences import EcmaScriptNames

    return EcmaScriptNames()


def _spec(
    language: Language,
    label: str,
    extensions: tuple[str, ...],
    names: tuple[str, ...],
    grammar: str,
    queries: tuple[str, ...],
    embedded_extensions: tuple[str, ...] = (),
) -> LanguageSpec:
    return LanguageSpec(
        language=language,
        label=label,
        extensions=extensions,
        embedded_extensions=embedded_extensions,
        names=names,
        grammar=grammar,
        queries=tuple(f"ecmascript/{name}.scm" for name in queries),
        visitor=_visitor,
        capabilities=EVERYTHING,
        name_signs="$",
        marks=_marks,
        environment=_environment,
        convention_group="TypeScript and JavaScript",
        types_in_comments=grammar == _JAVASCRIPT,
        missing_arguments=grammar == _JAVASCRIPT,
        module_separator="/",
        offering=Offering.ENTRIES,
        import_settings=r"package\.json|tsconfig[^/]*\.json|jsconfig\.json",
        minified=r"\.min\.[cm]?js",
        beside=r"\.(?:config|stories)\.[cm]?[jt]sx?$|(?:^|/)eslint[^/]*$",
        tests=r"\.(?:test|spec)\.[cm]?[jt]sx?$",
        test_command=_test_command,
        line_patterns=_line_patterns_in_jsx if extensions[0].endswith("x") else _line_patterns,
        idioms=_idioms,
        name_rules=_name_rules,
        reserved=_RESERVED,
    )


_RESERVED = frozenset(
    """arguments await break case catch class const continue debugger default delete do else enum eval export extends
    false finally for function if implements import in instanceof interface let new null package private protected
    public return static super switch this throw true try typeof var void while with yield""".split()
)
_TYPED = ("metrics", "typescript_metrics")
_UNTYPED = ("symbols", "javascript", "jsx", "metrics", "javascript_metrics")
_JAVASCRIPT = "tree_sitter_javascript:language"

SPECS = (
    _spec(
        Language.TYPESCRIPT, "TypeScript", (".ts", ".mts", ".cts"), ("ts", "typescript"),
        "tree_sitter_typescript:language_typescript", ("symbols", "typescript", *_TYPED),
    ),
    _spec(
        Language.TSX, "TSX", (".tsx",), ("tsx", "react", "typescript"),
        "tree_sitter_typescript:language_tsx", ("symbols", "typescript", "jsx", *_TYPED), (".vue", ".svelte", ".astro"),
    ),
    _spec(
        Language.JAVASCRIPT, "JavaScript", (".js", ".mjs", ".cjs"), ("js", "javascript", "node"), _JAVASCRIPT, _UNTYPED
    ),
    _spec(Language.JSX, "JSX", (".jsx",), ("jsx", "react", "javascript", "node"), _JAVASCRIPT, _UNTYPED),
)  # fmt: skip
