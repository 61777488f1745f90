"""The frequency of Python's garbage collection: rare for a command, the default for a server."""

import gc

_AS_IT_COMES = gc.get_threshold()
_SELDOM = (100_000, 20, 20)
"""Imports make hundreds of thousands of objects, none of them garbage; searching them costs a fifth of start-up."""


def collect_seldom() -> None:
    """For a short-lived process."""
    gc.set_threshold(*_SELDOM)


def use_default_gc() -> None:
    """For a server: an error's traceback keeps its frames' objects until the collector runs."""
    gc.set_threshold(*_AS_IT_COMES)
