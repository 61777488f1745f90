"""Each part alone: of the others it asks only the fakes given here, and any other question fails the test."""

from collections.abc import Iterator
from typing import Any

import pytest

from bearings.code.expressions import Function, Item, Parameter, Result, Take, chained
from bearings.code.file_facts import BindingKind, Import
from bearings.code.models import Language, SymbolKind
from bearings.code.resolve.names.flow import Flow
from bearings.code.resolve.parts import Signature
from bearings.code.resolve.referent import Env, Referent
from bearings.code.resolve.referents import BUILTIN, EXTERNAL, instance_of, module_at, object_of, symbol_at
from bearings.code.resolve.types.annotated import Types
from bearings.code.resolve.types.calls import Calls
from bearings.code.resolve.types.elements import Elements
from bearings.code.resolve.types.members import Members
from bearings.code.resolve.types.signatures import Signatures
from bearings.code.resolve.types.values import Values
from bearings.code.type_expressions import (
    ArrayType,
    FunctionType,
    Hole,
    ReturnedType,
    TypedParameter,
    TypeExpression,
    TypeReference,
    UnionType,
)
from tests.code.resolve.written import Written, alone, word

CLASS, FUNCTION, METHOD, CONSTANT = SymbolKind.CLASS, SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTANT


def made(kind: type, *files: Written, **fakes: Any) -> Any:
    """A part with fakes of the others."""
    known, parts, facts = alone(*files, **fakes)
    part = kind(known)
    part.join(parts)
    return part, facts


class Names:
    """Flow, of which names alone are asked."""

    def __init__(self, **meant: Referent) -> None:
        self.meant, self.asked = meant, []  # type: ignore[var-annotated]

    def expression(self, file: str, scope: int, expression: Any, line: int, *, types: bool = False) -> Referent | None:
        self.asked.append(expression)
        return self.meant.get(expression)


class TypesByName:
    """Types, each of which is an object of the first symbol with its name; `T` is what the environment says."""

    def __init__(self, *names: str) -> None:
        self.names = ("", *names)

    def resolve_type(
        self, file: str, scope: int, type_: TypeExpression | None, env: Env = (), **_: Any
    ) -> Referent | None:
        if type_ in self.names:
            return instance_of(file, self.names.index(str(type_)))
        return next((referent for _, name, referent in env if name == type_), None)

    def resolve_part(self, referent: Referent, type_: TypeExpression | None) -> Referent | None:
        return self.resolve_type(referent.file, referent.symbol, type_, referent.env)


class Themselves:
    """Values, of which each is what it holds."""

    def value_or_self(self, referent: Referent) -> Referent:
        return referent


def two_classes(*methods: str) -> Written:
    file = Written("a.ts")
    for name in ("A", "B"):
        owner = file.symbol(name, CLASS)
        for method in methods if name == "A" else ():
            file.symbol(method, METHOD, owner)
    return file


def test_members_ask_flow_for_the_class_that_a_class_extends():
    file = two_classes("run")
    sub = file.symbol("Sub", CLASS, bases=("Base",))
    flow = Names(Base=symbol_at("a.ts", 1))
    members, facts = made(Members, file, flow=flow)
    assert word(facts, members.member(instance_of("a.ts", sub), "run")) == "a.ts#A.run"
    assert flow.asked == ["Base"]


def test_members_of_a_module_are_its_exports():
    class Exports:
        def export(self, file: str, name: str, *, types: bool = False) -> Referent:
            return module_at(f"{file}/{name}")

    members, facts = made(Members, Written("a.ts"), exports=Exports())
    assert word(facts, members.member(module_at("a.ts"), "one")) == "module a.ts/one"
    assert members.member(EXTERNAL, "one") == EXTERNAL


def test_members_of_an_object_are_those_of_its_type():
    class Element:
        def member_of_type(self, referent: Referent, name: str) -> Referent:
            return module_at(f"{referent.type}.{name}")

    members, facts = made(Members, Written("a.ts"), elements=Element())
    assert word(facts, members.member(object_of("a.ts", 0, "X"), "one")) == "module X.one"


def test_types_ask_flow_for_a_name_and_calls_for_what_a_function_returns():
    class Returns:
        def return_value_of_scope(self, file: str, inner: int) -> Referent:
            return instance_of(file, inner)

    class Promises:
        def wrapped(self, _: str, referent: Referent, wrapper: str) -> Referent:
            return object_of(referent.file, 0, f"{wrapper} of {referent.symbol}")

    types, facts = made(
        Types,
        two_classes(),
        flow=Names(One=symbol_at("a.ts", 2)),
        calls=Returns(),
        values=Promises(),
    )
    assert word(facts, types.resolve_type("a.ts", 0, "One")) == "new a.ts#B"
    assert word(facts, types.resolve_type("a.ts", 0, ReturnedType(1))) == "new a.ts#A"
    assert word(facts, types.resolve_type("a.ts", 0, ReturnedType(1, is_async=True))) == "object Promise of 1"


def test_values_ask_types_for_what_a_promise_gives():
    values, facts = made(Values, two_classes(), types=TypesByName("A", "B"))
    promise = object_of("a.ts", 0, TypeReference("Promise", ("B",)))
    assert word(facts, values.awaited(promise)) == "new a.ts#B"
    assert values.awaited(instance_of("a.ts", 1)) == instance_of("a.ts", 1)
    made_promise = values.wrapped("a.ts", instance_of("a.ts", 1), "Promise")
    assert made_promise.type == TypeReference("Promise", (Hole(),))
    assert [row[2] for row in made_promise.env] == [instance_of("a.ts", 1)]


def test_a_type_parameter_is_what_the_environment_says_and_nobody_is_asked():
    file = two_classes()
    scope = file.scope()
    file.row("T", BindingKind.TYPE_PARAMETER, scope)
    types, facts = made(Types, file)
    env = types.environment("a.ts", scope, (instance_of("a.ts", 1),))
    assert word(facts, types.resolve_type("a.ts", scope, "T", env)) == "new a.ts#A"
    assert types.resolve_type("a.ts", scope, "T") is None


@pytest.mark.parametrize(
    ("type_", "step", "expected"),
    [
        (ArrayType("A"), Item(Take.EACH), "new a.ts#A"),
        (TypeReference("Set", ("B",)), Item(Take.EACH), "new a.ts#B"),
        (TypeReference("Map", ("A", "B")), Item(Take.ELEMENT), "new a.ts#B"),
        (UnionType(("none", ArrayType("A"))), Item(Take.EACH), "?"),
        (TypeReference("tuple", ("A", "B")), Item(Take.ELEMENT, 1), "new a.ts#B"),
    ],
    ids=["an array", "a set", "a map's values", "a union of unknown parts", "a tuple"],
)
def test_elements_ask_types_alone(type_, step, expected):
    elements, facts = made(Elements, two_classes(), types=TypesByName("A", "B"))
    assert word(facts, elements.element(object_of("a.ts", 0, type_), step)) == expected


def test_the_elements_of_an_object_of_python_are_what_its_method_gives():
    class Method:
        def member(self, referent: Referent, name: str) -> Referent:
            return module_at(name)

        def call_result(self, referent: Referent, owner: Referent) -> Referent:
            return BUILTIN if referent.file == "__iter__" else module_at(referent.file)

    file = Written("a.py", Language.PYTHON)
    owner = instance_of("a.py", file.symbol("A", CLASS))
    elements, facts = made(Elements, file, members=Method(), calls=Method())
    assert elements.element(owner, Item(Take.EACH)) == BUILTIN
    assert word(facts, elements.element(owner, Item(Take.ELEMENT, 0))) == "module __getitem__"


def test_the_context_of_a_callback_is_the_parameter_of_the_callee_s_parameter():
    head = FunctionType((TypedParameter("f", FunctionType((TypedParameter("x", "A"),))),))

    class Callee:
        def callee(self, file: str, number: int) -> tuple[Referent, None, str]:
            return object_of(file, 0, head), None, ""

        def type_arguments(self, file: str, site: Any) -> tuple[Referent | None, ...]:
            return ()

    class Objects(TypesByName):
        def resolve_type(self, file: str, scope: int, type_: Any, env: Env = (), **_: Any) -> Referent | None:
            is_function = isinstance(type_, FunctionType)
            return object_of(file, scope, type_) if is_function else super().resolve_type(file, scope, type_)

    file = two_classes()
    number = file.call("anything")
    signatures, facts = made(Signatures, file, calls=Callee(), types=Objects("A"))
    assert word(facts, signatures.contextual_type("a.ts", Parameter(number, 0, 0))) == "new a.ts#A"
    assert signatures.contextual_type("a.ts", Parameter(number, 1, 0)) is None


def test_the_result_of_an_object_is_that_of_its_first_signature():
    class First:
        def signatures(self, referent: Referent, *, new: bool = False) -> Iterator[Signature]:
            yield Signature("a.ts", 0, FunctionType((), "B"))
            raise AssertionError("the second signature was asked for")

    calls, facts = made(Calls, two_classes(), signatures=First(), types=TypesByName("A", "B"))
    assert word(facts, calls.call_result(object_of("a.ts", 0, "f"))) == "new a.ts#B"
    assert calls.call_result(EXTERNAL) == EXTERNAL
    assert calls.call_result(None) is None


def test_a_function_without_types_gives_what_its_return_statements_say():
    file = two_classes()
    function = file.symbol("make", FUNCTION)
    file.returns(function, "unknown")
    file.returns(function, "known")
    flow = Names(known=instance_of("a.ts", 1))
    calls, facts = made(Calls, file, flow=flow, values=Themselves())
    assert word(facts, calls.return_value(symbol_at("a.ts", function))) == "new a.ts#A"
    assert flow.asked == ["unknown", "known"]


def test_flow_reads_the_scopes_itself_and_asks_members_for_each_step():
    class Steps:
        def __init__(self) -> None:
            self.asked: list[str] = []

        def member(self, referent: Referent, name: str, *, types: bool = False) -> Referent | None:
            self.asked.append(name)
            return None if name == "none" else module_at(name)

    class Nobody:
        def sees_ambient(self, file: str) -> bool:
            return False

    steps = Steps()
    flow, facts = made(Flow, two_classes(), members=steps, exports=Nobody())
    assert word(facts, flow.expression("a.ts", 0, chained("A", ("one", "two")), 9)) == "module two"
    assert flow.expression("a.ts", 0, "Nowhere", 9) is None
    assert flow.expression("a.ts", 0, "Array", 9) == BUILTIN
    assert steps.asked == ["one", "two"]


def test_flow_hands_imports_calls_and_callbacks_to_the_parts_that_know_them():
    class Others:
        def resolve_import(self, file: str, entry: Import, *, types: bool = False) -> Referent:
            return module_at(entry.module)

        def site_result(self, file: str, number: int, *, awaited: bool) -> Referent:
            return module_at(f"call {number} {awaited}")

        def contextual_type(self, file: str, parameter: Parameter) -> Referent:
            return module_at(f"parameter of {parameter.site}")

    file, others = two_classes(), Others()
    file.imports("./b", "x", "x")
    flow, facts = made(Flow, file, exports=others, calls=others, signatures=others)
    assert word(facts, flow.expression("a.ts", 0, "x", 9)) == "module ./b"
    assert word(facts, flow.expression("a.ts", 0, Result(3, awaited=True), 9)) == "module call 3 True"
    assert word(facts, flow.expression("a.ts", 0, Parameter(4, 0, 0), 9)) == "module parameter of 4"
    function = flow.expression("a.ts", 0, Function(1, "A"), 9)
    assert word(facts, function) == f"object {FunctionType((), 'A')}"
