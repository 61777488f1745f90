"""How often Python looks for cycles of garbage: seldom while a command runs, as it comes in a server, which stays."""

import gc

_AS_IT_COMES = gc.get_threshold()
_SELDOM = (100_000, 20, 20)
"""Importing makes objects by the hundred thousand, none of them garbage: looking for some costs a fifth of start-up."""


def collect_seldom() -> None:
    """For what ends soon."""
    gc.set_threshold(*_SELDOM)


def collect_as_usual() -> None:
    """For what stays: an error's traceback holds all that its frames did, until somebody looks."""
    gc.set_threshold(*_AS_IT_COMES)
