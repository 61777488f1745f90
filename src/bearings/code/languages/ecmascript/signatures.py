"""The parameters and arguments of TypeScript and JavaScript."""

from bearings.code.languages.shared.signatures import SignatureRules

RULES = SignatureRules(
    functions=frozenset(
        {
            "function_declaration", "function_expression", "function", "arrow_function", "method_definition",
            "generator_function", "generator_function_declaration", "function_signature", "method_signature",
            "abstract_method_signature", "function_type",
        }
    ),
    classes=frozenset(),
    holders={
        "variable_declarator": "value",
        "public_field_definition": "value",
        "field_definition": "value",
        "pair": "value",
        "assignment_expression": "right",
        "property_signature": "type",
    },
    calls={"call_expression": "function", "new_expression": "constructor"},
    members={"member_expression": "property"},
    inner=frozenset({"parenthesized_expression", "non_null_expression", "instantiation_expression"}),
    signs={"rest_pattern": "...", "spread_element": "..."},
    plain=frozenset(
        {
            "import_specifier", "import_clause", "export_specifier", "namespace_import", "class_heritage",
            "extends_clause", "export_statement", "class_declaration", "class", "abstract_class_declaration",
        }
    ),
    types=frozenset({"type_annotation", "type_arguments", "type_identifier", "implements_clause"}),
    effects=frozenset(
        {
            "call_expression", "new_expression", "await_expression", "yield_expression", "assignment_expression",
            "augmented_assignment_expression", "update_expression",
        }
    ),
    quoted=frozenset(),
    checks="mocked|isMockFunction",
    passing="call|apply|bind|length",
    mocks=r"to(?:Have)?Been\w*|\w*[cC]alledWith|mock(?:ClearAll)?|mock[A-Z]\w*",
    replacing=r"\b(?:mock|doMock|spyOn|replaceProperty|stub)\b",
    idle=r"(?:\w+\.)*(?:override|deprecated|memoize|bound|autobind)",
    unbound=r"(?!)",
    documents=r"@(?:param|arg|argument)\s+(?:\{[^}\n]*\}\s+)?\[?(NAME)(?![\w$])",
    comment=r"//[^\r\n]*|/\*.*?\*/",
    head="function f({}) {{}}",
    filler="undefined",
    constructor="constructor",
    constructions=r"this(?:\.constructor)?|super",
    maker="",
    calling=r"(?!)",
    stubs=(".js", ".d.ts"),
    narrowing=r"(?!)",
    seeing=frozenset({"arguments"}),
)  # fmt: skip
