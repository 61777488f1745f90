"""The facts of one file: symbols, scopes, names, calls, imports and exports, in rows that refer to others by index."""

from enum import IntEnum
from typing import Final

import msgspec

from bearings.code.expressions import Expression, Typed
from bearings.code.framework_facts import EnvironmentUse, Fixture, FixtureUse, FrameworkCall, Mount, Request
from bearings.code.models import EdgeKind, Language, Symbol
from bearings.code.type_expressions import FunctionType, TypeExpression


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
    - `class` in a function's scope: a class that it returns;
    - `|` in any scope: a name, its value, that has several rows in the scope because branches of a statement bind it;
      for an assignment of a name, `target` is the last line of its block, and `line` is its own;
    - `?` in any scope: a value that is tested there, so that it may have another type from that line on;
    - `namespace` in the scope of a namespace: its whole name, as type.
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
    """The kind of an import: TYPE vanishes when compiled, DYNAMIC is `import()` or `importlib`, MOCK replaces it.

    START runs it elsewhere: `new Worker(new URL("./task.ts", import.meta.url))`.
    """

    STATIC = 0
    TYPE = 1
    REQUIRE = 2
    DYNAMIC = 3
    MOCK = 4
    START = 5


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


SPLAT: Final = "*"
"""The word before an argument whose elements are as many arguments."""


class CallSite(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A use: `callee` is called, constructed, rendered or used as a decorator, in `scope`, at `line`.

    `types` are the type arguments. Calls and `new` come before other uses; call n is the n-th one in the
    order of the source. `arguments` are all arguments if the result may depend on one of them; an unknown one is None.
    `keywords` are the words before the last arguments: the name, SPLAT, or "" for a further argument without a name;
    of a use of a name that is no call, what the name may end with besides.
    The name of a called member is `below` lines after the start of its chain, `line`, whose names it sees.
    """

    kind: EdgeKind
    callee: Expression
    line: int
    scope: int
    types: tuple[TypeExpression, ...] = ()
    arguments: tuple[Expression | None, ...] = ()
    keywords: tuple[str, ...] = ()
    below: int = 0

    @property
    def at(self) -> int:
        """The line of the name that is used."""
        return self.line + self.below

    @property
    def words(self) -> tuple[str, ...]:
        """The word before each argument, "" for none."""
        return ("",) * (len(self.arguments) - len(self.keywords)) + self.keywords


class Trait:
    """Traits of a symbol: bits of `Shape.traits`, plain numbers because millions are compared.

    CONSTRUCTS marks a constructor function, recognized by its prototype or its assignments to `this`. ALIAS is Go's
    `type A = B`. PARTIAL marks a class whose members are declared in several places, EXTENSION a method that is called
    through its first argument, EXPLICIT a member that only values of an interface have, CONDITIONAL a method that is
    compiled only if a symbol is defined.
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
    SETTER: Final = 512
    PRIVATE: Final = 1024
    PARTIAL: Final = 2048
    EXTENSION: Final = 4096
    EXPLICIT: Final = 8192
    CONDITIONAL: Final = 16384


class Base(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A base: of a class an expression with its type arguments, of other types a Typed.

    It is named `below` lines after the start of its type, where these are counted.
    """

    value: Expression
    arguments: tuple[TypeExpression, ...] = ()
    below: int = 0

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

    def types(self) -> tuple[TypeExpression | None, ...]:
        """Return the types of the symbol that other files may follow."""
        arguments = [type_ for base in self.bases for type_ in base.arguments]
        return self.returns, self.type, self.head, *self.implements, *arguments

    def values(self) -> tuple[Expression | None, ...]:
        """Return the value and the bases of the symbol."""
        return self.value, *[base.value for base in self.bases]


class Measure(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The complexity of the function at `symbol` in `symbols`; 0 is the module's own code.

    See languages/shared/metrics.py. `nameless` counts decisions in inner functions that are no symbols; only the
    cognitive figure includes them.
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


class FileFacts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The facts of one file, parsed once: enough to resolve it against the other files without its text.

    `symbols[0]` is the file's MODULE; `shapes` is as long as `symbols`. `errors` counts syntax errors. `generated`: its
    first comments say that a program wrote it. `given_up`: parsing exceeded its budget, so there is only the module.
    `sites` are calls, constructions, JSX and decorators; `mentions` are names that are used as values, members that
    are read or written, and types in comments. `marks` are what patterns are found by. `package` is the name in a
    package clause, `build` the condition under which a compiler reads the file (Go's build constraint). All is in the
    order of the source, except properties that only assignments declare: those come last.
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
