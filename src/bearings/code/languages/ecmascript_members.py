"""Members that are no declarations of their own: fields, properties of objects, assignments."""

from tree_sitter import Node

from bearings.code.languages.builder import Builder
from bearings.code.languages.drafts import Draft, Expected
from bearings.code.languages.ecmascript_names import (
    VALUES,
    comment_above,
    expression,
    function_kind,
    last_assigned,
    literal,
    unwrapped,
)
from bearings.code.models import Export, SymbolKind, Trait


class Members:
    """The methods of the captures that this module is about."""

    into: Builder

    def on_field(self, node: Node, start: int, end: int) -> None:
        """A class field or an interface's property; a field that holds a function is a method."""
        into = self.into
        name = node.child_by_field_name("name") or node.child_by_field_name("property")
        if name is None or name.type == "computed_property_name":
            return
        value = unwrapped(node.child_by_field_name("value"))
        functions = [value] if value is not None and value.type in VALUES else []
        kind = SymbolKind.METHOD if functions else SymbolKind.PROPERTY
        draft = into.declare(literal(into.text(name)), kind, node)
        annotation = node.child_by_field_name("type")
        draft.type = into.type_of(annotation) if annotation is not None else ""
        for function in functions:
            if draft.type:
                into.expected[function.byte_range] = Expected(type=draft.type)
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
        if value.type not in VALUES:
            if value.type == "object":
                into.push(end, frame.scope, frame.symbol, f"{frame.prefix}{name}.")
            return
        draft = into.declare(name, SymbolKind.METHOD, node)
        draft.doc, draft.exported = comment_above(into.source, start), False
        draft.signature = into.head(start, value.child_by_field_name("body"), end)
        into.pending[value.byte_range] = into.index(draft)

    def on_assign(self, node: Node, start: int, end: int) -> None:
        """`a.b = …`: a function is a symbol `a.b`; `module.exports` and `exports.x` export; `this.x` is a property."""
        into = self.into
        left, value = node.child_by_field_name("left"), unwrapped(node.child_by_field_name("right"))
        if left is None or value is None or left.type != "member_expression":
            return
        target = expression(left, into)
        exported = commonjs_name(target)
        if value.type == "assignment_expression" and not exported:
            value = last_assigned(value)
        if value.type not in VALUES:
            if exported:
                self._export_value(exported, value, node)
            elif target.startswith("this."):
                self._this_property(target[5:], value, node)
            elif value.type == "object" and "?" not in target:
                owner = target.removesuffix(".prototype")
                parent = self._owner(owner) if owner != target else 0
                frame = into.frames[-1]
                into.push(end, frame.scope, parent or frame.symbol, f"{frame.prefix}{owner}.")
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
        """What an assignment's target is a member of: a class for `this`, or a symbol of the module; 0 for none."""
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
                        name = literal(into.text(key))
                        own = name if inner.type in VALUES else expression(inner, into)
                        into.exports.append(Export(name, own, "", line))
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
        if parent and "." not in name:
            into.assigned(parent, name, node, expression(value, into))


def commonjs_name(target: str) -> str:
    """What an assignment to `target` exports: a name, `=` for the whole, empty for nothing."""
    if target == "module.exports":
        return "="
    for prefix in ("module.exports.", "exports."):
        if target.startswith(prefix) and "." not in target[len(prefix) :]:
            return target[len(prefix) :]
    return ""
