"""Which boxes stand for the files of a project: folders, those of one opened folder, or the elements of an opened file.

A place is the id of an element, the path of a file, or a folder (which ends in `/`).
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Edge, EdgeKind, Symbol, SymbolKind
from bearings.errors import InvalidInput
from bearings.untrusted import unescaped

_FEW_BOXES = 6
"""With fewer boxes folders are opened one level more, and the busiest places are drawn."""
_OPEN_ABOVE = 0.4
_OWN_BOX = frozenset({SymbolKind.METHOD, SymbolKind.CONSTRUCTOR})
"""Members of a top element that are boxes; the others belong to the element's own box."""


@dataclass(frozen=True)
class Opened:
    """Links between places. `content` are the places inside what was opened; `files` and `elements` count theirs."""

    links: Mapping[tuple[str, str, EdgeKind], int]
    content: frozenset[str]
    files: Mapping[str, int]
    elements: Mapping[str, int]


def opened(snapshot: Snapshot, inside: str, most: int, depth: int) -> Opened:
    """The content of a folder (`.` for the project) as at most `most` places if possible, or the elements of a file.

    The project around it is folded as far as it goes: what is linked to it is a file or folder beside it, or beside a
    folder around it. Raises InvalidInput for a path without files.
    """
    facts = snapshot.facts
    path = _path_of(snapshot, inside)
    if path in facts:
        return _opened_file(snapshot, path)
    folder = f"{path}/" if path else ""
    own = [file for file in facts if file.startswith(folder)]
    if not own:
        remedy = "Pass a folder or a file of the project; `.` is the whole."
        raise InvalidInput("inside", inside, "no file that can be read is there", remedy)
    places = folding(own, range(folder.count("/"), folder.count("/") + depth), most)
    place_of = {file: places.get(file) or _beside(file, path) for file in facts}
    links: Counter[tuple[str, str, EdgeKind]] = Counter()
    for edge, target in snapshot.graph.links():
        other = file_of(target)
        if edge.file in places or other in places:
            _count(links, edge, place_of[edge.file], place_of[other])
    return Opened(links, frozenset(places.values()), *_sizes(snapshot, place_of))


def _path_of(snapshot: Snapshot, inside: str) -> str:
    """A path as in `facts`, without a slash at its end; empty for the project."""
    path = inside.strip().removeprefix("./").rstrip("/")
    if path in ("", "."):
        return ""
    known = path in snapshot.facts or any(file.startswith(f"{path}/") for file in snapshot.facts)
    return path if known else unescaped(path)


def _opened_file(snapshot: Snapshot, file: str) -> Opened:
    """The top elements of a file and their methods, and the files and folders beside it that are linked to them."""
    graph = snapshot.graph
    symbols = graph.within(file)
    place_of = {id_: _own_place(symbol, symbols) for id_, symbol in symbols.items()}
    links: Counter[tuple[str, str, EdgeKind]] = Counter()

    def place(element: str) -> str:
        return place_of.get(element) or _beside(file_of(element), file)

    for symbol in symbols:
        for edge in graph.edges_from(symbol):
            _count(links, edge, place(symbol), place(edge.target))
        for edge in graph.edges_to(symbol):
            if edge.source not in symbols:
                _count(links, edge, place(edge.source), place(symbol))
    elements = Counter(place_of[id_] for id_ in symbols if place_of[id_] != id_)
    _, around = _sizes(snapshot, {other: _beside(other, file) for other in snapshot.facts if other != file})
    content = {box for box in place_of.values() if box != file}
    return Opened(links, frozenset(content), Counter(), elements + around)


def _count(links: Counter[tuple[str, str, EdgeKind]], edge: Edge, source: str, target: str) -> None:
    """Counts an edge between different places, unless it is a guess or a name in an import."""
    if source != target and not (edge.is_guess or edge.is_name_of_import):
        links[source, target, edge.kind] += 1


def _own_place(symbol: Symbol, symbols: Mapping[str, Symbol]) -> str:
    """The place of an element: itself at the top of its file or as a method there, else its container's place."""
    container = symbols.get(symbol.parent)
    if container is None or container.kind is SymbolKind.MODULE:
        return symbol.id
    above = symbols.get(container.parent)
    if symbol.kind in _OWN_BOX and (above is None or above.kind is SymbolKind.MODULE):
        return symbol.id
    return _own_place(container, symbols)


def _sizes(snapshot: Snapshot, place_of: Mapping[str, str]) -> tuple[Counter[str], Counter[str]]:
    """The files and the elements of each place."""
    files: Counter[str] = Counter()
    elements: Counter[str] = Counter()
    for file, place in place_of.items():
        files[place] += 1
        elements[place] += max(0, len(snapshot.graph.outline(file)) - 1)
    return files, elements


def file_of(symbol_id: str) -> str:
    """The file of an element, by its id."""
    return symbol_id.partition("#")[0]


def _beside(file: str, path: str) -> str:
    """The place of a file outside an opened path: the biggest folder that does not hold the path, else the file."""
    shared = 0
    # src/db/pool.py beside an opened src/web/ is src/db/; docs/a.md is docs/.
    for one, other in zip(file.split("/")[:-1], path.split("/"), strict=False):
        if one != other:
            break
        shared += 1
    return _fold(file, shared)


def folding(files: Collection[str], levels: Sequence[int], most: int) -> dict[str, str]:
    """The place of each file: its folder at the deepest of some levels with at most `most` places, or the file itself.

    A folder with over 40 % of the files is opened further, as long as the boxes fit.
    """
    sizes = [len({_fold(file, level) for file in files}) for level in levels]
    fitting = [number for number, size in enumerate(sizes) if size <= most]
    chosen = fitting[-1] if fitting else 0
    if chosen < len(levels) - 1 and sizes[chosen] < _FEW_BOXES:
        chosen += 1
    places = {file: _fold(file, levels[chosen]) for file in files}
    while more := _with_biggest_opened(places, most):
        places = more
    return places


def _with_biggest_opened(places: Mapping[str, str], most: int) -> dict[str, str] | None:
    """The places after opening the biggest folder; None if it is small, or the boxes would not fit."""
    (biggest, size), *_ = Counter(places.values()).most_common(1) or [("", 0)]
    if not biggest.endswith("/") or size <= _OPEN_ABOVE * len(places):
        return None
    level = biggest.count("/")
    opened_places = {file: _fold(file, level) if place == biggest else place for file, place in places.items()}
    return opened_places if len(set(opened_places.values())) <= most else None


def _fold(file: str, level: int) -> str:
    """The folder of a file at a level, with a slash at its end; the file itself if it is not that deep."""
    parts = file.split("/")
    return file if len(parts) <= level + 1 else "/".join(parts[: level + 1]) + "/"
