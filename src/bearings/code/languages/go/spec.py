"""The spec of Go."""

from bearings.code.languages.spec import EVERYTHING, LanguageSpec, PublicApi, lazy_call, lazy_value
from bearings.code.models import Language

SPECS = (
    LanguageSpec(
        language=Language.GO,
        label="Go",
        extensions=(".go",),
        names=("go", "golang"),
        grammar="tree_sitter_go:language",
        queries=("go/symbols.scm", "go/metrics.scm"),
        visitor=lazy_call("go.visitor:Go"),
        capabilities=EVERYTHING,
        marks=lazy_call("go.marks:go_marks"),
        environment=lazy_value("go.environment:RULES"),
        called_unnamed=frozenset(
            """String Error ServeHTTP MarshalJSON UnmarshalJSON MarshalText UnmarshalText Read Write Close Len Less Swap
            Unwrap RoundTrip Scan Value Format Set""".split()
        ),
        module_separator="/",
        imports_folders=True,
        implicit_interfaces=True,
        classes_are_shapes=True,
        public_api=PublicApi.FOLDERS,
        import_settings=r"go\.(?:mod|work)",
        private_folders=frozenset({"internal"}),
        test_paths=r"_test\.go$",
        test_command=lazy_call("go.running:command"),
        line_patterns=lazy_value("go.line_patterns:PATTERNS"),
        idioms=lazy_value("go.idioms:IDIOMS"),
        measuring=lazy_value("go.measuring:MEASURING"),
        predefined_names=frozenset({"init", "main", "_"}),
        name_rules=lazy_call("go.occurrences:GoNames"),
        import_rules=lazy_call("go.importing:GoImports"),
        reserved=frozenset(
            """break case chan const continue default defer else fallthrough for func go goto if import interface map
            package range return select struct switch type var _""".split()
        ),
    ),
)
