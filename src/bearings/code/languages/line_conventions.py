"""Syntax conventions of a language for the fast pass, the pattern detectors and the complexity measures.

Specs load these on first use, because they hold compiled regular expressions.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import re

    from tree_sitter import Node

    from bearings.code.file_facts import Mark
    from bearings.code.languages.shared.builder import Builder
    from bearings.code.languages.shared.captures import Captures
    from bearings.code.models import SymbolKind


@dataclass(frozen=True, slots=True, kw_only=True)
class LinePatterns:
    """Regular expressions for the starts of declarations, used by the fast pass, which reads a file line by line.

    A pattern has the groups `indent` and `name`; if it has a group `owner`, a method needs no enclosing class.
    `kind` refines the kind of a matched declaration by its name.
    """

    patterns: "tuple[tuple[re.Pattern[str], SymbolKind], ...]"
    is_exported: "Callable[[re.Match[str]], bool]"
    kind: "Callable[[SymbolKind, str], SymbolKind]"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Idioms:
    """Code patterns that analyses detect. Expressions for calls are searched for in the callee."""

    middleware: "re.Pattern[str] | None" = None
    """Calls that add middleware, in addition to the ones that all languages share."""
    listens: "re.Pattern[str] | None" = None
    """Calls that register an event handler."""
    sends: "re.Pattern[str] | None" = None
    """Calls that send an event."""
    hook: "re.Pattern[str] | None" = None
    """Calls of hooks; group 1 is the hook's name."""
    context_ends: tuple[frozenset[str], ...] = ()
    """Sets of methods; a class that has all methods of one set is a context manager."""
    context_makers: frozenset[str] = frozenset()
    """Decorators that turn a generator into a context manager."""
    idle_decorators: "re.Pattern[str] | None" = None
    """Names of decorators that give what they stand at to no framework."""
    finds_types: frozenset[str] = frozenset()
    """Names of functions that find classes by what these extend or implement."""
    error: "Callable[[Mark], tuple[str, str] | None] | None" = None
    """Returns the name of the error handling pattern that a mark belongs to, and a description; None for no pattern."""
    function_value: "re.Pattern[bytes] | None" = None
    """A named function or class expression used as a value: it is not unused if no code uses its name."""
    augments: "re.Pattern[bytes] | None" = None
    """The line that opens a block whose declarations add to those of a library or of all files."""
    hands_out: "re.Pattern[bytes] | None" = None
    """A line of a comment above an element by which the compiler or a framework gives it to other code."""
    hands_on: str = ""
    """The places that hand a value over to any code, as a regular expression in which `{name}` is the value's name."""
    own_lookup: "re.Pattern[bytes] | None" = None
    """Code in a class that calls a member of its own by a name that it computes."""
    looked_up: frozenset[str] = frozenset()
    """Names that frameworks look for among the exports of a module."""
    continues: "re.Pattern[str] | None" = None
    """The signature of a constant whose value is the next one after the constant above."""
    counts: "re.Pattern[str] | None" = None
    """The signature of a constant that begins an enumeration: it has a type, and a counter as its value."""
    named_lookup: "re.Pattern[str] | None" = None
    """Code that looks a name up by text, which it may compose at run time."""
    scans: "re.Pattern[bytes] | None" = None
    """Code that goes through all declarations of its own `module`, or all `members` of its own class, by group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measuring:
    """A language's rules for complexity that captures alone can't express."""

    only_holds: "Callable[[Node | None, bool, int], bool]"
    """Whether a function only wraps inner functions, so that these are not nested one level deeper.

    Arguments: the function's node (None for code that runs by itself, such as a class body), whether the function is at
    the top level, and its number of structures.
    """
    body_alone: bool = False
    """Only decisions in the body count for a function; those in its parameters count for the enclosing code."""
    events: "Callable[[Builder, Captures], list[tuple[int, int, int, int]]] | None" = None
    """Returns additional events (see shared/metrics.py)."""


class InPages(NamedTuple):
    """How pages name an element: by its name, in places that a pattern finds; `needed` must be found in a page, too."""

    name: str
    pattern: str
    needed: str
