"""Gives modules the names that they have after files were moved, in one source: the names that its language finds."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from posixpath import dirname, join, normpath

from bearings.code.file_facts import BindingKind, Import
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import spec_of
from bearings.code.languages.shared.respelling import Manner
from bearings.code.models import ProjectFiles
from bearings.code.refactoring.specifiers import Specifiers
from bearings.code.resolve.referent import FOR_PLATFORM, MODULE, PACKAGE, Referent

Refuse = Callable[[str, int, str, bool], None]
"""(file, line, reason, whether the place is perhaps no use)."""


class Moved:
    """Files that move, old path → new path, with the folder that they are in, if that moves."""

    def __init__(self, files: dict[str, str], old: str, new: str) -> None:
        self.files = files
        self.old, self.new = old, new

    def of(self, path: str) -> str:
        """The path of a file or a folder after the move."""
        if path == self.old or path.startswith(f"{self.old}/"):
            return self.new + path[len(self.old) :]
        return path

    def project(self, project: ProjectFiles, added: Collection[str], manifests: dict[str, bytes]) -> ProjectFiles:
        """The project after the move."""
        paths = frozenset(map(self.of, project.paths)).union(added)
        return replace(project, paths=paths, manifests=dict(sorted(manifests.items())))


class Respelling:
    """Names modules in the sources of a project as they are called after a move."""

    def __init__(self, snapshot: Snapshot, after: ProjectFiles, moved: Moved, refuse: Refuse) -> None:
        self._specifiers = Specifiers(snapshot, after)
        self._snapshot = snapshot
        self._moved = moved
        self._refuse = refuse
        parts = [path.split("/") for path in moved.files]
        self._tails = {"/".join(names[at:]) for names in parts for at in range(len(names))}
        self._lines: dict[str, Mapping[int, set[str]]] = {}

    def name(self, path: str, text: str, line: int, manner: Manner) -> str | None:
        """The name after the move of what a text in a file names; None for no module of the project."""
        is_dotted = (spec := spec_of(path)) is not None and spec.module_separator == "."
        match manner:
            case Manner.CHAIN:
                return self._of_chain(path, text, line)
            case Manner.TEXT if is_dotted and "/" not in text:
                return self.in_text(path, text, line)
            case Manner.TEXT:
                self._doubt(path, text, line)
                return None
            case Manner.START:
                self._composed(path, text.replace(".", "/") if is_dotted else text, line)
                return None
        found = self._specifiers.find(path, text)
        if manner is Manner.MEMBER and not self._is_member(path, found, line):
            return None
        return self._respelled(path, text, line, found)

    def _is_member(self, path: str, found: Referent, line: int) -> bool:
        """Whether a name behind a module is a module itself, and not what that module calls so."""
        return found.kind == PACKAGE or (found.kind == MODULE and found.file in self._used(path).get(line, ()))

    def _used(self, path: str) -> Mapping[int, set[str]]:
        """The files that each line of a file uses."""
        if path not in self._lines:
            graph, lines = self._snapshot.graph, dict[int, set[str]]()
            for symbol in graph.outline(path) if path in self._snapshot.facts else ():
                for edge in graph.edges_from(symbol.id):
                    lines.setdefault(edge.line, set()).add(edge.target.partition("#")[0])
            self._lines[path] = lines
        return self._lines[path]

    def _respelled(self, path: str, text: str, line: int, found: Referent) -> str | None:
        new_path = self._moved.of(path)
        is_known = found.kind in (MODULE, PACKAGE)
        several = [one for one in found.files if one != FOR_PLATFORM[0]] if is_known else []
        target = self._moved.of(found.file) if is_known else ""
        if several:
            if any(self._moved.of(one) != one for one in several) or (new_path != path and text.startswith(".")):
                self._refuse(path, line, "it may mean one of several files", False)
            return None
        if not is_known:
            if new_path != path and text.startswith(".") and not self.stays_beside(path, text):
                self._refuse(path, line, "it names a file that is not found", False)
            return None
        if new_path == path and target == found.file and self._specifiers.meant_after(new_path, text, path) == found:
            return text
        spelled = self._specifiers.to(new_path, target, text, found.file)
        if spelled is None:
            self._refuse(path, line, f"no import from {new_path} surely means {target}", False)
        return spelled

    def stays_beside(self, path: str, text: str) -> bool:
        """Whether a relative path that is not known leads to the same place after the move."""
        dots = len(text) - len(text.lstrip("."))
        up = "../" * (dots - 1) + text[dots:].replace(".", "/") if "/" not in text else text
        meant = normpath(join(dirname(path), up))
        return self._moved.of(meant) == normpath(join(dirname(self._moved.of(path)), up))

    def in_text(self, path: str, text: str, line: int) -> str | None:
        """A dotted text, whose first parts name a module that moves, perhaps followed by names in it."""
        del line
        head, colon, rest = text.partition(":")
        parts = head.split(".")
        for count in range(len(parts), 0, -1):
            name = ".".join(parts[:count])
            found = self._specifiers.find(path, name)
            if found.kind not in (MODULE, PACKAGE) or found.files:
                continue
            target = self._moved.of(found.file)
            is_name = len(parts) > 1 or colon
            if target == found.file or not is_name or (count == 1 and not self._has(found.file, parts[1:] or [rest])):
                return None
            spelled = self._specifiers.to(self._moved.of(path), target, name, found.file)
            return ".".join([spelled, *parts[count:]]) + colon + rest if spelled is not None else None
        return None

    def _has(self, file: str, names: list[str]) -> bool:
        """Whether a module, or a package's folder, has an element of this name."""
        facts = self._snapshot.facts.get(file)
        return facts is not None and any(
            symbol.qualified_name == names[0].partition(".")[0] for symbol in facts.symbols
        )

    def _of_chain(self, path: str, text: str, line: int) -> str | None:
        """An expression that is exactly a module which moves, by a name that the file imports."""
        root, _, rest = text.partition(".")
        new_path = self._moved.of(path)
        imports = [row for row in self._snapshot.facts[path].imports if row.local == root]
        # Beside `import a`, which keeps the name, `import a.b` gives it nothing.
        for row in [row for row in imports if row.name or row.module == root] or imports:
            keeps = bool(row.name) or row.module == root
            base = _module(row)
            whole = f"{base}.{rest}" if rest else base
            found = self._specifiers.find(path, whole)
            is_module = found.kind in (MODULE, PACKAGE) and not found.files
            if not is_module or self._moved.of(found.file) == found.file:
                continue
            if keeps and not rest:
                return text
            rows = self._snapshot.facts[path].bindings
            is_taken = any(one.name == root and one.kind is not BindingKind.IMPORT for one in rows)
            if is_taken and found.file not in self._used(path).get(line, ()):
                self._refuse(path, line, f"{text} may be a module that moves", True)
                return None
            spelled = self._specifiers.to(new_path, self._moved.of(found.file), whole, found.file)
            around = self._specifiers.find(path, base)
            owner = self._specifiers.to(new_path, self._moved.of(around.file), base, around.file) if keeps else ""
            if spelled is None or owner is None or not spelled.startswith(f"{owner}." if owner else ""):
                self._refuse(path, line, f"{text} is a module that moves out of {base}", False)
                return None
            return f"{root}{spelled[len(owner) :]}" if owner else spelled
        return None

    def _doubt(self, path: str, text: str, line: int) -> None:
        """Refuse a literal that may be the path of a file that moves."""
        found = self._specifiers.find(path, text) if re.match(r"\.{1,2}/.*\w", text) else None
        if found is not None and found.kind == MODULE and not found.files:
            target = self._moved.of(found.file)
            stays = target == found.file and self._moved.of(path) == path
            if not stays and self._specifiers.to(self._moved.of(path), target, text, found.file) != text:
                self._refuse(path, line, "it may be the path of a file that moves", True)
        elif "/" in text and text in self._tails:
            self._refuse(path, line, "it may be the path of a file that moves", True)

    def _composed(self, path: str, start: str, line: int) -> None:
        """Refuse a path that is composed at run time and may be that of a file that moves, before or afterwards."""
        folder = start.rpartition("/")[0]
        if not folder.strip("./") and not start.startswith("."):
            return
        is_relative = start.startswith(".")
        for old, new in self._moved.files.items():
            place = normpath(join(dirname(path), folder)) if is_relative else folder
            hits = [
                f"{one}/".startswith(f"{place}/") if is_relative else f"/{place}/" in f"/{one}" for one in (old, new)
            ]
            if any(hits) or (is_relative and path in self._moved.files and not self.stays_beside(path, folder)):
                self._refuse(path, line, "it composes paths as it runs, perhaps of a file that moves", True)
                return


def _module(row: Import) -> str:
    """The dotted name of what the local name of an import is, if that may be a module."""
    if row.name in ("", "*"):
        return row.module if row.name and row.local else row.local
    return f"{row.module}{'' if row.module.endswith('.') else '.'}{row.name}"
