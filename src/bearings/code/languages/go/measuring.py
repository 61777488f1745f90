"""Go's rules for complexity that captures alone can't express."""

from tree_sitter import Node

from bearings.code.languages.line_conventions import Measuring


def only_holds(_: Node | None, at_top: bool, structures: int) -> bool:  # noqa: ARG001 - as Measuring says
    """Return False: in Go every function literal adds a level of nesting."""
    return False


MEASURING = Measuring(only_holds=only_holds)
