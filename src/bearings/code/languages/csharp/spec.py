"""The spec of C#, a declared language."""

from bearings.code.languages.shared.declared_rules import Rules, by_declaration, environment
from bearings.code.languages.spec import Capability, LanguageSpec, lazy_call, lazy_value
from bearings.code.models import Language

SPEC = LanguageSpec(
    language=Language.CSHARP,
    label="C#",
    extensions=(".cs",),
    names=("cs", "csharp", "c#"),
    grammar="tree_sitter_c_sharp:language",
    queries=("csharp/symbols.scm",),
    visitor=by_declaration(
        Rules(
            public=r"\b(?:public|protected|internal)\b",
            attributes=r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]",
            case_attributes=r"\b(?:\w*(?:Fact|Theory|TestMethod)|Test(?:Case(?:Source)?)?)(?=\s*[(,\]])",
            line_docs=("///",),
            frameworks=lazy_value("csharp.routes:FRAMEWORKS"),
            container=lazy_value("csharp.routes:CONTAINER"),
        ),
        "csharp.visitor:CSharp",
    ),
    capabilities=frozenset(
        {Capability.TYPES, Capability.EDGES, Capability.ENDPOINTS, Capability.MEASURES, Capability.MARKS}
    ),
    marks=lazy_call("shared.marks:marks"),
    name_rules=lazy_call("csharp.occurrences:CSharpNames"),
    type_ending="Attribute",
    called_unnamed=frozenset({"ToString", "Equals", "GetHashCode", "CompareTo", "Dispose", "GetEnumerator"}),
    mended=lazy_call("shared.conditionals:without_conditionals"),
    environment=environment(
        "Environment.GetEnvironmentVariable",
        "Environment.SetEnvironmentVariable",
        "Configuration configuration _configuration config _config",
    ),
    hooks=r"""(?x)(?:Main|ToString|Equals|GetHashCode|CompareTo|Dispose\w*|Deconstruct|Add|Get(?:Async)?Enumerator|GetAwaiter
        |MoveNext|Clone|TryParse|BindAsync|Invoke(?:Async)?|Configure\w*|Create\w*HostBuilder|On[A-Z]\w*|ShouldSerialize\w+
        |Reset\w*|Awake|Start|extension|(?:Fixed|Late)?Update|this|\W.*)$""",
    main_method=r".*\bstatic\b.* Main\(",
    found_by_name=r"\w+(?:Controller|ViewComponent)$",
    library_packages=r"System(?:\.|$)",
    hook_head=r"[\w ]*\b(?:override|partial|extern)\b",
    idioms=lazy_value("csharp.visitor:IDIOMS"),
    measuring=lazy_value("shared.metrics:ALL_NEST"),
    reserved=frozenset(
        """abstract as base bool break byte case catch char checked class const continue decimal default delegate do
        double else enum event explicit extern false finally fixed float for foreach goto if implicit in int interface
        internal is lock long namespace new null object operator out override params private protected public readonly
        ref return sbyte sealed short sizeof stackalloc static string struct switch this throw true try typeof uint
        ulong unchecked unsafe ushort using virtual void volatile while var dynamic nameof value record""".split()
    ),
    case_head=r"\[",
    test_command=lazy_call("csharp.visitor:test_command"),
    test_paths=r"Tests?\.cs$|(?:^|[/.])(?:[^/.]*Tests?)/.*\.cs$",
)
