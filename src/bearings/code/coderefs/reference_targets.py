"""Targets of references: files by path, with or without extension or leading folders, and elements in them."""

from collections import defaultdict
from collections.abc import Sequence

from rapidfuzz import fuzz, process

from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Symbol, SymbolKind
from bearings.code.notation.model import CodeRef

_NEAR = 70
"""The least similarity of a suggestion, out of 100."""


class Places:
    """Looks up references in a snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._paths = snapshot.project.paths | snapshot.facts.keys()
        self._by_stem: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self._paths):
            name = path.rpartition("/")[2]
            for stem in dict.fromkeys((name, name.rpartition(".")[0], name.partition(".")[0])):
                self._by_stem[stem].append(path)

    def files(self, path: str) -> list[str]:
        """The files that a path may mean: the file with that path, else those that end in it, without extensions."""
        if path in self._paths:
            return [path]
        candidates = self._by_stem.get(path.rpartition("/")[2], [])
        whole = [file for file in candidates if _stems(file, path)]
        return whole or [file for file in candidates if _stems(f"/{file}", f"/{path}", tail=True)]

    def is_directory(self, path: str) -> bool:
        """Whether the path is a folder with files of the project."""
        return any(file.startswith(f"{path}/") for file in self._paths)

    def elements(self, files: Sequence[str], name: str) -> list[Symbol]:
        """The elements of this name in the files; by qualified name if there is one."""
        return [symbol for file in files for symbol in self._snapshot.graph.find(f"{file}#{name}")]

    def elsewhere(self, name: str) -> list[Symbol]:
        """The elements of this qualified name in the project."""
        return [
            symbol
            for symbol in self._snapshot.graph.find(name)
            if symbol.kind is not SymbolKind.MODULE and symbol.qualified_name == name
        ]

    def default(self, files: Sequence[str]) -> bool:
        """Whether any of the files has a default export."""
        return any(
            export.name in ("default", "=")
            for file in files
            if file in self._snapshot.facts
            for export in self._snapshot.facts[file].exports
        )

    def lines(self, file: str) -> int | None:
        """The number of lines of a source; None for other files."""
        facts = self._snapshot.facts.get(file)
        return facts.lines if facts else None

    def near_files(self, path: str) -> list[str]:
        """Up to three similar paths."""
        near = process.extract(path, self._paths, scorer=fuzz.ratio, limit=3, score_cutoff=_NEAR)
        return [file for file, _, _ in near]

    def near_elements(self, files: Sequence[str], name: str) -> list[Symbol]:
        """Up to three elements of the files with similar names."""
        symbols = {
            symbol.qualified_name: symbol
            for file in files
            if file in self._snapshot.facts
            for symbol in self._snapshot.facts[file].symbols[1:]
        }
        near = process.extract(name, symbols.keys(), scorer=fuzz.ratio, limit=3, score_cutoff=_NEAR)
        return [symbols[spelling] for spelling, _, _ in near]


def _stems(file: str, path: str, *, tail: bool = False) -> bool:
    """Whether a file's path equals or ends in a path, ignoring the extensions that the latter leaves out."""
    folder, _, name = file.rpartition("/")
    names = (name, name.rpartition(".")[0], name.partition(".")[0])
    return any(f"{folder}/{each}".endswith(path) if tail else f"{folder}/{each}".lstrip("/") == path for each in names)


def moved_to(ref: CodeRef, symbol: Symbol) -> CodeRef:
    """The reference, pointed at another element; it gets a line only if it had one."""
    from dataclasses import replace

    path = symbol.file if ref.path != symbol.file and not _stems(symbol.file, ref.path) else ref.path
    name = symbol.qualified_name if ref.name else ref.element
    there = replace(ref, path=path, element=name, block=ref.block)
    return there.at(symbol.line) if ref.start else there
