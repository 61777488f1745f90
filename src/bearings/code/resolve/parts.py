"""The interfaces of the parts of an evaluator, which turns expressions into referents (see referent.py).

    exports       `import { load } from "./api"`               names/exports.py
    flow          `api.load().total`: names, then steps        names/flow.py
    types         an object of the annotated type `Cart[]`     types/annotated.py
    members       `cart.total`                                 types/members.py
    values        the value of a variable or property          types/values.py
    elements      `carts[0]`, members of unions, containers    types/elements.py
    calls         the result of `load()`                       types/calls.py
    signatures    the parameters of `load`                     types/signatures.py

`evaluator.py` composes them. A part calls only the methods below of the other parts, so that a test can replace them by
fakes. These are abstract classes, not Protocols: a compiled call of a Protocol's method looks it up by its name.

Parameters that many methods have:

    file     the path of the file in which names are looked up
    scope    the index of a scope in that file, in which the look-up starts
    line     the line of the use, 1-based: rows of a name after it may not count; 0 if the line does not matter
    env      the arguments of type parameters, see EnvRow
    types    whether a name means a type rather than a value, in languages where it may mean both

None as a result means "nothing is known"; an OUTSIDE referent means "known not to be in the project".
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from bearings.code.expressions import Expression, Item, Parameter
from bearings.code.file_facts import Base, Binding, CallSite, Import
from bearings.code.resolve.context import Context
from bearings.code.resolve.referent import Env, Referent
from bearings.code.type_expressions import FunctionType, TypeExpression

# How many of the members that the parts of a type have are meant by an expression: see Elements.alternatives.
NONE: Final = 0
"""The type has no parts."""
SOME: Final = 1
"""Only some parts of `Circle | Square | null` have the member: it is a guess which of them is meant."""
UNTESTED: Final = 2
"""Every part of `Circle | Square` has the member: all are meant, unless a test narrows the value to one part."""
ALL: Final = 3
"""All members are meant: the type is an intersection, `Circle & Named`."""


class Signature(NamedTuple):
    """One way to call something: a function's type, and the file, scope and environment for the names in it."""

    file: str
    scope: int
    function: FunctionType
    env: Env = ()


class Ambient(NamedTuple):
    """The meaning of a name that a file sees without declaration or import: one referent, or several possible ones.

    `reason` is a text for the user that says how the name is found.
    """

    referents: tuple[Referent, ...] = ()
    reason: str = ""


class Part(ABC):  # noqa: B024 - the interfaces below have abstract methods
    """The base class of parts: has the tables of all files, the cache of answers and, after `join`, the other parts."""

    def __init__(self, context: Context) -> None:
        self._views: Final = context.views
        self._answers: Final = context.answers
        self._inner: tuple[Part, ...] = ()
        """Parts that this one consists of."""

    def join(self, parts: "Parts") -> None:
        """Stores the other parts, in the inner ones too; called once, before any other method."""
        for part in self._inner:
            part.join(parts)
        self._exports = parts.exports
        self._members = parts.members
        self._types = parts.types
        self._values = parts.values
        self._elements = parts.elements
        self._calls = parts.calls
        self._signatures = parts.signatures
        self._flow = parts.flow
        self._library = parts.library


class ExportsPart(Part):
    """The modules of a project, their exports, and the imports of files."""

    @abstractmethod
    def module(self, importer: str, specifier: str) -> Referent:
        """The module that a specifier names: `./api`, `acme.core`; MISSING also if it exists but was not parsed."""

    @abstractmethod
    def resolve_import(self, file: str, entry: Import, *, types: bool = False) -> Referent | None:
        """The referent of an import's local name: of `load` in `import { load } from "./api"`."""

    @abstractmethod
    def export(self, file: str, name: str, *, types: bool = False) -> Referent | None:
        """The referent that a module exports under a name, through re-exports and stars; None if unknown."""

    @abstractmethod
    def candidate_exports(self, module: Referent, name: str) -> list[Referent]:
        """The exports of a name from all `files` of a MODULE; empty if none of them is in the project.

        Configuration may put one of several files in the place of a module.
        """

    @abstractmethod
    def sees_ambient(self, file: str) -> bool:
        """Whether a file may see names that it neither declares nor imports, such as globals and auto-imports."""

    @abstractmethod
    def related(self, name: str) -> "Sequence[Referent]":
        """The fields whose relations have a name on the other side: see rules/python/related.py."""

    @abstractmethod
    def ambient(self, file: str, name: str, *, types: bool = False) -> Ambient:
        """The meaning of a name that a file neither declares nor imports, by the project's conventions."""

    @abstractmethod
    def module_value(self, module: Referent) -> Referent | None:
        """The referent of `module.exports = x` or `export = x`; None if the module has neither."""

    @abstractmethod
    def or_earlier_definition(self, file: str, row: Binding, meaning: Referent | None) -> Referent | None:
        """The `meaning` of a row, or if that is unknown, of an earlier definition of the same name.

        `try: from fast import run`, `except ImportError: from slow import run`: `run` is the one that the project has.
        """

    @abstractmethod
    def starred_modules(self, file: str, name: str) -> Iterator[str]:
        """The files that a file imports from or re-exports with a star and that may have `name`, in order."""

    @abstractmethod
    def submodule(self, module: Referent, name: str) -> Referent | None:
        """The module or package `name` in a package's folder; None if there is none."""


class MembersPart(Part):
    """Members of modules, classes and objects."""

    @abstractmethod
    def member(self, referent: Referent | None, name: str, *, types: bool = False) -> Referent | None:
        """The referent of `thing.name`; None if `thing` is unknown, or has no such member."""

    @abstractmethod
    def own_member(self, file: str, symbol: int, name: str, *, types: bool = False) -> Referent | None:
        """A member that is declared in a symbol itself; None if there is none.

        `name` is dotted for a member of an object inside it: `db.host` of `settings = { db: { host: "" } }`.
        """

    @abstractmethod
    def inherited(self, referent: Referent, name: str, *, types: bool = False, above: bool = False) -> Referent | None:
        """A member of a class or interface, or of an object of it; with `above`, only of the bases."""

    @abstractmethod
    def added(self, file: str, type_: str, name: str) -> Referent | None:
        """A member that a declaration without an import adds to a type of the language; None for none."""

    @abstractmethod
    def lineage(self, referent: Referent) -> Iterator[Referent]:
        """A class or interface, its other declarations, and all its direct and indirect bases, depth first."""

    @abstractmethod
    def bases(self, file: str, index: int, kind: int, env: Env = ()) -> Sequence[Referent]:
        """The direct bases of the class or interface at `index`, in order; UNRESOLVED for an unknown one.

        `kind` SYMBOL gives the bases themselves, INSTANCE gives objects of them.
        """

    @abstractmethod
    def named_base(self, file: str, index: int, base: Base) -> Referent | None:
        """The referent of a base's name above the class at `index`: `class View(View)` has an imported base."""

    @abstractmethod
    def is_class(self, referent: Referent) -> bool:
        """Whether a referent is no function or variable: a class, interface or alias, or a referent of another kind."""

    @abstractmethod
    def metaclass(self, referent: Referent) -> Referent | None:
        """An object of the metaclass of a class, if the project has it: of `class Cart(metaclass=Registry)`."""

    @abstractmethod
    def is_metaclass(self, referent: Referent) -> bool:
        """Whether the objects of a class are classes, by the names of the bases: `class Registry(type)`."""

    @abstractmethod
    def is_own_class(self, referent: Referent) -> bool:
        """Whether a referent is the declaration of a class, an interface or another type of the project."""


class TypesPart(Part):
    """Turns annotated types into referents of their objects: `Cart` into an INSTANCE of Cart."""

    @abstractmethod
    def resolve_type(self, file: str, scope: int, type_: TypeExpression | None, env: Env = ()) -> Referent | None:
        """An object of an annotated type, with the arguments of type parameters in `env`; None if unknown."""

    @abstractmethod
    def resolve_part(self, referent: Referent, type_: TypeExpression | None) -> Referent | None:
        """An object of a type that is a part of an OBJECT's type: of `Cart` in `Cart[]`."""

    @abstractmethod
    def resolve_types(
        self, file: str, scope: int, types: tuple[TypeExpression, ...], env: Env
    ) -> tuple[Referent | None, ...]:
        """Objects of several types, such as type arguments: `resolve_type` for each."""

    @abstractmethod
    def library_object(
        self, referent: Referent, name: str, file: str, scope: int, types: tuple[TypeExpression, ...], env: Env = ()
    ) -> Referent:
        """An OUTSIDE `referent`, an object of the library's type `name`, with the objects that it may hold.

        These are objects of the project that the type arguments `types` name: a Session for `LRUCache<Session>`.
        """

    @abstractmethod
    def is_type_variable(self, file: str, scope: int, name: str) -> bool:
        """Whether a name is a type variable: `T = TypeVar("T")`."""

    @abstractmethod
    def environment(self, file: str, scope: int, arguments: tuple[Referent | None, ...]) -> Env:
        """The environment of a generic class or function: the type parameters of its scope, with these arguments."""

    @abstractmethod
    def instance(self, referent: Referent, arguments: tuple[Referent | None, ...] = ()) -> Referent | None:
        """An object of a class, interface or alias; None if the referent is no type."""


class ValuesPart(Part):
    """The values of variables, properties, decorated functions and promises."""

    @abstractmethod
    def value(self, referent: Referent) -> Referent | None:
        """The value of a SYMBOL: an object of its annotated type, else the referent of the assigned expression."""

    @abstractmethod
    def value_or_self(self, referent: Referent) -> Referent:
        """The value of a variable or property; the referent itself if it is a type, no SYMBOL, or of unknown value."""

    @abstractmethod
    def awaited(self, referent: Referent | None) -> Referent | None:
        """The result of `await referent`: the value of a promise, else the referent itself."""

    @abstractmethod
    def wrapped(self, file: str, referent: Referent | None, wrapper: str) -> Referent | None:
        """An object of a generic type: with the wrapper "Promise", a promise of the referent; None for None.

        `file` is the file of the expression, for a referent that is in no file of the project.
        """


class ElementsPart(Part):
    """Elements of containers, members of types, and the arguments and results of containers' methods.

    The last three methods handle an `owner` that is an OBJECT of a container's type, such as `Cart[]`.
    """

    @abstractmethod
    def element(self, referent: Referent, step: Item) -> Referent | None:
        """The referent that a step takes from another: an element for `carts[0]` or `for cart in carts`."""

    @abstractmethod
    def member_of_type(self, referent: Referent, name: str) -> Referent | None:
        """A member of an OBJECT: declared in its type or a part of it, or one that the language provides."""

    @abstractmethod
    def mapped_property(
        self, file: str, scope: int, env: Env, keys: TypeExpression | None, value: TypeExpression | None, name: str
    ) -> Referent | None:
        """The property `name` of the mapped type `{ [K in keys]: value }`; None if the type of `keys` has none."""

    @abstractmethod
    def method_result(self, owner: Referent, name: str) -> Referent | None:
        """The result of a container's method: a Cart for `carts.pop()`; None if no rule knows the method."""

    @abstractmethod
    def callback_parameter(self, owner: Referent, name: str, position: int) -> Referent | None:
        """The argument at a position that a container's method passes to its callback: `carts.forEach((cart) => …)`."""

    @abstractmethod
    def expected_argument(self, owner: Referent, name: str, argument: int) -> Referent | None:
        """An object of the type that a container's method expects as an argument: `carts.push({ … })`."""


class CallsPart(Part):
    """Call sites: the callee and the result. `number` is the index of a call site in its file."""

    @abstractmethod
    def callee(self, file: str, number: int) -> tuple[Referent | None, Referent | None, str]:
        """The referents of a callee and of the object whose member it is, and the member's name.

        For `cart.add(1)`: the method, the object `cart`, and "add". For `load()`: the function, None, and "".
        """

    @abstractmethod
    def type_arguments(self, file: str, site: CallSite) -> tuple[Referent | None, ...]:
        """Objects of the type arguments of a call: a Cart for `load<Cart>()`; empty if it has none."""

    @abstractmethod
    def site_result(self, file: str, number: int, *, awaited: bool) -> Referent | None:
        """The result of a call site, or the value of the promise that it returns if `awaited`."""

    @abstractmethod
    def call_result(
        self, referent: Referent | None, owner: Referent | None = None, type_arguments: tuple[Referent | None, ...] = ()
    ) -> Referent | None:
        """The result of calling a referent; None if unknown.

        `owner` is the object whose method is called: for a method that returns `this` or `Self`, the result.
        """

    @abstractmethod
    def descriptor_value(self, getter: Referent, descriptor: Referent, owner: Referent) -> Referent | None:
        """The result of a descriptor's `__get__` (the `getter`) for the object `owner`.

        Without an annotation of the result, it is the descriptor itself.
        """

    @abstractmethod
    def is_constructor_function(self, referent: Referent) -> bool:
        """Whether the referent is a function that `new` is used with: `function Cart() { this.total = 0 }`."""

    @abstractmethod
    def return_value(self, referent: Referent) -> Referent | None:
        """The value of the first return statement of a function that is known."""

    @abstractmethod
    def return_value_of_scope(self, file: str, scope: int) -> Referent | None:
        """The same for the function whose body is `scope`, which may have no name."""


class SignaturesPart(Part):
    """The signatures and parameters of functions, classes and other callables."""

    @abstractmethod
    def signatures(self, referent: Referent, *, new: bool = False) -> list[Signature]:
        """The ways to call a referent, or to construct it if `new`, in the order of the source; empty if unknown."""

    @abstractmethod
    def parameter_type(self, referent: Referent, position: int) -> Referent | None:
        """An object of the type of a callable's parameter, by the first signature that has it."""

    @abstractmethod
    def predicate_type(self, referent: Referent, argument: int) -> Referent | None:
        """An object of the type that an argument has if the callable returns true; None if it is no type guard.

        A Circle for the argument 0 of `function isCircle(shape: Shape): shape is Circle`.
        """

    @abstractmethod
    def contextual_type(self, file: str, parameter: Parameter) -> Referent | None:
        """The referent of a callback's parameter, by the type of callback that the called function expects.

        In `carts.forEach((cart) => …)`, `cart` is a Cart.
        """


class LibraryPart(Part):
    """The functions and classes of libraries, by their signatures."""

    @abstractmethod
    def result(self, file: str, number: int, owner: Referent | None, name: str) -> Referent | None:
        """The result of a call of a function, or of the method `name` of `owner`; None if no signature tells it."""

    @abstractmethod
    def container(self, file: str, number: int, owner: Referent | None, name: str) -> Referent | None:
        """The library's container of unknown objects that a call gives, `tuple(read())`; None for another result."""

    @abstractmethod
    def called(self, owner: Referent, name: str = "__call__") -> Referent | None:
        """The result of calling an object, or a method of it, whatever the arguments."""

    @abstractmethod
    def method(self, owner: Referent, name: str) -> Referent | None:
        """An object of the type of a method of a library's object; None if the library is not known to have it."""

    @abstractmethod
    def context(self, file: str, parameter: Parameter, owner: Referent | None, name: str) -> Referent | None:
        """What a function that is an argument of such a call is given as its parameter; None if unknown."""

    @abstractmethod
    def qualified(self, file: str, scope: int, name: str, line: int) -> str:
        """The name of what a dotted name means outside the project, with its module; empty for what a file binds."""

    @abstractmethod
    def is_class(self, file: str, name: str) -> bool:
        """Whether a name, as types have it, is a class whose methods are known."""

    @abstractmethod
    def type_named(self, file: str, scope: int, name: str) -> str:
        """The name of the library's class that a name in a file means, as types have it; empty for none."""

    @abstractmethod
    def member(self, owner: Referent, name: str, heir: Referent | None = None) -> Referent | None:
        """A property of an object of a library; BUILTIN or EXTERNAL for a method.

        `heir`: through this own class, which extends the object's class, or an object of it.
        """

    @abstractmethod
    def attribute(self, attribute: Referent, value: Referent | None, owner: Referent) -> Referent | None:
        """What a class's attribute gives that is a descriptor of a library, as a manager or foreign key of Django's.

        `value` is that of its expression, `owner` the class through which it is read; None if it is no descriptor.
        """

    @abstractmethod
    def base(self, file: str, scope: int, inner: int, base: Base, env: Env) -> Referent | None:
        """An object of a framework's class that a class in a scope extends; None for another base.

        `inner` is the scope of the class, which has its type parameters.
        """

    @abstractmethod
    def taken(self, owner: Referent, step: Item) -> Referent | None:
        """What a loop, `with` or an index takes from an object of the library."""


class FlowPart(Part):
    """Expressions: a name is looked up through scopes, then steps are followed."""

    @abstractmethod
    def expression(
        self, file: str, scope: int, expression: Expression | None, line: int, *, types: bool = False
    ) -> Referent | None:
        """The referent of an expression in a scope; None if the expression is None or unknown."""

    @abstractmethod
    def name(self, file: str, scope: int, name: str, line: int, *, types: bool = False) -> Referent | None:
        """The referent of a bare name in a scope."""

    @abstractmethod
    def binding(self, file: str, row: Binding, *, types: bool = False) -> Referent | None:
        """The referent of a row of a binding table: of the name that it binds."""

    @abstractmethod
    def this(self, file: str, scope: int) -> Referent | None:
        """The object or class whose method `super` stands in; None if unknown."""

    @abstractmethod
    def super_member(self, file: str, scope: int, name: str, root: str = "super") -> Referent | None:
        """The referent of `super.name` in a scope: the member of the first base that has it; None if none has.

        With a `root` of `super(Cart)`, of the first class after Cart.
        """


class Parts(NamedTuple):
    """All parts of an evaluator."""

    exports: ExportsPart
    members: MembersPart
    types: TypesPart
    values: ValuesPart
    elements: ElementsPart
    calls: CallsPart
    signatures: SignaturesPart
    flow: FlowPart
    library: "LibraryPart"
