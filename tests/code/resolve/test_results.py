"""Results of calls: by annotations, return statements, arguments; and what a callee expects of a callback."""

import pytest

from bearings.code.expressions import UNKNOWN, Chain, Item, Listed, Parameter, Result, Take, Typed
from bearings.code.file_facts import BindingKind, Trait
from bearings.code.models import EdgeKind, Language, SymbolKind
from bearings.code.type_expressions import ArrayType, FunctionType, TypedParameter, TypeReference
from tests.code.resolve.written import Resolved, Written

CLASS, FUNCTION, METHOD = SymbolKind.CLASS, SymbolKind.FUNCTION, SymbolKind.METHOD


def base(language: Language = Language.TYPESCRIPT) -> Written:
    file = Written("a.py" if language is Language.PYTHON else "a.ts", language)
    file.symbol("run", METHOD, file.symbol("A", CLASS))
    file.symbol("B", CLASS)
    return file


def result(file: Written, number: int, *, awaited: bool = False) -> str:
    evaluator = Resolved(file)
    return evaluator.word(evaluator.calls.site_result(file.path, number, awaited=awaited))


def test_a_called_class_gives_an_object():
    file = base()
    assert result(file, file.call("A", kind=EdgeKind.NEW)) == "new a.ts#A"


def test_an_annotation_wins_over_return_statements():
    file = base()
    make = file.symbol("make", FUNCTION, returns="B")
    file.returns(make, Typed("A"))
    assert result(file, file.call("make")) == "new a.ts#B"


def test_the_first_known_return_statement_counts():
    file = base()
    make = file.symbol("make", FUNCTION)
    for value in (UNKNOWN, Typed("A"), Typed("B")):
        file.returns(make, value)
    assert result(file, file.call("make")) == "new a.ts#A"


def test_an_async_function_gives_a_promise_of_it():
    file = base()
    make = file.symbol("make", FUNCTION, traits=Trait.ASYNC)
    file.returns(make, Typed("A"))
    number = file.call("make")
    assert result(file, number) != "new a.ts#A"
    assert result(file, number, awaited=True) == "new a.ts#A"


def test_a_generator_gives_what_it_yields_and_no_promise():
    file = base(Language.PYTHON)
    make = file.symbol("make", FUNCTION, traits=Trait.GENERATOR | Trait.ASYNC)
    file.returns(make, Listed(Typed("A")))
    made = file.call("make")
    evaluator = Resolved(file)
    given = evaluator.calls.site_result("a.py", made, awaited=False)
    assert given is not None
    assert evaluator.word(evaluator.elements.element(given, Item(Take.EACH))) == "new a.py#A"


def test_functions_that_call_each_other_end():
    file = base()
    one, two = file.symbol("one", FUNCTION), file.symbol("two", FUNCTION)
    numbers = [file.call("two"), file.call("one")]
    file.returns(one, Result(numbers[0]))
    file.returns(two, Result(numbers[1]))
    assert result(file, numbers[0]) == "?"


def generic(file: Written, parameter, returns, *names: str) -> None:
    make = file.symbol("make", FUNCTION, returns=returns, head=FunctionType((TypedParameter("given", parameter),)))
    for name in names:
        file.row(name, BindingKind.TYPE_PARAMETER, file.inner(make))


@pytest.mark.parametrize(
    ("parameter", "argument"),
    [
        ("T", Typed("A")),
        (ArrayType("T"), Listed(Typed("A"))),
        (TypeReference("Promise", ("T",)), Typed(TypeReference("Promise", ("A",)))),
        (FunctionType((), "T"), "makes"),
        (FunctionType((), "T", constructs=True), "A"),
    ],
    ids=["itself", "an element", "a promise", "a function", "a constructor"],
)
def test_the_first_argument_tells_a_type_parameter(parameter, argument):
    file = base()
    generic(file, parameter, "T", "T")
    file.symbol("makes", FUNCTION, returns="A")
    assert result(file, file.call("make", argument)) == "new a.ts#A"
    assert result(file, file.call("make", UNKNOWN)) == "?"
    assert result(file, file.call("make", argument, types=("B",))) == "new a.ts#B"


def test_the_argument_of_a_constructor_tells_the_parameter_of_its_class():
    file = base()
    box = file.symbol("Box", CLASS)
    file.row("T", BindingKind.TYPE_PARAMETER, file.inner(box))
    file.symbol("constructor", SymbolKind.CONSTRUCTOR, box, head=FunctionType((TypedParameter("value", "T"),)))
    file.symbol("get", METHOD, box, returns="T")
    made = file.call("Box", Typed("A"), kind=EdgeKind.NEW)
    assert result(file, file.call(Chain(Result(made), ("get",)))) == "new a.ts#A"


@pytest.mark.parametrize(
    ("parameter", "argument"), [("T", Typed("A")), (TypeReference("type", ("T",)), "A")], ids=["itself", "a class"]
)
def test_a_variable_of_python_is_told_only_if_it_is_a_type_variable(parameter, argument):
    file = base(Language.PYTHON)
    file.imports("typing", "TypeVar", "TypeVar")
    variable = file.call("TypeVar")
    file.symbol("T", SymbolKind.CONSTANT, value=Result(variable))
    generic(file, parameter, "T")
    assert result(file, file.call("make", argument)) == "new a.py#A"
    other = base(Language.PYTHON)
    other.symbol("T", CLASS)
    generic(other, parameter, "T")
    assert result(other, other.call("make", argument)) == "new a.py#T"


def callback(file: Written, argument: int = 0) -> str:
    """The type of the first parameter of a function that is passed to `take`."""
    number = file.call("take")
    evaluator = Resolved(file)
    return evaluator.word(evaluator.signatures.contextual_type(file.path, Parameter(number, argument, 0)))


def taking(*types: object) -> FunctionType:
    return FunctionType(tuple(TypedParameter(f"p{n}", type_) for n, type_ in enumerate(types)))  # type: ignore[arg-type]


def test_a_callback_gets_what_the_callee_says():
    file = base()
    file.symbol("take", FUNCTION, head=taking("string", taking("A")))
    assert callback(file, 1) == "new a.ts#A"
    assert callback(file, 0) == "?"


def test_the_overload_that_takes_a_function_there_is_the_one_meant():
    file = base()
    take = file.symbol("take", FUNCTION, head=taking("string"))
    for head in (taking("string"), taking(taking("T")), taking("number", taking("B"))):
        scope = file.scope(0, symbol=take)
        file.row("T", BindingKind.TYPE_PARAMETER, scope, type_="A")
        file.row("()", BindingKind.TYPE, scope, type_=head)
    assert callback(file, 0) == "new a.ts#A"
    assert callback(file, 1) == "new a.ts#B"
