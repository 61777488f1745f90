"""Reads, at an occurrence of a name, its parameters or the arguments of a call of it, as spans of the source.

`def pay(sum, *, by: str = "card")` is a Site of role HEAD, whose listing has the items `sum`, `*` and `by`.
"""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from tree_sitter import Node, Tree

from bearings.code.languages.shared.nodes import around, descendants, field_of, first, text_of


class Role(StrEnum):
    """What a name is used for."""

    HEAD = "head"
    """It names a function where that is declared."""
    CALL = "call"
    MOCK = "mock"
    """A test looks at how it was called."""
    PLAIN = "plain"
    """An import, a type, a comparison: nothing that depends on parameters."""
    VALUE = "value"
    """Anything else may call it, or look at its parameters."""


class Item(NamedTuple):
    """A parameter or an argument, by its bytes; `name_start` and `value_start` are 0 where there is none.

    `sign` is what stands before the name: stars, dots, modifiers; alone a separator. An argument by place has no name.
    `has_effect`: to leave it out, or to evaluate it in another order, may change what the program does.
    """

    start: int
    end: int
    text: str
    sign: str = ""
    name: str = ""
    name_start: int = 0
    type: str = ""
    value: str = ""
    value_start: int = 0
    is_optional: bool = False
    has_effect: bool = False

    @property
    def is_open(self) -> bool:
        """Whether it stands for any number of values."""
        return bool(self.name or self.value) and self.sign in ("*", "**", "...")

    @property
    def is_required(self) -> bool:
        """Whether a call has to pass it."""
        return not (self.value or self.is_optional or self.is_open)


class Listing(NamedTuple):
    """The items between two brackets, and the bytes between these."""

    start: int
    end: int
    items: tuple[Item, ...]


class Site(NamedTuple):
    """What stands at a name. `listing`: its parameters or arguments; None if they can't be told.

    A call begins on `call_line`. `start` and `end` are the bytes of the function. `owner` is the expression that it is
    a `member` of. `decorators` are their names. `skipped` is the number of its first parameters that no call passes:
    `self`. One that `is_typed` has a type of its own, apart from its parameters. `doc` are the bytes of its
    documentation. A call that `is_quoted` stands in a string.
    """

    role: Role
    line: int
    call_line: int = 0
    listing: Listing | None = None
    start: int = 0
    end: int = 0
    owner: str = ""
    member: str = ""
    decorators: tuple[str, ...] = ()
    skipped: int = 0
    is_typed: bool = False
    has_body: bool = True
    doc: tuple[int, int] = (0, 0)
    is_quoted: bool = False


class SignatureRules(NamedTuple):
    """The functions and calls of a language's syntax.

    `classes` are those around functions that get their object first, unless a decorator is in `unbound`. `holders` are
    nodes that give a function a name, with the field of the function; `calls` those of calls, with the field of what is
    called; `members` those of members, with the field of their name; `inner` nodes around what is called. `plain` are
    nodes in which a name depends on no parameters, `types` nodes of types. Regular expressions of names: functions
    that call none of their arguments (`checks`), members that pass a function on (`passing`), members by which tests
    look at calls (`mocks`), functions that replace an element (`replacing`), decorators that leave parameters as they
    are (`idle`). `effects` are nodes of expressions with an effect, `quoted` those in strings that may not hold
    quotes. `seeing` are expressions that see all parameters.
    `documents` finds NAME in a documentation. `filler` stands for an argument that is left out before another one;
    empty if those behind it are passed by name. `head` is a function around some parameters. `constructions` matches
    what is called to construct an object of the class around. A `maker` is a method that gets the arguments of a
    `constructor`, too; `calling` matches bases outside that call one. `stubs` are the end of a source file and of
    another one that may declare the same. `narrowing` matches heads of functions whose first argument is by place.
    """

    functions: frozenset[str]
    classes: frozenset[str]
    holders: Mapping[str, str]
    calls: Mapping[str, str]
    members: Mapping[str, str]
    inner: frozenset[str]
    signs: Mapping[str, str]
    plain: frozenset[str]
    types: frozenset[str]
    effects: frozenset[str]
    quoted: frozenset[str]
    checks: str
    passing: str
    mocks: str
    replacing: str
    idle: str
    unbound: str
    documents: str
    comment: str
    head: str
    filler: str
    constructor: str
    constructions: str
    maker: str
    calling: str
    stubs: tuple[str, str]
    narrowing: str
    seeing: frozenset[str]


_ARGUMENTS = frozenset({"argument_list", "arguments"})
_EXTRAS = frozenset({"comment", "line_continuation"})
_SEPARATORS = frozenset({"keyword_separator", "positional_separator"})
_GROUPS = frozenset({"tuple", "list"})
_BLOCKS = ("statement", "declaration", "definition", "block")
_AROUND = frozenset({"lexical_declaration", "variable_declaration", "export_statement", "ambient_declaration"})
"""Nodes around a declaration, before which its comment stands."""
_DECLARED = ("pattern", "name", "left")
_VALUES = ("value", "right")


class Signatures:
    """The functions and calls of one source."""

    def __init__(self, tree: Tree, rules: SignatureRules) -> None:
        self._root = tree.root_node
        self.rules = rules

    def at(self, start: int, end: int) -> Site:
        """What stands at the name with these bytes."""
        leaf = self._root.descendant_for_byte_range(start, end)
        if leaf is None or leaf.parent is None or (leaf.start_byte, leaf.end_byte) != (start, end):
            return Site(Role.VALUE, 0)
        function, holder = _declared(leaf, self.rules)
        return _use(leaf, self.rules) if function is None or holder is None else _head(function, holder, self.rules)

    def calls_on(self, line: int, callee: str) -> list[Site]:
        """The calls that begin on a line, of expressions that match `callee` whole."""
        around_ = self._root.descendant_for_point_range((line - 1, 0), (line - 1, 1_000_000))
        while around_ is not None and around_.parent is not None and around_.parent.start_point.row == line - 1:
            around_ = around_.parent
        found, waiting = [], [around_ or self._root]
        while waiting:
            node = waiting.pop()
            if not node.start_point.row <= line - 1 <= node.end_point.row:
                continue
            called = node.child_by_field_name(self.rules.calls.get(node.type, "function"))
            if called is not None and node.start_point.row == line - 1 and node.type in self.rules.calls:
                found += [_call(node, called, self.rules)] if re.fullmatch(callee, text_of(called)) else []
            waiting += node.children
        return found

    def parameters(self) -> Listing | None:
        """The parameters of the first function; None if the parser does not understand the source."""
        function = next((one for one in descendants(self._root) if one.type in self.rules.functions), None)
        return _parameters(function, self.rules) if function is not None and not self._root.has_error else None


def _declared(leaf: Node, rules: SignatureRules) -> tuple[Node | None, Node | None]:
    """The function that a leaf names, and the node that gives it the name."""
    holder = leaf.parent
    if holder is not None and holder.type in rules.members:  # box.run = () => 1
        leaf, holder = holder, holder.parent
    if holder is None or leaf.parent is None:
        return None, None
    field = field_of(leaf, holder)
    if holder.type in rules.functions and field == "name":
        return holder, holder
    if holder.type not in rules.holders or field not in ("name", "left", "key", "property"):
        return None, None
    value = holder.child_by_field_name(rules.holders[holder.type])
    while value is not None and value.type not in rules.functions:
        value = first(value) if value.type in rules.inner or value.type in rules.types else None
    return value, holder


def _head(function: Node, holder: Node, rules: SignatureRules) -> Site:
    decorators = [*_before(holder, "decorator"), *(one for one in holder.named_children if one.type == "decorator")]
    names = tuple(text_of(one).lstrip("@").partition("(")[0].strip() for one in decorators)
    outer = around(holder.parent, rules.functions | rules.classes)
    is_bound = outer is not None and outer.type in rules.classes
    listing = _parameters(function, rules)
    has_this = listing is not None and listing.items[:1] != () and listing.items[0].name == "this"
    typed = holder.child_by_field_name("type") if holder.id != function.id else None
    body = function.child_by_field_name("body")
    return Site(
        Role.HEAD,
        holder.start_point.row + 1,
        0,
        listing,
        function.start_byte,
        function.end_byte,
        decorators=names,
        skipped=int(has_this or (is_bound and not any(re.fullmatch(rules.unbound, name) for name in names))),
        is_typed=typed is not None and not typed.start_byte <= function.start_byte < typed.end_byte,
        has_body=body is not None,
        doc=_documentation(holder, body),
    )


def _before(node: Node, kind: str) -> Iterator[Node]:
    """The nodes of a type directly before a node, comments between them left out."""
    here = node.prev_named_sibling
    while here is not None and here.type in (kind, "comment"):
        if here.type == kind:
            yield here
        here = here.prev_named_sibling


def _documentation(holder: Node, body: Node | None) -> tuple[int, int]:
    """The bytes of the string at the start of a body, or else of the comment above."""
    outer = holder
    while outer.parent is not None and outer.parent.type in _AROUND:
        outer = outer.parent
    statement = first(body) if body is not None else None
    inner = first(statement) if statement is not None and statement.type == "expression_statement" else None
    if inner is not None and inner.type == "string":
        return inner.start_byte, inner.end_byte
    above = next(_before(outer, "comment"), None)
    is_next = above is not None and above.end_point.row + 1 >= outer.start_point.row
    return (above.start_byte, above.end_byte) if above is not None and is_next else (0, 0)


def _use(leaf: Node, rules: SignatureRules) -> Site:
    line, expression = leaf.start_point.row + 1, leaf
    parent = leaf.parent
    if parent is not None and rules.members.get(parent.type) == field_of(leaf, parent):
        expression = parent
    call = expression.parent
    while call is not None and call.type in rules.inner and call.named_children[0].id == expression.id:
        expression, call = call, call.parent
    if call is None:
        return Site(Role.VALUE, line)
    if call.type == "decorator":
        # @add: a call of add with one argument.
        end = leaf.end_byte
        listing = Listing(end, end, (Item(end, end, "", value_start=end),))
        return Site(Role.CALL, line, line, listing, leaf.start_byte, end)
    field = rules.calls.get(call.type)
    if field is not None and field_of(expression, call) == field:
        return _call(call, expression, rules)._replace(line=line)
    return Site(_role(expression, call, rules), line)


def _call(call: Node, called: Node, rules: SignatureRules) -> Site:
    given = call.child_by_field_name("arguments")
    listing = None
    if given is not None and given.type in _ARGUMENTS and not given.has_error:
        items = tuple(_argument(one, rules) for one in given.named_children if one.type not in _EXTRAS)
        listing = Listing(given.start_byte + 1, given.end_byte - 1, items)
    elif given is None and not call.has_error:  # new Cart
        listing = Listing(call.end_byte, call.end_byte, ())
    is_member = called.type in rules.members
    owner = text_of(called.named_children[0]) if is_member else ""
    member = text_of(called.child_by_field_name(rules.members[called.type])) if is_member else ""
    is_quoted = around(call, rules.quoted) is not None
    line, start, end = call.start_point.row + 1, call.start_byte, call.end_byte
    return Site(Role.CALL, line, line, listing, start, end, owner, member, is_quoted=is_quoted)


def _role(expression: Node, holder: Node, rules: SignatureRules) -> Role:
    """What a name that is not called is used for."""
    if holder.type in rules.members and field_of(expression, holder) != rules.members[holder.type]:
        member = text_of(holder.child_by_field_name(rules.members[holder.type]))
        if re.fullmatch(rules.mocks, member):
            return Role.MOCK
        return Role.VALUE if re.fullmatch(rules.passing, member) else Role.PLAIN
    while holder.type in _GROUPS and holder.parent is not None:  # isinstance(x, (A, B))
        expression, holder = holder, holder.parent
    if holder.type == "type_query":  # typeof f
        return Role.VALUE
    if expression.type in rules.types or holder.type in rules.plain:
        return Role.PLAIN
    here: Node | None = holder
    while here is not None and not here.type.endswith(_BLOCKS):
        if here.type in rules.types:
            return Role.PLAIN
        here = here.parent
    call = holder.parent if holder.type in _ARGUMENTS else None
    called = call.child_by_field_name(rules.calls[call.type]) if call is not None and call.type in rules.calls else None
    if call is not None and called is None and field_of(holder, call) == "superclasses":
        return Role.PLAIN
    name = text_of(called).rpartition(".")[2]
    if called is not None and re.fullmatch(rules.checks, name):
        return Role.PLAIN
    while called is not None and call is not None and call.parent is not None and call.parent.type in rules.members:
        call = call.parent  # expect(f).not.toHaveBeenCalledWith(1)
        if re.fullmatch(rules.mocks, text_of(call.child_by_field_name(rules.members[call.type]))):
            return Role.MOCK
    return Role.VALUE


def _parameters(function: Node, rules: SignatureRules) -> Listing | None:
    listed = function.child_by_field_name("parameters")
    if listed is None or listed.has_error:
        return None
    items = tuple(_parameter(one, rules) for one in listed.named_children if one.type not in _EXTRAS)
    return Listing(listed.start_byte + 1, listed.end_byte - 1, items)


def _parameter(node: Node, rules: SignatureRules) -> Item:
    text = text_of(node)
    if node.type in _SEPARATORS:
        return Item(node.start_byte, node.end_byte, text, sign=text)
    declared = next((one for field in _DECLARED if (one := node.child_by_field_name(field)) is not None), None)
    if declared is None:
        declared = node.named_children[0] if node.child_by_field_name("type") is not None else node
    sign = (node.text or b"")[: declared.start_byte - node.start_byte].decode("utf-8", "replace").strip()
    if declared.type in rules.signs:
        sign, declared = rules.signs[declared.type], declared.named_children[0]
    kind, value = node.child_by_field_name("type"), _value(node)
    return Item(
        node.start_byte,
        node.end_byte,
        text,
        sign,
        text_of(declared),
        declared.start_byte,
        text_of(kind).removeprefix(":").strip(),
        text_of(value),
        value.start_byte if value is not None else 0,
        is_optional=node.type == "optional_parameter",
    )


def _argument(node: Node, rules: SignatureRules) -> Item:
    has_effect = any(one.type in rules.effects for one in descendants(node))
    name = node.child_by_field_name("name") if node.type == "keyword_argument" else None
    value = _value(node) if name is not None else first(node) if node.type in rules.signs else node
    return Item(
        node.start_byte,
        node.end_byte,
        text_of(node),
        rules.signs.get(node.type, ""),
        text_of(name),
        name.start_byte if name is not None else 0,
        value=text_of(value),
        value_start=value.start_byte if value is not None else 0,
        has_effect=has_effect,
    )


def _value(node: Node) -> Node | None:
    return next((one for field in _VALUES if (one := node.child_by_field_name(field)) is not None), None)
