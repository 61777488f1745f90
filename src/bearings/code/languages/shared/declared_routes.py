"""What frameworks do in declared languages, as tables say: endpoints, and types that are connected by their names."""

from collections.abc import Callable, Sequence
from typing import Final

from tree_sitter import Node

from bearings.code.languages.shared.annotated_routes import Annotated
from bearings.code.languages.shared.attributes import Literals
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.called_routes import Called
from bearings.code.languages.shared.declared_rules import Rules
from bearings.code.languages.shared.drafts import Draft
from bearings.code.languages.shared.injections import Injections
from bearings.code.languages.shared.kinds import Symbols
from bearings.code.languages.shared.route_tables import Container, Framework

_VALUES: Final = frozenset({Symbols.CONSTANT, Symbols.PROPERTY, Symbols.VARIABLE})


class Routes:
    """The endpoints and the injections of one file."""

    def __init__(
        self, builder: Builder, frameworks: Sequence[Framework], container: Container | None, literals: Literals
    ) -> None:
        self._builder = builder
        self._frameworks = frameworks
        self._container = container
        self._declared: list[tuple[Draft, Node]] = []
        self._called: list[tuple[Node, int]] = []
        self._literals = literals

    def declare(self, draft: Draft, node: Node) -> None:
        """Collect a declaration."""
        self._declared.append((draft, node))
        if draft.kind in _VALUES:
            self._literals.declare(draft.name, node)

    def call(self, name: Node, scope: int) -> None:
        """Collect a call, by its name."""
        self._called.append((name, scope))

    def read(self) -> None:
        """Add the facts."""
        for framework in self._frameworks:
            if framework.verbs:
                Annotated(self._builder, framework, self._literals, self._declared).read()
            if framework.calls:
                Called(self._builder, framework, self._literals, self._called).read()
        if self._container is not None:
            Injections(self._builder, self._container, self._literals).read(self._declared, self._called)


def routes_of(builder: Builder, rules: Rules, whole_name: Callable[[str], str]) -> Routes | None:
    """Return the reader of a file; None if it has no sign of anything to read."""
    known = rules.frameworks() if rules.frameworks is not None else ()
    frameworks = [each for each in known if any(sign in builder.source for sign in each.signs)]
    container = rules.container() if rules.container is not None else None
    if container is not None and not any(sign in builder.source for sign in container.signs):
        container = None
    has_any = frameworks or container is not None
    return Routes(builder, frameworks, container, Literals(builder, whole_name)) if has_any else None
