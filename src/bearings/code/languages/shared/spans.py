"""Finds the bytes of an element, or of its body, that a text replaces or stands beside, and indents the text."""

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from tree_sitter import Node, Tree

from bearings.code.languages.shared.importing import ImportRules
from bearings.code.languages.shared.nodes import text_of
from bearings.code.languages.shared.occurrences import MODULE, NameRules, Part, occurrences
from bearings.code.languages.shared.regions import region_at
from bearings.code.languages.shared.removals import DECORATORS, topmost

_BLOCKS = frozenset({"block", "statement_block", "statement_list"})
_STATEMENTS = frozenset({"expression_statement", "export_statement"})
"""Statements that may declare an element. Others, such as `if`, hold it."""
_NAMING = ("name", "left", "key")
"""Fields with the name of an element."""
_DEEPEST = 4
"""Levels from a declaration to its name or body: `export const f = memo(() => { … })`."""
_ENDS = b";,) \t\r\n"
_QUOTES = ('"', "'", 'r"', "r'", 'R"', "R'")


class Span(NamedTuple):
    """Bytes that a text replaces, or at which it is inserted. `before` and `after` stand around it.

    Its lines are indented by `indent`; with None it is an expression on the line.
    """

    start: int
    end: int
    indent: bytes | None
    before: bytes = b""
    after: bytes = b""


def span_of(tree: Tree, text: bytes, line: int, name: str, where: str, new: str, rules: ImportRules) -> Span | None:
    """Return the span for a `new` text at the element that begins on a line.

    None if the element shares its lines with other code, or has no body.
    """
    node = _element(tree, text, line, name)
    if node is None:
        return None
    newline = b"\r\n" if b"\r\n" in text else b"\n"
    first = topmost(node, text, DECORATORS)
    begin = _line_start(text, first.start_byte)
    indent = text[begin : first.start_byte]
    if where == "body":
        return _body(node, text, new, indent, newline, unit_of(text, rules.indent))
    above = topmost(first, text)
    if where == "element":
        brings_comment = new.lstrip()[:2] in ("//", "/*") or new.lstrip()[:1] == "#" != name[:1]
        start = _line_start(text, above.start_byte) if brings_comment else begin
        return Span(start, node.end_byte, indent)
    blank = newline * _gap(above, node, new, 1 if indent else rules.gap)
    if where == "before":
        start = _line_start(text, above.start_byte)
        return Span(start, start, indent, after=newline + blank)
    end = _line_end(text, node.end_byte)
    is_last = not text[:end].endswith(b"\n")
    return Span(end, end, indent, newline + blank if is_last else blank, b"" if is_last else newline)


def _element(tree: Tree, text: bytes, line: int, name: str) -> Node | None:
    """The statement or member that declares an element, with decorators inside of it; None if it shares its lines."""
    start = _line_at(text, line)
    start += len(text[start:]) - len(text[start:].lstrip(b" \t"))
    node = tree.root_node.descendant_for_byte_range(start, start)
    while node is not None and (parent := node.parent) is not None and parent.parent is not None:
        before = (child for child in parent.children if child.end_byte <= node.start_byte)
        if parent.type in _BLOCKS or any(child.type not in DECORATORS for child in before):
            break
        node = parent
    if node is None or (node.type.endswith("_statement") and node.type not in _STATEMENTS):
        return None
    named = next((one for level in _levels(node) for one in level if one.type not in DECORATORS and _name(one)), node)
    is_named = name == "default" or _name(named) == name
    beside = named.parent.named_children if named.parent is not None and named.id != node.id else []
    is_single = sum(one.type == named.type for one in beside) < 2  # const a = 1, b = 2
    is_first = not text[_line_start(text, node.start_byte) : node.start_byte].strip()
    rest = text[node.end_byte : _line_end(text, node.end_byte)].strip(_ENDS)
    is_alone = is_single and is_first and (not rest or rest.startswith((b"#", b"//", b"/*")))
    return node if is_named and is_alone else None


def _levels(node: Node) -> Iterator[list[Node]]:
    """A node, its children, their children, and so on."""
    level = [node]
    for _ in range(_DEEPEST):
        yield level
        level = [child for one in level for child in one.named_children]


def _name(node: Node) -> str:
    """The last part of the name that a node declares; empty for none."""
    fields = (node.child_by_field_name(field) for field in _NAMING)
    text = next((text_of(one) for one in fields if one is not None), "")
    match = re.fullmatch(r"(?:[\w$]+\.)*([\w$#-]+)", text.strip("\"'"))
    return match[1] if match else ""


def _gap(above: Node, node: Node, new: str, least: int) -> int:
    """The blank lines that separate an element from those beside it; `least` for a longer text."""
    before, after = above.prev_named_sibling, node.next_named_sibling
    gaps = [above.start_point.row - before.end_point.row - 1] if before is not None else []
    gaps += [after.start_point.row - node.end_point.row - 1] if after is not None else []
    is_short = "\n" not in new.strip() and node.start_point.row == node.end_point.row
    return max(0, min(gaps, default=least)) if is_short else least


def _body(node: Node, text: bytes, new: str, indent: bytes, newline: bytes, unit: bytes) -> Span | None:
    """The span of the statements or members inside an element."""
    found = (body for level in _levels(node) for one in level if (body := one.child_by_field_name("body")))
    body = next(found, None)
    if body is None or text[body.end_byte : node.end_byte].strip(_ENDS):
        return None
    inner = body.named_children
    own = _line_start(text, inner[0].start_byte) if inner else 0
    is_below = bool(inner) and not text[own : inner[0].start_byte].strip()
    deeper = text[own : inner[0].start_byte] if is_below else indent + unit
    if text[body.start_byte : body.start_byte + 1] == b"{":
        return Span(body.start_byte + 1, body.end_byte - 1, deeper, newline, newline + indent)
    if body.type not in _BLOCKS:  # x => x + 1
        if "\n" not in new.strip() and not re.search(r"\breturn\b|;", new):
            return Span(body.start_byte, body.end_byte, None)
        return Span(body.start_byte, body.end_byte, indent + unit, b"{" + newline, newline + indent + b"}")
    is_documented = inner[0].type == "expression_statement" and inner[0].named_children[0].type == "string"
    if is_documented and not new.lstrip().startswith(_QUOTES):
        blank = text[inner[0].end_byte : _line_start(text, inner[1].start_byte)] if len(inner) > 1 else newline
        return Span(inner[0].end_byte, body.end_byte, deeper, newline if blank.strip() else blank)
    if is_below:
        return Span(own, body.end_byte, deeper)
    start = len(text[: body.start_byte].rstrip(b" \t"))  # def f(): return 1
    return Span(start, body.end_byte, deeper, newline)


def unit_of(text: bytes, usual: bytes) -> bytes:
    """Return what a level is indented by in a file."""
    if re.search(rb"^\t", text, re.MULTILINE):
        return b"\t"
    spaces = [len(match[0]) for match in re.finditer(rb"^ {2,8}(?=[^ *])", text, re.MULTILINE)]
    return b" " * min(spaces) if spaces else usual


def indented(text: str, indent: bytes, fixed: Collection[int], unit: bytes) -> bytes:
    """Indent the lines of a text, whose common indentation goes. Lines in `fixed` begin inside a string, and stay.

    Levels are tabs in a file with tabs, as its `unit` tells.

    A text may have lost the indentation of its first line alone. Comments may be indented less than the code.
    """
    lines, own = text.split("\n"), unit_of(text.encode(), unit)
    if unit == b"\t" != own:
        lines = [line if number in fixed else _in_tabs(line, len(own)) for number, line in enumerate(lines)]
    widths = {
        number: len(line) - len(line.lstrip(" \t"))
        for number, line in enumerate(lines)
        if number not in fixed and line.strip()
    }
    code = {number: width for number, width in widths.items() if not lines[number].lstrip().startswith(("#", "//"))}
    first, *rest = (code or widths).values()
    common, least = min([first, *rest]), min(rest, default=0)
    is_closing = lines[-1].lstrip()[:1] in (")", "]", "}")
    if first == 0 and indent and (least > len(indent) or (is_closing and least == len(indent))):
        common = least if is_closing else len(indent)
    return b"\n".join(
        line.encode()
        if number in fixed
        else indent + line[min(common, widths[number]) :].encode()
        if number in widths
        else b""
        for number, line in enumerate(lines)
    )


def _in_tabs(line: str, width: int) -> str:
    rest = line.lstrip(" ")
    levels, spaces = divmod(len(line) - len(rest), width)
    return "\t" * levels + " " * spaces + rest


def lines_in_strings(tree: Tree, source: bytes, start: int, count: int) -> frozenset[int]:
    """Return which of some lines begin inside a string: numbers from 0, for the line at `start`."""
    found, at = set[int](), start
    for number in range(1, count):
        at = _line_end(source, at)
        leaf = tree.root_node.descendant_for_byte_range(at - 1, at - 1)
        if region_at(tree, at - 1) == "string" and leaf is not None and leaf.type != "jsx_text":
            found.add(number)
    return frozenset(found)


def free_names(
    tree: Tree, text: bytes, start: int, end: int, rules: NameRules, among: Collection[str] | None = None
) -> dict[str, bool]:
    """Return the names between two bytes that no scope of the file declares, and whether they are in types alone.

    Only names in `among` are looked for, if it is given.
    """
    found: dict[str, bool] = {}
    waiting = [tree.root_node]
    while waiting:
        node = waiting.pop()
        waiting += [child for child in node.children if child.end_byte > start and child.start_byte < end]
        if node.child_count or node.start_byte < start or node.end_byte > end:
            continue
        leaf = rules.leaf(node)
        if leaf is not None and leaf.part in (Part.NAME, Part.SHORTHAND):
            name = text_of(node)
            found[name] = found.get(name, True) and node.type == "type_identifier"
    free = MODULE if rules.is_packaged else None
    return {
        name: is_type
        for name, is_type in found.items()
        if among is None or name in among
        if any(
            one.scope == free and start <= one.start < end and one.part in (Part.NAME, Part.SHORTHAND)
            for one in occurrences(tree, text, name, rules)
        )
    }


def _line_at(text: bytes, line: int) -> int:
    at = 0
    for _ in range(line - 1):
        at = text.find(b"\n", at) + 1
    return at


def _line_start(text: bytes, at: int) -> int:
    return text.rfind(b"\n", 0, at) + 1


def _line_end(text: bytes, at: int) -> int:
    end = text.find(b"\n", at)
    return len(text) if end < 0 else end + 1
