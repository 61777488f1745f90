"""Judges an occurrence of an element's name that neither defines nor imports it: a use, something else, or unsure."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from bearings.code.languages import language_of, spec_of
from bearings.code.languages.shared.occurrences import KEYED, MODULE, PAIR, Occurrence, Part, ScopeKey
from bearings.code.models import Confidence, Edge, EdgeKind, Symbol, SymbolKind, last_part
from bearings.code.project.words import Search, Word
from bearings.code.refactoring.family import are_alike, is_member
from bearings.code.refactoring.module_paths import ModulePaths, parts_of
from bearings.code.refactoring.place import Kind, Options
from bearings.code.resolve.file_summary import MAYBE_OWN, last_name
from bearings.code.search.members import shape_of
from bearings.code.search.protocols import fitted
from bearings.code.search.view import WholeGraph

_BY_STRING = frozenset(
    {
        "getattr", "setattr", "hasattr", "delattr", "attrgetter", "methodcaller", "patch", "object", "spyOn", "mock",
        "dict", "multiple", "import_string", "import_object", "MethodByName", "FieldByName", "replaceProperty",
        "GetMethod", "GetProperty", "GetField", "GetEvent", "GetType", "InvokeMember", "Parse", "TryParse",
        "MemberData", "TestCaseSource", "ValueSource", "DynamicData", "ForeignKey", "InverseProperty",
        "OnPropertyChanged", "RaisePropertyChanged", "NotifyPropertyChanged",
        "method_exists", "property_exists", "function_exists", "constant", "defined", PAIR,
        "getMethod", "getDeclaredMethod", "getField", "getDeclaredField", "findVirtual", "findStatic", "newUpdater",
    }
)  # fmt: skip
"""Functions that take the name of an element as text."""

_KEYED = frozenset({"Pick", "Omit", "Extract", "Exclude"})
"""Types that take the name of a member as text."""

_BY_NAME = frozenset({SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.ENUM})
"""Kinds whose whole name is a callable, or makes an object, where texts are called."""

_TABLES = frozenset({"globals", "vars", "locals", "modules"})
"""Functions and tables that hold elements by their names."""

NAME_READ = "a string with the name, in a project that reads names at run time"
"""The reason of a place that depends on nothing but the name of a class."""
OUTSIDE = "a member of something outside of the project"

_UNRELATED = {
    Part.MEMBER: "a member of something else",
    Part.KEY: "a key",
    Part.DECLARED: "another element of this name",
}

_READING = "__name__", "__qualname__", "constructor", "GetType", "typeof"
"""Words on whose lines code may read the name of a class at run time."""

Judgement = tuple[Kind, str]
"""The role of an occurrence, and the reason."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A file: the edges to the element by line, the scopes in which its name is bound, the parts that bear it by line.

    `is_starred`: the file has the name by a star import. `owners` are what the file declares it as a member of, such as
    `exports` in `exports.login = …`. `objects` are what members of imported names are of, by line.
    """

    path: str
    edges: Mapping[int, list[Edge]]
    scopes: Collection[ScopeKey | None]
    parts: Mapping[int, Collection[Part]]
    is_starred: bool
    owners: Collection[str] = ()
    objects: Mapping[int, Collection[str]] = field(default_factory=dict)


class Judge:
    """Judges occurrences of one element's name. `family` are the elements that these may mean.

    `is_assigned`: the element is a member that assignments alone declare, as `self.x = x`, or a declaration that is no
    parameter: no call can pass it by keyword.
    """

    def __init__(
        self,
        view: WholeGraph,
        symbol: Symbol,
        family: Mapping[str, Symbol],
        paths: ModulePaths,
        options: Options,
        *,
        is_assigned: bool,
    ) -> None:
        self._snapshot, self._lines = view.snapshot, view.lines
        self._symbol = symbol
        self._paths = paths
        self._options = options
        self._is_assigned = is_assigned
        self._is_member = is_member(self._snapshot, symbol)
        self._is_mixed = len({is_member(self._snapshot, member) for member in family.values()}) > 1
        self._others = self._lines_of_namesakes(family)
        self._through = self._lines_through_interfaces(family)
        spec = spec_of(symbol.file)
        self._rules = spec.name_rules() if spec is not None and spec.name_rules is not None else None
        self._by_edges = self._rules is not None and self._rules.by_edges is not None
        shapes = (shape_of(self._snapshot, member) for member in family.values() if self._by_edges)
        self._is_typed_alike = any(last_part(str(shape.type)) == symbol.name for shape in shapes)
        self._family = family
        self._files = {member.file for member in family.values()}
        self._qualified = {member.qualified_name for member in family.values()}
        self._owners = {name for member in family.values() for name in member.qualified_name.split(".")[-2:-1]}

    def judged(self, file: Surroundings, one: Occurrence) -> Judgement:
        """The role of an occurrence that neither defines nor imports the element."""
        lines = [line for line in (one.line, one.call_line) if line]
        here = [edge for line in lines for edge in file.edges.get(line, ())]
        sure = [edge for edge in here if self._is_sure(edge)]
        if one.kinds and self._symbol.kind not in one.kinds:
            return Kind.OTHER, "another element of this name"
        match one.part:
            case Part.COMMENT if self._rules is not None and re.match(self._rules.directives, one.text):
                return Kind.UNSURE, "a directive that names it"
            case Part.COMMENT:
                return (Kind.TEXT, "") if self._options.comments else (Kind.OTHER, "a comment")
            case Part.STRING:
                return self._in_string(file, one, sure)
            case Part.LISTED:
                return (Kind.IMPORT, "") if MODULE in file.scopes else (Kind.OTHER, "another module's name")
            case Part.BROKEN:
                return Kind.UNSURE, "the syntax here is not understood"
            case Part.OTHER | Part.IMPORTED | Part.REEXPORTED:
                return Kind.OTHER, ""
            case Part.NAME | Part.BINDING | Part.HEAD | Part.EXPORTED:
                is_use = one.scope in file.scopes or (one.scope is None and file.is_starred and bool(sure))
                return (Kind.USE, "") if is_use else (Kind.OTHER, "")
            case Part.KEY if self._is_assigned and self._rules is not None and self._rules.by_edges is not None:
                return Kind.OTHER, "a key"
            # jest.mock('./m', () => ({ login: fake })): the key replaces an export of the module.
            case Part.KEY | Part.SHORTHAND if one.replaced:
                kind, why = self._replacing(file.path, one)
                is_both = kind is Kind.USE and one.part is Part.SHORTHAND and one.scope in file.scopes
                return (Kind.UNSURE, "a key and a name at once") if is_both else (kind, why)
            # const { login } = auth; use({ login }): a name and a key in one word.
            case Part.SHORTHAND | Part.PATTERN if one.scope in file.scopes:
                is_key = self._is_member and bool(sure)
                return (Kind.UNSURE, "a key and a name at once") if is_key else (Kind.USE, "")
        is_top = self._is_mixed or not self._is_member
        judged = self._of_module(file, one, lines, sure) if is_top else (Kind.OTHER, "")
        is_known = judged[0] is Kind.USE or not (self._is_member or self._is_mixed)
        return judged if is_known else self._member(file, one, lines, here)

    def _of_module(
        self, file: Surroundings, one: Occurrence, lines: Iterable[int], sure: Collection[Edge]
    ) -> Judgement:
        """The role of a member, a key or the declaration of a member, of an element that only its module has."""
        path, is_packaged = file.path, self._paths.is_packaged
        unrelated = Kind.OTHER, _UNRELATED.get(one.part, "")
        if one.part not in (Part.MEMBER, Part.PATTERN, Part.KEY):
            return unrelated
        modules = self._paths.of(path, one.owner) if one.part is Part.MEMBER else set()
        may_hold = self._paths.may_hold(modules)
        is_other = self._is_other(path, lines)
        if is_packaged and not (self._paths.are_package(modules) and (sure or not is_other)):
            is_key = one.part is Part.KEY and one.scope in file.scopes and not is_other
            return (Kind.UNSURE, "a key that may be the element or a field") if is_key else unrelated
        if is_packaged:
            return Kind.USE, ""
        if self._paths.are_fixed(modules):
            return unrelated
        # m.old(m.box.old): the edge of the line may be one of the two.
        is_deeper = one.object != one.owner and not self._paths.is_called(last_part(one.object))
        if modules and sure and is_deeper and len(file.objects.get(one.line, ())) > 1:
            return Kind.UNSURE, "more than one use on the line"
        if modules and sure and (may_hold or not is_other):
            return Kind.USE, ""
        if not sure and is_deeper and self._paths.is_element(path, one.object):
            return unrelated
        if one.part is Part.MEMBER and one.owner in file.owners and sure and not is_other:
            return Kind.USE, ""
        loaded = self._paths.is_passed_on if one.part is Part.KEY else self._paths.is_loaded
        if not (may_hold or loaded(path)):
            return unrelated
        if not sure and (is_other or self._is_outside(path, lines)):
            return unrelated
        return Kind.UNSURE, "it may be a member of its module, which is imported here"

    def _member(self, file: Surroundings, one: Occurrence, lines: Iterable[int], here: list[Edge]) -> Judgement:
        """The role of a member, a key or the declaration of a member."""
        sure = {edge.kind for edge in here if self._is_sure(edge)}
        is_other = self._is_other(file.path, lines)
        if one.part is Part.DECLARED:
            return Kind.OTHER, "another element of this name"
        if sure and (is_other or not MAYBE_OWN.isdisjoint(self._reasons(file.path, lines))):
            return Kind.UNSURE, "another element of this name is used on the same line"
        if sure and SymbolKind.CLASS in one.kinds and self._is_typed_alike:
            return Kind.UNSURE, "it may be its type, which has its name"
        if sure:
            fits = _fits(one.part, sure, file.parts[one.line]) and not (self._by_edges and one.part is Part.SHORTHAND)
            return (Kind.USE, "") if fits else (Kind.UNSURE, "more than one use on the line")
        if here:
            return Kind.UNSURE, "a guess: the type of the object is unknown"
        if any((file.path, line) in self._through for line in lines):
            return Kind.UNSURE, "a use of an interface that its class fits"
        if is_other:
            return Kind.OTHER, "another element of this name"
        if self._is_outside(file.path, lines) or (
            self._paths.is_packaged and self._paths.is_imported(file.path, one.owner)
        ):
            return Kind.OTHER, OUTSIDE
        if one.part is Part.KEY and (self._symbol.kind is SymbolKind.METHOD or self._is_assigned):
            return Kind.OTHER, "a key"
        return Kind.UNSURE, "the type of the object is unknown"

    def _is_sure(self, edge: Edge) -> bool:
        """Whether more than a guess leads to the element: where edges tell names, also more than its name."""
        return not edge.is_guess and not (self._by_edges and edge.confidence is Confidence.HEURISTIC)

    def _lines_of_namesakes(self, family: Mapping[str, Symbol]) -> set[tuple[str, int]]:
        """The lines that use or declare other elements of the name."""
        graph = self._snapshot.graph
        named = graph.called(self._symbol.name)
        others = [other for other in named if other.id not in family and are_alike(other, self._symbol)]
        places = {(other.file, other.line) for other in others}
        edges = (edge for other in others for edge in graph.edges_to(other.id))
        return places | {(edge.file, edge.line) for edge in edges if edge.confidence is not Confidence.HEURISTIC}

    def _lines_through_interfaces(self, family: Mapping[str, Symbol]) -> set[tuple[str, int]]:
        """The lines that use members of interfaces that the classes of the family fit."""
        fits = (fit.member.id for member in family.values() for fit in fitted(self._snapshot, member))
        edges = (edge for id_ in fits if id_ not in family for edge in self._snapshot.graph.edges_to(id_))
        return {(edge.file, edge.line) for edge in edges if edge.confidence is not Confidence.HEURISTIC}

    def _is_other(self, path: str, lines: Iterable[int]) -> bool:
        return any((path, line) in self._others for line in lines)

    def _reasons(self, path: str, lines: Iterable[int]) -> set[str]:
        """The reasons of the uses of the name on some lines that lead to no element."""
        wanted, name = set(lines), self._symbol.name
        rows = self._snapshot.graph.uses_in(path, {name}).outside
        return {row.why for row in rows if row.line in wanted and last_name(row) == name}

    def _is_outside(self, path: str, lines: Iterable[int]) -> bool:
        reasons = self._reasons(path, lines)
        return bool(reasons) and reasons.isdisjoint(MAYBE_OWN)

    @cached_property
    def _reads_names(self) -> bool:
        """Whether any code of the element's language reads the name of a class at run time."""
        language = language_of(self._symbol.file)
        pattern = re.compile(self._rules.reads_names if self._rules is not None else r"(?!)")
        files = [path for path in self._snapshot.facts if language_of(path) is language]
        search = Search(self._snapshot.tree, files, [*map(Word, _READING)])
        return any(pattern.search(file.text) for file in search.files())

    def _in_string(self, file: Surroundings, one: Occurrence, sure: Collection[Edge]) -> Judgement:
        name, path = self._symbol.name, file.path
        if self._options.strings:
            return Kind.TEXT, ""
        if one.replaced and one.text == name:
            return self._replacing(path, one)
        # monkeypatch.setattr(auth, "login", fake) names the element, as surely as code does.
        if one.called in _BY_STRING and self._is_exact(file, one, sure):
            return Kind.USE, ""
        if one.text == name and self._rules is not None and one.called in self._rules.makers and not one.beside:
            own = (member for member in self._family.values() if member.line <= one.line <= member.end_line)
            if any(member.file == path for member in own):
                return Kind.USE, ""
        if one.text == name and not one.called and self._is_index(path, one):
            return Kind.UNSURE, "a string that may be the index of the element"
        if any(edge.kind is EdgeKind.TYPE for edge in sure):
            return Kind.USE, "a type in a string"
        rules = self._rules.by_edges if self._rules is not None else None
        is_by_text = rules is not None and rules.is_called_by_text
        joins = r"(?:[.:@\\]|::|->)" if is_by_text else "[.:]"
        dotted = re.search(rf"([\w$]+){joins}{re.escape(name)}(?:\.\w+)*\Z", one.text)
        is_near = path in self._files or (is_by_text and one.text == name and self._takes_names(path))
        is_loose = self._symbol.kind in _BY_NAME or (is_near and one.called != KEYED and not one.owner)
        if is_by_text and one.text == name and is_loose:
            return Kind.UNSURE, "a string that may name it"
        if dotted and (self._is_member or self._paths.is_called(dotted[1])):
            return Kind.UNSURE, "a string that names it"
        if one.text == name and (one.called in _BY_STRING or (self._is_member and one.called in _KEYED)):
            return Kind.UNSURE, f"a string that {one.called} takes as a name"
        if self._symbol.kind is SymbolKind.CLASS and self._reads_names:
            return Kind.UNSURE, NAME_READ
        return Kind.OTHER, "a string"

    def _takes_names(self, path: str) -> bool:
        """Whether a file takes members by computed names: `$cart->$name()`."""
        spec = spec_of(path)
        scans = spec.idioms().scans if spec is not None else None
        return scans is not None and scans.search(self._lines.data(path)) is not None

    def _is_exact(self, file: Surroundings, one: Occurrence, sure: Collection[Edge]) -> bool:
        """Whether a string that a function takes as a name is the element's: the graph or the module's name says so."""
        if one.text == self._symbol.name:
            is_module = not self._is_member and self._paths.all_offer(self._paths.of(file.path, one.beside))
            is_alone = file.parts[one.line] == {Part.STRING} and not self._is_other(file.path, {one.line})
            return is_module or (bool(sure) and is_alone)
        whole = re.fullmatch(rf"([\w.]+)[.:](?:{'|'.join(map(re.escape, self._qualified))})(?:\.\w+)*", one.text)
        return whole is not None and self._paths.is_named(file.path, whole[1])

    def _replacing(self, path: str, one: Occurrence) -> Judgement:
        """The role of a key that replaces an export of a module in a test."""
        modules = self._paths.of(path, one.replaced)
        if not self._is_member and (self._paths.is_named(path, one.replaced) or self._paths.all_offer(modules)):
            return Kind.USE, ""
        is_alike = self._owners.__contains__ if self._is_member else self._paths.is_called
        is_other = not any(map(is_alike, parts_of(one.replaced)))
        return (Kind.OTHER, "a key") if is_other else (Kind.UNSURE, "a key that may replace it in a test")

    def _is_index(self, path: str, one: Occurrence) -> bool:
        """Whether a literal is an index of an object that may hold the element."""
        if not one.owner or one.owner in _TABLES:
            return bool(one.owner)
        if self._is_member:
            return one.owner in self._owners or (self._rules is not None and self._rules.indexes_members)
        return self._paths.may_hold(self._paths.of(path, one.owner)) or self._paths.is_loaded(path)


def _fits(part: Part, kinds: Collection[EdgeKind], beside: Collection[Part]) -> bool:
    """Whether the edges of a line are of this part of it, where other parts of the line have the name, too."""
    keyed = {Part.KEY, Part.SHORTHAND}
    if part in keyed:
        # const { login: mine } = auth: a key that reads the member.
        return EdgeKind.WRITE in kinds or (kinds == {EdgeKind.READ} and beside == {Part.KEY})
    if part is Part.PATTERN:
        return EdgeKind.READ in kinds and Part.MEMBER not in beside
    return keyed.isdisjoint(beside) or kinds != {EdgeKind.WRITE}
