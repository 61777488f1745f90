"""The uses of packages from outside the project: imports, and the code that uses what they give.

    from requests import Session        requests  Session        import
    s = Session()                       requests  Session        call
    s.get(url)                          requests  Session().get  call, a guess

Names are followed through the scopes of their file. A value of a library has no known type, so a member of it is a
guess.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from bearings.code.catalogue.names import dotted
from bearings.code.expressions import Expression, Result, split
from bearings.code.file_facts import Binding, BindingKind, FileFacts, Import
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import IMPORTS, VARIABLES, EdgeKind
from bearings.code.resolve.edges.naming import names_in
from bearings.code.resolve.edges.types_in_file import types_in
from bearings.code.resolve.names.file_view import FileView
from bearings.code.type_expressions import ImportType, TypeExpression, TypeReference

_WHOLE = frozenset({"", "*", "=", "default"})
"""Imported names that stand for the module. A default export counts as one: users write its members like a module's."""

_OUTSIDE = frozenset({"external", "builtin"})
_NOT_CALLED = frozenset({EdgeKind.TYPE, EdgeKind.IMPLEMENTS})
_PLAIN = frozenset({EdgeKind.REFERENCE, EdgeKind.READ})
_DEEPEST = 4
"""Assignments from the use of a variable back to the import."""


class OutsideUse(NamedTuple):
    """A use of `name` in `module`, which is as the import spells it; `symbol` is the index of the enclosing symbol."""

    module: str
    name: str
    kind: EdgeKind
    line: int
    symbol: int
    is_guess: bool = False


class _Meaning(NamedTuple):
    """The meaning of an expression in a module from outside."""

    module: str
    name: str
    is_guess: bool = False


def outside_uses(snapshot: Snapshot, path: str) -> list[OutsideUse]:
    """The uses in one file, each once, in order of lines."""
    sites = snapshot.graph.outside_by_source.get(path, ())
    modules = {
        site.name
        for site in sites
        if site.kind in IMPORTS and site.why in _OUTSIDE and not site.name.startswith((".", "/"))
    }
    if not modules:
        return []
    return without_parts(_File(snapshot.facts[path], modules).uses())


def without_parts(uses: Iterable[OutsideUse]) -> list[OutsideUse]:
    """Uses by line, each once, without those that another one of their line contains: in `a.b()` that of `a`.

    Of a name that is read for another use, such as a base, the other use stays.
    """
    of_line: dict[int, dict[OutsideUse, None]] = {}
    for use in uses:
        of_line.setdefault(use.line, {})[use] = None
    kept = [use for group in of_line.values() for use in group if not any(_is_part(use, other) for other in group)]
    return sorted(kept, key=lambda use: (use.line, use.module, use.name, use.kind))


def _is_part(use: OutsideUse, other: OutsideUse) -> bool:
    """Whether the use of a longer name contains a use: `a.b()` that of `a`."""
    own, whole = dotted((use.module, use.name)), dotted((other.module, other.name))
    if own == whole:
        return use.kind in _PLAIN and other.kind not in _PLAIN
    is_inside = whole.startswith((f"{own}.", f"{own}()"))
    return is_inside and (use.kind in _PLAIN or use.kind is other.kind is EdgeKind.IMPORT)


class _File:
    """One file, and the modules from outside that it imports."""

    def __init__(self, facts: FileFacts, modules: set[str]) -> None:
        self._facts = facts
        self._modules = modules
        self._view = FileView(facts)

    def uses(self) -> Iterator[OutsideUse]:
        """All uses."""
        yield from self._imported()
        yield from self._called()
        yield from self._typed()
        yield from self._extended()

    def _imported(self) -> Iterator[OutsideUse]:
        for entry in self._facts.imports:
            if entry.module in self._modules:
                yield OutsideUse(
                    entry.module, _name(entry), EdgeKind.IMPORT, entry.line, self._symbol_around(entry.scope)
                )
        for export in self._facts.exports:
            if export.module in self._modules:
                name = export.local if isinstance(export.local, str) and export.local not in _WHOLE else ""
                yield OutsideUse(export.module, name, EdgeKind.EXPORT, export.line, 0)

    def _called(self) -> Iterator[OutsideUse]:
        imports = self._view.semantics.import_functions
        written = (use for use in self._facts.mentions if use.kind is not EdgeKind.CALL)  # no call without a name
        for site in (*self._facts.sites, *written):
            if site.kind not in _NOT_CALLED and site.callee not in imports:
                meaning = self._meaning(site.scope, site.callee, site.line)
                yield from _use_of(meaning, site.kind, site.line, self._symbol_around(site.scope))

    def _typed(self) -> Iterator[OutsideUse]:
        for symbol, scope, type_, line in types_in(self._facts):
            for name, is_value in names_in(type_):
                meaning = self._of_type(scope, name, is_value=is_value)
                yield from _use_of(meaning, EdgeKind.TYPE, line, symbol)

    def _extended(self) -> Iterator[OutsideUse]:
        for index, (symbol, shape) in enumerate(zip(self._facts.symbols, self._facts.shapes, strict=True)):
            for base in shape.bases:
                if base.type is None:
                    meaning = self._meaning(shape.scope, base.value, symbol.line)
                else:
                    meaning = self._of_type(shape.scope, _type_name(base.type))
                yield from _use_of(meaning, EdgeKind.EXTENDS, symbol.line, index)
            for type_ in shape.implements:
                meaning = self._of_type(shape.scope, _type_name(type_))
                yield from _use_of(meaning, EdgeKind.IMPLEMENTS, symbol.line, index)

    def _symbol_around(self, scope: int) -> int:
        return self._facts.scopes[scope].symbol if self._facts.scopes else 0

    def _of_type(self, scope: int, name: str | ImportType, *, is_value: bool = False) -> _Meaning | None:
        """The meaning of a name in a type."""
        if isinstance(name, ImportType):
            return _Meaning(name.module, dotted(name.names)) if name.module in self._modules else None
        root, *members = name.split(".")
        binding = self._view.lookup(scope, root, 0, types=not is_value and not members) or self._view.lookup(
            scope, root, 0
        )
        return (
            self._import(binding.target, members)
            if binding is not None and binding.kind is BindingKind.IMPORT
            else None
        )

    def _meaning(self, scope: int, value: Expression, line: int, depth: int = 0) -> _Meaning | None:
        """The meaning of a value, followed through variables and results of calls."""
        root, steps = split(value)
        members = _leading(steps)
        if isinstance(root, Result):
            return self._of_result(root, members, depth)
        if not isinstance(root, str) or depth > _DEEPEST:
            return None
        binding = self._view.lookup(scope, root, line)
        if binding is None:
            return None
        if binding.kind is BindingKind.IMPORT:
            return self._import(binding.target, members)
        assigned_value, scope_of_value = self._assigned_value(binding)
        if assigned_value is None or assigned_value == root:
            return None
        meaning = self._meaning(scope_of_value, assigned_value, binding.line, depth + 1)
        return meaning._replace(name=dotted((meaning.name, *members))) if meaning is not None else None

    def _assigned_value(self, binding: Binding) -> tuple[Expression | None, int]:
        """The value that a variable is given, and the scope of its names."""
        if binding.kind is BindingKind.LOCAL:
            return binding.value, binding.scope
        if binding.kind is BindingKind.SYMBOL and self._facts.symbols[binding.target].kind in VARIABLES:
            shape = self._facts.shapes[binding.target]
            return shape.value, shape.scope
        return None, 0

    def _of_result(self, root: Result, members: Sequence[str], depth: int) -> _Meaning | None:
        """The meaning of a part of a call's result; that of `require("x")` is the module."""
        entry = self._view.inline.get(root.site)
        if entry is not None:
            return _Meaning(entry.module, dotted(members)) if entry.module in self._modules else None
        if depth > _DEEPEST or root.site >= len(self._facts.sites):
            return None
        site = self._facts.sites[root.site]
        meaning = self._meaning(site.scope, site.callee, site.line, depth + 1)
        return _Meaning(meaning.module, dotted((f"{meaning.name}()", *members)), True) if meaning is not None else None

    def _import(self, target: int, members: Sequence[str]) -> _Meaning | None:
        entry = self._facts.imports[target] if 0 <= target < len(self._facts.imports) else None
        if entry is None or entry.module not in self._modules:
            return None
        parts = entry.module.split(".")
        if not self._view.semantics.package_files or entry.name or entry.local != parts[0]:
            return _Meaning(entry.module, dotted((_name(entry), *members)))
        # import os.path; os.path.join(…): the module os.path gives join; os.getcwd() is of os.
        named = (entry.local, *members)  # `import os.path` binds `os`
        shared = next((at for at, (one, other) in enumerate(zip(parts, named, strict=False)) if one != other), None)
        length = min(len(parts), len(named)) if shared is None else shared
        return _Meaning(".".join(parts[:length]), dotted(named[length:]))


def _name(entry: Import) -> str:
    return "" if entry.name in _WHOLE else entry.name


def _leading(steps: Sequence[object]) -> list[str]:
    """The members at the beginning of some steps."""
    members: list[str] = []
    for step in steps:
        if not isinstance(step, str):
            break
        members.append(step)
    return members


def _use_of(meaning: _Meaning | None, kind: EdgeKind, line: int, symbol: int) -> Iterator[OutsideUse]:
    """The use of what is meant, if anything is. To name an object of the package is none: only its members are."""
    if meaning is not None and not (meaning.name.endswith("()") and kind in _PLAIN):
        yield OutsideUse(meaning.module, meaning.name, kind, line, symbol, meaning.is_guess)


def _type_name(type_: TypeExpression) -> str:
    """The name of a type that is extended or implemented; empty for another type."""
    return type_ if isinstance(type_, str) else type_.name if isinstance(type_, TypeReference) else ""
