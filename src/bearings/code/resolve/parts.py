"""The parts that evaluate expressions, as they know each other.

    exports       what an import or an export means            names/exports.py
    flow          what an expression means                     names/flow.py
    types         an object of an annotated type               types/annotated.py
    members       `cart.total`                                 types/members.py
    values        the object that a variable or property has   types/values.py
    elements      `carts[0]`, members of unions, containers    types/elements.py
    calls         the result of `load()`                       types/calls.py
    signatures    the parameters of `load`                     types/signatures.py

`evaluator.py` composes them. Each part asks the others only what stands here, so a test can give it other ones. These
are abstract classes, not Protocols: a compiled call of a Protocol's method looks the method up by its name.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from bearings.code.expressions import Expression, Item, Parameter
from bearings.code.file_facts import Binding, CallSite, Import
from bearings.code.resolve.context import Context
from bearings.code.resolve.referent import Env, Referent
from bearings.code.type_expressions import FunctionType, TypeExpression

# Of the members that the parts of a type have, those that an expression means: see Elements.alternatives.
NONE: Final = 0
"""The type has no parts."""
SOME: Final = 1
"""Of `Circle | Square | null` only some parts have the member: it is a guess which of them is meant."""
UNTESTED: Final = 2
"""Every part of `Circle | Square` has the member: all are meant, unless a test tells which part the value is."""
ALL: Final = 3
"""Of `Circle & Named` all members are meant."""


class Signature(NamedTuple):
    """One way to call something: the type of a function, and the scope in which its names are looked up."""

    file: str
    scope: int
    function: FunctionType
    env: Env = ()


class Ambient(NamedTuple):
    """The meaning of a name that a file sees without declaration or import: one referent, or several possible ones.

    `reason` says how the name is found.
    """

    referents: tuple[Referent, ...] = ()
    reason: str = ""


class Part(ABC):  # noqa: B024 - the interfaces below have abstract methods
    """A part: it has what all parts share, and from `join` on the other parts."""

    def __init__(self, context: Context) -> None:
        self._views: Final = context.views
        self._answers: Final = context.answers

    def join(self, parts: "Parts") -> None:
        """Takes the parts that this one may ask."""
        self._exports = parts.exports
        self._members = parts.members
        self._types = parts.types
        self._values = parts.values
        self._elements = parts.elements
        self._calls = parts.calls
        self._signatures = parts.signatures
        self._flow = parts.flow


class ExportsPart(Part):
    """Modules, their exports, and the imports of files."""

    @abstractmethod
    def module(self, importer: str, specifier: str) -> Referent:
        """The module that a specifier names; MISSING also if it exists but was not parsed."""

    @abstractmethod
    def resolve_import(self, file: str, entry: Import, *, types: bool = False) -> Referent | None:
        """The referent of an import's local name."""

    @abstractmethod
    def export(self, file: str, name: str, *, types: bool = False) -> Referent | None:
        """The referent that a module exports under a name, through re-exports and stars; None if unknown."""

    @abstractmethod
    def candidate_exports(self, module: Referent, name: str) -> list[Referent]:
        """The exports of a name from each of the modules that configuration puts in the place of one."""

    @abstractmethod
    def sees_ambient(self, file: str) -> bool:
        """Whether a file may see names without a declaration or an import."""

    @abstractmethod
    def ambient(self, file: str, name: str, *, types: bool = False) -> Ambient:
        """The meaning by the project's conventions of a name that a file does not declare."""

    @abstractmethod
    def module_value(self, module: Referent) -> Referent | None:
        """The referent of `module.exports = x` or `export = x`; None if the module has neither."""

    @abstractmethod
    def or_earlier_definition(self, file: str, row: Binding, found: Referent | None) -> Referent | None:
        """The referent of a row, or of an earlier definition where nothing is known: `try: … except ImportError: …`."""

    @abstractmethod
    def starred_modules(self, file: str, name: str) -> Iterator[str]:
        """The modules that a file imports or exports with a star, in order, as far as they may have a name."""

    @abstractmethod
    def submodule(self, module: Referent, name: str) -> Referent | None:
        """A module in a package's folder."""


class MembersPart(Part):
    """Members of modules, classes and objects."""

    @abstractmethod
    def member(self, referent: Referent | None, name: str, *, types: bool = False) -> Referent | None:
        """The referent of `thing.name`; None if `thing` is unknown, or has no such member."""

    @abstractmethod
    def own_member(self, file: str, symbol: int, name: str, *, types: bool = False) -> Referent | None:
        """A symbol's own member; `name` is dotted for a member of an object inside it."""

    @abstractmethod
    def lineage(self, referent: Referent) -> Iterator[Referent]:
        """A class or interface with its other declarations and all its bases, depth first."""

    @abstractmethod
    def bases(self, file: str, index: int, kind: int, env: Env = ()) -> Sequence[Referent]:
        """The bases of a class or interface in order, themselves or objects of them; an unknown base is outside."""

    @abstractmethod
    def is_class(self, referent: Referent) -> bool:
        """Whether a referent is a type: a class, an interface, an alias; or an object, a module, or outside."""

    @abstractmethod
    def is_own_class(self, referent: Referent) -> bool:
        """Whether a referent is a class, an interface or another type of the project itself."""


class TypesPart(Part):
    """Objects of types."""

    @abstractmethod
    def resolve_type(self, file: str, scope: int, type_: TypeExpression | None, env: Env = ()) -> Referent | None:
        """An object of an annotated type, with type parameters from `env`; None if unknown."""

    @abstractmethod
    def resolve_part(self, referent: Referent, type_: TypeExpression | None) -> Referent | None:
        """An object of a part of an OBJECT's type."""

    @abstractmethod
    def resolve_types(
        self, file: str, scope: int, types: tuple[TypeExpression, ...], env: Env
    ) -> tuple[Referent | None, ...]:
        """Objects of type arguments."""

    @abstractmethod
    def library_object(
        self, referent: Referent, name: str, file: str, scope: int, types: tuple[TypeExpression, ...], env: Env = ()
    ) -> Referent:
        """An OUTSIDE referent of a generic `name`, with the objects of the project that its type arguments name."""

    @abstractmethod
    def is_type_variable(self, file: str, scope: int, name: str) -> bool:
        """Whether a name is a type variable: `T = TypeVar("T")`."""

    @abstractmethod
    def environment(self, file: str, scope: int, given: tuple[Referent | None, ...]) -> Env:
        """The type parameters of a scope, with their arguments."""

    @abstractmethod
    def instance(self, referent: Referent, given: tuple[Referent | None, ...] = ()) -> Referent | None:
        """An object of the class, interface or alias of a name."""


class ValuesPart(Part):
    """The values of symbols and promises."""

    @abstractmethod
    def value(self, referent: Referent) -> Referent | None:
        """The value of a symbol: an object of its type, or the referent of its value."""

    @abstractmethod
    def value_or_self(self, referent: Referent) -> Referent:
        """The value of a referent: a property's object; a function or class itself."""

    @abstractmethod
    def awaited(self, referent: Referent | None) -> Referent | None:
        """The result of awaiting: the value of a promise, else the referent itself."""

    @abstractmethod
    def wrapped(self, file: str, referent: Referent | None, around: str) -> Referent | None:
        """A promise, an array … of a referent, which may be of no file of the project, made in `file`."""


class ElementsPart(Part):
    """Elements of containers, members of types, and what methods of containers take and give."""

    @abstractmethod
    def element(self, referent: Referent, step: Item) -> Referent | None:
        """What a step takes from a referent."""

    @abstractmethod
    def member_of_type(self, referent: Referent, name: str) -> Referent | None:
        """A member of an OBJECT: of the parts of its type, or by the language's rules."""

    @abstractmethod
    def mapped_property(
        self, file: str, scope: int, env: Env, keys: TypeExpression | None, value: TypeExpression | None, name: str
    ) -> Referent | None:
        """A property of a mapped type: the one of the type of its `keys`, which holds what the mapped type says."""

    @abstractmethod
    def method_result(self, owner: Referent, name: str) -> Referent | None:
        """The result of a container's method."""

    @abstractmethod
    def callback_parameter(self, owner: Referent, name: str, position: int) -> Referent | None:
        """The argument that a container's method passes to the function that it takes."""

    @abstractmethod
    def expected_argument(self, owner: Referent, name: str, argument: int) -> Referent | None:
        """What a container's method expects as an argument."""


class CallsPart(Part):
    """Calls: what is called, and the result."""

    @abstractmethod
    def callee(self, file: str, number: int) -> tuple[Referent | None, Referent | None, str]:
        """The referent of a call site's callee, the object of which it is a member, and its name there."""

    @abstractmethod
    def type_arguments(self, file: str, site: CallSite) -> tuple[Referent | None, ...]:
        """The type arguments of a call."""

    @abstractmethod
    def site_result(self, file: str, number: int, *, awaited: bool) -> Referent | None:
        """The result of a call site."""

    @abstractmethod
    def call_result(
        self, referent: Referent | None, owner: Referent | None = None, given: tuple[Referent | None, ...] = ()
    ) -> Referent | None:
        """The result of calling a referent; `owner` is the object of the member, `given` are the type arguments."""

    @abstractmethod
    def descriptor_value(self, getter: Referent, descriptor: Referent, owner: Referent) -> Referent | None:
        """What the `__get__` of a descriptor gives for an object; without an annotation the descriptor itself."""

    @abstractmethod
    def is_constructor_function(self, referent: Referent) -> bool:
        """Whether the referent is a constructor function."""

    @abstractmethod
    def return_value(self, referent: Referent) -> Referent | None:
        """The value of the first known return statement of a function."""

    @abstractmethod
    def return_value_of_scope(self, file: str, inner: int) -> Referent | None:
        """The result of the function with the scope `inner`, by its return statements."""


class SignaturesPart(Part):
    """Parameters of callables."""

    @abstractmethod
    def signatures(self, referent: Referent, *, new: bool = False) -> list[Signature]:
        """The ways to call (or construct) a referent, in the order of the source."""

    @abstractmethod
    def parameter_type(self, referent: Referent, position: int) -> Referent | None:
        """The type of a callable's parameter, by the first signature that has it."""

    @abstractmethod
    def predicate_type(self, referent: Referent, argument: int) -> Referent | None:
        """The type of an argument for which a callable is true, by its result `argument is Type`."""

    @abstractmethod
    def contextual_type(self, file: str, parameter: Parameter) -> Referent | None:
        """The referent of a parameter of a function that is passed to a call, by what the callee expects."""


class FlowPart(Part):
    """Expressions: names through scopes, then steps."""

    @abstractmethod
    def expression(
        self, file: str, scope: int, expression: Expression | None, line: int, *, types: bool = False
    ) -> Referent | None:
        """The referent of an expression in a scope; None if there is none, or nothing is known of it."""

    @abstractmethod
    def name(self, file: str, scope: int, name: str, line: int, *, types: bool = False) -> Referent | None:
        """The referent of a bare name in a scope."""

    @abstractmethod
    def binding(self, file: str, row: Binding, *, types: bool = False) -> Referent | None:
        """The referent of a row of a binding table."""

    @abstractmethod
    def super_member(self, file: str, scope: int, name: str) -> Referent | None:
        """The referent of `super.name` in a scope: the member of the first base that has it."""


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
