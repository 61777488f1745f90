"""Moves a file or a folder: names the modules in it anew wherever something names them, and writes the files."""

import re
from bisect import bisect_left
from collections import Counter
from functools import partial
from itertools import accumulate
from pathlib import PurePosixPath
from posixpath import basename, dirname, join, normpath, relpath, splitext

from bearings.code.coderefs.reference_search import is_export
from bearings.code.coderefs.reference_targets import Places
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import language_of, spec_of
from bearings.code.languages.embedded import is_embedded, is_escaped
from bearings.code.languages.shared.respelling import Manner
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Symbol, SymbolKind
from bearings.code.project.skipped import SkipReason
from bearings.code.project.sources import Source, read_source
from bearings.code.project.unread_languages import is_markup
from bearings.code.project.words import Search, Word
from bearings.code.questions.move import Move, MoveReply
from bearings.code.questions.move.respelling import Moved, Respelling
from bearings.code.questions.move.target import target_of
from bearings.code.refactoring.checking import damage
from bearings.code.refactoring.edits import Change, Edit, by_path, edited
from bearings.code.refactoring.plans import Plan
from bearings.code.refactoring.references import starts_of_references
from bearings.code.refactoring.texts import MOST_BYTES, plain_text
from bearings.code.refactoring.writing import carried_out
from bearings.code.replies.element import path_line
from bearings.code.resolve.giving_up import NeedsIndex
from bearings.code.search.element_words import runs_unnamed
from bearings.code.search.manifests import exported_sources
from bearings.code.search.view import WholeGraph
from bearings.code.syntax_trees import respelled_in
from bearings.errors import InvalidInput

_INDEXES = frozenset({"index", "__init__"})
_MOST_FILES = 2_000
_SETTINGS = (".toml", ".cfg", ".ini", ".json", ".yaml", ".yml")
_TOKEN = re.compile(rb"[\w@$.~+/:-]*\w/?")
_LISTS = re.compile(
    rb"^\s*\"?(?:[\w-]+\.)*(?:packages|include|exclude|omit|source|source_pkgs|testpaths|pythonpath|files|module|py[-_]modules"
    rb"|known[-_]first[-_]party|src|package)\"?\s*="
)
"""Settings whose values are paths or modules also where they are a single word."""
_SCANS = re.compile(rb"\b(?:pkgutil|iter_modules|walk_packages|__path__|import\.meta\.glob|require\.context)\b")
_LISTS_FOLDER = re.compile(rb"\b(?:iterdir|listdir|scandir|r?glob|readdir(?:Sync)?)\(")
_PLACES = re.compile(rb"__file__|__dirname|__filename|import\.meta\.(?:dirname|filename|url\b(?!\s*\)))")


def moved_path(question: Move, view: WholeGraph, path: str) -> MoveReply:
    """Move a file or folder, unless it is refused or a dry run. Raises InvalidInput, Unsupported, WriteFailed."""
    if not view.snapshot.graph.is_whole:
        raise NeedsIndex("all that names a file")
    new = target_of(view, path, question.target)
    draft = PathMove(view, path, new, leave_unsure=question.leave_unsure).plan()
    what, of = f"the move of {path} to {new}", _source(view, path)
    reply = carried_out(MoveReply, view, of, draft, what, question.dry_run, question.max_chars, target=path_line(new))
    reply.element = path_line(path)
    return reply


def _source(view: WholeGraph, path: str) -> Symbol:
    """The module of a file, or of the first source in a folder. Raises InvalidInput."""
    sources = sorted(one for one in view.snapshot.facts if _is_at(one, path))
    if not sources:
        raise InvalidInput("element", path, "is no source and holds none", "Move it by git mv.")
    return view.snapshot.facts[sources[0]].symbols[0]


class PathMove:
    """A move of what is at `old`, a file or folder, to `new`."""

    def __init__(self, view: WholeGraph, old: str, new: str, *, leave_unsure: bool) -> None:
        self._view, self._snapshot, self._leave_unsure = view, view.snapshot, leave_unsure
        project = self._snapshot.project
        files = {path: new + path[len(old) :] for path in sorted(project.paths) if _is_at(path, old)}
        if len(files) > _MOST_FILES:
            raise InvalidInput("element", old, f"has more than {_MOST_FILES} files", "Move smaller folders.")
        self._moved = Moved(files, old, new)
        self._draft = Plan()
        self._data = {path: self._bytes(path, moves=True) for path in files}
        added = [f"{folder}/__init__.py" for folder in sorted(self._new_packages())]
        self._draft.changes += [Change(path, None, b"") for path in added]
        self._draft.places |= dict.fromkeys(added, 1)
        # Settings first: they say how the rest resolves.
        manifests = {}
        self._edits: dict[str, list[Edit]] = {}
        self._places = Places(self._snapshot)
        self._using = set[str]()
        parts = [re.escape(part.partition(".")[0] or part) for part in old.split("/")[-2:]]
        named = rf"(?<![\w.]){'[./]'.join(parts)}\b" if parts[1:] else r"(?!)"
        self._named = re.compile(named.encode())
        plain = self._moved.project(project, added, dict(project.manifests))
        self._respelling = Respelling(self._snapshot, plain, self._moved, self._refuse)
        for path, data in project.manifests.items():
            if language_of(path) is None and path in project.paths:
                self._edit_text(path, self._data.get(path, data))
            manifests[self._moved.of(path)] = edited(path, data, self._edits.get(path, ())).after or b""
        after = self._moved.project(project, added, manifests)
        self._respelling = Respelling(self._snapshot, after, self._moved, self._refuse)

    def plan(self) -> Plan:
        """Return the plan."""
        for path in self._files():
            if path in self._snapshot.facts:
                self._edit_source(path)
            elif path not in self._snapshot.project.manifests or language_of(path) is not None:
                self._edit_text(path, self._data.get(path) or self._bytes(path))
        self._check()
        for path in sorted({*filter(self._edits.get, self._edits), *self._moved.files}):
            edits, new = self._edits.get(path, []), self._moved.of(path)
            self._draft.changes.append(edited(new, self._data[path], edits)._replace(was=path if new != path else ""))
            self._draft.places[new] = len(edits)
        # A diff without lines comes last: git takes the head of a plain one that follows for a part of it.
        self._draft.changes.sort(key=lambda change: (bool(change.was) or change.before is None, change.path))
        if not self._draft.refused:
            self._check_after()
        return self._draft

    def _refuse(self, path: str, line: int, why: str, is_unsure: bool = False) -> None:
        rows = self._draft.left if is_unsure and self._leave_unsure else self._draft.refused
        rows.append((path, line, why))

    def _edit(self, path: str, data: bytes, start: int, end: int, new: bytes) -> None:
        """Add an edit of the bytes that a file had as it was read first."""
        self._data.setdefault(path, data)
        self._edits.setdefault(path, []).append(Edit(start, end, new))

    def _bytes(self, path: str, *, moves: bool = False) -> bytes:
        source = read_source(self._snapshot.root, path, MOST_BYTES, binary=moves)
        if moves and not isinstance(source, Source):
            self._refuse(path, 1, "it can't be read, or is a link or too large")
        return source.data if isinstance(source, Source) else b""

    def _files(self) -> list[str]:
        """The files that move, those that use them, and those that hold their names."""
        graph, moved = self._snapshot.graph, self._moved
        self._using = {
            edge.file
            for path in moved.files
            if path in self._snapshot.facts
            for symbol in graph.outline(path)
            for edge in graph.edges_to(symbol.id)
        }
        stem = basename(moved.old).partition(".")[0] or basename(moved.old)
        around = basename(dirname(moved.old))
        words = [Word(stem), *([Word(around)] if around else [])]
        search = Search(self._snapshot.tree, self._snapshot.project.paths, words)
        composed = re.compile(rf"\b{re.escape(around)}[./](?:[^\"'`\n]*[{{%$]|[\"'`]\s*[+%])")
        found = {
            file.path
            for file in search.files()
            if stem in _INDEXES or any(hit.word == stem for hit in file.hits) or composed.search(file.text)
        }
        if not search.complete:
            self._draft.note = "Not all files were searched for its name."
        return sorted({*moved.files, *self._using, *found})

    def _new_packages(self) -> set[str]:
        """The folders that get a file which makes them packages, as those around them are, or as the old one was."""
        paths, moved = self._snapshot.project.paths, self._moved
        folders = {str(around) for path in paths for around in PurePosixPath(path).parents}
        after, found = set(map(moved.of, paths)), set[str]()
        for path, new in moved.files.items():
            spec, folder, missing = spec_of(path), dirname(new), list[str]()
            name = spec.package_file if spec is not None else ""
            while folder and folder not in folders:
                missing += [folder] if f"{folder}/{name}" not in after else []
                folder = dirname(folder)
            was_package = path == moved.old and f"{dirname(path)}/{name}" in paths
            if name and (was_package or f"{folder}/{name}" in paths):
                found.update(missing)
        return found

    # What names the files.

    def _edit_source(self, path: str) -> None:
        """Name modules anew in a source."""
        language, data = language_of(path), self._data.get(path) or self._view.lines.data(path)
        assert language is not None
        self._edit_references(path, data)
        if is_embedded(path):
            self._edit_embedded(path, data)
            return
        text, shift = plain_text(path, data) or (None, 0)
        spell = partial(self._respelling.name, path)
        edits = respelled_in(language, text, spell) if text is not None else None
        if edits is None:
            if path in self._moved.files or path in self._using:
                self._refuse(path, 1, "the file's encoding or syntax is not understood")
            return
        for start, end, new in edits:
            self._edit(path, data, start + shift, end + shift, new)
        starts, at = sorted(one.start for one in self._edits.get(path, ())), 0
        for number, line in enumerate(data.split(b"\n"), 1):
            end = at + len(line) + 1
            if self._named.search(line) and bisect_left(starts, at) == bisect_left(starts, end):
                self._draft.left.append((path, number, "a text that names it, or may do so"))
            at = end

    def _edit_embedded(self, path: str, data: bytes) -> None:
        """Name modules anew in a program inside another format, where a line has the name once, in quotes."""
        lines = data.splitlines(keepends=True)
        starts = [0, *accumulate(map(len, lines))]
        for module, line in dict.fromkeys((row.module, row.line) for row in self._snapshot.facts[path].imports):
            spelled = self._respelling.name(path, module, line, Manner.IMPORT)
            if spelled is None or spelled == module:
                continue
            quoted = re.findall(rb"([\"'])%s\1" % re.escape(module.encode()), lines[line - 1])
            if len(quoted) != 1 or is_escaped(path):
                self._refuse(path, line, "an import in a file in which other text surrounds the code")
                continue
            start = starts[line - 1] + lines[line - 1].index(quoted[0] + module.encode() + quoted[0]) + 1
            self._edit(path, data, start, start + len(module.encode()), spelled.encode())
        known = {row.module for row in self._snapshot.facts[path].imports}
        for number, raw in enumerate(lines, 1) if path in self._moved.files else ():
            for text in re.findall(r"[\"'(](\.{1,2}/[^\"'()\s]+)", raw.decode("utf-8", "replace")):
                if text not in known and not self._respelling.stays_beside(path, text):
                    self._refuse(path, number, "a relative path in a file in which other text surrounds the code", True)

    def _edit_references(self, path: str, data: bytes) -> None:
        """Write the new path into CodeRefs that would no longer lead to a file which moves."""
        for found, at in () if is_export(data) else starts_of_references(path, data):
            files = self._places.files(found.ref.path) if found.ref is not None else []
            if found.ref is None or len(files) != 1 or self._moved.of(files[0]) == files[0]:
                continue
            start, old = (at or 0) + len(f"@{found.ref.type}/".encode()), found.ref.path.encode()
            new = self._moved.of(files[0])
            if at is not None and data[start : start + len(old)] == old:
                whole = new if splitext(found.ref.path)[1] else splitext(new)[0]
                self._edit(path, data, start, start + len(old), whole.encode())
            else:
                self._refuse(path, found.line, "a reference whose path is written in another way", True)

    def _edit_text(self, path: str, data: bytes) -> None:
        """Write the new path into settings that surely name the old one; list other texts that have it."""
        self._edit_references(path, data)
        at, is_setting = 0, path.endswith(_SETTINGS) and not is_test(path)
        for number, line in enumerate(data.splitlines(keepends=True), 1):
            for token in _TOKEN.finditer(line) if len(line) < MOST_BYTES // 1000 else ():
                start, end = token.span()
                word = token[0].decode("utf-8", "replace")
                new = self._in_settings(path, word, is_list=_LISTS.match(line) is not None)
                is_key = re.match(rb"[\"']?\s*:", line[end:]) is not None
                is_done = any(edit.start <= at + start < edit.end for edit in self._edits.get(path, ()))
                if new is None or is_done or line[start - 1 : start] == b"@":
                    continue
                if is_setting and not (is_key and path.endswith(".json")) and new:
                    self._edit(path, data, at + start, at + end, new.encode())
                elif is_markup(path) and "/" in word:
                    self._refuse(path, number, "it may name the file", True)
                else:
                    self._draft.left.append((path, number, "a text that names it, or may do so"))
            at += len(line)

    def _in_settings(self, path: str, word: str, *, is_list: bool) -> str | None:
        """The new form of a word that is the path of what moves, or the dotted name; empty if only perhaps."""
        moved = self._moved
        bare = word.removeprefix("./").rstrip("/")
        for folder in dict.fromkeys((dirname(path), "")):
            meant = normpath(join(folder, bare))
            if moved.of(meant) != meant and ("/" in word or "." in bare or is_list):
                # In settings that move with what they name, it stays as it is.
                own = folder if moved.of(path) == path else dirname(moved.of(path))
                new = relpath(f"/{moved.of(meant)}", f"/{own}") if folder else moved.of(meant)
                dot = "./" if word.startswith("./") and not new.startswith(".") else ""
                return f"{dot}{new}{'/' * word.endswith('/')}"
        if re.fullmatch(r"\w+(?:\.\w+)*(?::[\w.]+)?", word) and (is_list or "." in word or ":" in word):
            extension = splitext(next(iter(moved.files)))[1]
            beside = join(dirname(path), f"_{extension}")
            spelled = self._respelling.in_text(beside, word, 0) if spec_of(beside) is not None else None
            return spelled if spelled != word else None
        return "" if bare == basename(moved.old) and ("." in bare or path.endswith(_SETTINGS)) else None

    # What forbids the move.

    def _check(self) -> None:
        facts, moved = self._snapshot.facts, self._moved
        changes_folder = dirname(moved.old) != dirname(moved.new)
        for path, new in moved.files.items():
            data, spec = self._data[path], spec_of(path)
            if path in facts and (facts[path].generated or facts[path].given_up):
                self._refuse(path, 1, "it is generated, or can't be parsed")
            if is_test(path) != is_test(new):
                self._refuse(path, 1, "tools tell tests from other files by their paths", True)
            by_path = spec.read_by_path if spec is not None else ""
            if by_path and _tail(by_path, path) != _tail(by_path, new):
                self._refuse(path, 1, "a tool or a framework reads it because it is called so", True)
            if changes_folder and path in facts and (found := _PLACES.search(data)):
                self._refuse(path, data.count(b"\n", 0, found.start()) + 1, "it uses its own place", True)
            for other in self._snapshot.project.paths if spec is not None and moved.old == path else ():
                if other != path and spec_of(other) is not None and _stem(other) == _stem(path):
                    self._refuse(other, 1, "a file that stands for the same module", True)
        package = facts.get(f"{dirname(moved.old)}/__init__.py")
        stem = basename(moved.old).partition(".")[0]
        listed = [row for row in package.exports if row.name == stem] if package is not None else []
        if package is not None and listed and stem not in {row.name for row in package.bindings}:
            self._refuse(package.path, listed[0].line, "the package lists it among its names")
        folders = {dirname(moved.old), dirname(moved.new), dirname(dirname(moved.old)), dirname(dirname(moved.new))}
        for path in sorted(facts):
            if dirname(path) in folders and spec_of(path) is not None:
                data = self._data.get(path) or self._view.lines.data(path)
                found = _SCANS.search(data) or (_LISTS_FOLDER.search(data) if _PLACES.search(data) else None)
                if found is not None:
                    self._refuse(path, data.count(b"\n", 0, found.start()) + 1, "it lists the files of a folder", True)
        for skipped in self._snapshot.unread:
            is_left_out = skipped.reason in (SkipReason.IGNORED, SkipReason.EXCLUDED)
            stays = not is_left_out or spec_of(skipped.path) is not None
            if stays and _is_at(skipped.path.rstrip("/"), moved.old):
                self._refuse(skipped.path, 1, f"{skipped.reason}: it would stay behind")

    def _check_after(self) -> None:
        """Resolve the project as it would be, and refuse what would be lost."""
        before = self._snapshot
        sources = by_path(self._draft.changes)
        # What only types told may be another one, as the type of a value is found in another order.
        was = {new: path for path, new in self._moved.files.items()}
        rows = damage(self._view, sources, moved=self._moved.files).rows
        # A file that is no source, such as import "./a.css", is not found before either, by another path.
        graph = before.graph
        lacking = {(path, use.line) for path in was.values() for use in graph.outside_by_source.get(path, ())}
        for path, line, why in [(was.get(path, path), line, why) for path, line, why in rows]:
            if (path, line) not in lacking or not why.endswith("would not be found here"):
                self._draft.refused.append((path, line, why))
        after, _ = self._view.with_sources(sources)
        entries = set(map(self._moved.of, exported_sources(before.project.manifests, before.facts)))
        lost = entries - set(exported_sources(after.project.manifests, after.facts))
        for path in sorted(lost & was.keys()):
            self._refuse(was[path], 1, "a manifest names it, perhaps by what a build makes of it", True)
        for path, new in self._moved.files.items():
            if path not in before.facts:
                continue
            users = Counter(self._moved.of(edge.file) for edge in before.graph.edges_to(path))
            for edge in after.graph.edges_to(new):
                users[edge.file] -= 1
                if users[edge.file] < 0:
                    self._refuse(was.get(edge.file, edge.file), edge.line, f"it would import {new}")
            if _read(before, path) != _read(after, new):
                self._refuse(path, 1, "a framework or a tool reads it in another way at the new path", True)


def _is_at(path: str, place: str) -> bool:
    return path == place or path.startswith(f"{place}/")


def _read(snapshot: Snapshot, path: str) -> list[tuple[str, bool, bool]]:
    """The elements of a file as frameworks and tools read them."""
    symbols = snapshot.facts[path].symbols[1:]
    return [(one.qualified_name, one.kind is SymbolKind.ENDPOINT, runs_unnamed(snapshot, one)) for one in symbols]


def _stem(path: str) -> str:
    return splitext(path)[0].removesuffix(".d")


def _tail(pattern: str, path: str) -> str:
    """The end of a path from where a pattern matches; empty if it does not."""
    found = re.search(pattern, path)
    return path[found.start() :] if found is not None else ""
