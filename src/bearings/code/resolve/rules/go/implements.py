"""Finds the types that have the methods of an interface of the project: Go code never names the interface.

    type Store interface { Open(name string) error }     in one package
    func (f *Files) Open(name string) error { … }        in another one: Files implements Store

The interfaces of a project stand in a table by the name of one of their methods, so that a type is compared only with
those that ask for a method which it has.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TypeAlias, TypeVar

import msgspec

from bearings.code.file_facts import BindingKind, FileFacts, Trait
from bearings.code.models import Confidence, Edge, EdgeKind, Language, SymbolKind
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.modules.cells import Entry
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.referent import INSTANCE, Referent
from bearings.code.resolve.referents import (
    BUILTIN,
    CLASSES,
    MOST_BASES,
    as_kind,
    instance_of,
    is_instance,
    is_symbol,
    symbol_at,
)
from bearings.code.resolve.rules.go.evaluate import GoEvaluator
from bearings.code.resolve.rules.go.packages import NAMELESS, GoSources
from bearings.code.resolve.strategy import Completion, ProjectTable
from bearings.code.type_expressions import (
    ArrayType,
    FunctionType,
    ObjectType,
    OtherType,
    TypeExpression,
    TypeReference,
    inner_types,
    type_names,
)

_DEEPEST = 8
_CONCRETE = CLASSES - {SymbolKind.INTERFACE}
_MOST_VIEWS = 400
"""Tables of files to keep: they take more memory than the facts."""
_MOST_PAIRS = 200_000
_FEWEST = 10
"""A type of a package with n such types is compared with `_MOST_PAIRS` / n interfaces for each of its method names, and
at least `_FEWEST`: that is 200 in a package of 1,000 types. Code with more of both is generated.
"""
_SAME = {"byte": "uint8", "rune": "int32"}


_Answer = TypeVar("_Answer")
_Signature: TypeAlias = "str | tuple[_Signature, ...]"
"""A type in parts, each name replaced by its referent."""


_INTERFACE = "/.interface/"
_METHODS = "/.methods/"


def interface_cell(name: str) -> str:
    """The cell of interfaces by the name of a method, or (after `+`) by their first embedded interface."""
    return f"{name}{_INTERFACE}"


def based_on(cell: str) -> str:
    """The name of the embedded interface by which a cell finds others; empty for a cell of a method."""
    return cell.removesuffix(_INTERFACE)[1:] if cell.startswith("+") else ""


def is_interface_cell(name: str) -> bool:
    """Whether a name is that of such a cell."""
    return name.endswith(_INTERFACE)


def methods_cell(file: str, type_: str) -> str:
    """The cell of the methods that a package declares for a type."""
    return f"{file.rpartition('/')[0]}/{type_}{_METHODS}"


class GoInterfaces(ProjectTable):
    """The interfaces of a project, each by its first method by name, else by its first embedded interface."""

    def covers(self, path: str) -> bool:
        """See ProjectTable: files of Go."""
        return path.endswith(".go")

    def owns(self, cell: str) -> bool:
        """See ProjectTable."""
        return cell.endswith((_INTERFACE, _METHODS))

    def read(self, path: str, facts: Mapping[str, FileFacts]) -> Iterator[Entry]:
        """See ProjectTable: methods by their types; interfaces with their methods and bases as text."""
        file = facts[path]
        if file.language is not Language.GO:
            return
        methods_of: dict[int, list[str]] = {}
        for symbol, shape in zip(file.symbols, file.shapes, strict=True):
            if symbol.kind is SymbolKind.METHOD and shape.traits & Trait.ABSTRACT:
                methods_of.setdefault(shape.parent, []).append(f"{symbol.name} {_stored(shape.type)}")
            elif symbol.kind is SymbolKind.METHOD:
                owner = symbol.qualified_name.rpartition(".")[0]
                yield methods_cell(path, owner), symbol.qualified_name, _stored(shape.type)
        for index, (symbol, shape) in enumerate(zip(file.symbols, file.shapes, strict=True)):
            if symbol.kind is SymbolKind.INTERFACE and shape.parent == 0 and symbol.qualified_name not in NAMELESS:
                methods = sorted(methods_of.get(index, ()))
                bases = [_stored(base.type) for base in shape.bases]
                if methods:
                    first = methods[0].partition(" ")[0]
                    yield interface_cell(first), symbol.qualified_name, "\n".join((*methods, "", *bases))
                elif bases and not isinstance(shape.bases[0].type, OtherType):
                    last = next(type_names(shape.bases[0].type), "").rpartition(".")[2]
                    yield interface_cell(f"+{last}"), symbol.qualified_name, "\n".join(bases)

    def completion(self, facts: Mapping[str, FileFacts], modules: Modules) -> "GoImplementations":
        """See ProjectTable: adds implemented interfaces to the uses of files."""
        return GoImplementations(facts, modules, self)

    def named(self, name: str) -> list[tuple[str, str]]:
        """The interfaces with this name of a method: their files and names."""
        return sorted({(path, declared) for path, (_, declared, _) in self.in_cell(interface_cell(name))})

    def cells_of(self, path: str, names: Collection[str]) -> Iterator[str]:
        """The cells of the interfaces of some names in a file that was read."""
        for cell, declared, _ in self._of_file.get(path, ()):
            if declared in names and cell.endswith(_INTERFACE):
                yield cell


def _stored(type_: TypeExpression | None) -> str:
    """A type as text, equal for equal types."""
    return msgspec.json.encode(type_).decode()


class GoImplementations(Completion):
    """The implementations of interfaces in one set of facts."""

    def __init__(
        self,
        facts: Mapping[str, FileFacts],
        modules: Modules,
        interfaces: GoInterfaces,
        sources: GoSources | None = None,
    ) -> None:
        self._evaluator = GoEvaluator(facts, modules, sources)
        self._interfaces = interfaces
        self._interfaces_of: dict[Referent, tuple[list[Referent], frozenset[str]]] = {}
        self._methods_of: dict[Referent, tuple[dict[str, Referent] | None, frozenset[str]]] = {}
        self._by_name: dict[str, list[tuple[str, str]]] = {}
        self._signatures: dict[Referent, tuple[_Signature, frozenset[str]]] = {}

    def added(self, file: str, uses: FileUses) -> tuple[FileUses, frozenset[str]]:
        """See Completion: edges from types to the interfaces that they implement, and from methods to theirs."""

        def interfaces_of(type_: Referent) -> list[Referent]:
            return self._cached(self._interfaces_of, self._implemented, type_)

        edges = self._edges(file, interfaces_of)
        return uses._replace(edges=(*uses.edges, *edges)), frozenset(self._evaluator.answers.consulted)

    def edges_into(self, file: str, cells: Collection[str]) -> Collection[Edge]:
        """The edges from a file to the interfaces of some cells, and to their methods."""
        return self._edges(file, lambda type_: self._implemented(type_, cells))

    def methods_of(self, file: str, interface: int) -> Collection[str]:
        """The names of the methods that a type must have for an interface; none if no type can have them all."""
        self._evaluator.answers.begin()
        return (self._methods(instance_of(file, interface)) or {}).keys()

    def files_of(self, file: str, type_: str) -> Collection[str]:
        """The files that declare a type of a file's package."""
        return [path for path, _ in self._evaluator.packages.package_of(file).named(type_) or ()]

    def _edges(self, file: str, interfaces_of: Callable[[Referent], list[Referent]]) -> Collection[Edge]:
        evaluator = self._evaluator
        evaluator.answers.begin()
        view = evaluator.packages.view(file)
        edges: dict[tuple[str, str], Edge] = {}
        for type_, own_methods in self._declared_types(file):
            for interface in interfaces_of(type_):
                if type_.file == file:
                    self._add_edge(edges, type_, interface)
                interface_methods = self._methods(interface) or {}
                for index in own_methods:
                    method = interface_methods.get(view.facts.symbols[index].name)
                    if method is not None:
                        self._add_edge(edges, symbol_at(file, index), method)
        if len(evaluator.packages.views) > _MOST_VIEWS:
            evaluator.packages.views.clear()
        return edges.values()

    def give_up(self) -> frozenset[str]:
        """See Completion."""
        return self._evaluator.answers.abandon()

    def _add_edge(self, edges: dict[tuple[str, str], Edge], implementing: Referent, implemented: Referent) -> None:
        view = self._evaluator.packages.view(implementing.file)
        source, line = view.ids[implementing.symbol], view.facts.symbols[implementing.symbol].line
        target = self._evaluator.packages.view(implemented.file).keys[implemented.symbol]
        edges[source, target] = Edge(
            source, target, EdgeKind.IMPLEMENTS, implementing.file, line, Confidence.STRONG, "method set"
        )

    def _declared_types(self, file: str) -> Iterator[tuple[Referent, list[int]]]:
        """The types that a file declares or declares methods of, each with these methods."""
        facts = self._evaluator.packages.view(file).facts
        methods: dict[str, list[int]] = {}
        types: dict[str, Referent] = {}
        for index, (symbol, shape) in enumerate(zip(facts.symbols, facts.shapes, strict=True)):
            if symbol.kind is SymbolKind.METHOD and not shape.traits & Trait.ABSTRACT:
                methods.setdefault(symbol.qualified_name.rpartition(".")[0], []).append(index)
            elif symbol.kind in _CONCRETE and shape.parent == 0 and not shape.traits & Trait.ALIAS:
                types[symbol.qualified_name] = instance_of(file, index)
        for name in methods.keys() - types.keys():
            declared = self._evaluator.declaration(self._evaluator.packages.package_of(file), name, file)
            if declared is not None:
                types[name] = as_kind(declared, INSTANCE)
        for name, type_ in sorted(types.items()):
            yield type_, methods.get(name, [])

    def _cached(
        self,
        cache: dict[Referent, tuple[_Answer, frozenset[str]]],
        compute: Callable[[Referent], _Answer],
        referent: Referent,
    ) -> _Answer:
        """`compute(referent)`, cached; the files and cells that it depends on are consulted each time."""
        answers = self._evaluator.answers
        if referent not in cache:
            outer_consulted, answers.consulted = answers.consulted, set()
            answer = compute(referent)
            cache[referent] = answer, frozenset(answers.consulted)
            answers.consulted = outer_consulted
        answers.consulted |= cache[referent][1]
        return cache[referent][0]

    def _implemented(self, type_: Referent, cells: Collection[str] | None = None) -> list[Referent]:
        """The interfaces, or those of some cells, that a type implements: by its methods, then by the interfaces found.

        An interface without methods of its own, `type ReadWriter interface { Reader; Writer }`, is found by `+Reader`.
        """
        packages = self._evaluator.packages
        names = [name for name in sorted(self._names(type_, set())) if cells is None or interface_cell(name) in cells]
        interfaces: dict[Referent, None] = {}
        own: dict[str, Referent | None] = {}
        for name in names:
            self._evaluator.answers.consulted.add(interface_cell(name))
            if name not in self._by_name:
                self._by_name[name] = self._interfaces.named(name)
            named = self._by_name[name]
            if len(named) > _FEWEST:
                named = named[: max(_FEWEST, _MOST_PAIRS // max(1, packages.package_of(type_.file).count_types()))]
            for path, declared in named:
                index = next(index for file, index in packages.package_of(path).named(declared) or () if file == path)
                interface = instance_of(path, index)
                if interface not in interfaces and interface != type_ and self._implements(type_, own, interface):
                    interfaces[interface] = None
                    if cells is None or interface_cell(f"+{declared}") in cells:
                        names.append(f"+{declared}")
        return list(interfaces)

    def _names(self, type_: Referent, seen: set[Referent]) -> set[str]:
        """The names of a type's methods, including those of embedded types."""
        if type_.kind != INSTANCE or type_ in seen or len(seen) > _DEEPEST:
            return set()
        seen.add(type_)
        evaluator = self._evaluator
        symbol = evaluator.packages.view(type_.file).facts.symbols[type_.symbol]
        if symbol.kind is SymbolKind.INTERFACE:
            return set(self._methods(type_) or ())
        evaluator.answers.consulted.add(methods_cell(type_.file, symbol.qualified_name))
        names = set(evaluator.packages.package_of(type_.file).methods_of(symbol.qualified_name))
        for embedded in evaluator.embedded(type_):
            names |= self._names(embedded, seen)
        return names

    def _methods(self, interface: Referent) -> dict[str, Referent] | None:
        """The methods of an interface; None if outside types may add methods, or if it is a constraint."""
        return self._cached(self._methods_of, self._read_methods, interface)

    def _read_methods(self, interface: Referent) -> dict[str, Referent] | None:
        evaluator = self._evaluator
        methods: dict[str, Referent] = {}
        queue, seen = deque([interface]), {interface}
        while queue:
            current = queue.popleft()
            view = evaluator.packages.view(current.file)
            evaluator.packages.package_of(current.file)
            for name, index in view.members.get(current.symbol, {}).items():
                methods.setdefault(name, symbol_at(current.file, index))
            shape = view.facts.shapes[current.symbol]
            for base in shape.bases:
                base_object = evaluator.resolve_type(current.file, shape.inner, base.type)
                underlying = evaluator.underlying(base_object) if base_object is not None else None
                if underlying is None or not evaluator.is_interface(underlying) or len(seen) > MOST_BASES:
                    return None
                if underlying not in seen:
                    seen.add(underlying)
                    queue.append(underlying)
        return methods

    def _implements(self, type_: Referent, own: dict[str, Referent | None], interface: Referent) -> bool:
        """Whether a type has all methods of an interface, with the same signatures; type parameters match anything.

        A name in lower case is private to its package. `own` are the type's members that were looked up so far.
        """
        methods = self._methods(interface)
        if not methods:
            return False
        for name, method in methods.items():
            if name not in own:
                own[name] = self._evaluator.member(type_, name, type_.file)
            implementing = own[name]
            if not is_symbol(implementing):
                return False
            package_of = self._evaluator.packages.package_of
            if not name[:1].isupper() and package_of(implementing.file) is not package_of(method.file):
                return False
            signature = self._cached(self._signatures, self._signature, implementing)
            if not _matches(signature, self._cached(self._signatures, self._signature, method)):
                return False
        return True

    def _signature(self, method: Referent) -> _Signature:
        """A method's type, each name replaced by its referent."""
        shape = self._evaluator.packages.view(method.file).facts.shapes[method.symbol]
        scope = shape.inner if shape.inner >= 0 else shape.scope
        return self._signature_of(method.file, scope, shape.type)

    def _signature_of(self, file: str, scope: int, type_: TypeExpression | None) -> _Signature:
        """A type as nested tuples: its kind, the referent of its name, and its parts."""
        if type_ is None:
            return ""
        if isinstance(type_, str):
            return self._type_name(file, scope, type_)
        name = self._type_name(file, scope, type_.name) if isinstance(type_, TypeReference) else ""
        if isinstance(type_, ArrayType):
            name = type_.length
        if isinstance(type_, FunctionType):
            name = "".join("." if parameter.rest else "," for parameter in type_.parameters)
        if isinstance(type_, ObjectType):
            name = " ".join(member.name for member in type_.members)
        inside = [self._signature_of(file, scope, part) for part in inner_types(type_)]
        return (type(type_).__name__, name, *inside)

    def _type_name(self, file: str, scope: int, name: str) -> str:
        """A text that is equal for two names of the same type; `?` for a type parameter."""
        evaluator = self._evaluator
        row = evaluator.packages.view(file).lookup(scope, name)
        if row is not None and row.kind is BindingKind.TYPE_PARAMETER:
            return "?"
        referent = evaluator.type_symbol(file, scope, name)
        if is_symbol(referent):
            instance = evaluator.instance(referent)  # behind an alias, of the type that it names
            referent = instance if is_instance(instance) else referent
            return f"{referent.file}#{referent.symbol}"
        if referent is None or referent == BUILTIN or "." not in name:
            return _SAME.get(name, name)
        root, _, last = name.partition(".")
        entry = evaluator.packages.names(file).get(root)
        return f"{entry.module if entry is not None else root}.{last}"


def _matches(left: _Signature, right: _Signature) -> bool:
    """Whether two types are the same; `?` stands for any."""
    if left == right or "?" in (left, right):
        return True
    if isinstance(left, str) or isinstance(right, str):
        return False
    return len(left) == len(right) and all(map(_matches, left, right))
