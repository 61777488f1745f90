"""Resolves names in types and names used as values to edges. Names outside the project give no edges.

cart: Map<string, Cart>       an edge of kind `type` to the class Cart
router.use(authenticate)      an edge of kind `reference` to the function authenticate
cart.items.length             an edge of kind `read` to the property `items`; `cart.items = []` gives a `write`
shape.area                    with `shape: Circle | Square`, edges to the property of both, unless a test tells which
cart in bag                   an edge of kind `call` to the method `__contains__` of Bag: see implied.py
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from bearings.code.expressions import (
    FITTING,
    Expression,
    Item,
    Take,
    Tested,
    chained,
    last_name,
    receiver,
    root_of,
    split,
)
from bearings.code.file_facts import BindingKind, CallSite, Trait
from bearings.code.installed import is_installed
from bearings.code.models import REPLACED, Confidence, Edge, EdgeKind, SymbolKind
from bearings.code.resolve.edges.ambient_roots import AmbientRoots
from bearings.code.resolve.edges.implied import Answering, ImpliedCall, ImpliedCalls
from bearings.code.resolve.edges.narrowing import is_untested
from bearings.code.resolve.edges.root_names import UNKNOWN, Roots
from bearings.code.resolve.edges.types_in_file import types_in
from bearings.code.resolve.edges.wanted import FileNames
from bearings.code.resolve.evaluator import Evaluator
from bearings.code.resolve.names.file_view import FileView
from bearings.code.resolve.parts import ALL, NONE, UNTESTED
from bearings.code.resolve.referent import INSTANCE, Referent
from bearings.code.resolve.referents import (
    CALLABLE,
    CLASSES,
    UNRESOLVED,
    descriptor_owner,
    has_symbol,
    is_inside,
    is_module,
    is_symbol,
    symbol_at,
)
from bearings.code.type_expressions import (
    ImportType,
    TypeExpression,
    import_types,
    type_names,
    type_queries,
)

_VALUE_KINDS = frozenset(
    {
        SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CLASS, SymbolKind.COMPONENT, SymbolKind.HOOK,
        SymbolKind.CONSTANT, SymbolKind.VARIABLE, SymbolKind.ENUM, SymbolKind.TYPE,
    }
)  # fmt: skip
"""Kinds of symbols that get an edge of kind `reference`; a property gets a `read` or a `write` instead."""
_PROPERTY: Final = SymbolKind.PROPERTY
_CALL: Final = EdgeKind.CALL
_EXACT: Final = Confidence.EXACT
_UNWRITTEN = CALLABLE | {SymbolKind.INTERFACE, SymbolKind.TYPE}
"""Kinds of what holds members that only an object with another body has."""
_SELVES = frozenset({"this", "self", "cls"})
_PROPS: Final = Item(Take.GIVEN, 0)
_SEVERAL: Final = 2
"""The number of members from which on a test, as of `shape.kind`, may tell which one is meant."""
_ONE_OF_SEVERAL: Final = (Confidence.HEURISTIC, "named as a member of one of several types")
_CONFIGURED: Final = "named as a value, of another module that configuration names"
_MOST_FITTING: Final = 40
"""If a composed name fits more members, it means none in particular."""
_USE_KINDS = (EdgeKind.CALL, EdgeKind.NEW, EdgeKind.JSX, EdgeKind.EXTENDS, EdgeKind.IMPLEMENTS)

Key = tuple[str, str, EdgeKind, int]
"""An edge's source id, target id, kind and line: the same use at the same line counts once."""


_Name = tuple[str | ImportType, bool]
"""A name in a type, or an `import("./cart").Cart`, and whether it names a value, as in `typeof value`."""

_KNOWN_NAMES: Final[dict[TypeExpression, tuple[_Name, ...]]] = {}
_MOST_NAMES: Final = 1 << 16


def names_in(type_: TypeExpression) -> tuple[_Name, ...]:
    """The names in a type, each once."""
    known = _KNOWN_NAMES.get(type_)
    if known is None:
        if len(_KNOWN_NAMES) >= _MOST_NAMES:
            _KNOWN_NAMES.clear()
        types, values = dict.fromkeys(type_names(type_)), dict.fromkeys(type_queries(type_))
        modules = dict.fromkeys(import_types(type_))
        known = _KNOWN_NAMES[type_] = (
            *((name, False) for name in types),
            *((name, True) for name in values),
            *((module, module.is_value) for module in modules),
        )
    return known


class _NamedSymbol:
    """The symbol that a name means: its key, its id, and how it can be used.

    `is_value`: it may get an edge of kind `reference`. `is_member`: it is a property or accessor, which is read and
    written, by its `setter` if it has one. `guess` is the reason of an edge that is only a guess, else empty. `body`
    is the file and line of what runs, which another value may replace. `attribute`: it is a class's, read through an
    object.
    """

    __slots__ = (
        "attribute", "body", "guess", "id", "in_class", "is_class", "is_member", "is_value", "key", "referent",
        "setter", "symbol",
    )  # fmt: skip

    def __init__(self, referent: Referent, view: FileView, guess: str = "") -> None:
        self.guess = guess
        shape = view.facts.shapes[referent.symbol]
        is_descriptor = bool(shape.traits & Trait.ACCESSOR) and shape.value is not None
        self.attribute = referent if is_descriptor or descriptor_owner(referent) is not None else None
        self.symbol = view.facts.symbols[referent.symbol]
        kind = self.symbol.kind
        self.key = view.key(referent.symbol)
        self.id = view.id(referent.symbol)
        self.is_class = kind in CLASSES
        parent = view.facts.symbols[view.facts.shapes[referent.symbol].parent].kind
        self.in_class = parent is SymbolKind.CLASS
        has_body = (kind in CALLABLE or self.is_class) and parent not in _UNWRITTEN
        self.referent = referent
        self.body = (referent.file, self.symbol.line) if has_body else None
        self.is_value = kind in _VALUE_KINDS
        self.is_member = kind is _PROPERTY or bool(view.facts.shapes[referent.symbol].traits & Trait.ACCESSOR)
        setter = view.setter(referent.symbol) if self.is_member and kind is not _PROPERTY else -1
        self.setter = (view.id(setter), view.key(setter)) if setter >= 0 else (self.id, self.key)


class _Meaning(NamedTuple):
    """The symbol that an expression means. `is_sure`: it was found without the type of a receiver.

    `members` are the members with the expression's name in the parts of the receiver's type: the `area` of Circle and
    that of Square, of `shape: Circle | Square`. `quantifier` says how many of them are meant: see parts.ALL.
    """

    named: _NamedSymbol
    is_sure: bool
    members: tuple[_NamedSymbol, ...] = ()
    quantifier: int = NONE


class Naming:
    """The edges of one file, added to `edges`; `roots` are the file's root numbers. `names` as in Uses."""

    def __init__(
        self,
        evaluator: Evaluator,
        file: str,
        edges: dict[Key, Edge],
        roots: Roots,
        ambient: AmbientRoots,
        implied: ImpliedCalls,
        names: FileNames | None = None,
    ) -> None:
        self._implied = implied
        self._names = names
        self._evaluator = evaluator
        self._file = file
        self._view = evaluator.views[file]
        self._edges = edges
        self._roots = roots
        self._ambient = ambient
        self._type_names: dict[tuple[int, str | ImportType, bool], _NamedSymbol | None] = {}
        self._types_by_binding: dict[tuple[int, int, str, bool], _NamedSymbol | None] = {}
        self._type_uses: set[tuple[str, int]] = set()
        self._missing: dict[tuple[int, Expression], Answering] = {}
        self._fitting: dict[tuple[int, str, int, str, str], Sequence[_NamedSymbol]] = {}
        self._names_properties = self._view.binds(self._view.semantics.template_properties)
        self._meanings: dict[tuple[int, Expression], _Meaning | None] = {}
        self._referents: dict[tuple[int, Expression], Referent | None] = {}

    def add(self) -> None:
        """Adds edges for all names in the file's types, and for names that its code uses without calling them."""
        view, names = self._view, self._names
        for symbol, scope, type_, line in types_in(view.facts):
            if names is not None and not names.types(type_):
                continue
            for name, is_value in names_in(type_):
                key = (scope, name, is_value)
                if key in self._type_names:
                    named = self._type_names[key]
                else:
                    named = self._type_names[key] = self._resolve_type_name(scope, name, is_value)
                if named is not None:
                    self._type_uses.add((named.id, line))
                    confidence, reason = self._confidence_and_reason(
                        scope, name, line, "named in a type", types=not is_value
                    )
                    self._add_edge(view.id(symbol), named, EdgeKind.TYPE, line, confidence, reason)
        # Names that are used as values, and members that are read or written.
        mentions, special = view.facts.mentions, view.semantics.has_special_methods
        sites = [(number, use) for number, use in enumerate(view.facts.sites) if names is None or names.uses(use)]
        if names is not None:
            mentions = tuple(use for use in mentions if names.uses(use) or (special and _is_composed(use.callee)))
        for use in mentions:
            source = view.id(view.facts.scopes[use.scope].symbol)
            if use.kind is EdgeKind.TYPE:
                continue
            if special and _is_composed(use.callee):
                self._add_fitting(source, use)
                continue
            if use.kind is _CALL:
                self._add_implied(source, self._implied.of(use), use.line)
                continue
            number = self._root_number(use, use.callee)
            meaning = self._meaning(number, use.scope, use.callee, use.line)
            # `<Menu onPick={pick}>`: the property `onPick: Picker["pick"]` is not the method that gives it its type
            if meaning is not None and not (meaning.named.in_class and _PROPS in split(use.callee)[1]):
                self._add_value_use(source, meaning, use.kind, use, use.callee)
            if meaning is None and special:
                self._add_missing(source, use, number)
            self._add_receiver_reads(source, use, number)
        for number, use in sites:
            source = view.id(view.facts.scopes[use.scope].symbol)
            if special and not self._implied.is_known(number):
                self._add_missing(source, use, self._root_number(use, use.callee))
            self._add_receiver_reads(source, use)
        if self._ambient.any:
            for use in (*mentions, *(use for _, use in sites)):
                self._add_undeclared(use)

    def _add_implied(self, source: str, calls: Iterable[ImpliedCall], line: int) -> None:
        for method, confidence, reason in calls:
            named = self._symbol_named(method)
            if named is not None:
                self._add_edge(source, named, _CALL, line, confidence, reason)

    def _add_fitting(self, source: str, use: CallSite) -> None:
        """Adds the members that a composed name may mean, `self.do_*`: those of the object's class or module."""
        left, (start, _, end) = receiver(use.callee), last_name(use.callee).partition(FITTING)
        owner = self._evaluator.flow.expression(self._file, use.scope, left, use.line) if left is not None else None
        value = self._evaluator.values.value_or_self(owner) if is_inside(owner) else None
        members = self._evaluator.members
        if value is None or not (is_module(value) or value.kind == INSTANCE or members.is_own_class(value)):
            return
        key = value.kind, value.file, value.symbol, start, end
        if key not in self._fitting:
            self._fitting[key] = self._members_fitting(value, start, end)
        found = self._fitting[key]
        for named in found if len(found) <= _MOST_FITTING else ():
            kind = use.kind if named.is_member else EdgeKind.REFERENCE
            if use.kind is _CALL:
                kind = EdgeKind.READ if named.is_member else EdgeKind.NEW if named.is_class else _CALL
            reason = f"one of {len(found)} whose names fit"
            self._add_edge(source, named, kind, use.line, Confidence.HEURISTIC, reason)
        self._add_receiver_reads(source, use)

    def _members_fitting(self, owner: Referent, start: str, end: str) -> Sequence[_NamedSymbol]:
        """The members of an object, class or module whose names begin and end so, and are longer."""
        found: dict[str, _NamedSymbol] = {}
        for base in (owner,) if is_module(owner) else filter(has_symbol, self._evaluator.members.lineage(owner)):
            if is_installed(base.file):
                continue
            view = self._evaluator.views[base.file]
            for name, rows in view.members(max(base.symbol, 0)).items():
                is_longer = len(name) > len(start + end) and "." not in name
                if is_longer and name.startswith(start) and name.endswith(end) and name not in found:
                    found[name] = _NamedSymbol(symbol_at(base.file, rows[0]), view)
        return tuple(found.values())

    def _add_missing(self, source: str, use: CallSite, number: int) -> None:
        left = receiver(use.callee)
        if left is None or use.kind is EdgeKind.WRITE:
            return
        key = (number, left)
        owner = self._missing.get(key)
        if owner is None:
            owner = self._implied.answering(self._referent(number, use.scope, left, use.line))
            if number != UNKNOWN:
                self._missing[key] = owner
        if owner.calls:
            self._add_implied(source, self._implied.of_missing(owner, last_name(use.callee)), use.line)

    def _resolve_type_name(self, scope: int, name: str | ImportType, is_value: bool) -> _NamedSymbol | None:
        """The symbol of the project that a name in a type means."""
        view = self._view
        if not isinstance(name, str):
            return self._symbol_named(self._evaluator.types.resolve_import_type(self._file, name))
        types = not is_value and view.semantics.types_have_names_of_their_own
        root, dot, _ = name.partition(".")
        if not view.binds(root) and not view.star_imports and not self._ambient.any:
            return None
        if root == "this" or root == "super" or root == "module":
            return self._symbol_named(self._evaluator.flow.expression(self._file, scope, name, 0, types=types))
        binding = view.lookup(scope, root, 0, types=types)
        value_binding = view.lookup(scope, root, 0) if dot and types else None
        key = (
            id(binding) if binding is not None else 0,
            id(value_binding) if value_binding is not None else 0,
            name,
            is_value,
        )
        if key in self._types_by_binding:
            return self._types_by_binding[key]
        is_given = not dot and binding is not None and binding.kind is BindingKind.TYPE_PARAMETER
        value = None if is_given else self._evaluator.flow.expression(self._file, scope, name, 0, types=types)
        named = self._types_by_binding[key] = self._symbol_named(value)
        return named

    def _symbol_named(self, referent: Referent | None) -> _NamedSymbol | None:
        if not is_symbol(referent) or referent.symbol <= 0 or is_installed(referent.file):
            return None
        return _NamedSymbol(referent, self._evaluator.views[referent.file])

    def _add_undeclared(self, use: CallSite) -> None:
        """Adds references to the meanings of an expression's first name that the file neither declares nor imports.

        If it has one meaning, only those of dotted expressions are added here: `add` adds the others.
        """
        ambient = self._ambient.meaning(use.scope, use.callee, use.line)
        if not ambient.referents:
            return
        is_one = len(ambient.referents) == 1
        if receiver(use.callee) is None and (use.kind is not EdgeKind.REFERENCE or is_one):
            return
        for referent in ambient.referents:
            named, source = self._symbol_named(referent), self._view.id(self._view.facts.scopes[use.scope].symbol)
            if named is not None and named.is_value and not self._has_other_use(source, named, use.line, dotted=False):
                confidence = Confidence.STRONG if is_one else Confidence.HEURISTIC
                self._add_edge(source, named, EdgeKind.REFERENCE, use.line, confidence, ambient.reason)

    def _add_receiver_reads(self, source: str, use: CallSite, number: int | None = None) -> None:
        """Adds the reads of all members of an expression except the last: of `b` and `c`, in `a.b.c.d`."""
        if type(use.callee) is str and use.callee.count(".") < _SEVERAL:
            return
        root, steps = split(use.callee)
        if _PROPS in steps:  # `<Menu.Item label="x">`: the use of the component is another one
            return
        receivers = [chained(root, steps[:length]) for length in range(1, len(steps)) if type(steps[length - 1]) is str]
        if receivers:
            self._add_reads(source, use, receivers, self._root_number(use, use.callee) if number is None else number)
        if type(root) is Tested:
            names = root.name.split(".")
            receivers = [".".join(names[: length + 1]) for length in range(1, len(names))]
            self._add_reads(source, use, receivers, self._root_number(use, root.name))

    def _add_reads(self, source: str, use: CallSite, expressions: Iterable[Expression], number: int) -> None:
        """Adds the reads of expressions at the place of `use`; `number` is the number of their root."""
        for expression in expressions:
            meaning = self._meaning(number, use.scope, expression, use.line)
            if meaning is not None:
                self._add_value_use(source, meaning, EdgeKind.READ, use, expression)

    def _root_number(self, use: CallSite, expression: Expression) -> int:
        """The number of an expression's root: see Roots."""
        root = root_of(expression)
        return self._roots.number(use.scope, root, use.line, dotted=root != expression)

    def _meaning(self, number: int, scope: int, expression: Expression, line: int) -> _Meaning | None:
        """The meaning of an expression; cached for equal ones whose root has the same number. None if unknown."""
        key = (number, expression)
        if number != UNKNOWN and key in self._meanings:
            return self._meanings[key]
        referent = self._evaluator.flow.expression(self._file, scope, expression, line)
        named, left, meaning = self._symbol_named(referent), receiver(expression), None
        if named is not None:
            meaning = self._meaning_of_symbol(number, scope, named, left, line, last_name(expression))
        elif left is not None and referent == UNRESOLVED:
            # `cached.total`, if a library says that `cached` is of its own type, which may hold a Cart.
            owner = self._referent(number, scope, left, line)
            guess = self._evaluator.guessed(owner, last_name(expression)) if owner is not None else None
            if guess is not None:
                member, reason = guess
                meaning = _Meaning(_NamedSymbol(member, self._evaluator.views[member.file], reason), is_sure=False)
        if number != UNKNOWN:
            self._meanings[key] = meaning
        return meaning

    def _meaning_of_symbol(
        self, number: int, scope: int, named: _NamedSymbol, left: Expression | None, line: int, name: str
    ) -> _Meaning:
        """The meaning of the expression `left.name` whose symbol is known; of `name`, if `left` is None."""
        if left is None or (type(left) is str and left in _SELVES):
            return _Meaning(named, is_sure=True)
        owner = self._referent(number, scope, left, line)
        if owner is not None and self._evaluator.members.is_own_class(owner):
            return _Meaning(named, is_sure=True)
        if is_module(owner) and owner.files:
            others = (
                self._symbol_named(symbol) for symbol in self._evaluator.exports.candidate_exports(owner, name)[1:]
            )
            return _Meaning(named, is_sure=False, members=tuple(symbol for symbol in others if symbol is not None))
        if owner is None or not named.is_member:
            return _Meaning(named, is_sure=False)
        members, quantifier = self._evaluator.elements.alternatives(owner, name)
        by_id = {
            symbol.id: symbol for symbol in map(self._symbol_named, members) if symbol is not None and symbol.is_member
        }
        return _Meaning(named, is_sure=False, members=tuple(by_id.values()), quantifier=quantifier)

    def _referent(self, number: int, scope: int, expression: Expression, line: int) -> Referent | None:
        """The referent of an expression whose root has a number."""
        key = (number, expression)
        if number != UNKNOWN and key in self._referents:
            return self._referents[key]
        referent = self._evaluator.flow.expression(self._file, scope, expression, line)
        if number != UNKNOWN:
            self._referents[key] = referent
        return referent

    def _add_value_use(
        self, source: str, meaning: _Meaning, kind: EdgeKind, use: CallSite, expression: Expression
    ) -> None:
        named, line = meaning.named, use.line
        if kind is EdgeKind.REFERENCE and named.symbol.kind is _PROPERTY and self._names_properties:
            kind = EdgeKind.READ
        if named.guess:
            if named.is_member and kind is not EdgeKind.REFERENCE:
                self._add_edge(source, named, kind, line, Confidence.HEURISTIC, named.guess)
            return
        confidence, as_value = self._confidence_and_reason(use.scope, expression, line, "named as a value")
        confidence = confidence if meaning.is_sure else Confidence.STRONG
        if named.is_member and kind is not EdgeKind.REFERENCE:
            if kind is EdgeKind.WRITE and named.symbol.name != last_name(expression).rpartition(".")[2]:
                return  # `{ action: typeof CODES.EQUAL }`: the written member is another one
            members = meaning.members if len(meaning.members) >= _SEVERAL else (named,)
            is_one = len(members) == 1 or self._means_all(meaning, use, expression)
            edge_confidence, reason = (confidence, "named as a member") if is_one else _ONE_OF_SEVERAL
            for member in members:
                self._add_edge(source, member, kind, line, edge_confidence, reason)
            if is_one and named.attribute is not None:
                self._add_implied(source, self._implied.of_attribute(named.attribute, kind), line)
        elif named.is_value and not self._has_other_use(source, named, line, dotted=receiver(expression) is not None):
            is_own = kind is EdgeKind.WRITE and named.referent.file == self._file
            if is_own and self._view.is_declared_at(named.referent.symbol, line):
                return  # `Cart.prototype.total = function () {}`: its declaration
            if kind is EdgeKind.WRITE and named.body is not None:
                confidence, as_value = Confidence.STRONG, REPLACED
            self._add_edge(source, named, EdgeKind.REFERENCE, line, confidence, as_value)
            for member in meaning.members:
                self._add_edge(source, member, EdgeKind.REFERENCE, line, Confidence.HEURISTIC, _CONFIGURED)

    def _confidence_and_reason(
        self, scope: int, expression: Expression | ImportType, line: int, reason: str, *, types: bool = False
    ) -> tuple[Confidence, str]:
        """The confidence of a name and its reason: EXACT and `reason`, or less if the first name is not declared."""
        if isinstance(expression, ImportType) or not self._ambient.any:
            return _EXACT, reason
        ambient = self._ambient.meaning(scope, expression, line, types=types)
        return (Confidence.STRONG, ambient.reason) if ambient.referents else (_EXACT, reason)

    def _means_all(self, meaning: _Meaning, use: CallSite, expression: Expression) -> bool:
        """Whether an expression means each of `meaning.members`, and not only one of them."""
        left = receiver(expression)
        if meaning.quantifier != UNTESTED or left is None:
            return meaning.quantifier == ALL
        has_all = self._view.semantics.unions_have_members_of_all
        return has_all and is_untested(self._evaluator, self._view, use, left)

    def _has_other_use(self, source: str, named: _NamedSymbol, line: int, *, dotted: bool) -> bool:
        """Whether the line has another edge to the symbol, as a call or a base; for a dotted name also as a type."""
        for kind in _USE_KINDS:
            edge = self._edges.get((source, named.id, kind, line))
            if edge is not None and not edge.is_guess:
                return True
        return dotted and (named.id, line) in self._type_uses

    def _add_edge(
        self, source: str, named: _NamedSymbol, kind: EdgeKind, line: int, confidence: Confidence, reason: str
    ) -> None:
        target, target_key = named.setter if kind is EdgeKind.WRITE else (named.id, named.key)
        key = (source, target, kind, line)
        if source == target:
            return
        earlier = self._edges.get(key)
        is_surer = earlier is not None and earlier.is_guess and confidence is not Confidence.HEURISTIC
        is_wrapped = earlier is not None and earlier.is_replacement and reason != REPLACED  # `a.run = wrap(a.run)`
        if earlier is None or is_surer or is_wrapped:
            self._edges[key] = Edge(source, target_key, kind, self._file, line, confidence, reason)


def _is_composed(expression: Expression) -> bool:
    """Whether the last name of an expression is put together: `self.do_*`."""
    return (type(expression) is not str or FITTING in expression) and FITTING in last_name(expression)
