"""What the query of a language by declaration captured in a file, put together: each definition with its name."""

import re

from tree_sitter import Node

from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.declared_rules import Rules

_KINDS = (
    "interface", "enum", "type", "class", "constructor", "method", "constant", "function", "property", "variable",
)  # fmt: skip
"""The kinds of elements; of one node that is captured as several, the first."""
_DEFINITION = "definition."
_SEVERAL = frozenset({"constant", "property", "variable"})
"""Kinds of which one node may declare several."""
NAMED = frozenset({"owner", "namespace", *(_DEFINITION + kind for kind in _KINDS)})
"""Captures that have names."""
_BELONGING = ("name", "receiver", "body")
_USES = ("extends", "implements", "new", "call", "type", "reference")
_OTHERS = ("package", "import", "visibility", *_USES)
_SEEN = 200
"""Bytes of a node that a rule looks at."""


class Note:
    """A captured node, and of one with a name what belongs to it."""

    __slots__ = ("body", "capture", "end", "names", "node", "receiver", "start", "text")

    def __init__(self, capture: str, node: Node, start: int, end: int, text: str = "") -> None:
        self.capture = capture
        self.node = node
        self.start = start
        self.end = end
        self.text = text
        self.names: list[Node] = []
        self.receiver: Node | None = None
        self.body: Node | None = None

    @property
    def kind(self) -> str:
        """The kind of a definition."""
        return self.capture.removeprefix(_DEFINITION)


class Notes:
    """All that was captured in a file, in the order of the source."""

    captures = (*(_DEFINITION + kind for kind in _KINDS), "owner", "namespace", *_BELONGING, *_OTHERS)
    """In the order in which nodes of the same extent are visited."""

    def __init__(self, into: Builder, rules: Rules) -> None:
        self.all: list[Note] = []
        self._into = into
        self._only = {capture: re.compile(pattern) for capture, pattern in rules.only.items()}
        self._open: list[Note] = []
        self._names: set[tuple[int, int]] = set()
        self._used: set[tuple[int, int]] = set()

    def is_name(self, start: int, end: int) -> bool:
        """Whether what lies between two bytes is the name of something that is declared there."""
        return (start, end) in self._names

    def take(self, capture: str, node: Node, start: int, end: int) -> None:
        """Takes note of a node. They come in the order of the source, the outermost first."""
        while self._open and self._open[-1].end <= start:
            self._open.pop()
        inside = self._open[-1] if self._open else None
        if capture in _BELONGING:
            if inside is not None:
                self._belongs(inside, capture, node, (start, end))
            return
        only, text, counts = self._only.get(capture), "", True
        if only is not None:
            found = only.match(self._into.between(start, min(end, start + _SEEN)))
            counts = found is not None
            text = (found.groupdict().get("module") or "") if found is not None else ""
        note = Note(capture, node, start, end, text)
        if capture in NAMED and not self._opens(note, inside, counts=counts):
            return
        if capture in _USES:  # of a name that is captured as several, the first
            counts = counts and (start, end) not in self._used
            self._used.add((start, end))
        if counts:
            self.all.append(note)

    def _opens(self, note: Note, inside: Note | None, *, counts: bool) -> bool:
        """Whether names inside belong to a node: of one that doesn't count they belong to nothing."""
        if inside is not None and (inside.start, inside.end) == (note.start, note.end):
            if inside.capture or not counts:
                return False
            self._open.pop()
        if not counts:
            note.capture = ""
        self._open.append(note)
        return True

    def _belongs(self, inside: Note, capture: str, node: Node, span: tuple[int, int]) -> None:
        if capture == "receiver":
            inside.receiver = inside.receiver or node
        elif capture == "body":
            inside.body = inside.body or node
        elif span not in self._names and (not inside.names or inside.kind in _SEVERAL):
            inside.names.append(node)
            self._names.add(span)
