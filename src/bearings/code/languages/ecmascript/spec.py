"""The specs of TypeScript, TSX, JavaScript and JSX, which share one visitor."""

from bearings.code.languages.spec import EVERYTHING, LanguageSpec, PublicApi, lazy_call, lazy_value
from bearings.code.models import Language


def _spec(
    language: Language,
    label: str,
    extensions: tuple[str, ...],
    names: tuple[str, ...],
    grammar: str,
    queries: tuple[str, ...],
    embedded_extensions: tuple[str, ...] = (),
) -> LanguageSpec:
    is_typed = grammar != _JAVASCRIPT
    patterns = "IN_JSX" if extensions[0].endswith("x") else "PATTERNS"
    return LanguageSpec(
        language=language,
        family="JavaScript and TypeScript",
        label=label,
        extensions=extensions,
        embedded_extensions=embedded_extensions,
        names=names,
        grammar=grammar,
        queries=tuple(f"ecmascript/{name}.scm" for name in queries),
        visitor=lazy_call("ecmascript.visitor:EcmaScript"),
        capabilities=EVERYTHING,
        name_signs="$",
        declarations_merge=True,
        called_unnamed=frozenset({"toString", "toJSON", "valueOf", "then"}),
        marks=lazy_call("shared.marks:marks"),
        environment=lazy_value("ecmascript.environment:RULES"),
        convention_group="TypeScript and JavaScript",
        mended=lazy_call("ecmascript.signature_lines:with_separators") if is_typed else None,
        types_in_comments=not is_typed,
        missing_arguments=not is_typed,
        module_separator="/",
        interface_head=r"interface\b|type [^=]*= \{",
        template_path=r"templateUrl\s*:\s*[`'\"]([^`'\"]+)[`'\"](?:(?!templateUrl|\bclass\s)[\s\S])*\bclass\s.*\Z",
        names_in_template=lazy_call("ecmascript.frameworks.angular_templates:names_in"),
        provides=r"\bprovide\s*:\s*([\w$.]+)\s*,[^{}]{0,200}?\buse(?:Class|Existing)\s*:\s*(?:[\w$]+\.)*%s(?![\w$])",
        providing=("useClass", "useExisting"),
        public_api=PublicApi.ENTRIES,
        import_settings=_SETTINGS,
        paths_sharing_names=r"\.vue$|(?:^|/)(?:composables|layouts|middleware|plugins|server|stores)/",
        minified=r"\.min\.[cm]?js",
        source_roots="src|app|pages|components|resources|assets|static",
        tooling_paths=r"\.(?:config|stories)\.[cm]?[jt]sx?$|(?:^|/)eslint[^/]*$",
        test_paths=r"\.(?:test|spec)(?:-d)?\.[cm]?[jt]sx?$",
        tests_loading=lazy_call("ecmascript.running:loading"),
        mocks_folder="__mocks__",
        test_command=lazy_call("ecmascript.running:command"),
        line_patterns=lazy_value(f"ecmascript.line_patterns:{patterns}"),
        idioms=lazy_value("ecmascript.idioms:IDIOMS"),
        name_rules=lazy_call("ecmascript.occurrences:EcmaScriptNames"),
        import_rules=lazy_call("ecmascript.importing:EcmaScriptImports"),
        signature_rules=lazy_value("ecmascript.signatures:RULES"),
        respelled=lazy_call("ecmascript.respelling:respelled"),
        read_by_path=_READ_BY_PATH,
        reserved=_RESERVED,
    )


_READ_BY_PATH = (
    r"(?:^|/)(?:pages|__mocks__)/|(?:^|/)\+[\w.]+$|\.config\.[cm]?[jt]s$"
    r"|(?:^|/)app/(?:.*/)?(?:page|layout|route|loading|(?:global-)?error|not-found|template|default)\.[jt]sx?$"
    r"|(?:^|/)(?:middleware|instrumentation)\.[jt]s$"
)
"""Files of Next, Nuxt, SvelteKit, Remix and Jest."""


_RESERVED = frozenset(
    """arguments await break case catch class const continue debugger default delete do else enum eval export extends
    false finally for function if implements import in instanceof interface let new null package private protected
    public return static super switch this throw true try typeof var void while with yield""".split()
)
_SETTINGS = (
    r"package\.json|[tj]sconfig[^/]*\.json|deno\.jsonc?|import_?map[^/]*\.json|\.babelrc(?:\.json)?|\.adonisrc\.json"
    r"|(?:\.?(?:babelrc|umirc)|[^/]*\b(?:vite|vitest|webpack|rspack|rsbuild|rollup|rolldown|esbuild|metro|babel|jest|vue"
    r"|nuxt|svelte|astro|quasar|next|farm|craco|remix|wxt|docusaurus|ember-cli-build|config-overrides|gatsby-node)\b"
    r"[^/]*)\.[cm]?[jt]s(?:on)?"
)
"""Names of files that say where modules lie, of package managers, compilers, bundlers, test runners and frameworks."""
_TYPED = ("metrics", "typescript_metrics")
_UNTYPED = ("symbols", "javascript", "jsx", "metrics", "javascript_metrics")
_JAVASCRIPT = "tree_sitter_javascript:language"

SPECS = (
    _spec(
        Language.TYPESCRIPT, "TypeScript", (".ts", ".mts", ".cts"), ("ts", "typescript"),
        "tree_sitter_typescript:language_typescript", ("symbols", "typescript", "assertions", *_TYPED),
    ),
    _spec(
        Language.TSX, "TSX", (".tsx",), ("tsx", "react", "typescript"),
        "tree_sitter_typescript:language_tsx", ("symbols", "typescript", "jsx", *_TYPED),
        (".vue", ".svelte", ".astro", ".mdx"),
    ),
    _spec(
        Language.JAVASCRIPT, "JavaScript", (".js", ".mjs", ".cjs", ".gs"), ("js", "javascript", "node"),
        _JAVASCRIPT, _UNTYPED,
    ),
    _spec(Language.JSX, "JSX", (".jsx",), ("jsx", "react", "javascript", "node"), _JAVASCRIPT, _UNTYPED),
)  # fmt: skip
