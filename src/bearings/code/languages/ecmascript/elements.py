"""Reads elements that are registered under a tag, and the tags in template strings.

`customElements.define("my-el", MyEl)`, `app.component("MyEl", MyEl)`, `@customElement("my-el")` and Angular's
`selector` are exports named `<MyEl>`: files that render `<my-el>` find the element by this name without an import.
"""

import re

from tree_sitter import Node

from bearings.code.expressions import is_known
from bearings.code.file_facts import CallSite, Export
from bearings.code.languages.ecmascript.expressions import expression
from bearings.code.languages.ecmascript.names import decorated_class, string_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Edges
from bearings.code.symbol_tags import element_name, is_tag

REGISTERING = frozenset({"define", "component", "html", "svg"})
DECORATORS = frozenset({"customElement", "Component"})
_CUSTOM = re.compile(r"<([a-z]\w*-[\w-]+)")
_MOST_TAGS = 2_000


def register(builder: Builder, node: Node, name: str) -> None:
    """Add the element that a call registers, or the tags in the template string that follows `html`."""
    arguments = node.child_by_field_name("arguments")
    if arguments is None:
        return
    if arguments.type == "template_string":
        _template(builder, arguments)
        return
    given = arguments.named_children
    tag = string_of(given[0], builder) if len(given) > 1 else ""
    function = node.child_by_field_name("function")
    is_registry = name == "component" or (
        function is not None and builder.text(function).endswith("customElements.define")
    )
    if is_tag(tag) and is_registry:
        _export(builder, tag, given[1])


def register_decorated(builder: Builder, name: Node, decorator: str) -> tuple[str, Node] | None:
    """Add the class whose decorator names its tag, and the tags in the decorator's own template.

    Return the class and the template, if there is one.
    """
    call = name.parent
    arguments = call.child_by_field_name("arguments") if call is not None else None
    given = arguments.named_children[0] if arguments is not None and arguments.named_child_count else None
    owner = decorated_class(call)
    own = owner.child_by_field_name("name") if owner is not None else None
    if given is None or own is None:
        return None
    tags, template = string_of(given, builder), None
    for pair in given.named_children if decorator == "Component" and given.type == "object" else ():
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if key is not None and builder.text(key) == "selector":
            tags = string_of(value, builder)
        elif key is not None and value is not None and builder.text(key) == "template":
            _template(builder, value)
            template = builder.text(own), value
    for tag in tags.split(","):
        if is_tag(tag.strip()):
            _export(builder, tag.strip(), own)
    return template


def _export(builder: Builder, tag: str, value: Node) -> None:
    local = expression(value, builder)
    if is_known(local):
        builder.exports.append(Export(f"<{element_name(tag)}>", local, "", builder.line(value)))


def _template(builder: Builder, text: Node) -> None:
    """Add the custom elements in the text of a template string, without the code in it."""
    scope, seen = builder.frames[-1].scope, 0
    parts = [text] if text.type == "string" else [one for one in text.named_children if one.type == "string_fragment"]
    for part in parts:
        line, written = builder.line(part), builder.text(part)
        for found in _CUSTOM.finditer(written):
            at = line + written.count("\n", 0, found.start())
            builder.uses.append(CallSite(Edges.JSX, found[1], at, scope))
            seen += 1
            if seen > _MOST_TAGS:
                return
