"""Resolves Go: a file's sites, imports and types to edges, or to outside uses.

store.Open("carts")       a member of a package: exact
cart.Total()              by the written type of `cart`: exact; by a result's or a field's type: strong
Cart{Items: items}        constructs a Cart; `[]Cart(x)` and `x.(Cart)` only name it
run := build; run()       a local that names a function: a guess
fmt.Println(cart)         the method `Error` or `String` of a cart: a guess

A name with a `$` is a local variable: the facts write `x$`, `x$1` … in one scope a function (languages/go/locals.py).
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec.structs import replace

from bearings.code.expressions import Expression, Typed, chained, is_known, last_name, receiver, root_of, split, written
from bearings.code.file_facts import BindingKind, CallSite, FileFacts, Import, Trait
from bearings.code.models import EMBEDDED, Confidence, Edge, EdgeKind, Outside, Symbol, SymbolKind
from bearings.code.resolve.edges.wanted import WrittenNames
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.referent import PACKAGE, Referent
from bearings.code.resolve.referents import (
    BUILTIN,
    CLASSES,
    EXTERNAL,
    HOLDERS,
    is_inside,
    is_instance,
    is_outside,
    is_symbol,
    symbol_at,
)
from bearings.code.resolve.rules.go.builds import system_of
from bearings.code.resolve.rules.go.evaluate import GoEvaluator
from bearings.code.resolve.rules.go.packages import GoSources
from bearings.code.resolve.rules.go.types import pointed
from bearings.code.resolve.strategy import Strategy
from bearings.code.type_expressions import FunctionType, ObjectType, TypeExpression, TypeReference, type_names

_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)?")
_QUALIFIED = re.compile(r"([^\W\d]\w*)\.([^\W\d]\w*)")
_SUFFIX = re.compile(r"\$\d*")
_FIELDS = frozenset({SymbolKind.PROPERTY})
_METHODS = frozenset({SymbolKind.METHOD})
_FUNCTIONS = frozenset({SymbolKind.METHOD, SymbolKind.FUNCTION})
PRINTED = ("Error", "String")
"""The methods by which `fmt` and `log` print a value, the first that it has."""
_USABLE_AS_VALUE = (
    frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.VARIABLE, SymbolKind.CONSTANT}) | CLASSES
)
"""Symbols whose names are references where they are no call: `http.HandleFunc("/", serve)`. Fields are read instead."""
_BY_RECEIVER = "type of the receiver"
_VARIANT = "one of several builds"


class ByPackages(Strategy):
    """Resolves names through scopes, then through the files of a package."""

    def __init__(self, facts: Mapping[str, FileFacts], modules: Modules, sources: GoSources | None = None) -> None:
        self._evaluator = GoEvaluator(facts, modules, sources)

    def uses(self, path: str) -> tuple[FileUses, frozenset[str]]:
        """See Strategy."""
        return self.uses_of(path, None), self._evaluator.answers.gathered()

    def uses_of(self, path: str, names: WrittenNames | None) -> FileUses:
        """The uses of a file that may mean an element of some names, and perhaps others; None: all."""
        self._evaluator.answers.begin()
        uses = GoUses(self._evaluator, path, names)
        uses.add()
        return FileUses(tuple(uses.edges.values()), tuple(uses.outside))

    def bases(self, path: str) -> FileUses:
        """The uses that a file makes of the types that it embeds."""
        self._evaluator.answers.begin()
        uses = GoUses(self._evaluator, path)
        uses.add_bases()
        return FileUses(tuple(uses.edges.values()), tuple(uses.outside))

    def give_up(self) -> frozenset[str]:
        """See Strategy."""
        return self._evaluator.answers.abandon()

    def forget(self, but: Collection[str] = ()) -> None:
        """See Strategy. Drops all tables: they are fast to make again."""
        del but
        self._evaluator.packages.views.clear()

    def shed(self) -> None:
        """See Strategy."""
        self._evaluator.answers.shed()


class GoUses:
    """A file's edges (to keys) and outside uses; the same edge at the same line counts once.

    With `names`, only those that may mean an element of these names.
    """

    def __init__(self, evaluator: GoEvaluator, file: str, names: WrittenNames | None = None) -> None:
        self._names = names
        self.edges: dict[tuple[str, str, EdgeKind, int], Edge] = {}
        self.outside: list[Outside] = []
        self._evaluator = evaluator
        self._file = file
        self._view = evaluator.packages.view(file)
        self._referents: dict[tuple[int, Expression], Referent | None] = {}
        self._is_of_one_build = bool(system_of(file) or self._view.facts.build)
        self._variants: dict[tuple[str, int], Sequence[Referent]] = {}

    def add(self) -> None:
        """Adds all uses of the file."""
        view, names = self._view, self._names
        self._add_imports()
        for site in view.facts.sites:
            if names is not None and not names.has(site.callee):
                continue
            source = view.ids[view.facts.scopes[site.scope].symbol]
            if type(site.callee) is Typed:
                self._add_typed(site, site.callee.type, source)
            elif site.kind is EdgeKind.REFERENCE:
                value = self._if_kind(self._referent_of(site.scope, site.callee), _USABLE_AS_VALUE)
                if value is not None:  # a name that is no local's
                    self._add_edge(source, value, EdgeKind.REFERENCE, site.line, "value")
            elif is_known(site.callee):
                self._add_call(site, source)
            self._add_receiver_reads(site, source)
        for use in view.facts.mentions:  # fields that are read or written; members of packages, and methods, as values
            if names is not None and not names.has(use.callee):
                continue
            source = view.ids[view.facts.scopes[use.scope].symbol]
            if use.kind is EdgeKind.CALL:
                self._add_implied(use, source)
                continue
            self._add_field_use(use, use.kind, source)
            value = self._if_kind(self._referent_of(use.scope, use.callee), _USABLE_AS_VALUE)
            if value is not None:
                self._add_edge(source, value, EdgeKind.REFERENCE, use.line, "value")
            self._add_package_variable(use, source)
            self._add_receiver_reads(use, source)
        self._add_types()

    def _add_edge(
        self,
        source: str,
        referent: Referent,
        kind: EdgeKind,
        line: int,
        reason: str,
        confidence: Confidence = Confidence.EXACT,
    ) -> None:
        target = self._evaluator.packages.view(referent.file).keys[referent.symbol]
        key = (source, target, kind, line)
        # `Cart{}` is a NEW edge; its name is no TYPE edge on that line, too (sites come before types).
        is_constructed = kind is EdgeKind.TYPE and (source, target, EdgeKind.NEW, line) in self.edges
        if key not in self.edges and not is_constructed:
            is_guess = confidence is Confidence.HEURISTIC
            if reason != _VARIANT and not is_guess and (variants := self._variants_of(referent)):
                confidence, reason = Confidence.STRONG, _VARIANT
                for other in variants:
                    self._add_edge(source, other, kind, line, reason, confidence)
            self.edges[key] = Edge(source, target, kind, self._file, line, confidence, reason)

    def _variants_of(self, referent: Referent) -> Sequence[Referent]:
        """The declarations of other builds that a name of a package means as well."""
        if self._is_of_one_build or referent.file == self._file or not referent.symbol:
            return ()
        declared = (referent.file, referent.symbol)
        known = self._variants.get(declared)
        if known is None:
            others = self._evaluator.packages.variants(declared)
            known = self._variants[declared] = [symbol_at(*other) for other in others]
        return known

    def _add_outside(self, source: str, referent: Referent | None, kind: EdgeKind, name: str, line: int) -> None:
        why = referent.reason if is_outside(referent) else "unresolved"
        self.outside.append(Outside(source, _SUFFIX.sub("", name), kind, self._file, line, why))

    def _symbol_of(self, referent: Referent | None) -> Symbol | None:
        if not is_symbol(referent):
            return None
        return self._evaluator.packages.view(referent.file).facts.symbols[referent.symbol]

    def _if_kind(self, referent: Referent | None, kinds: Collection[SymbolKind]) -> Referent | None:
        """The referent if it is a symbol of one of these kinds, else None."""
        symbol = self._symbol_of(referent)
        return referent if symbol is not None and symbol.kind in kinds else None

    def _add_imports(self) -> None:
        """An edge to each file of an imported package whose declarations are used; to all files if none are."""
        view = self._view
        used: dict[str, set[str]] = {}  # the members that are used of each import, by its local name
        for name in self._used_names():
            match = _QUALIFIED.match(name)
            if match is not None:
                used.setdefault(match[1], set()).add(match[2])
        # Keyed by the import's value: packages.names may hold equal imports of facts that were dropped since.
        local_name_of = {entry: name for name, entry in self._evaluator.packages.names(self._file).items()}
        for entry in view.facts.imports:
            if self._names is not None and not self._names.imports(entry):
                continue
            is_cgo = entry.module == "C"
            referent = EXTERNAL if is_cgo else self._evaluator.packages.imported(self._file, entry)
            if referent.kind != PACKAGE:
                self._add_outside(view.ids[0], referent, EdgeKind.IMPORT, entry.module, entry.line)
                continue
            used_members = used.get(local_name_of.get(entry, ""), set())
            targets = sorted(self._imported_files(referent, entry, used_members))
            for target in targets:
                module = symbol_at(target, 0)
                self._add_edge(view.ids[0], module, EdgeKind.IMPORT, entry.line, "import")
            if not targets:
                self._add_outside(view.ids[0], None, EdgeKind.IMPORT, entry.module, entry.line)

    def _imported_files(self, referent: Referent, entry: Import, used: set[str]) -> set[str]:
        """The files of an imported package that declare the `used` names; if none do, all but its tests."""
        package = self._evaluator.packages.at(referent.file)
        if package is None:
            return set()
        if entry.name == "*" and not entry.local:  # a dot import, which may declare any unqualified name
            used = {match[0] for name in self._used_names() if (match := _NAME.match(name)) is not None}
        declared = (package.choose(package.named(name), self._file) for name in used)
        files = {declaration[0] for declaration in declared if declaration is not None}
        return files or {path for path in package.files if not path.endswith("_test.go")}

    def _used_names(self) -> Iterator[str]:
        """The names in a file's uses and types, which may have dots."""
        facts = self._view.facts
        types = [type_ for site in facts.sites for type_ in site.types]
        values = [site.callee for site in (*facts.sites, *facts.mentions)]
        for shape in facts.shapes:
            types += [shape.type] if shape.type is not None else []
            values += [shape.value] if shape.value is not None else []
            values += [base.value for base in shape.bases]
        types += [row.type for row in facts.bindings if row.type is not None]
        for value in values:
            root = root_of(value)
            if isinstance(root, Typed):
                types.append(root.type)
            elif isinstance(root, str):
                yield written(value)
        for type_ in types:
            yield from type_names(type_)

    def _add_types(self) -> None:
        """Adds the types in declarations: embedded types with kind `extends`, others with kind `type`."""
        view = self._view
        facts = view.facts
        bases_of_parent: dict[int, set[TypeExpression | None]] = {}
        for index, (symbol, shape) in enumerate(zip(facts.symbols, facts.shapes, strict=True)):
            if index == 0 or symbol.kind is SymbolKind.ENDPOINT:
                continue
            scope = shape.inner if shape.inner >= 0 else shape.scope
            self._add_bases(index)
            if shape.parent not in bases_of_parent:
                bases_of_parent[shape.parent] = {base.type for base in facts.shapes[shape.parent].bases}
            # `type Store struct { Cart }`: the field Cart of an embedded type has an edge already
            if shape.type is not None and shape.type not in bases_of_parent[shape.parent]:
                self._add_type_names(view.ids[index], scope, shape.type, symbol.line)
        for row in facts.bindings:
            if row.kind is BindingKind.LOCAL and row.type is not None:
                self._add_type_names(view.ids[facts.scopes[row.scope].symbol], row.scope, row.type, row.line)

    def add_bases(self) -> None:
        """Adds the embedded types of all types."""
        for index, symbol in enumerate(self._view.facts.symbols):
            if index > 0 and symbol.kind is not SymbolKind.ENDPOINT:
                self._add_bases(index)

    def _add_bases(self, index: int) -> None:
        shape, line, source = (
            self._view.facts.shapes[index],
            self._view.facts.symbols[index].line,
            self._view.ids[index],
        )
        scope = shape.inner if shape.inner >= 0 else shape.scope
        for base in shape.bases:
            name = next(type_names(base.type), "")  # the embedded type itself; the rest are its type arguments
            if not name or not self._is_wanted(base.type):
                continue
            referent = self._evaluator.type_symbol(self._file, scope, name)
            if is_symbol(referent):
                self._add_edge(source, referent, EdgeKind.EXTENDS, line + base.below, EMBEDDED)
            elif referent is not None and referent != BUILTIN:
                self._add_outside(source, referent, EdgeKind.EXTENDS, name, line + base.below)

    def _is_wanted(self, type_: TypeExpression | None) -> bool:
        return self._names is None or self._names.types(type_)

    def _add_type_names(self, source: str, scope: int, type_: TypeExpression, line: int) -> None:
        if not self._is_wanted(type_):
            return
        for name in dict.fromkeys(type_names(type_)):
            referent = self._if_kind(self._evaluator.type_symbol(self._file, scope, name), CLASSES)
            if referent is not None:
                self._add_edge(source, referent, EdgeKind.TYPE, line, "type")

    def _add_typed(self, site: CallSite, type_: TypeExpression, source: str) -> None:
        """Adds the edges of a use of a type: `T{…}` and `new(T)` construct; `[]T(x)`, `make([]T)`, `x.(T)` name it."""
        constructed = pointed(type_)
        if site.kind is not EdgeKind.NEW or not isinstance(constructed, (str, TypeReference)):
            self._add_type_names(source, site.scope, type_, site.line)
            return
        name = constructed if isinstance(constructed, str) else constructed.name
        referent = self._evaluator.type_symbol(self._file, site.scope, name)
        class_ = self._if_kind(referent, CLASSES)
        if class_ is not None:
            made = self._unaliased(class_)
            self._add_edge(source, made, EdgeKind.NEW, site.line, "literal")
            if made != class_:
                self._add_edge(source, class_, EdgeKind.TYPE, site.line, "type")
            for argument in () if isinstance(constructed, str) else constructed.arguments:
                self._add_type_names(source, site.scope, argument, site.line)
        elif referent != BUILTIN and self._symbol_of(referent) is None:
            row = self._view.lookup(site.scope, name)
            if row is None or row.kind is not BindingKind.TYPE_PARAMETER:
                self._add_outside(source, referent, EdgeKind.NEW, name, site.line)

    def _unaliased(self, referent: Referent) -> Referent:
        """The type that an alias names."""
        shape = self._evaluator.packages.view(referent.file).facts.shapes[referent.symbol]
        if not shape.traits & Trait.ALIAS:
            return referent
        instance = self._evaluator.instance(referent)
        return symbol_at(instance.file, instance.symbol) if is_instance(instance) else referent

    def _add_receiver_reads(self, use: CallSite, source: str) -> None:
        """Adds the reads of the fields that lead to a member: in `a.b.c`, of the field `a.b`."""
        root, steps = split(use.callee)
        for length in range(1, len(steps)):
            if type(steps[length - 1]) is str:
                self._add_field_use(replace(use, callee=chained(root, steps[:length])), EdgeKind.READ, source)

    def _add_field_use(self, use: CallSite, kind: EdgeKind, source: str) -> None:
        """Adds the use of a field, if the expression means one."""
        referent = self._if_kind(self._referent_of(use.scope, use.callee), _FIELDS)
        if referent is not None:
            confidence, reason = self._confidence_and_reason(use)
            self._add_edge(source, referent, kind, use.line, reason, confidence)

    def _referent_of(self, scope: int, expression: Expression) -> Referent | None:
        """The referent of an expression in a scope, computed once."""
        key = scope, expression
        if key not in self._referents:
            self._referents[key] = self._evaluator.expression(self._file, scope, expression)
        return self._referents[key]

    def _add_call(self, site: CallSite, source: str) -> None:
        if type(site.callee) is str and "$" in site.callee and "." not in site.callee:
            self._add_local_call(site, site.callee, source)
            return
        referent = self._referent_of(site.scope, site.callee)
        symbol = self._symbol_of(referent)
        self._add_package_variable(site, source)
        if referent is None or symbol is None:
            is_unnamed = referent is not None and self._is_interface(site)  # `x interface{ Close() error }`
            if is_unnamed or not is_inside(referent):  # else known, but no declaration: a value, a package
                self._add_outside(source, referent, EdgeKind.CALL, written(site.callee), site.at)
            return
        if symbol.kind in CLASSES:
            self._add_edge(source, referent, EdgeKind.REFERENCE, site.line, "conversion")
            return
        confidence, reason = self._confidence_and_reason(site)
        self._add_edge(source, referent, EdgeKind.CALL, site.at, reason, confidence)

    def _is_interface(self, site: CallSite) -> bool:
        """Whether the member of an interface without a name is called."""
        owner = receiver(site.callee)
        held = self._referent_of(site.scope, owner) if owner is not None else None
        type_ = self._evaluator.value_or_self(held).type if held is not None else None
        members = type_.members if isinstance(type_, ObjectType) else ()
        return bool(members) and all(isinstance(member.type, FunctionType) for member in members)

    def _add_implied(self, use: CallSite, source: str) -> None:
        """Adds the function that a loop goes through, or the method by which `fmt` or `log` prints a value, a guess."""
        if last_name(use.callee) != PRINTED[-1]:
            ranged = self._if_kind(self._referent_of(use.scope, use.callee), _FUNCTIONS)
            if ranged is not None:
                confidence, _ = self._confidence_and_reason(use)
                self._add_edge(source, ranged, EdgeKind.CALL, use.line, "by range", confidence)
            return
        printed = self._referent_of(use.scope, receiver(use.callee) or use.callee)
        value = self._evaluator.value_or_self(printed) if printed is not None else None
        if value is None or not is_instance(value):
            return
        for name in PRINTED:
            method = self._if_kind(self._evaluator.member(value, name, self._file), _METHODS)
            if method is not None:
                self._add_edge(source, method, EdgeKind.CALL, use.line, "as text", Confidence.HEURISTIC)
                return

    def _add_package_variable(self, site: CallSite, source: str) -> None:
        """Adds a reference to `store`, in `store.Open()`, if that is a variable of the package."""
        root, steps = split(site.callee)
        if steps and type(root) is str and "$" not in root:
            referent = self._if_kind(self._referent_of(site.scope, root), HOLDERS)
            if referent is not None:
                self._add_edge(source, referent, EdgeKind.REFERENCE, site.line, "value")

    def _add_local_call(self, site: CallSite, name: str, source: str) -> None:
        """Adds the call of a local that names a function: `run := build`, `run()`."""
        row = self._view.lookup(site.scope, name)
        value = row.value if row is not None else None
        referent = self._evaluator.expression(self._file, row.scope, value) if row is not None else None
        symbol = self._symbol_of(referent)
        if referent is not None and symbol is not None and symbol.kind not in HOLDERS and symbol.kind not in CLASSES:
            self._add_edge(source, referent, EdgeKind.CALL, site.line, "by another name", Confidence.STRONG)
        elif row is not None and type(value) is not Typed:  # Typed: a function literal, whose calls have edges already
            self._add_outside(source, referent, EdgeKind.CALL, name, site.line)

    def _confidence_and_reason(self, site: CallSite) -> tuple[Confidence, str]:
        """The confidence of a call: by names alone, through written types, or through results and fields."""
        root, whole = split(site.callee)
        steps = [step for step in whole if type(step) is str]
        if not steps:
            return Confidence.EXACT, "name in scope"
        if type(root) is Typed and len(steps) == 1:
            return Confidence.EXACT, "declared type of the receiver"
        if not isinstance(root, str):
            return Confidence.STRONG, _BY_RECEIVER
        if "$" not in root:
            is_package = len(steps) == 1 and root in self._evaluator.packages.names(self._file)
            return (Confidence.EXACT, "member of a package") if is_package else (Confidence.STRONG, _BY_RECEIVER)
        row = self._view.lookup(site.scope, root)
        if len(steps) == 1 and row is not None and row.type is not None:
            return Confidence.EXACT, "declared type of the receiver"
        return Confidence.STRONG, _BY_RECEIVER
