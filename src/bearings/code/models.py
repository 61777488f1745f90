"""What the code wing speaks of. Lines are 1-based, columns 0-based in bytes; paths are project-relative, with `/`."""

from enum import StrEnum
from typing import NamedTuple

import msgspec


class Language(StrEnum):
    """A grammar, chosen by file extension."""

    TYPESCRIPT = "typescript"
    TSX = "tsx"
    JAVASCRIPT = "javascript"
    JSX = "jsx"
    PYTHON = "python"


class SymbolKind(StrEnum):
    """What an element is, as replies name it."""

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


class Confidence(StrEnum):
    """How sure an edge is: read off the syntax, followed through types, guessed by name, or taken from elsewhere."""

    EXACT = "exact"
    STRONG = "strong"
    HEURISTIC = "heuristic"
    INFERRED = "inferred"


class Location(NamedTuple):
    """A place in the project's text."""

    file: str
    line: int
    end_line: int


class Symbol(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A definition. `qualified_name` is dotted from the module's top level; a file's own symbol is its MODULE.

    `exported`: visible to other modules by the language's own rule. `doc` is the first paragraph of its comment.
    `signature` is its head on one line, without the body.
    """

    file: str
    qualified_name: str
    kind: SymbolKind
    line: int
    end_line: int
    exported: bool = False
    signature: str = ""
    doc: str = ""
    parent: str = ""

    @property
    def name(self) -> str:
        """The last part of the qualified name."""
        return self.qualified_name.rpartition(".")[2] if self.kind is not SymbolKind.MODULE else self.file

    @property
    def id(self) -> str:
        """`path#qualified.name:line`, or the path for a module: unique in a project."""
        return self.file if self.kind is SymbolKind.MODULE else f"{self.file}#{self.qualified_name}:{self.line}"


class Edge(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`source` uses `target` (symbol ids) at `file`:`line`; `reason` says how that was found."""

    source: str
    target: str
    kind: EdgeKind
    file: str
    line: int
    confidence: Confidence
    reason: str


class Outside(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A use whose target is no symbol of the project. `why` is external, builtin, ambiguous or unresolved."""

    source: str
    name: str
    kind: EdgeKind
    file: str
    line: int
    why: str
