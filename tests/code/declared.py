"""A language by declaration, in the registry that every language is in: elements are known, and nothing else."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from bearings.code.languages import SPECS
from bearings.code.languages.go.visitor import Go
from bearings.code.languages.shared.builder import Builder
from bearings.code.models import Language

QUILL = "Quill"
_GO = SPECS[Language.GO]
_DECLARATIONS = ("package", "function", "type")


class Declarations:
    """Reads declarations, and no use of a name: Go's visitor is asked for those alone."""

    def __init__(self, builder: Builder) -> None:
        self._go = Go(builder)
        self._methods = dict(zip(*self._go.handlers(), strict=True))

    def handlers(self) -> tuple[tuple[str, ...], list[Callable[..., None]]]:
        """Go's, but for uses."""
        return _DECLARATIONS, [self._asking(name) for name in _DECLARATIONS]

    def finish(self) -> None:
        """As Go does."""
        self._go.finish()

    def _asking(self, name: str) -> Callable[..., None]:
        return lambda _, *node: self._methods[name](self._go, *node)


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
