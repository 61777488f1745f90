"""TypeScript, TSX, JavaScript, JSX: what their query can't say. One method a capture, called in the source's order."""

from collections.abc import Callable

from tree_sitter import Node

from bearings.code.languages.builder import Builder
from bearings.code.languages.ecmascript_functions import Functions
from bearings.code.languages.ecmascript_members import Members
from bearings.code.languages.ecmascript_modules import export_statement, import_alias, import_statement, inline_import
from bearings.code.languages.ecmascript_names import expression, is_exported_name
from bearings.code.languages.ecmascript_types import Types
from bearings.code.languages.ecmascript_variables import Variables
from bearings.code.models import EdgeKind, ScopeKind, SymbolKind

_CAPTURES = (
    "function", "signature", "class", "block", "const", "let", "var", "assign", "pair", "field", "interface", "alias",
    "enum", "namespace", "bind", "parameter", "typeparameter", "import", "importalias", "export", "call", "new", "jsx",
    "decorator",
)  # fmt: skip
"""In the order in which nodes of the same extent are visited."""


class EcmaScript(Functions, Types, Variables, Members):
    """The visitor. Nodes come outermost first, with the builder's frames already those around them."""

    def __init__(self, builder: Builder) -> None:
        self.into = builder
        self.rendering: set[int] = set()

    def handlers(self) -> dict[str, Callable[[Node, int, int], None]]:
        """The method of each capture."""
        return {name: getattr(self, f"on_{name}") for name in _CAPTURES}

    def finish(self) -> None:
        """What can be said only at the end: components are what renders, and what an export list names is exported."""
        for index in self.rendering:
            draft = self.into.drafts[index]
            if draft.kind in (SymbolKind.FUNCTION, SymbolKind.CONSTANT) and draft.name[:1].isupper():
                draft.kind = SymbolKind.COMPONENT
        listed = {export.local for export in self.into.exports if not export.module}
        for draft in self.into.drafts[1:]:
            if draft.parent == 0 and draft.qualified in listed:
                draft.exported = True
            elif draft.parent > 0 and draft.scope and self.into.scopes[draft.scope][0] is ScopeKind.CLASS:
                draft.exported = self.into.drafts[draft.parent].exported and is_exported_name(draft)

    def on_block(self, _node: Node, _start: int, end: int) -> None:
        """A block; a function's own body adds no scope to its parameters' one."""
        into = self.into
        frame = into.frames[-1]
        if frame.end == end and into.scopes[frame.scope][0] in (ScopeKind.FUNCTION, ScopeKind.ARROW, ScopeKind.CLASS):
            return
        into.push(end, into.scope(ScopeKind.BLOCK, into.scopes[frame.scope][2]), frame.symbol, frame.prefix)

    # variables

    def on_const(self, node: Node, start: int, end: int) -> None:
        """One declarator of a `const`."""
        self._variable(node, start, end, SymbolKind.CONSTANT)

    def on_let(self, node: Node, start: int, end: int) -> None:
        """One declarator of a `let`."""
        self._variable(node, start, end, SymbolKind.VARIABLE)

    def on_var(self, node: Node, start: int, end: int) -> None:
        """One declarator of a `var`."""
        self._variable(node, start, end, SymbolKind.VARIABLE)

    def _variable(self, node: Node, start: int, end: int, kind: SymbolKind) -> None:
        into = self.into
        name = node.child_by_field_name("name")
        value = unwrapped(node.child_by_field_name("value"))
        if name is None or inline_import(into, name, value):
            return
        annotation = node.child_by_field_name("type")
        type_ = into.line_of(annotation).removeprefix(":").strip() if annotation is not None else ""
        if name.type != "identifier":
            self._destructured(name, expression(value, into) if value is not None else "")
            return
        functions = wrapped_functions(value)
        frame = into.frames[-1]
        is_top = into.scopes[frame.scope][0] in (ScopeKind.MODULE, ScopeKind.CLASS)
        line = node.start_point[0] + 1
        result = expression(value, into) if value is not None and value.type not in _VALUES else ""
        if not (is_top or functions):
            into.bind(into.text(name), BindingKind.LOCAL, line, type_=type_, value=result)
            if value is not None and value.type == "object":
                into.push(end, frame.scope, frame.symbol, f"{frame.prefix}{into.text(name)}.")
            return
        draft = into.declare(into.text(name), self._kind_of(into.text(name), value, kind, is_top=is_top), node)
        index = into.index(draft)
        draft.type, draft.value, draft.doc = type_, result, comment_above(into.source, start)
        draft.signature = into.head(start, functions[0].child_by_field_name("body") if functions else None, end)
        into.bind(draft.name, BindingKind.SYMBOL, draft.line, index)
        for function in functions:
            into.pending[function.byte_range] = index
        into.push(end, frame.scope, index, draft.qualified + ".")

    def _kind_of(self, name: str, value: Node | None, kind: SymbolKind, *, is_top: bool) -> SymbolKind:
        if value is not None and value.type == "class":
            return SymbolKind.CLASS
        if value is not None and value.type in _FUNCTIONS:
            return function_kind(name)
        if value is not None and value.type == "call_expression" and name[:1].isupper():
            callee = value.child_by_field_name("function")
            if callee is not None and re.search(r"(^|\.)(memo|forwardRef)$", expression(callee, self.into)):
                return SymbolKind.COMPONENT
        return kind if is_top else SymbolKind.FUNCTION

    def _destructured(self, pattern: Node, value: str) -> None:
        into = self.into
        for part in pattern.named_children:
            name, key = part, ""
            if part.type == "shorthand_property_identifier_pattern":
                key = into.text(part)
            elif part.type == "pair_pattern":
                inner, outer = part.child_by_field_name("value"), part.child_by_field_name("key")
                if inner is None or outer is None or inner.type != "identifier":
                    continue
                name, key = inner, into.text(outer)
            else:
                continue
            kind, line = BindingKind.LOCAL, part.start_point[0] + 1
            into.bind(into.text(name), kind, line, value=f"{value}.{key}" if value else "")

    def on_bind(self, node: Node, _start: int, _end: int) -> None:
        """Any other name that a pattern or a parameter list binds."""
        name = self.into.text(node)
        if (self.into.frames[-1].scope, name) not in self.into.bound:
            self.into.bind(name, BindingKind.PARAMETER, node.start_point[0] + 1)

    def on_parameter(self, node: Node, _start: int, _end: int) -> None:
        """A typed parameter; one with an accessibility is a property of the class too."""
        into = self.into
        name, type_ = node.child_by_field_name("pattern"), node.child_by_field_name("type")
        if name is None:
            return
        annotation = into.line_of(type_).removeprefix(":").strip() if type_ is not None else ""
        into.bind(into.text(name), BindingKind.PARAMETER, node.start_point[0] + 1, type_=annotation)
        if node.children[0].type in ("accessibility_modifier", "readonly", "override_modifier"):
            owner = into.drafts[into.frames[-1].symbol]
            if owner.kind is SymbolKind.CONSTRUCTOR:
                prefix = owner.qualified.removesuffix("constructor")
                draft = into.declare(into.text(name), SymbolKind.PROPERTY, node, prefix=prefix)
                draft.parent, draft.scope, draft.type = owner.parent, owner.scope, annotation
                draft.signature = into.line_of(node)
                into.members.setdefault((owner.parent, draft.name), into.index(draft))

    def on_typeparameter(self, node: Node, _start: int, _end: int) -> None:
        """A type parameter hides outer types of its name."""
        name = node.child_by_field_name("name")
        if name is not None:
            self.into.bind(self.into.text(name), BindingKind.TYPE_PARAMETER, node.start_point[0] + 1)

    # members

    def on_field(self, node: Node, start: int, end: int) -> None:
        """A class field or an interface's property; a field that holds a function is a method."""
        into = self.into
        name = node.child_by_field_name("name") or node.child_by_field_name("property")
        if name is None or name.type == "computed_property_name":
            return
        value = unwrapped(node.child_by_field_name("value"))
        functions = wrapped_functions(value)
        kind = SymbolKind.METHOD if functions and functions[0] == value else SymbolKind.PROPERTY
        draft = into.declare(literal(into.text(name)), kind, node)
        annotation = node.child_by_field_name("type")
        draft.type = into.line_of(annotation).removeprefix(":").strip() if annotation is not None else ""
        draft.value = expression(value, into) if value is not None and not functions else ""
        draft.doc = comment_above(into.source, start)
        draft.signature = into.head(start, functions[0].child_by_field_name("body") if functions else None, end)
        if any(child.type == "static" for child in node.children[:4]):
            draft.traits |= Trait.STATIC
        for function in functions:
            into.pending[function.byte_range] = into.index(draft)
        frame = into.frames[-1]
        into.push(end, frame.scope, frame.symbol, draft.qualified + ".")

    def on_pair(self, node: Node, start: int, end: int) -> None:
        """A function as a property of an object literal; an object in one lends its name to what is inside."""
        into = self.into
        key, value = node.child_by_field_name("key"), unwrapped(node.child_by_field_name("value"))
        if key is None or value is None or key.type == "computed_property_name":
            return
        name, frame = literal(into.text(key)), into.frames[-1]
        functions = wrapped_functions(value)
        if not functions:
            if value.type == "object":
                into.push(end, frame.scope, frame.symbol, f"{frame.prefix}{name}.")
            return
        draft = into.declare(name, SymbolKind.METHOD, node)
        draft.doc, draft.exported = comment_above(into.source, start), False
        draft.signature = into.head(start, functions[0].child_by_field_name("body"), end)
        for function in functions:
            into.pending[function.byte_range] = into.index(draft)

    def on_assign(self, node: Node, start: int, end: int) -> None:
        """`a.b = …`: a function is a symbol `a.b`; `module.exports` and `exports.x` export; `this.x` is a property."""
        into = self.into
        left, value = node.child_by_field_name("left"), unwrapped(node.child_by_field_name("right"))
        if left is None or value is None or left.type != "member_expression":
            return
        target = expression(left, into)
        exported = commonjs_name(target)
        if value.type not in _VALUES:
            if exported:
                self._export_value(exported, value, node)
            elif target.startswith("this."):
                self._this_property(target[5:], value, node)
            return
        draft = self._assigned(target, exported, node, value)
        draft.signature = into.head(start, value.child_by_field_name("body"), end)
        draft.doc = comment_above(into.source, start)
        into.pending[value.byte_range] = into.index(draft)

    def _assigned(self, target: str, exported: str, node: Node, value: Node) -> Draft:
        into = self.into
        kind = SymbolKind.CLASS if value.type == "class" else SymbolKind.FUNCTION
        if exported:
            own = value.child_by_field_name("name")
            name = exported if exported != "=" else into.text(own) if own is not None else "default"
            draft = into.declare(name, kind if kind is SymbolKind.CLASS else function_kind(name), node)
            draft.exported = True
            into.exports.append(Export(exported, draft.qualified, "", draft.line))
            return draft
        owner, name = target.rpartition(".")[::2]
        owner = owner.removesuffix(".prototype")
        parent = self._owner(owner)
        kind = SymbolKind.METHOD if kind is SymbolKind.FUNCTION and (parent or owner == "this") else kind
        if parent:
            draft = into.declare(name, kind, node, prefix=into.drafts[parent].qualified + ".")
            draft.parent = parent
            draft.traits |= 0 if target.endswith(f".prototype.{name}") or owner == "this" else Trait.STATIC
            into.members.setdefault((parent, name), into.index(draft))
        else:
            draft = into.declare(name, kind, node, prefix=f"{into.frames[-1].prefix}{owner}.")
        return draft

    def _owner(self, name: str) -> int:
        """The symbol that an assignment's target belongs to: `this` in a class, or one of the module's own; 0 for none."""
        into = self.into
        if name == "this":
            symbol = into.frames[-1].symbol
            while symbol > 0 and into.drafts[symbol].kind is not SymbolKind.CLASS:
                symbol = into.drafts[symbol].parent
            return max(symbol, 0)
        return into.members.get((0, name), 0)

    def _export_value(self, name: str, value: Node, node: Node) -> None:
        into = self.into
        line = node.start_point[0] + 1
        if name == "=" and value.type == "object":
            for part in value.named_children:
                if part.type == "shorthand_property_identifier":
                    into.exports.append(Export(into.text(part), into.text(part), "", line))
                elif part.type == "pair":
                    key, inner = part.child_by_field_name("key"), part.child_by_field_name("value")
                    if key is not None and inner is not None:
                        into.exports.append(Export(literal(into.text(key)), expression(inner, into), "", line))
                elif part.type == "method_definition":
                    key = part.child_by_field_name("name")
                    into.exports.append(
                        Export(into.text(key), into.text(key), "", line) if key else Export("", "", "", line)
                    )
            return
        into.exports.append(Export(name, expression(value, into), "", line))

    def _this_property(self, name: str, value: Node, node: Node) -> None:
        parent = self._owner("this")
        into = self.into
        if not parent or "." in name or (parent, name) in into.members:
            return
        draft = into.declare(name, SymbolKind.PROPERTY, node, prefix=into.drafts[parent].qualified + ".")
        draft.parent, draft.value, draft.signature = parent, expression(value, into), into.line_of(node)
        into.members[(parent, name)] = into.index(draft)

    # modules and uses

    def on_import(self, node: Node, _start: int, _end: int) -> None:
        """An import statement."""
        import_statement(self.into, node)

    def on_importalias(self, node: Node, _start: int, _end: int) -> None:
        """`import a = b.c`."""
        import_alias(self.into, node)

    def on_export(self, node: Node, _start: int, end: int) -> None:
        """An export statement; what it declares is exported."""
        export_statement(self.into, node, end)

    def on_call(self, node: Node, start: int, end: int) -> None:
        """A call; `import("x")` and `require("x")` are imports as well."""
        into = self.into
        callee = node.child_by_field_name("function")
        name = expression(callee, into) if callee is not None else "?"
        if name in ("import", "require"):
            inline_import(into, None, node)
        into.call(node, EdgeKind.CALL, name, (start, end))

    def on_new(self, node: Node, start: int, end: int) -> None:
        """A construction."""
        callee = node.child_by_field_name("constructor")
        self.into.call(node, EdgeKind.NEW, expression(callee, self.into) if callee is not None else "?", (start, end))

    def on_jsx(self, node: Node, _start: int, _end: int) -> None:
        """An element: its function renders; a name in lower case is the browser's own."""
        self.rendering.add(self.into.scopes[self.into.frames[-1].scope][2])
        name = node.child_by_field_name("name")
        if name is not None:
            tag = expression(name, self.into)
            if not tag[:1].islower() or "." in tag:
                self.into.use(node, EdgeKind.JSX, tag)

    def on_decorator(self, node: Node, _start: int, _end: int) -> None:
        """A decorator without arguments: a reference, as no call is written."""
        self.into.use(node, EdgeKind.REFERENCE, expression(node, self.into))
