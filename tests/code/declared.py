"""Registers a fake declared language for tests: it has elements and no other capability."""

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
    """A visitor that only reads declarations, by forwarding three captures to Go's visitor."""

    def __init__(self, builder: Builder) -> None:
        self._go = Go(builder)
        self._methods = dict(zip(*self._go.handlers(), strict=True))

    def handlers(self) -> tuple[tuple[str, ...], list[Callable[..., None]]]:
        """Return Go's handlers of declarations."""
        return _DECLARATIONS, [self._methods[name] for name in _DECLARATIONS]

    def finish(self) -> None:
        """See Visitor."""
        self._go.finish()


@contextmanager
def without(**changes: Any) -> Iterator[None]:
    """Replace Go with a language of the same grammar and another name, with changes to its spec."""
    before = SPECS[Language.GO]
    SPECS[Language.GO] = replace(_GO, label=QUILL, **changes)
    try:
        yield
    finally:
        SPECS[Language.GO] = before


@contextmanager
def declared() -> Iterator[None]:
    """Replace Go with a language that has elements and no capability."""
    no_capabilities: frozenset[str] = frozenset()
    with without(visitor=Declarations, capabilities=no_capabilities, marks=None, line_patterns=None, test_command=None):
        yield
