"""Visitor methods for members without a declaration of their own: fields, properties of objects, assignments."""

from itertools import islice

from msgspec.structs import replace
from tree_sitter import Node

from bearings.code.expressions import Expression, Properties, extended, is_result, written
from bearings.code.file_facts import Export, Trait
from bearings.code.languages.ecmascript.contexts import EXPECTING, Contexts, pattern_names
from bearings.code.languages.ecmascript.expressions import expression, object_scope
from bearings.code.languages.ecmascript.filled import Filled
from bearings.code.languages.ecmascript.jsdoc import types_above
from bearings.code.languages.ecmascript.modules import requested, wrapped_exports
from bearings.code.languages.ecmascript.names import (
    VALUES,
    comment_above,
    function_kind,
    last_assigned,
    literal,
    unwrapped,
)
from bearings.code.languages.ecmascript.type_nodes import type_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Draft, Expected
from bearings.code.languages.shared.kinds import Bindings, Scopes, Symbols
from bearings.code.languages.shared.nodes import inside

_ALIASED = frozenset({"identifier", "member_expression", "object"})
"""Values of an export that need no symbol: they exist under another name, or their properties are exported."""
_OWNERS = frozenset({Symbols.CLASS, Symbols.FUNCTION})
_KEY = 60
"""The most bytes of a computed key that is used as a name."""
_NAMED = frozenset({"function_expression", "generator_function", "arrow_function", "object"})
"""Values that the variable they are assigned to names, or gives members."""
_MOST_BETWEEN = 200
"""The most names that are bound between an object and the function that is assigned to a member of it."""
_NULLS = frozenset({"null", "undefined"})


class Members:
    """Visitor methods for members."""

    def __init__(self, builder: Builder, contexts: Contexts, filled: Filled) -> None:
        self.builder = builder
        self.filled = filled
        self.contexts = contexts

    def on_nested(self, node: Node, start: int, end: int) -> None:
        """Add a property of an object type inside another type, if it holds a function or the other is an alias."""
        builder, annotation = self.builder, node.child_by_field_name("type")
        if annotation is None:
            return
        in_alias = builder.drafts[builder.frames[-1].symbol].kind is Symbols.TYPE
        if not in_alias and builder.source.find(b"=>", *annotation.byte_range) < 0:
            return
        whole = node.parent
        if whole is not None and (whole.parent is None or whole.parent.type != "type_alias_declaration"):
            draft = self._field(node, start, end)
            if draft is not None:
                builder.bind_member(whole, draft)

    def on_field(self, node: Node, start: int, end: int) -> None:
        """Add a class field or an interface's property; a field that holds a function is a method."""
        self._field(node, start, end)

    def _field(self, node: Node, start: int, end: int) -> Draft | None:
        builder = self.builder
        name = node.child_by_field_name("name") or node.child_by_field_name("property")
        if name is None or name.type == "computed_property_name":
            return None
        value = unwrapped(node.child_by_field_name("value"))
        functions = [value] if value is not None and value.type in VALUES else []
        kind = Symbols.METHOD if functions else Symbols.PROPERTY
        draft = builder.declare(literal(builder.text(name)), kind, node)
        annotation = node.child_by_field_name("type")
        draft.type = type_of(annotation, builder) if annotation is not None else types_above(builder, node).type
        for function in functions:
            if draft.type is not None:
                builder.expectations.functions[function.byte_range] = Expected(type=draft.type)
        if annotation is not None and value is not None and not functions:
            self.contexts.expect(value, Expected(type=draft.type))
        draft.value = expression(value, builder) if value is not None and not functions else None
        if draft.type is None:
            self.filled.made(value, -draft.parent, draft.name, draft)
        draft.doc = comment_above(builder.source, start)
        draft.signature = builder.head(start, functions[0].child_by_field_name("body") if functions else None, end)
        if name.start_byte > start and any(child.type == "static" for child in node.children[:4]):
            draft.traits |= Trait.STATIC
        for function in functions:
            builder.pending[function.byte_range] = builder.index(draft)
        frame = builder.frames[-1]
        builder.push(end, frame.scope, frame.symbol, draft.qualified + ".")
        return draft

    def on_pair(self, node: Node, start: int, end: int) -> None:
        """Add a function that is a property of an object literal; an object's key becomes a prefix of names inside."""
        builder = self.builder
        key, value = node.child_by_field_name("key"), unwrapped(node.child_by_field_name("value"))
        if key is None or value is None:
            return
        if key.type == "computed_property_name" and (value.type not in VALUES or key.end_byte - key.start_byte > _KEY):
            return
        name, frame = literal(builder.text(key)), builder.frames[-1]
        if value.type not in VALUES:
            if value.type == "object":
                builder.push(end, frame.scope, frame.symbol, f"{frame.prefix}{name}.")
            return
        draft = builder.declare(name, Symbols.METHOD, node)
        draft.doc, draft.exported = comment_above(builder.source, start), False
        draft.signature = builder.head(start, value.child_by_field_name("body"), end)
        builder.pending[value.byte_range] = builder.index(draft)

    def on_assign(self, node: Node, start: int, end: int) -> None:
        """Add the symbol or export of an assignment.

        A function assigned to `a.b` is a symbol `a.b`; `module.exports` and `exports.x` export; `this.x` is a property
        in untyped code: in typed code the class or a base declares it.
        """
        builder = self.builder
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        value = unwrapped(right)
        if left is not None and right is not None and left.type == "object_pattern":  # it reads properties
            for _ in pattern_names(left, Expected(value=expression(right, builder)), builder):
                pass
            return
        if left is not None and right is not None and left.type != "subscript_expression":
            self.filled.replaced(left, right)
            if value is not None and value.type == "array" and left.type == "identifier" and not builder.is_untyped:
                self.contexts.expect(value, Expected(value=builder.text(left)))
            if left.type == "identifier" and right.type not in _NAMED:
                return
        if left is not None and value is not None and left.type == "identifier" and value.type == "object":
            if not builder.is_untyped:
                self.contexts.expect(value, Expected(value=builder.text(left)))
            else:
                self._give(builder.text(left), value)
        elif left is not None and value is not None and left.type == "identifier":  # the variable names the function
            draft = builder.declare(builder.text(left), function_kind(builder.text(left)), node)
            draft.exported, draft.signature = False, builder.head(start, value.child_by_field_name("body"), end)
            builder.pending[value.byte_range] = builder.index(draft)
        if left is None or value is None or left.type == "identifier":
            return
        if value.type in EXPECTING and not builder.is_untyped:
            self.contexts.expect(value, Expected(value=expression(left, builder)))
        if left.type != "member_expression":
            self.filled.assigned(left, value)
            return
        target = written(expression(left, builder))
        exported = commonjs_name(target)
        if value.type == "assignment_expression":
            last = last_assigned(value)
            value = last if not exported or (exported == "=" and last.type == "object") else value
        if value.type not in VALUES:
            if exported:
                self._export_value(exported, value, node)
            elif target.startswith("this."):
                self._this_property(target[5:], value, node)
            else:
                self._alias(target, value, node)
                self._prefix(target, value, end)
            return
        draft = self._assigned(target, exported, node, value)
        draft.signature = builder.head(start, value.child_by_field_name("body"), end)
        draft.doc = comment_above(builder.source, start)
        builder.pending[value.byte_range] = builder.index(draft)

    def _give(self, name: str, value: Node) -> None:
        """Give an object literal to the variable of a function that was declared without a value."""
        builder, scope = self.builder, self.builder.binding_scope(name)
        for local in reversed(builder.locals) if scope > 0 else ():
            row = builder.bindings[local.row]
            if (row.scope, row.name) == (scope, name):
                if row.type is None and row.value is None:
                    builder.bindings[local.row] = replace(row, value=object_scope(value, builder))
                return

    def assigned_members(self, call: Node, end: int) -> None:
        """Make the owner of `Object.assign(Cart.prototype, { … })` the prefix of names inside the object."""
        given = inside(call, "arguments")
        target = self.builder.text(given[0]) if given else ""
        if target.endswith(".prototype") and given[-1].type == "object":
            self._prefix(target, given[-1], end)

    def _prefix(self, target: str, value: Node, end: int) -> None:
        """Make the target of an assigned object the prefix of names inside the object, without `prototype`."""
        if value.type != "object" or "?" in target:
            return
        builder = self.builder
        owner = target.removesuffix(".prototype")
        parent = self._owner(owner) if owner != target else 0
        self._constructs(parent, target)
        frame = builder.frames[-1]
        builder.push(end, frame.scope, parent or frame.symbol, f"{frame.prefix}{owner}.")

    def _alias(self, target: str, value: Node, node: Node) -> None:
        """Add `Owner.x = value` or `Owner.prototype.x = value` as a property of a function or class of the module."""
        builder = self.builder
        owner, _, name = target.rpartition(".")
        whole = owner.removesuffix(".prototype")
        parent = self._owner(whole) if name not in ("prototype", "constructor") and whole != "this" else 0
        if parent <= 0 or value.type in _NULLS or builder.drafts[parent].kind not in _OWNERS:
            return
        is_own = builder.drafts[parent].kind is Symbols.FUNCTION and not is_result(builder.drafts[parent].value)
        if not (is_own or builder.is_untyped):  # a type declares the members of a class or of a call's result
            return
        self._constructs(parent, target)
        builder.add_assigned(parent, name, node, expression(value, builder), static=whole == owner)

    def _assigned(self, target: str, exported: str, node: Node, value: Node) -> Draft:
        builder = self.builder
        kind = Symbols.CLASS if value.type == "class" else Symbols.FUNCTION
        if exported:
            own = value.child_by_field_name("name")
            name = exported if exported != "=" else builder.text(own) if own is not None else "exports"
            draft = builder.declare(name, kind if kind is Symbols.CLASS else function_kind(name), node)
            draft.exported = True
            builder.exports.append(Export(exported, f"exports.{draft.qualified}", "", draft.line))
            return draft
        owner, name = target.rpartition(".")[::2]
        owner = owner.removesuffix(".prototype")
        parent = self._owner(owner)
        kind = Symbols.METHOD if kind is Symbols.FUNCTION and (parent or owner == "this") else kind
        if parent:
            self._constructs(parent, target)
            draft = builder.declare(name, kind, node, prefix=builder.drafts[parent].qualified + ".")
            draft.parent = parent
            draft.traits |= 0 if target.endswith(f".prototype.{name}") or owner == "this" else Trait.STATIC
            builder.members.setdefault((parent, name), builder.index(draft))
        else:
            draft = builder.declare(name, kind, node, prefix=f"{builder.frames[-1].prefix}{owner}.")
            literal_scope = self._local_object(owner)
            if literal_scope > 0 and (literal_scope, name) not in builder.bound:
                builder.bind(name, Bindings.SYMBOL, draft.line, builder.index(draft), scope=literal_scope)
        return draft

    def _local_object(self, name: str) -> int:
        """Return the scope of an object literal that a function fills, `const cart = {}; cart.add = …`; -1 for none."""
        builder, scope = self.builder, self.builder.binding_scope(name)
        for row in islice(reversed(builder.bindings), _MOST_BETWEEN) if scope > 0 else ():
            if (row.scope, row.name) == (scope, name):
                return row.value.scope if type(row.value) is Properties else -1
        return -1

    def _owner(self, name: str) -> int:
        """Return the symbol that owns an assigned member: a class for `this`, or a symbol of the module; 0 for none."""
        builder = self.builder
        if name == "this":
            symbol = builder.frames[-1].symbol
            while symbol > 0 and builder.drafts[symbol].kind is not Symbols.CLASS:
                symbol = builder.drafts[symbol].parent
            return symbol if symbol > 0 else self._constructor() if builder.is_untyped else 0
        own = builder.members.get((builder.frames[-1].symbol, name), 0)
        return own or builder.members.get((0, commonjs_name(name) or name), 0)

    def _constructor(self) -> int:
        """Return the function that constructs `this`: the enclosing one, or the one whose prototype it belongs to.

        Return 0 for none.
        """
        builder = self.builder
        scope = builder.scope_of(Scopes.FUNCTION)
        index = builder.scopes[scope][2] if scope > 0 else 0
        outer = builder.drafts[index].parent if index > 0 else 0
        if outer > 0 and builder.drafts[outer].inner == scope:  # the function has a name of its own (see Functions)
            index = outer
        draft = builder.drafts[index]
        if index <= 0 or draft.inner != scope:
            return 0
        if draft.kind is Symbols.METHOD and not draft.traits & Trait.STATIC and draft.parent > 0:
            return draft.parent if builder.drafts[draft.parent].traits & Trait.CONSTRUCTS else 0
        return index if draft.kind is Symbols.FUNCTION else 0

    def _constructs(self, owner: int, target: str) -> None:
        """Mark a function as a constructor if its prototype, or `this` in it, is assigned to."""
        draft = self.builder.drafts[owner]
        if owner > 0 and draft.kind is Symbols.FUNCTION and (".prototype" in target or target[:5] == "this."):
            draft.traits |= Trait.CONSTRUCTS

    def _export_object(self, value: Node, line: int) -> None:
        """Export the properties of `module.exports = {…}`."""
        builder = self.builder
        parts = [part for part in value.named_children if part.type != "comment"]
        if all(part.type == "shorthand_property_identifier" for part in parts):  # aliases, as in TypeScript
            names = map(builder.text, parts)
            builder.exports += (Export(name, name, "", line) for name in names)
            return
        builder.holder = "exports"
        whole = object_scope(value, builder)
        builder.holder = ""
        for part in value.named_children:
            if part.type == "shorthand_property_identifier":
                name = builder.text(part)
                builder.exports += (Export(name, extended(whole, name), "", line), Export(name, name, "", line))
            elif part.type == "pair":
                key, inner = part.child_by_field_name("key"), part.child_by_field_name("value")
                if key is not None and inner is not None:
                    name = literal(builder.text(key))
                    local = name if inner.type in VALUES else extended(whole, name)
                    builder.exports.append(Export(name, local, "", line))
                    if local != name:
                        builder.exports.append(Export(name, expression(inner, builder), "", line))
            elif part.type == "method_definition":
                key = part.child_by_field_name("name")
                name = builder.text(key) if key else ""
                builder.exports.append(Export(name, name, "", line))
            elif part.type == "spread_element":
                module = requested(builder, part.named_children[0])[1]
                builder.exports += [Export("*", "*", module, line)] if module else []

    def _export_value(self, name: str, value: Node, node: Node) -> None:
        builder = self.builder
        line = builder.line(node)
        if name == "=" and value.type == "object":
            self._export_object(value, line)
            return
        local: Expression = expression(value, builder)
        is_own = value.type not in _ALIASED or (value.type == "object" and not value.named_children)
        if name != "=" and is_own and builder.frames[-1].scope == 0 and (0, name) not in builder.members:
            draft = builder.declare(name, Symbols.PROPERTY, node)
            draft.value, draft.exported, draft.signature = local, True, builder.line_of(node)
            local = f"exports.{name}"
        builder.exports.append(Export(name, local, "", line))
        if value.type == "call_expression":
            builder.exports += wrapped_exports(name, value, builder, line)

    def _this_property(self, name: str, value: Node, node: Node) -> None:
        parent = self._owner("this")
        builder = self.builder
        if parent and "." not in name and builder.is_untyped:
            self._constructs(parent, "this.")
            given = None if value.type in _NULLS else expression(value, builder)
            type_ = types_above(builder, node).type
            builder.add_assigned(parent, name, node, given, type_)
            if type_ is None:
                self.filled.made(value, -parent, name, builder.assigned[parent, name])


def commonjs_name(target: str) -> str:
    """Return the name that an assignment to `target` exports; `=` for the whole module, empty for nothing."""
    if target == "module.exports":
        return "="
    for prefix in ("module.exports.", "exports."):
        if target.startswith(prefix) and "." not in target[len(prefix) :]:
            return target[len(prefix) :]
    return ""
