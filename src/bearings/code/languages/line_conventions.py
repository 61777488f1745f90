"""How a language writes what the fast pass, detectors and measures look for. Specs import these when they are asked."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re

    from tree_sitter import Node

    from bearings.code.languages.shared.builder import Builder
    from bearings.code.languages.shared.trees import Captures
    from bearings.code.models import Mark, SymbolKind


@dataclass(frozen=True, slots=True, kw_only=True)
class LinePatterns:
    """How declarations begin, for the fast pass, which reads a file line by line.

    A pattern has the groups `indent` and `name`; with a group `owner`, a method needs no class around it. `kind` says
    what a name tells beyond the line.
    """

    patterns: "tuple[tuple[re.Pattern[str], SymbolKind], ...]"
    is_exported: "Callable[[re.Match[str]], bool]"
    kind: "Callable[[SymbolKind, str], SymbolKind]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Idioms:
    """How sources spell what analyses look for. Expressions are searched for in the callee of a call."""

    middleware: "re.Pattern[str] | None" = None
    """Calls that put middleware into a chain, beside those that every language has."""
    listens: "re.Pattern[str] | None" = None
    """Calls that register a handler of events."""
    sends: "re.Pattern[str] | None" = None
    """Calls that send an event."""
    hook: "re.Pattern[str] | None" = None
    """Calls of hooks, whose names are its first group."""
    context_ends: tuple[frozenset[str], ...] = ()
    """The methods that make a class a context manager: all of any of these sets."""
    context_makers: frozenset[str] = frozenset()
    """Decorators that make a context manager of a generator."""
    error: "Callable[[Mark], tuple[str, str] | None] | None" = None
    """What a mark says of the handling of errors: the pattern's name, and what is there."""
    function_value: "re.Pattern[bytes] | None" = None
    """A named function or class that is written as a value: nobody need use its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measuring:
    """What measures can't say by captures alone."""

    only_holds: "Callable[[Node | None, bool, int], bool]"
    """Whether a function does nothing but hold the ones in it, so that they are nested no deeper.

    It is given the function (None for code that runs by itself), whether it stands at the top, and its structures.
    """
    body_alone: bool = False
    """A function's decisions are those of its body: what is in its head belongs to what is around it."""
    events: "Callable[[Builder, Captures], list[tuple[int, int, int, int]]] | None" = None
    """More events (see shared/metrics.py)."""
