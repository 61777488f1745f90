"""How ECMAScript writes names: expressions as chains, literals, comments, wrappers that change nothing."""

import re

from tree_sitter import Node

from bearings.code.languages.builder import Builder
from bearings.code.languages.drafts import Draft, Property
from bearings.code.languages.ecmascript_jsdoc import NOTHING, Documented, documented
from bearings.code.languages.kinds import Bindings, Scopes, Symbols
from bearings.code.languages.source_text import first
from bearings.code.models import SymbolKind

FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
FUNCTION_NODES = FUNCTIONS | {"method_definition"}
VALUES = FUNCTIONS | {"class"}
"""Expressions that make a symbol of whatever names them."""
_HOOK = re.compile(r"use[A-Z]")
_COMPONENTS = frozenset({"memo", "forwardRef", "lazy"})
_COLLECTORS = {"Object.values": "[]", "Object.entries": "[]", "Array.from": "@"}
_LONGEST_COLLECTOR = max(map(len, _COLLECTORS))
"""Functions that make an array of what another thing holds, and the step to that."""
_WRAPPED = 2
"""Wrappers around a wrapper whose function still has the variable's name."""
_CHAINED = 4
"""Names that one value is assigned to beyond which it is taken for unknown."""
_LONGEST = 24
"""Steps of a chain that are kept; a longer one is generated code, and unknown."""
_CLEAR = frozenset(
    {"parenthesized_expression", "non_null_expression", "satisfies_expression", "instantiation_expression"}
)
_WRAPPERS = _CLEAR | {"as_expression", "type_assertion"}
_ROOTS = frozenset(
    {"identifier", "this", "super", "property_identifier", "type_identifier", "jsx_namespace_name", "import"}
)
_MEMBERS = frozenset({"member_expression", "nested_identifier", "nested_type_identifier"})
_PREFIX = re.compile(rb"(?:\b(?:export|default|declare|abstract|async|const|let|var|public|static|readonly)\b\s*)*$")
_DOC_NEAR = 200
"""How far above a declaration its comment may end, in bytes: there is room for modifiers."""
_DOC_REACH = 4000
"""How far above a declaration its comment may begin, in bytes."""


def expression(node: Node, into: Builder) -> str:
    """A node as CallSite writes expressions."""
    chain = into.chain(node)
    if chain:
        return chain
    steps: list[str] = []
    here: Node | None = node
    while here is not None and len(steps) < _LONGEST:
        kind = here.type
        if kind in _ROOTS:
            return chained(into.text(here), steps)
        if kind in _MEMBERS:
            step = here.child_by_field_name("property") or here.child_by_field_name("name")
            steps.append(into.text(step) if step is not None else "?")
            here = here.child_by_field_name("object") or here.child_by_field_name("module")
        elif kind == "subscript_expression":
            key = here.child_by_field_name("index")
            steps.append(f"[{into.text(key)}]" if key is not None and into.text(key).isdecimal() else "[]")
            here = here.child_by_field_name("object")
        elif kind in _CLEAR:
            here = first(here)
        elif kind == "sequence_expression":  # `(0, a.b)()`, as compilers write a call without `this`
            here = here.named_children[-1]
        elif kind in ("call_expression", "new_expression", "await_expression"):
            return chained(_collected(here, into) or _result(here, into), steps)
        elif kind == "array":
            return chained(_array(here, into), steps)
        elif kind in ("as_expression", "type_assertion"):
            type_ = asserted(here, into)
            if type_:
                return chained(_cast(here, type_, into), steps)
            here = unwrapped(here)
        elif kind == "object":
            return chained(object_scope(here, into), steps)
        elif kind == "binary_expression" and here.children[1].type in ("||", "??"):
            here = here.children[0]
        else:
            break
    return chained("?", steps)


def chained(root: str, steps: list[str]) -> str:
    """A chain of a root and the steps from it, the last first."""
    if not steps:
        return root
    steps.append(root)
    steps.reverse()
    return ".".join(steps)


def _array(node: Node, into: Builder) -> str:
    """`+k` for an array literal: of what its first element is."""
    element = first(node)
    if element is None:
        return "?"
    inner = first(element) if element.type == "spread_element" else element
    value = expression(inner, into) if inner is not None else "?"
    return _held(node, f"{value}.@" if element.type == "spread_element" else value, "", into)


def _collected(node: Node, into: Builder) -> str:
    """`+k` for what `Object.values`, `Object.entries` and `Array.from` make of one argument; empty for other calls."""
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    if function is None or function.end_byte - function.start_byte > _LONGEST_COLLECTOR:
        return ""
    step = _COLLECTORS.get(into.text(function))
    arguments = node.child_by_field_name("arguments")
    if step is None or arguments is None or arguments.named_child_count != 1:
        return ""
    given = first(arguments)
    value = expression(given, into) if given is not None else "?"
    return _held(node, f"{value}.{step}", "entries" if into.text(function) == "Object.entries" else "", into)


def _held(node: Node, value: str, type_: str, into: Builder) -> str:
    if value[:1] == "?":
        return "?"
    known = into.casts.get(node.byte_range)
    if known is None:
        known = into.casts[node.byte_range] = f"+{len(into.casts)}"
        into.bind(known, Bindings.LOCAL, into.line(node), type_=type_, value=value)
    return known


def _result(node: Node, into: Builder) -> str:
    """`#n` for the call that a node is, `~n` for one that it awaits, `?` for neither."""
    mark = "#"
    if node.type == "await_expression":
        inner = unwrapped(first(node))
        if inner is None:
            return "?"
        node, mark = inner, "~"
    number = into.site_at.get(node.byte_range)
    return "?" if number is None else f"{mark}{number}"


def asserted(node: Node | None, into: Builder) -> str:
    """The type that an assertion gives to a value; empty for none, and for `as const`."""
    while node is not None and node.type in ("parenthesized_expression", "satisfies_expression"):
        node = first(node)
    if node is None or node.type not in ("as_expression", "type_assertion"):
        return ""
    parts = node.named_children
    type_ = parts[-1] if node.type == "as_expression" else parts[0]
    text = into.type_of(type_) if len(parts) > 1 else ""
    return text[1:-1] if type_.type == "type_arguments" else text


def _cast(node: Node, type_: str, into: Builder) -> str:
    """`@k` for a value whose type is asserted."""
    known = into.casts.get(node.byte_range)
    if known is None:
        known = into.casts[node.byte_range] = f"@{len(into.casts)}"
        into.bind(known, Bindings.LOCAL, into.line(node), type_=type_)
    return known


def object_scope(node: Node, into: Builder) -> str:
    """`%k` for an object literal: the scope whose rows are its properties. Code inside doesn't see it."""
    known = into.objects.get(node.byte_range)
    if known is not None:
        return known
    frame = into.frames[-1]
    holder, into.holder = into.holder, ""
    scope = into.scope(Scopes.BLOCK, into.scopes[frame.scope][2])
    name = into.objects[node.byte_range] = f"%{scope}"
    for part in node.named_children[:_PROPERTIES]:
        if part.type == "spread_element" and part.named_children:
            value = expression(part.named_children[0], into)
            into.bind("...", Bindings.LOCAL, into.line(part), value=value, scope=scope)
        elif part.type == "shorthand_property_identifier":
            into.listed.append(len(into.bindings))
            _property(part, into.text(part), into.text(part), scope, holder, into)
        elif part.type in ("pair", "method_definition"):
            _object_row(part, scope, holder, into)
    return name


_PROPERTIES = 200
"""Properties of an object literal beyond which it is a table of data."""


def _property(part: Node, name: str, value: str, scope: int, holder: str, into: Builder) -> None:
    frame, line = into.frames[-1], into.line(part)
    prefix = f"{frame.prefix}{holder}." if holder else frame.prefix
    held = Property(len(into.bindings), frame.scope, prefix, frame.symbol, part, table=bool(holder))
    into.properties.append(held)
    into.bind(name, Bindings.LOCAL, line, value=value, scope=scope)


def _object_row(part: Node, scope: int, holder: str, into: Builder) -> None:
    key = part.child_by_field_name("key") or part.child_by_field_name("name")
    value = part if part.type == "method_definition" else part.child_by_field_name("value")
    bare = unwrapped(value)
    if key is None or value is None or bare is None or key.type not in ("property_identifier", "string"):
        return
    name = literal(into.text(key)) or string_of(key, into)
    if bare.type in FUNCTION_NODES or bare.type == "class":
        into.named.append((len(into.bindings), bare.byte_range))
        into.bind(name, Bindings.LOCAL, into.line(part), value="?", scope=scope)
        return
    text = expression(value, into)
    if text[:1] != "?" or (holder and bare.type in ("null", "ternary_expression")):
        _property(part, name, text, scope, holder, into)


def unwrapped(node: Node | None) -> Node | None:
    """A value without the parentheses and type assertions around it."""
    while node is not None:
        kind = node.type
        if kind not in _WRAPPERS:
            break
        parts = node.named_children
        node = parts[-1 if kind == "type_assertion" else 0] if parts else None
    return node


def literal(text: str) -> str:
    """A property's name as written, without quotes."""
    return text[1:-1] if text[:1] in ("'", '"') and text[:1] == text[-1:] and len(text) > 2 else text


def string_of(node: Node | None, into: Builder) -> str:
    """The content of a string literal; empty for anything else."""
    if node is None or node.type not in ("string", "template_string"):
        return ""
    text = into.text(node)[1:-1]
    return "" if "${" in text else text


def raw_comment(source: bytes, start: int) -> str:
    """The JSDoc comment that ends right above `start`, without its ends; empty for none."""
    end = source.rfind(b"*/", max(0, start - _DOC_NEAR), start)
    between = source[end + 2 : start].strip() if end >= 0 else b""
    if end < 0 or (between and not _PREFIX.match(between)):
        return ""
    opening = source.rfind(b"/**", max(0, start - _DOC_REACH), end)
    if opening < 0 or b"*/" in source[opening + 3 : end]:  # that is another's comment, this one is none of JSDoc's
        return ""
    return source[opening + 3 : end].decode("utf-8", "replace")


def comment_above(source: bytes, start: int) -> str:
    """The first paragraph of the JSDoc comment that ends right above `start`, on one line; empty for none."""
    comment = raw_comment(source, start)
    lines = [line.strip().lstrip("*").strip() for line in comment.split("\n")] if comment else []
    paragraph: list[str] = []
    for line in lines:
        if line.startswith("@") or (not line and paragraph):
            break
        if line:
            paragraph.append(line)
    return " ".join(paragraph)


def types_above(into: Builder, start: int) -> Documented:
    """The types that a comment right above `start` gives, in JavaScript."""
    return documented(raw_comment(into.source, start)) if into.is_untyped else NOTHING


def is_exported_name(draft: Draft) -> bool:
    """Whether a member of an exported class is seen outside: neither `#private` nor declared private."""
    return not draft.name.startswith("#") and not draft.signature.startswith(("private ", "protected "))


def method_kind(name: str) -> SymbolKind:
    """A class member's kind by its name alone."""
    return Symbols.CONSTRUCTOR if name == "constructor" else Symbols.METHOD


def modifiers(member: Node, start: int) -> list[Node]:
    """What may stand before the name of a member that begins at `start`: nothing does in most."""
    name = member.child_by_field_name("name")
    return member.children[:5] if name is None or name.start_byte > start else []


def function_kind(name: str) -> SymbolKind:
    """A function's kind by its name alone."""
    return Symbols.HOOK if _HOOK.match(name) else Symbols.FUNCTION


def makes_component(callee: str) -> bool:
    """Whether a call of this gives a React component: `memo`, `React.forwardRef`, `lazy`."""
    return callee[callee.rfind(".") + 1 :] in _COMPONENTS


def wrapped_functions(value: Node | None, into: Builder, depth: int = 0) -> list[Node]:
    """The functions that a name stands for: the value itself, or those that it hands to a wrapper.

    Only of components wrappers may stand in another: `memo(forwardRef(…))`.
    """
    kind = value.type if value is not None else ""
    if value is None or kind != "call_expression":
        return [value] if value is not None and kind in VALUES else []
    arguments = value.child_by_field_name("arguments")
    if arguments is None or arguments.type != "arguments":
        return []
    given = arguments.named_children
    found = [argument for argument in given if argument.type in VALUES]
    if not found and given and depth < _WRAPPED and _is_component_wrapper(value, into):
        return wrapped_functions(given[0], into, depth + 1)
    return found


def _is_component_wrapper(call: Node, into: Builder) -> bool:
    callee = call.child_by_field_name("function")
    return callee is not None and makes_component(into.text(callee))


def last_assigned(value: Node) -> Node:
    """What `a = b = value` gives to both."""
    for _ in range(_CHAINED):
        right = unwrapped(value.child_by_field_name("right")) if value.type == "assignment_expression" else None
        if right is None:
            break
        value = right
    return value
