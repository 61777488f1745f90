"""Sorts every occurrence of an element's name: the element itself, something else, or a place that may be a use.

A name is followed through the scopes of its file (languages.shared.occurrences), a member by the edges of its line.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from bearings.code.file_facts import ImportKind
from bearings.code.languages import language_of, spec_of
from bearings.code.languages.embedded import is_embedded, program_of
from bearings.code.languages.shared.encoding import as_utf8
from bearings.code.languages.shared.occurrences import MODULE, Occurrence, Part
from bearings.code.models import BY_FRAMEWORK, IMPORTS, Edge, EdgeKind, Language, Symbol
from bearings.code.project.words import Search, Word
from bearings.code.refactoring.apart import tell_apart
from bearings.code.refactoring.family import by_edges, declared_by_writing, family, is_member, owner_of, together
from bearings.code.refactoring.judging import OUTSIDE, Judge, Surroundings
from bearings.code.refactoring.module_paths import ModulePaths
from bearings.code.refactoring.place import FilePlaces, Kind, Options, Place
from bearings.code.refactoring.references import Reference, References
from bearings.code.refactoring.texts import A_REFERENCE, MOST_BYTES, Texts, plain_text
from bearings.code.resolve.giving_up import NeedsIndex
from bearings.code.search.view import WholeGraph
from bearings.code.syntax_trees import occurrences_of

_DEFINING = frozenset({Part.BINDING, Part.HEAD, Part.DECLARED, Part.PATTERN, Part.KEY, Part.MEMBER})
_DEFINING_MEMBERS = frozenset({Part.DECLARED, Part.MEMBER})
_NEAR = 200
"""Bytes before a member that are searched for a call."""
_IN_LISTS = frozenset({Part.IMPORTED, Part.REEXPORTED, Part.OTHER})
"""Parts of imports and re-exports; the alias of a re-export is no name of its file."""


class Places:
    """The occurrences of an element's name in all files of a project. Raises Changed.

    `members` are the elements that they may mean; by default its family.
    """

    def __init__(
        self, view: WholeGraph, symbol: Symbol, options: Options, members: Mapping[str, Symbol] | None = None
    ) -> None:
        self._view = view
        self._snapshot = view.snapshot
        self._symbol = symbol
        self._word = re.compile(rf"(?<![\w$]){re.escape(symbol.name)}(?![\w$])")
        self.family = self._family() if members is None else members
        self._edges: dict[str, dict[int, list[Edge]]] = {}
        graph = self._snapshot.graph
        graph.expect(one.id for one in graph.called(symbol.name))
        for id_ in self.family:
            for edge in graph.edges_to(id_):
                self._edges.setdefault(edge.file, {}).setdefault(edge.line, []).append(edge)
        self._references = References(self._snapshot, symbol.name, self.family)
        self._paths = ModulePaths(view, symbol, self.family.values())
        tops = {one.file for one in self.family.values() if not one.inside and not is_member(self._snapshot, one)}
        shared = {path for file in tops for path in together(self._snapshot, file)}
        self.sharing = shared if self._paths.is_packaged else set[str]()
        """The files that see the element's name without an import."""
        declaring = list(self._declaring())
        is_assigned = all(one.part is Part.MEMBER for one in declaring)
        if by_edges(symbol.file) is not None:
            is_assigned = not any(one.binds for one in declaring)
        self._judge = Judge(view, symbol, self.family, self._paths, options, is_assigned=is_assigned)
        is_hidden = self._paths.is_packaged and not is_member(self._snapshot, symbol)
        markup = r"(?!)" if is_hidden else self._paths.markup
        named = [one for one in self.family.values() if by_edges(one.file) is not None]
        owners = {owner_of(one).rpartition(".")[2] for one in named} - {""}
        self._texts = Texts(
            view,
            symbol.name,
            lambda name: name in owners or self._paths.is_called(name),
            self._references,
            markup,
        )
        spec = spec_of(symbol.file)
        self._handing = spec.name_rules().handing if spec is not None and spec.name_rules is not None else r"(?!)"
        self.note = ""

    def files(self) -> list[FilePlaces]:
        """The files that hold the name, sorted by path."""
        search = Search(self._snapshot.tree, self._snapshot.project.paths, [Word(self._symbol.name)])
        paths = [file.path for file in search.files()]
        if search.given_up or search.unsearched:
            left = [skipped.path for skipped in search.unsearched]
            self.note = f"Not searched: {', '.join(left[:3]) or 'the files after the first'}."
        found = [self._file(path) for path in sorted(paths)]
        if by_edges(self._symbol.file) is None:
            tell_apart(self._view, found, self.family)
        return found

    def _family(self) -> Mapping[str, Symbol]:
        members = family(self._snapshot, self._symbol)
        lines = self._view.lines
        return members | declared_by_writing(
            self._snapshot, members, lambda path, line: len(self._word.findall(lines.at(path, line))) == 1
        )

    def _declaring(self) -> Iterator[Occurrence]:
        """The occurrences of the definitions."""
        for path in {member.file for member in self.family.values()}:
            language = language_of(path)
            if language is not None and not is_embedded(path):
                text = as_utf8(language, self._view.lines.data(path))
                occurrences = occurrences_of(language, text, self._symbol.name) or []
                yield from self._definitions(path, occurrences)

    def _file(self, path: str) -> FilePlaces:
        language = language_of(path)
        if language is None or path not in self._snapshot.facts:
            return self._texts.of(path)
        if self._snapshot.facts[path].given_up and not self._snapshot.graph.is_whole:
            raise NeedsIndex(path)  # which lists it as left out
        if is_embedded(path):
            return self._texts.of(path, self._embedded(path, language))
        data = self._view.lines.data(path)
        plain = plain_text(path, data)
        text, shift = plain or (b"", 0)
        is_read = plain is not None and len(text) <= MOST_BYTES
        named = occurrences_of(language, text, self._symbol.name) if is_read else None
        if named is None:
            return self._texts.unreadable(path, data, "the file's encoding or syntax is not understood")
        references = self._references.of(path, data)
        places = [_in_reference(self._handed(text, place), references, shift) for place in self._sorted(path, named)]
        return FilePlaces(path, data, shift, places)

    def _handed(self, text: bytes, place: Place) -> Place:
        """A place, which is unsure if it is a member of what a function of the library got: `max(carts).add(1)`."""
        if place.why != OUTSIDE:
            return place
        before = text[max(text.rfind(b"\n", 0, place.start) + 1, place.start - _NEAR) : place.start]
        is_handed = re.search(self._handing, before.decode("utf-8", "replace")) is not None
        return place._replace(kind=Kind.UNSURE, why="the type of the object is unknown") if is_handed else place

    def _embedded(self, path: str, language: Language) -> Collection[int] | None:
        """The lines of a program in another format that may use the element; None if it can't be read."""
        spec, own = spec_of(path), spec_of(self._symbol.file)
        if spec is not None and own is not None and spec.group != own.group:
            return ()
        occurrences = occurrences_of(language, program_of(path, self._view.lines.data(path)), self._symbol.name)
        if occurrences is None:
            return None
        return [place.line for place in self._sorted(path, occurrences) if place.kind is not Kind.OTHER]

    def _sorted(self, path: str, found: list[Occurrence]) -> list[Place]:
        """The places of a parsed file."""
        edges = self._edges.get(path, {})
        found = [self._listed(path, one) for one in found]
        definitions = self._definitions(path, found)
        imported = [one for one in found if self._is_import(path, one, edges)]
        scopes = {one.scope for one in (*definitions, *imported) if one.part is Part.BINDING or one.binds} - {None}
        # Go: `import . "pkg"` puts all names of a folder into the scope of a file.
        is_dotted = self._paths.are_package(self._paths.of(path, "."))
        scopes |= {MODULE} if path in self.sharing or is_dotted else set()
        parts: dict[int, set[Part]] = {}
        for one in found:
            parts.setdefault(one.line, set()).add(one.part)
        # from auth import *: the file has uses of the name, and no import of it.
        stars = any(row.name == "*" and not row.local for row in self._snapshot.facts[path].imports)
        owners = {
            one.owner for one in definitions if one.part is Part.MEMBER and not is_member(self._snapshot, self._symbol)
        }
        objects: dict[int, set[str]] = {}
        for one in found:
            if one.part is Part.MEMBER and self._paths.of(path, one.owner):
                objects.setdefault(one.line, set()).add(one.object)
        file = Surroundings(path, edges, scopes, parts, bool(edges) and stars, owners, objects)
        places = []
        for one in found:
            if one in definitions:
                kind, why = Kind.DEFINITION, ""
            elif one in imported:
                kind, why = Kind.IMPORT, ""
            else:
                kind, why = self._judge.judged(file, one)
                beside = (each for each in definitions if each.line == one.line and each.kinds & one.kinds)
                if one.part is Part.DECLARED and any(beside):
                    kind, why = Kind.UNSURE, "another element of this name is declared on the same line"
            keeps_key = one.part in (Part.SHORTHAND, Part.PATTERN) and one.scope in scopes and kind is not Kind.UNSURE
            place = Place(one.start, one.end, one.line, kind, why, one.part, keeps_key, one.scope, one.through)
            places.append(place._replace(call_line=one.call_line))
        return [*places, *_unexplained(places, edges, self._explained(path, found, edges))]

    def _listed(self, path: str, one: Occurrence) -> Occurrence:
        """A key of `const { a } = require("m")` or `module.exports = { a }` as the import or the export that it is."""
        facts, name = self._snapshot.facts[path], self._symbol.name
        if one.part in (Part.PATTERN, Part.KEY):
            required = (row for row in facts.imports if row.kind is ImportKind.REQUIRE and row.line == one.line)
            if any(row.name == name for row in required):
                return one._replace(part=Part.IMPORTED)
        if one.part is Part.SHORTHAND:
            exported = (row for row in facts.exports if row.name == row.local == name and not row.module)
            if any(row.line == one.first_line for row in exported):
                return one._replace(part=Part.EXPORTED)
        return one

    def _explained(self, path: str, found: Iterable[Occurrence], edges: Mapping[int, list[Edge]]) -> set[int]:
        """The lines where the name is one that a file gives to the element: it stays whatever the element is called."""
        fixed = {one.line for one in found if one.line in edges and self._is_fixed(path, one)}
        aliases = {
            one.scope
            for one in found
            if one.line in fixed
            or (one.part is Part.BINDING and any(edge.kind is EdgeKind.IMPORT for edge in edges.get(one.line, ())))
        }
        return fixed | {one.line for one in found if one.scope is not None and one.scope in aliases}

    def _is_fixed(self, path: str, one: Occurrence) -> bool:
        if one.part is Part.MEMBER:
            return self._paths.are_fixed(self._paths.of(path, one.owner))
        return one.part in _IN_LISTS and self._paths.is_fixed(path, one.line)

    def _definitions(self, path: str, found: list[Occurrence]) -> list[Occurrence]:
        """The occurrences that define the elements of the family in a file."""
        chosen = list[Occurrence]()
        for member in self.family.values():
            if member.file == path:
                parts = _DEFINING
                # Go: `x.Name = 1` declares nothing, unlike `self.name = 1` of Python.
                if self._paths.is_packaged:
                    parts = _DEFINING_MEMBERS if is_member(self._snapshot, member) else _DEFINING - _DEFINING_MEMBERS
                elif by_edges(path) is not None:
                    parts = frozenset({Part.DECLARED})
                inside = [one for one in found if member.line <= one.line <= member.end_line and one.part in parts]
                chosen += [one for one in inside if not one.kinds or _is_next(one, member, chosen)][:1]
        return chosen

    def _is_import(self, path: str, one: Occurrence, edges: Mapping[int, list[Edge]]) -> bool:
        """Whether an occurrence imports or exports the element by its own name: twice in `import a as a`."""
        here = edges.get(one.line, ())
        rows = self._snapshot.facts[path].imports if one.part is Part.BINDING else ()
        repeats = any(row.line == one.line and row.name == row.local == self._symbol.name for row in rows)
        is_name = one.part in (Part.IMPORTED, Part.REEXPORTED) or repeats
        is_listed = is_name and any(edge.kind in IMPORTS or by_edges(path) is not None for edge in here)
        is_listed = is_listed or (is_name and by_edges(path) is not None and self._is_whole_name(path, one.line))
        return is_listed and not self._paths.is_fixed(path, one.line)

    def _is_whole_name(self, path: str, line: int) -> bool:
        """Whether an import names an element at the top of its package, not by an edge: `use function`."""
        facts, spec = self._snapshot.facts, spec_of(path)
        tops = {f"{facts[one.file].package}.{one.name}" for one in self.family.values() if not one.inside}
        separator = spec.module_separator if spec is not None else "."
        modules = (row.module.replace(separator, ".") for row in facts[path].imports if row.line == line)
        return not tops.isdisjoint(modules)


def _is_next(one: Occurrence, member: Symbol, chosen: Collection[Occurrence]) -> bool:
    """Whether an occurrence may define an element by its kinds, and defines none of those before."""
    return member.kind in one.kinds and one not in chosen


def _in_reference(place: Place, references: Iterable[Reference], shift: int) -> Place:
    """A place in a comment as what it is in the reference around it, if there is one."""
    start = place.start + shift
    around = next((one for one in references if one.start <= start < one.end), None)
    if place.part is not Part.COMMENT or around is None:
        return place
    if around.name_start == start:
        return place._replace(kind=Kind.REFERENCE, why=A_REFERENCE)
    return place._replace(kind=Kind.OTHER, why="a reference to something else")


def _unexplained(places: Iterable[Place], edges: Mapping[int, list[Edge]], aliased: Collection[int]) -> Iterator[Place]:
    """A place for each line that holds the name and has an edge to the element, but no occurrence of it.

    On the `aliased` lines the name is one that a file gives to the element.
    """
    known = {place.line for place in places if place.kind is not Kind.OTHER} | set(aliased)
    code = {place.line for place in places if place.part not in (Part.STRING, Part.COMMENT)}
    for line, here in edges.items():
        if line in code - known:
            why = next((edge.reason for edge in here if not edge.is_guess or edge.reason.startswith(BY_FRAMEWORK)), "")
            if why:
                yield Place(0, 0, line, Kind.UNSURE, f"a use without the name: {why}")
