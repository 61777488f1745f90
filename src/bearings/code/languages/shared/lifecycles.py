"""Finds the methods that a framework calls of a class, by the class's base, decorator or interface."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from bearings.code.expressions import Expression
from bearings.code.framework_facts import FrameworkCall
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Draft
from bearings.code.languages.shared.kinds import Symbols
from bearings.code.languages.shared.origins import Origins
from bearings.code.type_expressions import TypeExpression, TypeReference

_NONE: Mapping[str, frozenset[str]] = {}


class Lifecycle(NamedTuple):
    """The methods that a framework calls, by the full name (with its module) of what tells that it calls them."""

    framework: str
    packages: frozenset[str]
    bases: Mapping[str, frozenset[str]] = _NONE
    decorators: Mapping[str, frozenset[str]] = _NONE
    interfaces: Mapping[str, frozenset[str]] = _NONE

    def is_in(self, modules: set[str]) -> bool:
        """Whether a file that imports these modules may use the framework."""
        return not self.packages.isdisjoint(modules)


def lifecycle_calls(
    builder: Builder, lifecycles: Sequence[Lifecycle], decorated: Sequence[tuple[int, Expression]] = ()
) -> None:
    """Add the methods that frameworks call, as called by their class. `decorated` are classes and their decorators."""
    modules = {entry.module for entry in builder.imports}
    used = [lifecycle for lifecycle in lifecycles if lifecycle.is_in(modules)]
    origins = Origins(builder) if used else None
    for index, draft in enumerate(builder.drafts) if origins is not None else ():
        if draft.kind is Symbols.CLASS and origins is not None:
            decorators = [name for target, name in decorated if target == index]
            for lifecycle in used:
                for name in sorted(_called(draft, lifecycle, decorators, origins)):
                    _add(builder, lifecycle, index, builder.members.get((index, name), -1))


def _called(draft: Draft, lifecycle: Lifecycle, decorators: Sequence[Expression], origins: Origins) -> set[str]:
    """Return the names of the methods that a framework calls of a class, if it has them."""
    found: set[str] = set()
    for table, names in (
        (lifecycle.bases, [base.value for base in draft.bases]),
        (lifecycle.decorators, decorators),
        (lifecycle.interfaces, list(_names(draft.implements))),
    ):
        for name in names if table else ():
            found |= table.get(origins.of(draft.scope, name).name, frozenset())
    return found


def _names(types: Sequence[TypeExpression]) -> Iterator[str]:
    for type_ in types:
        if isinstance(type_, str):
            yield type_
        elif isinstance(type_, TypeReference):
            yield type_.name


def _add(builder: Builder, lifecycle: Lifecycle, owner: int, member: int) -> None:
    if member > 0 and builder.drafts[member].kind is Symbols.METHOD:
        line = builder.drafts[owner].line
        builder.framework_calls.append(FrameworkCall(owner, line, lifecycle.framework, target=member))
