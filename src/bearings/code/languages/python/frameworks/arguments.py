"""Reads the arguments of calls that register endpoints: by position, by keyword, and as text."""

import re

from tree_sitter import Node

from bearings.code.expressions import Expression, last_name, receiver
from bearings.code.languages.python.names import expression
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings
from bearings.code.languages.shared.origins import Origins
from bearings.code.languages.shared.routes import Candidate, joined

_NO_POSITION = frozenset({"keyword_argument", "dictionary_splat"})
_DEEPEST = 5


def positional(one: Candidate) -> list[Node]:
    """Return the arguments of a call that have no keyword."""
    return [child for child in one.arguments() if child.type not in _NO_POSITION]


def keyword(one: Candidate, name: str, builder: Builder) -> Node | None:
    """Return the value of a keyword argument, or None."""
    for child in one.arguments():
        key = child.child_by_field_name("name") if child.type == "keyword_argument" else None
        if key is not None and builder.text(key) == name:
            return child.child_by_field_name("value")
    return None


def argument(one: Candidate, at: int, name: str, builder: Builder) -> Node | None:
    """Return an argument by its position, or else by its keyword; None if the call has neither."""
    given = positional(one)
    return given[at] if len(given) > at else keyword(one, name, builder)


def text_of(node: Node | None, builder: Builder) -> str:
    """Return a string's content (an f-string's with its braces), or another expression in angle brackets."""
    if node is None:
        return ""
    if node.type == "concatenated_string":
        return "".join(text_of(child, builder) for child in node.named_children)
    if node.type == "string":
        whole = builder.text(node)
        opening, closing = node.children[0], node.children[-1]
        return whole[opening.end_byte - opening.start_byte : len(whole) - (closing.end_byte - closing.start_byte)]
    return f"<{builder.line_of(node)[:60]}>"


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
        if name is not None and last_name(name) in ("as_view", "as_asgi") and (made := receiver(name)) is not None:
            return made
        here = given.named_children[-1] if given is not None and given.named_child_count else None
    return expression(here, builder) if here is not None and here.type in ("identifier", "attribute") else None


def imported_from(builder: Builder, origins: Origins, scope: int, node: Node) -> tuple[str, str] | None:
    """Return the module and the name of what an expression such as `users.router` names in another file, or None."""
    root, *rest = builder.text(node).split(".") if node.type in ("identifier", "attribute") else ("",)
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
