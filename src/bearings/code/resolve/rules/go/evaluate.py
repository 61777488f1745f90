"""Evaluates Go's expressions and calls to referents."""

from bearings.code.expressions import Expression, Result, Root, Typed, split
from bearings.code.file_facts import Binding, BindingKind, CallSite
from bearings.code.models import SymbolKind
from bearings.code.resolve.referent import OBJECT, OUTSIDE, SYMBOL, Env, Referent
from bearings.code.resolve.referents import CLASSES, is_object
from bearings.code.resolve.rules.go.types import GoTypes
from bearings.code.type_expressions import FunctionType

_CALLABLE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})


class GoEvaluator(GoTypes):
    """Evaluates expressions for one set of facts."""

    def expression(self, file: str, scope: int, expression: Expression) -> Referent | None:
        """The referent of an expression in a scope; None if unknown."""
        if not self.answers.enter():
            return None
        root, steps = split(expression)
        referent = self._root(file, scope, root)
        for step in steps:
            if referent is None:
                break
            if isinstance(step, str):
                referent = self.member(referent, step, file)
            else:
                referent = self.element(self.held(referent), step)
        self.answers.leave()
        return referent

    def _root(self, file: str, scope: int, root: Root) -> Referent | None:
        if type(root) is str:
            return self.name(file, scope, root)
        if type(root) is Typed:
            return self.type(file, scope, root.type)
        return self.result(file, root.site) if type(root) is Result else None

    def local(self, file: str, row: Binding) -> Referent | None:
        """The referent of a local: an object of its type, or the referent of its value."""
        key = ("local", file, row.scope, row.name)
        cached = self.answers.ask(key)
        return cached.value if cached is not None else self.answers.close(self._local(file, row))

    def _local(self, file: str, row: Binding) -> Referent | None:
        if row.kind is BindingKind.TYPE_PARAMETER:
            return self.type(file, row.scope, row.name)
        if row.type is not None:
            return self.type(file, row.scope, row.type)
        found = self.expression(file, row.scope, row.value) if row.value is not None else None
        return self.held(found) if found is not None else None

    def value(self, referent: Referent) -> Referent | None:
        """The value of a symbol: an object of its type, or the referent of its value."""
        facts = self.packages.view(referent.file).facts
        shape = facts.shapes[referent.symbol]
        scope = facts.shapes[shape.parent].inner if shape.parent > 0 else shape.scope
        if shape.type is not None:
            return self.type(referent.file, max(scope, shape.scope), shape.type, referent.env)
        if shape.value is None:
            return None
        found = self.expression(referent.file, shape.scope, shape.value)
        return self.held(found) if found is not None else None

    def result(self, file: str, number: int) -> Referent | None:
        """The result of a call, or the object of a struct literal."""
        key = ("site", file, number)
        cached = self.answers.ask(key)
        return (
            cached.value
            if cached is not None
            else self.answers.close(self._result(file, self.packages.view(file).facts.sites[number]))
        )

    def _result(self, file: str, site: CallSite) -> Referent | None:
        callee = self.expression(file, site.scope, site.callee)
        if callee is None or (type(site.callee) is Typed and not self._is_function(callee)):
            return callee
        return self.called(callee, tuple(self.type(file, site.scope, part) for part in site.types))

    def _is_function(self, referent: Referent) -> bool:
        """Whether a referent is an object of a function's type: a function literal."""
        return referent.kind == OBJECT and isinstance(referent.type, FunctionType)

    def called(self, referent: Referent, given: tuple[Referent | None, ...] = ()) -> Referent | None:
        """The result of calling a referent; `given` are its type arguments."""
        if referent.kind == SYMBOL:
            facts = self.packages.view(referent.file).facts
            symbol, shape = facts.symbols[referent.symbol], facts.shapes[referent.symbol]
            if symbol.kind in CLASSES:
                return self.instance(referent, given)
            if symbol.kind in _CALLABLE:
                scope = shape.inner if shape.inner >= 0 else facts.shapes[shape.parent].inner
                env = self._env(referent, scope, given)
                return self.type(referent.file, scope, shape.returns, env)
            held = self.held(referent)
            return self.called(held) if held != referent else None
        if referent.kind == OUTSIDE:
            return referent
        below = self.underlying(referent)
        if not is_object(below) or not isinstance(below.type, FunctionType):
            return None
        return self.part(below, below.type.result)

    def _env(self, referent: Referent, scope: int, given: tuple[Referent | None, ...]) -> Env:
        """The type parameters in a function: a method's are those of its object, by position."""
        held = tuple(one for _, _, one in referent.env)
        is_method = self.packages.view(referent.file).facts.shapes[referent.symbol].inner >= 0
        own = self.bound(referent.file, scope, held) if is_method else referent.env
        return own + self.bound(referent.file, scope, given, len(held))
