"""Sorts every occurrence of an element's name: the element itself, something else, or a place that may be a use.

A name is followed through the scopes of its file (languages.shared.occurrences), a member by the edges of its line.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property

from bearings.code.asking.question import Reading
from bearings.code.languages import SPECS, language_of
from bearings.code.languages.embedded import is_embedded
from bearings.code.languages.shared.encoding import as_utf8
from bearings.code.languages.shared.occurrences import MODULE, Occurrence, Part, ScopeKey
from bearings.code.models import BY_FRAMEWORK, Edge, EdgeKind, Symbol, SymbolKind
from bearings.code.parse import occurrences_of
from bearings.code.project.words import Search, Word
from bearings.code.refactoring.family import declared_by_writing, family, is_member
from bearings.code.refactoring.module_paths import ModulePaths
from bearings.code.refactoring.place import FilePlaces, Kind, Options, Place
from bearings.code.refactoring.references import Reference, References
from bearings.code.refactoring.texts import A_REFERENCE, MOST_BYTES, Texts

_DEFINING = frozenset({Part.BINDING, Part.HEAD, Part.DECLARED, Part.PATTERN, Part.KEY, Part.MEMBER})
_BY_STRING = frozenset(
    {"getattr", "setattr", "hasattr", "delattr", "attrgetter", "methodcaller", "patch", "object", "spyOn", "mock"}
)
"""Functions that take the name of an element as text."""

_KEYED = frozenset({"Pick", "Omit", "Extract", "Exclude"})
"""Types that take the name of a member as text."""

_TABLES = frozenset({"globals", "vars", "locals", "modules"})
"""Functions and tables that hold elements by their names."""

_IN_LISTS = frozenset({Part.IMPORTED, Part.REEXPORTED, Part.OTHER})
"""Parts of imports and re-exports; the alias of a re-export is no name of its file."""

_UNRELATED = {
    Part.MEMBER: "a member of something else",
    Part.KEY: "a key",
    Part.DECLARED: "another element of this name",
}


class Places:
    """The occurrences of an element's name in all files of a project. Raises Changed.

    `members` are the elements that they may mean; by default its family.
    """

    def __init__(
        self, reading: Reading, symbol: Symbol, options: Options, members: Mapping[str, Symbol] | None = None
    ) -> None:
        self._reading = reading
        self._snapshot = reading.snapshot
        self._symbol = symbol
        self._options = options
        self._word = re.compile(rf"(?<![\w$]){re.escape(symbol.name)}(?![\w$])")
        self.family = self._family() if members is None else members
        self._is_member = is_member(self._snapshot, symbol)
        self._edges: dict[str, dict[int, list[Edge]]] = {}
        for id_ in self.family:
            for edge in self._snapshot.graph.edges_to(id_):
                self._edges.setdefault(edge.file, {}).setdefault(edge.line, []).append(edge)
        self._others = self._edges_to_namesakes()
        language = language_of(symbol.file)
        rules = SPECS[language].name_rules if language is not None else None
        self._rules = rules() if rules is not None else None
        self._indexes_members = self._rules is not None and self._rules.indexes_members
        self._owners = {name for member in self.family.values() for name in member.qualified_name.split(".")[-2:-1]}
        self._references = References(self._snapshot, symbol.name, self.family)
        self._paths = ModulePaths(reading, symbol, self.family.values())
        self._is_assigned = all(part is Part.MEMBER for part in self._parts())
        """The member is declared by assignments alone, as `self.x = x`: no call can pass it by keyword."""
        self._texts = Texts(reading, symbol.name, self._paths.names, self._references)
        self.note = ""

    def files(self) -> list[FilePlaces]:
        """The files that hold the name, sorted by path."""
        search = Search(self._snapshot.tree, self._snapshot.project.paths, [Word(self._symbol.name)])
        paths = [found.path for found in search.files()]
        if search.given_up or search.unsearched:
            left = [skipped.path for skipped in search.unsearched]
            self.note = f"Not searched: {', '.join(left[:3]) or 'the files after the first'}."
        return [self._file(path) for path in sorted(paths)]

    def _family(self) -> Mapping[str, Symbol]:
        found = family(self._snapshot, self._symbol)
        lines = self._reading.lines
        return found | declared_by_writing(
            self._snapshot, found, lambda path, line: len(self._word.findall(lines.at(path, line))) == 1
        )

    def _parts(self) -> Iterator[Part]:
        """What the definitions are in the syntax."""
        for path in {member.file for member in self.family.values()}:
            language = language_of(path)
            if language is not None and not is_embedded(path):
                text = as_utf8(language, self._reading.lines.data(path))
                found = occurrences_of(language, text, self._symbol.name) or []
                yield from (one.part for one in self._definitions(path, found))

    @cached_property
    def _reads_names(self) -> bool:
        """Whether any code of the element's language reads the name of a class at run time."""
        language = language_of(self._symbol.file)
        pattern = re.compile(self._rules.reads_names if self._rules is not None else r"(?!)")
        files = [path for path in self._snapshot.facts if language_of(path) is language]
        search = Search(self._snapshot.tree, files, [Word("__name__"), Word("__qualname__"), Word("constructor")])
        return any(pattern.search(found.text) for found in search.files())

    def _edges_to_namesakes(self) -> set[tuple[str, int]]:
        """The lines that use or declare other elements of the name."""
        graph, name = self._snapshot.graph, self._symbol.name
        others = [
            other
            for path in graph.names.get(name, ())
            for other in graph.outline(path)
            if other.name == name and other.id not in self.family
        ]
        found = {(other.file, other.line) for other in others}
        edges = (edge for other in others for edge in graph.edges_to(other.id))
        return found | {(edge.file, edge.line) for edge in edges if not edge.is_guess}

    def _file(self, path: str) -> FilePlaces:
        language = language_of(path)
        if language is None or path not in self._snapshot.facts or is_embedded(path):
            return self._texts.of(path)
        data = self._reading.lines.data(path)
        text = as_utf8(language, data)
        shift = len(data) - len(text)
        is_plain = shift in (0, 3) and data[shift:].replace(b"\r", b"\n") == text.replace(b"\r", b"\n")
        found = occurrences_of(language, text, self._symbol.name) if is_plain and len(text) <= MOST_BYTES else None
        if found is None:
            return self._texts.unreadable(path, data, "the file's encoding or syntax is not understood")
        references = self._references.of(path, data)
        places = [_in_reference(place, references, shift) for place in self._sorted(path, found)]
        return FilePlaces(path, data, shift, places)

    def _sorted(self, path: str, found: list[Occurrence]) -> list[Place]:
        """The places of a parsed file."""
        edges = self._edges.get(path, {})
        definitions = self._definitions(path, found)
        imported = [one for one in found if self._is_import(path, one, edges)]
        scopes = {one.scope for one in (*definitions, *imported) if one.part is Part.BINDING or one.binds}
        scopes.discard(None)
        is_starred = self._is_starred(path, edges)
        parts: dict[int, set[Part]] = {}
        for one in found:
            parts.setdefault(one.line, set()).add(one.part)
        places = []
        for one in found:
            if one in definitions:
                kind, why = Kind.DEFINITION, ""
            elif one in imported:
                kind, why = Kind.IMPORT, ""
            else:
                kind, why = self._judged(path, one, edges, scopes, parts[one.line], is_starred=is_starred)
            keeps_key = one.part in (Part.SHORTHAND, Part.PATTERN) and one.scope in scopes and kind is not Kind.UNSURE
            places.append(Place(one.start, one.end, one.line, kind, why, one.part, keeps_key, one.scope, one.through))
        return [*places, *_unexplained(places, edges, self._explained(path, found, edges))]

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
        chosen = []
        for member in self.family.values():
            if member.file == path:
                inside = [one for one in found if member.line <= one.line <= member.end_line and one.part in _DEFINING]
                chosen += inside[:1]
        return chosen

    def _is_import(self, path: str, one: Occurrence, edges: Mapping[int, list[Edge]]) -> bool:
        """Whether an occurrence imports or exports the element by its own name."""
        kinds = (EdgeKind.IMPORT, EdgeKind.EXPORT)
        here = edges.get(one.line, ())
        is_listed = one.part in (Part.IMPORTED, Part.REEXPORTED) and any(edge.kind in kinds for edge in here)
        return is_listed and not self._paths.is_fixed(path, one.line)

    def _is_starred(self, path: str, edges: Mapping[int, list[Edge]]) -> bool:
        """Whether a file has the name by a star import: it has uses of it, and no import of the name."""
        return bool(edges) and any(row.name == "*" and not row.local for row in self._snapshot.facts[path].imports)

    def _judged(
        self,
        path: str,
        one: Occurrence,
        edges: Mapping[int, list[Edge]],
        scopes: Collection[ScopeKey | None],
        beside: Collection[Part],
        *,
        is_starred: bool,
    ) -> tuple[Kind, str]:
        """What an occurrence is that neither defines nor imports the element."""
        lines = [line for line in (one.line, one.call_line) if line]
        here = [edge for line in lines for edge in edges.get(line, ())]
        sure = [edge for edge in here if not edge.is_guess]
        match one.part:
            case Part.COMMENT:
                return (Kind.TEXT, "") if self._options.comments else (Kind.OTHER, "a comment")
            case Part.STRING:
                return self._in_string(path, one, sure)
            case Part.LISTED:
                return (Kind.IMPORT, "") if MODULE in scopes else (Kind.OTHER, "another module's name")
            case Part.BROKEN:
                return Kind.UNSURE, "the syntax here is not understood"
            case Part.OTHER:
                return Kind.OTHER, ""
            case Part.IMPORTED | Part.REEXPORTED:
                return Kind.OTHER, ""
            case Part.NAME | Part.BINDING | Part.HEAD | Part.EXPORTED:
                if one.scope in scopes:
                    return Kind.USE, ""
                is_use = one.scope is None and is_starred and bool(sure)
                return (Kind.USE, "") if is_use else (Kind.OTHER, "")
            case Part.SHORTHAND | Part.PATTERN if one.scope in scopes:
                is_key = self._is_member and bool(sure)
                return (Kind.UNSURE, "a key and a name at once") if is_key else (Kind.USE, "")
        if not self._is_member:
            return self._of_module(path, one, lines, sure)
        return self._member(path, one, lines, here, beside)

    def _of_module(self, path: str, one: Occurrence, lines: Iterable[int], sure: Collection[Edge]) -> tuple[Kind, str]:
        """What a member, a key or the declaration of a member is if the element is a member of its module alone."""
        unrelated = Kind.OTHER, _UNRELATED.get(one.part, "")
        if one.part not in (Part.MEMBER, Part.PATTERN, Part.KEY):
            return unrelated
        modules = self._paths.of(path, one.owner) if one.part is Part.MEMBER else set()
        may_hold = self._paths.may_hold(modules)
        is_other = any((path, line) in self._others for line in lines)
        if self._paths.are_fixed(modules):
            return unrelated
        if modules and sure and (may_hold or not is_other):
            return Kind.USE, ""
        if not (may_hold or self._paths.is_loaded(path)):
            return unrelated
        if not sure and (is_other or self._is_outside(path, lines)):
            return unrelated
        return Kind.UNSURE, "it may be a member of its module, which is imported here"

    def _member(
        self, path: str, one: Occurrence, lines: Iterable[int], here: list[Edge], beside: Collection[Part]
    ) -> tuple[Kind, str]:
        """What a member, a key or the declaration of a member is."""
        sure = {edge.kind for edge in here if not edge.is_guess}
        is_other = any((path, line) in self._others for line in lines)
        if one.part is Part.DECLARED:
            return Kind.OTHER, "another element of this name"
        if sure and (is_other or self._is_unknown(path, lines)):
            return Kind.UNSURE, "another element of this name is used on the same line"
        if sure:
            return (Kind.USE, "") if _fits(one.part, sure, beside) else (Kind.UNSURE, "more than one use on the line")
        if here:
            return Kind.UNSURE, "a guess: the type of the object is unknown"
        if is_other:
            return Kind.OTHER, "another element of this name"
        if self._is_outside(path, lines):
            return Kind.OTHER, "a member of something outside of the project"
        if one.part is Part.KEY and (self._symbol.kind is SymbolKind.METHOD or self._is_assigned):
            return Kind.OTHER, "a key"
        return Kind.UNSURE, "the type of the object is unknown"

    def _rows(self, path: str, lines: Iterable[int]) -> list[str]:
        """The reasons of the uses of the name on some lines that lead to no element."""
        wanted = set(lines)
        name = self._symbol.name
        return [
            row.why
            for symbol in self._snapshot.graph.outline(path)
            for row in self._snapshot.graph.outside_by_source.get(symbol.id, ())
            if row.line in wanted and row.name.rpartition(".")[2] == name
        ]

    def _is_unknown(self, path: str, lines: Iterable[int]) -> bool:
        return any(why in ("unresolved", "ambiguous") for why in self._rows(path, lines))

    def _is_outside(self, path: str, lines: Iterable[int]) -> bool:
        rows = self._rows(path, lines)
        return bool(rows) and not any(why in ("unresolved", "ambiguous") for why in rows)

    def _in_string(self, path: str, one: Occurrence, sure: Iterable[Edge]) -> tuple[Kind, str]:
        name = self._symbol.name
        if self._options.strings:
            return Kind.TEXT, ""
        if one.text == name and self._is_index(path, one):
            return Kind.UNSURE, "a string that may be the index of the element"
        if any(edge.kind is EdgeKind.TYPE for edge in sure):
            return Kind.USE, "a type in a string"
        dotted = re.search(rf"([\w$]+)[.:]{re.escape(name)}\Z", one.text)
        if dotted and (dotted[1] in self._paths.names or self._is_member):
            return Kind.UNSURE, "a string that names it"
        if one.text == name and (one.called in _BY_STRING or (self._is_member and one.called in _KEYED)):
            return Kind.UNSURE, f"a string that {one.called} takes as a name"
        if self._symbol.kind is SymbolKind.CLASS and self._reads_names:
            return Kind.UNSURE, "a string with the name, in a project that reads names at run time"
        return Kind.OTHER, "a string"

    def _is_index(self, path: str, one: Occurrence) -> bool:
        """Whether a literal is an index of an object that may hold the element."""
        if not one.owner or one.owner in _TABLES:
            return bool(one.owner)
        if self._is_member:
            return self._indexes_members or one.owner in self._owners
        return self._paths.may_hold(self._paths.of(path, one.owner)) or self._paths.is_loaded(path)


def _in_reference(place: Place, references: Iterable[Reference], shift: int) -> Place:
    """A place in a comment as what it is in the reference around it, if there is one."""
    start = place.start + shift
    around = next((one for one in references if one.start <= start < one.end), None)
    if place.part is not Part.COMMENT or around is None:
        return place
    if around.at == start:
        return place._replace(kind=Kind.REFERENCE, why=A_REFERENCE)
    return place._replace(kind=Kind.OTHER, why="a reference to something else")


def _fits(part: Part, kinds: Collection[EdgeKind], beside: Collection[Part]) -> bool:
    """Whether the edges of a line are of this part of it, where other parts of the line have the name, too."""
    keyed = {Part.KEY, Part.SHORTHAND}
    if part in keyed:
        return EdgeKind.WRITE in kinds
    if part is Part.PATTERN:
        return EdgeKind.READ in kinds and Part.MEMBER not in beside
    return keyed.isdisjoint(beside) or kinds != {EdgeKind.WRITE}


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
