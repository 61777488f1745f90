"""Names through scopes: what hides what, where, and from which line on."""

from bearings.code.expressions import Chain, Function, Item, Listed, Properties, Take, Typed
from bearings.code.file_facts import BindingKind, ScopeKind
from bearings.code.models import Language, SymbolKind
from tests.code.resolve.written import Resolved, Written

CLASS, FUNCTION, METHOD = SymbolKind.CLASS, SymbolKind.FUNCTION, SymbolKind.METHOD


def meaning(file: Written, expression, scope: int = 0, line: int = 1_000, *others: Written) -> str:
    evaluator = Resolved(file, *others)
    return evaluator.word(evaluator.flow.expression(file.path, scope, expression, line))


def two(language: Language = Language.TYPESCRIPT) -> Written:
    file = Written("a.py" if language is Language.PYTHON else "a.ts", language)
    for name in ("A", "B"):
        file.symbol("run", METHOD, file.symbol(name, CLASS))
    return file


def test_an_inner_scope_hides_an_outer_one_only_inside():
    file = two()
    file.row("x", type_="A")
    inner = file.scope()
    file.row("x", scope=inner, type_="B")
    assert meaning(file, "x", inner) == "new a.ts#B"
    assert meaning(file, "x") == "new a.ts#A"
    assert meaning(file, "x.run", file.scope(inner)) == "a.ts#B.run"


def test_a_name_of_unknown_value_hides_too():
    file = two()
    file.row("x", type_="A")
    inner = file.scope()
    file.row("x", BindingKind.PARAMETER, inner)
    assert meaning(file, "x", inner) == "?"


def test_a_name_means_its_last_binding_above():
    file = two(Language.PYTHON)
    inner = file.scope()
    file.row("x", scope=inner, type_="A", line=10)
    file.row("x", scope=inner, type_="B", line=20)
    assert meaning(file, "x", inner, 15) == "new a.py#A"
    assert meaning(file, "x", inner, 20) == "new a.py#A"
    assert meaning(file, "x", inner, 21) == "new a.py#B"


def test_a_test_narrows_a_name_between_its_lines():
    file = two()
    inner = file.scope()
    file.row("x", BindingKind.PARAMETER, inner, type_="A", line=10)
    file.row("x", BindingKind.NARROWED, inner, type_="B", line=12, target=20)
    assert meaning(file, "x", inner, 11) == "new a.ts#A"
    assert meaning(file, "x", inner, 15) == "new a.ts#B"
    assert meaning(file, "x", inner, 21) == "new a.ts#A"


def test_methods_of_python_do_not_see_the_names_of_their_class():
    file = Written("a.py", Language.PYTHON)
    outer = file.symbol("run", FUNCTION)
    owner = file.symbol("A", CLASS)
    method = file.symbol("go", METHOD, owner)
    file.row("run", BindingKind.SYMBOL, file.inner(owner), target=method)
    assert meaning(file, "run", file.inner(owner)) == "a.py#A.go"
    assert meaning(file, "run", file.inner(method)) == "a.py#run"
    assert outer == 1


def test_an_earlier_definition_stands_in_for_one_that_leads_outside():
    file = Written("a.py", Language.PYTHON)
    file.symbol("fast", FUNCTION)
    file.imports("library", "fast", "fast")
    assert meaning(file, "fast") == "a.py#fast"


def test_an_import_means_what_the_module_exports():
    file, other = Written("a.ts"), Written("b.ts")
    other.symbol("run", METHOD, other.symbol("B", CLASS))
    other.exports("Offered", "B")
    file.imports("./b", "Offered", "Local")
    file.imports("./b", "*", "all")
    assert meaning(file, "Local", 0, 1_000, other) == "b.ts#B"
    assert meaning(file, "all.Offered", 0, 1_000, other) == "b.ts#B"
    assert meaning(file, "all.B", 0, 1_000, other) == "?"


def test_this_is_an_object_of_the_class_also_in_functions_without_one():
    file = two()
    method = file.symbol("go", METHOD, 1)
    arrow = file.scope(file.inner(method), ScopeKind.ARROW, method)
    nested = file.scope(arrow, ScopeKind.FUNCTION, method)
    assert meaning(file, "this", file.inner(method)) == "new a.ts#A"
    assert meaning(file, "this.run", arrow) == "a.ts#A.run"
    assert meaning(file, "this", nested) != "new a.ts#B"


def test_self_of_python_is_a_name_and_its_place_tells_it_where_a_type_variable_does_not():
    file = Written("a.py", Language.PYTHON)
    owner = file.symbol("A", CLASS)
    method = file.symbol("go", METHOD, owner)
    file.row("self", BindingKind.PARAMETER, file.inner(method), type_="T")
    file.row("cls", BindingKind.PARAMETER, file.inner(method), type_="T")
    file.row("other", BindingKind.PARAMETER, file.inner(method), type_="T")
    assert meaning(file, "self", file.inner(method)) == "new a.py#A"
    assert meaning(file, "cls", file.inner(method)) == "a.py#A"
    assert meaning(file, "other", file.inner(method)) == "?"


def test_steps_follow_members_and_elements():
    file = two()
    literal = file.scope(kind=ScopeKind.BLOCK)
    file.row("list", BindingKind.LOCAL, literal, value=Listed(Typed("B")))
    assert meaning(file, Chain(Properties(literal), ("list", Item(Take.EACH), "run"))) == "a.ts#B.run"
    assert meaning(file, Chain(Typed("A"), ("run",))) == "a.ts#A.run"
    assert meaning(file, Chain(Typed("A"), ("gone", "run"))) == "?"


def test_a_function_without_a_name_is_a_value():
    file = two()
    made = file.symbol("made", FUNCTION)
    file.returns(made, Typed("B"))
    evaluator = Resolved(file)
    function = evaluator.flow.expression("a.ts", 0, Function(file.inner(made)), 1)
    assert evaluator.word(evaluator.calls.call_result(function)) == "new a.ts#B"
    typed = evaluator.flow.expression("a.ts", 0, Function(file.inner(made), "A"), 1)
    assert evaluator.word(evaluator.calls.call_result(typed)) == "new a.ts#A"


def test_a_long_circle_of_values_ends():
    file = Written("a.ts")
    for number in range(100):
        file.symbol(f"v{number}", SymbolKind.CONSTANT, value=f"v{(number + 1) % 100}")
    evaluator = Resolved(file)
    start = evaluator.flow.expression("a.ts", 0, "v0", 1)
    assert start is not None
    assert evaluator.members.member(start, "x") is None
