"""The imports that a target needs for the code that it gets, and those of which the source has no more need."""

import re
from collections.abc import Iterator, Mapping, Sequence
from posixpath import basename

from bearings.code.file_facts import Import, ImportKind
from bearings.code.languages.shared.occurrences import Part
from bearings.code.languages.shared.removals import When
from bearings.code.project.words import Search, Word
from bearings.code.questions.move.moving import MovingCode, is_read, words_of
from bearings.code.questions.move.users import is_star, stem_of
from bearings.code.refactoring.edits import Edit
from bearings.code.refactoring.imports import NewImport
from bearings.code.refactoring.loading import NewLoad
from bearings.code.syntax_trees import Use

HEAD = re.compile(
    rb"^(?=(?:declare|abstract|async|function|class|const|let|var|interface|type|enum|namespace)\b)", re.MULTILINE
)
_REPLACED = re.compile(r"(?:patch(?:\.\w+)?|[sd]e[tl]attr|spyOn|mock\w*)\s*\(\s*[\"']?[\w./@-]*\Z", re.IGNORECASE)
_BRANCHES = re.compile(
    rb"(?:if|try)\b[^\n]*:[ \t]*(?:#[^\n]*)?\r?\n(?:(?:[ \t]+(?:(?:from|import|pass)\b[^\n(#]*|(?=#))"
    rb"|(?:elif|else|except|finally)\b[^\n]*:[ \t]*)(?:#[^\n]*)?\r?\n)+"
)
_CHANGES = re.compile(rb"^[A-Za-z_]\w*\.[\w.]+[ \t]*=(?!=)", re.MULTILINE)
_OFFERED = frozenset({Part.LISTED, Part.EXPORTED, Part.REEXPORTED})


class NeededImports(MovingCode):
    """The names that code which moves uses, and where the target has them from."""

    def _needed(self) -> Iterator[tuple[str, list[Use]]]:
        """The names of the source that the moved code uses."""
        declared = {row.name: row.line for row in reversed(self._facts.bindings) if row.scope == 0}
        for name, uses in sorted(self._uses.items(), key=lambda item: (declared.get(item[0], 0), item[0])):
            inside = [use for use in uses if self._moves(use.one.start) and is_read(use)]
            if inside and name not in self._symbols:
                block = self._conditional(name)
                self._blocks |= {block} if block and name not in self._bound() else set()
                yield name, inside
        for name, uses in sorted(self._uses.items()) if self._blocks else ():
            if copied := [use for use in uses if is_read(use) and self._is_in_block(use)]:
                yield name, copied

    def _conditional(self, name: str) -> tuple[int, int] | None:
        """The statement at the top of the source that imports a name in each of its branches, and does no more."""
        rows = [row for row in self._facts.imports if row.local == name and row.scope == 0]
        if len(rows) < 2 or any(row.kind is not ImportKind.STATIC for row in rows):
            return None
        start = self._source.top_of(self._source.start_of(rows[0].line))
        match = _BRANCHES.match(self._source.text, start)
        is_whole = match is not None and self._source.start_of(rows[-1].line) < match.end()
        return match.span() if match is not None and is_whole else None

    def _is_in_block(self, use: Use) -> bool:
        return any(start <= use.one.start < end for start, end in self._blocks)

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
        if any(map(self._is_in_block, declaring)):
            return
        if not rows or others or not (is_top or all(row.kind is ImportKind.TYPE for row in rows)):
            self._import_from_source(name, uses)
            return
        code = source.text[uses[0].one.start :][:300].decode("utf-8", "replace")
        for row in [row for row in rows if row.name or re.match(rf"{re.escape(row.module)}\b", code)] or rows:
            self._copy(row, uses)
        outside = [use for use in found if not self._moves(use.one.start)]
        is_offered = is_reached or stem_of(source.path) != basename(source.path).partition(".")[0]
        if is_offered or any(is_read(use) or use.one.part in _OFFERED for use in outside):
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
        own = {one.qualified_name for one in (self._others.symbols if self._others is not None else ())}
        words = set[str]().union(*(words_of(text[span.start : span.end]) for span in self._spans))
        for use in uses:
            after = re.compile(rb"\s*\??\.\s*").match(text, use.one.end)
            is_module = row.name in ("", "*") or row.name not in own
            if is_module and after is not None and row.name:
                self._inner.append(Edit(use.one.start, after.end(), b""))
            elif row.name in own - words and use.one.part is Part.NAME:
                self._inner.append(Edit(use.one.start, use.one.end, row.name.encode()))
            elif is_module or row.local != row.name:
                self._refuse(use.one.start, f"{row.local} is the target, or has another name there")

    def _has(self, row: Import, meant: str, uses: Sequence[Use]) -> bool:
        """Whether the target imports the same by the same name; refuses another meaning of the name."""
        rows = self._others.imports if self._others is not None else ()
        same = [one for one in rows if (one.local, one.name, one.scope) == (row.local, row.name, 0)]
        path = self._target.path
        same = [one for one in same if (self._users.meant(path, one) == meant if meant else one.module == row.module)]
        if same:
            is_type = row.kind is ImportKind.TYPE or self._is_of_types(uses)
            lacks = not is_type and all(one.kind is ImportKind.TYPE for one in same)
            if lacks and self._is_live:
                self._refuse(uses[0].one.start, f"the target imports {row.local} for types alone")
            return not lacks or self._is_live
        # `import a.b` and `import a.c` both give `a`.
        alike = [one for one in (row, *rows) if not one.name and one.local == one.module.partition(".")[0]]
        is_shared = row in alike and any(one.local == row.local for one in alike[1:])
        if row.local in self._bound() and not is_shared:
            self._refuse(uses[0].one.start, f"{row.local} means something else in the target")
        return False

    def _import_from_source(self, name: str, uses: Sequence[Use]) -> None:
        """Import in the target an element that stays in the source."""
        source, target, first = self._source.path, self._target.path, uses[0].one.start
        is_type = self._is_of_types(uses)
        module, exported = self._specifiers.to(target, source), name
        if self._is_live:
            rows = [row for row in self._facts.exports if row.local == name and not row.module]
            exported = next((row.name for row in rows if row.name in (name, "default")), "")
            at = next((self._source.start_of(one.line) for one in self._facts.symbols if one.qualified_name == name), 0)
            if not exported and HEAD.match(self._source.text, at):
                self._users.edits[source].append(Edit(at, at, b"export "))
                exported = name
        row = Import(module or "", exported, name, 0)
        changing = _CHANGES.search(self._source.text, self._spans[0].start) if self._spans else None
        if module is None or not exported:
            self._refuse(first, f"{name} can't be imported from its file")
        elif changing is not None and any(use.when is When.LOAD for use in uses):
            self._refuse(changing.start(), "it changes something after the moved code has loaded")
        elif not self._has(row, source, uses):
            self._users.wanted[target].append(NewImport(module, exported, "" if exported == name else name, is_type))
            self._load(source, uses, is_type=is_type)
