"""Compares a project before and after edits: what would no longer parse, be found, or lead where it leads."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import language_of
from bearings.code.models import IMPORTS, Confidence, Edge, EdgeKind, Outside, Symbol, SymbolKind, last_part
from bearings.code.refactoring.plans import Row
from bearings.code.resolve.file_summary import MAYBE_OWN
from bearings.code.search.view import WholeGraph
from bearings.code.syntax_trees import line_of_error

_UseKey = tuple[str, str, EdgeKind]
"""A use: its source, its target or the name of that, and its kind."""


class Damage(NamedTuple):
    """What edits would break. `by_types`: members that code would no longer have, because a value has another type."""

    rows: list[Row]
    by_types: list[Row]

    @property
    def all(self) -> list[Row]:
        """All of it."""
        return [*self.rows, *self.by_types]


def damage(
    view: WholeGraph,
    sources: Mapping[str, bytes | None],
    *,
    moved: Mapping[str, str] | None = None,
    gone: Collection[str] = (),
    rewritten: Mapping[str, range] | None = None,
    followed: Collection[tuple[str, int]] = (),
) -> Damage:
    """Return the syntax errors, and the uses that would be lost or lead elsewhere with other contents of some files.

    `sources` are as in WholeGraph.with_sources. `moved` has the new place of elements and files, without lines, which
    the elements inside them share: `a.py#Box` → `b.py#Box`; an id with its line is of that element alone. `gone` are
    ids of elements that go, `rewritten` the former lines of files whose code is new, so that uses in it may go. Other
    lines are not compared, as edits add and remove some. On the `followed` lines scopes tell the uses of what moves,
    where the graph may be wrong. Raises Lost, NeedsIndex.
    """
    before, moves, new = view.snapshot, moved or {}, rewritten or {}
    after, touched = view.with_sources(sources)
    files = {*sources, *touched}
    if not before.graph.is_whole:
        ids = [symbol.id for key in moves for symbol in before.graph.find(key)]
        ids += [symbol.id for path, lines in new.items() for symbol in _inside(before, path, lines)]
        before.graph.expect(ids)
        files |= {edge.file for id_ in ids for edge in before.graph.edges_to(id_)}
        ids = [symbol.id for place in moves.values() for symbol in after.graph.find(place)] if followed else []
        after.graph.expect(ids)
        files |= {edge.file for id_ in ids for edge in after.graph.edges_to(id_)}
    found = Damage(list(_errors(before, after, sources, moves)), [])
    by_scopes = {(path, line, target) for path, line in followed for target in moves.values()}
    former = _Uses(before, files, moves, frozenset(gone), new, by_scopes)
    present = _Uses(after, {moves.get(path, path) for path in files}, {}, frozenset(), {}, by_scopes)
    lost = set[tuple[str, str]]()
    for (source, target, kind), edges in former.edges.items():
        for edge in edges[len(present.edges.get((source, target, kind), ())) :]:
            lost.add((_moved(edge.source, moves), _name(target)))
            rows = found.by_types if edge.confidence is Confidence.STRONG else found.rows
            rows.append((edge.file, edge.line, f"a {edge.kind} of {target} would be lost, or lead elsewhere"))
    own = {_moved(symbol.id, moves) for path, lines in new.items() for symbol in _inside(before, path, lines)}
    own |= {*new, *(present.sources - former.sources)}
    names = {_name(place) for place in moves.values()} - {_name(key) for key in moves}
    for key, edges in present.edges.items():
        if key[1] in moves.values() and _name(key[1]) in names and len(edges) > len(former.edges.get(key, ())):
            found.rows.append((edges[-1].file, edges[-1].line, f"a {edges[-1].kind} would lead to {key[1]}"))
    for (source, name, kind), uses in present.unknown.items():
        is_told = source in own or (source, last_part(name)) in lost or not names.isdisjoint(name.split("."))
        if not is_told and len(uses) > len(former.unknown.get((source, name, kind), ())):
            found.rows.append((uses[-1].file, uses[-1].line, f"{name} would not be found here"))
    return found


def _name(key: str) -> str:
    return last_part(key.rpartition("#")[2])


class _Uses:
    """The uses in some files, by keys without lines: sources and targets are where they are after the moves."""

    def __init__(
        self,
        snapshot: Snapshot,
        files: Iterable[str],
        moves: Mapping[str, str],
        gone: frozenset[str],
        new: Mapping[str, range],
        by_scopes: Collection[tuple[str, int, str]],
    ) -> None:
        self.sources = set[str]()
        self.edges: dict[_UseKey, list[Edge]] = {}
        self.unknown: dict[_UseKey, list[Outside]] = {}
        graph, where = snapshot.graph, cache(lambda id_: _moved(id_, moves))
        for path in sorted(files):
            lines = new.get(path, range(0))
            for id_ in dict.fromkeys(symbol.id for symbol in graph.outline(path)):
                self.sources.add(where(id_))
                for edge in graph.edges_from(id_) if id_ not in gone else ():
                    source, target = where(id_), where(edge.target)
                    is_new = edge.line in lines or edge.target in gone or (edge.file, edge.line, target) in by_scopes
                    if not (is_new or edge.is_guess or _is_any_import(edge, source, target)):
                        # Decorators of an element that moves are uses in its module.
                        key = ("" if id_ == path else source, target, edge.kind)
                        self.edges.setdefault(key, []).append(edge)
                for use in graph.outside_by_source.get(id_, ()):
                    if use.why in MAYBE_OWN:
                        self.unknown.setdefault((where(id_), use.name, use.kind), []).append(use)


def _is_any_import(edge: Edge, source: str, target: str) -> bool:
    """Whether it is an edge of an import to a module, or to a name that its file would declare: either may go."""
    is_own = source.partition("#")[0] == target.partition("#")[0]
    return edge.kind in IMPORTS and (is_own or not edge.is_name_of_import)


def _errors(
    before: Snapshot, after: Snapshot, sources: Mapping[str, bytes | None], moves: Mapping[str, str]
) -> Iterator[Row]:
    """The files that would have more syntax errors."""
    origins = {new: old for old, new in moves.items()}
    for path, data in sources.items():
        language = language_of(path)
        former = before.facts.get(origins.get(path, path))
        if language is not None and data is not None and path in after.facts:
            errors = former.errors if former is not None else 0
            if after.facts[path].errors > errors:
                yield path, line_of_error(language, data), "the file would have a syntax error"


def _moved(id_: str, moves: Mapping[str, str]) -> str:
    """An id without its line, where the moves put it: by the id, or by the element around it."""
    if id_ in moves:
        return moves[id_]
    path, mark, rest = id_.partition("#")
    name = rest.rpartition(":")[0]
    ends = [at for at, char in enumerate(name) if char == "."]
    for end in (len(name), *reversed(ends)) if mark else ():
        if (place := moves.get(f"{path}#{name[:end]}")) is not None:
            return place + name[end:]
    return moves.get(path, path) + mark + name


def _inside(snapshot: Snapshot, path: str, lines: range) -> Iterator[Symbol]:
    """The elements of a file on some lines."""
    return (one for one in snapshot.graph.outline(path) if one.line in lines and one.kind is not SymbolKind.MODULE)
