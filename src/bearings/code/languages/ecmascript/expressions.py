"""Converts ECMAScript's expressions to the notation of CallSite: dotted chains, with bindings for literals."""

from collections.abc import Sequence

from tree_sitter import Node

from bearings.code.languages.ecmascript.names import CLEAR, FUNCTION_NODES, literal, string_of, unwrapped
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Property
from bearings.code.languages.shared.kinds import Bindings, Scopes
from bearings.code.languages.shared.source_text import first

_COLLECTORS = {"Object.values": "[]", "Object.entries": "[]", "Array.from": "@"}
"""Functions that return an array of the contents of their argument → the step from the argument to an element."""
_LONGEST_COLLECTOR = max(map(len, _COLLECTORS))
_LONGEST = 24
"""The most steps of a chain. A longer one is generated code, and unknown."""
_ROOTS = frozenset(
    {"identifier", "this", "super", "property_identifier", "type_identifier", "jsx_namespace_name", "import"}
)
_ELSE = frozenset({"||", "??"})
_TYPED_ARGUMENTS = frozenset(
    {"identifier", "member_expression", "call_expression", "new_expression", "await_expression", "this"}
)
"""Arguments whose type may be known."""
_MEMBERS = frozenset({"member_expression", "nested_identifier", "nested_type_identifier"})
_PROPERTIES = 200
"""The most properties of an object literal that are read. One with more is a table of data."""


def expression(node: Node, builder: Builder) -> str:
    """Return a node as an expression (see CallSite)."""
    chain = builder.chain(node)
    if chain:
        return chain
    steps: list[str] = []
    here: Node | None = node
    while here is not None and len(steps) < _LONGEST:
        kind = here.type
        if kind in _ROOTS:
            return chained(builder.text(here), steps)
        if kind in _MEMBERS:
            step = here.child_by_field_name("property") or here.child_by_field_name("name")
            steps.append(builder.text(step) if step is not None else "?")
            here = here.child_by_field_name("object") or here.child_by_field_name("module")
        elif kind == "subscript_expression":
            key = here.child_by_field_name("index")
            steps.append(f"[{builder.text(key)}]" if key is not None and builder.text(key).isdecimal() else "[]")
            here = here.child_by_field_name("object")
        elif kind in CLEAR:
            here = first(here)
        elif kind == "sequence_expression":  # `(0, a.b)()`: compilers write a call without `this` like this
            here = here.named_children[-1]
        elif kind in ("call_expression", "new_expression", "await_expression"):
            return chained(_collected(here, builder) or _result(here, builder), steps)
        elif kind == "array":
            return chained(_array(here, builder), steps)
        elif kind in ("as_expression", "type_assertion"):
            type_ = asserted(here, builder)
            if type_:
                return chained(_cast(here, type_, builder), steps)
            here = unwrapped(here)
        elif kind == "object":
            return chained(object_scope(here, builder), steps)
        elif kind in ("binary_expression", "ternary_expression"):
            return chained(_either(here, builder), steps)
        else:
            break
    return chained("?", steps)


def _either(node: Node, builder: Builder) -> str:
    """Return the first alternative of a choice (`a ? b : c`, `a || b`) that is not unknown.

    In untyped code only the left side of `||` and `??` counts, because the alternatives may have any type.
    """
    choices: Sequence[Node | None]
    if builder.is_untyped:
        choices = node.children[:1] if node.type == "binary_expression" and node.children[1].type in _ELSE else ()
    elif node.type == "ternary_expression":
        choices = [node.child_by_field_name("consequence"), node.child_by_field_name("alternative")]
    else:
        operator = node.children[1].type
        choices = {"||": node.children[::2], "??": node.children[::2], "&&": node.children[2:]}.get(operator, [])
    for choice in choices:
        value = expression(choice, builder) if choice is not None and choice.type not in ("null", "undefined") else "?"
        if value[:1] != "?":
            return value
    return "?"


def chained(root: str, steps: list[str]) -> str:
    """Return the chain of a root and the steps from it; the steps are given last first, and the list is consumed."""
    if not steps:
        return root
    steps.append(root)
    steps.reverse()
    return ".".join(steps)


def _array(node: Node, builder: Builder) -> str:
    """Return `+k` for an array literal, with the type of its first element."""
    element = first(node)
    if element is None:
        return "?"
    inner = first(element) if element.type == "spread_element" else element
    value = expression(inner, builder) if inner is not None else "?"
    return _array_of(node, f"{value}.@" if element.type == "spread_element" else value, "", builder)


def _collected(node: Node, builder: Builder) -> str:
    """Return `+k` for `Object.values`, `Object.entries` and `Array.from` with one argument; empty for other calls."""
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    if function is None or function.end_byte - function.start_byte > _LONGEST_COLLECTOR:
        return ""
    step = _COLLECTORS.get(builder.text(function))
    arguments = node.child_by_field_name("arguments")
    if step is None or arguments is None or arguments.named_child_count != 1:
        return ""
    given = first(arguments)
    value = expression(given, builder) if given is not None else "?"
    return _array_of(node, f"{value}.{step}", "entries" if builder.text(function) == "Object.entries" else "", builder)


def _array_of(node: Node, value: str, type_: str, builder: Builder) -> str:
    """Return `+k`, the binding for an array whose elements are a value."""
    if value[:1] == "?":
        return "?"
    known = builder.casts.get(node.byte_range)
    if known is None:
        known = builder.casts[node.byte_range] = f"+{len(builder.casts)}"
        builder.bind(known, Bindings.LOCAL, builder.line(node), type_=type_, value=value)
    return known


def _result(node: Node, builder: Builder) -> str:
    """Return `#n` for a call, `~n` for an awaited call, `?` for anything else."""
    mark = "#"
    if node.type == "await_expression":
        inner = unwrapped(first(node))
        if inner is None:
            return "?"
        node, mark = inner, "~"
    number = builder.site_at.get(node.byte_range)
    if number is None:
        return "?"
    if not builder.is_untyped and number not in builder.first_arguments:
        builder.first_arguments.add(number)
        _bind_first_argument(node, number, builder)
    return f"{mark}{number}"


def _bind_first_argument(node: Node, number: int, builder: Builder) -> None:
    """Bind `^n:=` to the first argument of a call if its type may be known: the type of the result may depend on it."""
    arguments = node.child_by_field_name("arguments") if node.type == "call_expression" else None
    given = first(arguments) if arguments is not None and arguments.type == "arguments" else None
    if given is not None and given.type in _TYPED_ARGUMENTS:
        value = expression(given, builder)
        if value[:1] != "?":
            builder.bind(f"^{number}:=", Bindings.LOCAL, builder.line(given), value=value)


def asserted(node: Node | None, builder: Builder) -> str:
    """Return the type in a type assertion; empty for none, and for `as const`."""
    while node is not None and node.type in ("parenthesized_expression", "satisfies_expression"):
        node = first(node)
    if node is None or node.type not in ("as_expression", "type_assertion"):
        return ""
    parts = node.named_children
    type_ = parts[-1] if node.type == "as_expression" else parts[0]
    text = builder.type_of(type_) if len(parts) > 1 else ""
    return text[1:-1] if type_.type == "type_arguments" else text


def _cast(node: Node, type_: str, builder: Builder) -> str:
    """Return `@k`, the binding for a value with an asserted type."""
    known = builder.casts.get(node.byte_range)
    if known is None:
        known = builder.casts[node.byte_range] = f"@{len(builder.casts)}"
        builder.bind(known, Bindings.LOCAL, builder.line(node), type_=type_)
    return known


def object_scope(node: Node, builder: Builder) -> str:
    """Return `%k` for an object literal, where k is a scope with its properties. Code inside doesn't see that scope."""
    known = builder.objects.get(node.byte_range)
    if known is not None:
        return known
    frame = builder.frames[-1]
    holder, builder.holder = builder.holder, ""
    scope = builder.add_scope(Scopes.BLOCK, builder.scopes[frame.scope][2])
    name = builder.objects[node.byte_range] = f"%{scope}"
    for part in node.named_children[:_PROPERTIES]:
        if part.type == "spread_element" and part.named_children:
            value = expression(part.named_children[0], builder)
            builder.bind("...", Bindings.LOCAL, builder.line(part), value=value, scope=scope)
        elif part.type == "shorthand_property_identifier":
            builder.shorthands.append(len(builder.bindings))
            _property(part, builder.text(part), builder.text(part), scope, holder, builder)
        elif part.type in ("pair", "method_definition"):
            _object_row(part, scope, holder, builder)
    return name


def _property(part: Node, name: str, value: str, scope: int, holder: str, builder: Builder) -> None:
    frame, line = builder.frames[-1], builder.line(part)
    prefix = f"{frame.prefix}{holder}." if holder else frame.prefix
    builder.properties.append(
        Property(len(builder.bindings), frame.scope, prefix, frame.symbol, part, table=bool(holder))
    )
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
        builder.bind(name, Bindings.LOCAL, builder.line(part), value="?", scope=scope)
        return
    text = expression(value, builder)
    if text[:1] != "?" or (holder and bare.type in ("null", "ternary_expression")):
        _property(part, name, text, scope, holder, builder)


def is_choice(callee: Node) -> bool:
    """Whether a callee chooses between two functions, `(a ? b : c)()`, so that the call is certain of neither."""
    if callee.type != "parenthesized_expression":
        return False
    value = unwrapped(callee)
    return value is not None and value.type == "ternary_expression"
