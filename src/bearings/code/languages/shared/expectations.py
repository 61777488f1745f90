"""`Expectations`: what the code around functions and names tells of them, until they are visited."""

from bearings.code.expressions import Expression
from bearings.code.languages.shared.drafts import Draft, Expected
from bearings.code.type_expressions import TypeExpression


class Expectations:
    """The expectations of one file. Those of a function are removed when it is visited."""

    def __init__(self) -> None:
        self.functions: dict[tuple[int, int], Expected] = {}
        """Span of a function → the type that its context expects."""
        self.results: dict[int, Expected] = {}
        """Scope of a function → the return type that its context expects."""
        self.names: dict[tuple[int, str], tuple[TypeExpression | None, Expression | None]] = {}
        """Scope and name → type and value of a name that is bound later."""
        self.stores: dict[tuple[int, int], tuple[Draft, TypeExpression | None]] = {}
        """Span of a function that makes the state of a store → the store, and the state's type if that is named."""
        self.invoked: dict[tuple[int, int], int] = {}
        """Span of a function that is called where it is written → the call's number."""
        self.loaded: dict[tuple[int, int], list[str]] = {}
        """Span of a function that a module loader calls → the modules that are its arguments."""
        self.returned: dict[tuple[int, int], tuple[int, int]] = {}
        """Span of a function that is returned → the scope of the function that returns it, and the scope around."""

    def of_name(self, scope: int, name: str) -> tuple[TypeExpression | None, Expression | None]:
        """Remove and return the type and the value of a name that is now bound in a scope."""
        return self.names.pop((scope, name), (None, None))
