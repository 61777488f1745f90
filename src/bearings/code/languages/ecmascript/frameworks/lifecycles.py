"""The methods of classes that frameworks call: `componentDidMount`, `onModuleInit`, `ngOnInit`.

To add a framework, add its `Lifecycle` to `_LIFECYCLES`.
"""

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from bearings.code.expressions import Expression
from bearings.code.languages.ecmascript.frameworks import angular, nest, react
from bearings.code.languages.ecmascript.names import decorated_class
from bearings.code.languages.shared import lifecycles
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Symbols

_LIFECYCLES = (angular.LIFECYCLE, nest.LIFECYCLE, react.LIFECYCLE)

DECORATORS = frozenset(name.rpartition(".")[2] for lifecycle in _LIFECYCLES for name in lifecycle.decorators)
"""Names of the decorators of classes whose methods a framework calls."""


def lifecycle_calls(builder: Builder, decorators: Sequence[Node]) -> None:
    """Add the methods of classes that frameworks call; `decorators` are the names in decorator calls of DECORATORS."""
    lifecycles.lifecycle_calls(builder, _LIFECYCLES, list(_decorated(builder, decorators)))


def _decorated(builder: Builder, decorators: Sequence[Node]) -> Iterator[tuple[int, Expression]]:
    """Yield the classes that are decorated, with the names of their decorators."""
    drafts = enumerate(builder.drafts)
    classes = {(draft.line, draft.name): index for index, draft in drafts if draft.kind is Symbols.CLASS}
    for name in decorators:
        owner = decorated_class(name.parent)
        own = owner.child_by_field_name("name") if owner is not None else None
        if owner is not None and own is not None:
            index = classes.get((builder.line(owner), builder.text(own)))
            if index is not None:
                yield index, builder.text(name)
