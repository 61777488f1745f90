"""Expressions: how the facts of a file name a value, so that the resolver can find it without the source.

    cart.total               "cart.total"
    cart.items[0].price      Chain("cart", ("items", Item(Take.ELEMENT, 0), "price"))
    (await load()).name      Chain(Result(3, awaited=True), ("name",)), if `load()` is call 3 of the file

Most expressions are names with dots between them; these are plain strings.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from typing import Final

import msgspec

from bearings.code.type_expressions import TypeExpression, type_words


class Take(IntEnum):
    """What a step takes from a value, other than a member.

    EACH is a value that a loop takes, KEY the first of the two values of Go's `range`, RECEIVED a value from a channel.
    ENTERED and ENTERED_ASYNC are what `with` binds, CAUGHT what `except` binds. RESULT is the result of a function.
    FIELDS is an object whose fields the arguments of its constructor give, or with an `index` the field that a pattern
    takes at that place. AWAITED is the value of a promise, GIVEN what a function takes as the parameter `index`.
    SAME is a container like the one before it, as a slice is; of another object, the result of the method `key`.
    """

    ELEMENT = 0
    EACH = 1
    KEY = 2
    RECEIVED = 3
    ENTERED = 4
    ENTERED_ASYNC = 5
    CAUGHT = 6
    RESULT = 7
    FIELDS = 8
    AWAITED = 9
    GIVEN = 10
    SAME = 11


class _Tagged(msgspec.Struct, frozen=True, array_like=True, tag_field="tag", gc=False):
    """The base class of a union's members, which are stored with a number that tells them apart."""


class Item(_Tagged, frozen=True, tag=1):
    """A step that is no member. An ELEMENT may have an `index`, or the `key` of a dict; -1 stands for any element.

    An ELEMENT from the end has an index below it: -2 is the last one. EACH with an index is each element from there.
    """

    take: Take
    index: int = -1
    key: str = ""


Step = str | Item
"""A step from one value to the next: the name of a member, or an Item."""


class Result(_Tagged, frozen=True, tag=2):
    """The result of the call `site`, or the value that its result is a promise of."""

    site: int
    awaited: bool = False


class Parameter(_Tagged, frozen=True, tag=3):
    """What the callee of the call `site` passes as parameter `position` to the function that is its `argument`.

    With a `position` of -1, what the callee expects as the argument itself.
    `path` leads from the argument to the function: the key in an object literal, an element, the RESULT of a function.
    """

    site: int
    argument: int
    position: int
    path: tuple[Step, ...] = ()


class Properties(_Tagged, frozen=True, tag=4):
    """An object literal; the bindings of `scope` are its properties."""

    scope: int


class Listed(_Tagged, frozen=True, tag=5):
    """An array of values like `element`; with `pairs`, of pairs of a key and such a value; `keyed`: a map of them.

    `key`: what the keys of a map are like, if they are no text.

    `others` are the names and object literals among the other elements; empty for another element.
    The values `also` are elements, too; the type of an element is unknown if theirs is another one.
    """

    element: "Expression"
    pairs: bool = False
    others: "tuple[Expression, ...]" = ()
    keyed: bool = False
    key: "Expression | None" = None
    also: "tuple[Expression, ...]" = ()


class Typed(_Tagged, frozen=True, tag=6):
    """A value of a type that the source names: `x as T`; in Go also `T{}` and `T(x)`."""

    type: TypeExpression


class Predicate(_Tagged, frozen=True, tag=7):
    """A test of an argument by the call `site`, `isUser(x)`: the callee's return type names the type."""

    site: int
    argument: int


class Discriminant(_Tagged, frozen=True, tag=12):
    """A test of a member, `x.kind === "round"`: it has one of `values`, or with `others` none of them.

    A value is written as in a LiteralType, or the dotted name of an enum's member. The values are TRUE also
    for `if (x.open)`, NOTHING for `x.open === null`, and PRESENT for `"open" in x`; none are known of another test.
    """

    member: str
    values: tuple[str, ...]
    others: bool = False


class Excluded(_Tagged, frozen=True, tag=13):
    """A test that does not hold: `!(x instanceof Cart)`, `!isUser(x)`."""

    test: str | Predicate


Test = str | Predicate | Discriminant | Excluded
"""A test of a value. A string is the dotted name of a class, for `instanceof`."""
TRUE, NOTHING, PRESENT = ("true",), ("undefined",), ("in",)


class Tested(_Tagged, frozen=True, tag=8):
    """The dotted `name` where one of `tests` holds, and one of each of the tests `around`, outermost first."""

    name: str
    tests: tuple[Test, ...]
    around: "tuple[tuple[Test, ...], ...]" = ()

    def every_test(self) -> Iterator[Test]:
        """Yield each test; of an Excluded, the one that does not hold."""
        for tests in (*self.around, self.tests):
            yield from (test.test if type(test) is Excluded else test for test in tests)


class Function(_Tagged, frozen=True, tag=9):
    """A function that is written as a value: the `scope` of its parameters, and the type that it returns, if any."""

    scope: int
    returns: TypeExpression | None = None
    is_async: bool = False


class Several(_Tagged, frozen=True, tag=11):
    """A list, tuple, set or dict of values of any type. `names` are as in Listed; the type of an element is unknown.

    The values of a dict have `keys`, so that no index tells one; a key that is no plain text is empty.
    """

    names: tuple[str, ...]
    keys: tuple[str, ...] = ()


class Unknown(_Tagged, frozen=True, tag=10):
    """A value that is not followed: a literal, an arithmetic result, generated code."""


class Chain(_Tagged, frozen=True, tag=0):
    """Steps from a root, at least one. A root that is a name has no dots, and then a step is an Item or in brackets."""

    root: "Root"
    steps: tuple[Step, ...]


Root = str | Result | Parameter | Properties | Listed | Several | Typed | Tested | Function | Unknown
"""The start of an expression. A string is a name that is looked up, or `this`, `super` or `super(Cart)`."""

Expression = Root | Chain
"""A value in the source. A string is a name, or several with dots between them."""

UNKNOWN: Final = Unknown()
FITTING: Final = "*"
"""What stands in the last name of a use for a value: `cart.do_*` is each member whose name fits."""
SUPER: Final = "super("
"""The start of the root `super(Cart)`: the classes that come after Cart, for the class around the expression."""


def split(expression: Expression) -> tuple[Root, Sequence[Step]]:
    """Return the root of an expression and the steps from it."""
    if type(expression) is str:
        if "." not in expression:
            return expression, ()
        root, *steps = expression.split(".")
        return root, steps
    if type(expression) is Chain:
        return expression.root, expression.steps
    return expression, ()  # type: ignore[return-value]


def root_of(expression: Expression) -> Root:
    """Return the root of an expression."""
    if type(expression) is str:
        return expression.partition(".")[0]
    return expression.root if type(expression) is Chain else expression  # type: ignore[return-value]


def chained(root: Root, steps: Sequence[Step]) -> Expression:
    """Return the expression with this root and these steps."""
    if not steps:
        return root
    if type(root) is str:
        try:
            name = ".".join([root, *steps])  # type: ignore[list-item]
        except TypeError:  # a step is an Item
            pass
        else:
            if name.count(".") == root.count(".") + len(steps):  # the step `[Symbol.iterator]` has a dot of its own
                return name
    return Chain(root, tuple(steps))


def extended(expression: Expression, *steps: Step) -> Expression:
    """Return an expression with further steps."""
    root, before = split(expression)
    return chained(root, [*before, *steps])


def followed(value: Expression, steps: list[Step]) -> Expression:
    """Return a value followed by steps, which are given last first, as a syntax tree has them."""
    return extended(value, *reversed(steps)) if steps else value


def last_name(expression: Expression | None) -> str:
    """Return the name of the last member, or of the root without steps; empty if that has no name."""
    if type(expression) is str:
        return expression.rpartition(".")[2]
    last = expression.steps[-1] if type(expression) is Chain else None
    return last if type(last) is str else ""


def receiver(expression: Expression) -> Expression | None:
    """Return the expression without its last step; None if it has no steps."""
    if type(expression) is str:
        return expression.rpartition(".")[0] or None
    return chained(expression.root, expression.steps[:-1]) if type(expression) is Chain else None


def is_known(expression: Expression | None) -> bool:
    """Whether there is an expression, and its root can be followed."""
    return expression is not None and type(root_of(expression)) is not Unknown


def site_of(expression: Expression | None) -> int:
    """Return the call whose result an expression is, as it is, not awaited; -1 for another expression."""
    return expression.site if type(expression) is Result and not expression.awaited else -1


def is_result(expression: Expression | None) -> bool:
    """Whether an expression is a call's result, not awaited, or a part of it."""
    root = None if expression is None else root_of(expression)
    return type(root) is Result and not root.awaited


def texts(expression: Expression | None) -> Iterable[str]:
    """Return the names and types in an expression; a name may have dots."""
    if type(expression) is str:
        return (expression,)
    return () if expression is None else _texts(expression)


def _texts(expression: Expression) -> Iterator[str]:
    root, steps = split(expression)
    match root:
        case str():
            yield root
        case Parameter():
            yield from (step for step in root.path if type(step) is str)
        case Listed():
            yield from texts(root.element)
            yield from texts(root.key)
            for each in (*root.others, *root.also):
                yield from texts(each)
        case Several():
            yield from filter(None, root.names)
        case Typed():
            yield from type_words(root.type)
        case Tested():
            yield root.name
            yield from (test for test in root.every_test() if type(test) is str)
            yield from (test.member for test in root.every_test() if type(test) is Discriminant)
        case Function():
            yield from type_words(root.returns)
    yield from (step for step in steps if type(step) is str)


def call_sites(expression: Expression | None) -> Iterator[int]:
    """Yield the numbers of the call sites in an expression."""
    root = None if expression is None or type(expression) is str else root_of(expression)
    match root:
        case Result() | Parameter():
            yield root.site
        case Listed():
            yield from call_sites(root.element)
            yield from call_sites(root.key)
            for each in root.also:
                yield from call_sites(each)
        case Tested():
            yield from (test.site for test in root.every_test() if type(test) is Predicate)


def renumbered(expression: Expression, site: Callable[[int], int], scope: Callable[[int], int]) -> Expression:
    """Return an expression with other numbers of call sites and scopes."""
    if type(expression) is str:
        return expression
    root, steps = split(expression)
    match root:
        case Result():
            root = Result(site(root.site), root.awaited)
        case Parameter():
            root = Parameter(site(root.site), root.argument, root.position, root.path)
        case Properties():
            root = Properties(scope(root.scope))
        case Listed():
            key = renumbered(root.key, site, scope) if root.key is not None else None
            others, also = (
                tuple(renumbered(each, site, scope) for each in values) for values in (root.others, root.also)
            )
            root = Listed(renumbered(root.element, site, scope), root.pairs, others, root.keyed, key, also)
        case Tested():
            tests, *around = (tuple(_renumbered(test, site) for test in each) for each in (root.tests, *root.around))
            root = Tested(root.name, tests, tuple(around))
        case Function():
            root = Function(scope(root.scope), root.returns, root.is_async)
    return chained(root, steps)


def _renumbered(test: Test, site: Callable[[int], int]) -> Test:
    match test:
        case Predicate():
            return Predicate(site(test.site), test.argument)
        case Excluded(test=Predicate() as inner):
            return Excluded(Predicate(site(inner.site), inner.argument))
    return test


_TAKEN = {
    Take.ELEMENT: "[]", Take.EACH: "[each]", Take.KEY: "[range]", Take.RECEIVED: "[<-]", Take.ENTERED: "[with]",
    Take.ENTERED_ASYNC: "[async with]", Take.CAUGHT: "[except]", Take.RESULT: "()", Take.FIELDS: "",
    Take.AWAITED: "[await]", Take.GIVEN: "(…)", Take.SAME: "[:]",
}  # fmt: skip


def written(expression: Expression) -> str:
    """Return an expression for a reader: dotted names as they are, an unknown root as `?`, another one as `…`."""
    if type(expression) is str:
        return expression
    root, steps = split(expression)
    unknown = "?" if type(root) is Unknown or type(root) is Function else "…"
    names = [root if type(root) is str else root.name if type(root) is Tested else unknown]
    for step in steps:
        if isinstance(step, str):
            names.append(f".{step}")
        else:
            names.append(f"[{step.index}]" if step.index >= 0 else _TAKEN[step.take])
    return "".join(names)
