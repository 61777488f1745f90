"""The models of the code wing. Lines are 1-based, columns 0-based in bytes; paths are project-relative, with `/`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NamedTuple, Protocol

import msgspec


class Language(StrEnum):
    """A grammar, chosen by file extension."""

    TYPESCRIPT = "typescript"
    TSX = "tsx"
    JAVASCRIPT = "javascript"
    JSX = "jsx"
    PYTHON = "python"
    GO = "go"
    RUST = "rust"
    JAVA = "java"
    C = "c"
    CPP = "cpp"
    CSHARP = "csharp"
    KOTLIN = "kotlin"
    RUBY = "ruby"
    PHP = "php"
    SWIFT = "swift"


class SymbolKind(StrEnum):
    """The kind of an element, as replies name it."""

    MODULE = "module"
    FUNCTION = "function"
    CLASS = "class"
    COMPONENT = "component"
    HOOK = "hook"
    METHOD = "method"
    CONSTRUCTOR = "constructor"
    CONSTANT = "constant"
    VARIABLE = "variable"
    INTERFACE = "interface"
    TYPE = "type"
    ENUM = "enum"
    PROPERTY = "property"
    DECORATOR = "decorator"
    ENDPOINT = "endpoint"
    SCHEMA = "schema"


CALLED: Final = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.COMPONENT, SymbolKind.HOOK}
)
"""The kinds of elements that a program calls."""
VARIABLES: Final = frozenset({SymbolKind.CONSTANT, SymbolKind.VARIABLE})
TYPES: Final = frozenset({SymbolKind.INTERFACE, SymbolKind.TYPE})
"""Kinds of which nothing is left when a program runs."""
UNNAMED: Final = frozenset({SymbolKind.MODULE, SymbolKind.ENDPOINT})
"""Kinds that source doesn't call by their names."""
MEMBERS: Final = frozenset({SymbolKind.METHOD, SymbolKind.PROPERTY})
"""Kinds that are also used through the members that they override."""


class EdgeKind(StrEnum):
    """How one symbol uses another."""

    IMPORT = "import"
    EXPORT = "export"
    CALL = "call"
    NEW = "new"
    JSX = "jsx"
    EXTENDS = "extends"
    IMPLEMENTS = "implements"
    REFERENCE = "reference"
    TYPE = "type"
    READ = "read"
    WRITE = "write"
    REQUEST = "request"


IMPORTS: Final = frozenset({EdgeKind.IMPORT, EdgeKind.EXPORT})
USES: Final = frozenset(EdgeKind) - IMPORTS
HEIRS: Final = frozenset({EdgeKind.EXTENDS, EdgeKind.IMPLEMENTS})
WRITTEN_CALLS: Final = frozenset({EdgeKind.CALL, EdgeKind.NEW})
"""Uses with arguments in brackets."""
CALLS: Final = WRITTEN_CALLS | {EdgeKind.JSX}


class Confidence(StrEnum):
    """The confidence of an edge: syntax alone, followed through types, guessed by name, or from another source."""

    EXACT = "exact"
    STRONG = "strong"
    HEURISTIC = "heuristic"
    INFERRED = "inferred"


class Location(NamedTuple):
    """A range of lines in a file."""

    file: str
    line: int
    end_line: int


class Detail(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The role of a symbol beside its kind: an ENDPOINT, a SCHEMA, a DECORATOR or the like.

    `by` is the framework or rule that gives the role. An endpoint has a `method` (upper case; ANY for all), a `path` in
    its framework's syntax, with the prefixes of its file, and the `handler` as written, empty if it has no name.
    `router` is the variable of the file whose router holds it, if a Mount may name that: `default` for a default
    export, in Go the function that registers it, empty for none.
    """

    role: SymbolKind
    by: str
    method: str = ""
    path: str = ""
    handler: str = ""
    router: str = ""


def last_part(qualified_name: str) -> str:
    """The last part of a dotted name: `total` of `Cart.total`, `[Symbol.iterator]` of `Cart.[Symbol.iterator]`."""
    if qualified_name.endswith("]"):
        name = qualified_name[qualified_name.rfind(".[") + 1 :]
        if name.startswith("["):
            return name
    return qualified_name.rpartition(".")[2]


class Symbol(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A definition. `qualified_name` is dotted from the module's top level; a file's own symbol is its MODULE.

    An ENDPOINT is a registration instead of a definition; its name is its method and path, `GET /users/:id`.
    `exported` means visible to other modules by the language's own rule. `doc` is the first paragraph of its comment.
    `signature` is its head on one line, without the body. `inside` is its container as `qualified.name:line`, empty at
    the top of a file.
    """

    file: str
    qualified_name: str
    kind: SymbolKind
    line: int
    end_line: int
    exported: bool = False
    signature: str = ""
    doc: str = ""
    inside: str = ""
    detail: Detail | None = None

    @property
    def type(self) -> SymbolKind:
        """The kind that replies show: its role, if it has one, else its kind."""
        return self.kind if self.detail is None else self.detail.role

    @property
    def name(self) -> str:
        """The last part of the qualified name."""
        if self.kind is SymbolKind.ENDPOINT:
            return self.qualified_name
        return last_part(self.qualified_name) if self.kind is not SymbolKind.MODULE else self.file

    @property
    def parent(self) -> str:
        """The id of its container; empty for a module."""
        if self.inside:
            return f"{self.file}#{self.inside}"
        return "" if self.kind is SymbolKind.MODULE else self.file

    @property
    def id(self) -> str:
        """`path#qualified.name:line`, or the path for a module: unique in a project."""
        return self.file if self.kind is SymbolKind.MODULE else f"{self.file}#{self.qualified_name}:{self.line}"


BY_NAME: Final = "same name"
"""The reason of edges in a language whose names are not followed: see languages.spec.Capability.EDGES."""

EVERYTHING: Final = "/.everything/"
"""The cell that stands for all files, where a file's uses depend on too many to list."""

BY_FRAMEWORK: Final = "called by"
"""The start of the reason of edges to functions that a framework calls; its name follows."""


EMBEDDED: Final = "embedded"
"""The reason of an edge to a type that is embedded: a field has its name."""

NAME_IMPORTED: Final = "import of the name"
NAME_EXPORTED: Final = "re-export of the name"
"""The reasons of edges to a name beside the edge to its module, from the same line."""


REPLACED: Final = "replaced"
"""The reason of an edge from what puts another value in the place of a function, a class or a module: a test's mock."""


STARTED: Final = "started"
"""The reason of an edge from what runs a module in a worker."""


class Edge(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`source` uses `target` (symbol ids) at `file`:`line`; `reason` says how the resolver found it."""

    source: str
    target: str
    kind: EdgeKind
    file: str
    line: int
    confidence: Confidence
    reason: str

    @property
    def is_guess(self) -> bool:
        """Whether answers count the edge without following it. BY_NAME edges are followed, as there are no others."""
        return self.confidence is Confidence.HEURISTIC and self.reason != BY_NAME

    @property
    def is_name_of_import(self) -> bool:
        """Whether it leads to a name in an import, so that another edge of that line leads to the module."""
        return self.reason == NAME_IMPORTED or self.reason == NAME_EXPORTED

    @property
    def is_replacement(self) -> bool:
        """Whether its source puts another value in the place of the target, and so does not run it."""
        return self.reason == REPLACED


class Outside(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A use whose target is no symbol of the project. `why` is external, builtin, ambiguous or unresolved."""

    source: str
    name: str
    kind: EdgeKind
    file: str
    line: int
    why: str


class Installed(Protocol):
    """The packages installed below a project's root, as they are; see installed.py."""

    @property
    def root(self) -> str:
        """The absolute path of the project's root."""
        ...

    @property
    def folders(self) -> Sequence[str]:
        """The folders of Python's packages, below the root like all paths here."""
        ...

    def first(self, paths: Iterable[str]) -> str:
        """The real path of the first file that is there, below the root; empty for none."""
        ...

    def has_folder(self, path: str) -> bool:
        """Whether a folder is there."""
        ...

    def manifest(self, folder: str) -> Mapping[str, Any] | None:
        """The package.json of a package; None without a folder."""
        ...

    def facts(self, path: str) -> Any:
        """The FileFacts of a file that `first` has named; those of an empty file beyond the budget."""
        ...


@dataclass(frozen=True, slots=True)
class ProjectFiles:
    """The resolver's view of the tree: the paths of all files, and the bytes of the manifests.

    Manifests are package.json, tsconfig*.json, jsconfig.json, pyproject.toml, go.mod and go.work, by relative path.
    `installed` has the packages that are installed beside them; None if there are none.
    """

    paths: frozenset[str]
    manifests: Mapping[str, bytes] = field(default_factory=dict)
    installed: Installed | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Resolution:
    """Edges between the project's symbols, and the uses that lead to none of them."""

    edges: tuple[Edge, ...]
    outside: tuple[Outside, ...]
