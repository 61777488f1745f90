"""The rules of TypeScript and JavaScript."""

from dataclasses import replace

from bearings.code.resolve.rules.ecmascript.builtin_names import GLOBALS
from bearings.code.resolve.rules.ecmascript.implied import IMPLIED_CALLS
from bearings.code.resolve.rules.ecmascript.modules import EcmaScriptModules
from bearings.code.resolve.rules.ecmascript.tsconfig import extended_files
from bearings.code.resolve.rules.semantics import ResolvedBy, Semantics
from bearings.code.type_expressions import ArrayType, TupleType

TYPESCRIPT = Semantics(
    family="ecmascript",
    resolved_by=ResolvedBy.SCOPES,
    modules=EcmaScriptModules,
    extended_settings=extended_files,
    builtins=GLOBALS,
    global_objects={"window": "Window", "self": "Window", "document": "Document", "globalThis": "", "global": ""},
    declarations_merge=True,
    exports_is_module=True,
    import_functions=frozenset({"require", "import"}),
    types_have_names_of_their_own=True,
    map_views={
        "values": lambda _, value: ArrayType(value),
        "keys": lambda key, _: ArrayType(key),
        "entries": lambda key, value: ArrayType(TupleType((key, value))),
    },
    unions_have_members_of_all=True,
    functions_of_same=frozenset(
        {"Object.freeze", "Object.seal", "Object.preventExtensions", "structuredClone", "@playwright/test.mergeTests"}
    ),
    implied_calls=IMPLIED_CALLS,
    functions_hold_members=True,
    invoking=frozenset({"call", "apply"}),
    objects_attribute="prototype",
    has_ambient_names=True,
    templates_with_hyphens=".vue",
    template_properties="$props",
    template_attributes={"modelValue": "v-model"},
    components_have="props",
    component_options="options.methods",
    components_take_exports=(".svelte",),
    virtual_modules=frozenset({"#imports", "#components"}),
)
JAVASCRIPT = replace(TYPESCRIPT, types_in_comments=True, returns_may_be_unknown=True, variables_take_members=True)
