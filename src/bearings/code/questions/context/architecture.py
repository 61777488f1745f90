"""The parts of a project, and their uses of each other. A part is a folder; folders with most files are split."""

from collections import Counter
from collections.abc import Collection, Mapping
from itertools import chain

from bearings.code.file_facts import FileFacts
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import EdgeKind
from bearings.code.project.names import is_aside
from bearings.code.questions.context.answer import Folder
from bearings.code.search.capabilities import is_loaded_whole
from bearings.code.search.reach import written_edges

_PARTS = 25
_SPLIT = 14
"""The number of folders at which splitting stops: a reader can't take in more."""
_FILES = 8
"""A folder without subfolders is split into its files if it has at most this many."""
_SHARE = 0.12
"""The share of all files above which a part is split."""
_USES = 6


def architecture(snapshot: Snapshot, facts: Mapping[str, FileFacts]) -> tuple[Folder, ...]:
    """The parts, the biggest first, without tests, examples and the like."""
    own = [path for path in facts if not (is_test(path) or is_aside(path))] or list(facts)
    part_of = parts_of(own)
    sizes = Counter(part_of.values())
    elements: Counter[str] = Counter()
    for path in own:
        elements[part_of[path]] += len(facts[path].symbols) - 1
    uses: dict[str, Counter[str]] = {}
    edges = snapshot.graph.resolution.edges
    # The end of a URL tells the part that answers, also where a base URL leaves the endpoint a guess.
    requests = (edge for edge in edges if edge.kind is EdgeKind.REQUEST and edge.is_guess)
    for edge in chain(written_edges(edges), requests):
        here, there = part_of.get(edge.file), part_of.get(edge.target.partition("#")[0])
        if here is not None and there is not None and here != there:
            uses.setdefault(here, Counter())[there] += 1
    return tuple(
        Folder(
            path=part,
            files=count,
            elements=elements[part],
            uses=tuple(f"{name} ({number})" for name, number in uses.get(part, Counter()).most_common(_USES)),
        )
        for part, count in sorted(sizes.items(), key=lambda item: (-item[1], -elements[item[0]], item[0]))[:_PARTS]
    )


def parts_of(paths: Collection[str]) -> dict[str, str]:
    """The part of each file: a folder (its path ends in a slash), or the file itself."""
    depths = dict.fromkeys(paths, 1)
    while True:
        part_of = {path: _folder(path, depth) for path, depth in depths.items()}
        sizes = Counter(part_of.values())
        folders = [part for part in sizes if part.endswith("/")]
        deeper = {part_of[path] for path, depth in depths.items() if path.count("/") > depth}
        loose = {part for path, part in part_of.items() if not is_loaded_whole(path)}
        # A folder with subfolders can be split; one without only into its files, if they are few.
        split = [part for part in folders if part in deeper or (part in loose and sizes[part] <= _FILES)]
        biggest = max(split, key=lambda part: (sizes[part], part), default="")
        if not biggest or len(folders) >= _SPLIT or sizes[biggest] <= max(1, _SHARE * len(depths)):
            return part_of
        for path, part in part_of.items():
            if part == biggest:
                depths[path] += 1


def _folder(path: str, depth: int) -> str:
    """The first folders of a path. A file with fewer is its own part, or its folder's if that is loaded whole."""
    parts = path.split("/")
    if is_loaded_whole(path):
        return "/".join(parts[:-1][:depth] or ["."]) + "/"
    return "/".join(parts[:depth]) + ("/" if len(parts) > depth else "")
