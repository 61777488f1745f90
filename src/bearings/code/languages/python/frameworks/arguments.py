"""Reads the arguments of calls that register endpoints: by position, by keyword, and as text."""

import re
from functools import partial

from tree_sitter import Node

from bearings.code.expressions import Expression, last_name, receiver
from bearings.code.languages.python.names import expression
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings
from bearings.code.languages.shared.origins import Origins
from bearings.code.languages.shared.routes import Candidate, joined

_NO_POSITION = frozenset({"keyword_argument", "dictionary_splat"})
_DEEPEST = 5
_LONGEST = 500
"""The most characters of an operand."""
_MOST_PARTS = 100
"""The most parts of a string."""


def positional(one: Candidate) -> list[Node]:
    """Return the arguments of a call that have no keyword."""
    return [child for child in one.arguments() if child.type not in _NO_POSITION]


def keyword(one: Candidate, name: str, builder: Builder) -> Node | None:
    """Return the value of a keyword argument, or None."""
    for child in one.arguments():
        key = child.child_by_field_name("name") if child.type == "keyword_argument" else None
        if key is not None and builder.text(key) == name:
            value = child.child_by_field_name("value")
            return one.valued(value) if value is not None else None
    return None


def argument(one: Candidate, at: int, name: str, builder: Builder) -> Node | None:
    """Return an argument by its position, or else by its keyword; None if the call has neither."""
    given = positional(one)
    return given[at] if len(given) > at else keyword(one, name, builder)


def text_of(node: Node | None, builder: Builder, depth: int = 0) -> str:
    """Return a string's content (an f-string's with its braces), or another expression in angle brackets.

    A name that the file gives a string stands for the string, in an f-string too. Operands of `+` and `%` are joined.
    """
    if node is None:
        return ""
    left, right = (node.child_by_field_name(side) for side in ("left", "right"))
    if node.type == "binary_operator" and left is not None and right is not None and depth < _DEEPEST:
        parts = [text_of(side, builder, depth + 1)[:_LONGEST] for side in (left, right)]
        return parts[0].replace("%s", parts[1]) if builder.text(node.children[1]) == "%" else "".join(parts)
    known = _constant(node, builder)
    if known is not None:
        return known
    if node.type == "concatenated_string":
        return "".join(text_of(child, builder) for child in node.named_children[:_MOST_PARTS])
    if node.type == "string":
        return "".join(_part(part, builder) for part in node.children[1:-1][:_MOST_PARTS])
    return f"<{builder.line_of(node)[:60]}>"


def _constant(name: Node, builder: Builder) -> str | None:
    """Return the text of the constant that a name means; None for none."""
    return builder.constants.text(name, partial(text_of, builder=builder))


def _part(part: Node, builder: Builder) -> str:
    """Return a part of a string: as it is written, or the text of the constant in its braces."""
    name = part.named_child(0) if part.type == "interpolation" and part.named_child_count == 1 else None
    known = _constant(name, builder) if name is not None else None
    return builder.text(part) if known is None else known


def is_path(node: Node, builder: Builder) -> bool:
    """Whether an argument may be a path: a string with a leading slash, an empty one, or a name."""
    text = text_of(node, builder)
    return not text or text[0] in "/<{"


def handler_of(view: Node, builder: Builder) -> Expression | None:
    """Return the name of a view: `V` of `V.as_view()`, or the argument of a decorator around it; None for none."""
    here: Node | None = view
    for _ in range(_DEEPEST):
        if here is None or here.type != "call":
            break
        callee, given = here.child_by_field_name("function"), here.child_by_field_name("arguments")
        name = expression(callee, builder) if callee is not None else None
        if (
            name is not None
            and last_name(name) in ("as_view", "as_asgi")
            and (view_class := receiver(name)) is not None
        ):
            return view_class
        here = given.named_children[-1] if given is not None and given.named_child_count else None
    return expression(here, builder) if here is not None and here.type in ("identifier", "attribute") else None


def imported_from(builder: Builder, origins: Origins, scope: int, node: Node) -> tuple[str, str] | None:
    """Return the module and the name of what an expression such as `users.router` names in another file, or None."""
    is_name = node.type in ("identifier", "attribute")
    return imported_name(builder, origins, scope, builder.text(node)) if is_name else None


def own_module(builder: Builder) -> str:
    """Return the specifier by which a file would import itself."""
    stem = builder.path.rpartition("/")[2].removesuffix(".py")
    return "." if stem == "__init__" else f".{stem}"


def imported_name(builder: Builder, origins: Origins, scope: int, name: str) -> tuple[str, str] | None:
    """Return the module and the name of what a dotted name means in another file, or None."""
    root, *rest = name.split(".")
    row = origins.row(scope, root) if root else None
    if row is None or row.kind is not Bindings.IMPORT:
        return None
    entry = builder.imports[row.target]
    if not entry.name:  # `import app.users`
        parts = [root, *rest]
    elif entry.name == "*":  # `import app.users as users`
        parts = [entry.module, *rest]
    elif rest:  # `from app import users`
        parts = [f"{entry.module}{'' if entry.module.endswith('.') else '.'}{entry.name}", *rest]
    else:
        return entry.module, entry.name
    return (".".join(parts[:-1]), parts[-1]) if len(parts) > 1 else None


def decorated(call: Node) -> Node | None:
    """Return the function or class that a call decorates, or None."""
    decorator = call.parent
    whole = decorator.parent if decorator is not None and decorator.type == "decorator" else None
    return whole.child_by_field_name("definition") if whole is not None else None


def concatenated(*parts: str) -> str:
    """Join prefixes and a path as most frameworks of Python do: as they are, without double slashes."""
    return re.sub(r"(?<!\\)/{2,}", "/", "".join(parts)) or joined("")
