"""The reply of coderef_explore."""

from msgspec import field
from msgspec.structs import replace

from bearings.code.models import SymbolKind
from bearings.code.replies.element import IndexInfo, title_of
from bearings.code.replies.elsewhere import Mentioned, Unread, counted_lines
from bearings.reply import Part, Prose, Reply, SourceText, SymbolName


class Answering(Part):
    """An element that answers the question, and why.

    Every tool accepts `element`. `source` begins at `source_line` of the file (0: it lists the heads of the element's
    members by line); `source_cut` lines are left out. `used_by` and `tests` are the first of theirs, uses as
    `path:line [in element] source`. If `unknown` is set, uses are guesses and their total is unknown. `mentioned`: no
    use is known, but these lines contain the word.
    """

    element: SymbolName
    type: SymbolKind
    end_line: int
    exported: bool
    why: str | None = None
    signature: SymbolName | None = None
    doc: Prose | None = None
    source: SourceText | None = None
    source_line: int = 0
    source_cut: int = 0
    used_by: list[SymbolName] = field(default_factory=list)
    used_by_total: int | None = 0
    tests: list[SymbolName] = field(default_factory=list)
    tests_total: int | None = 0
    mentioned: Mentioned | None = None
    unknown: str | None = None

    def to_text(self) -> str:
        """The element, its text, its uses."""
        why = f" – {self.why}" if self.why else ""
        parts = [f"{self.type} {self.element} (to line {self.end_line}){' exported' if self.exported else ''}{why}"]
        parts += [part for part in (self.doc, self.signature, self.source) if part]
        parts += [f"… {self.source_cut} more lines"] if self.source_cut else []
        parts += [f"{title_of('used by', self.used_by_total, len(self.used_by))}{self._elsewhere()}"]
        parts += [f"  {use}" for use in self.used_by]
        parts += [f"  {self.unknown}"] if self.unknown else []
        if self.tests_total:
            parts += [title_of("tests", self.tests_total, len(self.tests)), *(f"  {test}" for test in self.tests)]
        return "\n".join(parts)

    def _elsewhere(self) -> str:
        """The lines with its word, if no use is known."""
        known = "" if self.used_by_total is None else " known"
        if self.mentioned is None:
            return "" if self.used_by_total else f"{known}; its word was not looked for"
        if not self.mentioned.places:
            return f"{known}; its word stands on no other line"
        first = f", first {self.mentioned.first.to_text().strip()}" if self.mentioned.first else ""
        return f"{known}; its word is on {counted_lines(self.mentioned.places, self.mentioned.files)}{first}"


class NextCall(Part):
    """A suggested next call, with the same project_path."""

    tool: str
    arguments: dict[str, SymbolName]
    why: str

    def to_text(self) -> str:
        """One line."""
        said = ", ".join(f'"{name}": "{value}"' for name, value in self.arguments.items())
        return f"  {self.tool} {{{said}}} – {self.why}"


class ExploreReply(Reply):
    """The interpretation of the question, and the elements and lines that answer it, the best first.

    Each of `lines` is `path:line [in element] source`. `elements_total` and `lines_total` count all matches. `near` are
    similar names in the project, if nothing was found.
    """

    understood_as: str
    elements: list[Answering] = field(default_factory=list)
    elements_total: int = 0
    lines: list[SymbolName] = field(default_factory=list)
    lines_total: int = 0
    files: int = 0
    near: list[SymbolName] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    next: list[NextCall] = field(default_factory=list)
    note: str | None = None
    index: IndexInfo

    def noting(self, note: str) -> "ExploreReply":
        """A copy with a note about the question."""
        return replace(self, note=" ".join(filter(None, (note, self.note))))

    def to_text(self) -> str:
        """The interpretation, the elements, the lines, and the next calls."""
        parts = [f"understood as {self.understood_as} {self.index.to_text()}"]
        if self.elements_total:
            parts.append(title_of("elements", self.elements_total, len(self.elements)))
        for number, element in enumerate(self.elements, 1):
            parts += ["", f"{number}. {element.to_text()}"]
        if self.lines_total:
            files = f" in {self.files} {'file' if self.files == 1 else 'files'}"
            parts += ["", title_of(f"lines{files}", self.lines_total, len(self.lines))]
            parts += [f"  {line}" for line in self.lines]
        parts += [self.note] if self.note else []
        parts += [f"spelled alike: {', '.join(self.near)}"] if self.near else []
        if self.unread:
            parts.append(f"not read, only searched: {', '.join(row.to_text() for row in self.unread)}")
        parts += ["", "next:", *(call.to_text() for call in self.next)] if self.next else []
        return "\n".join(parts)
