"""Reads expressions from ECMAScript's syntax nodes."""

import re
from collections.abc import Sequence

from msgspec.structs import replace
from tree_sitter import Node

from bearings.code.expressions import (
    UNKNOWN,
    Expression,
    Item,
    Listed,
    Properties,
    Result,
    Step,
    Take,
    Typed,
    extended,
    followed,
    is_known,
)
from bearings.code.languages.ecmascript.jsdoc import types_above
from bearings.code.languages.ecmascript.names import (
    ASSERTIONS,
    CLEAR,
    FUNCTION_NODES,
    is_awaited,
    literal,
    string_of,
    unwrapped,
)
from bearings.code.languages.ecmascript.type_nodes import type_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Property, is_key, is_name
from bearings.code.languages.shared.kinds import Bindings, Scopes
from bearings.code.languages.shared.nodes import first
from bearings.code.type_expressions import ArrayType, LiteralType, OtherType, TypeExpression

_COLLECTORS = {
    "Object.values": Item(Take.ELEMENT),
    "Object.entries": Item(Take.ELEMENT),
    "Array.from": Item(Take.EACH),
}
"""Functions that return an array of the contents of their argument → the step from the argument to an element."""
_ALL = "Promise.all"
_ASSIGN = "Object.assign"
_ASSIGNED = 10
"""The most arguments of `Object.assign` that are read."""
_LONGEST_COLLECTOR = max(map(len, _COLLECTORS))
_LONGEST = 24
"""The most steps of a chain. A longer one is generated code, and unknown."""
_ROOTS = frozenset(
    {"identifier", "this", "super", "property_identifier", "type_identifier", "jsx_namespace_name", "import"}
)
_ELSE = frozenset({"||", "??"})
CHOICES = frozenset({"binary_expression", "ternary_expression"})
TYPED_ARGUMENTS = frozenset(
    {
        "identifier", "member_expression", "call_expression", "new_expression", "await_expression", "this", "array",
        "subscript_expression", "as_expression", "non_null_expression",
    }
)  # fmt: skip
"""Arguments whose type may be known."""
_OF_LIBRARY = re.compile(
    rb"(?:new\s+(?:Weak)?(?:Map|Set|Ref|Proxy|Promise)|Object|Array|Map|Promise|Reflect|Iterator|structuredClone"
    rb"|(?:React\.)?use(?:[A-Z]\w*)?|ref|shallowRef|reactive|computed|inject|signal|createSlice|createContext|defineStore)\b"
)
"""The start of a call whose result a library's signatures tell."""
_TAKES_OBJECT = re.compile(rb"(?:createSlice|defineStore|use(?:Suspense|Infinite)?Query)\b")
"""The start of a call of a library whose result tells what the object that it takes holds."""
_MOST_ARGUMENTS = 8
"""The most arguments of a call that are read."""
_MEMBERS = frozenset({"member_expression", "nested_identifier", "nested_type_identifier"})
_GOING_ON = _MEMBERS | {"call_expression", "subscript_expression", "non_null_expression"}
_ARRAY = Typed(ArrayType(OtherType()))
_ASSERTED = 2
"""The parts of a type assertion: a value and a type."""
_LONGEST_KEY = 40
"""The most bytes of a text that is read as a key."""
_MOST_ELEMENTS = 20
"""The most elements of an array whose names are stored. A longer one is a table of data."""
NAMES = frozenset({"identifier", "member_expression"})
_PARTS = NAMES | {"call_expression"}
_TABLED = frozenset({"null", "ternary_expression"})
_DECLARED = _TABLED | {"string", "number", "true", "false", "template_string", "unary_expression", "regex"}
"""Values of properties that are elements: of any object literal that a variable holds, and of a module's table."""
_PROPERTIES = 200
"""The most properties of an object literal that are read. One with more is a table of data."""


def expression(node: Node, builder: Builder) -> Expression:
    """Return a node as an expression."""
    chain = builder.chain(node)
    if chain:
        return chain
    steps: list[Step] = []
    here: Node | None = node
    while here is not None and len(steps) < _LONGEST:
        kind = here.type
        if kind in _MEMBERS:
            step = here.child_by_field_name("property") or here.child_by_field_name("name")
            steps.append(builder.text(step) if step is not None else "?")
            here = here.child_by_field_name("object") or here.child_by_field_name("module")
        elif kind == "subscript_expression":
            key = here.child_by_field_name("index")
            text = builder.text(key) if key is not None else ""
            name = text[1:-1] if text[:1] in ('"', "'") else f"[{text}]" if text.startswith("Symbol.") else ""
            steps.append(
                name if name[:1] == "[" or is_key(name) else Item(Take.ELEMENT, int(text) if text.isdecimal() else -1)
            )
            here = here.child_by_field_name("object")
        elif kind in CLEAR:
            if builder.is_untyped and (cast := types_above(builder, here).type) is not None:
                return followed(Typed(cast), steps)
            here = first(here)
        elif kind == "assignment_expression":
            here = here.child_by_field_name("right")
        elif kind == "sequence_expression":  # `(0, a.b)()`: compilers write a call without `this` like this
            here = here.named_children[-1]
        elif kind == "await_expression" and _is_waited_value(waited := first(here), builder):
            steps.append(Item(Take.AWAITED))
            here = waited
        elif kind in ASSERTIONS:
            type_ = asserted(here, builder)
            if type_ is not None:
                named = here.named_children[-1] if kind == "as_expression" else here
                return followed(builder.typed(named, type_), steps)
            here = unwrapped(here)
        else:
            start = _start(here, kind, builder)
            return followed(_ARRAY if start == UNKNOWN and steps and kind == "array" else start, steps)
    return followed(UNKNOWN, steps)


def _is_waited_value(node: Node | None, builder: Builder) -> bool:
    """Whether a value that is awaited is a name, or has a type by assertion: `await (loaded as Promise<Cart>)`."""
    bare = unwrapped(node)
    return bare is not None and (bare.type in NAMES or asserted(node, builder) is not None)


def _start(node: Node, kind: str, builder: Builder) -> Expression:
    """Return the value of a node that an expression starts with."""
    if kind in _ROOTS:
        return builder.text(node)
    if kind in ("call_expression", "new_expression", "await_expression"):
        return _collected(node, builder) or _result(node, builder)
    if kind == "array":
        return _array(node, builder)
    if kind == "object":
        return object_scope(node, builder)
    return _either(node, builder) if kind in CHOICES else UNKNOWN


def _either(node: Node, builder: Builder) -> Expression:
    """Return the first alternative of a choice (`a ? b : c`, `a || b`) that is not unknown.

    In untyped code only the left side of `||` and `??` counts, because the alternatives may have any type.
    """
    left: list[Node | None] = [node]
    while left:
        choice = left.pop()
        if choice is None or choice.type in ("null", "undefined"):
            continue
        if choice.type in CHOICES:
            left += reversed(_alternatives(choice, builder))
        elif is_known(value := expression(choice, builder)):
            return value
    return UNKNOWN


def _alternatives(node: Node, builder: Builder) -> Sequence[Node | None]:
    """Return the alternatives of one choice."""
    operator = node.children[1].type
    if builder.is_untyped:
        return node.children[:1] if operator in _ELSE else ()
    if node.type == "ternary_expression":
        tested, one, other = (node.child_by_field_name(name) for name in ("condition", "consequence", "alternative"))
        arguments = tested.child_by_field_name("arguments") if tested is not None else None  # of a call
        if arguments is not None and one is not None and other is not None and other.type in _PARTS:
            is_tested = builder.text(arguments)[1:-1] == builder.text(one)
            return (other, one) if is_tested else (one, other)  # `isSquare(shape) ? shape : shape.toSquare()`
        return one, other
    return node.children[::2] if operator in _ELSE else node.children[2:] if operator == "&&" else ()


def _array(node: Node, builder: Builder) -> Expression:
    """Return an array literal, with the type of its first element."""
    element = first(node)
    inner = first(element) if element is not None and element.type == "spread_element" else element
    if element is None or inner is None:
        return UNKNOWN
    value = expression(inner, builder)
    if element.type == "spread_element":
        return _array_of(extended(value, Item(Take.EACH)))
    made = _array_of(value)
    if type(made) is not Listed or not 1 < node.named_child_count <= _MOST_ELEMENTS:
        return made
    read = _PARTS if inner.type == "object" else _PARTS | {"object"}  # `[count(), { reset, add }]`
    others = [expression(part, builder) if part.type in read else UNKNOWN for part in node.named_children[1:]]
    others = [other if is_known(other) else "" for other in others]
    return Listed(value, others=tuple(others)) if any(others) else made


def _collected(node: Node, builder: Builder) -> Expression | None:
    """Return the array of `Object.values`, `Object.entries` or `Array.from`, or the object of `Object.assign`."""
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    if function is None or function.end_byte - function.start_byte > _LONGEST_COLLECTOR:
        return None
    name = builder.text(function)
    step = _COLLECTORS.get(name)
    arguments = node.child_by_field_name("arguments")
    if name == _ASSIGN and arguments is not None:
        return _assigned(node, arguments, builder)
    if step is None or arguments is None or arguments.named_child_count != 1:
        return None
    given = first(arguments)
    value = expression(given, builder) if given is not None else UNKNOWN
    return _array_of(extended(value, step), pairs=name == "Object.entries")


def _assigned(call: Node, arguments: Node, builder: Builder) -> Expression:
    """Return the object of `Object.assign(a, b)`: it has the members of each argument, those of the last one first."""
    known = builder.objects.get(call.byte_range)
    if known is not None:
        return known
    scope = builder.add_scope(Scopes.BLOCK, builder.scopes[builder.frames[-1].scope][2])
    whole = builder.objects[call.byte_range] = Properties(scope)
    for argument in reversed(arguments.named_children[:_ASSIGNED]):
        value = expression(argument, builder)
        if is_known(value):
            builder.bind("...", Bindings.LOCAL, builder.line(argument), value=value, scope=scope)
    return whole


def _array_of(value: Expression, *, pairs: bool = False) -> Expression:
    """Return an array whose elements are a value."""
    return Listed(value, pairs) if is_known(value) else UNKNOWN


def awaited_values(node: Node | None, builder: Builder) -> list[Expression | None]:
    """Return what `await Promise.all([a(), b()])` gives: None for another element.

    Empty for other code.
    """
    call = unwrapped(first(node)) if node is not None and node.type == "await_expression" else None
    callee = call.child_by_field_name("function") if call is not None and call.type == "call_expression" else None
    arguments = call.child_by_field_name("arguments") if call is not None else None
    given = first(arguments)
    if callee is None or given is None or given.type != "array" or builder.text(callee) != _ALL:
        return []
    return [_awaited(part, builder) for part in given.named_children]


def _awaited(node: Node, builder: Builder) -> Expression | None:
    """Return what a call or a name gives when it is awaited; None for other code."""
    if node.type in NAMES:
        return extended(expression(node, builder), Item(Take.AWAITED))
    value = _result(node, builder)
    return replace(value, awaited=True) if isinstance(value, Result) else None


def _result(node: Node, builder: Builder) -> Expression:
    """Return the result of a call or of an awaited call."""
    awaited = node.type == "await_expression"
    call = unwrapped(first(node)) if awaited else node
    number = builder.site_at.get(call.byte_range) if call is not None else None
    if call is None or number is None:
        return UNKNOWN
    if not builder.is_untyped or _OF_LIBRARY.match(builder.source, call.start_byte):
        store_arguments(call, number, builder)
    if not awaited and is_awaited(call, builder):
        awaited = call.parent is not None and call.parent.type not in _GOING_ON
    return Result(number, awaited)


def store_arguments(call: Node, number: int, builder: Builder) -> None:
    """Store the arguments of a call, on which its result and the parameters of its callbacks may depend."""
    if number not in builder.arguments:
        builder.arguments[number] = []  # an argument may hold the call itself
        values = _arguments(call, builder)
        functions = builder.arguments[number]  # that were visited meanwhile
        builder.arguments[number] = [*functions, *values[len(functions) :]]


def _arguments(call: Node, builder: Builder) -> list[Expression | None]:
    """Return the arguments of a call whose types may be known: the type of the result may depend on them."""
    arguments = call.child_by_field_name("arguments")
    if arguments is None or arguments.type != "arguments":
        return []
    given = [part for part in arguments.named_children if part.type != "comment"][:_MOST_ARGUMENTS]
    values = [expression(part, builder) if part.type in TYPED_ARGUMENTS else _key(part, builder) for part in given]
    if given and given[-1].type == "object" and _TAKES_OBJECT.match(builder.source, call.start_byte):
        values[-1] = object_scope(given[-1], builder)
    return [value if is_known(value) else None for value in values]


def _key(node: Node, builder: Builder) -> Expression:
    """Return a text that may be the key of a property, as of a map of events."""
    text = builder.text(node)[1:-1] if node.type == "string" and node.end_byte - node.start_byte < _LONGEST_KEY else ""
    return Typed(LiteralType((f'"{text}"',))) if is_key(text) else UNKNOWN


def asserted(node: Node | None, builder: Builder) -> TypeExpression | None:
    """Return the type in a type assertion; None for none, and for `as const`."""
    while node is not None and node.type in ("parenthesized_expression", "satisfies_expression"):
        if builder.is_untyped and (cast := types_above(builder, node).type) is not None:
            return cast
        node = first(node)
    if node is None or node.type not in ASSERTIONS:
        return None
    parts = node.named_children
    if len(parts) < _ASSERTED:
        return None
    type_ = parts[-1] if node.type == "as_expression" else parts[0]
    if type_.type == "type_arguments":
        type_ = type_.named_children[0] if type_.named_child_count else type_
    return type_of(type_, builder)


def object_scope(node: Node, builder: Builder) -> Properties:
    """Return an object literal: a scope with its properties, which code inside doesn't see."""
    known = builder.objects.get(node.byte_range)
    if known is not None:
        return known
    frame = builder.frames[-1]
    holder, builder.holder = builder.holder, ""
    scope = builder.add_scope(Scopes.BLOCK, builder.scopes[frame.scope][2])
    whole = builder.objects[node.byte_range] = Properties(scope)
    for part in node.named_children[:_PROPERTIES]:
        if part.type == "spread_element" and part.named_children:
            value = expression(part.named_children[0], builder)
            builder.bind("...", Bindings.LOCAL, builder.line(part), value=value, scope=scope)
        elif part.type == "shorthand_property_identifier":
            builder.shorthands.append(len(builder.bindings))
            _property(part, builder.text(part), builder.text(part), scope, holder, builder)
        elif part.type in ("pair", "method_definition"):
            _object_row(part, scope, holder, builder)
    return whole


def _property(part: Node, name: str, value: Expression, scope: int, holder: str, builder: Builder) -> None:
    frame, line = builder.frames[-1], builder.line(part)
    prefix = f"{frame.prefix}{holder}." if holder else frame.prefix
    table = bool(holder)
    declared = table and builder.declares_values and bool(is_name(name))
    builder.properties.append(Property(len(builder.bindings), frame.scope, prefix, frame.symbol, part, table, declared))
    builder.bind(name, Bindings.LOCAL, line, value=value, scope=scope)


def _object_row(part: Node, scope: int, holder: str, builder: Builder) -> None:
    key = part.child_by_field_name("key") or part.child_by_field_name("name")
    value = part if part.type == "method_definition" else part.child_by_field_name("value")
    bare = unwrapped(value)
    if key is None or value is None or bare is None or key.type not in ("property_identifier", "string"):
        return
    name = literal(builder.text(key)) or string_of(key, builder)
    if bare.type in FUNCTION_NODES or bare.type == "class":
        builder.function_properties.append((len(builder.bindings), bare.byte_range))
        builder.bind(name, Bindings.LOCAL, builder.line(part), value=UNKNOWN, scope=scope)
        return
    is_declared = bool(holder and builder.declares_values and is_name(name))
    builder.holder = f"{holder}.{name}" if is_declared and bare.type == "object" else ""
    found = expression(value, builder)
    builder.holder = ""
    if is_known(found) or (holder and bare.type in (_DECLARED if is_declared else _TABLED)):
        _property(part, name, found, scope, holder, builder)


def is_choice(callee: Node) -> bool:
    """Whether a callee chooses between two functions, `(a ? b : c)()`, so that the call is certain of neither."""
    if callee.type != "parenthesized_expression":
        return False
    value = unwrapped(callee)
    return value is not None and value.type == "ternary_expression"
