"""Names that stand as values: passed, assigned, compared, returned. Of them, those of the module's own and of imports.

What is called has a site of its own; what a function's own variable is called is nobody else's business.
"""

from collections.abc import Sequence
from operator import itemgetter

from tree_sitter import Node

from bearings.code.languages.shared.collector import Collected
from bearings.code.languages.shared.kinds import Bindings, Edges
from bearings.code.languages.shared.trees import Captures
from bearings.code.models import BindingKind, CallSite

_OWN = ("this.", "self.", "cls.")


def mentions(into: Collected, captures: Captures) -> tuple[CallSite, ...]:
    """Them as uses, each name once a line, in the order of the source. To be asked for at the end of a sweep."""
    names = {row.name for row in into.bindings if _is_outer(row.kind)}
    found = captures.among("value", names)
    for node in _operands(captures.of("m.binary")):
        text = into.text(node)
        if text in names:
            found.append((node.start_byte, text))
    for node in captures.of("chain"):
        text = into.text(node)
        if text.startswith(_OWN) or text.partition(".")[0] in names:
            found.append((node.start_byte, text))
    if not found:
        return ()
    found.sort(key=itemgetter(0))
    around = _Around(into)
    once = dict.fromkeys([(into.row(start) + 1, text) for start, text in found])
    uses = [around.use(line, text) for line, text in once]
    return tuple([use for use in uses if use is not None])


def _is_outer(kind: BindingKind) -> bool:
    """Whether it is a kind of the module's own names; a set would ask for the enum's hash, which takes longer."""
    return kind is Bindings.SYMBOL or kind is Bindings.IMPORT


def _operands(expressions: Sequence[Node]) -> list[Node]:
    """The names that are operands."""
    given = [node.child_by_field_name(side) for node in expressions for side in ("left", "right")]
    return [node for node in given if node is not None and node.type == "identifier"]


class _Around:
    """Which declaration is around a line, and whether it has a variable of a name itself."""

    def __init__(self, into: Collected) -> None:
        self._into = into
        self._drafts = sorted(range(len(into.drafts)), key=lambda index: into.drafts[index].line)
        self._at = self._line = 0
        self._open: list[int] = []
        self._inside: dict[int, set[str]] = {}
        literals = {int(name[1:]) for name in into.objects.values()}
        for row in into.bindings:
            if row.scope and not _is_outer(row.kind) and row.scope not in literals:
                self._inside.setdefault(into.scopes[row.scope][2], set()).add(row.name)

    def use(self, line: int, text: str) -> CallSite | None:
        """A mention at a line, lines never going back; None where it is a variable of a function around."""
        root = "" if text.startswith(_OWN) else text.partition(".")[0]
        innermost = -1
        for symbol in self._around(line):
            if root in self._inside.get(symbol, ()):
                return None
            if innermost < 0 and self._into.drafts[symbol].inner >= 0:
                innermost = self._into.drafts[symbol].inner
        return CallSite(Edges.REFERENCE, text, line, max(innermost, 0))

    def _around(self, line: int) -> list[int]:
        """The declarations around a line, innermost first."""
        if line != self._line:
            self._line, drafts = line, self._into.drafts
            began = self._at
            while self._at < len(self._drafts) and drafts[self._drafts[self._at]].line <= line:
                self._at += 1
            if self._at > began:
                self._open = [*reversed(self._drafts[began : self._at]), *self._open]
            self._open = [symbol for symbol in self._open if drafts[symbol].end_line >= line]
        return self._open
