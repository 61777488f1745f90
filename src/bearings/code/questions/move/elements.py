"""Plans a move of elements: their code, the imports that it takes along, and all that names them.

The `source` is the file that has the elements; it imports them if it still uses them. The `target` is the file that
gets them; it imports what they use, from the source, too. The `users` are other files, whose imports, members of
modules, strings and references name the target afterwards.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import PurePosixPath
from posixpath import dirname

from bearings.code.languages import spec_of
from bearings.code.languages.embedded import is_embedded
from bearings.code.languages.shared.occurrences import Part
from bearings.code.languages.shared.removals import Removal, When, united
from bearings.code.models import Symbol, SymbolKind
from bearings.code.questions.move.moving import READ, is_read, words_of
from bearings.code.questions.move.needing import HEAD, NeededImports
from bearings.code.questions.move.target import problem_of
from bearings.code.refactoring.checking import damage
from bearings.code.refactoring.edits import Change, Edit, by_path, edited
from bearings.code.refactoring.imports import NewImport
from bearings.code.refactoring.loading import NewLoad
from bearings.code.refactoring.place import Kind, Options
from bearings.code.refactoring.places import Places
from bearings.code.refactoring.plans import Plan, spec_for
from bearings.code.search.view import WholeGraph
from bearings.code.syntax_trees import Use
from bearings.errors import InvalidInput

_MAIN = re.compile(rb"^if __name__\b", re.MULTILINE)


def plan(view: WholeGraph, symbols: Sequence[Symbol], target: str, *, leave_unsure: bool) -> Plan:
    """Return the plan of a move. Raises InvalidInput or Unsupported for an element or a target, and Changed."""
    path = _target(view, symbols, target)
    draft = Plan()
    _Move(view, symbols, path, draft).plan(leave_unsure=leave_unsure)
    return draft


def _target(view: WholeGraph, symbols: Sequence[Symbol], target: str) -> str:
    """The path of the target. Raises InvalidInput, Unsupported."""
    source, path, facts = symbols[0].file, str(PurePosixPath(target.strip())), view.snapshot.facts
    for symbol in symbols:
        spec_for(symbol, "move")
        if symbol.file != source:
            raise InvalidInput("element", symbol.id, f"is not in {source}", "Move the elements of one file at a time.")
        if symbol.inside or symbol.kind in (SymbolKind.MODULE, SymbolKind.ENDPOINT):
            raise InvalidInput("element", symbol.id, "is not at the top of its file", "Pass the element around it.")
    spec, own = spec_of(path), spec_of(source)
    if is_embedded(path) or is_embedded(source):
        problem = "is, or its source is, a file in which other text surrounds the code"
    elif spec is None or own is None or spec.group != own.group:
        problem = f"is no file of {own.group if own else 'code'}"
    elif path in facts and path != source:
        problem = "is generated, or can't be parsed" if facts[path].generated or facts[path].given_up else ""
    elif not any(dirname(one) == dirname(path) for one in facts):
        problem = "is in a folder without sources"
    else:
        problem = problem_of(view, source, path)
    if problem:
        raise InvalidInput("target", target, problem, "Pass a source of the project, or a new file beside one.")
    return path


class _Move(NeededImports):
    """A move of elements from the file `source` to the file `target`."""

    def plan(self, *, leave_unsure: bool) -> None:
        """Fill the draft."""
        draft, source = self._draft, self._source.path
        self._check_code()
        needed = dict(self._needed())
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
        for circle, row in self._loading.circles():
            draft.refused.append(row)
            draft.note = self._remedy(circle) or draft.note
        if not draft.refused:
            self._write()

    def _still(self, name: str) -> list[Use]:
        """The uses of a moved element that stay in the source."""
        given = {row.line for row in self._facts.exports if row.local == name != row.name}
        return [
            use
            for use in self._uses[name]
            if not self._moves(use.one.start)
            if is_read(use) or use.one.part is Part.LISTED or (use.one.part is Part.EXPORTED and use.one.line in given)
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
            module = self._users.target(source, still[0].one.line)
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
            head = HEAD.search(code)
            if self._is_live and is_its and head is not None and not re.search(rb"^export\b", code, re.MULTILINE):
                users = (edge.file for edge in self._snapshot.graph.edges_to(symbol.id))
                if still or symbol.exported or any(path not in (source, target) for path in users):
                    self._inner.append(Edit(span.start + head.start(), span.start + head.start(), b"export "))

    def _check_target(self) -> None:
        """Refuse names that mean something else in the target."""
        if self._others is None:
            return
        path, bound = self._target.path, self._bound()
        if (unsure := re.search(rb"^(?:assert|raise)\b", self._target.text, re.MULTILINE)) is not None:
            self._draft.refused.append((path, self._target.line(unsure.start()), "it may not load everywhere"))
        rows = {row.local for row in self._others.imports if self._users.meant(path, row) == self._source.path}
        for name in self._symbols:
            if name in bound and name not in rows:
                self._draft.refused.append((path, bound[name], f"{name} is declared here already"))
        code = b"".join(self._source.text[span.start : span.end] for span in self._spans)
        hidden = (bound.keys() & words_of(code)) - self._uses.keys() - self._symbols.keys()
        for name, uses in self._source.uses_of(hidden).items():
            for use in uses:
                if self._moves(use.one.start) and use.one.part in READ and use.one.scope is None:
                    self._refuse(use.one.start, f"{name} means something else in the target")

    def _remedy(self, circle: Sequence[str]) -> str:
        """The elements that are to move, too, so that source and target do not import each other."""
        lines, names = self._source.text.split(b"\n"), dict[int, str]()
        for one in self._facts.symbols:
            first = one.line
            while lines[first - 2].startswith(b"@") and first > 1:
                first -= 1
            if not one.inside and one.kind is not SymbolKind.MODULE:
                names |= dict.fromkeys(range(first, one.end_line + 1), one.qualified_name)
        own, needs, users = set(names.values()), defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
        for name in own & self._uses.keys():
            for use in filter(is_read, self._uses[name]):
                needs[names.get(use.one.line, "")].add(name)
                users[name].add(names.get(use.one.line, ""))
        pairs, ends, ways = list(pairwise(circle)), (self._target.path, self._source.path), list[tuple[str, set[str]]]()
        for what, pair, further in (("it needs", ends, needs), ("uses it", ends[::-1], users)):
            found, waiting = set(self._symbols), list(self._symbols)
            while waiting:
                new = further[waiting.pop()] - found
                found |= new
                waiting += new
            ways += [(what, found)] if pair in pairs and "" not in found and len(found) > len(self._symbols) else []
        what, found = min(ways, key=lambda way: len(way[1]), default=("", set()))
        also = sorted(found - self._symbols.keys(), key=list(names.values()).index)
        return f"Move what {what}, too: {', '.join(also)}." if also else ""

    def _write(self) -> None:
        """Add the changes of all files."""
        users, source, target = self._users, self._source, self._target
        had = {row.name for row in (self._others.imports if self._others is not None else ())}
        futures = [row.name for row in self._facts.imports if row.module == "__future__" and row.name not in had]
        users.wanted[target.path] += [NewImport("__future__", name) for name in futures]
        parts = self._parts()
        for path in sorted({*users.edits, *users.going, *users.wanted, source.path, target.path}):
            text = {source.path: source, target.path: target}.get(path) or users.text(path)
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
        shifts = dict[str, int]()
        for span, part in zip(self._spans, parts, strict=True):
            lines = self._lines_of(span)
            shift = after.count(b"\n", 0, after.find(part)) + 1 - lines.start
            shifts |= {one.name: shift for one in self._definitions.values() if one.line in lines}
        (old, _, end), (new, _, new_end) = (one.path.rpartition(".") for one in (self._source, self._target))
        some = "|".join(map(re.escape, shifts))
        named = re.compile(rf"(@\w+/){re.escape(old)}(\.{end})?(#({some})\b[\w.$]*)(?::(\d+))?".encode())

        def moved(match: re.Match[bytes]) -> bytes:
            line = b":%d" % (int(match[5]) + shifts[match[4].decode()]) if match[5] else b""
            return match[1] + (f"{new}.{new_end}" if match[2] else new).encode() + match[3] + line

        for path in sorted(self._users.references):
            data = self._users.text(path).data
            change = changes.get(path) or Change(path, data, data)
            changes[path] = change._replace(after=named.sub(moved, change.after or b""))
            if changes[path] != change:
                self._draft.places[path] = self._draft.places.get(path, 0) + 1
        self._draft.changes = [change for change in changes.values() if change.before != change.after]

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
        """Refuse what would break, by resolving the edited files again.

        No name changes, so the type of a value is none of it: another one is a limit of the resolver.
        """
        source, target = self._source.path, self._target.path
        keys = {f"{source}#{name}": f"{target}#{name}" for name in self._symbols}
        found = damage(self._view, by_path(self._draft.changes), moved=keys)
        own = tuple(f" of {key} would" for key in keys.values())
        lines = {use.one.line for use in self._unneeded}
        edges = (edge for edge in self._snapshot.graph.edges_from(source) if edge.line in lines)
        lost = {f"a {edge.kind} of {edge.target.rpartition(':')[0] or edge.target} " for edge in edges}
        for path, line, why in [*found.rows, *(row for row in found.by_types if any(key in row[2] for key in own))]:
            bound = {row.name for one in {path, source} & self._snapshot.facts.keys()
                     for row in self._snapshot.facts[one].bindings if row.scope == 0}  # fmt: skip
            member = re.match(r"(\S+?)\.\S+ would not be found", why)
            if not why.startswith(tuple(lost)) and (member is None or member[1] in bound):
                self._draft.refused.append((path, line, why))

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
