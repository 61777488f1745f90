"""What the code tools answer. Every path is relative to the project; text from it is cleaned and capped."""

from datetime import UTC, datetime
from typing import Literal
from urllib.parse import quote

from pydantic import ConfigDict, Field

from bearings.code.models import Confidence, EdgeKind, Language, Symbol, SymbolKind
from bearings.reply import Part, Reply
from bearings.untrusted import clean_line

# What a CodeRef calls each kind. Kinds that the grammar has no letter for take that of what they are most like.
_REF_TYPES = {
    SymbolKind.MODULE: "F",
    SymbolKind.FUNCTION: "Fn",
    SymbolKind.DECORATOR: "Fn",
    SymbolKind.CLASS: "Cl",
    SymbolKind.COMPONENT: "C",
    SymbolKind.HOOK: "H",
    SymbolKind.METHOD: "M",
    SymbolKind.CONSTRUCTOR: "M",
    SymbolKind.CONSTANT: "V",
    SymbolKind.VARIABLE: "V",
    SymbolKind.PROPERTY: "V",
    SymbolKind.INTERFACE: "I",
    SymbolKind.TYPE: "T",
    SymbolKind.ENUM: "T",
    SymbolKind.ENDPOINT: "A",
    SymbolKind.SCHEMA: "S",
}


def ref_of(symbol: Symbol) -> str:
    """The symbol as a CodeRef: `@Fn/src/auth.ts#login:24`. A name that the grammar can't hold is left to the line."""
    path = quote(symbol.file, safe="/~")
    if symbol.kind is SymbolKind.MODULE:
        return f"@F/{path}"
    name = symbol.qualified_name
    plain = all(part.lstrip("#").replace("$", "_").isidentifier() for part in name.split("."))
    return f"@{_REF_TYPES[symbol.kind]}/{path}{f'#{name}' if plain else ''}:{symbol.line}"


def path_line(text: str) -> str:
    """A path, name or id from a project, as it may stand in a reply."""
    return clean_line(text, 500)


class IndexInfo(Part):
    """What an answer was drawn from; no change before `fresh_at` was missed."""

    files: int
    elements: int
    revision: str
    fresh_at: str
    took_ms: float
    engine: str

    @staticmethod
    def moment(seconds: float) -> str:
        """A time as ISO 8601 in UTC."""
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def to_text(self) -> str:
        """The same, as a line's end."""
        return f"[{self.files} files, {self.elements} elements, revision {self.revision}, {self.took_ms:g} ms]"


class Element(Part):
    """A symbol. `ref` is its CodeRef."""

    type: SymbolKind
    name: str
    qualified_name: str
    file: str
    line: int
    end_line: int
    exported: bool
    ref: str

    @classmethod
    def of(cls, symbol: Symbol) -> "Element":
        """A symbol as replies show it."""
        return cls(
            type=symbol.kind,
            name=path_line(symbol.name),
            qualified_name=path_line(symbol.qualified_name),
            file=path_line(symbol.file),
            line=symbol.line,
            end_line=symbol.end_line,
            exported=symbol.exported,
            ref=path_line(ref_of(symbol)),
        )

    def to_text(self) -> str:
        """One line."""
        exported = " exported" if self.exported else ""
        return f"{self.type} {self.qualified_name} {self.file}:{self.line}-{self.end_line}{exported}"


class SkippedFile(Part):
    """A file, or a directory (its path ends in `/`), that is not in the index, and why."""

    path: str
    reason: str


class ScanReply(Reply):
    """The elements of a project: `elements_found` in all, this page's among them, counts of all.

    `omitted` are those after this page; `next_cursor` leads there.
    """

    elements_found: int
    by_type: dict[SymbolKind, int]
    by_language: dict[Language, int]
    elements: list[Element]
    next_cursor: str | None = None
    omitted: int = 0
    skipped: list[SkippedFile] = Field(default_factory=list)
    skipped_total: int = 0
    parse_errors: int = 0
    method: Literal["ast", "lexical"]
    index: IndexInfo

    def to_text(self) -> str:
        """A head, then a line for each element."""
        counts = ", ".join(f"{count} {kind}" for kind, count in self.by_type.items())
        lines = [
            f"{self.elements_found} elements{f': {counts}' if counts else ''} ({self.method}) {self.index.to_text()}"
        ]
        lines += [element.to_text() for element in self.elements]
        lines += _rest(self.omitted, self.next_cursor)
        if self.parse_errors:
            lines.append(f"{self.parse_errors} files could not be parsed completely")
        lines += [f"skipped {left.path}: {left.reason}" for left in self.skipped]
        if self.skipped_total > len(self.skipped):
            lines.append(f"… {self.skipped_total - len(self.skipped)} more skipped")
        return "\n".join(lines)


class Relation(Part):
    """`from` uses `to` at `file`:`line`, `depth` steps from the target."""

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True, serialize_by_alias=True)

    from_: str = Field(alias="from")
    to: str
    type: EdgeKind
    file: str
    line: int
    depth: int
    confidence: Confidence
    reason: str

    def to_text(self) -> str:
        """One line."""
        found = f"{self.type} {self.file}:{self.line}, {self.confidence}: {self.reason}"
        return f"{self.depth} {self.from_} → {self.to} ({found})"


class Site(Part):
    """A use that no edge stands for, and why: external, builtin, ambiguous or unresolved."""

    name: str
    file: str
    line: int
    why: str


class Unresolved(Part):
    """The uses met on the way that no edge stands for, and guesses by name that were left out. `sites` shows some."""

    external: int = 0
    builtin: int = 0
    ambiguous: int = 0
    unresolved: int = 0
    heuristic: int = 0
    sites: list[Site] = Field(default_factory=list)

    def to_text(self) -> str:
        """One line, then one for each site that is shown."""
        counts = ("external", "builtin", "ambiguous", "unresolved", "heuristic")
        said = ", ".join(f"{count} {name}" for name in counts if (count := getattr(self, name)))
        shown = [f"  {site.name} at {site.file}:{site.line} ({site.why})" for site in self.sites]
        return "\n".join([f"not followed: {said}", *shown]) if said else ""


class QueryReply(Reply):
    """Edges, nearest first: `results_found` in all. `note` says what it means that there are none."""

    query_type: str
    target: str
    source: str | None = None
    results_found: int
    results: list[Relation]
    next_cursor: str | None = None
    omitted: int = 0
    unresolved: Unresolved
    note: str | None = None
    index: IndexInfo

    def to_text(self) -> str:
        """A head, then a line for each edge."""
        start = f"from {self.source} to " if self.source else ""
        head = f"{self.query_type} {start}{self.target}: {self.results_found} results {self.index.to_text()}"
        lines = [head, *(result.to_text() for result in self.results), *_rest(self.omitted, self.next_cursor)]
        return "\n".join(line for line in (*lines, self.note or "", self.unresolved.to_text()) if line)


class Use(Part):
    """The element at the other end of an edge, and the line of the use."""

    element: str
    type: EdgeKind
    line: int
    confidence: Confidence

    def to_text(self) -> str:
        """One line."""
        return f"  {self.element} ({self.type}, line {self.line}, {self.confidence})"


class UseList(Part):
    """The first of `total` uses."""

    total: int
    items: list[Use]


class Reach(Part):
    """An element of a test file that reaches the element in `depth` steps."""

    element: str
    depth: int


class ReachList(Part):
    """The first of `total` tests, nearest first."""

    total: int
    items: list[Reach]


class SymbolReply(Reply):
    """One element: its text (`source_cut` lines of it left out), and what it is bound to."""

    element: Element
    language: Language
    signature: str | None = None
    doc: str | None = None
    source: str
    source_cut: int = 0
    callers: UseList
    callees: UseList
    references: UseList
    tests: ReachList
    unresolved: Unresolved
    unresolved_callers: int = 0
    index: IndexInfo

    def to_text(self) -> str:
        """The element, its source, its uses."""
        lines = [f"{self.element.to_text()} {self.index.to_text()}", self.element.ref]
        lines += [part for part in (self.signature, self.doc) if part]
        lines.append(self.source)
        if self.source_cut:
            lines.append(f"… {self.source_cut} more lines")
        for title, uses in (("callers", self.callers), ("callees", self.callees), ("references", self.references)):
            lines += [_title(title, uses.total, len(uses.items)), *(use.to_text() for use in uses.items)]
        if self.unresolved_callers:
            lines.append(f"{self.unresolved_callers} unresolved call sites have this name")
        lines.append(_title("tests", self.tests.total, len(self.tests.items)))
        lines += [f"  {test.element} ({test.depth} steps)" for test in self.tests.items]
        return "\n".join([*lines, *filter(None, [self.unresolved.to_text()])])


class ExportReply(Reply):
    """What was exported: to `path`, or in `content`. `omitted` counts the nodes left out."""

    format: str
    nodes_exported: int
    edges_exported: int
    omitted: int = 0
    path: str | None = None
    content: str | None = None
    index: IndexInfo

    def to_text(self) -> str:
        """A head, then the content, if it went nowhere else."""
        omitted = f", {self.omitted} nodes left out" if self.omitted else ""
        where = f" to {self.path}" if self.path else ""
        head = f"{self.nodes_exported} nodes, {self.edges_exported} edges{omitted} as {self.format}{where}"
        return "\n".join([f"{head} {self.index.to_text()}", *([self.content] if self.content else [])])


def _rest(omitted: int, cursor: str | None) -> list[str]:
    return [f"… {omitted} more: cursor {cursor}"] if omitted else []


def _title(name: str, total: int, shown: int) -> str:
    return f"{name}: {total}" + (f" (first {shown})" if shown < total else "")
