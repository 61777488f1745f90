"""Attributes (annotations) of declarations and calls, with their literal arguments, in any declared language.

For example `@GetMapping(value = {"/a", "/b"})`, `[HttpGet("{id}", Name = "cart")]`, `#[Route('/a', methods: ['GET'])]`,
`Route::prefix('a')->get('/b', [C::class, 'm'])`, `app.MapGroup("/a").MapGet("/b", Show)`.
"""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final, NamedTuple

from tree_sitter import Node

from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.nodes import COMMENTS, above

_ATTRIBUTES: Final = frozenset({"annotation", "marker_annotation", "attribute"})
_AROUND: Final = frozenset({"modifiers", "attribute_list", "attribute_group"})
"""Nodes before a declaration, or in it, that hold its attributes."""
_MARK: Final = re.compile(rb"[@\[#]")
"""What begins an attribute."""
_STRINGS: Final = frozenset(
    """string_literal text_block verbatim_string_literal raw_string_literal interpolated_string_expression string
    encapsed_string""".split()
)
_LISTS: Final = frozenset(
    """element_value_array_initializer array_creation_expression array_element_initializer initializer_expression
    implicit_array_creation_expression collection_expression collection_element array_initializer
    parenthesized_expression argument expression_element""".split()
)
_PAIR: Final = "array_element_initializer"
"""An element of PHP's array, which may have a key."""
_SUMS: Final = frozenset({"+", "."})
_RECEIVERS: Final = ("object", "expression", "scope")
"""The fields of a call, or of the member that it calls, in which its receiver is."""
_QUOTES: Final = re.compile(r"""[$@]*(?:\"\"\"|["'])(.*?)(?:\"\"\"|["'])$""", re.DOTALL)
_HOLES: Final = re.compile(r"\{\s*\$([^{}]*)\}|(?<!\\)\$(\w+)")
_VALUE: Final = re.compile(r"""=>?\s*@?["']([^"']*)["']\s*;?$""")
"""The end of a declaration that gives a name a string."""
_WORD: Final = re.compile(r"\w+")
_DEEPEST: Final = 20
"""Arrays in each other, terms of a sum, nodes from a name to its call."""
_MOST_TEXTS: Final = 50
_LONGEST: Final = 5_000
"""Bytes of a value: longer ones are functions, or generated."""
_LONGEST_NAME: Final = 200


class Argument(NamedTuple):
    """An argument; `key` is its name, empty for none."""

    key: str
    value: Node


class Attribute(NamedTuple):
    """An attribute, by the last part of its name."""

    name: str
    node: Node
    arguments: list[Argument]


class Literals:
    """The literal arguments of one file; constants of the file stand for their strings.

    `whole_name` gives the whole name of a class: see Declared.
    """

    def __init__(self, builder: Builder, whole_name: Callable[[str], str]) -> None:
        self.whole_name = whole_name
        self._builder = builder
        self._constants: dict[str, str] = {}

    def declare(self, name: str, node: Node) -> None:
        """Add a declaration, which may be a constant that is a string."""
        match = _VALUE.search(self._builder.text(node)) if node.end_byte - node.start_byte < _LONGEST else None
        if match is not None:
            self._constants[name] = match[1] if name not in self._constants else ""

    def attributes(self, node: Node) -> Iterator[Attribute]:
        """The attributes of a declaration."""
        if (
            _MARK.search(self._builder.source, node.start_byte, min(node.end_byte, node.start_byte + _LONGEST_NAME))
            is None
        ):
            return
        for child in node.children:
            if child.type in _AROUND:
                yield from self.attributes(child)
            elif child.type in _ATTRIBUTES:
                name = child.child_by_field_name("name") or child.named_children[0]
                held = child.child_by_field_name("arguments") or child.child_by_field_name("parameters")
                held = held or next((each for each in child.named_children if each.type.endswith("_list")), None)
                yield Attribute(self.last_name(name), child, self.listed(held) if held is not None else [])

    def arguments(self, call: Node) -> list[Argument]:
        """The arguments of a call."""
        held = call.child_by_field_name("arguments")
        return self.listed(held) if held is not None else []

    def listed(self, held: Node) -> list[Argument]:
        """The arguments in a list, without comments."""
        found = []
        for each in held.named_children:
            if each.type not in COMMENTS:
                key = each.child_by_field_name("key")
                key = each.child_by_field_name("name") if each.type.endswith("argument") else key
                value = each.child_by_field_name("value") if key is not None else None
                inside = each.named_children if each.type.endswith("argument") else ()
                value = value or (inside[-1] if inside else each)
                found.append(Argument(self._builder.text(key) if key is not None else "", value))
        return found

    def last_name(self, node: Node) -> str:
        """The last part of a name, without type arguments."""
        text = self._builder.between(node.start_byte, min(node.end_byte, node.start_byte + _LONGEST_NAME))
        return re.split(r"[.\\]|::", text.partition("<")[0])[-1].strip()

    def texts(self, node: Node, depth: int = 0) -> list[str]:
        """The strings that a value has; a name that is no constant of the file is in angle brackets."""
        kind, builder = node.type, self._builder
        if depth > _DEEPEST or kind in COMMENTS or node.end_byte - node.start_byte > _LONGEST:
            return []
        if kind in _STRINGS:
            found = _QUOTES.match(builder.text(node))
            return [_HOLES.sub(lambda hole: f"<{hole[1] or hole[2]}>", found[1])] if found is not None else []
        if kind in _LISTS:
            held = node.named_children[-1:] if kind == _PAIR else node.named_children
            return [text for each in held for text in self.texts(each, depth + 1)][:_MOST_TEXTS]
        if kind == "binary_expression" and any(each.type in _SUMS for each in node.children):
            sides = [node.child_by_field_name(side) for side in ("left", "right")]
            left, right = (self.texts(each, depth + 1) if each is not None else [] for each in sides)
            return [f"{left[0]}{right[0]}"] if left and right else []
        name = builder.text(node).replace("::", ".").replace("\\", ".").removeprefix("$")
        if not re.fullmatch(r"[\w.]{1,200}", name) or name[0].isdigit():
            return []
        return [self._constants.get(name.rpartition(".")[2]) or f"<{name}>"]

    def comment_before(self, node: Node) -> str:
        """The comment `/** … */` before a declaration; empty for none."""
        source = self._builder.source
        before = source[max(0, node.start_byte - _LONGEST) : node.start_byte].rstrip()
        comment = before[max(0, before.rfind(b"/**")) :]
        is_right_above = comment.startswith(b"/**") and comment.find(b"*/") == len(comment) - 2
        return comment.decode("utf-8", "replace") if is_right_above else ""

    def pairs(self, node: Node) -> Iterator[Argument]:
        """The pairs of an array with keys: `['prefix' => 'a']`."""
        for each in node.named_children if node.type in _LISTS else ():
            if each.type == _PAIR and len(each.named_children) > 1:
                key = self.texts(each.named_children[0])
                yield Argument(key[0] if key else "", each.named_children[-1])


def method_in(text: str) -> str:
    """The method of HTTP that a string or a constant says: `get`, `<RequestMethod.GET>`, `<Request.METHOD_GET>`."""
    words: list[str] = _WORD.findall(text)
    return words[-1].upper().removeprefix("METHOD_") if words else ""


def call_of(name: Node) -> Node | None:
    """The call whose name a node is."""
    around = islice(above(name), _DEEPEST)
    return next((node for node in around if node.child_by_field_name("arguments") is not None), None)


def receiver_of(call: Node) -> Node | None:
    """What a call is made on; None for a name alone."""
    member = call.child_by_field_name("function") or call
    return next((part for field in _RECEIVERS if (part := member.child_by_field_name(field)) is not None), None)


def name_of(call: Node) -> Node:
    """The name that a call has."""
    member = call.child_by_field_name("function") or call
    return member.child_by_field_name("name") or member
