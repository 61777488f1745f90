"""The models of the code wing. Lines are 1-based, columns 0-based in bytes; paths are project-relative, with `/`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Final, NamedTuple

import msgspec

from bearings.code.expressions import Expression, Typed
from bearings.code.type_expressions import FunctionType, TypeExpression


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
    export, empty for none.
    """

    role: SymbolKind
    by: str
    method: str = ""
    path: str = ""
    handler: str = ""
    router: str = ""


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
        return self.qualified_name.rpartition(".")[2] if self.kind is not SymbolKind.MODULE else self.file

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

BY_FRAMEWORK: Final = "called by"
"""The start of the reason of edges to functions that a framework calls; its name follows."""


NAME_IMPORTED: Final = "import of the name"
NAME_EXPORTED: Final = "re-export of the name"
"""The reasons of edges to a name beside the edge to its module, from the same line."""


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


class Outside(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A use whose target is no symbol of the project. `why` is external, builtin, ambiguous or unresolved."""

    source: str
    name: str
    kind: EdgeKind
    file: str
    line: int
    why: str


class ScopeKind(IntEnum):
    """The kind of a scope. An ARROW keeps the `this` of its parent; a BLOCK is for `let`, or a comprehension."""

    MODULE = 0
    FUNCTION = 1
    ARROW = 2
    CLASS = 3
    BLOCK = 4


class Scope(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A lexical scope; the first of a file is its module's. `parent` indexes `FileFacts.scopes`, -1 for none.

    `symbol` indexes `FileFacts.symbols`: the innermost declaration that contains the code.
    """

    kind: ScopeKind
    parent: int
    symbol: int


class BindingKind(IntEnum):
    """The kind of a binding. `TYPE…` kinds are visible to types only; OUTER continues in the enclosing scopes.

    NARROWED gives the type of an existing name on the lines between `line` and `target`, both excluded.
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

    `target` indexes `symbols` or `imports`, by kind, or is -1. `type` is the annotation, of a type parameter its
    constraint, else its default, and `value` then the default beside it. `value` is None for a name without one. Rows
    that no code can name:

    - `()`, `new()` and `[]` in an interface's scope: its call, construct and index signatures;
    - `[in]` in the scope of an alias of a mapped type: its keys, as in TypedMember;
    - `...` in an object literal's scope: a spread expression;
    - `?` in any scope: a value that is tested there, so that it may have another type from that line on.
    """

    scope: int
    name: str
    kind: BindingKind
    line: int
    target: int = -1
    type: TypeExpression | None = None
    value: Expression | None = None


class MemberOfType(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The `symbol` of a member of an object type without a name of its own, which `key` identifies (see ObjectType)."""

    scope: int
    key: int
    name: str
    symbol: int


class Return(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A value that the function of `scope` returns; its names are looked up from the scope `within`."""

    scope: int
    within: int
    line: int
    value: Expression


class ImportKind(IntEnum):
    """The kind of an import: TYPE vanishes when compiled, DYNAMIC is `import()` or `importlib`."""

    STATIC = 0
    TYPE = 1
    REQUIRE = 2
    DYNAMIC = 3


class Import(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One name that a file imports from a module.

    `module` is the specifier as written (in Python with its dots). `name` is the imported name: a name, `default`, `*`
    for the module itself or a star import, empty for side effects only. `local` is its name in this file, empty for a
    star import into this scope, and for `import("x")` or `require("x")` in an expression, which is the call `site`.
    """

    module: str
    name: str
    local: str
    line: int
    scope: int = 0
    kind: ImportKind = ImportKind.STATIC
    site: int = -1

    @property
    def is_plugin(self) -> bool:
        """Whether a string names the module for a test runner to load: `pytest_plugins = ["a.b"]`."""
        return self.kind is ImportKind.DYNAMIC and self.site < 0 and not (self.name or self.local)


class Export(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One name that a file exports.

    `name` is `*` for everything, `=` for CommonJS's whole `module.exports`. `local` is an expression in the module's
    scope (`exports.x` for the declaration by an assignment to it), or with `module` a name in that module. A Python
    file's exports are its `__all__`, if it has one.

    Of an exported call, `wrap(f)`, the arguments have rows of their own, with `wrapped`: if nothing is known of the
    result, the export means the one that is a function or a class.
    """

    name: str
    local: Expression
    module: str
    line: int
    wrapped: bool = False


class CallSite(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A use: `callee` is called, constructed, rendered or used as a decorator, in `scope`, at `line`.

    `types` are the type arguments. Calls and `new` come before other uses; call n is the n-th one in the
    order of the source. `arguments` are the first arguments, as far as the result may depend on them; an unknown one is
    None, and unknown ones at the end are left out.
    """

    kind: EdgeKind
    callee: Expression
    line: int
    scope: int
    types: tuple[TypeExpression, ...] = ()
    arguments: tuple[Expression | None, ...] = ()


class Trait:
    """Traits of a symbol: bits of `Shape.traits`, plain numbers because millions are compared.

    CONSTRUCTS marks a constructor function, recognized by its prototype or its assignments to `this`.
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


class Base(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A base: of a class an expression with its type arguments, of other types a Typed."""

    value: Expression
    arguments: tuple[TypeExpression, ...] = ()

    @property
    def type(self) -> TypeExpression | None:
        """The type that a base is; None for the expression of a class."""
        return self.value.type if isinstance(self.value, Typed) else None


class Shape(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The resolver's data on the symbol at the same index of `symbols`.

    `scope` is the scope of its declaration, in which its types and bases are looked up. `parent` is the index of its
    container (0: the module, whose own is -1). `inner` is its own scope, or -1. `head` has the types of a function's
    parameters, if it names any. For a decorated Python function, `value` is its outermost decorator; for a variable
    that names a type, `returns` is the type.
    """

    scope: int = 0
    parent: int = 0
    inner: int = -1
    returns: TypeExpression | None = None
    type: TypeExpression | None = None
    value: Expression | None = None
    bases: tuple[Base, ...] = ()
    implements: tuple[TypeExpression, ...] = ()
    traits: int = 0
    head: FunctionType | None = None


class Measure(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The complexity of the function at `symbol` in `symbols`; 0 is the module's own code. See languages.metrics.

    `nameless` counts decisions in inner functions that are no symbols; only the cognitive figure includes them.
    """

    symbol: int
    cyclomatic: int
    cognitive: int
    nesting: int
    parameters: int
    code_lines: int
    nameless: int = 0


class MarkKind(IntEnum):
    """The kind of a mark. SWALLOW is a handler that does nothing."""

    DECORATOR = 0
    RAISE = 1
    CATCH = 2
    SWALLOW = 3


class Mark(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A mark on a line: a decorator, a raised error, or the types that a handler catches, by name."""

    kind: MarkKind
    line: int
    text: str


class Request(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A request with a literal URL, in the scope that sends it: `fetch("/users/1")`, `client.get(f"/users/{id}")`.

    `method` is upper case, and empty if it isn't known. `path` has `{}` in place of each segment with an expression;
    without a leading slash, it follows a part that isn't known. `sure`: the callee is known to send requests. Only
    endpoints of the framework `by` answer, if it is one.
    """

    method: str
    path: str
    line: int
    scope: int
    sure: bool
    by: str = ""


class Mount(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A file gives a prefix to the paths of endpoints in other files. `by` is the framework.

    With a `module`, the `router` of this file (see Detail) holds under `path` the router that the module exports as
    `name`: of tRPC, `path` is keys with a dot behind each. Without one, the file makes an application, whose paths all
    start with `path`, except those like `excluded`, and then with `version`, if they have no version of their own.
    Either is empty for none, or for one that isn't known.
    """

    by: str
    path: str
    router: str = ""
    module: str = ""
    name: str = ""
    excluded: tuple[str, ...] = ()
    version: str = ""


class EnvironmentUse(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The code of the symbol at `symbol` in `symbols` reads or writes (`kind`) the environment variable `name`."""

    name: str
    kind: EdgeKind
    line: int
    symbol: int


class Fixture(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The function at `symbol` in `symbols` gives its result to tests that have a parameter of this name."""

    symbol: int
    name: str


class FixtureUse(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The test, fixture, class or module at `symbol` in `symbols` has a fixture run by its name."""

    symbol: int
    name: str
    line: int


class FrameworkCall(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A framework (`by`) calls a function: the one that `callee` names in `scope`, or the symbol at `target`.

    `source` in `symbols` is what has it called, by registering or needing it. `sure`: the file uses the framework.
    """

    source: int
    line: int
    by: str
    scope: int = 0
    callee: Expression | None = None
    target: int = -1
    sure: bool = True


class FileFacts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The facts of one file, parsed once: enough to resolve it against the other files without its text.

    `symbols[0]` is the file's MODULE; `shapes` is as long as `symbols`. `errors` counts syntax errors. `generated`:
    its first comments say that a program wrote it. `given_up`: parsing exceeded its budget, so there is only the
    module. `package` is the name in a package clause, `build` the condition under which a compiler reads the file
    (Go's build constraint). All is in the order of the source, except properties that only assignments declare: those
    come last.
    """

    path: str
    language: Language
    lines: int
    symbols: tuple[Symbol, ...]
    shapes: tuple[Shape, ...] = ()
    scopes: tuple[Scope, ...] = ()
    bindings: tuple[Binding, ...] = ()
    returns: tuple[Return, ...] = ()
    type_members: tuple[MemberOfType, ...] = ()
    imports: tuple[Import, ...] = ()
    exports: tuple[Export, ...] = ()
    sites: tuple[CallSite, ...] = ()
    errors: int = 0
    generated: bool = False
    measures: tuple[Measure, ...] = ()
    marks: tuple[Mark, ...] = ()
    mentions: tuple[CallSite, ...] = ()
    given_up: bool = False
    build: str = ""
    package: str = ""
    fixtures: tuple[Fixture, ...] = ()
    fixture_uses: tuple[FixtureUse, ...] = ()
    framework_calls: tuple[FrameworkCall, ...] = ()
    environment: tuple[EnvironmentUse, ...] = ()
    requests: tuple[Request, ...] = ()
    mounts: tuple[Mount, ...] = ()


@dataclass(frozen=True, slots=True)
class ProjectFiles:
    """The resolver's view of the tree: the paths of all files, and the bytes of the manifests.

    Manifests are package.json, tsconfig*.json, jsconfig.json, pyproject.toml, go.mod and go.work, by relative path.
    """

    paths: frozenset[str]
    manifests: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Resolution:
    """Edges between the project's symbols, and the uses that lead to none of them."""

    edges: tuple[Edge, ...]
    outside: tuple[Outside, ...]
