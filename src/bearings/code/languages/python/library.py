"""The members of classes of the standard library."""

from collections.abc import Iterable
from importlib import import_module

_PLAIN = frozenset(
    """builtins abc collections collections.abc contextlib contextvars dataclasses datetime decimal enum fractions io
    json logging numbers pathlib queue string textwrap threading types typing uuid""".split()
)
"""Modules whose classes call no member by a name that they compose, as `ast.NodeVisitor` does."""


def members(qualified_name: str) -> Iterable[str] | None:
    """Return the names of the members of a class, such as `datetime.date`; None if the class is not known."""
    module, _, name = qualified_name.rpartition(".")
    class_ = getattr(import_module(module), name, None) if module in _PLAIN else None
    return dir(class_) if isinstance(class_, type) else None
