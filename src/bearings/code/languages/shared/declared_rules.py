"""`Rules`: syntax conventions of a declared language that its query can't express, as plain data for the visitor."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bearings.code.languages.spec import lazy_call

if TYPE_CHECKING:
    from bearings.code.languages.shared.route_tables import Container, Framework


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Rules:
    """Conventions of a declared language. All patterns are regular expressions.

    A symbol is exported unless the modifiers before its name match `hidden`, or don't match a non-empty `public`, or
    its enclosing definition is not exported. Members of interfaces, enums and implementations don't need `public`.
    """

    public: str = ""
    hidden: str = ""
    hidden_at_top: str = ""
    """Like `hidden`, for symbols outside a type."""
    private_in: tuple[str, ...] = ()
    """Node types whose members are private until a `@visibility` says otherwise."""
    attributes: str = r"@(?!interface\b)[\w.]+(?:\((?:[^()]|\([^()]*\))*\))?"
    """Annotations before a declaration: they are left out of its signature, and may follow its comment."""
    case_attributes: str = ""
    """Attributes that make a function a test: the signature begins with the first of them, in brackets."""
    line_docs: tuple[str, ...] = ()
    """Prefixes of the lines of a documentation comment."""
    block_docs: tuple[str, ...] = ("/**",)
    """Starts of a documentation comment in a block."""
    constructors: tuple[str, ...] = ()
    """Names of constructor methods; `=` stands for the name of the type."""
    makers: tuple[str, ...] = ()
    """Methods that construct the type on which they are called: `Shop.new` constructs `Shop`."""
    frameworks: "Callable[[], Sequence[Framework]] | None" = None
    """What registers endpoints; None: they are not looked for."""
    container: "Callable[[], Container] | None" = None
    """What connects types; None: it is not looked for."""
    only: Mapping[str, str] = field(default_factory=dict)
    """Capture → pattern for the start of its nodes; nodes that don't match are ignored.

    In a pattern for imports, a group `module` matches the module.
    """


def environment(reads: str, writes: str = "", mappings: str = "") -> Callable[[], Any]:
    """Return the function that makes the rules of environment variables: names of functions and of mappings."""
    rules = lazy_call("shared.declared_environment:by_text")
    return lambda: rules(reads, writes, mappings)


def by_declaration(rules: Rules, visitor: str = "shared.declared:Declared") -> Callable[..., Any]:
    """Return the function that makes the visitor of a declared language, perhaps one that reads its types, too."""
    make = lazy_call(visitor)
    return lambda builder: make(builder, rules)
