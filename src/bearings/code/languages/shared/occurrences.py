"""Finds every occurrence of a name in a source, what it is in the syntax, and the scope that declares it.

The rules of a language (`NameRules`) say what a leaf of the tree is, and which scopes see it.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum
from typing import ClassVar, NamedTuple

from tree_sitter import Node, Tree

from bearings.code.languages.shared.nodes import above, around, beyond, text_of
from bearings.code.languages.shared.regions import region_at
from bearings.code.languages.shared.removals import RemovalRules
from bearings.code.models import SymbolKind

_LITERALS = frozenset(
    {
        "string", "string_literal", "string_content", "string_fragment", "concatenated_string", "template_string",
        "encapsed_string",
    }
)  # fmt: skip
_INDEXED = frozenset({"subscript", "subscript_expression", "lookup_type"})
_OBJECTS = frozenset({"object", "keyword_argument"})
_REPLACING = frozenset(
    {"mock", "doMock", "setMock", "unstable_mockModule", "module", "multiple", "mockModule", "replaceEsm"}
)
"""Functions that replace a module, or its elements, by what a callback returns or by keywords."""
_ARGUMENTS = {
    "argument_list": "function", "arguments": "function", "type_arguments": "name", "attribute_argument_list": "name",
}  # fmt: skip
"""Lists of arguments, and the field of the node around with what gets them."""
_ONE_ARGUMENT = frozenset({"argument", "attribute_argument"})
_WHOLE = ("_statement", "_declaration", "_definition", "_signature", "decorator")
"""How the types of nodes end that are statements or declarations."""


class Part(StrEnum):
    """What an occurrence is in the syntax."""

    NAME = "name"
    """Looked up in the scopes: `f()`, `f: T`."""
    BINDING = "binding"
    """Declares the name in a scope: a definition, a parameter, the target of an assignment, an alias."""
    HEAD = "head"
    """A binding that declares the head of an overload."""
    IMPORTED = "imported"
    """The name of an export of another module: `a` in `from m import a` and `import { a as b }`."""
    REEXPORTED = "reexported"
    """The same in a re-export, `export { a } from "m"`."""
    EXPORTED = "exported"
    """A name in a list of exports of its own module: `export { a }`."""
    MEMBER = "member"
    """A member of an expression: `x.a`."""
    DECLARED = "declared"
    """The name of a member where its type declares it."""
    KEY = "key"
    """A key of an object, a keyword of a call, an attribute of JSX."""
    SHORTHAND = "shorthand"
    """A key that is a name, too: `{ a }`."""
    PATTERN = "pattern"
    """A key that is a binding, too: `const { a } = x`."""
    LISTED = "listed"
    """An entry of a module's list of exports, which is text: `__all__ = ["a"]`."""
    STRING = "string"
    COMMENT = "comment"
    BROKEN = "broken"
    """In syntax that the parser does not understand."""
    OTHER = "other"
    """A label, a part of a module's path: never the name of an element."""


ScopeKey = tuple[int, int]
"""A scope, by its first and last byte; MODULE is the module."""

MODULE: ScopeKey = (0, 0)

PAIR = "[]"
"""What gets a literal that is the second of two elements, after an object or a class: the name of a method."""
KEYED = "=>"
"""What gets a literal that is the key of an element of an array."""
METHODS = frozenset({SymbolKind.METHOD})


class Occurrence(NamedTuple):
    """One occurrence: bytes of the source in UTF-8, and its 1-based line.

    `scope` is the innermost scope that declares the name and is seen from here; None if no scope of the file does.
    `through` are the scopes between. `binds`: an import or key that is a binding, too. `text` is the literal around
    an occurrence in a string, without its quotes; `called` the function, or the generic type, that gets this
    literal as an argument, `beside` its first argument, if that is a name. `replaced` is the module, as written,
    whose export a key replaces in a test: `vi.mock("./m", () => ({ a: 1 }))`. `call_line` is the line on which a
    call of a member begins; 0 if it is no call. `first_line` is the first line of the statement or declaration around
    it, or of the element of JSX that it closes; 0 if it is no identifier. `owner` is the first name of the expression
    that a member is of, or that a literal is an index of: `a` of `a.b().c` and `a["c"]`. `object` is all that a member
    is of: `a.b()`. `kinds` are those of the elements that it may mean by its place in the syntax; empty for all.
    """

    start: int
    end: int
    line: int
    part: Part
    scope: ScopeKey | None = None
    through: tuple[ScopeKey, ...] = ()
    binds: bool = False
    text: str = ""
    called: str = ""
    call_line: int = 0
    owner: str = ""
    object: str = ""
    beside: str = ""
    replaced: str = ""
    first_line: int = 0
    kinds: frozenset[SymbolKind] = frozenset()


class Leaf(NamedTuple):
    """What a leaf is. `declares` is the scope in which it declares the name, `outer` the one that this passes it to."""

    part: Part
    declares: Node | None = None
    outer: Node | None = None
    kinds: frozenset[SymbolKind] = frozenset()


class ByEdges(NamedTuple):
    """The names of a language in which edges tell what each use means, and scopes tell locals alone.

    Elements share names only with those of a kind in the same one of `spaces`. `bodies` are nodes that hold the members
    of a type. `alone` is a regular expression for the heads of members that override none, and `overriding` are the
    kinds of those that do. `bases` are types of the library, with the members that they declare; those of `Object`
    belong to all types. `shares_names`: a type can't have two members of a name, whatever their kinds. `templates` are
    nodes of text around the code. `sigil` stands before the names of variables, and `is_called_by_text`: code calls
    functions and methods by texts.
    """

    spaces: tuple[frozenset[SymbolKind], ...]
    bodies: frozenset[str]
    alone: str
    bases: Mapping[str, frozenset[str]]
    overriding: frozenset[SymbolKind] = frozenset({SymbolKind.METHOD})
    shares_names: bool = False
    names_files: bool = False
    """A file has the name of the class at its top."""
    templates: frozenset[str] = frozenset()
    sigil: str = ""
    is_called_by_text: bool = False
    caseless: frozenset[SymbolKind] = frozenset()
    """Kinds whose names mean the same in any letters."""
    mapped: str = r"(?!)"
    """A regular expression for the heads of properties whose names some libraries read at run time."""
    mappers: tuple[str, ...] = ()
    """Words of code that uses these libraries."""


def members_by_type(types: str, errors: str, thrown: str) -> dict[str, frozenset[str]]:
    """Members of types of a library, written `Type: member member; Type: member`; all `errors` have those `thrown`."""
    rows = (row.split(":") for row in types.split(";"))
    members = {name.strip(): frozenset(members.split()) for name, members in rows}
    return members | dict.fromkeys(errors.split(), frozenset(thrown.split()))


class NameRules(ABC):
    """The scopes and names of a language's syntax."""

    exports: ClassVar[str] = ""
    """The variable that lists a module's exports; empty for none."""
    reads_names: ClassVar[str] = r"(?!)"
    """A regular expression for code that reads the name of a class at run time."""
    loads: ClassVar[str] = r"(?!)()"
    """A regular expression for code that loads a module by its name, which is group 1; imports lack it."""
    handing: ClassVar[str] = r"(?!)"
    """A regular expression for calls that return an argument, or one of its items, up to the dot behind them."""
    makers: ClassVar[Collection[str]] = frozenset()
    """Functions that take the name of what they make, by which it is assigned: `T = TypeVar("T")`."""
    indexes_members: ClassVar[bool] = False
    """Whether `x["a"]` is the member a of x."""
    by_edges: ClassVar[ByEdges | None] = None
    """How edges tell what a name means; None: scopes tell it, and edges only for members."""
    is_packaged: ClassVar[bool] = False
    """Whether files share the names at their top: one that no scope of a file declares is looked up in the rest."""
    directives: ClassVar[str] = r"(?!)"
    """A regular expression for the start of a comment that has a meaning for the compiler and names elements."""
    markup: ClassVar[str] = r"(?!)"
    """A regular expression for the parts of a line of a template, such as HTML, that may use an element."""
    library: ClassVar[Collection[frozenset[str]]] = ()
    """Methods that its libraries call on any type that has all of a set."""
    removal: ClassVar[RemovalRules | None] = None
    """What goes with a name that is removed; None if no element can be."""

    @abstractmethod
    def leaf(self, node: Node) -> Leaf | None:
        """What a leaf with the name is; None if it is no name."""

    @abstractmethod
    def scopes(self, node: Node) -> Iterator[Node]:
        """The scopes that see a leaf, innermost first, up to the root."""


class NamesByEdges(NameRules):
    """What languages have in common in which edges tell what a name means: see ByEdges."""

    scoping: ClassVar[Collection[str]] = frozenset()
    """Types of nodes that are scopes."""

    def scopes(self, node: Node) -> Iterator[Node]:
        """The scopes, innermost first."""
        return (each for each in above(node) if each.type in self.scoping or each.parent is None)


def occurrences(tree: Tree, source: bytes, name: str, rules: NameRules) -> list[Occurrence]:
    """Return the occurrences of a whole name, in order."""
    root = tree.root_node
    leaves: list[tuple[Node, Leaf]] = []
    found: list[Occurrence] = []
    declaring: dict[int, int] = {}
    signs = b"" if rules.by_edges is not None and rules.by_edges.sigil else b"$"
    pattern = rb"(?<![\w%s\x80-\xff])%s(?![\w%s\x80-\xff])" % (signs, re.escape(name.encode()), signs)
    for match in re.finditer(pattern, source):
        start, end = match.span()
        node = root.descendant_for_byte_range(start, end)
        whole = (start - (source[start - 1 : start] == b"@"), start)  # C#: @event is event
        is_leaf = node is not None and node.start_byte in whole and node.end_byte == end
        leaf = rules.leaf(node) if node is not None and is_leaf else None
        is_template = rules.by_edges is not None and node is not None and node.type in rules.by_edges.templates
        is_unread = is_template and _is_used_in_template(source, start, end)
        if is_unread or (tree.root_node.has_error and _is_broken(node)):
            found.append(Occurrence(start, end, source.count(b"\n", 0, start) + 1, Part.BROKEN))
            continue
        if node is None or leaf is None:
            found.append(_in_text(tree, source, node, start, end, rules.exports))
            continue
        leaves.append((node, leaf))
        if leaf.declares is not None and leaf.outer is not None:
            declaring[leaf.declares.id] = leaf.outer.id
        elif leaf.declares is not None:
            declaring.setdefault(leaf.declares.id, leaf.declares.id)
    found += [_resolved(node, leaf, list(rules.scopes(node)), declaring, rules) for node, leaf in leaves]
    return sorted(found)


def _is_used_in_template(source: bytes, start: int, end: int) -> bool:
    """Whether a name in the text around code is one of a member, or is called: `{{ $cart->total() }}`."""
    return source[max(start - 2, 0) : start].endswith((b"->", b"::", b"\\")) or source[end : end + 2].startswith(
        (b"(", b"::")
    )


def _is_broken(node: Node | None) -> bool:
    """Whether a node is in an error of the parser."""
    return node is not None and any(each.is_error or each.is_missing for each in (node, *above(node)))


def _resolved(node: Node, leaf: Leaf, chain: list[Node], declaring: dict[int, int], rules: NameRules) -> Occurrence:
    """The occurrence of a leaf, with the scope that declares it."""
    own = leaf.declares.id if leaf.declares is not None else None
    first = next((each.id for each in chain if (each.id in declaring if own is None else each.id == own)), None)
    wanted = None if first is None else declaring[first]
    at = next((place for place, each in enumerate(chain) if each.id == wanted), len(chain))
    keys = [_key(each) for each in chain]
    unknown = MODULE if rules.is_packaged and own is None else None
    part = leaf.part
    is_local = at < len(chain) and rules.by_edges is not None and chain[at].type not in rules.by_edges.bodies
    if rules.by_edges is not None and part is Part.NAME and not is_local:
        part, at = Part.MEMBER, len(chain)
    elif is_local and part is Part.SHORTHAND:
        part = Part.NAME
    return Occurrence(
        node.start_byte + text_of(node).startswith("@"),
        node.end_byte,
        node.start_point.row + 1,
        part,
        keys[at] if at < len(keys) else unknown,
        tuple(keys[:at]),
        binds=leaf.declares is not None and leaf.part is not Part.BINDING,
        call_line=_call_line(node) if leaf.part is Part.MEMBER else 0,
        replaced=_replaced(node) if leaf.part in (Part.KEY, Part.SHORTHAND) else "",
        owner=_owner(node, is_direct=rules.is_packaged) if leaf.part is Part.MEMBER else "",
        object=_object(node) if leaf.part is Part.MEMBER else "",
        first_line=_first_line(node),
        kinds=leaf.kinds,
    )


def _first_line(node: Node) -> int:
    """The first line of the statement or declaration around a leaf; of the element whose closing tag has it."""
    here = node
    while here.parent is not None and ("parameter" in here.type or not here.type.endswith(_WHOLE)):
        if here.type == "jsx_closing_element":
            return here.parent.start_point.row + 1
        here = here.parent
    return here.start_point.row + 1


def _call_line(node: Node) -> int:
    member = node.parent
    call = member.parent if member is not None else None
    function = call.child_by_field_name("function") if call is not None else None
    is_called = call is not None and member is not None and function is not None and function.id == member.id
    return call.start_point.row + 1 if call is not None and is_called else 0


def _owner(node: Node, *, is_direct: bool = False) -> str:
    here = node.parent
    while here is not None and here.named_child_count:
        here = here.named_children[0]
        if here.id == node.id:
            return ""
        if is_direct and here.named_child_count:
            return ""
    return here.text.decode("utf-8", "replace") if here is not None and here.text is not None else ""


def _object(node: Node) -> str:
    first = node.parent.named_children[0] if node.parent is not None else node
    return text_of(first) if first.id != node.id else ""


def _key(scope: Node) -> ScopeKey:
    return MODULE if scope.parent is None else (scope.start_byte, scope.end_byte)


def _in_text(tree: Tree, source: bytes, node: Node | None, start: int, end: int, exports: str) -> Occurrence:
    """An occurrence in a string, a comment or the text of JSX."""
    line = source.count(b"\n", 0, start) + 1
    region = region_at(tree, start)
    if region == "code" or node is None:
        return Occurrence(start, end, line, Part.OTHER)
    if region == "comment":
        return Occurrence(start, end, line, Part.COMMENT, text=text_of(node))
    text = "" if node.text is None else node.text.decode("utf-8", "replace").strip("\"'`")
    if _is_remark(node):
        return Occurrence(start, end, line, Part.COMMENT)
    is_listed = bool(exports) and len(text) == end - start and _is_listed(node, exports)
    part = Part.LISTED if is_listed else Part.STRING
    called, beside = _called_with(node)
    replaced = _replaced(_whole(node)) if called == "" else ""
    kinds = METHODS if called == PAIR else frozenset[SymbolKind]()
    return Occurrence(
        start, end, line, part, text=text, called=called, owner=_indexed(node), beside=beside, replaced=replaced,
        kinds=kinds,
    )  # fmt: skip


def _is_remark(node: Node) -> bool:
    """Whether a literal is a statement of its own, such as a docstring."""
    here = beyond(node, _LITERALS) if node.type in _LITERALS else node
    return here is not None and here.type == "expression_statement"


def _is_listed(node: Node, exports: str) -> bool:
    """Whether a literal is in a statement about the list of exports."""
    here = around(node, {"expression_statement"})
    return here is not None and here.text is not None and here.text.startswith(exports.encode())


def _called_with(node: Node) -> tuple[str, str]:
    """The last name of the function or the type that a literal is an argument of, and the first argument before it."""
    literal = _whole(node)
    arguments = literal.parent
    arguments = arguments.parent if arguments is not None and arguments.type in _ONE_ARGUMENT else arguments
    if arguments is not None and arguments.type == "array_element_initializer":
        return PAIR if _is_method_of_pair(arguments) else _key_of(arguments, literal), ""
    if arguments is None or arguments.type not in _ARGUMENTS or arguments.parent is None:
        return "", ""
    first = arguments.named_children[0]
    return _callee(arguments), text_of(first) if first.type == "identifier" else ""


def _is_method_of_pair(element: Node) -> bool:
    """Whether an element is the second of two, after an object or a class: `[$cart, 'total']`."""
    around = element.parent
    parts = around.named_children if around is not None else []
    is_second = len(parts) == 2 and parts[1].id == element.id and parts[0].named_child_count == 1
    return is_second and parts[0].named_children[0].type not in _LITERALS


def _key_of(element: Node, literal: Node) -> str:
    """The sign behind a literal that is the key of an element; empty if it is none."""
    return KEYED if element.named_child_count > 1 and element.named_children[0].id == literal.id else ""


def _callee(arguments: Node) -> str:
    """The last name of what gets some arguments."""
    call = arguments.parent
    function = call and (call.child_by_field_name(_ARGUMENTS[arguments.type]) or call.child_by_field_name("name"))
    return text_of(function).rpartition(".")[2]


def _replaced(key: Node) -> str:
    """The module whose export a key replaces: a key of the object that a mock returns, or a keyword."""
    levels = 0
    for here in above(key):
        levels += here.type in _OBJECTS
        levels -= here.type == "pair" and text_of(here.child_by_field_name("key")) == "namedExports"
        if here.type in _ARGUMENTS and levels == 1 and _callee(here) in _REPLACING:
            return text_of(here.named_children[0]).removeprefix("import(").strip("\"'`)")
    return ""


def _indexed(node: Node) -> str:
    """The first name of the expression or the type that a literal is an index of; empty if it is none."""
    literal = _whole(node)
    around = literal.parent
    is_index = around is not None and around.type in _INDEXED and around.named_children[0].id != literal.id
    return _owner(literal) if is_index else ""


def _whole(node: Node) -> Node:
    """The literal, or the type of a literal, that a part of a string belongs to."""
    while node.parent is not None and (node.parent.type in _LITERALS or node.parent.type == "literal_type"):
        node = node.parent
    return node
