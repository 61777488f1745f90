"""Plans the edits of the files that name moved elements."""

import re
from collections import defaultdict
from collections.abc import Collection

from bearings.code.file_facts import BindingKind, Export, Import, ImportKind
from bearings.code.languages import spec_of
from bearings.code.languages.shared.import_lists import entries_of, with_entries, with_module
from bearings.code.languages.shared.occurrences import MODULE, Part
from bearings.code.languages.shared.removals import When
from bearings.code.models import IMPORTS, TYPES, Symbol, SymbolKind
from bearings.code.project.unread_languages import is_unread
from bearings.code.questions.move.texts import Text
from bearings.code.refactoring.edits import Edit
from bearings.code.refactoring.imports import NewImport
from bearings.code.refactoring.judging import NAME_READ
from bearings.code.refactoring.loading import Loading, NewLoad
from bearings.code.refactoring.place import FilePlaces, Kind, Place
from bearings.code.refactoring.plans import Plan
from bearings.code.refactoring.specifiers import Specifiers
from bearings.code.resolve.referent import OUTSIDE
from bearings.code.search.view import WholeGraph
from bearings.code.syntax_trees import Use

_QUALIFIER = re.compile(rb"([A-Za-z_$][\w$]*(?:\s*\.\s*[A-Za-z_$][\w$]*)*)\s*\??\.\s*\Z")
_QUOTES = (b'"', b"'", b"`")
_PREFIX = re.compile(rb"([\w/@~.-]+)[.:]\Z")
_LISTS = frozenset({Part.IMPORTED, Part.REEXPORTED, Part.BINDING})
_KEYS = frozenset({Part.PATTERN, Part.KEY})
_CALLED = frozenset({ImportKind.DYNAMIC, ImportKind.REQUIRE})

Row = Import | Export


class Users:
    """The edits of files by their paths, in their texts, and the imports that they get.

    `going` are entries of lists and definitions that go, by the bytes of their names. `references` are the elements
    that CodeRefs in a file name.
    """

    def __init__(
        self, view: WholeGraph, specifiers: Specifiers, source: str, target: str, loading: Loading, draft: Plan
    ) -> None:
        self._view, self._specifiers, self._draft = view, specifiers, draft
        self._source, self._target, self._loading = source, target, loading
        self._lists: defaultdict[str, list[Place]] = defaultdict(list)
        self.edits: defaultdict[str, list[Edit]] = defaultdict(list)
        self.going: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        self.wanted: defaultdict[str, list[NewImport]] = defaultdict(list)
        self.references: defaultdict[str, set[Symbol]] = defaultdict(set)

    def text(self, path: str) -> Text:
        """The text of a file. Raises Changed, Unsupported."""
        lines = self._view.lines
        return Text.of(path, lines.data(path) if path in self._view.snapshot.facts else b"\n".join(lines.of(path)))

    def meant(self, path: str, row: Row) -> str:
        """The file that an import or a re-export is from: the module in a package, if it imports that."""
        spec, name = spec_of(path), row.name if isinstance(row, Import) else ""
        below = ""
        if spec is not None and spec.package_file and name not in ("", "*"):
            below = self._specifiers.meant(path, joined(row.module, name))
        return below or self._specifiers.meant(path, row.module)

    def spelled(self, importer: str, row: Import, home: str, target: str) -> tuple[str, str] | None:
        """The module and the name with which a file imports another one, in the style of a row of the file `home`.

        None if there is none.
        """
        name, meant = row.name, self.meant(home, row)
        is_below = name not in ("", "*") and self._specifiers.meant(home, row.module) != meant
        written = self._specifiers.to(importer, target, joined(row.module, name) if is_below else row.module, meant)
        if written is None or not is_below:
            return None if written is None else (written, name)
        module, _, last = written.rpartition(".")
        return module + "." * (not module.strip(".")), last

    def target(self, path: str, line: int, like: str = "") -> str:
        """The module of the target as a file names it, in the style of one that means the source; refuses the line."""
        spelled = self._specifiers.to(path, self._target, like, self._source if like else "")
        return spelled or self._refuse(path, line, "its new module can't be named here")

    def _refuse(self, path: str, line: int, why: str) -> str:
        self._draft.refused.append((path, line, why))
        return ""

    def add(self, file: FilePlaces, symbol: Symbol, *, keeps: bool, leave_unsure: bool) -> None:
        """Plan the edits of a file. `keeps`: the source imports the element afterwards, because it uses it."""
        path, stem = file.path, re.compile(rf"\b{re.escape(stem_of(self._source))}\b")
        for place in file.places:
            is_use, is_unsure, why = place.kind is Kind.USE, place.kind is Kind.UNSURE, place.why
            is_member = place.part is Part.MEMBER
            if place.part in _KEYS and (is_use or is_unsure):
                self._lists[path].append(place)
            elif is_use and place.part is Part.STRING and not place.why:
                self._string(self.text(path), place, keeps=keeps)
            elif is_member and (is_use or (is_unsure and self._is_of_import(self.text(path), place))):
                self._member(self.text(path), place)
            elif is_unsure and self._stays(file, place, symbol.name):
                continue
            elif is_unsure and place.part is Part.STRING and self._before_path(file, place) in _QUOTES:
                self._string(self.text(path), place, keeps=keeps)
            elif is_unsure and (edit := self._setting(path, place.line, symbol.name)):
                self.edits[path].append(edit)
            elif is_unsure:
                (self._draft.left if leave_unsure else self._draft.refused).append((path, place.line, why))
            elif place.kind is Kind.REFERENCE:
                self.references[path].add(symbol)
            elif place.kind is Kind.OTHER and why and stem.search(self._view.lines.at(path, place.line)):
                self._draft.left.append((path, place.line, why))
            elif place.kind is Kind.IMPORT and place.part in _LISTS:
                self._lists[path].append(place)

    def _stays(self, file: FilePlaces, place: Place, name: str) -> bool:
        """Whether a place that may be a use stays right, as it names no module: `T.Keyword.f` where T is the source."""
        path, text = file.path, self.text(file.path)
        if text.language is None:
            home = "/" + self._source.rpartition(".")[0].removesuffix("/__init__")
            modules = [match[1].replace(b".", b"/") for match in _settings(text, place.line, name)]
            is_elsewhere = bool(modules) and not any(home.endswith(f"/{one.decode()}") for one in modules)
            stem = rb"\b%s\b" % stem_of(self._source).encode()
            return is_elsewhere or (is_unread(path) and not re.search(stem, text.text))
        rows = self._view.snapshot.facts[path].imports
        if place.part is Part.MEMBER:
            qualifier = self._qualifier(text, place)[0]
            rows = tuple(row for row in rows if row.local == qualifier.partition(".")[0])
            named = (row for row in rows if qualifier == (row.local if row.name else row.module))
            return bool(rows) and not any(self._may_be_module(path, row) for row in named)
        if place.part is Part.BROKEN:
            own = (row for row in rows if self.meant(path, row) == self._source or (row.local and not row.name))
            return path != self._source and not any(own)
        is_unnamed = bool(file.data) and place.start == place.end
        is_prose = place.part is Part.STRING and self._before_path(file, place).isspace()
        return is_unnamed or is_prose or place.why == NAME_READ or place.part is Part.COMMENT

    def _may_be_module(self, path: str, row: Import) -> bool:
        """Whether an import may give a file a module of the project."""
        graph = self._view.snapshot.graph
        edges = (edge for edge in graph.edges_from(path, IMPORTS) if edge.line == row.line and edge.is_name_of_import)
        names = {one.name for edge in edges if (one := graph.symbols[edge.target]).kind is not SymbolKind.MODULE}
        return row.name not in names and self._specifiers.find(path, row.module).kind != OUTSIDE

    def _is_of_import(self, text: Text, place: Place) -> bool:
        """Whether the name before a member is one that an import alone gives its file."""
        qualifier, (start, _) = self._qualifier(text, place)
        bound = [row.kind for row in self._view.snapshot.facts[text.path].bindings if row.name == qualifier]
        uses = text.uses_of([qualifier])[qualifier] if set(bound) == {BindingKind.IMPORT} else ()
        return any(use.one.start == start and use.one.scope == MODULE for use in uses)

    def _before_path(self, file: FilePlaces, place: Place) -> bytes:
        """The character before the dotted name that ends with a place; empty for a name alone."""
        match = _PREFIX.search(file.data, max(0, place.start + file.shift - 500), place.start + file.shift)
        return file.data[match.start() - 1 : match.start()] if match is not None else b""

    def _setting(self, path: str, line: int, name: str) -> Edit | None:
        """The edit of a line of settings that names an element by its module, as `pkg.a:f`; None for another line."""
        text = self.text(path)
        found = _settings(text, line, name)
        home, place = self._source.rpartition(".")[0], self._target.rpartition(".")[0]
        module = found[0][1].decode().replace(".", "/") if len(found) == 1 else ""
        root = home.removesuffix(module)
        if not module or root == home or not (root in ("", "src/") or root.endswith("/")) or not place.startswith(root):
            return None
        return Edit(found[0].start(1), found[0].end(1), place.removeprefix(root).replace("/", ".").encode())

    def finish(self, names: Collection[str]) -> None:
        """Plan the edits of the lists that import or export elements of these names."""
        facts_of = self._view.snapshot.facts
        for path, places in self._lists.items():
            facts, text = facts_of[path], self.text(path)
            statements: dict[tuple[int, int], list[tuple[Use, Row]]] = {}
            uses = text.uses_of(names)
            found = {use.one.start: (use, name) for name, each in uses.items() for use in each}
            for place in places:
                use, name = found[place.start]
                rows: list[Row] = [row for row in facts.imports if row.name == name and row.line == place.line]
                rows += [row for row in facts.exports if row.module and row.local == name and row.line == place.line]
                if place.part in _KEYS and use.statement is not None:
                    lines = range(text.line(use.statement[0]), text.line(use.statement[1]) + 1)
                    rows = [row for row in facts.imports if row.line in lines and row.kind in _CALLED]
                row = next((row for row in rows if self.meant(path, row) == self._source), None)
                if row is not None and use.statement is not None:
                    statements.setdefault(use.statement, []).append((use, row))
                    if isinstance(row, Import):
                        self._loading.drop(path, row)
                    if isinstance(row, Import) and row.scope == 0 and row.kind is not ImportKind.TYPE:
                        at_load = any(use.when is When.LOAD and use.one.part is Part.NAME for use in uses[name])
                        self._loading.add(path, NewLoad(self._target, path, row.line, at_load))
                elif place.part in _KEYS:
                    why = place.why or "a test replaces it in the module that it leaves"
                    self._refuse(path, place.line, why)
            for statement, entries in statements.items():
                self._retarget(text, statement, entries)

    def star(self, symbol: Symbol) -> None:
        """Offer an element where all names of the source are offered, which has it no more."""
        if symbol.name.startswith("_") or not symbol.exported:
            return
        for path in self._view.snapshot.graph.importers(self._source):
            facts = self._view.snapshot.facts[path]
            stars: list[Row] = [row for row in facts.imports if is_star(row)]
            stars += [row for row in facts.exports if row.name == row.local == "*"]
            for row in stars if path != self._target else ():
                spelled = self.meant(path, row) == self._source and self.target(path, row.line, row.module)
                if spelled and isinstance(row, Import):
                    self.wanted[path].append(NewImport(spelled, symbol.name, beside=row.module))
                elif spelled:
                    text = self.text(path)
                    start, end = text.span_of(row.line)
                    moved = with_module(text.text[start:end], row.module, spelled) or b""
                    is_type = symbol.kind in TYPES and b"export type" not in moved
                    listed = b"%s{ %s }" % (b"type " * is_type, symbol.name.encode())
                    self.edits[path].append(Edit(end, end, b"\n" + moved.replace(b"*", listed, 1)))

    def _retarget(self, text: Text, statement: tuple[int, int], found: list[tuple[Use, Row]]) -> None:
        """Let a statement import or export elements from their new module, or another statement beside it."""
        path, (start, end), row = text.path, statement, found[0][1]
        code, spans = text.text[start:end], [(use.one.start, use.one.end) for use, _ in found]
        if path == self._target:
            self.going[path] += spans
            self._draft.refused += [
                (path, each.line, f"it is called {each.local} here")
                for _, each in found
                if isinstance(each, Import) and each.local != each.name
            ]
            return
        spelled = self.target(path, row.line, row.module)
        entries, rows = entries_of(code), {row for _, row in found}
        here = [one for one in entries if any(_names(one, use, text) for use, _ in found)]
        moved = with_module(code, row.module, spelled)
        line_start = text.text.rfind(b"\n", 0, start) + 1
        if moved is None or len(here) != len(rows):
            self._refuse(path, row.line, "its new module can't be named here")
        elif len(here) == len(entries):
            self.edits[path].append(Edit(start, end, moved))
        elif found[0][0].one.part in _KEYS:
            self._refuse(path, row.line, "one call imports it with other elements")
        elif start == line_start and len(found) == len(rows) and all(isinstance(each, Import) for each in rows):
            self.going[path] += spans
            for _, each in found:
                if isinstance(each, Import):
                    local = "" if each.local == each.name else each.local
                    is_type = each.kind is ImportKind.TYPE
                    self.wanted[path].append(NewImport(spelled, each.name, local, is_type, beside=row.module))
        else:
            self.going[path] += spans
            indent = text.text[line_start:start]
            self.edits[path].append(Edit(end, end, b"\n" + indent + with_entries(moved, here)))

    def _member(self, text: Text, place: Place) -> None:
        """Let `a.f`, where `a` is the source as a module, name the target."""
        qualifier, span = self._qualifier(text, place)
        local = qualifier.partition(".")[0]
        facts = self._view.snapshot.facts[text.path]
        rows = [row for row in facts.imports if row.local == local]
        # `import a` gives `a.b.f`, too, if any file imports `a.b`.
        below = (Import(qualifier, "", local, one.line, one.scope, one.kind) for one in rows if not one.name)
        row = next((one for one in rows if one.name or one.module == qualifier), None) or next(below, None)
        meant = self.meant(text.path, row) if row is not None else ""
        if not qualifier or (row is not None and meant != self._source):
            return  # through another module, which imports it; if not, the check afterwards tells
        if row is None or (row.name and qualifier != local):
            self._refuse(text.path, place.line, "a member of a module that is imported otherwise")
        elif text.path == self._target:
            self.edits[text.path].append(Edit(span[0], place.start, b""))
        elif row.scope or row.kind not in (ImportKind.STATIC, ImportKind.TYPE):
            self._refuse(text.path, place.line, "its module is imported inside of a function")
        else:
            self._through_module(text, row, span, place)

    def _qualifier(self, text: Text, place: Place) -> tuple[str, tuple[int, int]]:
        """The dotted name before a member, with its bytes; empty for another expression."""
        match = _QUALIFIER.search(text.text, max(0, place.start - 500), place.start)
        return (b"".join(match[1].split()).decode(), match.span(1)) if match is not None else ("", (0, 0))

    def _through_module(self, text: Text, row: Import, qualifier: tuple[int, int], place: Place) -> None:
        """Import the target as a module, and name the element through it; import the element if that name is taken."""
        path, facts = text.path, self._view.snapshot.facts[text.path]
        module, name = self.spelled(path, row, path, self._target) or ("", "")
        local = module if row.name == "" else name if name not in ("*", row.name) else _identifier(self._target)
        alias = "" if name not in ("*", row.name) or row.name == "" else local
        edit, own = Edit(*qualifier, local.encode()), text.text[place.start : place.end].decode()
        bound = {one.name: one.scope for one in sorted(facts.bindings, key=lambda one: -one.scope)}
        known = [self.meant(path, one) == self._target for one in facts.imports if one.local == local]
        if row.name != "" and bound.get(local) == 0 and not (known and all(known)):
            module, name, alias, edit = self.target(path, place.line), own, "", Edit(qualifier[0], place.start, b"")
            if own in bound:
                self._refuse(path, place.line, f"{local} means something else here")
        if not module:
            self._refuse(path, place.line, "its new module can't be named here")
        self.wanted[path].append(NewImport(module, name, alias, beside=row.module))
        self.edits[path].append(edit)
        self._loading.add(path, NewLoad(self._target, path, row.line, at_load=False))

    def _string(self, text: Text, place: Place, *, keeps: bool) -> None:
        """Let a string that a function takes as a name, such as `patch("pkg.a.f")`, name the target."""
        match = _PREFIX.search(text.text, max(0, place.start - 500), place.start)
        if match is None:
            if not keeps:
                self._refuse(text.path, place.line, "a test replaces it in the module that it leaves")
            return
        module = match[1].decode()
        if self._specifiers.meant(text.path, module) != self._source or keeps:
            return
        if spelled := self.target(text.path, place.line, module):
            self.edits[text.path].append(Edit(match.start(1), match.end(1), spelled.encode()))


def _settings(text: Text, line: int, name: str) -> list[re.Match[bytes]]:
    """The modules before an element's name on a line of settings, as in `pkg.a:f`."""
    named = re.compile(rf"(?<![\w.])([\w.]+):{re.escape(name)}(?![\w.])".encode())
    return list(named.finditer(text.text, *text.span_of(line))) if text.language is None else []


def is_star(row: Import) -> bool:
    """Whether an import gives a file all names of a module."""
    return row.name == "*" and not row.local and row.kind is ImportKind.STATIC


def joined(module: str, name: str) -> str:
    """The dotted name of something in a package: `.util` for `from . import util`."""
    return f"{module}{name}" if module.endswith(".") else f"{module}.{name}"


def stem_of(path: str) -> str:
    """The name of a module by its path: of `__init__.py` the folder's."""
    spec, (folder, _, name) = spec_of(path), path.rpartition("/")
    is_package = spec is not None and name in (spec.package_file, "index.ts", "index.js")
    return folder.rpartition("/")[2] if is_package else name.partition(".")[0]


def _identifier(path: str) -> str:
    words = re.split(r"\W+", stem_of(path))
    return "".join([words[0], *(word[:1].upper() + word[1:] for word in words[1:])])


def _names(entry: bytes, use: Use, text: Text) -> bool:
    """Whether an entry of a list has a name."""
    return text.text[use.one.start : use.one.end] in re.findall(rb"[\w$]+", entry)
