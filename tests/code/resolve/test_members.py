"""Members of classes and objects: own ones, inherited ones, those of a value."""

from collections.abc import Mapping

import pytest

from bearings.code.expressions import UNKNOWN, Properties
from bearings.code.file_facts import BindingKind, ScopeKind, Trait
from bearings.code.models import Language, SymbolKind
from bearings.code.resolve.referent import INSTANCE, SYMBOL, Referent
from bearings.code.resolve.referents import literal_in, of_kind
from tests.code.resolve.written import Resolved, Written

CLASS, METHOD, PROPERTY = SymbolKind.CLASS, SymbolKind.METHOD, SymbolKind.PROPERTY


def member(file: Written, owner: int, name: str, *, of_class: bool = False) -> str:
    evaluator = Resolved(file)
    kind = SYMBOL if of_class else INSTANCE
    return evaluator.word(evaluator.members.member(of_kind(kind, file.path, owner), name))


def classes(
    bases: Mapping[str, tuple[str, ...]], owners: Mapping[str, tuple[str, ...]], **options: Language
) -> tuple[Written, dict[str, int]]:
    """Classes by name with the names of their bases, and methods by name with the classes that have them."""
    file = Written("a.py" if options else "a.ts", **options)
    found = {name: file.symbol(name, CLASS, bases=of) for name, of in bases.items()}
    for method, of in owners.items():
        for owner in of:
            file.symbol(method, METHOD, found[owner])
    return file, found


def test_members_of_the_class_are_apart_from_those_of_its_objects():
    file = Written("a.ts")
    owner = file.symbol("A", CLASS)
    file.symbol("make", METHOD, owner, traits=Trait.STATIC)
    file.symbol("run", METHOD, owner)
    assert member(file, owner, "run") == "a.ts#A.run"
    assert member(file, owner, "make") == "?"
    assert member(file, owner, "make", of_class=True) == "a.ts#A.make"
    assert member(file, owner, "run", of_class=True) == "?"


def test_in_python_a_class_has_the_methods_of_its_objects():
    file = Written("a.py", Language.PYTHON)
    owner = file.symbol("A", CLASS)
    file.symbol("run", METHOD, owner)
    assert member(file, owner, "run", of_class=True) == "a.py#A.run"


def test_the_nearest_class_that_has_a_member_wins():
    file, found = classes({"A": (), "B": ("A",), "C": ("B",)}, {"run": ("A", "B"), "stop": ("A",)})
    assert member(file, found["C"], "run") == "a.ts#B.run"
    assert member(file, found["C"], "stop") == "a.ts#A.stop"


def test_bases_are_searched_in_their_order_and_depth_first():
    file, found = classes(
        {"Root": (), "A": ("Root",), "B": (), "C": ("A", "B")}, {"run": ("Root", "B"), "stop": ("B",)},
        language=Language.PYTHON,
    )  # fmt: skip
    assert member(file, found["C"], "run") == "a.py#Root.run"
    assert member(file, found["C"], "stop") == "a.py#B.stop"


def test_a_circle_of_bases_ends():
    file, found = classes({"A": ("B",), "B": ("A",)}, {"run": ("B",)})
    assert member(file, found["A"], "run") == "a.ts#B.run"
    assert member(file, found["A"], "other") == "?"


def test_what_a_base_outside_may_have_is_outside_and_what_stands_before_it_is_not():
    file, found = classes({"A": ("Foreign",)}, {"run": ("A",)})
    file.imports("library", "Foreign", "Foreign")
    assert member(file, found["A"], "run") == "a.ts#A.run"
    assert member(file, found["A"], "other") == "outside external"


def test_a_property_that_is_only_assigned_gives_way_to_one_that_a_base_declares():
    file = Written("a.py", Language.PYTHON)
    base = file.symbol("Base", CLASS)
    file.symbol("held", PROPERTY, base, type="Base")
    sub = file.symbol("Sub", CLASS, bases=("Base",))
    file.symbol("held", PROPERTY, sub, value=UNKNOWN)
    assert member(file, sub, "held") == "a.py#Base.held"


def test_a_variable_has_the_members_of_its_type_and_of_its_value():
    file = Written("a.ts")
    owner = file.symbol("A", CLASS)
    file.symbol("run", METHOD, owner)
    typed = file.symbol("typed", SymbolKind.CONSTANT, type="A")
    alias = file.symbol("alias", SymbolKind.CONSTANT, value="typed")
    for variable in (typed, alias):
        assert member(file, variable, "run", of_class=True) == "a.ts#A.run"
        assert member(file, variable, "other", of_class=True) == "?"


def literal(*rows: tuple[str, object]) -> tuple[Written, Referent]:
    """An object literal; a value in a list is that of a spread literal."""
    file = Written("a.ts")
    for name in ("one", "two"):
        file.symbol(name, SymbolKind.FUNCTION)
    scope = file.scope(kind=ScopeKind.BLOCK)
    for name, value in rows:
        if isinstance(value, dict):
            spread = file.scope(kind=ScopeKind.BLOCK)
            for key, inner in value.items():
                file.row(key, BindingKind.LOCAL, spread, value=inner)
            value = Properties(spread)
        file.row(name, BindingKind.LOCAL, scope, value=value)  # type: ignore[arg-type]
    return file, literal_in("a.ts", scope)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("key", "one")], "a.ts#one"),
        ([("other", "one")], "?"),
        ([("key", "two"), ("...", {"key": "one"})], "a.ts#two"),
        ([("...", {"other": "one"}), ("...", {"key": "two"})], "a.ts#two"),
        ([("...", {"key": "one"}), ("...", {"key": "two"})], "a.ts#one"),
        ([("...", {"key": UNKNOWN}), ("...", {"key": "two"})], "?"),
    ],
    ids=[
        "its own", "of another name", "its own before a spread one", "of the spread object that has it",
        "of the first spread object", "of unknown value: no later object is asked",
    ],
)  # fmt: skip
def test_a_property_of_an_object_literal(rows, expected):
    file, referent = literal(*rows)
    evaluator = Resolved(file)
    assert evaluator.word(evaluator.members.member(referent, "key")) == expected
