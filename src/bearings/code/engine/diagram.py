"""Answers Diagram: the most telling part of the graph, small enough to be read at a glance."""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bearings.code.analyses.capabilities import counted, unfollowed, without
from bearings.code.analyses.members import with_members
from bearings.code.analyses.reach import certain
from bearings.code.engine.export import STROKES
from bearings.code.engine.questions.diagram import Diagram, Diagrammed
from bearings.code.engine.targets import one
from bearings.code.formats import dot, mermaid
from bearings.code.formats.drawing import Arrow, Box, Drawing, Look
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.spec import Capability
from bearings.code.models import EdgeKind, Symbol, SymbolKind
from bearings.code.project import is_aside, is_test
from bearings.untrusted import escape_line, named

MAX_BOXES = 24
MAX_ARROWS = 36
"""Chosen by looking: with more, arrows cross too often to be followed."""

_FEW_BOXES = 6
"""Fewer tell nothing: then folders are rather opened a level more, and the busiest drawn."""
_MOST_OF = 0.4
_MEMBERS = 8
"""Parts of a class or the like that are drawn one by one; one with more is a single box, with what is around it."""
_TESTS = 4
"""Files of tests around an element that are drawn one by one; more of them are one box."""
_ALL_TESTS = "//tests"
"""The place of that box: no path begins so."""

_KINDS = {
    "dependencies": frozenset(EdgeKind),
    "calls": frozenset({EdgeKind.CALL, EdgeKind.NEW, EdgeKind.JSX}),
    "imports": frozenset({EdgeKind.IMPORT, EdgeKind.EXPORT}),
    "all": frozenset(EdgeKind),
}
_LABEL = 48

Link = tuple[str, str, EdgeKind | None]
"""From a place to another, and the kind of edge where kinds are drawn apart."""


@dataclass(frozen=True)
class _Scene:
    """What could be drawn: links with the number of edges that each stands for; `focus` are the places asked for."""

    links: Mapping[Link, int]
    focus: frozenset[str]


def diagram(snapshot: Snapshot, question: Diagram) -> Diagrammed:
    """Draws it. Raises ElementNotFound, Ambiguous, InvalidInput for the element."""
    symbol = one(snapshot, question.element, "element") if question.element is not None else None
    scene = _scene(snapshot, question, symbol)
    ranked = _near(scene, question.depth) if symbol else _busiest(scene)
    tests = [place for place in ranked if is_test(place) and place not in scene.focus] if symbol else []
    if len(tests) > _TESTS:
        scene = _with_tests_as_one(scene, frozenset(tests))
        ranked = _near(scene, question.depth)
    arrows = _telling(scene, set(ranked[:MAX_BOXES]))
    linked = {place for link in arrows for place in link[:2]}
    drawn = [place for place in ranked if place in linked] or ranked[:1]
    drawing = _drawing(snapshot, drawn, arrows, scene, len(tests))
    reached = set(ranked)
    return Diagrammed(
        text=(mermaid if question.format == "mermaid" else dot).encode(drawing).decode(),
        boxes=len(drawing.boxes),
        boxes_total=len(ranked),
        arrows=len(arrows),
        arrows_total=sum(link[0] in reached and link[1] in reached for link in scene.links),
        element=symbol.id if symbol else "",
        note="" if arrows else _why_empty(snapshot, question, symbol),
    )


def _telling(scene: _Scene, shown: Collection[str]) -> list[Link]:
    """The arrows between what is shown that are drawn: first the strongest of each box, so that none stands alone."""
    links = sorted(
        (link for link in scene.links if link[0] in shown and link[1] in shown),
        key=lambda link: (-scene.links[link], link[0], link[1], link[2] or ""),
    )
    strongest: dict[str, Link] = {}
    for link in links:
        for place in link[:2]:
            strongest.setdefault(place, link)
    return list(dict.fromkeys([*strongest.values(), *links]))[:MAX_ARROWS]


def _with_tests_as_one(scene: _Scene, tests: Collection[str]) -> _Scene:
    links: Counter[Link] = Counter()
    for (source, target, kind), count in scene.links.items():
        here, there = (_ALL_TESTS if place in tests else place for place in (source, target))
        if here != there:
            links[here, there, kind] += count
    return _Scene(links, scene.focus)


def _scene(snapshot: Snapshot, question: Diagram, symbol: Symbol | None) -> _Scene:
    """Files and folders, or elements if it is about one that is no file. An overview leaves tests out."""
    kinds = _KINDS[question.diagram_type]
    apart = question.diagram_type == "all"
    if symbol is not None and symbol.kind is not SymbolKind.MODULE and question.diagram_type != "imports":
        focus = frozenset(with_members(snapshot, symbol))
        if len(focus) <= _MEMBERS:
            return _around(snapshot, {one: [one] for one in sorted(focus)}, kinds, question.depth, apart)
        return _around(snapshot, {symbol.id: sorted(focus)}, kinds, question.depth, apart)
    links = {link: count for link, count in _between_files(snapshot).items() if link[2] in kinds}
    if symbol is not None:
        return _Scene(_folded(links, _itself, apart), frozenset({symbol.file}))
    own = {link: count for link, count in links.items() if not (_is_beside(link[0]) or _is_beside(link[1]))}
    return _Scene(_folded(own or links, _folds(own or links, question.depth), apart), frozenset())


@lru_cache(maxsize=1)
def _between_files(snapshot: Snapshot) -> Mapping[tuple[str, str, EdgeKind], int]:
    """How many sure edges of each kind lead from a file to another one."""
    counted: Counter[tuple[str, str, EdgeKind]] = Counter()
    for edge in certain(snapshot.graph.resolution.edges):
        target = _file_of(edge.target)
        if edge.file != target:
            counted[edge.file, target, edge.kind] += 1
    return counted


def _around(
    snapshot: Snapshot, focus: Mapping[str, list[str]], kinds: frozenset[EdgeKind], depth: int, apart: bool
) -> _Scene:
    """Elements at most `depth` steps from those in focus, forth only or back only. Keys of `focus` are the places."""
    graph = snapshot.graph
    place_of = {member: place for place, members in focus.items() for member in members}

    def members(place: str) -> Iterable[str]:
        if place in focus:
            return focus[place]
        return graph.within(place) if is_test(place) and place in snapshot.facts else (place,)

    def forth(place: str) -> Iterator[tuple[str, EdgeKind]]:
        for member in members(place):
            for edge in certain(graph.edges_from(member, kinds)):
                yield place_of.get(edge.target) or _gathered(edge.target), edge.kind

    def back(place: str) -> Iterator[tuple[str, EdgeKind]]:
        for member in members(place):
            for edge in certain(graph.edges_to(member, kinds)):
                yield place_of.get(edge.source) or _gathered(edge.source), edge.kind

    reached = set(focus)
    for step in (forth, back):
        seen = level = set(focus)
        for _ in range(depth):
            level = {there for here in level for there, _ in step(here)} - seen
            seen = seen | level
        reached |= seen
    links: Counter[Link] = Counter()
    for here in sorted(reached):
        for there, kind in forth(here):
            if there != here and there in reached:
                links[here, there, kind if apart else None] += 1
    return _Scene(links, frozenset(focus))


def _gathered(symbol_id: str) -> str:
    """An element itself, but for all tests of a file the file: what they test is drawn, not how many they are."""
    file = _file_of(symbol_id)
    return file if is_test(file) else symbol_id


def _folded(
    links: Mapping[tuple[str, str, EdgeKind], int], place_of: Callable[[str], str], apart: bool
) -> Counter[Link]:
    """Links between files as links between the places that stand for them."""
    counted: Counter[Link] = Counter()
    for (here, there, kind), count in links.items():
        source, target = place_of(here), place_of(there)
        if source != target:
            counted[source, target, kind if apart else None] += count
    return counted


def _itself(file: str) -> str:
    return file


def _file_of(symbol_id: str) -> str:
    return symbol_id.partition("#")[0]


def _is_beside(file: str) -> bool:
    """Whether a file tests the project, or only goes with it."""
    return is_test(file) or is_aside(file)


def _folds(links: Iterable[tuple[str, str, EdgeKind]], depth: int) -> Callable[[str], str]:
    """A file, or the folder that stands for it, `depth` levels down: fewer where that is too many.

    A folder that holds nearly half of the files is opened further, as long as there is room.
    """
    files = {file for link in links for file in link[:2]}
    levels = [{_fold(file, level) for file in files} for level in range(1, depth + 1)]
    fitting = [level for level, places in enumerate(levels, 1) if len(places) <= MAX_BOXES]
    level = fitting[-1] if fitting else 1
    if level < depth and len(levels[level - 1]) < _FEW_BOXES:
        level += 1
    places = {file: _fold(file, level) for file in files}
    while opened := _opened(places):
        places = opened
    return places.__getitem__


def _opened(places: Mapping[str, str]) -> dict[str, str] | None:
    """The places with the biggest folder opened; None where that would tell no more."""
    (biggest, size), *_ = Counter(places.values()).most_common(1) or [("", 0)]
    if not biggest.endswith("/") or size <= _MOST_OF * len(places):
        return None
    level = biggest.count("/")
    found = {file: _fold(file, level) if place == biggest else place for file, place in places.items()}
    return found if len(set(found.values())) <= MAX_BOXES else None


def _fold(file: str, level: int) -> str:
    """The folder so many levels down, with a slash at its end; the file itself if it is not below one."""
    parts = file.split("/")
    return file if len(parts) <= level + 1 else "/".join(parts[: level + 1]) + "/"


def _busiest(scene: _Scene) -> list[str]:
    """All places, those with the most other places around them first."""
    degree: Counter[str] = Counter()
    for source, target in {link[:2] for link in scene.links}:
        degree[source] += 1
        degree[target] += 1
    return sorted(degree, key=lambda place: (-degree[place], place))


def _near(scene: _Scene, depth: int) -> list[str]:
    """The places at most `depth` steps away, forth only or back only, nearest first, then by weight."""
    forth: dict[str, dict[str, int]] = defaultdict(dict)
    back: dict[str, dict[str, int]] = defaultdict(dict)
    for (source, target, _), count in scene.links.items():
        forth[source][target] = back[target][source] = count
    steps = dict.fromkeys(sorted(scene.focus), 0)
    weight: Counter[str] = Counter()
    for table in (forth, back):
        queue = deque((place, 0) for place in sorted(scene.focus))
        seen = set(scene.focus)
        while queue:
            here, step = queue.popleft()
            for there, count in table[here].items() if step < depth else ():
                weight[there] += count
                if there not in seen:
                    seen.add(there)
                    steps[there] = min(steps.get(there, depth), step + 1)
                    queue.append((there, step + 1))
    return sorted(steps, key=lambda place: (steps[place], -weight[place], place))


def _drawing(snapshot: Snapshot, places: Sequence[str], links: Sequence[Link], scene: _Scene, tests: int) -> Drawing:
    boxes = [
        Box(place, f"{tests} test files", look=Look.TEST) if place == _ALL_TESTS else _box(snapshot, place, scene)
        for place in places
    ]
    order = {box.id: number for number, box in enumerate(sorted(boxes, key=lambda box: (box.group, box.id)))}
    arrows = [
        Arrow(source, target, _said(kind, scene.links[source, target, kind]), STROKES[kind or EdgeKind.CALL])
        for source, target, kind in sorted(links, key=lambda link: (order[link[0]], order[link[1]], link[2] or ""))
    ]
    return Drawing(tuple(sorted(boxes, key=lambda box: order[box.id])), tuple(arrows))


def _box(snapshot: Snapshot, place: str, scene: _Scene) -> Box:
    """A file in the frame of its folder, a folder in that of its parent, an element in that of its file."""
    symbol = snapshot.graph.symbols.get(place)
    if symbol is not None and symbol.kind is not SymbolKind.MODULE:
        group, label, look = symbol.file, symbol.qualified_name, Look.TEST if is_test(symbol.file) else Look.PLAIN
    else:
        group, _, name = place.rstrip("/").rpartition("/")
        group, label = f"{group}/" if group else "", f"{name}/" if place.endswith("/") else name
        look = Look.FOLDER if place.endswith("/") else Look.TEST if is_test(place) else Look.PLAIN
    if place in scene.focus:
        look = Look.FOCUS
    return Box(place, escape_line(label, _LABEL), escape_line(group, 2 * _LABEL), look)


def _said(kind: EdgeKind | None, count: int) -> str:
    return " ".join(filter(None, [kind, f"×{count}" if count > 1 else ""]))


def _why_empty(snapshot: Snapshot, question: Diagram, symbol: Symbol | None) -> str:
    if symbol and (unknown := unfollowed(symbol.file, "its uses are", "uses")):
        return f"{unknown}."
    kinds = "dependency" if question.diagram_type in ("dependencies", "all") else question.diagram_type.rstrip("s")
    where = f"at {named(symbol.id)}" if symbol else "between files of the project"
    files = without(snapshot.facts, Capability.EDGES)
    unknown = f" Uses are unknown in {counted(files)}." if files else ""
    return f"No {kinds} was found {where}.{unknown}"
