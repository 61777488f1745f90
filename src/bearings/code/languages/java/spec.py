"""The spec of Java, a declared language."""

from bearings.code.languages.shared.declared_rules import Rules, by_declaration, environment
from bearings.code.languages.spec import Capability, LanguageSpec, lazy_call, lazy_value
from bearings.code.models import Language


def _imported(importer: str, specifier: str) -> tuple[str, ...]:
    """Return candidate paths: `a.b.C` and its member `a.b.C.D` are in a/b/C.java."""
    del importer
    parts = specifier.split(".")
    return tuple(f"/{'/'.join(parts[:end])}.java" for end in range(len(parts), 1, -1) if parts[end - 1][:1].isupper())


SPEC = LanguageSpec(
    language=Language.JAVA,
    label="Java",
    extensions=(".java",),
    names=("java",),
    grammar="tree_sitter_java:language",
    queries=("java/symbols.scm",),
    visitor=by_declaration(
        Rules(
            public=r"\b(?:public|protected)\b",
            frameworks=lazy_value("java.routes:FRAMEWORKS"),
            container=lazy_value("java.routes:CONTAINER"),
        ),
        "java.visitor:Java",
    ),
    capabilities=frozenset(
        {Capability.TYPES, Capability.EDGES, Capability.ENDPOINTS, Capability.MEASURES, Capability.MARKS}
    ),
    marks=lazy_call("shared.marks:marks"),
    called_unnamed=frozenset({"toString", "equals", "hashCode", "compareTo", "close", "iterator"}),
    family="Java and Kotlin",
    name_rules=lazy_call("java.occurrences:JavaNames"),
    module_candidates=_imported,
    package_roots=r"src/\w+/(?:java|kotlin)|com|org|net|io",
    environment=environment("System.getenv"),
    hooks=r"""(?x)(?:main|premain|agentmain|finalize|readObject|writeObject|readObjectNoData|readResolve|writeReplace
        |serialVersionUID|serialPersistentFields)$""",
    main_method=r".*\bstatic\b.* void main\(String",
    idioms=lazy_value("java.visitor:IDIOMS"),
    measuring=lazy_value("shared.metrics:ALL_NEST"),
    reserved=frozenset(
        """abstract assert boolean break byte case catch char class const continue default do double else enum extends
        false final finally float for goto if implements import instanceof int interface long native new null package
        private protected public return short static strictfp super switch synchronized this throw throws transient true
        try var void volatile while yield record _""".split()
    ),
    case_head=r"(?:public |final )*void (?!(?:setUp|tearDown|before|after|init|cleanUp)(?:$|[A-Z(]))\w+\(",
    test_command=lazy_call("java.visitor:test_command"),
    test_paths=r"(?:^|/)(?:(?:Test|IT)[A-Z][^/]*|[^/]*(?:Tests?|TestCase|IT|ITCase))\.java$",
)
