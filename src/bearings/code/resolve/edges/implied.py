"""Finds the methods that a language calls without naming them, where the type of the object is known.

cart in bag        `Bag.__contains__`, or of a Bag without it the methods that stand in for it
with bag: …        `Bag.__enter__`, then `Bag.__exit__`
@command() …       the function that `command` returns
bag.total          `Computed.__get__`, if the class Bag has `total = Computed()`
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from bearings.code.expressions import Expression, Parameter, Result, Root, Unknown, last_name, receiver, root_of
from bearings.code.file_facts import BindingKind, CallSite, Trait
from bearings.code.models import Confidence, EdgeKind
from bearings.code.resolve.edges.callees import Callee
from bearings.code.resolve.edges.root_names import UNKNOWN, Roots
from bearings.code.resolve.evaluator import Evaluator
from bearings.code.resolve.names.file_view import FileView
from bearings.code.resolve.referent import INSTANCE, Referent
from bearings.code.resolve.referents import BUILTIN, CALLABLE, as_kind, is_inside, is_symbol
from bearings.code.resolve.rules.library_table import library_of
from bearings.code.type_expressions import UnionType

_LOCAL: Final = frozenset({BindingKind.LOCAL, BindingKind.PARAMETER})
_SELVES: Final = frozenset({"self", "cls", "this"})
_CALL: Final = "__call__"
_OF_CLASS: Final = "__class_getitem__"


class ImpliedCall(NamedTuple):
    """A method that is called, with the confidence and the reason of the edge."""

    method: Referent
    confidence: Confidence
    reason: str


class Answering(NamedTuple):
    """An object, and the methods of its class that are called for attributes which it does not declare."""

    value: Referent | None
    calls: Sequence[ImpliedCall] = ()


_NOTHING: Final = Answering(None)


class ImpliedCalls:
    """The calls of one file; `called` is what its call sites mean, by number, as far as they were resolved."""

    def __init__(self, evaluator: Evaluator, view: FileView, roots: Roots, called: Mapping[int, Callee]) -> None:
        self._evaluator = evaluator
        self._view = view
        self._roots = roots
        self._called = called
        rules = view.semantics
        self._results_of_their_own = rules.builtins.difference(
            library_of(rules.family).functions, (rules.class_function,)
        )
        self._without_result: set[tuple[Referent | None, str]] = set()
        """Functions whose results have no such method, with the method."""
        self._known: dict[tuple[object, ...], Sequence[ImpliedCall]] = {}

    def is_known(self, site: int) -> bool:
        """Whether a call site, by number, was found to call an element of the project."""
        called = self._called.get(site)
        return called is not None and bool(called.id)

    def of(self, use: CallSite) -> Sequence[ImpliedCall]:
        """The methods that a use calls; cached for equal uses of the same object, and of objects of one class."""
        left, name, root = receiver(use.callee), last_name(use.callee), root_of(use.callee)
        if left is None:
            return ()
        if self._is_unknown(root, use):
            return ()
        made: Referent | None = None
        function: Referent | None = None
        if type(root) is Result and left == Result(root.site):
            called = self._called.get(root.site)
            function = called.target if called is not None else None
            if (function, name) in self._without_result:
                return ()
            if called is not None and called.kind is EdgeKind.NEW:
                made = as_kind(called.target, INSTANCE) if is_symbol(called.target) else None
        number = UNKNOWN if made is not None else self._roots.number(use.scope, root, use.line, dotted=True)
        key = (made, name) if made is not None else (number, use.callee) if number != UNKNOWN else (use,)
        known = self._known.get(key)
        if known is None:
            owner = made or self._evaluator.flow.expression(self._view.facts.path, use.scope, left, use.line)
            is_own = type(left) is str and left in _SELVES
            # The result of `@command()` by an overload for another argument is no function: look at what it returns.
            known = self._returned(root, function, owner) if name == _CALL and type(root) is Result else ()
            if not known:
                known = self._methods(owner, name, Confidence.EXACT if is_own else Confidence.STRONG)
                if known and (self._may_give_others(owner) or self._may_be_other(use, left)):
                    known = [one._replace(confidence=Confidence.HEURISTIC) for one in known]
            self._known[key] = known
            if not known and function is not None and is_symbol(function):
                shape = self._evaluator.views[function.file].facts.shapes[function.symbol]
                is_own_object = owner is not None and (owner.file, owner.symbol) == (function.file, shape.parent)
                if shape.returns is None and shape.type is None and not is_own_object:  # all calls give the same
                    self._without_result.add((function, name))
        return known

    def of_attribute(self, attribute: Referent, kind: EdgeKind) -> Sequence[ImpliedCall]:
        """The method of a descriptor that a read or a write of a class's attribute through an object calls."""
        facts = self._evaluator.views[attribute.file].facts
        symbol, shape = facts.symbols[attribute.symbol], facts.shapes[attribute.symbol]
        is_method = symbol.kind in CALLABLE
        plain = attribute if is_method else attribute._replace(env=attribute.env[:-1])  # its value is the descriptor
        key = (plain, kind)
        if key not in self._known:
            name = "__set__" if kind is EdgeKind.WRITE else "__get__"
            if is_method:  # `@Cached def total(self)`
                value = self._evaluator.flow.expression(attribute.file, shape.scope, shape.value, symbol.line)
                is_own = value is not None and self._evaluator.members.is_own_class(value)
                value = as_kind(value, INSTANCE) if value is not None and is_own else None
            else:
                value = self._evaluator.values.value(plain)
            self._known[key] = self._methods(value, name, Confidence.STRONG)
        return self._known[key]

    def answering(self, owner: Referent | None) -> "Answering":
        """The methods that an object's class has for attributes that it does not declare."""
        value = self._evaluator.values.value_or_self(owner) if is_inside(owner) else None
        if value is None or value.kind != INSTANCE:
            return _NOTHING
        found = self._methods(value, "__getattr__", Confidence.HEURISTIC)
        return Answering(value, found or self._methods(value, "__getattribute__", Confidence.HEURISTIC))

    def of_missing(self, owner: "Answering", name: str) -> Sequence[ImpliedCall]:
        """The calls of `cart.name`, guesses, if its class does not declare the attribute."""
        is_special = name.startswith("__") and name.endswith("__")  # `cart.__dict__`: each object has it
        is_declared = not name or is_special or self._evaluator.members.member(owner.value, name) is not None
        return () if is_declared else owner.calls

    def _is_unknown(self, root: Root, use: CallSite) -> bool:
        """Whether it takes no evaluation to see that a root is none of the project's objects."""
        facts = self._view.facts
        if type(root) is Result:
            called = self._called.get(root.site)
            if called is None or (called.target is not None and is_inside(called.target)):
                return False
            name = facts.sites[root.site].callee  # of a function that is built in, the result may be its argument's
            return called.target != BUILTIN or (type(name) is str and name in self._results_of_their_own)
        row = self._view.lookup(use.scope, root, use.line) if type(root) is str else None
        if row is None or row.type is not None or row.kind not in _LOCAL:
            return False
        if row.value is not None:
            value = root_of(row.value)
            return type(value) is Unknown or (type(value) is Result and self._is_unknown(value, use))
        if (facts.scopes[row.scope].symbol, row.name) in self._view.fixture_uses:
            return False
        owner = facts.shapes[facts.scopes[row.scope].symbol].parent  # a method may inherit the type of a parameter
        return owner <= 0 or not facts.shapes[owner].bases

    def _may_be_other(self, use: CallSite, name: Expression) -> bool:
        """Whether a name has its default's type, as in `size=UNSET`, or is of a union that the function tests."""
        row = self._view.lookup(use.scope, name, use.line) if type(name) is str and "." not in name else None
        if row is None or row.kind not in _LOCAL:
            return False
        if isinstance(row.type, UnionType):
            return any(each.kind is BindingKind.NARROWED for each in self._view.rows_of(row.scope, row.name))
        has_default = row.value is not None and type(root_of(row.value)) is not Parameter  # of a lambda that is given
        return row.kind is BindingKind.PARAMETER and row.type is None and has_default

    def _may_give_others(self, accessor: Referent | None) -> bool:
        """Whether an accessor without types may also return an object of no class of the project."""
        if not is_symbol(accessor):
            return False
        view, flow = self._evaluator.views[accessor.file], self._evaluator.flow
        shape = view.facts.shapes[accessor.symbol]
        if shape.returns is not None or not shape.traits & Trait.ACCESSOR:
            return False
        rows = view.returns(shape.inner)
        return any(not is_inside(flow.expression(accessor.file, row.within, row.value, row.line)) for row in rows)

    def _returned(self, root: Result, function: Referent | None, result: Referent | None) -> Sequence[ImpliedCall]:
        """The calls of a call's result, which is a function: `@command()` calls an inner function of `command`."""
        views = self._evaluator.views
        if function is None and root.site not in self._called:  # only some names are asked for
            function = self._evaluator.calls.callee(self._view.facts.path, root.site)[0]
        maker = self._evaluator.values.value_or_self(function) if is_symbol(function) else None
        if not is_symbol(maker):
            return ()
        found = [result] if is_symbol(result) else []
        facts = views[maker.file].facts
        for row in views[maker.file].returns(facts.shapes[maker.symbol].inner):
            if type(row.value) is str:
                named = self._evaluator.flow.name(maker.file, row.within, row.value, row.line)
                if is_symbol(named) and named.file == maker.file and facts.shapes[named.symbol].parent == maker.symbol:
                    found.append(named)
        called = {
            (one.file, one.symbol): one for one in found if views[one.file].facts.symbols[one.symbol].kind in CALLABLE
        }
        confidence = Confidence.STRONG if len(called) == 1 else Confidence.HEURISTIC
        return [ImpliedCall(one, confidence, "by a call of a result") for one in called.values()]

    def _methods(self, owner: Referent | None, name: str, confidence: Confidence) -> Sequence[ImpliedCall]:
        """The method of an object, or the one that stands in for it, and the calls after it."""
        members, rules = self._evaluator.members, self._view.semantics.implied_calls
        value = self._evaluator.values.value_or_self(owner) if is_inside(owner) else None
        confidence = Confidence.HEURISTIC if rules[name].is_guess else confidence
        if value is not None and members.is_own_class(value):
            of_class = members.member(value, name) if name == _OF_CLASS else None
            if is_symbol(of_class):
                return [ImpliedCall(of_class, confidence, rules[name].by)]
            value = members.metaclass(value)
        if value is None or not (value.kind == INSTANCE or isinstance(value.type, UnionType)):
            return ()
        found, name = [], "__getitem__" if name == _OF_CLASS else name
        while name:
            candidates = (members.member(value, each) for each in (name, *rules[name].others))
            method = next(filter(None, candidates), None)
            if is_symbol(method):
                found.append(ImpliedCall(method, confidence, rules[name].by))
            name = rules[name].then
        return found
