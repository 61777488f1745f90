"""Objects of annotated types."""

import pytest

from bearings.code.expressions import Item, Take
from bearings.code.file_facts import BindingKind
from bearings.code.models import Language, SymbolKind
from bearings.code.resolve.referents import instance_of
from bearings.code.type_expressions import (
    ArrayType,
    ConditionalType,
    FunctionType,
    IndexedType,
    ObjectType,
    OtherType,
    ReturnedType,
    TypedMember,
    TypeQuery,
    TypeReference,
    UnionType,
)
from tests.code.resolve.written import Resolved, Written

CLASS, TYPE = SymbolKind.CLASS, SymbolKind.TYPE


def shop() -> Written:
    """Two classes, a generic one, aliases, a function."""
    file = Written("a.ts")
    file.symbol("A", CLASS)
    b = file.symbol("B", CLASS)
    file.symbol("a", SymbolKind.PROPERTY, b, type="A")
    box = file.symbol("Box", CLASS)
    file.row("T", BindingKind.TYPE_PARAMETER, file.inner(box))
    file.symbol("held", SymbolKind.PROPERTY, box, type="T")
    file.symbol("Alias", TYPE, type="A")
    file.symbol("Circle", TYPE, type="Circle")
    make = file.symbol("make", SymbolKind.FUNCTION)
    file.returns(make, "kept")
    file.symbol("kept", SymbolKind.CONSTANT, type="B")
    return file


def of(type_, file=None) -> str:
    evaluator = Resolved(file or shop())
    return evaluator.word(evaluator.types.resolve_type("a.ts", 0, type_))


@pytest.mark.parametrize(
    ("type_", "expected"),
    [
        ("A", "new a.ts#A"),
        ("Alias", "new a.ts#A"),
        ("Circle", "?"),
        ("void", "?"),
        ("any", "?"),
        ("string", "outside builtin"),
        (OtherType(), "?"),
        (TypeQuery("A"), "a.ts#A"),
        (TypeReference("Readonly", ("A",)), "new a.ts#A"),
        (TypeReference("Awaited", (TypeReference("Promise", ("A",)),)), "new a.ts#A"),
        (TypeReference("ReturnType", (TypeQuery("make"),)), "new a.ts#B"),
        (TypeReference("InstanceType", (TypeQuery("A"),)), "new a.ts#A"),
        (IndexedType("B", "a"), "new a.ts#A"),
        (ConditionalType("X", "string", "A", "never"), "new a.ts#A"),
        (ConditionalType("X", "string", "A", "A"), "new a.ts#A"),
        (ConditionalType("X", "string", "A", "B"), "object UnionType(parts=('A', 'B', OtherType(parts=())))"),
    ],
    ids=str,
)
def test_a_type_names_an_object(type_, expected):
    assert of(type_) == expected


def test_a_type_argument_takes_the_place_of_its_parameter():
    evaluator = Resolved(shop())
    box = evaluator.types.resolve_type("a.ts", 0, TypeReference("Box", ("A",)))
    assert box is not None
    held = evaluator.members.member(box, "held")
    assert evaluator.word(box) == "new a.ts#Box"
    assert held is not None
    assert evaluator.word(evaluator.values.value_or_self(held)) == "new a.ts#A"


def test_an_array_within_a_promise_keeps_its_element():
    evaluator = Resolved(shop())
    array = evaluator.values.wrapped("a.ts", instance_of("a.ts", 1), "Array")
    later = evaluator.values.wrapped("a.ts", array, "Promise")
    array = evaluator.values.awaited(later)
    assert array is not None
    assert evaluator.word(evaluator.elements.element(array, Item(Take.EACH))) == "new a.ts#A"


def test_of_a_condition_between_two_object_types_both_give_members():
    one, other = ObjectType((TypedMember("one", "A"),), 1), ObjectType((TypedMember("two", "B"),), 2)
    evaluator = Resolved(shop())
    chosen = evaluator.types.resolve_type("a.ts", 0, ConditionalType("X", "string", one, other))
    assert chosen is not None
    assert chosen.type == UnionType((one, other))
    members = [evaluator.members.member(chosen, name) for name in ("one", "two")]
    assert list(map(evaluator.word, members)) == ["new a.ts#A", "new a.ts#B"]


def test_what_a_function_without_a_name_returns_is_a_type():
    file = shop()
    made = file.symbol("later", SymbolKind.FUNCTION)
    file.returns(made, "kept")
    evaluator = Resolved(file)
    function = FunctionType((), ReturnedType(file.inner(made)))
    promise = FunctionType((), ReturnedType(file.inner(made), is_async=True))
    results = [
        evaluator.calls.call_result(evaluator.types.resolve_type("a.ts", 0, type_)) for type_ in (function, promise)
    ]
    assert evaluator.word(results[0]) == "new a.ts#B"
    assert evaluator.word(evaluator.values.awaited(results[1])) == "new a.ts#B"
    assert evaluator.word(results[1]) != "new a.ts#B"


def test_a_module_of_python_may_alias_a_class_by_assignment():
    file = Written("a.py", Language.PYTHON)
    file.symbol("A", CLASS)
    file.symbol("Alias", SymbolKind.CONSTANT, value="A")
    file.symbol("Many", SymbolKind.CONSTANT, returns=TypeReference("list", ("A",)))
    evaluator = Resolved(file)
    assert evaluator.word(evaluator.types.resolve_type("a.py", 0, "Alias")) == "new a.py#A"
    assert evaluator.word(evaluator.types.resolve_type("a.py", 0, "Many")) == f"object {TypeReference('list', ('A',))}"


def test_types_of_types_end():
    deep: object = "A"
    for _ in range(200):
        deep = ArrayType(deep)  # type: ignore[arg-type]
    assert of(deep).startswith("object ")
    file = Written("a.ts")
    file.symbol("One", TYPE, type="Two")
    file.symbol("Two", TYPE, type="One")
    assert of("One", file) == "?"
