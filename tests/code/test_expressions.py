"""Tests of expressions: splitting and joining them, their stored form, their numbers and names."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.expressions import (
    UNKNOWN,
    Chain,
    Expression,
    Function,
    Item,
    Listed,
    Parameter,
    Predicate,
    Properties,
    Result,
    Step,
    Take,
    Typed,
    call_sites,
    chained,
    extended,
    is_known,
    is_result,
    last_name,
    receiver,
    renumbered,
    root_of,
    site_of,
    split,
    texts,
    written,
)
from bearings.code.expressions import Tested as Narrowed  # pytest would collect a name that begins with Test

NAMES = st.sampled_from(["a", "cart", "$x", "_private", "this", "Ünï"])
DOTTED = st.lists(NAMES, min_size=1, max_size=4).map(".".join)
ITEMS = st.builds(Item, st.sampled_from(Take), st.integers(-1, 5))
STEPS: st.SearchStrategy[list[Step]] = st.lists(NAMES | ITEMS, max_size=4)
NUMBERS = st.integers(0, 300)
ROOTS = (
    NAMES
    | st.builds(Result, NUMBERS, st.booleans())
    | st.builds(Parameter, NUMBERS, NUMBERS, NUMBERS, STEPS.map(tuple))
    | st.builds(Properties, NUMBERS)
    | st.builds(Typed, st.sampled_from(["T", "Map<string, A.B>"]))
    | st.builds(Narrowed, DOTTED, st.lists(DOTTED | st.builds(Predicate, NUMBERS, NUMBERS), min_size=1).map(tuple))
    | st.builds(Function, NUMBERS, st.sampled_from(["", "T"]))
    | st.just(UNKNOWN)
)
EXPRESSIONS: st.SearchStrategy[Expression] = st.recursive(
    st.builds(chained, ROOTS, STEPS), lambda inner: st.builds(chained, st.builds(Listed, inner, st.booleans()), STEPS)
)


class Stored(msgspec.Struct, array_like=True):
    """A row with expressions."""

    value: Expression | None
    steps: tuple[Step, ...] = ()


@pytest.mark.slow
@given(EXPRESSIONS)
def test_an_expression_is_its_root_and_its_steps(expression: Expression):
    root, steps = split(expression)
    assert chained(root, steps) == expression
    assert root_of(expression) == root
    assert not isinstance(root, Chain)
    assert (expression == root) is (not steps)


@given(EXPRESSIONS, STEPS)
def test_further_steps_come_last(expression: Expression, steps: list[Step]):
    root, before = split(expression)
    longer = extended(expression, *steps)
    assert split(longer)[0] == root
    assert [*split(longer)[1]] == [*before, *steps]
    for step in reversed(steps):
        assert last_name(longer) == (step if isinstance(step, str) else "")
        shorter = receiver(longer)
        assert shorter is not None
        longer = shorter
    assert longer == expression


@given(EXPRESSIONS)
def test_dotted_names_are_plain_strings(expression: Expression):
    root, steps = split(expression)
    is_dotted = isinstance(root, str) and all(isinstance(step, str) for step in steps)
    assert isinstance(expression, str) is is_dotted
    if isinstance(expression, str):
        assert written(expression) == expression
        assert list(texts(expression)) == [expression]


@given(EXPRESSIONS | st.none())
def test_an_expression_is_stored_and_read_again(expression: Expression | None):
    data = msgspec.msgpack.encode(Stored(expression))
    assert msgspec.msgpack.decode(data, type=Stored) == Stored(expression)


@given(EXPRESSIONS)
def test_numbers_are_replaced_and_nothing_else(expression: Expression):
    seen: list[int] = []

    def site(number: int) -> int:
        seen.append(number)
        return number + 1000

    moved = renumbered(expression, site, lambda scope: scope + 2000)
    assert sorted(seen) == sorted(call_sites(expression))
    assert renumbered(moved, lambda number: number - 1000, lambda scope: scope - 2000) == expression
    assert list(texts(moved)) == list(texts(expression))
    assert written(moved) == written(expression)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("cart.items", "cart.items"),
        (Chain("cart", ("items", Item(Take.ELEMENT, 0), "price")), "cart.items[0].price"),
        (Chain("cart", (Item(Take.ELEMENT),)), "cart[]"),
        (Chain(Result(3), ("then",)), "….then"),
        (Chain(UNKNOWN, ("then",)), "?.then"),
        (Chain(Narrowed("user.owner", ("Admin",)), ("rights",)), "user.owner.rights"),
        (Function(4), "?"),
    ],
)
def test_an_expression_is_written_for_a_reader(expression: Expression, text: str):
    assert written(expression) == text


def test_what_is_known_of_an_expression():
    assert not is_known(None)
    assert not is_known(Chain(UNKNOWN, ("a",)))
    assert is_known("a")
    assert is_result(Chain(Result(1), ("a",)))
    assert not is_result(Result(1, awaited=True))
    assert site_of(Result(1)) == 1
    assert site_of(Result(1, awaited=True)) == site_of(Chain(Result(1), ("a",))) == site_of("a") == site_of(None) == -1
    assert receiver("a") is None
    assert receiver(Result(1)) is None
