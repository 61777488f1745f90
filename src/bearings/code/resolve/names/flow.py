"""Evaluates expressions to referents: names through scopes, then members."""

from collections.abc import Sequence
from typing import Final

from bearings.code.expressions import (
    Chain,
    Expression,
    Function,
    Listed,
    Parameter,
    Properties,
    Result,
    Root,
    Step,
    Tested,
    Typed,
    split,
)
from bearings.code.file_facts import Binding, BindingKind, ImportKind, ScopeKind, Trait
from bearings.code.models import SymbolKind
from bearings.code.resolve.parts import FlowPart, Known, Parts
from bearings.code.resolve.referents import (
    BUILTIN,
    CALLABLE,
    CLASSES,
    OWN,
    Referent,
    ReferentKind,
    is_builtin,
    plain,
)
from bearings.code.resolve.types.builtin_types import KEYED, PAIRS
from bearings.code.resolve.types.guards import Guards
from bearings.code.type_expressions import FunctionType, OwnType, ReturnedType

_SYMBOL: Final = BindingKind.SYMBOL
_IMPORT: Final = BindingKind.IMPORT
_PARAMETER: Final = BindingKind.PARAMETER
_TYPE: Final = BindingKind.TYPE
_SEVERAL: Final = 2
_MOST_MEANINGS: Final = 100
"""Rows of one name to look at before an unresolved expression is told from an ambiguous one."""

_RECEIVERS: Final = {"self": ReferentKind.INSTANCE, "cls": ReferentKind.SYMBOL}


class Flow(FlowPart):
    """Expressions: names through scopes, then steps."""

    def __init__(self, known: Known) -> None:
        super().__init__(known)
        self._guards: Final = Guards(known)
        self._meanings: dict[tuple[int, bool], Referent | None] = {}
        self._several: dict[int, set[Referent]] = {}
        self._lost: set[int] = set()
        """Rows without a meaning because they are too deep: then they have none where they are deeper still."""

    def join(self, parts: Parts) -> None:
        """See Part."""
        super().join(parts)
        self._guards.join(parts)

    def begin(self) -> None:
        """Begins with the uses of another file."""
        self._meanings = {}
        self._several = {}
        self._lost = set()

    def expression(
        self, file: str, scope: int, expression: Expression, line: int, *, types: bool = False
    ) -> Referent | None:
        """The referent of an expression in a scope; None if unknown."""
        if not self._memo.enter():
            return None
        root, steps = split(expression)
        if root == "module" and steps and steps[0] == "exports":
            root, steps = "exports", steps[1:]
        if type(root) is str:
            referent = self._of_name(file, scope, root, line, types=types and not steps, first=bool(steps) and types)
        else:
            referent = self._of_root(file, scope, root, line)
        if steps:
            referent = self.stepped(referent, steps, types=types)
        self._memo.leave()
        return referent

    def stepped(self, referent: Referent | None, steps: Sequence[Step], *, types: bool) -> Referent | None:
        """See FlowPart."""
        for position, step in enumerate(steps, 1):
            if referent is None:
                return None
            if not isinstance(step, str):
                referent = self._elements.element(self._values.held(referent), step)
                continue
            found = self._members.member(referent, step, types=types and position == len(steps))
            if found is None:
                nested = ".".join(step if type(step) is str else "[]" for step in steps[position - 1 :])
                return self._members.own(referent.where, referent.symbol, nested) if referent.kind in OWN else None
            referent = found
        return referent

    def _of_name(self, file: str, scope: int, root: str, line: int, *, types: bool, first: bool) -> Referent | None:
        """The referent of the name that an expression starts with."""
        if root == "super" or (root == "this" and not self._views[file].semantics.this_is_parameter):
            return self._this(file, scope, base=root == "super")
        return self.name(file, scope, root, line, types=types or first) or (
            self.name(file, scope, root, line) if first else None
        )

    def _of_root(self, file: str, scope: int, root: Root, line: int) -> Referent | None:
        """The referent of the start of an expression that is no name."""
        match root:
            case Result():
                return self._calls.site_result(file, root.site, awaited=root.awaited)
            case Properties():
                return Referent(ReferentKind.LITERAL, file, root.scope)
            case Parameter():
                return self._signatures.context(file, root)
            case Typed():
                return self._types.type(file, scope, root.type)
            case Function():
                returns = ReturnedType(root.scope, root.is_async) if root.returns is None else root.returns
                return Referent(ReferentKind.OBJECT, file, root.scope, FunctionType((), returns))
            case Tested():
                return self._guards.tested(file, scope, root, line)
            case Listed():
                return self._listed(file, scope, root, line)
        return None

    def _listed(self, file: str, scope: int, listed: Listed, line: int) -> Referent | None:
        """An array of a value, or of pairs of a key and the value; or a map of it."""
        found = self.expression(file, scope, listed.element, line)
        is_own = found is not None and found.kind != ReferentKind.OUTSIDE
        made = self._values.wrapped(file, self._values.held(found), "Array") if found is not None and is_own else None
        if made is None or not (listed.pairs or listed.keyed):
            return made
        return made._replace(type=KEYED if listed.keyed else PAIRS)

    def is_ambiguous(self, file: str, scope: int, expression: Expression) -> bool:
        """Whether an unresolved expression may mean several symbols of the project, by the meanings of its root."""
        root, steps = split(expression)
        is_name = type(root) is str and root.isidentifier()
        rows = self._views[file].rows_around(scope, root) if type(root) is str and is_name else ()
        if len(rows) < _SEVERAL:
            return False
        roots = self._several.get(id(rows))
        if roots is None:
            meanings = (self.binding(file, row) for row in rows[:_MOST_MEANINGS])
            roots = self._several[id(rows)] = {one for one in meanings if one is not None}
        found: set[Referent] = set()
        for root_meaning in roots:
            referent = self.stepped(root_meaning, steps, types=False)
            if referent is not None and referent.kind in OWN:
                found.add(referent._replace(env=()))
            if len(found) >= _SEVERAL:
                return True
        return False

    def name(self, file: str, scope: int, name: str, line: int, *, types: bool = False) -> Referent | None:
        """The referent of a bare name in a scope."""
        view = self._views[file]
        row = view.lookup(scope, name, line, types=types)
        if row is not None:
            if self._memo.is_outermost:
                return self._named_here(file, row, types=types)
            if id(row) in self._lost:
                self._memo.cut()
                return None
            return self._meant(file, row, types)
        for module in self._exports.stars(file, name) if view.semantics.modules_offer_all_names else ():
            found = self._exports.export(module, name)
            if found is not None and not name.startswith("_"):
                return found
        if name == "exports" and view.semantics.exports_is_module:
            return Referent(ReferentKind.MODULE, file)
        if self._exports.sees_ambient(file):
            meant = self._exports.ambient(file, name, types=types).referents
            if len(meant) == 1:
                return meant[0]
        return BUILTIN if name in view.semantics.builtins else None

    def _named_here(self, file: str, row: Binding, *, types: bool) -> Referent | None:
        """The referent of a row that a use of this file names directly; computed once for the file."""
        key = (id(row), types)
        if key not in self._meanings:
            before = self._memo.cuts
            self._meanings[key] = self._meant(file, row, types)
            if self._meanings[key] is None and self._memo.cuts > before:
                self._lost.add(id(row))
        return self._meanings[key]

    def _meant(self, file: str, row: Binding, types: bool) -> Referent | None:
        found = self.binding(file, row, types=types)
        is_found = found is not None and found.kind != ReferentKind.OUTSIDE
        return found if is_found or row.scope else self._exports.settled(file, row, found)

    def binding(self, file: str, row: Binding, *, types: bool = False) -> Referent | None:
        """The referent of a row of a binding table."""
        if row.kind is _SYMBOL or row.kind is _TYPE:
            return plain(ReferentKind.SYMBOL, file, row.target)
        if row.kind is _IMPORT:
            return self._exports.imported(file, self._views[file].facts.imports[row.target], types=types)
        if isinstance(row.type, OwnType):
            owner = self._class_around(file, row.scope)
            kind = ReferentKind.SYMBOL if row.type.is_class else ReferentKind.INSTANCE
            return plain(kind, file, owner) if owner >= 0 else None
        if row.type is not None:
            found = self._types.type(file, row.scope, row.type)
            return self._by_place(file, row) if found is None and row.name in _RECEIVERS else found
        if row.kind is _PARAMETER and self._views[file].semantics.overrides_inherit_parameters:
            found = self._handed_down(file, row)
            if found is not None:
                return found
        if row.value is None or row.value == row.name:
            return None
        return self.expression(file, row.scope, row.value, row.line)

    def _by_place(self, file: str, row: Binding) -> Referent | None:
        """The type of `self` or `cls` with an annotation of a type variable: what the class around it says."""
        owner = self._class_around(file, row.scope) if row.kind is _PARAMETER else -1
        return plain(_RECEIVERS[row.name], file, owner) if owner >= 0 else None

    def _handed_down(self, file: str, row: Binding) -> Referent | None:
        """The type of a method's parameter, by the base's method that it overrides."""
        facts = self._views[file].facts
        index = facts.scopes[row.scope].symbol
        owner = facts.shapes[index].parent
        is_method = facts.scopes[row.scope].kind is ScopeKind.FUNCTION and facts.symbols[owner].kind in CLASSES
        for base in self._members.bases(file, owner, ReferentKind.INSTANCE) if is_method else ():
            method = self._members.member(base, facts.symbols[index].name) if base.kind in OWN else None
            if method is not None and method.kind == ReferentKind.SYMBOL:
                inner = self._views[method.where].facts.shapes[method.symbol].inner
                for given in self._views[method.where].rows_of(inner, row.name):
                    return self.binding(method.where, given) if given.kind is _PARAMETER else None
        return None

    def unaliased(self, referent: Referent) -> Referent:
        """The referent of a variable that names a part of a required module; any other referent unchanged."""
        if referent.kind != ReferentKind.SYMBOL:
            return referent
        view = self._views[referent.where]
        value = view.facts.shapes[referent.symbol].value
        if type(value) is not Chain or type(value.root) is not Result or value.root.awaited:
            return referent
        entry = view.inline.get(value.root.site)
        if entry is None or entry.kind is not ImportKind.REQUIRE:
            return referent
        return self._values.value(referent) or referent

    def _class_around(self, file: str, scope: int) -> int:
        """The class whose member the function of a scope is; -1 for none."""
        known = self._views[file].classes
        if scope not in known:
            known[scope] = self._found_around(file, scope)
        return known[scope]

    def _found_around(self, file: str, scope: int) -> int:
        facts = self._views[file].facts
        while scope >= 0 and facts.scopes[scope].kind in (ScopeKind.ARROW, ScopeKind.BLOCK):
            scope = facts.scopes[scope].parent
        parent = facts.scopes[scope].parent if scope >= 0 and facts.scopes[scope].kind is ScopeKind.FUNCTION else scope
        if parent >= 0 and facts.scopes[parent].kind is ScopeKind.CLASS:
            return facts.scopes[parent].symbol
        if scope >= 0 and facts.scopes[scope].kind is ScopeKind.FUNCTION:
            owner = facts.shapes[facts.scopes[scope].symbol].parent
            return owner if owner > 0 and facts.symbols[owner].kind is SymbolKind.CLASS else -1
        return -1

    def _this(self, file: str, scope: int, *, base: bool) -> Referent | None:
        known = self._views[file].selves
        if not base and scope in known:
            return known[scope]
        facts = self._views[file].facts
        if base and self._views[file].semantics.super_is_function:
            while scope >= 0 and facts.scopes[scope].kind is not ScopeKind.FUNCTION:
                scope = facts.scopes[scope].parent
        here = scope
        while here >= 0 and facts.scopes[here].kind in (ScopeKind.ARROW, ScopeKind.BLOCK):
            here = facts.scopes[here].parent
        for row in self._views[file].rows_of(here, "this") if here > 0 and not base else ():
            return self.binding(file, row)
        owner = self._class_around(file, scope)
        if owner < 0:
            made = self._made_by(file, here) if here > 0 and not base else None
            if not base:
                known[scope] = made
            return made
        static = (
            here >= 0
            and facts.scopes[here].kind is ScopeKind.FUNCTION
            and self._is_static(file, facts.scopes[here].symbol)
        )
        kind = ReferentKind.SYMBOL if static else ReferentKind.INSTANCE
        if not base:
            found = known[scope] = plain(kind, file, owner)
            return found
        bases = self._members.bases(file, owner, kind)
        if not bases and self._views[file].semantics.classes_extend_object:
            return BUILTIN
        return bases[0] if len(bases) == 1 and bases[0].kind in OWN else None

    def _made_by(self, file: str, scope: int) -> Referent | None:
        """The referent of `this` in a function outside classes: an object of its constructor function, or its owner.

        The owner is the referent to which the function was assigned as a property.
        """
        facts = self._views[file].facts
        index = facts.scopes[scope].symbol
        if facts.scopes[scope].kind is not ScopeKind.FUNCTION or facts.shapes[index].inner != scope:
            return None
        parent = facts.shapes[index].parent
        if parent > 0 and facts.shapes[parent].inner == scope:  # under another name
            index, parent = parent, facts.shapes[parent].parent
        if facts.shapes[index].traits & Trait.CONSTRUCTS:
            return Referent(ReferentKind.INSTANCE, file, index)
        if parent <= 0 or facts.symbols[index].kind is not SymbolKind.METHOD:
            return None
        if facts.shapes[index].traits & Trait.STATIC:
            is_plain = type(facts.shapes[parent].value) is Properties or facts.symbols[parent].kind in CALLABLE
            return Referent(ReferentKind.SYMBOL, file, parent) if is_plain else None
        return Referent(ReferentKind.INSTANCE, file, parent) if facts.shapes[parent].traits & Trait.CONSTRUCTS else None

    def above(self, file: str, scope: int, name: str) -> Referent | None:
        """The referent of `super.name` in a scope: the member of the first base that has it."""
        base = self._this(file, scope, base=True)
        if base is not None:
            return self._members.member(base, name)
        while scope >= 0 and self._views[file].facts.scopes[scope].kind is not ScopeKind.FUNCTION:
            scope = self._views[file].facts.scopes[scope].parent
        owner = self._class_around(file, scope)
        for base in self._members.bases(file, owner, ReferentKind.INSTANCE) if owner >= 0 else ():
            found = self._members.member(base, name)
            if found is not None and not is_builtin(found):
                return found
        return None

    def _is_static(self, file: str, index: int) -> bool:
        return self._views[file].is_static(index)
