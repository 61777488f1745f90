"""Reads expressions, types, results and documentation comments from Go's syntax nodes."""

import re

from tree_sitter import Node

from bearings.code.expressions import UNKNOWN, Expression, Item, Result, Step, Take, Typed, followed
from bearings.code.languages.go.locals import Locals
from bearings.code.languages.go.type_nodes import function_type, type_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Edges
from bearings.code.languages.shared.nodes import first

_LONGEST = 24
"""The most steps of a chain."""
_COMPARED = frozenset({"==", "!=", "<", "<=", ">", ">=", "&&", "||"})
_LITERALS = frozenset({
    "int_literal", "float_literal", "imaginary_literal", "rune_literal", "interpreted_string_literal",
    "raw_string_literal",
})  # fmt: skip
_LINE = re.compile(rb"[ \t]*//(?P<text>[^\n]*)$")
_DIRECTIVE = re.compile(r"(?:[a-z0-9]+:[a-z0-9]|line |export )")
"""A comment for tools, which gofmt doesn't treat as documentation: https://go.dev/doc/comment#syntax."""
_VERSION = re.compile(r"v\d+")
_STATEMENTS = frozenset({"expression_statement", "defer_statement", "go_statement"})
NAMED = frozenset({"identifier", "selector_expression"})
_MOST_GIVEN = 4
ALLOCATING = frozenset({"new", "make"})


class Names:
    """Converts one file's nodes to expressions, with the renamed local variables (see Locals)."""

    def __init__(self, builder: Builder, local_names: Locals) -> None:
        self._builder = builder
        self._local_names = local_names

    def root(self, name: str, at: int) -> str:
        """Return a name as the facts write it: a local variable's unique name, or the name itself."""
        return self._local_names.find(name, at) or name

    def chain(self, text: str, at: int) -> str:
        """Return a dotted chain of names as the facts write it."""
        root, dot, rest = text.partition(".")
        return self.root(root, at) + dot + rest

    def expression(self, node: Node) -> Expression:
        """Return a node as an expression."""
        steps: list[Step] = []
        here: Node | None = node
        root: Expression = UNKNOWN
        while here is not None and len(steps) < _LONGEST:
            kind = here.type
            if kind in ("identifier", "type_identifier"):
                root = self.root(self._builder.text(here), here.start_byte)
                break
            if kind == "selector_expression":
                field = here.child_by_field_name("field")
                steps.append(self._builder.text(field) if field is not None else "?")
                here = here.child_by_field_name("operand")
                continue
            constructed = self._constructed(here, kind)
            if constructed is not None:
                root = constructed
                break
            step, here = self._step(here, kind)
            if step is not None:
                steps.append(step)
        return followed(root, steps)

    def _step(self, node: Node, kind: str) -> tuple[Step | None, Node | None]:
        """Return the step that a node adds to an expression, None for none, and that expression."""
        if kind == "parenthesized_expression":
            return None, first(node)
        if kind == "unary_expression":
            operator = node.children[0].type
            received = Item(Take.RECEIVED) if operator == "<-" else None
            return received, node.child_by_field_name("operand") if operator != "!" else None
        if kind == "index_expression":
            return Item(Take.ELEMENT), node.child_by_field_name("operand")
        if kind == "slice_expression":
            return None, node.child_by_field_name("operand")
        if kind == "binary_expression" and node.children[1].type not in _COMPARED:
            left = node.child_by_field_name("left")
            is_plain = left is not None and left.type in _LITERALS
            return None, node.child_by_field_name("right") if is_plain else left
        return None, first(node) if kind == "type_instantiation_expression" else None

    def _constructed(self, node: Node, kind: str) -> Expression | None:
        """Return the expression for a call, literal or type assertion; None for other nodes."""
        builder = self._builder
        if kind in ("call_expression", "type_conversion_expression"):
            allocated = self.allocated(node)
            if allocated is not None:
                return builder.typed(allocated, type_of(allocated, builder))
            appended = self._appended(node)
            if appended is not None:
                return self.expression(appended)
            number = builder.site_at.get(node.byte_range)
            return None if number is None else Result(number)
        if kind == "composite_literal":
            number = builder.site_at.get(node.byte_range)
            type_ = node.child_by_field_name("type")
            if number is not None:
                return Result(number)
            return builder.typed(type_, type_of(type_, builder)) if type_ is not None else None
        if kind == "type_assertion_expression":
            type_, operand = node.child_by_field_name("type"), node.child_by_field_name("operand")
            if operand is not None and operand.type == "selector_expression":
                builder.add_access(operand, Edges.READ, self.expression(operand))
            return builder.typed(type_, type_of(type_, builder)) if type_ is not None else None
        if kind == "func_literal":
            return builder.typed(node, function_type(node, builder))
        return None

    def given(self, call: Node) -> tuple[Expression | None, ...]:
        """Return the first arguments of a call whose result is used: they may tell its type parameters."""
        holder, listed = call.parent, call.child_by_field_name("arguments")
        if listed is None or holder is None or holder.type in _STATEMENTS:
            return ()
        given = [node for node in listed.named_children if node.type != "comment"]
        values = [self._argument(node) for node in given[:_MOST_GIVEN]]
        return tuple(values) if any(value is not None for value in values) else ()

    def _argument(self, node: Node) -> Expression | None:
        is_address = node.type == "unary_expression" and node.children[0].type in ("&", "*")
        here = (node.child_by_field_name("operand") if is_address else None) or node
        if here.type == "func_literal":
            return Typed(function_type(here, self._builder))
        if here.type in ("call_expression", "composite_literal"):
            number = self._builder.site_at.get(here.byte_range)
            return None if number is None else Result(number)
        return self.expression(here) if here.type in NAMED else None

    def _appended(self, call: Node) -> Node | None:
        """Return the slice to which a call of `append` adds; None for another call."""
        callee, given = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        if callee is None or given is None or callee.type != "identifier" or self._builder.text(callee) != "append":
            return None
        return first(given)

    def allocated(self, call: Node) -> Node | None:
        """Return the type that a call of `new` or `make` allocates; None for another call."""
        callee = call.child_by_field_name("function")
        if callee is None or callee.type != "identifier" or self._builder.text(callee) not in ALLOCATING:
            return None
        given = call.child_by_field_name("arguments")
        return (
            first(given)
            if given is not None and not self._local_names.find(self._builder.text(callee), call.start_byte)
            else None
        )


def comment_above(source: bytes, start: int) -> str:
    """Return the first paragraph of the comment right above a declaration, on one line; empty for none."""
    texts: list[str] = []  # the lines of the comment, the lowest first
    line = before = source.rfind(b"\n", 0, start)
    while line > 0:
        before = source.rfind(b"\n", 0, line)
        match = _LINE.match(source[before + 1 : line].rstrip(b"\r"))
        if match is None:
            break
        texts.append(match["text"].decode("utf-8", "replace"))
        line = before
    # A copy of all that is above, instead of one line of it, would make a long file's time grow with its square.
    if not texts and line > 0 and source[before + 1 : line].rstrip(b" \t\r").endswith(b"*/"):
        opening = source.rfind(b"/*", 0, line)
        texts = source[opening + 2 : line].decode("utf-8", "replace").rstrip().removesuffix("*/").split("\n")[::-1]
    return _paragraph(texts[::-1])


def _paragraph(lines: list[str]) -> str:
    words: list[str] = []
    for text in lines:
        if _DIRECTIVE.match(text) or text.lstrip()[:1] == "@":  # a comment for tools, or a CodeRef
            continue
        if not text.strip() and words:
            break
        words += text.split()
    return " ".join(words)


def guessed_name(path: str) -> str:
    """Guess a package's name from its import path, because its package clause is in another file."""
    parts = path.split("/")
    if len(parts) > 1 and _VERSION.fullmatch(parts[-1]):
        parts.pop()
    name = re.sub(r"\.v\d+$", "", parts[-1])
    name = name.removeprefix("go-").removesuffix("-go").removesuffix(".go")
    return name.rpartition("-")[2] if "-" in name else name


def is_exported(name: str) -> bool:
    """Whether a name is exported: it starts with a capital letter."""
    return name[:1].isupper()
