"""Finds the types that have the methods of an interface of the project: Go code never names the interface."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias, TypeVar

from bearings.code.file_facts import BindingKind, FileFacts, Trait
from bearings.code.models import Confidence, Edge, EdgeKind, SymbolKind
from bearings.code.resolve.file_uses import FileUses
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
from bearings.code.resolve.rules.go.interfaces import GoInterfaces, interface_cell, methods_cell
from bearings.code.resolve.strategy import Completion
from bearings.code.type_expressions import (
    ArrayType,
    FunctionType,
    ObjectType,
    TypeExpression,
    TypeReference,
    inner_types,
)

_DEEPEST = 8
_MADE = CLASSES - {SymbolKind.INTERFACE}
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


class GoImplementations(Completion):
    """The implementations of interfaces in one set of facts."""

    def __init__(self, facts: Mapping[str, FileFacts], modules: Modules, interfaces: GoInterfaces) -> None:
        self._evaluator = GoEvaluator(facts, modules)
        self._interfaces = interfaces
        self._known: dict[Referent, tuple[list[Referent], frozenset[str]]] = {}
        self._known_methods: dict[Referent, tuple[dict[str, Referent] | None, frozenset[str]]] = {}
        self._by_name: dict[str, list[tuple[str, str]]] = {}
        self._signatures: dict[Referent, tuple[_Signature, frozenset[str]]] = {}

    def added(self, file: str, uses: FileUses) -> tuple[FileUses, frozenset[str]]:
        """A file's uses with the interfaces that it implements, and the files and cells that they depend on."""
        edges, consulted = self.of_file(file)
        if len(self._evaluator.packages.views) > _MOST_VIEWS:
            self._evaluator.packages.views.clear()
        return uses._replace(edges=(*uses.edges, *edges)), consulted

    def give_up(self) -> frozenset[str]:
        """See Completion."""
        return self._evaluator.answers.abandon()

    def of_file(self, file: str) -> tuple[list[Edge], frozenset[str]]:
        """Edges from the types of a file to the interfaces that they implement, and from methods to theirs."""
        evaluator = self._evaluator
        evaluator.answers.begin()
        view = evaluator.packages.view(file)
        edges: dict[tuple[str, str], Edge] = {}
        for type_, own in self._types(file):
            for interface in self._implemented(type_):
                if type_.file == file:
                    self._put(edges, type_, interface)
                wanted = self._methods(interface) or {}
                for index in own:
                    wanted_methods = wanted.get(view.facts.symbols[index].name)
                    if wanted_methods is not None:
                        self._put(edges, symbol_at(file, index), wanted_methods)
        return list(edges.values()), frozenset(evaluator.answers.consulted)

    def _put(self, edges: dict[tuple[str, str], Edge], one: Referent, other: Referent) -> None:
        view, there = self._evaluator.packages.view(one.file), self._evaluator.packages.view(other.file)
        source, target, line = view.ids[one.symbol], there.keys[other.symbol], view.facts.symbols[one.symbol].line
        edges[source, target] = Edge(
            source, target, EdgeKind.IMPLEMENTS, one.file, line, Confidence.STRONG, "method set"
        )

    def _types(self, file: str) -> Iterator[tuple[Referent, list[int]]]:
        """The types that a file declares or declares methods of, each with these methods."""
        facts = self._evaluator.packages.view(file).facts
        methods: dict[str, list[int]] = {}
        types: dict[str, Referent] = {}
        for index, (symbol, shape) in enumerate(zip(facts.symbols, facts.shapes, strict=True)):
            if symbol.kind is SymbolKind.METHOD and not shape.traits & Trait.ABSTRACT:
                methods.setdefault(symbol.qualified_name.rpartition(".")[0], []).append(index)
            elif symbol.kind in _MADE and shape.parent == 0 and not shape.traits & Trait.ALIAS:
                types[symbol.qualified_name] = instance_of(file, index)
        for name in methods.keys() - types.keys():
            found = self._evaluator.declared(self._evaluator.packages.of(file), name, file)
            if found is not None:
                types[name] = as_kind(found, INSTANCE)
        for name, type_ in sorted(types.items()):
            yield type_, methods.get(name, [])

    def _once(
        self, known: dict[Referent, tuple[_Answer, frozenset[str]]], ask: Callable[[Referent], _Answer], of: Referent
    ) -> _Answer:
        """An answer about a referent, asked once; the files and cells that it depends on count each time."""
        memo = self._evaluator.answers
        if of not in known:
            around, memo.consulted = memo.consulted, set()
            answer = ask(of)
            known[of] = answer, frozenset(memo.consulted)
            memo.consulted = around
        memo.consulted |= known[of][1]
        return known[of][0]

    def _implemented(self, type_: Referent) -> list[Referent]:
        return self._once(self._known, self._search, type_)

    def _search(self, type_: Referent) -> list[Referent]:
        """The interfaces that a type implements: by the names of its methods, then by the interfaces found."""
        names = sorted(self._names(type_, set()))
        found: dict[Referent, None] = {}
        most = max(_FEWEST, _MOST_PAIRS // max(1, len(self._evaluator.packages.of(type_.file).methods)))
        for name in names:
            self._evaluator.answers.consulted.add(interface_cell(name))
            for path, declared in self._named(name)[:most]:
                interface = self._declared(path, declared)
                if interface not in found and interface != type_ and self._fits(type_, interface):
                    found[interface] = None
                    names.append(f"+{declared}")
        return list(found)

    def _named(self, name: str) -> list[tuple[str, str]]:
        if name not in self._by_name:
            self._by_name[name] = self._interfaces.named(name)
        return self._by_name[name]

    def _declared(self, path: str, name: str) -> Referent:
        """An interface by its name."""
        index = next(index for file, index in self._evaluator.packages.of(path).names[name] if file == path)
        return instance_of(path, index)

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
        names = set(evaluator.packages.of(type_.file).methods.get(symbol.qualified_name, ()))
        for embedded in evaluator.embedded(type_):
            names |= self._names(embedded, seen)
        return names

    def _methods(self, interface: Referent) -> dict[str, Referent] | None:
        """The methods of an interface; None if outside types may add methods, or if it is a constraint."""
        return self._once(self._known_methods, self._read_methods, interface)

    def _read_methods(self, interface: Referent) -> dict[str, Referent] | None:
        evaluator = self._evaluator
        found: dict[str, Referent] = {}
        queue, seen = deque([interface]), {interface}
        while queue:
            here = queue.popleft()
            view = evaluator.packages.view(here.file)
            evaluator.packages.of(here.file)
            for name, index in view.members.get(here.symbol, {}).items():
                found.setdefault(name, symbol_at(here.file, index))
            shape = view.facts.shapes[here.symbol]
            for base in shape.bases:
                inside = evaluator.type(here.file, shape.inner, base.type)
                below = evaluator.underlying(inside) if inside is not None else None
                if below is None or not evaluator.is_interface(below) or len(seen) > MOST_BASES:
                    return None
                if below not in seen:
                    seen.add(below)
                    queue.append(below)
        return found

    def _fits(self, type_: Referent, interface: Referent) -> bool:
        wanted = self._methods(interface)
        if not wanted:
            return False
        for name, wanted_methods in wanted.items():
            own = self._evaluator.member(type_, name, type_.file)
            if not is_symbol(own):
                return False
            if not name[:1].isupper() and self._package(own.file) != self._package(wanted_methods.file):
                return False
            if not self._alike(own, wanted_methods):
                return False
        return True

    def _package(self, file: str) -> tuple[str, str]:
        package = self._evaluator.packages.of(file)
        return package.folder, package.name

    def _alike(self, one: Referent, other: Referent) -> bool:
        """Whether two methods have the same parameters and results; type parameters match anything."""
        signatures = self._signatures
        return _matches(self._once(signatures, self._signature, one), self._once(signatures, self._signature, other))

    def _signature(self, method: Referent) -> _Signature:
        """A method's type, each name replaced by its referent."""
        shape = self._evaluator.packages.view(method.file).facts.shapes[method.symbol]
        scope = shape.inner if shape.inner >= 0 else shape.scope
        return self._identified(method.file, scope, shape.type)

    def _identified(self, file: str, scope: int, type_: TypeExpression | None) -> _Signature:
        """A type as nested tuples: its kind, the referent of its name, and its parts."""
        if type_ is None:
            return ""
        if isinstance(type_, str):
            return self._identity(file, scope, type_)
        name = self._identity(file, scope, type_.name) if isinstance(type_, TypeReference) else ""
        if isinstance(type_, ArrayType):
            name = type_.length
        if isinstance(type_, FunctionType):
            name = "".join("." if parameter.rest else "," for parameter in type_.parameters)
        if isinstance(type_, ObjectType):
            name = " ".join(member.name for member in type_.members)
        inside = [self._identified(file, scope, part) for part in inner_types(type_)]
        return (type(type_).__name__, name, *inside)

    def _identity(self, file: str, scope: int, name: str) -> str:
        """The referent of a type's name, in one spelling."""
        evaluator = self._evaluator
        row = evaluator.packages.view(file).lookup(scope, name)
        if row is not None and row.kind is BindingKind.TYPE_PARAMETER:
            return "?"
        referent = evaluator.type_symbol(file, scope, name)
        if is_symbol(referent):
            made = evaluator.instance(referent)
            referent = made if is_instance(made) else referent
            return f"{referent.file}#{referent.symbol}"
        if referent is None or referent == BUILTIN or "." not in name:
            return _SAME.get(name, name)
        root, _, last = name.partition(".")
        entry = evaluator.packages.names(file).get(root)
        return f"{entry.module if entry is not None else root}.{last}"


def _matches(one: _Signature, other: _Signature) -> bool:
    """Whether two types are the same; `?` stands for any."""
    if "?" in (one, other):
        return True
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return len(one) == len(other) and all(map(_matches, one, other))


class GoProject(GoInterfaces):
    """The interfaces of a project, and the types that implement them."""

    def completion(self, facts: Mapping[str, FileFacts], modules: Modules) -> GoImplementations:
        """The completion that adds implemented interfaces to the uses of files."""
        return GoImplementations(facts, modules, self)
