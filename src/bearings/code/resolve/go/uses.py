"""Resolves a Go file's sites, imports and types to edges, or to outside uses."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import replace

from bearings.code.expressions import Expression, Typed, chained, is_known, root_of, split, written
from bearings.code.file_facts import Base, BindingKind, CallSite, Import, Trait
from bearings.code.models import Confidence, Edge, EdgeKind, Outside, Symbol, SymbolKind
from bearings.code.resolve.go.evaluate import GoEvaluator
from bearings.code.resolve.go.types import pointed
from bearings.code.resolve.referents import BUILTIN, CLASSES, EXTERNAL, Referent, ReferentKind
from bearings.code.type_expressions import TypeExpression, TypeReference, type_names

_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)?")
_QUALIFIED = re.compile(r"([^\W\d]\w*)\.([^\W\d]\w*)")
_SUFFIX = re.compile(r"\$\d*")
_HELD = frozenset({SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.PROPERTY})
_PROPERTY: Final = SymbolKind.PROPERTY
_VALUES = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.VARIABLE, SymbolKind.CONSTANT}) | CLASSES


@dataclass(slots=True)
class GoUses:
    """A file's edges (to keys) and outside uses; the same edge at the same line counts once."""

    evaluator: GoEvaluator
    edges: dict[tuple[str, str, EdgeKind, int], Edge] = field(default_factory=dict)
    outside: list[Outside] = field(default_factory=list)
    _meanings: dict[tuple[int, Expression], Referent | None] = field(default_factory=dict)

    def of_file(self, file: str) -> None:
        """Adds all uses of the file."""
        view = self.evaluator.packages.view(file)
        self._imports(file)
        for site in view.facts.sites:
            source = view.ids[view.facts.scopes[site.scope].symbol]
            if type(site.callee) is Typed:
                self._typed(file, site, site.callee.type, source)
            elif site.kind is EdgeKind.REFERENCE:
                self._reference(file, site, source)
            elif is_known(site.callee):
                self._call(file, site, source)
            self._receivers(file, site, source)
        for use in view.facts.mentions:
            self._member(file, use, view.ids[view.facts.scopes[use.scope].symbol])
        self._types(file)

    def _edge(
        self,
        file: str,
        source: str,
        referent: Referent,
        kind: EdgeKind,
        line: int,
        reason: str,
        confidence: Confidence = Confidence.EXACT,
    ) -> None:
        target = self.evaluator.packages.view(referent.where).keys[referent.symbol]
        key = (source, target, kind, line)
        is_made = kind is EdgeKind.TYPE and (source, target, EdgeKind.NEW, line) in self.edges
        if key not in self.edges and not is_made:
            self.edges[key] = Edge(source, target, kind, file, line, confidence, reason)

    def _outside(self, file: str, source: str, referent: Referent | None, kind: EdgeKind, name: str, line: int) -> None:
        why = referent.where if referent is not None and referent.kind == ReferentKind.OUTSIDE else "unresolved"
        self.outside.append(Outside(source, _SUFFIX.sub("", name), kind, file, line, why))

    def _symbol(self, referent: Referent | None) -> Symbol | None:
        if referent is None or referent.kind != ReferentKind.SYMBOL:
            return None
        return self.evaluator.packages.view(referent.where).facts.symbols[referent.symbol]

    def _imports(self, file: str) -> None:
        """An edge to each file of an imported package whose declarations are used; to all files if none are."""
        view = self.evaluator.packages.view(file)
        used = self._used(file)
        names = {id(entry): name for name, entry in self.evaluator.packages.names(file).items()}
        for entry in view.facts.imports:
            referent = self.evaluator.packages.imported(file, entry) if entry.module != "C" else EXTERNAL
            if referent.kind != ReferentKind.PACKAGE:
                self._outside(file, view.ids[0], referent, EdgeKind.IMPORT, entry.module, entry.line)
                continue
            targets = sorted(self._files(file, referent, entry, used.get(names.get(id(entry), ""), set())))
            for target in targets:
                there = Referent(ReferentKind.SYMBOL, target, 0)
                self._edge(file, view.ids[0], there, EdgeKind.IMPORT, entry.line, "import")
            if not targets:
                self._outside(file, view.ids[0], None, EdgeKind.IMPORT, entry.module, entry.line)

    def _files(self, file: str, referent: Referent, entry: Import, used: set[str]) -> set[str]:
        package = self.evaluator.packages.at(referent.where)
        if package is None:
            return set()
        if entry.name == "*" and not entry.local:
            used = self._bare(file)
        found = (package.choose(package.names.get(name), file) for name in used)
        return {one[0] for one in found if one is not None} or {
            path for path in package.files if not path.endswith("_test.go")
        }

    def _names(self, file: str) -> Iterator[str]:
        """The names in a file's uses and types, which may have dots."""
        facts = self.evaluator.packages.view(file).facts
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

    def _used(self, file: str) -> dict[str, set[str]]:
        """The names used from each import, by its local name."""
        found: dict[str, set[str]] = {}
        for name in self._names(file):
            match = _QUALIFIED.match(name)
            if match is not None:
                found.setdefault(match[1], set()).add(match[2])
        return found

    def _bare(self, file: str) -> set[str]:
        """Unqualified names, which a dot import may declare."""
        return {match[0] for name in self._names(file) if (match := _NAME.match(name)) is not None}

    def _types(self, file: str) -> None:
        """Types in declarations: embedded types are extended, others referenced."""
        view = self.evaluator.packages.view(file)
        facts = view.facts
        for index, (symbol, shape) in enumerate(zip(facts.symbols, facts.shapes, strict=True)):
            if index == 0 or symbol.kind is SymbolKind.ENDPOINT:
                continue
            scope = shape.inner if shape.inner >= 0 else shape.scope
            for base in shape.bases:
                for name in type_names(base.type):
                    referent = self.evaluator.type_symbol(file, scope, name)
                    if referent is not None and referent.kind == ReferentKind.SYMBOL:
                        self._edge(file, view.ids[index], referent, EdgeKind.EXTENDS, symbol.line, "embedded")
                    elif referent is not None and referent != BUILTIN:
                        self._outside(file, view.ids[index], referent, EdgeKind.EXTENDS, name, symbol.line)
                    break
            if shape.type is not None and Base(Typed(shape.type)) not in facts.shapes[shape.parent].bases:
                self._named(file, view.ids[index], scope, shape.type, symbol.line)
        for row in facts.bindings:
            if row.kind is BindingKind.LOCAL and row.type is not None:
                self._named(file, view.ids[facts.scopes[row.scope].symbol], row.scope, row.type, row.line)

    def _named(self, file: str, source: str, scope: int, type_: TypeExpression, line: int) -> None:
        for name in dict.fromkeys(type_names(type_)):
            referent = self.evaluator.type_symbol(file, scope, name)
            symbol = self._symbol(referent)
            if referent is not None and symbol is not None and symbol.kind in CLASSES:
                self._edge(file, source, referent, EdgeKind.TYPE, line, "type")

    def _typed(self, file: str, site: CallSite, type_: TypeExpression, source: str) -> None:
        """`T{…}` and `new(T)` construct; `[]T(x)`, `make([]T)` and `x.(T)` reference."""
        made = pointed(type_)
        if site.kind is not EdgeKind.NEW or not isinstance(made, (str, TypeReference)):
            self._named(file, source, site.scope, type_, site.line)
            return
        name = made if isinstance(made, str) else made.name
        referent = self.evaluator.type_symbol(file, site.scope, name)
        symbol = self._symbol(referent)
        if referent is not None and symbol is not None and symbol.kind in CLASSES:
            self._edge(file, source, self._unaliased(referent), EdgeKind.NEW, site.line, "literal")
            for argument in () if isinstance(made, str) else made.arguments:
                self._named(file, source, site.scope, argument, site.line)
        elif referent != BUILTIN and symbol is None and not self._is_parameter(file, site.scope, name):
            self._outside(file, source, referent, EdgeKind.NEW, name, site.line)

    def _is_parameter(self, file: str, scope: int, name: str) -> bool:
        row = self.evaluator.packages.view(file).lookup(scope, name)
        return row is not None and row.kind is BindingKind.TYPE_PARAMETER

    def _unaliased(self, referent: Referent) -> Referent:
        """The type that an alias names."""
        shape = self.evaluator.packages.view(referent.where).facts.shapes[referent.symbol]
        if not shape.traits & Trait.ALIAS:
            return referent
        made = self.evaluator.instance(referent)
        is_own = made is not None and made.kind == ReferentKind.INSTANCE
        return Referent(ReferentKind.SYMBOL, made.where, made.symbol) if made is not None and is_own else referent

    def _reference(self, file: str, site: CallSite, source: str) -> None:
        """A name used as a value; only names with declarations of their own count."""
        referent = self.evaluator.expression(file, site.scope, site.callee)
        symbol = self._symbol(referent)
        if referent is not None and symbol is not None and symbol.kind in _VALUES:
            self._edge(file, source, referent, EdgeKind.REFERENCE, site.line, "value")

    def _member(self, file: str, use: CallSite, source: str) -> None:
        """A field that is read or written, or a member of a package or a method that is used as a value."""
        referent = self._meant(file, use.scope, use.callee)
        symbol = self._symbol(referent)
        if referent is not None and symbol is not None and symbol.kind is _PROPERTY:
            confidence, reason = self._how(file, use)
            self._edge(file, source, referent, use.kind, use.line, reason, confidence)
        elif referent is not None and symbol is not None and symbol.kind in _VALUES:
            self._edge(file, source, referent, EdgeKind.REFERENCE, use.line, "value")
        self._holder(file, use, source)
        self._receivers(file, use, source)

    def _receivers(self, file: str, use: CallSite, source: str) -> None:
        """The fields that lead to a member: in `a.b.c`, the field `a.b`."""
        root, steps = split(use.callee)
        for length in range(1, len(steps)):
            if type(steps[length - 1]) is str:
                before = replace(use, callee=chained(root, steps[:length]))
                referent = self._meant(file, use.scope, before.callee)
                symbol = self._symbol(referent)
                if referent is not None and symbol is not None and symbol.kind is _PROPERTY:
                    confidence, reason = self._how(file, before)
                    self._edge(file, source, referent, EdgeKind.READ, use.line, reason, confidence)

    def _meant(self, file: str, scope: int, value: Expression) -> Referent | None:
        """The referent of an expression, computed once for a function."""
        key = scope, value
        if key not in self._meanings:
            self._meanings[key] = self.evaluator.expression(file, scope, value)
        return self._meanings[key]

    def _call(self, file: str, site: CallSite, source: str) -> None:
        if type(site.callee) is str and "$" in site.callee and "." not in site.callee:
            self._local(file, site, site.callee, source)
            return
        referent = self.evaluator.expression(file, site.scope, site.callee)
        symbol = self._symbol(referent)
        self._holder(file, site, source)
        if referent is None or symbol is None:
            if referent is None or referent.kind == ReferentKind.OUTSIDE:
                self._outside(file, source, referent, EdgeKind.CALL, written(site.callee), site.line)
            return
        if symbol.kind in CLASSES:
            self._edge(file, source, referent, EdgeKind.REFERENCE, site.line, "conversion")
            return
        confidence, reason = self._how(file, site)
        self._edge(file, source, referent, EdgeKind.CALL, site.line, reason, confidence)

    def _holder(self, file: str, site: CallSite, source: str) -> None:
        """A package's variable whose method or field is called is used too."""
        root, steps = split(site.callee)
        if steps and type(root) is str and "$" not in root:
            referent = self.evaluator.name(file, site.scope, root)
            symbol = self._symbol(referent)
            if referent is not None and symbol is not None and symbol.kind in _HELD:
                self._edge(file, source, referent, EdgeKind.REFERENCE, site.line, "value")

    def _local(self, file: str, site: CallSite, name: str, source: str) -> None:
        """A call of a local that names a function. The calls in a function literal have edges of their own."""
        row = self.evaluator.packages.view(file).lookup(site.scope, name)
        value = row.value if row is not None else None
        referent = self.evaluator.expression(file, row.scope, value) if row is not None and value is not None else None
        symbol = self._symbol(referent)
        if referent is not None and symbol is not None and symbol.kind not in _HELD and symbol.kind not in CLASSES:
            reason = "through a local name"
            self._edge(file, source, referent, EdgeKind.CALL, site.line, reason, Confidence.HEURISTIC)
        elif row is not None and type(value) is not Typed:
            self._outside(file, source, referent, EdgeKind.CALL, name, site.line)

    def _how(self, file: str, site: CallSite) -> tuple[Confidence, str]:
        """The confidence of a call: by names alone, through written types, or through results and fields."""
        root, whole = split(site.callee)
        steps = [step for step in whole if type(step) is str]
        if not steps:
            return Confidence.EXACT, "name in scope"
        if type(root) is Typed and len(steps) == 1:
            return Confidence.EXACT, "declared type of the receiver"
        if not isinstance(root, str):
            return Confidence.STRONG, _THROUGH
        if "$" not in root:
            is_package = len(steps) == 1 and root in self.evaluator.packages.names(file)
            return (Confidence.EXACT, "member of a package") if is_package else (Confidence.STRONG, _THROUGH)
        row = self.evaluator.packages.view(file).lookup(site.scope, root)
        if len(steps) == 1 and row is not None and row.type is not None:
            return Confidence.EXACT, "declared type of the receiver"
        return Confidence.STRONG, _THROUGH


_THROUGH = "type of the receiver"
