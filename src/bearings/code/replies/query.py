"""What coderef_query answers."""

from pydantic import ConfigDict, Field

from bearings.code.models import Confidence, EdgeKind
from bearings.code.replies.element import IndexInfo, rest_of
from bearings.code.replies.elsewhere import Elsewhere
from bearings.reply import Part, Reply, SymbolName


class Relation(Part):
    """`from` uses `to` at `file`:`line`, `depth` steps from the target."""

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True, serialize_by_alias=True)

    from_: SymbolName = Field(alias="from")
    to: SymbolName
    type: EdgeKind
    file: SymbolName
    line: int
    depth: int
    confidence: Confidence
    reason: str
    text: SymbolName | None = None

    def to_text(self) -> str:
        """One line, and the line of source."""
        said = f"\n    {self.text}" if self.text else ""
        found = f"{self.type} {self.file}:{self.line}, {self.confidence}: {self.reason}"
        return f"{self.depth} {self.from_} → {self.to} ({found}){said}"


class Site(Part):
    """A use that no edge stands for, and why: external, builtin, ambiguous, unresolved, or guessed by its name."""

    name: SymbolName
    file: SymbolName
    line: int
    why: str
    text: SymbolName | None = None

    def to_text(self) -> str:
        """One line."""
        return f"  {self.name} at {self.file}:{self.line} ({self.why})" + (f" {self.text}" if self.text else "")


class Unresolved(Part):
    """The uses met on the way that no edge stands for, and guesses by name that were left out.

    `sites`: on its page each that is unresolved, ambiguous or guessed, behind the results; the first of the others.
    """

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
        return "\n".join([f"not followed: {said}", *(site.to_text() for site in self.sites)]) if said else ""


class QueryReply(Reply):
    """Edges, nearest first: `results_found` in all. `note` says what it means that there are none.

    `kinds` and `path` are what the list was limited to. `omitted` counts results and unresolved sites on later pages.
    `elsewhere`: where users are asked for and may be missing, the other lines that hold the target's word.
    """

    query_type: str
    target: SymbolName
    source: SymbolName | None = None
    kinds: list[EdgeKind] | None = None
    path: SymbolName | None = None
    results_found: int
    results: list[Relation]
    next_cursor: str | None = None
    omitted: int = 0
    unresolved: Unresolved
    note: str | None = None
    elsewhere: Elsewhere | None = None
    index: IndexInfo

    def to_text(self) -> str:
        """A head, then a line for each edge."""
        start = f"from {self.source} to " if self.source else ""
        kinds = f" [{', '.join(self.kinds)}]" if self.kinds else ""
        inside = f" in {self.path}" if self.path else ""
        head = f"{self.query_type}{kinds} {start}{self.target}{inside}: {self.results_found} results"
        head += f" {self.index.to_text()}"
        lines = [head, *(result.to_text() for result in self.results), *rest_of(self.omitted, self.next_cursor)]
        lines += [self.note or "", self.unresolved.to_text(), self.elsewhere.to_text() if self.elsewhere else ""]
        return "\n".join(line for line in lines if line)
