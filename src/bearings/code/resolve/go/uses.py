"""Resolves a Go file's sites, imports and types to edges, or to outside uses."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bearings.code.expressions import Expression, Typed, is_known, root_of, split, written
from bearings.code.models import (
    Base,
    BindingKind,
    CallSite,
    Confidence,
    Edge,
    EdgeKind,
    Import,
    Outside,
    Symbol,
    SymbolKind,
    Trait,
)
from bearings.code.resolve.go.evaluate import GoEvaluator
from bearings.code.resolve.go.forms import names_in
from bearings.code.resolve.referents import BUILTIN, CLASSES, EXTERNAL, Referent, ReferentKind

_QUALIFIED = re.compile(r"(?<![\w$.])([^\W\d]\w*)\.([^\W\d]\w*)")
_SUFFIX = re.compile(r"\$\d*")
_HELD = frozenset({SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.PROPERTY})
_VALUES = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.VARIABLE, SymbolKind.CONSTANT}) | CLASSES


@dataclass(slots=True)
class GoUses:
    """A file's edges (to keys) and outside uses; the same edge at the same line counts once."""

    evaluator: GoEvaluator
    edges: dict[tuple[str, str, EdgeKind, int], Edge] = field(default_factory=dict)
    outside: list[Outside] = field(default_factory=list)

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

    def _texts(self, file: str) -> Iterator[str]:
        facts = self.evaluator.packages.view(file).facts
        for site in facts.sites:
            yield _text(site.callee)
            yield site.types
        for row in facts.bindings:
            yield row.type
        for shape in facts.shapes:
            yield shape.type
            yield _text(shape.value)
            yield from (_text(base.value) for base in shape.bases)

    def _used(self, file: str) -> dict[str, set[str]]:
        """The names used from each import, by its local name."""
        found: dict[str, set[str]] = {}
        for text in self._texts(file):
            if "." in text:
                for root, name in _QUALIFIED.findall(text):
                    found.setdefault(root, set()).add(name)
        return found

    def _bare(self, file: str) -> set[str]:
        """Unqualified names, which a dot import may declare."""
        return {name for text in self._texts(file) for name in names_in(text)}

    def _types(self, file: str) -> None:
        """Types in declarations: embedded types are extended, others referenced."""
        view = self.evaluator.packages.view(file)
        facts = view.facts
        for index, (symbol, shape) in enumerate(zip(facts.symbols, facts.shapes, strict=True)):
            if index == 0 or symbol.kind is SymbolKind.ENDPOINT:
                continue
            scope = shape.inner if shape.inner >= 0 else shape.scope
            bases = [_text(base.value) for base in shape.bases]
            for base in bases:
                for name in names_in(base):
                    referent = self.evaluator.type_symbol(file, scope, name)
                    if referent is not None and referent.kind == ReferentKind.SYMBOL:
                        self._edge(file, view.ids[index], referent, EdgeKind.EXTENDS, symbol.line, "embedded")
                    elif referent is not None and referent != BUILTIN:
                        self._outside(file, view.ids[index], referent, EdgeKind.EXTENDS, name, symbol.line)
                    break
            if shape.type and Base(Typed(shape.type)) not in facts.shapes[shape.parent].bases:
                self._named(file, view.ids[index], scope, shape.type, symbol.line)
        for row in facts.bindings:
            if row.kind is BindingKind.LOCAL and row.type:
                self._named(file, view.ids[facts.scopes[row.scope].symbol], row.scope, row.type, row.line)

    def _named(self, file: str, source: str, scope: int, text: str, line: int) -> None:
        for name in names_in(text):
            referent = self.evaluator.type_symbol(file, scope, name)
            symbol = self._symbol(referent)
            if referent is not None and symbol is not None and symbol.kind in CLASSES:
                self._edge(file, source, referent, EdgeKind.TYPE, line, "type")

    def _typed(self, file: str, site: CallSite, text: str, source: str) -> None:
        """`T{…}` and `new(T)` construct; `[]T(x)`, `make([]T)` and `x.(T)` reference."""
        name = text.lstrip("*").partition("[")[0] if site.kind is EdgeKind.NEW else ""
        if name in ("map", "func") or not name.replace(".", "").isidentifier():
            self._named(file, source, site.scope, text, site.line)
            return
        referent = self.evaluator.type_symbol(file, site.scope, name)
        symbol = self._symbol(referent)
        if referent is not None and symbol is not None and symbol.kind in CLASSES:
            self._edge(file, source, self._unaliased(referent), EdgeKind.NEW, site.line, "literal")
            self._named(file, source, site.scope, text.partition("[")[2], site.line)
        elif referent != BUILTIN and symbol is None and not self._is_parameter(file, site.scope, name):
            self._outside(file, source, referent, EdgeKind.NEW, text, site.line)

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
        if len(steps) == 1 and row is not None and row.type:
            return Confidence.EXACT, "declared type of the receiver"
        return Confidence.STRONG, _THROUGH


_THROUGH = "type of the receiver"


def _text(expression: Expression | None) -> str:
    """The names in an expression, as Go writes them."""
    root = None if expression is None else root_of(expression)
    if expression is None or type(root) is Typed:
        return root.type if type(root) is Typed else ""
    return written(expression)
