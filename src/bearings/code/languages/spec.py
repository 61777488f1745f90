"""What the engine has to know of a language: one `LanguageSpec` in `languages/<name>/spec.py`.

Nothing outside `languages/` and `resolve/<name>/` asks which language a file is of: it asks the language's spec what it
can do, or how it writes a thing. A spec imports nothing heavy: visitors and grammars are imported when first needed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from bearings.code.models import Language

if TYPE_CHECKING:
    from bearings.code.languages.shared.builder import Builder
    from bearings.code.languages.shared.trees import Captures
    from bearings.code.models import Mark


class Capability(StrEnum):
    """What a language can be asked. Where one is missing, the answer is `unknown`: never 0, 1 or an empty list."""

    MEASURES = "measures"
    """Complexity, nesting, parameters and lines of code."""
    EDGES = "edges"
    """Names and types are followed to what they mean. Without it, calls are matched by name: `heuristic`."""
    ENDPOINTS = "endpoints"
    """Routes of its web frameworks."""
    MARKS = "marks"
    """Errors raised and caught, and decorators: what patterns are made of."""


EVERYTHING = frozenset(Capability)


class Visitor(Protocol):
    """What a query can't say of a language. Nodes come outermost first, with the builder's frames around them."""

    def handlers(self) -> tuple[tuple[str, ...], list[Callable[..., None]]]:
        """The captures, and the method of each, which takes the visitor, a node, its start and its end."""

    def finish(self) -> None:
        """What can be said only at the end of the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageSpec:
    """A language, as its grammar reads it.

    `label` is its name for people. `names` are what callers call it, beside its extensions without their dot.
    `grammar` is `module:function` of the grammar's package, `queries` are the `.scm` files below `languages/` that
    make up its one query. `comment` begins a comment that ends with the line. `name_signs` are characters beside
    letters, digits and `_` that a name may hold.
    """

    language: Language
    label: str
    extensions: tuple[str, ...]
    inside: tuple[str, ...] = ()
    """Extensions of files of another format that hold programs in it (`languages/embedded/`)."""
    names: tuple[str, ...] = ()
    grammar: str
    queries: tuple[str, ...]
    visitor: "Callable[[Builder], Visitor]"
    capabilities: frozenset[Capability] = frozenset()
    comment: str = "//"
    name_signs: str = ""
    decode: Callable[[bytes], bytes] | None = None
    """Source in another encoding → UTF-8, for a language whose sources name their own."""
    masked: Callable[[bytes], bytes] | None = None
    """Source with spaces over what its grammar can't read, byte for byte as long."""
    is_hopeless: Callable[[bytes], bool] | None = None
    """Whether its parser would take too long for a budget of steps to end it."""
    marks: "Callable[[Builder, Captures], Sequence[Mark]] | None" = None
    family: str = ""
    """What languages have in common whose names mean each other's elements: C's and C++'s. Empty: its own alone."""
    imported: Callable[[str, str], tuple[str, ...]] | None = None
    """Of a language by declaration: where what an import names may lie, by the importer's path and the name as written.

    Paths in the project; one that begins with `/` stands for any path that ends so.
    """

    def can(self, capability: Capability) -> bool:
        """Whether it can be asked for that."""
        return capability in self.capabilities
