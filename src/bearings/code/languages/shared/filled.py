"""Containers that are filled after they are made: `carts = []`, and later `carts.append(Cart())`."""

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable
from typing import NamedTuple

from msgspec.structs import replace
from tree_sitter import Node

from bearings.code.expressions import (
    UNKNOWN,
    Expression,
    Listed,
    Result,
    Several,
    Tested,
    Typed,
    extended,
    is_known,
    root_of,
    split,
)
from bearings.code.grouping import grouped
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Draft
from bearings.code.languages.shared.kinds import Bindings, Scopes

_OWN = frozenset({"self", "cls", "this"})
NULLS = frozenset({"none", "null", "undefined"})
_MOST_FOLLOWED = 3
_EXTENDED = re.compile(rb"\.(\w+)\s*[+|]=")
"""A property that gets other elements."""
_NO_VALUES = frozenset({Bindings.NARROWED, Bindings.TYPE, Bindings.TYPE_PARAMETER})


class Made(NamedTuple):
    """A variable or property that is made empty; `scope` is minus the class's symbol for a property."""

    scope: int
    name: str
    maker: str
    holder: Draft | int | None
    """The property, or the binding; None for a later assignment."""


class _Added(NamedTuple):
    """A value that is added to a container, or unknown; `roots` are its names, and the scopes that bind them."""

    container: str
    scope: int
    symbol: int
    value: Expression
    roots: dict[str, int]


class Fillings(ABC):
    """The containers of one file that are made empty, and what is added to them. Each language has a subclass."""

    built_in: frozenset[str] = frozenset()
    """Makers of containers that no import names."""
    standard: frozenset[str] = frozenset()
    """Modules whose makers are imported."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self._made: list[Made] = []
        self._bare: set[str] = set()
        """Names of variables without a value."""
        self._replaced: set[tuple[int, str]] = set()
        """Minus a class's symbol, and name, of properties that get another value."""
        self._added: list[_Added] = []

    def made(self, value: Node | None, scope: int, name: str, holder: Draft | int | None) -> None:
        """Record the value of a variable. For a property, `scope` is minus its class's symbol."""
        if value is None or value.type in NULLS:
            return
        maker = self._maker(value)
        if maker is not None:
            self._made.append(Made(scope, name, maker, holder))
        elif scope < 0:
            self._replaced.add((scope, name))

    def replaced(self, target: Node, value: Node | None) -> None:
        """Record that `target` gets another value; unless that is empty, its elements are unknown."""
        if value is not None and value.type not in NULLS and self._maker(value) is None:
            self._add(target, UNKNOWN)

    @abstractmethod
    def _maker(self, node: Node) -> str | None:
        """Return what makes a container without elements, empty for a literal; None for another value."""

    def finish(self) -> None:
        """Give containers the value that all additions agree on."""
        names = {added.container.rpartition(".")[2] for added in self._added}
        made = [each for each in self._made if each.name in names]
        if not made:
            return
        builder = self.builder
        rows = [row for row in builder.bindings if row.name in names and row.kind not in _NO_VALUES]
        outer = {(row.scope, row.name) for row in rows if row.kind is Bindings.OUTER}
        bound = {(row.scope, row.name) for row in rows} - outer
        given = Counter(
            (self._home(row.name, row.scope, bound), row.name) for row in rows if row.kind is not Bindings.OUTER
        )
        scopes = (each.scope if each.scope < 0 else self._home(each.name, each.scope, bound) for each in made)
        empty = grouped(((scope, each.name), each) for scope, each in zip(scopes, made, strict=True))
        made_by = {maker for maker in {each.maker for each in made} if self._is_built_in(maker)}
        extended_names = set(_EXTENDED.findall(builder.source))
        added = grouped((self._key(one, bound, empty), one) for one in self._added)
        for key, makes in empty.items():
            holder = next((each.holder for each in makes if each.holder is not None), None)
            if holder is None or key not in added or key in self._replaced:
                continue
            scope = holder.scope if isinstance(holder, Draft) else builder.bindings[holder].scope
            is_other = given[key] > len(makes) if key[0] >= 0 else key[1].encode() in extended_names
            if is_other or not (
                all(each.maker in made_by for each in makes)
                and all(is_known(one.value) and self._means_the_same(one, scope) for one in added[key])
                and len({repr(self._shape(one.value)) for one in added[key]}) == 1
            ):
                continue
            value = added[key][0].value
            if isinstance(holder, Draft):
                holder.value = value
            else:
                builder.bindings[holder] = replace(builder.bindings[holder], value=value)

    def _is_built_in(self, maker: str) -> bool:
        """Whether the file means a built-in container by a name: it binds it to nothing else."""
        root, builder = maker.partition(".")[0], self.builder
        rows = [row for row in builder.bindings if maker and row.name == root]
        return (bool(rows) or not maker or maker in self.built_in) and all(
            row.kind is Bindings.IMPORT and builder.imports[row.target].module in self.standard for row in rows
        )

    def _home(self, name: str, scope: int, bound: Collection[tuple[int, str]]) -> int:
        """Return the scope that binds a name in another scope, the module's for none."""
        scopes, start = self.builder.scopes, scope
        while scope > 0 and ((scope, name) not in bound or (scope != start and scopes[scope][0] is Scopes.CLASS)):
            scope = scopes[scope][1]
        return max(scope, 0)

    def _key(
        self, added: _Added, bound: Collection[tuple[int, str]], empty: Collection[tuple[int, str]]
    ) -> tuple[int, str]:
        """Return the scope, or minus the class's symbol, and the name of a container."""
        owner, _, name = added.container.rpartition(".")
        if not owner:
            return self._home(name, added.scope, bound), name
        builder, symbol = self.builder, 0
        if owner in _OWN:
            symbol = added.symbol
            while symbol > 0 and (-symbol, name) not in empty:
                symbol = builder.drafts[symbol].parent
        elif owner.isidentifier():
            symbol = builder.members.get((0, owner), 0)
        return (-symbol, name) if symbol > 0 else (0, added.container)

    def _add(self, container: Node, value: Expression) -> None:
        """Record a value that is added to the container with a name."""
        builder = self.builder
        frame = builder.frames[-1]
        roots = {name: self._home(name, frame.scope, builder.bound) for name in _roots(value)}
        self._added.append(_Added(builder.text(container), frame.scope, frame.symbol, value, roots))

    def _put(self, owner: Node, inner: Node | None, value: Expression, *, keyed: bool) -> None:
        """Record a value that is added to a container, or to one inside the container `inner`."""
        if not is_known(value):
            self._add(inner or owner, UNKNOWN)
        elif inner is not None:
            self._add(inner, Listed(Listed(value), keyed=True))
        else:
            self._add(owner, Listed(value, keyed=keyed))

    def _means_the_same(self, added: _Added, scope: int) -> bool:
        """Whether the names in a value mean the same in the scope of the container."""
        is_own = added.container.partition(".")[0] in _OWN
        return all(
            (is_own and name in _OWN) or self._home(name, scope, self.builder.bound) == home
            for name, home in added.roots.items()
        )

    def _here(self, value: Expression) -> Expression:
        """Return a value for use in another scope: a local name is replaced by its type or value, if that is known."""
        builder = self.builder
        if isinstance(value, Listed):
            return replace(value, element=self._here(value.element))
        for _ in range(_MOST_FOLLOWED):
            root, steps = split(value)
            scopes = [each for each in builder.outward(builder.frames[-1].scope) if each > 0]
            if type(root) is not str or not any((each, root) in builder.bound for each in scopes):
                return value
            rows = (row for row in reversed(builder.bindings) if row.name == root and row.scope in scopes)
            row = next(rows, None)  # AMD's `require` is bound without a row
            if row is not None and row.type is not None:
                return extended(Typed(row.type), *steps)
            if row is None or row.value is None or not is_known(row.value):
                return value
            value = extended(row.value, *steps)
        return value

    def _shape(self, value: Expression) -> Expression | str:
        """Return what tells whether two values are alike: the callee of a call, else the value."""
        if isinstance(value, Listed):
            return f"{value.keyed} {self._shape(value.element)}"
        root, steps = split(value)
        site = self.builder.calls[root.site] if type(root) is Result else None
        if site is None:
            return value
        homes = [self._home(name, site.scope, self.builder.bound) for name in _roots(site.callee)]
        return f"{site.callee}() {steps} {homes}"


def _roots(value: Expression) -> Iterable[str]:
    """Return the names that a value starts with."""
    match root_of(value):
        case str(root):
            return (root,)
        case Tested(name=name):
            return (name.partition(".")[0],)
        case Listed(element=element, others=others):
            return [name for each in (element, *others) for name in _roots(each) if name]
        case Several(names=names):
            return tuple(name.partition(".")[0] for name in names if name)
    return ()
