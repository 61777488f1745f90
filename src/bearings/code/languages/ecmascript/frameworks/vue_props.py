"""Declares the properties that a Vue component takes, as members of a type `$props`, unless a type has them already.

The events that it emits are members of a type `$emits`.

defineProps<{ title: string }>()                     $props.title
defineProps({ title: String }), defineProps(["title"])
props: { title: String }                             in a component's options
defineModel<string>("title"), defineModel()          also a property: title, modelValue
defineEmits<{ save: [] }>(), defineEmits(["save"])   $emits.save; as well `(e: "save") => void`, and `emits: ["save"]`
"""

import re

from tree_sitter import Node

from bearings.code.expressions import Typed
from bearings.code.file_facts import Base
from bearings.code.languages.ecmascript.names import comment_above, literal, string_of
from bearings.code.languages.ecmascript.type_nodes import type_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings, Scopes, Symbols
from bearings.code.languages.shared.nodes import inside
from bearings.code.type_expressions import TypeExpression

PROPS = "$props"
EMITS = "$emits"
DEFINING = frozenset({"defineProps", "defineModel", "defineEmits"})
EMITTING = frozenset({"emit", "emits", "$emit"})
_LISTED = {"props": PROPS, "emits": EMITS}
_HEADS = frozenset({"call_signature", "function_type"})
_EVENT = re.compile(r"""["']([\w-]+)["']""")
_TYPED = frozenset({"defineProps", "withDefaults"})


def declare_props(builder: Builder, call: Node, name: str) -> None:
    """Declare the properties that `defineProps` or `defineModel` defines, or the events that `defineEmits` does."""
    types, given = inside(call, "type_arguments"), inside(call, "arguments")
    whole = EMITS if name == "defineEmits" else PROPS
    heads = [one for one in (types + types[0].named_children if types else []) if one.type in _HEADS]
    if name == "defineModel":
        part = given[0] if given and given[0].type == "string" else call
        _declare(builder, call, [(part, string_of(part, builder) or "modelValue", types[0] if types else None)], PROPS)
    elif given:
        _listed(builder, given[0], whole)
    elif heads and whole == EMITS:
        firsts = ((head, one) for head in heads for one in inside(head, "parameters")[:1])
        events = ((head, event) for head, one in firsts for event in _EVENT.findall(builder.text(one)))
        _declare(builder, call, [(head, event, None) for head, event in events], EMITS)
    elif types and _has_literal(types[0], builder):
        index = _whole(builder, types[0], whole)
        named = [part for part in _parts(types[0]) if part.type != "object_type"]
        builder.drafts[index].bases = tuple(Base(Typed(type_of(part, builder))) for part in named)
        builder.push(call.end_byte, builder.drafts[index].inner, index, f"{whole}.")


def option_props(builder: Builder, options: Node) -> None:
    """Declare the properties of a component's options, `{ props: … }` or `defineComponent({ props: … })`."""
    given = inside(options, "arguments")
    for pair in (given[0] if given else options).named_children:
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        whole = _LISTED.get(builder.text(key)) if key is not None else None
        if whole is not None and value is not None:
            _listed(builder, value, whole)
            builder.bind(PROPS, Bindings.LOCAL, builder.line(value), type_=PROPS, scope=0)  # for `this`, in the program


def _listed(builder: Builder, value: Node, whole: str) -> None:
    """Declare the properties of an object, `{ title: String }`, or of an array of names."""
    found = []
    for part in value.named_children if value.type in ("object", "array") else ():
        key = part.child_by_field_name("key") or part
        if key is not part or key.type in ("string", "shorthand_property_identifier"):
            found.append((part, literal(builder.text(key)), _runtime_type(part.child_by_field_name("value"), builder)))
    _declare(builder, value, found, whole)


def props_type(value: Node, builder: Builder) -> TypeExpression | None:
    """Return the type of what `defineProps` or `withDefaults` returns; None for another call."""
    function = value.child_by_field_name("function")
    if function is None or builder.text(function) not in _TYPED:
        return None
    given, types = inside(value, "arguments"), inside(value, "type_arguments")
    if given and given[0].type == "call_expression":
        return props_type(given[0], builder)
    return type_of(types[0], builder) if types and not _has_literal(types[0], builder) else PROPS


def _parts(type_: Node) -> list[Node]:
    """Return the parts of a type `A & B & C`, which is nested on its left."""
    parts: list[Node] = []
    while type_.type == "intersection_type":
        parts.append(type_.named_children[-1])
        type_ = type_.named_children[0]
    return [type_, *reversed(parts)]


def _has_literal(type_: Node, builder: Builder) -> bool:
    return builder.source.find(b"{", *type_.byte_range) >= 0


def _whole(builder: Builder, node: Node, name: str) -> int:
    """Return the type of the component's properties or events, which the file has once."""
    known = builder.members.get((0, name))
    if known is not None:
        return known
    draft = builder.declare(name, Symbols.TYPE, node, prefix="")
    index = builder.members[0, name] = builder.index(draft)
    draft.scope, draft.parent, draft.signature = 0, 0, f"type {name}"
    draft.inner = builder.add_scope(Scopes.CLASS, index)
    builder.bind(name, Bindings.TYPE, draft.line, index, scope=0)
    if name == EMITS:
        builder.bind(name, Bindings.LOCAL, draft.line, type_=name, scope=0)
    return index


def _declare(builder: Builder, node: Node, parts: list[tuple[Node, str, Node | None]], whole: str) -> None:
    if not parts:
        return
    index = _whole(builder, node, whole)
    builder.push(node.end_byte, builder.drafts[index].inner, index, f"{whole}.")
    for part, name, type_ in parts:
        draft = builder.declare(name, Symbols.PROPERTY, part)
        draft.type = type_of(type_, builder) if type_ is not None else None
        draft.doc, draft.signature = comment_above(builder.source, part.start_byte), builder.line_of(part)
    builder.frames.pop()


def _runtime_type(value: Node | None, builder: Builder) -> Node | None:
    """Return the type that `Object as PropType<Cart>` names, or the `type` of an object; None for another value."""
    for pair in value.named_children if value is not None and value.type == "object" else ():
        key = pair.child_by_field_name("key")
        if key is not None and builder.text(key) == "type":
            value = pair.child_by_field_name("value")
    if value is None or value.type != "as_expression" or value.named_children[-1].type != "generic_type":
        return None
    given = inside(value.named_children[-1], "type_arguments")
    return given[0] if len(given) == 1 else None
