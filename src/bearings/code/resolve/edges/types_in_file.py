"""The types that are written in a file, with the scopes of their names and their lines."""

from collections.abc import Iterator

from bearings.code.expressions import Typed
from bearings.code.file_facts import FileFacts
from bearings.code.grouping import grouped
from bearings.code.models import EdgeKind
from bearings.code.resolve.rules.families import semantics_of
from bearings.code.type_expressions import GIVEN, IndexedType, TypeExpression, TypeReference


def types_in(facts: FileFacts) -> Iterator[tuple[int, int, TypeExpression, int]]:
    """All types in a file, each as (enclosing symbol, scope of the type's names, type, line)."""
    if semantics_of(facts.language).types_in_comments:
        yield from _types_in_comments(facts)
        return
    for index, (symbol, shape) in enumerate(zip(facts.symbols, facts.shapes, strict=True)):
        if shape.returns is shape.type is None and not shape.bases and not shape.implements:
            continue
        inner = shape.inner if shape.inner >= 0 else shape.scope
        bases = [argument for base in shape.bases for argument in (*base.arguments, *_type_arguments(base.type))]
        implemented = [argument for type_ in shape.implements for argument in _type_arguments(type_)]
        for type_ in (shape.returns, shape.type, *bases, *implemented):
            if type_ is not None:
                yield index, inner, type_, symbol.line
    for row in facts.bindings:
        if row.type is not None and row.target < 0 and not _is_given(row.type):
            yield facts.scopes[row.scope].symbol, row.scope, row.type, row.line
    for site in facts.sites:
        callee = site.callee if site.kind is EdgeKind.TYPE else None
        for type_ in (callee.type,) if isinstance(callee, Typed) else site.types:
            yield facts.scopes[site.scope].symbol, site.scope, type_, site.line


def _types_in_comments(facts: FileFacts) -> Iterator[tuple[int, int, TypeExpression, int]]:
    """See `types_in`: the enclosing symbol is the variable, property or function below the comment."""
    rows = enumerate(zip(facts.symbols, facts.shapes, strict=True))
    declared = grouped((shape.type, (symbol.line, index)) for index, (symbol, shape) in rows)
    for use in facts.mentions:
        if isinstance(use.callee, Typed) and use.kind is EdgeKind.TYPE:
            around = facts.scopes[use.scope].symbol
            below = [row for row in declared.get(use.callee.type, ()) if row[0] >= use.line]
            if around and facts.symbols[around].line >= use.line:
                below.append((facts.symbols[around].line, around))
            yield min(below)[1] if below else around, use.scope, use.callee.type, use.line


def _is_given(type_: TypeExpression) -> bool:
    """Whether a parameter has a type that is not written at it."""
    while isinstance(type_, IndexedType):
        type_ = type_.base
    return isinstance(type_, TypeReference) and type_.name == GIVEN


def _type_arguments(type_: TypeExpression | None) -> tuple[TypeExpression, ...]:
    return type_.arguments if isinstance(type_, TypeReference) else ()
