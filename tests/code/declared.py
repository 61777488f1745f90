"""A language by declaration, in the registry that every language is in: elements are known, and nothing else."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from bearings.code.languages import SPECS
from bearings.code.languages.go.visitor import Go
from bearings.code.models import Language

QUILL = "Quill"
_GO = SPECS[Language.GO]
_DECLARATIONS = ("package", "function", "type")


class Declarations(Go):
    """Reads declarations, and no use of a name."""

    def handlers(self) -> tuple[tuple[str, ...], list[Callable[..., None]]]:
        """Go's, but for uses."""
        names, methods = super().handlers()
        known = dict(zip(names, methods, strict=True))
        return _DECLARATIONS, [known[name] for name in _DECLARATIONS]


@contextmanager
def without(**changes: Any) -> Iterator[None]:
    """Go's grammar under another name, in Go's place, with some of its spec changed."""
    before = SPECS[Language.GO]
    SPECS[Language.GO] = replace(_GO, label=QUILL, **changes)
    try:
        yield
    finally:
        SPECS[Language.GO] = before


@contextmanager
def declared() -> Iterator[None]:
    """The same, read for its elements alone."""
    nothing: frozenset[str] = frozenset()
    with without(visitor=Declarations, capabilities=nothing, marks=None, line_patterns=None, test_command=None):
        yield
