"""Reads classes that handle requests by a method for each verb: `def get(self)`."""

from collections.abc import Iterator

from bearings.code.expressions import Expression, extended
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings, Symbols
from bearings.code.languages.shared.origins import Origins
from bearings.code.languages.shared.routes import ANY

VERBS = ("get", "post", "put", "patch", "delete", "head", "options")
_MOST = 20


def class_of(builder: Builder, origins: Origins, scope: int, name: Expression | None) -> int:
    """Return the symbol of the class of this file that has a name; -1 if it has none."""
    row = origins.row(scope, name) if type(name) is str else None
    is_class = row is not None and row.kind is Bindings.SYMBOL and builder.drafts[row.target].kind is Symbols.CLASS
    return row.target if row is not None and is_class else -1


def handled(builder: Builder, origins: Origins, scope: int, name: Expression) -> Iterator[tuple[str, Expression]]:
    """Yield the methods of a class with their handlers: ANY with the class itself, if this file has no verb of it."""
    index = class_of(builder, origins, scope, name)
    found = {
        member
        for owner in with_bases(builder, origins, index)
        for member in VERBS
        if (owner, member) in builder.members
    }
    for verb in VERBS:
        if verb in found:
            yield verb.upper(), extended(name, verb)
    if not found:
        yield ANY, name


def with_bases(builder: Builder, origins: Origins, index: int) -> list[int]:
    """Return a class and its bases in this file, nearest first, and at most `_MOST` of them."""
    found = [index] if index >= 0 else []
    for owner in found:
        draft = builder.drafts[owner]
        for base in draft.bases[: _MOST - len(found)]:
            above = class_of(builder, origins, draft.scope, base.value)
            if above >= 0 and above not in found:
                found.append(above)
    return found
