"""Resolves names in types and names used as values to edges. Names outside the project give none.

cart: Map<string, Cart>       the class Cart, of kind `type`
router.use(authenticate)      the function authenticate, of kind `reference`
cart.items.length             the property `items` is read; `cart.items = []` writes it
shape.area                    of `shape: Circle | Square`, the property of both, unless a test tells which
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from msgspec.structs import replace

from bearings.code.expressions import Expression, Tested, Typed, chained, last_name, receiver, root_of, split
from bearings.code.file_facts import CallSite, FileFacts, Trait
from bearings.code.models import Confidence, Edge, EdgeKind, SymbolKind
from bearings.code.resolve.edges.ambient_roots import AmbientRoots
from bearings.code.resolve.edges.narrowing import Narrowing
from bearings.code.resolve.edges.root_names import UNKNOWN, Roots
from bearings.code.resolve.evaluator import Evaluator
from bearings.code.resolve.names.file_view import FileView
from bearings.code.resolve.parts import ALL, NONE, UNTESTED
from bearings.code.resolve.referent import Referent
from bearings.code.resolve.referents import CLASSES, UNRESOLVED, is_module, is_symbol
from bearings.code.type_expressions import (
    ImportType,
    TypeExpression,
    TypeReference,
    import_types,
    type_names,
    type_queries,
)

_VALUES = frozenset(
    {
        SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CLASS, SymbolKind.COMPONENT, SymbolKind.HOOK,
        SymbolKind.CONSTANT, SymbolKind.VARIABLE, SymbolKind.ENUM, SymbolKind.TYPE,
    }
)  # fmt: skip
"""Kinds that a name used as a value may mean; a property belongs to one object."""
_PROPERTY: Final = SymbolKind.PROPERTY
_EXACT: Final = Confidence.EXACT
_OWN = frozenset({"this", "self", "cls"})
_SEVERAL: Final = 2
"""As many members as may need a test to tell them apart."""
_ONE_OF_SEVERAL: Final = (Confidence.HEURISTIC, "named as a member of one of several types")
_CONFIGURED: Final = "named as a value, of another module that configuration names"
_USED = (EdgeKind.CALL, EdgeKind.NEW, EdgeKind.JSX, EdgeKind.EXTENDS, EdgeKind.IMPLEMENTS)

Key = tuple[str, str, EdgeKind, int]
"""Source, target, kind, line: the same use at the same line counts once."""


_Name = tuple[str | ImportType, bool]
"""A name in a type, or a type of a module, and whether it is that of a value (`typeof value`)."""

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
            *((one, one.is_value) for one in modules),
        )
    return known


class _Named:
    """The symbol of a name: its key, its id, and whether it is a value, or a member that is read and written.

    `guess` says why it is no more than a guess; it is empty for one that is known.
    """

    __slots__ = ("guess", "id", "is_class", "is_member", "is_value", "key")

    def __init__(self, referent: Referent, there: FileView, guess: str = "") -> None:
        self.guess = guess
        kind = there.facts.symbols[referent.symbol].kind
        self.key = there.key(referent.symbol)
        self.id = there.id(referent.symbol)
        self.is_class = kind in CLASSES
        self.is_value = kind in _VALUES
        self.is_member = kind is _PROPERTY or bool(there.facts.shapes[referent.symbol].traits & Trait.ACCESSOR)


class _Meaning(NamedTuple):
    """What an expression means: a symbol, and whether that needs no type to be sure.

    `members` are the members that it may be by the parts of its receiver's type, `meant` tells which of them are meant.
    """

    named: _Named
    is_sure: bool
    members: tuple[_Named, ...] = ()
    meant: int = NONE


class Naming:
    """The edges of one file, added to `edges`; `roots` are the file's root numbers."""

    def __init__(
        self, evaluator: Evaluator, file: str, edges: dict[Key, Edge], roots: Roots, ambient: AmbientRoots
    ) -> None:
        self._evaluator = evaluator
        self._file = file
        self._view = evaluator.views[file]
        self._edges = edges
        self._roots = roots
        self._ambient = ambient
        self._known: dict[tuple[int, str | ImportType, bool], _Named | None] = {}
        self._types: dict[tuple[int, int, str, bool], _Named | None] = {}
        self._in_types: set[tuple[str, int]] = set()
        self._narrowing = Narrowing(self._view, roots)
        self._meanings: dict[tuple[int, Expression], _Meaning | None] = {}
        self._referents: dict[tuple[int, Expression], Referent | None] = {}

    def add(self) -> None:
        """Adds edges for all names in the file's types, and for names that its code uses without calling them."""
        view = self._view
        for symbol, scope, type_, line in types_in(view.facts):
            for name, is_value in names_in(type_):
                key = (scope, name, is_value)
                if key in self._known:
                    named = self._known[key]
                else:
                    named = self._known[key] = self._type(scope, name, is_value)
                if named is not None:
                    self._in_types.add((named.id, line))
                    sure, reason = self._how(scope, name, line, "named in a type", types=not is_value)
                    self._edge(view.id(symbol), named, EdgeKind.TYPE, line, sure, reason)
        for use in view.facts.mentions:  # names that are used as values, members that are read or written
            source = view.id(view.facts.scopes[use.scope].symbol)
            number = self._number(use, use.callee)
            meaning = self._meaning(number, use.scope, use.callee, use.line)
            if meaning is not None:
                self._named_value(source, meaning, use.kind, use, use.callee)
            self._receivers(source, use, number)
        for use in view.facts.sites:
            self._receivers(view.id(view.facts.scopes[use.scope].symbol), use)
        for use in (*view.facts.mentions, *view.facts.sites) if self._ambient.any else ():
            self._without_declaration(use)

    def _type(self, scope: int, name: str | ImportType, is_value: bool) -> _Named | None:
        """The symbol of the project that a name in a type means."""
        view = self._view
        if not isinstance(name, str):
            return self._named(self._evaluator.types.resolve_import_type(self._file, name))
        types = not is_value and view.semantics.types_have_names_of_their_own
        root, dot, _ = name.partition(".")
        if not view.binds(root) and not view.star_imports and not self._ambient.any:
            return None
        if root == "this" or root == "super" or root == "module":
            return self._named(self._evaluator.flow.expression(self._file, scope, name, 0, types=types))
        first = view.lookup(scope, root, 0, types=types)
        other = view.lookup(scope, root, 0) if dot and types else None
        key = (id(first) if first is not None else 0, id(other) if other is not None else 0, name, is_value)
        if key in self._types:
            return self._types[key]
        named = self._named(self._evaluator.flow.expression(self._file, scope, name, 0, types=types))
        self._types[key] = named
        return named

    def _named(self, referent: Referent | None) -> _Named | None:
        if not is_symbol(referent) or referent.symbol <= 0:
            return None
        return _Named(referent, self._evaluator.views[referent.file])

    def _without_declaration(self, use: CallSite) -> None:
        """Adds the use of the first name of `a.b`, and all possible meanings of a name that is not declared here."""
        is_dotted, ambient = receiver(use.callee) is not None, self._ambient.meaning(use.scope, use.callee, use.line)
        is_one = len(ambient.referents) == 1
        for referent in ambient.referents if is_dotted or (use.kind is EdgeKind.REFERENCE and not is_one) else ():
            named, source = self._named(referent), self._view.id(self._view.facts.scopes[use.scope].symbol)
            if named is not None and named.is_value and not self._is_named(source, named, use.line, dotted=False):
                sure = Confidence.STRONG if is_one else Confidence.HEURISTIC
                self._edge(source, named, EdgeKind.REFERENCE, use.line, sure, ambient.reason)

    def _receivers(self, source: str, use: CallSite, number: int | None = None) -> None:
        """Adds the reads of the members that lead to the last one: in `a.b.c`, of `a.b`."""
        if type(use.callee) is str and use.callee.count(".") < _SEVERAL:
            return
        root, steps = split(use.callee)
        before = [chained(root, steps[:length]) for length in range(1, len(steps)) if type(steps[length - 1]) is str]
        if before:
            self._read(source, use, before, self._number(use, use.callee) if number is None else number)
        if type(root) is Tested:
            names = root.name.split(".")
            before = [".".join(names[: length + 1]) for length in range(1, len(names))]
            self._read(source, use, before, self._number(use, root.name))

    def _read(self, source: str, use: CallSite, callees: Iterable[Expression], number: int) -> None:
        """Adds the reads of members that are written where `use` is, of a root with this number."""
        for callee in callees:
            meaning = self._meaning(number, use.scope, callee, use.line)
            if meaning is not None:
                self._named_value(source, meaning, EdgeKind.READ, use, callee)

    def _number(self, use: CallSite, callee: Expression) -> int:
        """The number of an expression's root."""
        root = root_of(callee)
        return self._roots.number(use.scope, root, use.line, dotted=root != callee)

    def _meaning(self, number: int, scope: int, callee: Expression, line: int) -> _Meaning | None:
        """The meaning of an expression whose root has a number; found once for equal ones."""
        key = (number, callee)
        if number != UNKNOWN and key in self._meanings:
            return self._meanings[key]
        referent = self._evaluator.flow.expression(self._file, scope, callee, line)
        named, of, meaning = self._named(referent), receiver(callee), None
        if named is not None:
            meaning = self._sure(number, scope, named, of, line, last_name(callee))
        elif of is not None and referent == UNRESOLVED:
            # The member of what a library gives, if that may be an object that one of its types holds.
            owner = self._referent(number, scope, of, line)
            guess = self._evaluator.guessed(owner, last_name(callee)) if owner is not None else None
            if guess is not None:
                member, why = guess
                meaning = _Meaning(_Named(member, self._evaluator.views[member.file], why), is_sure=False)
        if number != UNKNOWN:
            self._meanings[key] = meaning
        return meaning

    def _sure(self, number: int, scope: int, named: _Named, of: Expression | None, line: int, name: str) -> _Meaning:
        """The meaning of an expression with the receiver `of`: members of a class need no type."""
        if of is None or (type(of) is str and of in _OWN):
            return _Meaning(named, is_sure=True)
        owner = self._referent(number, scope, of, line)
        if owner is not None and self._evaluator.members.is_own_class(owner):
            return _Meaning(named, is_sure=True)
        if is_module(owner) and owner.files:
            others = (self._named(one) for one in self._evaluator.exports.candidate_exports(owner, name)[1:])
            return _Meaning(named, is_sure=False, members=tuple(one for one in others if one is not None))
        if owner is None or not named.is_member:
            return _Meaning(named, is_sure=False)
        members, meant = self._evaluator.elements.alternatives(owner, name)
        several = {one.id: one for one in map(self._named, members) if one is not None and one.is_member}
        return _Meaning(named, is_sure=False, members=tuple(several.values()), meant=meant)

    def _referent(self, number: int, scope: int, expression: Expression, line: int) -> Referent | None:
        """The referent of an expression whose root has a number."""
        key = (number, expression)
        if number != UNKNOWN and key in self._referents:
            return self._referents[key]
        referent = self._evaluator.flow.expression(self._file, scope, expression, line)
        if number != UNKNOWN:
            self._referents[key] = referent
        return referent

    def _named_value(self, source: str, meaning: _Meaning, kind: EdgeKind, use: CallSite, callee: Expression) -> None:
        named, line = meaning.named, use.line
        if named.guess:
            if named.is_member and kind is not EdgeKind.REFERENCE:
                self._edge(source, named, kind, line, Confidence.HEURISTIC, named.guess)
            return
        confidence, as_value = self._how(use.scope, callee, line, "named as a value")
        confidence = confidence if meaning.is_sure else Confidence.STRONG
        if named.is_member and kind is not EdgeKind.REFERENCE:
            several = meaning.members if len(meaning.members) >= _SEVERAL else (named,)
            is_one = len(several) == 1 or self._means_all(meaning, use, callee)
            sure, reason = (confidence, "named as a member") if is_one else _ONE_OF_SEVERAL
            for one in several:
                self._edge(source, one, kind, line, sure, reason)
        elif named.is_value and not self._is_named(source, named, line, dotted=receiver(callee) is not None):
            self._edge(source, named, EdgeKind.REFERENCE, line, confidence, as_value)
            for one in meaning.members:
                self._edge(source, one, EdgeKind.REFERENCE, line, Confidence.HEURISTIC, _CONFIGURED)

    def _how(
        self, scope: int, expression: Expression | ImportType, line: int, reason: str, *, types: bool = False
    ) -> tuple[Confidence, str]:
        """How sure a name is, and why: less if the file does not declare the first one."""
        if isinstance(expression, ImportType) or not self._ambient.any:
            return _EXACT, reason
        ambient = self._ambient.meaning(scope, expression, line, types=types)
        return (Confidence.STRONG, ambient.reason) if ambient.referents else (_EXACT, reason)

    def _means_all(self, meaning: _Meaning, use: CallSite, callee: Expression) -> bool:
        """Whether an expression means all of the members that it may be."""
        of = receiver(callee)
        if meaning.meant != UNTESTED or of is None:
            return meaning.meant == ALL
        is_untested = self._narrowing.is_untested(replace(use, callee=callee), of)
        return self._view.semantics.unions_have_members_of_all and is_untested

    def _is_named(self, source: str, named: _Named, line: int, *, dotted: bool) -> bool:
        """Whether the line has another use of the symbol; a dotted name may be that of a type."""
        is_type = dotted and (named.id, line) in self._in_types
        return is_type or any((source, named.id, kind, line) in self._edges for kind in _USED)

    def _edge(self, source: str, named: _Named, kind: EdgeKind, line: int, confidence: Confidence, reason: str) -> None:
        target = named.id
        key = (source, target, kind, line)
        known = self._edges.get(key) if source != target else None
        is_surer = known is not None and known.is_guess and confidence is not Confidence.HEURISTIC
        if source != target and (known is None or is_surer):
            self._edges[key] = Edge(source, named.key, kind, self._file, line, confidence, reason)


def types_in(facts: FileFacts) -> Iterator[tuple[int, int, TypeExpression, int]]:
    """All types in a file: the enclosing symbol, the scope of the type's names, the type, its line."""
    for index, (symbol, shape) in enumerate(zip(facts.symbols, facts.shapes, strict=True)):
        inner = shape.inner if shape.inner >= 0 else shape.scope
        bases = [given for base in shape.bases for given in (*base.arguments, *_arguments(base.type))]
        implemented = [given for type_ in shape.implements for given in _arguments(type_)]
        for type_ in (shape.returns, shape.type, *bases, *implemented):
            if type_ is not None:
                yield index, inner, type_, symbol.line
    for row in facts.bindings:
        if row.type is not None and row.target < 0:
            yield facts.scopes[row.scope].symbol, row.scope, row.type, row.line
    for site in facts.sites:
        is_type = site.kind is EdgeKind.TYPE and isinstance(site.callee, Typed)
        for type_ in (site.callee.type,) if isinstance(site.callee, Typed) and is_type else site.types:
            yield facts.scopes[site.scope].symbol, site.scope, type_, site.line


def _arguments(type_: TypeExpression | None) -> tuple[TypeExpression, ...]:
    return type_.arguments if isinstance(type_, TypeReference) else ()
