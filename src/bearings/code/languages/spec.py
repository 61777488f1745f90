"""What the engine has to know of a language: one `LanguageSpec` in `languages/<name>/spec.py`.

Nothing outside `languages/` and `resolve/<name>/` asks which language a file is of: it asks the language's spec what it
can do, or how it writes a thing. A spec imports nothing heavy: visitors and grammars are imported when first needed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from bearings.code.models import Language

if TYPE_CHECKING:
    from bearings.code.languages.line_conventions import Idioms, LinePatterns, Measuring
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


class Offering(StrEnum):
    """How others get at what a project offers: which of its exported elements they may use."""

    ENTRIES = "entries"
    """Those that the files named in a manifest export, or export from other files."""
    PACKAGES = "packages"
    """Those with public names, in a package below a manifest."""
    FOLDERS = "folders"
    """All, but for folders that are private or hold a program."""
    UNKNOWN = "unknown"
    """Nobody can say: any of them."""


class Visitor(Protocol):
    """What a query can't say of a language. Nodes come outermost first, with the builder's frames around them."""

    def handlers(self) -> tuple[tuple[str, ...], list[Callable[..., None]]]:
        """The captures, and the method of each, which takes the visitor, a node, its start and its end."""

    def finish(self) -> None:
        """What can be said only at the end of the file."""


def _nothing() -> "Idioms":
    from bearings.code.languages.line_conventions import Idioms

    return Idioms()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)  # without what costs a hook a millisecond
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
    imported: Callable[[str, str], tuple[str, ...]] | None = None
    """Of a language by declaration: where what an import names may lie, by the importer's path and the name as written.

    Paths in the project; one that begins with `/` stands for any path that ends so.
    """

    family: str = ""
    """What languages have in common whose names mean each other's elements: C's and C++'s. Empty: its own alone."""
    counted_as: str = ""
    """The name under which its habits are counted, and its tests run, with other languages'; empty: its label."""
    types_in_comments: bool = False
    """Types are said in comments, as there are no annotations."""
    is_directive: Callable[[int, bytes], bool] | None = None
    """Whether a comment on the line of that number, from 1, means something to the language itself."""

    module_separator: str = "."
    """What stands between the parts of a module's name; `/` where modules are named by their paths."""
    package_file: str = ""
    """The name of the file that stands for its folder; empty where none does."""
    imports_folders: bool = False
    """A folder is imported, and loaded, as a whole: no import names a file."""
    implicit_interfaces: bool = False
    """A type implements an interface without naming it, so its exported methods may be called through any."""
    classes_are_shapes: bool = False
    """A thing is made without a call, and its fields are used without one: whoever names its type feels a change."""
    offering: Offering = Offering.UNKNOWN
    manifests: frozenset[str] = frozenset()
    """Files that say of the packages below them that they are installed."""
    private_folders: frozenset[str] = frozenset()
    """Names of folders whose elements nobody else may use."""

    tests: str = ""
    """An expression that finds paths of tests by their files' names, beside what is in folders of tests."""
    collected: str = ""
    """An expression for the start of names of files that are run as tests; others are if they hold any. Empty: all."""
    fixture_file: str = ""
    """The name of the file whose fixtures the tests beside and below it take by the names of their parameters."""
    test_command: Callable[[Sequence[str], Mapping[str, bytes]], str] | None = None
    """The command that runs some files of tests; it is given them and the project's manifests, by path."""

    line_patterns: "Callable[[], LinePatterns] | None" = None
    """How declarations begin; None: the fast pass takes its grammar, too."""
    idioms: "Callable[[], Idioms]" = _nothing
    """How it spells what analyses look for."""
    measuring: "Callable[[], Measuring] | None" = None
    """What its measures can't say by captures alone; None: nothing."""

    @property
    def group(self) -> str:
        """The name under which it is counted."""
        return self.counted_as or self.label

    def can(self, capability: Capability) -> bool:
        """Whether it can be asked for that."""
        return capability in self.capabilities
