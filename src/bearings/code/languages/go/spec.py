"""The spec of Go."""

from bearings.code.languages.spec import EVERYTHING, LanguageSpec, Offering, held_in, on_demand
from bearings.code.models import Language

SPECS = (
    LanguageSpec(
        language=Language.GO,
        label="Go",
        extensions=(".go",),
        names=("go", "golang"),
        grammar="tree_sitter_go:language",
        queries=("go/symbols.scm", "go/metrics.scm"),
        visitor=on_demand("go.visitor:Go"),
        capabilities=EVERYTHING,
        marks=on_demand("go.marks:go_marks"),
        environment=held_in("go.environment:RULES"),
        module_separator="/",
        imports_folders=True,
        implicit_interfaces=True,
        classes_are_shapes=True,
        offering=Offering.FOLDERS,
        import_settings=r"go\.(?:mod|work)",
        private_folders=frozenset({"internal", "cmd"}),
        tests=r"_test\.go$",
        test_command=on_demand("go.running:command"),
        line_patterns=held_in("go.line_patterns:PATTERNS"),
        idioms=held_in("go.idioms:IDIOMS"),
        measuring=held_in("go.measuring:MEASURING"),
        fixed=frozenset({"init", "main", "_"}),
        name_rules=on_demand("go.occurrences:GoNames"),
        reserved=frozenset(
            """break case chan const continue default defer else fallthrough for func go goto if import interface map
            package range return select struct switch type var _""".split()
        ),
    ),
)
