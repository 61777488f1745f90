"""Finds what goes from a source with a name: a definition with its comments and decorators, or an entry of a list."""

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from tree_sitter import Node, Tree

from bearings.code.languages.shared.nodes import COMMENTS, around

DECORATORS = frozenset({"decorator"})
_BRACKETS = frozenset({")", "]", "}"})


class Removal(NamedTuple):
    """Bytes to remove from a source, and what stands there instead. `lines`: whole lines."""

    start: int
    end: int
    text: bytes = b""
    lines: bool = False


class RemovalRules(NamedTuple):
    """The statements of a language.

    `definitions` are nodes that define one element, `variables` those that do so if they hold a single node of a type,
    of which the name is a child; `wrappers` go with the node inside them. `entries` are nodes of a
    list; with the last one goes the statement of type `statements`. In an empty block stands `filler`. `functions` are
    nodes whose bodies run when they are called, `types` nodes of which nothing runs. `is_live`: an imported name is
    looked up when it is read, so that modules may import each other.
    """

    definitions: frozenset[str]
    variables: Mapping[str, str]
    wrappers: frozenset[str] = frozenset()
    entries: frozenset[str] = frozenset()
    statements: frozenset[str] = frozenset()
    blocks: frozenset[str] = frozenset()
    filler: bytes = b""
    functions: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    is_live: bool = False


class When(StrEnum):
    """When a name is looked up: as its module is loaded, when a function is called, or never, as it is a type."""

    LOAD = "load"
    CALL = "call"
    TYPE = "type"


def when_read(tree: Tree, start: int, end: int, rules: RemovalRules) -> When:
    """Return when a name at some bytes is looked up."""
    node, found = tree.root_node.descendant_for_byte_range(start, end), When.LOAD
    while node is not None and node.parent is not None:
        if node.type in rules.types:
            return When.TYPE
        body = node.parent.child_by_field_name("body")
        if node.parent.type in rules.functions and body is not None and body.id == node.id:
            found = When.CALL
        node = node.parent
    return found


def statement_at(tree: Tree, start: int, end: int, rules: RemovalRules) -> tuple[int, int] | None:
    """Return the bytes of the statement that imports, exports or declares a name at some bytes; None for another."""
    leaf = tree.root_node.descendant_for_byte_range(start, end)
    here = around(leaf, rules.statements | rules.variables.keys())
    return None if here is None else (here.start_byte, here.end_byte)


def removals_at(
    tree: Tree, source: bytes, names: Iterable[tuple[int, int]], rules: RemovalRules
) -> list[Removal | None]:
    """Return what goes with the names at some bytes; None if one shares its statement or line with other code."""
    holders = [_holder(tree, start, end, rules) for start, end in names]
    going = {here.id for here in holders if here is not None}
    wholes = [None if here is None else _whole(here, rules, going) for here in holders]
    gone = {node.id for node in wholes if node is not None}
    found: list[Removal | None] = []
    for here, whole in zip(holders, wholes, strict=True):
        if whole is not None:
            found.append(_statement(whole, source, rules, gone))
        else:
            found.append(None if here is None else _entry(here, source, rules, going))
    return found


def _holder(tree: Tree, start: int, end: int, rules: RemovalRules) -> Node | None:
    """The definition or entry of a name; None if it defines other names, too."""
    leaf = tree.root_node.descendant_for_byte_range(start, end)
    here = around(leaf, rules.entries | rules.definitions | rules.variables.keys())
    if here is None or leaf is None:
        return None
    if here.parent is not None and here.parent.type in rules.entries:
        here = here.parent
    if here.type in rules.variables:
        inner = rules.variables[here.type]
        named = around(leaf, {inner, here.type})
        if named is None or named.type != inner or not (_is_name(leaf, named) and _is_single(here, named)):
            return None
    return here


def _is_name(leaf: Node, variable: Node) -> bool:
    """Whether a leaf is all that a variable is called: not one of a tuple's, and not in its value."""
    node = leaf
    while node.parent is not None and node.parent != variable and node.parent.named_child_count == 1:
        node = node.parent
    return node == variable.named_children[0]


def _whole(here: Node, rules: RemovalRules, going: Collection[int]) -> Node | None:
    """The statement that goes with a definition, or with all entries of a list, and its wrappers; None if it stays."""
    node: Node | None = here
    if here.type in rules.entries:
        holder = here.parent
        if holder is None or any(one.id not in going for one in _entries(holder, rules)):
            return None
        node = around(holder, rules.statements)
        if node is None or _has_more(node, holder):
            return None
    while node is not None and node.parent is not None and node.parent.type in rules.wrappers:
        if [one for one in node.parent.named_children if one.type not in DECORATORS | COMMENTS] != [node]:
            return None
        node = node.parent
    return node


def _is_single(statement: Node, inner: Node) -> bool:
    """Whether a statement holds nothing but the assignment of one variable."""
    value = inner.child_by_field_name("right")
    is_chain = value is not None and value.type == inner.type
    holder = inner.parent or statement
    return [one.id for one in holder.named_children if one.type == inner.type] == [inner.id] and not is_chain


def _entry(entry: Node, source: bytes, rules: RemovalRules, going: Collection[int]) -> Removal | None:
    """An entry of a list, of which others stay, with its comma: its lines if it has them for itself."""
    holder = entry.parent
    others = _entries(holder, rules) if holder is not None and entry.type in rules.entries else []
    at = next((place for place, one in enumerate(others) if one.id == entry.id), -1)
    remaining = [place for place, one in enumerate(others) if one.id not in going]
    if holder is None or at < 0 or not remaining:
        return None
    lines = _lines(topmost(entry, source), entry, source)
    if lines is not None and holder.children[-1].type in _BRACKETS:
        return Removal(*lines)
    if remaining[-1] > at:
        return Removal(entry.start_byte, others[at + 1].start_byte)
    return Removal(others[remaining[-1]].end_byte, entry.end_byte)


def _entries(holder: Node, rules: RemovalRules) -> list[Node]:
    """The entries of a list, without the module that they are from."""
    module = holder.child_by_field_name("module_name")
    return [one for one in holder.named_children if one.type in rules.entries and one != module]


def _has_more(statement: Node, holder: Node) -> bool:
    """Whether a statement imports something beside a list: `import d, { a } from "m"`."""
    clause = holder.parent if holder.id != statement.id else None
    return clause is not None and clause.id != statement.id and clause.named_child_count > 1


def _statement(node: Node, source: bytes, rules: RemovalRules, gone: set[int]) -> Removal | None:
    """A statement with its decorators and comments, and the blank lines that it leaves."""
    first, block = topmost(node, source, COMMENTS | DECORATORS), node.parent
    lines = _lines(first, node, source)
    if lines is None:
        return None
    if rules.filler and block is not None and block.type in rules.blocks:
        others = [one.id for one in block.named_children if one.type not in COMMENTS]
        if others[0] == node.id and gone.issuperset(others):
            return Removal(first.start_byte, node.end_byte, rules.filler)
    return Removal(*lines, lines=True)


def _lines(first: Node, last: Node, source: bytes) -> tuple[int, int] | None:
    """The bytes of the lines of nodes, with a comment behind them; None if other code shares them."""
    begin, stop = source.rfind(b"\n", 0, first.start_byte) + 1, source.find(b"\n", last.end_byte) + 1 or len(source)
    after, rest = last.next_named_sibling, source[last.end_byte : stop]
    if after is not None and after.type in COMMENTS and after.end_byte <= stop:
        rest = source[last.end_byte : after.start_byte] + source[after.end_byte : stop]
    return None if source[begin : first.start_byte].strip() or rest.strip(b" \t\r\n;,") else (begin, stop)


def topmost(node: Node, source: bytes, kinds: Collection[str] = COMMENTS) -> Node:
    """Return the first node of some kinds directly above a node, on lines of their own; the node itself for none."""
    while (above := node.prev_named_sibling) is not None and above.type in kinds:
        if above.end_point.row + 1 < node.start_point.row or not _is_alone(above, source):
            break
        node = above
    return node


def _is_alone(comment: Node, source: bytes) -> bool:
    """Whether a comment has its lines for itself."""
    return not source[source.rfind(b"\n", 0, comment.start_byte) + 1 : comment.start_byte].strip()


def _tidy(source: bytes, begin: int, stop: int) -> Removal:
    """The lines, and the shorter run of the blank lines around them."""
    before, after = _blank_before(source, begin), _blank_after(source, stop)
    above, below = source[before:begin].count(b"\n"), source[stop:after].count(b"\n")
    follows = below == 0 and source[stop : stop + 1000].lstrip(b" \t")[:1] not in (b"", b"}", b")", b"]")
    if (above == 0 and begin > 0) or follows:
        return Removal(begin, stop)
    if above == 0 or (below and below <= above and after < len(source)):
        return Removal(begin, after)
    return Removal(before, stop)


def _blank_before(source: bytes, at: int) -> int:
    while at > 0:
        line = source.rfind(b"\n", 0, at - 1) + 1
        if source[line:at].strip():
            break
        at = line
    return at


def _blank_after(source: bytes, at: int) -> int:
    while at < len(source):
        end = source.find(b"\n", at)
        end = len(source) if end < 0 else end + 1
        if source[at:end].strip():
            break
        at = end
    return at


def united(source: bytes, removals: Collection[Removal]) -> list[Removal]:
    """Return the removals in order, adjoining ones as one, with the blank lines that whole lines would leave."""
    found: list[Removal] = []
    for one in sorted(removals, key=lambda removal: (removal.start, -removal.end)):
        last = found[-1] if found else None
        if last is None or one.start > last.end or (one.start == last.end and not (one.lines and last.lines)):
            found.append(one)
        elif one.end > last.end:
            found[-1] = Removal(last.start, one.end, last.text or one.text, last.lines and one.lines)
    return [_tidy(source, one.start, one.end) if one.lines else one for one in found]
