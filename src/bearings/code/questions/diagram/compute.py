"""Answers Diagram: the most connected part of the graph, small enough to read.

Places are the future boxes: ids of elements, paths of files, or folders (which end in `/`). A scene holds all links
between places; the diagram draws at most MAX_BOXES and MAX_ARROWS of them.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bearings.code.formats import dot, mermaid
from bearings.code.formats.drawing import Arrow, Box, Drawing, Look
from bearings.code.graph.project_graph import ALL_KINDS
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.languages.spec import Capability
from bearings.code.models import CALLS, IMPORTS, EdgeKind, Symbol, SymbolKind
from bearings.code.project.names import is_aside
from bearings.code.questions.diagram import Diagram, DiagramReply, Drawn, DrawnArrow, DrawnBox
from bearings.code.questions.diagram.opening import Opened, file_of, folding, opened
from bearings.code.questions.export.compute import STROKES
from bearings.code.replies.element import path_line
from bearings.code.replies.tidying import joined, outdated_line
from bearings.code.search.candidates import namesakes_note
from bearings.code.search.capabilities import counted, unfollowed, without
from bearings.code.search.members import with_members
from bearings.code.search.reach import without_imported_names
from bearings.code.search.targets import find_elements
from bearings.code.search.view import WholeGraph
from bearings.errors import InvalidInput
from bearings.untrusted import escape_line, named

_ARROWS_PER_BOX = 1.5
_LISTED_PER_BOX = 6
"""Arrows for a box at most: chosen by eye in a picture, by the size of a reply in a list."""

_MEMBERS = 8
"""Members of an element that are drawn one by one; an element with more is a single box."""
_TESTS = 4
"""Test files around an element that are drawn one by one; more of them are one box."""
_ALL_TESTS = "//tests"
"""The place of that box; no path begins like this."""

_KINDS = {"calls": CALLS, "imports": IMPORTS}
"""The kinds of uses in a type of diagram; the other types have all."""

_MAX_LABEL = 48
_MAX_ID = 2_000

Link = tuple[str, str, EdgeKind | None]
"""Source and target place, and the kind of edge if kinds have separate arrows."""


@dataclass(frozen=True)
class _Scene:
    """All that could be drawn: links with their number of edges; `focus` are the places of the question's element."""

    links: Mapping[Link, int]
    focus: frozenset[str]


def compute(question: Diagram, view: WholeGraph) -> DiagramReply:
    """The project, or the elements within `depth` steps of `element`. Raises ElementNotFound, InvalidInput.

    Without an element, files more than `depth` folders deep are drawn as their folder.
    """
    return diagram(view.snapshot, question)


def diagram(snapshot: Snapshot, question: Diagram) -> DiagramReply:
    """The diagram of a snapshot."""
    if question.inside is not None:
        if question.element is not None:
            raise InvalidInput("inside", question.inside, "goes without element", "Pass one of the two.")
        return _inside(snapshot, question, question.inside)
    symbol = find_elements(snapshot, question.element, "element")[0] if question.element is not None else None
    scene = _scene(snapshot, question, symbol)
    ranked = _nearest_places(scene, question.depth) if symbol else _busiest_places(scene)
    tests = [place for place in ranked if is_test(place) and place not in scene.focus] if symbol else []
    if len(tests) > _TESTS:
        scene = _with_tests_as_one(scene, frozenset(tests))
        ranked = _nearest_places(scene, question.depth)
    arrows = _strongest_arrows(scene, set(ranked[: question.max_boxes]), question)
    linked = {place for link in arrows for place in link[:2]}
    shown = [place for place in ranked if place in linked] or ranked[:1]
    namesakes = namesakes_note(snapshot, question.element, symbol) if symbol else ""
    note = "; ".join(filter(None, (namesakes, "" if arrows else _why_empty(snapshot, question, symbol))))
    return _diagrammed(snapshot, question, scene, _Choice(shown, ranked, arrows, len(tests)), symbol, note)


def _inside(snapshot: Snapshot, question: Diagram, inside: str) -> DiagramReply:
    """Draws an opened folder or file, first its content, then what it is linked to."""
    opening = opened(snapshot, inside, question.max_boxes, question.depth)
    has_separate_kinds, kinds = question.diagram_type == "all", _KINDS.get(question.diagram_type, ALL_KINDS)
    links = {link: count for link, count in opening.links.items() if link[2] in kinds}
    scene = _Scene(_between_places(links, str, has_separate_kinds), frozenset())
    busiest = _busiest_places(scene)
    ranked = list(dict.fromkeys([
        *(place for place in busiest if place in opening.content),
        *sorted(opening.content),
        *busiest,
    ]))  # fmt: skip
    shown = ranked[: question.max_boxes]
    arrows = _strongest_arrows(scene, set(shown), question)
    note = "" if ranked else f"{named(inside)} has no elements."
    return _diagrammed(snapshot, question, scene, _Choice(shown, ranked, arrows, 0, opening), None, note)


@dataclass(frozen=True)
class _Choice:
    """The part of a scene that is drawn: the places and arrows, of all that might be; `tests` files are one place."""

    shown: Sequence[str]
    ranked: Sequence[str]
    arrows: Sequence[Link]
    tests: int
    opened: Opened | None = None


def _diagrammed(
    snapshot: Snapshot, question: Diagram, scene: _Scene, choice: _Choice, symbol: Symbol | None, note: str
) -> DiagramReply:
    drawing = _drawing(snapshot, choice.shown, choice.arrows, scene, choice.tests)
    reached = set(choice.ranked)
    notation = {"mermaid": mermaid, "dot": dot}.get(question.format)
    return DiagramReply(
        diagram_type=question.diagram_type,
        format=question.format,
        element=path_line(symbol.id) if symbol else None,
        inside=path_line(question.inside) if question.inside is not None else None,
        diagram=notation.encode(drawing).decode() if notation else None,
        drawn=None if notation else _drawn(snapshot, drawing, choice.arrows, scene, choice.opened),
        boxes=len(drawing.boxes),
        arrows=len(choice.arrows),
        omitted_boxes=len(choice.ranked) - len(drawing.boxes),
        omitted_arrows=sum(link[0] in reached and link[1] in reached for link in scene.links) - len(choice.arrows),
        note=joined(note, outdated_line(question.element, symbol.id if symbol else "")),
    )


def _drawn(snapshot: Snapshot, drawing: Drawing, links: Sequence[Link], scene: _Scene, opened: Opened | None) -> Drawn:
    """A drawing as lists for a program."""
    place_of = {box.id: place for place, box in enumerate(drawing.boxes)}
    symbols = snapshot.graph.symbols
    boxes = []
    for box in drawing.boxes:
        symbol = symbols.get(box.id)
        boxes.append(
            DrawnBox(
                id=escape_line(box.id, _MAX_ID),
                label=box.label,
                look=box.look.value,
                type=symbol.type if symbol and symbol.kind is not SymbolKind.MODULE else None,
                files=opened.files[box.id] if opened and box.look is Look.FOLDER else 0,
                elements=opened.elements[box.id] if opened else 0,
            )
        )
    arrows = [
        DrawnArrow(source=place_of[source], target=place_of[target], kind=kind, count=scene.links[source, target, kind])
        for source, target, kind in _by_strength(scene, links)
    ]
    return Drawn(boxes=boxes, arrows=arrows)


def _by_strength(scene: _Scene, links: Iterable[Link]) -> list[Link]:
    return sorted(links, key=lambda link: (-scene.links[link], link[0], link[1], link[2] or ""))


def _strongest_arrows(scene: _Scene, shown: Collection[str], question: Diagram) -> list[Link]:
    """The arrows to draw between shown places: first the strongest of each place, so that no box is isolated."""
    links = _by_strength(scene, (link for link in scene.links if link[0] in shown and link[1] in shown))
    per_box = _LISTED_PER_BOX if question.format == "json" else _ARROWS_PER_BOX
    strongest: dict[str, Link] = {}
    # Without a box's strongest arrow it would stand alone, however weak the arrow is.
    for link in links:
        for place in link[:2]:
            strongest.setdefault(place, link)
    return list(dict.fromkeys([*strongest.values(), *links]))[: int(question.max_boxes * per_box)]


def _with_tests_as_one(scene: _Scene, tests: Collection[str]) -> _Scene:
    links: Counter[Link] = Counter()
    for (source, target, kind), count in scene.links.items():
        ends = [_ALL_TESTS if place in tests else place for place in (source, target)]
        if ends[0] != ends[1]:
            links[ends[0], ends[1], kind] += count
    return _Scene(links, scene.focus)


def _scene(snapshot: Snapshot, question: Diagram, symbol: Symbol | None) -> _Scene:
    """A scene of elements for an element that is no module, else of files and folders; an overview omits tests."""
    kinds = _KINDS.get(question.diagram_type, ALL_KINDS)
    has_separate_kinds = question.diagram_type == "all"
    if symbol is not None and symbol.kind is not SymbolKind.MODULE and question.diagram_type != "imports":
        focus = frozenset(with_members(snapshot, symbol))
        if len(focus) <= _MEMBERS:
            return _scene_of_elements(
                snapshot, {member: [member] for member in sorted(focus)}, kinds, question.depth, has_separate_kinds
            )
        return _scene_of_elements(snapshot, {symbol.id: sorted(focus)}, kinds, question.depth, has_separate_kinds)
    links = {link: count for link, count in _between_files(snapshot).items() if link[2] in kinds}
    if symbol is not None:
        return _Scene(_between_places(links, str, has_separate_kinds), frozenset({symbol.file}))
    own_links = {link: count for link, count in links.items() if not (_is_beside(link[0]) or _is_beside(link[1]))}
    files = {file for link in own_links or links for file in link[:2]}
    place_of = folding(files, range(1, question.depth + 1), question.max_boxes).__getitem__
    return _Scene(_between_places(own_links or links, place_of, has_separate_kinds), frozenset())


@lru_cache(maxsize=1)
def _between_files(snapshot: Snapshot) -> Mapping[tuple[str, str, EdgeKind], int]:
    """The number of certain edges of each kind from one file to another."""
    counts: Counter[tuple[str, str, EdgeKind]] = Counter()
    for edge in without_imported_names(snapshot.graph.resolution.edges):
        target = file_of(edge.target)
        if edge.file != target:
            counts[edge.file, target, edge.kind] += 1
    return counts


def _scene_of_elements(
    snapshot: Snapshot, focus: Mapping[str, list[str]], kinds: frozenset[EdgeKind], depth: int, has_separate_kinds: bool
) -> _Scene:
    """A scene of elements within `depth` steps of the focus, along uses or against them. Keys of `focus` are places."""
    graph = snapshot.graph
    place_of = {member: place for place, members in focus.items() for member in members}

    def members(place: str) -> Iterable[str]:
        if place in focus:
            return focus[place]
        return graph.within(place) if is_test(place) and place in snapshot.facts else (place,)

    def step(place: str, *, forward: bool) -> Iterator[tuple[str, EdgeKind]]:
        edges_of = graph.edges_from if forward else graph.edges_to
        for member in members(place):
            for edge in without_imported_names(edges_of(member, kinds)):
                end = edge.target if forward else edge.source
                # A test is drawn as its file, so that a file's tests are one box.
                file = file_of(end)
                yield place_of.get(end) or (file if is_test(file) else end), edge.kind

    reached = set(focus)
    for forward in (True, False):
        seen = level = set(focus)
        for _ in range(depth):
            level = {neighbour for place in level for neighbour, _ in step(place, forward=forward)} - seen
            seen = seen | level
        reached |= seen
    links: Counter[Link] = Counter()
    for place in sorted(reached):
        for neighbour, kind in step(place, forward=True):
            if neighbour != place and neighbour in reached:
                links[place, neighbour, kind if has_separate_kinds else None] += 1
    return _Scene(links, frozenset(focus))


def _between_places(
    links: Mapping[tuple[str, str, EdgeKind], int], place_of: Callable[[str], str], has_separate_kinds: bool
) -> Counter[Link]:
    """Links between files as links between their places."""
    counts: Counter[Link] = Counter()
    for (source_file, target_file, kind), count in links.items():
        source, target = place_of(source_file), place_of(target_file)
        if source != target:
            counts[source, target, kind if has_separate_kinds else None] += count
    return counts


def _is_beside(file: str) -> bool:
    """Whether a file is a test, or beside the project's own code (examples, tools)."""
    return is_test(file) or is_aside(file)


def _busiest_places(scene: _Scene) -> list[str]:
    """All places, those with the most neighbours first."""
    degree: Counter[str] = Counter()
    for source, target in {link[:2] for link in scene.links}:
        degree[source] += 1
        degree[target] += 1
    return sorted(degree, key=lambda place: (-degree[place], place))


def _nearest_places(scene: _Scene, depth: int) -> list[str]:
    """The places within `depth` steps of the focus, along links or against them: nearest first, then by weight."""
    forward, backward = defaultdict[str, dict[str, int]](dict), defaultdict[str, dict[str, int]](dict)
    for (source, target, _), count in scene.links.items():
        forward[source][target] = backward[target][source] = count
    steps = dict.fromkeys(sorted(scene.focus), 0)
    weight: Counter[str] = Counter()
    for table in (forward, backward):
        queue = deque((place, 0) for place in sorted(scene.focus))
        seen = set(scene.focus)
        while queue:
            place, step = queue.popleft()
            for neighbour, count in table[place].items() if step < depth else ():
                weight[neighbour] += count
                if neighbour not in seen:
                    seen.add(neighbour)
                    steps[neighbour] = min(steps.get(neighbour, depth), step + 1)
                    queue.append((neighbour, step + 1))
    return sorted(steps, key=lambda place: (steps[place], -weight[place], place))


def _drawing(snapshot: Snapshot, places: Sequence[str], links: Sequence[Link], scene: _Scene, tests: int) -> Drawing:
    boxes = [
        Box(place, f"{tests} test files", look=Look.TEST) if place == _ALL_TESTS else _box(snapshot, place, scene)
        for place in places
    ]
    order = {box.id: number for number, box in enumerate(sorted(boxes, key=lambda box: (box.group, box.id)))}
    arrows = [
        Arrow(
            source,
            target,
            " ".join(filter(None, [kind, f"×{count}" if (count := scene.links[source, target, kind]) > 1 else ""])),
            STROKES[kind or EdgeKind.CALL],
        )
        for source, target, kind in sorted(links, key=lambda link: (order[link[0]], order[link[1]], link[2] or ""))
    ]
    return Drawing(tuple(sorted(boxes, key=lambda box: order[box.id])), tuple(arrows))


def _box(snapshot: Snapshot, place: str, scene: _Scene) -> Box:
    """The box of a place. Its frame is the folder of a file, the parent of a folder, the file of an element."""
    symbol = snapshot.graph.symbols.get(place)
    if symbol is not None and symbol.kind is not SymbolKind.MODULE:
        group, label, look = symbol.file, symbol.qualified_name, Look.TEST if is_test(symbol.file) else Look.PLAIN
    else:
        group, _, name = place.rstrip("/").rpartition("/")
        group, label = f"{group}/" if group else "", f"{name}/" if place.endswith("/") else name
        look = Look.FOLDER if place.endswith("/") else Look.TEST if is_test(place) else Look.PLAIN
    if place in scene.focus:
        look = Look.FOCUS
    return Box(place, escape_line(label, _MAX_LABEL), escape_line(group, 2 * _MAX_LABEL), look)


def _why_empty(snapshot: Snapshot, question: Diagram, symbol: Symbol | None) -> str:
    if symbol and (unknown := unfollowed(symbol.file, "its uses are", "uses")):
        return f"{unknown}."
    kinds = "dependency" if question.diagram_type in ("dependencies", "all") else question.diagram_type.rstrip("s")
    where = f"at {named(symbol.id)}" if symbol else "between files of the project"
    files = without(snapshot.facts, Capability.EDGES)
    unknown = f" Uses are unknown in {counted(files)}." if files else ""
    return f"No {kinds} was found {where}.{unknown}"
