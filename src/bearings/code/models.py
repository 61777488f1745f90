"""What the code wing speaks of. Lines are 1-based, columns 0-based in bytes; paths are project-relative, with `/`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Final, NamedTuple

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
    TYPE = "type"


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


class Detail(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a symbol is used as, beside what its kind says: an ENDPOINT, a SCHEMA, a DECORATOR or the like.

    `by` is the framework or the rule that says so. An endpoint has a `method` (upper case; ANY for all), a `path` as
    its framework writes it, with the prefixes that the file gives it, and the `handler` as written, empty where it has
    no name.
    """

    role: SymbolKind
    by: str
    method: str = ""
    path: str = ""
    handler: str = ""


class Symbol(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A definition. `qualified_name` is dotted from the module's top level; a file's own symbol is its MODULE.

    An ENDPOINT is no definition but a registration: it is called by its method and path, `GET /users/:id`.
    `exported`: visible to other modules by the language's own rule. `doc` is the first paragraph of its comment.
    `signature` is its head on one line, without the body. `inside` is what holds it, as `qualified.name:line`, empty at
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
        """What replies call it: the role that it is used in, if it has one, else its kind."""
        return self.kind if self.detail is None else self.detail.role

    @property
    def name(self) -> str:
        """The last part of the qualified name."""
        if self.kind is SymbolKind.ENDPOINT:
            return self.qualified_name
        return self.qualified_name.rpartition(".")[2] if self.kind is not SymbolKind.MODULE else self.file

    @property
    def parent(self) -> str:
        """The id of what holds it; empty for a module."""
        if self.inside:
            return f"{self.file}#{self.inside}"
        return "" if self.kind is SymbolKind.MODULE else self.file

    @property
    def id(self) -> str:
        """`path#qualified.name:line`, or the path for a module: unique in a project."""
        return self.file if self.kind is SymbolKind.MODULE else f"{self.file}#{self.qualified_name}:{self.line}"


BY_NAME: Final = "same name"
"""Why an edge is drawn in a language whose names are not followed: see languages.spec.Capability.EDGES."""


class Edge(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`source` uses `target` (symbol ids) at `file`:`line`; `reason` says how that was found."""

    source: str
    target: str
    kind: EdgeKind
    file: str
    line: int
    confidence: Confidence
    reason: str

    @property
    def is_guess(self) -> bool:
        """Whether answers count it and do not follow it. What is drawn by name is all that its language has."""
        return self.confidence is Confidence.HEURISTIC and self.reason != BY_NAME


class Outside(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A use whose target is no symbol of the project. `why` is external, builtin, ambiguous or unresolved."""

    source: str
    name: str
    kind: EdgeKind
    file: str
    line: int
    why: str


class ScopeKind(IntEnum):
    """What opens a scope. An ARROW keeps the `this` of its surroundings; a BLOCK holds `let`, or a comprehension."""

    MODULE = 0
    FUNCTION = 1
    ARROW = 2
    CLASS = 3
    BLOCK = 4


class Scope(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A lexical scope; the first of a file is its module's. `parent` indexes `FileFacts.scopes`, -1 for none.

    `symbol` indexes `FileFacts.symbols`: the innermost declaration whose code this is.
    """

    kind: ScopeKind
    parent: int
    symbol: int


class BindingKind(IntEnum):
    """What a name stands for. `TYPE…` kinds are seen by types alone; OUTER hands over to the scopes around.

    NARROWED: what a name known otherwise is on the lines between `line` and `target`, both not among them.
    """

    SYMBOL = 0
    IMPORT = 1
    PARAMETER = 2
    LOCAL = 3
    TYPE = 4
    TYPE_PARAMETER = 5
    OUTER = 6
    NARROWED = 7


class Binding(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A name in a scope: a row of its binding table.

    `target` indexes `symbols` or `imports`, depending on the kind, or is -1. `type` is the annotation as written, on
    one line; for a type parameter it is the constraint, else the default; for a method's first parameter in Python it
    is `@self` or `@cls`. `value` is an expression (see CallSite). Both are empty for none.

    Some names can't occur in code. They bind:

    - `return`: a value that the scope's function returns; names in it are looked up in the scope `target`.
    - `()`, `new()`, `[]`: the call, construct and index signature of the scope's interface.
    - `...`: a value that is spread into the scope's object literal.
    - `^n:0`: the callback of call n of `map` or the like; `^n:()`: a function that call n calls where it is written.
      `target` is the function's scope.
    - `^n:=`: the first argument of call n.
    - `@k`, `+k`: an expression without a name: with an asserted type (`@k`), or an array of `value` (`+k`).
    - `@k` with the value `&tests&name`: a name where tests hold. Tests are separated by `|`; each is a class, or `#n:i`
      for argument i of the predicate call n.
    - `{hash.name`: the member `name` of the object type whose text has that hash.
    """

    scope: int
    name: str
    kind: BindingKind
    line: int
    target: int = -1
    type: str = ""
    value: str = ""


class ImportKind(IntEnum):
    """How a module is asked for: TYPE vanishes when compiled, DYNAMIC is `import()` or `importlib`."""

    STATIC = 0
    TYPE = 1
    REQUIRE = 2
    DYNAMIC = 3


class Import(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One name that a file takes from a module.

    `module` is the specifier as written (Python: dots and all). `name` is what is taken: a name, `default`, `*` for the
    module itself or for a star import, empty for its side effects alone. `local` is what it is called here, empty for
    a star import into this scope.
    """

    module: str
    name: str
    local: str
    line: int
    scope: int = 0
    kind: ImportKind = ImportKind.STATIC


class Export(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One name that a file offers.

    `name` is `*` for everything, `=` for CommonJS's whole `module.exports`. `local` is an expression in the module's
    scope (`exports.x` for what an assignment to that declares), or with `module` a name there. A Python file's exports
    are its `__all__`, if it has one.
    """

    name: str
    local: str
    module: str
    line: int


class CallSite(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A use of a name: `callee` is called, constructed, rendered or used as a decorator, in `scope`, at `line`.

    `callee` is an expression: a dotted chain of a root and steps, such as `cart.items.[0].price`. `types` are the type
    arguments as written. Calls and `new` come before other uses; call n is the n-th one in the order of the source. A
    call of `import` or `require` is also an Import with the local name `#n`.

    A root is one of:

    - a name, which is looked up from `scope`; `this`, `super`; in Go also `x$1` (a local variable) and `:T` (a type);
    - `#n`, `~n`: the result of call n, or the result awaited;
    - `^n:i:j`: parameter j of the function that is argument i of call n. `^n:i/key:j` is the same for a function in an
      object literal, under a key; a key may also be `[0]` (an element) or `()` (the result of a function);
    - `%k`: the object literal whose properties are the bindings of scope k;
    - `@k`, `+k`: the binding of that name (see Binding);
    - `?`: unknown.

    A step is one of:

    - a name: a member;
    - `[]`, `[0]`: any element, or the element at an index;
    - `@`: the value that a loop takes from an iterable; in Go `[range]` is the first value, `[<-]` a received one;
    - `[with]`, `[async with]`, `[except]`: the value that such a statement binds.
    """

    kind: EdgeKind
    callee: str
    line: int
    scope: int
    types: str = ""


class Trait:
    """What is said of a symbol beside its kind: bits of `Shape.traits`, plain numbers as millions are compared.

    CONSTRUCTS: a function that `new` makes objects with, as its prototype or its assignments to `this` tell.
    """

    NONE: Final = 0
    STATIC: Final = 1
    ACCESSOR: Final = 2
    ASYNC: Final = 4
    ABSTRACT: Final = 8
    DEFAULT: Final = 16
    OPTIONAL: Final = 32
    GENERATOR: Final = 64
    CONSTRUCTS: Final = 128
    ALIAS: Final = 256


class Shape(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a resolver needs of the symbol at the same index of `symbols`.

    `scope` is where it is declared (its types and bases are looked up there), `parent` the index of what it is a member
    of or nested in (0: the module, itself -1). `inner` is its own scope, or -1. Types are as written, on one line. Of a
    decorated Python function, `value` is its outermost decorator; of a variable that names a type, `returns` is that.
    """

    scope: int = 0
    parent: int = 0
    inner: int = -1
    returns: str = ""
    type: str = ""
    value: str = ""
    bases: tuple[str, ...] = ()
    implements: tuple[str, ...] = ()
    traits: int = 0


class Measure(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """How complex the function at `symbol` in `symbols` is; 0 stands for the module's own code. See languages.metrics.

    `nameless` are the decisions in functions inside it that are no symbols: part of none of the other figures.
    """

    symbol: int
    cyclomatic: int
    cognitive: int
    nesting: int
    parameters: int
    code_lines: int
    nameless: int = 0


class MarkKind(IntEnum):
    """What a mark is. SWALLOW is a handler that does nothing."""

    DECORATOR = 0
    RAISE = 1
    CATCH = 2
    SWALLOW = 3


class Mark(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Something that stands at a line: a decorator, what is raised, the types that a handler takes, by their names."""

    kind: MarkKind
    line: int
    text: str


class FileFacts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """All that one file says, read once: enough to resolve it against the others without its text.

    `symbols[0]` is the file's MODULE; `shapes` is as long as `symbols`. `errors` counts what the grammar could not
    read; `generated`: its first comments call it a program's work; `given_up`: it takes more than its budget to parse,
    so there is nothing but its module. Everything is in the order of the source, but for
    properties that only assignments declare: those come last.
    """

    path: str
    language: Language
    lines: int
    symbols: tuple[Symbol, ...]
    shapes: tuple[Shape, ...] = ()
    scopes: tuple[Scope, ...] = ()
    bindings: tuple[Binding, ...] = ()
    imports: tuple[Import, ...] = ()
    exports: tuple[Export, ...] = ()
    sites: tuple[CallSite, ...] = ()
    errors: int = 0
    generated: bool = False
    measures: tuple[Measure, ...] = ()
    marks: tuple[Mark, ...] = ()
    mentions: tuple[CallSite, ...] = ()
    given_up: bool = False


@dataclass(frozen=True, slots=True)
class ProjectFiles:
    """What the resolver knows of the tree: all source files' paths, and the bytes of the manifests found in it.

    Manifests are package.json, tsconfig*.json, jsconfig.json, pyproject.toml, go.mod and go.work, by relative path.
    """

    paths: frozenset[str]
    manifests: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Resolution:
    """Edges between the project's symbols, and the uses that lead to none of them."""

    edges: tuple[Edge, ...]
    outside: tuple[Outside, ...]
