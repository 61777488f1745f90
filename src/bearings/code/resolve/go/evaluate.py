"""Evaluates Go's expressions and calls to referents."""

from bearings.code.models import Binding, BindingKind, CallSite, SymbolKind
from bearings.code.resolve.go.forms import FormKind, split
from bearings.code.resolve.go.types import GoTypes
from bearings.code.resolve.referents import CLASSES, Env, Referent, ReferentKind

_CALLABLE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})


class GoEvaluator(GoTypes):
    """Evaluates expressions for one set of facts."""

    def expression(self, file: str, scope: int, text: str) -> Referent | None:
        """The referent of an expression (see CallSite) in a scope; None if unknown."""
        if text[:1] == ":":
            return self.type(file, scope, text[1:])
        if not self.memo.enter():
            return None
        root, *steps = text.split(".")
        referent = self._root(file, scope, root)
        for step in steps:
            if referent is None:
                break
            referent = (
                self.element(self.held(referent), step) if step[:1] in "[@" else self.member(referent, step, file)
            )
        self.memo.leave()
        return referent

    def _root(self, file: str, scope: int, root: str) -> Referent | None:
        if root[:1] == "?":
            return None
        if root[:1] == "#":
            return self.result(file, int(root[1:]))
        return self.name(file, scope, root)

    def local(self, file: str, row: Binding) -> Referent | None:
        """The referent of a local: an object of its type, or the referent of its value."""
        key = ("local", file, row.scope, row.name)
        cached = self.memo.look(key)
        if cached is not None:
            return cached.value
        self.memo.open(key)
        return self.memo.close(self._local(file, row))

    def _local(self, file: str, row: Binding) -> Referent | None:
        if row.kind is BindingKind.TYPE_PARAMETER:
            return self.type(file, row.scope, row.name)
        if row.type:
            return self.type(file, row.scope, row.type)
        found = self.expression(file, row.scope, row.value)
        return self.held(found) if found is not None else None

    def value(self, referent: Referent) -> Referent | None:
        """The value of a symbol: an object of its type, or the referent of its value."""
        facts = self.packages.view(referent.where).facts
        shape = facts.shapes[referent.symbol]
        scope = facts.shapes[shape.parent].inner if shape.parent > 0 else shape.scope
        if shape.type:
            return self.type(referent.where, max(scope, shape.scope), shape.type, referent.env)
        if shape.value[:1] in ("", "?"):
            return None
        found = self.expression(referent.where, shape.scope, shape.value)
        return self.held(found) if found is not None else None

    def result(self, file: str, number: int) -> Referent | None:
        """The result of a call, or the object of a struct literal."""
        key = ("site", file, number)
        cached = self.memo.look(key)
        if cached is not None:
            return cached.value
        self.memo.open(key)
        return self.memo.close(self._result(file, self.packages.view(file).facts.sites[number]))

    def _result(self, file: str, site: CallSite) -> Referent | None:
        if site.callee[:1] == ":":
            return self.type(file, site.scope, site.callee[1:])
        callee = self.expression(file, site.scope, site.callee)
        if callee is None:
            return None
        parts = split(site.types[1:-1]) if site.types else ()
        return self.called(callee, tuple(self.type(file, site.scope, part) for part in parts))

    def called(self, referent: Referent, given: tuple[Referent | None, ...] = ()) -> Referent | None:
        """The result of calling a referent; `given` are its type arguments."""
        if referent.kind == ReferentKind.SYMBOL:
            facts = self.packages.view(referent.where).facts
            symbol, shape = facts.symbols[referent.symbol], facts.shapes[referent.symbol]
            if symbol.kind in CLASSES:
                return self.instance(referent, given)
            if symbol.kind in _CALLABLE:
                scope = shape.inner if shape.inner >= 0 else facts.shapes[shape.parent].inner
                env = self._env(referent, scope, given)
                return self.type(referent.where, scope, shape.returns, env) if shape.returns else None
            held = self.held(referent)
            return self.called(held) if held != referent else None
        if referent.kind == ReferentKind.OUTSIDE:
            return referent
        below = self.underlying(referent)
        form = self.form(below) if below is not None and below.kind == ReferentKind.OBJECT else None
        if below is None or form is None or form.kind is not FormKind.FUNCTION:
            return None
        return self.part(below, form.parts[-1])

    def _env(self, referent: Referent, scope: int, given: tuple[Referent | None, ...]) -> Env:
        """The type parameters in a function: a method's are those of its object, by position."""
        held = tuple(one for _, _, one in referent.env)
        is_method = self.packages.view(referent.where).facts.shapes[referent.symbol].inner >= 0
        own = self.bound(referent.where, scope, held) if is_method else referent.env
        return own + self.bound(referent.where, scope, given, len(held))
