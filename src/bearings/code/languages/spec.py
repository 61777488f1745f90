"""`LanguageSpec`: everything that the engine knows about a language, one instance in each `languages/<name>/spec.py`.

Code outside `languages/` and `resolve/<name>/` never compares languages. It asks the spec for a capability or for a
syntax convention instead. Specs must import fast: they import visitors and grammars on first use.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from bearings.code.models import Language

if TYPE_CHECKING:
    from tree_sitter import Node

    from bearings.code.file_facts import Mark
    from bearings.code.languages.line_conventions import Idioms, InPages, LinePatterns, Measuring
    from bearings.code.languages.shared.builder import Builder
    from bearings.code.languages.shared.captures import Captures
    from bearings.code.languages.shared.environment import Rules
    from bearings.code.languages.shared.importing import ImportRules
    from bearings.code.languages.shared.occurrences import NameRules
    from bearings.code.languages.shared.respelling import Edits, Spell
    from bearings.code.languages.shared.signatures import SignatureRules


class Capability(StrEnum):
    """A kind of question that a language can answer.

    If a capability is missing, the answer is `unknown`, never 0, 1 or an empty list.
    """

    MEASURES = "measures"
    """Complexity, nesting, parameters and lines of code."""
    EDGES = "edges"
    """Resolution of names and types to their definitions. Without it, calls are matched by name and `heuristic`."""
    TYPES = "types"
    """Resolution of a declared language through the types that it declares. Without EDGES, what reflection and
    frameworks call is not known.
    """
    ENDPOINTS = "endpoints"
    """Routes of the language's web frameworks."""
    MARKS = "marks"
    """Errors raised and caught, and decorators: the input of pattern detection."""


EVERYTHING = frozenset(Capability) - {Capability.TYPES}


class PublicApi(StrEnum):
    """Which of a project's exported symbols form its public API."""

    ENTRIES = "entries"
    """The exports and re-exports of the files that a manifest names."""
    PACKAGES = "packages"
    """The symbols with public names, in packages below a manifest."""
    FOLDERS = "folders"
    """All exported symbols, except in private folders and in folders of a program."""
    UNKNOWN = "unknown"
    """Not known: any exported symbol may be public."""


class Visitor(Protocol):
    """Extracts the facts that a language's query can't express.

    Captured nodes arrive in the order of the source, outermost first; the builder's frames already enclose the node.
    """

    def handlers(self) -> tuple[tuple[str, ...], list[Callable[..., None]]]:
        """Return the capture names and, for each, its method: called with a node, its start and end byte.

        Nodes with the same span are visited in the order of the names.
        """

    def finish(self) -> None:
        """Add the facts that are known only at the end of the file."""


def lazy_call(place: str) -> Callable[..., Any]:
    """Return a function that calls the one at `module:name` below `languages/`, imported with the first call."""
    return lambda *arguments: _imported(place)(*arguments)


def lazy_value(place: str) -> Callable[[], Any]:
    """Return a function that returns the object at `module:name` below `languages/`, imported with the first call."""
    return lambda: _imported(place)


@cache
def _imported(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(f"bearings.code.languages.{module}"), name)


def _no_idioms() -> "Idioms":
    from bearings.code.languages.line_conventions import Idioms

    return Idioms()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)  # eq and repr would cost a hook a millisecond
class LanguageSpec:
    """A language with one grammar.

    `label` is the name for people. `names` are the names that callers may pass, in addition to the extensions without
    their dot. `grammar` is `module:function` in the grammar's package. `queries` are `.scm` files below `languages/`,
    joined into one query. `comment` starts a comment that runs to the end of the line. `name_signs` are the characters
    allowed in a name besides letters, digits and `_`.
    """

    language: Language
    label: str
    extensions: tuple[str, ...]
    embedded_extensions: tuple[str, ...] = ()
    """Extensions of files in another format that contain programs of this language (`languages/embedded/`)."""
    names: tuple[str, ...] = ()
    grammar: str
    queries: tuple[str, ...]
    visitor: "Callable[[Builder], Visitor]"
    """Makes the visitor of one file, which adds to the builder the facts that queries can't express."""
    capabilities: frozenset[Capability] = frozenset()
    comment: str = "//"
    name_signs: str = ""
    decode: Callable[[bytes], bytes] | None = None
    """Converts a source to UTF-8, for a language whose sources declare their encoding."""
    masked: Callable[[bytes], bytes] | None = None
    """Replaces code that the grammar can't read with spaces; the length in bytes stays the same."""
    mended: Callable[[bytes], bytes] | None = None
    """The same for a source with syntax errors, which may be worse off: it counts if it has fewer of them."""
    stalls_parser: Callable[[bytes], bool] | None = None
    """Whether one step of the parser would take too long for this source. Parsing is given up after a number of steps,
    its budget, but a step can't be interrupted.
    """
    marks: "Callable[[Builder, Captures], Sequence[Mark]] | None" = None
    """Finds a file's marks (see Capability.MARKS); None: the language has none."""
    environment: "Callable[[], Rules] | None" = None
    """Rules that find uses of environment variables; None: they are not looked for."""
    module_candidates: Callable[[str, str], tuple[str, ...]] | None = None
    """(importer's path, module as written) → candidate paths of the module, for a declared language.

    Paths are relative to the project; one that starts with `/` matches any path with that end.
    """

    family: str = ""
    """Languages of the same family share a namespace of names, as C and C++ do. Empty: a namespace of its own."""
    is_bound: bool = False
    """Other languages may call its functions by their names, as Python calls those of Rust through a binding."""
    global_functions: bool = False
    """A name that is called alone is a function of the whole program or of its file, so one candidate is `strong`."""
    declares_apart: bool = False
    """A member is declared in one file and defined in another of the same name: `cart.h` and `cart.cpp`."""
    declarations_merge: bool = False
    """Classes and interfaces of one name in one file are one element."""
    type_ending: str = ""
    """What a use of a type may leave out at the end of its name: C#'s `[Priced]` means the class PricedAttribute."""
    names_types: bool = True
    """Code names the types that it uses, also where it has values of them: a type that a file does not name is seldom
    meant there.
    """
    convention_group: str = ""
    """The group of languages whose conventions are counted, and whose tests are run, together. Empty: `label`."""
    types_in_comments: bool = False
    """Types are written in comments, because the language has no annotations."""
    is_directive: Callable[[int, bytes], bool] | None = None
    """(1-based line, comment) → whether the comment has a meaning in the language itself."""

    module_separator: str = "."
    """The separator in module names; `/` if modules are named by their paths."""
    package_file: str = ""
    """The name of the file that represents its folder as a module; empty for none."""
    imports_folders: bool = False
    """Imports name folders, never files; a folder is loaded as a whole."""
    implicit_interfaces: bool = False
    """A type implements an interface without naming it, so its exported methods may be called through any interface."""
    interface_head: str = ""
    """A regular expression for the start of the head of a type that a class fits without naming it, by its members."""
    classes_are_shapes: bool = False
    """Objects are created and their fields read without a call, so a change of a type affects every use of its name."""
    public_api: PublicApi = PublicApi.UNKNOWN
    manifests: frozenset[str] = frozenset()
    """Names of files that declare the packages below them as installable."""
    program: str = ""
    """A regular expression for a manifest of a program: no other project uses what it holds."""
    main_method: str = ""
    """A regular expression for the signature of a method at which a program begins."""
    import_settings: str = ""
    """A regular expression for names of files that configure how imports resolve."""
    paths_sharing_names: str = ""
    """A regular expression for paths of files that use names of other files without an import, as do all files without
    imports and exports. Empty: no file does, or such uses are found by name.
    """
    minified: str = ""
    """A regular expression for the end of names of minified files, which are not read."""
    tooling_paths: str = ""
    """A regular expression for paths of files beside the project's own code, such as settings of tools."""
    run_by_construction: frozenset[str] = frozenset()
    """Methods that the construction of an object runs, beside its constructor."""
    meant_by_class: frozenset[str] = frozenset()
    """Methods that code may mean by naming their class alone: handlers of a resource."""
    called_unnamed: frozenset[str] = frozenset()
    """Methods that the language or its library calls without their names, by its operators or interfaces."""
    hooks: str = ""
    """A regular expression for names of functions and methods that widespread tools call by themselves."""
    library_packages: str = ""
    """A regular expression for packages of the language's library: the compiler knows what a project adds to them."""
    hook_head: str = ""
    """A regular expression for signatures of members that the language or a library uses without naming them."""
    found_by_name: str = ""
    """A regular expression for names of classes that frameworks find by them, to call what is not private."""
    late_binding: bool = False
    """Code may compose the names of classes that it makes, and a class reads the fields of those below it."""
    told_of_subclasses: str = ""
    """The method of a class that is called for each of its subclasses."""
    lists_subclasses: str = ""
    """The method of a class that lists its subclasses."""
    metaclass: str = ""
    """A regular expression for the part of a class's head by which its metaclass may store it."""
    package_roots: str = ""
    """A regular expression for folders below which a folder's name is part of a package: one called `example` holds
    the project's own code there, as in `src/main/java/com/example`. Empty: no folder is known to be one.
    """
    source_roots: str = ""
    """A regular expression for folders below which `docs`, `scripts`, `demo` and the like are parts of the program, but
    not `mocks` and `fixtures`: `src/pages/docs`, `resources/scripts`.
    """
    private_folders: frozenset[str] = frozenset()
    """Names of folders whose symbols other projects can't import."""

    test_paths: str = ""
    """A regular expression for paths of test files, in addition to all files in test folders."""
    collected_names: str = ""
    """A regular expression for the start of file names that the test runner collects. Files that don't match count as
    tests only if they contain any. Empty: every file matches.
    """
    case_head: str = ""
    """A regular expression for the signature of a function that is a test. Empty: names tell tests."""
    fixture_file: str = ""
    """The name of the file whose fixtures are passed to tests in its folder and below, by parameter name."""
    tests_loading: Callable[[str, Mapping[str, bytes]], str] | None = None
    """(path, project manifests by path) → a regular expression for the start of the paths of tests that a runner loads
    the file for, as its settings or conventions say; empty for none.
    """
    mocks_folder: str = ""
    """The name of the folder whose files stand in for the files beside it in tests."""
    test_command: Callable[[Sequence[str], Mapping[str, bytes]], str] | None = None
    """(test files, project manifests by path) → the command that runs these tests."""

    line_patterns: "Callable[[], LinePatterns] | None" = None
    """Patterns of declarations for the fast pass, which reads lines without parsing (the lexical scan of `engine/`).
    None: the fast pass uses the grammar, too.
    """
    idioms: "Callable[[], Idioms]" = _no_idioms
    """Patterns of calls and declarations that analyses search for."""
    measuring: "Callable[[], Measuring] | None" = None
    """Rules for complexity that captures alone can't express; None for none."""
    template_path: str = ""
    """A regular expression for what precedes a class in its file, if it names the file of its template."""
    names_in_template: Callable[[str], Iterable[tuple[str, int, bool]]] | None = None
    """(template) → the members of its class that it names, each with its line and whether it is called."""
    pages: str = ""
    """A regular expression for the ends of paths of pages that name elements, and are no sources."""
    in_pages: "Callable[[str, str, str], InPages | None] | None" = None
    """(path, text, signature) → how pages name an element. The text is that of an endpoint's file, or before another
    element.
    """
    provides: str = ""
    """A regular expression for what has a container give objects of a class, `%s`, for a type, its first group."""
    providing: tuple[str, ...] = ()
    """The words of which one is in each of these places."""
    name_rules: "Callable[[], NameRules] | None" = None
    """Rules that tell what an occurrence of a name is; None if elements can't be renamed or removed."""
    import_rules: "Callable[[], ImportRules] | None" = None
    """How imports are written; None if none can be added."""
    signature_rules: "Callable[[], SignatureRules] | None" = None
    """Rules that tell parameters and arguments; None if signatures can't be changed."""
    library_members: "Callable[[], Callable[[str], Iterable[str] | None]] | None" = None
    """The members of a class of the standard library by its whole name; None for one that is not known."""
    respelled: "Callable[[Node, bytes, Spell], Edits] | None" = None
    """(root of the tree, source, names) → the edits that give modules other names; None if files can't be moved."""
    read_by_path: str = ""
    """A regular expression for paths of files that tools and frameworks read because they are called so."""
    keyword_arguments: bool = False
    """Arguments may be passed by the names of parameters, so that another name breaks callers."""
    missing_arguments: bool = False
    """A call may leave out any argument, and the function looks whether it is there."""
    reserved: frozenset[str] = frozenset()
    """Words that can't be names."""
    predefined_names: frozenset[str] = frozenset()
    """Names that the language gives a meaning."""

    @property
    def group(self) -> str:
        """The name under which its conventions are counted, together with related languages."""
        return self.convention_group or self.label

    @property
    def is_declared(self) -> bool:
        """Whether a query describes its elements, of which each overload is one, and tables of names resolve them."""
        return not self.can(Capability.EDGES) or self.can(Capability.TYPES)

    @property
    def has_endpoints(self) -> bool:
        """Whether routes of its web frameworks are read."""
        return self.can(Capability.ENDPOINTS)

    def can(self, capability: Capability) -> bool:
        """Whether the language has a capability."""
        return capability in self.capabilities
