"""The visitor of TypeScript, TSX, JavaScript and JSX: one method per capture, called in the order of the source."""

import re
from collections.abc import Callable

from msgspec.structs import replace
from tree_sitter import Node

from bearings.code.expressions import UNKNOWN, Expression, Item, Take, extended, last_name, written
from bearings.code.file_facts import Export, ImportKind
from bearings.code.languages.ecmascript.amd import CALLS as AMD_CALLS
from bearings.code.languages.ecmascript.amd import amd_call, may_load
from bearings.code.languages.ecmascript.contexts import Contexts
from bearings.code.languages.ecmascript.elements import DECORATORS as ELEMENT_DECORATORS
from bearings.code.languages.ecmascript.elements import REGISTERING, register, register_decorated
from bearings.code.languages.ecmascript.expressions import expression, is_choice
from bearings.code.languages.ecmascript.filled import FILLING, Filled
from bearings.code.languages.ecmascript.frameworks import CANDIDATES, FACTORY_SUFFIXES, endpoints, may_hand_on
from bearings.code.languages.ecmascript.frameworks.angular_templates import template_uses
from bearings.code.languages.ecmascript.frameworks.lifecycles import DECORATORS, lifecycle_calls
from bearings.code.languages.ecmascript.frameworks.vue_props import DEFINING, EMITS, EMITTING, declare_props, props_type
from bearings.code.languages.ecmascript.functions import Functions
from bearings.code.languages.ecmascript.guards import Guards
from bearings.code.languages.ecmascript.jsdoc import add_imports, add_lines, typedefs
from bearings.code.languages.ecmascript.members import Members
from bearings.code.languages.ecmascript.modules import (
    ambient_exports,
    default_of,
    export_statement,
    import_alias,
    import_statement,
    inline_import,
    inner_exports,
    loads_default,
    matching_imports,
    resolved_import,
)
from bearings.code.languages.ecmascript.names import callee_of, is_exported_name, string_of, unwrapped
from bearings.code.languages.ecmascript.operators import CALLED, Operators
from bearings.code.languages.ecmascript.replacing import REPLACING, replaced
from bearings.code.languages.ecmascript.requests import CANDIDATES as REQUESTING
from bearings.code.languages.ecmascript.requests import requests
from bearings.code.languages.ecmascript.roles import roles
from bearings.code.languages.ecmascript.type_nodes import type_arguments, type_in_comment
from bearings.code.languages.ecmascript.types import Types
from bearings.code.languages.ecmascript.variables import Variables
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Draft, Expected, is_key, is_name
from bearings.code.languages.shared.handlers import handlers, located
from bearings.code.languages.shared.kinds import Bindings, Edges, Scopes, Symbols
from bearings.code.languages.shared.late_symbols import declare_late_symbols
from bearings.code.languages.shared.member_uses import MemberUses
from bearings.code.languages.shared.nodes import around, first, inside
from bearings.code.languages.shared.routes import Candidate
from bearings.code.symbol_tags import TAGGED
from bearings.code.type_expressions import TypeExpression

_CAPTURES = (
    "return", "yield", "function", "signature", "class", "block", "const", "let", "assign", "pair", "field",
    "interface", "alias", "enum", "namespace", "bind", "parameter", "typeparameter", "import", "importalias", "export",
    "call", "new", "jsx", "decorator", "decorating", "loop", "iterated", "spread", "delegated", "using", "formatted",
    "summed", "compared", "functiontype", "instanceof", "in", "truthy", "equals",
    "switch", "nested", "asserted",
    "write", "access", "element",
)  # fmt: skip
"""In the order in which nodes with the same span are visited."""


_NO_PROPERTIES = frozenset({"key", "ref"})
"""Attributes that React takes itself."""
_STARTING = frozenset({"new_expression", "call_expression"})
_STARTS = re.compile(rb"new (?:Shared)?Worker\(|(?:child_process\.)?fork\(")
_DEFINING = b"@typedef", b"@callback", b"@import"
_WORKERS = frozenset({"Worker", "SharedWorker"})
_RESOLVING = frozenset({"require.resolve", "import.meta.resolve"})


class EcmaScript:
    """The visitor. See Visitor for the order of nodes and frames.

    `rendering` are the symbols that render JSX, `decorating` the names used as decorators, `candidates` the calls that
    may register an endpoint, `hooked` the names in calls that may decorate a class whose methods a framework calls.
    """

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.rendering: set[int] = set()
        self.candidates: list[Candidate] = []
        self.handing: list[Candidate] = []
        self.hands_on = may_hand_on(builder.source)
        self.decorating: set[str] = set()
        self.hooked: list[Node] = []
        self.templates: list[tuple[str, Node]] = []
        guards = self.guards = Guards(builder)
        self.contexts = Contexts(builder)
        # A lambda with `self` in it would be a cycle, and keep the tree in memory, as no collector runs meanwhile.
        self.uses = MemberUses(
            builder, lambda node, start: guards.narrowed(expression(node, builder), start, is_use=True)
        )
        self.functions = Functions(builder, self.contexts)
        self.types = Types(builder)
        self.filled = Filled(builder)
        self.variables = Variables(builder, self.guards, self.contexts, self.filled)
        self.members = Members(builder, self.contexts, self.filled)
        self.operators = Operators(builder, guards)

    def handlers(self) -> tuple[tuple[str, ...], list[Callable[..., None]]]:
        """See Visitor."""
        return _CAPTURES, handlers(
            _METHODS,
            self,
            self.guards,
            self.contexts,
            self.uses,
            self.functions,
            self.types,
            self.variables,
            self.members,
            self.operators,
        )

    def finish(self) -> None:
        """Mark functions that render as components and symbols in export lists as exported; add roles and endpoints."""
        for index in self.rendering:
            draft = self.builder.drafts[index]
            has_component_name = draft.name[:1].isupper() or draft.name == "default"
            if draft.kind in (Symbols.FUNCTION, Symbols.CONSTANT) and has_component_name:
                draft.kind = Symbols.COMPONENT
                self._beside_import(draft)
        listed = {row.local for row in self.builder.exports if not (row.module or row.name.startswith(TAGGED))}
        for draft in self.builder.drafts[1:]:
            if draft.parent == 0 and draft.qualified in listed:
                draft.exported = True
            elif draft.parent > 0 and draft.scope and self.builder.scopes[draft.scope][0] is Scopes.CLASS:
                draft.exported = self.builder.drafts[draft.parent].exported and is_exported_name(draft)

        self._typedefs()
        for owner, text in self.templates:
            template_uses(self.builder, owner, text)
        self.filled.finish()
        declare_late_symbols(self.builder)
        roles(self.builder, self.decorating)
        endpoints(self.builder, self.candidates, self.handing)
        lifecycle_calls(self.builder, self.hooked)
        if self.candidates:
            requests(self.builder, self.candidates)

    def _beside_import(self, component: Draft) -> None:
        """Take the name of a template's component, which is its file's, from its scope if the script imports it."""
        builder, rows = self.builder, [row for row in self.builder.bindings if row.name == component.name]
        if not any(row.kind is Bindings.IMPORT and row.scope == 0 for row in rows):
            return
        for place, row in enumerate(builder.bindings):
            if row.kind is Bindings.SYMBOL and row.scope == 0 and builder.drafts[row.target] is component:
                builder.bindings[place] = replace(row, name="default")
        for place, export in enumerate(builder.exports):
            if export.name == "default" and export.local == component.name:
                builder.exports[place] = replace(export, local="default")

    def _typedefs(self) -> None:
        """Declare the types that comments import and define; a module exports the latter."""
        builder = self.builder
        if not builder.is_untyped or not any(tag in builder.source for tag in _DEFINING):
            return
        text = builder.source.decode("utf-8", "replace")
        add_imports(builder, text)
        is_module = bool(builder.imports or builder.exports)
        for name, type_, offset, documented in typedefs(text):
            if (0, name) in builder.bound:
                continue
            line = text.count("\n", 0, offset) + 1
            draft = Draft(name, name, Symbols.TYPE, line, line)
            draft.exported, draft.type, draft.signature = is_module, type_in_comment(type_), f"type {name} = {type_}"
            index = builder.add_symbol(draft)
            if index < 0:
                continue
            draft.inner = builder.add_scope(Scopes.CLASS, index)
            add_lines(builder, documented.lines, line, draft.inner)
            builder.bind(name, Bindings.TYPE, line, index, scope=0)
            if is_module:
                builder.exports.append(Export(name, name, "", line))

    def on_block(self, node: Node, _start: int, end: int) -> None:
        """Open the scope of a block.

        A function's body shares the scope of its parameters, and `declare global` that of the module.
        """
        builder = self.builder
        frame = builder.frames[-1]
        if frame.end == end and builder.scopes[frame.scope][0] in (Scopes.FUNCTION, Scopes.ARROW, Scopes.CLASS):
            return
        if frame.scope == 0 and node.parent is not None and node.parent.type == "ambient_declaration":
            ambient_exports(builder, node)
            builder.push(end, 0, frame.symbol, frame.prefix, exporting=True)
            return
        builder.push(end, builder.add_scope(Scopes.BLOCK, builder.scopes[frame.scope][2]), frame.symbol, frame.prefix)

    def on_import(self, node: Node, _start: int, _end: int) -> None:
        """Add the imports of an import statement."""
        import_statement(self.builder, node)

    def on_importalias(self, node: Node, _start: int, _end: int) -> None:
        """Bind the alias of `import a = b.c`."""
        import_alias(self.builder, node)

    def on_export(self, node: Node, _start: int, end: int) -> None:
        """Add the exports of an export statement."""
        builder = self.builder
        scope, before = builder.frames[-1].scope, len(builder.exports)
        export_statement(builder, node, end)
        if builder.scopes[scope][0] is Scopes.CLASS:
            inner_exports(builder, before, self.types.ambient_modules.get(scope, ""), scope)

    def on_call(self, node: Node, start: int, end: int) -> None:
        """Add a call; `import("x")` and `require("x")` are also imports."""
        builder = self.builder
        self.uses.member_start, self.uses.place = start, (start, 0)
        callee: Expression = builder.plain_callee(start, end)
        types: tuple[TypeExpression, ...] = ()
        function = None
        if not callee:
            function, given = callee_of(node), node.child_by_field_name("type_arguments")
            if function is not None and function.start_byte > start:  # `await load<Cart>()`
                self.uses.member_start = function.start_byte
                builder.unmentioned.add((builder.line(function), builder.text(function)))
            callee = expression(function, builder) if function is not None and not is_choice(function) else UNKNOWN
            types = type_arguments(given, builder)
        if callee in ("import", "require"):
            inline_import(builder, None, node)
            if callee == "import" and loads_default(node, builder):
                builder.add_access(node, Edges.REFERENCE, default_of(builder.site_at[start, end]))
        number = builder.add_call(
            node, Edges.CALL, self.guards.narrowed(callee, start, is_use=True), (start, end), types, function=function
        )
        if callee == UNKNOWN:
            self.contexts.invoked(node, number)
        self.contexts.arguments(node, number, start, end)
        if type(callee) is str and callee in AMD_CALLS and may_load(builder, callee, start):
            amd_call(builder, node, number, defines=callee == "define")
        name = last_name(callee)
        if callee == "Object.assign":
            self.members.assigned_members(node, end)
        if name == "resolve" and builder.text(node.child_by_field_name("function") or node) in _RESOLVING:
            resolved_import(builder, node)
        if name == "fork":
            resolved_import(builder, node, ImportKind.START)
        if callee in DEFINING and self.variables.in_vue:
            declare_props(builder, node, name)
        elif callee == "withDefaults":
            self._expect_defaults(node)
        elif name in EMITTING and self.variables.in_vue:
            event = first(node.child_by_field_name("arguments"))
            builder.add_access(event or node, Edges.READ, extended(EMITS, string_of(event, builder) or EMITS))
        if type(callee) is str and callee in CALLED:
            self.operators.built_in(node, callee)
        if name in FILLING:
            self.filled.called(node, name)
        if name in REPLACING:
            replaced(builder, node, callee, name)
        if name in ("glob", "globEager", "context"):
            matching_imports(builder, node)
        if name in REGISTERING:
            register(builder, node, name)
        self.guards.predicate_call(node, name, number)
        if name in CANDIDATES or name in REQUESTING or name.endswith(FACTORY_SUFFIXES):
            self.candidates.append(Candidate(node, callee, builder.frames[-1].scope))
        elif self.hands_on:
            self.handing.append(Candidate(node, callee, builder.frames[-1].scope))

    def _expect_defaults(self, call: Node) -> None:
        """Expect the properties of a Vue component, `withDefaults(defineProps<Props>(), { size: 3 })`."""
        type_, given = props_type(call, self.builder), inside(call, "arguments")
        if type_ is not None and len(given) > 1:
            self.contexts.expect(given[1], Expected(type=type_))

    def on_new(self, node: Node, start: int, end: int) -> None:
        """Add a `new` expression."""
        builder = self.builder
        made, given = node.child_by_field_name("constructor"), node.child_by_field_name("type_arguments")
        types = type_arguments(given, builder)
        callee = expression(made, builder) if made is not None else UNKNOWN
        if callee == "URL" and builder.source.find(b"import.meta.url", start, end) > 0:
            holder = around(node.parent, _STARTING)
            starts = holder is not None and _STARTS.match(builder.source, holder.start_byte) is not None
            resolved_import(builder, node, ImportKind.START if starts else ImportKind.REQUIRE)
        elif last_name(callee) in _WORKERS:
            resolved_import(builder, node, ImportKind.START)
        self.uses.member_start = made.start_byte if made is not None else -1
        self.contexts.arguments(node, builder.add_call(node, Edges.NEW, callee, (start, end), types), start, end)
        if type(callee) is str and callee in CALLED:
            self.operators.built_in(node, callee)
        if last_name(callee).endswith(FACTORY_SUFFIXES):
            self.candidates.append(Candidate(node, callee, builder.frames[-1].scope))

    def on_jsx(self, node: Node, _start: int, _end: int) -> None:
        """Add the use of a component and mark its function as rendering. Names in lower case are HTML elements."""
        self.rendering.add(self.builder.scopes[self.builder.frames[-1].scope][2])
        name = node.child_by_field_name("name")
        if name is not None and name.type == "jsx_namespace_name":  # of another row: see ProgramSheet.element
            whole, _, given = self.builder.text(name).partition(":")
            self._attributes(node, whole, int(given == "on"))
        elif name is not None:
            self.uses.member_start = name.start_byte
            component = expression(name, self.builder)
            if type(component) is not str or not component[:1].islower() or "." in component or "-" in component:
                self.builder.add_use(node, Edges.JSX, component)
                self._attributes(node, component)

    def _attributes(self, node: Node, tag: Expression, position: int = 0) -> None:
        """Add the attributes of a component as writes of the properties that its function takes, and expect these."""
        builder, taken = self.builder, Item(Take.GIVEN, position)
        expects = not builder.is_untyped and builder.holds_function(*node.byte_range)
        for attribute in node.children_by_field_name("attribute"):
            key = attribute.named_child(0) if attribute.type == "jsx_attribute" else None
            name = builder.text(key) if key is not None else "key"
            if position or (name not in _NO_PROPERTIES and is_name(name)):
                builder.add_access(key or node, Edges.WRITE, extended(tag, taken, name))
                if expects:
                    self._expect_in(attribute.named_children[-1], tag, name)
        whole = node.parent
        if whole is not None and whole.type == "jsx_element" and not builder.is_untyped:
            for child in whole.named_children:
                if child.type == "jsx_expression":
                    self._expect_in(child, tag, "children")

    def _expect_in(self, braces: Node, tag: Expression, name: str) -> None:
        """Expect of functions in `pick={(cart) => …}` what the property of the component takes."""
        value = unwrapped(first(braces)) if braces.type == "jsx_expression" else None
        if value is not None and self.builder.holds_function(*value.byte_range):
            self.contexts.expect(value, Expected(value=extended(tag, Item(Take.GIVEN, 0), name)))

    def on_element(self, node: Node, start: int, end: int) -> None:
        """Add a use of a member that a literal string names, `api["load"]`."""
        if is_key(string_of(node.child_by_field_name("index"), self.builder)):
            self.uses.on_access(node, start, end)
        else:
            self.uses.is_written = False

    def on_decorator(self, node: Node, start: int, _end: int) -> None:
        """Add a decorator without arguments as a call: it is called with what it decorates."""
        self.uses.member_start = start
        name = expression(node, self.builder)
        self.decorating.add(written(name))
        self.builder.add_use(node, Edges.CALL, name)

    def on_decorating(self, node: Node, _start: int, _end: int) -> None:
        """Record the function in a decorator call, `@name(…)`, as a decorator."""
        name = self.builder.text(node)
        self.decorating.add(name)
        if name in DECORATORS:
            self.hooked.append(node)
        if name in ELEMENT_DECORATORS:
            template = register_decorated(self.builder, node, name)
            self.templates += [template] if template is not None else []


_METHODS = located(_CAPTURES, EcmaScript, Guards, Contexts, MemberUses, Functions, Types, Variables, Members, Operators)
