"""Reads ECMAScript's imports and exports: static, dynamic and CommonJS."""

import re

from tree_sitter import Node

from bearings.code.expressions import Chain, Expression, Properties, Result
from bearings.code.file_facts import Export, ImportKind
from bearings.code.languages.ecmascript.contexts import pattern_names
from bearings.code.languages.ecmascript.expressions import expression
from bearings.code.languages.ecmascript.names import makes_component, string_of, unwrapped, wrapped_functions
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Expected
from bearings.code.languages.shared.kinds import Bindings, Symbols
from bearings.code.languages.shared.nodes import first, inside
from bearings.code.symbol_tags import declared_name

_NAMED = ("identifier", "member_expression")
_WRAPS = 4
"""The most calls around an exported function, and the most arguments that may be one."""
_TAKEN = re.compile(
    r"\)\s*\.then\(\s*(?:\(?\s*(\w+)\s*\)?\s*=>\s*(?:\(\{\s*default:\s*)?\1\.(\w+)[\s},]*\)"
    r"|\(\{\s*(\w+)\s*\}\)\s*=>\s*\(\{\s*default:\s*\3\b)"
)
"""The export that a callback takes of a module: `.then((shop) => shop.Cart)`, or of its pattern."""
_LOADER = re.compile(r"lazy|dynamic|async|load|component", re.IGNORECASE)
"""What loads a component by the default export of its module: React's `lazy`, Next.js's `dynamic`, keys of routes."""
_OWN_FOLDER = frozenset({"__dirname", "import.meta.dirname"})
_CODE = re.compile(r"\.[cm]?[jt]sx?$")
_DEFINITIONS = frozenset({"arrow_function", "function_expression", "generator_function", "class"})


def import_statement(builder: Builder, node: Node) -> None:
    """Add every name of an import statement; one without names is imported for its side effects."""
    require = next((child for child in node.named_children if child.type == "import_require_clause"), None)
    source = (require or node).child_by_field_name("source")
    module = string_of(source, builder)
    kind = (
        ImportKind.TYPE if any(child.type in ("type", "typeof") for child in node.children[1:2]) else ImportKind.STATIC
    )
    if require is not None:
        name = first(require)
        if name is not None:
            builder.add_import(module, "=", builder.text(name), node, ImportKind.REQUIRE)
        return
    clause = next((child for child in node.named_children if child.type == "import_clause"), None)
    if clause is None or not clause.named_child_count:
        builder.add_import(module, "", "", node, kind)
        return
    for part in clause.named_children:
        if part.type == "identifier":
            builder.add_import(module, "default", builder.text(part), node, kind)
        elif part.type == "namespace_import":
            builder.add_import(module, "*", builder.text(part.named_children[0]), node, kind)
        elif part.type == "named_imports":
            _specifiers(builder, part, module, node, kind)


def _specifiers(builder: Builder, clause: Node, module: str, node: Node, kind: ImportKind) -> None:
    specifiers = [child for child in clause.named_children if child.type == "import_specifier"]
    for specifier in specifiers:
        name, alias = specifier.child_by_field_name("name"), specifier.child_by_field_name("alias")
        if name is not None:
            own = ImportKind.TYPE if specifier.children[0].type in ("type", "typeof") else kind
            local = builder.text(alias or name)
            builder.add_import(module, builder.text(name).strip("'\""), local, specifier, own)
    if not specifiers:
        builder.add_import(module, "", "", node, kind)


def import_alias(builder: Builder, node: Node) -> None:
    """Bind the alias of `import a = b.c`, and export that of `export import a = b.c`."""
    parts = node.named_children
    if len(parts) > 1:
        name, value, line = builder.text(parts[0]), expression(parts[1], builder), builder.line(node)
        builder.bind(name, Bindings.LOCAL, line, value=value)
        if node.parent is not None and node.parent.type == "export_statement" and builder.frames[-1].scope == 0:
            builder.exports.append(Export(name, value, "", line))


def inline_import(builder: Builder, name: Node | None, value: Node | None) -> bool:
    """Add the import of a `require("x")` or `import("x")` into `name`; a call without a name is imported by its number.

    Return False if `value` is neither, or if `name` takes the result of `import()`, which is a promise.
    """
    kind, module = requested(builder, value)
    if not module or value is None:
        return False
    if name is None:
        builder.add_inline_import(module, "=" if kind is ImportKind.REQUIRE else "*", value, kind)
        return True
    if kind is not ImportKind.REQUIRE:
        return False
    if name.type == "identifier":
        builder.add_import(module, "=", builder.text(name), value, kind)
        return True
    for part in name.named_children:
        if part.type == "shorthand_property_identifier_pattern":
            builder.add_import(module, builder.text(part), builder.text(part), part, kind)
        elif part.type == "pair_pattern":
            key, inner = part.child_by_field_name("key"), part.child_by_field_name("value")
            if key is not None and inner is not None and inner.type == "identifier":
                builder.add_import(module, builder.text(key), builder.text(inner), part, kind)
    return True


def requested(builder: Builder, value: Node | None) -> tuple[ImportKind, str]:
    """Return how a call imports, and which module; the module is empty if it is no such call or has no literal."""
    value = unwrapped(value)
    if value is None or value.type != "call_expression":
        return ImportKind.STATIC, ""
    callee, arguments = value.child_by_field_name("function"), value.child_by_field_name("arguments")
    if callee is None or arguments is None or callee.type not in ("identifier", "import"):
        return ImportKind.STATIC, ""
    kind = {"require": ImportKind.REQUIRE, "import": ImportKind.DYNAMIC}.get(builder.text(callee))
    if kind is None or not arguments.named_child_count:
        return ImportKind.STATIC, ""
    given = next((node for node in arguments.named_children if node.type != "comment"), None)
    return kind, string_of(given, builder) or _pattern(given, builder)


def _pattern(node: Node | None, builder: Builder) -> str:
    """Return a template for the path of a module with a `*` for its expressions; empty for one without a folder."""
    if node is None or node.type != "template_string":
        return ""
    text = re.sub(r"(?:\$\{[^{}]*\})+", "*", builder.text(node)[1:-1])
    return text if re.match(r"[^*]*/", text) and "${" not in text else ""


def matching_imports(builder: Builder, node: Node) -> None:
    """Add the imports of `import.meta.glob("./pages/*.vue")` and `require.context("./pages", true)`."""
    callee, given = builder.text(node.child_by_field_name("function") or node), inside(node, "arguments")
    patterns = []
    if callee.startswith("import.meta.glob") and given:
        patterns = given[0].named_children if given[0].type == "array" else given[:1]
    names = [string_of(pattern, builder) for pattern in patterns]
    if callee == "require.context" and given and (folder := string_of(given[0], builder)):
        is_flat = len(given) > 1 and builder.text(given[1]) == "false"
        names = [f"{folder}/{'*' if is_flat else '**'}"]
    for name in names:
        if name.startswith((".", "/", "@", "~")):
            builder.add_import(name, "", "", node, ImportKind.REQUIRE)


def loads_default(call: Node, builder: Builder) -> bool:
    """Whether an `import()` is all that a function returns for a loader to take the default export.

    `lazy(() => import("./Cart"))`, `{ component: () => import("./Cart") }`
    """
    function = call.parent
    holder = function.parent if function is not None and function.type == "arrow_function" else None
    whole = holder.parent if holder is not None and holder.type == "arguments" else holder
    loader = whole.child_by_field_name("key" if whole.type == "pair" else "function") if whole is not None else None
    return loader is not None and _LOADER.search(builder.text(loader)) is not None


def loaded_export(body: Node, builder: Builder) -> Expression | None:
    """Return the export that the function of a lazy component gives; None for another function.

    `lazy(() => import("./Cart"))`, `lazy(() => import("./shop").then((shop) => ({ default: shop.Cart })))`
    """
    function = body.child_by_field_name("function") if body.type == "call_expression" else None
    if function is None or not loads_default(body, builder):
        return None
    loading = function.child_by_field_name("object") or body
    number, text = builder.site_at.get(loading.byte_range), builder.text(body)
    taken = _TAKEN.search(text)
    if number is None or not text.startswith("import(") or (taken is None and loading is not body):
        return None
    return Chain(Result(number, True), (taken[2] or taken[3],)) if taken is not None else default_of(number)


def default_of(number: int) -> Expression:
    """Return the default export of the module that the call `number` loads."""
    return Chain(Result(number, True), ("default",))


def resolved_import(builder: Builder, node: Node, kind: ImportKind = ImportKind.REQUIRE) -> None:
    """Add the import of a file whose place a call tells: `new URL("./task.ts", import.meta.url)` for a worker."""
    given = first(node.child_by_field_name("arguments"))
    module = string_of(given, builder)
    if given is not None and given.type == "call_expression":  # `path.join(__dirname, "task.js")`
        folder, *rest = [*inside(given, "arguments"), given]
        if builder.text(folder) in _OWN_FOLDER:
            module = "/".join((".", *(string_of(part, builder) or "?" for part in rest[:-1])))
    if module.startswith(".") and _CODE.search(module):
        builder.add_import(module, "", "", node, kind)


def ambient_exports(builder: Builder, body: Node, module: str = "", scope: int = 0) -> None:
    """Add what `declare module "x" { … }` declares, in `scope`, or `declare global { … }`; see symbol_tags.py."""
    for statement in body.named_children:
        declaration = statement.child_by_field_name("declaration") or statement
        is_default = any(child.type == "default" for child in statement.children)
        names = _declared(builder, declaration) if declaration.type != "export_statement" else []
        line = builder.line(statement)
        builder.exports += [_ambient("default" if is_default else name, name, module, scope, line) for name in names]
    if module:
        builder.exports.append(Export(declared_name(module, "*"), Properties(scope), "", builder.line(body)))


def inner_exports(builder: Builder, before: int, module: str, scope: int) -> None:
    """Replace the exports since `before`, of a namespace, or of `declare module "x"` by those of that module."""
    rows = [row for row in builder.exports[before:] if module and type(row.local) is str and not row.module]
    builder.exports[before:] = [_ambient(row.name, str(row.local), module, scope, row.line) for row in rows]


def _ambient(name: str, local: str, module: str, scope: int, line: int) -> Export:
    value = Chain(Properties(scope), tuple(local.split("."))) if module else local
    return Export(declared_name(module, name), value, "", line)


def export_statement(builder: Builder, node: Node, end: int) -> None:
    """Add the exports of a statement; its declaration is visited inside a frame with `exporting` set."""
    line = builder.line(node)
    module = string_of(node.child_by_field_name("source"), builder)
    declaration = node.child_by_field_name("declaration")
    words = {child.type for child in node.children if not child.is_named}
    frame = builder.frames[-1]
    if declaration is not None:
        builder.push(end, frame.scope, frame.symbol, frame.prefix, exporting=True)
        for name in _declared(builder, declaration) if frame.scope == 0 else ():
            builder.exports.append(Export("default" if "default" in words else name, name, "", line))
        return
    value = node.child_by_field_name("value") or _whole(node, words)
    if value is not None:
        _export_value(builder, value, "default" if "default" in words else "=", end, line)
        return
    named = next((child for child in node.named_children if child.type in ("export_clause", "namespace_export")), None)
    if named is None:
        if "*" in words:
            builder.exports.append(Export("*", "*", module, line))
    elif named.type == "namespace_export":
        child = named.children[-1]  # `default` is no named node
        text = string_of(child, builder) if child.type == "string" else builder.text(child)
        builder.exports.append(Export(text, "*", module, line))
    else:
        _export_list(builder, named, module)


def _export_list(builder: Builder, clause: Node, module: str) -> None:
    for specifier in clause.named_children:
        name = specifier.child_by_field_name("name")
        if name is not None:
            alias = specifier.child_by_field_name("alias") or name
            line = builder.line(specifier)
            builder.exports.append(
                Export(builder.text(alias).strip("'\""), builder.text(name).strip("'\""), module, line)
            )


def _whole(node: Node, words: set[str]) -> Node | None:
    """Return the expression of `export = x`, or None."""
    return node.named_children[-1] if "=" in words and node.named_child_count else None


def _export_value(builder: Builder, value: Node, name: str, end: int, line: int) -> None:
    """Add `export default <expression>`; a function or class without a name is called `default`."""
    frame = builder.frames[-1]
    bare = unwrapped(value)
    if bare is not None and bare.type in _DEFINITIONS:
        own = bare.child_by_field_name("name")
        kind = Symbols.CLASS if bare.type == "class" else Symbols.FUNCTION
        draft = builder.declare(builder.text(own) if own is not None else "default", kind, bare)
        draft.exported = True
        builder.pending[bare.byte_range] = builder.index(draft)
        builder.exports.append(Export(name, draft.qualified, "", line))
        builder.bind(draft.name, Bindings.SYMBOL, line, builder.index(draft))
        return
    functions = wrapped_functions(bare, builder) if name == "default" else []
    if bare is not None and len(functions) == 1:
        own = functions[0].child_by_field_name("name")
        kind = Symbols.COMPONENT if makes_component(expression(bare.named_children[0], builder)) else Symbols.FUNCTION
        draft = builder.declare(builder.text(own) if own is not None else "default", kind, bare)
        draft.exported, draft.signature, draft.value = True, builder.line_of(bare), expression(value, builder)
        builder.pending[functions[0].byte_range] = builder.index(draft)
        builder.exports.append(Export(name, draft.qualified, "", line))
        if own is None:
            builder.bind(draft.name, Bindings.SYMBOL, line, builder.index(draft))
        builder.push(end, frame.scope, builder.index(draft), draft.qualified + ".")
        return
    builder.exports.append(Export(name, expression(value, builder), "", line))
    if bare is not None and bare.type in _NAMED and bare is not value:  # `export default Cart as FC<Props>`
        builder.exports.append(Export(name, expression(bare, builder), "", line, True))
    builder.exports += wrapped_exports(name, bare, builder, line)
    builder.push(end, frame.scope, frame.symbol, "default.")


def wrapped_exports(name: str, value: Node | None, builder: Builder, line: int) -> list[Export]:
    """Return rows for the names that an exported call takes, directly or in a call: `connect(a)(withRouter(View))`."""
    for _ in range(_WRAPS):
        arguments = value.child_by_field_name("arguments") if value is not None else None
        given = arguments.named_children if arguments is not None and arguments.type == "arguments" else []
        names = [one for one in given if one.type in _NAMED]
        if names:
            return [Export(name, expression(one, builder), "", line, True) for one in names[:_WRAPS]]
        value = next((one for one in given if one.type == "call_expression"), None)
    return []


def _declared(builder: Builder, declaration: Node) -> list[str]:
    """Return the names that a declaration binds."""
    if declaration.type == "ambient_declaration" and declaration.named_child_count:
        declaration = declaration.named_children[0]
    name = declaration.child_by_field_name("name")
    if name is not None:
        return [builder.text(name)]
    names = []
    for declarator in declaration.named_children:
        name = declarator.child_by_field_name("name") if declarator.type == "variable_declarator" else None
        if name is not None:
            names += [builder.text(part) for part, _ in pattern_names(name, Expected(), builder)]
    return names
