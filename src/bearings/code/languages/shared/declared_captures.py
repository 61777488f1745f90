"""Groups the captures of a declared language's query: each definition with its names, receiver and body."""

import re
from dataclasses import dataclass, field

from tree_sitter import Node

from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.declared_rules import Rules

_KINDS = (
    "interface", "enum", "type", "class", "constructor", "method", "constant", "function", "property", "variable",
)  # fmt: skip
"""The kinds of symbols. If a node is captured as several kinds, the first one of this list counts."""
_DEFINITION = "definition."
_SEVERAL = frozenset({"constant", "property", "variable"})
"""Kinds for which one node may declare several symbols."""
NAMED = frozenset({"owner", "namespace", *(_DEFINITION + kind for kind in _KINDS)})
"""Captures that have a `@name`."""
_PARTS = ("name", "receiver", "body")
_OTHERS = (
    "package",
    "import",
    "visibility",
    "local",
    "row",
    "extends",
    "implements",
    "new",
    "call",
    "type",
    "reference",
)
_USES = frozenset(_OTHERS[5:])
LOWER = frozenset(b"abcdefghijklmnopqrstuvwxyz_")
"""Starts of names that are no `@reference`, but perhaps a field: most names of a source."""
_RULE_BYTES = 200
"""Bytes at the start of a node that `Rules.only` matches."""


@dataclass(slots=True, eq=False)
class CapturedNode:
    """A captured node. Definitions, owners and namespaces alone have names, receiver, body and locals.

    `text` is the module that `Rules.only` found in an import. `capture` is empty for a node that `Rules.only` rejects.
    """

    capture: str
    node: Node
    start: int
    end: int
    text: str = ""
    names: list[Node] = field(init=False)
    receiver: Node | None = None
    body: Node | None = None
    locals: set[str] = field(init=False)

    @property
    def kind(self) -> str:
        """The kind of a definition, as in `_KINDS`."""
        return self.capture.removeprefix(_DEFINITION)


class CapturedNodes:
    """The captured nodes of a file, in the order of the source."""

    captures = (*(_DEFINITION + kind for kind in _KINDS), "owner", "namespace", *_PARTS, *_OTHERS)
    """Capture names, in the order in which nodes with the same span are visited."""

    def __init__(self, builder: Builder, rules: Rules, *, holds_lower: bool = False) -> None:
        self.all: list[CapturedNode] = []
        self._holds_lower = holds_lower
        self._builder = builder
        self._only = {capture: re.compile(pattern) for capture, pattern in rules.only.items()}
        self._open: list[CapturedNode] = []
        self._names: set[tuple[int, int]] = set()
        self._used: set[tuple[int, int]] = set()
        self._locals: set[str] = set()

    def is_name(self, start: int, end: int) -> bool:
        """Whether the span is the name of a definition, owner or namespace."""
        return (start, end) in self._names

    def add(self, capture: str, node: Node, start: int, end: int) -> None:
        """Add a captured node. Nodes must arrive in the order of the source, outermost first."""
        is_use = capture in _USES
        if is_use and (start, end) in self._used:  # if a name is captured as several uses, the first one counts
            return
        if capture == "reference" and self._builder.source[start] in LOWER:
            if self._holds_lower and (start, end) not in self._names:
                self._used.add((start, end))
                self.all.append(CapturedNode(capture, node, start, end))
            return
        while self._open and self._open[-1].end <= start:
            self._open.pop()
        enclosing = self._open[-1] if self._open else None
        if capture in _PARTS:
            if enclosing is not None:
                self._add_part(enclosing, capture, node, (start, end))
            return
        names = enclosing.locals if enclosing is not None else self._locals
        if capture == "local":
            names.add(self._builder.text(node))
            return
        if capture == "call" and names and self._builder.between(start, end) in names:
            return
        only, text, counts = self._only.get(capture), "", True
        if only is not None:
            found = only.match(self._builder.between(start, min(end, start + _RULE_BYTES)))
            counts = found is not None
            text = (found.groupdict().get("module") or "") if found is not None else ""
        captured = CapturedNode(capture, node, start, end, text)
        if capture in NAMED and not self._open_node(captured, enclosing, counts=counts):
            return
        if is_use:
            self._used.add((start, end))
        if counts:
            self.all.append(captured)

    def _open_node(self, captured: CapturedNode, enclosing: CapturedNode | None, *, counts: bool) -> bool:
        """Make a node the owner of the parts inside it, unless another capture of the same node already is.

        A rejected node is opened as well, so that its parts don't go to the node around it.
        """
        if enclosing is not None and (enclosing.start, enclosing.end) == (captured.start, captured.end):
            if enclosing.capture or not counts:
                return False
            self._open.pop()
        if not counts:
            captured.capture = ""
        captured.names, captured.locals = [], set()
        self._open.append(captured)
        return True

    def _add_part(self, owner: CapturedNode, capture: str, node: Node, span: tuple[int, int]) -> None:
        if capture == "receiver":
            owner.receiver = owner.receiver or node
        elif capture == "body":
            owner.body = owner.body or node
        elif span not in self._names and (not owner.names or owner.kind in _SEVERAL):
            owner.names.append(node)
            self._names.add(span)
