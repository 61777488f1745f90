"""The parameters and arguments of Python."""

from bearings.code.languages.shared.signatures import SignatureRules

RULES = SignatureRules(
    functions=frozenset({"function_definition"}),
    classes=frozenset({"class_definition"}),
    holders={},
    calls={"call": "function"},
    members={"attribute": "attribute"},
    inner=frozenset({"subscript", "parenthesized_expression"}),
    signs={
        "list_splat_pattern": "*", "dictionary_splat_pattern": "**", "list_splat": "*", "dictionary_splat": "**",
    },
    plain=frozenset(
        {
            "dotted_name", "aliased_import", "import_statement", "import_from_statement", "class_definition",
            "comparison_operator", "except_clause", "global_statement", "delete_statement",
        }
    ),
    types=frozenset({"type", "type_parameter"}),
    effects=frozenset({"call", "await", "yield", "named_expression"}),
    quoted=frozenset({"interpolation"}),
    checks="isinstance|issubclass|cast|assert_type|TypeVar|raises|suppress|id|type|hash",
    passing="__call__|__func__|__wrapped__|__signature__|__code__|__defaults__|__kwdefaults__",
    mocks=r"assert_\w*(?:call|await)\w*|(?:method_)?call(?:s|ed|_count|_args|_args_list)|mock_calls|side_effect"
    r"|return_value|await(?:ed|_count|_args)",
    replacing=r"\b(?:patch|object|multiple|setattr|delattr|hasattr)\b",
    idle=r"(?:\w+\.)*(?:staticmethod|classmethod|abstractmethod|abstractclassmethod|abstractstaticmethod|override|final"
    r"|overload|cache|cached|lru_cache|contextmanager|asynccontextmanager|deprecated|wraps|no_type_check|coroutine)",
    unbound=r"staticmethod",
    documents=r"(?m)(?<![\w.])(?::(?:param|type|parameter|arg|argument|key|keyword)[ \t]+(?:[^:\n]*[ \t])?"
    r"|^[ \t]+\*{0,2})(NAME)(?=[ \t]*(?:\([^)\n]*\))?[ \t]*:)",
    comment=r"\#[^\r\n]*",
    head="def f({}): pass",
    filler="",
    constructor="__init__",
    constructions=r"cls|type\([\w.]+\)|.*\.__class__|.*\.__init__",
    maker="__new__",
    calling=r"(?:\w+\.)?\w*(?:Enum|Flag)",
    stubs=(".py", ".pyi"),
    narrowing=r"->.*\bType(?:Guard|Is)\[",
    seeing=frozenset({"locals()", "vars()"}),
)  # fmt: skip
