"""How a language by declaration writes what its query can't say: plain data, read by the one visitor of them all."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bearings.code.languages.shared.builder import Builder
    from bearings.code.languages.spec import Visitor


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a language's own `symbols.scm` leaves open. Patterns are regular expressions.

    An element is exported unless its head holds `hidden` before its name, or lacks `public` there where that is not
    empty, or what it belongs to is not exported. A head is a declaration on one line, without its body and what
    `attributes` matches.
    Members of interfaces, enums and implementations need no `public`.
    """

    public: str = ""
    hidden: str = ""
    hidden_at_top: str = ""
    """As `hidden`, of what belongs to no type."""
    private_in: tuple[str, ...] = ()
    """Types of nodes whose members are hidden until a `@visibility` says otherwise."""
    attributes: str = r"@(?!interface\b)[\w.]+(?:\((?:[^()]|\([^()]*\))*\))?"
    """What stands before a head, or between it and its comment, and is part of neither."""
    line_docs: tuple[str, ...] = ()
    """How the lines of a documentation comment begin."""
    block_docs: tuple[str, ...] = ("/**",)
    """How a block of documentation begins."""
    constructors: tuple[str, ...] = ()
    """Names of methods that make an object of their type; `=` stands for the type's own name."""
    makers: tuple[str, ...] = ()
    """Names that make an object of the type whose they are: `Shop.new` constructs `Shop`."""
    only: Mapping[str, str] = field(default_factory=dict)
    """By capture what the source of its nodes begins with; other nodes don't count. A group `module` is what counts."""


def by_declaration(rules: Rules) -> "Callable[[Builder], Visitor]":
    """The visitor of a language that has a query and rules alone."""

    def made(into: "Builder") -> "Visitor":
        from bearings.code.languages.shared.declared import Declared

        return Declared(into, rules)

    return made
