"""What the measures of Go's functions can't say by captures alone."""

from tree_sitter import Node

from bearings.code.languages.line_conventions import Measuring


def only_holds(_: Node | None, at_top: bool, structures: int) -> bool:  # noqa: ARG001 - as Measuring says
    """Never: every function literal nests what is in it."""
    return False


MEASURING = Measuring(only_holds=only_holds)
