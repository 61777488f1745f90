"""Adds imports to a source: to an import of the same module, or as a line after the last import at its top."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, NamedTuple

from tree_sitter import Node, Tree

from bearings.code.languages.shared.nodes import COMMENTS
from bearings.code.languages.shared.removals import Removal

_WIDEST = 100
"""Characters of a line to which a name is added; beyond, it gets a line of its own."""


class Wanted(NamedTuple):
    """A name that a file is to import, as in the row `Import` of its facts. `module` is as the file has to write it.

    `name` is `*` for the module as a whole, `default` for a default export, and empty for Python's `import a.b`. An
    empty `local` is the name itself. `is_type`: only types need it. `is_guarded`: no running program may import it.
    A line for it follows an import of the module `beside`, if there is one.
    """

    module: str
    name: str
    local: str = ""
    is_type: bool = False
    is_guarded: bool = False
    beside: str = ""

    @property
    def bound(self) -> str:
        """The name in the file."""
        return self.local or (self.name or self.module.partition(".")[0])

    def written(self, alias: str = " as ") -> str:
        """The name with its alias."""
        return self.name if self.bound == self.name else f"{self.name}{alias}{self.bound}"


class Statement(NamedTuple):
    """An import at the top of a file: its names with those that they have in the file.

    `entries` are the nodes of its list, to which names are added; without one it may begin at byte `room`.
    """

    node: Node
    module: str
    names: Sequence[tuple[str, str]]
    entries: Sequence[Node] = ()
    room: int = 0
    is_type: bool = False


class ImportRules(ABC):
    """How a language writes imports."""

    separator: ClassVar[bytes] = b","
    """The sign between the names of a list."""
    gap: ClassVar[int] = 1
    """Blank lines between imports and code."""
    indent: ClassVar[bytes] = b""
    """The indentation of a level in a file that has none."""
    guard: ClassVar[tuple[Wanted, str] | None] = None
    """The first line of a block that only type checkers read, and what it needs."""

    @abstractmethod
    def statements(self, root: Node) -> list[Statement]:
        """The imports at the top of a file, in order; others are left out."""

    @abstractmethod
    def is_head(self, node: Node) -> bool:
        """Whether a node stands before all imports: a docstring, a directive, the name of the package."""

    @abstractmethod
    def joins(self, statement: Statement, wanted: Wanted, text: bytes) -> bool:
        """Whether a name may be added to an import of its module."""

    def is_near(self, statement: Statement, wanted: Wanted) -> bool:
        """Whether a line for a name may follow an import."""
        del statement, wanted
        return True

    def rank(self, module: str) -> int:
        """The place of a module's imports among groups that blank lines separate."""
        del module
        return 0

    @abstractmethod
    def entry(self, statement: Statement, wanted: Wanted, text: bytes) -> str:
        """A name as an entry of a list."""

    @abstractmethod
    def lines(self, module: str, wanted: Sequence[Wanted], text: bytes) -> list[str]:
        """The lines that import names from a module."""


def imports_added(tree: Tree, text: bytes, wanted: Iterable[Wanted], rules: ImportRules) -> list[Removal]:
    """Return the insertions that import names, each at a place of its own, in order."""
    statements = rules.statements(tree.root_node)
    known = {(one.module, *names, one.is_type) for one in statements for names in one.names}
    joined: dict[int, list[str]] = {}
    alone: dict[Wanted, list[Wanted]] = {}
    wanted, guard = dict.fromkeys(wanted), rules.guard if not any(one.is_type for one in statements) else None
    needs = [guard[0]] if guard and any(one.is_guarded for one in wanted) else []
    for one in [*wanted, *needs]:
        ways = {False, one.is_type or rules.guard is None}
        if not known.isdisjoint((one.module, one.name, one.bound, way) for way in ways):
            continue
        places = (
            number
            for number, statement in enumerate(statements)
            if rules.joins(statement, one, text)
            and (statement.room or _has_room(statement, rules.entry(statement, one, text), text))
        )
        if (place := next(places, None)) is not None:
            joined.setdefault(place, []).append(rules.entry(statements[place], one, text))
        else:
            alone.setdefault(one._replace(name="", local=""), []).append(one)
    found = [_joined(statements[place], names, text, rules) for place, names in joined.items()]
    for (at, indent), lines in _placed(statements, alone, text, rules, guard and guard[1]).items():
        top = _top(tree.root_node, rules) if at < 0 else 0
        found.append(_inserted(text, at, top, indent, lines, 1 if statements else rules.gap))
    return sorted(found)


def _placed(
    statements: Sequence[Statement],
    alone: Mapping[Wanted, Sequence[Wanted]],
    text: bytes,
    rules: ImportRules,
    guard: str | None,
) -> dict[tuple[int, bytes], list[str]]:
    """Lines for names of modules, by the bytes after which they stand, and their indentation.

    They follow an import of the module `beside`, or the last one of their group or a group before it: after a blank
    line, if the file has one there.
    """
    lines: dict[tuple[int, bytes], list[str]] = {}
    ranks: dict[tuple[int, bytes], int] = {}
    for one, names in sorted(alone.items(), key=lambda item: (item[0].is_guarded, rules.rank(item[0].module))):
        rank, new = rules.rank(one.module), rules.lines(one.module, names, text)
        near = [each for each in statements if rules.is_near(each, one) and (guard or each.is_type >= one.is_guarded)]
        near = [each for each in near if one.beside and each.module == one.beside] or [
            each for each in near if rules.rank(each.module) <= rank or one.is_guarded
        ]
        last = near[-1].node if near else None
        place = (_line_end(text, last.end_byte), _indent(text, last)) if last is not None else (-1, b"")
        above = ranks.get(place, rules.rank(near[-1].module) if near else rank)
        here, is_grouped = lines.setdefault(place, []), last is None or text.startswith((b"\n", b"\r\n"), place[0])
        if guard and one.is_guarded:
            here += [] if guard in here else ["", guard] if near or here else [guard]
            new = [rules.indent.decode() + line for line in new]
        elif above != rank and is_grouped and not one.beside:
            here.append("")
        here += new
        ranks[place] = rank
    return lines


def _has_room(statement: Statement, entry: str, text: bytes) -> bool:
    """Whether the line of a list has room for a name, or the list has several lines."""
    first, last = statement.entries[0].start_byte, statement.entries[-1].end_byte
    width = _line_end(text, last) - text.rfind(b"\n", 0, first)
    return b"\n" in text[statement.node.start_byte : first] or width + len(entry) < _WIDEST


def _joined(statement: Statement, names: Sequence[str], text: bytes, rules: ImportRules) -> Removal:
    """An insertion into the list of an import, in the order of the alphabet if the list has it."""
    if not statement.entries:
        new = f", {{ {', '.join(names)} }}".encode()
        return Removal(statement.room, statement.room, new)
    entries = statement.entries
    before = text[statement.node.start_byte : entries[0].start_byte]
    start = before[len(before.rstrip()) :]
    # Names stand on lines of their own if the first one does.
    break_ = start if b"\n" in start else b" "
    written = [text[one.start_byte : one.end_byte].decode("utf-8", "replace") for one in entries]
    at = len(entries)
    if written == sorted(written, key=_order):
        at = sum(_order(one) < _order(names[0]) for one in written)
    behind = text[entries[-1].end_byte : _line_end(text, entries[-1].end_byte)]
    if at == len(entries) and b"\n" in break_ and behind.strip(b" \t\r\n,"):
        at -= 1  # a comment after the last name stays with it
    separator = rules.separator + break_
    new = separator.join(name.encode() for name in sorted(names, key=_order))
    if at < len(entries):
        return Removal(entries[at].start_byte, entries[at].start_byte, new + separator)
    return Removal(entries[-1].end_byte, entries[-1].end_byte, separator + new)


def _order(entry: str) -> tuple[str, str]:
    name = entry.removeprefix("type ")
    return name.lower(), name


def _inserted(text: bytes, at: int, top: int, indent: bytes, lines: list[str], gap: int) -> Removal:
    """Lines after an import; at -1 below the `top` of a file, with blank lines before the rest."""
    newline = b"\r\n" if b"\r\n" in text else b"\n"
    new = b"".join((indent + line.encode()).rstrip() + newline for line in lines)
    if at >= 0:
        return Removal(at, at, new if text[:at].endswith(b"\n") else newline + new.removesuffix(newline))
    at = _line_end(text, top) if top else 0
    if at:
        new = newline * (1 if text[:at].endswith(b"\n") else 2) + new
    if (rest := text[at:]) and not rest.lstrip(b" \t").startswith((b"\n", b"\r\n")):
        new += newline * gap
    return Removal(at, at, new)


def _top(root: Node, rules: ImportRules) -> int:
    """The end of what stands before imports: a docstring, directives, and comments that a blank line follows."""
    top = 0
    for child in root.children:
        after = child.next_sibling
        is_apart = after is None or after.start_point.row > child.end_point.row + 1
        if rules.is_head(child) or (child.type in COMMENTS and is_apart):
            top = child.end_byte
        elif child.type not in COMMENTS:
            break
    return top


def _line_end(text: bytes, at: int) -> int:
    """The start of the next line."""
    end = text.find(b"\n", max(at - 1, 0) if text[at - 1 : at] == b"\n" else at)
    return len(text) if end < 0 else end + 1


def _indent(text: bytes, node: Node) -> bytes:
    begin = text.rfind(b"\n", 0, node.start_byte) + 1
    line = text[begin : node.start_byte]
    return line[: len(line) - len(line.lstrip())]
