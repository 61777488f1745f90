"""The reply of coderef_query."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import field
from msgspec.structs import replace

from bearings.code.models import Confidence, EdgeKind
from bearings.code.replies.element import IndexInfo, known, rest_of
from bearings.code.replies.elsewhere import Elsewhere
from bearings.code.replies.lines import (
    LinedReply,
    Place,
    Row,
    brief,
    by_depth,
    lines_of,
    most_common,
    parts_of_id,
    site,
    within_element,
)
from bearings.reply import Part, SymbolName


class Relation(Part):
    """`from` uses `to` at `file`:`line` (`text`), `depth` steps from the target."""

    from_: SymbolName = field(name="from")
    to: SymbolName
    type: EdgeKind
    file: SymbolName
    line: int
    depth: int
    confidence: Confidence
    reason: str
    text: SymbolName | None = None

    def placed(self) -> Row:
        """The line alone; further remarks depend on the query (QueryReply)."""
        return self.file, site(self.line, [], self.text)

    def to_text(self) -> str:
        """One line, and the line of source."""
        extra = f"\n    {self.text}" if self.text else ""
        found = f"{self.type} {self.file}:{self.line}, {self.confidence}: {self.reason}"
        return f"{self.depth} {self.from_} → {self.to} ({found}){extra}"


class Site(Part):
    """A use without an edge, and the reason: external, builtin, ambiguous, unresolved, or guessed by its name."""

    name: SymbolName
    file: SymbolName
    line: int
    why: str
    text: SymbolName | None = None

    def placed(self) -> Row:
        """The line, the reason, and its text, else the used name."""
        return self.file, site(self.line, [self.why], self.text or self.name)

    def to_text(self) -> str:
        """One line."""
        return f"  {self.name} at {self.file}:{self.line} ({self.why})" + (f" {self.text}" if self.text else "")


class Unresolved(Part):
    """Uses without an edge among the results, and guesses by name that were left out.

    `sites`: unresolved, ambiguous and guessed ones, paged after the results; and the first of the others.
    `above` counts sites of the page that the same reply lists before.
    """

    external: int = 0
    builtin: int = 0
    ambiguous: int = 0
    unresolved: int = 0
    heuristic: int = 0
    sites: list[Site] = field(default_factory=list)
    above: int = 0

    def lined_text(self) -> str:
        """One line, then the sites, with those of a file together."""
        return "\n".join([self._head(), *lines_of(self.sites)]) if self._head() else ""

    def to_text(self) -> str:
        """One line, then one for each site."""
        return "\n".join([self._head(), *(site.to_text() for site in self.sites)]) if self._head() else ""

    def _head(self) -> str:
        counts = ("external", "builtin", "ambiguous", "unresolved", "heuristic")
        extra = ", ".join(f"{count} {name}" for name in counts if (count := getattr(self, name)))
        above = f" ({self.above} of them above)" if self.above else ""
        return f"not followed: {extra}{above}" if extra else ""


def _name_of(element: str) -> str:
    """An element's qualified name, with the marks of its id; a file's path."""
    found = parts_of_id(element.strip("«»"))
    return within_element(element, found[0]) if found else element


def _innermost(names: Iterable[str]) -> list[str]:
    """Names without those of elements that contain another of them."""
    names = list(names)
    return [name for name in names if not any(other.startswith(f"{name}.") for other in names)]


class QueryReply(LinedReply):
    """Edges, nearest first: `results_found` in total; unknown if absent. `note` explains an empty list.

    As lines, the uses on one line are merged, and `common` is the kind and confidence of lines that don't show theirs.
    `kinds` and `path` limit the list. `omitted` counts results and unresolved sites on later pages. `elsewhere`: other
    lines with the target's word, if users may be missing.
    """

    query_type: str
    target: SymbolName
    source: SymbolName | None = None
    kinds: list[EdgeKind] | None = None
    path: SymbolName | None = None
    results_found: int | None = None
    common: str | None = None
    results: list[Relation]
    next_cursor: str | None = None
    omitted: int = 0
    unresolved: Unresolved
    note: str | None = None
    elsewhere: Elsewhere | None = None
    index: IndexInfo

    _IN_HEADING = frozenset({"query_type", "target", "source", "kinds", "path", "results_found", "index"})

    def brief(self) -> dict[str, Any]:
        """As lines."""
        kind = most_common([str(relation.type) for relation in self.results])
        fields = brief(replace(self, common=f"{kind}, exact" if kind else None, results=[]))
        return {**fields, "results": by_depth(self._rows(kind))}

    def _rows(self, common: str) -> Iterator[tuple[int, Row]]:
        """The uses by depth, those on one line merged."""
        together: dict[tuple[int, str, int], list[Relation]] = {}
        for relation in self.results:
            depth = 1 if self.query_type == "path" else relation.depth
            together.setdefault((depth, relation.file, relation.line), []).append(relation)
        named = self._named() if self.query_type.endswith("-me") else {}
        for (depth, file, line), relations in together.items():
            kinds = dict.fromkeys(str(relation.type) for relation in relations)
            about = [self._ends(relations, named), *([] if list(kinds) == [common] else kinds)]
            about += dict.fromkeys(str(one.confidence) for one in relations if one.confidence is not Confidence.EXACT)
            yield depth, (file, site(line, about, relations[0].text))

    def _named(self) -> dict[str, str]:
        """The ids of the used elements, each with its name if the name is unique among them."""
        names = {one.to: _name_of(one.to) for one in self.results}
        times = Counter(names.values())
        return {element: name for element, name in names.items() if times[name] == 1}

    def _ends(self, relations: Sequence[Relation], named: Mapping[str, str]) -> str:
        """The users and used elements, except the target and those that the place shows."""
        subject = self.source if self.query_type == "path" else self.target
        back = self.query_type.endswith("-me")
        users = [within_element(one.from_, one.file) for one in relations if back or one.from_ != subject]
        inside = ", ".join(_innermost(dict.fromkeys(filter(None, users))))
        used = [named.get(one.to, one.to) for one in relations if not (back and one.to == self.target)]
        to = ", ".join(dict.fromkeys(used))
        return " ".join(filter(None, [f"in {inside}" if inside else "", f"→ {to}" if to else ""]))

    def places(self) -> Iterator[Place]:
        """The place of each use."""
        return ((one.file, one.line) for one in self.results)

    def heading(self) -> str:
        """The query, and the number of results."""
        start = f"from {self.source} to " if self.source else ""
        kinds = f" [{', '.join(self.kinds)}]" if self.kinds else ""
        inside = f" in {self.path}" if self.path else ""
        found = f"{known(self.results_found)} results {self.index.to_text()}"
        return f"{self.query_type}{kinds} {start}{self.target}{inside}: {found}"

    def full_text(self) -> str:
        """A head, then a line for each edge."""
        lines = [
            self.heading(),
            *(result.to_text() for result in self.results),
            *rest_of(self.omitted, self.next_cursor),
        ]
        lines += [self.note or "", self.unresolved.to_text(), self.elsewhere.to_text() if self.elsewhere else ""]
        return "\n".join(line for line in lines if line)
