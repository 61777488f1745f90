"""Declares the symbols that are known only at the end of a file, such as local variables that are called later."""

from collections.abc import Collection

from bearings.code.expressions import (
    UNKNOWN,
    Chain,
    Expression,
    Listed,
    Properties,
    Result,
    Tested,
    Unknown,
    is_known,
    is_result,
    root_of,
)
from bearings.code.file_facts import Binding, Trait
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Draft, Local, Property, is_name
from bearings.code.languages.shared.kinds import Bindings, Symbols
from bearings.code.type_expressions import FunctionType

_FUNCTION_KINDS = frozenset({Symbols.FUNCTION, Symbols.HOOK, Symbols.COMPONENT, Symbols.CLASS})
"""Kinds of symbols that a property of an object literal may hold under another name."""


def declare_late_symbols(builder: Builder) -> None:
    """Declare the symbols that are known only at the end of the file, and fix the index of every symbol.

    These are local variables that are called, and properties that only assignments declare.
    """
    _LateSymbols(builder).declare()


class _LateSymbols:
    """The late symbols of one file."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder

    def declare(self) -> None:
        builder = self._builder
        self._declare_called_locals()
        for position, span in builder.function_properties:
            if span in builder.functions:
                self._bind(position, builder.functions[span])
        for key, draft in builder.assigned.items():
            if key not in builder.members:
                builder.members[key] = len(builder.drafts)
                builder.drafts.append(draft)
                continue
            declared = builder.drafts[builder.members[key]]  # `lamp;` or `lamp = null` in the class, assigned later
            if declared.kind is Symbols.PROPERTY and declared.type is None and not is_known(declared.value):
                declared.value, declared.scope = draft.value, draft.scope

    def _bind(self, position: int, symbol: int) -> None:
        """Make a binding one of a symbol, which has the value."""
        row = self._builder.bindings[position]
        self._builder.bindings[position] = Binding(row.scope, row.name, Bindings.SYMBOL, row.line, symbol)

    def _declare_called_locals(self) -> None:
        """Declare the local variables that are called, or passed on as a shorthand property, as symbols."""
        names = {self._builder.bindings[local.row].name for local in self._builder.locals}
        called: dict[str, set[int]] = {}
        passed: dict[str, set[int]] = {}
        for sites in (self._builder.calls, self._builder.uses):
            for site in sites:
                if site is None:
                    continue
                callee = site.callee.name if type(site.callee) is Tested else site.callee
                if callee in names and is_name(callee):
                    called.setdefault(callee, set()).add(site.scope)
        for position in self._builder.shorthands:
            row = self._builder.bindings[position]
            passed.setdefault(row.name, set()).add(self._builder.scopes[row.scope][1])
        self._declare_properties()
        for local in self._builder.locals:
            row = self._builder.bindings[local.row]
            scopes: Collection[int] = called.get(row.name, ())
            if (
                row.name in passed
                and (row.type is None or isinstance(row.type, FunctionType))
                and (row.value is None or is_result(row.value))
            ):
                scopes = (*scopes, *passed[row.name])
            if any(row.scope in self._builder.outward(scope) for scope in scopes):
                self._declare_local(local, row)

    def _declare_local(self, local: Local, row: Binding) -> None:
        node = local.node
        draft = Draft(row.name, local.prefix + row.name, local.kind, row.line, self._builder.end_line(node))
        draft.parent, draft.scope = local.symbol, row.scope
        draft.signature = self._builder.head(node.start_byte, None, node.end_byte)
        draft.type, draft.value = row.type, row.value
        self._builder.bindings[local.row] = Binding(
            row.scope, row.name, Bindings.SYMBOL, row.line, len(self._builder.drafts), row.type, row.value
        )
        self._builder.drafts.append(draft)

    def _declare_properties(self) -> None:
        """Declare the properties of object literals that may hold a function of another name or file."""
        rows = {(row.scope, row.name): row for row in self._builder.bindings} if self._builder.properties else {}
        for candidate in self._builder.properties:
            row = self._builder.bindings[candidate.row]
            if not self._may_hold_function(row, candidate, rows):
                continue
            end_line, signature = self._builder.end_line(candidate.node), self._builder.line_of(candidate.node)
            draft = Draft(row.name, candidate.prefix + row.name, Symbols.PROPERTY, row.line, end_line)
            draft.parent, draft.scope = candidate.symbol, candidate.scope
            draft.signature, draft.value = signature, row.value
            draft.traits = int(Trait.STATIC)
            self._bind(candidate.row, len(self._builder.drafts))
            self._builder.drafts.append(draft)

    def _may_hold_function(self, row: Binding, candidate: Property, rows: dict[tuple[int, str], Binding]) -> bool:
        root = UNKNOWN if row.value is None else root_of(row.value)
        if type(root) is Result or type(root) is Unknown:
            return candidate.table
        if type(root) is Properties:
            return candidate.declared
        if type(root) is Listed:
            return candidate.table and _is_member_of_result(root.element)
        if not isinstance(root, str):
            return False
        known = next(filter(None, (rows.get((each, root)) for each in self._builder.outward(candidate.scope))), None)
        if known is None:
            return False
        if known.kind is Bindings.IMPORT:
            return True
        if known.kind is Bindings.LOCAL:
            return candidate.table and _is_member_of_result(known.value)
        if known.kind is not Bindings.SYMBOL or root != row.value or root == row.name:
            return False
        draft = self._builder.drafts[known.target]
        return draft.kind in _FUNCTION_KINDS or is_result(draft.value)


def _is_member_of_result(value: Expression | None) -> bool:
    return type(value) is Chain and type(value.root) is Result
