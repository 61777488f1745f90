"""Plans a move of elements: their code, the imports that it takes along, and all that names them.

The `source` is the file that has the elements; it imports them if it still uses them. The `target` is the file that
gets them; it imports what they use, from the source, too. The `users` are other files, whose imports, members of
modules, strings and references name the target afterwards.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from bearings.code.file_facts import Import, ImportKind
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import spec_of
from bearings.code.languages.embedded import is_embedded
from bearings.code.languages.shared.import_lists import with_module
from bearings.code.languages.shared.occurrences import MODULE, Part
from bearings.code.languages.shared.removals import Removal, When, united
from bearings.code.models import Symbol, SymbolKind
from bearings.code.parse import Use
from bearings.code.project.words import Search, Word
from bearings.code.questions.move.loading import Loading, NewLoad
from bearings.code.questions.move.texts import Text
from bearings.code.questions.move.users import Users, is_star, stem_of
from bearings.code.refactoring.checking import damage
from bearings.code.refactoring.edits import Change, Edit, by_path, edited
from bearings.code.refactoring.imports import NewImport
from bearings.code.refactoring.place import Kind, Options
from bearings.code.refactoring.places import Places
from bearings.code.refactoring.plans import Plan, spec_for
from bearings.code.refactoring.specifiers import Specifiers
from bearings.code.search.view import WholeGraph
from bearings.errors import InvalidInput

_OF_FILE = re.compile(
    rb"__file__|__path__|__package__|__spec__|__dirname|__filename|import\.meta|\bglobals\(\)|modules\[__name__\]"
)
_GLOBAL = re.compile(rb"^[ \t]+global\s", re.MULTILINE)
_DECORATED = re.compile(rb"^@([\w$]+)\.", re.MULTILINE)
_HEAD = re.compile(
    rb"^(?=(?:declare|abstract|async|function|class|const|let|var|interface|type|enum|namespace)\b)", re.MULTILINE
)
_OVERLOAD = re.compile(rb"^@(?:\w+\.)?overload\b|^(?:export\s+)?(?:declare\s+)?function\b[^{]*\Z", re.MULTILINE)
_REPLACED = re.compile(r"(?:patch(?:\.\w+)?|[sd]e[tl]attr|spyOn|mock\w*)\s*\(\s*[\"']?[\w./@-]*\Z", re.IGNORECASE)
_BRANCHES = re.compile(
    rb"(?:if|try)\b[^\n]*:[ \t]*\r?\n"
    rb"(?:(?:[ \t]+(?:from|import|pass)\b[^\n(]*|(?:elif|else|except|finally)\b[^\n]*:[ \t]*)\r?\n)+"
)
_MAIN = re.compile(rb"^if __name__\b", re.MULTILINE)
_BINDING = frozenset({Part.BINDING, Part.HEAD})
_READ = frozenset({Part.NAME, Part.SHORTHAND})
_OFFERED = frozenset({Part.LISTED, Part.EXPORTED, Part.REEXPORTED})
_VARIABLES = frozenset({SymbolKind.VARIABLE, SymbolKind.CONSTANT})


def plan(view: WholeGraph, symbols: Sequence[Symbol], target: str, *, leave_unsure: bool) -> Plan:
    """Return the plan of a move. Raises InvalidInput or Unsupported for an element or a target, and Changed."""
    path = _target(view.snapshot, symbols, target)
    draft = Plan()
    _Move(view, symbols, path, draft).plan(leave_unsure=leave_unsure)
    draft.refused = list(dict.fromkeys(draft.refused))
    return draft


def _target(snapshot: Snapshot, symbols: Sequence[Symbol], target: str) -> str:
    """The path of the target. Raises InvalidInput, Unsupported."""
    source, given = symbols[0].file, PurePosixPath(target.strip())
    path = str(given)
    for symbol in symbols:
        spec_for(symbol, "move")
        if symbol.file != source:
            raise InvalidInput("element", symbol.id, f"is not in {source}", "Move the elements of one file at a time.")
        if symbol.inside or symbol.kind in (SymbolKind.MODULE, SymbolKind.ENDPOINT):
            raise InvalidInput("element", symbol.id, "is not at the top of its file", "Pass the element around it.")
    spec, own, problem = spec_of(path), spec_of(source), ""
    if given.is_absolute() or ".." in given.parts or "\\" in target or not path.isprintable():
        problem = "is no path below the project's root"
    elif is_embedded(path) or is_embedded(source):
        problem = "is, or its source is, a file in which other text surrounds the code"
    elif spec is None or own is None or spec.group != own.group:
        problem = f"is no file of {own.group if own else 'code'}"
    elif path == source:
        problem = "is the file that has the element"
    elif path in snapshot.facts:
        is_written = snapshot.facts[path].generated or snapshot.facts[path].given_up
        problem = "is generated, or can't be parsed" if is_written else ""
    elif (snapshot.root / path).exists() or (snapshot.root / path).is_symlink():
        problem = "is there, but no source of the project: ignored, too large, or no file"
    elif not any(one.rpartition("/")[0] == path.rpartition("/")[0] for one in snapshot.facts):
        problem = "is in a folder without sources"
    if problem:
        raise InvalidInput("target", target, problem, "Pass a source of the project, or a new file beside one.")
    return path


class _Move:
    """A move of elements from the file `source` to the file `target`."""

    def __init__(self, view: WholeGraph, symbols: Sequence[Symbol], target: str, draft: Plan) -> None:
        self._view, self._draft, self._snapshot = view, draft, view.snapshot
        self._symbols = {symbol.name: symbol for symbol in symbols}
        source, project = symbols[0].file, view.snapshot.project
        is_new = target not in self._snapshot.facts
        after = replace(project, paths=project.paths | {target}) if is_new else None
        self._specifiers = Specifiers(self._snapshot, after)
        self._source = Text.of(source, view.lines.data(source))
        self._target = Text.of(target, None if is_new else view.lines.data(target))
        self._facts, self._others = self._snapshot.facts[source], self._snapshot.facts.get(target)
        names = {row.name for row in self._facts.bindings if row.scope == 0} | self._symbols.keys()
        self._uses = self._source.uses_of(names & _words(self._source.text))
        spec = spec_of(source)
        rules = spec.name_rules().removal if spec is not None and spec.name_rules is not None else None
        self._is_live = rules is not None and rules.is_live
        self._loading = Loading(self._snapshot, is_live=self._is_live)
        self._users = Users(view, self._specifiers, source, target, self._loading, draft)
        self._inner: list[Edit] = []
        """The edits of the code that moves."""
        self._blocks = set[tuple[int, int]]()
        """The bytes of statements that import names under conditions, of which the target gets a copy."""
        self._unneeded: list[Use] = []
        """The imports of the source that the moved code alone uses."""
        self._definitions = {
            one.id: one
            for one in self._facts.symbols
            if one.qualified_name in self._symbols and not one.inside and one.kind is not SymbolKind.ENDPOINT
        }
        self._spans = self._cut()

    def plan(self, *, leave_unsure: bool) -> None:
        """Fill the draft."""
        draft, source = self._draft, self._source.path
        self._check_code()
        needed = dict(self._needed())
        for name, uses in sorted(self._uses.items()) if self._blocks else ():
            if name not in needed and (copied := [use for use in uses if self._is_copied(use)]):
                needed[name] = copied
        reached = self._reached(needed)
        for name, uses in needed.items():
            self._take_along(name, uses, is_reached=name in reached)
        for name, symbol in self._symbols.items():
            members = {id_: one for id_, one in self._definitions.items() if one.name == name}
            places = Places(self._view, symbol, Options(), members)
            still = self._still(name)
            for file in places.files():
                if file.path == source:
                    moving = [one for one in file.places if self._moves(one.start)]
                    if any(one.kind is Kind.REFERENCE for one in moving):
                        self._users.references[self._target.path].add(symbol)
                    file = file._replace(places=[one for one in file.places if not self._moves(one.start)])
                self._users.add(file, symbol, keeps=bool(still), leave_unsure=leave_unsure)
            self._offer(symbol, still)
            draft.note = draft.note or places.note
        self._users.finish(self._symbols)
        self._check_target()
        for importer, row in self._loading.circles():
            draft.refused.append(row)
            if importer in (source, self._target.path):
                draft.note = self._remedy(needed)
        if not draft.refused:
            self._write()

    def _is_copied(self, use: Use) -> bool:
        return _is_read(use) and any(start <= use.one.start < end for start, end in self._blocks)

    def _refuse(self, at: int, why: str) -> None:
        self._draft.refused.append((self._source.path, self._source.line(at), why))

    def _moves(self, at: int) -> bool:
        return any(span.start <= at < span.end for span in self._spans)

    def _cut(self) -> list[Removal]:
        """The bytes of the source that go, in order."""
        names, found, text = [], set[Removal](), self._source.text
        for one in self._definitions.values():
            here = [
                use.one
                for use in self._uses.get(one.name, ())
                if one.line <= use.one.line <= one.end_line and use.one.part in _BINDING
            ]
            if here and here[0].scope == MODULE:
                names.append((here[0].start, here[0].end))
            else:
                self._draft.refused.append((one.file, one.line, "its definition can't be taken out alone"))
        others = [
            (use.one.start, use.one.end)
            for name in self._symbols
            for use in self._uses.get(name, ())
            if use.one.part in _BINDING and use.one.scope == MODULE and (use.one.start, use.one.end) not in names
        ]
        heads = zip(others, self._source.removals_of(others), strict=True)
        names += [span for span, one in heads if one is not None and _OVERLOAD.search(text, one.start, one.end)]
        for (start, _), removal in zip(names, self._source.removals_of(names), strict=True):
            if removal is None or not removal.lines:
                self._refuse(start, "it shares a statement or a line with other code")
            elif text[removal.start : removal.end].lstrip(b"\r\n")[:1].isspace():
                self._refuse(start, "it is defined under a condition")
            elif re.search(rb"^export\s+default\b", text[removal.start : removal.end], re.MULTILINE):
                self._refuse(start, "it is the default export of its file")
            else:
                found.add(removal)
        return sorted(found)

    def _check_code(self) -> None:
        """Refuse code that means something else in another file, or that shares its state."""
        for span in self._spans:
            code = self._source.text[span.start : span.end]
            for match in _OF_FILE.finditer(code):
                self._refuse(span.start + match.start(), f"{match[0].decode()} is another one in another file")
            for match in _GLOBAL.finditer(code):
                self._refuse(span.start + match.start(), "it assigns names of its module")
            for match in _DECORATED.finditer(code):  # @app.route("/"): `app` gets it as the file is loaded
                if self._is_variable(match[1].decode()):
                    self._refuse(span.start + match.start(), "it is registered as its file is loaded")
            for match in re.finditer(rb"\b__name__\b", code):
                line = self._source.line(span.start + match.start())
                self._draft.left.append((self._source.path, line, "its value is the name of the new module"))
            self._respell_inside(span)
        for name, symbol in self._symbols.items():
            for use in self._uses.get(name, ()):
                is_bound = use.one.part is Part.BINDING and use.one.scope == MODULE
                if is_bound and not self._moves(use.one.start):
                    self._refuse(use.one.start, f"{name} is assigned or declared again here")
            for edge in self._snapshot.graph.edges_to(symbol.id):
                if edge.kind == "write" and not (edge.file == symbol.file and self._moves_line(edge.line)):
                    self._draft.refused.append((edge.file, edge.line, f"{name} is assigned here"))
        for row in self._facts.imports:
            if is_star(row) and not self._specifiers.meant(self._source.path, row.module):
                self._draft.refused.append((self._source.path, row.line, "names may come from this star import"))
        for export in self._facts.exports:
            if export.name == "=" or str(export.local).startswith("exports."):
                self._draft.refused.append((self._source.path, export.line, "its file exports by assignments"))

    def _moves_line(self, line: int) -> bool:
        return any(line in self._lines_of(span) for span in self._spans)

    def _lines_of(self, span: Removal) -> range:
        """The lines of code that moves."""
        blank = len(code := self._source.text[span.start : span.end]) - len(code.lstrip(b"\r\n"))
        return range(self._source.line(span.start + blank), self._source.line(span.end - 1) + 1)

    def _respell_inside(self, span: Removal) -> None:
        """Respell the relative modules that functions of the moved code import."""
        text = self._source
        for row in self._facts.imports:
            if not (row.module.startswith(".") and self._moves_line(row.line)):
                continue
            start, end = text.span_of(row.line)
            meant = self._users.meant(text.path, row)
            spelled = self._users.spelled(self._target.path, row, text.path, meant) if meant else None
            code = with_module(text.text[start:end], row.module, spelled[0]) if spelled is not None else None
            if code is None:
                self._draft.refused.append((text.path, row.line, f"{row.module} has no sure name in the target"))
            elif span.start <= start < span.end:
                self._inner.append(Edit(start, end, code))

    def _is_variable(self, name: str) -> bool:
        """Whether a name is a variable of the project, and no module, function or class."""
        graph = self._snapshot.graph
        found = [one for one in self._facts.symbols if one.qualified_name == name]
        lines = {row.line for row in self._facts.imports if row.local == name}
        edges = (edge for edge in graph.edges_from(self._source.path) if edge.line in lines and edge.is_name_of_import)
        found += [graph.symbols[edge.target] for edge in edges]
        return any(one.kind in _VARIABLES for one in found)

    def _needed(self) -> Iterator[tuple[str, list[Use]]]:
        """The names of the source that the moved code uses."""
        declared = {row.name: row.line for row in reversed(self._facts.bindings) if row.scope == 0}
        for name, uses in sorted(self._uses.items(), key=lambda item: (declared.get(item[0], 0), item[0])):
            inside = [use for use in uses if self._moves(use.one.start) and _is_read(use)]
            if inside and name not in self._symbols:
                block = self._conditional(name)
                self._blocks |= {block} if block and name not in self._bound() else set()
                yield name, inside

    def _conditional(self, name: str) -> tuple[int, int] | None:
        """The statement at the top of the source that imports a name in each of its branches, and does no more."""
        rows = [row for row in self._facts.imports if row.local == name and row.scope == 0]
        if len(rows) < 2 or any(row.kind is not ImportKind.STATIC for row in rows):
            return None
        start = self._source.top_of(self._source.start_of(rows[0].line))
        match = _BRANCHES.match(self._source.text, start)
        is_whole = match is not None and self._source.start_of(rows[-1].line) < match.end()
        return match.span() if match is not None and is_whole else None

    def _reached(self, names: Mapping[str, object]) -> set[str]:
        """Those of some names that other files reach through the source; refuses those that a test replaces there."""
        found, source = set[str](), self._source.path
        for path in self._snapshot.graph.importers(source):
            for row in self._snapshot.facts[path].imports:
                if row.kind is ImportKind.MOCK and self._users.meant(path, row) == source:
                    self._draft.refused.append((path, row.line, "a test replaces the module that it leaves"))
                if row.name in ("*", *names) and self._users.meant(path, row) == source:
                    found |= set(names) if is_star(row) else {row.name} & names.keys()
        if not names:
            return found
        stem, some = re.escape(stem_of(source)), "|".join(map(re.escape, names))
        named = re.compile(rf"\b{stem}\.({some})\b(\.)?|\b{stem}\s*,\s*[\"']({some})[\"']")
        for file in Search(self._snapshot.tree, self._snapshot.project.paths, [Word(stem_of(source))]).files():
            for match in named.finditer(file.text) if file.path != source else ():
                line = file.text.count("\n", 0, match.start()) + 1
                # patch("pkg.a.time"), setattr(a, "time", …)
                if not match[2] and _REPLACED.search(file.text, max(0, match.start() - 200), match.start()):
                    why = f"it replaces {match[3] or match[1]} where the moved code no longer looks it up"
                    self._draft.refused.append((file.path, line, why))
                found.add(match[1] or match[3])
        return found

    def _take_along(self, name: str, uses: Sequence[Use], *, is_reached: bool) -> None:
        """Import in the target what the moved code uses, and take out of the source what it alone used."""
        source, found = self._source, self._uses[name]
        rows = [row for row in self._facts.imports if row.local == name and row.scope == 0]
        lines = {row.line for row in rows}
        declaring = [use for use in found if use.one.line in lines and use.statement is not None]
        is_top = all(source.is_at_margin(use.statement[0]) for use in declaring if use.statement is not None)
        others = [one for one in self._facts.bindings if (one.name, one.scope) == (name, 0) and one.line not in lines]
        if any(start <= use.one.start < end for use in declaring for start, end in self._blocks):
            return
        if not rows or others or not (is_top or all(row.kind is ImportKind.TYPE for row in rows)):
            self._import_from_source(name, uses)
            return
        code = source.text[uses[0].one.start :][:300].decode("utf-8", "replace")
        for row in [row for row in rows if row.name or re.match(rf"{re.escape(row.module)}\b", code)] or rows:
            self._copy(row, uses)
        outside = [use for use in found if not self._moves(use.one.start)]
        is_offered = is_reached or stem_of(source.path) != source.stem
        if is_offered or any(_is_read(use) or use.one.part in _OFFERED for use in outside):
            return
        self._unneeded += [use for use in declaring if b"noqa" not in source.rest_of(use.statement or (0, 0))]

    def _copy(self, row: Import, uses: Sequence[Use]) -> None:
        """Import in the target what a row of the source imports."""
        source, target, first = self._source.path, self._target.path, uses[0].one.start
        meant, module = self._users.meant(source, row), row.module
        if row.kind not in (ImportKind.STATIC, ImportKind.TYPE):
            self._refuse(first, f"{row.local} is imported by a call")
        elif meant == target:
            self._as_own(row, uses)
        elif not self._has(row, meant, uses):
            if module.startswith("."):
                spelled = self._users.spelled(target, row, source, meant) if meant else None
                if spelled is None:
                    self._refuse(first, f"{module} has no sure name in the target")
                    return
                module = spelled[0]
            local = "" if row.local == row.name or not row.name else row.local
            is_type = row.kind is ImportKind.TYPE
            new = NewImport(module, row.name, local, is_type, is_guarded=is_type and not self._is_live)
            self._users.wanted[target].append(new)
            self._load(meant, uses, is_type=is_type)

    def _is_of_types(self, uses: Sequence[Use]) -> bool:
        """Whether no running code reads a name at its uses."""
        return self._is_live and {use.when for use in uses} == {When.TYPE}

    def _load(self, imported: str, uses: Sequence[Use], *, is_type: bool) -> None:
        """Note that the target imports a file, for names that the moved code uses."""
        if not (is_type or self._is_of_types(uses)):
            at_load = any(use.when is When.LOAD for use in uses)
            new = NewLoad(imported, self._source.path, uses[0].one.line, at_load)
            self._loading.add(self._target.path, new)

    def _as_own(self, row: Import, uses: Sequence[Use]) -> None:
        """Let the moved code use what the target has: `b.g()` becomes `g()`."""
        text = self._source.text
        for use in uses:
            after = re.compile(rb"\s*\??\.\s*").match(text, use.one.end)
            is_module = row.name in ("", "*") or row.name not in {one.qualified_name for one in self._others_symbols()}
            if is_module and after is not None and row.name:
                self._inner.append(Edit(use.one.start, after.end(), b""))
            elif is_module or row.local != row.name:
                self._refuse(use.one.start, f"{row.local} is the target, or has another name there")

    def _others_symbols(self) -> Sequence[Symbol]:
        return self._others.symbols if self._others is not None else ()

    def _has(self, row: Import, meant: str, uses: Sequence[Use]) -> bool:
        """Whether the target imports the same by the same name; refuses another meaning of the name."""
        rows = self._others.imports if self._others is not None else ()
        same = [one for one in rows if (one.local, one.name, one.scope) == (row.local, row.name, 0)]
        path = self._target.path
        same = [one for one in same if (self._users.meant(path, one) == meant if meant else one.module == row.module)]
        if same:
            is_type = row.kind is ImportKind.TYPE or self._is_of_types(uses)
            if not is_type and all(one.kind is ImportKind.TYPE for one in same):
                self._refuse(uses[0].one.start, f"the target imports {row.local} for types alone")
            return True
        if row.name and row.local in self._bound():
            self._refuse(uses[0].one.start, f"{row.local} means something else in the target")
        return False

    def _bound(self) -> dict[str, int]:
        """The names at the top of the target, with their lines."""
        rows = self._others.bindings if self._others is not None else ()
        return {row.name: row.line for row in rows if row.scope == 0}

    def _import_from_source(self, name: str, uses: Sequence[Use]) -> None:
        """Import in the target an element that stays in the source."""
        source, target, first = self._source.path, self._target.path, uses[0].one.start
        is_type = self._is_of_types(uses)
        module, exported = self._specifiers.to(target, source), name
        if self._is_live:
            rows = [row for row in self._facts.exports if row.local == name and not row.module]
            exported = next((row.name for row in rows if row.name in (name, "default")), "")
            at = next((self._source.start_of(one.line) for one in self._facts.symbols if one.qualified_name == name), 0)
            if not exported and _HEAD.match(self._source.text, at):
                self._users.edits[source].append(Edit(at, at, b"export "))
                exported = name
        row = Import(module or "", exported, name, 0)
        if module is None or not exported:
            self._refuse(first, f"{name} can't be imported from its file")
        elif not self._has(row, source, uses):
            self._users.wanted[target].append(NewImport(module, exported, "" if exported == name else name, is_type))
            self._load(source, uses, is_type=is_type)

    def _still(self, name: str) -> list[Use]:
        """The uses of a moved element that stay in the source."""
        given = {row.line for row in self._facts.exports if row.local == name != row.name}
        return [
            use
            for use in self._uses[name]
            if not self._moves(use.one.start)
            if _is_read(use) or use.one.part is Part.LISTED or (use.one.part is Part.EXPORTED and use.one.line in given)
        ]

    def _offer(self, symbol: Symbol, still: Sequence[Use]) -> None:
        """Import a moved element in the source if it still uses it, and export it from the target."""
        source, target, name = self._source.path, self._target.path, symbol.name
        listed = [use.one for use in self._uses[name] if use.one.part is Part.EXPORTED]
        is_type = self._is_of_types(still)
        if still and all(use.one.part is Part.LISTED for use in still) and self._loading.needs(target, source):
            self._users.going[source] += [(use.one.start, use.one.end) for use in still]
            self._draft.note = f"{source} lists {name} no more."
            still = []
        if still:
            module = self._specifiers.to(source, target)
            if module is None:
                self._refuse(still[0].one.start, "its new module can't be named here")
                return
            self._users.wanted[source].append(NewImport(module, name, "", is_type))
            if not is_type:
                line, at_load = still[0].one.line, any(use.when is When.LOAD for use in still)
                self._loading.add(source, NewLoad(target, source, line, at_load))
        else:
            self._users.going[source] += [(one.start, one.end) for one in listed]
        if self._is_live or not still:
            self._users.star(symbol)
        for span in self._spans:
            code = self._source.text[span.start : span.end]
            is_its = any(one.name == name and one.line in self._lines_of(span) for one in self._definitions.values())
            head = _HEAD.search(code)
            if self._is_live and is_its and head is not None and not re.search(rb"^export\b", code, re.MULTILINE):
                users = (edge.file for edge in self._snapshot.graph.edges_to(symbol.id))
                if still or symbol.exported or any(path not in (source, target) for path in users):
                    self._inner.append(Edit(span.start + head.start(), span.start + head.start(), b"export "))

    def _check_target(self) -> None:
        """Refuse names that mean something else in the target."""
        if self._others is None:
            return
        path, bound = self._target.path, self._bound()
        rows = {row.local for row in self._others.imports if self._users.meant(path, row) == self._source.path}
        for name in self._symbols:
            if name in bound and name not in rows:
                self._draft.refused.append((path, bound[name], f"{name} is declared here already"))
        code = b"".join(self._source.text[span.start : span.end] for span in self._spans)
        hidden = (bound.keys() & _words(code)) - self._uses.keys() - self._symbols.keys()
        for name, uses in self._source.uses_of(hidden).items():
            for use in uses:
                if self._moves(use.one.start) and use.one.part in _READ and use.one.scope is None:
                    self._refuse(use.one.start, f"{name} means something else in the target")

    def _remedy(self, needed: Mapping[str, object]) -> str:
        """The elements that are to move, too, so that the target needs nothing of the source."""
        ranges = {one.qualified_name: one for one in self._facts.symbols if not one.inside and one.name != one.file}
        found, waiting = set(self._symbols), [name for name in needed if name in ranges]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                lines = range(ranges[name].line, ranges[name].end_line + 1)
                waiting += [
                    other
                    for other in ranges.keys() - found
                    if any(use.one.line in lines and _is_read(use) for use in self._uses.get(other, ()))
                ]
        also = sorted(found - self._symbols.keys(), key=lambda name: ranges[name].line)
        return f"Move what it needs, too: {', '.join(also)}." if also else ""

    def _write(self) -> None:
        """Add the changes of all files."""
        users, source, target = self._users, self._source, self._target
        had = {row.name for row in (self._others.imports if self._others is not None else ())}
        futures = [row.name for row in self._facts.imports if row.module == "__future__" and row.name not in had]
        users.wanted[target.path] += [NewImport("__future__", name) for name in futures]
        parts = self._parts()
        for path in sorted({*users.edits, *users.going, *users.wanted, source.path, target.path}):
            text = source if path == source.path else target if path == target.path else None
            text = text or Text.of(path, self._view.lines.data(path))
            removals = [*self._joined(), *self._imports_to_go()] if path == source.path else []
            going = users.going[path]
            for span, removal in zip(going, text.removals_of(going), strict=True):
                if removal is None:
                    self._draft.refused.append((path, text.line(span[0]), "it shares a statement with other code"))
                else:
                    removals.append(removal)
            edits = [Edit(one.start, one.end, one.text) for one in united(text.text, removals)] + users.edits[path]
            if path == target.path:
                edits.append(self._inserted(parts))
            change = text.changed(edits, users.wanted[path])
            if change is None:
                self._draft.refused.append((path, 1, "its imports can't be edited"))
            else:
                self._draft.changes.append(change)
                self._draft.places[path] = len(edits) + len(set(users.wanted[path]))
        self._refer(parts)
        self._check()

    def _refer(self, parts: Sequence[bytes]) -> None:
        """Let CodeRefs name the elements at their new places."""
        changes = {change.path: change for change in self._draft.changes}
        after = (changes[self._target.path].after or b"").replace(b"\r\n", b"\n")
        for path in sorted(self._users.references):
            data = self._users.text(path).data
            change = changes.get(path) or Change(path, data, data)
            new = change.after or b""
            for span, part in zip(self._spans, parts, strict=True):
                lines = self._lines_of(span)
                shift = after.count(b"\n", 0, after.find(part)) + 1 - lines.start
                names = {one.name for one in self._definitions.values() if one.line in lines}
                new = _referring(new, self._source.path, self._target.path, names, shift)
            if new != change.after:
                changes[path] = change._replace(after=new)
                self._draft.places[path] = self._draft.places.get(path, 0) + 1
        self._draft.changes = list(changes.values())

    def _joined(self) -> list[Removal]:
        """What goes from the source: code between which nothing stays as one."""
        found: list[Removal] = []
        for span in self._spans:
            if found and not self._source.text[found[-1].end : span.start].strip():
                span = found.pop()._replace(end=span.end)
            found.append(span)
        return found

    def _imports_to_go(self) -> Iterator[Removal]:
        """What goes with the imports that the source needs no more."""
        source, unneeded = self._source, self._unneeded
        spans = [(use.one.start, use.one.end) for use in unneeded]
        for use, removal in zip(unneeded, source.removals_of(spans), strict=True):
            start, end = use.statement or (0, 0)
            lines = range(source.line(start), source.line(end) + 1)
            rows = [row for row in self._facts.imports if row.line in lines]
            if removal is not None:
                yield removal
            elif len(rows) == 1 and source.is_at_margin(start) and source.is_at_end(end):
                yield Removal(start, min(end + 1, len(source.text)), lines=True)

    def _check(self) -> None:
        """Refuse what would break, by resolving the edited files again; let CodeRefs name the new place."""
        source, target = self._source.path, self._target.path
        keys = {f"{source}#{name}": f"{target}#{name}" for name in self._symbols}
        found = damage(self._view, by_path(self._draft.changes), moved=keys)
        lines = {use.one.line for use in self._unneeded}
        edges = (edge for edge in self._snapshot.graph.edges_from(source) if edge.line in lines)
        lost = {f"a {edge.kind} of {edge.target.rpartition(':')[0] or edge.target} " for edge in edges}
        self._draft.refused += [row for row in found.all if not row[2].startswith(tuple(lost))]

    def _parts(self) -> list[bytes]:
        """The code that moves, as it will be."""
        parts = []
        for span in self._spans:
            inner = [one._replace(start=one.start - span.start, end=one.end - span.start) for one in self._inner
                     if span.start <= one.start < span.end]  # fmt: skip
            after = edited("", self._source.text[span.start : span.end], inner).after or b""
            parts.append(after.replace(b"\r\n", b"\n").strip(b"\n") + b"\n")
        return parts

    def _inserted(self, parts: Sequence[bytes]) -> Edit:
        """The edit that puts the code into the target: at its end, or before what uses it as the file loads."""
        gap = b"\n\n\n" if b"\n\n\n" in self._source.text.replace(b"\r", b"") else b"\n\n"
        blocks = [self._source.text[slice(*span)].replace(b"\r", b"") for span in sorted(self._blocks)]
        code = b"".join(block.rstrip() + gap for block in blocks) + parts[0]
        for before, after, part in zip(self._spans, self._spans[1:], parts[1:], strict=False):
            between = self._source.text[before.end : after.start].replace(b"\r", b"")
            code += (between if not between.strip() else gap[1:]) + part
        text = self._target.text
        reading = [
            use.one.start
            for uses in self._target.uses_of(self._symbols).values()
            for use in uses
            if use.one.part is Part.NAME and use.when is When.LOAD
        ]
        at = min((self._target.top_of(one) for one in reading), default=len(text))
        main = _MAIN.search(text)
        if main is not None:
            at = min(at, main.start())
        if at == len(text):
            above = text.rstrip()
            return Edit(len(above), len(text), (gap if above else b"") + code)
        return Edit(at, at, code + gap[1:])


def _referring(text: bytes, source: str, target: str, names: Collection[str], shift: int) -> bytes:
    """A text whose CodeRefs to elements of the source, on its former lines, name them in the target."""
    ends = source.rpartition(".")[0], target.rpartition(".")[0]
    for old, new in ((source, target), ends):
        some = "|".join(map(re.escape, names))
        named = re.compile(rf"(@\w+/){re.escape(old)}(#(?:{some})\b[\w.$]*)(?::(\d+))?".encode())

        def moved(match: re.Match[bytes], path: bytes = new.encode()) -> bytes:
            line = b":%d" % (int(match[3]) + shift) if match[3] else b""
            return match[1] + path + match[2] + line

        text = named.sub(moved, text)
    return text


def _words(text: bytes) -> set[str]:
    return set(re.findall(r"[\w$]+", text.decode("utf-8", "replace")))


def _is_read(use: Use) -> bool:
    """Whether an occurrence reads a name of its module."""
    is_type = use.one.part is Part.STRING and (use.when is When.TYPE or use.one.called == "cast")
    return is_type or (use.one.part in _READ and use.one.scope == MODULE)
