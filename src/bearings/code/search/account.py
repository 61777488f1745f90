"""Accounts for every occurrence of a name in code: each belongs to one class, by what the graph and its file know.

    FileAccount(facts, graph, "src/cart.ts", Named("total")).verdicts(occurrences)
    # [("declarations", ""), ("uses", ""), ("unresolved", "of unknown types")]

The uses on a line explain the occurrences on it: they are in the answer. An occurrence without a use is looked up in
the scopes of its file. What nothing explains is unresolved, and counted as that. Beside a known use, all occurrences
on the line count as known.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from bearings.code.file_facts import FileFacts, Import
from bearings.code.graph.project_graph import Graph
from bearings.code.grouping import grouped
from bearings.code.languages import spec_of
from bearings.code.languages.shared.occurrences import Occurrence, Part, ScopeKey
from bearings.code.models import Edge, EdgeKind, Outside, Symbol, SymbolKind
from bearings.code.replies.account import Account
from bearings.code.resolve.file_summary import MAYBE_OWN, last_name
from bearings.code.symbol_keys import MARK

Verdict = tuple[str, str]
"""A class, as the field of Account that counts it, and the reason of an unresolved occurrence."""

Name = tuple[str, str]
"""The file and the qualified name of an element."""


class Named(NamedTuple):
    """A name, the elements that the answer is about, and elements of the name at the top of files."""

    name: str
    own: frozenset[Name] = frozenset()
    namesakes: Collection[Symbol] = ()


_LONGEST = 200
"""The most lines of a statement that are looked through, back from an occurrence."""
_TEXT = frozenset({Part.STRING, Part.COMMENT, Part.LISTED})
_BINDING = frozenset({Part.BINDING, Part.HEAD})
_DEFINING = _BINDING | {Part.DECLARED, Part.PATTERN, Part.KEY, Part.MEMBER}
_LOOKED_UP = _BINDING | {Part.NAME, Part.SHORTHAND}
_LISTED = frozenset({Part.IMPORTED, Part.REEXPORTED, Part.EXPORTED, Part.DECLARED})
_REPEATED = frozenset({EdgeKind.TYPE, EdgeKind.EXTENDS, EdgeKind.IMPLEMENTS, EdgeKind.JSX})
"""Uses of which one edge, on the first line of a statement, may stand for several occurrences."""
_WHOLE = frozenset({"", "*", "=", "default"})
"""Imports of a module, or of its element of any name."""
_SELVES = frozenset({"self", "cls", "this", "super"})

_USE: Verdict = ("uses", "")
_OTHER: Verdict = ("others", "")
_GUESS: Verdict = ("guesses", "")
_LIBRARY: Verdict = ("library", "")
_LOCAL: Verdict = ("locals", "")
_KEY: Verdict = ("keys", "")
_DECLARED: Verdict = ("declarations", "")
_OF_UNKNOWN: Verdict = ("unresolved", "members of unknown types")
_OF_LIBRARIES: Verdict = ("unresolved", "members of what libraries give")
_AMBIGUOUS: Verdict = ("unresolved", "ambiguous")
_NOT_FOLLOWED: Verdict = ("unresolved", "not followed")
_BROKEN: Verdict = ("unresolved", "in broken syntax")


def in_code(found: Iterable[Occurrence]) -> list[Occurrence]:
    """The occurrences that are identifiers: neither in strings and comments, nor keywords and parts of other words."""
    return [one for one in found if one.part not in _TEXT and (one.part is not Part.OTHER or one.first_line)]


def account_of(name: str, verdicts: Iterable[Verdict]) -> Account:
    """The number of occurrences in each class."""
    counts = Counter(verdicts)
    unresolved = {why: count for (kind, why), count in counts.most_common() if kind == "unresolved"}
    plain = {kind: count for (kind, _), count in counts.items() if kind != "unresolved"}
    return Account(name=name, tokens=counts.total(), unresolved=unresolved, **plain)


class FileAccount:
    """Classifies the occurrences of a name in one file. Raises NeedsIndex."""

    def __init__(self, facts: Mapping[str, FileFacts], graph: Graph, path: str, named: Named) -> None:
        self._all_facts, self._graph, self._path, self._named = facts, graph, path, named
        self._name, self._facts = named.name, facts[path]
        uses = graph.uses_in(path, {named.name})
        imports = [row for row in self._facts.imports if row.local == named.name]
        self._imported = {row.line: _led_by(row, uses.edges, uses.outside) for row in imports}
        names = {named.name, *(row.name for row in imports)}
        is_any = not _WHOLE.isdisjoint(names)
        self._edges = grouped(
            (edge.line, edge)
            for edge in uses.edges
            if edge.kind is not EdgeKind.IMPORT and (is_any or _target(edge)[1].rpartition(".")[2] in names)
        )
        self._outside = grouped((row.line, row) for row in uses.outside if last_name(row) == named.name)
        self._bound: dict[ScopeKey, set[str]] = {}
        self._explained: set[int] = set()

    def verdicts(self, found: Iterable[Occurrence]) -> list[Verdict]:
        """The verdict on each occurrence in code, in order."""
        code = in_code(found)
        defined = set(self._definitions(code))
        for one in code:
            if one.scope is not None and (one.part in _BINDING or one.part is Part.PATTERN or one.binds):
                kind = "element" if one in defined else "import" if one.line in self._imported else "local"
                self._bound.setdefault(one.scope, set()).add(kind)
        known = {one: _DECLARED if one in defined else self._by_use(one) for one in code}
        self._explained = {one.line for one, verdict in known.items() if verdict}
        owners = self._modules({one.owner for one, verdict in known.items() if verdict is None and one.owner})
        return [known[one] or self._without_use(one, owners) for one in code]

    def _definitions(self, code: Sequence[Occurrence]) -> Iterator[Occurrence]:
        """The occurrences that define elements, and the types of receivers of methods outside of their type."""
        facts, name = self._facts, self._name
        own = [symbol for symbol in facts.symbols if symbol.name == name and symbol.kind is not SymbolKind.ENDPOINT]
        for symbol in own:
            inside = (one for one in code if symbol.line <= one.line <= symbol.end_line and one.part in _DEFINING)
            yield from (one for one in [next(inside, None)] if one is not None)
        spec = spec_of(self._path)
        if spec is not None and spec.implicit_interfaces:
            lines = {one.line for one in facts.symbols if one.qualified_name == f"{name}.{one.name}"}
            heads = {one.line: one for one in reversed(code)}
            yield from (heads[line] for line in lines if line in heads and heads[line].part is Part.NAME)

    def _by_use(self, one: Occurrence) -> Verdict | None:
        """The verdict by the uses on an occurrence's lines, if they may be its own."""
        is_local = one.part in _LOOKED_UP and one.scope is not None and self._bound.get(one.scope) == {"local"}
        if is_local or one.part in _LISTED or one.part in (Part.OTHER, Part.BROKEN):
            return None
        lines = [line for line in dict.fromkeys((one.line, one.call_line)) if line]
        edges = [edge for line in lines for edge in self._edges.get(line, ())]
        return self._by_edges(edges) or self._by_outside(one, lines)

    def _by_edges(self, edges: Collection[Edge]) -> Verdict | None:
        sure = [_target(edge) for edge in edges if not edge.is_guess]
        if not sure:
            return _GUESS if edges else None
        return _OTHER if self._named.own.isdisjoint(sure) else _USE

    def _by_outside(self, one: Occurrence, lines: Iterable[int]) -> Verdict | None:
        is_member = one.part not in _LOOKED_UP
        rows = [row for line in lines for row in self._outside.get(line, ()) if ("." in row.name) == is_member]
        row = next((row for row in rows if row.name.partition(".")[0] == one.owner), rows[0] if rows else None)
        if row is None:
            return None
        if row.why in MAYBE_OWN:
            return _AMBIGUOUS if row.why == "ambiguous" else _OF_UNKNOWN if is_member else _NOT_FOLLOWED
        # `random.choice(carts).total()` is a member of what a library gives, which may be an element of the project.
        root = row.name.partition(".")[0]
        is_direct = not is_member or root in _SELVES or any(each.local == root for each in self._facts.imports)
        return _LIBRARY if is_direct or self._is_global(root) else _OF_LIBRARIES

    def _is_global(self, name: str) -> bool:
        return name.isidentifier() and all(row.name != name for row in self._facts.bindings)

    def _without_use(self, one: Occurrence, owners: Mapping[str, Verdict]) -> Verdict:
        """The verdict on an occurrence on whose lines no use is known."""
        bound = self._bound.get(one.scope, set()) if one.scope is not None else set[str]()
        match one.part:
            case Part.BROKEN:
                return _BROKEN
            case Part.OTHER:
                return _LOCAL
            case Part.KEY:
                return _KEY
            case Part.IMPORTED | Part.REEXPORTED | Part.EXPORTED | Part.DECLARED:
                return _DECLARED
            case Part.BINDING | Part.HEAD:
                return _DECLARED if one.line in self._imported else _LOCAL
            case Part.MEMBER:
                return self._in_statement(one) or owners.get(one.owner, _OF_UNKNOWN)
            case Part.PATTERN:
                return _OF_UNKNOWN
        if bound == {"local"}:
            return _LOCAL
        exports = (row.name for row in self._facts.exports if one.first_line <= row.line <= one.line)
        if one.part is Part.NAME and not _WHOLE.union({self._name}).isdisjoint(exports):
            return _DECLARED
        if in_statement := self._in_statement(one):
            return in_statement
        led = set(self._imported.values())
        if bound == {"import"} and len(led) == 1:
            return led.pop()
        return _NOT_FOLLOWED if bound or self._may_be_shared() else _LIBRARY

    def _in_statement(self, one: Occurrence) -> Verdict | None:
        """The verdict by a use on an earlier line of the same statement that explains nothing there."""
        for line in range(one.line - 1, max(one.first_line, one.line - _LONGEST) - 1, -1):
            edges = self._edges.get(line, [])
            verdict = self._by_edges([each for each in edges if each.kind in _REPEATED or line not in self._explained])
            if verdict is not None:
                return verdict
        return None

    def _may_be_shared(self) -> bool:
        """Whether a name that no scope of the file declares may be an element of another file."""
        spec, folder = spec_of(self._path), self._path.rpartition("/")[0]
        others = [one for one in self._named.namesakes if one.file != self._path and not one.inside]
        if spec is None or spec.imports_folders:
            return any(one.file.rpartition("/")[0] == folder for one in others)
        if spec.paths_sharing_names:
            facts = [self._all_facts[one.file] for one in others]
            return any(not (each.imports and each.exports) for each in facts)
        return bool(others) and any(row.name == "*" and not row.local for row in self._facts.imports)

    def _modules(self, owners: Collection[str]) -> dict[str, Verdict]:
        """The verdicts on members of those names that the file imports: of a library, or of a module of the project."""
        rows = [row for row in self._facts.imports if row.local in owners]
        if not rows:
            return {}
        uses = self._graph.uses_in(self._path, {self._name, *(row.local for row in rows)})
        led = {row: _led_by(row, uses.edges, uses.outside) for row in rows}
        return {
            row.local: _NOT_FOLLOWED if verdict is _OTHER else verdict
            for row, verdict in led.items()
            if verdict is not _NOT_FOLLOWED
        }


def _led_by(row: Import, edges: Iterable[Edge], outside: Iterable[Outside]) -> Verdict:
    """The verdict on names that an import binds and no use explains."""
    if any(edge.line == row.line and edge.kind is EdgeKind.IMPORT for edge in edges):
        return _OTHER if row.name in ("*", "") else _NOT_FOLLOWED
    why = next((one.why for one in outside if one.line == row.line and one.name == row.module), "")
    return _LIBRARY if why and why not in MAYBE_OWN else _NOT_FOLLOWED


def _target(edge: Edge) -> Name:
    """The file and the qualified name of an edge's target, which is a key."""
    path, _, name = edge.target.partition(MARK)
    return path, name.partition(MARK)[0]
